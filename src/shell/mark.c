/*
 * What the unquoted literals of a finished word mean: braces first, as bash
 * does, then tildes and globs in what is left.
 */

#include <string.h>

#include "shell/shell_priv.h"

enum { CLASS_NAME_MAX = 32 };

static bool
is_unquoted(const struct shell_node *n)
{
	return n->kind == SHELL_LIT && !(n->flags & SHELL_QUOTED);
}

/* A part of a literal as a node of its own, at the end of word. */
static void
add_piece(struct shell_reader *r, struct shell_node *word,
	const struct shell_node *lit, size_t from, size_t to)
{
	if (from == to)
		return;
	struct shell_node *n = ARENA_NEW(r->st->a, struct shell_node);

	*n = (struct shell_node){
		.kind = SHELL_LIT,
		.text = str_sub(lit->text, from, to),
		.start = lit->start,
		.end = lit->end,
	};
	/* continuations make text shorter than its place */
	if (lit->end - lit->start == lit->text.len) {
		n->start = lit->start + (uint32_t)from;
		n->end = lit->start + (uint32_t)to;
	}
	shell_node_add(word, n);
}

/* Where the [...] that begins at s[i] ends, or i. */
static size_t
bracket_end(struct str s, size_t i)
{
	size_t j = i + 1;

	if (j < s.len && (s.ptr[j] == '!' || s.ptr[j] == '^'))
		j++;
	if (j < s.len && s.ptr[j] == ']')
		j++;
	for (; j < s.len && s.ptr[j] != ']'; j++) {
		if (s.ptr[j] != '[' || j + 1 >= s.len || !strchr(":.=", s.ptr[j + 1]))
			continue;
		char end[2] = {s.ptr[j + 1], ']'};
		struct str near = str_sub(s, 0, j + CLASS_NAME_MAX);
		size_t at = str_find(near, (struct str){end, 2}, j + 2);

		if (at < near.len)
			j = at + 1;
	}
	return j < s.len ? j + 1 : i;
}

/* What is known while the literals of one word are gone through. */
struct marking {
	struct shell_reader *r;
	struct shell_node *word;             /* gets the new parts */
	const struct shell_node *last_close; /* the last literal with a ] */
	unsigned marks;
	bool first;   /* nothing stands in front of this literal */
	bool assigns; /* behind NAME= : a : makes the next ~ one, too */
};

/* The tilde prefix at s[i]: where it ends, or i if it is none. */
static size_t
tilde_end(const struct marking *m, const struct shell_node *lit, size_t i)
{
	struct str s = lit->text;
	size_t j = i + 1;

	if (i == 0 ? !m->first && !m->assigns
			   : !m->assigns || (s.ptr[i - 1] != ':' && s.ptr[i - 1] != '='))
		return i;
	if (i == 0 && !m->first)
		return i;
	while (j < s.len
		&& (shell_is_name(s.ptr[j], false) || strchr("+-.", s.ptr[j])))
		j++;
	if (j == s.len)
		return lit->next ? i : j;
	return s.ptr[j] == '/' || (m->assigns && s.ptr[j] == ':') ? j : i;
}

/* Where the NAME= at the start of a word ends, or 0. */
static size_t
assignment_end(struct str s)
{
	size_t i = 0;

	while (i < s.len && shell_is_name(s.ptr[i], i == 0))
		i++;
	return i > 0 && i < s.len && s.ptr[i] == '=' ? i + 1 : 0;
}

/* The mark at lit[i]: its end and kind, or i. */
static size_t
mark_end(const struct marking *m, const struct shell_node *lit, size_t i,
	enum shell_kind *ret_kind)
{
	char c = lit->text.ptr[i];

	*ret_kind = SHELL_GLOB;
	if (c == '~' && (m->marks & SHELL_MARK_TILDE)) {
		*ret_kind = SHELL_TILDE;
		return tilde_end(m, lit, i);
	}
	if (!(m->marks & SHELL_MARK_GLOB))
		return i;
	if (c == '*' || c == '?')
		return i + 1;
	if (c == '[' && m->last_close == lit)
		return bracket_end(lit->text, i);
	/* it may close behind a quote or an expansion */
	if (c == '[' && m->last_close)
		return i + 1;
	return i;
}

static void
mark_literal(struct marking *m, const struct shell_node *lit)
{
	size_t from = 0, assign = 0;

	if (m->first && !(m->marks & SHELL_MARK_ASSIGN))
		assign = assignment_end(lit->text);
	for (size_t i = 0; i < lit->text.len;) {
		enum shell_kind kind = SHELL_LIT;

		if (!strchr("~*?[", lit->text.ptr[i]) || lit->text.ptr[i] == '\0') {
			i++;
			continue;
		}
		if (assign > 0 && i >= assign)
			m->assigns = true;
		size_t end = mark_end(m, lit, i, &kind);

		if (end == i) {
			/* once no ] closes it, none closes a later one */
			if (lit->text.ptr[i] == '[' && m->last_close == lit)
				m->last_close = NULL;
			i++;
			continue;
		}
		add_piece(m->r, m->word, lit, from, i);
		add_piece(m->r, m->word, lit, i, end);
		m->word->last->kind = kind;
		from = i = end;
	}
	m->assigns = m->assigns || assign > 0;
	add_piece(m->r, m->word, lit, from, lit->text.len);
	if (m->last_close == lit)
		m->last_close = NULL;
}

static void
mark_parts(
	struct shell_reader *r, struct shell_node *word, unsigned marks, bool first)
{
	struct marking m = {
		.r = r,
		.word = word,
		.marks = marks,
		.first = first,
		.assigns = (marks & SHELL_MARK_ASSIGN) != 0,
	};
	struct shell_node *part = word->first, *next;

	for (const struct shell_node *n = part; n; n = n->next) {
		if (is_unquoted(n) && str_has_char(n->text, ']'))
			m.last_close = n;
	}
	word->first = word->last = NULL;
	for (; part; part = next) {
		next = part->next;
		if (is_unquoted(part)) {
			mark_literal(&m, part);
		} else {
			part->next = NULL;
			shell_node_add(word, part);
		}
		if (part->kind == SHELL_BRACE) {
			for (struct shell_node *n = part->first; n; n = n->next) {
				if (n->kind == SHELL_WORD)
					mark_parts(r, n, marks, m.first);
			}
		}
		m.first = false;
	}
}

/* ~{a,b}: the braces come first, so nobody knows yet whose folder it is. */
static void
check_tilde(struct shell_reader *r, struct shell_node *word)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (is_unquoted(n) && str_ends(n->text, STR("~")) && n->next
			&& n->next->kind == SHELL_BRACE) {
			(void)shell_doubt(r, word, r->pos, "tilde in front of braces");
			return;
		}
	}
}

void
shell_mark_word(struct shell_reader *r, struct shell_node *word, unsigned marks)
{
	static const unsigned char special[256] = {
		['{'] = SHELL_MARK_BRACE,
		['~'] = SHELL_MARK_TILDE,
		['*'] = SHELL_MARK_GLOB,
		['?'] = SHELL_MARK_GLOB,
		['['] = SHELL_MARK_GLOB,
	};
	unsigned seen = 0;

	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (!is_unquoted(n))
			continue;
		for (size_t i = 0; i < n->text.len; i++)
			seen |= special[(unsigned char)n->text.ptr[i]];
	}
	seen &= marks;
	if (seen & SHELL_MARK_BRACE) {
		shell_mark_braces(r, word);
		if (seen & SHELL_MARK_TILDE)
			check_tilde(r, word);
	}
	if (seen & (SHELL_MARK_TILDE | SHELL_MARK_GLOB))
		mark_parts(r, word, marks, true);
}
