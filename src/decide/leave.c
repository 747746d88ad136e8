#include "decide/steps.h"

/*
 * Steps: the agent leaves, or time is over. After the agent left nothing is sent
 * to it, and the audit says of a decision that it reached nobody.
 */

void
decide_step_end_card(struct decide *d, struct decide_hearing *h,
	enum store_card_state state, int64_t now_ms)
{
	decide_rows_card(d, h, state, NULL, now_ms);
	if (h->counted)
		decide_acts_card(d, h,
			state == STORE_CARD_EXPIRED ? DECIDE_CARD_EXPIRED
										: DECIDE_CARD_CANCELLED,
			now_ms);
	decide_step_count_card(d, h, false);
}

struct decide_pending
decide_step_words(struct str reason)
{
	return (struct decide_pending){.reason = reason};
}

enum decide_state
decide_do_withdraw(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p =
		decide_step_words(STR("the agent took the call back"));

	decide_acts_drop(d, decide_step_take_handle(d, h), h->number);
	decide_rows_audit(d, h, STORE_KIND_WITHDRAWN, &p, now_ms);
	decide_step_end_card(d, h, STORE_CARD_WITHDRAWN, now_ms);
	decide_step_tell_person(
		d, h, DECIDE_WITHDRAWN, STORE_CARD_WITHDRAWN, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

enum decide_state
decide_do_lose(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = decide_step_words(STR("the agent is gone"));

	if (h->lasting && h->state == DECIDE_STATE_PENDING) {
		decide_hearing_set_key(d, h, (struct str){0});
		decide_acts_card(d, h, DECIDE_CARD_CHANGED, now_ms);
		return DECIDE_STATE_OPEN;
	}
	decide_rows_audit(d, h, STORE_KIND_WITHDRAWN, &p, now_ms);
	decide_step_end_card(d, h, STORE_CARD_WITHDRAWN, now_ms);
	decide_step_tell_person(
		d, h, DECIDE_WITHDRAWN, STORE_CARD_WITHDRAWN, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

/* The answer is being written and the agent leaves: nothing is sent. */
enum decide_state
decide_do_withdraw_late(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	decide_acts_drop(d, decide_step_take_handle(d, h), h->number);
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
	decide_notes_drop(d, h->number);
}

enum decide_state
decide_do_recorded_too_late(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(d, h, STR("decided, not delivered"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms);
	if (h->counted)
		decide_acts_card(d, h, DECIDE_CARD_CANCELLED, now_ms);
	decide_step_count_card(d, h, false);
	decide_step_tell_person(d, h, DECIDE_WITHDRAWN, STORE_CARD_SPENT, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

enum decide_state
decide_do_delivered(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->elsewhere && h->pending->verdict == CALL_VERDICT_ASK
		&& h->has_card) {
		decide_hearing_set_pending(h, NULL);
		(void)decide_step_take_handle(d, h);
		return DECIDE_STATE_SHOWN;
	}
	if (h->has_card) {
		decide_rows_card(d, h, STORE_CARD_SENT, h->pending, now_ms);
		store_batch_add_delivery(
			decide_rows_batch(d), h->number, STORE_DELIVERY_DELIVERED);
	}
	return DECIDE_STATE_SENT;
}

enum decide_state
decide_do_undelivered(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(d, h, STR("decided, not delivered"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms);
	if (h->counted)
		decide_acts_card(d, h, DECIDE_CARD_CANCELLED, now_ms);
	decide_step_count_card(d, h, false);
	return DECIDE_STATE_SENT;
}

enum decide_state
decide_do_never_fetched(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	write_undelivered(
		d, h, STR("decided; the agent did not come back for it"), now_ms);
	decide_rows_card(d, h, STORE_CARD_SPENT, h->pending, now_ms);
	return DECIDE_STATE_WITHDRAWN;
}

enum decide_state
decide_do_fetched(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_step_queue_note(d, h);
	decide_pair_set(d, h, now_ms);
	return decide_step_send(d, h, false);
}

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
	return decide_do_commit(d, h, now_ms);
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
			.handle = decide_step_take_handle(d, h),
			.hook = true,
			.answer = decide_pending_copy(&p),
		});
	decide_hearing_set_key(d, h, (struct str){0});
	decide_acts_card(d, h, DECIDE_CARD_CHANGED, now_ms);
	return DECIDE_STATE_OPEN;
}

enum decide_state
decide_do_on_deadline(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return h->lasting ? tell_to_wait(d, h, now_ms)
					  : answer_at_deadline(d, h, now_ms);
}

/* A row of a card that is not there yet must not be moved: what is awaited may
 * still fail. The answer goes its own way behind it. */
enum decide_state
decide_do_deadline_while_opening(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->lasting = false;
	return answer_at_deadline(d, h, now_ms);
}

enum decide_state
decide_do_expire(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p =
		decide_step_words(h->state == DECIDE_STATE_APPROVED
				? STR("approved, but the call did not come again in time")
				: STR("nobody answered in time"));

	decide_rows_audit(d, h, STORE_KIND_CARD, &p, now_ms);
	decide_step_end_card(d, h, STORE_CARD_EXPIRED, now_ms);
	decide_step_tell_person(d, h, DECIDE_EXPIRED, STORE_CARD_EXPIRED, now_ms);
	return DECIDE_STATE_ENDED;
}
