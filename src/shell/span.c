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
	K_PAREN = 1 << 5,
	K_BRACKET = 1 << 6,
	K_RBRACE = 1 << 7,
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
	['('] = K_META | K_PAREN,
	[')'] = K_META | K_PAREN,
	['['] = K_BRACKET,
	[']'] = K_BRACKET,
	['}'] = K_RBRACE,
};

/* What a ' does. */
enum single { PLAIN, QUOTES, HIDES };

struct row {
	unsigned char stops;
	char open, close; /* 0: ends elsewhere */
	bool quoted;      /* as in double quotes */
	enum single single;
	const char *escapes; /* what \ quotes; NULL = everything */
};

static const struct row rows[SHELL_SPAN_COUNT] = {
	[SHELL_SPAN_WORD] = {.stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_META,
						 .single = QUOTES															 },
	[SHELL_SPAN_PATTERN] = {												.stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_META,
						 .single = QUOTES														   },
	[SHELL_SPAN_REGEX] = { .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_META,
						 .single = QUOTES											   },
	[SHELL_SPAN_DQUOTE] = {																												   .stops = K_EXPAND | K_DOUBLE,
						 .close = '"',
						 .quoted = true,
						 .escapes = "$`\"\\"},
	[SHELL_SPAN_HEREDOC] = {																						.stops = K_EXPAND,
						 .quoted = true,
						 .escapes = "$`\\"},
	[SHELL_SPAN_OPERAND] = {																					  .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_RBRACE
			| K_ANGLE,
						 .close = '}',
						 .single = QUOTES},
	[SHELL_SPAN_QOPERAND] = {														  .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_RBRACE,
						 .close = '}',
						 .quoted = true,
						 .single = HIDES,
						 .escapes = "$`\"\\}"},
	[SHELL_SPAN_PARENS] = {																										   .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_PAREN,
						 .open = '(',
						 .close = ')',
						 .quoted = true,
						 .single = HIDES,
						 .escapes = "$`\"\\"},
	[SHELL_SPAN_BRACKETS] = {																												   .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_BRACKET
			| K_ANGLE,
						 .open = '[',
						 .close = ']',
						 .single = QUOTES},
	[SHELL_SPAN_INDEX] = {																										  .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_BRACKET
			| K_RBRACE | K_ANGLE,
						 .open = '[',
						 .close = ']',
						 .single = QUOTES},
	[SHELL_SPAN_OLDARITH] = {																											   .stops =
								 K_EXPAND | K_SINGLE | K_DOUBLE | K_BRACKET,
						 .open = '[',
						 .close = ']',
						 .quoted = true,
						 .single = HIDES,
						 .escapes = "$`\"\\"},
	[SHELL_SPAN_EXTGLOB] = {																												   .stops = K_EXPAND | K_SINGLE | K_DOUBLE | K_PAREN,
						 .open = '(',
						 .close = ')',
						 .single = QUOTES},
	[SHELL_SPAN_QUOTED] = {																													.stops = K_EXPAND,
						 .quoted = true,
						 .escapes = "$`\"\\"},
};

struct span {
	struct shell_reader *r;
	struct shell_node *parent;
	const struct row *row;
	enum shell_span span;
	char stop;
	unsigned level;
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
			char *own = arena_alloc(r->st->a, (lit->len + s.len) * 2 + 16);

			memcpy(own, lit->ptr, lit->len);
			lit->ptr = own;
			lit->cap = (lit->len + s.len) * 2 + 16;
		}
		memcpy((char *)(uintptr_t)lit->ptr + lit->len, s.ptr, s.len);
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
	if (s->row->quoted)
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

/* A ' in text that is read as in double quotes: it quotes nothing, but up to
 * the next one nothing closes either. */
static void
read_hiding(struct span *s)
{
	struct shell_reader *r = s->r;
	const char *end = memchr(r->text + r->pos + 1, '\'', r->len - r->pos - 1);
	struct shell_reader inner;

	if (!end) {
		size_t start = r->pos;

		flush(s);
		r->pos = r->len;
		(void)shell_fault(r, s->parent, start, "unterminated quote");
		return;
	}
	size_t n = (size_t)(end - r->text);

	take(s, 1, SHELL_QUOTED);
	flush(s);
	shell_reader_init(&inner, r, (struct str){r->text + r->pos, n - r->pos});
	inner.base = r->fixed_end > 0 ? r->base : r->base + (uint32_t)r->pos;
	inner.fixed_end = r->fixed_end;
	shell_span_read(&inner, s->parent, SHELL_SPAN_QUOTED, 0);
	shell_reader_done(&inner);
	if (r->pos < n)
		r->pos = n;
	take(s, 1, SHELL_QUOTED);
}

static void
read_single(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos;

	if (s->row->single == HIDES) {
		read_hiding(s);
		return;
	}
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

static void
read_dollar(struct span *s)
{
	struct shell_reader *r = s->r;
	size_t start = r->pos;
	int second = shell_peek_second(r);
	struct shell_node *n;

	/* in "..." these two are just characters */
	bool quotes = s->span != SHELL_SPAN_DQUOTE && s->span != SHELL_SPAN_HEREDOC
		&& s->span != SHELL_SPAN_QUOTED;

	if (quotes && second == '"') {
		r->pos++;
		(void)shell_peek(r);
		read_double(s);
		return;
	}
	if (quotes && second == '\'') {
		struct shell_lit *l = lit(s, SHELL_QUOTED);

		r->pos++;
		(void)shell_peek(r);
		r->pos++;
		if (shell_ansi_read(r, l))
			return;
		flush(s);
		r->pos = r->len;
		(void)shell_fault(r, s->parent, start, "unterminated quote");
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
	size_t start = s->lit.end - 1;
	struct shell_node *n = shell_node_new(r, SHELL_GLOB, start);

	s->lit.len--;
	s->lit.end--;
	add(s, n);
	if (!shell_enter(r, n))
		return;
	r->pos++;
	shell_span_read(r, n, SHELL_SPAN_EXTGLOB, 0);
	if (shell_peek(r) == ')')
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

	take(s, 1, 0);
	flush(s);
	if (!shell_enter(r, s->parent))
		return;
	shell_span_read(r, s->parent, SHELL_SPAN_EXTGLOB, 0);
	shell_leave(r);
	if (shell_peek(r) == ')')
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
		add(s, shell_procsub_read(s->r));
		return true;
	}
	if (s->row->stops == (K_EXPAND | K_SINGLE | K_DOUBLE | K_META)) {
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
		if (s->row->close == '"')
			return false;
		read_double(s);
		return true;
	default:
		break;
	}
	if (c == '}' && s->span == SHELL_SPAN_INDEX)
		return false;
	if (c == s->row->close) {
		if (s->level == 0)
			return false;
		s->level--;
		take(s, 1, 0);
		return true;
	}
	if (c == s->row->open) {
		s->level++;
		take(s, 1, 0);
		return true;
	}
	return read_meta(s, c);
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
		.stop = stop,
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

		if (stop != 0 && c == stop && s.level == 0)
			break;
		if (kinds[(unsigned char)c] & s.row->stops) {
			if (!read_special(&s, c))
				break;
		} else {
			take(&s, 1, 0);
		}
	}
	flush(&s);
}
