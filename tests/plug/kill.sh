#!/bin/bash
# A daemon that is killed or stopped at each step of a call.
. "$(dirname "$0")/lib.sh"

scene kill fake
for at in accept request continue read answer head body; do
	fake "kill-$at"
	deadline=8
	rm -f "$state/starts"
	end_daemons
	name="killed at $at, each time"
	hook PreToolUse
	check "is refused" refused
	check "says so" any_has "no decision could be made"
	fake "kill-$at once"
	name="killed at $at, once"
	hook PreToolUse
	check "another one answers" allowed
done
for at in continue read answer head body; do
	end_daemons
	fake "stop-$at"
	deadline=2
	name="stopped at $at"
	hook PreToolUse
	check "is refused" refused
	check "says so" any_has "in time"
done
for at in accept request; do
	end_daemons
	fake "stop-$at"
	deadline=6
	name="stopped at $at"
	hook PreToolUse
	check "is refused" refused
	check "says so" any_has "does not answer"
done
end_daemons
fake no-accept
deadline=4
refuses "takes no connections" "does not answer"
name="takes no connections, neutral event"
hook PostToolUse '{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}'
check "is neutral" neutral
check "says why" err_has "does not answer"

finish
