#!/bin/bash
# assent import: other agents' lists, found where they have them, printed as rules
# that our own reader takes, with nothing changed.
. "$(dirname "$0")/lib.sh"

scene import none
H=$S/home
W=$S/work
mkdir -p "$H/.claude" "$H/.cursor" "$H/.codex/rules" "$H/.gemini/policies" "$W/.claude" "$W/.git" "$W/.codex/rules"
assent() {
	(cd "$W" && "$bin/assent" "$@" --home "$H") >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}
cat >"$H/.claude/settings.json" <<'F'
{
  "model": "sonnet",
  "permissions": {
    "allow": ["Bash(npm run lint)", "Bash(npm run test:*)", "Read(~/.zshrc)", "WebFetch(domain:docs.rs)", "mcp__github__get_issue", "Bash"],
    "ask": ["Bash(git push:*)"],
    "deny": ["Bash(curl:*)", "Read(./.env)", "Read(./.env.*)", "Read(./secrets/**)"],
    "defaultMode": "acceptEdits"
  },
  "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}
}
F
echo '{"permissions":{"allow":["Edit(/src/**)"],"deny":["Edit(/src/generated/**)"]}}' >"$W/.claude/settings.json"
cat >"$H/.cursor/cli-config.json" <<'F'
{"version": 1, "editor": {"vimMode": false}, "permissions": {"allow": ["Shell(ls)", "Shell(git)", "Read(src/**/*.ts)", "Mcp(datadog:*)"], "deny": ["Shell(rm)", "Write(**/*.key)", "Read(.env*)"]}, "approvalMode": "allowlist"}
F
cat >"$H/.cursor/permissions.json" <<'F'
{
  // for every workspace
  "terminalAllowlist": ["git status", "npm"],
  "mcpAllowlist": ["github:create_issue", "*:*"],
  "autoRun": {"block_instructions": ["Never touch production"]},
}
F
cat >"$H/.codex/rules/default.rules" <<'F'
# accepted in the agent
prefix_rule(pattern=["cargo", ["build", "test"]], decision="allow")
prefix_rule(
    pattern = ["git", "push"],
    decision = "prompt",
    justification = "leaves the machine",
    match = ["git push origin main"],
)
prefix_rule(pattern=["rm", "-rf"], decision="forbidden")
host_executable(name="git", paths=["/usr/bin/git"])
F
cat >"$H/.gemini/policies/mine.toml" <<'F'
[[rule]]
toolName = "run_shell_command"
commandPrefix = "git status"
decision = "allow"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandRegex = "sudo .*"
decision = "deny"
priority = 500

[[rule]]
mcpName = "docs"
decision = "allow"
priority = 10
F

# What is printed is faultless, and says where each line is from.
reads_back() {
	cp "$T/out" "$S/printed.conf"
	"$bin/assent" rules check "$S/printed.conf" >"$T/out" 2>"$T/err"
	rc=$?
	check "is read by our own reader" rc_is 0
	cp "$S/printed.conf" "$T/out"
}
decides() { # VERDICT COMMAND: by the printed rules
	check "$2: $1" [ "$("$bin/assent" check --rules "user=$S/printed.conf" "$2" | cut -d' ' -f1)" = "$1" ]
}

name=claude
assent import claude
check "exit 0" rc_is 0
reads_back
check "has the home's file" out_has "# --- $H/.claude/settings.json"
check "and the workspace's" out_has "# --- $W/.claude/settings.json"
check "each line has its source" out_has "# allow Bash(npm run test:*)"
check "a slash is the workspace's" out_has 'allow edit path "src/**"'
check "what is left is named" out_has "allow Bash: allows every call"
check "and the mode" out_has "defaultMode acceptEdits"
decides allow "npm run test -- --watch"
decides ask "npm run build"
decides ask "git push origin main"
decides deny "curl https://example.com"
decides deny "cat .env"
decides deny "grep -r x secrets/a"

name=cursor
assent import cursor
check "exit 0" rc_is 0
reads_back
check "comments are read over" out_has 'allow shell "git status *"'
check "instructions come along" out_has 'instruct block "Never touch production"'
check "all tools of all servers do not" out_has "mcpAllowlist *:*: allows every call"
decides deny "rm x"
decides deny "cat .env"

name=codex
assent import codex
check "exit 0" rc_is 0
reads_back
decides allow "cargo test"
decides ask "git push"
decides deny "rm -rf build"
check "what is left is named" out_has "host_executable"

name=gemini
assent import gemini
check "exit 0" rc_is 0
reads_back
check "with its line" out_has "# line 1: allow run_shell_command git status"
check "an expression is left" out_has "line 7: deny run_shell_command: a regular expression"

name="a file"
assent import codex "$H/.codex/rules/default.rules" --json
check "as JSON" out_has '"source":"line 2: prefix_rule(pattern=[\"cargo\"'
echo 'prefix_rule(pattern=["rm"' >"$W/.codex/rules/bad.rules"
assent import codex "$W/.codex/rules/bad.rules"
check "half a file is none" rc_is 1
check "says where" err_has "line 2"
check "prints nothing of it" eval '! out_has "rm"'
assent import codex
check "the others are printed" out_has "cargo test"
check "and it fails" rc_is 1
assent import claude "$S/absent.json"
check "a file that is not there" rc_is 1
assent import emacs
check "another agent" rc_is 2
rm -rf "$H/.gemini"
assent import gemini
check "nothing to import" rc_is 1
check "says so" err_has "no permissions of gemini"
check "nothing was changed" [ ! -e "$H/.config" ]
finish
