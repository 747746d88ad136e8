#!/bin/sh
# A judged call above the bare call of its provider, and a thousand of them at
# once; the provider is the scripted server of tests/model.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${ASSENT_BUILD:-$top/build}
places=$(mktemp -d "${TMPDIR:-/tmp}/assent-bench.XXXXXX")
pid=
finish() {
	[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || :
	rm -rf "$places"
}
trap finish EXIT
trap 'exit 130' INT TERM

echo '* => allow low fine' >"$places/script"
"$build/model" "$places" &
pid=$!
for n in 1 2 3 4 5 6 7 8 9 10; do
	[ -s "$places/port" ] && break
	sleep 0.1
done
address=http://127.0.0.1:$(cat "$places/port")
"$build/bench/judge" "$address"
echo '* => wait 1000 allow low fine' >"$places/script"
"$build/bench/judge" "$address" 1000 256
echo "(256 is the most that judge.parallel allows; the others wait their turn)"
"$build/bench/judge" "$address" 1000 1000
echo "(all of them at the provider)"
