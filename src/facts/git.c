/*
 * git: what its rows cannot say. git-config(1) names the keys that run
 * programs.
 */

#include "facts/git.h"

/* Keys whose values are programs or decide which are run; '*' is any text. */
static const char *const running_keys[] = {"core.pager", "core.editor",
	"core.sshcommand", "core.fsmonitor", "core.hookspath", "core.gitproxy",
	"core.askpass", "core.worktree", "sequence.editor", "diff.external",
	"diff.*.command", "diff.*.textconv", "merge.*.driver", "filter.*",
	"alias.*", "credential.*", "gpg.program", "gpg.*", "pager.*", "browser.*",
	"man.*", "include.path", "includeif.*", "init.templatedir", "protocol.*",
	"remote.*", "url.*", "http.proxy", "submodule.*.update",
	"uploadpack.packobjectshook", "interactive.difffilter", "sendemail.*",
	"trailer.*", "difftool.*", "mergetool.*", "web.browser", "gui.*",
	"guitool.*", "instaweb.*", "receive.*", "core.attributesfile",
	"core.excludesfile", "tar.*", "fsmonitor.*", "diff.tool", "merge.tool"};

static const char *const harmless_keys[] = {"user.name", "user.email",
	"color.*", "core.quotepath", "core.autocrlf", "core.safecrlf",
	"core.longpaths", "core.abbrev", "core.filemode", "core.ignorecase",
	"core.symlinks", "core.precomposeunicode", "core.eol", "core.bare",
	"core.commentchar", "core.preloadindex", "core.untrackedcache", "advice.*",
	"init.defaultbranch", "log.*", "diff.renames", "diff.algorithm",
	"diff.renamelimit", "diff.context", "diff.noprefix", "diff.mnemonicprefix",
	"commit.gpgsign", "tag.gpgsign", "commit.verbose", "pull.rebase", "pull.ff",
	"push.default", "push.autosetupremote", "fetch.prune",
	"merge.conflictstyle", "merge.ff", "rebase.autostash", "rebase.autosquash",
	"status.*", "safe.directory", "gc.auto", "column.*", "help.autocorrect",
	"rerere.*", "branch.*", "feature.*", "index.*", "pack.*", "blame.*",
	"grep.*", "http.postbuffer", "http.lowspeedlimit", "http.lowspeedtime",
	"transfer.fsckobjects", "versionsort.*", "format.pretty", "checkout.*",
	"apply.whitespace", "core.whitespace", "tag.sort", "stash.*"};

static bool
key_matches(const char *pattern, struct str key)
{
	struct str tail, head = str_cut(str_from(pattern), '*', &tail);

	if (!tail.ptr)
		return str_eq_fold(key, head);
	return key.len >= head.len + tail.len
		&& str_eq_fold(str_sub(key, 0, head.len), head)
		&& str_eq_fold(str_sub(key, key.len - tail.len, key.len), tail);
}

static bool
key_in(const char *const *list, size_t count, struct str key)
{
	for (size_t i = 0; i < count; i++) {
		if (key_matches(list[i], key))
			return true;
	}
	return false;
}

/* A setting that is made for this command, or kept. */
static void
set_key(struct facts_run *run, struct str key, const struct facts_word *value)
{
	static const char nothing[] = "cat less false true : /dev/null 0 1 never";
	struct facts *f = run->f;
	bool plain = !(value->flags & FACTS_DYNAMIC)
		&& (value->text.len == 0 || facts_names_have(nothing, value->text));

	if (key_in(running_keys, ARRAY_LEN(running_keys), key)) {
		if (plain)
			return;
		facts_add_effect(f,
			(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
				.resource = arena_fmt(f->a, "%.*s=%.*s", STR_ARG(key),
					STR_ARG(str_sub(value->text, 0, 200))),
				.by = run->name,
				.command = run->index});
		return;
	}
	if (!key_in(harmless_keys, ARRAY_LEN(harmless_keys), key))
		facts_run_ignore(
			run, CALL_UNKNOWN, "a git setting that is not known", key);
}

/* Whether the configuration of the folder's repository names programs. */
static void
ask_config(struct facts_run *run, struct str folder)
{
	struct facts *f = run->f;
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_GIT, folder);

	if (found && str_eq(found->value, STR("plain")))
		return;
	if (found) {
		facts_add_effect(f,
			(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
				.resource = STR("programs of the repository's configuration"),
				.by = run->name,
				.command = run->index});
		return;
	}
	if (f->world->assumed)
		return;
	if (f->world->rounds_used_up)
		facts_run_ignore(run, CALL_UNKNOWN,
			"the repository's configuration may run programs", folder);
	else
		facts_add_need(f, CALL_NEED_GIT, folder);
}

/* --git-dir, --work-tree: the repository here is named; another may run what its
 * configuration says. */
static void
check_place(struct facts_run *run, const struct facts_given *g)
{
	static const char *const ends[] = {"/.git", ""};
	struct str paths[FACTS_CWD_MAX];
	bool sure, is_tree = facts_names_have("--work-tree", g->name);
	size_t n = facts_path_of(run->f, &run->cwd, &g->value, paths, &sure);

	if (sure && n == 1 && run->cwd.count == 1
		&& str_eq(paths[0],
			arena_fmt(run->f->a, "%.*s%s", STR_ARG(run->cwd.paths[0]),
				ends[is_tree])))
		return;
	facts_run_ignore(
		run, CALL_UNKNOWN, "a repository that is elsewhere", g->value.source);
}

void
facts_git_start(struct facts_run *run)
{
	for (size_t i = 0; i < run->given_count; i++) {
		if (facts_names_have("--git-dir --work-tree", run->given[i].name))
			check_place(run, &run->given[i]);
	}
	for (size_t i = 0; i < run->given_count; i++) {
		struct facts_word value = run->given[i].value;

		if (!(run->given[i].opt->set & FACTS_GIT_SETS))
			continue;
		if (!facts_work(run->f, 20))
			break;
		struct str key = str_cut(value.text, '=', &value.text);

		set_key(run, key, &value);
	}
	for (size_t i = 0; i < run->cwd.count; i++)
		ask_config(run, run->cwd.paths[i]);
}

void
facts_git_apply(struct facts_run *run)
{
	const struct facts_given *strip = facts_given_find(run, "-p");
	const struct call *c = run->f->call;
	int64_t number = 1;
	bool from_in = run->operand_count == 0
		|| (run->operand_count == 1 && str_eq(run->operands[0].text, STR("-")));
	bool at_root = false;

	facts_git_start(run);
	/* elsewhere the names count from the top of the work tree */
	for (size_t i = 0; i < c->root_count && run->cwd.count == 1; i++)
		at_root = at_root || str_eq(run->cwd.paths[0], c->roots[i]);
	if (!at_root || run->cwd.unknown || !from_in || !run->in || !run->in->known
		|| facts_given_find(run, "--directory --unsafe-paths")
		|| (strip
			&& (!str_number(strip->value.text, &number) || number < 0
				|| number > 9)))
		return;
	if (facts_diff(
			run, run->in->text, (size_t)number, run->bits & FACTS_GIT_DRY))
		run->bits |= FACTS_GIT_OTHER;
}

/* Whether names are printed of files that are there, or in the index, and
 * nothing else. */
static bool
prints_names(const struct facts_run *run)
{
	static const char lists[] =
		"-c --cached -m --modified -o --others --exclude-standard -z "
		"--name-only -l --files-with-matches -i --ignore-case -E -F -w -r";
	bool is_list = str_eq(run->sub, STR("ls-files"));
	bool is_grep = str_eq(run->sub, STR("grep"));
	bool is_diff = str_eq(run->sub, STR("diff"));

	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have(lists, run->given[i].name)
			|| (is_diff && !str_eq(run->given[i].name, STR("--name-only"))))
			return false;
	}
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_starts(run->operands[i].text, STR(":")))
			return false;
	}
	if (is_list)
		return facts_names_stay(run, 0);
	if (is_diff) /* what else stands there may be a commit with other names */
		return run->operand_count == 0 && run->given_count > 0;
	return is_grep && run->operand_count == 1
		&& facts_given_find(run, "-l --files-with-matches --name-only");
}

/* rev-parse --show-toplevel: the workspace, when it is a repository and the
 * folder is in it. A repository further in is the workspace's, too. */
static void
print_top(struct facts_run *run)
{
	struct facts *f = run->f;

	if (!str_eq(run->sub, STR("rev-parse")) || run->count != 3
		|| !str_eq(run->words[2].text, STR("--show-toplevel"))
		|| run->cwd.count != 1 || run->cwd.unknown)
		return;
	for (size_t i = 0; i < f->call->root_count; i++) {
		struct str root = f->call->roots[i];
		struct str head = arena_fmt(f->a, "%.*s/.git/HEAD", STR_ARG(root));
		const struct call_answer *found =
			call_world_find(f->world, CALL_NEED_FILE, head);

		if (!facts_path_below(run->cwd.paths[0], root)
			|| facts_path_scope(f, root) != CALL_SCOPE_WORKSPACE)
			continue;
		if (!found && !f->world->assumed && !f->world->rounds_used_up)
			facts_add_need(f, CALL_NEED_FILE, head);
		if ((found && found->value.ptr) || (!found && f->world->assumed))
			*run->out =
				(struct facts_flow){.known = true, .any = true, .text = root};
		return;
	}
}

void
facts_git_shows(struct facts_run *run)
{
	static const struct facts_word here = {
		.text = {"", 0}
    };
	bool dashes = false;

	facts_names_flow(run->f, &run->cwd, &here, run->out);
	run->out->names = prints_names(run);
	print_top(run);
	facts_git_start(run);
	/* what stands behind "--" is a path whose content is shown */
	for (size_t i = 1; i < run->count; i++) {
		if (dashes)
			facts_apply(run, FACTS_READ_TREE, 0, &run->words[i]);
		dashes = dashes || str_eq(run->words[i].text, STR("--"));
	}
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];

		if (facts_path_is_secret(run->f, w.text))
			facts_apply(run, FACTS_READ, 0, &w);
		(void)str_cut(w.text, ':', &w.text);
		if (w.text.len > 0)
			facts_apply(run, FACTS_READ, 0, &w);
	}
}

/* An address or the name of a remote. ext:: runs a command. */
static void
remote(struct facts_run *run, const struct facts_word *w, bool sends,
	unsigned flags)
{
	struct str host;
	struct facts_word text = *w;

	if (str_starts(w->text, STR("ext::"))) {
		/* git splits it by rules of its own; a shell's reading shows danger */
		text.text = str_sub(w->text, 5, w->text.len);
		facts_run_ignore(
			run, CALL_UNKNOWN, "an address that is a command", w->source);
		facts_run_shell(run, &text);
		return;
	}
	host = str_cut(w->text, ':', &text.text);
	if (str_has(w->text, STR("://"))) {
		facts_apply(run, FACTS_URL, 0, w);
	} else if (text.text.ptr && !str_has_char(host, '/')) {
		text.text = host;
		facts_apply(run, FACTS_HOST, 0, &text);
	} else if (str_has_char(w->text, '/') || str_starts(w->text, STR("."))) {
		facts_apply(run, sends ? FACTS_WRITE_TREE : FACTS_READ_TREE, 0, w);
	} else {
		facts_apply(run, FACTS_REMOTE, 0, w);
	}
	if (sends)
		facts_apply(run, FACTS_REMOTE_SEND, flags, w);
}

void
facts_git_patches(struct facts_run *run)
{
	const struct facts_given *out =
		facts_given_find(run, "-o --output-directory");
	struct facts_word w = facts_word_from(STR("."));

	facts_git_start(run);
	if (run->bits & FACTS_GIT_DRY)
		return;
	if (out && facts_names_have("-o --output-directory", out->name)
		&& out->has_value)
		w = out->value;
	if (facts_given_find(run, "--suffix")) {
		facts_apply(run, FACTS_WRITE_TREE, 0, &w);
		return;
	}
	w.text = arena_fmt(run->f->a, "%.*s/*.patch", STR_ARG(w.text));
	w.flags |= FACTS_GLOB;
	facts_apply(run, FACTS_WRITE, 0, &w);
}

void
facts_git_push(struct facts_run *run)
{
	struct facts_word origin = facts_word_from(STR("origin"));
	unsigned flags = 0;

	facts_git_start(run);
	run->done = true;
	if (run->bits & (FACTS_GIT_FORCE | FACTS_GIT_DELETE))
		flags |= CALL_EFFECT_FORCE;
	for (size_t i = 1; i < run->operand_count; i++) {
		struct str ref = run->operands[i].text;

		/* +ref overwrites, :ref deletes */
		if (str_starts(ref, STR("+")) || str_starts(ref, STR(":")))
			flags |= CALL_EFFECT_FORCE;
	}
	if (run->bits & FACTS_GIT_DRY)
		remote(run, run->operand_count > 0 ? &run->operands[0] : &origin, false,
			0);
	else
		remote(run, run->operand_count > 0 ? &run->operands[0] : &origin, true,
			flags);
}

void
facts_git_fetch(struct facts_run *run)
{
	struct facts_word origin = facts_word_from(STR("origin"));

	facts_git_start(run);
	run->done = true;
	remote(run, run->operand_count > 0 ? &run->operands[0] : &origin, false, 0);
}

void
facts_git_clone(struct facts_run *run)
{
	facts_git_start(run);
	run->done = true;
	for (size_t i = 0; i < run->given_count; i++) {
		struct facts_word value = run->given[i].value;

		if (!facts_names_have("-c --config", run->given[i].name)
			|| (run->given[i].opt->set & FACTS_GIT_SETS))
			continue;
		struct str key = str_cut(value.text, '=', &value.text);

		set_key(run, key, &value);
	}
	if (run->operand_count == 0)
		return;
	remote(run, &run->operands[0], false, 0);
	if (str_starts(run->operands[0].text, STR("ext::")))
		return;
	if (run->operand_count > 1) {
		facts_apply(run, FACTS_WRITE_TREE, 0, &run->operands[1]);
		return;
	}
	struct facts_word w = run->operands[0];

	while (str_ends(w.text, STR("/")))
		w.text.len--;
	w.text = str_base(w.text);
	if (str_has_char(w.text, ':'))
		(void)str_cut(w.text, ':', &w.text);
	if (str_ends(w.text, STR(".git")))
		w.text.len -= 4;
	facts_apply(run, FACTS_WRITE_TREE, 0, &w);
}

void
facts_git_config(struct facts_run *run)
{
	static const char verbs[] =
		"get list set unset edit rename-section remove-section";
	size_t first = 0;
	bool reads = run->bits & FACTS_GIT_LIST;
	const struct facts_given *file = facts_given_find(run, "-f --file");

	facts_git_start(run);
	run->done = true;
	if (run->operand_count > 0
		&& facts_names_have(verbs, run->operands[0].text)) {
		reads = reads || facts_names_have("get list", run->operands[0].text);
		first = 1;
	}
	if (file && file->has_value)
		facts_apply(run, FACTS_READ, 0, &file->value);
	if (reads
		|| (first == 0 && run->operand_count <= 1
			&& !(run->bits & FACTS_GIT_DELETE)))
		return;
	if (run->operand_count > first + 1)
		set_key(run, run->operands[first].text, &run->operands[first + 1]);
	if (file && file->has_value)
		facts_apply(run, FACTS_WRITE, 0, &file->value);
	else if (run->bits & FACTS_GIT_OTHER)
		facts_apply_text(run, FACTS_WRITE, 0, "/etc/gitconfig");
	else if (run->bits & FACTS_GIT_GLOBAL)
		facts_apply_text(run, FACTS_WRITE, 0,
			arena_fmt(
				run->f->a, "%.*s/.gitconfig", STR_ARG(run->f->world->home))
				.ptr);
	else
		facts_apply_text(run, FACTS_WRITE, 0, ".git/config");
}

/* A word that names a file rather than a branch. */
static bool
looks_like_file(const struct facts_word *w)
{
	struct str base = str_base(w->text);
	size_t dot = str_find(base, STR("."), 1);

	if (str_starts(w->text, STR(".")) || str_starts(w->text, STR("/"))
		|| str_starts(w->text, STR("~")) || str_ends(w->text, STR("/"))
		|| (w->flags & FACTS_GLOB))
		return true;
	/* a suffix of letters */
	return dot + 1 < base.len && base.len - dot <= 5 && base.ptr[dot + 1] >= 'a'
		&& base.ptr[dot + 1] <= 'z';
}

/* reset to another commit rewrites the branch. */
void
facts_git_reset(struct facts_run *run)
{
	bool lossy = run->bits & FACTS_GIT_FORCE;

	facts_git_start(run);
	for (size_t i = 0; i < run->operand_count; i++) {
		struct str w = run->operands[i].text;

		if (!str_eq(w, STR("HEAD"))
			&& (str_has_char(w, '~') || str_has_char(w, '^')
				|| str_has_char(w, '@') || str_starts(w, STR("origin/"))))
			lossy = true;
	}
	facts_apply_text(run, lossy ? FACTS_WRITE_TREE : FACTS_WRITE,
		CALL_EFFECT_GIT | (lossy ? CALL_EFFECT_LOSSY : 0), ".");
}

/* checkout BRANCH can be undone; checkout FILES and -f throw changes away. */
void
facts_git_checkout(struct facts_run *run)
{
	bool dashes = false, files = false;

	facts_git_start(run);
	run->done = true;
	for (size_t i = 1; i < run->count; i++) {
		if (str_eq(run->words[i].text, STR("--")))
			dashes = true;
	}
	for (size_t i = 0; i < run->operand_count; i++) {
		const struct facts_word *w = &run->operands[i];
		bool path = (dashes && (i > 0 || run->operand_count == 1))
			|| looks_like_file(w) || (i > 0 && !(run->bits & FACTS_GIT_OTHER));

		if (!path)
			continue;
		files = true;
		facts_apply(
			run, FACTS_WRITE_TREE, CALL_EFFECT_GIT | CALL_EFFECT_LOSSY, w);
	}
	if (!files)
		facts_apply_text(run, FACTS_WRITE_TREE,
			CALL_EFFECT_GIT
				| (run->bits & FACTS_GIT_FORCE ? CALL_EFFECT_LOSSY : 0),
			".");
}

void
facts_git_branch(struct facts_run *run)
{
	bool reads = (run->bits & FACTS_GIT_LIST)
		|| (run->operand_count == 0 && !(run->bits & FACTS_GIT_DELETE));

	facts_git_start(run);
	run->done = true;
	if (!reads)
		facts_apply_text(run, FACTS_WRITE,
			CALL_EFFECT_GIT
				| (run->bits & FACTS_GIT_FORCE ? CALL_EFFECT_LOSSY : 0),
			".");
}

/* submodule foreach CMD, bisect run CMD. */
void
facts_git_exec(struct facts_run *run)
{
	facts_git_start(run);
	if (run->operand_count == 1)
		facts_run_shell(run, &run->operands[0]);
	else if (run->operand_count > 1)
		facts_run_inner(run, run->operands, run->operand_count);
	run->done = true;
}
