#ifndef CLI_SAID_H
#define CLI_SAID_H

/*
 * What was said before the call, from the end of the file that the agent keeps
 * of its conversation. Its path comes from the agent, so nothing but a regular
 * file of the user's own, in the one folder where that agent keeps them, is
 * opened, and no link on the way from there is followed.
 */

#include "base/arena.h"

/* A JSON list of messages as docs/PROTOCOL.md has them, in a; absent when there
 * is no such file. It may hang on a bad file system, as cli/world.h says. */
struct str cli_said_read(
	struct arena *a, struct str agent, struct str home, struct str path);

#endif
