/*
 * Places and processes: what only a running system can show.
 */
#include <stdlib.h>
#include <unistd.h>

#include "io/place.h"
#include "io/proc.h"
#include "tests/unit/unit.h"

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new(1 << 20);
	return a ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static void
test_chain_begins_with_self(void **state)
{
	struct io_proc chain[IO_PROC_CHAIN_MAX];
	size_t n = io_proc_chain(a, getpid(), chain);

	(void)state;
	assert_true(n >= 2);
	assert_int_equal(chain[0].pid, getpid());
	assert_int_equal(chain[1].pid, getppid());
	assert_true(chain[0].start > 0 && chain[0].start >= chain[1].start);
	assert_true(chain[0].arg_count > 0);
	assert_true(str_ends(chain[0].exe, STR("/io")));
}

static void
test_nobody_there(void **state)
{
	struct io_proc p;

	(void)state;
	assert_int_equal(io_proc_read(a, 0, &p), FAIL_ABSENT);
	assert_int_equal(io_proc_read(a, INT32_MAX, &p), FAIL_ABSENT);
}

static struct io_place
find(struct io_place_flags flags, bool believed)
{
	struct io_place p;

	assert_int_equal(io_place_find(a, &flags, believed, &p), 0);
	return p;
}

static void
test_hooks_believe_no_environment(void **state)
{
	struct io_place p;

	(void)state;
	/* NOLINTBEGIN(concurrency-mt-unsafe): a test has one thread */
	assert_int_equal(setenv("HOME", "/evil", 1), 0);
	assert_int_equal(setenv("XDG_STATE_HOME", "/evil/state", 1), 0);
	assert_int_equal(setenv("XDG_RUNTIME_DIR", "/evil/run", 1), 0);
	/* NOLINTEND(concurrency-mt-unsafe) */
	p = find((struct io_place_flags){0}, false);
	assert_false(str_starts(p.home, STR("/evil")));
	assert_false(str_starts(p.state, STR("/evil")));
	assert_false(str_starts(p.socket, STR("/evil")));
	p = find((struct io_place_flags){0}, true);
	assert_true(str_eq(p.home, STR("/evil")));
	assert_true(str_eq(p.config, STR("/evil/.config/assent")));
	assert_true(str_eq(p.state, STR("/evil/state/assent")));
	assert_true(str_eq(p.socket, STR("/evil/run/assent/sock")));
}

static void
test_flags_win(void **state)
{
	struct io_place_flags flags = {
		.state = STR("/scratch/s/"),
		.config = STR("/scratch/c"),
	};
	struct io_place p = find(flags, true);

	(void)state;
	assert_true(str_eq(p.state, STR("/scratch/s")));
	assert_true(str_eq(p.config, STR("/scratch/c")));
	assert_true(str_eq(p.socket, STR("/scratch/s/sock")));
	flags.socket = STR("/scratch/x");
	assert_true(str_eq(find(flags, true).socket, STR("/scratch/x")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_chain_begins_with_self, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nobody_there, setup, teardown),
		cmocka_unit_test_setup_teardown(
			test_hooks_believe_no_environment, setup, teardown),
		cmocka_unit_test_setup_teardown(test_flags_win, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
