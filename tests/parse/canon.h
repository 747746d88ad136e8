#ifndef TESTS_PARSE_CANON_H
#define TESTS_PARSE_CANON_H

/*
 * Do two texts say the same word? Bash writes the commands inside $( ) anew
 * (2>&1 | for |&, "in "$@"" for nothing), so texts are compared as trees.
 */

#include "shell/shell.h"

/* Where the word stands. */
enum canon_place {
	CANON_WORD,    /* an argument */
	CANON_FRONT,   /* in front of a command, where assignments may stand */
	CANON_DECLARE, /* an argument of declare */
	CANON_PATTERN, /* of case, or behind == in [[ ]] */
	CANON_REGEX,   /* behind =~ */
	CANON_ARITH,
	CANON_RAW, /* as bytes */
};

/* ours (whose source is text) and theirs, as bash writes it. Without ours only
 * the bytes are compared. ours is rewritten. */
bool canon_same(struct arena *a, const struct shell_node *ours, struct str text,
	struct str theirs, enum canon_place place);

/* The whole tree, printed as bash would write it. It is rewritten. */
struct str canon_print(struct arena *a, const struct shell_tree *tree);

#endif
