/*
 * What a model is told of a turn: it only grows, a restart changes no byte, and
 * what people answered becomes a rule at the next turn.
 */
#include "tests/unit/decide_model.h"

static struct str
asked(void)
{
	return question()->ask.user;
}

static struct str
prefix(void)
{
	return str_sub(asked(), 0, question()->ask.prefix);
}

static void
expect_asked(const char *text)
{
	if (!str_has(asked(), str_from(text)))
		print_error("%.*s\nhas no: %s\n", STR_ARG(asked()), text);
	assert_true(str_has(asked(), str_from(text)));
}

static void
expect_not_asked(const char *text)
{
	assert_false(str_has(asked(), str_from(text)));
}

static void
say_user(const char *text)
{
	struct judge_message *m = ARENA_ARRAY(w.a, 1, struct judge_message);

	m->from_user = true;
	m->text = str_from(text);
	w.post.messages = m;
	w.post.message_count = 1;
}

static void
new_turn(void)
{
	decide_turn(w.d, STR("s1"), (struct str){0}, w.now);
	run();
}

/* The answer, and nothing asked. */
static void
ask_again(const char *command, int key)
{
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	(void)post(command, key);
}

/* --- history -------------------------------------------------------------- */

static void
test_the_prefix_only_grows(void **state)
{
	char command[64];
	struct str before;

	(void)state;
	use(JUDGED);
	say_user("clean up");
	(void)post("ls", 0); /* no model, and in the history all the same */
	(void)post("frobnicate 0", 1);
	before = prefix();
	expect_asked("clean up");
	expect_asked("1. shell by \"Bash\" on \"ls\" -> allowed\n");
	for (int i = 1; i < 12; i++) {
		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		ask_again(command, 1);
		assert_true(str_starts(prefix(), before));
		assert_true(prefix().len > before.len);
		before = prefix();
	}
	expect_asked("12. shell by \"Bash\" on \"frobnicate 10\" -> allowed\n");
	/* the call itself is not in the history yet */
	expect_not_asked("\"frobnicate 11\" -> ");
}

static void
test_how_calls_end(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post("rm -rf /", 0);
	expect_sent(post_answered("frobnicate 1", 1, CALL_REPLY_ONCE, "fine today"),
		CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	expect_sent(post_answered("frobnicate 2", 1, CALL_REPLY_REJECT, "not that"),
		CALL_VERDICT_DENY, CALL_BY_PERSON, NULL);
	w.post.settings.tier = CALL_TIER_AGGRESSIVE;
	(void)post("frobnicate 3", 1);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	w.post.settings.tier = CALL_TIER_STANDARD;
	(void)post("frobnicate 4", 1);
	expect_asked("1. shell by \"Bash\" on \"rm -rf /\" -> denied\n");
	expect_asked(
		"on \"frobnicate 1\" -> allowed (user note: \"fine today\")\n");
	expect_asked("on \"frobnicate 2\" -> rejected (user note: \"not that\")\n");
	expect_asked(
		"on \"frobnicate 3\" -> allowed (tier note: "
		"\"aggressive mode, auto-approve all escalated tool calls\")\n");
	expect_not_asked("user note: \"aggressive");
	expect_not_asked("unsure");
}

static void
test_failed_calls(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post_allowed("frobnicate 1", 0);
	w.call.command = w.call.input = STR("frobnicate 1");
	decide_failed(w.d, &w.post, w.now);
	run();
	(void)post("frobnicate 2", 1);
	expect_asked("1. shell by \"Bash\" on \"frobnicate 1\" -> allowed\n"
				 "2. shell by \"Bash\" on \"frobnicate 1\" -> failed\n");
}

static void
test_what_a_marker_names_is_not_told(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED);
	handle = post("cat secrets/.env", 0);
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "asked for");
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, NULL);
	expect_sent(post_answered("cat other/.env", 1, CALL_REPLY_ONCE, "yes"),
		CALL_VERDICT_ALLOW, CALL_BY_PERSON, NULL);
	(void)post("frobnicate 1", 2);
	expect_not_asked(".env");
	new_turn();
	ask_again("frobnicate 2", 2);
	expect_not_asked(".env");
	expect_not_asked("sensitive");
}

static void
test_secrets_are_not_told(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post_answered("frobnicate --password=hunter2hunter2", 0,
		CALL_REPLY_REJECT, "the password hunter2hunter2 is old");
	(void)post("frobnicate 1", 1);
	expect_asked("--password=[secret:password]");
	expect_not_asked("--password=hunter2");
	new_turn();
	ask_again("frobnicate 2", 1);
	expect_asked("- User rejected shell on \"frobnicate "
				 "--password=[secret:password]\"");
	assert_int_equal(rows_with("--password=hunter2"), 0);
}

static void
test_a_long_turn(void **state)
{
	char command[600];
	struct str before;
	size_t cuts = 0;

	(void)state;
	use(JUDGED);
	(void)post("frobnicate", 0);
	before = prefix();
	for (int i = 0; i < 300; i++) {
		(void)snprintf(command, sizeof(command), "ls %0500d", i);
		(void)post(command, 1);
		if (i % 10 != 0)
			continue;
		ask_again("frobnicate", 0);
		cuts += !str_starts(prefix(), before);
		before = arena_dup(w.a, prefix());
		w.act_count = 0;
		(void)post("frobnicate --again", 2);
	}
	/* old entries go many at a time */
	assert_in_range(cuts, 1, 6);
	assert_true(prefix().len < (size_t)2 * JUDGE_HISTORY_BYTES);
	ask_again("frobnicate --again", 3);
	expect_asked("earlier calls of this turn are not shown)");
	before = arena_dup(w.a, prefix());
	restart();
	(void)post("frobnicate --again", 2);
	assert_true(str_eq(prefix(), before));
}

/* --- lost and found ------------------------------------------------------- */

static void
test_a_restart_changes_no_byte(void **state)
{
	struct str before;

	(void)state;
	use(JUDGED);
	say_user("clean up");
	w.call.turn = STR("p1");
	(void)post_answered("frobnicate 1", 0, CALL_REPLY_ONCE, "fine");
	(void)post("ls", 1);
	(void)post("frobnicate 2", 0);
	before = arena_dup(w.a, asked());
	decide_gone(w.d, w.handle, w.now);
	run();
	restart();
	(void)post("frobnicate 2", 0);
	assert_true(str_eq(asked(), before));
	/* nor does what people answered meanwhile: it is for the next turn */
	expect_not_asked("with note: \"fine\"");
}

static void
test_a_restart_before_the_first_question(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post("ls", 0);
	restart();
	(void)post("ls -l", 0);
	(void)post("frobnicate", 1);
	expect_asked("1. shell by \"Bash\" on \"ls\" -> allowed\n"
				 "2. shell by \"Bash\" on \"ls -l\" -> allowed\n");
}

static void
test_turns_leave_memory(void **state)
{
	struct str before;
	char session[32];

	(void)state;
	use(JUDGED);
	(void)post_allowed("frobnicate 1", 0);
	(void)post("frobnicate 2", 0);
	before = arena_dup(w.a, asked());
	decide_gone(w.d, w.handle, w.now);
	run();
	for (int i = 0; i < DECIDE_TURNS_MAX + 10; i++) {
		w.now++;
		(void)snprintf(session, sizeof(session), "other%d", i);
		w.call.session = str_from(session);
		(void)post("ls", 1);
		w.act_count = 0;
	}
	assert_in_range(w.d->turn_count, 1, DECIDE_TURNS_MAX);
	w.call.session = STR("s1");
	(void)post("frobnicate 2", 0);
	assert_true(str_eq(asked(), before));
}

static void
test_a_turn_ends(void **state)
{
	(void)state;
	use(JUDGED);
	w.call.turn = STR("p1");
	(void)post_allowed("frobnicate 1", 0);
	(void)post("frobnicate 2", 0);
	expect_asked("\"frobnicate 1\" -> allowed");
	w.call.turn = STR("p2");
	ask_again("frobnicate 3", 0);
	expect_not_asked("-> allowed");
	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	new_turn();
	(void)post("frobnicate 4", 0);
	expect_not_asked("-> allowed");
	restart();
	(void)post("frobnicate 5", 0);
	expect_not_asked("\"frobnicate 3\" -> allowed");
}

/* What the last turn left running ends, and the new one stays. */
static void
test_late_calls_of_the_turn_before(void **state)
{
	int64_t late;

	(void)state;
	use(JUDGED);
	w.call.turn = STR("p1");
	(void)post("frobnicate 1", 0);
	late = question()->number;
	decide_turn(w.d, STR("s1"), STR("p2"), w.now);
	w.call.turn = STR("p2");
	(void)post_allowed("frobnicate 2", 1);
	say(late, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	(void)post("frobnicate 3", 1);
	expect_asked("\"frobnicate 2\" -> allowed");
	expect_not_asked("\"frobnicate 1\" -> allowed");
}

/* An agent that does not say when its user writes. */
static void
test_a_turn_ends_by_what_the_user_wrote(void **state)
{
	(void)state;
	use(JUDGED);
	say_user("clean up");
	(void)post_allowed("frobnicate 1", 0);
	(void)post("frobnicate 2", 0);
	expect_asked("\"frobnicate 1\" -> allowed");
	say_user("and now deploy");
	ask_again("frobnicate 3", 0);
	expect_not_asked("-> allowed");
	expect_asked("and now deploy");
}

/* --- the user's rules ----------------------------------------------------- */

static void
test_replies_become_rules(void **state)
{
	(void)state;
	use(JUDGED);
	w.post.project = STR("/w");
	(void)post_answered("frobnicate 1", 0, CALL_REPLY_ONCE, "fine today");
	(void)post_answered("frobnicate 2", 0, CALL_REPLY_REJECT, "never\nthat");
	(void)post_answered("frobnicate 3", 0, CALL_REPLY_ONCE, " ");
	(void)post_answered("frobnicate 4", 0, CALL_REPLY_ALWAYS, NULL);
	(void)post("frobnicate 5", 0);
	expect_not_asked("with note: \"fine today\"");
	new_turn();
	ask_again("frobnicate 6", 0);
	expect_asked("- User rejected shell on \"frobnicate 2\": "
				 "\"never\\nthat\"\n"
				 "- User approved shell on \"frobnicate 1\" with note: "
				 "\"fine today\"\n</user_rules>");
	expect_asked(" shell on \"frobnicate 4\"\n- User rejected");
	expect_not_asked("shell on \"frobnicate 3\" with");
	/* one line for one thing: the newest */
	(void)post_answered("frobnicate 1", 1, CALL_REPLY_REJECT, "no more");
	new_turn();
	ask_again("frobnicate 7", 0);
	expect_asked("- User rejected shell on \"frobnicate 1\": \"no more\"\n");
	expect_not_asked("fine today");
}

static void
test_rules_outlive_the_audit(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post_answered("frobnicate 1", 0, CALL_REPLY_ONCE, "fine today");
	bool more = false;

	run();
	assert_int_equal(
		store_prune(w.store, INT64_MAX, INT64_MAX, w.now, &more), 0);
	restart();
	new_turn();
	(void)post("frobnicate 2", 0);
	expect_asked("- User approved shell on \"frobnicate 1\" with note");
}

static void
test_a_subagent_has_its_parents_rules(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post_answered("frobnicate 1", 0, CALL_REPLY_ONCE, "of the parent");
	w.call.session = STR("s1/a");
	w.call.parent_session = STR("s1");
	(void)post_answered("frobnicate 2", 0, CALL_REPLY_ONCE, "of its own");
	w.call.session = STR("s2");
	w.call.parent_session = (struct str){0};
	(void)post_answered("frobnicate 3", 0, CALL_REPLY_ONCE, "of another");
	w.call.session = STR("s1/a");
	w.call.parent_session = STR("s1");
	decide_turn(w.d, STR("s1/a"), STR("p2"), w.now);
	(void)post("frobnicate 4", 0);
	expect_asked("of the parent");
	expect_asked("of its own");
	expect_not_asked("of another");
	w.call.session = STR("s1");
	w.call.parent_session = (struct str){0};
	new_turn();
	ask_again("frobnicate 5", 0);
	expect_asked("of the parent");
	expect_not_asked("of its own");
}

static void
test_fifty_rules(void **state)
{
	char command[64], note[64];

	(void)state;
	use(JUDGED);
	for (int i = 0; i < 60; i++) {
		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		(void)snprintf(note, sizeof(note), "note %d.", i);
		w.act_count = 0;
		(void)post_answered(
			command, 0, i == 0 ? CALL_REPLY_REJECT : CALL_REPLY_ONCE, note);
	}
	new_turn();
	w.act_count = 0;
	(void)post("frobnicate --all", 0);
	expect_asked("\"note 59.\"");
	expect_asked("\"note 10.\"");
	expect_not_asked("\"note 9.\"");
	expect_not_asked("\"note 0.\"");
}

/* Replies of machines are none of the user's. */
static void
test_machines_make_no_rules(void **state)
{
	(void)state;
	use(JUDGED);
	w.post.settings.tier = CALL_TIER_PASSIVE;
	(void)post("frobnicate 1", 0);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	w.post.settings.tier = CALL_TIER_STANDARD;
	new_turn();
	(void)post("frobnicate 2", 0);
	expect_not_asked("\n- ");
}

/* --- the tier ------------------------------------------------------------- */

static void
test_the_tier_changes_no_byte(void **state)
{
	struct store_setting tier = {.scope = STORE_SCOPE_SESSION,
		.key = STR("s1"),
		.name = STR("tier"),
		.value = STR("aggressive")};
	struct store_setting mode = {.scope = STORE_SCOPE_SESSION,
		.key = STR("s1"),
		.name = STR("mode"),
		.value = STR("ai_auto")};
	struct decide_who who = {.name = STR("me")};
	struct order_settings now = {0};
	struct str before;

	(void)state;
	use(JUDGED);
	say_user("clean up");
	decide_set(w.d, &mode, &who, ++w.handle, w.now);
	(void)post("ls", 0);
	(void)post("frobnicate 1", 1);
	before = arena_dup(w.a, asked());
	decide_gone(w.d, w.handle, w.now);
	decide_set(w.d, &tier, &who, ++w.handle, w.now);
	run();
	(void)post("frobnicate 1", 1);
	assert_true(str_eq(asked(), before));
	expect_not_asked("aggressive");
	now.mode = CALL_MODE_ASK; /* of the files: what was set stands over it */
	decide_settings(w.d, STR("s1"), (struct str){0}, &now);
	assert_int_equal(now.mode, CALL_MODE_AI_AUTO);
	assert_int_equal(now.tier, CALL_TIER_AGGRESSIVE);
}

/* --- refusals ------------------------------------------------------------- */

static void
test_critical_is_not_lifted_by_insisting(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED "set judge.on_block return\n");
	handle = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "it wipes");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	for (int i = 0; i < 2; i++)
		expect_sent(
			post(ASKED, 0), CALL_VERDICT_DENY, CALL_BY_JUDGE, "it wipes");
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
}

static void
test_a_refusal_goes_back_first(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED "set judge.on_block return\n");
	handle = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_HIGH, "not asked for");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "not asked for");
	handle = post(ASKED, 0);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 1);
	assert_true(is_open(handle));
	assert_string_equal(newest_card().reason.ptr, "not asked for");
	assert_int_equal(newest_card().risk, CALL_RISK_HIGH);
	/* what is escalated is not sent back */
	handle = post("frobnicate 2", 1);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_HIGH, "unsure");
	assert_true(is_open(handle));
	/* in the next turn it is judged anew */
	new_turn();
	(void)post("frobnicate --other", 2);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 3);
}

static void
test_insisting_goes_to_the_tier(void **state)
{
	uint64_t handle;

	(void)state;
	use(JUDGED "set judge.on_block return\n");
	w.post.settings.tier = CALL_TIER_AGGRESSIVE;
	handle = post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_HIGH, "not asked for");
	expect_sent(handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "not asked for");
	expect_sent(post(ASKED, 0), CALL_VERDICT_ALLOW, CALL_BY_TIER,
		ORDER_NOTE_AGGRESSIVE);
}

static void
test_the_budget(void **state)
{
	char command[64];
	uint64_t handle;

	(void)state;
	use(JUDGED "set budget.row 2\n");
	for (int i = 0; i < 2; i++) {
		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		(void)post(command, 0);
		say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "no");
	}
	assert_int_equal(count(DECIDE_ACT_JUDGE), 2);
	handle = post("frobnicate --more", 0);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 2);
	assert_true(is_open(handle));
	assert_int_equal(newest_card().by, CALL_BY_BUDGET);
	/* what comes before the judge still works */
	expect_sent(post("ls", 1), CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH, NULL);
	(void)reply(newest_card(), CALL_REPLY_REJECT, NULL);
	(void)post("frobnicate --after", 2);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 3);
}

/* That nobody came to a card is no refusal of the judge's. */
static void
test_cards_that_run_out_cost_no_budget(void **state)
{
	char command[64];

	(void)state;
	use(JUDGED "set budget.row 2\n");
	for (int i = 0; i < 3; i++) {
		(void)snprintf(command, sizeof(command), "frobnicate %d", i);
		w.post.deadline_ms = w.now + 10000;
		(void)post(command, 0);
		say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
		pass(10000);
		expect_sent(w.handle, CALL_VERDICT_DENY, CALL_BY_JUDGE, "in time");
	}
	assert_int_equal(count(DECIDE_ACT_JUDGE), 3);
}

static void
test_a_subagent_spends_its_parents_budget(void **state)
{
	char session[32];

	(void)state;
	use(JUDGED "set budget.session 3\n");
	w.call.parent_session = STR("s1");
	for (int i = 0; i < 3; i++) {
		(void)snprintf(session, sizeof(session), "s1/%d", i);
		w.call.session = str_from(session);
		(void)post(ASKED, 0);
		say(question()->number, JUDGE_SAYS_DENY, CALL_RISK_CRITICAL, "no");
	}
	w.call.session = STR("s1/9");
	(void)post(ASKED, 1);
	assert_int_equal(count(DECIDE_ACT_JUDGE), 3);
	assert_int_equal(newest_card().by, CALL_BY_BUDGET);
}

/* --- the record ----------------------------------------------------------- */

static void
test_what_is_recorded(void **state)
{
	(void)state;
	use(JUDGED);
	(void)post(ASKED, 0);
	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_MEDIUM,
		"the key sk-ant-api03-0123456789abcdefghij0123456789abcdefghij is "
		"used: "
		"unsure");
	assert_int_equal(
		rows_with("\"provider\":\"ollama\",\"model\":\"small\","
				  "\"judged\":\"escalate\",\"judged_risk\":\"medium\","
				  "\"judged_reason\":\"the key "),
		1);
	assert_int_equal(
		rows_with("\"input_tokens\":1200,\"cached_tokens\":900,"
				  "\"output_tokens\":40,\"unpriced\":true,\"latency_ms\":700,"
				  "\"attempts\":1"),
		1);
	assert_int_equal(rows_with("0123456789abcdefghij"), 0);
	assert_false(str_has(newest_card().reason, STR("0123456789abcdefghij")));
	(void)post("frobnicate 2", 1);
	fail_judge(question()->number, "timeout", "no answer in 30 s");
	assert_int_equal(
		rows_with("\"judged\":\"failure\",\"trouble\":\"timeout\","), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_prefix_only_grows),
		T(how_calls_end),
		T(failed_calls),
		T(what_a_marker_names_is_not_told),
		T(secrets_are_not_told),
		T(a_long_turn),
		T(a_restart_changes_no_byte),
		T(a_restart_before_the_first_question),
		T(turns_leave_memory),
		T(a_turn_ends),
		T(late_calls_of_the_turn_before),
		T(a_turn_ends_by_what_the_user_wrote),
		T(replies_become_rules),
		T(rules_outlive_the_audit),
		T(a_subagent_has_its_parents_rules),
		T(fifty_rules),
		T(machines_make_no_rules),
		T(the_tier_changes_no_byte),
		T(critical_is_not_lifted_by_insisting),
		T(a_refusal_goes_back_first),
		T(insisting_goes_to_the_tier),
		T(the_budget),
		T(cards_that_run_out_cost_no_budget),
		T(a_subagent_spends_its_parents_budget),
		T(what_is_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
