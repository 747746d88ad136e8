#!/bin/bash
# The daemon dies, stops, is slow, is there twice, cannot write, is another
# user's. In none of these does a call run that was not decided and recorded.
. "$(dirname "$0")/lib.sh"

alive() { curl -sf --max-time 5 -o "$T/out" --unix-socket "$sock" http://assent/healthz; }
by_hand() { # runs assentd in the background, its words in $T/said
	"$bin/assentd" $places "$@" >"$T/said" 2>&1 &
	hand=$!
}
ended() { ! kill -0 "$1" 2>/dev/null; }
consistent() { curl -sf --unix-socket "$sock" http://assent/v1/audit/verify | grep -q '"result":"consistent"'; }
: >"$T/out"
: >"$T/err"

# --- started by hand
scene hand real
name="started by hand"
by_hand
check "listens" soon alive
check "with a private socket" [ "$(stat -c %a "$sock")" = 600 ]
check "has no terminal of ours to fear" [ -e "/proc/$hand" ]
check "has the working folder /" [ "$(readlink "/proc/$hand/cwd")" = / ]
check "keeps no environment" [ "$(tr '\0' '\n' <"/proc/$hand/environ" | grep -c ASSENT)" = 0 ]
name="a second by hand"
first=$hand
by_hand
wait "$hand"
check "ends with 1" [ $? = 1 ]
check "says why" grep -q "another daemon listens" "$T/said"
check "leaves the first alone" [ "$(pid_of)" = "$first" ]
name="killed"
kill -9 "$first"
wait "$first" 2>/dev/null
check "leaves its socket" [ -S "$sock" ]
by_hand
check "another takes its place" soon alive
check "and its audit" consistent
name="told to stop"
kill -TERM "$hand"
wait "$hand"
check "ends with 0" [ $? = 0 ]
name="something else at the socket's place"
rm -f "$sock"
echo precious >"$sock"
by_hand
wait "$hand"
check "ends with 1" [ $? = 1 ]
check "leaves it alone" grep -q precious "$sock"
rm -f "$sock"
name="many by hand at once"
pids=
for i in 1 2 3 4 5 6 7 8; do
	"$bin/assentd" $places >>"$T/said" 2>&1 &
	pids="$pids $!"
done
check "one listens" soon alive
left() { n=0; for p in $pids; do kill -0 "$p" 2>/dev/null && n=$((n + 1)); done; [ "$n" = 1 ]; }
check "one stays" soon left
kill -TERM "$(pid_of)"
wait $pids 2>/dev/null

# --- another daemon has the store, and another socket
name="a store that another daemon has"
by_hand
check "the first listens" soon alive
"$bin/assentd" --config="$S/config" --state="$state" --socket="$S/run/other" >"$T/said" 2>&1
check "ends with 1" [ $? = 1 ]
check "says why" grep -q "another daemon has the store" "$T/said"
kill -TERM "$hand"
wait "$hand"

# --- stopped
scene stopped real
name="stopped"
hook PreToolUse
p=$(pid_of)
kill -STOP "$p"
hook PreToolUse
check "is refused" refused
kill -CONT "$p"
check "goes on when it may" soon alive

# --- it cannot write
scene unwritable real
name="a state folder that is a file"
rmdir "$state"
echo x >"$state"
refuses "a state folder that is a file" ""
rm -f "$state"
mkdir -m 700 "$state"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	scene nobody real
	name="a state folder of another user"
	chmod 755 "$T" "$S" "$bin"
	chown 65534 "$S/run" "$S/config" "$S/config/assent.conf"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$bin/assentd" $places --home="$S" >"$T/said" 2>&1 &
	hand=$!
	healthy() { setpriv --reuid 65534 --regid 65534 --clear-groups curl -sf --unix-socket "$sock" http://assent/healthz >"$T/out"; }
	check "runs all the same" soon healthy
	check "says that it cannot record" grep -q '"recording":false' "$T/out"
	check "says so in its words, too" grep -q "nothing is allowed" "$T/said"
	printf '%s' "$call" | setpriv --reuid 65534 --regid 65534 --clear-groups "$bin/assent" hook claude-code PreToolUse $places --home="$S" --deadline 5 >"$T/out" 2>"$T/err"
	rc=$?
	check "refuses" refused
	check "says why" any_has "recorded"
	# --- and the daemon is another user's to us
	name="another user's daemon"
	# it does not wait for what we have to say, so saying it may fail
	turned_away() { [ "$(curl -s -o "$T/out" -w '%{http_code}' --unix-socket "$sock" http://assent/healthz)" = 403 ]; }
	check "does not talk to us" soon turned_away
	check "says why" out_has "another user"
	refuses "another user's daemon" ""
	kill -TERM "$hand"
	wait "$hand"
fi
finish
