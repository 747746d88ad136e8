#!/bin/bash
# A daemon that cuts, stalls or lies: nothing but a whole, right answer passes.
. "$(dirname "$0")/lib.sh"

scene lies fake
deadline=3

name="an honest answer"
fake allow
hook PreToolUse
check "is passed on" allowed
check "nothing on stderr" [ ! -s "$T/err" ]

for at in accept request continue read head body; do
	fake "cut-$at"
	refuses "cut at $at" "lost"
	fake "cut-$at once"
	name="cut at $at once"
	hook PreToolUse
	check "is asked again" allowed
done

deadline=1
for at in continue read answer head body; do
	fake "stall-$at"
	refuses "stalls at $at" "time"
done
deadline=6
for at in accept request; do
	fake "stall-$at"
	refuses "stalls at $at" "does not answer"
done
deadline=3

for lie in status-500 status-204 status-0 http-10 garbage wrong-key no-key \
	kind-maybe kind-none stdout-less stdout-more stdout-minus exit-1 exit-256 \
	length-less length-more length-minus length-huge no-length two-lengths \
	chunked bad-field dup-member not-json huge need-forever early-413 503; do
	fake "$lie"
	refuses "lie: $lie" "no decision could be made"
	name="lie on a neutral event: $lie"
	hook SessionStart '{"hook_event_name":"SessionStart","session_id":"s"}'
	check "is neutral" neutral
done

fake 503
name="the daemon's own words"
hook PreToolUse
check "reach the agent" any_has "the fake daemon says no"

# PermissionRequest heeds JSON only
fake status-500
name="PermissionRequest"
hook PermissionRequest "${call/PreToolUse/PermissionRequest}"
check "denied as JSON" refused
check "exit 0" rc_is 0
check "words" out_has "the daemon answered with status 500"

finish
