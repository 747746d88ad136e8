/*
 * DESIGN 2, as a table. Each step may decide, send the call to a person, mark
 * it, or say nothing; a mark takes the say of later steps away, and which ones
 * is a column of the table, not a matter of care.
 */

#include "order/order.h"

#include "facts/facts.h"
#include "order/order_priv.h"

#define ASK_RULE    ORDER_MARK_ASK_RULE
#define SECRET_READ ORDER_MARK_SECRET_READ
#define SECRET      ORDER_MARK_SECRET
#define HIDDEN      ORDER_MARK_HIDDEN
#define INCOMPLETE  ORDER_MARK_INCOMPLETE
#define MODE_ASK    ORDER_MARK_MODE_ASK

/* clang-format off */
/* step, and the marks that silence it */
#define STEPS(X)                                                    \
	X(facts,       0)                                               \
	X(floor,       0)                                               \
	X(deny_rules,  0)                                               \
	X(person_only, 0)                                               \
	X(readable,    0)                                               \
	X(asked,       0)                                               \
	X(ask_rules,   0)                                               \
	X(sensitive,   0)                                               \
	X(contained,   ASK_RULE | SECRET_READ | INCOMPLETE | MODE_ASK)  \
	X(fast_path,   ASK_RULE | SECRET_READ | INCOMPLETE)             \
	X(builtin,     ASK_RULE | SECRET | INCOMPLETE | MODE_ASK)       \
	X(allow_rules, ASK_RULE | SECRET | HIDDEN)                      \
	X(grants,      HIDDEN)                                          \
	X(ask_stands,  0)                                               \
	X(mode,        0)                                               \
	X(judge,       0)
/* clang-format on */

struct step {
	const char *name;
	unsigned silenced_by; /* enum order_mark */
	enum order_says (*run)(struct order_run *r);
};

#define X(step, silenced) static enum order_says do_##step(struct order_run *r);
STEPS(X)
#undef X

static const struct step steps[] = {
#define X(step, silenced) {#step, silenced, do_##step},
	STEPS(X)
#undef X
};

enum { TRACE_MAX = ARRAY_LEN(steps) + 1 }; /* and the tier */

enum order_says
order_settle(struct order_run *r, enum call_verdict verdict, enum call_by by,
	struct str reason)
{
	struct call_outcome *o = &r->out->outcome;

	o->verdict = verdict;
	o->by = by;
	o->reason = reason;
	r->said = reason;
	return ORDER_SAYS_DECIDED;
}

enum order_says
order_ask_person(
	struct order_run *r, enum order_why why, enum call_by by, struct str reason)
{
	(void)order_settle(r, CALL_VERDICT_ASK, by, reason);
	r->why = why;
	return ORDER_SAYS_PERSON;
}

static enum order_says
nothing(struct order_run *r, struct str said)
{
	r->said = said;
	return ORDER_SAYS_NOTHING;
}

static enum order_says
do_facts(struct order_run *r)
{
	struct call_facts *f = &r->out->facts;
	const struct call_world *w = r->in->world;

	facts_of(r->a, r->in->call, w, f);
	if (f->need_count > 0 && !w->assumed && !w->rounds_used_up) {
		r->out->next = ORDER_NEEDS_WORLD;
		r->said = STR("something about the machine is wanted first");
		return ORDER_SAYS_WAIT;
	}
	if (f->ignorance & CALL_UNKNOWN)
		r->marks |= ORDER_MARK_UNKNOWN;
	if (f->ignorance & (CALL_DYNAMIC | CALL_UNPARSED))
		r->marks |= ORDER_MARK_HIDDEN;
	if (r->in->call->malformed)
		r->marks |= ORDER_MARK_HIDDEN;
	if (!(r->marks & INCOMPLETE))
		return nothing(r, STR("understood"));
	return nothing(
		r, f->incomplete.ptr ? f->incomplete : STR("not all understood"));
}

static enum order_says
do_floor(struct order_run *r)
{
	struct str reason = {0};

	if (!policy_floor(r->a, r->subject, &reason))
		return nothing(r, STR("nothing catastrophic"));
	r->out->outcome.risk = CALL_RISK_CRITICAL;
	return order_settle(r, CALL_VERDICT_DENY, CALL_BY_FLOOR, reason);
}

/* "assent.conf:31 says deny: git push" */
static struct str
hit_says(struct order_run *r, const struct policy_hit *hit)
{
	const char *verdict = call_verdict_name(hit->verdict);

	if (!hit->what.ptr)
		return arena_fmt(r->a, "%.*s says %s", STR_ARG(hit->rule), verdict);
	return arena_fmt(r->a, "%.*s says %s: %.*s", STR_ARG(hit->rule), verdict,
		STR_ARG(hit->what));
}

static enum call_by
hit_by(const struct policy_hit *hit)
{
	return hit->layer == POLICY_LAYER_BUILTIN ? CALL_BY_BUILTIN : CALL_BY_RULE;
}

static enum order_says
settle_hit(struct order_run *r, const struct policy_hit *hit)
{
	r->out->outcome.rule = hit->rule;
	return order_settle(r, hit->verdict, hit_by(hit), hit_says(r, hit));
}

static enum order_says
do_deny_rules(struct order_run *r)
{
	struct policy_hit hit = policy_denies(r->in->policy, r->a, r->subject);

	if (hit.verdict != CALL_VERDICT_DENY)
		return nothing(r, STR("none matches"));
	return settle_hit(r, &hit);
}

static enum order_says
do_person_only(struct order_run *r)
{
	struct str reason = {0};

	if (!policy_person_only(r->a, r->subject, &reason))
		return nothing(r, STR("no such place"));
	r->out->outcome.person_only = true;
	return order_ask_person(
		r, ORDER_WHY_PERSON_ONLY, CALL_BY_PERSON_ONLY, reason);
}

/* What the agent sent is not a call of the kind it says it is, or more than is
 * looked at: no mode and no model can know what would run. */
static enum order_says
do_readable(struct order_run *r)
{
	const struct call *c = r->in->call;

	if (!c->malformed && r->out->facts.cut)
		return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_FAILURE,
			STR("the call is too large to judge: not all of it was read"));
	if (!c->malformed)
		return nothing(r, STR("well formed"));
	return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_FAILURE,
		arena_fmt(
			r->a, "the call is malformed: %.*s", STR_ARG(c->malformed_why)));
}

static enum order_says
do_asked(struct order_run *r)
{
	const struct call *c = r->in->call;

	if (!c->asked)
		return nothing(r, STR("the model did not ask for a person"));
	return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_ASKED,
		c->asked_reason.len > 0 ? c->asked_reason
								: STR("the model asks for a person"));
}

static enum order_says
do_ask_rules(struct order_run *r)
{
	r->ask = policy_asks(r->in->policy, r->a, r->subject);
	if (r->ask.verdict == CALL_VERDICT_NONE)
		return nothing(r, STR("none matches"));
	r->marks |= ORDER_MARK_ASK_RULE;
	return nothing(r, hit_says(r, &r->ask));
}

bool
order_is_review_agent(const struct policy *p, const struct call *call)
{
	struct str names = policy_setting(p, "review.agents");

	if (!call->agent_role.ptr || call->role_unverified)
		return false;
	while (names.len > 0) {
		if (str_eq(call->agent_role, str_cut(names, ' ', &names)))
			return true;
	}
	return false;
}

static enum order_says
do_sensitive(struct order_run *r)
{
	struct policy_sensitive *s = &r->secret;

	*s = policy_sensitive(r->in->policy, r->a, r->subject);
	if (!s->read && !s->write)
		return nothing(r, STR("no marker is hit"));
	r->secret_exempt = s->read && s->all_inside_workspace
		&& order_is_review_agent(r->in->policy, r->in->call);
	if (s->read && !r->secret_exempt)
		r->marks |= ORDER_MARK_SECRET_READ;
	if (s->write)
		r->marks |= ORDER_MARK_SECRET_WRITE;
	r->out->outcome.sensitive = true;
	if (!(r->marks & SECRET))
		return nothing(r, STR("a review agent reads its workspace"));
	return nothing(r,
		arena_fmt(r->a, "%s %.*s, which may hold secrets",
			s->read ? "reads" : "writes", STR_ARG(s->resource)));
}

static enum order_says
do_contained(struct order_run *r)
{
	const struct call *c = r->in->call;

	if (!c->contained || c->tool != CALL_TOOL_SHELL)
		return nothing(r, STR("not in a sandbox that holds it"));
	return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_CONTAINED,
		STR("runs in a sandbox that holds it"));
}

/* All that a review agent's call does is reading inside its workspace. */
static bool
only_reads_workspace(const struct call_facts *f)
{
	for (size_t i = 0; i < f->effect_count; i++) {
		const struct call_effect *e = &f->effects[i];

		if (e->kind != CALL_EFFECT_READ || e->scope != CALL_SCOPE_WORKSPACE
			|| (e->flags & CALL_EFFECT_SECRET))
			return false;
	}
	return f->effect_count > 0 && f->hazard_count == 0;
}

static enum order_says
do_fast_path(struct order_run *r)
{
	struct str reason = {0};

	if (r->secret_exempt && only_reads_workspace(&r->out->facts))
		return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH,
			STR("a review agent reads its workspace"));
	if (!policy_fast_path(r->in->policy, r->subject, &reason))
		return nothing(r, STR("more than plain reading"));
	return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_FAST_PATH,
		reason.ptr ? reason : STR("plain reading"));
}

static enum order_says
allow_by_rules(struct order_run *r, bool builtin)
{
	struct policy_hit hit =
		policy_allows(r->in->policy, r->a, r->subject, builtin);

	if (hit.verdict != CALL_VERDICT_ALLOW)
		return nothing(r, STR("do not cover all of it"));
	if (hit_by(&hit) == CALL_BY_BUILTIN && (r->marks & INCOMPLETE))
		return nothing(r, STR("the shipped rules allow nothing unknown"));
	return settle_hit(r, &hit);
}

static enum order_says
do_builtin(struct order_run *r)
{
	return allow_by_rules(r, true);
}

/* What a person's rules leave over, the shipped ones may cover; where those had
 * their say just now, there is nothing new to ask. */
static enum order_says
do_allow_rules(struct order_run *r)
{
	if (!(r->marks & (INCOMPLETE | MODE_ASK)))
		return nothing(r, STR("do not cover all of it"));
	return allow_by_rules(r, !(r->marks & MODE_ASK));
}

static enum order_says
do_grants(struct order_run *r)
{
	if ((r->marks & ORDER_MARK_ASK_RULE) && r->ask.constraint)
		return nothing(r, STR("no grant lifts this ask"));
	if (r->in->grant_count == 0)
		return nothing(r, STR("none"));
	enum order_says says = order_grant_find(r);

	return says == ORDER_SAYS_NOTHING ? nothing(r, STR("none covers it"))
									  : says;
}

static enum order_says
do_ask_stands(struct order_run *r)
{
	if (!(r->marks & ORDER_MARK_ASK_RULE))
		return nothing(r, STR("no ask rule"));
	r->out->outcome.rule = r->ask.rule;
	return order_ask_person(
		r, ORDER_WHY_NEEDS_PERSON, CALL_BY_RULE, hit_says(r, &r->ask));
}

static struct str
secret_reason(struct order_run *r)
{
	return arena_fmt(r->a, "%s %.*s, which may hold secrets",
		r->marks & SECRET_READ ? "reads" : "writes",
		STR_ARG(r->secret.resource));
}

static enum order_says
do_mode(struct order_run *r)
{
	switch (r->mode) {
	case CALL_MODE_UNSET:
	case CALL_MODE_ASK:
		break;
	case CALL_MODE_AI_AUTO:
		return nothing(r, STR("ai_auto: a model judges"));
	case CALL_MODE_AUTO_APPROVE:
		if (r->marks & SECRET)
			return order_ask_person(
				r, ORDER_WHY_SENSITIVE, CALL_BY_SENSITIVE, secret_reason(r));
		return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_MODE,
			STR("mode auto_approve allows what nothing stopped"));
	case CALL_MODE_FULL_ACCESS:
		return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_MODE,
			STR("mode full_access allows what nothing stopped"));
	case CALL_MODE_COUNT:
		base_bug(__FILE__, __LINE__, "mode");
	}
	return order_ask_person(
		r, ORDER_WHY_MODE_ASK, CALL_BY_MODE, STR("mode ask: a person answers"));
}

/* Nobody to judge: by names what kept everything before from allowing. */
static enum order_says
no_judge(struct order_run *r)
{
	struct str why = r->out->facts.incomplete;

	if (r->marks & SECRET)
		return order_ask_person(
			r, ORDER_WHY_NEEDS_PERSON, CALL_BY_SENSITIVE, secret_reason(r));
	if (r->marks & INCOMPLETE)
		return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_INCOMPLETE,
			why.ptr ? why : STR("not all of it was understood"));
	struct str what, words = order_open_words(r, &what);

	why = arena_fmt(r->a,
		"it %.*s; no rule allows that, and no judge is configured%s%.*s",
		STR_ARG(words), what.len > 0 ? ": " : "", (int)what.len,
		what.len > 0 ? what.ptr : "");
	return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_JUDGE, why);
}

static enum order_says
do_judge(struct order_run *r)
{
	const struct order_settings *s = &r->in->settings;

	if (s->sensitive_ask && (r->marks & SECRET))
		return order_ask_person(
			r, ORDER_WHY_SENSITIVE, CALL_BY_SENSITIVE, secret_reason(r));
	if (s->budget_used_up)
		return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_BUDGET,
			STR("the judge refused too often in this session"));
	if (s->cost_used_up && r->in->judged == ORDER_JUDGE_NONE)
		return order_ask_person(r, ORDER_WHY_NEEDS_PERSON, CALL_BY_BUDGET,
			STR("the judge has cost what the settings allow it"));
	if (r->in->judged != ORDER_JUDGE_NONE)
		return order_judged_read(r);
	if (!s->has_judge)
		return no_judge(r);
	r->out->next = ORDER_NEEDS_JUDGE;
	r->said = STR("a model is asked");
	return ORDER_SAYS_WAIT;
}

static void
add_trace(struct order_run *r, const char *step, bool decided, bool skipped)
{
	struct order_result *out = r->out;

	CHECK(out->trace_count < TRACE_MAX);
	out->trace[out->trace_count++] = (struct order_trace){
		.step = step,
		.decided = decided,
		.skipped = skipped,
		.said = r->said,
	};
}

/* What took a step's say away, in words. */
static struct str
silenced_why(unsigned marks)
{
	static const struct {
		unsigned mark;
		const char *why;
	} whys[] = {
		{ORDER_MARK_ASK_RULE, "an ask rule stands"        },
		{ORDER_MARK_SECRET,   "a secret may be touched"   },
		{ORDER_MARK_HIDDEN,   "part of it cannot be seen" },
		{ORDER_MARK_UNKNOWN,  "part of it is unknown"     },
		{ORDER_MARK_MODE_ASK, "mode ask: a person answers"},
	};

	for (size_t i = 0; i < ARRAY_LEN(whys); i++) {
		if (marks & whys[i].mark)
			return str_from(whys[i].why);
	}
	return STR("skipped");
}

static enum order_says
run_step(struct order_run *r, const struct step *step)
{
	unsigned silenced = r->marks & step->silenced_by;

	r->said = (struct str){0};
	if (silenced) {
		r->said = silenced_why(silenced);
		add_trace(r, step->name, false, true);
		return ORDER_SAYS_NOTHING;
	}
	enum order_says says = step->run(r);

	add_trace(r, step->name, says == ORDER_SAYS_DECIDED, false);
	return says;
}

void
order_settings_complete(const struct policy *p, struct order_settings *s)
{
	if (s->mode == CALL_MODE_UNSET)
		CHECK(call_mode_from(policy_setting(p, "mode"), &s->mode));
	if (s->tier == CALL_TIER_UNSET)
		CHECK(call_tier_from(policy_setting(p, "tier"), &s->tier));
	if (str_eq(policy_setting(p, "sensitive"), STR("ask")))
		s->sensitive_ask = true;
}

void
order_decide(
	struct arena *a, const struct order_input *in, struct order_result *ret)
{
	struct order_run r = {
		.a = a,
		.in = in,
		.out = ret,
		.subject = {in->call, &ret->facts, in->world},
		.mode = in->settings.mode,
	};
	enum order_says says = ORDER_SAYS_NOTHING;

	*ret = (struct order_result){.next = ORDER_DONE};
	ret->trace = ARENA_ARRAY(a, TRACE_MAX, struct order_trace);
	if (r.mode == CALL_MODE_UNSET || r.mode == CALL_MODE_ASK)
		r.marks |= ORDER_MARK_MODE_ASK;
	for (size_t i = 0; says == ORDER_SAYS_NOTHING; i++) {
		CHECK(i < ARRAY_LEN(steps));
		says = run_step(&r, &steps[i]);
	}
	if (says == ORDER_SAYS_PERSON) {
		order_tier_apply(&r);
		add_trace(&r, "tier", true, false);
	}
	CHECK(ret->next != ORDER_DONE || ret->outcome.verdict != CALL_VERDICT_NONE);
}
