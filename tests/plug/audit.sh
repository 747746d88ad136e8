#!/bin/bash
# The audit as people see it: found by who, what and when; the call's words, and
# never a secret of them, neither there nor anywhere in the store.
. "$(dirname "$0")/lib.sh"

: >"$T/out"
: >"$T/err"
assent() {
	"$bin/assent" "$@" $places >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}
run() { # COMMAND [SESSION]
	hook PreToolUse "{\"session_id\":\"${2:-s1}\",\"cwd\":\"$S/project\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t$RANDOM\",\"tool_input\":{\"command\":$(jq -n --arg c "$1" '$c')}}"
}
rows() { # OPTIONS...: how many
	assent audit list --json --limit 500 "$@"
	jq '.rows | length' <"$T/out"
}
finds() { # N OPTIONS...
	local n=$1
	shift
	[ "$(rows "$@")" = "$n" ]
}
row() { assent audit list --json "$@"; jq -c ".rows[0] | $filter" <"$T/out"; }

scene found real
mkdir "$S/project" "$S/other"
printf 'set authority none\nset audit.heads %s/kept\ndeny shell "wget *"\n' "$S" >"$S/config/assent.conf"
deadline=1
run "git status"
run "rm -rf /"
run "wget https://a.example/x" s2
run "curl https://a.example/y" s2
name="filters"
check "session" finds 3 --session s2
check "verdict" finds 2 --verdict deny
check "decider" finds 1 --by floor
check "a rule" finds 1 --by rule
check "kind of row" finds 1 --kind card
check "tool, by its name" finds 5 --tool Bash
check "tool, by its kind" finds 5 --tool shell
check "another tool" finds 0 --tool fetch
check "project" finds 5 --project "$S/project"
check "another project" finds 0 --project "$S/other"
check "both" finds 1 --session s2 --by rule
check "the last hour" finds 6 --since 1h
check "before it" finds 0 --until 1h
check "a date" finds 6 --since 2020-01-01 --until "2100-01-01 10:30"
here() { (cd "$S/project" && assent audit list --json --project . && [ "$(jq '.rows | length' <"$T/out")" = 5 ]); }
check "the project one is in" here
name="what is no filter"
for words in "--by nobody" "--verdict yes" "--kind x" "--since tomorrow" "--until 2020-13-45"; do
	assent audit list $words
	check "$words" [ "$rc" != 0 ]
	check "$words says why" [ -s "$T/err" ]
done
name="a row"
filter='[.call | fromjson | .input.command, .cwd]'
check "has the call" [ "$(row --by floor)" = "[\"rm -rf /\",\"$S/project\"]" ]
filter='[.project, .rule, .reason]'
check "and the rule's line" [ "$(row --by rule)" = "[\"$S/project\",\"assent.conf:3\",\"assent.conf:3 says deny: wget https://a.example/x\"]" ]
filter='.input_digest'
check "and the digest of the bytes" [ "$(row --by floor)" = "\"$(printf '{"command":"rm -rf /"}' | sha256sum | cut -d' ' -f1)\"" ]
name="for people"
assent audit list --by floor
check "the call and why" out_has "rm -rf /  (it deletes the root of the file system: /)"
assent audit list --kind card --json
assent audit show "$(jq '.rows[0].number + 1' <"$T/out")"
check "a row without the call shows it all the same" out_has "curl https://a.example/y"

name="heads"
printf '{"scope":"global","name":"mode","value":"ask"}' >"$T/set"
api -o "$T/reply" --data-binary "@$T/set" http://assent/v1/settings
check "after what a person said" soon grep -q " reply$" "$S/kept"
assent audit verify --head "$(tail -n 1 "$S/kept" | cut -d' ' -f1)"
check "unaltered since" out_has "unaltered since"

# --- secrets: each of these must be nowhere in the state folder
scene secrets real
mkdir "$S/project"
deadline=1
secrets="hunter2zz s3cr3tvalue99 tokenvalue0123456789 swordfishzz c00kievalue77"
commands='curl -u bob:hunter2zz https://a.example
curl -H "Authorization: Bearer tokenvalue0123456789" https://a.example
curl https://bob:swordfishzz@a.example/
API_KEY=s3cr3tvalue99 ./deploy
curl -d "{\"password\": \"swordfishzz\"}" https://a.example
curl -b "sid=c00kievalue77" https://a.example
PASSWORD="hunter2zz two" frobnicate
mysql --password=swordfishzz db'
while IFS= read -r command; do
	run "$command"
done <<<"$commands"
name="secrets"
check "all calls are there" [ "$(rows --tool Bash --json | head -n 1)" -ge 8 ]
check "most with their words" [ "$(jq '[.rows[] | select(.redacted)] | length' <"$T/out")" -ge 6 ]
check "one without" [ "$(jq '[.rows[] | select(.omitted)] | length' <"$T/out")" = 1 ]
for s in $secrets; do
	check "$s: not in a row" [ "$(grep -c "$s" "$T/out")" = 0 ]
done
check "no card is open" has_cards 0
pid=$(pid_of)
api -o "$T/reply" --data-binary '{}' http://assent/v1/daemon/stop
gone() { ! kill -0 "$pid" 2>/dev/null; }
check "the daemon stops" soon gone
for s in $secrets; do
	check "$s: nowhere on the disk" sh -c "! grep -rqa '$s' '$state'"
done
assent audit verify
check "the proof holds" rc_is 0
finish
