#!/bin/bash
# What the client reads of an agent's own conversation, and what it does not.
. "$(dirname "$0")/lib.sh"

scene said fake
H=$(readlink -f "$S")/home
D=$H/.claude/projects/-w
mkdir -p "$D" "$H/.ssh" "$H/elsewhere"
fake need
user() { # TEXT [MEMBERS]
	printf '{"type":"user"%s,"message":{"role":"user","content":"%s"}}\n' "${2-}" "$1"
}
agent() { # TEXT
	printf '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"%s"}]}}\n' "$1"
}
# Asks for the transcript and keeps what comes back of it.
ask() { # PATH [HOME [AGENT]]
	printf '{"transcripts":["%s"]}' "$1" >"$state/need"
	printf '%s' "$call" | "$bin/assent" hook "${3-claude-code}" PreToolUse $places --home "${2-$H}" --deadline 4 >"$T/out" 2>"$T/err"
	rc=$?
	world=$(head -n 1 "$state/request" | sed 's/.*,"world"://')
}
says() {
	case $world in *"\"transcripts\":{\"$asked\":$1}"*) ;; *) echo "  world: ${world:0:600}"; false ;; esac
}
reads() { # NAME PATH EXPECTED [HOME]
	name=$1
	asked=$2
	ask "$2" "${4-$H}"
	check "says $3" says "$3"
}
m() { # ROLE TEXT
	printf '{"role":"%s","time":0,"text":"%s"}' "$1" "$2"
}

{ user "mend the parser"; agent "I look."; user "a result" ',"toolUseResult":"x"'; user "a caveat" ',"isMeta":true'; agent "I found it."; } >"$D/s.jsonl"
reads "a conversation" "$D/s.jsonl" "[$(m user "mend the parser"),$(m agent "I found it.")]"
{ for i in 1 2 3 4 5; do user "no. $i"; agent "reply $i"; done; } >"$D/five.jsonl"
reads "the last three" "$D/five.jsonl" "[$(m user "no. 3"),$(m user "no. 4"),$(m user "no. 5"),$(m agent "reply 5")]"
: >"$D/empty.jsonl"
reads "an empty file" "$D/empty.jsonl" "[]"
head -c 20000 /dev/urandom >"$D/binary.jsonl"
reads "bytes" "$D/binary.jsonl" "[]"
{ user "before the bytes"; printf '\0\xff\xfe\n{"type":"user","message":{"role":"user","content":"a\xff"}}\n'; agent "after"; } >"$D/mixed.jsonl"
reads "bytes between lines" "$D/mixed.jsonl" "[$(m user "before the bytes"),$(m agent "after")]"
{ user "whole"; printf '{"type":"user","message":{"role":"user","content":"half'; } >"$D/half.jsonl"
reads "a line that is being written" "$D/half.jsonl" "[$(m user "whole")]"

# --- from the end, and not too much of it
pad=$(head -c 1000 /dev/zero | tr '\0' p)
{ user "long ago"; for i in $(seq 400); do user "$pad" ',"toolUseResult":"x"'; done; user "just now"; agent "yes"; } >"$D/long.jsonl"
reads "the end of a long file" "$D/long.jsonl" "[$(m user "just now"),$(m agent "yes")]"
{ user "an hour ago"; for i in $(seq 400); do user "$pad" ',"toolUseResult":"x"'; done; agent "still at it"; } >"$D/turn.jsonl"
reads "a long turn" "$D/turn.jsonl" "[$(m user "an hour ago"),$(m agent "still at it")]"
{ user "too long ago"; for i in $(seq 2200); do user "$pad" ',"toolUseResult":"x"'; done; agent "still at it"; } >"$D/endless.jsonl"
reads "a turn without end" "$D/endless.jsonl" "[$(m agent "still at it")]"
{ user "before"; printf '{"type":"user","toolUseResult":"'; head -c 300000 /dev/zero | tr '\0' x; printf '"}\n'; agent "after"; } >"$D/huge.jsonl"
reads "a huge line" "$D/huge.jsonl" "[$(m user "before"),$(m agent "after")]"
{ printf '{"type":"user","message":{"role":"user","content":"'; head -c 3000000 /dev/zero | tr '\0' x; printf '"}}\n'; } >"$D/one.jsonl"
reads "nothing but a huge line" "$D/one.jsonl" "[]"
{ user "$(head -c 100000 /dev/zero | tr '\0' u)"; } >"$D/pasted.jsonl"
name="a pasted text"
ask "$D/pasted.jsonl"
check "is without its middle" grep -qF 'uuu [... ' "$state/request"
check "is far shorter" [ "$(head -n 1 "$state/request" | wc -c)" -lt 80000 ]

# --- no other file
user "a secret" >"$H/.ssh/key.jsonl"
user "a secret" >"$H/elsewhere/x.jsonl"
cp "$D/s.jsonl" "$D/s.txt"
ln -s "$H/elsewhere/x.jsonl" "$D/link.jsonl"
ln -s "$H/elsewhere" "$D/folder"
ln "$H/elsewhere/x.jsonl" "$D/hard.jsonl"
mkfifo "$D/fifo.jsonl"
mkdir "$D/dir.jsonl"
user "x" >"$D/closed.jsonl"
for p in "$H/.ssh/key.jsonl" "$H/elsewhere/x.jsonl" "$D/s.txt" "$D/../../../.ssh/key.jsonl" "$D/absent.jsonl" s.jsonl "" / "$H/.claude/projects" \
	"$H/.codex/sessions/x.jsonl" "/proc/self/cwd/x.jsonl"; do
	reads "no conversation: $p" "$p" null
done
reads "a link" "$D/link.jsonl" null
reads "a folder that is a link" "$D/folder/x.jsonl" null
reads "a fifo" "$D/fifo.jsonl" null
reads "a folder" "$D/dir.jsonl" null
reads "another user's home" "$D/s.jsonl" null "$H/elsewhere"
reads "a file with another name, too" "$D/hard.jsonl" null
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$D/closed.jsonl"
	reads "another user's file" "$D/closed.jsonl" null
fi

# --- homes and folders that are links of the user's own
ln -s home "$S/casa"
reads "a home by another name" "$D/s.jsonl" "[$(m user "mend the parser"),$(m agent "I found it.")]" "$(readlink -f "$S")/casa"
mkdir -p "$H/dotfiles"
mv "$H/.claude" "$H/dotfiles/claude"
ln -s dotfiles/claude "$H/.claude"
reads "a folder kept elsewhere" "$D/s.jsonl" "[$(m user "mend the parser"),$(m agent "I found it.")]"

finish
