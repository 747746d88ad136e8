/*
 * What one reply does, and what it leaves alone.
 */
#include <sqlite3.h>

#include "tests/unit/decide_scene.h"

/* How many rows the statement finds in the store. */
static size_t
count(const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	char path[512];
	size_t n = 0;

	(void)snprintf(path, sizeof(path), "%s/assent.db", folder);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW)
		n++;
	(void)sqlite3_finalize(st);
	(void)sqlite3_close(db);
	return n;
}

static enum call_mode
mode_of(const char *session)
{
	struct order_settings s = {.mode = CALL_MODE_UNSET};

	decide_settings(w.d, str_from(session), STR("/w"), &s);
	return s.mode;
}

/* Calls that an agent makes side by side are answered one by one. */
static void
test_it_releases_only_its_own(void **state)
{
	static const enum call_reply replies[] = {
		CALL_REPLY_ONCE, CALL_REPLY_ALWAYS, CALL_REPLY_REJECT};

	(void)state;
	w.post.project = STR("/w");
	for (size_t i = 0; i < ARRAY_LEN(replies); i++) {
		uint64_t held = post("frobnicate --a", 0), other, same, person;
		struct store_card c = newest_card();

		/* one of them wants the very same */
		other = post("frobnicate --b", 1);
		same = post("frobnicate --a", 2);
		person = reply(c, replies[i], NULL);
		if (replies[i] != CALL_REPLY_REJECT)
			held = look_again(held, "frobnicate --a", 0);
		expect_sent(held,
			replies[i] == CALL_REPLY_REJECT ? CALL_VERDICT_DENY
											: CALL_VERDICT_ALLOW,
			CALL_BY_PERSON, NULL);
		expect_replied(person, DECIDE_DONE);
		assert_true(is_open(other));
		assert_true(is_open(same));
		decide_gone(w.d, other, w.now);
		decide_gone(w.d, same, w.now);
		run();
		if (replies[i] == CALL_REPLY_ALWAYS)
			decide_grant_remove(w.d, 0, STR("/w"),
				&(struct decide_who){.name = STR("me")}, ++w.handle, w.now);
		run();
		w.act_count = 0;
	}
}

/* Only what a person says is kept for the user's rules. */
static void
test_nobody_else_makes_rules(void **state)
{
	(void)state;
	/* the agent takes it back, time is over, the session ends, it is lost */
	(void)post("frobnicate --a", 0);
	decide_gone(w.d, w.handle, w.now);
	run();
	(void)post("frobnicate --b", 1);
	pass(60000);
	w.post.deadline_ms = 0;
	(void)post("frobnicate --c", 2);
	decide_session_end(w.d, STR("s1"), w.now);
	run();
	w.post.deadline_ms = 0;
	(void)post("frobnicate --d", 3);
	restart();
	pass(DECIDE_REATTACH_MS);
	(void)post("ls", 0);
	(void)post("rm -rf /", 1);
	assert_int_equal(count("SELECT * FROM replies"), 0);
	assert_int_equal(rows_with("\"source\":\"user\""), 0);
	w.post.deadline_ms = 0;
	(void)post("frobnicate --e", 2);
	(void)reply(newest_card(), CALL_REPLY_REJECT, "no");
	assert_int_equal(count("SELECT * FROM replies WHERE note = 'no'"), 1);
}

/* A value that this version does not know leaves its layer as if it were not
 * set. */
static void
test_a_stored_mode_that_nobody_knows(void **state)
{
	struct store_batch *b = store_batch_new();

	(void)state;
	store_batch_set_setting(b,
		&(struct store_setting){
			STORE_SCOPE_GLOBAL, STR(""), STR("mode"), STR("ask")});
	store_batch_set_setting(b,
		&(struct store_setting){STORE_SCOPE_PROJECT, STR("/w"), STR("mode"),
			STR("as_in_the_next_version")});
	store_batch_set_setting(b,
		&(struct store_setting){
			STORE_SCOPE_SESSION, STR("s1"), STR("tier"), STR("reckless")});
	assert_int_equal(store_commit(w.store, b), 0);
	store_batch_free(b);
	restart();
	assert_int_equal(mode_of("s1"), CALL_MODE_ASK);
	assert_true(is_open(post("frobnicate", 0)));
}

/* Clearing one project's grants leaves the others'. */
static void
test_grants_of_another_project_stay(void **state)
{
	struct store_grant g;
	uint64_t held;

	(void)state;
	for (int i = 0; i < 2; i++) {
		w.post.project = i == 0 ? STR("/w") : STR("/v");
		held = post("frobnicate --a", i);
		(void)reply(newest_card(), CALL_REPLY_ALWAYS, NULL);
		(void)look_again(held, "frobnicate --a", i);
	}
	assert_true(decide_grant_get(w.d, 1, &g));
	decide_grant_remove(w.d, 0, STR("/w"),
		&(struct decide_who){.name = STR("me")}, ++w.handle, w.now);
	run();
	expect_replied(w.handle, DECIDE_DONE);
	assert_true(decide_grant_get(w.d, 0, &g));
	assert_true(str_eq(g.project, STR("/v")));
	assert_false(decide_grant_get(w.d, 1, &g));
	expect_sent(
		post("frobnicate --a", 2), CALL_VERDICT_ALLOW, CALL_BY_GRANT, NULL);
	w.post.project = STR("/w");
	assert_true(is_open(post("frobnicate --a", 3)));
}

/* Whoever watches sees each card come and go. */
static void
test_the_revision_moves(void **state)
{
	struct decide_status before, now;

	(void)state;
	decide_status(w.d, &before);
	(void)post("ls", 0);
	decide_status(w.d, &now);
	assert_int_equal(now.revision, before.revision);
	(void)post("frobnicate", 1);
	decide_status(w.d, &now);
	assert_true(now.revision > before.revision);
	before = now;
	(void)reply(newest_card(), CALL_REPLY_REJECT, NULL);
	decide_status(w.d, &now);
	assert_true(now.revision > before.revision);
	assert_int_equal(now.cards, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_releases_only_its_own),
		T(nobody_else_makes_rules),
		T(a_stored_mode_that_nobody_knows),
		T(grants_of_another_project_stay),
		T(the_revision_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
