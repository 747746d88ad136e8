#ifndef POLICY_GLOB_H
#define POLICY_GLOB_H

/*
 * Patterns with stars, matched by walking all positions at once: no
 * backtracking, so no pattern and no name can make it slow.
 */

#include "base/arena.h"

enum { POLICY_GLOB_MAX = 255 }; /* elements of one pattern */

enum policy_glob_kind {
	/* a path: `*` and `?` stay inside a component, `**` crosses, x, slash and
	 * `**` is x and all that is below it */
	POLICY_GLOB_PATH,
	/* as PATH, and [...] is one character: a file name as a shell reads it */
	POLICY_GLOB_SHELL,
	/* a word: `*` is any run of characters, nothing else is special */
	POLICY_GLOB_WORD,
};

struct policy_glob {
	const uint16_t *elements;
	size_t count;
	bool literal; /* no star or question mark in it */
	bool all;     /* "**" or a word "*": everything */
	bool tree;    /* ends in "**": whatever is below a match matches too */
};

/* False if the pattern is too long. A backslash takes the next character as
 * it is. */
MUST_USE bool policy_glob_parse(struct arena *a, enum policy_glob_kind kind,
	struct str pattern, struct policy_glob *ret);

/* As parse, with the caller's room for POLICY_GLOB_MAX elements. */
MUST_USE bool policy_glob_read(uint16_t *room, enum policy_glob_kind kind,
	struct str pattern, struct policy_glob *ret);

/* fold: ASCII letter case does not count. A star in the text (a name with a
 * glob in it) is matched by a star only. */
MUST_USE bool policy_glob_matches(
	const struct policy_glob *g, struct str text, bool fold);

/* Is there a path below the folder text that g could match? */
MUST_USE bool policy_glob_reaches_below(
	const struct policy_glob *g, struct str text, bool fold);

/* Is there a text that both match? */
MUST_USE bool policy_glob_overlaps(
	const struct policy_glob *g, const struct policy_glob *h, bool fold);

#endif
