/*
 * {a,b} and {1..5}. Bash looks for them in the text of a word: from each "{",
 * the first "}" at its own level behind a "," or "..", so "{a},b}" is one. The
 * word is laid out as cells, one a character, or one for a part that is opaque.
 */

#include <string.h>

#include "shell/shell_priv.h"

struct cell {
	struct shell_node *part;
	uint32_t offset;
	char c; /* '\0' for an opaque part, and for a NUL */
	bool opaque;
};

struct braces {
	struct shell_reader *r;
	const struct cell *cells;
	size_t steps; /* that may still be taken */
};

/* The place of the "}" for the "{" in front of from, or to. */
static size_t
find_close(struct braces *b, size_t from, size_t to)
{
	size_t level = 0, commas = 0;

	for (size_t i = from; i < to && b->steps > 0; i++, b->steps--) {
		char c = b->cells[i].c;

		if (c == '}' && level == 0 && commas > 0)
			return i;
		bool parts = c == ','
			|| (c == '.' && i + 2 < to && b->cells[i + 1].c == '.'
				&& b->cells[i + 2].c != '}');

		if (c == '{')
			level++;
		else if (c == '}' && level > 0)
			level--;
		else if (level == 0 && parts)
			commas++;
	}
	return to;
}

/* One term of a range: 'n' for a number, 'c' for a letter, else 0. */
static char
term_kind(const struct cell *cells, size_t from, size_t to)
{
	size_t i = from;

	if (to - from == 1 && shell_is_name(cells[from].c, true)
		&& cells[from].c != '_')
		return 'c';
	if (i < to && (cells[i].c == '-' || cells[i].c == '+'))
		i++;
	if (i == to)
		return 0;
	for (; i < to; i++) {
		if (cells[i].c < '0' || cells[i].c > '9')
			return 0;
	}
	return 'n';
}

static bool
is_range(const struct cell *cells, size_t from, size_t to)
{
	size_t starts[3] = {from}, ends[3], n = 0;

	for (size_t i = from; i < to; i++) {
		if (cells[i].c != '.' || i + 1 >= to || cells[i + 1].c != '.')
			continue;
		if (n == 2)
			return false;
		ends[n++] = i;
		starts[n] = i + 2;
		i++;
	}
	if (n == 0)
		return false;
	ends[n++] = to;
	char kind = term_kind(cells, starts[0], ends[0]);

	return kind != 0 && kind == term_kind(cells, starts[1], ends[1])
		&& (n < 3 || term_kind(cells, starts[2], ends[2]) == 'n');
}

/* Cells from..to as parts at the end of parent. */
static void
add_cells(struct braces *b, struct shell_node *parent, size_t from, size_t to)
{
	while (from < to) {
		const struct cell *first = &b->cells[from];
		size_t end = from + 1;

		if (first->opaque) {
			first->part->next = NULL;
			shell_node_add(parent, first->part);
			from = end;
			continue;
		}
		while (end < to && b->cells[end].part == first->part)
			end++;
		struct shell_node *n = shell_node_new(b->r, SHELL_LIT, 0);

		n->text = str_sub(
			first->part->text, first->offset, first->offset + end - from);
		n->start = first->part->start;
		n->end = first->part->end;
		if (n->end - n->start == first->part->text.len) {
			n->start += first->offset;
			n->end = n->start + (uint32_t)(end - from);
		}
		shell_node_add(parent, n);
		from = end;
	}
}

static void expand(
	struct braces *b, struct shell_node *parent, size_t from, size_t to);

static void
add_alternatives(
	struct braces *b, struct shell_node *brace, size_t from, size_t to)
{
	size_t level = 0, start = from;

	for (size_t i = from; i <= to; i++) {
		char c = (char)(i < to ? b->cells[i].c : ',');

		if (c == '{')
			level++;
		else if (c == '}' && level > 0)
			level--;
		if (i < to && (c != ',' || level > 0))
			continue;
		struct shell_node *n = shell_node_new(b->r, SHELL_WORD, 0);

		n->start = brace->start;
		n->end = brace->end;
		expand(b, n, start, i);
		shell_node_add(brace, n);
		start = i + 1;
	}
}

static bool
has_comma(const struct cell *cells, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (cells[i].c == ',')
			return true;
	}
	return false;
}

/* The brace from its "{" to its "}"; false if it is none after all. */
static bool
add_brace(
	struct braces *b, struct shell_node *parent, size_t open, size_t close)
{
	bool list = has_comma(b->cells, open + 1, close);
	struct shell_node *n;

	if (!list && !is_range(b->cells, open + 1, close))
		return false;
	n = shell_node_new(b->r, SHELL_BRACE, 0);
	n->start = b->cells[open].part->start;
	n->end = b->cells[close].part->end;
	if (!list)
		add_cells(b, n, open + 1, close);
	else if (shell_enter(b->r, n)) {
		add_alternatives(b, n, open + 1, close);
		shell_leave(b->r);
	}
	shell_node_add(parent, n);
	return true;
}

static void
expand(struct braces *b, struct shell_node *parent, size_t from, size_t to)
{
	size_t done = from;

	for (size_t i = from; i < to; i++) {
		if (b->cells[i].c != '{')
			continue;
		/* {} in front of everything is just that */
		if (i == from && i + 1 < to && b->cells[i + 1].c == '}')
			continue;
		size_t close = find_close(b, i + 1, to);

		if (b->steps == 0)
			break;
		if (close == to)
			continue;
		add_cells(b, parent, done, i);
		done = i;
		if (add_brace(b, parent, i, close))
			done = close + 1;
		i = close;
	}
	add_cells(b, parent, done, to);
}

void
shell_mark_braces(struct shell_reader *r, struct shell_node *word)
{
	size_t count = 0, n = 0;

	for (const struct shell_node *p = word->first; p; p = p->next)
		count += p->kind == SHELL_LIT ? p->text.len : 1;
	struct cell *cells = ARENA_ARRAY(r->st->a, count, struct cell);

	for (struct shell_node *p = word->first; p; p = p->next) {
		bool opaque = p->kind != SHELL_LIT || (p->flags & SHELL_QUOTED);
		size_t len = opaque ? 1 : p->text.len;

		for (size_t i = 0; i < len; i++)
			cells[n++] = (struct cell){
				.part = p,
				.offset = (uint32_t)i,
				.c = (char)(opaque ? '\0' : p->text.ptr[i]),
				.opaque = opaque,
			};
	}
	struct braces b = {.r = r, .cells = cells, .steps = 16 * n + 4096};
	size_t pos = r->pos;

	word->first = word->last = NULL;
	expand(&b, word, 0, n);
	if (b.steps == 0)
		(void)shell_doubt(r, word, pos, "too many braces");
}
