/*
 * DESIGN 2.11: how a judge's answer counts. What the answer is worth depends on
 * its risk: an allow without one was not a judgement, a critical allow is a
 * contradiction, and only a critical deny refuses outright.
 */

#include "order/order_priv.h"

enum worth { FAILED, ALLOWS, REFUSES, ESCALATES };

static const enum worth worths[][CALL_RISK_COUNT] = {
	[ORDER_JUDGE_NONE] = {FAILED,    FAILED,    FAILED,    FAILED,    FAILED   },
 /* risk:                 none       low        medium     high       critical */
	[ORDER_JUDGE_ALLOW] = {FAILED,    ALLOWS,    ALLOWS,    ALLOWS,    ESCALATES},
	[ORDER_JUDGE_DENY] = {ESCALATES, ESCALATES, ESCALATES, ESCALATES, REFUSES  },
	[ORDER_JUDGE_ESCALATED] = {ESCALATES, ESCALATES, ESCALATES, ESCALATES,
						  ESCALATES											},
	[ORDER_JUDGE_FAILED] = {FAILED,    FAILED,    FAILED,    FAILED,    FAILED   },
};

enum order_says
order_judged_read(struct order_run *r)
{
	const struct order_input *in = r->in;
	bool secret = (r->marks & ORDER_MARK_SECRET) != 0;
	struct str reason = in->judged_reason;

	CHECK(in->judged < ARRAY_LEN(worths) && in->judged_risk < CALL_RISK_COUNT);
	r->out->outcome.risk = in->judged_risk;
	switch (worths[in->judged][in->judged_risk]) {
	case ALLOWS:
		return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_JUDGE,
			reason.len > 0 ? reason : STR("the judge allows it"));
	case REFUSES:
		return order_settle(r, CALL_VERDICT_DENY, CALL_BY_JUDGE,
			reason.len > 0 ? reason : STR("the judge refuses it"));
	case ESCALATES:
		return order_ask_person(r,
			secret ? ORDER_WHY_SENSITIVE : ORDER_WHY_ESCALATED, CALL_BY_JUDGE,
			reason.len > 0 ? reason : STR("the judge leaves it to a person"));
	case FAILED:
		break;
	}
	r->out->outcome.risk = CALL_RISK_NONE;
	return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_FAILURE,
		reason.len > 0
			? arena_fmt(r->a, "could not be judged: %.*s", STR_ARG(reason))
			: STR("could not be judged"));
}
