# What the tests that pull the plug share: scratch places, a hook that is run as
# an agent would run it, and what must never come out of it. Each test sources
# this, calls checks, and ends with `finish`.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${ASSENT_BUILD:-$top/build}
T=$(mktemp -d "${TMPDIR:-/tmp}/assent-plug.XXXXXX")
passed=0
failed=0
deadline=4
call='{"session_id":"s1","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"ls"}}'
unset ASSENT_BUILD ASSENT_CLIENTS

# Fresh places in $T/NAME, with a client and a daemon of their own: fake or real.
scene() { # NAME fake|real|none
	S=$T/$1
	bin=$S/bin
	state=$S/state
	sock=$S/run/sock
	mkdir -p "$bin" "$S/config" "$state" "$S/run"
	chmod 700 "$S/config" "$state" "$S/run"
	echo "set authority none" >"$S/config/assent.conf"
	ln "$build/assent" "$bin/assent" 2>/dev/null || cp "$build/assent" "$bin/assent"
	case $2 in
	fake) ln "$build/plug/fakedaemon" "$bin/assentd" 2>/dev/null || cp "$build/plug/fakedaemon" "$bin/assentd" ;;
	real) ln "$build/assentd" "$bin/assentd" 2>/dev/null || cp "$build/assentd" "$bin/assentd" ;;
	none) ;;
	esac
	places="--config=$S/config --state=$state --socket=$sock"
}

# Says what the fake daemon does from the next connection on.
fake() {
	echo "$*" >"$state/fake"
}

# The daemons of this scene, by what they themselves wrote down; none is looked
# for by name.
daemons() {
	cat "$T"/*/state/starts "$T"/*/state/pid 2>/dev/null
}

# Ends them, and nothing else: a pid counts only while it runs our binary.
end_daemons() {
	local pid exe
	for pid in $(daemons) $(own_daemons); do
		exe=$(readlink "/proc/$pid/exe" 2>/dev/null) || continue
		case $exe in "$T"/*) kill -CONT "$pid" 2>/dev/null; kill -9 "$pid" 2>/dev/null ;; esac
	done
}

# Every process that runs a program of this test's scratch folder.
own_daemons() {
	local p
	for p in /proc/[0-9]*; do
		case $(readlink "$p/exe" 2>/dev/null) in "$T"/*) echo "${p#/proc/}" ;; esac
	done
}

cleanup() {
	end_daemons
	[ -z "${model_pid-}" ] || kill -9 "$model_pid" 2>/dev/null
	chmod -R u+w "$T" 2>/dev/null
	rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

ok() {
	passed=$((passed + 1))
}

not_ok() { # WHAT
	failed=$((failed + 1))
	echo "FAILED: $name: $*"
	echo "  exit: ${rc-}"
	echo "  out:  $(head -c 400 "$T/out" 2>/dev/null)"
	echo "  err:  $(head -c 400 "$T/err" 2>/dev/null)"
}

# check WHAT COMMAND...: one check of the case that is named $name.
check() {
	local what=$1
	shift
	if "$@"; then ok; else not_ok "$what"; fi
}

# Runs the hook as installed, with the text as its input.
hook() { # EVENT [INPUT]
	printf '%s' "${2-$call}" |
		"$bin/assent" hook claude-code $1 $places --deadline "$deadline" >"$T/out" 2>"$T/err"
	rc=$?
}

out_has() { grep -qF -- "$1" "$T/out"; }
err_has() { grep -qF -- "$1" "$T/err"; }
any_has() { out_has "$1" || err_has "$1"; }
rc_is() { [ "$rc" = "$1" ]; }
out_empty() { [ ! -s "$T/out" ]; }
allowed() { out_has '"permissionDecision":"allow"' && rc_is 0; }
# A refusal that Claude Code heeds: exit 2 with words, or a deny as one line.
refused() {
	if rc_is 2; then [ -s "$T/err" ] && ! out_has '"allow"'; return; fi
	rc_is 0 && [ "$(wc -l <"$T/out")" = 1 ] && out_has '"deny"' && ! out_has '"allow"'
}
neutral() { rc_is 0 && out_empty; }
clear() { [ -z "$1" ] || any_has "$1"; }

# The hook's answer must be a refusal, with these words somewhere.
refuses() { # NAME WORDS [INPUT]
	name=$1
	hook PreToolUse ${3+"$3"}
	check "is refused" refused
	check "says: $2" clear "$2"
}

# Runs a part that mostly waits beside the others: in places of its own, its
# checks counted by `joined`.
apart() { # NAME COMMAND...
	(
		T=$T/apart.$1
		mkdir -p "$T"
		passed=0 failed=0
		shift
		"$@" >"$T/text" 2>&1
		end_daemons
		echo "$passed $failed" >"$T/score"
	) &
	parts="${parts-} $!"
}
joined() {
	local part p f
	wait $parts
	parts=
	for part in "$T"/apart.*; do
		cat "$part/text"
		p=0 f=1 # a part that did not come to its end
		read -r p f <"$part/score"
		passed=$((passed + p)) failed=$((failed + f))
		grep -aE 'Sanitizer|runtime error' "$part"/*/state/daemon.log* 2>/dev/null && failed=$((failed + 1))
		rm -rf "$part"
	done
}

finish() {
	# a daemon that a sanitizer ended was started again, and nobody noticed
	grep -aE 'Sanitizer|runtime error' "$T"/*/state/daemon.log* "$T/said" 2>/dev/null | head -n 20
	name="sanitizers"
	[ "$(cat "$T"/*/state/daemon.log* "$T/said" 2>/dev/null | grep -acE 'Sanitizer|runtime error')" = 0 ] || not_ok "have something to say"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" != 0 ]
	exit
}

# --- a real daemon
api() { curl -s --max-time 20 --unix-socket "$sock" "$@"; }
cards() { api http://assent/v1/cards | grep -o '"id":"[0-9]*-[0-9a-f]*"' | cut -d'"' -f4; }
has_cards() { [ "$(cards | wc -l)" = "$1" ]; }
pid_of() { api http://assent/healthz | sed 's/.*"pid":\([0-9]*\).*/\1/'; }
soon() { # COMMAND...: until it holds, ten seconds
	local n
	for n in $(seq 500); do
		"$@" && return
		read -rt 0.02 <> <(:) || :
	done
	return 1
}

# --- a model that says what it is told (tests/model/README.md)
model_start() { # [NAME CERTIFICATE KEY]: over TLS
	[ -z "${model_pid-}" ] || kill -9 "$model_pid" 2>/dev/null
	M=$T/model${1+-$1}
	mkdir -p "$M"
	rm -f "$M/port"
	: >>"$M/script"
	[ -z "${2-}" ] || { cp "$2" "$M/cert.pem" && cp "$3" "$M/key.pem"; }
	"$build/model" "$M" 2>>"$T/said" &
	model_pid=$!
	disown
	soon test -s "$M/port"
	model_url=http${2+s}://127.0.0.1:$(cat "$M/port")
}
model_scripts=0
model_says() { # LINE...: the whole script; what was counted is forgotten
	model_scripts=$((model_scripts + 1))
	printf '%s\n' "$@" "# $model_scripts" >"$M/script"
}
model_requests() { if [ -s "$M/log" ]; then wc -l <"$M/log"; else echo 0; fi; }
model_asked() { [ "$(model_requests)" = "$1" ]; }
# The scene's judge is that model, reached in this way; more settings may follow.
judged_by() { # KIND [LINE...]
	local kind=$1
	shift
	printf '%s\n' "set authority none" "set judge.provider $kind" "set judge.model scripted" \
		"set judge.url $model_url" "$@" >"$S/config/assent.conf"
}
