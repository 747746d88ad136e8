#!/bin/bash
# One story from end to end: a person's note, what the model is told of it, and
# what that does to later calls, in every tier. The model says what a script has.
. "$(dirname "$0")/lib.sh"
deadline=20
calls=0
model_start
scene story real
judged_by openai
ref=$S/project
mkdir -p "$ref/.git" "$ref/secrets"
echo x >"$ref/secrets/.env"
: >"$T/out"
: >"$T/err"

event() { # EVENT MEMBERS: a hook of the turn
	hook "$1" '{"session_id":"s1","prompt_id":"'$turn'","cwd":"'$ref'","hook_event_name":"'$1'",'"$2"'}'
}
prompt() { # TURN WORDS
	turn=$1
	event UserPromptSubmit '"prompt":"'"$2"'"'
}
shell() { # COMMAND [MORE]: sets the call
	calls=$((calls + 1))
	members='"tool_name":"Bash","tool_use_id":"t'$calls'","tool_input":{"command":"'$1'"}'${2-}
}
ask() { # COMMAND [MORE]: waits for its answer
	shell "$@"
	event PreToolUse "$members"
}
held() { # COMMAND [MORE]: its card is open when this returns
	shell "$@"
	deadline=60 event PreToolUse "$members" &
	asked=$!
	soon has_cards 1
}
ends() {
	wait "$asked"
	rc=0
}
reply() { # REPLY NOTE
	api -o "$T/said" -X POST --data-binary "{\"reply\":\"$1\",\"feedback\":\"$2\"}" "http://assent/v1/cards/$(cards)/reply"
}
asked_last() { tail -n 1 "$M/log" | grep -qF -- "$1"; } # in the last prompt
not_asked() { ! grep -qF -- "$1" "$M/log"; }
assent() { (cd "$ref" && "$bin/assent" "$@" $places) >"$T/said" 2>&1 </dev/null; }
says() { grep -qF -- "$1" "$T/said"; }
tier() { assent tier "$1"; }

# as it stands in the log: JSON in JSON
rule='User approved shell on \"frob --clean build\" with note: \"yes, the build folders'
model_says \
	'frob --wipe => deny critical it-wipes' \
	'frob --lone => escalate medium unsure' \
	'with note: "yes, the build folders" => allow low the note covers it' \
	'frob --clean => escalate medium nobody-asked-for-it' \
	'* => escalate medium unsure'

name="turn 1"
event SessionStart '"source":"startup"'
prompt p1 "tidy up"
held "frob --clean build"
check "the judge leaves it to a person" has_cards 1
assent cards
check "who is told why" says "nobody-asked-for-it"
check "and how risky it is" eval 'api http://assent/v1/cards | grep -q "\"risk\":\"medium\""'
check "the prompt has the user's words" asked_last 'tidy up'
reply once "yes, the build folders"
ends
check "it runs" allowed
check "the note reaches the agent" out_has "User approved this tool call with feedback: yes, the build folders"
event PostToolUse "$members"',"tool_response":{"stdout":"done"}'
check "once" neutral
assent audit export
check "the audit has it" [ "$(grep '"kind":"decision"' "$T/said" | grep -c '"source":"user","note":"yes, the build folders"')" = 1 ]
check "and what the model said" [ "$(grep -c '"model":"scripted","judged":"escalate","judged_risk":"medium","judged_reason":"nobody-asked-for-it"' "$T/said")" = 1 ]
ask "frob --wipe all"
check "a critical refusal is final" refused
check "in the judge's words" any_has "it-wipes"
check "which are not the user's" eval '! any_has "The user"'
check "the history has the note" asked_last 'allowed (user note: \"yes, the build folders\")'
check "no rule yet" not_asked "$rule"

name="turn 2"
prompt p2 "go on"
ask "frob --clean dist"
check "a similar call is allowed" allowed
check "the rule is in the prompt" asked_last "$rule"
check "the last turn's calls are not" eval '! asked_last "frob --wipe"'

name="a subagent"
ask "frob --clean docs" ',"agent_id":"a7","agent_type":"Helper"'
check "has its parent's rules" asked_last "$rule"
check "is allowed" allowed

held "frob --lone" ',"agent_id":"a7","agent_type":"Helper"'
api http://assent/v1/cards >"$T/said"
check "its card names it" says '"role":"Helper"'
check "and who started it" says '"session":"s1/a7","parent":"s1"'
reply reject "not that"
ends
check "the person's words reach it" any_has "not that"

name="what no note covers"
before=$(model_requests)
ask "rm -rf /"
check "is refused" refused
check "and no model is asked" model_asked "$before"
prompt p3 "look around"
model_says 'cat secrets/ => escalate high it-reads-a-file' '* => escalate medium unsure'
held "cat secrets/.env"
check "a secret's read is escalated" has_cards 1
check "the prompt does not say why" not_asked "sensitive"
reject=$(cards)
reply reject "never read that"
ends
check "rejected" refused
check "in the user's words" any_has "never read that"
ask_env=$(model_requests)

name="aggressive"
tier aggressive
ask "frob --push"
check "what is escalated runs" allowed
assent audit export
check "with its note" says "aggressive mode, auto-approve all escalated tool calls"
check "which is not told as the user's" eval '! out_has feedback'
ask "cat secrets/.env"
check "but no secret is read" refused
model_says '* => status 500'
deadline=5 ask "frob --broken"
check "nor does what could not be judged" eval '! allowed'
model_says '* => escalate medium unsure'

name="passive"
tier passive
ask "frob --pull"
check "what is escalated is refused" refused
check "with its note" any_has "passive mode, reject all escalated tool calls"
check "not as the user's" eval '! any_has "The user"'
# No hook of Claude Code can say for sure who a subagent is, so the daemon is
# asked what it would decide of one whose name is sure.
before=$(model_requests)
review() { # MORE of the context
	api -o "$T/said" -X POST http://assent/v1/order --data-binary '{"tool":"read","tool_name":"Read","cwd":"'$ref'","roots":["'$ref'"],
		"input":{"path":"'$ref'/secrets/.env"},"context":{"session":"s1","agent":"claude-code","role":"CodeReview"'$1'}}'
}
review
check "a review agent's reads are not stalled" says '"verdict":"allow"'
check "and no model is asked of them" model_asked "$before"
review ',"role_unverified":true'
check "one whose name a project may have taken is as all others" eval '! says "\"verdict\":\"allow\""'
tier standard

name="the prefix"
held "frob --last"
check "has the tiers' notes" asked_last '(tier note: \"aggressive mode, auto-approve all escalated tool calls\")'
reply reject "that is all"
ends
check "nothing names the tier" not_asked '"tier"'
check "the secret's path is in no history" [ "$(grep -F 'secrets/.env\" -' "$M/log" | wc -l)" = 0 ]

name="a restart"
held "frob --again"
tail -n 1 "$M/log" >"$T/before"
kill -9 "$(pid_of)"
soon has_cards 1
reply reject "enough"
ends
prompt_of() { sed 's/.*\\u003csession_context//; s/\\u003c.tool_history.*//' "$1"; }
held "frob --again"
tail -n 1 "$M/log" >"$T/after"
before=$(prompt_of "$T/before")
after=$(prompt_of "$T/after")
check "changes no byte of what was told" [ "${after#"$before"}" != "$after" ]
reply reject "enough"
ends
finish
