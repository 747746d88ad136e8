#!/bin/bash
# People's commands against a daemon that sends what it likes: exit codes, plain
# words, and nothing of it reaches the terminal as a control character.
. "$(dirname "$0")/lib.sh"

scene people fake
fake allow
mkdir -p "$state/answers"
reply() { # METHOD_PATH STATUS BODY
	printf '%s\n%s' "$2" "$3" >"$state/answers/$1"
}
assent() {
	"$bin/assent" "$@" $places >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}
# Only printable text and line feeds; no C1, bidi or zero-width characters.
clean() {
	! cat "$T/out" "$T/err" | LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf'
}
evil='\u001b[31mred\u001b]0;title\u0007\r\u0008\u007f\u0085\u009b2J\u202e\u200b\u2066\ufeff\t end'
row="{\"number\":7,\"time_ms\":1796124059626,\"kind\":\"decision\",\"verdict\":\"deny\",\"by\":\"floor\",\"tool_name\":\"$evil\",\"card\":\"$evil\",\"reason\":\"$evil\",\"session\":\"$evil\",\"who\":\"$evil\",\"ancestry\":\"$evil\",\"odd\":[\"$evil\"]}"
card="{\"id\":\"12-a1b2c3d4\",\"number\":12,\"session\":\"$evil\",\"agent\":\"$evil\",\"role\":\"$evil\",\"tool\":\"shell\",\"tool_name\":\"$evil\",\"title\":\"$evil\",\"text\":\"$evil\\nline $evil\",\"description\":\"$evil\",\"cwd\":\"$evil\",\"reason\":\"$evil\",\"by\":\"judge\",\"person_only\":true,\"replies\":[\"once\",\"reject\"],\"created\":1,\"expires\":2,\"held\":true}"
ended="${card%\}},\"state\":\"$evil\",\"ended\":5,\"who\":\"$evil\",\"feedback\":\"$evil\",\"reply\":\"$evil\"}"
error="{\"error\":{\"code\":\"x\",\"message\":\"$evil\"}}"

reply GET__healthz 200 "{\"status\":\"ok\",\"version\":\"$evil\",\"pid\":1,\"store\":\"$evil\",\"recording\":false}"
reply GET__v1_status 200 "{\"version\":\"$evil\",\"pid\":1,\"since\":5,\"store\":\"$evil\",\"recording\":false,\"cards\":2,\"held\":1,\"mode\":\"$evil\",\"tier\":\"$evil\",\"authority\":\"$evil\",\"judge\":\"$evil\",\"places\":{\"config\":\"$evil\",\"state\":\"$evil\",\"socket\":\"$evil\"},\"rules\":[{\"path\":\"$evil\",\"layer\":\"$evil\",\"there\":true},{\"path\":\"$evil\",\"layer\":\"user\",\"there\":true,\"fault\":\"$evil\"}],\"quarantined\":[\"$evil\"]}"
reply GET__v1_cards 200 "{\"revision\":3,\"cards\":[$card]}"
reply GET__v1_cards_13 200 "${ended//12/13}"
reply GET__v1_cards_14 404 "$error"
reply POST__v1_cards_12-a1b2c3d4_reply 409 "$error"
reply "GET__v1_audit?limit=50&after=0&newest=true" 200 "{\"rows\":[$row]}"
reply GET__v1_audit_7 200 "$row"
reply GET__v1_audit_8 503 "$error"
reply GET__v1_audit_verify 200 "{\"result\":\"consistent\",\"rows\":3,\"head\":\"$evil\",\"message\":\"$evil\"}"
reply "GET__v1_audit_verify?head=bad" 200 '{"result":"broken","rows":3,"head":"h","at":2,"message":"row 2 was changed"}'
reply "GET__v1_audit_verify?head=cut" 200 '{"result":"power_cut_tail","rows":3,"head":"h","message":"a power cut"}'
reply "GET__v1_audit_verify?head=new" 200 '{"result":"something new","rows":3}'
reply "GET__v1_audit_export?limit=5000&after=0" 200 "$row
{\"number\":9}
"
reply "GET__v1_audit_export?limit=5000&after=9" 200 ""
reply POST__v1_daemon_stop 403 "$error"

shows() { # EXIT WORDS COMMAND...
	local code=$1 words=$2
	shift 2
	name="assent $*"
	assent "$@"
	check "exit $code" rc_is "$code"
	check "says: $words" any_has "$words"
	check "is clean" clean
}
shows 0 "does not run" daemon stop
shows 3 "does not run" daemon status
shows 3 "does not run" status
shows 0 "was started" daemon start
shows 0 "runs already" daemon start
shows 0 "cannot record" daemon status
shows 0 "cannot record" status
shows 0 "12-a1b2c3d4" cards
shows 0 "12-a1b2c3d4" cards 12
shows 0 "12-a1b2c3d4" cards 12-a1b2c3d4
shows 0 "13-a1b2c3d4" cards 13
shows 1 "red" cards 14
shows 1 "the fake daemon says no" cards 99
shows 1 "red" approve 12 --yes
shows 1 "red" reject 12 --yes --note x
shows 1 "no longer open" approve 13 --yes
shows 1 "only once at a time" approve 12 --yes --always
shows 2 "no terminal" approve 12
shows 2 "something is missing" approve
shows 0 "floor" audit list
shows 0 "floor" audit show 7
shows 1 "red" audit show 8
shows 2 "number of a row" audit show x
shows 0 "3 rows" audit verify
shows 1 "row 2 was changed" audit verify --head bad
shows 3 "a power cut" audit verify --head cut
shows 1 "not known" audit verify --head new
shows 0 '"number":9' audit export
shows 1 "red" daemon stop
shows 2 "from 1 to" audit list --limit 0
shows 2 "30m, 2h or 3d" audit list --since yesterday
name="--json is what the daemon sent"
assent cards --json
check "as it came" [ "$(cat "$T/out")" = "{\"revision\":3,\"cards\":[$card]}" ]
name="a note"
reply POST__v1_cards_12-a1b2c3d4_reply 200 '{"result":"done"}'
"$bin/assent" approve 12 --yes --note "$(printf 'two\nlines \033[31m "quoted"')" $places >"$T/out" 2>"$T/err"
rc=$?
check "is sent" grep -q '"feedback":"two' "$state/request"
check "without escapes" sh -c "! grep -q 'u001b' '$state/request'"
check "approved" out_has approved
"$bin/assent" approve 12 --yes --note "$(printf 'x%.0s' $(seq 4001))" $places >"$T/out" 2>"$T/err"
rc=$?
check "one that is too long is refused" rc_is 2
assent approve 12 --yes --note "   "
check "a blank one is none" grep -qx '{"reply":"once"}' "$state/request"

# --- a daemon that answers nonsense
for lie in "not json" "[]" "7" "null" "{}" '{"cards":7}' '{"cards":[7]}' '{"cards":[{}]}' '{"cards":[{"id":7}]}'; do
	reply GET__v1_cards 200 "$lie"
	name="cards: $lie"
	assent cards
	check "no crash" [ "$rc" -lt 3 ]
	assent approve 12 --yes
	check "nothing is approved" [ "$rc" = 1 ]
done
for mode in cut-accept cut-request cut-read early-413; do
	fake "$mode"
	name="people's commands: $mode"
	for command in status "daemon status" cards "audit list" "audit verify" "audit export" "approve 1 --yes"; do
		assent $command
		check "$command fails" rc_is 1
		check "$command says why" [ -s "$T/err" ]
	done
done

name="a daemon of an older release"
fake allow
reply GET__healthz 200 '{"status":"ok","version":"0.0.9","pid":1,"store":"ok","recording":true}'
reply GET__v1_status 200 '{"cards":1}'
reply POST__v1_daemon_stop 202 '{}'
rm -f "$state/asked"
assent daemon start
check "stays while a card is open" sh -c "! grep -q stop '$state/asked'"
reply GET__v1_status 200 '{"cards":0}'
soon_gone() { soon test -s "$state/asked" && soon grep -q stop "$state/asked" && kill -9 $(daemons) 2>/dev/null; }
soon_gone &
assent daemon start
check "is asked to stop when none is" grep -q stop "$state/asked"
for v in 0.1.0 0.1.1 0.2 1.0.0 10.0 garbage; do
	reply GET__healthz 200 "{\"version\":\"$v\",\"pid\":1,\"recording\":true}"
	rm -f "$state/asked"
	[ "$v" != garbage ] || soon_gone &
	assent daemon start
	if [ "$v" = garbage ]; then continue; fi
	check "$v is not older" sh -c "! grep -q stop '$state/asked'"
done

name="a daemon that ends at once"
end_daemons
fake die
for command in "daemon start" cards "approve 1 --yes" "audit verify"; do
	assent $command
	check "$command fails" rc_is 1
	check "$command passes its words on" err_has "the fake daemon does not want to"
done

finish
