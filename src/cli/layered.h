#ifndef CLI_LAYERED_H
#define CLI_LAYERED_H

/*
 * What assent mode and assent tier do: show or set a value for everything, for
 * a project, a session, or a session's turn.
 */

#include "cli/cli.h"

#define CLI_LAYER_OPTIONS                                                   \
	{"session", "ID", "for one conversation"},                              \
		{"turn", NULL, "with --session: until the user's next message"},    \
		{"global", NULL, "for everything (what is meant without a scope)"}, \
	{                                                                       \
		"unset", NULL, "take back what was set there"                       \
	}

/* name: "mode" or "tier". Returns the exit code. */
int cli_layered_run(struct cli *c, const char *name);

/* The workspace of the current folder, as the daemon knows it; absent when the
 * folder is gone. */
struct str cli_layered_project(const struct cli *c);

#endif
