#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"
#include "judge/redact.h"

/*
 * What is written, and who waits for it. Batches go out one after the other; a
 * hearing waits for the number of the batch that its rows are in.
 */

struct store_batch *
decide_rows_batch(struct decide *d)
{
	if (!d->gathering)
		d->gathering = store_batch_new();
	return d->gathering;
}

struct store_batch *
decide_batch(struct decide *d)
{
	return decide_rows_batch(d);
}

/* The reason without the call's own words. Reasons are "why: what", and a few
 * have two whys. */
static struct str
why_of(struct str reason, enum call_by by)
{
	static const char *const first[] = {
		"could not judge: ", "needs a person: "};
	size_t from = 0;

	if (by == CALL_BY_ASKED) /* the agent's words on why */
		return STR("the model asks for a person");
	if (by == CALL_BY_SENSITIVE
		|| str_ends(reason, STR(", which may hold secrets")))
		return STR("it may hold secrets");
	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		if (str_starts(reason, str_from(first[i])))
			from = strlen(first[i]);
	}
	return str_sub(reason, 0, str_find(reason, STR(": "), from));
}

/*
 * A reason as it is kept. It may quote the call, and a part of a call does not
 * give away what is a secret in it: quotes of a call with secrets are left out.
 */
static struct str
kept_reason(const struct decide_hearing *h, const struct store_audit *row,
	struct buf *b)
{
	struct str why = why_of(row->reason, row->by);

	buf_init(b, 2 * (size_t)DECIDE_REASON_BYTES);
	if (!h->plain || !row->reason.ptr
		|| !judge_redact(b, row->reason, JUDGE_TEXT_PROSE))
		return why;
	return buf_str(b);
}

static void
fill_call(const struct decide_hearing *h, struct store_audit *row)
{
	row->hearing = h->number;
	row->session = h->session->row->id;
	row->project = h->texts->project;
	row->agent = h->texts->agent;
	row->role = h->texts->role;
	row->tool = h->tool;
	row->tool_name = h->texts->tool_name;
	row->by = h->by;
	row->risk = h->risk;
	row->reason = h->texts->reason;
	row->rule = h->texts->rule;
}

static void
fill_answer(const struct decide_pending *p, struct store_audit *row)
{
	row->verdict = p->verdict;
	row->by = p->by;
	row->risk = p->risk;
	row->reason = p->reason;
	row->rule = p->rule;
	row->reply = p->reply;
	row->source = p->source;
	row->note = p->verbatim.ptr ? p->verbatim : p->note;
	row->who = p->who;
	row->level = p->level;
	row->ancestry = p->ancestry;
	row->surface = p->surface;
}

/* What a model said, and what it cost: in the first row behind its answer. */
static void
fill_judged(const struct decide_judged *j, struct store_audit *row)
{
	row->provider = j->provider;
	row->model = j->model;
	row->judged = str_from(judge_says_name(j->verdict.said));
	row->trouble = str_from(j->trouble);
	row->judged_risk = j->verdict.risk;
	row->judged_reason = j->verdict.reason;
	row->input_tokens = j->input_tokens;
	row->cached_tokens = j->cached_tokens;
	row->output_tokens = j->output_tokens;
	row->unpriced = j->cost_nano < 0;
	row->cost_nano = j->cost_nano < 0 ? 0 : j->cost_nano;
	row->latency_ms = j->latency_ms;
	row->attempts = j->attempts;
	row->shared = j->shared;
	if (row->by == CALL_BY_JUDGE)
		row->reason = j->verdict.reason;
}

void
decide_rows_audit(struct decide *d, struct decide_hearing *h,
	enum store_kind kind, const struct decide_pending *p, int64_t now_ms)
{
	struct store_audit row = {.time_ms = now_ms, .kind = kind};
	char digest[STORE_DIGEST_HEX + 1], card[32 + 8];
	CLEANUP(buf_done) struct buf reason;

	fill_call(h, &row);
	if (p)
		fill_answer(p, &row);
	row.reason = kept_reason(h, &row, &reason);
	if (h->judged)
		fill_judged(h->judged, &row);
	if (d->kept)
		decide_kept_fill(d->kept, &row);
	d->kept = NULL;
	decide_digest_hex(h->digest, digest);
	row.digest = str_from(digest);
	if (h->has_card) {
		(void)snprintf(
			card, sizeof(card), "%lld-%.8s", (long long)h->number, digest);
		row.card = str_from(card);
	}
	row.duration_us = h->spent_us + (now_ms - h->created_ms) * 1000;
	store_batch_add_audit(decide_rows_batch(d), &row);
	free(h->judged);
	h->judged = NULL;
}

/* Ends that nobody waits for; ANSWERED and APPROVED are waited for. */
static bool
is_end(enum store_card_state s)
{
	return s != STORE_CARD_OPEN && s != STORE_CARD_ANSWERED
		&& s != STORE_CARD_APPROVED;
}

static void
remember_end(struct decide *d, const struct store_card *c)
{
	struct decide_ending *e = calloc(1, sizeof(*e));

	CHECK(e);
	e->number = c->number;
	e->state = c->state;
	e->ended_ms = c->ended_ms;
	e->batch = d->batch;
	e->next = d->endings;
	d->endings = e;
}

static void
finish_endings(struct decide *d, bool ok)
{
	struct decide_ending **at = &d->endings;

	while (*at) {
		struct decide_ending *e = *at;

		if (e->batch == d->out && ok) {
			*at = e->next;
			free(e);
			continue;
		}
		if (e->batch == d->out)
			e->batch = 0;
		at = &e->next;
	}
}

/* With the next batch that has something else in it: a store that fails is not
 * asked again and again for this alone. */
static void
repeat_endings(struct decide *d)
{
	for (struct decide_ending *e = d->endings; e; e = e->next) {
		if (e->batch != 0)
			continue;
		store_batch_end_card(d->gathering, e->number, e->state, e->ended_ms);
		e->batch = d->batch;
	}
}

void
decide_rows_card(struct decide *d, const struct decide_hearing *h,
	enum store_card_state state, const struct decide_pending *p, int64_t now_ms)
{
	struct store_card c = {
		.number = h->number,
		.state = state,
		.ended_ms = now_ms,
		.by = h->by,
		.replaced_by = d->successor ? d->successor->number : 0,
	};

	if (!h->has_card)
		return;
	if (p) {
		c.verdict = p->verdict;
		c.by = p->by;
		c.reply = p->reply;
		c.source = p->source;
		c.note = p->note;
		c.who = p->who;
		c.ended_ms = p->at_ms;
	}
	store_batch_set_card(decide_rows_batch(d), &c);
	if (is_end(state))
		remember_end(d, &c);
}

void
decide_rows_await(struct decide *d, struct decide_hearing *h)
{
	if (d->awaiting_count == d->awaiting_room) {
		size_t room = d->awaiting_room ? d->awaiting_room * 2 : 64;
		int64_t *wider = realloc(d->awaiting, room * sizeof(*wider));

		CHECK(wider);
		d->awaiting = wider;
		d->awaiting_room = room;
	}
	d->awaiting[d->awaiting_count++] = h->number;
	h->awaits = d->batch;
}

void
decide_rows_wait(struct decide *d, const struct decide_waiter *w)
{
	struct decide_waiter **at = &d->waiters;
	struct decide_waiter *own = malloc(sizeof(*own));

	CHECK(own);
	*own = *w;
	own->next = NULL;
	own->batch = d->batch;
	while (*at)
		at = &(*at)->next;
	*at = own;
}

static void
free_waiter(struct decide_waiter *w)
{
	free(w->answer);
	free(w->setting);
	free(w);
}

static void
finish(struct decide *d, struct decide_waiter *w, int result)
{
	if (w->hook)
		decide_acts_send(d, w->handle, 0, w->answer,
			result != 0 ? DECIDE_SEND_UNRECORDED : 0);
	else if (w->setting && result == 0) {
		decide_session_setting(d, w->setting);
		decide_acts_changed(d, w->setting);
	}
	if (!w->hook)
		decide_acts_replied(d, w->handle,
			result == 0 ? DECIDE_DONE : DECIDE_NOT_RECORDED, NULL,
			result == 0 ? (struct str){0} : str_from(fail_text()));
	free_waiter(w);
}

static void
finish_waiters(struct decide *d, int result)
{
	struct decide_waiter **at = &d->waiters;

	while (*at) {
		struct decide_waiter *w = *at;

		if (w->batch != d->out) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		finish(d, w, result);
	}
}

void
decide_rows_forget(struct decide *d, uint64_t handle)
{
	for (struct decide_waiter *w = d->waiters; w; w = w->next) {
		if (w->handle == handle)
			w->handle = 0;
	}
}

void
decide_rows_free(struct decide *d)
{
	while (d->waiters) {
		struct decide_waiter *w = d->waiters;

		d->waiters = w->next;
		free_waiter(w);
	}
	while (d->endings) {
		struct decide_ending *e = d->endings;

		d->endings = e->next;
		free(e);
	}
	store_batch_free(d->gathering);
	free(d->awaiting);
	free(d->out_awaiting);
}

struct store_batch *
decide_take_batch(struct decide *d)
{
	struct store_batch *b = d->gathering;

	if (d->out != 0 || !b || store_batch_count(b) == 0)
		return NULL;
	repeat_endings(d);
	d->out = d->batch++;
	d->grants_out = d->grants_gather;
	d->grants_gather = false;
	free(d->out_awaiting);
	d->out_awaiting = d->awaiting;
	d->out_count = d->awaiting_count;
	d->awaiting = NULL;
	d->awaiting_count = d->awaiting_room = 0;
	d->gathering = NULL;
	return b;
}

static void
note_result(struct decide *d, int result)
{
	if (result != 0) {
		(void)snprintf(d->failure, sizeof(d->failure), "%s: %.120s",
			fail_name(result), fail_text());
		decide_acts_journal(d, "cannot record: %s", d->failure);
	} else if (d->failing) {
		decide_acts_journal(d, "recording again");
	}
	d->failing = result != 0;
}

void
decide_committed(
	struct decide *d, struct store_batch *b, int result, int64_t now_ms)
{
	CHECK(d->out != 0);
	note_result(d, result);
	store_batch_free(b);
	decide_grants_committed(d, result == 0);
	for (size_t i = 0; i < d->out_count; i++) {
		struct decide_hearing *h =
			decide_hearing_by_number(d, d->out_awaiting[i]);

		if (!h || h->awaits != d->out)
			continue;
		h->awaits = 0;
		(void)decide_step(d, h,
			result == 0 ? DECIDE_EVENT_RECORDED : DECIDE_EVENT_FAILED, now_ms);
	}
	finish_waiters(d, result);
	finish_endings(d, result == 0);
	d->out = 0;
	d->out_count = 0;
}
