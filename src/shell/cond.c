/*
 * [[ ]]
 */

#include <string.h>

#include "shell/shell_priv.h"

static const char unary[] = "abcdefghknoprstuvwxzGLNORS";

/* How the right side of a binary operator is read. */
static const struct {
	const char *op;
	enum shell_span span;
	unsigned marks;
	bool evaluates; /* both sides are arithmetic */
} binary[] = {
	{"==",  SHELL_SPAN_PATTERN, SHELL_MARK_TILDE | SHELL_MARK_GLOB, false},
	{"!=",  SHELL_SPAN_PATTERN, SHELL_MARK_TILDE | SHELL_MARK_GLOB, false},
	{"=",   SHELL_SPAN_PATTERN, SHELL_MARK_TILDE | SHELL_MARK_GLOB, false},
	{"=~",  SHELL_SPAN_REGEX,   0,								  false},
	{"<",   SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   false},
	{">",   SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   false},
	{"-nt", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   false},
	{"-ot", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   false},
	{"-ef", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   false},
	{"-eq", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
	{"-ne", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
	{"-lt", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
	{"-le", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
	{"-gt", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
	{"-ge", SHELL_SPAN_WORD,    SHELL_MARK_TILDE,                   true },
};

static void
add_op(struct shell_reader *r, struct shell_node *n, size_t start)
{
	struct shell_node *op = shell_node_new(r, SHELL_CONDOP, start);

	op->text = shell_source(r, start, r->pos);
	shell_node_end(r, op);
	shell_node_add(n, op);
}

static bool
accept_op(struct shell_reader *r, struct shell_node *n, const char *text)
{
	size_t start = r->pos;

	if (!shell_accept(r, text))
		return false;
	add_op(r, n, start);
	return true;
}

static bool
sees_word(struct shell_reader *r)
{
	shell_blanks(r);
	return !shell_ends_word(r);
}

static bool
sees_end(struct shell_reader *r)
{
	return shell_reserved_peek(r) == SHELL_RW_COND_END;
}

/* An operator that is a word of its own, or < or >; the row, or -1. */
static int
accept_binary(struct shell_reader *r, struct shell_node *n)
{
	int c = shell_peek(r);
	size_t start = r->pos;

	for (size_t i = 0; i < ARRAY_LEN(binary); i++) {
		struct shell_reader ahead = *r;

		if (!shell_accept(&ahead, binary[i].op))
			continue;
		if (c != '<' && c != '>' && !shell_ends_word(&ahead))
			continue;
		r->pos = ahead.pos;
		add_op(r, n, start);
		return (int)i;
	}
	return -1;
}

/* -f and kin, with something behind it. */
static bool
accept_unary(struct shell_reader *r, struct shell_node *n)
{
	struct shell_reader ahead = *r;
	size_t start = r->pos;

	if (!shell_accept(&ahead, "-"))
		return false;
	int c = shell_peek(&ahead);

	if (c <= 0 || !strchr(unary, c))
		return false;
	ahead.pos++;
	if (!shell_ends_word(&ahead))
		return false;
	r->pos = ahead.pos;
	add_op(r, n, start);
	return true;
}

static bool
read_operand(struct shell_reader *r, struct shell_node *n, enum shell_span span,
	unsigned marks)
{
	shell_blanks(r);
	int c = shell_peek(r);
	bool group = span == SHELL_SPAN_REGEX && (c == '(' || c == '|');

	if (!group && (!sees_word(r) || sees_end(r)))
		return false;
	shell_node_add(n, shell_word_read(r, span, marks));
	return true;
}

enum test { NO_TEST, WORD_TEST, OP_TEST };

/* One test; NO_TEST if what stands here is none. */
static enum test
read_test(struct shell_reader *r, struct shell_node *n)
{
	if (accept_unary(r, n)) {
		bool variable = str_eq(n->last->text, STR("-v"))
			|| str_eq(n->last->text, STR("-R"));

		if (!read_operand(r, n, SHELL_SPAN_WORD, SHELL_MARK_TILDE))
			return NO_TEST;
		if (variable)
			shell_eval_check(r, n->last);
		return OP_TEST;
	}
	if (!read_operand(r, n, SHELL_SPAN_WORD, SHELL_MARK_TILDE))
		return NO_TEST;
	shell_blanks(r);
	if (shell_sees(r, "<(") || shell_sees(r, ">("))
		return NO_TEST;
	struct shell_node *left = n->last;
	int row = accept_binary(r, n);

	if (row < 0)
		return WORD_TEST;
	if (!read_operand(r, n, binary[row].span, binary[row].marks))
		return NO_TEST;
	if (binary[row].evaluates) {
		shell_eval_check(r, left);
		shell_eval_check(r, n->last);
	}
	return OP_TEST;
}

/* Tests and operators up to ]], which stays; false where it is not understood.
 * A line may end behind all but a word that is a test by itself. */
static bool
read_tests(struct shell_reader *r, struct shell_node *n)
{
	size_t level = 0;

	for (;;) {
		shell_newlines(r);
		if (accept_op(r, n, "(")) {
			level++;
			continue;
		}
		if (shell_reserved_peek(r) == SHELL_RW_BANG
			&& !(r->st->extglob && shell_peek_second(r) == '(')) {
			(void)accept_op(r, n, "!");
			continue;
		}
		enum test test = sees_end(r) ? NO_TEST : read_test(r, n);

		if (test == NO_TEST)
			return false;
		if (test == OP_TEST)
			shell_newlines(r);
		while (level > 0 && accept_op(r, n, ")")) {
			level--;
			shell_newlines(r);
		}
		if (sees_end(r))
			return level == 0;
		if (!accept_op(r, n, "&&") && !accept_op(r, n, "||"))
			return false;
	}
}

struct shell_node *
shell_cond_read(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_COND, r->pos);

	(void)shell_reserved_accept(r, SHELL_RW_COND);
	if (!read_tests(r, n))
		(void)shell_fault(r, n, r->pos, "not understood in [[ ]]");
	shell_blanks(r);
	if (!shell_reserved_accept(r, SHELL_RW_COND_END) && n->last
		&& n->last->kind != SHELL_UNKNOWN)
		(void)shell_fault(r, n, r->pos, "[[ without ]]");
	return n;
}
