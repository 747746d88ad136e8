#ifndef TESTS_UNIT_DECIDE_MODEL_H
#define TESTS_UNIT_DECIDE_MODEL_H

/*
 * A model beside the scene: what it is asked, and what it says.
 */

#include "tests/unit/decide_scene.h"

/* --- the model ------------------------------------------------------------ */

static inline void
use(const char *rules)
{
	struct policy_faults faults;

	policy_unref(w.policy);
	w.policy = policy_new();
	assert_true(policy_add(w.policy, POLICY_LAYER_USER, STR("assent.conf"),
		str_from(rules), w.a, &faults));
	w.post.policy = w.policy;
}

#define JUDGED "set judge.provider ollama\n"

static inline const struct decide_act *
newest(enum decide_act_kind kind)
{
	const struct decide_act *found = NULL;

	for (size_t i = 0; i < w.act_count; i++) {
		if (w.acts[i].kind == kind)
			found = &w.acts[i];
	}
	return found;
}

static inline size_t
count(enum decide_act_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < w.act_count; i++)
		n += w.acts[i].kind == kind;
	return n;
}

static inline const struct decide_act *
question(void)
{
	static const struct decide_act none;
	const struct decide_act *act = newest(DECIDE_ACT_JUDGE);

	assert_non_null(act);
	return act ? act : &none;
}

static inline void
say(int64_t number, enum judge_says says, enum call_risk risk,
	const char *reason)
{
	decide_judged(w.d, number,
		&(struct decide_judged){
			.verdict =
				{
						  .says = says,
						  .said = says,
						  .risk = risk,
						  .reason = str_from(reason),
						  },
			.provider = STR("ollama"),
			.model = STR("small"),
			.input_tokens = 1200,
			.cached_tokens = 900,
			.output_tokens = 40,
			.cost_nano = -1,
			.latency_ms = 700,
			.attempts = 1,
    },
		w.now);
	run();
}

static inline void
fail_judge(int64_t number, const char *trouble, const char *reason)
{
	decide_judged(w.d, number,
		&(struct decide_judged){
			.trouble = trouble,
			.reason = str_from(reason),
			.cost_nano = -1,
		},
		w.now);
	run();
}

/* Posts, has the model say that it is fine, and returns the handle. */
static inline uint64_t
post_allowed(const char *command, int key)
{
	uint64_t handle = post(command, key);

	say(question()->number, JUDGE_SAYS_ALLOW, CALL_RISK_LOW, "ordinary");
	expect_sent(handle, CALL_VERDICT_ALLOW, CALL_BY_JUDGE, NULL);
	return handle;
}

/* Posts, has the model escalate, and a person answer. */
static inline uint64_t
post_answered(
	const char *command, int key, enum call_reply what, const char *note)
{
	uint64_t held = post(command, key);

	say(question()->number, JUDGE_SAYS_ESCALATE, CALL_RISK_LOW, "unsure");
	uint64_t person = reply(newest_card(), what, note);

	if (what != CALL_REPLY_REJECT)
		held = look_again(held, command, key);
	expect_replied(person, DECIDE_DONE);
	return held;
}

#endif
