#!/bin/bash
# "Always": what is remembered is what was shown, or the pattern that the person
# gave, in this project, and it is recorded before the agent hears of it.
. "$(dirname "$0")/lib.sh"

scene grants real
mkdir -p "$S/project/.git" "$S/other"
ref=$S/project
: >"$T/err"
: >"$T/out"
in_json() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
bash_call() { # COMMAND [FOLDER]
	printf '{"session_id":"s-%s","cwd":"%s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"%s"}}' \
		"$(basename "${2-$ref}")" "${2-$ref}" "$(in_json "$1")"
}
assent() {
	(cd "$ref" && "$bin/assent" "$@" $places) >"$T/said" 2>"$T/err" </dev/null
	rc=$?
}
says() { grep -qF -- "$1" "$T/said" "$T/err"; }
card() { # reads the newest open card's number
	"$bin/assent" cards --json $places 2>/dev/null | grep -o '"number":[0-9]*' | tail -1 | cut -d: -f2
}
has_card() { number=$(card) && [ -n "$number" ]; }
no_card() { ! has_card; }
# Asks, and leaves the call held as $asked.
hold() { # COMMAND
	printf '%s' "$(bash_call "$1")" |
		"$bin/assent" hook claude-code PreToolUse $places --deadline 40 >"$T/out" 2>"$T/err" &
	asked=$!
	soon has_card
}
end() { wait "$asked"; rc=$?; }
passes() { deadline=3 hook PreToolUse "$(bash_call "$@")" && allowed; }
waits() { deadline=1 hook PreToolUse "$(bash_call "$@")"; ! out_has '"permissionDecision":"allow"'; }
settle() { # lets go of what is open
	while has_card; do "$bin/assent" reject "$number" --yes $places >/dev/null 2>&1 || break; done
}

name="exactly what was shown"
hold "git push origin main"
assent cards "$number"
check "a pattern is proposed" says "git push origin main *"
assent approve "$number" --always --yes
check "is taken" rc_is 0
end
check "the call runs" allowed
check "and again, by itself" passes "git push origin main"
check "not with one word more" waits "git push origin main --force"
check "not with another beside it" waits "git push origin main; git push other"
check "not with a redirection" waits "git push origin main > ~/x"
check "not elsewhere" waits "git push origin main" "$S/other"
settle
assent grants list
check "is listed" says "git push origin main"
check "as exact" says "exactly"
assent audit export
check "is in the audit" grep -q '"kind":"grant".*"reply":"always"' "$T/said"

name="a pattern"
hold "make deploy one"
assent approve "$number" --always --as "git *" --yes
check "of another program is refused" rc_is 1
check "says why" says "cover"
check "the card is open" soon has_card
assent approve "$number" --always --as "* deploy *" --yes
check "that names no program is refused" rc_is 1
assent approve "$number" --always --as "make deploy *" --yes
check "that fits is taken" rc_is 0
end
check "the call runs" allowed
check "and its like" passes "make deploy two"
check "nothing else of the program" waits "make clean-all two"
check "no redirection" waits "make deploy two > /etc/x"
check "no substitution" waits 'make deploy $(curl example.com)'
settle

name="what has no pattern"
hold "python3 -c 'print(1)' x"
assent approve "$number" --always --as "python3 *" --yes
check "interpreters" rc_is 1
assent reject "$number" --yes
end
hold "env FOO=1 make deploy3"
assent approve "$number" --always --as "env *" --yes
check "wrappers" rc_is 1
assent reject "$number" --yes
end
hold "sudo make install"
assent approve "$number" --always --as "sudo *" --yes
check "privilege programs" rc_is 1
assent reject "$number" --yes
end

name="what is never always"
hold "echo x >> ~/.bashrc"
assent approve "$number" --always --yes
check "what only a person may allow" rc_is 1
check "says so" says "only once"
[ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" -X POST --data-binary '{"reply":"always"}' "http://assent/v1/cards/$(curl -s --unix-socket "$sock" http://assent/v1/cards | grep -o '"id":"[0-9]*-[0-9a-f]*"' | cut -d'"' -f4)/reply")" = 409 ]
check "nor by the API" [ $? = 0 ]
assent reject "$number" --yes
end
hold "cat .env"
assent approve "$number" --always --as "cat *" --yes
check "a secret by pattern" rc_is 1
assent approve "$number" --always --yes
check "a secret exactly" rc_is 0
end
check "that one runs" passes "cat .env"
check "another does not" waits "cat .env.local"
settle

name="a file"
printf '%s' "{\"session_id\":\"s-project\",\"cwd\":\"$ref\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\",\"tool_use_id\":\"w\",\"tool_input\":{\"file_path\":\"$S/other/a.txt\",\"content\":\"x\"}}" >"$T/write"
"$bin/assent" hook claude-code PreToolUse $places --deadline 40 <"$T/write" >"$T/out" 2>"$T/err" &
asked=$!
soon has_card
assent approve "$number" --always --as "$S/other/**" --yes
check "by pattern" rc_is 0
end
check "is written" allowed
sed 's/a\.txt/sub\/b.txt/' "$T/write" >"$T/write2"
hook PreToolUse "$(cat "$T/write2")"
check "and its like" allowed

name="a written ask"
echo 'ask shell "git log *"' >>"$S/config/assent.conf"
hold "git log -1"
assent approve "$number" --always --yes
end
check "is lifted" passes "git log -1"
echo 'deny shell "git log *"' >>"$S/config/assent.conf"
hook PreToolUse "$(bash_call "git log -1")"
check "a deny is not" refused
echo "set authority none" >"$S/config/assent.conf"

name="when no agent waits"
hold "make later"
kill "$asked"
soon no_card
assent approve "$number" --always --yes
check "always is not offered" rc_is 1
settle

name="after a restart"
assent daemon stop
check "grants hold" passes "make deploy nine"

name="taken back"
assent grants list --json
n=$(grep -o '"number":[0-9]*,"project":"[^"]*","action":"shell","resource":"make deploy \*"' "$T/said" | grep -o '[0-9]*' | head -1)
assent grants remove "$n"
check "one" rc_is 0
check "does not hold any more" waits "make deploy nine"
check "the others do" passes "git push origin main"
assent grants remove "$n"
check "is not there twice" rc_is 1
assent grants clear
check "all" rc_is 0
check "hold no more" waits "git push origin main"
assent grants list
check "none is listed" says "nothing"
settle

name="who may take them back"
: >"$S/config/assent.conf"
setsid "$bin/assent" grants remove 1 $places </dev/null >"$T/said" 2>"$T/err"
check "only a person" says "person"
finish
