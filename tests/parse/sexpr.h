#ifndef TESTS_PARSE_SEXPR_H
#define TESTS_PARSE_SEXPR_H

/*
 * Is a tree the one that an S-expression of commands, words and redirections
 * describes? The expression is never read by itself (some of its strings are
 * not escaped): the tree says what must come next, and it is looked for.
 */

#include "shell/shell.h"

struct sexpr_result {
	bool same;
	size_t at;        /* where in the expression the first difference is */
	const char *want; /* what the tree has there */
	struct str text;  /* its text, for a word */
};

void sexpr_compare(struct arena *a, const struct shell_tree *tree,
	struct str source, struct str expression, struct sexpr_result *ret);

/* How many commands, words and redirections text has ("(command" and so on);
 * and the same for a tree. */
struct sexpr_counts {
	size_t commands, words, redirs;
};
struct sexpr_counts sexpr_count(struct str expression);

#endif
