#!/bin/sh
# The daemon over its socket: decisions a second, its memory at rest and for each
# held call. Scratch places, a daemon of its own.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=${ASSENT_BUILD:-$top/build}
places=$(mktemp -d "${TMPDIR:-/tmp}/assent-bench.XXXXXX")
sock=$places/sock
pid=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || :
	rm -rf "$places"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir -p "$places/config" "$places/state" "$places/project" "$places/home"
chmod 700 "$places" "$places/config" "$places/state"
echo 'set authority none' >"$places/config/assent.conf"
"$build/assentd" --home "$places/home" --config "$places/config" --state "$places/state" --socket "$sock" 2>/dev/null &
pid=$!
for n in 1 2 3 4 5 6 7 8 9 10; do
	[ -S "$sock" ] && break
	sleep 0.1
done

private_kib() {
	awk '/^Private_(Clean|Dirty|Hugetlb)/ { n += $2 } END { print n }' "/proc/$pid/smaps_rollup"
}
load() {
	"$build/bench/socket" "$sock" "$@"
}

# processor time of the daemon so far, in microseconds
spent() {
	awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($12 + $13) * 1000000 / hz) }' "/proc/$pid/stat"
}

load decide 1 1 'ls -la' "$places/project" >"$places/warm"
rest=$(private_kib)
printf '%-44s %s\n' "memory at rest, private (goal 12288)" "$rest KiB"
rate() { # WHAT CONNECTIONS [fresh]
	before=$(spent)
	load decide "$2" 3 'ls -la' "$places/project" $3 >"$places/said"
	used=$(($(spent) - before))
	awk -v what="$1" -v used=$used '/^decisions/ { rate = $2 } /^all/ { all = $2 }
		END { printf "%-44s %s, %d us of the daemon each\n", what, rate, used / all }' "$places/said"
}
rate "decisions a second, 1 connection" 1 ""
rate "decisions a second, 16 connections" 16 ""
rate "decisions a second, 64 connections" 64 ""
rate "the same, in two rounds as a hook does" 64 fresh
echo "(goal 15000 on two cores that nothing else uses; the client runs on them, too)"

count=${ASSENT_BENCH_HELD:-10000}
mkfifo "$places/go"
load hold "$count" 'git push origin main' "$places/project" <"$places/go" >"$places/held" &
holder=$!
exec 9>"$places/go"
for n in $(seq 600); do
	[ -s "$places/held" ] && break
	sleep 0.1
done
cat "$places/held"
held=$(private_kib)
echo >&9
exec 9>&-
wait "$holder" || :
printf '%-44s %s\n' "memory with $count held (goal 131072)" "$held KiB"
printf '%-44s %s\n' "for each held call" "$(((held - rest) * 1024 / count)) bytes"
