#!/bin/bash
# The judge as whole processes: every API, what can go wrong on the way, and the
# child that asks: killed, stuck, orphaned.
. "$(dirname "$0")/lib.sh"
deadline=20

# Each call has a session of its own: nothing of it stands in another's prompt.
calls=0
shell() { # COMMAND: the call
	calls=$((calls + 1))
	call='{"session_id":"s'$calls'","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"'$1'"}}'
}
# Nobody attends, so that what cannot be judged is refused at once, with words.
alone() { # NAME KIND [LINE...]
	scene "$1" real
	shift
	judged_by "$@" "set tier passive"
	: >"$M/log"
}
asks() { # COMMAND
	shell "$1"
	hook PreToolUse
}
# Runs the hook and does not wait for it: $held is the client.
holds() { # COMMAND
	shell "$1"
	printf '%s' "$call" >"$T/input"
	"$bin/assent" hook claude-code PreToolUse $places --deadline "$deadline" <"$T/input" >"$T/out" 2>"$T/err" &
	held=$!
}
denied() { refused && any_has "$1"; }
child() { ps -o pid=,args= --ppid "$(pid_of)" | sed -n 's/^ *\([0-9]*\) assentd: llm.*/\1/p'; }
has_child() { [ -n "$(child)" ]; }
has_another() { has_child && [ "$(child)" != "$1" ]; }
gone() { ! kill -0 "$1" 2>/dev/null; }
flying() { curl -s --max-time 5 "$model_url/stats" | grep -qF "\"flying\":$1,"; }
logged() { grep -qF -- "$1" "$M/log"; }
gone_folder() { [ -s "$T/folder" ] && [ ! -e "$(cat "$T/folder")" ]; }
journal_has() { grep -qF -- "$1" "$state/assentd.log"; }

model_start

for kind in openai openai_responses anthropic ollama llamacpp vllm; do
	name=$kind
	alone "$kind" "$kind"
	model_says 'make t1 => allow low fine' 'make t2 => deny critical it-wipes-all' \
		'make t3 => whole allow low fine' 'make t4 => think hm tail allow low fine' \
		'1x make t5 => refuse' 'make t5 => tool' 'make t6 => length allow low fine'
	asks "make t1"
	check "allows" allowed
	asks "make t2"
	check "denies" denied it-wipes-all
	asks "make t3"
	check "allows without a stream" allowed
	asks "make t4"
	check "does not wait for a stream's end" allowed
	asks "make t5"
	[ "$kind" = ollama ] || check "says that it declined" denied "declined to answer"
	asks "make t5"
	check "takes no tool call for an answer" refused
	asks "make t6"
	check "says that it was cut off" denied "cut off"
	end_daemons
done

name="trouble"
alone trouble openai
model_says '1x make t1 => status 500' 'make t1 => allow low fine' '2x make t2 => status 503' \
	'1x make t3 => status 429 retry 1' 'make t3 => allow low fine' '1x make t4 => garbage' 'make t4 => allow low fine' \
	'1x make t5 => cut allow low fine' 'make t5 => allow low fine' '1x make t6 => close' 'make t6 => allow low fine' \
	'make t7 => status 404' '1x make t8 => status 400' 'make t8 => allow low plain' 'make t9 => say {}' \
	'make t0 => garbage'
asks "make t1"
check "tries once more" allowed
asks "make t2"
check "but not twice" denied "provider had an error"
for n in t3 t4 t5 t6; do
	asks "make $n"
	check "tries $n once more" allowed
done
asks "make t7"
check "does not ask again what was refused" denied "refused the request: scripted trouble"
asks "make t8"
check "asks without a schema" allowed
asks "make t9"
check "says that it was not read" denied "could not be read"
asks "make t0"
check "says what came" denied "what is not JSON"
end_daemons

name="key"
echo "sk-very-secret" >"$T/secret"
chmod 600 "$T/secret"
alone key anthropic "set judge.key.file $T/secret"
model_says '* => allow low fine'
asks "make t1"
check "is sent" allowed
check "is sent as it should" logged '"key":"sk-very-secret"'
chmod 644 "$T/secret"
asks "make t2"
check "others may read it" denied "chmod 600 it"
chmod 600 "$T/secret"
model_says '* => status 401'
asks "make t3"
check "is not taken" denied "it does not take the key"
model_says '* => status 404 echo'
asks "make t4"
check "its echo is not repeated" denied "refused the request"
check "is nowhere" eval '! grep -rqF sk-very "$state" "$T/out" "$T/err"'
end_daemons
alone key-command openai "set judge.key.command /bin/cat $T/secret"
model_says '* => allow low fine'
asks "make t1"
check "is printed by a command" allowed
check "is sent as a bearer" logged '"key":"Bearer sk-very-secret"'
judged_by openai "set tier passive" "set judge.key.command /bin/false"
asks "make t2"
check "is not printed" denied "key cannot be read: the command failed"
end_daemons

name="tls"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=model \
	-addext subjectAltName=IP:127.0.0.1 -keyout "$T/key.pem" -out "$T/cert.pem" 2>/dev/null
model_start tls "$T/cert.pem" "$T/key.pem"
alone tls openai "set judge.ca $T/cert.pem" "set judge.key.file $T/secret"
model_says '* => allow low fine'
asks "make t1"
check "is who it says" allowed
judged_by openai "set tier passive"
asks "make t2"
check "nobody vouches for it" denied "could not prove who it is"
check "it was told nothing" model_asked 1
end_daemons
model_start

name="project"
alone project openai "set judge.second.model careful"
mkdir -p "$T/proj/.git" "$S/config/projects"
echo "set judge.model its-own" >"$S/config/projects/proj-$(printf %s "$T/proj" | sha256sum | cut -c1-8).conf"
model_says '* => allow low fine'
asks "make t1"
check "others have the common model" logged '"model":"scripted"'
shell "make t2"
call=${call/\/tmp/$T/proj}
hook PreToolUse
check "it has its own" logged '"model":"its-own"'
model_says '1x make t3 => deny high no' '* => allow low fine'
asks "make t3"
check "a second without a provider is reached as the first is" allowed
check "and is another model" logged '"model":"careful"'
end_daemons

name="others"
alone others openai "set judge.url http://127.0.0.1:9" "set judge.fallback.provider ollama" \
	"set judge.fallback.model other" "set judge.fallback.url $model_url" \
	"set judge.second.provider anthropic" "set judge.second.model careful" "set judge.second.url $model_url"
model_says '1x make t1 => deny high no' 'make t1 => allow low yes'
asks "make t1"
check "the second allows" allowed
check "the fallback was asked" logged '"path":"/api/chat"'
check "so was the second" logged '"path":"/v1/messages"'
judged_by openai "set tier passive" "set judge.url http://127.0.0.1:9"
asks "make t2"
check "settings are taken in" denied "could not be reached"
end_daemons

name="child"
alone child openai "set judge.seconds 15"
model_says 'make t1 => hang' '* => allow low fine'
asks "make t2"
check "works" allowed
first=$(child)
holds "make t1"
check "asks" soon flying 1
kill -9 "$first"
wait "$held"
check "answers when it is killed" any_has "the process that asks the judge has ended"
check "says so" journal_has "the process that asks the judge ended"
check "is started again" soon has_another "$first"
asks "make t2"
check "works again" allowed
holds "make t1"
check "asks again" soon flying 1
kill -9 "$held"
wait "$held" 2>/dev/null
check "stops what is withdrawn" soon flying 0
second=$(child)
kill -9 "$(pid_of)"
check "ends with the daemon" soon gone "$second"
end_daemons

name="stuck"
alone stuck openai "set judge.seconds 2"
model_says '* => allow low fine'
asks "make t2"
first=$(child)
kill -STOP "$first"
asks "make t1"
check "is not waited for" denied "did not answer in time"
check "is replaced" soon has_another "$first"
asks "make t2"
check "works again" allowed
end_daemons

name="command"
cat >"$T/judge" <<'EOF'
#!/bin/bash
prompt=$(cat)
[ "$(ls -A)" = "" ] || exit 9
case $prompt in
*"make t1"*) echo '{"decision":"allow","risk_level":"low","reason":"fine"}' ;;
*"make t2"*) echo "no login" >&2; exit 3 ;;
*"make t3"*) env; pwd ;;
*"make t4"*) pwd >"${0%/*}/folder"; sleep 100 & echo $! >"${0%/*}/four"; wait ;;
*"make t5"*) "${0%/*}/ask"; echo '{"decision":"allow","risk_level":"low","reason":"fine"}' ;;
esac
EOF
alone command command "set judge.command $T/judge" "set judge.seconds 3"
cat >"$T/ask" <<EOF
#!/bin/sh
echo '{"session_id":"s9","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t9","tool_input":{"command":"ls"}}' |
	$bin/assent hook claude-code PreToolUse $places --deadline 5 >$T/asked
EOF
chmod +x "$T/judge" "$T/ask"
asks "make t1"
check "judges" allowed
asks "make t2"
check "fails" denied "command failed: exit status 3, no login"
asks "make t3"
check "has no verdict" denied "could not be read"
asks "make t4"
check "is late" denied "did not answer in time"
check "ends with all that it started" soon gone "$(cat "$T/four")"
asks "make t5"
check "judges although" allowed
check "may not call tools" grep -qF "may not call tools" "$T/asked"
rm -f "$T/four"
holds "make t4"
check "runs" soon test -s "$T/four"
kill -9 "$(pid_of)"
check "ends with the daemon" soon gone "$(cat "$T/four")"
kill -9 "$held"
wait "$held" 2>/dev/null
check "leaves no folder" soon gone_folder
end_daemons
finish
