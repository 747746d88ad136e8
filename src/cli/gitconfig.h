#ifndef CLI_GITCONFIG_H
#define CLI_GITCONFIG_H

/*
 * Does a repository's own configuration name programs that git would run?
 * `git status` runs what core.fsmonitor names; so a repository that comes from
 * elsewhere can run anything. The user's own settings (~/.gitconfig) do not
 * count: they are the user's.
 */

#include "base/arena.h"

/*
 * True when the configuration of the repository that git would find from folder
 * names a program, or cannot be read, or has keys that this does not know to be
 * harmless. False: plain, or no repository at all. Reads files.
 */
bool cli_git_names_programs(struct arena *a, struct str folder);

/*
 * The same for one configuration text. What it includes is added to
 * ret_includes (at most max; more counts as naming programs).
 */
bool cli_git_text_names_programs(struct arena *a, struct str text,
	struct str *ret_includes, size_t max, size_t *ret_count);

/*
 * The folder of the repository that git would find from folder: the one that
 * holds ".git", or absent. Links are not followed upwards.
 */
struct str cli_git_toplevel(struct arena *a, struct str folder);

#endif
