#!/bin/bash
# A disk that is full: refusals go out, allows never; when there is room again
# the daemon goes on.
if [ "${1-}" != inside ]; then
	unshare -rm true 2>/dev/null || { echo "skipped: no mount namespaces here"; echo "1 passed, 0 failed"; exit 0; }
	exec unshare -rm bash "$0" inside
fi
. "$(dirname "$0")/lib.sh"

scene full real
mount -t tmpfs -o size=1m,mode=700 tmpfs "$state" || { echo "skipped: no tmpfs here"; echo "1 passed, 0 failed"; exit 0; }
: >"$T/out"
: >"$T/err"
mkdir "$S/project"
call=${call/\/tmp/$S\/project}
health() { curl -s --unix-socket "$sock" http://assent/healthz; }

name="room enough"
hook PreToolUse
check "is allowed" allowed
was_allowed=$(grep -c '"allow"' "$T/out")
name="a full disk"
dd if=/dev/zero of="$state/fill" bs=4k 2>/dev/null
wrong=0
for i in $(seq 60); do
	hook PreToolUse "${call/\"t1\"/\"f$i\"}"
	allowed && wrong=$((wrong + 1))
done
check "is refused in the end" refused
check "says so" any_has "record"
recording=$(health)
check "shows it" grep -q '"recording":false' <<<"$recording"
name="floor"
refuses "a refusal is still a refusal" "" "${call/\"ls\"/\"rm -rf /\"}"
name="room again"
rm -f "$state/fill"
for i in 1 2 3 4 5; do
	hook PreToolUse "${call/\"t1\"/\"g$i\"}"
done
check "is answered as before" [ "$(grep -c '"allow"' "$T/out")" = "$was_allowed" ]
records() { grep -q '"recording":true' <<<"$(health)"; }
check "records" soon records
curl -s --unix-socket "$sock" http://assent/v1/audit/verify >"$T/out"
check "proves" grep -q '"result":"consistent"' "$T/out"
end_daemons
umount -l "$state"
finish
