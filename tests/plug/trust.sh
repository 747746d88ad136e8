#!/bin/bash
# A workspace's own rules allow only while they are the bytes that a person
# trusts.
. "$(dirname "$0")/lib.sh"

scene trust real
mkdir -p "$S/project/.assent" "$S/other/.assent"
conf=$S/project/.assent/rules.conf
deadline=1
push=${call/\/tmp/$S\/project}
push=${push/\"ls\"/\"git push origin main\"}
ls=${call/\/tmp/$S\/project}
: >"$T/out"
assent() {
	(cd "$S/project" && "$bin/assent" "$@" $places) >"$T/said" 2>"$T/err" </dev/null
	rc=$?
}
says() { grep -qF -- "$1" "$T/said" "$T/err"; }
not_allowed() { ! out_has '"permissionDecision":"allow"'; }

name="before"
printf 'allow shell "git push *"\ndeny shell "ls *"\n' >"$conf"
hook PreToolUse "$push"
check "it allows nothing" not_allowed
hook PreToolUse "$ls"
check "and is faulty, so nothing else passes" not_allowed

name="trusted"
assent trust
check "only after a question" rc_is 2
hook PreToolUse "$push"
check "which was not answered" not_allowed
assent trust --yes
check "is taken" rc_is 0
check "shows what the lines mean" says "git push"
hook PreToolUse "$push"
check "it allows" allowed
hook PreToolUse "$ls"
check "and still denies" refused
echo 'deny shell "git push *"' >>"$S/config/assent.conf"
hook PreToolUse "$push"
check "below the user's rules" refused
echo "set authority none" >"$S/config/assent.conf"
cp "$conf" "$S/other/.assent/rules.conf"
other=${push/project/other}
hook PreToolUse "${other/\"s1\"/\"s2\"}"
check "not in another project" not_allowed

name="changed"
echo 'allow shell "make *"' >>"$conf"
hook PreToolUse "$push"
check "it does not allow any more" not_allowed
hook PreToolUse "$ls"
check "nor do the old bytes open anything" not_allowed
printf 'deny shell "ls *"\n' >"$conf"
hook PreToolUse "$ls"
check "it may tighten" refused
printf 'allow shell "git push *"\ndeny shell "ls *"\n' >"$conf"
hook PreToolUse "$push"
check "the same bytes are trusted again" allowed
assent daemon stop
hook PreToolUse "$push"
check "also after a restart" allowed

name="revoked"
assent trust --revoke
check "is taken" rc_is 0
hook PreToolUse "$push"
check "it does not allow" not_allowed
assent audit export
check "all is in the audit" [ "$(grep -c 'trust of project .*/project set to ' "$T/said")" = 2 ]

name="a faulty file"
echo 'allow everything' >"$conf"
assent trust --yes
check "is not trusted" rc_is 1
echo 'set mode full_access' >"$conf"
assent trust --yes
check "nor are settings" rc_is 1
name="who may"
for body in '{}' '{"project":"/p"}' '{"project":"","text":"x"}' '{"project":"/p","text":7}' '[]' 'x'; do
	check "$body" [ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" -X POST --data-binary "$body" http://assent/v1/trust)" = 400 ]
done
check "not as a setting" [ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" -X POST --data-binary "{\"scope\":\"project\",\"key\":\"/p\",\"name\":\"trust\",\"value\":\"$(printf x | sha256sum | cut -c1-64)\"}" http://assent/v1/settings)" = 400 ]
printf 'allow shell "git push *"\n' >"$conf"
: >"$S/config/assent.conf"
(cd "$S/project" && setsid "$bin/assent" trust --yes $places) </dev/null >"$T/said" 2>"$T/err"
check "only a person" says "person"
hook PreToolUse "$push"
check "so nothing is allowed" not_allowed
finish
