#ifndef TESTS_PARSE_GEN_H
#define TESTS_PARSE_GEN_H

/*
 * Shell text by chance: mostly well-formed, with names that mean nothing, and
 * then hurt in a few places. The same seed gives the same text everywhere.
 */

#include "base/buf.h"

struct gen {
	uint64_t state;
	struct buf *out;
	unsigned depth;
	unsigned heredocs; /* that wait for the line's end */
	bool alone;        /* the command is a list by itself */
};

/* Replaces what is in out. */
void gen_text(uint64_t seed, struct buf *out);

#endif
