#!/bin/bash
# The judge as a whole process: every API, what can go wrong, and the child that
# asks: killed, stuck, orphaned.
. "$(dirname "$0")/lib.sh"
deadline=20
calls=0

shell() { # COMMAND: the call
	calls=$((calls + 1)) # of sessions of their own: no call is in another's history
	call='{"session_id":"s'$calls'","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"'$1'"}}'
}
denied() { refused && any_has "$1"; }
model_start

for kind in openai openai_responses anthropic ollama llamacpp vllm; do
	name=$kind
	scene "$kind" real
	judged_by "$kind"
	model_says 'one => allow low fine' 'two => deny critical it-wipes-all' '* => whole allow low fine'
	shell "make one"
	hook PreToolUse
	check "allows" allowed
	shell "make two"
	hook PreToolUse
	check "denies" denied it-wipes-all
	shell "make three"
	hook PreToolUse
	check "allows without a stream" allowed
	end_daemons
done
finish
