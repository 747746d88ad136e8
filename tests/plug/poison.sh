#!/bin/bash
# A call that kills the daemon while it is read: the second time it is never read
# again, and the others go on. Dying is played by writing the slot's file.
. "$(dirname "$0")/lib.sh"

scene poison real
mkdir "$S/project"
here=${call/\/tmp/$S\/project}
length() { printf "$(printf '\\x%02x' "${#1}")\\0\\0\\0\\0\\0\\0\\0"; }
# The digest of tool and input, as the daemon makes it.
digest() { # NAME VALUE...
	for part in "$@"; do
		length "$part"
		printf '%s' "$part"
	done | sha256sum | cut -d' ' -f1
}
stop() {
	local p
	p=$(api http://assent/healthz | sed 's/.*"pid":\([0-9]*\).*/\1/')
	api -o /dev/null -X POST http://assent/v1/daemon/stop
	while kill -0 "$p" 2>/dev/null; do :; done
}
# As if the daemon had died while it read the call.
die_reading() {
	stop
	printf '\1\0\0\0%s' "$1" | dd of="$state/trial" conv=notrunc 2>/dev/null
}
: >"$T/out"
bad=$(digest tool_name '"Bash"' tool_input '{"command":"ls"}')

name="a call"
hook PreToolUse "$here"
check "is decided" allowed
check "leaves no trace" [ "$(tr -d '\0' <"$state/trial" | wc -c)" = 0 ]
die_reading "$bad"
hook PreToolUse "$here"
check "is read again after one death" allowed
check "is not quarantined" [ "$(api http://assent/v1/status | grep -c "$bad")" = 0 ]
die_reading "$bad"
hook PreToolUse "$here"
check "is not read again after two" refused
check "says why" out_has "could not judge"
check "is shown" [ "$(api http://assent/v1/status | grep -c "\"quarantined\":\\[\"$bad\"")" = 1 ]
hook PreToolUse "${here/\"t1\"/\"another id\"}"
check "nor under another id" refused
hook PreToolUse "${here/\"ls\"/\"ls -l\"}"
check "does not stop others" allowed
stop
hook PreToolUse "$here"
check "not after a restart" refused
check "lifting what is not there" [ "$(api -o /dev/null -w '%{http_code}' -X POST http://assent/v1/quarantine/abc/lift)" = 404 ]
check "is lifted by a person" [ "$(api -o /dev/null -w '%{http_code}' -X POST "http://assent/v1/quarantine/$bad/lift")" = 200 ]
hook PreToolUse "$here"
check "and is decided again" allowed
stop
hook PreToolUse "$here"
check "also after a restart" allowed
check "is in the audit" [ "$(api http://assent/v1/audit/export | grep -c '"kind":"quarantine"')" -ge 1 ]
finish
