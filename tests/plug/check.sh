#!/usr/bin/env bash
# check, check --batch, explain and rules check as programs: exit codes, words on
# the right stream, and batches of whatever comes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
assent=$build/assent

run() { # NAME COMMAND...
	name=$1
	shift
	"$@" >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}

# Feeds standard input of this function to a batch.
batch() { # NAME [OPTION...]
	name=$1
	shift
	"$assent" check --batch "$@" >"$T/out" 2>"$T/err"
	rc=$?
}

lines_are() { [ "$(wc -l <"$T/out")" = "$1" ]; }
no_allow() { ! grep -q '"verdict":"allow"' "$T/out"; }
err_empty() { [ ! -s "$T/err" ]; }
first_is() { [ "$(head -n 1 "$T/out")" = "$1" ]; }
every_line_is_an_answer() {
	[ "$(grep -c '^{"id":.*"verdict":"\(allow\|ask\|deny\)".*}$' "$T/out")" = "$(wc -l <"$T/out")" ]
}

line() { # ID COMMAND
	printf '{"id":%s,"tool":"shell","input":{"command":"%s"}}\n' "$1" "$2"
}

# --- one call: what it ends with
run "an allow" "$assent" check 'ls'
check "exit 0" rc_is 0
check "says allow" out_has allow
check "nothing on standard error" err_empty
run "an ask" "$assent" check 'python3 build.py'
check "exit 3" rc_is 3
run "a deny" "$assent" check 'rm -rf ~'
check "exit 4" rc_is 4
check "by the floor" out_has 'by floor'
run "as JSON" "$assent" check --json 'rm -rf ~'
check "exit 4" rc_is 4
check "one line" lines_are 1
check "risk" out_has '"risk":"critical"'
run "explain" "$assent" explain 'cat README.md | head -3'
check "exit 0" rc_is 0
check "commands" out_has 'head -3'
check "steps" out_has 'fast path'
run "explain, a deny" "$assent" explain 'rm -rf ~'
check "exit 4" rc_is 4
run "text that would move the cursor" "$assent" explain "$(printf 'ls \033[2Jx \342\200\256y')"
check "no escape leaves" bash -c "! grep -q \$'\\033' '$T/out'"
check "it is shown" out_has '\x1b[2J'
check "bidi too" out_has '\u202e'

# --- wrong use
run "no command" "$assent"
check "exit 2" rc_is 2
run "an unknown command" "$assent" chekc ls
check "exit 2" rc_is 2
check "a suggestion" err_has '"check"'
run "an unknown option" "$assent" check --rulse user=x ls
check "exit 2" rc_is 2
check "a suggestion" err_has -- '--rules'
run "no call" "$assent" check
check "exit 2" rc_is 2
run "a word too many" "$assent" check rm -rf
check "exit 2" rc_is 2
run "an unknown tool" "$assent" check --tool shel ls
check "exit 2" rc_is 2
run "an unknown mode" "$assent" check --mode reckless ls
check "exit 2" rc_is 2
run "an unknown layer" "$assent" check --rules nobody=x ls
check "exit 2" rc_is 2
run "rules that are not there" "$assent" check --rules user="$T/nowhere" ls
check "exit 1" rc_is 1
check "nothing decided" out_empty
run "a folder as rules" "$assent" check --rules user="$T" ls
check "exit 1" rc_is 1
run "bytes that are not UTF-8" "$assent" check "$(printf 'ls \377')"
check "nothing decided" out_empty
check "exit 1" rc_is 1
run "help" "$assent" --help
check "exit 0" rc_is 0
check "lists check" out_has 'check'
for c in check explain 'rules check' 'rules test'; do
	# shellcheck disable=SC2086
	run "help of $c" "$assent" $c --help
	check "exit 0" rc_is 0
	check "names itself" out_has "assent $c"
done

# --- rules
printf 'allow shell "npm test *"\ndeny shell "git push *"\n' >"$T/good.conf"
printf 'allow shell "npm test *"\nalow shell "x"\ndeny shell\n' >"$T/bad.conf"
run "rules check, faultless" "$assent" rules check "$T/good.conf"
check "exit 0" rc_is 0
check "says what a line means" out_has 'npm test'
run "rules check, faults" "$assent" rules check "$T/bad.conf"
check "exit 1" rc_is 1
check "line and column" err_has 'bad.conf:2:1:'
run "rules check, faults, JSON" "$assent" rules check --json "$T/bad.conf"
check "exit 1" rc_is 1
check "on standard output" out_has '"ok":false'
run "a rule decides" "$assent" check --rules user="$T/good.conf" 'npm test'
check "exit 0" rc_is 0
check "cited" out_has 'good.conf:1'
run "a deny rule decides" "$assent" check --rules user="$T/good.conf" 'git push origin'
check "exit 4" rc_is 4
run "a later layer's deny stays" "$assent" check --rules user="$T/good.conf" --rules project="$T/good.conf" 'ls && git push'
check "exit 4" rc_is 4
run "faulty rules decide nothing" "$assent" check --rules user="$T/bad.conf" 'ls'
check "exit 1" rc_is 1
check "no verdict" out_empty
mkdir -p "$T/home/.config/assent"
cp "$T/good.conf" "$T/home/.config/assent/assent.conf"
run "rules test" env -u XDG_CONFIG_HOME HOME="$T/home" "$assent" rules test 'npm test'
check "exit 0" rc_is 0
check "one's own file" out_has 'assent.conf:1'

# --- batch: a line for a line
batch "no input" </dev/null
check "exit 0" rc_is 0
check "no line" out_empty
batch "one line without its line feed" < <(line 1 ls | tr -d '\n')
check "one answer" lines_are 1
check "exit 0" rc_is 0
batch "empty lines" < <(printf '\n\n\n')
check "three answers" lines_are 3
check "none allows" no_allow
batch "order" < <(for i in 1 2 3 4 5; do line "$i" 'ls'; echo nonsense; done)
check "ten answers" lines_are 10
check "all are answers" every_line_is_an_answer
check "in order" bash -c "[ \"\$(grep -o '^{\"id\":[0-9]' '$T/out' | tr -dc 0-9)\" = 12345 ]"
check "exit 0" rc_is 0
batch "bytes of all kinds" < <(for i in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for k in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do printf '{"tool":"shell","input":{"command":"ls \x'"$i$k"'"}}'; printf '\n'; done; done)
check "a line more for the line feed" lines_are 257
check "all are answers" every_line_is_an_answer
batch "16 MiB of {}," < <(head -c 16000000 /dev/zero | tr '\0' ' ' | sed 's/   /{},/g')
check "one answer" lines_are 1
check "deny" out_has '"verdict":"deny"'
batch "over 16 MiB in a line, then a call" < <(head -c 20000000 /dev/zero | tr '\0' 'x'; echo; line 7 ls)
check "two answers" lines_are 2
check "the first is refused" bash -c "head -n 1 '$T/out' | grep -q '\"verdict\":\"deny\"'"
check "the second is read" out_has '{"id":7,"verdict":"allow"'
batch "an endless line" < <(head -c 40000000 /dev/zero)
check "one answer" lines_are 1
check "none allows" no_allow
batch "a very long command" < <(printf '{"id":1,"tool":"shell","input":{"command":"'; head -c 3000000 /dev/zero | sed 's/\x00/ls;/g'; printf '"}}\n')
check "one answer" lines_are 1
check "none allows" no_allow
batch "deep nesting" < <(printf '{"id":1,"tool":"other","input":'; head -c 100000 /dev/zero | tr '\0' '['; echo)
check "one answer" lines_are 1
check "the id is echoed" out_has '"error"'
check "none allows" no_allow
batch "a batch with words" < <(line 1 ls)
run "a batch with a word" "$assent" check --batch ls
check "exit 2" rc_is 2

# --- nothing in a call's text keeps it from being judged, or hides a part of it
name="a prompt"
for command in 'make deploy # bearer' 'make deploy --api_key' 'make deploy # password=' 'curl -H "Authorization: Bearer'; do
	printf '{"id":1,"tool":"shell","input":{"command":"%s"}}\n' "${command//\"/\\\"}" | "$assent" check --prompt >"$T/out" 2>"$T/err"
	check "$command" out_has '"failure":null'
done
long=$(printf 'word%.0s ' $(seq 9000))
printf '{"id":1,"tool":"write","input":{"path":"a.txt","content":"%s"}}\n' "$long" | "$assent" check --prompt >"$T/out" 2>"$T/err"
check "a long text is shown whole" out_has "$long"
printf '{"id":1,"tool":"shell","cwd":"/w/app","roots":["/w/app"],"input":{"command":"cat /w/app-secrets/x"}}\n' | "$assent" check --prompt >"$T/out" 2>"$T/err"
check "a path beside the workspace is shown whole" out_has "cat /w/app-secrets/x"

# --- batch: each answer leaves before the next line is waited for
name="a conversation"
coproc B { "$assent" check --batch; }
for i in 1 2 3; do
	line "$i" 'ls' >&"${B[1]}"
	answer=
	read -r -t 20 answer <&"${B[0]}"
	check "answer $i" [ "${answer:0:9}" = "{\"id\":$i,\"" ]
done
eval "exec ${B[1]}>&-"
wait "$B_PID" 2>/dev/null

name="nobody reads"
line 1 ls | "$assent" check --batch 2>"$T/err" >&-
rc=${PIPESTATUS[1]}
check "exit 1" rc_is 1
check "says so" err_has 'assent check'
finish
