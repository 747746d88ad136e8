#include "decide/decide.h"

#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"

/*
 * The registry: made from what the store kept, told what happens outside, and
 * asked how things are.
 */

enum { LOAD_BYTES = 256 << 20 };

/* --- what the last run left ----------------------------------------------- */

static void
load_answer(struct decide_hearing *h, const struct store_card *c)
{
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = c->verdict,
			.by = c->by,
			.risk = c->risk,
			.reply = c->reply,
			.reason = c->reply == CALL_REPLY_NONE ? c->reason
				: c->verdict == CALL_VERDICT_ALLOW
				? STR("approved by the user")
				: STR("rejected by the user"),
			.rule = c->rule,
			.note = c->note,
			.source = c->source,
			.who = c->who,
			.at_ms = c->ended_ms,
		});
}

/* What a row becomes. Anything odd waits for nobody: it is withdrawn soon. */
static enum decide_state
state_of(const struct store_card *c)
{
	if (c->state == STORE_CARD_APPROVED && c->verdict == CALL_VERDICT_ALLOW)
		return DECIDE_STATE_APPROVED;
	if (c->state == STORE_CARD_ANSWERED && c->verdict != CALL_VERDICT_NONE)
		return DECIDE_STATE_ANSWERED;
	return DECIDE_STATE_PENDING;
}

static void
load_card(struct decide *d, const struct store_card *c, int64_t now_ms)
{
	struct decide_texts texts = {
		.agent = c->agent,
		.role = c->role,
		.tool_name = c->tool_name,
		.call_id = c->call_id,
		.reason = c->reason,
		.rule = c->rule,
		.turn = c->turn,
		.resources = c->resources,
		.subject = c->subject,
	};
	struct decide_hearing *h = decide_hearing_new(
		d, c->number, decide_session_get(d, c->session, now_ms), &texts);

	if (!decide_digest_from(c->digest, h->digest)
		|| !decide_digest_from(c->call_digest, h->call_digest))
		memset(h->digest, 0, sizeof(h->digest)); /* nobody can name it */
	h->has_card = true;
	h->tool = c->tool;
	h->by = c->by;
	h->risk = c->risk;
	h->person_only = c->person_only;
	h->always = c->always;
	h->lasting = c->lasting;
	h->at_deadline = c->at_deadline == CALL_VERDICT_ASK ? CALL_VERDICT_ASK
														: CALL_VERDICT_DENY;
	h->created_ms = c->created_ms;
	h->deadline_ms = c->deadline_ms;
	h->expires_ms = c->expires_ms;
	h->round = c->round > 0 ? c->round : c->number;
	h->lost_ms = now_ms + DECIDE_REATTACH_MS;
	h->bytes = (uint32_t)c->text.len;
	if (c->state != STORE_CARD_OPEN)
		load_answer(h, c);
	decide_map_add(d, h, DECIDE_BY_DIGEST,
		decide_hash((struct str){(const char *)h->digest, sizeof(h->digest)}));
	if (state_of(c) != DECIDE_STATE_APPROVED)
		decide_hearing_set_key(d, h, c->key);
	decide_machine_load(d, h, state_of(c));
}

static int
load_rest(struct decide *d, struct arena *a)
{
	struct store_setting *settings;
	struct store_note *notes;
	size_t n = 0;
	int r = store_read_settings(d->reader, a, &settings, &n);

	if (r != 0)
		return r;
	decide_session_settings(d, settings, n);
	r = decide_grants_load(d);
	if (r != 0)
		return r;
	r = store_read_notes(d->reader, a, &notes, &n);
	for (size_t i = 0; r == 0 && i < n; i++)
		decide_notes_add(d, &notes[i]);
	return r;
}

static int
load(struct decide *d, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LOAD_BYTES);
	struct store_card *cards;
	size_t n = 0;

	if (!a || !ARENA_TRY(a))
		return fail_here(FAIL_MEMORY, "the open cards do not fit in memory");
	int r = load_rest(d, a);

	if (r == 0)
		r = store_read_cards(d->reader, a, &cards, &n);
	for (size_t i = 0; r == 0 && i < n; i++)
		load_card(d, &cards[i], now_ms);
	return r;
}

int
decide_new(struct store_reader *r, const struct store_opened *opened,
	int64_t now_ms, struct decide **ret)
{
	struct decide *d = calloc(1, sizeof(*d));
	int result = 0;

	if (!d)
		return fail_here(FAIL_MEMORY, "decide: no memory");
	d->reader = r;
	d->next_number = opened->next_hearing > 0 ? opened->next_hearing : 1;
	d->batch = 1;
	d->acts_end = &d->acts;
	d->acts_arena = arena_new(DECIDE_ACTS_BYTES);
	for (size_t i = 0; i < DECIDE_INDEXES; i++)
		decide_map_init(&d->maps[i]);
	if (!d->acts_arena)
		result = fail_here(FAIL_MEMORY, "decide: no memory");
	else if (r)
		result = load(d, now_ms);
	if (r && result == 0)
		result = decide_session_cost_load(d, now_ms);
	if (r && result == 0)
		decide_turns_sweep(d, now_ms);
	if (result != 0) {
		decide_free(d);
		return result;
	}
	*ret = d;
	return 0;
}

/* Any hearing, or NULL. */
static struct decide_hearing *
first(const struct decide *d)
{
	const struct decide_map *m = &d->maps[DECIDE_BY_NUMBER];

	for (size_t i = 0; i < m->size; i++) {
		if (m->buckets && m->buckets[i])
			return m->buckets[i];
	}
	return NULL;
}

void
decide_free(struct decide *d)
{
	struct decide_hearing *h;

	if (!d)
		return;
	while ((h = first(d)))
		decide_hearing_free(d, h);
	decide_together_free(d);
	for (size_t i = 0; i < DECIDE_INDEXES; i++)
		decide_map_done(&d->maps[i]);
	decide_rows_free(d);
	decide_session_free_all(d);
	decide_notes_free(d);
	arena_free(d->settings_arena);
	arena_free(d->grants_arena);
	arena_free(d->acts_arena);
	free(d->heap);
	free(d);
}

/* --- what happens outside ------------------------------------------------- */

void
decide_gone(struct decide *d, uint64_t handle, int64_t now_ms)
{
	struct decide_hearing *h = decide_hearing_by_handle(d, handle);

	if (!h) {
		decide_rows_forget(d, handle);
		return;
	}
	decide_hearing_set_handle(d, h, 0);
	(void)decide_step(d, h, DECIDE_EVENT_GONE, now_ms);
}

void
decide_sent(struct decide *d, int64_t number, bool ok, int64_t now_ms)
{
	struct decide_hearing *h = decide_hearing_by_number(d, number);

	if (h)
		(void)decide_step(d, h,
			ok ? DECIDE_EVENT_DELIVERED : DECIDE_EVENT_UNDELIVERED, now_ms);
}

/* Calls fn for each hearing; fn may end it. */
static void
for_each(struct decide *d, const struct decide_session *session,
	void (*fn)(struct decide *d, struct decide_hearing *h, int64_t now_ms),
	int64_t now_ms)
{
	const struct decide_map *m = &d->maps[DECIDE_BY_NUMBER];

	for (size_t i = 0; i < m->size; i++) {
		struct decide_hearing *h = m->buckets[i];

		while (h) {
			struct decide_hearing *next = h->next[DECIDE_BY_NUMBER];

			if (!session || h->session == session)
				fn(d, h, now_ms);
			h = next;
		}
	}
}

static void
close_one(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)decide_step(d, h, DECIDE_EVENT_CLOSED, now_ms);
}

void
decide_session_end(struct decide *d, struct str session, int64_t now_ms)
{
	struct decide_session *s = decide_session_get(d, session, now_ms);

	for_each(d, s, close_one, now_ms);
	decide_session_end_turn(d, session);
	decide_turns_end(d, s);
	decide_notes_end(d, session);
}

/* The connection is closed without an answer: the client comes back to the next
 * daemon with its key, or gives its safe answer. */
static void
let_go(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->state == DECIDE_STATE_JUDGING)
		decide_acts_unjudge(d, h->number);
	if (decide_state_is_waiting(h->state)) {
		decide_acts_drop(d, h->handle, h->number);
		decide_hearing_set_handle(d, h, 0);
	}
	if (h->group && decide_state_is_waiting(h->state)) {
		decide_together_tell(d, h, DECIDE_NOT_RECORDED, now_ms);
		return;
	}
	if (h->state == DECIDE_STATE_REREADING && h->pending) {
		decide_acts_replied(d, h->pending->reply_handle, DECIDE_NOT_RECORDED,
			&(struct store_card){.number = h->number},
			STR("assent is stopping; the card is still open"));
		h->pending->reply_handle = 0;
	}
}

void
decide_stop(struct decide *d, int64_t now_ms)
{
	d->stopping = true;
	for_each(d, NULL, let_go, now_ms);
}

/* --- looking -------------------------------------------------------------- */

void
decide_status(const struct decide *d, struct decide_status *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->revision = d->revision;
	ret->cards = d->cards;
	ret->hearings = d->maps[DECIDE_BY_NUMBER].count;
	ret->held = d->maps[DECIDE_BY_HANDLE].count;
	ret->bytes = sizeof(*d)
		+ ret->hearings
			* (sizeof(struct decide_hearing) + sizeof(struct decide_texts));
	ret->recording = !d->failing;
	memcpy(ret->failure, d->failure, sizeof(ret->failure));
	if (!d->failing)
		ret->failure[0] = '\0';
}

bool
decide_is_held(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h && (h->handle != 0 || h->state == DECIDE_STATE_REREADING);
}

bool
decide_is_elsewhere(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h && h->elsewhere;
}

bool
decide_is_open(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h && h->counted && h->state != DECIDE_STATE_OPENING;
}
