#!/bin/bash
# docs/openapi.yaml against a running daemon: what is there and not documented,
# and what is documented and never there, fails.
. "$(dirname "$0")/lib.sh"

: >"$T/out"
: >"$T/err"
log=$T/log
n=0
# Asks, and notes what was sent and what came: METHOD ROUTE PATH [BODY]
ask() {
	local method=$1 route=$2 path=$3 status name
	n=$((n + 1))
	for name in $(grep -oE '[?&][^=]+' <<<"$path" | tr -d '?&'); do
		echo "query $method $route $name" >>"$log"
	done
	if [ $# -gt 3 ]; then
		printf '%s' "$4" >"$T/sent.$n"
		echo "sent $method $route $T/sent.$n" >>"$log"
		status=$(api -X "$method" -o "$T/got.$n" -w '%{http_code}' --data-binary "@$T/sent.$n" "http://assent$path")
	else
		status=$(api -X "$method" -o "$T/got.$n" -w '%{http_code}' "http://assent$path")
	fi
	echo "answer $method $route $status $T/got.$n" >>"$log"
	got=$T/got.$n
}
# What is sent on purpose in a wrong form is not held against the document.
wrong() {
	ask "$@"
	sed -i "\\#^sent .* $T/sent.$n\$#d" "$log"
}
get() { ask GET "$1" "${2-$1}"; }
post() { ask POST "$1" "$2" "$3"; }
shell() { # ID COMMAND [MORE MEMBERS]: a call, as Claude Code words it
	printf '{"session_id":"s1","prompt_id":"p1","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"%s","tool_input":{"command":"%s","description":"does it"}%s}' "$S/project" "$1" "$2" "${3-}"
}
held=
hold() { # ID COMMAND [SECONDS [MORE MEMBERS]]: waits in the background
	shell "$1" "$2" "${4-}" | "$bin/assent" hook claude-code PreToolUse $places --deadline "${3:-30}" >"$T/answer.$1" 2>"$T/err" &
	held=$!
	soon has_card "$2"
}
has_card() { [ -n "$(id_of "$1")" ]; }
id_of() { api http://assent/v1/cards | jq -r --arg c "$1"$'\n' '.cards[] | select(.text == $c) | .id'; }
settle() { wait $held; }
reply() { post "/v1/cards/{}/reply" "/v1/cards/$1/reply" "$2"; } # ID BODY
envelope() { # KEY ROUND WORLD: with all that there may be
	printf '{"v":1,"client":"0.1.0","agent":"claude-code","event":"PreToolUse","key":"%s","left_ms":9000,"cwd":"%s","parents":[{"pid":1,"start":1,"exe":"/bin/x","args":["x"]}],"mntns":"mnt:[1]","dialect":"bash","env":{"PATH":"/bin"},"installed":false,"round":%s,"conversation":[{"role":"user","text":"do it","time":1}]%s}\n' "$1" "$S/project" "$2" "$3"
}

# --- what its source has
sed -n 's/^\t{"\(GET\|POST\)", *"\([^"]*\)".*/route \1 \2/p' "$top/src/daemon/routes.c" >"$log"
{
	cat "$top"/src/daemon/*.c | tr '\n\t' '  ' | grep -oP 'daemon_request_fail\([^;]*;' | grep -oP '(?<!\\)"[a-z_]{3,}"(?=[, ])' | tr -d '"'
	sed -n '/define DECIDE_REPLIES/,/^$/s/.*, "\([a-z_]*\)").*/\1/p' "$top/src/decide/decide.h" | grep -vx done
	cat "$top"/src/daemon/*.c | grep -oP '\\"code\\":\\"\K[a-z_]+'
} | sort -u | sed 's/^/code /' >>"$log"

# --- a client, and one that listens
scene client fake
fake need
echo '{"links":["/tmp"],"git":["/tmp"],"programs":["ls"],"files":[],"names":["/tmp"],"settings":["make:/tmp"],"secrets":["/tmp"],"roots":["/tmp"]}' >"$state/need"
hook PreToolUse
cp "$state/request" "$T/envelope"
echo "sent POST /v1/hearings $T/envelope" >>"$log"
end_daemons

model_start
scene api real
judged_by openai 'deny shell "wget *"'
mkdir -p "$S/project/.git"
project=$S/project
hook SessionStart "{\"session_id\":\"s1\",\"cwd\":\"$project\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}"
curl -sN --unix-socket "$sock" "http://assent/v1/events?heartbeat=60" >"$T/events" 2>/dev/null &
listener=$!
soon test -s "$T/events"
echo "query GET /v1/events heartbeat" >>"$log"

# --- hearings, by hand
key=0123456789abcdef0123456789abcdef
post /v1/hearings /v1/hearings "$(envelope $key 0 '' && shell h1 'git status && ls /srv && make')"
world=$(head -n 1 "$got" | jq -c '.need | {links: ([.links[]? | {(.): .}] | add // {}), git: ([.git[]? | {(.): false}] | add // {}), programs: ([.programs[]? | {(.): "/usr/bin/x"}] | add // {}), files: ([.files[]? | {(.): null}] | add // {}), names: ([.names[]? | {(.): "plain"}] | add // {}), settings: ([.settings[]? | {(.): "plain"}] | add // {}), secrets: ([.secrets[]? | {(.): ""}] | add // {}), roots: ["'"$project"'"], partial: false}')
model_says '* => escalate high "look at it"'
post /v1/hearings /v1/hearings "$(envelope $key 1 ",\"world\":$world" && shell h1 'git status && ls')"
post /v1/hearings /v1/hearings "$(envelope ${key//0/1} 1 ",\"world\":$world" && shell h2 'ls')"
wrong POST /v1/hearings /v1/hearings '{"v":2}
x'

# --- reviews
about='"agent":"cursor","session":"r1","turn":"t1","model":"m","deadline_ms":9000,"workspace_paths":["'$project'"],"instructions":{"allow":["a"],"block":["b"]},"conversation":[{"role":"user","text":"do it"}]'
post /v1/review /v1/review "{$about,\"call_id\":\"k1\",\"action\":{\"kind\":\"shell\",\"command\":\"rm -rf /\",\"working_directory\":\"/\",\"description\":\"x\"}}"
post /v1/review /v1/review "{$about,\"call_id\":\"k2\",\"unchanged\":\"contained\",\"action\":{\"kind\":\"shell\",\"command\":\"make\"}}"
post /v1/review /v1/review "{$about,\"call_id\":\"k3\",\"unchanged\":\"asked\",\"asked_reason\":\"please\",\"too_large\":true,\"action\":{\"kind\":\"web_fetch\",\"url\":\"http://x.example/\"}}"
post /v1/review /v1/review "{$about,\"call_id\":\"k4\",\"action\":{\"kind\":\"mcp\",\"server\":\"s\",\"tool\":\"t\",\"arguments\":{},\"annotations\":\"{}\"}}"
post /v1/review /v1/review "{$about,\"call_id\":\"k5\",\"action\":{\"kind\":\"mcp_resource\",\"server\":\"s\",\"uri\":\"u\",\"download_path\":\"/tmp/x\"}}"
post /v1/review /v1/review "{$about,\"call_id\":\"k6\",\"action\":{\"kind\":\"other\",\"name\":\"n\"}}"
get /v1/cards
for k in k3:ran k4:rejected k5:failed k6:aborted; do
	post /v1/review/outcome /v1/review/outcome "{\"agent\":\"cursor\",\"session\":\"r1\",\"call_id\":\"${k%:*}\",\"outcome\":\"${k#*:}\",\"reason\":\"x\"}"
done
post /v1/review/outcome /v1/review/outcome '{"session":"r1","outcome":"not_reviewed","tool":"pi_bash"}'

post /v1/hearings /v1/hearings "$(envelope ${key//0/3} 0 ',"oversize":20000000')
"

# --- cards and replies
model_says '* => escalate high look-at-it'
post /v1/settings /v1/settings '{"scope":"global","name":"mode","value":"ask"}'
hold c1 "frobnicate one" 30 ',"agent_id":"sub","agent_type":"Explore"'
get /v1/cards
get "/v1/cards/{}" "/v1/cards/$(id_of "frobnicate one")"
get "/v1/cards/{}" /v1/cards/99999
one=$(id_of "frobnicate one")
wrong POST "/v1/cards/{}/reply" "/v1/cards/$one/reply" '{"reply":"maybe"}'
reply "$one" "{\"reply\":\"once\",\"feedback\":\"$(head -c 5000 /dev/zero | tr '\0' x)\"}"
reply "$one" '{"reply":"always","as":"* *"}'
reply "$one" '{"reply":"once","feedback":"yes, go on"}'
settle
reply "$one" '{"reply":"reject"}'
reply 999-00000000 '{"reply":"once"}'
get "/v1/cards/{}" "/v1/cards/$one"
key=${key//0/2}
world=$(jq -c '.programs.frobnicate = null' <<<"$world")
for round in 0 1; do # the same client, again: an agent is back at its card
	{ envelope $key 1 ",\"world\":$world" && shell h3 "frobnicate back"; } >"$T/back"
	curl -s -o "$T/back.$round" --unix-socket "$sock" --data-binary "@$T/back" http://assent/v1/hearings &
	back=$!
	soon has_card "frobnicate back"
done
told() { grep -q "^event: changed" "$T/events"; }
soon told
reply "$(id_of "frobnicate back")" '{"reply":"reject"}'
wait "$back"
hold c2 "frobnicate gone"
gone=$(id_of "frobnicate gone")
kill "$held"
settle 2>/dev/null
no_card() { ! has_card "$1"; }
soon no_card "frobnicate gone"
reply "$gone" '{"reply":"once"}'
hold c3 "frobnicate late" 2
settle
post /v1/settings /v1/settings '{"scope":"global","name":"mode","value":null}'

# --- always, and several at once; the model says no to all
hold g1 "npm test one"
reply "$(id_of "npm test one")" '{"reply":"always","as":"npm test *"}'
settle
hold b1 "frob a"
first=$held
hold b2 "frob b"
a=$(id_of "frob a") b=$(id_of "frob b")
batch() { post /v1/cards/reply /v1/cards/reply "$1"; }
batch "{\"anchor\":\"$a\",\"cards\":[\"$a\",\"$a\"],\"reply\":\"once\"}"
batch '{"anchor":"999-00000000","cards":["999-00000000"],"reply":"once"}'
batch "{\"anchor\":\"$gone\",\"cards\":[\"$gone\"],\"reply\":\"once\"}"
kill "$held"
wait "$held" 2>/dev/null
soon no_card "frob b"
batch "{\"anchor\":\"$a\",\"cards\":[\"$a\",\"$b\"],\"reply\":\"reject\",\"feedback\":\"none of these\"}"
wait "$first"
batch "{\"anchor\":\"$a\",\"cards\":[\"$a\"],\"reply\":\"once\"}"

# --- other things that people do
get /v1/grants
get /v1/grants "/v1/grants?project=$project"
grant=$(jq -r '.grants[0].number' <"$got")
post "/v1/grants/{}/remove" /v1/grants/4711/remove '{}'
post "/v1/grants/{}/remove" "/v1/grants/$grant/remove" '{}'
post /v1/grants/clear /v1/grants/clear "{\"project\":\"$project\"}"
post /v1/grants/clear /v1/grants/clear '{"project":""}'
hold g2 "npm run it"
reply "$(id_of "npm run it")" '{"reply":"always"}'
settle
post /v1/grants/clear /v1/grants/clear "{\"project\":\"$project\"}"
post /v1/settings /v1/settings '{"scope":"session","key":"s1","name":"tier","value":"passive"}'
get /v1/settings "/v1/settings?session=s1&project=$project"
post /v1/settings /v1/settings '{"scope":"session","key":"s1","name":"tier","value":null}'
post /v1/settings /v1/settings '{"scope":"global","name":"mode","value":"whatever"}'
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"markers\":[\"payroll\",\"\"]}"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"markers\":[]}"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"add\":\"customer-data\"}"
get /v1/sensitive "/v1/sensitive?project=$project"
file=$(jq -r .path <"$got")
get /v1/sensitive "/v1/sensitive?project=nowhere"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"remove\":\"customer-data\"}"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"remove\":\"customer-data\"}"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"add\":\"\"}"
mkdir -p "$(dirname "$file")"
echo "sensitive" >"$file"
post /v1/sensitive /v1/sensitive "{\"project\":\"$project\",\"add\":\"x\"}"
rm -f "$file"
get /v1/rules
revision=$(jq -r .revision <"$got") text=$(jq .text <"$got")
get /v1/rules "/v1/rules?layer=project&project=$project"
get /v1/rules "/v1/rules?layer=nobody"
post /v1/rules /v1/rules "{\"layer\":\"user\",\"text\":$text,\"revision\":\"$revision\"}"
post /v1/rules /v1/rules "{\"layer\":\"user\",\"text\":$text,\"revision\":\"0\"}"
post /v1/rules /v1/rules "{\"layer\":\"user\",\"text\":\"alow shell x\",\"revision\":\"$revision\"}"
post /v1/rules /v1/rules "{\"layer\":\"project\",\"project\":\"$project\",\"text\":\"set listen \\\"x\\\"\\n\",\"revision\":\"$revision\"}"
wrong POST /v1/rules /v1/rules '{"layer":"enforced","text":"","revision":"0"}'
post /v1/trust /v1/trust "{\"project\":\"$project\",\"text\":\"allow shell \\\"make *\\\"\"}"
post /v1/trust /v1/trust '{"project":"","text":null}'
post "/v1/quarantine/{}/lift" /v1/quarantine/00/lift '{}'

# --- what would be decided, and what a model says
post /v1/order /v1/order "{\"id\":\"1\",\"tool\":\"shell\",\"input\":{\"command\":\"rm -rf ~ && \$X; :(){ :|:& };:\"},\"cwd\":\"$project\",\"roots\":[\"$project\"],\"world\":{\"home\":\"/home/u\"},\"context\":{}}"
post /v1/order /v1/order "{\"id\":\"2\",\"tool\":\"write\",\"input\":{\"path\":\"$project/.git/hooks/x\",\"content\":\"x\"},\"cwd\":\"$project\",\"roots\":[\"$project\"]}"
post /v1/order /v1/order "{\"id\":\"3\",\"tool\":\"shell\",\"input\":{\"command\":\"git status; wget http://a.example\"},\"cwd\":\"$project\",\"roots\":[\"$project\"]}"
wrong POST /v1/order /v1/order '{"tool":"nothing"}'
model_says '* => tokens 100 50 10 allow low fine'
post /v1/judge /v1/judge '{"user":"is this well?","model":"other"}'
post /v1/judge /v1/judge '{"user":""}'
hook PreToolUse "$(shell j1 'frobnicate judged')"
model_says '* => status 400'
hook PreToolUse "$(shell j2 'frobnicate in vain')"
model_says '* => deny critical no'
hook PreToolUse "$(shell j3 'frobnicate never')"

# --- the audit
deadline=1
hook PreToolUse "$(shell a1 'rm -rf /')"
hook PreToolUse "$(shell a0 'wget https://a.example')"
hook PreToolUse "$(shell a2 'curl -u me:hunter2zz https://a.example')"
hook PreToolUse "$(shell a3 "PASSWORD='hunter2zz b' frobnicate")"
hook PreToolUse "$(shell a4 "echo $(head -c 20000 /dev/zero | tr '\0' x)")"
filters="limit=500&session=s1&project=$project&verdict=allow&by=person&kind=decision&tool=shell&since=1&until=9999999999999&newest=true&after=0"
get /v1/audit "/v1/audit?limit=500"
get /v1/audit "/v1/audit?$filters&hearing=1"
get /v1/audit/export "/v1/audit/export?$filters&hearing=1"
get /v1/audit/export "/v1/audit/export?limit=500"
get /v1/audit "/v1/audit?by=nobody"
get /v1/audit/export "/v1/audit/export?kind=x"
get /v1/audit "/v1/audit?limit=x"
get "/v1/audit/{}" /v1/audit/1
get "/v1/audit/{}" /v1/audit/99999
get /v1/audit/verify
get /v1/audit/verify "/v1/audit/verify?head=9999:$(printf '0%.0s' $(seq 64))"

# --- and the rest
echo "nonsense" >>"$S/config/assent.conf"
get /healthz
get /v1/status
curl -sN --max-time 1 --unix-socket "$sock" "http://assent/v1/events?after=x" >"$T/again" 2>/dev/null
echo "query GET /v1/events after" >>"$log"
echo "answer GET /v1/events 200 $T/again" >>"$log"
echo "answer GET /v1/events 200 $T/events" >>"$log"
curl -sNZ --no-progress-meter --parallel-immediate --parallel-max 70 -o /dev/null --unix-socket "$sock" "http://assent/v1/events?n=[1-63]" &
crowd=$!
full() { [ "$(api http://assent/v1/status | jq .watchers)" = 64 ]; }
soon full
get /v1/events
kill "$crowd" "$listener"
wait "$crowd" "$listener" 2>/dev/null
post /v1/daemon/stop /v1/daemon/stop '{}'

"$build/plug/openapi" "$top/docs/openapi.yaml" <"$log" >"$T/verdict"
grep FAILED "$T/verdict"
eval "$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/passed=$((passed + \1)) failed=$((failed + \2))/p' "$T/verdict")"
check "the checker ends well" [ -s "$T/verdict" ]
finish
