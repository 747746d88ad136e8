/*
 * A line that a model judges: decided up to the question, and from the answer
 * on. The same order as everywhere; only who asks is somebody else.
 */

#include <stdio.h>

#include "check/check_priv.h"

struct run {
	struct check_request request;
	struct order_result result;
	struct str error;
	bool readable;
	bool whole; /* the arena sufficed */
};

static void
keep_why(struct check_trial *t, struct str why)
{
	(void)snprintf(t->why, sizeof(t->why), "%.*s", STR_ARG(why));
}

static void
decide(struct arena *a, const struct policy *p, struct run *run,
	const struct judge_verdict *said)
{
	static const enum order_judged judged[JUDGE_SAYS_COUNT] = {
		[JUDGE_SAYS_FAILURE] = ORDER_JUDGE_FAILED,
		[JUDGE_SAYS_ALLOW] = ORDER_JUDGE_ALLOW,
		[JUDGE_SAYS_DENY] = ORDER_JUDGE_DENY,
		[JUDGE_SAYS_ESCALATE] = ORDER_JUDGE_ESCALATED,
	};
	struct check_request *q = &run->request;
	struct order_input in = {
		.call = &q->call,
		.world = &q->world,
		.policy = p,
		.grants = q->grants,
		.grant_count = q->grant_count,
	};

	order_settings_complete(p, &q->settings);
	q->settings.has_judge = true;
	in.settings = q->settings;
	if (said) {
		in.judged = judged[said->says];
		in.judged_risk = said->risk;
		in.judged_reason = said->reason;
	}
	order_decide(a, &in, &run->result);
}

/* run is the caller's, so that a jump of the arena leaves it as it was. */
static void
run_line(struct arena *a, const struct policy *p, const json_t *line,
	const struct judge_verdict *said, struct run *run)
{
	arena_reset(a);
	if (ARENA_TRY(a)) {
		run->readable = check_request_from(a, line, &run->request, &run->error);
		if (run->readable)
			decide(a, p, run, said);
		run->whole = true;
	}
	arena_done(a);
}

static void
try_line(struct arena *a, const struct policy *p, const json_t *line,
	const struct judge_verdict *said, struct check_trial *ret)
{
	struct run run = {.error = STR("the line is too large")};

	run_line(a, p, line, said, &run);
	*ret = (struct check_trial){0};
	if (!run.whole || !run.readable) {
		keep_why(ret, run.whole ? run.error : STR("the line is too large"));
		return;
	}
	ret->readable = true;
	ret->asks = run.result.next == ORDER_NEEDS_JUDGE;
	if (run.result.next == ORDER_DONE) {
		ret->verdict = run.result.outcome.verdict;
		ret->by = run.result.outcome.by;
		keep_why(ret, run.result.outcome.reason);
	}
}

void
check_trial_finish(struct arena *a, const struct policy *p, const json_t *line,
	const struct judge_verdict *said, struct check_trial *io)
{
	try_line(a, p, line, said, io);
	CHECK(!io->asks);
}

void
check_trial_begin(struct arena *a, const struct policy *p, const json_t *line,
	struct buf *ret_user, struct check_trial *ret)
{
	struct judge_verdict failed = {.says = JUDGE_SAYS_FAILURE};
	struct str failure = {0};
	char why[200];

	try_line(a, p, line, NULL, ret);
	if (!ret->asks)
		return;
	check_prompt_of(a, p, line, ret_user, &failure);
	if (!failure.ptr)
		return;
	(void)snprintf(why, sizeof(why), "%.*s", STR_ARG(failure));
	failed.reason = str_from(why);
	check_trial_finish(a, p, line, &failed, ret);
}
