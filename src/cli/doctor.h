#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

/*
 * What doctor's checks say, one finding a line.
 */

#include <jansson.h>

#include "base/buf.h"
#include "cli/cli.h"

#define CLI_FINDINGS(X) \
	X(WELL, "well")     \
	X(NOTE, "note")     \
	X(BAD, "bad")

#define X(name, text) CLI_FINDING_##name,
enum cli_finding { CLI_FINDINGS(X) CLI_FINDING_COUNT };
#undef X

struct cli_doctor {
	const struct cli *c;
	struct io_place place;
	struct buf json; /* with --json: the findings so far */
	size_t said, bad;
	json_t *status; /* the daemon's, or NULL */
};

/* One finding of a check: what is so, in a plain sentence. */
void cli_doctor_say(struct cli_doctor *d, enum cli_finding finding,
	const char *check, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Claude Code: its settings, our hooks in them, what could get around them. */
void cli_doctor_claude(struct cli_doctor *d);

#endif
