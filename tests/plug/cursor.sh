#!/bin/bash
# The filter for Cursor with the real daemon and the real client behind it: a
# scripted client and a scripted gateway (tests/cursor/) play a run each.
. "$(dirname "$0")/lib.sh"

scene cursor real
ln "$build/assent-proxy" "$bin/assent-proxy" 2>/dev/null || cp "$build/assent-proxy" "$bin/assent-proxy"
mkdir -p "$S/proj/src"

# Plays "KIND ARGUMENT" calls in one run; prints what the client and the gateway see.
play() {
	"$build/cursor/play" "$bin/assent" "$S/proj" $places -- "$@" >"$T/out" 2>"$T/err"
	rc=$?
}

name="read-only shell, fetch and MCP"
play "shell:ls src" "fetch:https://docs.python.org/3/" "refused:rm -rf /" "shell:cat ~/.ssh/id_rsa" "shell:rm -rf ~/Documents/old" \
	"mcp:note" "asked:make all" "rejected:git push --force" "unreviewed:46"
check "plays" rc_is 0
check "reads run" out_has "shell:ls src: skip_approval"
check "documentation is fetched" out_has "fetch:https://docs.python.org/3/: skip_approval"
check "the floor refuses" out_has "refused:rm -rf /: rejected upstream: it deletes the root of the file system"
check "a credential read shows a card" out_has "shell:cat ~/.ssh/id_rsa: card: "
check "a delete elsewhere shows a card" out_has "shell:rm -rf ~/Documents/old: card: "
check "an MCP write shows a card" out_has "mcp:note: card: "
check "what was asked for passes" out_has "asked:make all: unchanged"
check "the card's outcome" out_has "rejected:git push --force: card: "
check "kinds not reviewed pass" out_has "unreviewed:46: unchanged"

name="the queue"
"$bin/assent" cards $places --json >"$T/out" 2>"$T/err"
check "shows what Cursor asks" out_has '"elsewhere":true'
check "and offers no reply" out_has '"replies":[]'
id=$(jq -r '.cards[0].id' "$T/out")
"$bin/assent" approve "$id" --yes $places >"$T/out" 2>"$T/err"
check "is read-only" any_has "answered there"

"$bin/assent" cards $places >"$T/out" 2>"$T/err"
check "and says where it is answered" out_has "answered in the agent's own card"

name="the record"
"$bin/assent" audit list $places >"$T/out" 2>"$T/err"
check "has the outcome" out_has "rejected at the agent's own card"
check "has what was not reviewed" out_has "not reviewed"
name="install"
mkdir -p "$S/home/.cursor"
printf '{"version":1,\n "hooks": {"stop":[{"command":"x"}], "newThing":[]}}\n' >"$S/home/.cursor/hooks.json"
cp "$S/home/.cursor/hooks.json" "$T/before"
"$bin/assent" install cursor --yes $places --home "$S/home" >"$T/out" 2>"$T/err"
check "warns of an event that Cursor may not know" out_has newThing
for e in preToolUse beforeShellExecution beforeReadFile beforeMCPExecution; do
	check "$e fails closed" jq -e --arg e "$e" '.hooks[$e][0] | .failClosed and .timeout == 600' "$S/home/.cursor/hooks.json" >/dev/null
done
printf '{"conversation_id":"c","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"rm -rf /","cwd":"%s"},"workspace_roots":["%s"]}' "$S/proj" "$S/proj" |
	sh -c "$(jq -r '.hooks.preToolUse[0].command' "$S/home/.cursor/hooks.json")" >"$T/out" 2>"$T/err"
check "the line runs, and refuses" out_has '"permission":"deny"'
"$bin/assent" install cursor --yes $places --home "$S/home" >"$T/out" 2>"$T/err"
check "twice changes nothing" out_has "Nothing to do"
"$bin/assent" uninstall cursor --yes $places --home "$S/home" >"$T/out" 2>"$T/err"
check "and out again, to the byte" cmp -s "$T/before" "$S/home/.cursor/hooks.json"
finish
