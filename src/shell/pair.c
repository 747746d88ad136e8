/*
 * Where a bracket closes. Bash first looks for the end of ${ }, $(( )), $[ ],
 * subscripts and patterns by brackets and quotes alone, and finds out what they
 * mean only when it expands them; "${a[}" and "$(( ${x:-)} ))" end where this
 * says, not where their meaning would. Nothing is kept but the place.
 */

#include <string.h>

#include "shell/shell_priv.h"

static bool skip_pair(
	struct shell_reader *r, enum shell_pair pair, char open, char close);

/* Behind the next unescaped c; false if there is none. */
static bool
skip_to(struct shell_reader *r, char c)
{
	while (r->pos < r->len && r->text[r->pos] != c)
		r->pos += r->text[r->pos] == '\\' ? 2 : 1;
	if (r->pos >= r->len)
		return false;
	r->pos++;
	return true;
}

/* Behind the ' that ends a quote whose first ' was taken. */
static bool
skip_single(struct shell_reader *r)
{
	const char *end = r->pos < r->len
		? memchr(r->text + r->pos, '\'', r->len - r->pos)
		: NULL;

	if (!end)
		return false;
	r->pos = (size_t)(end - r->text) + 1;
	return true;
}

bool
shell_end_known(struct shell_reader *r)
{
	if (!r->ends || r->ends[r->pos] == 0 || r->ends[r->pos] > r->len)
		return false;
	r->pos = r->ends[r->pos];
	return true;
}

void
shell_end_keep(struct shell_reader *r, size_t start)
{
	if (r->ends)
		r->ends[start] = (uint32_t)r->pos;
}

/* skip_pair behind the bracket c of a substitution, for which it is kept. */
static bool
skip_known(struct shell_reader *r, char c)
{
	size_t start = r->pos;
	bool closed = c == '{' ? skip_pair(r, SHELL_PAIR_BRACE, '{', '}')
		: c == '['         ? skip_pair(r, SHELL_PAIR_ARITH, '[', ']')
						   : skip_pair(r, SHELL_PAIR_ARITH, '(', ')');

	if (closed)
		shell_end_keep(r, start);
	return closed;
}

/* At the ( { or [ behind a $, or the ( behind a < or >. */
static bool
skip_substitution(struct shell_reader *r, char c)
{
	struct shell_node scratch = {.kind = SHELL_CMDSUB};
	bool closed = false;

	if (!shell_enter(r, &scratch))
		return false;
	if (c == '(' && !shell_sees(r, "((")) {
		closed = shell_parens_read(r, &scratch);
	} else {
		r->pos++;
		(void)shell_peek(r);
		closed = shell_end_known(r) || skip_known(r, c);
	}
	shell_leave(r);
	return closed;
}

/* Behind the " that ends a quote whose first " was taken. */
static bool
skip_double(struct shell_reader *r)
{
	bool dollar = false;

	for (;;) {
		int c = shell_peek(r);

		if (c < 0)
			return false;
		if (dollar && (c == '(' || c == '{' || c == '[')) {
			if (!skip_substitution(r, (char)c))
				return false;
			dollar = false;
			continue;
		}
		r->pos += c == '\\' ? 2 : 1;
		if (c == '"')
			return true;
		if (c == '`' && !skip_to(r, '`'))
			return false;
		dollar = c == '$' && !dollar;
	}
}

static bool
skip_quote(struct shell_reader *r, char c, bool dollar)
{
	r->pos++;
	switch (c) {
	case '\'':
		return dollar ? skip_to(r, '\'') : skip_single(r);
	case '"':
		return skip_double(r);
	default:
		return skip_to(r, '`');
	}
}

/* Does a substitution begin at c, behind the character before? */
static bool
begins_substitution(enum shell_pair pair, char before, int c)
{
	if (before == '$' && c == '(')
		return pair != SHELL_PAIR_PLAIN;
	if (pair == SHELL_PAIR_ARITH || pair == SHELL_PAIR_PLAIN)
		return false;
	return before == '$' ? c == '{' || c == '[' : before == '<' && c == '(';
}

/* Past a quote or a substitution that begins at c: 1, or 0 if neither does, or
 * -1 if it does not end. */
static int
skip_nested(struct shell_reader *r, enum shell_pair pair, char before, int c)
{
	if (c == '\'' || c == '"' || c == '`')
		return skip_quote(r, (char)c, before == '$') ? 1 : -1;
	if (begins_substitution(pair, before, c))
		return skip_substitution(r, (char)c) ? 1 : -1;
	return 0;
}

/* What c is to the next character, when before was it to c: '$', or '<' for < and
 * > too; every second of them counts for nothing. */
static char
mark_of(int c, char before)
{
	char mark = (char)(c == '$' ? '$' : c == '<' || c == '>' ? '<' : '\0');

	return (char)(mark == before ? '\0' : mark);
}

/* From behind an opening bracket to behind its closing one. */
static bool
skip_pair(struct shell_reader *r, enum shell_pair pair, char open, char close)
{
	size_t count = 1;
	char before = '\0';

	for (;;) {
		int c = shell_peek(r);
		int nested = c < 0 ? -1 : skip_nested(r, pair, before, c);

		if (nested < 0)
			return false;
		before = (char)(nested > 0 ? '\0' : mark_of(c, before));
		if (nested > 0)
			continue;
		r->pos += c == '\\' ? 2 : 1;
		if (c == close && --count == 0)
			return true;
		/* only a $ opens another level in ${ } */
		if (c == open && pair != SHELL_PAIR_BRACE)
			count++;
	}
}

bool
shell_pair_end(
	struct shell_reader *r, enum shell_pair pair, char open, size_t *ret_end)
{
	struct shell_state *st = r->st;
	size_t start = r->pos;
	char close = (char)(open == '(' ? ')' : open == '[' ? ']' : '}');

	if (!r->ends)
		r->ends = ARENA_ARRAY(st->a, r->size + 1, uint32_t);
	if (shell_end_known(r)) {
		*ret_end = r->pos - 1;
		r->pos = start;
		return true;
	}
	struct shell_tree tree = *st->tree;
	struct shell_pending *pending = r->pending;
	unsigned depth = st->depth;

	st->dry++;
	bool closed = skip_pair(r, pair, open, close);

	st->dry--;
	/* what it found wrong counts only if bash would stop there */
	if (st->tree->refused == tree.refused && st->nodes < SHELL_NODES_MAX)
		*st->tree = tree;
	st->depth = depth;
	r->pending = pending;
	*ret_end = closed ? r->pos - 1 : r->len;
	if (closed)
		shell_end_keep(r, start);
	r->pos = start;
	return closed;
}
