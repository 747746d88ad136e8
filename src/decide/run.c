#include "decide/run.h"

#include <string.h>

#include "base/limits.h"
#include "card/card.h"

/*
 * The order is run, with the settings that hold now.
 */

enum {
	TITLE_BYTES = 4096,
	ABOUT_BYTES = 64 << 10,
	TEXT_BYTES = 2 * LIMIT_BODY_BYTES, /* of a call, as it is shown */
};

/* --- the order ------------------------------------------------------------ */

void
decide_run_set_outcome(struct decide_run *r, enum call_verdict verdict,
	enum call_by by, struct str reason)
{
	r->outcome.verdict = verdict;
	r->outcome.by = by;
	r->outcome.reason = reason;
	r->event = DECIDE_EVENT_DECIDED;
}

/* Reads of understood calls: losing their rows with the machine loses nothing. */
static bool
is_pure_read(const struct call_facts *f)
{
	if (f->ignorance != 0)
		return false;
	for (size_t i = 0; i < f->effect_count; i++) {
		if (f->effects[i].kind != CALL_EFFECT_READ)
			return false;
	}
	return true;
}

/* What was looked at so far and what is wanted now, in one list: each look
 * answers all of it. */
static void
join_needs(struct decide_run *r, const struct call_facts *f)
{
	const struct call_world *w = &r->p->world;
	size_t n = 0;

	r->needs = ARENA_ARRAY(
		r->a, w->answer_count + f->need_count + 1, struct call_need);
	for (size_t i = 0; i < w->answer_count; i++) {
		r->needs[n].kind = w->answers[i].kind;
		r->needs[n++].name = w->answers[i].name;
	}
	for (size_t i = 0; i < f->need_count; i++) {
		if (!call_world_find(w, f->needs[i].kind, f->needs[i].name))
			r->needs[n++] = f->needs[i];
	}
	r->need_count = n;
}

/* What is asked: may it be granted for always, and as what? */
static void
offer_always(struct decide_run *r, const struct order_input *in,
	const struct call_facts *f)
{
	if (!r->outcome.person_only)
		r->offer = decide_grant_offer(r->d, r->a, in, f,
			&(struct decide_asked){
				.project = r->p->project,
				.reply = r->earlier ? r->earlier->pending : NULL,
			});
}

/* True if something is still to be looked at before anyone is asked. */
static bool
want_evidence(struct decide_run *r, const struct call_facts *f, bool judging)
{
	struct call_need *more, *all;
	size_t count;

	if (r->evidence_used_up)
		return false;
	count = decide_evidence_needs(r->a, r->p, f, judging, &more);
	if (count == 0)
		return false;
	all = ARENA_ARRAY(r->a, r->need_count + count, struct call_need);
	for (size_t i = 0; i < r->need_count + count; i++)
		all[i] = i < r->need_count ? r->needs[i] : more[i - r->need_count];
	r->needs = all;
	r->need_count += count;
	r->event = DECIDE_EVENT_WANTING;
	return true;
}

/* The model's word, as the order counts it. */
static void
put_judged(const struct decide_run *r, struct order_input *in)
{
	static const enum order_judged as[JUDGE_SAYS_COUNT] = {
		[JUDGE_SAYS_FAILURE] = ORDER_JUDGE_FAILED,
		[JUDGE_SAYS_ALLOW] = ORDER_JUDGE_ALLOW,
		[JUDGE_SAYS_DENY] = ORDER_JUDGE_DENY,
		[JUDGE_SAYS_ESCALATE] = ORDER_JUDGE_ESCALATED,
	};
	const struct judge_verdict *v = &r->judged->verdict;

	CHECK(v->says < JUDGE_SAYS_COUNT);
	in->judged = as[v->says];
	in->judged_risk = v->risk;
	in->judged_reason =
		v->says != JUDGE_SAYS_FAILURE ? v->reason : r->judged->reason;
	/* a change of mode counts from the next call on, unless it is stricter */
	if (r->mode < in->settings.mode)
		in->settings.mode = r->mode;
	in->settings.budget_used_up = false;
}

/* The order wants a model. True when it is to run again at once. */
static bool
settle_judge(struct decide_run *r, struct order_input *in,
	const struct order_result *result)
{
	struct decide_blocked was;

	if (r->attended) {
		/* the person decides; what happens without one does not matter */
		in->judged = ORDER_JUDGE_ESCALATED;
		in->settings.tier = CALL_TIER_STANDARD;
		return true;
	}
	if (decide_turns_was_refused(
			r->d, r->session, r->p->call->turn, r->meaning, &was)) {
		in->judged = was.risk == CALL_RISK_CRITICAL ? ORDER_JUDGE_DENY
													: ORDER_JUDGE_ESCALATED;
		in->judged_risk = was.risk;
		in->judged_reason = was.reason;
		return true;
	}
	if (!decide_judging_has_room(r->d, r->session)) {
		in->judged = ORDER_JUDGE_FAILED;
		in->judged_reason = STR("too many calls wait for the judge");
		return true;
	}
	if (want_evidence(r, &result->facts, true))
		return false;
	r->mode = in->settings.mode;
	r->question.session = r->session;
	r->question.post = r->p;
	r->question.facts = &result->facts;
	if (decide_turns_ask(r->d, r->a, &r->question, r->now_ms)) {
		r->event = DECIDE_EVENT_UNSURE;
		return false;
	}
	in->judged = ORDER_JUDGE_FAILED;
	in->judged_reason = r->question.failure;
	return true;
}

static void
run_order(struct decide_run *r)
{
	const struct decide_post *p = r->p;
	struct call call = *p->call;
	struct call_world world = p->world;
	struct order_result result = {0};
	struct order_input in = {
		.call = &call,
		.world = &world,
		.policy = p->policy,
		.settings = p->settings,
	};

	world.rounds_used_up = r->rounds_used_up;
	decide_above_add(r->d, r->a, &call);
	decide_session_resolve(r->d, p->call->session, p->project, &in.settings);
	decide_mode_hold(r->d, r->session, r->earlier, &in.settings.mode);
	decide_session_budget(r->d, r->session, p->policy, r->now_ms, &in.settings);
	in.settings.has_judge = decide_judging_is_on(p->policy);
	in.settings.agent_prompts |= p->own_prompt;
	decide_grants_add(r->d, r->a, p->project, NULL, &in);
	if (r->judged)
		put_judged(r, &in);
	r->has_judge_mode =
		in.settings.mode == CALL_MODE_AI_AUTO && in.settings.has_judge;
	order_decide(r->a, &in, &result);
	decide_digest_meaning(p->call, &result.facts, r->meaning);
	join_needs(r, &result.facts);
	if (result.next == ORDER_NEEDS_JUDGE && settle_judge(r, &in, &result))
		order_decide(r->a, &in, &result);
	if (r->event == DECIDE_EVENT_UNSURE || r->event == DECIDE_EVENT_WANTING)
		return;
	if (result.next == ORDER_NEEDS_WORLD && !r->rounds_used_up) {
		r->event = DECIDE_EVENT_WANTING;
		return;
	}
	if (result.next != ORDER_DONE
		|| result.outcome.verdict == CALL_VERDICT_NONE) {
		decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
			STR("could not judge this call"));
		return;
	}
	if (result.outcome.verdict == CALL_VERDICT_ASK
		&& want_evidence(r, &result.facts, false))
		return;
	r->outcome = result.outcome;
	r->pure_read = result.outcome.verdict == CALL_VERDICT_ALLOW
		&& is_pure_read(&result.facts);
	r->event = result.outcome.verdict == CALL_VERDICT_ASK
		? DECIDE_EVENT_ASKED
		: DECIDE_EVENT_DECIDED;
	if (r->event == DECIDE_EVENT_ASKED)
		offer_always(r, &in, &result.facts);
}

/* The second hook of a call is told what the first was told, once. */
static bool
take_pair(struct decide_run *r)
{
	struct decide_pair pair;

	if (!r->p->second || !r->p->call
		|| !decide_pair_take(r->d, r->call_digest, r->now_ms, &pair))
		return false;
	decide_run_set_outcome(r, pair.verdict, pair.by,
		arena_fmt(r->a, "the same call as hearing %lld: %s",
			(long long)pair.number, call_verdict_name(pair.verdict)));
	return true;
}

static bool
take_ready(struct decide_run *r)
{
	const struct call_outcome *ready = r->p->ready;

	if (ready) {
		CHECK(ready->verdict == CALL_VERDICT_ASK
			|| ready->verdict == CALL_VERDICT_DENY);
		r->outcome = *ready;
		r->event = ready->verdict == CALL_VERDICT_ASK && r->p->call
			? DECIDE_EVENT_ASKED
			: DECIDE_EVENT_DECIDED;
		r->outcome.verdict = r->event == DECIDE_EVENT_ASKED ? CALL_VERDICT_ASK
															: CALL_VERDICT_DENY;
	} else if (!r->p->call) {
		decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
			STR("the call could not be read"));
	}
	return ready || !r->p->call;
}

/* --- whether a card may be made ------------------------------------------- */

static bool
over_quota(const struct decide_run *r)
{
	const struct decide *d = r->d;
	size_t bytes = r->card.text.len;

	return d->cards >= DECIDE_CARDS_MAX
		|| r->session->cards >= DECIDE_CARDS_SESSION_MAX
		|| d->card_bytes + bytes > DECIDE_CARDS_BYTES_MAX
		|| r->session->bytes + bytes > DECIDE_CARDS_SESSION_BYTES_MAX;
}

bool
decide_run_prompt_answers(const struct decide_run *r)
{
	return r->p->own_prompt && !r->outcome.person_only;
}

/* Why no card may be made, or absent. */
static struct str
why_no_card(const struct decide_run *r)
{
	if (r->text.full || r->title.full)
		return STR("this call is too large to be shown to a person");
	if (over_quota(r))
		return STR(
			"too many calls wait for a person; answer some of them first");
	return (struct str){0};
}

/* What cannot wait for a person is answered now. */
static void
answer_unheld(struct decide_run *r)
{
	bool has_card = r->p->elsewhere
		? decide_run_prompt_answers(r) && !why_no_card(r).ptr
		: r->p->can_hold || r->p->lasting;
	struct str reason = has_card ? why_no_card(r) : r->outcome.reason;

	if (has_card && reason.ptr)
		decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE, reason);
	else if (has_card)
		return;
	else if (decide_run_prompt_answers(r))
		r->event = DECIDE_EVENT_DECIDED;
	else
		decide_run_set_outcome(r, CALL_VERDICT_DENY, r->outcome.by,
			arena_fmt(r->a, "needs a person: %.*s", STR_ARG(reason)));
}

static void
show_card(struct decide_run *r)
{
	const struct call *c = r->p->call;

	CHECK(c); /* what cannot be read is never asked about */
	card_show(c, &r->title, &r->text);
	r->card.title = buf_str(&r->title);
	r->card.text = buf_str(&r->text);
	r->card.description = c->description;
	r->card.cwd = c->cwd;
	r->card.turn = c->turn;
	r->card.needs = decide_needs_print(r->a, r->needs, r->need_count);
}

struct decide_hearing *
decide_run_find_waiting(const struct decide_run *r)
{
	uint64_t hash =
		decide_hash((struct str){(const char *)r->digest, sizeof(r->digest)});
	struct decide_hearing *h = decide_map_find(r->d, DECIDE_BY_DIGEST, hash);
	struct decide_hearing *found = NULL;

	for (; h; h = decide_map_next(h, DECIDE_BY_DIGEST)) {
		if (memcmp(h->digest, r->digest, sizeof(h->digest)) != 0
			|| h->handle != 0 || !decide_accepts(h->state, DECIDE_EVENT_BACK))
			continue;
		if (h->state == DECIDE_STATE_APPROVED
			|| h->state == DECIDE_STATE_REJECTED)
			return h;
		if (h->state == DECIDE_STATE_OPEN || h->state == DECIDE_STATE_SETTLING)
			found = h;
	}
	return found;
}

/* A person approved this a moment ago, or waits before a card of it. */
static bool
is_attended(const struct decide_run *r)
{
	const struct decide_hearing *h = r->earlier;

	if (h && h->state == DECIDE_STATE_REREADING)
		return memcmp(h->digest, r->digest, sizeof(r->digest)) == 0;
	return decide_run_find_waiting(r) != NULL;
}

/* What the judge refuses is refused again in this turn, or (`judge.on_block
 * return`) goes to the tier when the agent insists. */
static void
take_refusal(struct decide_run *r)
{
	const struct judge_verdict *v = &r->judged->verdict;
	bool critical = v->risk == CALL_RISK_CRITICAL;
	bool returns =
		str_eq(policy_setting(r->p->policy, "judge.on_block"), STR("return"));

	if (v->said != JUDGE_SAYS_DENY || (!critical && !returns)
		|| (r->outcome.by != CALL_BY_JUDGE && r->outcome.by != CALL_BY_TIER))
		return;
	decide_turns_refuse(r->d, r->session, r->meaning,
		&(struct decide_blocked){v->risk, v->reason});
	if (!critical)
		decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_JUDGE,
			arena_fmt(r->a, "%.*s (the same call again is escalated)",
				STR_ARG(v->reason.len > 0 ? v->reason
										  : STR("the judge refuses it"))));
}

/* For the user's rules and the history. */
static void
describe(struct decide_run *r)
{
	bool told = r->p->call && decide_judging_is_on(r->p->policy)
		&& !r->outcome.sensitive;

	if (!r->p->call || (!told && r->event != DECIDE_EVENT_ASKED)
		|| r->event == DECIDE_EVENT_WANTING || r->event == DECIDE_EVENT_UNSURE)
		return;
	/* these allow what is understood whole, and is no secret */
	bool is_clear =
		r->outcome.by == CALL_BY_FAST_PATH || r->outcome.by == CALL_BY_BUILTIN;

	decide_turns_describe(r->a, r->p, told,
		&(struct decide_about){&r->resources, &r->subject, is_clear});
}

/* Everything that allocates. False when it was too large for the arena. */
static bool
run(struct decide_run *r)
{
	if (!ARENA_TRY(r->a))
		return false;
	if (r->p->call) {
		decide_digest_all(r->a, r->p, r->call_digest, r->digest);
		r->attended = is_attended(r);
	}
	if (!take_pair(r) && !take_ready(r))
		run_order(r);
	if (r->judged)
		take_refusal(r);
	if (r->event == DECIDE_EVENT_ASKED) {
		show_card(r);
		answer_unheld(r);
	}
	describe(r);
	arena_done(r->a);
	return true;
}

void
decide_run_order(struct decide_run *r)
{
	if (run(r))
		return;
	memset(&r->outcome, 0, sizeof(r->outcome));
	r->pure_read = false;
	r->need_count = 0;
	decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
		STR("this call is too large to judge"));
}

/* --- from begin to end ---------------------------------------------------- */

void
decide_run_begin(struct decide_run *r)
{
	buf_init(&r->title, TITLE_BYTES);
	buf_init(&r->text, TEXT_BYTES);
	buf_init(&r->question.memory, JUDGE_USER_BYTES);
	buf_init(&r->question.head, JUDGE_USER_BYTES);
	buf_init(&r->resources, ABOUT_BYTES);
	buf_init(&r->subject, ABOUT_BYTES);
}

void
decide_run_end(struct decide_run *r)
{
	buf_done(&r->title);
	buf_done(&r->text);
	buf_done(&r->question.memory);
	buf_done(&r->question.head);
	buf_done(&r->resources);
	buf_done(&r->subject);
}

void
decide_explain(struct decide *d, struct arena *a, const struct decide_post *p,
	int64_t now_ms, struct order_result *ret)
{
	struct call call = *p->call;
	struct order_input in = {
		.call = &call,
		.world = &p->world,
		.policy = p->policy,
		.settings = p->settings,
	};

	memset(ret, 0, sizeof(*ret));
	decide_session_resolve(d, p->call->session, p->project, &in.settings);
	decide_session_budget(d, decide_session_get(d, p->call->session, now_ms),
		p->policy, now_ms, &in.settings);
	in.settings.has_judge = decide_judging_is_on(p->policy);
	in.settings.agent_prompts |= p->own_prompt;
	if (ARENA_TRY(a)) {
		decide_above_add(d, a, &call);
		decide_grants_add(d, a, p->project, NULL, &in);
		order_decide(a, &in, ret);
		arena_done(a);
		if (ret->next == ORDER_NEEDS_JUDGE)
			ret->outcome = (struct call_outcome){
				.verdict = CALL_VERDICT_ASK,
				.by = CALL_BY_JUDGE,
				.reason = STR("a model is asked"),
			};
		return;
	}
	*ret = (struct order_result){
		.outcome =
			{
					  .verdict = CALL_VERDICT_DENY,
					  .by = CALL_BY_FAILURE,
					  .reason = STR("this call is too large to judge"),
					  },
	};
}
