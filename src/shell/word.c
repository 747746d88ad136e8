/*
 * Words and assignments.
 */

#include <string.h>

#include "shell/shell_priv.h"

struct shell_node *
shell_word_read(struct shell_reader *r, enum shell_span span, unsigned marks)
{
	(void)shell_peek(r);
	struct shell_node *n = shell_node_new(r, SHELL_WORD, r->pos);

	shell_span_read(r, n, span, 0);
	shell_node_end(r, n);
	shell_mark_word(r, n, marks);
	return n;
}

void
shell_skip_token(
	struct shell_reader *r, struct shell_node *parent, const char *why)
{
	size_t start = r->pos;
	int c = shell_peek(r);
	struct shell_node *word = NULL;

	if (c < 0)
		return;
	if (shell_is_meta(c)) {
		r->pos++;
		if ((c == ';' || c == '&' || c == '|') && shell_peek(r) == c)
			r->pos++;
	} else {
		word = shell_word_read(r, SHELL_SPAN_WORD, 0);
		if (r->pos == start)
			r->pos++;
	}
	struct shell_node *n = shell_fault(r, parent, start, why);

	if (word)
		shell_node_add(n, word);
}

/* The subscript, from its [ to its ]; the reader is at the [. */
static struct shell_node *
read_subscript(struct shell_reader *r)
{
	struct shell_node *n;
	size_t end = 0;

	r->pos++;
	n = shell_node_new(r, SHELL_WORD, r->pos);
	n->role = SHELL_ROLE_SUBSCRIPT;
	bool closed = shell_pair_end(r, SHELL_PAIR_INDEX, '[', &end);

	if (shell_enter(r, n)) {
		shell_span_within(r, n, SHELL_SPAN_INDEX, end);
		shell_leave(r);
	}
	shell_node_end(r, n);
	if (closed)
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated subscript");
	return n;
}

/* Quotes are text in a subscript, and quotes in a word: what stands from start to
 * the ] before the reader is read once more where it has some. */
static bool
read_quotes_again(
	struct shell_reader *r, struct shell_node *parent, size_t start)
{
	size_t end = r->pos - 1;
	struct str inside = shell_source(r, start, end);

	if (end < start || r->text[end] != ']'
		|| !(str_has_char(inside, '\'') || str_has_char(inside, '"')
			|| str_has_char(inside, '\\'))
		|| !shell_enter(r, parent))
		return false;
	r->pos = start;
	shell_span_within(r, parent, SHELL_SPAN_EXTGLOB, end);
	shell_leave(r);
	r->pos = end + 1;
	return true;
}

/* What looked like name[i]=value and has no "=": a word after all. */
static struct shell_node *
word_from_subscript(struct shell_reader *r, size_t start,
	struct shell_node *subscript, unsigned marks)
{
	struct shell_node *n = shell_node_new(r, SHELL_WORD, start);
	struct shell_node *part = subscript->first, *next;
	struct shell_node *open = shell_node_new(r, SHELL_LIT, start);
	struct shell_node *close = shell_node_new(r, SHELL_LIT, r->pos - 1);
	size_t bracket = start;

	while (bracket < r->pos && r->text[bracket] != '[')
		bracket++;
	open->text = shell_source(r, start, bracket + 1);
	open->end = subscript->start;
	shell_node_add(n, open);
	if (read_quotes_again(r, n, bracket + 1))
		part = NULL;
	for (; part; part = next) {
		next = part->next;
		part->next = NULL;
		shell_node_add(n, part);
	}
	close->text = STR("]");
	shell_node_end(r, close);
	shell_node_add(n, close);
	shell_span_read(r, n, SHELL_SPAN_WORD, 0);
	shell_node_end(r, n);
	shell_mark_word(r, n, marks);
	return n;
}

static struct shell_node *read_array(struct shell_reader *r);

/* Behind the name and subscript: the operator and the value. */
static void
read_value(struct shell_reader *r, struct shell_node *assign, bool array,
	unsigned marks)
{
	struct shell_node *n;

	if (shell_accept(r, "+="))
		assign->flags |= SHELL_APPEND;
	else
		r->pos++;
	if (array && shell_peek(r) == '(')
		n = read_array(r);
	else
		n = shell_word_read(r, SHELL_SPAN_WORD,
			(marks & SHELL_MARK_BRACE) | SHELL_MARK_TILDE | SHELL_MARK_ASSIGN);
	n->role = SHELL_ROLE_VALUE;
	shell_node_add(assign, n);
	if (n->kind == SHELL_ARRAY && (!shell_ends_word(r))) {
		/* a=(x)b is the text "(x)b" */
		struct shell_node *rest =
			shell_doubt(r, assign, r->pos, "text behind an array");

		shell_node_add(rest, shell_word_read(r, SHELL_SPAN_WORD, 0));
	}
	shell_node_end(r, assign);
}

static bool
sees_assign(struct shell_reader *r)
{
	return shell_peek(r) == '=' || shell_sees(r, "+=");
}

enum { WORD_MARKS = SHELL_MARK_BRACE | SHELL_MARK_TILDE | SHELL_MARK_GLOB };

/* [subscript]=value in an array; or a word that begins with "[". */
static struct shell_node *
read_indexed(struct shell_reader *r)
{
	size_t start = r->pos;
	struct shell_node *subscript = read_subscript(r), *n;

	if (!sees_assign(r))
		return word_from_subscript(r, start, subscript, WORD_MARKS);
	n = shell_node_new(r, SHELL_ASSIGN, start);
	n->flags = SHELL_INDEXED;
	shell_node_add(n, subscript);
	read_value(r, n, false, 0);
	return n;
}

/* ( ) behind a "=". */
static struct shell_node *
read_array(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_ARRAY, r->pos);

	r->pos++;
	if (!shell_enter(r, n))
		return n;
	for (;;) {
		shell_newlines(r);
		int c = shell_peek(r);

		if (c < 0 || c == ')')
			break;
		if (c == '[')
			shell_node_add(n, read_indexed(r));
		else if (!shell_ends_word(r))
			shell_node_add(n, shell_word_read(r, SHELL_SPAN_WORD, WORD_MARKS));
		else
			shell_skip_token(r, n, "unexpected in an array");
	}
	if (shell_peek(r) == ')')
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated array");
	shell_node_end(r, n);
	shell_leave(r);
	return n;
}

struct shell_node *
shell_assign_read(
	struct shell_reader *r, enum shell_assign_place place, unsigned marks)
{
	(void)shell_peek(r);
	size_t start = r->pos;
	struct str name = shell_name_read(r);
	struct shell_node *n, *subscript = NULL;

	if (name.len > 0 && place == SHELL_ASSIGN_FRONT && shell_peek(r) == '[') {
		subscript = read_subscript(r);
		if (!sees_assign(r))
			return word_from_subscript(r, start, subscript, marks);
	}
	bool array = shell_sees(r, "=(") || shell_sees(r, "+=(");

	if (name.len == 0 || !sees_assign(r)
		|| (place == SHELL_ASSIGN_ARRAYS && !array)) {
		r->pos = start;
		return NULL;
	}
	n = shell_node_new(r, SHELL_ASSIGN, start);
	n->text = name;
	if (subscript)
		shell_node_add(n, subscript);
	/* only arguments have braces */
	read_value(r, n, true, place == SHELL_ASSIGN_FRONT ? 0 : marks);
	return n;
}
