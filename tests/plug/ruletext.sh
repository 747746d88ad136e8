#!/bin/bash
# Rules files through the API and people's commands: shown with a revision, saved
# whole, faultless and over what was seen, or not at all.
. "$(dirname "$0")/lib.sh"

scene ruletext real
mkdir -p "$S/project/.git" "$S/project/.assent" "$S/other/.git"
ref=$S/project
conf=$S/config/assent.conf
deadline=2
: >"$T/err"
: >"$T/out"
call() { # COMMAND [FOLDER]
	printf '{"session_id":"s-%s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"%s"}}' "$(basename "${2-$ref}")" "${2-$ref}" "$1"
}
assent() {
	(cd "$ref" && "$bin/assent" "$@" $places) >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}
get() { api "http://assent/v1/rules?$1" >"$T/out"; rc=0; }
revision() { grep -o '"revision":"[0-9a-f]*"' "$T/out" | cut -d'"' -f4; }
save() { # BODY
	status=$(api -o "$T/out" -w '%{http_code}' -X POST --data-binary "$1" http://assent/v1/rules)
}

name="shown"
hook PreToolUse "$(call ls)"
get layer=user
check "the text" out_has '"text":"set authority none\n"'
check "is there" out_has '"there":true'
check "no fault" out_has '"faults":[]'
first=$(revision)
check "a revision" [ "${#first}" = 64 ]
get "layer=project&project=$ref"
check "one that is not there" out_has '"there":false'
check "has a revision, too" [ "$(revision)" != "$first" ]
echo 'deny shell "make *"' >"$ref/.assent/rules.conf"
get "layer=workspace&project=$ref"
check "the workspace's" out_has 'deny shell'
get layer=enforced
check "the administrator's" out_has '"layer":"enforced"'
get layer=builtin
check "no other" out_has bad_layer
get "layer=project&project=/"
check "nor of no project" out_has bad_layer

name="saved"
save "{\"layer\":\"user\",\"revision\":\"$first\",\"text\":\"set authority none\\ndeny shell \\\"ls\\\"\\n\"}"
check "200" [ "$status" = 200 ]
check "is on the disk" [ "$(sed -n 2p "$conf")" = 'deny shell "ls"' ]
check "with nothing beside it" [ "$(ls "$S/config")" = "assent.conf" ]
hook PreToolUse "$(call ls)"
check "holds at once" refused
check "is cited" any_has "assent.conf:2"
save "{\"layer\":\"user\",\"revision\":\"$first\",\"text\":\"set authority none\\n\"}"
check "a stale one is refused" [ "$status" = 409 ]
check "says so" out_has stale_revision
get layer=user
second=$(revision)
save "{\"layer\":\"user\",\"revision\":\"$second\",\"text\":\"set authority none\\nallow shel \\\"x\\\"\\n\"}"
check "a faulty one is refused" [ "$status" = 400 ]
check "with line and column" out_has '"line":2,"column":7'
check "and what to do" out_has '"suggestion":'
get layer=user
check "the file is as it was" [ "$(revision)" = "$second" ]
for body in '{}' '{"layer":"user","text":"x"}' '{"layer":"user","revision":"x"}' '{"layer":"user","revision":"x","text":7}' '[]'; do
	save "$body"
	check "no rules: $body" [ "$status" = 400 ]
done
save "{\"layer\":\"enforced\",\"revision\":\"$first\",\"text\":\"\"}"
check "the administrator's is not saved here" [ "$status" = 403 ]
save "{\"layer\":\"workspace\",\"project\":\"$ref\",\"revision\":\"$first\",\"text\":\"\"}"
check "nor the workspace's" [ "$status" = 403 ]
rm -f "$ref/.assent/rules.conf"
assent audit export
check "is in the audit" any_has "rules saved: $conf"
mv "$conf" "$S/dotfile"
ln -s "$S/dotfile" "$conf"
get layer=user
save "{\"layer\":\"user\",\"revision\":\"$(revision)\",\"text\":\"set authority none\\n\"}"
check "a link stays one" [ -L "$conf" ]
check "what it names is written" [ "$(cat "$S/dotfile")" = "set authority none" ]

name="by people"
assent rules show --project
check "is shown" out_has "(not there)"
r=$(grep -o 'revision [0-9a-f]*' "$T/out" | cut -d' ' -f2)
echo 'deny shell "whoami"' >"$T/new"
assent rules save --project "$T/new"
check "without a revision nothing is saved" rc_is 2
assent rules save --project --revision "$r" "$T/new"
check "is saved" rc_is 0
hook PreToolUse "$(call whoami)"
check "holds there" refused
hook PreToolUse "$(call whoami "$S/other")"
check "not elsewhere" allowed
assent rules save --project --revision "$r" "$T/new"
check "a stale one is refused" rc_is 1
check "says so" err_has "somebody else"
assent rules test whoami
check "which line decides" rc_is 4
check "is said" out_has ".conf:1"
check "with its words" out_has 'deny shell "whoami"'
printf '#!/bin/sh\necho "deny shel \\"id\\"" >>"$1"\n' >"$S/editor"
chmod +x "$S/editor"
EDITOR=$S/editor assent rules edit --project
check "an edit with a fault is not saved" rc_is 1
check "says where" err_has "line 2, column"
printf '#!/bin/sh\necho "deny shell \\"id\\"" >>"$2"\n' >"$S/editor"
EDITOR="$S/editor -x" assent rules edit --project
check "another is" rc_is 0
hook PreToolUse "$(call id)"
check "and holds" refused
EDITOR=true assent rules edit --project
check "no change" out_has "nothing was changed"
EDITOR=false assent rules edit --project
check "an editor that fails" rc_is 1

name="a faulty file"
echo 'deny everything' >"$conf"
hook PreToolUse "$(call whoami)"
assent rules show
check "is shown with its faults" err_has "line 1"
assent status
check "status says so" any_has "assent.conf:1"
assent doctor
check "doctor says so" any_has "assent.conf:1"

name="who may save"
: >"$conf"
setsid "$bin/assent" rules save --revision "$first" "$T/new" $places </dev/null >"$T/out" 2>"$T/err"
rc=$?
check "only a person" err_has "person"
check "nothing was saved" [ ! -s "$conf" ]
finish
