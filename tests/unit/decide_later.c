/*
 * The hearing over time: deadlines, cards that outlive their agents, restarts,
 * a store that fails, second hooks, sessions and quotas.
 */
#include "tests/unit/decide_scene.h"

/* --- time ----------------------------------------------------------------- */

static void
test_deadline(void **state)
{
	uint64_t held = post(ASKED, 0);
	struct store_card c = newest_card();

	(void)state;
	pass(59999);
	assert_true(is_open(held));
	pass(1);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_INCOMPLETE, "nobody answered");
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_EXPIRED);
}

static void
test_deadline_with_a_prompt_of_its_own(void **state)
{
	uint64_t held;

	(void)state;
	w.post.own_prompt = true;
	held = post(ASKED, 0);
	pass(60000);
	expect_sent(held, CALL_VERDICT_ASK, CALL_BY_INCOMPLETE, "frobnicate");
	/* never for what only a person of ours may allow */
	w.post.deadline_ms = w.now + 60000;
	held = post("echo x >> ~/.bashrc", 1);
	assert_true(newest_card().person_only);
	pass(60000);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON_ONLY, NULL);
}

static void
test_nobody_may_wait(void **state)
{
	(void)state;
	w.post.can_hold = false;
	expect_sent(post(ASKED, 0), CALL_VERDICT_DENY, CALL_BY_INCOMPLETE,
		"needs a person: ");
	w.post.own_prompt = true;
	expect_sent(post(ASKED, 1), CALL_VERDICT_ASK, CALL_BY_INCOMPLETE, NULL);
}

/* --- cards that outlive their agents -------------------------------------- */

static struct store_card
open_lasting(void)
{
	uint64_t held;

	w.post.lasting = true;
	w.post.deadline_ms = w.now + 5000;
	held = post(ASKED, 0);
	pass(5000);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_INCOMPLETE,
		"waiting for the user; try the same call again");
	w.post.deadline_ms = w.now + 5000;
	return newest_card();
}

static void
test_approval_is_spent_once(void **state)
{
	struct store_card c = open_lasting();
	uint64_t held;

	(void)state;
	assert_int_equal(c.state, STORE_CARD_OPEN);
	expect_replied(reply(c, CALL_REPLY_ONCE, "fine"), DECIDE_DONE);
	assert_int_equal(card(c.number).state, STORE_CARD_APPROVED);
	/* not on another call */
	held = post("frobnicate --soft", 1);
	assert_true(is_open(held));
	held = post(ASKED, 2);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	assert_int_equal(card(c.number).state, STORE_CARD_SENT);
	/* and not twice */
	held = post(ASKED, 3);
	assert_true(is_open(held));
	expect_replied(reply(c, CALL_REPLY_REJECT, NULL), DECIDE_ALREADY);
}

static void
test_identical_call_waits_at_the_same_card(void **state)
{
	struct store_card c = open_lasting();
	uint64_t held = post(ASKED, 1), again;

	(void)state;
	assert_int_equal(newest_card().number, c.number);
	assert_true(decide_is_held(w.d, c.number));
	(void)reply(c, CALL_REPLY_ONCE, NULL);
	again = look_again(held, ASKED, 1);
	expect_sent(again, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_approval_in_another_world_is_not_spent(void **state)
{
	struct call_variable path = {STR("PATH"), STR("/evil")};
	struct store_card c = open_lasting();
	uint64_t held;

	(void)state;
	(void)reply(c, CALL_REPLY_ONCE, NULL);
	w.post.world.variables = &path;
	w.post.world.variable_count = 1;
	held = post(ASKED, 1);
	assert_true(is_open(held));
	assert_true(newest_card().number != c.number);
}

static void
test_approval_expires(void **state)
{
	struct store_card c = open_lasting();
	uint64_t held;

	(void)state;
	(void)reply(c, CALL_REPLY_ONCE, NULL);
	pass(DECIDE_EXPIRES_MS);
	assert_int_equal(card(c.number).state, STORE_CARD_EXPIRED);
	w.post.deadline_ms = w.now + 5000;
	held = post(ASKED, 1);
	assert_true(is_open(held));
}

static void
test_lasting_cards_survive_a_restart(void **state)
{
	struct store_card c = open_lasting();
	uint64_t held;

	(void)state;
	restart();
	pass(DECIDE_REATTACH_MS + 1);
	assert_int_equal(card(c.number).state, STORE_CARD_OPEN);
	expect_replied(reply(c, CALL_REPLY_ONCE, "fine"), DECIDE_DONE);
	restart();
	w.post.deadline_ms = w.now + 5000;
	held = post(ASKED, 1);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_rejection_of_a_lasting_card(void **state)
{
	struct store_card c = open_lasting();
	uint64_t held;

	(void)state;
	expect_replied(reply(c, CALL_REPLY_REJECT, "no"), DECIDE_DONE);
	assert_int_equal(card(c.number).state, STORE_CARD_REJECTED);
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_ALREADY);
	/* the agent hears of it when it tries again, once */
	w.post.deadline_ms = w.now + 5000;
	held = post(ASKED, 1);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON, "rejected");
	assert_string_equal(act_of(held)->answer.note.ptr, "no");
	assert_true(is_open(post(ASKED, 2)));
}

/* --- restarts ------------------------------------------------------------- */

static void
test_agent_comes_back_after_a_restart(void **state)
{
	uint64_t held, person, again;
	struct store_card c;

	(void)state;
	(void)post(ASKED, 0);
	c = newest_card();
	restart();
	assert_false(decide_is_held(w.d, c.number));
	w.now += 5000;
	held = post(ASKED, 0);
	assert_true(is_open(held));
	assert_true(decide_is_held(w.d, c.number));
	pass(DECIDE_REATTACH_MS);
	assert_true(is_open(held));
	person = reply(c, CALL_REPLY_ONCE, NULL);
	again = look_again(held, ASKED, 0);
	expect_sent(again, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_replied(person, DECIDE_DONE);
}

static void
test_agent_is_gone_after_a_restart(void **state)
{
	struct store_card c;

	(void)state;
	(void)post(ASKED, 0);
	c = newest_card();
	restart();
	pass(DECIDE_REATTACH_MS);
	assert_int_equal(card(c.number).state, STORE_CARD_WITHDRAWN);
	assert_int_equal(rows_with("the agent is gone"), 1);
	expect_replied(reply(c, CALL_REPLY_ONCE, NULL), DECIDE_WITHDRAWN);
}

static void
test_reply_before_the_agent_is_back(void **state)
{
	uint64_t person, held;

	(void)state;
	(void)post(ASKED, 0);
	struct store_card c = newest_card();

	restart();
	person = reply(c, CALL_REPLY_ONCE, NULL);
	held = post(ASKED, 0);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_replied(person, DECIDE_DONE);
}

static void
test_decided_and_killed_before_sending(void **state)
{
	uint64_t held;

	(void)state;
	(void)post(ASKED, 0);
	(void)put_reply(newest_card(), CALL_REPLY_REJECT, "no");
	assert_true(commit_once());
	restart(); /* the answer is in the store and was not sent */
	held = post(ASKED, 0);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON, "rejected by");
	assert_true(str_eq(act_of(held)->answer.note, STR("no")));
	restart();
	pass(DECIDE_REATTACH_MS);
	assert_int_equal(rows_with("did not come back for it"), 0);
}

static void
test_stop_lets_go(void **state)
{
	uint64_t held = post(ASKED, 0), late;
	struct store_card c = newest_card();

	(void)state;
	decide_stop(w.d, w.now);
	run();
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_DROP);
	late = post("ls", 1);
	assert_int_equal(act_of(late)->kind, DECIDE_ACT_DROP);
	restart();
	held = post(ASKED, 0);
	assert_true(is_open(held));
	assert_int_equal(newest_card().number, c.number);
}

/* --- the store fails ------------------------------------------------------ */

static void
test_an_allow_without_a_row_is_refused(void **state)
{
	struct decide_status status;
	uint64_t handle;

	(void)state;
	w.disk_full = true;
	handle = post("ls", 0);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "could not record");
	assert_true(act_of(handle)->answer.unrecorded);
	handle = post("rm -rf /", 1);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FLOOR, NULL);
	assert_true(act_of(handle)->answer.unrecorded);
	handle = post(ASKED, 2);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "needs a person");
	decide_status(w.d, &status);
	assert_false(status.recording);
	assert_non_null(strstr(status.failure, "no space left"));
	w.disk_full = false;
	expect_sent(post("ls", 3), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
	decide_status(w.d, &status);
	assert_true(status.recording);
}

static void
test_a_reply_without_a_row_does_not_count(void **state)
{
	uint64_t held = post(ASKED, 0), person;
	struct store_card c = newest_card();

	(void)state;
	w.disk_full = true;
	person = reply(c, CALL_REPLY_REJECT, NULL);
	expect_replied(person, DECIDE_NOT_RECORDED);
	assert_true(is_open(held)); /* still held */
	person = reply(c, CALL_REPLY_ONCE, NULL);
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_NOT_RECORDED);
	assert_true(is_open(held));
	w.disk_full = false;
	person = reply(c, CALL_REPLY_ONCE, NULL);
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_DONE);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

static void
test_an_approval_that_cannot_be_spent_stays(void **state)
{
	struct store_card c = open_lasting();

	(void)state;
	(void)reply(c, CALL_REPLY_ONCE, NULL);
	w.disk_full = true;
	expect_sent(
		post(ASKED, 1), CALL_VERDICT_DENY, CALL_BY_FAILURE, "try again");
	w.disk_full = false;
	expect_sent(post(ASKED, 2), CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
}

/* --- two hooks of one call ------------------------------------------------ */

static uint64_t
post_second(const char *command, int key)
{
	uint64_t handle;

	w.post.second = true;
	w.call.id = (struct str){0};
	handle = post(command, key);
	w.post.second = false;
	w.call.id = STR("t1");
	return handle;
}

static void
test_second_hook(void **state)
{
	uint64_t held = post(ASKED, 0);

	(void)state;
	(void)reply(newest_card(), CALL_REPLY_ONCE, NULL);
	(void)look_again(held, ASKED, 0);
	expect_sent(post_second(ASKED, 1), CALL_VERDICT_ALLOW, CALL_BY_PERSON,
		"the same call as hearing");
	/* consumed: the next is a call of its own */
	held = post_second(ASKED, 2);
	assert_true(is_open(held));
	/* another session's is not touched by it */
	w.call.session = STR("s2");
	held = post_second(ASKED, 3);
	assert_true(is_open(held));
}

static void
test_second_hook_too_late(void **state)
{
	(void)state;
	(void)post("ls", 0);
	w.now += DECIDE_PAIR_MS + 1;
	/* judged by itself, with the same end */
	expect_sent(
		post_second("ls", 1), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
}

/* A note is taken whole, or its reply does not count. */
static void
test_a_note_that_is_too_long(void **state)
{
	char note[4001 * 2 + 1] = {0};
	uint64_t held = post(ASKED, 0);
	struct store_card c = newest_card();

	(void)state;
	for (size_t i = 0; i < 4001; i++)
		memcpy(note + 2 * i, "\xc3\xa9", 2);
	expect_replied(reply(c, CALL_REPLY_REJECT, note), DECIDE_BAD_VALUE);
	assert_true(is_open(held));
	note[8000] = '\0';
	expect_replied(reply(c, CALL_REPLY_REJECT, note), DECIDE_DONE);
	expect_sent(held, CALL_VERDICT_DENY, CALL_BY_PERSON, NULL);
}

/* --- grants --------------------------------------------------------------- */

static size_t
grants(void)
{
	struct store_grant g;
	size_t n = 0;

	while (decide_grant_get(w.d, n, &g))
		n++;
	return n;
}

static void
test_always(void **state)
{
	uint64_t held, person;

	(void)state;
	w.post.project = STR("/w");
	held = post(ASKED, 0);
	person = reply(newest_card(), CALL_REPLY_ALWAYS, NULL);
	assert_int_equal(grants(), 0);
	held = look_again(held, ASKED, 0);
	expect_sent(held, CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_replied(person, DECIDE_DONE);
	assert_int_equal(grants(), 1);
	assert_int_equal(rows_with("\"kind\":\"grant\""), 1);
	expect_sent(post(ASKED, 1), CALL_VERDICT_ALLOW, CALL_BY_GRANT, NULL);
	restart();
	expect_sent(post(ASKED, 1), CALL_VERDICT_ALLOW, CALL_BY_GRANT, NULL);
	/* of this project only */
	w.post.project = STR("/x");
	assert_true(is_open(post(ASKED, 2)));
	w.post.project = (struct str){0};
	assert_true(is_open(post(ASKED, 3)));
}

/* Without its record there is neither an answer nor a grant. */
static void
test_always_that_is_not_recorded(void **state)
{
	uint64_t held, person;

	(void)state;
	w.post.project = STR("/w");
	held = post(ASKED, 0);
	person = reply(newest_card(), CALL_REPLY_ALWAYS, NULL);
	w.disk_full = true;
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_NOT_RECORDED);
	assert_true(is_open(held));
	w.disk_full = false;
	assert_int_equal(grants(), 0);
	assert_true(is_open(post(ASKED, 1)));
	assert_int_equal(grants(), 0);
	assert_int_equal(rows_with("\"kind\":\"grant\""), 0);
}

/* Nothing was granted when the world changed before the reply counted. */
static void
test_always_in_another_world(void **state)
{
	uint64_t held, person;

	(void)state;
	w.post.project = STR("/w");
	held = post(ASKED, 0);
	person = reply(newest_card(), CALL_REPLY_ALWAYS, NULL);
	w.post.world.user = STR("somebody else");
	held = look_again(held, ASKED, 0);
	expect_replied(person, DECIDE_CHANGED);
	assert_true(is_open(held));
	assert_int_equal(grants(), 0);
}

/* --- sessions ------------------------------------------------------------- */

static void
set(enum store_scope scope, const char *key, const char *name,
	const char *value, enum decide_replied want)
{
	struct store_setting s = {
		scope, str_from(key), str_from(name), str_from(value)};
	struct decide_who who = {.name = STR("me"), .level = STR("tty")};
	uint64_t handle = ++w.handle;

	decide_set(w.d, &s, &who, handle, w.now);
	run();
	expect_replied(handle, want);
}

static enum call_mode
mode_of(const char *session)
{
	struct order_settings s = {.mode = CALL_MODE_UNSET};

	decide_settings(w.d, str_from(session), STR("/w"), &s);
	return s.mode;
}

static void
test_modes(void **state)
{
	(void)state;
	assert_int_equal(mode_of("s1"), CALL_MODE_AI_AUTO);
	set(STORE_SCOPE_GLOBAL, "", "mode", "full_access", DECIDE_DONE);
	assert_int_equal(mode_of("s1"), CALL_MODE_FULL_ACCESS);
	set(STORE_SCOPE_PROJECT, "/w", "mode", "auto_approve", DECIDE_DONE);
	assert_int_equal(mode_of("s1"), CALL_MODE_AUTO_APPROVE);
	set(STORE_SCOPE_SESSION, "s1", "mode", "ask", DECIDE_DONE);
	assert_int_equal(mode_of("s1"), CALL_MODE_ASK);
	assert_int_equal(mode_of("s2"), CALL_MODE_AUTO_APPROVE);
	/* a subagent is never freer than who started it */
	decide_session_parent(w.d, STR("sub"), STR("s1"), STR("/w"), w.now);
	assert_int_equal(mode_of("sub"), CALL_MODE_ASK);
	decide_session_parent(w.d, STR("subsub"), STR("sub"), STR("/w"), w.now);
	assert_int_equal(mode_of("subsub"), CALL_MODE_ASK);
	run();
	restart();
	assert_int_equal(mode_of("s1"), CALL_MODE_ASK);
	set(STORE_SCOPE_SESSION, "s1", "mode", NULL, DECIDE_DONE);
	assert_int_equal(mode_of("s1"), CALL_MODE_AUTO_APPROVE);
	set(STORE_SCOPE_SESSION, "s1", "mode", "nonsense", DECIDE_BAD_VALUE);
	set(STORE_SCOPE_PROJECT, "/w", "tier", "passive", DECIDE_BAD_VALUE);
	set(STORE_SCOPE_GLOBAL, "", "colour", "red", DECIDE_BAD_VALUE);
	assert_int_equal(rows_with("\"kind\":\"setting\""), 4);
}

/* The mode that started it counts, whichever layer it is from. */
static void
test_subagents_mode(void **state)
{
	(void)state;
	set(STORE_SCOPE_SESSION, "sub", "mode", "full", DECIDE_DONE);
	decide_session_parent(w.d, STR("sub"), STR("s1"), STR("/w"), w.now);
	decide_session_parent(w.d, STR("s1"), STR("s0"), STR("/w"), w.now);
	assert_int_equal(mode_of("sub"), CALL_MODE_AI_AUTO);
	set(STORE_SCOPE_GLOBAL, "", "mode", "full", DECIDE_DONE);
	assert_int_equal(mode_of("sub"), CALL_MODE_FULL_ACCESS);
	set(STORE_SCOPE_SESSION, "s0", "mode", "ask", DECIDE_DONE);
	assert_int_equal(mode_of("sub"), CALL_MODE_ASK);
	run();
	restart();
	/* parents that are not in memory count, too */
	(void)decide_session_get(w.d, STR("sub"), w.now);
	assert_int_equal(mode_of("sub"), CALL_MODE_ASK);
	set(STORE_SCOPE_SESSION, "s0", "mode", NULL, DECIDE_DONE);
	set(STORE_SCOPE_PROJECT, "/w", "mode", "ask", DECIDE_DONE);
	assert_int_equal(mode_of("sub"), CALL_MODE_ASK);
	/* a circle ends */
	decide_session_parent(w.d, STR("s0"), STR("sub"), STR("/w"), w.now);
	assert_int_equal(mode_of("sub"), CALL_MODE_ASK);
}

/* What is freer counts from the next round on, what is stricter at once. */
static void
test_mode_of_a_round(void **state)
{
	uint64_t first, second;
	struct store_card one, two;

	(void)state;
	first = post("frobnicate --one", 0);
	one = newest_card();
	set(STORE_SCOPE_SESSION, "s1", "mode", "full_access", DECIDE_DONE);
	second = post("frobnicate --two", 1); /* the first still waits */
	assert_true(is_open(second));
	two = newest_card();
	expect_replied(reply(one, CALL_REPLY_REJECT, NULL), DECIDE_DONE);
	expect_replied(reply(two, CALL_REPLY_REJECT, NULL), DECIDE_DONE);
	expect_sent(first, CALL_VERDICT_DENY, CALL_BY_PERSON, NULL);
	first = post("frobnicate --three", 2);
	expect_sent(first, CALL_VERDICT_ALLOW, CALL_BY_MODE, NULL);
	set(STORE_SCOPE_SESSION, "s1", "mode", "ask", DECIDE_DONE);
	assert_true(is_open(post("frobnicate --four", 0)));
	set(STORE_SCOPE_SESSION, "s1", "mode", "auto_approve", DECIDE_DONE);
	assert_true(is_open(post("frobnicate --five", 1)));
	/* another session's rounds are its own */
	w.call.session = STR("s2");
	set(STORE_SCOPE_SESSION, "s2", "mode", "full_access", DECIDE_DONE);
	expect_sent(
		post("frobnicate --six", 2), CALL_VERDICT_ALLOW, CALL_BY_MODE, NULL);
}

/* The daemon was away and the rules' mode is another: the turn that was broken
 * off goes on under the stricter of both. */
static void
test_mode_of_a_broken_turn(void **state)
{
	(void)state;
	w.post.settings.mode = CALL_MODE_ASK;
	decide_turn(w.d, STR("s1"), STR("p1"), w.now);
	assert_true(is_open(post("frobnicate --one", 0)));
	restart();
	w.post.settings.mode = CALL_MODE_FULL_ACCESS;
	assert_true(is_open(post("frobnicate --two", 1)));
	decide_gone(w.d, w.handle, w.now);
	pass(DECIDE_REATTACH_MS);
	assert_true(is_open(post("frobnicate --three", 2)));
	decide_gone(w.d, w.handle, w.now);
	/* the other way round it is stricter, too */
	w.post.settings.mode = CALL_MODE_ASK;
	assert_true(is_open(post("frobnicate --four", 3)));
	decide_gone(w.d, w.handle, w.now);
	/* the user's next message begins anew */
	w.post.settings.mode = CALL_MODE_FULL_ACCESS;
	decide_turn(w.d, STR("s1"), STR("p2"), w.now);
	expect_sent(
		post("frobnicate --five", 0), CALL_VERDICT_ALLOW, CALL_BY_MODE, NULL);
	/* and so does a person who says so */
	w.post.settings.mode = CALL_MODE_ASK;
	assert_true(is_open(post("frobnicate --six", 1)));
	decide_gone(w.d, w.handle, w.now);
	run();
	restart();
	set(STORE_SCOPE_SESSION, "s1", "mode", "full_access", DECIDE_DONE);
	expect_sent(
		post("frobnicate --seven", 2), CALL_VERDICT_ALLOW, CALL_BY_MODE, NULL);
}

/* A rule for a subagent binds those that it starts, over a restart, too. */
static void
test_rules_for_who_started_it(void **state)
{
	struct policy_faults faults;

	(void)state;
	assert_true(policy_add(w.policy, POLICY_LAYER_USER, STR("assent.conf"),
		STR("deny shell \"ls *\" role Planner\n"), w.a, &faults));
	expect_sent(post("ls", 0), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
	w.call.session = STR("s1/plan");
	w.call.parent_session = STR("s1");
	w.call.agent_role = STR("Planner");
	expect_sent(post("ls", 1), CALL_VERDICT_DENY, CALL_BY_RULE, NULL);
	restart();
	w.call.session = STR("s1/work");
	w.call.parent_session = STR("s1/plan");
	w.call.agent_role = STR("Worker");
	expect_sent(post("ls", 2), CALL_VERDICT_DENY, CALL_BY_RULE, NULL);
	expect_sent(post("pwd", 3), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
}

static void
test_turns(void **state)
{
	struct order_settings s = {.mode = CALL_MODE_UNSET};

	(void)state;
	set(STORE_SCOPE_SESSION, "s1", "mode", "ask", DECIDE_DONE);
	set(STORE_SCOPE_TURN, "s1", "mode", "AutoApprove", DECIDE_DONE);
	set(STORE_SCOPE_TURN, "s1", "tier", "passive", DECIDE_DONE);
	assert_int_equal(mode_of("s1"), CALL_MODE_AUTO_APPROVE);
	decide_settings(w.d, STR("s1"), STR("/w"), &s);
	assert_int_equal(s.tier, CALL_TIER_PASSIVE);
	assert_int_equal(mode_of("s2"), CALL_MODE_AI_AUTO);
	decide_turn(w.d, STR("s1"), STR("t2"), w.now);
	assert_int_equal(mode_of("s1"), CALL_MODE_ASK);
	run();
	restart();
	assert_int_equal(mode_of("s1"), CALL_MODE_ASK);
	set(STORE_SCOPE_TURN, "", "mode", "ask", DECIDE_BAD_VALUE);
}

/* A setting holds from its record on, never without one. */
static void
test_setting_that_is_not_recorded(void **state)
{
	(void)state;
	w.disk_full = true;
	set(STORE_SCOPE_GLOBAL, "", "mode", "full_access", DECIDE_NOT_RECORDED);
	assert_int_equal(mode_of("s1"), CALL_MODE_AI_AUTO);
	w.disk_full = false;
	/* the turn that it was meant for is over before it is recorded */
	struct store_setting s = {
		STORE_SCOPE_TURN, STR("s1"), STR("mode"), STR("full_access")};
	struct decide_who who = {.name = STR("me"), .level = STR("tty")};

	decide_set(w.d, &s, &who, ++w.handle, w.now);
	decide_turn(w.d, STR("s1"), STR("t2"), w.now);
	run();
	assert_int_equal(mode_of("s1"), CALL_MODE_AI_AUTO);
}

/* A tier clears no mode, and a mode no tier. */
static void
test_tier_clears_no_mode(void **state)
{
	struct order_settings s = {.mode = CALL_MODE_UNSET};

	(void)state;
	set(STORE_SCOPE_SESSION, "s1", "mode", "ask", DECIDE_DONE);
	set(STORE_SCOPE_SESSION, "s1", "tier", "passive", DECIDE_DONE);
	set(STORE_SCOPE_GLOBAL, "", "tier", "aggressive", DECIDE_DONE);
	decide_settings(w.d, STR("s1"), STR("/w"), &s);
	assert_int_equal(s.mode, CALL_MODE_ASK);
	assert_int_equal(s.tier, CALL_TIER_PASSIVE);
}

static void
test_mode_is_obeyed(void **state)
{
	(void)state;
	set(STORE_SCOPE_SESSION, "s1", "mode", "full_access", DECIDE_DONE);
	expect_sent(post("make deploy", 0), CALL_VERDICT_ALLOW, CALL_BY_MODE, NULL);
	expect_sent(post("rm -rf /", 1), CALL_VERDICT_DENY, CALL_BY_FLOOR, NULL);
}

static bool
is_used_up(const struct decide_session *s)
{
	struct order_settings settings = {0};

	decide_session_budget(w.d, s, w.policy, w.now, &settings);
	return settings.budget_used_up;
}

static bool
is_spent(const struct decide_session *s, const struct policy *p)
{
	struct order_settings settings = {0};

	decide_session_budget(w.d, s, p, w.now, &settings);
	return settings.cost_used_up;
}

static void
test_cost(void **state)
{
	struct decide_session *s = decide_session_get(w.d, STR("s1"), w.now);
	struct decide_session *other = decide_session_get(w.d, STR("s2"), w.now);
	struct policy_faults faults = {0};
	CLEANUP(policy_unrefp) struct policy *p = policy_new();

	(void)state;
	assert_true(policy_add(p, POLICY_LAYER_USER, STR("x"),
		STR("set budget.cost.session 0.01\nset budget.cost.day 0.025\n"),
		w.work, &faults));
	decide_session_cost(w.d, s, 9999000, w.now);
	assert_false(is_spent(s, p));
	decide_session_cost(w.d, s, -1, w.now);
	decide_session_cost(w.d, s, 1000, w.now);
	assert_true(is_spent(s, p));
	assert_false(is_spent(s, w.policy)); /* nothing is set: no limit */
	assert_false(is_spent(other, p));
	decide_session_cost(w.d, other, 9000000, w.now);
	assert_false(is_spent(other, p));
	decide_session_cost(w.d, s, 6000000, w.now);
	assert_true(is_spent(other, p)); /* the day's */
	w.now += (int64_t)24 * 3600 * 1000;
	assert_false(is_spent(other, p));
	assert_true(is_spent(s, p));
	run();
	restart();
	s = decide_session_get(w.d, STR("s1"), w.now);
	assert_true(is_spent(s, p));
}

static void
test_budget(void **state)
{
	struct decide_session *s = decide_session_get(w.d, STR("s1"), w.now);

	(void)state;
	for (int i = 0; i < 2; i++)
		decide_session_judged(w.d, s, CALL_VERDICT_DENY, w.now);
	assert_false(is_used_up(s));
	decide_session_judged(w.d, s, CALL_VERDICT_ALLOW, w.now);
	decide_session_judged(w.d, s, CALL_VERDICT_DENY, w.now);
	assert_false(is_used_up(s));
	decide_session_judged(w.d, s, CALL_VERDICT_DENY, w.now);
	decide_session_judged(w.d, s, CALL_VERDICT_DENY, w.now);
	assert_true(is_used_up(s));
	run();
	restart();
	s = decide_session_get(w.d, STR("s1"), w.now);
	assert_true(is_used_up(s));
	decide_session_replied(w.d, s, w.now);
	assert_false(is_used_up(s));
	for (int i = 0; i < 20; i++) {
		decide_session_judged(w.d, s, CALL_VERDICT_DENY, w.now);
		decide_session_judged(w.d, s, CALL_VERDICT_ALLOW, w.now);
	}
	assert_true(is_used_up(s));
}

static void
test_quota(void **state)
{
	uint64_t handle;

	(void)state;
	for (int i = 0; i < DECIDE_CARDS_SESSION_MAX; i++) {
		char command[40], key[DECIDE_KEY_HEX + 1];

		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		(void)snprintf(key, sizeof(key), "%032d", i);
		w.call.command = w.call.input = str_from(command);
		w.post.call = &w.call;
		w.post.handle = ++w.handle;
		w.post.key = str_from(key);
		w.post.deadline_ms = w.now + 60000;
		arena_reset(w.work);
		decide_post(w.d, w.work, &w.post, w.now);
	}
	run();
	handle = post(ASKED, 1);
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_FAILURE, "too many calls");
	/* who is over is refused alone */
	w.call.session = STR("s2");
	handle = post(ASKED, 2);
	assert_true(is_open(handle));
	w.call.session = STR("s1");
	expect_sent(post("ls", 3), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
}

static void
test_ten_thousand_are_small(void **state)
{
	struct decide_status status;

	(void)state;
	assert_true(sizeof(struct decide_hearing) <= 512);
	for (int i = 0; i < 10000; i++) {
		char key[DECIDE_KEY_HEX + 1], session[16];

		(void)snprintf(key, sizeof(key), "%032d", i);
		(void)snprintf(session, sizeof(session), "s%d", i % 100);
		w.call.session = str_from(session);
		w.call.command = w.call.input = STR(ASKED);
		w.post.call = &w.call;
		w.post.handle = ++w.handle;
		w.post.key = str_from(key);
		w.post.deadline_ms = w.now + 60000 + i;
		arena_reset(w.work);
		decide_post(w.d, w.work, &w.post, w.now);
		if (i % 500 == 0)
			run();
	}
	run();
	decide_status(w.d, &status);
	assert_int_equal(status.held, 10000);
	assert_true(status.bytes < 16 << 20);
	for (int i = 0; i < 100; i++) {
		w.now += 1000;
		(void)decide_tick(w.d, w.now);
		while (commit_once()) {
			struct decide_act act;

			arena_reset(w.a);
			while (decide_next(w.d, w.a, &act)) {
				if (act.kind == DECIDE_ACT_SEND)
					decide_sent(w.d, act.number, true, w.now);
			}
		}
	}
	decide_status(w.d, &status);
	assert_int_equal(status.hearings, 0);
}

static void
test_records_of_the_daemon(void **state)
{
	struct store_audit row = {
		.kind = STORE_KIND_REFUSED, .reason = STR("not a person")};
	uint64_t handle = ++w.handle;

	(void)state;
	decide_record(w.d, &row, handle, w.now);
	run();
	expect_replied(handle, DECIDE_DONE);
	assert_int_equal(rows_with("not a person"), 1);
	w.disk_full = true;
	handle = ++w.handle;
	decide_record(w.d, &row, handle, w.now);
	run();
	expect_replied(handle, DECIDE_NOT_RECORDED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(deadline),
		T(deadline_with_a_prompt_of_its_own),
		T(nobody_may_wait),
		T(approval_is_spent_once),
		T(identical_call_waits_at_the_same_card),
		T(approval_in_another_world_is_not_spent),
		T(approval_expires),
		T(lasting_cards_survive_a_restart),
		T(rejection_of_a_lasting_card),
		T(agent_comes_back_after_a_restart),
		T(agent_is_gone_after_a_restart),
		T(reply_before_the_agent_is_back),
		T(decided_and_killed_before_sending),
		T(stop_lets_go),
		T(an_allow_without_a_row_is_refused),
		T(a_reply_without_a_row_does_not_count),
		T(an_approval_that_cannot_be_spent_stays),
		T(second_hook),
		T(second_hook_too_late),
		T(a_note_that_is_too_long),
		T(always),
		T(always_that_is_not_recorded),
		T(always_in_another_world),
		T(modes),
		T(subagents_mode),
		T(mode_of_a_round),
		T(mode_of_a_broken_turn),
		T(rules_for_who_started_it),
		T(turns),
		T(setting_that_is_not_recorded),
		T(tier_clears_no_mode),
		T(mode_is_obeyed),
		T(cost),
		T(budget),
		T(quota),
		T(ten_thousand_are_small),
		T(records_of_the_daemon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
