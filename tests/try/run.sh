#!/bin/sh
# Plays the session of tests/try/session.jsonl in scratch folders, with a daemon
# of its own: run.sh [SECONDS that the last card stays open, 0]
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-0}
places=$(mktemp -d "${TMPDIR:-/tmp}/assent-try.XXXXXX")
project=$places/project
assent=$top/build/assent
flags="--config=$places/config --state=$places/state --socket=$places/sock"

finish() {
	"$assent" daemon stop $flags >/dev/null 2>&1 || :
	rm -rf "$places"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Replies come from this script and not from a terminal: scratch folders only.
mkdir -p "$places/config" "$places/state" "$project/src" "$project/build"
chmod 700 "$places" "$places/config" "$places/state"
echo "set authority none" >"$places/config/assent.conf"

cd "$project"
echo 'int main(void) { return 1; } /* TODO */' >src/main.c
printf 'API_KEY=not-a-real-key\n' >.env
printf 'test:\n\t@echo tested\n' >Makefile
echo '*.o' >.gitignore
git init -q -b main .
git -c user.name=Try -c user.email=try@example.com add -A
git -c user.name=Try -c user.email=try@example.com commit -q -m start

"$assent" daemon start $flags
"$top/build/session" "$assent" "$places" "$top/tests/try/session.jsonl" "$project" "$seconds" || failed=1

# One judged call, when there is a model: as the user's own file names it, or a
# server of this machine.
own=${XDG_CONFIG_HOME:-$HOME/.config}/assent/assent.conf
if grep -q '^set judge\.provider' "$own" 2>/dev/null; then
	grep '^set judge\.' "$own" >>"$places/config/assent.conf"
	judge=1
elif "$assent" setup --local --yes $flags >/dev/null 2>&1; then
	judge=1
fi
say() { # EVENT MEMBERS
	printf '{"session_id":"judged","cwd":"%s","hook_event_name":"%s",%s}' "$project" "$1" "$2" |
		"$assent" hook claude-code "$1" $flags --deadline 60 >/dev/null || :
}
echo
if [ -n "${judge:-}" ]; then
	echo "A call that the model judges: make test, after the user said \"Please run the tests.\""
	say UserPromptSubmit '"prompt":"Please run the tests."'
	say PreToolUse '"tool_name":"Bash","tool_use_id":"j1","tool_input":{"command":"make test"}'
	"$assent" audit list --session judged $flags | tail -n 1
else
	echo "No model is configured, so what the rules leave open waits for a person (assent setup chooses one)."
fi
"$assent" audit verify $flags || failed=1
[ -z "${failed:-}" ]
