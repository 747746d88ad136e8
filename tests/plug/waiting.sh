#!/bin/bash
# Calls that wait for a person, while everything around them breaks.
. "$(dirname "$0")/lib.sh"

# A call that needs a person, in the background; its answer goes to $T/answer.N
ask() { # N [SECONDS]
	printf '%s' "${call/\"t1\"/\"held$1\"}" | sed "s/\"ls\"/\"git push origin branch$1\"/" >"$T/call.$1"
	"$bin/assent" hook claude-code PreToolUse $places --deadline "${2:-30}" <"$T/call.$1" >"$T/answer.$1" 2>"$T/words.$1" &
	asked=$!
}
answer_of() { # N: waits for it
	wait "$asked"
	rc=$?
	cp "$T/answer.$1" "$T/out"
	cp "$T/words.$1" "$T/err"
}
reply() { # ID REPLY [NOTE]: prints the status
	api -o "$T/reply" -w '%{http_code}' -X POST --data-binary "{\"reply\":\"$2\"${3+,\"feedback\":\"$3\"}}" "http://assent/v1/cards/$1/reply"
}
asks_or_refuses() { refused || out_has '"permissionDecision":"ask"'; }
: >"$T/out"
: >"$T/err"

scene held real
hook SessionStart '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'

name="approved"
ask 1
check "makes a card" soon has_cards 1
id=$(cards)
check "is taken" [ "$(reply "$id" once 'mind the tests')" = 200 ]
answer_of 1
check "is allowed" allowed
check "carries the note" out_has "User approved this tool call with feedback: mind the tests"
check "leaves no card" has_cards 0
check "cannot be answered again" [ "$(reply "$id" reject)" = 409 ]
check "says by whom" grep -q '"who"' "$T/reply"

name="approved without a word"
ask 2
check "makes a card" soon has_cards 1
check "is taken" [ "$(reply "$(cards)" once)" = 200 ]
answer_of 2
check "is allowed" allowed
check "carries nothing" [ "$(grep -c feedback "$T/out")" = 0 ]

# The hook stands in another folder than the call, as when the agent moved.
by_path() { # COMMAND
	name="a script that changes while its call waits ($1)"
	mkdir -p "$T/moved"
	printf 'make\n' >"$T/moved/x.sh"
	chmod +x "$T/moved/x.sh"
	printf '{"session_id":"moved","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"m","tool_input":{"command":"%s"}}' "$T/moved" "$1" >"$T/call.m"
	"$bin/assent" hook claude-code PreToolUse $places --deadline 30 <"$T/call.m" >"$T/answer.m" 2>"$T/words.m" &
	asked=$!
	check "makes a card" soon has_cards 1
	printf 'rm -rf ~\n' >"$T/moved/x.sh"
	check "is not what was approved" [ "$(reply "$(cards)" once)" = 409 ]
	answer_of m
	check "is refused" refused
}
by_path "sh x.sh"
by_path "./x.sh"

name="rejected"
ask 3
check "makes a card" soon has_cards 1
check "is taken" [ "$(reply "$(cards)" reject 'use a branch')" = 200 ]
answer_of 3
check "is refused" refused
check "carries the words" out_has "use a branch"

name="a wrong reply"
ask 4
check "makes a card" soon has_cards 1
id=$(cards)
check "another word" [ "$(reply "$id" yes)" = 400 ]
check "another digest" [ "$(reply "${id%-*}-00000000" once)" = 404 ]
check "another number" [ "$(reply "999-${id#*-}" once)" = 404 ]
check "no id" [ "$(reply "x" once)" = 404 ]
check "no JSON" [ "$(api -o /dev/null -w '%{http_code}' -X POST --data-binary '{' "http://assent/v1/cards/$id/reply")" = 400 ]
check "a note that is a number" [ "$(api -o /dev/null -w '%{http_code}' -X POST --data-binary '{"reply":"once","feedback":1}' "http://assent/v1/cards/$id/reply")" = 400 ]
check "changes nothing" has_cards 1
name="two replies at once"
for r in once reject once reject once reject; do
	api -o /dev/null -w '%{http_code}\n' -X POST --data-binary "{\"reply\":\"$r\"}" "http://assent/v1/cards/$id/reply" >"$T/race.$r.$RANDOM" &
	racers="$racers $!"
done
wait $racers
check "one counts" [ "$(cat "$T"/race.* | grep -c 200)" = 1 ]
check "the others are told" [ "$(cat "$T"/race.* | grep -c 409)" = 5 ]
answer_of 4

name="a deadline"
ask 5 3
check "makes a card" soon has_cards 1
answer_of 5
check "asks or refuses" asks_or_refuses
check "leaves no card" soon has_cards 0

name="the user's patience"
printf 'set authority none\nset hold.seconds 1\n' >"$S/config/assent.conf"
before=$SECONDS
ask 10 60
answer_of 10
check "asks or refuses" asks_or_refuses
check "long before the agent gives up" [ $((SECONDS - before)) -lt 30 ]
echo "set authority none" >"$S/config/assent.conf"

name="the daemon killed while a call is held"
ask 6 40
check "makes a card" soon has_cards 1
id=$(cards)
kill -9 "$(pid_of)"
check "the card is there again" soon has_cards 1
check "it is the same" [ "$(cards)" = "$id" ]
check "is taken" [ "$(reply "$id" once)" = 200 ]
answer_of 6
check "is allowed" allowed

name="killed again and again"
ask 7 40
for i in 1 2 3; do
	check "makes a card" soon has_cards 1
	kill -9 "$(pid_of)"
done
check "the card is there again" soon has_cards 1
check "is taken" [ "$(reply "$(cards)" reject)" = 200 ]
answer_of 7
check "is refused" refused

name="the daemon stopped in order while a call is held"
ask 8 5
check "makes a card" soon has_cards 1
kill -TERM "$(pid_of)"
answer_of 8
check "asks or refuses" asks_or_refuses

name="many at once"
hook SessionStart '{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'
askers=
for i in $(seq 101 130); do
	ask "$i" 40
	askers="$askers $asked"
done
check "make as many cards" soon has_cards 30
for id in $(cards); do
	reply "$id" once >>"$T/codes"
	echo >>"$T/codes"
done
wait $askers
check "are all taken" [ "$(grep -c 200 "$T/codes")" = 30 ]
check "are all allowed" [ "$(cat "$T"/answer.1[0-3][0-9] | grep -c '"allow"')" = 30 ]

name="the client killed while its call is held"
ask 9 60
check "makes a card" soon has_cards 1
id=$(cards)
kill -9 "$asked"
wait "$asked" 2>/dev/null
late=$(reply "$id" once)
check "an approval comes to nothing" [ "$late" = 410 ]
check "leaves no card" soon has_cards 0
check "allows nothing" [ ! -s "$T/answer.9" ]

name="the audit"
api http://assent/v1/audit/verify >"$T/out"
check "is consistent" grep -q '"result":"consistent"' "$T/out"
finish
