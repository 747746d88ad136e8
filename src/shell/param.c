/*
 * ${ }: the name, a subscript, the operator and its operands.
 */

#include <string.h>

#include "shell/shell_priv.h"

/* How the operands of an operator are read. */
enum operand {
	NOTHING,
	TEXT,    /* a word; within double quotes, ' does not quote in it */
	PATTERN, /* a pattern, where ' always quotes */
	REPLACE, /* a pattern, "/" and a word */
	NUMBERS, /* arithmetic, ":" and arithmetic */
};

/* Longer operators stand before those that they begin with. */
static const struct {
	const char *op;
	enum operand operand;
} operators[] = {
	{":-", TEXT   },
	{":=", TEXT   },
	{":?", TEXT   },
	{":+", TEXT   },
	{":",  NUMBERS},
	{"-",  TEXT   },
	{"=",  TEXT   },
	{"?",  TEXT   },
	{"+",  TEXT   },
	{"##", PATTERN},
	{"#",  PATTERN},
	{"%%", PATTERN},
	{"%",  PATTERN},
	{"//", REPLACE},
	{"/#", REPLACE},
	{"/%", REPLACE},
	{"/",  REPLACE},
	{"^^", PATTERN},
	{"^",  PATTERN},
	{",,", PATTERN},
	{",",  PATTERN},
	{"~~", PATTERN},
	{"~",  PATTERN},
	{"@U", NOTHING},
	{"@u", NOTHING},
	{"@L", NOTHING},
	{"@Q", NOTHING},
	{"@E", NOTHING},
	{"@P", NOTHING},
	{"@A", NOTHING},
	{"@K", NOTHING},
	{"@k", NOTHING},
	{"@a", NOTHING},
};

static bool
is_special(int c)
{
	return c > 0 && strchr("@*#?-$!", c);
}

static bool
is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static struct shell_node *
read_operand(struct shell_reader *r, enum shell_span span, char stop,
	enum shell_role role)
{
	struct shell_node *n = shell_node_new(r, SHELL_WORD, r->pos);

	n->role = role;
	if (stop == '/' && r->pos < r->len && r->text[r->pos] == '/') {
		struct shell_lit lit = {.len = 0};

		r->pos++;
		shell_lit_add(r, &lit, shell_source(r, r->pos - 1, r->pos), r->pos - 1);
		shell_lit_flush(r, &lit, n);
	}
	shell_span_read(r, n, span, stop);
	shell_node_end(r, n);
	if (span == SHELL_SPAN_OPERAND)
		shell_mark_word(r, n, SHELL_MARK_TILDE | SHELL_MARK_GLOB);
	return n;
}

static void
read_operands(struct shell_reader *r, struct shell_node *param,
	enum operand operand, bool quoted)
{
	enum shell_span text = quoted ? SHELL_SPAN_QOPERAND : SHELL_SPAN_OPERAND;
	enum shell_role role = SHELL_ROLE_OPERAND;

	switch (operand) {
	case NOTHING:
		return;
	case TEXT:
		shell_node_add(param, read_operand(r, text, 0, role));
		return;
	case PATTERN:
		if (shell_peek(r) >= 0)
			shell_node_add(param, read_operand(r, SHELL_SPAN_OPERAND, 0, role));
		return;
	case REPLACE:
		shell_node_add(param, read_operand(r, SHELL_SPAN_OPERAND, '/', role));
		if (shell_accept(r, "/"))
			shell_node_add(param, read_operand(r, SHELL_SPAN_OPERAND, 0, role));
		return;
	case NUMBERS:
		shell_node_add(param, read_operand(r, SHELL_SPAN_ARITH, ':', role));
		if (shell_accept(r, ":"))
			shell_node_add(param, read_operand(r, SHELL_SPAN_ARITH, 0, role));
		return;
	}
}

static void
add_op(struct shell_reader *r, struct shell_node *param, struct str op,
	size_t start)
{
	struct shell_node *n = shell_node_new(r, SHELL_LIT, start);

	n->role = SHELL_ROLE_OP;
	n->text = op;
	shell_node_end(r, n);
	shell_node_add(param, n);
}

/* False if what stands here is no operator. */
static bool
read_operator(struct shell_reader *r, struct shell_node *param, bool quoted)
{
	size_t start = r->pos;

	int c = shell_peek(r);

	if (c < 0)
		return true;
	if (param->flags & SHELL_LENGTH)
		return false;
	if ((param->flags & SHELL_INDIRECT) && (c == '*' || c == '@')
		&& shell_peek_second(r) < 0) {
		struct str op = shell_source(r, r->pos, r->pos + 1);

		r->pos++;
		add_op(r, param, op, start);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (!shell_accept(r, operators[i].op))
			continue;
		add_op(r, param, str_from(operators[i].op), start);
		read_operands(r, param, operators[i].operand, quoted);
		return true;
	}
	return false;
}

/* The name; false if there is none. */
static bool
read_name(struct shell_reader *r, struct shell_node *param)
{
	size_t start = r->pos;
	int c = shell_peek(r);

	if (shell_is_name(c, true)) {
		param->text = shell_name_read(r);
		return true;
	}
	if (is_special(c)) {
		r->pos++;
	} else {
		while (is_digit(shell_peek(r)))
			r->pos++;
	}
	param->text = shell_source(r, start, r->pos);
	return param->text.len > 0;
}

/* The ! or # in front of the name. */
static void
read_prefix(struct shell_reader *r, struct shell_node *param)
{
	int c = shell_peek(r), next = shell_peek_second(r);
	bool named = shell_is_name(next, false);

	if (c == '!' && (named || (next > 0 && strchr("#?@*", next)))) {
		param->flags |= SHELL_INDIRECT;
		r->pos++;
		(void)shell_peek(r);
	}
	if (c != '#')
		return;
	struct shell_reader ahead = *r;

	ahead.pos++;
	if (named || (is_special(next) && shell_peek_second(&ahead) < 0)) {
		param->flags |= SHELL_LENGTH;
		r->pos++;
		(void)shell_peek(r);
	}
}

/* [subscript]; false if it does not close in front of the }. */
static bool
read_subscript(struct shell_reader *r, struct shell_node *param)
{
	struct shell_node *n;
	size_t end = 0;

	r->pos++;
	n = shell_node_new(r, SHELL_WORD, r->pos);
	n->role = SHELL_ROLE_SUBSCRIPT;
	bool closed = shell_pair_end(r, SHELL_PAIR_INDEX, '[', &end);

	shell_span_within(r, n, SHELL_SPAN_INDEX, end);
	shell_node_end(r, n);
	shell_node_add(param, n);
	if (closed)
		r->pos++;
	return closed;
}

/* ${ command; }, which bash 5.3 runs and 5.2 refuses when it gets there. */
static void
read_funsub(struct shell_reader *r, struct shell_node *n)
{
	unsigned funsubs = r->funsubs++;

	if (shell_peek(r) == '|')
		r->pos++;
	shell_node_add(n, shell_script_read(r));
	r->funsubs = funsubs;
	if (shell_peek(r) == '}')
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated expansion");
}

/* Up to the end of the text, which is where the } stands. */
static void
read_inside(struct shell_reader *r, struct shell_node *n, bool quoted)
{
	size_t start = r->pos;

	read_prefix(r, n);
	bool understood = read_name(r, n);

	if (understood && shell_peek(r) == '[')
		understood = read_subscript(r, n);
	if (understood)
		understood = read_operator(r, n, quoted);
	if (understood && shell_peek(r) < 0)
		return;
	(void)shell_doubt(r, n, r->pos, "bad substitution");
	if (n->first->kind == SHELL_UNKNOWN)
		r->pos = start;
	shell_span_read(r, n, quoted ? SHELL_SPAN_QOPERAND : SHELL_SPAN_OPERAND, 0);
}

/* ${name}, by far the most. */
static bool
read_simple(struct shell_reader *r, struct shell_node *n)
{
	size_t i = r->pos;

	while (i < r->len && shell_is_name(r->text[i], i == r->pos))
		i++;
	if (i == r->pos || i >= r->len || r->text[i] != '}')
		return false;
	n->text = shell_source(r, r->pos, i);
	r->pos = i + 1;
	return true;
}

struct shell_node *
shell_param_read(struct shell_reader *r, size_t start, bool quoted)
{
	struct shell_node *n = shell_node_new(r, SHELL_PARAM, start);
	size_t len = r->len, end = 0;
	int c = shell_peek(r);

	if (!read_simple(r, n) && shell_enter(r, n)) {
		if (c == ' ' || c == '\t' || c == '\n' || c == '|') {
			(void)shell_doubt(r, n, start, "command in an expansion");
			if (!shell_pair_end(r, SHELL_PAIR_BRACE, '{', &end))
				(void)shell_fault(r, n, r->pos, "unterminated expansion");
			r->st->late++;
			read_funsub(r, n);
			r->st->late--;
		} else {
			bool closed = shell_pair_end(r, SHELL_PAIR_BRACE, '{', &end);

			r->len = end;
			r->st->late++;
			if (r->st->dry == 0)
				read_inside(r, n, quoted);
			r->st->late--;
			shell_limit_undo(r, len);
			r->pos = end;
			if (closed)
				r->pos++;
			else
				(void)shell_fault(r, n, r->pos, "unterminated expansion");
		}
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}
