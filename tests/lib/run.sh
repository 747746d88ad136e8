#!/bin/sh
# libassent as another program sees it: the installed header, pkg-config file and
# libraries, and nothing but assent_* in them.
set -eu
cd "$(dirname "$0")/../.."
make -s library
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
passed=0 failed=0
say() { # name, what it returned
	if [ "$2" = 0 ]; then passed=$((passed + 1)); else
		failed=$((failed + 1)); echo "library: $1"; fi
}
try() { name=$1; shift; if "$@" > "$to/log" 2>&1; then say "$name" 0; else
	say "$name" 1; cat "$to/log"; fi; }

make -s install-library DESTDIR="$to" PREFIX=/usr
export PKG_CONFIG_PATH="$to/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$to"
version=$(sed -n 's/.*BASE_VERSION "\(.*\)"/\1/p' src/base/version.h)
try "pkg-config knows the version" pkg-config --exact-version="$version" assent
try "the header alone, C11" cc -std=c11 -pedantic -Wall -Wextra -Werror \
	-fsyntax-only -x c "$to/usr/include/assent/assent.h"
try "a program, shared" cc -std=c11 -Wall -Wextra -Werror -o "$to/shared" \
	tests/lib/host.c $(pkg-config --cflags --libs assent) -lpthread
try "a program, static" cc -std=c11 -Wall -Wextra -Werror -o "$to/static" \
	tests/lib/host.c $(pkg-config --cflags assent) \
	"$to/usr/lib/libassent.a" -ljansson -lpthread
try "runs, shared" env LD_LIBRARY_PATH="$to/usr/lib" "$to/shared"
try "runs, static" "$to/static"

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/library.md > "$to/example.c"
try "the document's example" cc -std=c11 -Wall -Wextra -Werror -o "$to/example" \
	"$to/example.c" $(pkg-config --cflags --libs assent)
try "it runs" env LD_LIBRARY_PATH="$to/usr/lib" sh -c \
	"\"$to/example\" | grep -q '\"verdict\":\"allow\",\"by\":\"rule\"'"

shown() { nm "$@" | awk 'NF == 3 && $2 ~ /[A-Z]/ && $2 != "U" && $3 !~ /^assent_/'; }
for file in "-D $to/usr/lib/libassent.so" "-g $to/usr/lib/libassent.a"; do
	# shellcheck disable=SC2086
	others=$(shown --defined-only $file)
	[ -z "$others" ] && r=0 || r=1
	say "only assent_* is shown in ${file##*/}: $others" $r
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
