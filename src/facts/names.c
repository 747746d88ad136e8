/*
 * Names of files that become words, or text: a name with a blank in it may be
 * parted, one with a quote may be a command. The world says how they are made, and
 * which of them a search through a folder would meet that may be secret.
 */

#include "facts/facts_priv.h"

/* The part of a path before the first component that holds a glob. */
static struct str
head_of(struct str path)
{
	size_t slash = 0;

	for (size_t i = 0; i < path.len; i++) {
		if (path.ptr[i] == '/')
			slash = i + 1;
		if (str_has_char(STR("*?[("), path.ptr[i]))
			return str_sub(path, 0, slash);
	}
	return path;
}

struct str
facts_names_tree(
	struct facts *f, const struct facts_cwd *cwd, const struct facts_word *w)
{
	struct facts_word head = *w;
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (w->tree.ptr)
		return w->tree;
	head.text = head_of(w->text);
	head.flags &= FACTS_DYNAMIC;
	if (head.text.len == 0)
		head.text = STR(".");
	size_t n = facts_path_of(f, cwd, &head, paths, &sure);

	return sure && n == 1 ? paths[0] : (struct str){NULL, 0};
}

bool
facts_names_are(struct facts *f, struct str tree, enum facts_names least)
{
	const struct call_answer *found;
	enum call_scope scope;

	if (!tree.ptr)
		return false;
	scope = facts_path_scope(f, tree);
	if (scope != CALL_SCOPE_WORKSPACE && scope != CALL_SCOPE_SCRATCH)
		return false;
	found = call_world_find(f->world, CALL_NEED_NAMES, tree);
	if (found)
		return str_eq(found->value, STR("plain"))
			|| (str_eq(found->value, STR("ordinary"))
				&& least != FACTS_NAMES_PLAIN);
	if (f->world->assumed)
		return true;
	if (!f->world->rounds_used_up)
		facts_add_need(f, CALL_NEED_NAMES, arena_dup(f->a, tree));
	return false;
}

bool
facts_names_are_code(struct facts *f, const struct facts_word *text)
{
	if (!(text->flags & FACTS_GLOB))
		return false;
	/* branches: git forbids blanks in them, and little else */
	return ((text->flags & FACTS_NUMBER) && (text->flags & FACTS_BELOW))
		|| !facts_names_are(f, text->tree, FACTS_NAMES_PLAIN);
}

void
facts_names_flow(struct facts *f, const struct facts_cwd *cwd,
	const struct facts_word *w, struct facts_flow *out)
{
	out->names = true;
	out->below = w->text;
	out->tree = facts_names_tree(f, cwd, w);
}

bool
facts_names_stay(const struct facts_run *run, size_t first)
{
	for (size_t i = first; i < run->operand_count; i++) {
		struct str text = run->operands[i].text;

		if ((run->operands[i].flags & ~(unsigned)FACTS_GLOB)
			|| str_starts(text, STR("/")) || str_has(text, STR(".."))
			|| facts_path_is_secret(run->f, text))
			return false;
	}
	return true;
}

struct facts_word
facts_names_word(struct facts *f, const struct facts_flow *flow, bool whole,
	struct facts_word otherwise)
{
	struct facts_word w = otherwise;

	if (!flow || !flow->names
		|| (!whole && !facts_names_are(f, flow->tree, FACTS_NAMES_ORDINARY)))
		return otherwise;
	w.flags = FACTS_GLOB | FACTS_BELOW;
	w.tree = flow->tree.ptr ? flow->tree : STR("");
	if (str_has(flow->below, STR("/**/"))) { /* the names themselves */
		w.text = flow->below;
		return w;
	}
	if (flow->below.len > 0)
		w.text = arena_fmt(f->a, "%.*s/*", STR_ARG(flow->below));
	else /* ordinary names do not look like options */
		w.text = whole ? STR("*") : STR("./*");
	return w;
}

/* --- what a search meets ------------------------------------------------------ */

/* Hidden names are passed over unless an option says otherwise. */
static bool
passes_hidden(const struct facts_run *run)
{
	static const char shows[] =
		"--hidden -. --no-ignore -u -uu -uuu --unrestricted -a --all-types "
		"--all -H";

	if (!facts_names_have("rg ag pt sift", run->name))
		return false;
	for (size_t i = 1; i < run->count; i++) {
		if (facts_names_have(shows, run->words[i].text))
			return false;
	}
	return true;
}

static bool
is_hidden(struct str path)
{
	return str_starts(path, STR(".")) || str_has(path, STR("/."));
}

/* Programs that show or copy the content of all that is below a folder. */
static bool
shows_all(const struct facts_run *run, unsigned flags, struct str path)
{
	static const char walkers[] =
		"grep egrep fgrep zgrep rg ag ack ugrep pt sift tar gtar bsdtar zip 7z "
		"7za cp rsync scp diff colordiff strings bat";
	struct str base = str_base(path);

	if (flags & CALL_EFFECT_PATTERN)
		return str_eq(base, STR("*")) || str_eq(base, STR("**"));
	return (flags & CALL_EFFECT_TREE) && facts_names_have(walkers, run->name);
}

/* What the world says of the folder, absent where it does not; *ret_known is
 * false where it should have. */
static struct str
secrets_of(struct facts *f, struct str folder, bool *ret_known)
{
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_SECRETS, folder);

	*ret_known = true;
	if (found && found->value.ptr)
		return found->value;
	if (!found && !f->world->assumed && !f->world->rounds_used_up)
		facts_add_need(f, CALL_NEED_SECRETS, arena_dup(f->a, folder));
	else
		*ret_known = f->world->assumed && !found;
	return STR("");
}

struct str
facts_secrets_below(struct facts *f, struct str path, bool *ret_known)
{
	struct str folder = head_of(path);

	while (folder.len > 1 && str_ends(folder, STR("/")))
		folder.len--;
	return secrets_of(f, folder, ret_known);
}

void
facts_secret_add(struct facts *f, struct str folder, struct str name,
	struct str by, size_t command)
{
	/* whoever looked followed no links */
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_READ,
			.scope = CALL_SCOPE_WORKSPACE,
			.resource =
				arena_fmt(f->a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)),
			.by = by,
			.command = command});
}

void
facts_secrets_met(struct facts_run *run, unsigned flags, struct str path)
{
	struct facts *f = run->f;
	struct str rest, one, folder = head_of(path);
	bool known;

	if (!shows_all(run, flags, path)
		|| facts_path_scope(f, path) != CALL_SCOPE_WORKSPACE)
		return;
	rest = facts_secrets_below(f, path, &known);
	if (!known)
		facts_run_ignore(
			run, CALL_DYNAMIC, "it is not known which secrets are below", path);
	while (folder.len > 1 && str_ends(folder, STR("/")))
		folder.len--;
	for (size_t n = 0; n < FACTS_LOOP_ITEMS_MAX && str_line(&rest, &one);) {
		bool deep = str_has_char(one, '/');

		if (one.len == 0
			|| (passes_hidden(run) && is_hidden(one))
			/* a star alone is no hidden name, and nothing further down */
			|| ((flags & CALL_EFFECT_PATTERN) && !(flags & CALL_EFFECT_TREE)
				&& (deep || is_hidden(one))))
			continue;
		run->out->taint |= FACTS_FROM_SECRET;
		facts_secret_add(f, folder, one, run->name, run->index);
		n++;
	}
}

/* --- outputs that are one plain word ----------------------------------------- */

static bool
given_are(const struct facts_run *run, const char *names)
{
	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have(names, run->given[i].name))
			return false;
	}
	return true;
}

/* date +FORMAT: no blanks, and no dash at the beginning. */
static bool
is_date(const struct facts_run *run)
{
	struct str f;

	if (run->operand_count != 1 || run->operands[0].flags)
		return false;
	f = run->operands[0].text;
	/* %c, %x, %p and kin depend on the language, %n and %t are blanks */
	for (size_t i = 0; i < f.len; i++) {
		if (str_has_char(STR(" \t\n*?[]'\"\\/"), f.ptr[i])
			|| (f.ptr[i] == '%' && i + 1 < f.len
				&& !str_has_char(STR("YmdHMSsFTjuyVGNIuwe"), f.ptr[i + 1])))
			return false;
	}
	return f.len > 2 && f.ptr[0] == '+' && f.ptr[1] != '-' && f.ptr[1] != '.';
}

/* rev-parse: options that leave it one name. */
static bool
only_shapes(const struct facts_run *run)
{
	for (size_t i = 2; i < run->count; i++) {
		struct str rest, w = str_cut(run->words[i].text, '=', &rest);

		if (str_starts(w, STR("-"))
			&& !facts_names_have("--short --abbrev-ref --verify -q --quiet", w))
			return false;
	}
	return true;
}

/* git: the name of a commit or a branch. */
static bool
is_git_name(const struct facts_run *run)
{
	struct str sub = run->sub;
	const struct facts_given *format;

	for (size_t i = 0; i < run->operand_count; i++) {
		if (run->operands[i].flags || str_has(run->operands[i].text, STR("..")))
			return false;
	}
	if (str_eq(sub, STR("rev-parse")))
		return run->operand_count == 1
			&& !str_starts(run->operands[0].text, STR(":")) && only_shapes(run);
	if (str_eq(sub, STR("merge-base")))
		return run->operand_count == 2 && run->count == 4;
	if (str_eq(sub, STR("describe")))
		return run->operand_count == 0;
	if (str_eq(sub, STR("branch")))
		return run->operand_count == 0 && run->given_count == 1
			&& facts_given_find(run, "--show-current");
	format = facts_given_find(run, "--format");
	return str_eq(sub, STR("log")) && run->count == 4 && format
		&& format->has_value
		&& facts_names_have("%H %h %T %ct %at", format->value.text)
		&& facts_names_have("-1 -n1", run->words[2].text);
}

bool
facts_names_word_out(const struct facts_run *run)
{
	if (run->f->out->commands[run->index].ignorance != 0)
		return false;
	if (str_eq(run->name, STR("date")))
		return is_date(run) && given_are(run, "-u --utc --universal -d --date");
	if (str_eq(run->name, STR("git")) && run->sub.ptr)
		return is_git_name(run);
	if (facts_names_have("nproc whoami logname", run->name))
		return run->operand_count == 0;
	if (str_eq(run->name, STR("id")))
		return run->operand_count == 0 && run->given_count > 0
			&& given_are(run, "-u -g -n -r") && run->count <= 3;
	if (str_eq(run->name, STR("uname")))
		return run->operand_count == 0 && run->count <= 2
			&& (run->count == 1
				|| facts_names_have("-s -m -r -n -p -i", run->words[1].text));
	return str_eq(run->name, STR("hostname")) && run->count == 1;
}

void
facts_names_program(struct facts_run *run)
{
	struct facts *f = run->f;
	const struct facts_prog *row;
	const struct call_answer *found;
	struct str name;

	if (run->operand_count != 1 || run->operands[0].flags)
		return;
	name = run->operands[0].text;
	row = facts_prog_find(name);
	if (!row || (row->style & FACTS_BUILTIN))
		return;
	found = call_world_find(f->world, CALL_NEED_PROGRAM, name);
	if (!found && !f->world->assumed && !f->world->rounds_used_up)
		facts_add_need(f, CALL_NEED_PROGRAM, name);
	if (!f->world->assumed && (!found || found->value.len == 0))
		return;
	*run->out = (struct facts_flow){.known = true, .any = true};
	run->out->text =
		found ? found->value : arena_fmt(f->a, "/usr/bin/%.*s", STR_ARG(name));
}
