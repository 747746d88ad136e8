/*
 * A writer that is killed with -9 at any moment: what it had reported as
 * committed is there, the chain is whole, and nobody is accused of a cut.
 */
#include <signal.h>
#include <sys/wait.h>

#include "store/store.h"
#include "tests/unit/folder.h"

enum { ROUNDS = 60, MOST_US = 12000 };

static uint64_t seed = 20250101;

static unsigned
roll(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* Commits until it is killed; says after each commit which hearing is the last
 * that is in it. */
static _Noreturn void
write_until_killed(int report)
{
	struct store *s;
	struct store_opened o;

	if (store_open(folder, 1, &s, &o) != 0)
		_exit(1);
	int64_t hearing = o.next_hearing;

	for (;;) {
		struct store_batch *b = store_batch_new();

		for (unsigned n = 1 + roll(5); n > 0; n--) {
			struct store_audit row = {
				.kind = STORE_KIND_DECISION,
				.hearing = hearing,
				.verdict = CALL_VERDICT_ALLOW,
				.reason = STR("a row of some length, for the pages to fill"),
			};
			struct store_card card = {
				.number = row.hearing,
				.state = STORE_CARD_OPEN,
				.digest = STR("d"),
				.call_digest = STR("c"),
				.text = STR("text"),
			};

			store_batch_add_audit(b, &row);
			if (roll(4) == 0)
				store_batch_add_card(b, &card);
			hearing++;
		}
		if (roll(3) == 0)
			store_batch_set_synced(b);
		if (store_commit(s, b) != 0)
			_exit(2);
		store_batch_free(b);
		int64_t last = hearing - 1;

		if (write(report, &last, sizeof(last)) != sizeof(last))
			_exit(3);
		if ((roll(50) == 0 && store_checkpoint(s) != 0)
			|| (roll(20) == 0 && store_sync(s) != 0)
			|| (roll(40) == 0 && store_write_head(s, 2, "hourly") != 0))
			_exit(4);
	}
}

/* Returns the last hearing that was reported, or 0. */
static int64_t
run_and_kill(void)
{
	int64_t last = 0, one;
	int ends[2], status = 0;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		(void)close(ends[0]);
		write_until_killed(ends[1]);
	}
	(void)close(ends[1]);
	(void)usleep(roll(MOST_US));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	/* killed, and not ended by a failure of its own */
	assert_true(WIFSIGNALED(status));
	while (read(ends[0], &one, sizeof(one)) == sizeof(one))
		last = one;
	(void)close(ends[0]);
	return last;
}

struct found {
	int64_t next; /* hearings come without gaps and in order */
};

static bool
see(void *data, const struct store_audit *row)
{
	struct found *f = data;

	assert_int_equal(row->hearing, f->next);
	f->next++;
	return true;
}

static void
test_killed(void **state)
{
	int64_t next = 1, reported = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct found f = {.next = 1};
		struct store *s;
		struct store_reader *r;
		struct store_opened o;
		struct store_verified v;

		int64_t last = run_and_kill();

		if (last > reported)
			reported = last;
		if (roll(3) == 0)
			continue; /* the next one finds what this one left */
		assert_int_equal(store_open(folder, 3, &s, &o), 0);
		assert_false(o.cut || o.power_cut);
		assert_int_equal(store_reader_open(folder, &r), 0);
		assert_int_equal(store_verify(r, (struct str){0}, &v), 0);
		assert_int_equal(v.proof, STORE_CONSISTENT);
		assert_int_equal(
			store_read_audit(r, &(struct store_filter){0}, see, &f), 0);
		assert_true(f.next > reported);
		assert_true(o.next_hearing >= f.next);
		next = f.next;
		store_reader_close(r);
		store_close(s, 4);
	}
	print_message("%lld rows survived\n", (long long)next - 1);
	assert_true(next > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_killed, folder_setup, folder_teardown),
	};

	if (access("/dev/shm", W_OK) == 0)
		// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
		(void)setenv("TMPDIR", "/dev/shm", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
