#ifndef CLI_LOOK_H
#define CLI_LOOK_H

/*
 * Answers what the daemon needs to know of the world, within a time limit. A
 * process of its own looks: a file system that hangs takes that one with it,
 * never the hook and its answer.
 */

#include "api/api.h"

struct cli_look {
	const struct call_need *needs;
	size_t need_count;
	struct str
		roots_of;   /* the folder whose workspace is asked for, or absent */
	struct str cwd; /* the client's own, absent if unknown */
	struct str home;
	struct str search; /* the PATH that names are looked up in */
	struct str agent;  /* whose conversations may be read, or absent */
	int64_t until_ms;  /* io_clock_mono_ms */
};

/* What was found until then; what is missing is not among the answers, and
 * partial says that there is such. Texts live in a. */
void cli_look(
	struct arena *a, const struct cli_look *in, struct api_world *ret);

#endif
