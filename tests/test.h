#ifndef TESTS_TEST_H
#define TESTS_TEST_H

/*
 * Runs case files: one line is one test. See tests/README.md for the format.
 */

#include "base/arena.h"

/* The `:name value` lines above a case, the nearest last. */
struct test_scene {
	struct str names[96], values[96];
	size_t count;
};

/* The value of the last line :name, or fallback. */
struct str test_scene_get(
	const struct test_scene *s, const char *name, struct str fallback);

/* Turns a case's input into text, to be compared with what the line expects. */
typedef struct str (*test_fn)(
	struct arena *a, const struct test_scene *scene, struct str input);

/* Runs every *.case in the folder. A folder without one is a failure. With
 * bless, the expectations are rewritten to what came out. */
void test_folder(const char *folder, test_fn fn, bool bless);

/* Prints "N passed, N failed". Returns what main should exit with. */
int test_finish(void);

/* One function per folder of tests/cases, each in tests/show_*.c. */
#define TEST_SHOWS(X) \
	X(base)           \
	X(adapter)        \
	X(card)           \
	X(facts)          \
	X(policy)         \
	X(shell)          \
	X(wire)           \
	X(order)          \
	X(import)         \
	X(judge)          \
	X(llm)            \
	X(check)
#define X(name)             \
	struct str show_##name( \
		struct arena *a, const struct test_scene *scene, struct str input);
TEST_SHOWS(X)
#undef X

#endif
