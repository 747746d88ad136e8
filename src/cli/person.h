#ifndef CLI_PERSON_H
#define CLI_PERSON_H

/*
 * Is it a person who runs this? For commands that change what guards the
 * agents while no daemon need be there; the daemon asks the same of its peers.
 */

#include "cli/cli.h"

/*
 * True at a terminal with no coding agent among the ancestors, or when the
 * user's own settings say `set authority none`. False and why otherwise.
 */
MUST_USE bool cli_person_here(
	const struct cli *c, const struct io_place *p, struct str *ret_why);

/* Asks "QUESTION [y/N] " on the terminal; false for anything but yes. */
MUST_USE bool cli_person_agrees(const struct cli *c, const char *question);

#endif
