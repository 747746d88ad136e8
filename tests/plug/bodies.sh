#!/bin/bash
# What an agent may send: whatever it is, nothing is allowed that cannot be read,
# and the message says what was wrong.
. "$(dirname "$0")/lib.sh"

scene bodies real
# what is asked waits as long as this; what is refused does not wait
printf 'set authority none\nset hold.seconds 1\n' >"$S/config/assent.conf"
sent() { curl -s -o "$T/out" -w '%{http_code}' --unix-socket "$sock" "$@" http://assent/v1/hearings; }
code() { # WANTED ARGUMENTS...
	local want=$1
	shift
	rc=$(sent "$@")
	[ "$rc" = "$want" ]
}
key=0123456789abcdef0123456789abcdef
line="{\"v\":1,\"agent\":\"claude-code\",\"event\":\"PreToolUse\",\"key\":\"$key\",\"left_ms\":5000,\"cwd\":\"/tmp\",\"world\":{\"roots\":[]},\"round\":1}"
: >"$T/err"

unsure() { # NAME INPUT: read, but not as it should be; a person may look at it
	name=$1
	hook PreToolUse "$2"
	check "is asked or refused" [ "$(grep -c '"permissionDecision":"allow"' "$T/out")" = 0 ]
	check "says so" out_has "malformed"
}

# --- through the hook, as an agent sends it
refuses "an empty body" "empty" ""
refuses "blanks" "empty" "   "
refuses "a cut call" "JSON" "${call%\}\}}"
refuses "no JSON" "JSON" "hello"
refuses "a number" "" "42"
refuses "a list" "" "[$call]"
refuses "null" "" "null"
refuses "two calls" "JSON" "$call$call"
refuses "something behind it" "JSON" "$call x"
refuses "a duplicate key" "duplicate" "${call%\}},\"tool_name\":\"Read\"}"
refuses "a duplicate key in the input" "duplicate" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}}'
refuses "a NUL in a text" "JSON" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls\u0000"}}'
refuses "a lone surrogate" "JSON" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"\ud800"}}'
refuses "bytes that are no UTF-8" "JSON" "$(printf '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"\xff\xfe"}}')"
refuses "a number too large" "" '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","timeout":9223372036854775808}}'
refuses "a name that is a number" "" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":7,"tool_input":{"command":"ls"}}'
refuses "no name" "" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}'
refuses "another event than registered" "" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionEnd","tool_name":"Bash","tool_input":{"command":"ls"}}'
unsure "an input that is a text" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}'
unsure "no input" '{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash"}'
refuses "too deep" "levels" "{\"tool_input\":$(printf '[%.0s' $(seq 70))"

refuses "a byte order mark" "byte order mark" "$(printf '\xef\xbb\xbf')$call"

name="an unknown event"
printf '%s' "${call/PreToolUse/BeforeEverything}" | "$bin/assent" hook claude-code BeforeEverything $places --deadline 4 >"$T/out" 2>"$T/err"
rc=$?
check "is refused" refused

pid=$(curl -s --unix-socket "$sock" http://assent/healthz | sed 's/.*"pid":\([0-9]*\).*/\1/')
large() { # NAME WORDS COMMAND...: what the command writes, through the hook
	name=$1
	local words=$2
	shift 2
	"$@" | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
	rc=$?
	check "is asked or refused" [ "$(grep -c '"permissionDecision":"allow"' "$T/out")" = 0 ]
	check "is answered" [ -s "$T/out" -o "$rc" = 2 ]
	check "says: $words" clear "$words"
}
objects() { printf '['; head -c 16000000 /dev/zero | tr '\0' 'x' | sed 's/xxx/{},/g'; }
large "16 MB of {}," "tokens" objects
text() { printf '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"'; head -c 15000000 /dev/zero | tr '\0' "$1"; printf '"}}'; }
large "15 MB of text" "" text x
large "15 MB of brackets in a text" "" text '('
name="the daemon after that"
check "lives" curl -sf -o "$T/out" --unix-socket "$sock" http://assent/healthz
check "is the same" [ "$(curl -s --unix-socket "$sock" http://assent/healthz | sed 's/.*"pid":\([0-9]*\).*/\1/')" = "$pid" ]

# --- somebody takes all the room
name="a crowd of large bodies"
mkfifo "$T/go"
"$build/plug/crowd" "$sock" 12 15000000 <"$T/go" >"$T/crowd" &
crowd=$!
exec 9>"$T/go"
for n in $(seq 500); do
	[ -s "$T/crowd" ] && break
	read -rt 0.02 <> <(:) || :
done
check "is there" [ -s "$T/crowd" ]
hook PreToolUse
check "does not keep an ordinary call out" [ "$rc" = 0 ]
check "which is answered" [ -s "$T/out" ]
large "and keeps large ones out" "too many bytes" text x
exec 9>&-
wait "$crowd"
large "but not for long" "" text x
check "for another reason" [ "$(grep -c 'too many bytes' "$T/out")" = 0 ]

# --- what only another program than ours would send
name="an envelope"
check "without a line feed" code 400 -X POST --data-binary "$line"
check "that is empty" code 400 -X POST --data-binary $'\n'"$call"
check "that is no JSON" code 400 -X POST --data-binary "nonsense"$'\n'"$call"
check "of another version" code 400 -X POST --data-binary "${line/\"v\":1/\"v\":2}"$'\n'"$call"
check "says which" out_has "versions"
check "without a key" code 400 -X POST --data-binary "${line/$key/}"$'\n'"$call"
check "with a wrong key" code 400 -X POST --data-binary "${line/$key/${key^^}}"$'\n'"$call"
check "without time" code 400 -X POST --data-binary "${line/5000/-1}"$'\n'"$call"
check "of an unknown agent" code 400 -X POST --data-binary "${line/claude-code/nobody}"$'\n'"$call"
check "with a relative folder" code 400 -X POST --data-binary "${line/\/tmp/tmp}"$'\n'"$call"
check "with two keys" code 400 -X POST --data-binary "${line%\}},\"key\":\"$key\"}"$'\n'"$call"
name="a request"
check "with another method" code 405 -X PUT --data-binary x
check "that is too large is refused before it is sent" code 413 -X POST -H "Content-Length: 99999999" -H "Expect: 100-continue" --max-time 5 --data-binary x
long=$(head -c 30000 /dev/zero | tr '\0' x)
check "with a long head" [ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" "http://assent/$long")" -ge 400 ]
name="nonsense instead of HTTP"
{
	printf 'hello\r\n\r\n'
	sleep 3
} | timeout 2 nc -U "$sock" >"$T/out" 2>"$T/err"
rc=$?
check "is cut off" [ "$rc" = 0 ]
check "is no success" [ "$(grep -c '200 OK' "$T/out")" = 0 ]
check "leaves the daemon alive" curl -sf -o "$T/out" --unix-socket "$sock" http://assent/healthz

# --- in none of them was anything allowed
name="the audit"
"$bin/assent" audit export $places >"$T/out" 2>"$T/err" || curl -s --unix-socket "$sock" http://assent/v1/audit/export >"$T/out"
check "has the refusals" [ "$(grep -c '"verdict":"deny"' "$T/out")" -ge 20 ]
check "has no allow" [ "$(grep -c '"verdict":"allow"' "$T/out")" -le 1 ]
# --- what is kept: the call without its secrets
name="over 16 MiB"
{ printf '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"' && head -c 17000000 /dev/zero | tr '\0' x && printf '"}}'; } >"$T/huge"
"$bin/assent" hook claude-code PreToolUse $places --deadline 20 <"$T/huge" >"$T/out" 2>"$T/err"
rc=$?
check "is refused" refused
check "says its size" any_has "has 1700"
rm -f "$T/huge"
curl -s --unix-socket "$sock" "http://assent/v1/audit?by=failure&newest=true&limit=1" >"$T/out"
check "is on record" out_has "too large, 1700"
name="the record"
bash_call() { printf '{"session_id":"kept","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"}}' "$1"; }
hook PreToolUse "$(bash_call 'make canary')"
hook PreToolUse "$(bash_call 'curl -u user:hush-hush-1234 -H \"Authorization: Bearer hushhushhush12345678\" https://canary.example/?token=hushhushhush12345678')"
curl -s --unix-socket "$sock" http://assent/v1/audit/export >"$T/out"
check "holds the calls" grep -q '"session":"kept"' "$T/out"
check "with their words" grep -q 'make canary' "$T/out"
check "without their secrets" sh -c "! grep -qi hush '$T/out'"

finish
