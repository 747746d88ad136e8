#ifndef CLI_NAMES_H
#define CLI_NAMES_H

/*
 * How the names below a folder are made (CALL_NEED_NAMES): whether they stay one
 * word each where blanks part words, or where a shell reads them.
 */

#include "base/arena.h"

/* "plain", "ordinary" or "odd", for all names below the folder and in the index
 * of its repository. Absent: it is not inside root, there are too many to look
 * at, or they cannot be read. Follows no links. */
struct str cli_names_of(struct arena *a, struct str folder, struct str root);

#endif
