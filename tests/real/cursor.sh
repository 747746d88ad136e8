#!/bin/bash
# Cursor's own local runtime (its public SDK) with the filter between it and a
# scripted gateway: see README.md here.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${ASSENT_BUILD:-$top/build}
version=${CURSOR_SDK_VERSION:-1.0.32}
hold=${ASSENT_HOLD:-60}
pkgs=$top/build/real/cursor-$version
skip() {
	echo "skipped: $1"
	exit 0
}

if [ "${ASSENT_REAL:-}" != inside ]; then
	command -v node >/dev/null || skip "node is not installed, so no real agent can be run"
	[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || skip "node is older than 18"
	if [ -n "${ASSENT_CLIENTS:-}" ] && [ -e "$ASSENT_CLIENTS/pkgs/cursor/node_modules/@cursor/sdk" ]; then
		pkgs=$ASSENT_CLIENTS/pkgs/cursor
	elif [ ! -e "$pkgs/node_modules/@cursor/sdk" ]; then
		command -v npm >/dev/null || skip "npm is not installed, so no real agent can be fetched"
		mkdir -p "$pkgs"
		echo '{"private":true}' >"$pkgs/package.json"
		registry=$(npm config get registry)
		(cd "$pkgs" && env -i PATH="$PATH" HOME="$pkgs" NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-}" \
			npm_config_registry="$registry" npm_config_update_notifier=false npm_config_fetch_retries=1 npm_config_fetch_timeout=30000 \
			timeout 300 npm install --no-audit --no-fund "@cursor/sdk@$version") >"$pkgs/npm.log" 2>&1 ||
			skip "npm cannot fetch @cursor/sdk $version (see $pkgs/npm.log)"
	fi
	[ -e "$pkgs/node_modules/@cursor/sdk" ] || skip "@cursor/sdk $version is not what npm installed"
	export ASSENT_REAL=inside ASSENT_REAL_CURSOR=$pkgs
	# All that a run leaves behind ends with the namespace.
	if unshare -n -m -p --fork --mount-proc true 2>/dev/null; then
		exec unshare -n -m -p --fork --kill-child --mount-proc --propagation private "$0" "$@"
	fi
	echo "no namespace can be made here: the agent is kept on loopback by its configuration only"
fi
ip link set lo up 2>/dev/null || :
pkgs=$ASSENT_REAL_CURSOR
T=$(mktemp -d "${TMPDIR:-/tmp}/assent-cursor.XXXXXX")
passed=0
failed=0
pids=
cleanup() {
	for p in $pids; do kill "$p" 2>/dev/null; done
	[ -n "${KEEP:-}" ] && echo "kept: $T" || rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

check() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name: $what"
		cut -c 1-300 "$S/gateway" "$S/client" 2>/dev/null | sed 's/^/    /' | tail -n 20
	fi
}
said() { grep -qF -- "$1" "$S/gateway"; }
there() { [ -e "$S/home/project/$1" ]; }
not() { ! "$@"; }

wait_file() { # FILE
	for _ in $(seq 400); do
		[ -s "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# Fresh places, a gateway that plays CALL..., the filter, and the client.
# JUDGE is real (the daemon decides) or a folder for the stand-in.
play() { # NAME JUDGE CALL...
	name=$1
	S=$T/$1
	local judge=$2
	shift 2
	mkdir -p "$S/home/project/src" "$S/home/.config/assent" "$S/bin" "$S/state" "$S/run"
	chmod 700 "$S/home/.config/assent" "$S/state" "$S/run"
	echo "set authority none" >"$S/home/.config/assent/assent.conf"
	cp "$build/assent" "$build/assentd" "$build/assent-proxy" "$S/bin/"
	places="--config=$S/home/.config/assent --state=$S/state --socket=$S/run/sock --home=$S/home"
	[ -z "${hooks:-}" ] || "$S/bin/assent" install cursor --yes $places >"$S/install" 2>&1
	"$build/cursor/gateway" "$S/home/project" "$S/gateway.port" "$@" >"$S/gateway" 2>&1 &
	local gateway=$!
	pids="$pids $gateway"
	wait_file "$S/gateway.port" || return 1
	if [ "$judge" = real ]; then
		"$S/bin/assent" proxy cursor --listen 127.0.0.1:0 --upstream "http://127.0.0.1:$(cat "$S/gateway.port")" \
			--port-file "$S/port" $places >"$S/proxy" 2>&1 &
	else
		"$build/assent-proxy" cursor --listen 127.0.0.1:0 --upstream "http://127.0.0.1:$(cat "$S/gateway.port")" \
			--port-file "$S/port" --client "$build/plug/cursorjudge" --state "$judge" >"$S/proxy" 2>&1 &
	fi
	pids="$pids $!"
	wait_file "$S/port" || return 1
	local base="http://127.0.0.1:$(cat "$S/port")" node
	node=$(command -v node)
	(cd "$S/home/project" && env -i PATH="$(dirname "$node"):/usr/local/bin:/usr/bin:/bin" HOME="$S/home" USER=dev LOGNAME=dev SHELL=/bin/bash \
		LANG=C.UTF-8 TERM=xterm-256color TMPDIR="$S" CURSOR_BACKEND_URL="$base" CURSOR_WEBSITE_URL="$base" AUTO_REVIEW="${auto:-1}" \
		CURSOR_RIPGREP_PATH="$pkgs/node_modules/@cursor/sdk-linux-x64/bin/rg" \
		timeout $((hold + 60)) node "$here/cursor.mjs" "$pkgs" ${mcp:+"$mcp"} >"$S/client" 2>&1)
	(sleep 3; kill "$gateway" 2>/dev/null) &
	wait "$gateway" 2>/dev/null
}

# A call that is held for a long time, beside the others; one that is taken back.
(
	mkdir -p "$T/judge"
	(sleep "$hold" && printf '{"decision":"allow","reason":"fine"}\n' >"$T/judge/new" && mv "$T/judge/new" "$T/judge/answer.call-2") &
	(for _ in $(seq 2400); do [ -e "$T/judge/asked.call-3" ] && break; sleep 0.05; done
	sleep 2; printf '{"decision":"allow","reason":"fine"}\n' >"$T/judge/newer" && mv "$T/judge/newer" "$T/judge/answer.call-3") &
	play held "$T/judge" "shell:touch held" "abort:touch aborted"
) &
held=$!

play reviewed real "shell:ls" "shell:echo hi > made" "fetch:https://docs.python.org/3/" "shell:git push --force" "shell:rm -rf /" "shell:cat ~/.ssh/id_rsa"
check "a read runs with no card" said "shell:ls: ran"
check "ordinary work runs" said "shell:echo hi > made: ran"
check "and did run" there made
check "documentation is fetched" said "fetch:https://docs.python.org/3/: approved"
check "what is blocked does not run" said "shell:git push --force: rejected"
check "what may never run is refused, with the reason" said "shell:rm -rf /: rejected: it deletes the root of the file system"
check "a secret is not read" said "shell:cat ~/.ssh/id_rsa: rejected"
check "the run ends well" grep -q '"status":"finished"' "$S/client"

auto=0 play off real "shell:ls" "shell:touch made"
check "another run mode decides by itself" said "shell:touch made: ran"
check "and nothing was asked" not test -e "$S/state/assent.db"

auto=0 hooks=1 play hooked real "shell:ls" "shell:touch made" "shell:rm -rf /"
check "hooks let reads through" said "shell:ls: ran"
check "and ordinary work" said "shell:touch made: ran"
check "but not what may never run" said "shell:rm -rf /: rejected"
check "with the reason" said "it deletes the root of the file system"
"$S/bin/assent" audit list $places >"$S/audit" 2>&1
check "which is on record" grep -q "deny *floor" "$S/audit"
"$S/bin/assent" daemon stop $places >/dev/null 2>&1

wait "$held"
name=held S=$T/held
check "a call that is held for $hold s runs at last" said "shell:touch held: ran"
check "and did run" there held
check "one that was taken back is" said "abort:touch aborted: taken back"
check "and never ran" not there aborted

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
