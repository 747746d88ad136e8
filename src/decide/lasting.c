#include "decide/steps.h"

/*
 * Steps of cards that outlive their agents: a reply while nobody waits, and the
 * identical call that comes for it.
 */

enum decide_state
decide_do_settle(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool approves = h->pending->verdict == CALL_VERDICT_ALLOW;

	decide_rows_audit(d, h, STORE_KIND_APPROVAL, h->pending, now_ms);
	decide_step_write_reply(d, h, now_ms);
	decide_rows_card(d, h, approves ? STORE_CARD_APPROVED : STORE_CARD_REJECTED,
		h->pending, now_ms);
	store_batch_set_synced(decide_rows_batch(d));
	decide_rows_await(d, h);
	return DECIDE_STATE_SETTLING;
}

/* The identical call is there: what was answered earlier is its answer, once. */
enum decide_state
decide_do_spend(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->spending = true;
	return decide_do_commit(d, h, now_ms);
}

enum decide_state
decide_do_settled(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool approves = h->pending->verdict == CALL_VERDICT_ALLOW;

	if (h->counted)
		decide_acts_card(d, h, DECIDE_CARD_REPLIED, now_ms);
	decide_step_count_card(d, h, false);
	decide_session_replied(d, h->session, now_ms);
	decide_step_tell_person(d, h, DECIDE_DONE,
		approves ? STORE_CARD_APPROVED : STORE_CARD_REJECTED, now_ms);
	if (h->handle != 0)
		return decide_do_spend(d, h, now_ms); /* the call came meanwhile */
	return approves ? DECIDE_STATE_APPROVED : DECIDE_STATE_REJECTED;
}

/* Its row says how it ended. */
enum decide_state
decide_do_forget(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)d;
	(void)h;
	(void)now_ms;
	return DECIDE_STATE_ENDED;
}

enum decide_state
decide_do_not_settled(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_step_tell_person(d, h, DECIDE_NOT_RECORDED, STORE_CARD_OPEN, now_ms);
	decide_hearing_set_pending(h, NULL);
	return h->handle != 0 ? DECIDE_STATE_PENDING : DECIDE_STATE_OPEN;
}

enum decide_state
decide_do_detach(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	enum decide_state state = h->state;

	(void)now_ms;
	(void)decide_step_take_handle(d, h);
	decide_hearing_set_key(d, h, (struct str){0});
	return state;
}

enum decide_state
decide_do_stay(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	/* an agent is back at a card that people see as left alone */
	if (h->state == DECIDE_STATE_PENDING)
		decide_acts_card(d, h, DECIDE_CARD_CHANGED, now_ms);
	return h->state;
}

/* The identical call, at a card that stayed open. */
enum decide_state
decide_do_wait_again(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	store_batch_set_card_key(
		decide_rows_batch(d), h->number, str_from(h->key), h->deadline_ms);
	decide_acts_card(d, h, DECIDE_CARD_CHANGED, now_ms);
	return DECIDE_STATE_PENDING;
}

enum decide_state
decide_do_replace(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pending p = decide_step_words(
		STR("the world changed since the card was shown; judged again"));

	decide_rows_audit(d, h, STORE_KIND_CARD, &p, now_ms);
	decide_step_end_card(d, h, STORE_CARD_REPLACED, now_ms);
	decide_step_tell_person(d, h, DECIDE_CHANGED, STORE_CARD_REPLACED, now_ms);
	return DECIDE_STATE_ENDED;
}
