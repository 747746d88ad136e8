#!/bin/bash
# Starting the daemon: who may, when, and what a broken start looks like.
. "$(dirname "$0")/lib.sh"

starts() { [ "$(wc -l <"$state/starts" 2>/dev/null || echo 0)" = "$1" ]; }
mode_is() { [ "$(stat -c %a "$2")" = "$1" ]; }
daemon_pid() { tail -n 1 "$state/starts"; }

scene nobinary none
refuses "no daemon binary" "assentd is neither beside assent"
name="no daemon binary, neutral event"
hook SessionStart '{"hook_event_name":"SessionStart"}'
check "is neutral" neutral
check "says why" err_has "assentd is neither"

scene notprogram none
echo "no program" >"$bin/assentd"
chmod 755 "$bin/assentd"
refuses "a daemon that is no program" "cannot be run"
check "no socket is left" [ ! -e "$sock" ]

scene dies fake
fake die
refuses "a daemon that ends at once" "the fake daemon does not want to"
check "three starts at most" starts 3

scene libexec fake
mkdir -p "$S/libexec/assent"
mv "$bin/assentd" "$S/libexec/assent/assentd"
fake allow
name="assentd in libexec"
hook PreToolUse
check "is found" allowed

# --- what the daemon is given
scene clean fake
fake allow
name="the started daemon"
(
	umask 0
	trap '' USR1 HUP
	exec 7</dev/null 8>"$T/descriptor"
	cd "$T" && LISTEN_PID=1 SECRET_TOKEN=x hook PreToolUse
	echo "$rc" >"$T/rc"
)
rc=$(cat "$T/rc")
check "answers" allowed
pid=$(daemon_pid)
check "has 3 descriptors and the socket" [ "$(ls "/proc/$pid/fd" | tr '\n' ' ')" = "0 1 2 3 " ]
check "reads and writes nothing of the agent" [ "$(readlink "/proc/$pid/fd/0" "/proc/$pid/fd/1" | sort -u)" = /dev/null ]
check "writes its errors to a log" [ "$(readlink "/proc/$pid/fd/2")" = "$state/daemon.log" ]
check "is in /" [ "$(readlink "/proc/$pid/cwd")" = / ]
check "has its own session" [ "$(awk '{print $6}' "/proc/$pid/stat")" != "$(awk '{print $6}' /proc/$$/stat)" ]
check "has no terminal" [ "$(awk '{print $7}' "/proc/$pid/stat")" = 0 ]
check "is nobody's child here" [ "$(awk '{print $4}' "/proc/$pid/stat")" != $$ ]
check "has umask 077" grep -q '^Umask:.0077' "/proc/$pid/status"
check "has no variable of the agent" sh -c "! tr '\\0' '\\n' <'/proc/$pid/environ' | grep -q SECRET"
check "has exactly these variables" [ "$(tr '\0' '\n' <"/proc/$pid/environ" | sed 's/=.*//' | sort | tr '\n' ' ')" = "HOME LANG LISTEN_FDS LISTEN_PID LOGNAME PATH USER " ]
check "is named in LISTEN_PID" grep -qz "^LISTEN_PID=$pid\$" "/proc/$pid/environ"
# 32 and 33 are the C library's own: no program can set them, and make leaves them ignored
ignored=$(sed -n 's/^SigIgn:.//p' "/proc/$pid/status")
check "ignores no signal (but the one that the fake itself ignores): $ignored" [ $((0x$ignored & ~0x180000000)) = $((0x10000)) ]
check "blocks no signal" grep -q '^SigBlk:.0000000000000000' "/proc/$pid/status"
check "socket is 0600" sh -c "case \$(stat -c %a '$sock') in 600|700) ;; *) false ;; esac"
check "log is 0600" mode_is 600 "$state/daemon.log"

# --- stdout held by a child: the pipe must end with the hook
scene held fake
fake allow
name="the pipe of the agent"
out=$(printf '%s' "$call" | timeout 10 "$bin/assent" hook claude-code PreToolUse $places --deadline 5 2>&1 | cat)
check "ends although a daemon was started" [ "$(echo "$out" | grep -c '"allow"')" = 1 ]

# --- folders
scene folders fake
fake allow
rm -rf "$S/run" && sock=$S/new/deep/sock
places="--config=$S/config --state=$state --socket=$sock"
name="missing folders"
hook PreToolUse
check "are made" allowed
check "0700" mode_is 700 "$S/new/deep"
check "0700 above" mode_is 700 "$S/new"

scene fallback fake
fake allow
name="no --socket"
places="--config=$S/config --state=$state"
hook PreToolUse
check "the socket is in the state folder" [ -S "$state/sock" ]
check "answers" allowed

# --- many at once
scene many fake
fake allow
name="50 clients at once"
for i in $(seq 50); do
	(printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 30 >"$S/out.$i" 2>"$S/err.$i") &
done
wait $(jobs -p)
check "start one daemon" starts 1
check "all are answered" [ "$(cat "$S"/out.* | grep -c '"allow"')" = 50 ]
check "without a word" [ "$(cat "$S"/err.* | wc -c)" = 0 ]

# --- a stale socket, by many
kill -9 "$(daemon_pid)"
name="a stale socket, 20 at once"
check "is there" [ -S "$sock" ]
rm -f "$S"/out.* "$state/starts"
for i in $(seq 20); do
	(printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 30 >"$S/out.$i" 2>"$S/err.$i") &
done
wait $(jobs -p)
check "is replaced once" starts 1
check "all are answered" [ "$(cat "$S"/out.* | grep -c '"allow"')" = 20 ]

# --- one that takes its time: patience only while it is being started
scene slow fake
deadline=8
fake no-relisten
name="a daemon that is still being started"
"$bin/assent" daemon start $places >/dev/null 2>&1
fake late-continue
hook PreToolUse
check "is waited for" allowed
scene slow2 fake
fake allow
"$bin/assent" daemon start $places >/dev/null 2>&1
fake late-continue
refuses "a daemon that runs and is silent" "does not answer"
deadline=4

# --- what is not to be touched
scene notsocket fake
fake allow
echo precious >"$sock"
refuses "a file in the socket's place" "no socket"
check "is left alone" [ "$(cat "$sock")" = precious ]

scene lock fake
fake allow
ln -s /dev/null "$sock.lock"
refuses "a link in the lock's place" "create"

scene lockheld fake
fake allow
: >"$sock.lock"
deadline=2
flock "$sock.lock" sh -c "printf '%s' '$call' | '$bin/assent' hook claude-code PreToolUse $places --deadline 2 >'$T/out' 2>'$T/err'; echo \$? >'$T/rc'"
rc=$(cat "$T/rc")
name="a starter that does not end"
check "is refused" refused
check "says so" any_has "somebody else is starting"
deadline=4

scene longpath fake
fake allow
sock=$S/$(printf 'x%.0s' $(seq 120))
places="--config=$S/config --state=$state --socket=$sock"
refuses "a socket path that is too long" "107 is the most"

scene open fake
fake allow
chmod 777 "$S/run"
refuses "a folder that others may write" "others may write into the folder"

# --- inside a sandbox
scene sandbox fake
fake allow
name="no_new_privs"
printf '%s' "$call" | setpriv --no-new-privs "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >"$T/out" 2>"$T/err"
rc=$?
check "starts nothing" [ ! -e "$state/starts" ]
check "is refused" refused
check "says why" any_has "sandbox"
hook PreToolUse
check "(outside: starts)" allowed
printf '%s' "$call" | setpriv --no-new-privs "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >"$T/out" 2>"$T/err"
rc=$?
name="no_new_privs, daemon there"
check "is answered" allowed

# --- other users (needs root)
if [ "$(id -u)" = 0 ]; then
	chmod 711 "$T"
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	hook_as_nobody() {
		printf '%s' "$call" | as_nobody "$bin/assent" hook claude-code PreToolUse $places --home "$S" --deadline 4 >"$T/out" 2>"$T/err"
		rc=$?
	}

	scene othersock fake
	fake allow
	name="another user's daemon"
	hook PreToolUse
	check "(is ours)" allowed
	chmod 755 "$S" "$S/run" "$bin"
	chmod 666 "$sock"
	hook_as_nobody
	check "is refused" refused
	check "says whose" any_has "belongs to user id 0"

	scene otherfolder fake
	fake allow
	chmod 755 "$S" "$S/run" "$bin"
	mkdir "$S/ns" && chown 65534 "$S/ns"
	places="--config=$S/config --state=$S/ns --socket=$sock"
	name="another user's folder"
	hook_as_nobody
	check "is refused" refused
	check "says whose" any_has "belongs to user id 0"

	scene nowrite fake
	fake allow
	chmod 755 "$S" "$bin"
	mkdir "$S/ns" && chown 65534 "$S/ns" && chmod 500 "$S/ns"
	places="--config=$S/config --state=$S/ns --socket=$S/ns/sock"
	name="an unwritable folder"
	hook_as_nobody
	check "is refused" refused
	check "says which" any_has "may not be written"

	scene nomake fake
	chmod 755 "$S" "$bin"
	places="--config=$S/config --state=$S/ns/deep --socket=$S/ns/deep/sock"
	name="a folder that cannot be made"
	hook_as_nobody
	check "is refused" refused
	check "says which" any_has "make folder"
else
	echo "skipped: other users (needs root)"
fi

finish
