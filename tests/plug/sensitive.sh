#!/bin/bash
# The project's list of what may hold secrets: it holds at once, in that project,
# and the rest of the file it stands in stays.
. "$(dirname "$0")/lib.sh"

scene sensitive real
mkdir -p "$S/project" "$S/other"
deadline=1
read_of() { # FOLDER FILE
	printf '{"session_id":"s-%s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Read","tool_use_id":"r","tool_input":{"file_path":"%s/%s"}}' "$1" "$S/$1" "$S/$1" "$2"
}
: >"$T/out"
assent() {
	(cd "$S/project" && "$bin/assent" "$@" $places) >"$T/said" 2>"$T/err" </dev/null
	rc=$?
}
says() { grep -qF -- "$1" "$T/said" "$T/err"; }
not_allowed() { ! out_has '"permissionDecision":"allow"'; }
file() { echo "$S"/config/projects/project-*.conf; }

name="before"
hook PreToolUse "$(read_of project Customer-Data.txt)"
check "is read" allowed
name="added"
assent sensitive add "  customer-data "
check "is taken" rc_is 0
hook PreToolUse "$(read_of project Customer-Data.txt)"
check "holds at once, whatever the case" not_allowed
hook PreToolUse "$(read_of project plain.txt)"
check "nothing else" allowed
hook PreToolUse "$(read_of other Customer-Data.txt)"
check "nowhere else" allowed
assent sensitive list
check "is listed, trimmed" grep -qx "customer-data" "$T/said"
assent sensitive add CUSTOMER-DATA
check "twice is once" [ "$(grep -c sensitive "$(file)")" = 1 ]

name="the rest of the file"
printf '# mine\nallow shell "make deploy *"\nsensitive payroll # theirs\n' >>"$(file)"
assent sensitive add "two words"
assent sensitive remove customer-data
check "is taken out" rc_is 0
check "stays" [ "$(cat "$(file)")" = "$(printf '# mine\nallow shell "make deploy *"\nsensitive payroll # theirs\nsensitive "two words"')" ]
hook PreToolUse "$(read_of project Customer-Data.txt)"
check "the marker does not hold" allowed
hook PreToolUse "$(read_of project "two words.txt")"
check "another does" not_allowed
assent sensitive list --json
check "as data" says '"markers":["payroll","two words"]'
assent sensitive remove PAYROLL
check "whatever the case" rc_is 0
assent sensitive remove payroll
check "not twice" rc_is 1

name="all of them at once"
post() { # BODY
	status=$(api -o "$T/said" -w '%{http_code}' -X POST --data-binary "$1" http://assent/v1/sensitive)
}
post "{\"project\":\"$S/project\",\"markers\":[\"  payroll \",\"\",\"   \",\"Two Words\",\"PAYROLL\"]}"
check "is taken" [ "$status" = 200 ]
assent sensitive list
check "trimmed, without blank ones, each once" [ "$(tr '\n' ,  <"$T/said")" = "two words,payroll," ]
hook PreToolUse "$(read_of project Payroll.csv)"
check "holds at once" not_allowed
post "{\"project\":\"$S/project\",\"markers\":[\"two words\"]}"
hook PreToolUse "$(read_of project Payroll.csv)"
check "what is not named any more does not" allowed
check "the rest of the file stays" grep -q '^allow shell "make deploy \*"' "$(file)"
for bad in '7' '[7]' '["a\"b"]' '["ok","a\nallow shell"]'; do
	post "{\"project\":\"$S/project\",\"markers\":$bad}"
	check "$bad is no list" [ "$status" = 400 ]
done
assent sensitive list
check "nothing came of it" [ "$(cat "$T/said")" = "two words" ]

name="what is no marker"
for marker in "" "   " 'a"b' 'a\b' "$(printf 'a\nallow shell "x"')"; do
	assent sensitive add "$marker"
	check "'$marker'" rc_is 1
done
check "nothing came of it" [ "$(grep -c . "$(file)")" = 3 ]
echo 'allow everything' >>"$(file)"
assent sensitive add more
check "a faulty file is left alone" rc_is 1
check "and the fault is said" says "line 4"
check "as it was" [ "$(tail -1 "$(file)")" = "allow everything" ]

name="who may"
: >"$S/config/assent.conf"
(cd "$S/project" && setsid "$bin/assent" sensitive remove "two words" $places) </dev/null >"$T/said" 2>"$T/err"
check "only a person" says "person"
finish
