/*
 * Names of files that become words, or text: a name with a blank in it may be
 * parted, one with a quote may be a command. The world says how they are made.
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
