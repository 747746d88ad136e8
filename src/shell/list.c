/*
 * Lists: statements, && and ||, pipelines.
 */

#include "shell/shell_priv.h"

static struct shell_node *
wrap(struct shell_reader *r, enum shell_kind kind, struct shell_node *inner)
{
	struct shell_node *n = shell_node_new(r, kind, r->pos);

	n->start = inner->start;
	shell_node_add(n, inner);
	shell_node_end(r, n);
	return n;
}

/* left OP right, where a chain of the same operator is one node. */
static struct shell_node *
join(struct shell_reader *r, enum shell_kind kind, const char *op,
	struct shell_node *left)
{
	if (left->kind == kind && str_eq(left->text, str_from(op)))
		return left;
	struct shell_node *n = wrap(r, kind, left);

	n->text = str_from(op);
	return n;
}

static void
add_right(
	struct shell_reader *r, struct shell_node *n, struct shell_node *right)
{
	if (right)
		shell_node_add(n, right);
	else
		(void)shell_fault(r, n, r->pos, "nothing behind an operator");
	shell_node_end(r, n);
}

static const char *
accept_pipe(struct shell_reader *r)
{
	shell_blanks(r);
	if (shell_peek(r) != '|' || shell_sees(r, "||"))
		return NULL;
	return shell_accept(r, "|&") ? "|&" : shell_accept(r, "|") ? "|" : NULL;
}

static struct shell_node *
read_pipes(struct shell_reader *r)
{
	struct shell_node *n = shell_command_read(r);
	unsigned levels = 0;
	const char *op;

	while (n && (op = accept_pipe(r))) {
		struct shell_node *joined = join(r, SHELL_PIPE, op, n);

		if (joined != n && n->kind == SHELL_PIPE) {
			if (!shell_enter(r, joined))
				return joined;
			levels++;
		}
		n = joined;
		shell_newlines(r);
		add_right(r, n, shell_command_read(r));
	}
	while (levels-- > 0)
		shell_leave(r);
	return n;
}

/* "time" with its options. */
static struct shell_node *
read_time(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_TIME, r->pos);
	static const char *const options[] = {"-p", "--"};
	size_t start = r->pos;

	(void)shell_reserved_accept(r, SHELL_RW_TIME);
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		size_t before = r->pos;

		shell_blanks(r);
		if (!shell_accept(r, options[i]) || !shell_ends_word(r))
			r->pos = before;
	}
	n->text = shell_source(r, start, r->pos);
	shell_node_end(r, n);
	return n;
}

/* A "!" or "time" in front of a pipeline, or NULL. */
static struct shell_node *
read_prefix(struct shell_reader *r)
{
	struct shell_node *n;

	shell_blanks(r);
	switch ((int)shell_reserved_peek(r)) {
	case SHELL_RW_BANG:
		/* with extended patterns on, "!(" begins a word */
		if (r->st->extglob && shell_peek_second(r) == '(')
			return NULL;
		n = shell_node_new(r, SHELL_NOT, r->pos);
		n->text = STR("!");
		(void)shell_accept(r, "!");
		shell_node_end(r, n);
		return n;
	case SHELL_RW_TIME:
		return read_time(r);
	default:
		return NULL;
	}
}

struct shell_node *
shell_pipeline_read(struct shell_reader *r)
{
	struct shell_node *outer = NULL, *inner = NULL, *n;
	unsigned levels = 0;

	while ((n = read_prefix(r))) {
		if (inner)
			shell_node_add(inner, n);
		else
			outer = n;
		inner = n;
		if (!shell_enter(r, n))
			break;
		levels++;
	}
	n = read_pipes(r);
	for (; levels > 0; levels--)
		shell_leave(r);
	if (!outer)
		return n;
	int c = shell_peek(r);

	if (n)
		shell_node_add(inner, n);
	else if (c >= 0 && c != '\n' && c != ';')
		(void)shell_fault(r, inner, r->pos, "nothing behind ! or time");
	for (n = inner; n; n = n->parent)
		shell_node_end(r, n);
	return outer;
}

static const char *
accept_andor(struct shell_reader *r)
{
	shell_blanks(r);
	return shell_accept(r, "&&") ? "&&" : shell_accept(r, "||") ? "||" : NULL;
}

static struct shell_node *
read_andor(struct shell_reader *r)
{
	struct shell_node *n = shell_pipeline_read(r);
	unsigned levels = 0;
	const char *op;

	while (n && (op = accept_andor(r))) {
		struct shell_node *joined = join(r, SHELL_ANDOR, op, n);

		if (joined != n && n->kind == SHELL_ANDOR) {
			if (!shell_enter(r, joined))
				return joined;
			levels++;
		}
		n = joined;
		shell_newlines(r);
		add_right(r, n, shell_pipeline_read(r));
	}
	while (levels-- > 0)
		shell_leave(r);
	return n;
}

static bool
is_closing(enum shell_reserved rw)
{
	switch (rw) {
	case SHELL_RW_DO:
	case SHELL_RW_DONE:
	case SHELL_RW_ELIF:
	case SHELL_RW_ELSE:
	case SHELL_RW_ESAC:
	case SHELL_RW_FI:
	case SHELL_RW_RBRACE:
	case SHELL_RW_THEN:
		return true;
	case SHELL_RW_NONE:
	case SHELL_RW_BANG:
	case SHELL_RW_CASE:
	case SHELL_RW_COND:
	case SHELL_RW_COND_END:
	case SHELL_RW_COPROC:
	case SHELL_RW_FOR:
	case SHELL_RW_FUNCTION:
	case SHELL_RW_IF:
	case SHELL_RW_IN:
	case SHELL_RW_LBRACE:
	case SHELL_RW_SELECT:
	case SHELL_RW_TIME:
	case SHELL_RW_UNTIL:
	case SHELL_RW_WHILE:
	case SHELL_RW_COUNT:
		return false;
	}
	return false;
}

/* What parts a statement from the next; false: none, the list ends here.
 * *stmt may be wrapped. */
static bool
read_separator(struct shell_reader *r, struct shell_node **stmt)
{
	int c = shell_peek(r);

	if (c == '&' && !shell_sees(r, "&&")) {
		r->pos++;
		*stmt = wrap(r, SHELL_ASYNC, *stmt);
		(*stmt)->text = STR("&");
		return true;
	}
	if (c == ';') {
		if (shell_sees(r, ";;") || shell_sees(r, ";&"))
			return false;
		r->pos++;
		return true;
	}
	return c == '\n';
}

/* Adds statements to n up to something that cannot begin one. */
static void
fill(struct shell_reader *r, struct shell_node *n)
{
	for (;;) {
		shell_newlines(r);
		r->closed_compound = false;
		struct shell_node *stmt = read_andor(r);

		if (!stmt)
			break;
		shell_blanks(r);
		bool more = read_separator(r, &stmt);

		shell_node_add(n, stmt);
		int c = shell_peek(r);

		if (!more && (c < 0 || c == ')' || c == ';'))
			break;
		if (!more && r->closed_compound && is_closing(shell_reserved_peek(r)))
			break;
		if (!more)
			(void)shell_fault(r, n, r->pos, "unexpected behind a command");
	}
	shell_node_end(r, n);
}

struct shell_node *
shell_script_read(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_SCRIPT, r->pos);

	fill(r, n);
	return n;
}

struct shell_node *
shell_body_read(struct shell_reader *r, enum shell_role role)
{
	struct shell_node *n = shell_script_read(r);

	n->role = role;
	if (!n->first)
		(void)shell_fault(r, n, r->pos, "nothing to run");
	return n;
}

struct shell_node *
shell_text_read(struct shell_reader *r)
{
	struct shell_node *n = shell_node_new(r, SHELL_SCRIPT, r->pos);

	fill(r, n);
	while (shell_peek(r) >= 0) {
		shell_skip_token(r, n, "unexpected");
		fill(r, n);
	}
	if (r->pending)
		shell_heredocs_read(r);
	shell_node_end(r, n);
	return n;
}
