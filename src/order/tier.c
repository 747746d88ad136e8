/*
 * DESIGN 2.12: what becomes of a call that a person should answer. The table is
 * in order_priv.h, a row per reason, a column per tier.
 */

#include "order/order_priv.h"

enum fate {
	CARD,
	CARD_IF_ANYONE,      /* else deny: a surface, or the agent's own prompt */
	CARD_IF_ANYONE_LIVE, /* else deny: the agent's own prompt does not count */
	DENY,
	DENY_WITH_NOTE,
	ALLOW_WITH_NOTE,
};

static const struct {
	enum fate standard, aggressive, passive;
} rows[] = {
#define X(why, standard, aggressive, passive) {standard, aggressive, passive},
	ORDER_WHYS(X)
#undef X
};

static enum fate
fate_of(enum order_why why, enum call_tier tier)
{
	CHECK(why < ORDER_WHY_COUNT);
	switch (tier) {
	case CALL_TIER_UNSET:
	case CALL_TIER_STANDARD:
		break;
	case CALL_TIER_AGGRESSIVE:
		return rows[why].aggressive;
	case CALL_TIER_PASSIVE:
		return rows[why].passive;
	case CALL_TIER_COUNT:
		base_bug(__FILE__, __LINE__, "tier");
	}
	return rows[why].standard;
}

static void
refuse(struct order_run *r)
{
	struct call_outcome *o = &r->out->outcome;
	struct str tier = str_from(call_tier_name(r->in->settings.tier));

	(void)order_settle(r, CALL_VERDICT_DENY, CALL_BY_TIER,
		arena_fmt(r->a, "needs a person, and nobody attends (%.*s): %.*s",
			STR_ARG(tier), STR_ARG(o->reason)));
}

void
order_tier_apply(struct order_run *r)
{
	const struct order_settings *s = &r->in->settings;
	bool live = s->anyone_can_answer;

	CHECK(r->out->outcome.verdict == CALL_VERDICT_ASK);
	r->said = STR("a card for a person");
	switch (fate_of(r->why, s->tier)) {
	case CARD:
		return;
	case CARD_IF_ANYONE:
		if (!live && !s->agent_prompts)
			refuse(r);
		return;
	case CARD_IF_ANYONE_LIVE:
		if (!live)
			refuse(r);
		return;
	case DENY:
		refuse(r);
		return;
	case DENY_WITH_NOTE:
		(void)order_settle(
			r, CALL_VERDICT_DENY, CALL_BY_TIER, STR(ORDER_NOTE_PASSIVE));
		return;
	case ALLOW_WITH_NOTE:
		(void)order_settle(
			r, CALL_VERDICT_ALLOW, CALL_BY_TIER, STR(ORDER_NOTE_AGGRESSIVE));
		return;
	}
}

void
order_could_not_judge(struct arena *a, const struct order_settings *settings,
	struct str reason, struct call_outcome *ret)
{
	struct order_input in = {.settings = *settings};
	struct order_result out = {.next = ORDER_DONE};
	struct order_run r = {.a = a, .in = &in, .out = &out};

	(void)order_ask_person(&r, ORDER_WHY_NEEDS_PERSON, CALL_BY_FAILURE, reason);
	order_tier_apply(&r);
	*ret = out.outcome;
}
