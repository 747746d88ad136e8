/*
 * A person's words reach the agent once: with the answer where it can carry
 * them, else with the call's result; across restarts, and never from a machine.
 */
#include "tests/unit/decide_model.h"

static const char *
result(const char *call_id)
{
	struct str s = decide_result(w.d, w.a, STR("s1"), str_from(call_id), w.now);

	run();
	return s.ptr ? s.ptr : "";
}

/* Asks as this call, and has it approved with a note; the answer is out. */
static uint64_t
approve(const char *command, const char *call_id, const char *note)
{
	uint64_t held, person;

	w.call.id = str_from(call_id);
	held = post(command, 0);
	person = reply(newest_card(), CALL_REPLY_ONCE, note);
	held = look_again(held, command, 0);
	expect_replied(person, DECIDE_DONE);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	return held;
}

static void
test_with_the_answer(void **state)
{
	uint64_t held;

	(void)state;
	w.post.note_here = true;
	held = approve(ASKED, "t1", "go on");
	assert_string_equal(act_of(held)->answer.note.ptr, "go on");
	assert_string_equal(result("t1"), "");
	restart();
	assert_string_equal(result("t1"), "");
}

static void
test_with_the_result(void **state)
{
	uint64_t held;

	(void)state;
	held = approve(ASKED, "t1", "go on");
	assert_null(act_of(held)->answer.note.ptr);
	assert_string_equal(result("t2"), "");
	assert_string_equal(result("t1"), "go on");
	assert_string_equal(result("t1"), "");
	restart();
	assert_string_equal(result("t1"), "");
}

static void
test_after_a_restart(void **state)
{
	(void)state;
	(void)approve(ASKED, "t1", "go on");
	restart();
	assert_string_equal(result("t1"), "go on");
	assert_string_equal(result("t1"), "");
	restart();
	assert_string_equal(result("t1"), "");
}

/* The daemon died between record and answer: the client comes for it. */
static void
test_an_answer_that_is_fetched(void **state)
{
	uint64_t held, person;

	(void)state;
	held = post(ASKED, 0);
	person = reply(newest_card(), CALL_REPLY_ONCE, "go on");
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_NEED);
	(void)person;
	(void)put(ASKED, 0);
	assert_true(commit_once()); /* and nothing is sent */
	restart();
	held = post(ASKED, 0);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_null(act_of(held)->answer.note.ptr);
	assert_string_equal(result("t1"), "go on");
	assert_string_equal(result("t1"), "");
}

static void
test_several(void **state)
{
	(void)state;
	(void)approve("frobnicate 1", "t1", "one");
	(void)approve("frobnicate 2", "t2", "two");
	assert_string_equal(result("t2"), "two");
	assert_string_equal(result("t1"), "one");
}

/* What never reached the agent takes no other call's words with it. */
static void
test_withdrawn(void **state)
{
	uint64_t held, again;

	(void)state;
	w.call.id = (struct str){0};
	(void)approve("frobnicate 1", NULL, "of the first");
	w.call.id = STR("t2");
	held = post("frobnicate 2", 1);
	(void)reply(newest_card(), CALL_REPLY_ONCE, "of the second");
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_NEED);
	again = put("frobnicate 2", 1);
	decide_gone(w.d, again, w.now);
	run();
	assert_int_equal(rows_with("decided, not delivered"), 1);
	assert_string_equal(result("t2"), "of the first");
	restart();
	assert_string_equal(result("t2"), "");
}

static void
test_the_session_ends(void **state)
{
	(void)state;
	(void)approve(ASKED, "t1", "go on");
	decide_session_end(w.d, STR("s1"), w.now);
	run();
	assert_string_equal(result("t1"), "");
	restart();
	assert_string_equal(result("t1"), "");
}

static void
test_a_rejections_words(void **state)
{
	uint64_t held;

	(void)state;
	held = post(ASKED, 0);
	(void)reply(newest_card(), CALL_REPLY_REJECT, "use a branch");
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON, "rejected by the");
	assert_true(act_of(held)->answer.from_person);
	assert_string_equal(act_of(held)->answer.note.ptr, "use a branch");
	assert_string_equal(result("t1"), "");
}

static void
test_machines_have_no_words(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	w.post.settings.tier = CALL_TIER_AGGRESSIVE;
	handle = post("frobnicate 1", 0);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	expect_sent(
		handle, CALL_VERDICT_ALLOW, CALL_BY_TIER, ORDER_NOTE_AGGRESSIVE);
	assert_null(act_of(handle)->answer.note.ptr);
	assert_false(act_of(handle)->answer.from_person);
	handle = post("frobnicate 2", 0);
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "it wipes");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	assert_null(act_of(handle)->answer.note.ptr);
	assert_false(act_of(handle)->answer.from_person);
	assert_string_equal(result("t1"), "");
}

static void
test_no_note_is_no_byte(void **state)
{
	static const char *const blank[] = {NULL, "", "  \n\t"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(blank); i++) {
		uint64_t held = approve(ASKED, "t1", blank[i]);

		assert_null(act_of(held)->answer.note.ptr);
		assert_string_equal(result("t1"), "");
	}
}

/* The words of an approval given late come with the call that spends it. */
static void
test_an_approval_that_is_spent(void **state)
{
	struct store_card c;
	uint64_t held;

	(void)state;
	w.post.lasting = true;
	w.post.deadline_ms = w.now + 5000;
	(void)post(ASKED, 0);
	c = newest_card();
	pass(5000);
	(void)reply(c, CALL_REPLY_ONCE, "late, but yes");
	assert_string_equal(result("t1"), "");
	restart();
	w.post.deadline_ms = w.now + 5000;
	w.call.id = STR("t5");
	held = post(ASKED, 1);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_string_equal(result("t1"), "");
	assert_string_equal(result("t5"), "late, but yes");
	assert_string_equal(result("t5"), "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(with_the_answer),
		T(with_the_result),
		T(after_a_restart),
		T(an_answer_that_is_fetched),
		T(several),
		T(withdrawn),
		T(the_session_ends),
		T(a_rejections_words),
		T(machines_have_no_words),
		T(no_note_is_no_byte),
		T(an_approval_that_is_spent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
