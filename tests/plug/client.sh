#!/bin/bash
# The hook's own ends: what it reads, where it writes, signals, the environment.
. "$(dirname "$0")/lib.sh"

scene client fake
fake allow
hook PreToolUse

# --- how it is called
usage() { [ "$rc" = 2 ] && [ -s "$T/err" ] && [ ! -s "$T/out" ]; }
run() {
	"$@" >"$T/out" 2>"$T/err"
	rc=$?
}
name="usage"
run "$bin/assent" hook claude-code PreToolUse $places <&-
check "standard input closed" usage
run "$bin/assent" hook nobody PreToolUse $places </dev/null
check "an unknown agent" usage
run "$bin/assent" hook $places </dev/null
check "no agent" usage
run "$bin/assent" hook claude-code PreToolUse --deadline 0 $places </dev/null
check "no time" usage
run "$bin/assent" hook claude-code PreToolUse --deadline soon $places </dev/null
check "no number" usage
run "$bin/assent" hook claude-code PreToolUse --dead-line 5 $places </dev/null
check "an unknown option" usage
run script -qec "'$bin/assent' hook claude-code PreToolUse $places" /dev/null
check "a terminal" out_has "standard input is a terminal"

# --- where it writes
name="standard output closed"
printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >&- 2>"$T/err"
rc=$?
: >"$T/out"
check "is refused" refused
name="standard error closed"
printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 4 2>&- >"$T/out"
rc=$?
check "is answered" allowed
check "as one line" [ "$(wc -l <"$T/out")" = 1 ]
name="all but standard input closed"
printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 4 2>&- >&-
rc=$?
check "exit 2" rc_is 2
name="standard output full"
printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >/dev/full 2>"$T/err"
rc=$?
: >"$T/out"
check "is refused" refused
check "says so" err_has "cannot be written"

# --- what it reads
name="input that does not end"
(sleep 3 | "$bin/assent" hook claude-code PreToolUse $places --deadline 1 >"$T/out" 2>"$T/err"; echo $? >"$T/rc")
rc=$(cat "$T/rc")
check "is refused" refused
check "says so" err_has "did not end"
for n in 1000 65536 1000000 16000000; do
	name="$n bytes"
	(printf '{"hook_event_name":"PreToolUse","x":"'; head -c "$n" /dev/zero | tr '\0' x; printf '"}') |
		"$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
	rc=$?
	check "arrive whole" [ "$(tail -n +2 "$state/request" | wc -c)" = $((n + 39)) ]
	check "are answered" allowed
done
for n in 16777216 20000000; do
	name="$n bytes"
	head -c "$n" /dev/zero | "$bin/assent" hook claude-code PreToolUse $places --deadline 20 >"$T/out" 2>"$T/err"
	rc=$?
	check "are refused" refused
	check "too large" err_has "too large"
done
name="bytes"
printf 'a\0b\xff\xfe\r\n\xef\xbb\xbf{' | "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >"$T/out" 2>"$T/err"
check "arrive as they came" [ "$(tail -n +2 "$state/request" | od -An -tx1 | tr -d ' \n')" = "610062fffe0d0aefbbbf7b" ]

# --- the envelope
envelope() { head -n 1 "$state/request"; }
has() { envelope | grep -qF -- "$1"; }
lacks() { ! envelope | grep -qF -- "$1"; }
name="the envelope"
mkdir -p "$S/folder"
(
	cd "$S/folder"
	export GIT_DIR=/x SECRET_KEY=hush
	ls() { :; }
	export -f ls
	hook PreToolUse
)
check "version" has '{"v":1,"client":"'
check "agent and event" has '"agent":"claude-code","event":"PreToolUse","key":"'
check "key" sh -c "head -n 1 '$state/request' | grep -qE '\"key\":\"[0-9a-f]{32}\"'"
check "cwd" has "\"cwd\":\"$S/folder\""
check "parents" has '"parents":[{"pid":'
check "mount namespace" has '"mntns":"mnt:['
check "environment" has '"GIT_DIR":"/x"'
check "functions" has '"BASH_FUNC_ls%%":"'
check "nothing else of it" lacks SECRET
check "nothing else of it" lacks hush
check "installed" has '"installed":true'
check "round" has '"round":0'
key1=$(envelope | sed 's/.*"key":"//; s/".*//')
hook PreToolUse
check "a key of its own" lacks "$key1"
name="an environment that is too large"
(for i in $(seq 300); do export "GIT_X$i=1"; done; hook PreToolUse; echo $rc >"$T/rc")
rc=$(cat "$T/rc")
check "is refused" refused
name="tried by hand"
printf '%s' "$call" | XDG_CONFIG_HOME=$S/xc XDG_STATE_HOME=$S/xs XDG_RUNTIME_DIR=$S/xr HOME=$S/h "$bin/assent" hook claude-code PreToolUse >"$T/out" 2>"$T/err"
check "honours the environment" [ -S "$S/xr/assent/sock" ]
check "marks nobody" grep -q '"installed":false' "$S/xs/assent/request"

# --- a poisoned environment has no effect (DESIGN 5a)
mkdir -p "$S/evil"
for p in assentd assent git; do
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$S/evil" >"$S/evil/$p"
	chmod 755 "$S/evil/$p"
done
echo "touch '$S/evil/ran'" >"$S/evil/env.sh"
poison() { # VARIABLE=VALUE...
	name="poisoned: ${1%%=*}"
	rm -f "$state/starts" "$S/evil/ran"
	end_daemons
	printf '%s' "$call" | env "$@" "$bin/assent" hook claude-code PreToolUse $places --deadline 4 >"$T/out" 2>"$T/err"
	rc=$?
	check "is answered by our daemon" allowed
	check "which was started here" [ -s "$state/starts" ]
	check "nothing else ran" [ ! -e "$S/evil/ran" ]
	check "nothing was left there" [ "$(ls "$S/evil" | wc -l)" = 4 ]
}
poison PATH="$S/evil"
poison LD_PRELOAD="$S/evil/evil.so" LD_LIBRARY_PATH="$S/evil" LD_AUDIT="$S/evil/evil.so"
poison BASH_ENV="$S/evil/env.sh" ENV="$S/evil/env.sh"
poison XDG_CONFIG_HOME="$S/evil" XDG_STATE_HOME="$S/evil" XDG_RUNTIME_DIR="$S/evil" XDG_DATA_HOME="$S/evil"
poison HOME="$S/evil"
poison ASSENT_SOCKET="$S/evil/sock" ASSENT_STATE="$S/evil" ASSENT_CONFIG="$S/evil" ASSENT_DAEMON="$S/evil/assentd"
poison GLIBC_TUNABLES=glibc.malloc.check=3 MALLOC_TRACE="$S/evil/trace" LANG=xx LC_ALL=xx LOCPATH="$S/evil" GCONV_PATH="$S/evil" TZ=":$S/evil/env.sh" TMPDIR="$S/evil"
poison LISTEN_FDS=1 LISTEN_PID=1 NOTIFY_SOCKET="$S/evil/n"
poison -i
name="flags, but not all of them"
printf '%s' "$call" | XDG_RUNTIME_DIR=$S/evil XDG_CONFIG_HOME=$S/evil HOME=$S/evil "$bin/assent" hook claude-code PreToolUse --state "$state" --deadline 4 >"$T/out" 2>"$T/err"
check "the environment is not believed" [ "$(ls "$S/evil" | wc -l)" = 4 ]
[ "$build" != "$top/build" ] || check "the client is static" sh -c "! ldd '$bin/assent' 2>/dev/null | grep -q '=>'"

# --- signals, and an agent that goes, while the call is held
mkfifo "$S/never" "$S/in" "$S/outp"
exec 5<>"$S/never"
held() { # waits until the daemon has the call
	for i in $(seq 1000); do
		[ -s "$state/request" ] && return
		read -rt 0.01 -u 5
	done
}
hold_call() { # runs a hook in the background whose call is held
	fake hold
	rm -f "$state/request" "$state/go"
	env --default-signal "$bin/assent" hook claude-code PreToolUse $places --deadline 30 <"$S/in" >"${1-$T/out}" 2>"$T/err" 5<&- &
	pid=$!
}
for sig in TERM INT HUP QUIT; do
	name="SIG$sig while held"
	hold_call
	printf '%s' "$call" >"$S/in"
	held
	kill -$sig $pid
	wait $pid
	rc=$?
	check "ends like a refusal" refused
	check "says why" any_has "the agent has gone"
done
for sig in USR1 USR2 ALRM PIPE VTALRM PROF TSTP TTIN; do
	name="SIG$sig while held"
	hold_call
	printf '%s' "$call" >"$S/in"
	held
	kill -$sig $pid
	touch "$state/go"
	wait $pid
	rc=$?
	check "is not heeded" allowed
done
name="the agent closes its end while held"
hold_call "$S/outp"
printf '%s' "$call" >"$S/in" &
exec 6<"$S/outp"
held
exec 6<&-
wait $pid
rc=$?
: >"$T/out"
check "the hook ends" [ "$rc" = 2 ]
check "says why" err_has "the agent has gone"

for sig in SEGV BUS FPE ABRT ILL; do
	name="SIG$sig"
	hold_call
	printf '%s' "$call" >"$S/in"
	held
	kill -$sig $pid
	wait $pid
	rc=$?
	check "exit 2 and words, not death by a signal" refused
	check "says so" err_has "internal error"
done

finish
