#!/bin/bash
# The real daemon, and the plug pulled: killed, stopped, raced, full, damaged.
. "$(dirname "$0")/lib.sh"

scene real real
asked='{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"git push --force origin main"}}'
assent() {
	"$bin/assent" "$@" $places >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}
daemon_pid() { "$bin/assent" daemon status --json $places | sed 's/.*"pid":\([0-9]*\).*/\1/'; }
open_cards() { "$bin/assent" cards --json $places | grep -o '"id":"[^"]*"' | sed 's/.*:"//; s/"//'; }
mkfifo "$S/never"
exec 5<>"$S/never"
pause() { read -rt "$1" -u 5; }
# Runs a hook in the background and waits until its card is there; its id in $card.
hold() { # INPUT
	printf '%s' "$1" >"$S/input"
	"$bin/assent" hook claude-code PreToolUse $places --deadline 60 <"$S/input" >"$S/held.out" 2>"$S/held.err" 5<&- &
	held=$!
	card=
	for i in $(seq 200); do
		card=$(open_cards | tail -n 1)
		[ -n "$card" ] && return
		pause 0.02
	done
}
release() { # waits for the held hook
	wait "$held"
	rc=$?
	cp "$S/held.out" "$T/out"
	cp "$S/held.err" "$T/err"
}

name="no daemon yet"
assent status
check "status: 3" rc_is 3
check "says so" out_has "does not run"
assent daemon status
check "daemon status: 3" rc_is 3
assent daemon stop
check "daemon stop: 0" rc_is 0

# --- a call that waits
name="a held call"
hold "$asked"
check "has a card" [ -n "$card" ]
assent daemon status
check "daemon status: 0" rc_is 0
assent status --json
check "status knows it" out_has '"cards":1'
assent cards
check "is listed" out_has "git push --force"
assent cards "${card%%-*}"
check "is shown by its number" out_has "git push --force origin main"
assent approve "$card"
check "no terminal, no --yes: refused" rc_is 2
assent approve 99 --yes
check "a card that is not there" err_has "no card is called 99"
assent approve "${card%%-*}-00000000" --yes
check "another digest" err_has "no card is called"
assent approve "${card%%-*}" --yes --note "go on"
check "is approved" rc_is 0
check "says so" out_has "approved"
check "printed the whole call" out_has "git push --force origin main"
release
check "the agent may go on" allowed
check "the note reaches it" out_has "User approved this tool call with feedback: go on"
assent approve "$card" --yes
check "a second answer: refused" rc_is 1
check "says by whom" err_has "by uid"
assent reject "${card%%-*}" --yes
check "the same by its number" err_has "no longer open"

name="a rejected call"
hold "$asked"
assent reject "$card" --yes --note "not today"
check "is rejected" rc_is 0
release
check "is refused" refused
check "with the person's words" any_has "not today"

# --- killed, stopped
name="kill -9 while a call is held"
hold "$asked"
first=$(daemon_pid)
kill -9 "$first"
for i in $(seq 200); do
	now=$(daemon_pid)
	[ -n "$now" ] && [ "$now" != "$first" ] && [ -n "$(open_cards)" ] && break
	pause 0.02
done
check "another daemon runs" [ "$(daemon_pid)" != "$first" ]
card=$(open_cards | tail -n 1)
check "the call waits there" [ -n "$card" ]
assent approve "$card" --yes
check "can be approved" rc_is 0
release
check "is answered" allowed
assent audit verify
check "the record is consistent" rc_is 0

name="SIGSTOP"
pid=$(daemon_pid)
kill -STOP "$pid"
refuses "stopped" "does not answer"
assent status
check "people are told" [ "$rc" = 1 ]
kill -CONT "$pid"
assent daemon status
check "goes on" rc_is 0

name="kill -9 at any moment"
for i in 1 2 3 4; do # storm.sh does it 200 times, later in their lives
	printf '%s' "$asked" >"$S/input"
	"$bin/assent" hook claude-code PreToolUse $places --deadline 1 <"$S/input" >"$T/out" 2>"$T/err" 5<&- &
	held=$!
	pause "0.00$((RANDOM % 10))$((RANDOM % 10))"
	for pid in $(own_daemons); do
		[ "$pid" = "$held" ] || kill -9 "$pid"
	done
	wait "$held"
	rc=$?
	check "nothing is allowed" sh -c "! grep -q '\"allow\"' '$T/out'"
	check "something is said" [ -s "$T/out" -o -s "$T/err" ]
done
assent audit verify
check "the record is consistent (or a cut tail)" [ "$rc" = 0 -o "$rc" = 3 ]

name="the client is killed while its call is held"
hold "$asked"
kill -9 "$held"
wait "$held" 2>/dev/null
for i in $(seq 700); do
	[ -z "$(open_cards)" ] && break
	pause 0.02
done
check "the card is withdrawn" [ -z "$(open_cards)" ]
assent approve "$card" --yes
check "cannot be approved" rc_is 1
check "says so" err_has "withdrawn"

name="daemon stop while a call is held"
hold "$asked"
assent daemon stop
check "stops" rc_is 0
for i in $(seq 400); do
	[ -n "$(open_cards)" ] && break
	pause 0.02
done
card=$(open_cards | tail -n 1)
if [ -n "$card" ]; then assent reject "$card" --yes; fi
release
check "nothing is allowed" refused

# --- bodies
body() { # NAME WORDS BYTES... (printf format)
	name="body: $1"
	printf "$3" | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
	rc=$?
	check "is refused" refused
	[ -z "$2" ] || check "says: $2" any_has "$2"
	printf "$3" | "$bin/assent" hook claude-code $places --deadline 20 >"$T/out" 2>"$T/err"
	rc=$?
	check "is refused without an event, too" refused
}
body "empty" "" ''
body "blank" "" ' \n'
body "cut" "" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls'
body "not JSON" "" 'hello'
body "an array" "" '[1]'
body "a number" "" '1'
body "null" "" 'null'
body "two values" "" '{"hook_event_name":"PreToolUse"}{}'
body "duplicate keys" "" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /","command":"ls"}}'
body "duplicate events" "" '{"hook_event_name":"SessionStart","hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}'
body "an unknown event" "" '{"session_id":"s","hook_event_name":"PreSomething","tool_name":"Bash","tool_input":{"command":"ls"}}'
body "an event that is a number" "" '{"session_id":"s","hook_event_name":7,"tool_name":"Bash","tool_input":{"command":"ls"}}'
body "bytes that are not UTF-8" "" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls \xff"}}'
body "a NUL byte" "" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls \0"}}'
body "UTF-16" "" '\xff\xfe{\0}\0'
# what makes a card would be held: the shortest deadline ends it
deadline=2
held_body() { # NAME TEXT
	name="body: $1"
	printf '%s' "$2" | "$bin/assent" hook claude-code PreToolUse $places --deadline 2 >"$T/out" 2>"$T/err"
	rc=$?
	check "nothing is allowed" sh -c "! grep -q '\"allow\"' '$T/out'"
	check "something is said" [ -s "$T/out" -o -s "$T/err" ]
}
bom=$(printf '\357\273\277')
held_body "wrong type of the command" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["ls"]}}'
held_body "no command" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}'
held_body "input that is no object" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"ls"}'
held_body "no tool" '{"session_id":"s","hook_event_name":"PreToolUse"}'
held_body "an escaped NUL" '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls \u0000; rm -rf /"}}'
held_body "a byte order mark" "$bom"'{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}'
held_body "deep" "$(printf '[%.0s' $(seq 5000))"
name="body: 16 MiB of {},"
deadline=20
yes '{},' | tr -d '\n' | head -c 16770000 | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
rc=$?
check "is refused" refused
yes '{},' | tr -d '\n' | head -c 20000000 | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
rc=$?
check "more is refused" refused
assent daemon status
check "the daemon lives on" rc_is 0
deadline=4
name="neutral events"
for e in SessionStart SessionEnd UserPromptSubmit PostToolUse SubagentStop Notification; do
	hook $e "{\"session_id\":\"s\",\"hook_event_name\":\"$e\",\"cwd\":\"/tmp\",\"prompt\":\"x\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}"
	check "$e is neutral" neutral
done

# --- several daemons
scene race real
name="two daemons racing"
"$bin/assentd" $places >"$S/one" 2>&1 &
one=$!
"$bin/assentd" $places >"$S/two" 2>&1 &
two=$!
wait -n "$one" "$two"
assent daemon status
check "one of them runs" rc_is 0
check "the other says why it ended" sh -c "cat '$S/one' '$S/two' '$state/assentd.log' | grep -q 'another daemon'"
check "one is left" [ "$(own_daemons | wc -l)" -ge 1 ]
assent daemon stop
wait "$one" "$two"

scene fifty real
name="50 clients at once start the daemon"
neutral_call='{"session_id":"s","hook_event_name":"SessionStart","cwd":"/tmp"}'
pids=
for i in $(seq 50); do
	(printf '%s' "$neutral_call" | "$bin/assent" hook claude-code SessionStart $places --deadline 30 >"$S/out.$i" 2>"$S/err.$i") 5<&- &
	pids="$pids $!"
done
wait $pids
check "without a word" [ "$(cat "$S"/out.* "$S"/err.* | wc -c)" = 0 ]
assent audit list --json
check "it was started once" [ "$(grep -o '"kind":"start"' "$T/out" | wc -l)" = 1 ]
assent daemon stop

# --- a store that cannot be written
scene damaged real
head -c 100000 /dev/urandom >"$state/assent.db"
refuses "a damaged store" ""
assent status
check "status says so" any_has "cannot record"
assent daemon stop

if [ "$(id -u)" = 0 ] && mkdir "$T/tiny" && mount -t tmpfs -o size=512k,mode=700 assent-plug "$T/tiny" 2>/dev/null; then
	trap 'end_daemons; umount -l "$T/tiny"; cleanup' EXIT
	scene full real
	places="--config=$S/config --state=$T/tiny --socket=$sock"
	read_call='{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Read","tool_use_id":"t1","tool_input":{"file_path":"/etc/hostname"}}'
	hook PreToolUse "$read_call"
	dd if=/dev/zero of="$T/tiny/filler" bs=4k 2>/dev/null
	name="a full disk"
	for i in 1 2 3 4 5 6 7 8; do
		hook PreToolUse "${read_call/t1/t$i}"
		check "no allow without a record" [ ! "$(grep -c '"allow"' "$T/out")" = 1 -o "$i" -lt 4 ]
	done
	check "is refused in the end" refused
	rm "$T/tiny/filler"
	assent daemon status
	check "the daemon lives on" rc_is 0
	assent daemon stop
	# a disk that was full from the start
	scene full2 real
	places="--config=$S/config --state=$T/tiny --socket=$sock"
	rm -f "$T/tiny"/*
	dd if=/dev/zero of="$T/tiny/filler" bs=4k 2>/dev/null
	refuses "a disk that is full at the start" ""
	assent daemon stop
else
	echo "skipped: full disk (needs root and tmpfs)"
fi

finish
