/*
 * git 2.39 and later: the pages git-*(1). What changes the work tree or the
 * repository so that git can undo it carries CALL_EFFECT_GIT; what throws work
 * or history away is LOSSY, too.
 */

#include "facts/git.h"

#define GIT   CALL_EFFECT_GIT
#define LOSSY (CALL_EFFECT_GIT | CALL_EFFECT_LOSSY)

#define DO_GIT(t) DO_FLAGS(WRITE, GIT, t)
#define DO_LOSSY(t)                                           \
	{                                                         \
		.role = FACTS_WRITE_TREE, .flags = LOSSY, .text = (t) \
	}
#define DO_LOSSY_IF(t, yes, no)                                               \
	{                                                                         \
		.role = FACTS_WRITE_TREE, .flags = LOSSY, .text = (t), .when = (yes), \
		.unless = (no)                                                        \
	}
#define DO_GIT_IF(t, yes, no)                                          \
	{                                                                  \
		.role = FACTS_WRITE, .flags = GIT, .text = (t), .when = (yes), \
		.unless = (no)                                                 \
	}

#define DRY  FACTS_GIT_DRY
#define LIST FACTS_GIT_LIST

/* What log, diff and show have in common. */
#define DIFF_OPTS                                                             \
	FLAGS(                                                                    \
		"-p -u --patch -s --no-patch --raw --patch-with-raw "                 \
		"--patch-with-stat --numstat --shortstat --cumulative --check "       \
		"--summary --name-only --name-status --compact-summary --binary "     \
		"--full-index --irreversible-delete -D --find-copies-harder "         \
		"--rename-empty --no-renames --follow --minimal -w "                  \
		"--ignore-all-space -b --ignore-space-change --ignore-space-at-eol "  \
		"--ignore-cr-at-eol --ignore-blank-lines --indent-heuristic "         \
		"--no-indent-heuristic --patience --histogram -a --text --exit-code " \
		"--quiet -q --no-ext-diff --no-textconv --textconv -z -R "            \
		"--pickaxe-all --pickaxe-regex -W --function-context "                \
		"--ita-invisible-in-index --ita-visible-in-index --no-prefix "        \
		"--default-prefix --no-color --no-color-moved --no-relative -t "      \
		"--merge-base -c --cc -m --combined-all-paths --no-diff-merges"),     \
		MAYBES("-U --unified --stat --dirstat --color --abbrev "              \
			   "--break-rewrites -B -M --find-renames -C --find-copies "      \
			   "--word-diff --color-words --color-moved --relative "          \
			   "--ignore-submodules --submodule -X --dirstat-by-file "        \
			   "--diff-merges -l"),                                           \
		VALUES("--stat-width --stat-name-width --stat-graph-width "           \
			   "--stat-count --ws-error-highlight --src-prefix --dst-prefix " \
			   "--line-prefix --inter-hunk-context --output-indicator-new "   \
			   "--output-indicator-old --output-indicator-context -I "        \
			   "--ignore-matching-lines --diff-algorithm --anchored "         \
			   "--word-diff-regex --color-moved-ws --rotate-to --skip-to "    \
			   "--find-object --diff-filter -S -G"),                          \
		VALUE("-O", READ), OUTPUT("--output"), FLAG("--ext-diff", UNKNOWN, "")

#define LOG_OPTS                                                               \
	DIFF_OPTS,                                                                 \
		FLAGS(                                                                 \
			"--source --use-mailmap --mailmap --clear-decorations "            \
			"--no-decorate --graph --no-graph --oneline --all --reverse "      \
			"--topo-order --date-order --author-date-order --merges "          \
			"--no-merges --first-parent --exclude-first-parent-only "          \
			"--not --boundary --simplify-by-decoration --show-pulls "          \
			"--full-history --dense --sparse --simplify-merges "               \
			"--ancestry-path --left-right --cherry-pick --cherry-mark "        \
			"--cherry --left-only --right-only -g --walk-reflogs -i "          \
			"--regexp-ignore-case -E --extended-regexp -F --fixed-strings -P " \
			"--perl-regexp --basic-regexp --all-match --invert-grep "          \
			"--no-abbrev-commit --abbrev-commit --parents --children "         \
			"--show-signature --no-notes --relative-date --count --objects "   \
			"--do-walk --no-walk --stdin --ignore-missing --bisect --merge "   \
			"--timestamp --header --show-linear-break --no-expand-tabs "       \
			"--full-diff --remove-empty --reflog --single-worktree "           \
			"--unpacked "                                                      \
			"--no-object-names --in-commit-order"),                            \
		MAYBES("--decorate --pretty --notes --branches --tags --remotes "      \
			   "--expand-tabs --show-notes --glob --encoding --min-parents "   \
			   "--max-parents --no-min-parents --no-max-parents"),             \
		VALUES(                                                                \
			"-n --max-count --skip --since --after --until --before "          \
			"--since-as-filter --max-age --min-age --author --committer "      \
			"--grep --grep-reflog --format --date --decorate-refs "            \
			"--decorate-refs-exclude --exclude --exclude-hidden -L --filter "  \
			"--bisect-vars")

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
static const struct facts_prog stash_subs[] = {
	{.names = "list show", .opts = FACTS_OPTS(LOG_OPTS,
			FLAGS("--include-untracked --only-untracked")),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_shows},
	{.names = "push save create store",
		.opts = FACTS_OPTS(
			FLAGS("-p --patch -k --keep-index --no-keep-index -S --staged -q "
				"--quiet -u --include-untracked -a --all --pathspec-file-nul"),
			VALUES("-m --message"), VALUE("--pathspec-from-file", READ)),
		.does = {DO_GIT(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "pop apply branch",
		.opts = FACTS_OPTS(FLAGS("--index -q --quiet")),
		.does = {DO_GIT(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "drop clear", .opts = FACTS_OPTS(FLAGS("-q --quiet")),
		.does = {DO_LOSSY(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = NULL},
};

static const struct facts_prog remote_subs[] = {
	{.names = "get-url", .opts = FACTS_OPTS(FLAGS("--push --all")),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "show", .opts = FACTS_OPTS(FLAGS("-n -v --verbose")),
		.does = {DO(REMOTE, "origin")},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "prune update", .opts = FACTS_OPTS(
			FLAGS("-n -p --prune -v --verbose"), SETS("--dry-run", DRY)),
		.does = {DO(REMOTE, "origin"), DO_GIT(".")},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "add rename rm remove set-head set-branches set-url",
		.opts = FACTS_OPTS(
			FLAGS("-f --fetch --tags --no-tags --push --add --delete -a --auto "
				"-d --progress --no-progress"),
			VALUES("-t --track -m --master"), MAYBES("--mirror")),
		.does = {DO(WRITE, ".git/config")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = NULL},
};

static const struct facts_prog submodule_subs[] = {
	{.names = "status summary",
		.opts = FACTS_OPTS(FLAGS("--cached --recursive --quiet --files"),
			VALUES("-n --summary-limit")),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "foreach", .style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(FLAGS("--recursive --quiet")),
		.hook = facts_git_exec},
	{.names = "init update add sync deinit set-branch set-url absorbgitdirs",
		.opts = FACTS_OPTS(
			FLAGS("--init --recursive --remote --checkout --merge --rebase "
				"--no-fetch -f --force --quiet --progress --single-branch "
				"--recommend-shallow --no-recommend-shallow --all -d --default"),
			VALUES("--depth -j --jobs -b --branch --name --reference --filter")),
		.does = {DO(REMOTE, "submodules"), DO(WRITE, ".git/config"),
			DO_FLAGS(WRITE_TREE, GIT, ".")},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = NULL},
};

static const struct facts_prog worktree_subs[] = {
	{.names = "list", .opts = FACTS_OPTS(FLAGS("-v --verbose --porcelain -z")),
		.hook = facts_git_start},
	{.names = "add",
		.opts = FACTS_OPTS(
			FLAGS("-f --force -d --detach --checkout --no-checkout --lock -q "
				"--quiet --track --no-track --guess-remote --no-guess-remote "
				"--orphan"),
			VALUES("-b -B --reason")),
		.does = {DO_GIT(".")},
		.operands = {OP(WRITE_TREE, FIRST), OP(INERT, SECOND)},
		.hook = facts_git_start},
	{.names = "lock unlock repair prune",
		.opts = FACTS_OPTS(FLAGS("-n --dry-run -v --verbose"),
			VALUES("--reason --expire")),
		.does = {DO_GIT(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "remove", .opts = FACTS_OPTS(FLAGS("-f --force")),
		.operands = {OP_FLAGS(DELETE_TREE, ALL, CALL_EFFECT_LOSSY)},
		.hook = facts_git_start},
	{.names = "move", .opts = FACTS_OPTS(FLAGS("-f --force")),
		.operands = {OP_FLAGS(DELETE_TREE, FIRST, CALL_EFFECT_MOVED),
			OP(WRITE_TREE, SECOND)},
		.hook = facts_git_start},
	{.names = NULL},
};

static const struct facts_prog git_subs[] = {
	/* --- reading --- */
	{.names = "status",
		.opts = FACTS_OPTS(
			FLAGS("-s --short -b --branch --show-stash --long -v --verbose -z "
				"--null --ahead-behind --no-ahead-behind --renames --no-renames "
				"--no-column"),
			MAYBES("--porcelain -u --untracked-files --ignored --column "
				"--ignore-submodules -M --find-renames")),
		.does = {DO(LIST_TREE, ".")}, .operands = {OP(LIST, ALL)},
		.hook = facts_git_start},
	{.names = "log whatchanged rev-list range-diff cherry show-branch",
		.style = FACTS_DIGITS, .opts = FACTS_OPTS(LOG_OPTS, FLAGS("-v")),
		.does = {DO(LIST_TREE, ".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_shows},
	{.names = "show", .style = FACTS_DIGITS, .opts = FACTS_OPTS(LOG_OPTS),
		.does = {DO(LIST_TREE, ".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_shows},
	{.names = "diff diff-tree diff-index diff-files", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(LOG_OPTS,
			FLAGS("--cached --staged -r --root --no-commit-id -v -0 -1 -2 -3 "
				"--base --ours --theirs"),
			SETS("--no-index", FACTS_GIT_OTHER)),
		.does = {DO(LIST_TREE, ".")},
		.operands = {OP_IF(READ_TREE, ALL, FACTS_GIT_OTHER, 0),
			OP(INERT, ALL)},
		.hook = facts_git_shows},
	{.names = "blame annotate",
		.opts = FACTS_OPTS(
			FLAGS("--incremental --root --show-stats --progress --no-progress "
				"--score-debug -b -f --show-name -n --show-number -p --porcelain "
				"--line-porcelain -c -t -l -s -e --show-email -w --color-lines "
				"--color-by-age --minimal"),
			MAYBES("-C -M --abbrev --date --since"),
			VALUES("-L --ignore-rev --date"),
			VALUE("-S --ignore-revs-file --contents", READ)),
		.operands = {OP(READ, ALL)}, .hook = facts_git_start},
	{.names = "grep", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("--cached --untracked --exclude-standard --no-exclude-standard "
				"--recurse-submodules -v --invert-match -i --ignore-case -w "
				"--word-regexp -a --text -I --textconv -r --recursive "
				"--no-recursive -E --extended-regexp -G --basic-regexp -F "
				"--fixed-strings -P --perl-regexp -n --line-number --column -h "
				"-H --full-name -l --files-with-matches --name-only -L "
				"--files-without-match -z --null -o --only-matching -c --count "
				"--break --heading -p --show-function -W --function-context "
				"--and --or --not -q --quiet --all-match ( )"),
			MAYBES("--color --no-color"),
			VALUES("-A --after-context -B --before-context -C --context "
				"--max-depth --threads -m --max-count"),
			VALUE_SETS("-e", INERT, FACTS_GIT_MESSAGE), VALUE("-f", READ),
			SETS("--no-index", FACTS_GIT_OTHER),
			MAYBE("-O --open-files-in-pager", SHELL),
			FLAG("--ext-grep", UNKNOWN, "")),
		.does = {DO_IF(READ_TREE, ".", 0, FACTS_GIT_MESSAGE | FACTS_OPERANDS2),
			DO_IF(READ_TREE, ".", FACTS_GIT_MESSAGE, FACTS_OPERANDS)},
		.operands = {OP_IF(INERT, FIRST, 0, FACTS_GIT_MESSAGE),
			OP_IF(READ_TREE, FIRST, FACTS_GIT_MESSAGE, 0),
			OP(READ_TREE, REST)},
		.hook = facts_git_start},
	{.names = "describe shortlog name-rev merge-base for-each-ref show-ref "
			"rev-parse var check-ignore check-attr check-ref-format "
			"count-objects verify-commit verify-tag fsck version help "
			"ls-tree ls-files merge-tree check-mailmap get-tar-commit-id stripspace "
			"interpret-trailers show-index verify-pack",
		.style = FACTS_LOOSE | FACTS_DIGITS,
		.opts = FACTS_OPTS(VALUE("-X --exclude-from --exclude-per-directory",
			READ), OUTPUT("--output"),
			FLAG("--in-place --lost-found -w --web", UNKNOWN, "")),
		.does = {DO(LIST_TREE, ".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_shows},
	{.names = "cat-file", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(FLAG("--filters --textconv", UNKNOWN, ""),
			/* which objects, only what comes in tells */
			{"--batch --batch-command", FACTS_MAYBE, FACTS_UNKNOWN, 0, 0, ""}),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_shows},
	{.names = "reflog", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(LOG_OPTS),
		.subs = FACTS_SUBS(
			{.names = "show exists list", .style = FACTS_DIGITS,
				.opts = FACTS_OPTS(LOG_OPTS),
				.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
			{.names = "expire delete", .style = FACTS_LOOSE,
				.does = {DO_LOSSY(".")}, .operands = {OP(INERT, ALL)},
				.hook = facts_git_start}),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "ls-remote",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet -t --tags -h --heads --branches --refs --get-url "
				"--exit-code --symref"),
			VALUES("--sort -o --server-option"),
			VALUE("--upload-pack --exec", SHELL)),
		.hook = facts_git_fetch},
	/* --- changes that can be undone --- */
	{.names = "add stage",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -i --interactive -p --patch -e --edit -f --force "
				"-u --update --renormalize -N --intent-to-add -A --all --no-all "
				"--ignore-removal --no-ignore-removal --refresh --ignore-errors "
				"--ignore-missing --sparse --pathspec-file-nul"),
			SETS("-n --dry-run", DRY), VALUES("--chmod"),
			VALUE("--pathspec-from-file", READ)),
		.does = {DO_GIT_IF(".", 0, DRY)}, .operands = {OP(LIST, ALL)},
		.hook = facts_git_start},
	{.names = "commit",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet -v --verbose --reset-author -s --signoff "
				"--no-signoff -e --edit --no-edit --status --no-status -a --all "
				"-i --include -p --patch -o --only --short --branch "
				"--porcelain --long -z --null --pathspec-file-nul "
				"--allow-empty --allow-empty-message -n --no-verify --verify "
				"--no-post-rewrite --no-gpg-sign --ahead-behind"),
			SETS("--dry-run", DRY), SETS("--amend", FACTS_GIT_FORCE),
			MAYBES("-S --gpg-sign -u --untracked-files"),
			VALUES("--author --date -m --message -c --reedit-message -C "
				"--reuse-message --fixup --squash --trailer --cleanup"),
			VALUE("-F --file -t --template --pathspec-from-file", READ)),
		.does = {DO_GIT_IF(".", 0, DRY | FACTS_GIT_FORCE),
			DO_LOSSY_IF(".", FACTS_GIT_FORCE, DRY)},
		.operands = {OP(LIST, ALL)}, .hook = facts_git_start},
	{.names = "branch",
		.opts = FACTS_OPTS(
			FLAGS("-v -vv --verbose -q --quiet --no-track --create-reflog "
				"--ignore-case --no-column --no-color --recurse-submodules -i"),
			SETS("-r --remotes -a --all -l --list --show-current", LIST),
			SETS("-d --delete -u --unset-upstream --edit-description -m --move "
				"-c --copy", FACTS_GIT_DELETE),
			SETS("-D -M -C -f --force", FACTS_GIT_DELETE | FACTS_GIT_FORCE),
			VALUE_SETS("--set-upstream-to", INERT, FACTS_GIT_DELETE),
			VALUES("--sort --format"),
			{.names = "--contains --no-contains --merged --no-merged --points-at",
				.arg = FACTS_MAYBE, .set = LIST},
			FLAGS("-t"), MAYBES("--track --color --abbrev --no-abbrev --column")),
		.hook = facts_git_branch},
	{.names = "tag", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-a --annotate -e --edit -s --sign --no-sign --create-reflog "
				"-i --ignore-case"),
			SETS("-d --delete", FACTS_GIT_DELETE),
			SETS("-f --force", FACTS_GIT_DELETE | FACTS_GIT_FORCE),
			SETS("-l --list -v --verify", LIST), VALUES("-m --message --cleanup "
				"-u --local-user --sort --format --trailer"),
			VALUE("-F --file", READ),
			{.names = "-n --contains --no-contains --merged --no-merged "
				"--points-at", .arg = FACTS_MAYBE, .set = LIST},
			MAYBES("--color --column")),
		.hook = facts_git_branch},
	{.names = "stash", .opts = FACTS_OPTS(
			FLAGS("-p --patch -k --keep-index -S --staged -q --quiet -u "
				"--include-untracked -a --all"),
			VALUES("-m --message")),
		.subs = stash_subs, .does = {DO_GIT(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "mv",
		.opts = FACTS_OPTS(FLAGS("-v --verbose -f --force -k --sparse"),
			SETS("-n --dry-run", DRY)),
		.operands = {{.role = FACTS_DELETE_TREE, .at = FACTS_BUT_LAST,
				.flags = GIT | CALL_EFFECT_MOVED, .unless = DRY},
			{.role = FACTS_WRITE, .at = FACTS_LAST, .flags = GIT,
				.unless = DRY},
			OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "rm",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet -r --ignore-unmatch --sparse "
				"--pathspec-file-nul"),
			SETS("-n --dry-run", DRY), SETS("--cached", FACTS_GIT_STAGED),
			SETS("-f --force", FACTS_GIT_FORCE),
			VALUE("--pathspec-from-file", READ)),
		.does = {DO_GIT_IF(".", 0, DRY)},
		.operands = {{.role = FACTS_DELETE_TREE, .at = FACTS_ALL, .flags = GIT,
				.unless = DRY | FACTS_GIT_STAGED | FACTS_GIT_FORCE},
			{.role = FACTS_DELETE_TREE, .at = FACTS_ALL, .flags = LOSSY,
				.when = FACTS_GIT_FORCE, .unless = DRY | FACTS_GIT_STAGED},
			OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "init",
		.opts = FACTS_OPTS(FLAGS("--bare -q --quiet"), MAYBES("--shared"),
			VALUES("-b --initial-branch --object-format --ref-format"),
			VALUE("--template", LOAD), VALUE("--separate-git-dir", WRITE_TREE)),
		.does = {DO_IF(CREATE, ".", 0, FACTS_OPERANDS)},
		.operands = {OP(CREATE, ALL)}, .hook = facts_git_start},
	{.names = "am", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("--show-current-patch", DRY)),
		.does = {DO_IF(WRITE_TREE, ".", 0, DRY)}, .operands = {OP(READ, ALL)},
		.hook = facts_git_start},
	{.names = "merge cherry-pick revert",
		.opts = FACTS_OPTS(
			FLAGS("-n --stat --no-stat --summary --squash --no-squash --commit "
				"--no-commit -e --edit --no-edit --ff --no-ff --ff-only "
				"--verify-signatures -v --verbose -q --quiet --quit "
				"--continue --skip --allow-unrelated-histories --progress "
				"--no-progress --autostash --no-autostash --signoff "
				"--no-signoff --no-verify --verify --rerere-autoupdate -x "
				"--allow-empty --allow-empty-message --keep-redundant-commits "
				"-3 --3way --no-3way -i --interactive -k --keep -u --utf8 "
				"--resolved -r --no-gpg-sign --no-log --reference --reject "
				"--keep-cr --no-keep-cr --ignore-whitespace "
				"--show-current-patch"),
			SETS("--abort", FACTS_GIT_FORCE),
			MAYBES("-S --gpg-sign --log"),
			VALUES("-m --message -s --strategy -X --strategy-option --cleanup "
				"--into-name --mainline -C -p --directory --exclude --include"),
			VALUE("-F --file", READ)),
		.does = {DO_GIT_IF(".", 0, FACTS_GIT_FORCE),
			DO_LOSSY_IF(".", FACTS_GIT_FORCE, 0)},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "apply",
		.opts = FACTS_OPTS(
			FLAGS("--index --cached -3 --3way -R --reverse -z --reject -v "
				"--verbose -q --quiet --recount --allow-empty --binary "
				"--ignore-space-change --ignore-whitespace --unidiff-zero "
				"--inaccurate-eof --allow-overlap -N --intent-to-add"),
			SETS("--stat --numstat --summary --check", DRY),
			FLAG("--unsafe-paths", UNKNOWN, ""),
			VALUES("-p -C --whitespace --directory --exclude --include")),
		/* nobody sees here which files a patch makes */
		.does = {DO_IF(WRITE_TREE, ".", 0, DRY | FACTS_GIT_OTHER)},
		.operands = {OP(READ, ALL)},
		.hook = facts_git_apply},
	{.names = "notes", .style = FACTS_LOOSE, .does = {DO_GIT(".")},
		.opts = FACTS_OPTS(VALUE("-F --file", READ)),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "worktree", .subs = worktree_subs},
	{.names = "checkout",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet --progress --no-progress -m --merge -d --detach "
				"--guess --no-guess --ours --theirs -2 -3 -p --patch -l "
				"--overlay --no-overlay --ignore-other-worktrees --no-track "
				"--recurse-submodules --pathspec-file-nul -t"),
			MAYBES("--track"), VALUES("--conflict"),
			VALUE_SETS("-b --orphan", INERT, FACTS_GIT_OTHER),
			VALUE_SETS("-B", INERT, FACTS_GIT_OTHER | FACTS_GIT_FORCE),
			SETS("-f --force", FACTS_GIT_FORCE),
			VALUE_SETS("--pathspec-from-file", READ, FACTS_GIT_FORCE)),
		.hook = facts_git_checkout},
	{.names = "switch",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet --progress --no-progress -m --merge -d --detach "
				"--guess --no-guess --ignore-other-worktrees --no-track "
				"--recurse-submodules -t"),
			MAYBES("--track"), VALUES("--conflict -c --create --orphan"),
			VALUE_SETS("-C --force-create", INERT, FACTS_GIT_FORCE),
			SETS("-f --force --discard-changes", FACTS_GIT_FORCE)),
		.does = {{.role = FACTS_WRITE_TREE, .flags = GIT, .text = ".",
				.unless = FACTS_GIT_FORCE},
			DO_LOSSY_IF(".", FACTS_GIT_FORCE, 0)},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	/* --- what throws work or history away --- */
	{.names = "restore",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet --progress --no-progress --ours --theirs -2 -3 -m "
				"--merge --overlay --no-overlay --ignore-unmerged "
				"--pathspec-file-nul -p --patch"),
			SETS("-S --staged", FACTS_GIT_STAGED),
			SETS("-W --worktree", FACTS_GIT_FORCE),
			VALUES("-s --source --conflict"),
			VALUE("--pathspec-from-file", READ)),
		.does = {DO_GIT_IF(".", FACTS_GIT_STAGED, FACTS_GIT_FORCE)},
		.operands = {{.role = FACTS_WRITE_TREE, .at = FACTS_ALL, .flags = LOSSY,
				.unless = FACTS_GIT_STAGED},
			{.role = FACTS_WRITE_TREE, .at = FACTS_ALL, .flags = LOSSY,
				.when = FACTS_GIT_FORCE},
			OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "reset",
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet --mixed --soft -p --patch -N --intent-to-add "
				"--refresh --no-refresh --pathspec-file-nul "
				"--recurse-submodules"),
			SETS("--hard --merge --keep", FACTS_GIT_FORCE),
			VALUE("--pathspec-from-file", READ)),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_reset},
	{.names = "clean",
		.opts = FACTS_OPTS(FLAGS("-q --quiet -i --interactive -d -x "
			"-X"), SETS("-n --dry-run", DRY), VALUES("-e --exclude"),
			SETS("-f --force", FACTS_GIT_FORCE)),
		/* -n wins over -f, and whoever writes both may not know */
		.does = {{.role = FACTS_DELETE_TREE, .flags = CALL_EFFECT_LOSSY,
			.text = ".", .unless = DRY},
			DO_IF(UNKNOWN, "-n and -f", DRY | FACTS_GIT_FORCE, 0)},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "rebase",
		.opts = FACTS_OPTS(
			FLAGS("--keep-base -q --quiet -v --verbose -n --no-stat --stat "
				"--signoff --committer-date-is-author-date --reset-author-date "
				"--ignore-whitespace -f --force-rebase --no-ff --continue "
				"--skip --abort --quit --edit-todo --show-current-patch --apply "
				"-m --merge -i --interactive --autosquash --no-autosquash "
				"--update-refs --no-update-refs --autostash --no-autostash "
				"--fork-point --no-fork-point --root --no-verify --verify "
				"--rerere-autoupdate --keep-empty --no-keep-empty "
				"--reapply-cherry-picks --no-gpg-sign --no-rebase-merges"),
			MAYBES("-r --rebase-merges -S --gpg-sign"),
			VALUES("--onto --whitespace -C --empty -s --strategy -X "
				"--strategy-option"),
			VALUE("-x --exec", SHELL)),
		.does = {DO_LOSSY(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "hash-object", .opts = FACTS_OPTS(
			FLAGS("--stdin --no-filters --literally --stdin-paths"),
			SETS("-w", FACTS_GIT_OTHER), VALUES("-t --path")),
		.does = {DO_GIT_IF(".", FACTS_GIT_OTHER, 0)},
		.operands = {OP(READ, ALL)}, .hook = facts_git_start},
	{.names = "symbolic-ref", .opts = FACTS_OPTS(
			FLAGS("-q --quiet --short --recurse --no-recurse"),
			SETS("-d --delete", FACTS_GIT_FORCE), VALUES("-m")),
		.does = {DO_LOSSY_IF(".", FACTS_OPERANDS2, 0),
			DO_LOSSY_IF(".", FACTS_GIT_FORCE, FACTS_OPERANDS2)},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "lfs", .subs = FACTS_SUBS(
		{.names = "ls-files status env version ext pointer",
			.style = FACTS_LOOSE, .does = {DO(LIST_TREE, ".")},
			.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
		{.names = "track", .style = FACTS_LOOSE, .opts = FACTS_OPTS(FLAGS("--json --no-excluded --dry-run")),
			.does = {DO_LOSSY_IF(".gitattributes", FACTS_OPERANDS, 0)},
			.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
		{.names = "fetch pull checkout locks", .style = FACTS_LOOSE,
			.does = {DO(REMOTE, "origin"), DO_GIT(".")},
			.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
		{.names = "push", .style = FACTS_LOOSE,
			.does = {DO(REMOTE_SEND, "origin")},
			.operands = {OP(INERT, ALL)}, .hook = facts_git_start})},
	{.names = "column patch-id", .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}},
	/* what begins them may run a program */
	{.names = "difftool mergetool", .opts = FACTS_OPTS(SETS("--tool-help", LIST)),
		.does = {DO_IF(UNKNOWN, "a tool for differences", 0, LIST)}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "replace", .opts = FACTS_OPTS(SETS("-l --list", LIST), FLAGS("-f --force -d --delete -e --edit --raw "
			"-g --graft --convert-graft-file"), VALUES("--format")),
		.does = {DO_LOSSY_IF(".", FACTS_OPERANDS, LIST)}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "rerere", .subs = FACTS_SUBS(
			{.names = "status diff remaining", .hook = facts_git_start},
			{.names = "clear forget gc", .does = {DO_LOSSY(".")}, .operands = {OP(INERT, ALL)},
				.hook = facts_git_start}),
		.does = {DO_LOSSY(".")}, .hook = facts_git_start},
	{.names = "sparse-checkout", .subs = FACTS_SUBS(
			{.names = "list check-rules", .opts = FACTS_OPTS(FLAGS("-z --cone --no-cone"), VALUE("--rules-file", READ)),
				.hook = facts_git_start},
			{.names = "set add init reapply disable clean", .style = FACTS_LOOSE, .does = {DO_LOSSY(".")},
				.operands = {OP(INERT, ALL)}, .hook = facts_git_start})},
	{.names = "multi-pack-index commit-graph", .style = FACTS_STOP, .subs = FACTS_SUBS(
			{.names = "verify", .style = FACTS_LOOSE, .does = {DO(LIST_TREE, ".")}, .hook = facts_git_start},
			{.names = "write expire repack", .style = FACTS_LOOSE, .does = {DO_LOSSY(".")},
				.operands = {OP(INERT, ALL)}, .hook = facts_git_start})},
	{.names = "prune", .opts = FACTS_OPTS(SETS("-n --dry-run", DRY), FLAGS("-v --verbose --progress --no-progress"),
			VALUES("--expire")),
		.does = {DO_LOSSY_IF(".", 0, DRY)}, .operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "update-index", .style = FACTS_LOOSE,
		.opts = FACTS_OPTS(SETS("--refresh --really-refresh", DRY), SETS("--add --remove --force-remove --cacheinfo "
			"--index-info --assume-unchanged --skip-worktree --chmod --replace --stdin", FACTS_GIT_FORCE)),
		.does = {DO_GIT_IF(".", DRY, FACTS_GIT_FORCE), DO_LOSSY_IF(".", 0, DRY), DO_LOSSY_IF(".", FACTS_GIT_FORCE, 0)},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = "filter-branch filter-repo update-ref "
			"read-tree checkout-index fast-import gc repack "
			"pack-refs prune-packed maintenance "
			"mktree mktag commit-tree write-tree "
			"unpack-objects index-pack pack-objects",
		.style = FACTS_LOOSE,
		.opts = FACTS_OPTS(
			VALUE("--env-filter --tree-filter --index-filter --parent-filter "
				"--msg-filter --commit-filter --tag-name-filter --setup", SHELL),
			VALUE("--blob-callback --commit-callback --filename-callback "
				"--message-callback", CODE)),
		.language = "python",
		.does = {DO_LOSSY(".")}, .operands = {OP(INERT, ALL)},
		.hook = facts_git_start},
	{.names = "bisect",
		.subs = FACTS_SUBS(
			{.names = "run", .style = FACTS_STOP | FACTS_WRAPPER,
				.hook = facts_git_exec},
			{.names = "start good bad old new skip reset log terms view "
				"visualize next replay", .style = FACTS_LOOSE,
				.does = {DO_GIT(".")}, .operands = {OP(INERT, ALL)},
				.hook = facts_git_start})},
	/* --- other machines --- */
	{.names = "fetch",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -q --quiet --all -a --append --atomic -f --force "
				"-m --multiple -t --tags -n --no-tags -p --prune -P --prune-tags "
				"--dry-run -k --keep -u --update-head-ok --progress "
				"--no-progress --unshallow --refetch --update-shallow -4 --ipv4 "
				"-6 --ipv6 --set-upstream --write-fetch-head "
				"--no-write-fetch-head --no-recurse-submodules --stdin "
				"--porcelain"),
			MAYBES("--recurse-submodules"),
			VALUES("-j --jobs --depth --shallow-since --shallow-exclude --deepen "
				"--refmap -o --server-option --negotiation-tip --filter"),
			VALUE("--upload-pack", SHELL)),
		.does = {DO_GIT(".")}, .hook = facts_git_fetch},
	{.names = "pull",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -q --quiet --progress --no-progress -n --stat "
				"--no-stat --squash --no-squash --commit --no-commit -e --edit "
				"--no-edit --ff --no-ff --ff-only --verify --no-verify "
				"--autostash --no-autostash --allow-unrelated-histories --all "
				"-a --append -f --force -t --tags --no-tags -p --prune "
				"--dry-run -k --keep --unshallow --update-shallow -4 --ipv4 -6 "
				"--ipv6 --set-upstream --no-rebase --signoff "
				"--verify-signatures --no-recurse-submodules"),
			MAYBES("-r --rebase --recurse-submodules -S --gpg-sign --log"),
			VALUES("-s --strategy -X --strategy-option --cleanup -j --jobs "
				"--depth --shallow-since --shallow-exclude --deepen --refmap -o "
				"--server-option"),
			VALUE("--upload-pack", SHELL)),
		.does = {DO_FLAGS(WRITE_TREE, GIT, ".")}, .hook = facts_git_fetch},
	{.names = "push",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -q --quiet --all --branches --tags --porcelain "
				"--thin --no-thin -u --set-upstream --progress --no-progress "
				"--follow-tags --no-follow-tags --atomic -4 --ipv4 -6 --ipv6 "
				"--verify --no-verify --force-if-includes"),
			SETS("-n --dry-run", DRY),
			SETS("--mirror --prune -f --force", FACTS_GIT_FORCE),
			{.names = "--force-with-lease", .arg = FACTS_MAYBE,
				.set = FACTS_GIT_FORCE},
			SETS("-d --delete", FACTS_GIT_DELETE), MAYBES("--signed"),
			VALUES("--repo --recurse-submodules -o --push-option"),
			VALUE("--receive-pack --exec", SHELL)),
		.hook = facts_git_push},
	{.names = "clone",
		.opts = FACTS_OPTS(
			FLAGS("-v --verbose -q --quiet --progress --reject-shallow -n "
				"--no-checkout --bare --mirror -l --local --no-local -s --shared "
				"--no-hardlinks --dissociate --single-branch "
				"--no-single-branch --no-tags --shallow-submodules --sparse "
				"--remote-submodules -4 --ipv4 -6 --ipv6"),
			MAYBES("--recurse-submodules --recursive"),
			VALUES("-j --jobs -o --origin -b --branch --depth --shallow-since "
				"--shallow-exclude --filter --server-option --bundle-uri "
				"--reference --reference-if-able -c --config"),
			VALUE("--template", LOAD), VALUE("--separate-git-dir", WRITE_TREE),
			VALUE("-u --upload-pack", SHELL)),
		.hook = facts_git_clone},
	{.names = "remote", .opts = FACTS_OPTS(FLAGS("-v --verbose")),
		.subs = remote_subs, .hook = facts_git_start},
	{.names = "submodule", .opts = FACTS_OPTS(FLAGS("--quiet --cached")),
		.subs = submodule_subs, .hook = facts_git_start},
	{.names = "archive",
		.opts = FACTS_OPTS(FLAGS("-v --verbose -l --list --worktree-attributes"),
			VALUES("--format --prefix --add-virtual-file --mtime"),
			VALUE("--add-file", READ), OUTPUT("-o --output"),
			VALUE("--remote", HOST), VALUE("--exec", SHELL)),
		.does = {DO(LIST_TREE, ".")},
		.operands = {OP(INERT, FIRST), OP(READ_TREE, REST)},
		.hook = facts_git_start},
	{.names = "bundle",
		.subs = FACTS_SUBS(
			{.names = "create", .style = FACTS_LOOSE,
				.operands = {OP(WRITE, FIRST), OP(INERT, REST)},
				.hook = facts_git_start},
			{.names = "unbundle", .does = {DO_GIT(".")},
				.operands = {OP(READ, FIRST), OP(INERT, REST)},
				.hook = facts_git_start},
			{.names = "verify list-heads", .style = FACTS_LOOSE,
				.operands = {OP(READ, FIRST), OP(INERT, REST)},
				.hook = facts_git_start})},
	{.names = "format-patch", .style = FACTS_DIGITS,
		.opts = FACTS_OPTS(LOG_OPTS,
			SETS("--stdout", DRY), FLAGS("--numbered --no-numbered -k --keep-subject "
				"--signoff --cover-letter --no-signature --zero-commit --rfc "
				"--progress"),
			VALUES("-v --reroll-count --start-number --subject-prefix --to "
				"--cc --base --suffix"),
			VALUES("-o --output-directory")),
		.operands = {OP(INERT, ALL)}, .hook = facts_git_patches},
	{.names = "config",
		.opts = FACTS_OPTS(
			FLAGS("--local --worktree -z --null --name-only --includes "
				"--no-includes --show-origin --show-scope --bool --int "
				"--bool-or-int --path --expiry-date --fixed-value --all "
				"--regexp"),
			SETS("--global", FACTS_GIT_GLOBAL), SETS("--system",
				FACTS_GIT_OTHER),
			SETS("--get --get-all --get-regexp --get-urlmatch -l --list "
				"--get-color --get-colorbool", LIST),
			SETS("--add --replace-all --unset --unset-all --rename-section "
				"--remove-section -e --edit", FACTS_GIT_DELETE),
			VALUES("--blob -t --type --default --value --comment --url"),
			VALUES("-f --file")),
		.hook = facts_git_config},
	{.names = "credential", .does = {DO(SECRET, "git credentials")},
		.operands = {OP(INERT, ALL)}, .hook = facts_git_start},
	{.names = NULL},
};

const struct facts_prog facts_prog_git[] = {
	{.names = "git",
		.manual = "git(1)",
		.opts = FACTS_OPTS(
			FLAGS("-h --help"),
			FLAGS("-p --paginate -P --no-pager --bare --no-replace-objects "
				"--literal-pathspecs --glob-pathspecs --noglob-pathspecs "
				"--icase-pathspecs --no-optional-locks --html-path --man-path "
				"--info-path -v --no-lazy-fetch --no-advice"),
			VALUE("-C", CHDIR),
			{.names = "-c", .arg = FACTS_VALUE, .role = FACTS_INERT,
				.set = FACTS_GIT_SETS},
			VALUES("--git-dir --work-tree"), /* see facts_git_start */
			VALUE("--config-env --namespace --attr-source", UNKNOWN),
			MAYBE("--exec-path", LOAD)),
		.subs = git_subs},
	{.names = NULL},
};
// clang-format on
