/*
 * A model is asked: what its answer does, and what happens when nobody waits for
 * it any more.
 */
#include "tests/unit/decide_model.h"

/* --- answers -------------------------------------------------------------- */

static void
test_allow(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	assert_true(is_open(handle));
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	assert_int_equal(question()->handle, 0);
	assert_true(str_eq(question()->ask.system, judge_system()));
	assert_true(str_has(question()->ask.user, STR(ASKED)));
	assert_int_equal(question()->ask.left_ms, 30000);
	assert_true(str_eq(question()->ask.session, STR("s1")));
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "ordinary");
	assert_int_equal(rows_with("\"by\":\"judge\",\"risk\":\"low\""), 1);
	/* a second answer does not count */
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "no");
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "ordinary");
}

static void
test_what_needs_no_judge_asks_none(void **state)
{
	(void)state;
	use(JUDGED);
	expect_sent(post("ls", 0), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
	expect_sent(post("rm -rf /", 1), CALL_VERDICT_DENY, CALL_BY_FLOOR, NULL);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 0);
}

static void
test_critical_is_refused(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "it wipes");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	/* nor is it asked again because it is written in another way */
	handle = post(ASKED " ", 0);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	handle = post(ASKED " # please", 0);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
}

/* The person who approves it is not asked for by a model again. */
static void
test_escalated_then_approved(void **state)
{
	uint64_t held, person;

	(void)state;
	use(JUDGED);
	held = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_MEDIUM, "unsure");
	assert_true(is_open(held));
	assert_string_equal(newest_card().reason.ptr, "unsure");
	assert_int_equal(newest_card().risk, CALL_RISK_MEDIUM);
	person = reply(newest_card(), CALL_REPLY_ONCE, "go on");
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_DONE);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, "approved");
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
}

static void
test_changed_since_then_is_judged_again(void **state)
{
	uint64_t held, person;
	struct call_variable changed = {STR("PATH"), STR("/elsewhere")};

	(void)state;
	use(JUDGED);
	held = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	person = reply(newest_card(), CALL_REPLY_ONCE, "");
	w.post.world.variables = &changed;
	w.post.world.variable_count = 1;
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_CHANGED);
	assert_true(is_open(held));
	assert_int_equal(count(DECIDE_ACT_JUDGE), 2);
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "fine");
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "fine");
}

static void
test_failures_are_no_escalation(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	w.post.settings.tier = CALL_TIER_AGGRESSIVE;
	handle = post(ASKED, 0);
	fail_judge(question()->number, "connect", "the provider is not there");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_TIER,
		"could not be judged: the provider is not there");
	handle = post(ASKED, 1);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	expect_sent(
		handle, CALL_VERDICT_ALLOW, CALL_BY_TIER, ORDER_NOTE_AGGRESSIVE);
	w.post.settings.tier = CALL_TIER_PASSIVE;
	handle = post(ASKED, 2);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_TIER, ORDER_NOTE_PASSIVE);
}

static void
test_a_failure_is_a_card(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	fail_judge(question()->number, "timeout", "no answer in 30 s");
	assert_true(is_open(handle));
	assert_string_equal(
		newest_card().reason.ptr, "could not be judged: no answer in 30 s");
}

static void
test_what_cannot_be_shown_is_not_asked(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(arena_fmt(w.a, "frobnicate %080000d", 1).ptr, 0);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 0);
	assert_true(is_open(handle));
	assert_true(str_has(newest_card().reason, STR("too large")));
}

/* --- nobody waits any more ------------------------------------------------ */

static void
test_withdrawn(void **state)
{
	uint64_t handle;
	int64_t number;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	number = question()->number;
	decide_gone(w.d, handle, w.now);
	run();
	assert_int_equal(count(DECIDE_ACT_UNJUDGE), 1);
	say(number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	assert_int_equal(act_of(handle)->kind, DECIDE_ACT_NONE);
	assert_int_equal(rows_with("\"verdict\":\"allow\""), 0);
	assert_int_equal(rows_with("\"kind\":\"withdrawn\""), 1);
}

static void
test_withdrawn_before_it_was_asked(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = put(ASKED, 0);
	decide_gone(w.d, handle, w.now);
	run();
	assert_int_equal(count(DECIDE_ACT_JUDGE), 0);
}

static void
test_session_ends(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	decide_session_end(w.d, STR("s1"), w.now);
	run();
	assert_int_equal(act_of(handle)->kind, DECIDE_ACT_DROP);
	assert_int_equal(count(DECIDE_ACT_UNJUDGE), 1);
}

static void
test_no_answer_in_time(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	pass(29000);
	assert_int_equal(count(DECIDE_ACT_UNJUDGE), 0);
	pass(2000);
	assert_int_equal(count(DECIDE_ACT_UNJUDGE), 1);
	assert_true(is_open(handle));
	assert_string_equal(newest_card().reason.ptr,
		"could not be judged: the judge did not answer in time");
}

/* Time is left for a card, and for its words. */
static void
test_agents_with_little_patience(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	w.post.deadline_ms = w.now + 10000;
	w.post.lasting = true;
	handle = post(ASKED, 0);
	assert_int_equal(question()->ask.left_ms, 8000);
	pass(8500);
	assert_true(is_open(handle));
	pass(1500);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "try the same");
	/* the same call again waits before the same card; no model is asked */
	w.post.deadline_ms = w.now + 10000;
	handle = post(ASKED, 1);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	assert_true(is_open(handle));
}

static void
test_the_client_comes_back(void **state)
{
	uint64_t first, second;

	(void)state;
	use(JUDGED);
	first = post(ASKED, 0);
	second = post(ASKED, 0);
	assert_int_equal(act_of(first)->kind, DECIDE_ACT_DROP);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	expect_sent(second, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "ordinary");
}

static void
test_stop(void **state)
{
	uint64_t handle;
	int64_t number;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	number = question()->number;
	decide_stop(w.d, w.now);
	run();
	assert_int_equal(act_of(handle)->kind, DECIDE_ACT_DROP);
	assert_int_equal(count(DECIDE_ACT_UNJUDGE), 1);
	say(number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	assert_int_equal(rows_with("\"verdict\":\"allow\""), 0);
	restart();
	handle = post(ASKED, 0);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, NULL);
}

static void
test_an_allow_that_cannot_be_recorded(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	w.disk_full = true;
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "not record");
}

/* A stricter mode counts at once, a freer one from the next call on. */
static void
test_the_mode_changes_meanwhile(void **state)
{
	struct store_setting mode = {
		.name = STR("mode"), .value = STR("full_access")};
	struct decide_who who = {.name = STR("me")};
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post(ASKED, 0);
	decide_set(w.d, &mode, &who, ++w.handle, w.now);
	run();
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "it wipes");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	mode.value = STR("ai_auto");
	decide_set(w.d, &mode, &who, ++w.handle, w.now);
	run();
	handle = post("frobnicate --soft", 1);
	mode.value = STR("ask");
	decide_set(w.d, &mode, &who, ++w.handle, w.now);
	run();
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	assert_true(is_open(handle));
	assert_true(str_has(newest_card().reason, STR("mode ask")));
}

static void
test_calls_of_one_round_are_judged_at_once(void **state)
{
	uint64_t a, b;
	int64_t first;

	(void)state;
	use(JUDGED);
	a = post("frobnicate --a", 0);
	first = question()->number;
	b = post("frobnicate --b", 1);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 2);
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "b");
	say(first, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "a");
	expect_sent(a, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "a");
	expect_sent(b, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, "b");
}

/* Whoever asks too much is not judged, and takes nothing from others. */
static void
test_a_session_that_asks_too_much(void **state)
{
	char command[32], key[DECIDE_KEY_HEX + 1];
	struct decide_act act;
	uint64_t held;

	(void)state;
	use(JUDGED);
	for (int i = 0; i < DECIDE_JUDGED_SESSION_MAX; i++) {
		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		(void)snprintf(key, sizeof(key), "%032d", i + 10);
		w.call.command = w.call.input = str_from(command);
		w.post.call = &w.call;
		w.post.handle = ++w.handle;
		w.post.key = str_from(key);
		w.post.deadline_ms = w.now + 60000;
		arena_reset(w.work);
		decide_post(w.d, w.work, &w.post, w.now);
	}
	while (decide_next(w.d, w.a, &act))
		assert_int_equal(act.kind, DECIDE_ACT_JUDGE);
	held = post("frobnicate --more", 0);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 0);
	assert_true(is_open(held));
	assert_true(str_has(newest_card().reason, STR("too many calls wait")));
	w.call.session = STR("s2");
	(void)post("frobnicate --more", 1);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	decide_session_end(w.d, STR("s1"), w.now);
	while (decide_next(w.d, w.a, &act))
		;
	assert_int_equal(w.d->judging, 1);
}

/* Unattended reviews do not stall: no model is asked about their reads. */
static void
test_review_agents(void **state)
{
	(void)state;
	use(JUDGED);
	w.post.settings.tier = CALL_TIER_PASSIVE;
	w.call.agent_role = STR("CodeReview");
	expect_sent(post("cat secrets/.env", 0), CALL_VERDICT_ALLOW,
		CALL_BY_FAST_PATH, "review agent");
	assert_int_equal(count(DECIDE_ACT_JUDGE), 0);
	w.call.role_unverified = true;
	(void)post("cat secrets/.env", 1);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	assert_false(str_has(question()->ask.user, STR("sensitive")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(allow),
		T(what_needs_no_judge_asks_none),
		T(critical_is_refused),
		T(escalated_then_approved),
		T(changed_since_then_is_judged_again),
		T(failures_are_no_escalation),
		T(a_failure_is_a_card),
		T(what_cannot_be_shown_is_not_asked),
		T(withdrawn),
		T(withdrawn_before_it_was_asked),
		T(session_ends),
		T(no_answer_in_time),
		T(agents_with_little_patience),
		T(the_client_comes_back),
		T(stop),
		T(an_allow_that_cannot_be_recorded),
		T(the_mode_changes_meanwhile),
		T(calls_of_one_round_are_judged_at_once),
		T(a_session_that_asks_too_much),
		T(review_agents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
