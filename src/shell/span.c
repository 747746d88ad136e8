/*
 * Parts up to an end: the inside of words, quotes, operands, subscripts,
 * arithmetic, here-documents. They differ only in which characters mean
 * something; that is a row of the table.
 */

#include <string.h>

#include "shell/shell_priv.h"

enum {
	K_EXPAND = 1 << 0, /* \ $ ` */
	K_SINGLE = 1 << 1,
	K_DOUBLE = 1 << 2,
	K_META = 1 << 3, /* what ends a word */
	K_ANGLE = 1 << 4,
};

static const unsigned char kinds[256] = {
	['\\'] = K_EXPAND,
	['$'] = K_EXPAND,
	['`'] = K_EXPAND,
	['\''] = K_SINGLE,
	['"'] = K_DOUBLE,
	[' '] = K_META,
	['\t'] = K_META,
	['\n'] = K_META,
	[';'] = K_META,
	['&'] = K_META,
	['|'] = K_META,
	['<'] = K_META | K_ANGLE,
	['>'] = K_META | K_ANGLE,
	['('] = K_META,
	[')'] = K_META,
};

struct row {
	unsigned char stops;
	bool quoted;         /* as in double quotes */
	const char *escapes; /* what \ quotes; NULL = everything */
};

enum {
	WORD_STOPS = K_EXPAND | K_SINGLE | K_DOUBLE | K_META,
	TEXT_STOPS = K_EXPAND | K_SINGLE | K_DOUBLE,
};

/* A character that does not stop is just a character: "'" within quotes. */
static const struct row rows[SHELL_SPAN_COUNT] = {
	[SHELL_SPAN_WORD] = {WORD_STOPS,                    false, NULL     },
	[SHELL_SPAN_PATTERN] = {WORD_STOPS,                    false, NULL     },
	[SHELL_SPAN_REGEX] = {WORD_STOPS,                    false, NULL     },
	[SHELL_SPAN_DQUOTE] = {K_EXPAND | K_DOUBLE,           true,  "$`\"\\" },
	[SHELL_SPAN_HEREDOC] = {K_EXPAND,                      true,  "$`\\"   },
	[SHELL_SPAN_OPERAND] = {TEXT_STOPS | K_ANGLE,          false, NULL     },
	[SHELL_SPAN_QOPERAND] = {K_EXPAND | K_DOUBLE,           true,  "$`\"\\}"},
	[SHELL_SPAN_INDEX] = {K_EXPAND | K_DOUBLE | K_ANGLE, true,  "$`\"\\" },
	[SHELL_SPAN_ARITH] = {K_EXPAND | K_DOUBLE,           true,  "$`\"\\" },
	[SHELL_SPAN_EXTGLOB] = {TEXT_STOPS | K_ANGLE,          false, NULL     },
};

struct span {
	struct shell_reader *r;
	struct shell_node *parent;
	const struct row *row;
	enum shell_span span;
	struct shell_lit lit;
};

void
shell_lit_add(
	struct shell_reader *r, struct shell_lit *lit, struct str s, size_t start)
{
	if (lit->len == 0) {
		lit->ptr = s.ptr;
		lit->start = start;
		lit->cap = 0;
	} else if (lit->cap == 0 && lit->ptr + lit->len == s.ptr) {
		/* goes on in the text: nothing to copy */
	} else {
		if (lit->len + s.len > lit->cap) {
			size_t cap = (lit->len + s.len) * 2 + 16;
			char *own = arena_alloc(r->st->a, cap);

			memcpy(own, lit->ptr, lit->len);
			lit->ptr = lit->own = own;
			lit->cap = cap;
		}
		CHECK(lit->own);
		memcpy(lit->own + lit->len, s.ptr, s.len);
	}
	lit->len += s.len;
	lit->end = r->pos;
}

void
shell_lit_flush(
	struct shell_reader *r, struct shell_lit *lit, struct shell_node *parent)
{
	if (lit->len == 0)
		return;
	struct shell_node *n = shell_node_new(r, SHELL_LIT, lit->start);
	size_t pos = r->pos;

	n->text = (struct str){lit->ptr, lit->len};
	n->flags = lit->flags;
	r->pos = lit->end;
	shell_node_end(r, n);
	r->pos = pos;
	shell_node_add(parent, n);
	*lit = (struct shell_lit){.len = 0};
}

static void
flush(struct span *s)
{
	shell_lit_flush(s->r, &s->lit, s->parent);
}

/* What comes next is a literal with these flags. */
static struct shell_lit *
lit(struct span *s, unsigned flags)
{
	if (s->row->quoted && s->span != SHELL_SPAN_INDEX)
		flags = SHELL_QUOTED;
	if (s->lit.len > 0 && s->lit.flags != flags)
		flush(s);
	s->lit.flags = flags;
	return &s->lit;
}

/* Takes count characters as they are. */
static void
take(struct span *s, size_t count, unsigned flags)
{
	struct shell_lit *l = lit(s, flags);
	size_t start = s->r->pos;

	s->r->pos += count;
	shell_lit_add(s->r, l, shell_source(s->r, start, s->r->pos), start);
}

static void
add(struct span *s, struct shell_node *n)
{
	flush(s);
	shell_node_add(s->parent, n);
}

static void
read_backslash(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos;

	if (start + 1 >= r->len) {
		take(s, 1, SHELL_QUOTED);
		return;
	}
	if (s->row->escapes && !strchr(s->row->escapes, r->text[start + 1])) {
		take(s, 2, SHELL_QUOTED);
		return;
	}
	struct shell_lit *l = lit(s, SHELL_QUOTED);

	r->pos = start + 2;
	shell_lit_add(r, l, shell_source(r, start + 1, start + 2), start);
}

static void
read_single(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos;

	struct shell_lit *l = lit(s, SHELL_QUOTED);

	r->pos++;
	if (shell_single_read(r, l))
		return;
	flush(s);
	r->pos = r->len;
	(void)shell_fault(r, s->parent, start, "unterminated quote");
}

static void
read_double(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos;
	struct shell_node *n = shell_node_new(r, SHELL_DQUOTE, start);

	flush(s);
	shell_node_add(s->parent, n);
	if (!shell_enter(r, n))
		return;
	r->pos++;
	shell_span_read(r, n, SHELL_SPAN_DQUOTE, 0);
	if (shell_peek(r) == '"')
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated quote");
	shell_node_end(r, n);
	shell_leave(r);
}

/* Where expansions come after quotes were taken away, $'...' hides none. */
static bool
is_expanded_later(enum shell_span span)
{
	return span == SHELL_SPAN_ARITH || span == SHELL_SPAN_INDEX
		|| span == SHELL_SPAN_QOPERAND;
}

/* What $'...' stood for, read once more. */
static void
read_decoded(struct span *s, const struct shell_lit *decoded, size_t start)
{
	struct shell_reader *r = s->r, inner;
	struct str text = {decoded->ptr, decoded->len};
	bool plain = true;

	for (size_t i = 0; i < text.len; i++)
		plain = plain && !(kinds[(unsigned char)text.ptr[i]] & s->row->stops);
	if (plain && text.len > 0)
		shell_lit_add(r, lit(s, SHELL_QUOTED), text, start);
	if (plain || r->st->dry > 0)
		return;
	flush(s);
	struct shell_node *place = shell_node_new(r, SHELL_LIT, start);

	shell_node_end(r, place);
	shell_reader_init(&inner, r, text);
	inner.base = place->start;
	inner.fixed_end = place->end;
	if (shell_enter(&inner, s->parent)) {
		r->st->late++;
		shell_span_read(&inner, s->parent, s->span, 0);
		r->st->late--;
		shell_leave(&inner);
	}
	shell_reader_done(&inner);
}

/* $'...'; in arithmetic and subscripts it is '...' afterwards, where quotes are
 * characters. */
static void
read_ansi(struct span *s)
{
	struct shell_reader *r = s->r;
	bool later = is_expanded_later(s->span);
	bool keeps = later && s->span != SHELL_SPAN_QOPERAND;
	struct shell_lit decoded = {.len = 0};
	size_t start = r->pos;

	r->pos++;
	(void)shell_peek(r);
	r->pos++;
	if (keeps)
		shell_lit_add(r, lit(s, SHELL_QUOTED), STR("'"), start);
	bool closed = shell_ansi_read(r, later ? &decoded : lit(s, SHELL_QUOTED));

	if (later)
		read_decoded(s, &decoded, start);
	else if (s->span == SHELL_SPAN_OPERAND)
		shell_eval_check_text(r, s->parent, &s->lit);
	if (closed && keeps)
		shell_lit_add(r, lit(s, SHELL_QUOTED), STR("'"), start);
	if (closed)
		return;
	flush(s);
	r->pos = r->len;
	(void)shell_fault(r, s->parent, start, "unterminated quote");
}

static void
read_dollar(struct span *s)
{
	struct shell_reader *r = s->r;
	int second = shell_peek_second(r);
	struct shell_node *n;

	/* in "..." these two are just characters */
	bool quotes = s->span != SHELL_SPAN_DQUOTE && s->span != SHELL_SPAN_HEREDOC;

	if (quotes && second == '"') {
		r->pos++;
		(void)shell_peek(r);
		read_double(s);
		return;
	}
	if (quotes && second == '\'') {
		read_ansi(s);
		return;
	}
	n = shell_dollar_read(r, s->row->quoted);
	if (n)
		add(s, n);
	else
		take(s, 1, 0);
}

/* An extended pattern: its first character is the last of the literal. */
static void
read_extglob(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos - (s->lit.len > 0), end = 0;
	struct shell_node *n = shell_node_new(r, SHELL_GLOB, start);

	if (s->lit.len > 0) {
		s->lit.len--;
		s->lit.end--;
	}
	add(s, n);
	if (!shell_enter(r, n))
		return;
	r->pos++;
	bool closed = shell_pair_end(r, SHELL_PAIR_PLAIN, '(', &end);

	shell_span_within(r, n, SHELL_SPAN_EXTGLOB, end);
	if (closed)
		r->pos++;
	else
		(void)shell_fault(r, n, r->pos, "unterminated pattern");
	n->text = shell_source(r, start, r->pos);
	shell_node_end(r, n);
	shell_leave(r);
}

/* The inside of ( ) in a regular expression: everything belongs to it. */
static void
read_regex_group(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t end = 0;

	take(s, 1, 0);
	flush(s);
	if (!shell_enter(r, s->parent))
		return;
	bool closed = shell_pair_end(r, SHELL_PAIR_PLAIN, '(', &end);

	shell_span_within(r, s->parent, SHELL_SPAN_EXTGLOB, end);
	shell_leave(r);
	if (closed)
		take(s, 1, 0);
	else
		(void)shell_fault(r, s->parent, r->pos, "unterminated pattern");
}

/* At a "(" in a word: does it belong to an extended pattern? While the text has
 * not turned them on, bash would refuse it; nothing is lost by reading it. */
static bool
begins_extglob(const struct span *s)
{
	const struct shell_lit *l = &s->lit;
	size_t pos = s->r->pos;

	/* $?(x) is $? and a pattern, once they are on */
	if (s->r->st->extglob && l->len == 0 && pos > 0 && s->parent->last
		&& s->parent->last->kind == SHELL_PARAM)
		return strchr("?*@!", s->r->text[pos - 1]) != NULL;
	if (l->len == 0 || l->flags != 0 || l->end != s->r->pos
		|| !strchr("?*+@!", l->ptr[l->len - 1]))
		return false;
	return s->span == SHELL_SPAN_PATTERN || s->r->st->extglob
		|| shell_peek_second(s->r) != ')';
}

/* At a character that ends plain words; false: it ends this one. */
static bool
read_meta(struct span *s, char c)
{
	if ((c == '<' || c == '>') && shell_peek_second(s->r) == '(') {
		size_t start = s->r->pos;

		add(s, shell_procsub_read(s->r));
		/* bash may take it for text there, and look for others in it */
		if (s->span == SHELL_SPAN_INDEX)
			(void)shell_doubt(s->r, s->parent, start, "in a subscript");
		return true;
	}
	if (s->row->stops == WORD_STOPS) {
		if (c == '(' && s->span == SHELL_SPAN_REGEX) {
			read_regex_group(s);
			return true;
		}
		if (c == '|' && s->span == SHELL_SPAN_REGEX) {
			take(s, 1, 0);
			return true;
		}
		if (c == '(' && begins_extglob(s)) {
			read_extglob(s);
			return true;
		}
		return false;
	}
	take(s, 1, 0);
	return true;
}

/* At a character that means something; false: it ends the span. */
static bool
read_special(struct span *s, char c)
{
	switch (c) {
	case '\\':
		read_backslash(s);
		return true;
	case '$':
		read_dollar(s);
		return true;
	case '`':
		add(s, shell_backtick_read(s->r, s->row->quoted));
		return true;
	case '\'':
		read_single(s);
		return true;
	case '"':
		if (s->span == SHELL_SPAN_DQUOTE)
			return false;
		read_double(s);
		return true;
	default:
		return read_meta(s, c);
	}
}

void
shell_span_read(struct shell_reader *r, struct shell_node *parent,
	enum shell_span span, char stop)
{
	struct span s = {
		.r = r,
		.parent = parent,
		.row = &rows[span],
		.span = span,
	};

	while (shell_peek(r) >= 0) {
		size_t i = r->pos;

		while (i < r->len && !(kinds[(unsigned char)r->text[i]] & s.row->stops)
			&& (stop == 0 || r->text[i] != stop))
			i++;
		if (i > r->pos) {
			take(&s, i - r->pos, 0);
			continue;
		}
		char c = r->text[i];

		if (stop != 0 && c == stop)
			break;
		if (!read_special(&s, c))
			break;
	}
	flush(&s);
}

void
shell_limit_undo(struct shell_reader *r, size_t len)
{
	/* past the bound on nodes, every text ends where it stands */
	r->len = r->st->nodes < SHELL_NODES_MAX ? len : r->pos;
}

void
shell_span_within(struct shell_reader *r, struct shell_node *parent,
	enum shell_span span, size_t end)
{
	size_t len = r->len;

	if (r->st->dry == 0) {
		r->len = end;
		r->st->late++;
		shell_span_read(r, parent, span, 0);
		r->st->late--;
		shell_limit_undo(r, len);
	}
	r->pos = end;
}
