/*
 * Compound commands: groups, subshells, if, function, coproc; and the reserved
 * words.
 */

#include <string.h>

#include "shell/shell_priv.h"

enum { RESERVED_MAX = 8 };

static const char *const reserved[SHELL_RW_COUNT] = {
	[SHELL_RW_BANG] = "!",
	[SHELL_RW_CASE] = "case",
	[SHELL_RW_COND] = "[[",
	[SHELL_RW_COND_END] = "]]",
	[SHELL_RW_COPROC] = "coproc",
	[SHELL_RW_DO] = "do",
	[SHELL_RW_DONE] = "done",
	[SHELL_RW_ELIF] = "elif",
	[SHELL_RW_ELSE] = "else",
	[SHELL_RW_ESAC] = "esac",
	[SHELL_RW_FI] = "fi",
	[SHELL_RW_FOR] = "for",
	[SHELL_RW_FUNCTION] = "function",
	[SHELL_RW_IF] = "if",
	[SHELL_RW_IN] = "in",
	[SHELL_RW_LBRACE] = "{",
	[SHELL_RW_RBRACE] = "}",
	[SHELL_RW_SELECT] = "select",
	[SHELL_RW_THEN] = "then",
	[SHELL_RW_TIME] = "time",
	[SHELL_RW_UNTIL] = "until",
	[SHELL_RW_WHILE] = "while",
};

enum shell_reserved
shell_reserved_peek(struct shell_reader *r)
{
	char word[RESERVED_MAX + 1] = "";
	int c = shell_peek(r);

	if (c <= 0 || !strchr("!{}[]cdefistuw", c))
		return SHELL_RW_NONE;
	/* there, a } at the start of a word is always one */
	if (c == '}' && r->funsubs > 0)
		return SHELL_RW_RBRACE;
	struct shell_reader ahead = *r;

	for (size_t n = 0; !shell_is_meta(c); n++) {
		if (n == RESERVED_MAX)
			return SHELL_RW_NONE;
		word[n] = (char)c;
		ahead.pos++;
		c = shell_peek(&ahead);
	}
	if (!shell_ends_word(&ahead))
		return SHELL_RW_NONE;
	if (r->st->sh && (word[0] == '[' || word[0] == ']'))
		return SHELL_RW_NONE;
	for (size_t i = 1; i < SHELL_RW_COUNT; i++) {
		if (reserved[i][0] == word[0] && strcmp(reserved[i], word) == 0)
			return (enum shell_reserved)i;
	}
	return SHELL_RW_NONE;
}

bool
shell_reserved_accept(struct shell_reader *r, enum shell_reserved rw)
{
	return shell_reserved_peek(r) == rw && shell_accept(r, reserved[rw]);
}

void
shell_reserved_expect(struct shell_reader *r, struct shell_node *node,
	enum shell_reserved rw, const char *why)
{
	shell_blanks(r);
	if (!shell_reserved_accept(r, rw))
		(void)shell_fault(r, node, r->pos, why);
}

static struct shell_node *
read_group(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_GROUP, r->pos);

	(void)shell_accept(r, "{");
	shell_node_add(n, shell_body_read(r, SHELL_ROLE_BODY));
	shell_reserved_expect(r, n, SHELL_RW_RBRACE, "group without }");
	return n;
}

static struct shell_node *
read_subshell(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_SUBSHELL, r->pos);

	(void)shell_accept(r, "(");
	shell_node_add(n, shell_body_read(r, SHELL_ROLE_BODY));
	if (!shell_accept(r, ")"))
		(void)shell_fault(r, n, r->pos, "subshell without )");
	return n;
}

/* (( )) or ( ( ... */
static struct shell_node *
read_parens(struct shell_reader *r)
{
	bool split = false, twice = shell_sees(r, "((");
	struct shell_node *arith =
		twice && !r->st->sh ? shell_double_parens_read(r, &split) : NULL;
	struct shell_node *n;

	if (!arith) {
		n = read_subshell(r);
		/* bash 5.2 loses the first word of the next line there (tried) */
		if (split)
			(void)shell_doubt(r, n, r->pos, "a line's end behind ((x)");
		if (twice && r->st->sh)
			(void)shell_doubt(r, n, r->pos, "(( to sh");
		return n;
	}
	n = shell_node_new(r, SHELL_ARITHCMD, 0);
	n->start = arith->start;
	shell_node_add(n, arith);
	return n;
}

static struct shell_node *
read_if(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_IF, r->pos);

	(void)shell_reserved_accept(r, SHELL_RW_IF);
	do {
		shell_node_add(n, shell_body_read(r, SHELL_ROLE_COND));
		shell_reserved_expect(r, n, SHELL_RW_THEN, "if without then");
		shell_node_add(n, shell_body_read(r, SHELL_ROLE_BODY));
	} while (shell_reserved_accept(r, SHELL_RW_ELIF));
	if (shell_reserved_accept(r, SHELL_RW_ELSE))
		shell_node_add(n, shell_body_read(r, SHELL_ROLE_ELSE));
	shell_reserved_expect(r, n, SHELL_RW_FI, "if without fi");
	return n;
}

/* Adds the compound command that stands here as the body of n. */
static void
add_body(struct shell_reader *r, struct shell_node *n, const char *why)
{
	struct shell_node *body = shell_function_body(r);

	if (body)
		shell_node_add(n, body);
	else
		(void)shell_fault(r, n, r->pos, why);
}

void
shell_function_name(
	struct shell_reader *r, struct shell_node *func, size_t start, size_t end)
{
	func->text = shell_joined(r, start, end);
	for (size_t i = 0; i < func->text.len; i++) {
		if (strchr("$`\"'\\<>", func->text.ptr[i])) {
			(void)shell_doubt(r, func, r->pos, "function name with quotes");
			return;
		}
	}
}

static struct shell_node *
read_function(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_FUNC, r->pos);

	(void)shell_reserved_accept(r, SHELL_RW_FUNCTION);
	shell_blanks(r);
	size_t start = r->pos;

	if (shell_is_meta(shell_peek(r))) {
		(void)shell_fault(r, n, start, "function without a name");
		return n;
	}
	(void)shell_word_read(r, SHELL_SPAN_WORD, 0);
	shell_function_name(r, n, start, r->pos);
	shell_blanks(r);
	struct shell_reader ahead = *r;

	if (shell_accept(&ahead, "(")) {
		while (shell_peek(&ahead) == ' ' || shell_peek(&ahead) == '\t')
			ahead.pos++;
		if (shell_accept(&ahead, ")"))
			r->pos = ahead.pos;
	}
	shell_newlines(r);
	add_body(r, n, "function without a body");
	return n;
}

bool
shell_sees_compound(struct shell_reader *r)
{
	switch ((int)shell_reserved_peek(r)) {
	case SHELL_RW_CASE:
	case SHELL_RW_COND:
	case SHELL_RW_FOR:
	case SHELL_RW_IF:
	case SHELL_RW_LBRACE:
	case SHELL_RW_SELECT:
	case SHELL_RW_UNTIL:
	case SHELL_RW_WHILE:
		return true;
	default:
		return shell_peek(r) == '(';
	}
}

static struct shell_node *
read_coproc(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_COPROC, r->pos);
	struct shell_node *body = NULL;
	bool named = false;

	(void)shell_reserved_accept(r, SHELL_RW_COPROC);
	shell_blanks(r);
	enum shell_reserved rw = shell_reserved_peek(r);

	if (shell_sees_compound(r))
		body = shell_function_body(r);
	else if (rw == SHELL_RW_NONE || rw == SHELL_RW_TIME)
		body = shell_simple_read(r, &named);
	if (named && body) {
		struct shell_node *word = body->first;

		if (!shell_word_text(r->st->a, word, &n->text))
			shell_node_add(
				shell_doubt(r, n, r->pos, "coproc name that expands"), word);
		body = shell_function_body(r);
	}
	if (body) {
		body->role = SHELL_ROLE_BODY;
		shell_node_add(n, body);
	} else {
		(void)shell_fault(r, n, r->pos, "coproc without a command");
	}
	return n;
}

/* The kinds of compound command, without what follows them. */
static struct shell_node *
read_kind(struct shell_reader *r, enum shell_reserved rw)
{
	switch (rw) {
	case SHELL_RW_LBRACE:
		return read_group(r);
	case SHELL_RW_IF:
		return read_if(r);
	case SHELL_RW_FOR:
	case SHELL_RW_SELECT:
	case SHELL_RW_UNTIL:
	case SHELL_RW_WHILE:
		return shell_loop_read(r, rw);
	case SHELL_RW_CASE:
		return shell_case_read(r);
	case SHELL_RW_COND:
		return shell_cond_read(r);
	case SHELL_RW_FUNCTION:
		return read_function(r);
	case SHELL_RW_COPROC:
		return read_coproc(r);
	case SHELL_RW_NONE:
		return read_parens(r);
	case SHELL_RW_BANG:
	case SHELL_RW_COND_END:
	case SHELL_RW_DO:
	case SHELL_RW_DONE:
	case SHELL_RW_ELIF:
	case SHELL_RW_ELSE:
	case SHELL_RW_ESAC:
	case SHELL_RW_FI:
	case SHELL_RW_IN:
	case SHELL_RW_RBRACE:
	case SHELL_RW_THEN:
	case SHELL_RW_TIME:
	case SHELL_RW_COUNT:
		return NULL;
	}
	return NULL;
}

struct shell_node *
shell_compound_read(struct shell_reader *r, enum shell_reserved rw)
{
	struct shell_node scratch = {.kind = SHELL_SCRIPT}, *n;

	if (!shell_enter(r, &scratch))
		return scratch.first;
	n = read_kind(r, rw);
	shell_leave(r);
	if (!n)
		return NULL;
	shell_node_end(r, n);
	r->closed_compound = true;
	if (n->kind != SHELL_FUNC && n->kind != SHELL_COPROC)
		shell_redirs_read(r, n);
	return n;
}

struct shell_node *
shell_paren_read(struct shell_reader *r)
{
	return shell_compound_read(r, SHELL_RW_NONE);
}

struct shell_node *
shell_function_body(struct shell_reader *r)
{
	struct shell_node *n;

	if (!shell_sees_compound(r))
		return NULL;
	n = shell_compound_read(r, shell_reserved_peek(r));
	n->role = SHELL_ROLE_BODY;
	return n;
}
