/*
 * Redirections.
 */

#include <string.h>

#include "shell/shell_priv.h"

/* Longer operators stand before those that they begin with. */
static const struct {
	const char *op;
	bool heredoc, duplicates;
} operators[] = {
	{"&>>", false, false},
	{"&>",  false, false},
	{"<<<", false, false},
	{"<<-", true,  false},
	{"<<",  true,  false},
	{"<&",  false, true },
	{"<>",  false, false},
	{"<",   false, false},
	{">>",  false, false},
	{">&",  false, true },
	{">|",  false, false},
	{">",   false, false},
};

enum { HEREDOCS_MAX = 16 }; /* on one line, as in bash */

/* Past {name} or {name[subscript]}; false if that is not what stands here. */
static bool
skip_variable(struct shell_reader *r)
{
	r->pos++;
	if (!shell_is_name(shell_peek(r), true))
		return false;
	while (shell_is_name(shell_peek(r), false))
		r->pos++;
	if (shell_accept(r, "]"))
		return false;
	if (shell_accept(r, "[")) {
		size_t start = r->pos;

		while (!shell_is_meta(shell_peek(r)) && shell_peek(r) != ']')
			r->pos++;
		if (r->pos == start || !shell_accept(r, "]"))
			return false;
	}
	return shell_accept(r, "}");
}

/* Behind "2" or "{name}" in front of < or >; the place itself if there is no
 * such thing. */
static size_t
fd_end(const struct shell_reader *at)
{
	struct shell_reader r = *at;
	bool braces = shell_peek(&r) == '{';

	if (braces && !skip_variable(&r))
		return at->pos;
	while (!braces && shell_peek(&r) >= '0' && shell_peek(&r) <= '9')
		r.pos++;
	int c = shell_peek(&r);

	if ((c != '<' && c != '>') || shell_peek_second(&r) == '(')
		return at->pos;
	return r.pos;
}

/* The row of the operator at the reader, which is taken; or -1. */
static int
accept_operator(struct shell_reader *r)
{
	int c = shell_peek(r);

	if ((c != '<' && c != '>' && c != '&')
		|| (c != '&' && shell_peek_second(r) == '('))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (shell_accept(r, operators[i].op))
			return (int)i;
	}
	return -1;
}

static void
add_fd(
	struct shell_reader *r, struct shell_node *redir, size_t start, size_t end)
{
	if (start == end)
		return;
	struct shell_node *n = shell_node_new(r, SHELL_LIT, start);
	size_t pos = r->pos;

	n->role = SHELL_ROLE_FD;
	n->text = shell_source(r, start, end);
	r->pos = end;
	shell_node_end(r, n);
	r->pos = pos;
	shell_node_add(redir, n);
}

static size_t
count_pending(const struct shell_reader *r)
{
	size_t n = 0;

	for (const struct shell_pending *p = r->pending; p; p = p->next)
		n++;
	return n;
}

static bool
has_command(const struct shell_node *word)
{
	struct shell_walk w = {.root = word};

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (n->kind == SHELL_SCRIPT)
			return true;
	}
	return false;
}

/* The word of << : nothing in it is run, so only its end matters. */
static void
read_delimiter(struct shell_reader *r, struct shell_node *redir, bool strip)
{
	size_t start = r->pos;
	struct shell_tree tree = *r->st->tree;

	r->st->dry++;
	struct shell_node *n = shell_word_read(r, SHELL_SPAN_WORD, 0);

	r->st->dry--;
	if (!r->st->tree->refused && r->st->nodes < SHELL_NODES_MAX)
		*r->st->tree = tree;
	n->role = SHELL_ROLE_TARGET;
	if (count_pending(r) >= HEREDOCS_MAX) {
		(void)shell_fault(r, redir, start, "too many here-documents");
	} else if (has_command(n)) {
		/* bash compares with the command written anew; what follows is read
		 * as commands, so that none is taken for a body */
		(void)shell_doubt(r, redir, start, "command as a delimiter");
	} else {
		shell_heredoc_add(r, redir, n, start, strip);
		shell_node_add(redir, n);
	}
}

static void
read_target(struct shell_reader *r, struct shell_node *redir, size_t row)
{
	enum { MARKS = SHELL_MARK_BRACE | SHELL_MARK_TILDE | SHELL_MARK_GLOB };
	struct shell_node *n;

	shell_blanks(r);
	int c = shell_peek(r);
	size_t start = r->pos;

	if (operators[row].duplicates && c == '-') {
		/* ends here whatever follows: >&-x is >&- and x */
		struct shell_node *lit = shell_node_new(r, SHELL_LIT, start);

		n = shell_node_new(r, SHELL_WORD, start);
		r->pos++;
		lit->text = shell_source(r, start, r->pos);
		shell_node_end(r, lit);
		shell_node_add(n, lit);
		shell_node_end(r, n);
	} else if (shell_ends_word(r)
		|| (!operators[row].duplicates && fd_end(r) > start)) {
		/* the "2" of ">2>a" belongs to what follows */
		(void)shell_fault(r, redir, start, "redirection without a target");
		return;
	} else if (operators[row].heredoc) {
		read_delimiter(r, redir, strchr(operators[row].op, '-') != NULL);
		return;
	} else {
		n = shell_word_read(r, SHELL_SPAN_WORD, MARKS);
	}
	n->role = SHELL_ROLE_TARGET;
	shell_node_add(redir, n);
}

struct shell_node *
shell_redir_read(struct shell_reader *r)
{
	(void)shell_peek(r);
	size_t start = r->pos, end = fd_end(r);
	struct shell_node *n;

	r->pos = end;
	int row = accept_operator(r);

	if (row < 0) {
		r->pos = start;
		return NULL;
	}
	n = shell_node_new(r, SHELL_REDIR, start);
	n->text = str_from(operators[row].op);
	add_fd(r, n, start, end);
	if (shell_enter(r, n)) {
		read_target(r, n, (size_t)row);
		shell_leave(r);
	}
	shell_node_end(r, n);
	return n;
}

void
shell_redirs_read(struct shell_reader *r, struct shell_node *parent)
{
	for (;;) {
		shell_blanks(r);
		struct shell_node *n = shell_redir_read(r);

		if (!n)
			return;
		shell_node_add(parent, n);
		shell_node_end(r, parent);
		r->closed_compound = false;
	}
}
