/*
 * What the chain proves when somebody was at the file, and what a killed daemon
 * or a power cut leaves.
 */
#include "tests/unit/store_scene.h"

/* --- the proof ------------------------------------------------------------ */

static void
test_consistent_and_unaltered(void **state)
{
	(void)state;
	open_all();
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
	add_rows(1, 50, true);
	struct str head = store_head(s, a);

	add_rows(51, 60, true);
	struct store_verified v = verify(head);

	assert_int_equal(v.proof, STORE_CONSISTENT);
	assert_int_equal(v.rows, 60);
	assert_true(v.since_head);
	assert_string_equal(v.message, "unaltered since row 50");
	assert_true(str_eq(str_from(v.head), store_head(s, a)));
	v = verify((struct str){0});
	assert_false(v.since_head);
	assert_string_equal(v.message, "consistent");
	assert_int_equal(verify(STR("nonsense")).proof, STORE_BROKEN);
}

/* Worked out by another program, from docs/audit.md. What is stored today must
 * be proven by every later version, so this never changes. */
static void
test_the_form_is_fixed(void **state)
{
	struct seen seen;

	(void)state;
	open_all();
	add_rows(1, 1, true);
	seen = list((struct store_filter){0});
	assert_string_equal(seen.text,
		"{\"number\":1,\"time_ms\":1001,\"kind\":\"decision\",\"hearing\":1,"
		"\"session\":\"s1\",\"agent\":\"claude-code\",\"tool\":\"shell\","
		"\"tool_name\":\"Bash\",\"digest\":\"abcd\",\"verdict\":\"allow\","
		"\"by\":\"fast_path\",\"reason\":\"reads only\","
		"\"delivery\":\"unknown\",\"pruned\":false,\"body_digest\":"
		"\"2edc7d341c0eb38f01d8a945b2da1e8499ce6210f744f4c90420364818fc4081\","
		"\"chain\":"
		"\"91a694f5b52e97841ae6a66e0ba8a8fab9c20c9e4920cf6ff08c3b0d92a447d0\""
		"}");
}

static void
test_every_meddling_is_seen(void **state)
{
	static const struct {
		const char *sql;
		int64_t at;
	} rows[] = {
		{"UPDATE audit SET body = replace(body, 'allow', 'deny')"
		 " WHERE number = 20",						 20 },
		{"UPDATE audit SET verdict = 'deny' WHERE number = 21", 21 },
		{"UPDATE audit SET time_ms = 1 WHERE number = 21",      21 },
		{"UPDATE audit SET kind = 'start' WHERE number = 21",   21 },
		{"UPDATE audit SET body_digest = upper(body_digest)"
		 " WHERE number = 22",						 22 },
		{"UPDATE audit SET chain = (SELECT chain FROM audit WHERE number = 1)"
		 " WHERE number = 23",						 23 },
		{"DELETE FROM audit WHERE number = 24",                 25 },
		{"DELETE FROM audit WHERE number = 1",                  2  },
		{"UPDATE audit SET number = 100 WHERE number = 30",     100},
		{"UPDATE audit SET body = 'x' WHERE number = 7",        7  },
		{"DELETE FROM audit WHERE number > 25",                 26 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		open_all();
		add_rows(1, 30, true);
		close_all(); /* writes a head */
		assert_int_equal(store_reader_open(folder, &r), 0);
		assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
		meddle(rows[i].sql);
		struct store_verified v = verify((struct str){0});

		assert_int_equal(v.proof, STORE_BROKEN);
		assert_int_equal(v.at, rows[i].at);
		close_all();
		folder_clear();
		assert_int_equal(mkdir(folder, 0700), 0);
	}
}

static void
test_a_new_chain_needs_a_head_to_be_seen(void **state)
{
	struct str head;
	struct store_verified v;

	(void)state;
	open_all();
	add_rows(1, 5, true);
	head = store_head(s, a);
	close_all();
	/* somebody starts over, with fewer rows and a chain that fits */
	folder_clear();
	assert_int_equal(mkdir(folder, 0700), 0);
	open_all();
	add_rows(2, 6, true);
	v = verify((struct str){0});
	assert_int_equal(v.proof, STORE_CONSISTENT);
	v = verify(head);
	assert_int_equal(v.proof, STORE_BROKEN);
	assert_int_equal(v.at, 5);
}

static void
test_pruned_bodies_still_prove(void **state)
{
	struct store_batch *b = store_batch_new();

	(void)state;
	open_all();
	add_rows(1, 20, true);
	store_batch_prune(b, 1, 11, INT64_MAX);
	commit(b);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
	struct seen seen = list((struct store_filter){.number = 3});

	assert_non_null(strstr(seen.text, "\"pruned\":true"));
	assert_non_null(strstr(seen.text, "\"session\":\"s1\""));
	meddle(
		"UPDATE audit SET body_digest = (SELECT body_digest FROM audit WHERE "
		"number = 4) WHERE number = 3");
	assert_int_equal(verify((struct str){0}).at, 3);
}

static void
add_aged(int64_t time_ms, int count)
{
	struct store_batch *b = store_batch_new();

	for (int i = 0; i < count; i++)
		store_batch_add_audit(b,
			&(struct store_audit){
				.time_ms = time_ms,
				.kind = STORE_KIND_DECISION,
				.hearing = 1,
				.session = STR("s1"),
				.project = STR("/w"),
				.tool = CALL_TOOL_SHELL,
				.tool_name = STR("Bash"),
				.call = STR("{\"tool\":\"shell\"}"),
				.verdict = CALL_VERDICT_ALLOW,
				.by = CALL_BY_FLOOR,
			});
	commit(b);
}

static size_t
pruned(void)
{
	size_t all = list((struct store_filter){0}).count, n = 0;

	for (size_t i = 1; i <= all; i++) {
		struct seen one = list((struct store_filter){.number = (int64_t)i});

		n += strstr(one.text, "\"pruned\":true") != NULL;
	}
	return n;
}

/* By age, a part at a time; the chain proves all the same, now and later. */
static void
test_retention(void **state)
{
	bool more = false;
	int parts = 0;

	(void)state;
	open_all();
	assert_int_equal(store_prune(s, 100, 4, 5, &more), 0);
	assert_false(more);
	add_aged(50, 10);
	add_aged(150, 5);
	struct str head = store_head(s, a);

	do {
		assert_int_equal(store_prune(s, 100, 4, 200, &more), 0);
		assert_true(++parts < 9);
	} while (more);
	assert_int_equal(parts, 3);
	assert_int_equal(pruned(), 10);
	assert_int_equal(
		list((struct store_filter){.kind = STORE_KIND_PRUNE}).count, 3);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
	assert_true(verify(head).since_head);
	/* nothing is left to do; after a restart neither */
	assert_int_equal(store_prune(s, 100, 4, 200, &more), 0);
	close_all();
	open_all();
	assert_int_equal(store_prune(s, 100, 4, 200, &more), 0);
	assert_false(more);
	assert_int_equal(
		list((struct store_filter){.kind = STORE_KIND_PRUNE}).count, 3);
	assert_int_equal(store_prune(s, 160, 40, 300, &more), 0);
	assert_int_equal(pruned(), 15);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
	/* a row among them that was taken away shows */
	meddle("DELETE FROM audit WHERE number = 4");
	assert_int_equal(verify((struct str){0}).proof, STORE_BROKEN);
}

/* A clock that was set back makes rows that look old; those behind them stay. */
static void
test_retention_spares_what_is_young(void **state)
{
	bool more = false;

	(void)state;
	open_all();
	add_aged(150, 2);
	add_aged(50, 3);
	assert_int_equal(store_prune(s, 100, 40, 200, &more), 0);
	assert_true(pruned() <= 3);
	for (int64_t i = 1; i <= 2; i++)
		assert_null(strstr(
			list((struct store_filter){.number = i}).text, "\"pruned\":true"));
}

static void
test_old_cards_go_with_their_rows(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_card c = {
		.number = 1,
		.state = STORE_CARD_OPEN,
		.digest = STR("d"),
		.call_digest = STR("d"),
		.text = STR("secret"),
		.reason = STR("it connects elsewhere: http://secret"),
	};
	bool more = false;

	(void)state;
	open_all();
	for (c.number = 1; c.number <= 3; c.number++)
		store_batch_add_card(b, &c);
	store_batch_end_card(b, 1, STORE_CARD_WITHDRAWN, 50);
	store_batch_end_card(b, 2, STORE_CARD_WITHDRAWN, 150);
	commit(b);
	assert_int_equal(store_read_card(r, a, 1, &c), 0);
	assert_false(c.text.ptr);
	assert_true(str_eq(c.reason, STR("it connects elsewhere")));
	add_aged(50, 4);
	assert_int_equal(store_prune(s, 100, 40, 200, &more), 0);
	assert_int_equal(store_read_card(r, a, 1, &c), FAIL_ABSENT);
	assert_int_equal(store_read_card(r, a, 2, &c), 0);
	assert_int_equal(store_read_card(r, a, 3, &c), 0);
}

static void
test_filters(void **state)
{
	(void)state;
	open_all();
	add_aged(50, 2);
	add_aged(150, 3);
#define COUNT(...) (list((struct store_filter){__VA_ARGS__}).count)
	assert_int_equal(COUNT(.project = STR("/w")), 5);
	assert_int_equal(COUNT(.project = STR("/w/x")), 0);
	assert_int_equal(COUNT(.by = CALL_BY_FLOOR), 5);
	assert_int_equal(COUNT(.by = CALL_BY_RULE), 0);
	assert_int_equal(COUNT(.tool = STR("shell")), 5);
	assert_int_equal(COUNT(.tool = STR("Bash"), .until_ms = 100), 2);
	assert_int_equal(COUNT(.since_ms = 100, .until_ms = 200), 3);
	assert_int_equal(COUNT(.newest = true, .limit = 2, .by = CALL_BY_FLOOR), 2);
	/* what somebody broke is shown by verify, and no reason to fail here */
	meddle("UPDATE audit SET body = '{' WHERE number = 1");
	assert_int_equal(COUNT(.project = STR("/w")), 4);
}

static void
set_boot(const char *boot)
{
	struct store_tail tail;
	char text[512] = {0};

	int fd = open(folder_path("tail"), O_RDWR);

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	assert_int_equal(sscanf(text, "tail %*d %*64s %*d %39s", tail.boot), 1);
	char *at = strstr(text, tail.boot);

	memcpy(at, boot, strlen(tail.boot));
	assert_true(pwrite(fd, text, strlen(text), 0) > 0);
	(void)close(fd);
}

static void
test_a_killed_daemon_loses_nothing(void **state)
{
	struct store_opened o;

	(void)state;
	open_all();
	add_rows(1, 5, true);
	add_rows(6, 9, false);
	leave_all();
	o = open_all();
	assert_true(o.unclean);
	assert_false(o.cut || o.power_cut);
	assert_int_equal(o.last_number, 9);
	assert_int_equal(o.next_hearing, 10);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
}

/* Takes the newest rows away, as a machine does that lost its power before they
 * were synced. */
static struct store_opened
lose_rows(int64_t above, const char *boot)
{
	char sql[80];

	leave_all();
	(void)snprintf(sql, sizeof(sql), "DELETE FROM audit WHERE number > %lld",
		(long long)above);
	meddle(sql);
	if (boot)
		set_boot(boot);
	return open_all();
}

static void
test_power_cut(void **state)
{
	struct store_opened o;

	(void)state;
	open_all();
	add_rows(1, 5, true);
	add_rows(6, 9, false);
	o = lose_rows(7, "00000000-0000-0000-0000-000000000000");
	assert_true(o.power_cut);
	assert_false(o.cut);
	struct store_verified v = verify((struct str){0});

	assert_int_equal(v.proof, STORE_POWER_CUT_TAIL);
	assert_int_equal(v.at, 8);
	/* said once; a later head covers it */
	add_rows(20, 22, true);
	assert_int_equal(verify((struct str){0}).proof, STORE_POWER_CUT_TAIL);
	assert_int_equal(store_write_head(s, 1, "hourly"), 0);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
}

static void
test_a_cut_tail_is_no_power_cut(void **state)
{
	struct store_opened o;

	(void)state;
	/* the machine never went down */
	open_all();
	add_rows(1, 5, true);
	add_rows(6, 9, false);
	o = lose_rows(7, NULL);
	assert_true(o.cut);
	assert_int_equal(verify((struct str){0}).proof, STORE_BROKEN);
	close_all();
	folder_clear();
	assert_int_equal(mkdir(folder, 0700), 0);
	/* it went down, but the rows had been synced */
	open_all();
	add_rows(1, 5, true);
	o = lose_rows(4, "00000000-0000-0000-0000-000000000000");
	assert_true(o.cut);
	assert_false(o.power_cut);
	struct store_verified v = verify((struct str){0});

	assert_int_equal(v.proof, STORE_BROKEN);
	assert_int_equal(v.at, 5);
}

static void
test_heads_are_appended(void **state)
{
	char text[1024] = {0};
	int fd;

	(void)state;
	open_all();
	add_rows(1, 2, false);
	assert_true(store_has_unsynced(s));
	assert_int_equal(store_write_head(s, 5, "reply"), 0);
	assert_false(store_has_unsynced(s));
	close_all();
	fd = open(folder_path("heads"), O_RDONLY);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	(void)close(fd);
	assert_non_null(strstr(text, " 5 reply\n2:"));
	assert_non_null(strstr(text, " 9 stop\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(consistent_and_unaltered),
		T(the_form_is_fixed),
		T(every_meddling_is_seen),
		T(a_new_chain_needs_a_head_to_be_seen),
		T(pruned_bodies_still_prove),
		T(retention),
		T(retention_spares_what_is_young),
		T(old_cards_go_with_their_rows),
		T(filters),
		T(a_killed_daemon_loses_nothing),
		T(power_cut),
		T(a_cut_tail_is_no_power_cut),
		T(heads_are_appended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
