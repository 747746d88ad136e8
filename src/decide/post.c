#include <string.h>

#include "base/limits.h"
#include "card/card.h"
#include "decide/decide_priv.h"

/*
 * A call arrives, or a client comes back. The order is run here, with the
 * settings that hold now; what it says moves the hearing.
 */

enum {
	TITLE_BYTES = 4096,
	TEXT_BYTES = 2 * LIMIT_BODY_BYTES, /* of a call, as it is shown */
};

/* One run of the order, and all that is made of it in the arena. */
struct hearing_run {
	struct decide *d;
	struct arena *a;
	const struct decide_post *p;
	int64_t now_ms;
	struct decide_session *session;

	const struct decide_hearing *earlier; /* what this goes on with, or NULL */
	struct decide_offer offer;
	bool rounds_used_up;
	bool evidence_used_up; /* ...and for what a card or the judge wants */
	bool pure_read;
	bool attended; /* a person answered exactly this, or is asked already */
	const struct decide_judged *judged; /* what a model said, or NULL */
	enum call_mode mode;             /* as resolved; judged: as it was then */
	struct decide_question question; /* UNSURE */

	enum decide_event event; /* DECIDED, ASKED, WANTING or UNSURE */
	struct call_outcome outcome;
	unsigned char call_digest[DECIDE_DIGEST_BYTES]; /* zeros: no call */
	unsigned char digest[DECIDE_DIGEST_BYTES];
	struct call_need *needs; /* all that this hearing wants to know */
	size_t need_count;
	struct store_card card; /* what shows the call */
	struct buf title, text; /* ...and its memory */
};

/* --- the order ------------------------------------------------------------ */

static void
set_outcome(struct hearing_run *r, enum call_verdict verdict, enum call_by by,
	struct str reason)
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
join_needs(struct hearing_run *r, const struct call_facts *f)
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
offer_always(struct hearing_run *r, const struct order_input *in,
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
want_evidence(struct hearing_run *r, const struct call_facts *f, bool judging)
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
put_judged(const struct hearing_run *r, struct order_input *in)
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
	in->judged_reason = v->says != JUDGE_SAYS_FAILURE ? v->reason
		: r->judged->reason.len > 0                   ? r->judged->reason
													  : str_from(v->failure);
	/* a change of mode counts from the next call on, unless it is stricter */
	if (r->mode < in->settings.mode)
		in->settings.mode = r->mode;
	in->settings.budget_used_up = false;
}

/* The order wants a model. True when it is to run again at once. */
static bool
settle_judge(struct hearing_run *r, struct order_input *in,
	const struct order_result *result)
{
	if (r->attended) {
		/* the person decides; what happens without one does not matter */
		in->judged = ORDER_JUDGE_ESCALATED;
		in->settings.tier = CALL_TIER_STANDARD;
		return true;
	}
	if (want_evidence(r, &result->facts, true))
		return false;
	r->mode = in->settings.mode;
	if (decide_turns_ask(
			r->d, r->a, r->session, r->p, &result->facts, &r->question)) {
		r->event = DECIDE_EVENT_UNSURE;
		return false;
	}
	in->judged = ORDER_JUDGE_FAILED;
	in->judged_reason = r->question.failure;
	return true;
}

static void
run_order(struct hearing_run *r)
{
	const struct decide_post *p = r->p;
	struct call_world world = p->world;
	struct order_result result = {0};
	struct order_input in = {
		.call = p->call,
		.world = &world,
		.policy = p->policy,
		.settings = p->settings,
	};

	world.rounds_used_up = r->rounds_used_up;
	decide_session_resolve(r->d, p->call->session, p->project, &in.settings);
	in.settings.has_judge = decide_judging_is_on(p->policy);
	in.settings.agent_prompts |= p->own_prompt;
	decide_grants_add(r->d, r->a, p->project, NULL, &in);
	if (r->judged)
		put_judged(r, &in);
	order_decide(r->a, &in, &result);
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
		set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
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
take_pair(struct hearing_run *r)
{
	struct decide_pair pair;

	if (!r->p->second || !r->p->call
		|| !decide_pair_take(r->d, r->call_digest, r->now_ms, &pair))
		return false;
	set_outcome(r, pair.verdict, pair.by,
		arena_fmt(r->a, "the same call as hearing %lld: %s",
			(long long)pair.number, call_verdict_name(pair.verdict)));
	return true;
}

static bool
take_ready(struct hearing_run *r)
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
		set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
			STR("the call could not be read"));
	}
	return ready || !r->p->call;
}

/* --- whether a card may be made ------------------------------------------- */

static bool
over_quota(const struct hearing_run *r)
{
	const struct decide *d = r->d;
	size_t bytes = r->card.text.len;

	return d->cards >= DECIDE_CARDS_MAX
		|| r->session->cards >= DECIDE_CARDS_SESSION_MAX
		|| d->card_bytes + bytes > DECIDE_CARDS_BYTES_MAX
		|| r->session->bytes + bytes > DECIDE_CARDS_SESSION_BYTES_MAX;
}

static bool
prompt_answers(const struct hearing_run *r)
{
	return r->p->own_prompt && !r->outcome.person_only;
}

/* Why no card may be made, or absent. */
static struct str
why_no_card(const struct hearing_run *r)
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
answer_unheld(struct hearing_run *r)
{
	bool has_card = r->p->can_hold || r->p->lasting;
	struct str reason = has_card ? why_no_card(r) : r->outcome.reason;

	if (has_card && reason.ptr)
		set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE, reason);
	else if (has_card)
		return;
	else if (prompt_answers(r))
		r->event = DECIDE_EVENT_DECIDED;
	else
		set_outcome(r, CALL_VERDICT_DENY, r->outcome.by,
			arena_fmt(r->a, "needs a person: %.*s", STR_ARG(reason)));
}

static void
show_card(struct hearing_run *r)
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

/* A card for the identical call that no agent waits at: an approval first. */
static struct decide_hearing *
find_waiting(const struct hearing_run *r)
{
	uint64_t hash =
		decide_hash((struct str){(const char *)r->digest, sizeof(r->digest)});
	struct decide_hearing *h = decide_map_find(r->d, DECIDE_BY_DIGEST, hash);
	struct decide_hearing *found = NULL;

	for (; h; h = decide_map_next(h, DECIDE_BY_DIGEST)) {
		if (memcmp(h->digest, r->digest, sizeof(h->digest)) != 0
			|| h->handle != 0 || !decide_accepts(h->state, DECIDE_EVENT_BACK))
			continue;
		if (h->state == DECIDE_STATE_APPROVED)
			return h;
		if (h->state == DECIDE_STATE_OPEN || h->state == DECIDE_STATE_SETTLING)
			found = h;
	}
	return found;
}

/* A person approved this a moment ago, or waits before a card of it. */
static bool
is_attended(const struct hearing_run *r)
{
	const struct decide_hearing *h = r->earlier;

	if (h && h->state == DECIDE_STATE_REREADING)
		return memcmp(h->digest, r->digest, sizeof(r->digest)) == 0;
	return find_waiting(r) != NULL;
}

/* Everything that allocates. False when it was too large for the arena. */
static bool
run(struct hearing_run *r)
{
	if (!ARENA_TRY(r->a))
		return false;
	if (r->p->call) {
		decide_digest_all(r->a, r->p, r->call_digest, r->digest);
		r->attended = is_attended(r);
	}
	if (!take_pair(r) && !take_ready(r))
		run_order(r);
	if (r->event == DECIDE_EVENT_ASKED) {
		show_card(r);
		answer_unheld(r);
	}
	arena_done(r->a);
	return true;
}

static void
judge(struct hearing_run *r)
{
	if (run(r))
		return;
	memset(&r->outcome, 0, sizeof(r->outcome));
	r->pure_read = false;
	r->need_count = 0;
	set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
		STR("this call is too large to judge"));
}

/* --- what becomes of it --------------------------------------------------- */

static struct decide_texts
texts_of(const struct hearing_run *r)
{
	const struct decide_post *p = r->p;
	struct decide_texts t = {
		.agent = str_from(p->agent),
		.reason = r->outcome.reason,
		.rule = r->outcome.rule,
		.project = p->project,
		.pattern = r->offer.pattern,
		.grant = r->offer.resource,
	};

	if (!p->call)
		return t;
	t.role = p->call->agent_role;
	t.tool_name = p->call->tool_name;
	t.call_id = p->call->id;
	if (p->call->agent.ptr)
		t.agent = p->call->agent;
	return t;
}

/* What the hearing keeps of this run. */
static void
keep(struct hearing_run *r, struct decide_hearing *h)
{
	const struct decide_post *p = r->p;
	struct decide_texts texts = texts_of(r);

	decide_hearing_set_texts(h, &texts);
	memcpy(h->digest, r->digest, sizeof(h->digest));
	h->by = r->outcome.by;
	h->risk = r->outcome.risk;
	h->person_only = r->outcome.person_only;
	h->always = r->offer.always;
	h->lasting = p->lasting;
	h->at_deadline = prompt_answers(r) ? CALL_VERDICT_ASK : CALL_VERDICT_DENY;
	h->deadline_ms = p->can_hold ? p->deadline_ms : r->now_ms;
	h->expires_ms = !p->lasting ? p->deadline_ms
		: p->expires_ms > 0     ? p->expires_ms
								: r->now_ms + DECIDE_EXPIRES_MS;
	h->note_here = p->note_here;
	h->spent_us = p->spent_us;
	if (!p->call)
		return;
	h->tool = p->call->tool;
	h->pairs = !p->second;
	memcpy(h->call_digest, r->call_digest, sizeof(h->call_digest));
}

static struct decide_hearing *
new_hearing(struct hearing_run *r)
{
	struct decide_texts texts = texts_of(r);
	struct decide_hearing *h =
		decide_hearing_new(r->d, r->d->next_number++, r->session, &texts);

	h->created_ms = r->now_ms;
	/* what the agent wants while an earlier call of its waits is of one round */
	if (r->session->attached == 0 || r->session->round_is_over)
		r->session->round = h->number;
	r->session->round_is_over = false;
	h->round = r->session->round;
	decide_hearing_set_key(r->d, h, r->p->key);
	decide_hearing_set_handle(r->d, h, r->p->handle);
	return h;
}

/* The agent of h now waits at an older card of the identical call. */
static void
join_waiting(
	struct hearing_run *r, struct decide_hearing *h, struct decide_hearing *old)
{
	struct decide_texts texts = *old->texts;

	decide_hearing_free(r->d, h);
	texts.call_id = r->p->call->id;
	decide_hearing_set_texts(old, &texts);
	old->note_here = r->p->note_here;
	old->deadline_ms = r->p->can_hold ? r->p->deadline_ms : r->now_ms;
	decide_hearing_set_key(r->d, old, r->p->key);
	decide_hearing_set_handle(r->d, old, r->p->handle);
	(void)decide_step(r->d, old, DECIDE_EVENT_BACK, r->now_ms);
}

static void
make_card(struct hearing_run *r, struct decide_hearing *h)
{
	char digest[STORE_DIGEST_HEX + 1], call_digest[STORE_DIGEST_HEX + 1];
	struct store_card *c = &r->card;

	decide_digest_hex(h->digest, digest);
	decide_digest_hex(h->call_digest, call_digest);
	h->has_card = true;
	h->bytes = (uint32_t)c->text.len;
	c->number = h->number;
	c->state = STORE_CARD_OPEN;
	c->key = str_from(h->key);
	c->digest = str_from(digest);
	c->call_digest = str_from(call_digest);
	c->session = h->session->row->id;
	c->agent = h->texts->agent;
	c->role = h->texts->role;
	c->call_id = h->texts->call_id;
	c->tool = h->tool;
	c->tool_name = h->texts->tool_name;
	c->reason = h->texts->reason;
	c->rule = h->texts->rule;
	c->by = h->by;
	c->risk = h->risk;
	c->person_only = h->person_only;
	c->always = h->always;
	c->lasting = h->lasting;
	c->at_deadline = h->at_deadline;
	c->created_ms = h->created_ms;
	c->deadline_ms = h->deadline_ms;
	c->expires_ms = h->expires_ms;
	c->round = h->round;
	decide_map_add(r->d, h, DECIDE_BY_DIGEST,
		decide_hash((struct str){(const char *)h->digest, sizeof(h->digest)}));
	r->d->new_card = c;
	(void)decide_step(r->d, h, DECIDE_EVENT_ASKED, r->now_ms);
	r->d->new_card = NULL;
}

static void
answer(struct hearing_run *r, struct decide_hearing *h)
{
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = r->outcome.verdict,
			.by = r->outcome.by,
			.risk = r->outcome.risk,
			.reason = r->outcome.reason,
			.rule = r->outcome.rule,
			.pure_read = r->pure_read,
			.at_ms = r->now_ms,
		});
	(void)decide_step(r->d, h, DECIDE_EVENT_DECIDED, r->now_ms);
}

static void
want(struct hearing_run *r, struct decide_hearing *h)
{
	r->d->needs = r->needs;
	r->d->need_count = r->need_count;
	(void)decide_step(r->d, h, DECIDE_EVENT_WANTING, r->now_ms);
	r->d->needs = NULL;
	r->d->need_count = 0;
}

static void
ask_judge(struct hearing_run *r, struct decide_hearing *h)
{
	r->question.ask.left_ms = decide_judging_left(r->p, r->now_ms);
	r->d->new_judging =
		decide_judging_new(r->p, &r->question.ask, r->mode, r->now_ms);
	if (r->d->new_judging) {
		(void)decide_step(r->d, h, DECIDE_EVENT_UNSURE, r->now_ms);
		r->d->new_judging = NULL;
		return;
	}
	set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
		STR("this call is too large to judge"));
	keep(r, h);
	answer(r, h);
}

/* h is new, was LOOKING, or is JUDGING. */
static void
follow(struct hearing_run *r, struct decide_hearing *h)
{
	if (r->event == DECIDE_EVENT_WANTING) {
		want(r, h);
		return;
	}
	keep(r, h);
	if (r->event == DECIDE_EVENT_UNSURE) {
		ask_judge(r, h);
		return;
	}
	if (r->event == DECIDE_EVENT_DECIDED) {
		answer(r, h);
		return;
	}
	struct decide_hearing *old = find_waiting(r);

	if (old)
		join_waiting(r, h, old);
	else
		make_card(r, h);
}

/* False if the reply of h is an always that cannot be granted. */
static bool
keep_grant(const struct hearing_run *r, struct decide_hearing *h)
{
	struct decide_pending p = *h->pending;

	if (p.reply != CALL_REPLY_ALWAYS)
		return true;
	if (!r->offer.fits)
		return false;
	p.grant = r->offer.grant.resource;
	p.grant_exact = r->offer.grant.exact;
	p.project = r->p->project;
	decide_hearing_set_pending(h, &p);
	return true;
}

/* h is REREADING: the approval stands only if nothing is different. */
static void
follow_reread(struct hearing_run *r, struct decide_hearing *h)
{
	bool same = r->event == DECIDE_EVENT_ASKED
		&& memcmp(h->digest, r->digest, sizeof(h->digest)) == 0
		&& r->outcome.person_only == h->person_only;

	if (r->event == DECIDE_EVENT_WANTING) {
		want(r, h);
		return;
	}
	if (same && !keep_grant(r, h)) {
		(void)decide_step(r->d, h, DECIDE_EVENT_UNFIT, r->now_ms);
		return;
	}
	if (same) {
		(void)decide_step(r->d, h, DECIDE_EVENT_SAME, r->now_ms);
		return;
	}
	decide_hearing_set_key(r->d, h, (struct str){0});
	decide_hearing_set_handle(r->d, h, 0);
	r->d->successor = new_hearing(r);
	struct decide_hearing *next = r->d->successor;

	next->round = h->round;

	(void)decide_step(r->d, h, DECIDE_EVENT_CHANGED, r->now_ms);
	r->d->successor = NULL;
	follow(r, next);
}

/* --- arrivals ------------------------------------------------------------- */

/* The key's earlier hearing, when it is of this call; another call under the
 * same key takes its place. */
static struct decide_hearing *
find_earlier(struct hearing_run *r)
{
	struct decide *d = r->d;
	struct decide_hearing *h = decide_hearing_by_key(d, r->p->key);

	if (!h
		|| (r->p->call
			&& memcmp(r->call_digest, h->call_digest, sizeof(r->call_digest))
				== 0))
		return h;
	(void)decide_step(d, h, DECIDE_EVENT_GONE, r->now_ms);
	h = decide_hearing_by_key(d, r->p->key);
	if (h)
		decide_hearing_set_key(d, h, (struct str){0});
	return NULL;
}

static void
attach(struct decide *d, struct decide_hearing *h, uint64_t handle)
{
	if (h->handle != 0 && h->handle != handle)
		decide_acts_drop(d, h->handle, h->number);
	decide_hearing_set_handle(d, h, handle);
}

static void
learn_parent(struct hearing_run *r)
{
	const struct call *c = r->p->call;

	if (c && c->parent_session.len > 0
		&& !str_eq(r->session->row->parent, c->parent_session))
		decide_session_parent(
			r->d, c->session, c->parent_session, (struct str){0}, r->now_ms);
}

static void
begin(struct hearing_run *r)
{
	buf_init(&r->title, TITLE_BYTES);
	buf_init(&r->text, TEXT_BYTES);
	buf_init(&r->question.memory, JUDGE_USER_BYTES);
}

static void
end(struct hearing_run *r)
{
	buf_done(&r->title);
	buf_done(&r->text);
	buf_done(&r->question.memory);
}

void
decide_post(struct decide *d, struct arena *a, const struct decide_post *p,
	int64_t now_ms)
{
	struct hearing_run r = {.d = d, .a = a, .p = p, .now_ms = now_ms};
	struct decide_hearing *h;

	CHECK(p->handle != 0);
	if (d->stopping) {
		decide_acts_drop(d, p->handle, 0);
		return;
	}
	if (p->call)
		decide_digest_call(p->call, r.call_digest);
	h = find_earlier(&r);
	if (h)
		attach(d, h, p->handle);
	if (h && h->state != DECIDE_STATE_LOOKING
		&& h->state != DECIDE_STATE_REREADING) {
		h->deadline_ms = p->deadline_ms;
		h->note_here = p->note_here;
		if (h->judging) {
			h->judging->post.deadline_ms = p->deadline_ms;
			h->judging->post.note_here = p->note_here;
		}
		(void)decide_step(d, h, DECIDE_EVENT_BACK, now_ms);
		return;
	}
	begin(&r);
	r.session = decide_session_get(
		d, p->call ? p->call->session : (struct str){0}, now_ms);
	learn_parent(&r);
	r.rounds_used_up = h && h->rounds >= DECIDE_ROUNDS_MAX;
	r.evidence_used_up =
		h && h->rounds >= DECIDE_ROUNDS_MAX + DECIDE_EVIDENCE_ROUNDS;
	r.earlier = h;
	judge(&r);
	if (!h)
		h = new_hearing(&r);
	memcpy(h->call_digest, r.call_digest, sizeof(h->call_digest));
	if (h->state == DECIDE_STATE_REREADING)
		follow_reread(&r, h);
	else
		follow(&r, h);
	end(&r);
}

void
decide_post_judged(struct decide *d, struct arena *a, struct decide_hearing *h,
	const struct decide_judged *judged, int64_t now_ms)
{
	struct decide_judging *j = h->judging;
	struct hearing_run r = {
		.d = d,
		.a = a,
		.p = &j->post,
		.now_ms = now_ms,
		.session = h->session,
		.judged = judged,
		.mode = j->mode,
		.rounds_used_up = true, /* nothing was wanted the first time */
		.evidence_used_up = true,
	};

	memcpy(r.call_digest, h->call_digest, sizeof(r.call_digest));
	begin(&r);
	judge(&r);
	h->judging = NULL;
	follow(&r, h);
	decide_judging_free(j);
	end(&r);
}

void
decide_explain(struct decide *d, struct arena *a, const struct decide_post *p,
	struct order_result *ret)
{
	struct order_input in = {
		.call = p->call,
		.world = &p->world,
		.policy = p->policy,
		.settings = p->settings,
	};

	memset(ret, 0, sizeof(*ret));
	decide_session_resolve(d, p->call->session, p->project, &in.settings);
	in.settings.has_judge = decide_judging_is_on(p->policy);
	in.settings.agent_prompts |= p->own_prompt;
	if (ARENA_TRY(a)) {
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
