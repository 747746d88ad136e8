#ifndef CLI_FOUND_H
#define CLI_FOUND_H

/*
 * Where an agent's program is on this machine, and which version, without
 * running it: what stands in PATH may be anything.
 */

#include "adapter/adapter.h"
#include "cli/cli.h"

enum { CLI_FOUND_MAX = 8 };

struct cli_found {
	struct str program; /* the file behind all links */
	struct str version; /* "2.1.332", or absent when it cannot be told */
};

/* All programs of Claude Code in PATH and where installers put it, each file
 * once. Returns how many. */
size_t cli_found_claude(const struct cli *c, const struct io_place *p,
	struct cli_found ret[CLI_FOUND_MAX]);

/* As strcmp for versions: numbers between dots, missing ones are 0. */
int cli_found_version_cmp(struct str a, struct str b);

#endif
