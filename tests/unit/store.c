/*
 * The store: what is written is read again, and whose files it opens.
 */
#include "tests/unit/store_scene.h"

static void
test_modes(void **state)
{
	struct stat st;
	char inner[300];

	(void)state;
	(void)snprintf(inner, sizeof(inner), "%s/deep/er", folder);
	assert_int_equal(store_open(inner, 1, &s, NULL), 0);
	assert_int_equal(stat(inner, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(folder_path("deep/er/assent.db"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(folder_path("deep/er/assent.db-wal"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void
test_others_may_write(void **state)
{
	(void)state;
	assert_int_equal(chmod(folder, 0777), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_DENIED);
	assert_int_equal(chmod(folder, 0700), 0);
	open_all();
	close_all();
	assert_int_equal(chmod(folder_path("assent.db"), 0666), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_DENIED);
	assert_int_equal(store_reader_open(folder, &r), FAIL_DENIED);
}

static void
test_of_another_owner(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	open_all();
	close_all();
	assert_int_equal(chown(folder_path("assent.db"), 1234, 1234), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_DENIED);
	assert_int_equal(chown(folder_path("assent.db"), 0, 0), 0);
	assert_int_equal(chown(folder, 1234, 1234), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_DENIED);
}

static void
test_links_are_refused(void **state)
{
	(void)state;
	assert_int_equal(symlink("/etc/passwd", folder_path("assent.db")), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_DENIED);
	assert_int_equal(unlink(folder_path("assent.db")), 0);
	assert_int_equal(symlink("/tmp/else", folder_path("tail")), 0);
	assert_true(store_open(folder, 1, &s, NULL) < 0);
}

static void
test_one_writer(void **state)
{
	struct store *other = NULL;

	(void)state;
	open_all();
	assert_int_equal(store_open(folder, 1, &other, NULL), FAIL_BUSY);
}

static void
test_not_a_store(void **state)
{
	(void)state;
	meddle("CREATE TABLE theirs(x)");
	assert_int_equal(chmod(folder_path("assent.db"), 0600), 0);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_CORRUPT);
}

static void
test_newer_is_left_alone(void **state)
{
	(void)state;
	open_all();
	close_all();
	meddle("PRAGMA user_version = 99");
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_VERSION);
}

static void
test_migration_keeps_a_copy(void **state)
{
	static const struct store_migration steps[] = {
		{"CREATE TABLE one(x INTEGER); INSERT INTO one VALUES(7)"},
		{"ALTER TABLE one ADD COLUMN y INTEGER; UPDATE one SET y = x * 2"},
	};
	static const struct store_migration bad[] = {
		{"CREATE TABLE one(x INTEGER)"},
		{""},
		{"UPDATE one SET y = 0; CREATE TABLE one(x INTEGER)"},
	};
	sqlite3 *db = NULL;
	bool migrated = true;
	int64_t n = 0;
	char copy[300];

	(void)state;
	(void)snprintf(copy, sizeof(copy), "%s/copy", folder);
	assert_int_equal(sqlite3_open(folder_path("m.db"), &db), SQLITE_OK);
	assert_int_equal(store_schema_apply(db, copy, steps, 1, &migrated), 0);
	assert_false(migrated);
	assert_int_equal(store_schema_apply(db, copy, steps, 2, &migrated), 0);
	assert_true(migrated);
	assert_int_equal(access(copy, R_OK), 0);
	assert_int_equal(store_db_number(db, "SELECT y FROM one", &n), 0);
	assert_int_equal(n, 14);
	/* a step that fails leaves all as it was */
	assert_true(store_schema_apply(db, copy, bad, 3, &migrated) < 0);
	assert_int_equal(store_db_number(db, "SELECT y FROM one", &n), 0);
	assert_int_equal(n, 14);
	assert_int_equal(store_db_number(db, "PRAGMA user_version", &n), 0);
	assert_int_equal(n, 2);
	(void)sqlite3_close(db);
}

/* --- the audit ------------------------------------------------------------ */

static void
test_a_row_comes_back_whole(void **state)
{
	struct store_audit row = row_of(7);
	struct store_batch *b = store_batch_new();

	(void)state;
	open_all();
	row.role = STR("Reviewer");
	row.card = STR("7-abcd0000");
	row.risk = CALL_RISK_HIGH;
	row.rule = STR("assent.conf:3");
	row.reply = CALL_REPLY_ONCE;
	row.source = STR("user");
	row.note = STR("ja, \"gern\"\nzweite Zeile \x1b[31m");
	row.who = STR("uid 1000 on pts/3");
	row.level = STR("tty");
	row.ancestry = STR("[{\"pid\":1}]");
	row.duration_us = 1234;
	row.model = STR("small");
	row.judged_risk = CALL_RISK_LOW;
	row.cached_tokens = 900;
	row.unpriced = true;
	store_batch_add_audit(b, &row);
	commit(b);
	struct seen seen = list((struct store_filter){0});

	assert_int_equal(seen.count, 1);
	assert_non_null(strstr(seen.text,
		"{\"number\":1,\"time_ms\":1007,\"kind\":\"decision\",\"hearing\":7,"
		"\"session\":\"s1\",\"agent\":\"claude-code\",\"role\":\"Reviewer\","
		"\"tool\":\"shell\",\"tool_name\":\"Bash\",\"digest\":\"abcd\","
		"\"card\":\"7-abcd0000\",\"verdict\":\"allow\",\"by\":\"fast_path\","
		"\"risk\":\"high\",\"reason\":\"reads only\","
		"\"rule\":\"assent.conf:3\",\"reply\":\"once\",\"source\":\"user\","
		"\"note\":\"ja, \\\"gern\\\"\\nzweite Zeile \\u001b[31m\","));
	assert_non_null(strstr(seen.text,
		"\"duration_us\":1234,\"model\":\"small\","
		"\"judged_risk\":\"low\",\"cached_tokens\":900,\"unpriced\":true,"
		"\"delivery\":"
		"\"unknown\",\"pruned\":false"));
}

static void
test_odd_bytes_are_stored(void **state)
{
	struct store_audit row = row_of(1);
	struct store_batch *b = store_batch_new();
	char *big = malloc(1 << 20);

	(void)state;
	open_all();
	memset(big, '<', 1 << 20);
	row.reason = (struct str){big, 1 << 20};
	row.note = (struct str){"a\0b\xff", 4};
	row.session = (struct str){"s\0\xc3", 3};
	row.tool_name = STR("");
	store_batch_add_audit(b, &row);
	commit(b);
	free(big);
	assert_int_equal(list((struct store_filter){0}).count, 1);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
}

static void
test_filters(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_audit row = row_of(1);

	(void)state;
	open_all();
	for (int64_t i = 1; i <= 10; i++) {
		row = row_of(i);
		row.verdict = i % 2 ? CALL_VERDICT_DENY : CALL_VERDICT_ALLOW;
		row.session = i > 8 ? STR("s2") : STR("s1");
		row.kind = i == 5 ? STORE_KIND_WITHDRAWN : STORE_KIND_DECISION;
		row.tool_name = i == 3 ? STR("Read") : STR("Bash");
		store_batch_add_audit(b, &row);
	}
	commit(b);
#define COUNT(...) list((struct store_filter){__VA_ARGS__}).count
	assert_int_equal(COUNT(0), 10);
	assert_int_equal(COUNT(.after = 7), 3);
	assert_int_equal(COUNT(.number = 4), 1);
	assert_int_equal(COUNT(.hearing = 4), 1);
	assert_int_equal(COUNT(.session = STR("s2")), 2);
	assert_int_equal(COUNT(.session = STR("s2' OR 1")), 0);
	assert_int_equal(COUNT(.verdict = CALL_VERDICT_DENY), 5);
	assert_int_equal(COUNT(.verdict = CALL_VERDICT_DENY, .limit = 2), 2);
	assert_int_equal(COUNT(.kind = STORE_KIND_WITHDRAWN), 1);
	assert_int_equal(COUNT(.tool = STR("Read")), 1);
	assert_int_equal(COUNT(.since_ms = 1009), 2);
#undef COUNT
	struct seen seen = list((struct store_filter){.newest = true, .limit = 3});

	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.numbers[0], 8);
	assert_int_equal(seen.numbers[2], 10);
}

static void
test_delivery_is_marked(void **state)
{
	struct store_batch *b = store_batch_new();

	(void)state;
	open_all();
	add_rows(1, 2, true);
	store_batch_add_delivery(b, 2, STORE_DELIVERY_DELIVERED);
	commit(b);
	assert_non_null(strstr(list((struct store_filter){.number = 2}).text,
		"\"delivery\":\"delivered\""));
	assert_non_null(strstr(list((struct store_filter){.number = 1}).text,
		"\"delivery\":\"unknown\""));
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
}

/* --- other rows ----------------------------------------------------------- */

static struct store_card
card_of(int64_t number)
{
	return (struct store_card){
		.number = number,
		.state = STORE_CARD_OPEN,
		.key = STR("00112233445566778899aabbccddeeff"),
		.digest = STR("d1"),
		.call_digest = STR("c1"),
		.session = STR("s1"),
		.tool = CALL_TOOL_SHELL,
		.title = STR("make \xe2\x80\x94"),
		.text = STR("make"),
		.needs = STR("[]"),
		.by = CALL_BY_RULE,
		.person_only = true,
		.at_deadline = CALL_VERDICT_DENY,
		.created_ms = 5,
		.expires_ms = 50,
	};
}

static void
test_cards(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_card c, *cards;
	size_t count = 0;

	(void)state;
	open_all();
	for (int64_t i = 1; i <= 3; i++) {
		c = card_of(i);
		store_batch_add_card(b, &c);
	}
	c = card_of(2);
	c.state = STORE_CARD_SENT;
	c.ended_ms = 9;
	c.verdict = CALL_VERDICT_ALLOW;
	c.reply = CALL_REPLY_ONCE;
	c.source = STR("user");
	c.note = STR("gut");
	c.who = STR("me");
	store_batch_set_card(b, &c);
	store_batch_set_card_key(b, 3, STR("other"), 77);
	commit(b);
	assert_int_equal(store_read_cards(r, a, &cards, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(cards[0].number, 1);
	assert_true(str_eq(cards[0].title, STR("make \xe2\x80\x94")));
	assert_true(cards[0].person_only && !cards[0].lasting);
	assert_int_equal(cards[0].at_deadline, CALL_VERDICT_DENY);
	assert_true(str_eq(cards[1].key, STR("other")));
	assert_int_equal(store_read_card(r, a, 2, &c), 0);
	assert_int_equal(c.state, STORE_CARD_SENT);
	assert_null(c.text.ptr);
	assert_null(c.title.ptr);
	assert_true(str_eq(c.note, STR("gut")));
	assert_int_equal(c.verdict, CALL_VERDICT_ALLOW);
	assert_int_equal(store_read_card(r, a, 4, &c), FAIL_ABSENT);
}

static void
test_sessions_and_settings(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_session in = {
		.id = STR("s1"), .mode = STR("ask"), .refused = 2, .refused_in_row = 1};
	struct store_session out;
	struct store_setting set = {STORE_SCOPE_PROJECT, STR("/w"), STR("mode"),
							 STR("ai_auto")},
						 *all;
	size_t count = 0;

	(void)state;
	open_all();
	store_batch_set_session(b, &in);
	in.refused = 3;
	store_batch_set_session(b, &in);
	store_batch_set_setting(b, &set);
	set.scope = STORE_SCOPE_GLOBAL;
	set.key = (struct str){0};
	store_batch_set_setting(b, &set);
	set.value = STR("ask");
	store_batch_set_setting(b, &set);
	commit(b);
	assert_int_equal(store_read_session(r, a, STR("s1"), &out), 0);
	assert_int_equal(out.refused, 3);
	assert_true(str_eq(out.mode, STR("ask")));
	assert_null(out.tier.ptr);
	assert_int_equal(store_read_settings(r, a, &all, &count), 0);
	assert_int_equal(count, 2);
	assert_true(str_eq(all[0].value, STR("ask")));
	b = store_batch_new();
	set.value = (struct str){0};
	store_batch_set_setting(b, &set);
	commit(b);
	assert_int_equal(store_read_settings(r, a, &all, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(all[0].scope, STORE_SCOPE_PROJECT);
}

static void
test_notes_grants_quarantine(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_note n = {
		.session = STR("s1"), .text = STR("one"), .time_ms = 1};
	struct store_grant g = {.project = STR("/w"), .action = STR("shell")}, *gs;
	struct store_quarantined q = {STR("bad"), 1, 4}, *qs;
	struct store_note *ns;
	size_t count = 0;

	(void)state;
	open_all();
	store_batch_add_note(b, &n);
	n.call_id = STR("t9");
	store_batch_add_note(b, &n);
	n.session = STR("s2");
	store_batch_add_note(b, &n);
	store_batch_drop_notes(b, STR("s2"), STR("t8"));
	store_batch_add_grant(b, &g);
	store_batch_set_quarantine(b, &q);
	store_batch_set_quarantine(b, &q);
	commit(b);
	assert_int_equal(store_read_notes(r, a, &ns, &count), 0);
	assert_int_equal(count, 3);
	b = store_batch_new();
	store_batch_drop_notes(b, STR("s1"), STR("t9"));
	commit(b);
	assert_int_equal(store_read_notes(r, a, &ns, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(store_read_grants(r, a, STR("/w"), &gs, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(store_read_grants(r, a, STR("/x"), &gs, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(store_read_quarantine(r, a, &qs, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(qs[0].count, 2);
	b = store_batch_new();
	q.count = 0;
	store_batch_set_quarantine(b, &q);
	commit(b);
	assert_int_equal(store_read_quarantine(r, a, &qs, &count), 0);
	assert_int_equal(count, 0);
}

static void
test_turns_and_replies(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_turn turn = {
		.session = STR("s1"), .turn = STR("p1"), .time_ms = 5};
	struct store_line line = {.session = STR("s1")}, *lines;
	struct store_reply reply = {
		.session = STR("s1"), .time_ms = 7, .reply = CALL_REPLY_REJECT};
	struct store_reply *replies;
	size_t count = 0;

	(void)state;
	open_all();
	store_batch_set_turn(b, &turn);
	turn.head = STR("<session_context>");
	store_batch_set_turn(b, &turn);
	for (line.entry = 1; line.entry <= 3; line.entry++) {
		line.line = arena_fmt(a, "line %d", (int)line.entry);
		store_batch_add_line(b, &line);
	}
	store_batch_drop_lines(b, STR("s1"), 1);
	for (int i = 0; i < 3; i++) {
		reply.note = arena_fmt(a, "note %d", i);
		store_batch_add_reply(b, &reply);
	}
	commit(b);
	assert_int_equal(store_read_turn(r, a, STR("s1"), &turn), 0);
	assert_true(str_eq(turn.head, STR("<session_context>")));
	assert_int_equal(store_read_turn(r, a, STR("s2"), &turn), FAIL_ABSENT);
	assert_int_equal(store_read_lines(r, a, STR("s1"), &lines, &count), 0);
	assert_int_equal(count, 2);
	assert_true(str_eq(lines[0].line, STR("line 2")));
	assert_int_equal(store_read_replies(r, a, STR("s1"), &replies, &count), 0);
	assert_int_equal(count, 3);
	assert_true(str_eq(replies[0].note, STR("note 2")));
	assert_true(replies[0].rowid > replies[1].rowid);
	b = store_batch_new();
	store_batch_drop_turns_before(b, 6);
	commit(b);
	assert_int_equal(store_read_lines(r, a, STR("s1"), &lines, &count), 0);
	assert_int_equal(count, 0);
}

static void
test_a_failed_write_leaves_nothing(void **state)
{
	struct store_batch *b = store_batch_new();
	struct store_audit row = row_of(1);
	struct str head;

	(void)state;
	open_all();
	add_rows(1, 3, true);
	head = store_head(s, a);
	store_batch_add_audit(b, &row);
	/* a second row with a number that is taken fails the whole batch */
	meddle("INSERT INTO audit VALUES(5, 0, 'x', 0, NULL, NULL, 'x', 0, NULL, "
		   "'x', 'x')");
	store_batch_add_audit(b, &row);
	assert_true(store_commit(s, b) < 0);
	store_batch_free(b);
	assert_true(str_eq(store_head(s, a), head));
	meddle("DELETE FROM audit WHERE number = 5");
	add_rows(4, 6, true);
	assert_int_equal(verify((struct str){0}).proof, STORE_CONSISTENT);
}

static void
test_a_long_log_is_moved(void **state)
{
	struct stat st;

	(void)state;
	open_all();
	for (int64_t i = 0; i < 400; i++)
		add_rows(i * 100 + 1, i * 100 + 100, false);
	assert_int_equal(stat(folder_path("assent.db-wal"), &st), 0);
	assert_true(st.st_size < 40 << 20);
	assert_int_equal(verify((struct str){0}).rows, 40000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(modes),
		T(others_may_write),
		T(of_another_owner),
		T(links_are_refused),
		T(one_writer),
		T(not_a_store),
		T(newer_is_left_alone),
		T(migration_keeps_a_copy),
		T(a_row_comes_back_whole),
		T(odd_bytes_are_stored),
		T(filters),
		T(delivery_is_marked),
		T(cards),
		T(sessions_and_settings),
		T(notes_grants_quarantine),
		T(turns_and_replies),
		T(a_failed_write_leaves_nothing),
		T(a_long_log_is_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
