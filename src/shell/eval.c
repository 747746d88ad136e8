/*
 * Text that bash evaluates once more: where a variable's name is wanted, or a
 * number, "a[$(rm x)]" runs rm, however it was quoted. Such text is a doubt, and
 * what it would run is in it.
 */

#include <string.h>

#include "shell/shell_priv.h"

/* Built-in commands that take names of variables, or arithmetic. */
static const struct str takers[] = {
	{"declare",   7},
	{"export",    6},
	{"getopts",   7},
	{"let",       3},
	{"local",     5},
	{"mapfile",   7},
	{"printf",    6},
	{"read",      4},
	{"readarray", 9},
	{"readonly",  8},
	{"test",      4},
	{"typeset",   7},
	{"unset",     5},
	{"wait",      4},
	{"[",         1},
};

static bool
is_taker(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(takers); i++) {
		if (name.len == takers[i].len && name.ptr[0] == takers[i].ptr[0]
			&& str_eq(name, takers[i]))
			return true;
	}
	return false;
}

/* Does s, from byte from on, have something that runs? */
static bool
has_code(struct str s, size_t from)
{
	struct str rest = str_sub(s, from, s.len);

	return str_has_char(rest, '`') || str_has(rest, STR("$("))
		|| str_has(rest, STR("${")) || str_has(rest, STR("$["));
}

/* Behind the [ of a subscript in s, or 0. */
static size_t
subscript_start(struct str s)
{
	for (size_t i = 1; i < s.len; i++) {
		if (s.ptr[i] == '[' && shell_is_name(s.ptr[i - 1], false))
			return i + 1;
	}
	return 0;
}

/* What text would run, as children of a doubt. */
static void
read_code(struct shell_reader *r, struct shell_node *doubt, struct str text)
{
	struct shell_reader inner;

	shell_reader_init(&inner, r, text);
	inner.base = doubt->start;
	inner.fixed_end = doubt->end;
	if (shell_enter(&inner, doubt)) {
		r->st->late++;
		shell_span_read(&inner, doubt, SHELL_SPAN_ARITH, 0);
		r->st->late--;
		shell_leave(&inner);
	}
	shell_reader_done(&inner);
}

static void
add_doubt(struct shell_reader *r, struct shell_node *parent, struct str text)
{
	read_code(r, shell_doubt(r, parent, r->pos, "quoted text that runs"), text);
}

void
shell_eval_check_text(struct shell_reader *r, struct shell_node *parent,
	const struct shell_lit *lit)
{
	struct str text = {lit->ptr, lit->len};

	if (r->st->dry == 0 && lit->len > 0 && has_code(text, 0))
		add_doubt(r, parent, text);
}

void
shell_eval_check(struct shell_reader *r, struct shell_node *word)
{
	struct shell_walk w = {.root = word};
	bool opened = false; /* a subscript, in a part before */

	if (r->st->dry > 0)
		return;
	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		bool literal = n->kind == SHELL_LIT;
		size_t from = literal ? subscript_start(n->text) : 0;

		if (literal && (opened || from > 0) && has_code(n->text, from)) {
			add_doubt(r, word, n->text);
			return;
		}
		opened = opened || from > 0
			|| (n->kind == SHELL_GLOB && str_eq(n->text, STR("[")));
	}
}

void
shell_eval_check_command(
	struct shell_reader *r, struct shell_node *cmd, struct str name)
{
	bool takes = name.len > 0 && is_taker(name);

	for (struct shell_node *n = cmd->first; n; n = n->next) {
		if (n->kind == SHELL_ASSIGN || (takes && n->kind == SHELL_WORD))
			shell_eval_check(r, n);
	}
}
