#ifndef CLI_CONFIGS_H
#define CLI_CONFIGS_H

/*
 * Whether a tool's settings in the workspace name code that it would load
 * (CALL_NEED_SETTINGS): every file that it may take them from is looked at.
 */

#include "base/arena.h"

/* name: "tool:folder". "plain" or "code"; absent: the folder is not inside root,
 * there is too much below it, or it cannot be read. */
struct str cli_configs_of(struct arena *a, struct str name, struct str root);

#endif
