/*
 * What only bash has. /bin/sh may be a bash or something smaller, to which such a
 * text says something else or nothing; so in sh it is marked.
 */

#include "shell/shell_priv.h"

static const struct {
	enum shell_kind kind;
	unsigned flags; /* all of these, if any */
} only_bash[] = {
	{SHELL_ARITHCMD, 0             },
	{SHELL_ARRAY,    0             },
	{SHELL_BRACE,    0             },
	{SHELL_COND,     0             },
	{SHELL_COPROC,   0             },
	{SHELL_FORARITH, 0             },
	{SHELL_PROCSUB,  0             },
	{SHELL_SELECT,   0             },
	{SHELL_ASSIGN,   SHELL_APPEND  },
	{SHELL_PARAM,    SHELL_INDIRECT},
};

/* Operators of redirections, pipelines, case items and ${ } that only bash has. */
static const char *const operators[] = {
	"&>",
	"&>>",
	"<<<",
	"|&",
	";&",
	";;&",
	"/",
	"//",
	"/#",
	"/%",
	":",
	"^",
	"^^",
	",",
	",,",
	"~",
	"~~",
};

static bool
has_operator(const struct shell_node *n)
{
	bool may = n->kind == SHELL_REDIR || n->kind == SHELL_PIPE
		|| n->kind == SHELL_CASEITEM || n->role == SHELL_ROLE_OP;

	if (!may)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (str_eq(n->text, str_from(operators[i])))
			return true;
	}
	return n->role == SHELL_ROLE_OP && str_starts(n->text, STR("@"));
}

static bool
is_only_bash(struct shell_reader *r, const struct shell_node *n)
{
	struct str source = shell_source(r, n->start, n->end);

	for (size_t i = 0; i < ARRAY_LEN(only_bash); i++) {
		if (n->kind == only_bash[i].kind
			&& (n->flags & only_bash[i].flags) == only_bash[i].flags)
			return true;
	}
	if (n->role == SHELL_ROLE_FD && str_starts(n->text, STR("{")))
		return true;
	if (n->kind == SHELL_GLOB && str_ends(n->text, STR(")")))
		return true;
	if (n->kind == SHELL_FUNC && str_starts(source, STR("function")))
		return true;
	if (n->role == SHELL_ROLE_SUBSCRIPT)
		return true;
	return has_operator(n);
}

/* $'...', $"..." and $[...] leave no node of their own. */
static const char *const texts[] = {"$'", "$\"", "$["};

static size_t
find_text(struct str source)
{
	for (size_t i = 0; i + 1 < source.len; i++) {
		for (size_t j = 0; j < ARRAY_LEN(texts); j++) {
			if (source.ptr[i] == texts[j][0]
				&& source.ptr[i + 1] == texts[j][1])
				return i;
		}
	}
	return source.len;
}

void
shell_posix_mark(struct shell_reader *r, struct shell_node *root)
{
	static const char why[] = "not the same in every sh";
	struct shell_walk w = {.root = root};
	size_t at = find_text(shell_source(r, 0, r->size));

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (is_only_bash(r, n) && n->start < at)
			at = n->start;
	}
	if (at == r->size)
		return;
	r->pos = at;
	(void)shell_doubt(r, root, at, why);
}
