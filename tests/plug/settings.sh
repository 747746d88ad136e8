#!/bin/bash
# Modes and tiers, as people set them, and the calls that come after.
. "$(dirname "$0")/lib.sh"

scene settings real
mkdir -p "$S/project" "$S/other"
deadline=1
ls=${call/\/tmp/$S\/project}
push=${ls/\"ls\"/\"git push origin main\"}
elsewhere=${push/project/other}
elsewhere=${elsewhere/\"s1\"/\"s2\"}
: >"$T/out"
: >"$T/err"
assent() { # COMMAND...
	(cd "$S/project" && "$bin/assent" "$@" $places) >"$T/said" 2>"$T/err"
	rc=$?
}
says() { grep -qF -- "$1" "$T/said" "$T/err"; }
head_is() { [ "$(head -1 "$T/said")" = "$1" ]; }
not_allowed() { ! out_has '"permissionDecision":"allow"'; }

name="nothing set"
assent mode
check "is ai_auto" head_is ai_auto
assent tier
check "is standard" head_is standard

name="for all"
hook PreToolUse "$push"
check "a push waits before" not_allowed
assent mode Full
check "is set" rc_is 0
check "by its own name" says "full_access"
hook PreToolUse "$push"
check "holds from the next call" allowed
hook PreToolUse "${ls/\"ls\"/\"rm -rf /\"}"
check "lifts no refusal" refused

name="for a project"
assent mode ai_auto --project
hook PreToolUse "$push"
check "is narrower" not_allowed
hook PreToolUse "$elsewhere"
check "and only there" allowed
assent mode
check "is shown" head_is ai_auto
check "with its layers" says "project"
assent mode --json
check "as data" says '{"scope":"project","name":"mode","value":"ai_auto"}'

name="for a session"
assent mode auto --session s1
hook PreToolUse "$push"
check "is narrower still" allowed
assent mode ask --session s1 --turn
hook PreToolUse "$push"
check "its turn most of all" not_allowed
hook UserPromptSubmit "{\"session_id\":\"s1\",\"cwd\":\"$S/project\",\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"go on\"}"
hook PreToolUse "$push"
check "which ends with a message" allowed
assent mode --session s1
check "is shown" head_is auto_approve
assent mode --unset --session s1
hook PreToolUse "$push"
check "is taken back" not_allowed

name="tiers"
assent tier passive
check "is set" rc_is 0
assent tier
check "is shown" head_is passive
assent mode
check "clears no mode" head_is ai_auto
assent tier passive --project
check "not of a project" rc_is 2

name="what is no value"
assent mode yolo
check "is refused" rc_is 2
check "says what there is" says "auto_approve"
assent mode ask --session s1 --project
check "two scopes" rc_is 2
assent mode ask --turn
check "a turn without a session" rc_is 2
for body in '{}' '{"scope":"global","name":"mode","value":7}' '{"scope":"global","name":"mode","value":"yolo"}' '{"scope":"session","name":"mode","value":"ask"}' '{"scope":"planet","name":"mode","value":"ask"}'; do
	check "$body" [ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" -X POST --data-binary "$body" http://assent/v1/settings)" = 400 ]
done
assent mode
check "nothing of it holds" head_is ai_auto

name="after a restart"
assent daemon stop
assent mode
check "modes hold" head_is ai_auto
assent tier
check "tiers hold" head_is passive
assent audit export
check "all is in the audit" [ "$(grep -c '"kind":"setting"' "$T/said")" = 6 ]
check "with who and what" grep -q 'mode of project .*/project set to ai_auto.*"who":"uid' "$T/said"

name="who may set them"
: >"$S/config/assent.conf"
setsid "$bin/assent" mode full_access $places </dev/null >"$T/said" 2>"$T/err"
rc=$?
check "only a person" rc_is 1
check "is said" says "person"
assent tier
check "anybody may look" rc_is 0
finish
