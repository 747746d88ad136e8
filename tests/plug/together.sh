#!/bin/bash
# Several cards with one reply, over the API and by people's commands; and the
# wire of replies, old and new.
. "$(dirname "$0")/lib.sh"

scene together real
mkdir -p "$S/project/.git"
ref=$S/project
: >"$T/err"
: >"$T/out"
# Asks what nobody knows; its answer in $T/out.N, its process in pids[N].
ask() { # N COMMAND
	printf '{"session_id":"s1","prompt_id":"p1","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t%s","tool_input":{"command":"%s"}}' "$ref" "$1" "$2" |
		"$bin/assent" hook claude-code PreToolUse $places --deadline 60 >"$T/out.$1" 2>"$T/err.$1" &
	pids[$1]=$!
	soon eval '[ -n "$(id_of "'"$2"'")" ]'
}
id_of() { # COMMAND: the id of its open card
	"$bin/assent" cards --json $places 2>/dev/null | tr '{' '\n' | grep -F "\"text\":\"$1\\n\"" | grep -o '"id":"[^"]*"' | cut -d'"' -f4
}
ends() { # N
	wait "${pids[$1]}"
	rc=$?
	cp "$T/out.$1" "$T/out"
	cp "$T/err.$1" "$T/err"
}
reply() { # PATH BODY: status in $status, answer in $T/said
	status=$(api -o "$T/said" -w '%{http_code}' -X POST --data-binary "$2" "http://assent/v1/cards/$1")
}
says() { grep -qF -- "$1" "$T/said"; }
assent() {
	(cd "$ref" && "$bin/assent" "$@" $places) >"$T/said" 2>&1 </dev/null
	rc=$?
}
three() { # WORD
	ask 1 "frob $1 one"
	ask 2 "frob $1 two"
	ask 3 "frob $1 three"
	one=$(id_of "frob $1 one")
	two=$(id_of "frob $1 two")
	three=$(id_of "frob $1 three")
}

name="all of a round"
"$bin/assent" daemon start $places >/dev/null 2>&1
api -N http://assent/v1/events >"$T/events" 2>/dev/null &
watcher=$!
soon test -s "$T/events"
three a
reply reply "{\"anchor\":\"$one\",\"cards\":[\"$one\",\"$two\",\"$three\"],\"reply\":\"once\",\"feedback\":\"all of these\"}"
check "200" [ "$status" = 200 ]
check "names the answered" says "\"answered\":[\"$one\",\"$two\",\"$three\"],\"skipped\":[]"
for n in 1 2 3; do
	ends "$n"
	check "call $n runs" allowed
done
assent audit export
told() { [ "$(grep -c "^event: $1" "$T/events")" = "$2" ]; }
check "who watches is told of three cards" soon told asked 3
check "and of three replies" soon told replied 3
kill "$watcher"
wait "$watcher" 2>/dev/null
check "the note is in three rows" [ "$(grep '"kind":"decision"' "$T/said" | grep -c '"note":"all of these"')" = 3 ]

name="one is gone"
three b
kill "${pids[2]}"
wait "${pids[2]}" 2>/dev/null
soon has_cards 2
reply reply "{\"anchor\":\"$one\",\"cards\":[\"$one\",\"$two\",\"$three\"],\"reply\":\"reject\"}"
check "the others are answered" says "\"answered\":[\"$one\",\"$three\"]"
check "it is named" says "\"skipped\":[{\"id\":\"$two\",\"code\":\"withdrawn\""
ends 1
check "refused" refused
ends 3
check "refused" refused

name="what is no batch"
three c
reply reply "{\"anchor\":\"$two\",\"cards\":[\"$one\",\"$two\"],\"reply\":\"once\"}"
check "older than the anchor" [ "$status" = 400 ]
reply reply "{\"anchor\":\"$one\",\"cards\":[\"$two\"],\"reply\":\"once\"}"
check "without the anchor" [ "$status" = 400 ]
reply reply "{\"anchor\":\"$one\",\"cards\":[\"$one\",7],\"reply\":\"once\"}"
check "no ids" [ "$status" = 400 ]
reply reply "{\"anchor\":\"$one\",\"cards\":[],\"reply\":\"once\"}"
check "none" [ "$status" = 400 ]
reply reply "{\"cards\":[\"$one\"],\"reply\":\"once\"}"
check "no anchor" [ "$status" = 400 ]
reply reply "{\"anchor\":\"$one\",\"cards\":[\"$one\"]}"
check "no reply" [ "$status" = 400 ]
reply reply "{\"anchor\":\"99-00000000\",\"cards\":[\"99-00000000\"],\"reply\":\"once\"}"
check "no card" [ "$status" = 404 ]
check "nothing was answered" has_cards 3
assent approve "$one" "$two" --yes --json
check "by people: as it came" says "\"answered\":[\"$one\",\"$two\"]"
ends 1
check "approved" allowed
ends 2
check "approved" allowed
assent reject "${three%-*}" --yes
ends 3

name="a round, by people"
three d
assent approve "${two%-*}" --round
check "is asked" [ "$rc" = 2 ]
assent approve "${two%-*}" --round --yes --note "go on"
check "is answered" [ "$rc" = 0 ]
check "each is shown" says "frob d three"
check "from the anchor on" says "approved  $two"
check "not the earlier one" eval "! says 'frob d one'"
ends 2
check "runs" allowed
ends 3
check "runs" allowed
ask 2 "echo x >> ~/.bashrc"
assent reject "${one%-*}" --round --yes
check "what only a person may allow is no part of it" says "rejected  $one"
ends 1
check "is still open" has_cards 1
person=$(id_of "echo x >> ~/.bashrc")
reply reply "{\"anchor\":\"$person\",\"cards\":[\"$person\"],\"reply\":\"once\"}"
check "nor an anchor" [ "$status" = 409 ]
assent reject "$person" --yes
ends 2

# --- the wire: what was written before notes were is still a reply
name="the wire"
ask 1 "frob wire"
id=$(id_of "frob wire")
reply "$id/reply" '{"reply":"sometimes"}'
check "another word" [ "$status" = 400 ]
reply "$id/reply" '{"reply":7}'
check "no word" [ "$status" = 400 ]
reply "$id/reply" '{"reply":"once","feedback":7}'
check "no text" [ "$status" = 400 ]
reply "$id/reply" '["once"]'
check "no object" [ "$status" = 400 ]
reply "$id/reply" "{\"reply\":\"once\",\"feedback\":\"$(printf 'ä%.0s' $(seq 4001))\"}"
check "4,001 characters" [ "$status" = 400 ]
check "are refused in clear words" says "4,000 characters"
check "it is still open" has_cards 1
reply "$id/reply" '{"reply":"once"}'
check "the old shape" [ "$status" = 200 ]
check "is answered without feedback" eval '! says feedback'
ends 1
check "runs" allowed
plain=$(cat "$T/out")
api "http://assent/v1/cards/$id" >"$T/said"
check "nor is it written anywhere" eval '! says feedback'
for body in '{"reply":"once","feedback":null}' '{"reply":"once","feedback":""}' '{"reply":"once","feedback":" \t\n "}' '{"reply":"once","unknown":[1]}'; do
	ask 1 "frob wire"
	reply "$(id_of "frob wire")/reply" "$body"
	check "$body is the old shape" [ "$status" = 200 ]
	check "$body: no feedback" eval '! says feedback'
	ends 1
	check "$body: the agent reads what it read before" [ "$(cat "$T/out")" = "$plain" ]
done
ask 1 "frob wire"
id=$(id_of "frob wire")
reply "$id/reply" "{\"reply\":\"once\",\"feedback\":\"$(printf 'ä%.0s' $(seq 4000))\"}"
check "4,000 characters are fine" [ "$status" = 200 ]
check "and come back" says '"feedback":"ä'
ends 1
ask 1 "frob wire"
id=$(id_of "frob wire")
reply "$id/reply" '{"reply":"reject","feedback":" go\u001b[2J \u202e on\u0007 "}'
ends 1
check "what a terminal obeys reaches no agent" eval "! any_has \$'\033' && ! any_has 202e"
api "http://assent/v1/cards/$id" >"$T/said"
check "nor a card" says '"feedback":"go[2J  on"'
assent audit list
check "nor a terminal" eval '! LC_ALL=C grep -qP "[\x00-\x08\x0b-\x1f\x7f]" "$T/said"'
assent audit export
check "the audit has it as it came" says 'go\u001b[2J'

# --- always, at a terminal: shown, chosen, agreed to
at_terminal() { # KEYS COMMAND
	printf "$1" | script -qec "$2" "$S/typescript" >"$T/said" 2>&1
	rc=$?
}
name="always, at a terminal"
ask 1 "make deploy one"
id=$(id_of "make deploy one")
at_terminal 'git *\ny\nmake deploy *\ny\n' "cd $ref && '$bin/assent' approve $id --always $places"
check "exactly is offered" says "exactly what is above"
check "and the narrowest pattern" says "2  make deploy one *"
check "what does not cover the call is refused" says "does not cover"
check "and asked again" [ "$(grep -c "of your own" "$T/said")" = 2 ]
check "what is granted is asked" says 'always what is "make deploy *"'
ends 1
check "it runs" allowed
assent grants list
check "an own pattern is granted" says "make deploy *"
ask 1 "make clean one"
id=$(id_of "make clean one")
at_terminal '2\ny\n' "cd $ref && '$bin/assent' approve $id --always $places"
ends 1
assent grants list
check "or the proposed one" says "make clean one *"
ask 1 "make nothing"
id=$(id_of "make nothing")
at_terminal '\nn\n' "cd $ref && '$bin/assent' approve $id --always $places"
check "or none" says "nothing was answered"
check "it is open" has_cards 1
at_terminal '1\ny\n' "cd $ref && '$bin/assent' approve $id --always $places"
ends 1
assent grants list
check "or exactly this" eval "grep -q 'make nothing.*exactly' '$T/said'"
finish
