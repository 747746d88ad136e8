#!/bin/bash
# 200 times kill -9, at random moments, while agents ask and a person answers.
# What each of them was told is written down as it comes; at the end the audit
# must hold all of it, with the same verdict, and its proof. STORM_SEED repeats a
# run's choices, STORM_KILLS its length.
. "$(dirname "$0")/lib.sh"

seed=${STORM_SEED-$RANDOM}
kills=${STORM_KILLS-200}
echo "seed $seed"
: >"$T/out"
: >"$T/err"
scene storm real
mkdir -p "$S/project/.git"
printf 'set authority none\nallow shell "make *"\n' >"$S/config/assent.conf"
log=$T/told
mkdir "$log"

# What an answer of the hook's says: allow, deny, ask; none: the client's own
# refusal, which nobody decided; quarantined: killed twice with this call in hand,
# the daemon refuses without reading it, so its row cannot say which it was.
verdict_of() { # FILE
	case $(cat "$1" "$1.err") in
	*"no decision could be made"*) echo none ;;
	*"the daemon died twice while it read this call"*) echo quarantined ;;
	*'"permissionDecision":"allow"'*) echo allow ;;
	*'"permissionDecision":"deny"'*) echo deny ;;
	*'"permissionDecision":"ask"'*) echo ask ;;
	*) echo none ;;
	esac
}
# Asks again and again: what a rule allows, what the floor refuses, what only
# reads, and what a person is asked about. Each call has a word of its own.
agent() { # NAME
	local i=0 word command
	until [ -e "$T/enough" ]; do
		i=$((i + 1))
		word=$1x$i
		case $((i % 4)) in
		0) command="make $word" ;;
		1) command="rm -rf / $word" ;;
		2) command="ls $word" ;;
		3) command="git push origin $word" ;;
		esac
		printf '{"session_id":"%s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"%s","tool_input":{"command":"%s"}}' "$1" "$S/project" "$word" "$command" |
			"$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$log/$1.out" 2>"$log/$1.out.err"
		echo "$word $(verdict_of "$log/$1.out")" >>"$log/agents.$1"
	done
}
# Answers whatever waits, in turns yes and no, with a note.
person() {
	local i=0 id reply status
	until [ -e "$T/over" ]; do
		for id in $(cards); do
			i=$((i + 1))
			reply=once
			[ $((i % 2)) = 0 ] && reply=reject
			status=$(api -o /dev/null -w '%{http_code}' --data-binary "{\"reply\":\"$reply\",\"feedback\":\"note $i\"}" "http://assent/v1/cards/$id/reply")
			echo "$id $reply $status note-$i" >>"$log/replies"
		done
		read -rt 0.01 <> <(:) || :
	done
}
killed=0
storm() {
	local pid
	RANDOM=$seed
	while [ "$killed" -lt "$kills" ]; do
		read -rt "0.0$((RANDOM % 6))$((RANDOM % 10))" <> <(:) || :
		pid=$(pid_of)
		[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
	done
}

workers=
for name in a b c; do
	agent "$name" &
	workers="$workers $!"
done
person &
person=$!
storm
touch "$T/enough"
wait $workers 2>/dev/null
touch "$T/over"
wait "$person" 2>/dev/null

name="after $killed kills (seed $seed)"
hook SessionStart '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'
alive() { api http://assent/healthz >"$T/out"; }
check "a daemon runs" soon alive
"$bin/assent" audit export $places >"$T/audit" 2>"$T/err"
check "the audit can be read" [ -s "$T/audit" ]
"$bin/assent" audit verify $places >"$T/out"
rc=$?
check "its proof holds" rc_is 0
# word and verdict of each decision: the call stands in the first row of its
# hearing, the decision in the same or a later one
jq -r 'select(.call) | "\(.hearing) \(.call | fromjson | .input.command | split(" ") | last)"' "$T/audit" | sort >"$T/words"
jq -r 'select(.kind == "decision") | "\(.hearing) \(.verdict)"' "$T/audit" | sort >"$T/verdicts"
join "$T/words" "$T/verdicts" | cut -d' ' -f2- | sort -u >"$T/decided"
cat "$log"/agents.* | sort -u >"$T/told.all"
grep -Ev ' (none|quarantined)$' "$T/told.all" >"$T/told.decided"
jq -r 'select(.card and .reply) | "\(.card) \(.reply) 200 \(.note | sub(" "; "-"))"' "$T/audit" | sort -u >"$T/recorded"
grep ' 200 ' "$log/replies" | sort -u >"$T/replied"
missing() { comm -23 "$1" "$2" | tee "$T/out" | wc -l; } # lines of the first that the second has not
check "every answer is in it, with its verdict" [ "$(missing "$T/told.decided" "$T/decided")" = 0 ]
check "no allow without a row" [ "$(missing <(grep ' allow$' "$T/told.all") <(grep ' allow$' "$T/decided"))" = 0 ]
quarantined() { grep -c ' quarantined$' "$T/told.all"; }
check "what was not read is in it as often" [ "$(jq -r 'select(.kind == "decision" and .by == "failure") | .number' "$T/audit" | wc -l)" -ge "$(quarantined)" ]
check "every reply that counted is in it, word for word" [ "$(missing "$T/replied" "$T/recorded")" = 0 ]
answered() { wc -l <"$T/told.decided"; }
check "agents were answered" [ "$(answered)" -ge "$((kills / 20))" ]
check "people, too" [ -s "$T/replied" ]
check "it was killed that often" [ "$killed" = "$kills" ]
echo "$(wc -l <"$T/told.all") calls, $(answered) decided, $(wc -l <"$T/replied") replies"
check "the allows of people reached agents" grep -q ' allow$' "$T/told.decided"
finish
