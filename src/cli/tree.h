#ifndef CLI_TREE_H
#define CLI_TREE_H

/*
 * A walk over all that stands below a folder, following no links. It may hang on
 * a bad file system, as cli/world.h says.
 */

#include "base/str.h"

enum cli_tree_next {
	CLI_TREE_END,  /* no more */
	CLI_TREE_PAST, /* not into this folder */
	CLI_TREE_ON,
};

struct cli_tree_entry {
	const char *name;
	int at; /* the open folder that it is in */
	bool is_folder;
};

typedef enum cli_tree_next (*cli_tree_fn)(
	void *arg, const struct cli_tree_entry *e);

/* False when something could not be seen: it is too deep, or cannot be read.
 * What its user may not open is passed over, as any program of theirs does. */
MUST_USE bool cli_tree_walk(const char *folder, cli_tree_fn fn, void *arg);

#endif
