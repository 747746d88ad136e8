#!/bin/bash
# GET /v1/events: what those who watch are told, how they take up again, and that
# nobody is waited for.
. "$(dirname "$0")/lib.sh"

: >"$T/out"
: >"$T/err"
watches=
# Watches in the background, into $T/NAME.
watch() { # NAME [QUERY [CURL OPTIONS...]]
	local to=$T/$1 query=${2-}
	shift $(($# < 2 ? $# : 2))
	curl -sN --unix-socket "$sock" "$@" "http://assent/v1/events$query" >"$to" 2>/dev/null &
	watcher=$!
	watches="$watches $watcher"
	soon test -s "$to"
}
unwatch() {
	kill $watches 2>/dev/null
	wait $watches 2>/dev/null
	watches=
}
names() { grep '^event:' "$T/$1" | cut -c8- | tr '\n' ' '; }
tells() { [ "$(names "$1")" = "${2:+$2 }" ]; }
last_id() { grep '^id:' "$T/$1" | tail -n 1 | cut -c5-; }
ask() { # N [SECONDS]
	printf '%s' "${call/\"t1\"/\"held$1\"}" | sed "s/\"ls\"/\"git push origin branch$1\"/" >"$T/call"
	"$bin/assent" hook claude-code PreToolUse $places --deadline "${2:-30}" <"$T/call" >"$T/answer" 2>"$T/words" &
	asked=$!
}
reply() { # ID REPLY [NOTE]
	api -o "$T/reply" -w '%{http_code}' --data-binary "{\"reply\":\"$2\"${3+,\"feedback\":\"$3\"}}" "http://assent/v1/cards/$1/reply"
}
asks_or_refuses() { refused || out_has '"permissionDecision":"ask"'; }
set_mode() { api -o "$T/reply" --data-binary "{\"scope\":\"${2-global}\",\"name\":\"mode\",\"value\":\"$1\"}" http://assent/v1/settings; }
status() { api http://assent/v1/status | jq -c "$1"; }
attended() { [ "$(status .attended)" = "$1" ]; }
told() { [ "$(grep -c "^event: $2" "$T/$1")" = "$3" ]; } # NAME EVENT TIMES
watched_by() { [ "$(status .watchers)" = "$1" ]; }

scene told real
hook SessionStart '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'
name="from the beginning"
watch first
check "begins with a reset" soon tells first reset
ask 1
check "tells of the card" soon tells first "reset asked"
check "whole" [ "$(grep '^data:.*asked\|^data: {"card"' "$T/first" | head -n 1 | cut -c7- | jq -c '[.card.text, .card.state, .card.held]')" = '["git push origin branch1\n","open",true]' ]
id=$(cards)
check "is the list's newest event" [ "$(api http://assent/v1/cards | jq -r .event)" = "$(last_id first)" ]
asked_id=$(last_id first)
check "is taken" [ "$(reply "$id" once 'with a note')" = 200 ]
wait "$asked"
check "tells of the reply" soon tells first "reset asked replied"
check "with its note" [ "$(tail -n 2 "$T/first" | grep ^data | cut -c7- | jq -c '[.card.id, .card.reply, .card.feedback]')" = "[\"$id\",\"once\",\"with a note\"]" ]
set_mode ask
check "tells of the mode" soon tells first "reset asked replied settings"
set_mode ai_auto
check "and of the next" soon tells first "reset asked replied settings settings"

name="taken up"
watch again "?after=$asked_id"
check "tells what came behind it" soon tells again "replied settings settings"
watch header "?after=x-1" -H "Last-Event-ID: $asked_id"
check "the field of the head counts" soon tells header "replied settings settings"
watch same "?after=$(last_id first)"
check "at the end: nothing yet" tells same ""
watch other "?after=0123456789abcdef-1"
check "an id of elsewhere" soon tells other reset
check "says why" grep -q '"reason":"unknown_id"' "$T/other"
check "four more watch" watched_by 5

name="the agent takes it back"
ask 2
check "tells of the card" soon tells same asked
kill "$asked"
wait "$asked" 2>/dev/null
check "and of its end" soon tells same "asked cancelled"
check "as withdrawn" [ "$(tail -n 2 "$T/same" | grep ^data | cut -c7- | jq -r .card.state)" = withdrawn ]
name="nobody answers"
ask 3 2
wait "$asked"
check "tells of its end" soon tells same "asked cancelled asked expired"
unwatch
name="all gone"
check "nobody watches" soon watched_by 0

name="a card while nobody watches"
before=$(api http://assent/v1/cards | jq -r .event)
ask 4
check "is there" soon has_cards 1
watch late "?after=$before"
check "is told afterwards" soon tells late asked
check "whole" grep -q "branch4" "$T/late"

name="a person follows"
"$bin/assent" cards --follow $places >"$T/follow" 2>"$T/err" &
follower=$!
check "sees what is open" soon grep -q "branch4" "$T/follow"
id=$(cards)
check "is taken" [ "$(reply "$id" reject "not now")" = 200 ]
wait "$asked"
check "sees the reply" soon grep -q "$id  rejected by .*not now" "$T/follow"

name="the daemon is killed"
ask 5
check "a card is open" soon has_cards 1
before=$(last_id late)
kill -9 "$(pid_of)"
wait "$watcher" 2>/dev/null
check "the agent brings another daemon" soon has_cards 1
check "with other ids" [ "${before%-*}" != "$(api http://assent/v1/cards | jq -r '.event | split("-")[0]')" ]
watch after "?after=$before"
check "watchers begin anew" soon tells after reset
check "and know how many wait" grep -q '"cards":1}' "$T/after"
check "who followed goes on by himself" soon grep -q "branch5" "$T/follow"
check "the card can be answered" [ "$(reply "$(cards)" once)" = 200 ]
wait "$asked"
check "and that is told" soon tells after "reset replied"
kill "$follower"
wait "$follower" 2>/dev/null

name="a heart that beats"
watch beats "?heartbeat=1"
beats() { [ "$(grep -cx ':' "$T/beats")" -ge 2 ]; }
check "is heard" soon beats
check "a wrong number" [ "$(api -o "$T/reply" -w '%{http_code}' "http://assent/v1/events?heartbeat=x")" = 400 ]
unwatch
check "nobody watches" soon watched_by 0

name="too many"
curl -sNZ --no-progress-meter --parallel-immediate --parallel-max 70 -o /dev/null --unix-socket "$sock" "http://assent/v1/events?n=[1-64]" &
watches=$!
check "64 watch" soon watched_by 64
check "one more is turned away" [ "$(api -o "$T/reply" -w '%{http_code}' http://assent/v1/events)" = 429 ]
hook PreToolUse
check "calls are decided all the same" asks_or_refuses
unwatch
check "all are let go" soon watched_by 0

name="one who does not read"
mkfifo "$T/full"
exec 7<>"$T/full"
printf 'GET /v1/events HTTP/1.1\r\nHost: assent\r\n\r\n' >"$T/request"
nc -U "$sock" <"$T/request" >"$T/full" &
watches=$!
check "watches" soon watched_by 1
watch reader
check "and one who does" soon watched_by 2
key=$(head -c 60000 /dev/zero | tr '\0' k)
printf '{"scope":"session","key":"%s","name":"mode","value":null}' "$key" >"$T/set"
for i in $(seq 100); do
	echo "next"
	echo "unix-socket=$sock"
	echo "url=http://assent/v1/settings"
	echo "data-binary=@$T/set"
	echo "output=$T/reply"
done | sed 1d >"$T/many"
curl -s -K "$T/many"
check "is dropped" soon watched_by 1
check "the other heard it all" soon told reader settings 100
exec 7>&-
unwatch

name="told to stop"
watch stopped
api -o "$T/reply" --data-binary '{}' http://assent/v1/daemon/stop
wait "$watcher"
check "the stream ends well" [ $? = 0 ]
watches=

# --- can anybody answer?
scene attended real
printf 'set authority none\nset tier aggressive\n' >"$S/config/assent.conf"
profile="{\"session_id\":\"s1\",\"cwd\":\"/tmp\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"p\",\"tool_input\":{\"file_path\":\"$HOME/.bashrc\",\"content\":\"x\"}}"
deadline=20
name="only a person may, and nobody watches"
hook PreToolUse "$profile"
check "is refused at once" refused
name="only a person may, and somebody watches"
watch person
check "counts" attended true
printf '%s' "$profile" | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err" &
asked=$!
check "makes a card" soon tells person "reset asked"
unwatch
check "does not count any more" soon attended false
check "is taken" [ "$(reply "$(cards)" once)" = 200 ]
wait "$asked"
rc=$?
check "is allowed" allowed
end_daemons
name="somebody watches who may not answer"
printf 'set tier aggressive\n' >"$S/config/assent.conf"
hook SessionStart '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'
setsid curl -sN --unix-socket "$sock" "http://assent/v1/events" >"$T/agent" 2>/dev/null &
check "watches" soon watched_by 1
setsid curl -s -o "$T/reply" --unix-socket "$sock" "http://assent/v1/cards"
check "does not count" attended false
hook PreToolUse "$profile"
check "is refused at once" refused
finish
