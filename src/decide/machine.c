#include <string.h>

#include "decide/decide_priv.h"

/*
 * The machine. A row says what happens when a hearing in a state meets an
 * event; what has no row does not happen. Nothing else moves a hearing.
 *
 * What holds, and the race test asserts:
 *	- an answer leaves only from a state in which its row is committed; only a
 *	  denial may leave without one, when the store fails
 *	- after GONE nothing leaves: the handle is forgotten before anything else
 *	- one reply counts: the rows APPROVE and REJECT stand only where there is
 *	  none yet
 */

typedef enum decide_state (*step_fn)(
	struct decide *d, struct decide_hearing *h, int64_t now_ms);

static const char *
sentence(enum decide_replied r)
{
	static const char *const texts[DECIDE_REPLIED_COUNT] = {
		[DECIDE_WITHDRAWN] = "the agent took the call back; nothing was sent",
		[DECIDE_CHANGED] =
			"what the call would do has changed since the card was shown",
		[DECIDE_NOT_RECORDED] =
			"the reply could not be recorded; the card is still open",
	};

	return texts[r];
}

/* Answers the person whose reply this is, if one waits. */
static void
tell_person(struct decide *d, struct decide_hearing *h,
	enum decide_replied what, enum store_card_state state, int64_t now_ms)
{
	char digest[STORE_DIGEST_HEX + 1];
	struct decide_pending *p = h->pending;

	if (!p || p->reply_handle == 0)
		return;
	decide_digest_hex(h->digest, digest);
	struct store_card c = {
		.number = h->number,
		.state = state,
		.digest = str_from(digest),
		.session = h->session->row->id,
		.verdict = p->verdict,
		.by = p->by,
		.reply = p->reply,
		.source = p->source,
		.note = p->note,
		.who = p->who,
		.ended_ms = what == DECIDE_NOT_RECORDED ? 0 : now_ms,
	};

	if (d->successor)
		c.replaced_by = d->successor->number;
	decide_acts_replied(
		d, p->reply_handle, h->number, what, &c, str_from(sentence(what)));
	p->reply_handle = 0;
}

static void
count_card(struct decide *d, struct decide_hearing *h, bool open)
{
	if (h->counted == open)
		return;
	h->counted = open;
	if (open) {
		d->cards++;
		d->card_bytes += h->bytes;
		h->session->cards++;
		h->session->bytes += h->bytes;
	} else {
		d->cards--;
		d->card_bytes -= h->bytes;
		h->session->cards--;
		h->session->bytes -= h->bytes;
	}
}

/* The handle is answered, or not ours any more. */
static uint64_t
take_handle(struct decide *d, struct decide_hearing *h)
{
	uint64_t handle = h->handle;

	decide_hearing_set_handle(d, h, 0);
	return handle;
}

/* --- judging -------------------------------------------------------------- */

static enum decide_state
want_world(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->handle != 0) {
		h->rounds++;
		h->lost_ms = now_ms + DECIDE_REREAD_MS;
	}
	decide_acts_need(d, take_handle(d, h), h->number, d->needs, d->need_count);
	return DECIDE_STATE_LOOKING;
}

static enum decide_state
reread(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)want_world(d, h, now_ms);
	return DECIDE_STATE_REREADING;
}

/* A person approved: before that counts, the client looks again. */
static enum decide_state
reread_first(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->rounds = 0;
	return reread(d, h, now_ms);
}

/* Kept apart from the audit, for the user's rules. */
static void
write_reply(struct decide *d, const struct decide_hearing *h, int64_t now_ms)
{
	store_batch_add_reply(decide_rows_batch(d),
		&(struct store_reply){
			.hearing = h->number,
			.time_ms = now_ms,
			.session = h->session->row->id,
			.project = h->texts->project,
			.action = str_from(call_tool_name(h->tool)),
			.reply = h->pending->reply,
			.note = h->pending->note,
		});
}

/* The answer in pending is written; then it may leave. */
static enum decide_state
commit(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	const struct decide_pending *p = h->pending;

	decide_rows_audit(d, h, STORE_KIND_DECISION, p, now_ms);
	decide_rows_card(d, h, STORE_CARD_ANSWERED, p, now_ms, 0);
	if (p->verdict == CALL_VERDICT_ALLOW && p->note.ptr && !h->note_here)
		store_batch_add_note(decide_rows_batch(d),
			&(struct store_note){
				.session = h->session->row->id,
				.call_id = h->texts->call_id,
				.hearing = h->number,
				.time_ms = now_ms,
				.text = p->note,
			});
	if (p->reply != CALL_REPLY_NONE && !h->spending)
		write_reply(d, h, now_ms);
	if (!p->pure_read)
		store_batch_set_synced(decide_rows_batch(d));
	decide_rows_await(d, h);
	return DECIDE_STATE_COMMITTING;
}

static enum decide_state
open_card(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	CHECK(d->new_card && h->has_card);
	decide_rows_audit(d, h, STORE_KIND_CARD,
		&(struct decide_pending){
			.verdict = CALL_VERDICT_ASK,
			.by = h->by,
			.risk = h->risk,
			.reason = h->texts->reason,
			.rule = h->texts->rule,
		},
		now_ms);
	store_batch_add_card(decide_rows_batch(d), d->new_card);
	decide_rows_await(d, h);
	count_card(d, h, true);
	return DECIDE_STATE_OPENING;
}

/* --- answers -------------------------------------------------------------- */

static enum decide_state
send(struct decide *d, struct decide_hearing *h, bool unrecorded)
{
	/* a second request with this key is a new one from here on */
	decide_hearing_set_key(d, h, (struct str){0});
	decide_acts_send(
		d, h->handle, h->number, h->pending, h->note_here, unrecorded);
	return DECIDE_STATE_SENDING;
}

/* A denial in words of our own, in the place of what could not be recorded. */
static enum decide_state
refuse(struct decide *d, struct decide_hearing *h, struct str reason)
{
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = CALL_VERDICT_DENY,
			.by = CALL_BY_FAILURE,
			.reason = reason,
		});
	decide_acts_journal(
		d, "hearing %lld: denied, not recorded", (long long)h->number);
	return send(d, h, true);
}

static void
queue_note(struct decide *d, struct decide_hearing *h)
{
	const struct decide_pending *p = h->pending;

	if (p->verdict == CALL_VERDICT_ALLOW && p->note.ptr && !h->note_here)
		decide_notes_add(d, h->session->row->id, h->texts->call_id, p->note);
}

static enum decide_state
recorded(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool had_card = h->counted;

	count_card(d, h, false);
	if (had_card)
		decide_acts_cards(d);
	if (h->pending->reply != CALL_REPLY_NONE)
		decide_session_replied(d, h->session);
	else if (h->pending->by == CALL_BY_JUDGE)
		decide_session_judged(d, h->session, h->pending->verdict);
	tell_person(d, h, DECIDE_DONE, STORE_CARD_ANSWERED, now_ms);
	if (h->handle == 0) {
		/* answered while the agent was away: it may come for it */
		return DECIDE_STATE_ANSWERED;
	}
	queue_note(d, h);
	decide_pair_set(d, h, now_ms);
	return send(d, h, false);
}

/* An approval that could not be spent is still there; this call is refused. */
static enum decide_state
not_spent(struct decide *d, struct decide_hearing *h)
{
	h->spending = false;
	decide_acts_send(d, take_handle(d, h), 0,
		&(struct decide_pending){
			.verdict = CALL_VERDICT_DENY,
			.by = CALL_BY_FAILURE,
			.reason = STR("assent could not record its decision; try again"),
		},
		true, true);
	decide_hearing_set_key(d, h, (struct str){0});
	return h->pending->verdict == CALL_VERDICT_ALLOW ? DECIDE_STATE_APPROVED
													 : DECIDE_STATE_ENDED;
}

/* A person's reply that cannot be recorded does not count: the card stays. */
static enum decide_state
not_recorded(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->spending)
		return not_spent(d, h);
	if (h->pending->reply != CALL_REPLY_NONE) {
		tell_person(d, h, DECIDE_NOT_RECORDED, STORE_CARD_OPEN, now_ms);
		decide_hearing_set_pending(h, NULL);
		return DECIDE_STATE_PENDING;
	}
	if (h->handle == 0)
		return DECIDE_STATE_WITHDRAWN;
	if (h->counted)
		decide_acts_cards(d);
	count_card(d, h, false);
	if (h->pending->verdict == CALL_VERDICT_DENY) {
		decide_acts_journal(
			d, "hearing %lld: denied, not recorded", (long long)h->number);
		return send(d, h, true);
	}
	return refuse(d, h,
		STR("assent could not record its decision, so this was not allowed"));
}

static enum decide_state
card_recorded(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	(void)h;
	decide_acts_cards(d);
	return DECIDE_STATE_PENDING;
}

static enum decide_state
card_not_recorded(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	count_card(d, h, false);
	if (h->handle == 0)
		return DECIDE_STATE_WITHDRAWN;
	return refuse(d, h,
		STR("this needs a person, and assent could not record the question"));
}

/* --- the agent leaves ----------------------------------------------------- */

static void
end_card(struct decide *d, struct decide_hearing *h,
	enum store_card_state state, int64_t now_ms)
{
	decide_rows_card(
		d, h, state, NULL, now_ms, d->successor ? d->successor->number : 0);
	if (h->counted)
		decide_acts_cards(d);
	count_card(d, h, false);
}

static struct decide_pending
words(struct str reason)
{
	return (struct decide_pending){.reason = reason};
}

static enum decide_state
withdraw(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = words(STR("the agent took the call back"));

	decide_acts_drop(d, take_handle(d, h), h->number);
	decide_rows_audit(d, h, STORE_KIND_WITHDRAWN, &p, now_ms);
	end_card(d, h, STORE_CARD_WITHDRAWN, now_ms);
	tell_person(d, h, DECIDE_WITHDRAWN, STORE_CARD_WITHDRAWN, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

static enum decide_state
lose(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = words(STR("the agent is gone"));

	if (h->lasting && h->state == DECIDE_STATE_PENDING) {
		decide_hearing_set_key(d, h, (struct str){0});
		return DECIDE_STATE_OPEN;
	}
	decide_rows_audit(d, h, STORE_KIND_WITHDRAWN, &p, now_ms);
	end_card(d, h, STORE_CARD_WITHDRAWN, now_ms);
	tell_person(d, h, DECIDE_WITHDRAWN, STORE_CARD_WITHDRAWN, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

/* The answer is being written and the agent leaves: nothing is sent. */
static enum decide_state
withdraw_late(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	decide_acts_drop(d, take_handle(d, h), h->number);
	decide_hearing_set_key(d, h, (struct str){0});
	return DECIDE_STATE_WITHDRAWING;
}

/* Says of a decision that is in the audit that it reached nobody. */
static void
write_undelivered(
	struct decide *d, struct decide_hearing *h, struct str why, int64_t now_ms)
{
	struct decide_pending p = *h->pending;

	p.reason = why;
	decide_rows_audit(d, h, STORE_KIND_UNDELIVERED, &p, now_ms);
	store_batch_add_delivery(
		decide_rows_batch(d), h->number, STORE_DELIVERY_UNDELIVERED);
	store_batch_drop_notes(
		decide_rows_batch(d), h->session->row->id, h->texts->call_id);
	decide_notes_drop(d, h->session->row->id, h->texts->call_id);
}

static enum decide_state
recorded_too_late(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(d, h, STR("decided, not delivered"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms, 0);
	if (h->counted)
		decide_acts_cards(d);
	count_card(d, h, false);
	tell_person(d, h, DECIDE_WITHDRAWN, STORE_CARD_SPENT, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

static enum decide_state
delivered(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->has_card) {
		decide_rows_card(d, h, STORE_CARD_SENT, h->pending, now_ms, 0);
		store_batch_add_delivery(
			decide_rows_batch(d), h->number, STORE_DELIVERY_DELIVERED);
	}
	return DECIDE_STATE_SENT;
}

static enum decide_state
undelivered(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(d, h, STR("decided, not delivered"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms, 0);
	return DECIDE_STATE_SENT;
}

static enum decide_state
never_fetched(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(
		d, h, STR("decided; the agent did not come back for it"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms, 0);
	return DECIDE_STATE_WITHDRAWN;
}

static enum decide_state
fetched(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	queue_note(d, h);
	decide_pair_set(d, h, now_ms);
	return send(d, h, false);
}

/* --- time ----------------------------------------------------------------- */

/* The agent must have an answer, and nobody gave one. */
static enum decide_state
answer_at_deadline(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = h->at_deadline,
			.by = h->by,
			.risk = h->risk,
			.reason = h->at_deadline == CALL_VERDICT_ASK
				? h->texts->reason
				: STR("nobody answered in time"),
			.rule = h->texts->rule,
			.source = STR("system"),
			.at_ms = now_ms,
		});
	return commit(d, h, now_ms);
}

/* The agent is told to try again; the card stays. The answer leaves when its
 * row is written, whatever becomes of the card meanwhile. */
static enum decide_state
tell_to_wait(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = {
		.verdict = CALL_VERDICT_DENY,
		.by = h->by,
		.risk = h->risk,
		.reason = STR("waiting for the user; try the same call again"),
		.source = STR("system"),
		.at_ms = now_ms,
	};

	decide_rows_audit(d, h, STORE_KIND_DECISION, &p, now_ms);
	store_batch_set_synced(decide_rows_batch(d));
	decide_rows_wait(d,
		&(struct decide_waiter){
			.handle = take_handle(d, h),
			.hook = true,
			.answer = decide_pending_copy(&p),
		});
	decide_hearing_set_key(d, h, (struct str){0});
	return DECIDE_STATE_OPEN;
}

static enum decide_state
on_deadline(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return h->lasting ? tell_to_wait(d, h, now_ms)
					  : answer_at_deadline(d, h, now_ms);
}

/* A row of a card that is not there yet must not be moved: what is awaited may
 * still fail. The answer goes its own way behind it. */
static enum decide_state
deadline_while_opening(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->lasting = false;
	return answer_at_deadline(d, h, now_ms);
}

static enum decide_state
expire(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = words(h->state == DECIDE_STATE_APPROVED
			? STR("approved, but the call did not come again in time")
			: STR("nobody answered in time"));

	decide_rows_audit(d, h, STORE_KIND_CARD, &p, now_ms);
	end_card(d, h, STORE_CARD_EXPIRED, now_ms);
	return DECIDE_STATE_ENDED;
}

/* --- a card that nobody waits at ------------------------------------------ */

static enum decide_state
settle(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool approves = h->pending->verdict == CALL_VERDICT_ALLOW;

	decide_rows_audit(d, h, STORE_KIND_APPROVAL, h->pending, now_ms);
	write_reply(d, h, now_ms);
	decide_rows_card(d, h, approves ? STORE_CARD_APPROVED : STORE_CARD_REJECTED,
		h->pending, now_ms, 0);
	store_batch_set_synced(decide_rows_batch(d));
	decide_rows_await(d, h);
	return DECIDE_STATE_SETTLING;
}

/* The identical call is there: what was answered earlier is its answer, once. */
static enum decide_state
spend(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->spending = true;
	return commit(d, h, now_ms);
}

static enum decide_state
settled(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool approves = h->pending->verdict == CALL_VERDICT_ALLOW;

	if (h->counted)
		decide_acts_cards(d);
	count_card(d, h, false);
	decide_session_replied(d, h->session);
	tell_person(d, h, DECIDE_DONE,
		approves ? STORE_CARD_APPROVED : STORE_CARD_REJECTED, now_ms);
	if (h->handle != 0)
		return spend(d, h, now_ms); /* the call came meanwhile */
	return approves ? DECIDE_STATE_APPROVED : DECIDE_STATE_ENDED;
}

static enum decide_state
not_settled(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	tell_person(d, h, DECIDE_NOT_RECORDED, STORE_CARD_OPEN, now_ms);
	decide_hearing_set_pending(h, NULL);
	return h->handle != 0 ? DECIDE_STATE_PENDING : DECIDE_STATE_OPEN;
}

static enum decide_state
detach(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	enum decide_state state = h->state;

	(void)now_ms;
	(void)take_handle(d, h);
	decide_hearing_set_key(d, h, (struct str){0});
	return state;
}

/* --- coming back ---------------------------------------------------------- */

static enum decide_state
stay(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)d;
	(void)now_ms;
	return h->state;
}

/* The identical call, at a card that stayed open. */
static enum decide_state
wait_again(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	store_batch_set_card_key(
		decide_rows_batch(d), h->number, str_from(h->key), h->deadline_ms);
	decide_acts_cards(d);
	return DECIDE_STATE_PENDING;
}

static enum decide_state
replace(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p =
		words(STR("the world changed since the card was shown; judged again"));

	decide_rows_audit(d, h, STORE_KIND_CARD, &p, now_ms);
	end_card(d, h, STORE_CARD_REPLACED, now_ms);
	tell_person(d, h, DECIDE_CHANGED, STORE_CARD_REPLACED, now_ms);
	return DECIDE_STATE_ENDED;
}

/* --- the table ------------------------------------------------------------ */

#define S(name) DECIDE_STATE_##name
#define E(name) DECIDE_EVENT_##name

static const struct row {
	enum decide_state state;
	enum decide_event event;
	step_fn step;
} rows[] = {
	{S(NONE),        E(WANTING),     want_world            },
	{S(NONE),        E(DECIDED),     commit                },
	{S(NONE),        E(ASKED),       open_card             },

	{S(LOOKING),     E(WANTING),     want_world            },
	{S(LOOKING),     E(DECIDED),     commit                },
	{S(LOOKING),     E(ASKED),       open_card             },
	{S(LOOKING),     E(GONE),        withdraw              },
	{S(LOOKING),     E(LOST),        lose                  },
	{S(LOOKING),     E(CLOSED),      withdraw              },

	{S(OPENING),     E(RECORDED),    card_recorded         },
	{S(OPENING),     E(FAILED),      card_not_recorded     },
	{S(OPENING),     E(BACK),        stay                  },
	{S(OPENING),     E(GONE),        withdraw              },
	{S(OPENING),     E(CLOSED),      withdraw              },
	{S(OPENING),     E(DEADLINE),    deadline_while_opening},

	{S(PENDING),     E(APPROVE),     reread_first          },
	{S(PENDING),     E(REJECT),      commit                },
	{S(PENDING),     E(BACK),        stay                  },
	{S(PENDING),     E(GONE),        withdraw              },
	{S(PENDING),     E(LOST),        lose                  },
	{S(PENDING),     E(CLOSED),      withdraw              },
	{S(PENDING),     E(DEADLINE),    on_deadline           },

	{S(REREADING),   E(WANTING),     reread                },
	{S(REREADING),   E(SAME),        commit                },
	{S(REREADING),   E(CHANGED),     replace               },
	{S(REREADING),   E(GONE),        withdraw              },
	{S(REREADING),   E(LOST),        lose                  },
	{S(REREADING),   E(CLOSED),      withdraw              },

	{S(COMMITTING),  E(RECORDED),    recorded              },
	{S(COMMITTING),  E(FAILED),      not_recorded          },
	{S(COMMITTING),  E(BACK),        stay                  },
	{S(COMMITTING),  E(GONE),        withdraw_late         },
	{S(COMMITTING),  E(CLOSED),      withdraw_late         },

	{S(WITHDRAWING), E(RECORDED),    recorded_too_late     },
	{S(WITHDRAWING), E(FAILED),      withdraw              },

	{S(SENDING),     E(DELIVERED),   delivered             },
	{S(SENDING),     E(UNDELIVERED), undelivered           },
	{S(SENDING),     E(GONE),        undelivered           },

	{S(OPEN),        E(APPROVE),     settle                },
	{S(OPEN),        E(REJECT),      settle                },
	{S(OPEN),        E(BACK),        wait_again            },
	{S(OPEN),        E(EXPIRED),     expire                },
	{S(OPEN),        E(CLOSED),      withdraw              },

	{S(SETTLING),    E(RECORDED),    settled               },
	{S(SETTLING),    E(FAILED),      not_settled           },
	{S(SETTLING),    E(BACK),        stay                  },
	{S(SETTLING),    E(GONE),        detach                },

	{S(APPROVED),    E(BACK),        spend                 },
	{S(APPROVED),    E(EXPIRED),     expire                },
	{S(APPROVED),    E(CLOSED),      expire                },

	{S(ANSWERED),    E(BACK),        fetched               },
	{S(ANSWERED),    E(LOST),        never_fetched         },
	{S(ANSWERED),    E(CLOSED),      never_fetched         },
};

static const struct row *
find_row(enum decide_state state, enum decide_event event)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].state == state && rows[i].event == event)
			return &rows[i];
	}
	return NULL;
}

bool
decide_accepts(enum decide_state state, enum decide_event event)
{
	return find_row(state, event) != NULL;
}

/* When time alone moves a hearing of this state. */
static int64_t
due_of(const struct decide_hearing *h)
{
	switch (h->state) {
	case DECIDE_STATE_LOOKING:
	case DECIDE_STATE_REREADING:
	case DECIDE_STATE_ANSWERED:
		return h->lost_ms;
	case DECIDE_STATE_OPENING:
		return h->deadline_ms;
	case DECIDE_STATE_PENDING:
		return h->handle == 0 ? h->lost_ms : h->deadline_ms;
	case DECIDE_STATE_OPEN:
	case DECIDE_STATE_APPROVED:
		return h->expires_ms;
	case DECIDE_STATE_NONE:
	case DECIDE_STATE_COMMITTING:
	case DECIDE_STATE_WITHDRAWING:
	case DECIDE_STATE_SENDING:
	case DECIDE_STATE_SETTLING:
	case DECIDE_STATE_SENT:
	case DECIDE_STATE_WITHDRAWN:
	case DECIDE_STATE_ENDED:
	case DECIDE_STATE_COUNT:
		break;
	}
	return INT64_MAX;
}

static bool
is_final(enum decide_state s)
{
	return s == DECIDE_STATE_SENT || s == DECIDE_STATE_WITHDRAWN
		|| s == DECIDE_STATE_ENDED;
}

enum decide_state
decide_step(struct decide *d, struct decide_hearing *h, enum decide_event event,
	int64_t now_ms)
{
	const struct row *row = find_row(h->state, event);

	if (!row)
		return h->state;
	enum decide_state next = row->step(d, h, now_ms);

	h->state = next;
	if (is_final(next)) {
		count_card(d, h, false);
		decide_hearing_free(d, h);
		return next;
	}
	decide_heap_set(d, h, due_of(h));
	return next;
}

void
decide_machine_load(
	struct decide *d, struct decide_hearing *h, enum decide_state state)
{
	CHECK(h->state == DECIDE_STATE_NONE);
	h->state = state;
	if (state == DECIDE_STATE_PENDING)
		count_card(d, h, true);
	decide_heap_set(d, h, due_of(h));
}

bool
decide_state_is_waiting(enum decide_state state)
{
	return state == DECIDE_STATE_LOOKING || state == DECIDE_STATE_OPENING
		|| state == DECIDE_STATE_PENDING || state == DECIDE_STATE_REREADING;
}

/* What time does to it, when it is due. */
static enum decide_event
event_of(const struct decide_hearing *h)
{
	if (h->state == DECIDE_STATE_OPEN || h->state == DECIDE_STATE_APPROVED)
		return DECIDE_EVENT_EXPIRED;
	if (h->state == DECIDE_STATE_OPENING)
		return DECIDE_EVENT_DEADLINE;
	return h->handle == 0 ? DECIDE_EVENT_LOST : DECIDE_EVENT_DEADLINE;
}

int64_t
decide_tick(struct decide *d, int64_t now_ms)
{
	while (d->heap_count > 0 && d->heap[0]->due_ms <= now_ms) {
		struct decide_hearing *h = d->heap[0];

		/* whatever comes of it, it is not due twice */
		decide_heap_set(d, h, INT64_MAX);
		(void)decide_step(d, h, event_of(h), now_ms);
	}
	return d->heap_count > 0 ? d->heap[0]->due_ms : INT64_MAX;
}
