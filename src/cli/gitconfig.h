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

/* What one configuration text says that is not decided by the text alone. */
struct cli_git_said {
	struct str *includes; /* paths as they are written */
	size_t max, count;    /* of includes; more count as naming programs */
	struct str worktree;  /* core.worktree, absent when not said */
};

/* The same for one configuration text. */
bool cli_git_text_names_programs(
	struct arena *a, struct str text, struct cli_git_said *said);

/*
 * The paths of the repositories that an index (the file .git/index) holds as its
 * parts: git looks into them, too. False when the index is not understood, or
 * has more than max. Texts borrow from index.
 */
MUST_USE bool cli_git_index_parts(
	struct str index, struct str *ret, size_t max, size_t *ret_count);

/* Calls seen with each name of a file in an index, until it returns false. False
 * when the index is not understood, or seen said so. */
MUST_USE bool cli_git_index_names(
	struct str index, bool (*seen)(void *arg, struct str name), void *arg);

/*
 * The folder of the repository that git would find from folder: the one that
 * holds ".git", or absent. Links are not followed upwards.
 */
struct str cli_git_toplevel(struct arena *a, struct str folder);

#endif
