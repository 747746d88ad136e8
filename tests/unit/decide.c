/*
 * The hearing, rule by rule: what the order says, what a person says, and what
 * happens when the world changes or the agent leaves.
 */
#include "tests/unit/decide_scene.h"
#include "wire/sha256.h"

/* --- what the order decides ----------------------------------------------- */

static void
test_machine_answers(void **state)
{
	(void)state;
	expect_sent(post("ls", 0), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
	expect_sent(post("rm -rf /", 1), CALL_VERDICT_DENY, CALL_BY_FLOOR, NULL);
	assert_int_equal(rows_with("\"kind\":\"decision\""), 2);
	assert_int_equal(
		rows_with("\"verdict\":\"allow\",\"by\":\"fast_path\""), 1);
	assert_int_equal(rows_with("\"tool_name\":\"Bash\""), 2);
}

static void
test_the_audit_holds_the_call_redacted(void **state)
{
	struct policy_faults faults;

	(void)state;
	assert_true(policy_add(w.policy, POLICY_LAYER_USER, STR("assent.conf"),
		STR("ask shell \"curl *\"\ndeny shell \"wget *\"\n"), w.a, &faults));
	(void)post("curl -u me:hunter2 https://example.org", 0);
	assert_true(str_has(newest_card().reason, STR("hunter2")));
	expect_sent(post("wget --password=hunter2 https://example.org", 1),
		CALL_VERDICT_DENY, CALL_BY_RULE, "hunter2");
	(void)post("PASSWORD='hunter2 b' frobnicate", 2);
	assert_int_equal(rows_with("hunter2"), 0);
	assert_int_equal(rows_with("me:[secret:password]"), 1);
	assert_int_equal(rows_with("--password=[secret:password]"), 1);
	assert_int_equal(rows_with("\"redacted\":true"), 2);
	assert_int_equal(rows_with("\"omitted\":\"holds a secret that"), 1);
	assert_int_equal(rows_with("\"reason\":\"assent.conf:1 says ask\""), 1);
	assert_int_equal(rows_with("\"reason\":\"assent.conf:2 says deny\""), 1);
}

static void
test_the_audit_holds_what_is_no_secret(void **state)
{
	char digest[WIRE_SHA256_HEX + 1], want[160];

	(void)state;
	(void)post("rm -rf /", 0);
	wire_sha256_text(STR("rm -rf /"), digest);
	(void)snprintf(want, sizeof(want), "\"input_digest\":\"%s\"", digest);
	assert_int_equal(rows_with(want), 1);
	assert_int_equal(rows_with("\"redacted\""), 0);
	(void)post("cat /elsewhere/notes", 1);
	assert_true(rows_with(": /elsewhere/notes\",") == 1);
}

/* The text is in the first row about the call; rows behind it name the hearing. */
static void
test_the_audit_holds_a_call_once(void **state)
{
	(void)state;
	(void)post(ASKED, 0);
	(void)reply(newest_card(), CALL_REPLY_ONCE, NULL);
	(void)post(ASKED, 0);
	assert_int_equal(rows_with("\"call\":"), 1);
	assert_int_equal(rows_with("\"kind\":\"card\""), 1);
	assert_int_equal(rows_with("\"hearing\":1,"), 2);
}

static void
test_long_calls_are_kept_cut(void **state)
{
	char *text = calloc(1, 40001);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', 40000);
	memcpy(text, "{\"command\":\"echo ", 17);
	memcpy(text + 39998, "\"}", 2);
	(void)post(text, 0);
	assert_int_equal(rows_with("\"cut\":true"), 1);
	assert_int_equal(rows_with("bytes more)"), 1);
	for (size_t i = 0; i < 10000; i++)
		memcpy(text + 4 * i, i == 0 ? "[\"a\"" : ",\"a\"", 4);
	text[39996] = ']';
	text[39997] = '\0';
	(void)post(text, 1);
	assert_int_equal(rows_with("\"omitted\":\"too long to keep\""), 1);
	free(text);
}

static void
test_nothing_leaves_before_its_row(void **state)
{
	uint64_t handle;

	(void)state;
	handle = put("ls", 0);
	do_acts();
	assert_true(is_open(handle));
	assert_true(commit_once());
	assert_int_equal(rows_with("\"verdict\":\"allow\""), 1);
	do_acts();
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
}

static void
test_reads_need_no_sync(void **state)
{
	struct store_batch *b;

	(void)state;
	(void)put("ls", 0);
	b = decide_take_batch(w.d);
	assert_false(store_batch_is_synced(b));
	decide_committed(w.d, b, store_commit(w.store, b), w.now);
	do_acts();
	(void)put("rm -rf /", 1);
	b = decide_take_batch(w.d);
	assert_true(store_batch_is_synced(b));
	decide_committed(w.d, b, store_commit(w.store, b), w.now);
	do_acts();
}

static void
test_unreadable_calls_are_refused(void **state)
{
	struct call_outcome ready = {
		.verdict = CALL_VERDICT_DENY,
		.by = CALL_BY_FAILURE,
		.reason = STR("not JSON at line 1"),
	};

	(void)state;
	w.post.handle = ++w.handle;
	w.post.key = str_from(keys[0]);
	w.post.call = NULL;
	decide_post(w.d, w.work, &w.post, w.now);
	run();
	expect_sent(w.handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "could not be");
	w.post.handle = ++w.handle;
	w.post.key = str_from(keys[1]);
	w.post.ready = &ready;
	decide_post(w.d, w.work, &w.post, w.now);
	run();
	expect_sent(w.handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "not JSON");
	/* a call that nobody can see is never a card */
	ready.verdict = CALL_VERDICT_ASK;
	w.post.handle = ++w.handle;
	w.post.key = str_from(keys[2]);
	decide_post(w.d, w.work, &w.post, w.now);
	run();
	expect_sent(w.handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "not JSON");
}

static void
test_too_large_is_refused(void **state)
{
	(void)state;
	arena_free(w.work);
	w.work = arena_new(64);
	expect_sent(post("ls", 0), CALL_VERDICT_DENY, CALL_BY_FAILURE, "too large");
}

/* --- a person answers ----------------------------------------------------- */

static void
test_approve(void **state)
{
	uint64_t held = post(ASKED, 0), again, person;
	struct store_card c;
	struct decide_status status;

	(void)state;
	assert_true(is_open(held));
	c = newest_card();
	assert_true(str_eq(c.text, STR(ASKED "\n")));
	decide_status(w.d, &status);
	assert_int_equal(status.cards, 1);
	assert_int_equal(status.held, 1);
	person = reply(c, CALL_REPLY_ONCE, "  go \x1b[2Jon ");
	assert_true(is_open(person)); /* not before the world was read again */
	again = look_again(held, ASKED, 0);
	expect_sent(again, CALL_VERDICT_ALLOW, CALL_BY_PERSON, "approved by");
	expect_replied(person, DECIDE_DONE);
	assert_int_equal(rows_with("\"kind\":\"card\""), 1);
	assert_int_equal(rows_with("\"by\":\"person\""), 1);
	assert_int_equal(
		rows_with("\"reply\":\"once\",\"source\":\"user\","
				  "\"note\":\"go \\u001b[2Jon\",\"who\":\"me on pts/3\","
				  "\"level\":\"tty\",\"ancestry\":\"[]\""),
		1);
	c = card(c.number);
	assert_int_equal(c.state, STORE_CARD_SENT);
	assert_null(c.text.ptr);
	decide_status(w.d, &status);
	assert_int_equal(status.hearings, 0);
	/* the note waits for the call's result, and for no other */
	assert_null(act_of(again)->answer.note.ptr);
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t2"), w.now).ptr);
	assert_null(decide_result(w.d, w.a, STR("s2"), STR("t1"), w.now).ptr);
	assert_true(str_eq(
		decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now), STR("go [2Jon")));
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
}

static void
test_no_note_no_words(void **state)
{
	uint64_t held = post(ASKED, 0);

	(void)state;
	(void)reply(newest_card(), CALL_REPLY_ONCE, " \n\t ");
	held = look_again(held, ASKED, 0);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_null(act_of(held)->answer.note.ptr);
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
	assert_int_equal(rows_with("\"note\""), 0);
}

static void
test_note_in_the_answer(void **state)
{
	uint64_t held;

	(void)state;
	w.post.note_here = true;
	held = post(ASKED, 0);
	(void)reply(newest_card(), CALL_REPLY_ONCE, "go");
	held = look_again(held, ASKED, 0);
	assert_true(str_eq(act_of(held)->answer.note, STR("go")));
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
}

static void
test_notes_survive_a_restart(void **state)
{
	uint64_t held = post(ASKED, 0);

	(void)state;
	(void)reply(newest_card(), CALL_REPLY_ONCE, "go");
	(void)look_again(held, ASKED, 0);
	restart();
	assert_non_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
	run();
	restart();
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
}

static void
test_reject(void **state)
{
	uint64_t held = post(ASKED, 0), person;

	(void)state;
	person = reply(newest_card(), CALL_REPLY_REJECT, "use make instead");
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON, "rejected by");
	assert_true(str_eq(act_of(held)->answer.note, STR("use make instead")));
	expect_replied(person, DECIDE_DONE);
}

static void
test_one_reply_counts(void **state)
{
	uint64_t held = post(ASKED, 0), first, second, third;
	struct store_card c = newest_card();

	(void)state;
	first = put_reply(c, CALL_REPLY_ONCE, NULL);
	second = put_reply(c, CALL_REPLY_REJECT, NULL);
	run();
	expect_replied(second, DECIDE_ALREADY);
	assert_non_null(strstr(act_of(second)->text.ptr, "me on pts/3"));
	held = look_again(held, ASKED, 0);
	expect_replied(first, DECIDE_DONE);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	/* long after, from its row */
	w.now += 1000;
	third = reply(c, CALL_REPLY_REJECT, NULL);
	expect_replied(third, DECIDE_ALREADY);
	assert_true(act_of(third)->card.ended_ms > 0);
	assert_true(str_eq(act_of(third)->card.who, STR("me on pts/3")));
	restart();
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_ALREADY);
}

static void
test_who_answers_names_what_was_seen(void **state)
{
	static const char *const ids[] = {"", "1", "1-", "x-00000000", "1-0000000",
		"999-00000000", "1-00000000", "-1-00000000", "1-00000000-0"};

	(void)state;
	(void)post(ASKED, 0);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		struct decide_reply r = {
			.handle = ++w.handle,
			.id = str_from(ids[i]),
			.reply = CALL_REPLY_ONCE,
		};

		decide_reply(w.d, &r, w.now);
		run();
		expect_replied(r.handle, DECIDE_ABSENT);
	}
	expect_replied(
		reply(newest_card(), CALL_REPLY_NONE, NULL), DECIDE_BAD_VALUE);
	expect_replied(
		reply(newest_card(), CALL_REPLY_ALWAYS, NULL), DECIDE_NOT_OFFERED);
}

/* --- the world changes ---------------------------------------------------- */

static void
test_changed_world_makes_a_new_card(void **state)
{
	struct call_variable path = {STR("PATH"), STR("/evil")};
	uint64_t held = post(ASKED, 0), person, again;
	struct store_card old = newest_card(), c;

	(void)state;
	person = reply(old, CALL_REPLY_ONCE, NULL);
	w.post.world.variables = &path;
	w.post.world.variable_count = 1;
	again = look_again(held, ASKED, 0);
	assert_true(is_open(again)); /* held, at another card */
	expect_replied(person, DECIDE_CHANGED);
	c = newest_card();
	assert_true(c.number != old.number);
	assert_int_equal(act_of(person)->card.replaced_by, c.number);
	assert_int_equal(card(old.number).state, STORE_CARD_REPLACED);
	expect_replied(reply(old, CALL_REPLY_ONCE, NULL), DECIDE_CHANGED);
	(void)reply(c, CALL_REPLY_ONCE, NULL);
	again = look_again(again, ASKED, 0);
	expect_sent(again, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_stricter_rules_refuse(void **state)
{
	uint64_t held = post(ASKED, 0), person, again;
	struct policy_faults faults;

	(void)state;
	person = reply(newest_card(), CALL_REPLY_ONCE, NULL);
	policy_unref(w.policy);
	w.policy = policy_new();
	assert_true(policy_add(w.policy, POLICY_LAYER_USER, STR("assent.conf"),
		STR("deny shell \"frobnicate *\"\n"), w.a, &faults));
	w.post.policy = w.policy;
	again = look_again(held, ASKED, 0);
	expect_sent(again, CALL_VERDICT_DENY, CALL_BY_RULE, NULL);
	expect_replied(person, DECIDE_CHANGED);
}

static void
test_another_call_under_the_same_key(void **state)
{
	uint64_t held = post(ASKED, 0), other;
	struct store_card c = newest_card();

	(void)state;
	other = post("frobnicate --soft", 0);
	/* the first is withdrawn, its connection closed without an answer */
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_DROP);
	assert_true(is_open(other));
	assert_int_equal(card(c.number).state, STORE_CARD_WITHDRAWN);
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_WITHDRAWN);
}

/* --- the agent leaves ----------------------------------------------------- */

static void
test_withdrawn_is_never_sent(void **state)
{
	uint64_t held = post(ASKED, 0);
	struct store_card c = newest_card();

	(void)state;
	decide_gone(w.d, held, w.now);
	run();
	assert_true(is_open(held));
	assert_int_equal(rows_with("\"kind\":\"withdrawn\""), 1);
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_WITHDRAWN);
	assert_int_equal(card(c.number).state, STORE_CARD_WITHDRAWN);
}

static void
test_withdrawal_while_committing_wins(void **state)
{
	uint64_t held, person, again;
	struct store_card c;

	(void)state;
	(void)post(ASKED, 0);
	c = newest_card();
	person = reply(c, CALL_REPLY_ONCE, "go");
	again = put(ASKED, 0);
	do_acts();
	struct store_batch *b = decide_take_batch(w.d);

	decide_gone(w.d, again, w.now);
	decide_committed(w.d, b, store_commit(w.store, b), w.now);
	run();
	assert_true(is_open(again));
	expect_replied(person, DECIDE_WITHDRAWN);
	assert_int_equal(rows_with("\"verdict\":\"allow\",\"by\":\"person\""), 2);
	assert_int_equal(rows_with("\"kind\":\"undelivered\""), 1);
	assert_int_equal(rows_with("decided, not delivered"), 1);
	assert_int_equal(rows_with("\"delivery\":\"undelivered\""), 1);
	/* the once is spent, and its note goes nowhere */
	assert_int_equal(card(c.number).state, STORE_CARD_SPENT);
	assert_null(decide_result(w.d, w.a, STR("s1"), STR("t1"), w.now).ptr);
	held = post(ASKED, 1);
	assert_true(is_open(held));
}

static void
test_withdrawal_while_rereading(void **state)
{
	uint64_t held = post(ASKED, 0), person;

	(void)state;
	person = reply(newest_card(), CALL_REPLY_ONCE, NULL);
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_NEED);
	pass(DECIDE_REREAD_MS); /* it does not come back */
	expect_replied(person, DECIDE_WITHDRAWN);
	assert_int_equal(rows_with("\"kind\":\"withdrawn\""), 1);
}

static void
test_session_ends(void **state)
{
	uint64_t one = post(ASKED, 0), two;
	struct decide_status status;

	(void)state;
	w.call.session = STR("s2");
	two = post(ASKED, 1);
	decide_session_end(w.d, STR("s1"), w.now);
	run();
	assert_int_equal(act_of(one)->kind, DECIDE_ACT_DROP);
	assert_true(is_open(two));
	decide_status(w.d, &status);
	assert_int_equal(status.cards, 1);
}

static void
test_undelivered(void **state)
{
	uint64_t handle = put("ls", 0);
	struct decide_act act;

	(void)state;
	assert_true(commit_once());
	assert_true(decide_next(w.d, w.a, &act));
	assert_int_equal(act.kind, DECIDE_ACT_SEND);
	assert_int_equal(act.handle, handle);
	decide_sent(w.d, act.number, false, w.now);
	run();
	assert_int_equal(rows_with("\"kind\":\"undelivered\""), 1);
	assert_int_equal(rows_with("\"delivery\":\"undelivered\""), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(machine_answers),
		T(the_audit_holds_the_call_redacted),
		T(the_audit_holds_what_is_no_secret),
		T(the_audit_holds_a_call_once),
		T(long_calls_are_kept_cut),
		T(nothing_leaves_before_its_row),
		T(reads_need_no_sync),
		T(unreadable_calls_are_refused),
		T(too_large_is_refused),
		T(approve),
		T(no_note_no_words),
		T(note_in_the_answer),
		T(notes_survive_a_restart),
		T(reject),
		T(one_reply_counts),
		T(who_answers_names_what_was_seen),
		T(changed_world_makes_a_new_card),
		T(stricter_rules_refuse),
		T(another_call_under_the_same_key),
		T(withdrawn_is_never_sent),
		T(withdrawal_while_committing_wins),
		T(withdrawal_while_rereading),
		T(session_ends),
		T(undelivered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
