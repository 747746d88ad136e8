#ifndef FACTS_GIT_H
#define FACTS_GIT_H

/*
 * What git's rows (prog_git.c) cannot say: configuration keys, remotes,
 * revisions with paths in them.
 */

#include "facts/facts_priv.h"

enum {
	FACTS_GIT_FORCE = 1 << 0, /* overwrites, or cannot be undone */
	FACTS_GIT_DRY = 1 << 1,   /* nothing is done */
	FACTS_GIT_LIST = 1 << 2,  /* shows instead of changing */
	FACTS_GIT_DELETE = 1 << 3,
	FACTS_GIT_GLOBAL = 1 << 4, /* config --global */
	FACTS_GIT_OTHER = 1 << 5,
	FACTS_GIT_MESSAGE = 1 << 6,
	FACTS_GIT_STAGED = 1 << 7,
	FACTS_GIT_SETS = 1 << 13, /* git -c, before the sub-command */
};

/* Before everything: -c KEY=VALUE, and whether the repository's own
 * configuration runs programs. */
void facts_git_start(struct facts_run *run);
/* Revisions that name a file, REV:PATH, show its content. */
void facts_git_shows(struct facts_run *run);
/* format-patch: a file for each commit. */
void facts_git_patches(struct facts_run *run);
/* apply: a patch that comes in and is known names its files. */
void facts_git_apply(struct facts_run *run);
void facts_git_push(struct facts_run *run);
void facts_git_clone(struct facts_run *run);
void facts_git_fetch(struct facts_run *run);
void facts_git_config(struct facts_run *run);
void facts_git_checkout(struct facts_run *run);
void facts_git_reset(struct facts_run *run);
void facts_git_branch(struct facts_run *run);
void facts_git_exec(struct facts_run *run);

#endif
