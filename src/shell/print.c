/*
 * The tree as one line:
 *
 *   node   = [role "="] ( literal | word | "(" kind flags [":" text] nodes ")" )
 *   literal: bare, or 'quoted' when the shell saw quotes
 *   word: as its only part when that is a literal, else (word parts)
 *
 * Characters that are not plain are escaped as in JSON, bytes as \u00XX.
 */

#include <string.h>

#include "base/buf.h"
#include "shell/shell.h"

enum { PRINT_MAX_BYTES = 256 << 20 };

static const char *const roles[SHELL_ROLE_COUNT] = {
#define X(name, text) [SHELL_ROLE_##name] = text,
	SHELL_ROLES(X)
#undef X
};

static const struct {
	unsigned flag;
	const char *name;
} flags[] = {
	{SHELL_QUOTED,   "+quoted"  },
	{SHELL_BACKTICK, "+backtick"},
	{SHELL_APPEND,   "+append"  },
	{SHELL_INDEXED,  "+indexed" },
	{SHELL_INDIRECT, "+indirect"},
	{SHELL_LENGTH,   "+length"  },
	{SHELL_IMPLICIT, "+implicit"},
};

/* Can it stand without quotes and be told from everything else? */
static bool
is_bare(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] <= ' ' || s.ptr[i] >= 0x7f || strchr("()'\"\\", s.ptr[i]))
			return false;
	}
	return s.len > 0;
}

static void
add_escaped(struct buf *b, struct str s, char quote)
{
	buf_add_char(b, quote);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c == '\n')
			buf_add(b, STR("\\n"));
		else if (c == '\t')
			buf_add(b, STR("\\t"));
		else if (c < ' ' || c >= 0x7f)
			buf_addf(b, "\\u%04x", c);
		else if (c == '\\' || c == (unsigned char)quote)
			buf_addf(b, "\\%c", c);
		else
			buf_add_char(b, (char)c);
	}
	buf_add_char(b, quote);
}

static void
add_literal(struct buf *b, const struct shell_node *n)
{
	if (n->flags & SHELL_QUOTED)
		add_escaped(b, n->text, '\'');
	else if (is_bare(n->text))
		buf_add(b, n->text);
	else
		add_escaped(b, n->text, '"');
}

/* A node's own part, up to its children. */
static void
open_node(struct buf *b, const struct shell_node *n)
{
	buf_addf(b, "(%s", shell_kind_name(n->kind));
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (n->flags & flags[i].flag)
			buf_add(b, str_from(flags[i].name));
	}
	if (n->text.len == 0)
		return;
	buf_add_char(b, ':');
	if (is_bare(n->text))
		buf_add(b, n->text);
	else
		add_escaped(b, n->text, '"');
}

static bool
is_one_literal(const struct shell_node *n)
{
	return n->kind == SHELL_WORD && n->first && !n->first->next
		&& n->first->kind == SHELL_LIT && n->first->role == SHELL_ROLE_PLAIN;
}

static void
add_node(struct buf *b, const struct shell_node *n)
{
	if (n->role != SHELL_ROLE_PLAIN)
		buf_addf(b, "%s=", roles[n->role]);
	if (n->kind == SHELL_LIT) {
		add_literal(b, n);
		return;
	}
	if (is_one_literal(n)) {
		add_literal(b, n->first);
		return;
	}
	open_node(b, n);
	for (const struct shell_node *c = n->first; c; c = c->next) {
		buf_add_char(b, ' ');
		add_node(b, c);
	}
	buf_add_char(b, ')');
}

struct str
shell_print(struct arena *a, const struct shell_tree *tree)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, PRINT_MAX_BYTES);
	for (const struct shell_node *c = tree->root->first; c; c = c->next) {
		if (c != tree->root->first)
			buf_add_char(&b, ' ');
		add_node(&b, c);
	}
	if (!tree->root->first)
		buf_add(&b, STR("(empty)"));
	if (tree->unparsed)
		buf_addf(&b, " unparsed@%u: %.*s", tree->unparsed_at,
			STR_ARG(tree->unparsed_why));
	if (b.full)
		return STR("(too large to print)");
	return arena_dup(a, buf_str(&b));
}
