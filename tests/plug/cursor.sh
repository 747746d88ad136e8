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
play "shell:ls src" "fetch:https://docs.python.org/3/" "shell:rm -rf /" "shell:cat ~/.ssh/id_rsa" "shell:rm -rf ~/Documents/old" \
	"mcp:note" "asked:make all" "rejected:git push --force" "unreviewed:46"
check "plays" rc_is 0
check "reads run" out_has "shell:ls src: skip_approval"
check "documentation is fetched" out_has "fetch:https://docs.python.org/3/: skip_approval"
check "the floor refuses" out_has "shell:rm -rf /: rejected upstream: it deletes the root of the file system"
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

name="the record"
"$bin/assent" audit list $places >"$T/out" 2>"$T/err"
check "has the outcome" out_has "rejected at the agent's own card"
check "has what was not reviewed" out_has "not reviewed"
finish
