#ifndef CLI_DIFF_H
#define CLI_DIFF_H

/*
 * Two texts compared by lines, for people to read before they agree.
 */

#include "cli/cli.h"

/* Prints what changes, with up to three lines around it, "-" and "+" in front;
 * nothing when both are the same. */
void cli_diff_print(const struct cli *c, struct str before, struct str after);

#endif
