#!/bin/bash
# Who may answer: a person at a terminal, never an agent or what it starts. The
# agent here is a shell under another name.
. "$(dirname "$0")/lib.sh"

command -v script >/dev/null || { echo "skipped: no script(1)"; echo "1 passed, 0 failed"; exit 0; }
# The command that replies, and leaves the status in $T/code.
replies() { # ID REPLY
	echo "curl -s --max-time 20 --unix-socket $sock -o $T/reply -w '%{http_code}' -X POST --data-binary '{\"reply\":\"$2\"}' http://assent/v1/cards/$1/reply >$T/code"
}
on_terminal() { script -qec "$1" /dev/null </dev/null >/dev/null 2>&1; }
without_terminal() { setsid sh -c "$1" </dev/null >/dev/null 2>&1; }
# Runs a command as something that the agent starts.
in_agent() { "$S/claude" -c "$1; :" </dev/null >/dev/null 2>&1; }
code_is() { [ "$(cat "$T/code")" = "$1" ]; }
ask() {
	printf '%s' "$call" | sed 's/"ls"/"git push origin main"/' >"$T/call"
	"$bin/assent" hook claude-code PreToolUse $places --deadline 40 <"$T/call" >"$T/out" 2>"$T/err" &
	asked=$!
}
: >"$T/out"
: >"$T/err"

scene person real
: >"$S/config/assent.conf"
cp "$(command -v bash)" "$S/claude"
ask
name="a card"
check "is made" soon has_cards 1
id=$(cards)

name="without a terminal"
without_terminal "$(replies "$id" once)"
check "is refused" code_is 403
check "says why" grep -q "terminal" "$T/reply"
check "changes nothing" has_cards 1

name="a process of the agent, on a terminal of its own"
in_agent "'$bin/assent' hook claude-code PreToolUse $places --deadline 5 <<<'$call'; script -qec \"$(replies "$id" once | sed 's/"/\\"/g')\" /dev/null"
check "is refused" code_is 403
check "says why" grep -q "agent" "$T/reply"
check "changes nothing" has_cards 1
check "is in the audit" soon eval 'api http://assent/v1/audit/export | grep -q "\"kind\":\"refused\".*claude"'

name="the agent after the daemon was killed"
# the same process must be the agent before and after
cat >"$T/inside" <<INSIDE
'$bin/assent' hook claude-code PreToolUse $places --deadline 5 <<<'$call' >/dev/null
kill -9 \$(curl -s --unix-socket $sock http://assent/healthz | sed 's/.*"pid":\([0-9]*\).*/\1/')
for n in \$(seq 500); do
	curl -sf --unix-socket $sock http://assent/healthz >/dev/null && break
	read -rt 0.02 <> <(:) || :
done
script -qec "$(replies "$id" once | sed 's/"/\\"/g')" /dev/null
:
INSIDE
"$S/claude" "$T/inside" </dev/null >/dev/null 2>&1
check "is still refused" code_is 403
check "says why" grep -q "agent" "$T/reply"

name="an agent's process that stops the daemon"
in_agent "'$bin/assent' hook claude-code PreToolUse $places --deadline 5 <<<'$call'; script -qec 'curl -s --unix-socket $sock -o $T/reply -w %{http_code} -X POST http://assent/v1/daemon/stop >$T/code' /dev/null"
check "is refused" code_is 403
check "leaves it running" [ -n "$(pid_of)" ]

name="a person on a terminal"
check "still finds the card" soon has_cards 1
on_terminal "$(replies "$(cards)" once)"
check "is taken" code_is 200
wait "$asked"
rc=$?
check "allows the call" allowed
check "is in the audit with the level" eval 'api http://assent/v1/audit/export | grep -q "pts.*\"level\":\"tty\""'

name="a faulty file"
echo "set authority none nonsense" >"$S/config/assent.conf"
ask
soon has_cards 1
without_terminal "$(replies "$(cards)" once)"
check "does not open anything" code_is 403
name="passphrase"
echo "set authority passphrase" >"$S/config/assent.conf"
on_terminal "$(replies "$(cards)" once)"
check "is refused while it is not built" code_is 403
check "says so" grep -q "passphrase" "$T/reply"
name="none"
echo "set authority none" >"$S/config/assent.conf"
without_terminal "$(replies "$(cards)" reject)"
check "lets anybody answer" code_is 200
wait "$asked"

name="a hook that is tried by hand"
mkdir -p "$S/x"
export XDG_CONFIG_HOME=$S/x/config XDG_STATE_HOME=$S/x/state XDG_RUNTIME_DIR=$S/x/run
mkdir -p -m 700 "$S/x/config/assent" "$S/x/state/assent" "$S/x/run/assent"
sock=$S/x/run/assent/sock
start='{"session_id":"s1","cwd":"/tmp","hook_event_name":"SessionStart","source":"startup"}'
in_agent "'$bin/assent' hook claude-code SessionStart <<<'$start'; script -qec 'curl -s --unix-socket $sock -o $T/reply -w %{http_code} -X POST http://assent/v1/daemon/stop >$T/code' /dev/null"
check "marks nobody" code_is 202
finish
