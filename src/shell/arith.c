/*
 * Arithmetic, and what only looks like it: "((" that opens two subshells.
 */

#include <string.h>

#include "shell/shell_priv.h"

/* Do the brackets of s match, as bash looks before it calls it arithmetic? */
static bool
is_balanced(struct str s)
{
	size_t level = 0;
	char quote = '\0';

	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (c == '\\' && quote != '\'')
			i++;
		else if (quote != '\0')
			quote = (char)(c == quote ? '\0' : quote);
		else if (c == '\'' || c == '"')
			quote = c;
		else if (c == '(')
			level++;
		else if (c == ')' && level-- == 0)
			return false;
	}
	return level == 0;
}

/* The expression up to end, then close, which is what stands there. */
static struct shell_node *
read_expression(
	struct shell_reader *r, size_t start, size_t end, const char *close)
{
	struct shell_node *n = shell_node_new(r, SHELL_ARITH, start);

	if (shell_enter(r, n)) {
		shell_span_within(r, n, SHELL_SPAN_ARITH, end);
		shell_leave(r);
	}
	if (!shell_accept(r, close))
		(void)shell_fault(r, n, r->pos, "unterminated arithmetic");
	shell_node_end(r, n);
	return n;
}

struct shell_node *
shell_double_parens_read(struct shell_reader *r, bool *ret_split)
{
	size_t start = r->pos, end = 0;

	(void)shell_accept(r, "((");
	bool closed = shell_pair_end(r, SHELL_PAIR_ARITH, '(', &end);

	if (closed && (end + 1 >= r->len || r->text[end + 1] != ')')) {
		*ret_split = end + 1 < r->len && r->text[end + 1] == '\n';
		r->pos = start;
		return NULL;
	}
	return read_expression(r, start, end, "))");
}

struct shell_node *
shell_dollar_parens_read(struct shell_reader *r, size_t start)
{
	size_t begin, end = 0;

	(void)shell_accept(r, "(");
	(void)shell_peek(r);
	begin = r->pos;
	bool closed = shell_pair_end(r, SHELL_PAIR_ARITH, '(', &end);

	if (closed && end > begin + 1 && r->text[end - 1] == ')'
		&& is_balanced(shell_source(r, begin + 1, end - 1))) {
		r->pos = begin + 1;
		return read_expression(r, start, end - 1, "))");
	}
	struct shell_node *n = shell_node_new(r, SHELL_CMDSUB, start);

	shell_cut_read(r, n, end);
	return n;
}

struct shell_node *
shell_dollar_bracket_read(struct shell_reader *r, size_t start)
{
	size_t end = 0;

	(void)shell_accept(r, "[");
	(void)shell_pair_end(r, SHELL_PAIR_ARITH, '[', &end);
	return read_expression(r, start, end, "]");
}
