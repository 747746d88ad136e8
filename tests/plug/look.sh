#!/bin/bash
# What the client sees of the world when the daemon needs to know.
. "$(dirname "$0")/lib.sh"

scene look fake
W=$(readlink -f "$S")/w
mkdir -p "$W/bin" "$W/real/sub" "$W/plain"
fake need

# Asks and keeps the world that comes back.
need() { # JSON
	printf '%s}' "$1" >"$state/need"
	hook PreToolUse
	world=$(head -n 1 "$state/request" | sed 's/.*,"world"://')
}
says() {
	case $world in *"$1"*) ;; *) echo "  world: ${world:0:600}"; false ;; esac
}
says_not() {
	case $world in *"$1"*) echo "  world: ${world:0:600}"; false ;; *) ;; esac
}

# --- links
echo x >"$W/real/file"
ln -s real "$W/link"
ln -s ../link/sub/../file "$W/plain/there"
ln -s loop2 "$W/loop1"
ln -s loop1 "$W/loop2"
ln -s /etc/passwd "$W/out"
ln -s nowhere/at/all "$W/dangling"
link() { # PATH EXPECTED-JSON
	name="link $1"
	need "{\"links\":[\"$1\"]"
	check "leads to $2" says "\"links\":{\"$1\":$2}"
	check "all was seen" says '"partial":false'
}
link "$W/real/file" "\"$W/real/file\""
link "$W/link/file" "\"$W/real/file\""
link "$W/link/../plain/there" "\"$W/real/file\""
link "$W/plain/there" "\"$W/real/file\""
link "$W/out" '"/etc/passwd"'
link "$W/not/there/../yet" "\"$W/not/yet\""
link "$W/link/new" "\"$W/real/new\""
link "$W/dangling/x" "\"$W/nowhere/at/all/x\""
link "$W//real/./file" "\"$W/real/file\""
link "$W/real/file/below" "\"$W/real/file/below\""
link "/" '"/"'
link "/.." '"/"'
link "$W/loop1" null
link "relative" null
link "/proc/self/cwd/x" null
link "/$(printf 'x%.0s' $(seq 5000))" null

# --- programs
printf '#!/bin/sh\n' >"$W/bin/tool"
chmod 755 "$W/bin/tool"
echo data >"$W/bin/data"
mkdir "$W/bin/folder"
program() { # PATH NAME EXPECTED
	name="program $2 in $1"
	printf '%s' "{\"programs\":[\"$2\"]}" >"$state/need"
	printf '%s' "$call" | (cd "$W" && PATH=$1 exec "$bin/assent" hook claude-code PreToolUse $places --deadline 4) >"$T/out" 2>"$T/err"
	world=$(head -n 1 "$state/request" | sed 's/.*,"world"://')
	check "is $3" says "\"programs\":{\"$2\":$3}"
}
program "/nowhere:$W/bin:/bin" tool "\"$W/bin/tool\""
program "/nowhere:$W/bin" data null
program "/nowhere:$W/bin" folder null
program "/nowhere:bin" tool "\"$W/bin/tool\""
program "" tool null
program "/bin" ../w/bin/tool null
program "/bin" "" null

# --- files and workspaces
mkdir -p "$W/proj/.git/objects" "$W/proj/.git/refs" "$W/proj/a/b"
echo "ref: refs/heads/main" >"$W/proj/.git/HEAD"
printf 'echo "hi" <&1\n' >"$W/proj/a/run.sh"
: >"$W/proj/a/empty"
printf 'a\0b' >"$W/proj/a/nul"
printf '\xff\xfe' >"$W/proj/a/binary"
head -c 65536 /dev/zero | tr '\0' x >"$W/proj/a/fits"
head -c 65537 /dev/zero | tr '\0' x >"$W/proj/a/big"
mkfifo "$W/proj/a/fifo"
ln -s /etc/passwd "$W/proj/a/away"
ln -s run.sh "$W/proj/a/inside"
file() { # PATH EXPECTED
	name="file $1"
	need "{\"files\":[\"$W/proj/$1\"],\"roots\":[\"$W/proj/a/b\"]"
	check "is $2" says "\"files\":{\"$W/proj/$1\":$2}"
	check "the workspace is the repository" says "\"roots\":[\"$W/proj\"]"
}
file a/run.sh '"echo \"hi\" \u003c\u00261\n"'
file a/inside null
file a/empty '""'
file a/nul null
file a/binary null
file a/big null
file a/fifo null
file a/away null
file a/nothing null
file a null
file ../bin/tool null
name="a file that just fits"
need "{\"files\":[\"$W/proj/a/fits\"],\"roots\":[\"$W/proj\"]"
check "is sent" says "$W/proj/a/fits\":\"xxxxx"
name="the workspace without a repository"
need "{\"roots\":[\"$W/plain\"]"
check "is the folder" says "\"roots\":[\"$W/plain\"]"
name="the workspace through a link"
ln -s proj/a "$W/short"
need "{\"roots\":[\"$W/short\"]"
check "is the real one" says "\"roots\":[\"$W/proj\"]"
name="a repository that is the home folder"
printf '%s' "{\"roots\":[\"$W/proj/a/b\"]}" >"$state/need"
printf '%s' "$call" | "$bin/assent" hook claude-code PreToolUse $places --home "$W/proj" --deadline 4 >/dev/null 2>&1
world=$(head -n 1 "$state/request" | sed 's/.*,"world"://')
check "is no workspace" says "\"roots\":[\"$W/proj/a/b\"]"

# --- names
mkdir -p "$W/names/plain/deep" "$W/names/odd/deep" "$W/names/bare"
touch "$W/names/plain/deep/a-b_c.1" "$W/names/plain/ä+@"
touch "$W/names/odd/deep/a b"
ln -s "$W/names/odd" "$W/names/plain/link"
names() { # FOLDER EXPECTED
	name="names $1"
	need "{\"names\":[\"$W/names/$1\"],\"roots\":[\"$W/names\"]"
	check "are $2" says "\"names\":{\"$W/names/$1\":$2}"
}
names plain '"plain"'
names odd '"odd"'
names '' '"odd"'
names ../proj null
names nowhere null
one() { # NAME EXPECTED
	touch -- "$W/names/bare/$1"
	names bare "$2"
	rm -- "$W/names/bare/$1"
}
one '[slug]' '"ordinary"'
one 'a;b' '"ordinary"'
one '-rf' '"odd"'
one '.*' '"odd"'
one "it's" '"odd"'
one 'a"b' '"odd"'
one 'a\b' '"odd"'
one $'a\nb' '"odd"'
one ' ' '"odd"'
# --- secrets
mkdir -p "$W/hides/a/b" "$W/hides/none" "$W/hides/node_modules/c" "$W/hides/.git"
touch "$W/hides/a/.env" "$W/hides/a/b/server.key" "$W/hides/a/tokenizer.rs" "$W/hides/.env.example" \
	"$W/hides/node_modules/c/.env" "$W/hides/.git/credentials" "$W/hides/none/x.c"
ln -s "$W/hides/a" "$W/hides/none/link"
secrets() { # FOLDER EXPECTED
	name="secrets $1"
	need "{\"secrets\":[\"$W/hides/$1\"],\"roots\":[\"$W/hides\"]"
	check "are $2" says "\"secrets\":{\"$W/hides/$1\":$2}"
}
secrets none '""'
secrets a/b '"server.key\n"'
secrets a/tokenizer.rs '""'
secrets ../proj null
name="secrets of all"
need "{\"secrets\":[\"$W/hides\"],\"roots\":[\"$W/hides\"]"
check "are two" says 'a/.env\n'
check "and no more" says 'a/b/server.key\n'
check "not what is another's" says_not node_modules

# what git knows and is not there any more
(cd "$W/names/bare" && git init -q . && touch 'x y' && git add . && rm 'x y')
names bare '"odd"'
(cd "$W/names/bare" && git rm -q --cached 'x y' && touch z && git add z)
names bare '"plain"'

# --- what a repository's configuration runs
G=$W/repo
git_config() { # programs|plain TEXT
	printf "$2" >"$G/.git/config"
	name="config: $(printf "$2" | tr '\n\t' '  ')"
	need "{\"git\":[\"$G/deep\"]"
	case $1 in programs) check "names programs" says "\"$G/deep\":true" ;; plain) check "is plain" says "\"$G/deep\":false" ;; esac
}
mkdir -p "$G/.git/objects" "$G/.git/refs" "$G/.git/hooks" "$G/deep"
echo "ref: refs/heads/main" >"$G/.git/HEAD"
while IFS='|' read -r want text; do
	[ -n "$want" ] && git_config "$want" "$text"
done <<'ROWS'
plain|
plain|[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n
plain|[remote "origin"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tvscode-merge-base = origin/main\n
plain|[user]\nname = "A B"\nemail=a@b.c # x\n[core]\nautocrlf\n
plain|[core]\nfsmonitor = true\n
plain|[core]\nfsmonitor\n
plain|[pager]\nlog = false\n
plain|[alias]\nst = status -sb\n
plain|[credential]\nhelper =\n
plain|[submodule "x"]\nurl = ../x.git\nactive = true\n
plain|[diff "lfs"]\nxfuncname = "^a"\n
plain|[gitbutler]\nlast = 1\n
plain|[remote "o"]\nurl = https://example.org/x\\\n.git\n
plain|; [core] fsmonitor = x\n# [core] fsmonitor = x\n
programs|[core]\n# comment \\\nfsmonitor = x\n
programs|[core]\nfsmonitor = ./run.sh\n
programs|[CORE]\nFsMonitor=./run.sh\n
programs|[core]fsmonitor=x\n
programs|[core]\r\n\tfsmonitor = x\r\n
programs|\xef\xbb\xbf[core]\nfsmonitor = x\n
programs|[core]\npager = less\n
programs|[core]\neditor = vi\n
programs|[core]\nsshCommand = ssh -i x\n
programs|[core]\nhooksPath = .husky\n
programs|[core]\naskPass = x\n
programs|[core]\ngitProxy = x\n
programs|[core]\nalternateRefsCommand = x\n
programs|[core]\nworktree = /\n
programs|[core]\nnewKeyOfTomorrow = x\n
programs|[diff]\nexternal = x\n
programs|[diff "pdf"]\ntextconv = pdftotext\n
programs|[diff.pdf]\ncommand = x\n
programs|[filter "lfs"]\nclean = git-lfs clean -- %%f\n
programs|[filter "x"]\nprocess = x\n
programs|[filter "x"]\nsmudge = x\n
programs|[merge "ours"]\ndriver = true\n
programs|[alias]\nst = !rm -rf .\n
programs|[alias]\nx = -c core.pager=x log\n
programs|[alias]\nx = "!sh"\n
programs|[alias "x"]\ncommand = !sh\n
programs|[pager]\nlog = x\n
programs|[gpg]\nprogram = x\n
programs|[gpg "ssh"]\ndefaultKeyCommand = x\n
programs|[sequence]\neditor = x\n
programs|[credential]\nhelper = store\n
programs|[credential "https://x"]\nhelper = !x\n
programs|[interactive]\ndiffFilter = x\n
programs|[difftool "x"]\ncmd = x\n
programs|[mergetool "x"]\npath = x\n
programs|[browser "x"]\ncmd = x\n
programs|[man "x"]\npath = x\n
programs|[uploadpack]\npackObjectsHook = x\n
programs|[remote "o"]\nurl = ext::sh -c x\n
programs|[remote "o"]\nuploadpack = x\n
programs|[remote "o"]\nvcs = x\n
programs|[url "ext::sh -c x #"]\ninsteadOf = https://\n
programs|[protocol "ext"]\nallow = always\n
programs|[submodule "x"]\nupdate = !x\n
programs|[trailer "x"]\ncommand = x\n
programs|[tar "x"]\ncommand = x\n
programs|[hook "x"]\ncommand = x\n
programs|[imap]\ntunnel = x\n
programs|[sendemail]\nsmtpserver = /x\n
programs|[othertool]\nrunCommand = x\n
programs|[core\nfilemode = true\n
programs|[core]\nfilemode = "true\n
programs|[core]\nfilemode = a\\qb\n
programs|fsmonitor = x\n
programs|[core]\n= x\n
programs|[core]\nfile_mode = x\n
programs|[include]\npath = ~/x\n
programs|[include]\npath = self-made\n[core]\nfsmonitor = x\n
ROWS

printf '[core]\nfsmonitor = x\n' >"$G/.git/inc-bad"
printf '[core]\nbare = false\n' >"$G/.git/inc-good"
printf '[include]\npath = config\n' >"$G/.git/inc-loop"
git_config programs '[include]\npath = inc-bad\n'
git_config programs '[includeIf "onbranch:x"]\npath = inc-bad\n'
git_config plain '[include]\npath = inc-good\n'
git_config plain '[include]\npath = not-there\n'
git_config programs '[include]\npath = inc-loop\n'
git_config plain '[core]\nbare = false\n'
name="a worktree's own configuration"
printf '[core]\nfsmonitor = x\n' >"$G/.git/config.worktree"
need "{\"git\":[\"$G\"]"
check "counts" says "\"$G\":true"
rm "$G/.git/config.worktree"
name="a hook that reading commands run"
printf '#!/bin/sh\n' >"$G/.git/hooks/post-index-change"
need "{\"git\":[\"$G\"]"
check "does not count when it cannot be run" says "\"$G\":false"
chmod 755 "$G/.git/hooks/post-index-change"
need "{\"git\":[\"$G\"]"
check "counts" says "\"$G\":true"
rm "$G/.git/hooks/post-index-change"

name="a linked worktree"
mkdir -p "$W/tree" "$G/.git/worktrees/tree"
echo "gitdir: $G/.git/worktrees/tree" >"$W/tree/.git"
echo "ref: refs/heads/x" >"$G/.git/worktrees/tree/HEAD"
echo "../.." >"$G/.git/worktrees/tree/commondir"
need "{\"git\":[\"$W/tree\"],\"roots\":[\"$W/tree\"]"
check "has its repository's" says "\"$W/tree\":false"
check "is a workspace" says "\"roots\":[\"$W/tree\"]"
printf '[core]\nfsmonitor = x\n' >"$G/.git/config"
need "{\"git\":[\"$W/tree\"]"
check "has its repository's" says "\"$W/tree\":true"

name="a bare repository inside"
mkdir -p "$W/proj/bare/objects" "$W/proj/bare/refs"
echo "ref: refs/heads/main" >"$W/proj/bare/HEAD"
printf '[core]\nbare = true\nfsmonitor = x\n' >"$W/proj/bare/config"
need "{\"git\":[\"$W/proj/bare\",\"$W/proj/a\",\"/\",\"$W/plain\"]"
check "counts" says "\"$W/proj/bare\":true"
check "not outside of it" says "\"$W/proj/a\":false"
check "no repository" says "\"/\":false"
check "none here" says "\"$W/plain\":false"
name="a .git file that leads nowhere"
mkdir "$W/broken" && echo "gitdir: /nowhere" >"$W/broken/.git"
need "{\"git\":[\"$W/broken\"]"
check "is unsure about itself, as git is" says "\"$W/broken\":"
name="a link in the place of .git"
mkdir "$W/linked" && ln -s "$G/.git" "$W/linked/.git"
need "{\"git\":[\"$W/linked\"]"
check "is followed" says "\"$W/linked\":true"

# --- repositories inside a repository: git looks into them, too
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
g() { git -c user.name=T -c user.email=t@example.org -c protocol.file.allow=always -c init.defaultBranch=main "$@" >/dev/null 2>&1; }
repo() { # FOLDER [OPTION...]: a repository with one commit
	local folder=$1
	shift
	g init "$@" "$folder" && echo x >"$folder/link.txt" && g -C "$folder" add -A && g -C "$folder" commit -m x
}
asks() { # programs|plain FOLDER
	need "{\"git\":[\"$2\"]"
	case $1 in programs) check "names programs" says "\"$2\":true" ;; plain) check "is plain" says "\"$2\":false" ;; esac
}
if repo "$W/sub" && repo "$W/super"; then
	name="a repository that git made"
	asks plain "$W/super"
	name="with a part"
	g -C "$W/super" submodule add "$W/sub" parts/sub
	g -C "$W/super" commit -m sub
	check "(made)" [ -f "$W/super/parts/sub/.git" ]
	asks plain "$W/super"
	name="the part itself"
	asks plain "$W/super/parts/sub"
	name="a part that names programs"
	git config -f "$W/super/.git/modules/parts/sub/config" core.fsmonitor ./x
	asks programs "$W/super"
	asks programs "$W/super/parts/sub"
	git config -f "$W/super/.git/modules/parts/sub/config" --unset core.fsmonitor
	name="a part of a part"
	repo "$W/inner"
	g -C "$W/super/parts/sub" submodule add "$W/inner" inner
	asks plain "$W/super"
	git config -f "$W/super/.git/modules/parts/sub/modules/inner/config" core.fsmonitor ./x
	asks programs "$W/super"
	git config -f "$W/super/.git/modules/parts/sub/modules/inner/config" --unset core.fsmonitor
	name="a part that works elsewhere"
	git config -f "$W/super/.git/modules/parts/sub/config" core.worktree "$W/proj"
	asks programs "$W/super"
	git config -f "$W/super/.git/modules/parts/sub/config" core.worktree ../../../../parts/sub
	asks plain "$W/super"
	name="a part that was taken out"
	rm -r "$W/super/parts/sub"
	asks plain "$W/super"
	g -C "$W/super" submodule update --init
	name="an index of version 4 with parts"
	cp "$W/super/.git/index" "$W/index"
	g -C "$W/super" update-index --index-version 4
	asks programs "$W/super"
	cp "$W/index" "$W/super/.git/index"
	name="a split index"
	g -C "$W/super" update-index --split-index
	asks programs "$W/super"
	cp "$W/index" "$W/super/.git/index"
	name="a cut index"
	head -c 200 "$W/index" >"$W/super/.git/index"
	asks programs "$W/super"
	echo "DIRC" >"$W/super/.git/index"
	asks programs "$W/super"
	cp "$W/index" "$W/super/.git/index"
	asks plain "$W/super"
	name="an index of version 4 without parts"
	repo "$W/four" && rm "$W/four/link.txt" && echo x >"$W/four/a" && g -C "$W/four" add -A
	g -C "$W/four" update-index --index-version 4
	asks plain "$W/four"
	if repo "$W/big" --object-format=sha256 && repo "$W/bigsub" --object-format=sha256; then
		name="SHA-256"
		g -C "$W/big" submodule add "$W/bigsub" part
		asks plain "$W/big"
		git config -f "$W/big/.git/modules/part/config" core.fsmonitor ./x
		asks programs "$W/big"
	fi
	name="what cannot be there by git's own hand"
	mkdir -p "$W/old" && repo "$W/old" && repo "$W/old/part" && g -C "$W/old" add part
	asks plain "$W/old"
	printf '[core]\nfsmonitor = x\n' >>"$W/old/part/.git/config"
	asks programs "$W/old"
else
	echo "skipped: repositories inside a repository (needs git)"
fi

# --- settings that name code
C=$W/settings
mkdir -p "$C/.git/objects" "$C/.git/refs" "$C/deep/er" "$C/node_modules/x"
echo "ref: refs/heads/main" >"$C/.git/HEAD"
settings() { # EXPECTED-JSON [TOOL:FOLDER]
	need "{\"settings\":[\"${2-prettier:$C}\"],\"roots\":[\"$C\"]"
	check "are $1" says "\"settings\":{\"${2-prettier:$C}\":$1}"
}
name="no settings"
settings '"plain"'
echo 'semi: false' >"$C/.prettierrc"
echo '{"prettier":{"semi":true}}' >"$C/package.json"
name="plain settings"
settings '"plain"'
name="settings of packages"
echo 'plugins: [x]' >"$C/node_modules/x/.prettierrc"
settings '"plain"'
name="settings far below"
echo 'plugins: [x]' >"$C/deep/er/.prettierrc.yaml"
settings '"code"'
name="...of another tool"
settings '"plain"' "mypy:$C"
name="...through a folder above"
settings '"code"' "prettier:$C/deep/er/.."
rm "$C/deep/er/.prettierrc.yaml"
name="settings that are a program"
: >"$C/deep/prettier.config.mjs"
settings '"code"'
rm "$C/deep/prettier.config.mjs"
name="settings that are a link"
ln -s ../.prettierrc "$C/deep/.prettierrc"
settings '"code"'
rm "$C/deep/.prettierrc"
name="settings that are a fifo"
mkfifo "$C/deep/.prettierrc"
settings '"code"'
rm "$C/deep/.prettierrc"
name="settings that are no text"
printf '\xff\xfep\0l\0' >"$C/deep/.prettierrc"
settings '"code"'
name="settings that are too large"
head -c 1048577 /dev/zero | tr '\0' ' ' >"$C/deep/.prettierrc"
settings '"code"'
rm "$C/deep/.prettierrc"
name="settings elsewhere"
settings null "prettier:$W/plain"
settings null "prettier:nowhere"
settings null "prettier"
name="a tool that is not known"
settings '"plain"' "nobody:$C"

# --- rounds
name="needs without end"
fake need-forever
hook PreToolUse
check "are given up" refused
check "says so" any_has "asks without end"

finish
