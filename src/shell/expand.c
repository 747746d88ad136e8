/*
 * $name, $( ), $(( )), $[ ], ` `, <( ) and >( ).
 */

#include <string.h>

#include "shell/shell_priv.h"

/* Statements up to the ")" at the reader's place, which is taken. What is
 * pending outside waits: its bodies do not stand in here. */
static void
read_parens(struct shell_reader *r, struct shell_node *n)
{
	struct shell_pending *outer = r->pending;

	r->pending = NULL;
	r->comsubs++;
	shell_node_add(n, shell_script_read(r));
	while (shell_peek(r) >= 0 && shell_peek(r) != ')') {
		shell_skip_token(r, n, "unexpected in a substitution");
		shell_node_add(n, shell_script_read(r));
	}
	if (shell_peek(r) == ')')
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated substitution");
	r->comsubs--;
	/* bodies that did not come inside come behind the line */
	struct shell_pending **end = &outer;

	while (*end)
		end = &(*end)->next;
	*end = r->pending;
	r->pending = outer;
}

/* A text of its own as a SCRIPT, for what must first be cut out. */
static void
read_inner(struct shell_reader *r, struct shell_node *n, struct str text,
	uint32_t base, uint32_t fixed_end)
{
	struct shell_reader inner;

	shell_reader_init(&inner, r, text);
	inner.base = base;
	inner.fixed_end = fixed_end;
	shell_node_add(n, shell_text_read(&inner));
	shell_reader_done(&inner);
}

/* A "((" that is no arithmetic: bash looks for the outer end by brackets alone,
 * and reads what is in between only when it runs. end 0: there is none. */
static void
read_cut(struct shell_reader *r, struct shell_node *n, size_t end)
{
	(void)shell_accept(r, "(");
	size_t begin = r->pos;

	if (end == 0) {
		r->pos = r->len;
		(void)shell_fault(r, n, begin, "unterminated substitution");
		end = r->len;
		r->pos = begin;
	}
	if (shell_enter(r, n)) {
		r->st->late++;
		if (r->st->dry == 0)
			read_inner(r, n, shell_source(r, begin, end),
				r->fixed_end > 0 ? r->base : r->base + (uint32_t)begin,
				r->fixed_end);
		r->st->late--;
		shell_leave(r);
	}
	if (r->pos < end)
		r->pos = end;
	if (shell_peek(r) == ')')
		r->pos++;
}

/* $((: arithmetic, or a substitution that begins with a subshell. */
static struct shell_node *
read_double_parens(struct shell_reader *r, size_t start)
{
	size_t end = 0;
	struct shell_node *n;

	if (shell_is_arith(r, &end)) {
		(void)shell_accept(r, "((");
		n = shell_arith_read(r, start, SHELL_SPAN_PARENS);
		if (!shell_accept(r, "))"))
			(void)shell_fault(r, n, r->pos, "unterminated arithmetic");
	} else {
		n = shell_node_new(r, SHELL_CMDSUB, start);
		read_cut(r, n, end);
	}
	shell_node_end(r, n);
	return n;
}

static struct shell_node *
read_cmdsub(struct shell_reader *r, size_t start)
{
	struct shell_node *n;

	if (shell_sees(r, "(("))
		return read_double_parens(r, start);
	n = shell_node_new(r, SHELL_CMDSUB, start);
	r->pos++;
	if (shell_enter(r, n)) {
		read_parens(r, n);
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}

/* $[ ], the old form. */
static struct shell_node *
read_brackets(struct shell_reader *r, size_t start)
{
	struct shell_node *n;

	r->pos++;
	n = shell_arith_read(r, start, SHELL_SPAN_OLDARITH);
	if (shell_peek(r) == ']')
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated arithmetic");
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
		return read_brackets(r, start);
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
	char *out = NULL;
	size_t n = 0;

	if (!str_has_char(s, '\\'))
		return s;
	out = arena_alloc(r->st->a, s.len + 1);
	for (size_t i = 0; i < s.len; i++) {
		char next = i + 1 < s.len ? s.ptr[i + 1] : '\0';

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
		r->st->late++;
		bool moved = r->fixed_end > 0 || str_has_char(inside, '\\');
		struct str text = unescaped(r, inside, quoted);

		if (moved)
			read_inner(r, n, text, n->start, n->end);
		else
			read_inner(r, n, text, n->start + 1, 0);
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
		(void)shell_is_arith(r, &end);
		read_cut(r, n, end);
	} else if (shell_enter(r, n)) {
		(void)shell_accept(r, "(");
		read_parens(r, n);
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}
