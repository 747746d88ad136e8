#!/bin/bash
# assent install, uninstall and doctor on scratch homes: nothing else in a
# settings file changes by a byte, and only a person may do it.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
assent=${ASSENT_BUILD:-$top/build}/assent
T=$(mktemp -d "${TMPDIR:-/tmp}/assent-install.XXXXXX")
trap 'rm -rf "$T"' EXIT
passed=0 failed=0
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR CLAUDE_CONFIG_DIR ASSENT_BUILD
export PATH=/usr/bin:/bin

ok() { # WHAT; the status of the last command counts
	if [ $? = 0 ]; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "not so: $1"
		sed 's/^/    /' "$T/out" 2>/dev/null | tail -n 12
	fi
}
no() { # the opposite of the last status
	[ $? != 0 ]
	ok "$1"
}
home() { # NAME: a fresh home, no proof of a person wanted
	H=$T/$1
	S=$H/.claude/settings.json
	mkdir -p "$H/.config/assent" "$H/.claude"
	echo 'set authority none' >"$H/.config/assent/assent.conf"
}
run() { "$assent" "$@" --home "$H" </dev/null >"$T/out" 2>&1; }
says() { grep -qe "$1" "$T/out"; }
count() { grep -ce "$1" "$S"; }

# --- a new file ------------------------------------------------------------------
home new
rmdir "$H/.claude"
run install claude-code --dry-run
ok "a dry run succeeds"
[ ! -e "$S" ]
ok "a dry run writes nothing"
run install claude-code
no "without --yes and a terminal nothing is written"
[ ! -e "$S" ]
ok "...really"
run install claude-code --yes
ok "install makes the file"
for e in PreToolUse PermissionRequest PostToolUse PostToolUseFailure UserPromptSubmit \
	SessionStart SessionEnd SubagentStart SubagentStop PreSkillShellCommand; do
	grep -q "\"$e\": \[" "$S"
	ok "$e is registered"
done
[ "$(count '"onFailure": "block"')" = 3 ]
ok "the three that decide refuse when they fail"
[ "$(count '"args": \[')" = 10 ]
ok "no shell is between"
[ "$(count '"timeout": 600')" = 3 ] && [ "$(count '"590"')" = 3 ]
ok "they may be held, and end before the agent gives up"
[ "$(count '"--socket"')" = 10 ] && [ "$(count '"--state"')" = 10 ] && [ "$(count '"--config"')" = 10 ]
ok "all places are flags"
[ "$(stat -c %a "$S")" = 600 ]
ok "nobody else may read it"
cp "$S" "$T/first"
run install claude --yes
ok "a second time"
cmp -s "$S" "$T/first" && says 'Nothing to do'
ok "...changes nothing"
[ "$(ls "$H/.claude")" = settings.json ]
ok "...and leaves no copy"
run uninstall claude-code --yes
ok "uninstall"
[ "$(cat "$S")" = "{}" ]
ok "...leaves an empty object"
run uninstall claude-code --yes && says 'Nothing to do'
ok "...and has then nothing to do"

# --- a person's own file -----------------------------------------------------------
home own
printf '%s' '{
    "zeta": 1.50,   "alpha": "caf\u00e9 \/ é",
    "hooks": {
        "PreToolUse": [ {"matcher": "Bash", "hooks": [{"type": "command", "command": "assent-like hook"}]} ],
        "Stop": [{"hooks":[{"type":"command","command":"notify"}]}]
    },
    "big": 12345678901234567
}' >"$S"
cp "$S" "$T/mine.json"
run install claude-code --yes
ok "install beside hooks of others"
cmp -s "$S.before-assent" "$T/mine.json"
ok "the copy is what was there"
grep -q '"zeta": 1.50,   "alpha": "caf\\u00e9 \\/ é",' "$S" && grep -q '"big": 12345678901234567$' "$S" &&
	grep -q '"assent-like hook"' "$S" && grep -q '"command":"notify"' "$S"
ok "what was there is there, byte for byte"
run uninstall claude-code --yes
cmp -s "$S" "$T/mine.json"
ok "uninstall gives back the very same file"
run install claude-code --yes
run uninstall claude-code --yes
cmp -s "$S.before-assent" "$T/mine.json"
ok "the first copy is never replaced"

# --- moved, changed and doubled hooks of ours are put right --------------------------
home moved
run install claude-code --yes
cp "$S" "$T/right"
sed -i 's/"590"/"700"/; s/"timeout": 600/"timeout": 5/' "$S"
run install claude-code --yes
cmp -s "$S" "$T/right"
ok "a changed hook is put right"
jq '.hooks.PreToolUse += [{matcher: "Bash", hooks: (.hooks.PreToolUse[0].hooks + [{type: "command", command: "theirs"}])}]' "$S" >"$T/two"
cp "$T/two" "$S"
run install claude-code --yes
[ "$(count '"onFailure": "block"')" = 3 ]
ok "a doubled hook is one again"
run install claude-code --yes --agent-version 2.1.200
ok "install for a version without onFailure"
! grep -q onFailure "$S" && ! grep -q '"args"' "$S" && grep -q 'exit 2"' "$S"
ok "...writes a shell line that refuses when it fails"
# the shell line itself: whatever its program does, the call does not run
line() { # PROGRAM: the line for PreToolUse with that program in assent's place
	run install claude-code --yes --agent-version 2.1.200
	sed -n 's/.*"command": "\(.*PreToolUse.*\)",*$/\1/p' "$S" | sed "s|'[^']*/assent'|'$1'|; s/\\\\\"/\"/g"
}
printf '#!/bin/sh\nkill -9 $$\n' >"$T/killed"
printf '#!/bin/sh\nexit 1\n' >"$T/one"
printf '#!/bin/sh\nexit 0\n' >"$T/fine"
chmod +x "$T/killed" "$T/one" "$T/fine"
for p in "$T/nowhere" "$T/killed" "$T/one"; do
	sh -c "$(line "$p")" >"$T/out" 2>"$T/err"
	[ $? = 2 ] && [ -s "$T/err" ] && [ ! -s "$T/out" ]
	ok "the shell line refuses when its program is $(basename "$p")"
done
sh -c "$(line "$T/fine")" >"$T/out" 2>&1
ok "the shell line lets an answer through"

# --- files that are left alone -------------------------------------------------------
home odd
refuses() { # WHAT TEXT
	printf '%s' "$2" >"$S"
	run install claude-code --yes
	no "$1 is refused"
	[ "$(cat "$S")" = "$2" ] && says "$S"
	ok "$1 is left as it is, and named"
}
refuses "what is no JSON" '{"hooks": '
refuses "a comment" '{} // mine'
refuses "a list" '[]'
refuses "hooks that are no object" '{"hooks": []}'
refuses "an event that is no list" '{"hooks": {"PreToolUse": {}}}'
refuses "a key twice" '{"a": 1, "a": 2}'
refuses "a key in disguise" '{"h\u006foks": {}}'
rm -f "$S"
ln -s "$T/nowhere.json" "$S"
run install claude-code --yes
no "a link to nowhere is refused"
rm "$S"
echo '{}' >"$T/target.json"
ln -s "$T/target.json" "$S"
run install claude-code --yes && says "a link to $T/target.json" && [ -L "$S" ] && grep -q PreToolUse "$T/target.json"
ok "a link is followed, named, and stays"
rm "$S"
echo '{}' >"$S"
chmod 666 "$S"
run install claude-code --yes
no "a file that others may write is refused"
rm "$S"
mkdir "$S"
run install claude-code --yes
no "a folder is refused"

# --- scopes and words ------------------------------------------------------------------
home scopes
mkdir "$T/project"
(cd "$T/project" && run install claude-code --yes --project) && grep -q PreToolUse "$T/project/.claude/settings.json"
ok "--project is the project's file"
(cd "$T/project" && run install claude-code --yes --local) && grep -q PreToolUse "$T/project/.claude/settings.local.json"
ok "--local is the project's local file"
[ ! -e "$S" ]
ok "...and the user's is not touched"
run install claude-code --project --local --yes
[ $? = 2 ]
ok "only one scope at a time"
run install cloud-code --yes
[ $? = 2 ] && says 'cloud-code'
ok "an unknown agent is named"

# --- only a person ---------------------------------------------------------------------
home person
rm "$H/.config/assent/assent.conf"
run install claude-code --yes
no "without a terminal it is refused"
says 'person' && [ ! -e "$S" ]
ok "...with the reason, and nothing is written"
if command -v script >/dev/null; then
	script -qec "'$assent' install claude-code --yes --home '$H'" /dev/null >"$T/out" 2>&1 </dev/null
	[ -e "$S" ]
	ok "at a terminal it is done"
	rm -f "$S"
	cp /bin/bash "$T/claude" # stands in for the agent, between terminal and command
	script -qec "'$T/claude' -c '\"$assent\" install claude-code --yes --home \"$H\"; true'" /dev/null >"$T/out" 2>&1 </dev/null
	says 'agent' && [ ! -e "$S" ]
	ok "from inside an agent it is refused, at a terminal too"
fi

# --- doctor ----------------------------------------------------------------------------
home doctor
run doctor
no "doctor: nothing is connected"
says 'NOT .*no hook'
ok "...and says so"
run install claude-code --yes
run doctor
says 'registered for all 10 events'
ok "doctor sees the hooks"
run doctor --json
jq -e 'has("well") and .checks[0].state' "$T/out" >/dev/null
ok "doctor --json"
sed -i 's/"timeout": 600/"timeout": 60/' "$S"
run doctor
says 'gives up on it after 60 s'
ok "doctor sees a deadline that is too late"
sed -i '0,/"onFailure": "block"/s//"onFailure": "continue"/' "$S"
run doctor
says 'if it cannot be run, the call runs'
ok "doctor sees a hook that fails open"
sed -i "s|\"$assent\"|\"/nowhere/assent\"|" "$S"
run doctor
says '/nowhere/assent cannot be run'
ok "doctor sees a program that is gone"
sed -i '0,/{/s//{"disableAllHooks": true, "env": {"LD_PRELOAD": "x"},/' "$S"
run doctor
says 'switches all hooks off' && says 'LD_PRELOAD'
ok "doctor sees hooks switched off, and poison"
echo '{"hooks":' >"$S"
run doctor
says 'cannot be read'
ok "doctor sees a broken file"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
