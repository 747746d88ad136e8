#!/bin/bash
# Real agents against a scripted model: see README.md here.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
version=${CLAUDE_VERSION:-2.1.332}
pkgs=$top/build/real/claude-$version
skip() {
	echo "skipped: $1"
	exit 0
}

if [ "${ASSENT_REAL:-}" != inside ]; then
	command -v node >/dev/null || skip "node is not installed, so no real agent can be run"
	[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || skip "node is older than 18"
	if [ -n "${ASSENT_CLIENTS:-}" ] && [ -e "$ASSENT_CLIENTS/pkgs/claude/node_modules/.bin/claude" ]; then
		pkgs=$ASSENT_CLIENTS/pkgs/claude
	elif [ ! -e "$pkgs/node_modules/.bin/claude" ]; then
		command -v npm >/dev/null || skip "npm is not installed, so no real agent can be fetched"
		mkdir -p "$pkgs"
		echo '{"private":true}' >"$pkgs/package.json"
		registry=$(npm config get registry)
		(cd "$pkgs" && env -i PATH="$PATH" HOME="$pkgs" NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-}" \
			npm_config_registry="$registry" npm_config_update_notifier=false npm_config_fetch_retries=1 npm_config_fetch_timeout=30000 \
			timeout 300 npm install --no-audit --no-fund "@anthropic-ai/claude-code@$version") >"$pkgs/npm.log" 2>&1 ||
			skip "npm cannot fetch claude-code $version (see $pkgs/npm.log)"
	fi
	[ -e "$pkgs/node_modules/.bin/claude" ] || skip "claude-code $version is not what npm installed"
	export ASSENT_REAL=inside ASSENT_REAL_CLAUDE=$pkgs/node_modules/.bin/claude
	# All that a run leaves behind ends with the namespace.
	if unshare -n -m -p --fork --mount-proc true 2>/dev/null; then
		exec unshare -n -m -p --fork --kill-child --mount-proc --propagation private "$0" "$@"
	fi
	echo "no namespace can be made here: the agent is kept on loopback by its configuration only"
fi
ip link set lo up 2>/dev/null || :
exec node "$here/run.mjs" "$top" "$@"
