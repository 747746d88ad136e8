#!/bin/sh
# The hook's client against /bin/true, with a warm daemon: hook.sh [ROUNDS, 300]
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
places=$(mktemp -d "${TMPDIR:-/tmp}/assent-bench.XXXXXX")
flags="--config=$places/config --state=$places/state --socket=$places/sock"
finish() {
	"$top/build/assent" daemon stop $flags >/dev/null 2>&1 || :
	rm -rf "$places"
}
trap finish EXIT
trap 'exit 130' INT TERM
mkdir -p "$places/config" "$places/state"
chmod 700 "$places" "$places/config" "$places/state"
mkdir -p "$places/project/.git/objects" "$places/project/.git/refs"
echo "ref: refs/heads/main" >"$places/project/.git/HEAD"
echo "set authority none" >"$places/config/assent.conf"
"$top/build/assent" daemon start $flags >/dev/null
cd "$places/project"
echo "the hook's client, medians of ${1:-300} runs"
"$top/build/bench/hook" "${1:-300}" "$top/build/assent" $flags --deadline 3
