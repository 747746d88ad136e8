#ifndef CLI_HERE_H
#define CLI_HERE_H

/*
 * This user, in this folder: what a hook's client would tell the daemon of it,
 * for commands that say what would be decided here.
 */

#include "check/check.h"
#include "cli/cli.h"

/*
 * Sets the call's folder and workspace (unless --cwd and --root gave them), the
 * user and assent's places, and answers in request->world what the call's facts
 * want to know of the machine. Looks at the disk; CLI_OK, or what went wrong
 * was printed.
 */
MUST_USE int cli_here_set(struct cli *c, struct check_request *request);

/* As cli_here_set, in the folder cwd of the workspace root (absent: of none). */
void cli_here_look(const struct cli *c, const struct io_place *place,
	struct str cwd, struct str root, struct check_request *request);

/* The same as the members of a batch line: "cwd", "roots" and "world". */
void cli_here_print(const struct check_request *request, json_t *line);

#endif
