#!/bin/bash
# Rules files while the daemon runs: read when they change, never half, never
# open because they are wrong.
. "$(dirname "$0")/lib.sh"

scene rules real
mkdir -p "$S/project/.assent" "$S/other"
here=${call/\/tmp/$S\/project}
there=${here/project/other}
there=${there/\"s1\"/\"s2\"}
conf=$S/config/assent.conf
deadline=2
: >"$T/out"
asks_or_refuses() { [ "$(grep -c '"permissionDecision":"allow"' "$T/out")" = 0 ]; }
status() { curl -s --unix-socket "$sock" http://assent/v1/status >"$T/status"; }

name="wrong from the start"
printf 'set authority none\nallow everything\n' >"$conf"
hook PreToolUse "$here"
check "allows nothing" asks_or_refuses
check "says which line" out_has "assent.conf:2:"
status
check "shows it" grep -q '"fault":"[^"]*assent.conf:2:' "$T/status"
check "proves nobody a person" grep -q '"authority":"tty"' "$T/status"
hook PreToolUse "${here/\"ls\"/\"rm -rf /\"}"
check "still refuses what is refused" refused

name="put right"
echo 'set authority none' >"$conf"
hook PreToolUse "$here"
check "holds at once" allowed
status
check "shows no fault" [ "$(grep -c '"fault"' "$T/status")" = 0 ]

name="a new rule"
printf 'set authority none\ndeny shell "ls"\n' >"$conf"
hook PreToolUse "$here"
check "holds at once" refused
check "is cited" out_has "assent.conf:2"

name="wrong later"
printf 'set authority none\ndeny shell ls ls ls"\nallow shell "*"' >"$conf"
hook PreToolUse "$here"
check "the last good rules stay" refused
status
check "shows it" grep -q '"fault":"[^"]*assent.conf:' "$T/status"
rm -f "$conf"
hook PreToolUse "$here"
check "without the file there are no rules" allowed
echo 'set authority none' >"$conf"

name="a folder in its place"
rm -f "$conf"
mkdir "$conf"
hook PreToolUse "$here"
check "changes nothing" allowed
status
check "shows it" grep -q '"fault":"' "$T/status"
rmdir "$conf"
echo 'set authority none' >"$conf"

name="a file that others may write"
chmod 666 "$conf"
echo 'allow shell "git push *"' >>"$conf"
hook PreToolUse "${here/\"ls\"/\"git push origin main\"}"
check "is not believed" asks_or_refuses
chmod 600 "$conf"
echo 'set authority none' >"$conf"

name="the workspace's file"
echo 'deny shell "ls"' >"$S/project/.assent/rules.conf"
hook PreToolUse "$here"
check "tightens" refused
hook PreToolUse "$there"
check "not elsewhere" allowed
echo 'ask shell "git log *"' >"$S/project/.assent/rules.conf"
hook PreToolUse "$here"
check "is read again" allowed
echo 'allow shell "git push *"' >"$S/project/.assent/rules.conf"
hook PreToolUse "${here/\"ls\"/\"git push origin main\"}"
check "cannot loosen" asks_or_refuses
ln -sf /dev/zero "$S/project/.assent/rules.conf"
hook PreToolUse "$here"
check "that is a device stops nothing" [ "$rc" = 0 ]

name="where a session began"
hook PreToolUse "{\"session_id\":\"s3\",\"cwd\":\"$S/other\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"w1\",\"tool_input\":{\"file_path\":\"$S/other/a.txt\",\"content\":\"x\"}}"
check "may be written" allowed
hook PreToolUse "{\"session_id\":\"s3\",\"cwd\":\"$S/project\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"w2\",\"tool_input\":{\"file_path\":\"$S/project/a.txt\",\"content\":\"x\"}}"
check "another folder, later, may not" asks_or_refuses
kill -9 "$(sed 's/.*"pid":\([0-9]*\).*/\1/' "$T/status")"
hook PreToolUse "{\"session_id\":\"s3\",\"cwd\":\"$S/project\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"w3\",\"tool_input\":{\"file_path\":\"$S/project/a.txt\",\"content\":\"x\"}}"
check "nor after the daemon was killed" asks_or_refuses
finish
