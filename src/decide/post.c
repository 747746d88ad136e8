#include <string.h>

#include "decide/run.h"

/*
 * A call arrives, or a client comes back. The order is run, and what it says
 * moves the hearing.
 */

/* --- what becomes of it --------------------------------------------------- */

static struct str
text_or_none(const struct buf *b)
{
	return b->len > 0 ? buf_str(b) : (struct str){0};
}

static struct decide_texts
texts_of(const struct decide_run *r)
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
	t.turn = p->call->turn;
	t.resources = text_or_none(&r->resources);
	t.subject = text_or_none(&r->subject);
	if (p->call->agent.ptr)
		t.agent = p->call->agent;
	return t;
}

/* What the hearing keeps of this run. */
static void
keep(struct decide_run *r, struct decide_hearing *h)
{
	const struct decide_post *p = r->p;
	struct decide_texts texts = texts_of(r);

	decide_hearing_set_texts(h, &texts);
	memcpy(h->digest, r->digest, sizeof(h->digest));
	h->by = r->outcome.by;
	h->risk = r->outcome.risk;
	h->person_only = r->outcome.person_only;
	h->always = r->offer.always;
	h->hides_always = r->has_judge_mode;
	h->lasting = p->lasting;
	h->elsewhere = p->elsewhere;
	h->at_deadline =
		decide_run_prompt_answers(r) ? CALL_VERDICT_ASK : CALL_VERDICT_DENY;
	h->deadline_ms = p->can_hold || p->elsewhere ? p->deadline_ms : r->now_ms;
	h->expires_ms = !p->lasting && !p->elsewhere ? p->deadline_ms
		: p->expires_ms > 0                      ? p->expires_ms
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
new_hearing(struct decide_run *r)
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
	struct decide_run *r, struct decide_hearing *h, struct decide_hearing *old)
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
make_card(struct decide_run *r, struct decide_hearing *h)
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
	c->resources = h->texts->resources;
	c->subject = h->texts->subject;
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

/* People may say that a machine's decisions need not be on the disk at once. */
static bool
is_relaxed(const struct decide_run *r)
{
	return str_eq(policy_setting(r->p->policy, "durability"), STR("normal"));
}

static void
answer(struct decide_run *r, struct decide_hearing *h)
{
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = r->outcome.verdict,
			.by = r->outcome.by,
			.risk = r->outcome.risk,
			.reason = r->outcome.reason,
			.rule = r->outcome.rule,
			.unsynced = r->pure_read || is_relaxed(r),
			.at_ms = r->now_ms,
		});
	(void)decide_step(r->d, h, DECIDE_EVENT_DECIDED, r->now_ms);
}

static void
want(struct decide_run *r, struct decide_hearing *h)
{
	r->d->needs = r->needs;
	r->d->need_count = r->need_count;
	(void)decide_step(r->d, h, DECIDE_EVENT_WANTING, r->now_ms);
	r->d->needs = NULL;
	r->d->need_count = 0;
}

/* There is an answer, or a card; the call is kept with its row. */
static void
settle(struct decide_run *r, struct decide_hearing *h)
{
	struct decide_kept kept;
	struct decide_hearing *old = NULL;

	decide_kept_of(r->p->call, &kept);
	h->plain = kept.plain;
	r->d->kept = &kept;
	if (r->event == DECIDE_EVENT_DECIDED)
		answer(r, h);
	else if ((old = decide_run_find_waiting(r)) != NULL)
		join_waiting(r, h, old);
	else
		make_card(r, h);
	r->d->kept = NULL;
	decide_kept_done(&kept);
}

static void
ask_judge(struct decide_run *r, struct decide_hearing *h)
{
	r->question.ask.left_ms = decide_judging_left(r->p, r->now_ms);
	r->d->new_judging =
		decide_judging_new(r->p, &r->question.ask, r->mode, r->now_ms);
	if (r->d->new_judging) {
		(void)decide_step(r->d, h, DECIDE_EVENT_UNSURE, r->now_ms);
		r->d->new_judging = NULL;
		return;
	}
	decide_run_set_outcome(r, CALL_VERDICT_DENY, CALL_BY_FAILURE,
		STR("this call is too large to judge"));
	keep(r, h);
	settle(r, h);
}

/* h is new, was LOOKING, or is JUDGING. */
static void
follow(struct decide_run *r, struct decide_hearing *h)
{
	if (r->event == DECIDE_EVENT_WANTING) {
		want(r, h);
		return;
	}
	keep(r, h);
	if (r->event == DECIDE_EVENT_UNSURE)
		ask_judge(r, h);
	else
		settle(r, h);
}

/* False if the reply of h is an always that cannot be granted. */
static bool
keep_grant(const struct decide_run *r, struct decide_hearing *h)
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
follow_reread(struct decide_run *r, struct decide_hearing *h)
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
find_earlier(struct decide_run *r)
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

/* Who started the session, and what it is called. */
static void
learn_session(struct decide_run *r)
{
	const struct call *c = r->p->call;

	if (!c)
		return;
	if (c->parent_session.len > 0
		&& !str_eq(r->session->row->parent, c->parent_session))
		decide_session_parent(
			r->d, c->session, c->parent_session, (struct str){0}, r->now_ms);
	struct store_session row = *r->session->row;

	row.role = str_sub(c->agent_role, 0, DECIDE_TEXT_BYTES);
	if (row.role.len > 0 && !str_eq(row.role, r->session->row->role))
		decide_session_change(r->d, r->session, &row);
}

void
decide_post(struct decide *d, struct arena *a, const struct decide_post *p,
	int64_t now_ms)
{
	struct decide_run r = {.d = d, .a = a, .p = p, .now_ms = now_ms};
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
	decide_run_begin(&r);
	r.session = decide_session_get(
		d, p->call ? p->call->session : (struct str){0}, now_ms);
	learn_session(&r);
	r.rounds_used_up = p->blind || (h && h->rounds >= DECIDE_ROUNDS_MAX);
	r.evidence_used_up = p->blind
		|| (h && h->rounds >= DECIDE_ROUNDS_MAX + DECIDE_EVIDENCE_ROUNDS);
	r.earlier = h;
	decide_run_order(&r);
	if (!h)
		h = new_hearing(&r);
	memcpy(h->call_digest, r.call_digest, sizeof(h->call_digest));
	if (h->state == DECIDE_STATE_REREADING)
		follow_reread(&r, h);
	else
		follow(&r, h);
	decide_run_end(&r);
}

void
decide_post_judged(
	struct decide *d, struct arena *a, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_judging *j = h->judging;
	struct decide_run r = {
		.d = d,
		.a = a,
		.p = &j->post,
		.now_ms = now_ms,
		.session = h->session,
		.judged = h->judged,
		.mode = j->mode,
		.rounds_used_up = true, /* nothing was wanted the first time */
		.evidence_used_up = true,
	};

	memcpy(r.call_digest, h->call_digest, sizeof(r.call_digest));
	decide_run_begin(&r);
	decide_run_order(&r);
	(void)decide_judging_take(d, h);
	follow(&r, h);
	decide_judging_free(j);
	decide_run_end(&r);
}
