/*
 * A line's context: what the agent, the session and people said before the
 * call. Members that nobody knows are ignored.
 */

#include "check/check_priv.h"
#include "wire/json.h"

/* A stored value that is not known leaves it unset (DESIGN 2.10). */
static void
read_levels(
	struct check_reader *r, const json_t *context, struct order_settings *s)
{
	struct str mode = {0}, tier = {0};

	check_text(r, context, "context.", "mode", &mode);
	check_text(r, context, "context.", "tier", &tier);
	if (mode.ptr && !call_mode_from(mode, &s->mode))
		s->mode = CALL_MODE_UNSET;
	if (tier.ptr && !call_tier_from(tier, &s->tier))
		s->tier = CALL_TIER_UNSET;
}

/* asked: true, or why. */
static void
read_asked(struct check_reader *r, const json_t *context, struct call *c)
{
	const json_t *v = check_member(context, "asked");

	if (!v)
		return;
	if (!json_is_boolean(v) && !json_is_string(v)) {
		check_fault(r, "context.asked is neither true, false nor a reason");
		return;
	}
	c->asked = !json_is_false(v);
	c->asked_reason = wire_json_text(v);
}

/* Without its own word, a grant is exact when it holds no pattern. */
static bool
is_plain(struct str s)
{
	return !str_has_char(s, '*') && !str_has_char(s, '?')
		&& !str_has_char(s, '[');
}

static void
read_grants(struct check_reader *r, const json_t *context,
	struct check_request *request)
{
	const json_t *list = check_member(context, "grants");
	size_t n = json_array_size(list);
	struct order_grant *grants = ARENA_ARRAY(r->a, n, struct order_grant);

	if (list && !json_is_array(list))
		check_fault(r, "context.grants is no list");
	for (size_t i = 0; i < n; i++) {
		const json_t *g = json_array_get(list, i);
		struct order_grant *grant = &grants[i];

		if (!json_is_object(g))
			check_fault(r, "context.grants holds something that is no object");
		check_text(r, g, "grants.", "action", &grant->action);
		check_text(r, g, "grants.", "resource", &grant->resource);
		check_text(r, g, "grants.", "id", &grant->id);
		grant->exact = is_plain(grant->resource);
		check_bool(r, g, "grants.", "exact", &grant->exact);
	}
	request->grants = grants;
	request->grant_count = n;
}

static void
read_judged(struct check_reader *r, const json_t *context,
	struct check_request *request)
{
	static const struct {
		const char *decision;
		enum order_judged judged;
	} rows[] = {
		{"allow",    ORDER_JUDGE_ALLOW    },
		{"deny",     ORDER_JUDGE_DENY     },
		{"block",    ORDER_JUDGE_DENY     },
		{"escalate", ORDER_JUDGE_ESCALATED},
	};
	const json_t *judged = check_object(r, context, "context.", "judged");
	struct str decision = {0}, risk = {0};

	if (!judged)
		return;
	request->settings.has_judge = true;
	request->judged = ORDER_JUDGE_FAILED;
	check_text(r, judged, "judged.", "decision", &decision);
	check_text(r, judged, "judged.", "risk", &risk);
	check_text(r, judged, "judged.", "risk_level", &risk);
	check_text(r, judged, "judged.", "reason", &request->judged_reason);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(decision, str_from(rows[i].decision)))
			request->judged = rows[i].judged;
	}
	/* a risk that nobody knows makes the answer unreadable */
	if (risk.ptr && !call_risk_from(risk, &request->judged_risk))
		request->judged = ORDER_JUDGE_FAILED;
}

void
check_context_from(struct check_reader *r, const json_t *context,
	struct check_request *request)
{
	struct order_settings *s = &request->settings;
	struct call *c = &request->call;
	const json_t *notes = check_object(r, context, "context.", "annotations");

	if (!context)
		return;
	read_levels(r, context, s);
	read_asked(r, context, c);
	read_grants(r, context, request);
	read_judged(r, context, request);
	check_text(r, context, "context.", "agent", &c->agent);
	check_text(r, context, "context.", "agent", &c->agent_role);
	check_text(r, context, "context.", "role", &c->agent_role);
	check_text(r, context, "context.", "description", &c->description);
	check_text(r, context, "context.", "session", &c->session);
	check_text(r, context, "context.", "parent_session", &c->parent_session);
	check_texts(r, context, "above", &c->above, &c->above_count);
	check_texts(r, context, "scratch", &c->scratch, &c->scratch_count);
	check_bool(r, notes, "annotations.", "readOnlyHint", &c->mcp_read_only);

	const struct {
		const char *key;
		bool *at;
	} flags[] = {
		{"contained",         &c->contained        },
		{"role_unverified",   &c->role_unverified  },
		{"anyone_can_answer", &s->anyone_can_answer},
		{"agent_prompts",     &s->agent_prompts    },
		{"has_judge",         &s->has_judge        },
		{"sensitive_ask",     &s->sensitive_ask    },
		{"budget_used_up",    &s->budget_used_up   },
		{"cost_used_up",      &s->cost_used_up     },
	};

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		check_bool(r, context, "context.", flags[i].key, flags[i].at);
}
