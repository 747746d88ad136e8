/*
 * while, until, for, select.
 */

#include "shell/shell_priv.h"

enum { WORD_MARKS = SHELL_MARK_BRACE | SHELL_MARK_TILDE | SHELL_MARK_GLOB };

static void
read_do(struct shell_reader *r, struct shell_node *n)
{
	shell_reserved_expect(r, n, SHELL_RW_DO, "loop without do");
	shell_node_add(n, shell_body_read(r, SHELL_ROLE_BODY));
	shell_reserved_expect(r, n, SHELL_RW_DONE, "loop without done");
}

/* A for loop's body may also be in braces. */
static void
read_do_or_braces(struct shell_reader *r, struct shell_node *n)
{
	shell_blanks(r);
	if (!shell_reserved_accept(r, SHELL_RW_LBRACE)) {
		read_do(r, n);
		return;
	}
	shell_node_add(n, shell_body_read(r, SHELL_ROLE_BODY));
	shell_reserved_expect(r, n, SHELL_RW_RBRACE, "loop without }");
}

static struct shell_node *
read_while(struct shell_reader *r, enum shell_reserved rw)
{
	bool until = rw == SHELL_RW_UNTIL;
	struct shell_node *n =
		shell_node_new(r, until ? SHELL_UNTIL : SHELL_WHILE, r->pos);

	(void)shell_reserved_accept(r, rw);
	shell_node_add(n, shell_body_read(r, SHELL_ROLE_COND));
	read_do(r, n);
	return n;
}

static void
read_items(struct shell_reader *r, struct shell_node *n)
{
	for (;;) {
		shell_blanks(r);
		if (shell_ends_word(r))
			return;
		struct shell_node *word =
			shell_word_read(r, SHELL_SPAN_WORD, WORD_MARKS);

		word->role = SHELL_ROLE_ITEM;
		shell_eval_check(r, word);
		shell_node_add(n, word);
	}
}

/* Behind the items: one ";" or newlines. */
static void
read_terminator(struct shell_reader *r, struct shell_node *n)
{
	int c = shell_peek(r);

	if (c == ';' && !shell_sees(r, ";;"))
		r->pos++;
	else if (c != '\n')
		(void)shell_fault(r, n, r->pos, "unexpected in a list of items");
	shell_newlines(r);
}

static void
read_name(struct shell_reader *r, struct shell_node *n)
{
	shell_blanks(r);
	size_t start = r->pos;

	if (shell_is_meta(shell_peek(r))) {
		(void)shell_fault(r, n, start, "loop without a variable");
		return;
	}
	struct shell_node *word = shell_word_read(r, SHELL_SPAN_WORD, 0);

	n->text = shell_joined(r, start, r->pos);
	if (shell_word_text(r->st->a, word, &(struct str){0}))
		return;
	shell_node_add(
		shell_doubt(r, n, r->pos, "loop variable that expands"), word);
}

static size_t
count_semicolons(const struct shell_node *arith)
{
	size_t count = 0;

	for (const struct shell_node *n = arith->first; n; n = n->next) {
		if (n->kind != SHELL_LIT)
			continue;
		for (size_t i = 0; i < n->text.len; i++)
			count +=
				n->text.ptr[i] == ';' && (i == 0 || n->text.ptr[i - 1] != '\\');
	}
	return count;
}

/* for ((a; b; c)) */
static struct shell_node *
read_forarith(struct shell_reader *r, size_t start)
{
	struct shell_node *n = shell_node_new(r, SHELL_FORARITH, start), *arith;

	arith = shell_double_parens_read(r, &(bool){false});
	if (!arith) {
		(void)shell_fault(r, n, r->pos, "for without a variable");
		return n;
	}
	arith->role = SHELL_ROLE_COND;
	shell_node_add(n, arith);
	if (r->st->dry == 0 && count_semicolons(arith) != 2)
		(void)shell_fault(r, n, r->pos, "not three expressions");
	shell_blanks(r);
	if (shell_peek(r) == ';' && !shell_sees(r, ";;"))
		r->pos++;
	shell_newlines(r);
	read_do_or_braces(r, n);
	return n;
}

static struct shell_node *
read_for(struct shell_reader *r, enum shell_reserved rw)
{
	size_t start = r->pos;
	bool selects = rw == SHELL_RW_SELECT;

	(void)shell_reserved_accept(r, rw);
	shell_blanks(r);
	if (!selects && shell_sees(r, "(("))
		return read_forarith(r, start);
	struct shell_node *n =
		shell_node_new(r, selects ? SHELL_SELECT : SHELL_FOR, start);

	read_name(r, n);
	shell_blanks(r);
	bool newline = shell_peek(r) == '\n';
	bool parted = newline || shell_peek(r) == ';';

	shell_newlines(r);
	if (shell_reserved_accept(r, SHELL_RW_IN)) {
		read_items(r, n);
		read_terminator(r, n);
	} else {
		n->flags |= SHELL_IMPLICIT;
		if (!newline && shell_peek(r) == ';' && !shell_sees(r, ";;"))
			r->pos++;
		shell_newlines(r);
	}
	/* "for x {" is not understood without a line's end between them */
	if ((n->flags & SHELL_IMPLICIT) && !parted
		&& shell_reserved_peek(r) == SHELL_RW_LBRACE)
		(void)shell_fault(r, n, r->pos, "loop without do");
	read_do_or_braces(r, n);
	return n;
}

struct shell_node *
shell_loop_read(struct shell_reader *r, enum shell_reserved rw)
{
	if (rw == SHELL_RW_WHILE || rw == SHELL_RW_UNTIL)
		return read_while(r, rw);
	return read_for(r, rw);
}
