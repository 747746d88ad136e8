/*
 * Several cards with one reply: those of one round, from the anchor on, all or
 * none of them.
 */
#include <sqlite3.h>

#include "tests/unit/decide_scene.h"

/* Three calls that the agent wants at the same time. */
static struct {
	uint64_t held[3];
	struct store_card cards[3];
	struct str ids[3];
	const char *commands[3];
} t;

static struct store_card
card_of(const char *command)
{
	struct store_card *cards = NULL, none = {0};
	size_t n = 0;

	assert_int_equal(store_read_cards(w.reader, w.a, &cards, &n), 0);
	for (size_t i = 0; i < n; i++) {
		if (str_starts(cards[i].text, str_from(command)))
			return cards[i];
	}
	fail_msg("no card for %s", command);
	return none;
}

static void
begin_card(size_t i, const char *command)
{
	t.commands[i] = command;
	t.held[i] = post(command, (int)i);
	assert_true(is_open(t.held[i]));
	t.cards[i] = card_of(command);
	t.ids[i] = decide_card_id(w.a, t.cards[i].number, t.cards[i].digest);
}

static void
begin_three(void)
{
	begin_card(0, "frobnicate --one");
	begin_card(1, "frobnicate --two");
	begin_card(2, "frobnicate --three");
}

static uint64_t
reply_to(size_t anchor, enum call_reply what, const char *note, size_t count)
{
	struct decide_reply r = {
		.handle = ++w.handle,
		.id = t.ids[anchor],
		.reply = what,
		.note = str_from(note),
		.who = {.name = STR("me on pts/3"), .level = STR("tty")},
	};

	decide_reply_together(w.d, &r, t.ids, count, w.now);
	run();
	return r.handle;
}

/* The client of card i looks again. */
static void
look(size_t i)
{
	t.held[i] = look_again(t.held[i], t.commands[i], (int)i);
}

static void
expect_told(uint64_t handle, size_t i, enum decide_replied what)
{
	const struct decide_act *act = act_of(handle);

	assert_int_equal(act->kind, DECIDE_ACT_REPLIED);
	assert_true(i < act->told_count);
	assert_true(str_eq(act->told[i].id, t.ids[i]));
	assert_string_equal(
		decide_replied_name(act->told[i].what), decide_replied_name(what));
}

/* Rows kept for the user's rules. */
static size_t
replies_with(const char *sql)
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

static void
test_all_are_approved(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_ONCE, "go on", 3);
	look(2);
	look(0);
	/* none leaves before the last was looked at again */
	assert_true(is_open(t.held[0]) && is_open(t.held[2]));
	assert_true(is_open(person));
	look(1);
	for (size_t i = 0; i < 3; i++) {
		expect_sent(
			t.held[i], CALL_VERDICT_ALLOW, CALL_BY_PERSON, "approved by");
		expect_told(person, i, DECIDE_DONE);
	}
	expect_replied(person, DECIDE_DONE);
	/* the note reaches every row, one of them is for the user's rules */
	assert_int_equal(rows_with("\"note\":\"go on\""), 3);
	assert_int_equal(replies_with("SELECT * FROM replies"), 3);
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE note IS NOT NULL"), 1);
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE note IS NOT NULL AND"
					 " hearing = (SELECT min(hearing) FROM replies)"),
		1);
	/* and every call's result (they share an id here) */
	assert_true(str_eq(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now),
		STR("go on\ngo on\ngo on")));
}

static void
test_all_are_rejected(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_REJECT, "not now", 3);
	for (size_t i = 0; i < 3; i++) {
		expect_sent(
			t.held[i], CALL_VERDICT_DENY, CALL_BY_PERSON, "rejected by");
		assert_true(str_eq(act_of(t.held[i])->answer.note, STR("not now")));
		expect_told(person, i, DECIDE_DONE);
	}
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE note IS NOT NULL"), 1);
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE reply = 'reject'"), 3);
}

static void
test_from_the_anchor_on(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	/* an older one is no part of it, and then nothing is answered */
	person = reply_to(1, CALL_REPLY_REJECT, NULL, 3);
	expect_replied(person, DECIDE_BAD_VALUE);
	for (size_t i = 0; i < 3; i++)
		assert_true(is_open(t.held[i]));
	assert_int_equal(rows_with("rejected by"), 0);
}

static void
test_other_sessions_and_rounds(void **state)
{
	uint64_t person;

	(void)state;
	begin_card(0, "frobnicate --one");
	w.call.session = STR("s2");
	begin_card(1, "frobnicate --two");
	w.call.session = STR("s1");
	person = reply_to(0, CALL_REPLY_REJECT, NULL, 2);
	expect_replied(person, DECIDE_BAD_VALUE);
	assert_true(is_open(t.held[0]) && is_open(t.held[1]));
	/* the user's next message begins another round */
	decide_turn(w.d, STR("s1"), STR("p2"), w.now);
	begin_card(1, "frobnicate --later");
	person = reply_to(0, CALL_REPLY_REJECT, NULL, 2);
	expect_replied(person, DECIDE_BAD_VALUE);
	assert_true(is_open(t.held[0]) && is_open(t.held[1]));
	/* and so does the agent's next step, when nothing waits any more */
	expect_replied(reply(t.cards[0], CALL_REPLY_REJECT, NULL), DECIDE_DONE);
	expect_replied(reply(t.cards[1], CALL_REPLY_REJECT, NULL), DECIDE_DONE);
	begin_card(2, "frobnicate --next");
	assert_true(t.cards[2].round == t.cards[2].number);
	assert_true(t.cards[1].round == t.cards[1].number);
	assert_true(t.cards[0].round == t.cards[0].number);
}

static void
test_a_round_is_what_overlaps(void **state)
{
	(void)state;
	begin_three();
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(t.cards[i].round, t.cards[0].number);
	/* cards keep it over a restart */
	restart();
	assert_int_equal(card_of("frobnicate --two").round, t.cards[0].number);
}

static void
test_withdrawn_ones_are_named(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	decide_gone(w.d, t.held[1], w.now);
	run();
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 3);
	look(0);
	assert_true(is_open(t.held[0]));
	/* one more goes while the others are looked at */
	assert_int_equal(act_of(t.held[2])->kind, DECIDE_ACT_NEED);
	t.held[2] = put(t.commands[2], 2);
	decide_gone(w.d, t.held[2], w.now);
	run();
	expect_sent(t.held[0], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_true(is_open(t.held[2])); /* nothing is sent to who has left */
	expect_replied(person, DECIDE_DONE);
	expect_told(person, 0, DECIDE_DONE);
	expect_told(person, 1, DECIDE_WITHDRAWN);
	expect_told(person, 2, DECIDE_WITHDRAWN);
}

static void
test_the_anchor_may_leave(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_ONCE, "go on", 3);
	look(1);
	look(2);
	pass(DECIDE_REREAD_MS); /* the anchor's client does not come */
	expect_sent(t.held[1], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_sent(t.held[2], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_told(person, 0, DECIDE_WITHDRAWN);
	expect_told(person, 2, DECIDE_DONE);
	/* nobody's words become a rule for what they were not said of */
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE note IS NOT NULL"), 0);
}

static void
test_a_changed_world_is_left_out(void **state)
{
	struct call_variable path = {STR("PATH"), STR("/evil")};
	uint64_t person;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 3);
	look(0);
	look(1);
	w.post.world.variables = &path;
	w.post.world.variable_count = 1;
	look(2);
	expect_sent(t.held[0], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_sent(t.held[1], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_true(is_open(t.held[2])); /* at a card of its own */
	expect_told(person, 2, DECIDE_CHANGED);
	assert_true(act_of(person)->told[2].replaced_by > t.cards[2].number);
}

static void
test_a_store_error_answers_none(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	w.disk_full = true;
	person = reply_to(0, CALL_REPLY_ONCE, "go on", 3);
	for (size_t i = 0; i < 3; i++)
		look(i);
	expect_replied(person, DECIDE_NOT_RECORDED);
	for (size_t i = 0; i < 3; i++) {
		assert_true(is_open(t.held[i]));
		expect_told(person, i, DECIDE_NOT_RECORDED);
	}
	person = reply_to(0, CALL_REPLY_REJECT, NULL, 3);
	expect_replied(person, DECIDE_NOT_RECORDED);
	for (size_t i = 0; i < 3; i++)
		assert_true(is_open(t.held[i]));
	/* and then it can be said again */
	w.disk_full = false;
	person = reply_to(0, CALL_REPLY_REJECT, NULL, 3);
	expect_replied(person, DECIDE_DONE);
	for (size_t i = 0; i < 3; i++)
		expect_sent(t.held[i], CALL_VERDICT_DENY, CALL_BY_PERSON, NULL);
}

static void
test_one_reply_counts(void **state)
{
	uint64_t person, other;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 3);
	look(1);
	/* it stands, and waits for the others: answered all the same */
	other = reply(t.cards[1], CALL_REPLY_REJECT, NULL);
	expect_replied(other, DECIDE_ALREADY);
	other = reply_to(0, CALL_REPLY_REJECT, NULL, 3);
	expect_replied(other, DECIDE_ALREADY);
	look(0);
	look(2);
	expect_replied(person, DECIDE_DONE);
	for (size_t i = 0; i < 3; i++)
		expect_sent(t.held[i], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_person_only_is_never_among_them(void **state)
{
	uint64_t person;

	(void)state;
	begin_card(0, "frobnicate --one");
	begin_card(1, "echo x >> /home/u/.bashrc");
	assert_true(t.cards[1].person_only);
	begin_card(2, "frobnicate --three");
	person = reply_to(0, CALL_REPLY_REJECT, NULL, 3);
	expect_told(person, 0, DECIDE_DONE);
	expect_told(person, 1, DECIDE_NOT_OFFERED);
	expect_told(person, 2, DECIDE_DONE);
	assert_true(is_open(t.held[1]));
	t.ids[0] = t.ids[1];
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 1);
	expect_replied(person, DECIDE_NOT_OFFERED);
	assert_true(is_open(t.held[1]));
}

static void
test_always_is_exactly_each(void **state)
{
	uint64_t person;

	(void)state;
	w.post.project = STR("/w");
	begin_three();
	person = reply_to(0, CALL_REPLY_ALWAYS, NULL, 3);
	for (size_t i = 0; i < 3; i++)
		look(i);
	expect_replied(person, DECIDE_DONE);
	assert_int_equal(replies_with("SELECT * FROM grants WHERE exact = 1"), 3);
	assert_int_equal(
		replies_with("SELECT * FROM replies WHERE reply = 'always'"), 1);
	expect_sent(
		post(t.commands[2], 3), CALL_VERDICT_ALLOW, CALL_BY_GRANT, NULL);
}

static void
test_cards_nobody_waits_at(void **state)
{
	uint64_t person;

	(void)state;
	w.post.lasting = true;
	w.post.deadline_ms = w.now + 2000;
	begin_card(0, "frobnicate --one");
	begin_card(1, "frobnicate --two");
	pass(2000);
	expect_sent(t.held[0], CALL_VERDICT_DENY, CALL_BY_INCOMPLETE, "try the");
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 2);
	expect_replied(person, DECIDE_DONE);
	assert_int_equal(card(t.cards[0].number).state, STORE_CARD_APPROVED);
	assert_int_equal(card(t.cards[1].number).state, STORE_CARD_APPROVED);
	w.post.deadline_ms = w.now + 2000;
	expect_sent(
		post(t.commands[1], 3), CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_time_is_over_meanwhile(void **state)
{
	uint64_t person;

	(void)state;
	begin_card(0, "frobnicate --one");
	w.post.deadline_ms = w.now + 3000;
	begin_card(1, "frobnicate --two");
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 2);
	look(1);
	pass(3000);
	expect_sent(
		t.held[1], CALL_VERDICT_DENY, CALL_BY_INCOMPLETE, "nobody answered");
	w.post.deadline_ms = w.now + 60000;
	look(0);
	expect_sent(t.held[0], CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_told(person, 0, DECIDE_DONE);
	expect_told(person, 1, DECIDE_EXPIRED);
}

static void
test_what_is_no_list(void **state)
{
	struct decide_reply r = {.reply = CALL_REPLY_REJECT};

	(void)state;
	begin_three();
	t.ids[1] = t.ids[0];
	expect_replied(reply_to(0, CALL_REPLY_REJECT, NULL, 3), DECIDE_BAD_VALUE);
	r.handle = ++w.handle;
	r.id = t.ids[2];
	decide_reply_together(w.d, &r, t.ids, 1, w.now); /* not among them */
	run();
	expect_replied(r.handle, DECIDE_BAD_VALUE);
	for (size_t i = 0; i < 3; i++)
		assert_true(is_open(t.held[i]));
}

static void
test_stopping_answers_none(void **state)
{
	uint64_t person;

	(void)state;
	begin_three();
	person = reply_to(0, CALL_REPLY_ONCE, NULL, 3);
	look(0);
	decide_stop(w.d, w.now);
	run();
	expect_replied(person, DECIDE_NOT_RECORDED);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(card(t.cards[i].number).state, STORE_CARD_OPEN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(all_are_approved),
		T(all_are_rejected),
		T(from_the_anchor_on),
		T(other_sessions_and_rounds),
		T(a_round_is_what_overlaps),
		T(withdrawn_ones_are_named),
		T(the_anchor_may_leave),
		T(a_changed_world_is_left_out),
		T(a_store_error_answers_none),
		T(one_reply_counts),
		T(person_only_is_never_among_them),
		T(always_is_exactly_each),
		T(cards_nobody_waits_at),
		T(time_is_over_meanwhile),
		T(what_is_no_list),
		T(stopping_answers_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
