#ifndef CLI_PAGES_H
#define CLI_PAGES_H

/*
 * All rows of the audit that match, page after page, each handed on as it comes:
 * stats counts them, replay decides them again, export prints them.
 */

#include "cli/request.h"

/* "2h", "30m", "3d" ago, or a date ("2026-12-01 10:30", in the user's time zone),
 * in milliseconds since 1970; false if it is not that. */
MUST_USE bool cli_since_from(const char *text, int64_t *ret_ms);

/* Reads a row; anything but CLI_OK ends the walk and is its result. */
typedef int cli_row_fn(struct cli *c, const json_t *row, void *data);

/* query: "&since=..." or "", what the audit's filters are. */
MUST_USE int cli_pages_walk(
	struct cli *c, struct str query, cli_row_fn *take, void *data);

#endif
