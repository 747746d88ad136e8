#ifndef FACTS_WALK_PRIV_H
#define FACTS_WALK_PRIV_H

/*
 * Between walk.c and flow.c: the redirections of one command.
 */

#include "facts/facts_priv.h"

enum { FACTS_REDIRS_MAX = 16 };

struct facts_redir {
	const struct shell_node *node;
	struct facts_word target;
	bool reads, writes, is_stdout, unknown;
};

struct facts_redirs {
	struct facts_redir list[FACTS_REDIRS_MAX];
	size_t count;
	bool has_in;
	struct facts_flow in; /* the last one that feeds it */
};

/* The REDIR nodes among first and its followers, their targets expanded. */
const struct facts_redirs *facts_redirs_read(
	struct facts *f, const struct shell_node *first);
/* Adds their effects; what would flow out goes to the file instead. */
void facts_redirs_apply(struct facts *f, const struct facts_redirs *r,
	size_t command, struct facts_flow *out);

#endif
