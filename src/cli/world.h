#ifndef CLI_WORLD_H
#define CLI_WORLD_H

/*
 * Looking at the machine for the daemon (DESIGN 5a, World): the client is
 * nearest to the agent in user, name space and folder. Each function answers one
 * question; absent = not there or not to be known. They may hang on a bad file
 * system: cli_look (look.h) runs them where that does no harm.
 */

#include "base/arena.h"

/* Where an absolute path really leads, every link on the way followed; parts
 * that do not exist stay as they are. Absent: too many links, not permitted,
 * through /proc's own links, or not absolute. */
struct str cli_world_link(struct arena *a, struct str path);

/* The file that a bare name is, by the folders of search (a PATH). */
struct str cli_world_program(
	struct arena *a, struct str name, struct str search, struct str cwd);

/* The text of a regular file inside root; absent when it is outside, larger
 * than API_FILE_BYTES, or not text. What is asked for was resolved before, so a
 * link on the way has been put there since, and nobody has judged where to. */
struct str cli_world_file(struct arena *a, struct str path, struct str root);

/* The workspace of cwd: the top folder of its repository, else cwd itself. Never
 * the home folder or what is above it because of a repository there. */
struct str cli_world_root(struct arena *a, struct str cwd, struct str home);

/* True when path is folder or below it; both cleaned. */
bool cli_world_is_below(struct str path, struct str folder);

#endif
