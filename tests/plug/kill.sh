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
stopped() { # AT SECONDS WORDS
	scene stopped fake
	fake "stop-$1"
	deadline=$2
	refuses "stopped at $1" "$3"
}
no_accept() {
	scene deaf fake
	fake no-accept
	deadline=4
	refuses "takes no connections" "does not answer"
	name="takes no connections, neutral event"
	hook PostToolUse '{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}'
	check "is neutral" neutral
	check "says why" err_has "does not answer"
}
for at in continue read answer head body; do
	apart "$at" stopped "$at" 2 "in time"
done
for at in accept request; do
	apart "$at" stopped "$at" 6 "does not answer"
done
apart deaf no_accept
joined

finish
