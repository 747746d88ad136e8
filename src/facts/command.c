/*
 * Simple commands: assignments, words and redirections of one node, and texts
 * that are read as scripts of their own.
 */

#include "facts/walk_priv.h"

// NOLINTBEGIN(misc-no-recursion): bounded by the depth of the tree

static const struct shell_node *
child(const struct shell_node *node, enum shell_role role)
{
	const struct shell_node *n = node->first;

	while (n && n->role != role)
		n = n->next;
	return n;
}

void
facts_walk_inside(struct facts *f, const struct shell_node *node)
{
	struct facts_flow out = {.known = true, .text = STR("")};

	f->work++;
	if (node->kind == SHELL_CMDSUB || node->kind == SHELL_PROCSUB) {
		struct facts_state saved = f->s;

		for (const struct shell_node *n = node->first; n; n = n->next)
			facts_walk(f, n, NULL, &out);
		f->s = saved;
		return;
	}
	if (node->kind == SHELL_ARITH || node->role == SHELL_ROLE_SUBSCRIPT)
		facts_var_counts_with(f, node);
	if (node->kind == SHELL_UNKNOWN)
		facts_ignore(
			f, CALL_NO_COMMAND, CALL_UNPARSED, "not understood", node->text);
	for (const struct shell_node *n = node->first; n; n = n->next)
		facts_walk_inside(f, n);
}

struct assign {
	struct str name;
	struct facts_word value;
};

/* What the variables in the words of an array hold. */
static unsigned
taint_below(struct facts *f, const struct shell_node *node)
{
	struct shell_walk w = {.root = node};
	unsigned taint = 0;

	for (const struct shell_node *n; node && (n = shell_walk_next(&w));) {
		if (n->kind == SHELL_PARAM)
			taint |= facts_var_get(f, n->text).taint;
	}
	return taint;
}

/* FACTS_FOREIGN if an array is made of what somebody else may have written. */
static unsigned
foreign_below(struct facts *f, const struct shell_node *node)
{
	struct shell_walk w = {.root = node};

	for (const struct shell_node *n; node && (n = shell_walk_next(&w));) {
		f->work++;
		if (n->kind == SHELL_CMDSUB && !facts_var_is_number_out(n))
			return FACTS_FOREIGN;
		if (n->kind == SHELL_PARAM
			&& (facts_var_get(f, n->text).flags & FACTS_FOREIGN))
			return FACTS_FOREIGN;
	}
	return 0;
}

static struct facts_word
assigned(struct facts *f, const struct shell_node *node)
{
	const struct shell_node *value = child(node, SHELL_ROLE_VALUE);
	const struct shell_node *subscript = child(node, SHELL_ROLE_SUBSCRIPT);
	struct facts_word unknown = {
		.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};
	struct facts_word w = facts_word_from(STR(""));

	if (subscript)
		facts_walk_inside(f, subscript);
	if (value && value->kind == SHELL_WORD)
		w = facts_word_value(f, value);
	else if (value)
		facts_walk_inside(f, value);
	if (subscript || (value && value->kind != SHELL_WORD)) {
		unknown.taint = w.taint | taint_below(f, value);
		unknown.flags |= (w.flags & FACTS_FOREIGN) | foreign_below(f, value);
		return unknown;
	}
	if (node->flags & SHELL_APPEND) {
		struct facts_word old = facts_var_get(f, node->text);

		unknown.taint = w.taint | old.taint;
		unknown.flags |= (w.flags | old.flags) & FACTS_FOREIGN;
		if ((old.flags | w.flags) & FACTS_DYNAMIC)
			return unknown;
		w.text =
			arena_fmt(f->a, "%.*s%.*s", STR_ARG(old.text), STR_ARG(w.text));
		w.flags |= old.flags;
		w.taint |= old.taint;
	}
	return w;
}

static struct facts_word
assign_word(struct facts *f, const struct shell_node *node)
{
	struct facts_word w = assigned(f, node);

	w.text = arena_fmt(f->a, "%.*s=%.*s", STR_ARG(node->text), STR_ARG(w.text));
	w.source = str_sub(f->text, node->start, node->end);
	w.flags &= ~(unsigned)FACTS_MANY;
	return w;
}

/* Assignments with no command behind them stay. */
static void
assign_all(struct facts *f, const struct assign *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		facts_var_set(f, list[i].name, list[i].value);
		facts_env(f, CALL_NO_COMMAND, list[i].name, list[i].value);
		facts_env_secret(f, CALL_NO_COMMAND, list[i].name, list[i].value);
	}
	f->s.failed = f->s.cwd;
}

static size_t
count_assigns(const struct shell_node *first)
{
	size_t count = 0;

	for (const struct shell_node *n = first; n; n = n->next)
		count += n->kind == SHELL_ASSIGN;
	return count;
}

/* exec, also as builtin exec and command exec. */
static bool
moves_input(const struct facts_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		if (str_eq(words->list[i].text, STR("exec")))
			return true;
	}
	return false;
}

void
facts_walk_command(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};
	struct facts_words words = {.count = 0};
	struct assign *assigns = NULL;
	size_t assign_count = 0, index;

	f->work += 8;
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->kind == SHELL_WORD) {
			facts_word_expand(f, n, &words);
		} else if (n->kind == SHELL_ASSIGN && words.count > 0) {
			/* export A=b: a word of the command */
			facts_words_add(f, &words, assign_word(f, n));
		} else if (n->kind == SHELL_ASSIGN) {
			if (!assigns)
				assigns = ARENA_ARRAY(f->a, count_assigns(n), struct assign);
			assigns[assign_count++] = (struct assign){n->text, assigned(f, n)};
		} else if (n->kind != SHELL_REDIR) {
			facts_walk_inside(f, n);
		}
	}
	r = facts_redirs_read(f, node->first);
	if (r->has_in)
		in = &r->in;
	/* exec <file, whatever stands before it */
	f->input_moved = f->input_moved || (r->has_in && moves_input(&words));
	index = words.count > 0 ? f->out->command_count : CALL_NO_COMMAND;
	struct facts_cwd before = f->s.cwd;

	if (words.count == 0)
		assign_all(f, assigns, assign_count);
	else
		facts_run(f, words.list, words.count, in, &mine);
	for (size_t i = 0; words.count > 0 && i < assign_count; i++)
		facts_env(f, index, assigns[i].name, assigns[i].value);
	struct facts_cwd after = f->s.cwd;

	f->s.cwd = before;
	facts_redirs_apply(f, r, index, &mine);
	f->s.cwd = after;
	facts_flow_join(out, &mine);
}

void
facts_walk_text(struct facts *f, struct str text, const struct facts_flow *in,
	struct facts_flow *out)
{
	struct shell_tree tree;
	struct str saved = f->text;

	/* the call's own text is read once, however long it is; a text inside it
	 * may be all of it again */
	if (f->text_depth > 0 && !facts_work(f, text.len / 8)) {
		out->known = false;
		return;
	}
	if (f->text_depth >= FACTS_TEXT_DEPTH_MAX) {
		f->out->cut = true;
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"texts inside texts, too deep", text);
		out->known = false;
		return;
	}
	f->text_depth++;
	shell_parse(f->a, text, f->dialect, &tree);
	f->text = text;
	f->out->cut = f->out->cut || tree.cut;
	if (tree.unparsed)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED, "not understood",
			tree.unparsed_why);
	facts_walk(f, tree.root, in, out);
	f->text = saved;
	f->text_depth--;
}

// NOLINTEND(misc-no-recursion)
