/*
 * $name, $( ), ` `, <( ) and >( ).
 */

#include <string.h>

#include "shell/shell_priv.h"

/* Here-documents of a substitution that ended before their bodies came: bash
 * reads those from the lines behind, in front of all others that wait. It also
 * warns of them; what follows may be taken for something else by others. */
static struct shell_pending *
add_leftover(struct shell_reader *r, struct shell_node *n,
	struct shell_pending *outer, struct shell_pending *inner)
{
	struct shell_pending *first = outer, **end = &first;

	if (!inner)
		return outer;
	(void)shell_doubt(r, n, r->pos, "here-document outlives its substitution");
	if (r->st->dry > 0)
		return outer;
	for (struct shell_pending *p = inner; p; p = p->next)
		p->since = r->pos;
	while (*end && (*end)->since > 0)
		end = &(*end)->next;
	struct shell_pending *rest = *end;

	*end = inner;
	while (*end)
		end = &(*end)->next;
	*end = rest;
	return first;
}

bool
shell_parens_read(struct shell_reader *r, struct shell_node *n)
{
	struct shell_pending *outer = r->pending;

	(void)shell_accept(r, "(");
	(void)shell_peek(r);
	size_t start = r->pos;

	/* so that nesting costs no second look */
	if (r->st->dry > 0 && shell_end_known(r))
		return true;
	r->pending = NULL;
	r->comsubs++;
	shell_node_add(n, shell_script_read(r));
	while (shell_peek(r) >= 0 && shell_peek(r) != ')') {
		shell_skip_token(r, n, "unexpected in a substitution");
		shell_node_add(n, shell_script_read(r));
	}
	bool closed = shell_peek(r) == ')';

	if (closed)
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated substitution");
	if (closed && r->st->dry > 0)
		shell_end_keep(r, start);
	r->comsubs--;
	r->pending = add_leftover(r, n, outer, r->pending);
	return closed;
}

/* Up to end as a text of its own, which bash reads when it runs it. */
static void
read_in_place(struct shell_reader *r, struct shell_node *n, size_t end)
{
	struct shell_reader saved = *r;

	r->pending = NULL;
	r->comsubs = 0;
	r->len = end;
	shell_node_add(n, shell_text_read(r));
	r->pending = saved.pending;
	r->comsubs = saved.comsubs;
	r->closed_compound = saved.closed_compound;
	shell_limit_undo(r, saved.len);
	r->pos = end;
}

/* The same for a text that had to be written anew: everything in it stands
 * where n stands. */
static void
read_moved(struct shell_reader *r, struct shell_node *n, struct str text)
{
	struct shell_reader inner;

	shell_reader_init(&inner, r, text);
	inner.base = n->start;
	inner.fixed_end = n->end;
	shell_node_add(n, shell_text_read(&inner));
	shell_reader_done(&inner);
}

void
shell_cut_read(struct shell_reader *r, struct shell_node *n, size_t end)
{
	if (end >= r->len) {
		size_t pos = r->pos;

		r->pos = r->len;
		(void)shell_fault(r, n, pos, "unterminated substitution");
		r->pos = pos;
	}
	if (r->st->dry == 0 && shell_enter(r, n)) {
		r->st->late++;
		read_in_place(r, n, end);
		r->st->late--;
		shell_leave(r);
	}
	r->pos = end < r->len ? end + 1 : r->len;
	shell_node_end(r, n);
}

static struct shell_node *
read_cmdsub(struct shell_reader *r, size_t start)
{
	struct shell_node *n;

	if (shell_sees(r, "(("))
		return shell_dollar_parens_read(r, start);
	n = shell_node_new(r, SHELL_CMDSUB, start);
	if (shell_enter(r, n)) {
		(void)shell_parens_read(r, n);
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}

/* $name, $1, $@; the reader is behind the $. */
static struct shell_node *
read_plain(struct shell_reader *r, size_t start)
{
	int c = shell_peek(r);
	struct shell_node *n;
	struct str name;

	if (shell_is_name(c, true)) {
		name = shell_name_read(r);
	} else if (c > 0 && strchr("0123456789@*#?-$!", c)) {
		name = shell_source(r, r->pos, r->pos + 1);
		r->pos++;
	} else {
		return NULL;
	}
	n = shell_node_new(r, SHELL_PARAM, start);
	n->text = name;
	shell_node_end(r, n);
	return n;
}

struct shell_node *
shell_dollar_read(struct shell_reader *r, bool quoted)
{
	size_t start = r->pos;
	struct shell_node *n;

	r->pos++;
	switch (shell_peek(r)) {
	case '(':
		return read_cmdsub(r, start);
	case '{':
		r->pos++;
		return shell_param_read(r, start, quoted);
	case '[':
		return shell_dollar_bracket_read(r, start);
	default:
		n = read_plain(r, start);
		if (!n)
			r->pos = start;
		return n;
	}
}

/* What a command in backticks is once its backslashes are taken away. */
static struct str
unescaped(struct shell_reader *r, struct str s, bool quoted)
{
	char *out = arena_alloc(r->st->a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		char next = (char)(i + 1 < s.len ? s.ptr[i + 1] : '\0');

		if (s.ptr[i] == '\\'
			&& (next == '$' || next == '`' || next == '\\'
				|| (quoted && next == '"')))
			i++;
		out[n++] = s.ptr[i];
	}
	return (struct str){out, n};
}

struct shell_node *
shell_backtick_read(struct shell_reader *r, bool quoted)
{
	size_t start = r->pos, end = start + 1;
	struct shell_node *n = shell_node_new(r, SHELL_CMDSUB, start);

	n->flags = SHELL_BACKTICK;
	while (end < r->len && r->text[end] != '`')
		end += r->text[end] == '\\' ? 2 : 1;
	bool closed = end < r->len;

	if (!closed)
		end = r->len;
	struct str inside = shell_source(r, start + 1, end);

	r->pos = closed ? end + 1 : end;
	shell_node_end(r, n);
	if (r->st->dry == 0 && shell_enter(r, n)) {
		size_t pos = r->pos;

		r->st->late++;
		r->pos = start + 1;
		if (str_has_char(inside, '\\'))
			read_moved(r, n, unescaped(r, inside, quoted));
		else
			read_in_place(r, n, end);
		r->pos = pos;
		r->st->late--;
		shell_leave(r);
	}
	if (!closed)
		(void)shell_fault(r, n, r->pos, "unterminated backtick");
	return n;
}

struct shell_node *
shell_procsub_read(struct shell_reader *r)
{
	size_t start = r->pos, end = 0;
	struct shell_node *n = shell_node_new(r, SHELL_PROCSUB, start);

	n->text = shell_source(r, start, start + 1);
	r->pos++;
	if (shell_sees(r, "((")) {
		(void)shell_accept(r, "(");
		(void)shell_peek(r);
		(void)shell_pair_end(r, SHELL_PAIR_ARITH, '(', &end);
		shell_cut_read(r, n, end);
	} else if (shell_enter(r, n)) {
		(void)shell_parens_read(r, n);
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}
