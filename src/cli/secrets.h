#ifndef CLI_SECRETS_H
#define CLI_SECRETS_H

/*
 * Files that may be secret by their names, below a folder that a search goes
 * through (CALL_NEED_SECRETS).
 */

#include "base/arena.h"

/* Their paths below the folder, a line each; empty: there are none. Absent: the
 * folder is not inside root, there are too many, or they cannot be looked at.
 * Follows no links. */
struct str cli_secrets_of(struct arena *a, struct str folder, struct str root);

#endif
