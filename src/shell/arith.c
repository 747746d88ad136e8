/*
 * Arithmetic, and whether a "((" begins any.
 *
 * "((" ends in "))" or it is two brackets of subshells; only the end tells. It
 * is looked for without keeping anything (dry), and what was found is kept for
 * each place, so that nesting costs no second look.
 */

#include "shell/shell_priv.h"

/* In the memo: 0, ENDLESS, or the place of the outer end times two, plus one
 * when it is arithmetic. */
enum { UNSEEN, ENDLESS };

/* Reads the inside of the second bracket and past it; unless the outer one ends
 * there too, its end is looked for. */
static uint32_t
look(struct shell_reader *r)
{
	struct shell_node scratch = {.kind = SHELL_ARITH};

	(void)shell_accept(r, "((");
	shell_span_read(r, &scratch, SHELL_SPAN_PARENS, 0);
	if (shell_peek(r) != ')')
		return ENDLESS;
	r->pos++;
	bool arith = shell_peek(r) == ')';

	if (!arith)
		shell_span_read(r, &scratch, SHELL_SPAN_PARENS, 0);
	if (shell_peek(r) != ')')
		return ENDLESS;
	return (uint32_t)r->pos << 1 | arith;
}

bool
shell_is_arith(struct shell_reader *r, size_t *ret_end)
{
	(void)shell_peek(r);
	size_t start = r->pos;
	struct shell_state *st = r->st;

	if (!r->memo)
		r->memo = ARENA_ARRAY(st->a, r->len + 1, uint32_t);
	uint32_t *known = &r->memo[start];

	if (*known == UNSEEN) {
		struct shell_tree tree = *st->tree;
		unsigned depth = st->depth;
		struct shell_pending *pending = r->pending;

		st->dry++;
		*known = shell_enter(r, &(struct shell_node){.kind = SHELL_ARITH})
			? look(r)
			: ENDLESS;
		st->dry--;
		st->depth = depth;
		r->pending = pending;
		r->pos = start;
		if (st->nodes < SHELL_NODES_MAX)
			*st->tree = tree;
	}
	*ret_end = *known >> 1;
	return *known > ENDLESS && (*known & 1);
}

struct shell_node *
shell_arith_read(struct shell_reader *r, size_t start, enum shell_span span)
{
	struct shell_node *n = shell_node_new(r, SHELL_ARITH, start);

	if (shell_enter(r, n)) {
		shell_span_read(r, n, span, 0);
		shell_leave(r);
	}
	return n;
}
