#!/bin/bash
# Who may answer (set authority tty): a person at a terminal, and no agent or
# anything that an agent started. A stand-in agent ("claude") stands between this
# runner and the hook; terminals are made by script(1).
. "$(dirname "$0")/lib.sh"

scene tty real
: >"$S/config/assent.conf" # the default authority, which is tty
cp "$build/plug/agent" "$bin/claude"
mkfifo "$S/never"
exec 5<>"$S/never"
pause() { read -rt "$1" -u 5; }
open_cards() { "$bin/assent" cards --json $places | grep -o '"id":"[^"]*"' | sed 's/.*:"//; s/"//'; }
asked='{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"git push --force origin main"}}'
printf '%s' "$asked" >"$S/input"

# On a terminal of its own; what it prints in $T/out.
at_terminal() { # COMMAND
	script -qec "$1" "$S/typescript" </dev/null >"$T/out" 2>"$T/err"
	rc=$?
}

# An agent at its own terminal: its hook is held while it does what the script in
# $1 says ($card is in a file).
cat >"$S/agent.sh" <<'AGENT'
cd /tmp
"$bin/assent" hook claude-code PreToolUse $places --deadline 60 <"$S/input" >"$S/held.out" 2>"$S/held.err" &
hook=$!
for i in $(seq 200); do
	card=$("$bin/assent" cards --json $places | grep -o '"id":"[^"]*"' | sed 's/.*:"//; s/"//' | tail -n 1)
	[ -n "$card" ] && break
	sleep 0.02
done
echo "$card" >"$S/card"
eval "$1" >"$S/said" 2>&1
echo $? >"$S/rc"
touch "$S/tried"
wait $hook
echo $? >"$S/held.rc"
AGENT
export bin places S
agent_tries() { # SCRIPT
	rm -f "$S"/card "$S"/said "$S"/rc "$S"/tried "$S"/held.*
	script -qec "'$bin/claude' bash '$S/agent.sh' '$1'" "$S/typescript" </dev/null >/dev/null 2>&1 5<&- &
	agent=$!
	for i in $(seq 300); do
		[ -e "$S/tried" ] && break
		pause 0.02
	done
	card=$(cat "$S/card" 2>/dev/null)
	rc=$(cat "$S/rc" 2>/dev/null)
	cp "$S/said" "$T/out" 2>/dev/null
	: >"$T/err"
}
agent_ends() {
	wait "$agent"
	rc=$(cat "$S/held.rc")
	cp "$S/held.out" "$T/out"
	cp "$S/held.err" "$T/err"
}

try() { # NAME SCRIPT: the agent tries, is refused; then a person rejects
	name=$1
	agent_tries "$2"
	check "(a card is there)" [ -n "$card" ]
	check "is refused" [ "$rc" = 1 ]
	check "says why" out_has "started by a coding agent"
	check "the card is still open" [ "$(open_cards)" = "$card" ]
	at_terminal "'$bin/assent' reject $card --yes $places"
	check "a person at a terminal can answer" rc_is 0
	agent_ends
	check "the agent is told" refused
	"$bin/assent" audit list --json $places >"$T/out"
	check "the attempt is on record" out_has '"kind":"refused"'
	check "with the ancestors" out_has "$bin/claude"
}
try "the agent approves its own call" '"$bin/assent" approve "$card" --yes $places'
try "with --note and --always" '"$bin/assent" approve "$card" --yes --note x $places'
try "through a shell" 'bash -c "sh -c \"$bin/assent approve $card --yes $places; exit \\\$?\"; exit \$?"'
try "on a terminal that the agent makes" 'script -qec "$bin/assent approve $card --yes $places" /dev/null'
try "in a session of its own" 'setsid -w script -qec "$bin/assent approve $card --yes $places" /dev/null'
try "with an environment of its own" 'env -i "$bin/assent" approve "$card" --yes $places'

name="the agent stops the daemon"
agent_tries '"$bin/assent" daemon stop $places'
check "is refused" [ "$rc" = 1 ]
check "says why" out_has "started by a coding agent"
at_terminal "'$bin/assent' approve $card --yes --note fine $places"
check "a person approves" rc_is 0
agent_ends
check "the agent may go on" allowed
check "with the note" out_has "User approved this tool call with feedback: fine"

name="asked at the terminal"
agent_tries 'true; false'
printf 'n\n' | script -qec "'$bin/assent' approve $card $places" "$S/typescript" >"$T/out" 2>"$T/err"
rc=$?
check "no: nothing is answered" rc_is 1
check "says so" out_has "nothing was answered"
check "showed the whole call" out_has "git push --force origin main"
check "the card is still open" [ "$(open_cards)" = "$card" ]
printf 'y\n' | script -qec "'$bin/assent' approve $card $places" "$S/typescript" >"$T/out" 2>"$T/err"
rc=$?
check "yes: approved" rc_is 0
agent_ends
check "the agent may go on" allowed

name="no terminal"
agent_tries 'true; false'
setsid -w "$bin/assent" approve "$card" --yes $places </dev/null >"$T/out" 2>"$T/err"
rc=$?
check "is refused" rc_is 1
check "says why" err_has "no controlling terminal"
at_terminal "'$bin/assent' reject $card --yes $places"
agent_ends

name="a hook tried by hand marks nobody"
cat >"$S/byhand.sh" <<'HAND'
cd /tmp
"$bin/assent" hook claude-code SessionStart <"$S/start"
"$bin/assent" daemon stop
HAND
echo '{"hook_event_name":"SessionStart","session_id":"h","cwd":"/tmp"}' >"$S/start"
mkdir -p "$S/x" && chmod 700 "$S/x"
export XDG_CONFIG_HOME=$S/x XDG_STATE_HOME=$S/x XDG_RUNTIME_DIR=$S/x
at_terminal "'$bin/claude' bash '$S/byhand.sh'"
check "and may answer" out_has "daemon has stopped"

at_terminal "'$bin/assent' daemon stop $places"
name="a person stops the daemon"
check "may" rc_is 0

finish
