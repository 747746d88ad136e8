#ifndef ORDER_ORDER_H
#define ORDER_ORDER_H

/*
 * The order of deciding (DESIGN 2), pure: call, facts, policy, grants and
 * settings in; an outcome, or what is still wanted, out. check, explain, the
 * daemon and the library all call this and nothing else.
 */

#include "policy/policy.h"

struct order_grant {
	struct str action;   /* the tool kind: "shell" */
	struct str resource; /* order_resource of its card, or a pattern */
	bool exact;          /* made on a card for exactly this resource */
	struct str id;
};

/* What the judge said, when it was asked. */
enum order_judged {
	ORDER_JUDGE_NONE, /* not asked yet, or there is no judge */
	ORDER_JUDGE_ALLOW,
	ORDER_JUDGE_DENY, /* with critical risk */
	ORDER_JUDGE_ESCALATED,
	ORDER_JUDGE_FAILED, /* could not judge */
};

struct order_settings {
	enum call_mode mode;    /* resolved; UNSET reads as ASK */
	enum call_tier tier;    /* resolved; UNSET reads as STANDARD */
	bool anyone_can_answer; /* a surface where people answer is live */
	bool agent_prompts;     /* the agent has a prompt of its own that it
							 * honours; never enough for person-only */
	bool has_judge;
	bool sensitive_ask;  /* set sensitive ask */
	bool budget_used_up; /* too many refusals by the judge (2.14) */
	bool cost_used_up;   /* the judge has cost what it may */
};

struct order_input {
	const struct call *call;
	const struct call_world *world;
	const struct policy *policy;
	const struct order_grant *grants;
	size_t grant_count;
	struct order_settings settings;
	enum order_judged judged;
	enum call_risk judged_risk;
	struct str judged_reason;
};

enum order_next {
	ORDER_DONE, /* the outcome is final: allow or deny, or ask = a card */
	ORDER_NEEDS_WORLD, /* facts.needs is not empty: look, then run again */
	ORDER_NEEDS_JUDGE, /* ask the model, set judged, then run again */
};

/* One step's say, for explain: in the order they stand in the table. */
struct order_trace {
	const char *step; /* "floor", "deny_rules", ... */
	bool decided;     /* this step ended the hearing */
	bool skipped;     /* an earlier step took its say away */
	struct str said;  /* in words */
};

/* The two notes of tiers, fixed: the judge's system prompt explains them. */
#define ORDER_NOTE_AGGRESSIVE \
	"aggressive mode, auto-approve all escalated tool calls"
#define ORDER_NOTE_PASSIVE "passive mode, reject all escalated tool calls"

struct order_result {
	enum order_next next;
	struct call_outcome outcome; /* valid when DONE */
	struct call_facts facts;
	struct order_trace *trace;
	size_t trace_count;
};

/* What a card shows as the resource and a grant is made of: the command, the
 * absolute path, the address, "server/tool". Absent when the call has none. */
struct str order_resource(struct arena *a, const struct call *call);

/*
 * Whether an earlier call, of a reply or in the history, touched what a marker
 * names: then no prompt may show it. like: a call of the same session. Named by
 * its tool kind and resources.
 */
struct order_named {
	struct str action;
	const struct str *resources;
	size_t count;
};
bool order_hits_marker(struct arena *a, const struct policy *p,
	const struct call *like, const struct call_world *world,
	const struct order_named *named);

/* Fills what is UNSET (mode, tier) from the policy's `set` lines or their
 * defaults, and takes `sensitive ask` from it. */
void order_settings_complete(
	const struct policy *p, struct order_settings *settings);

/* Whether the agent's role is one of the review agents (2.6, setting
 * review.agents). */
bool order_is_review_agent(const struct policy *p, const struct call *call);

/* The outcome for a call that the order could not even begin with (too large):
 * nothing allows it; the tier decides between a card and a refusal. */
void order_could_not_judge(struct arena *a,
	const struct order_settings *settings, struct str reason,
	struct call_outcome *ret);

/* Everything in the result lives in a. */
void order_decide(
	struct arena *a, const struct order_input *in, struct order_result *ret);

#endif
