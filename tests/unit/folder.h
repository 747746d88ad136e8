#ifndef TESTS_UNIT_FOLDER_H
#define TESTS_UNIT_FOLDER_H

/*
 * A folder for one test, and small things about files in it.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static char folder[256];

static inline void
folder_clear(void)
{
	char command[300];

	assert_true(snprintf(command, sizeof(command), "rm -rf '%s'", folder) > 0);
	assert_int_equal(system(command), 0);
}

static inline int
folder_setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	(void)snprintf(
		folder, sizeof(folder), "%s/assent-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

static inline int
folder_teardown(void **state)
{
	(void)state;
	folder_clear();
	return 0;
}

/* A name in the folder; overwritten by the next. */
static inline const char *
folder_path(const char *name)
{
	static char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

#endif
