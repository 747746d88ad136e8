#include "decide/steps.h"

/*
 * Steps: an answer is made, recorded, and leaves. It leaves only when its row is
 * committed; a denial may leave without one when the store fails.
 */

const char *
decide_step_sentence(enum decide_replied r)
{
	static const char *const texts[DECIDE_REPLIED_COUNT] = {
		[DECIDE_EXPIRED] = "nobody answered in time; the agent has its answer",
		[DECIDE_WITHDRAWN] = "the agent took the call back; nothing was sent",
		[DECIDE_CHANGED] =
			"what the call would do has changed since the card was shown",
		[DECIDE_UNFIT] =
			("this does not cover the call, or would not be precise: a pattern "
			 "begins with the program's name, and there is none for "
			 "interpreters, wrappers, secrets and redirections; the card is "
			 "still open"),
		[DECIDE_NOT_RECORDED] =
			"the reply could not be recorded; the card is still open",
	};

	return texts[r] ? texts[r] : "";
}

/* Answers the person whose reply this is, if one waits. */
void
decide_step_tell_person(struct decide *d, struct decide_hearing *h,
	enum decide_replied what, enum store_card_state state, int64_t now_ms)
{
	char digest[STORE_DIGEST_HEX + 1];
	struct decide_pending *p = h->pending;

	if (h->group) {
		decide_together_tell(d, h, what, now_ms);
		return;
	}
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
		.ended_ms = state == STORE_CARD_OPEN ? 0 : now_ms,
	};

	if (d->successor)
		c.replaced_by = d->successor->number;
	decide_acts_replied(
		d, p->reply_handle, what, &c, str_from(decide_step_sentence(what)));
	p->reply_handle = 0;
}

void
decide_step_count_card(struct decide *d, struct decide_hearing *h, bool open)
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
uint64_t
decide_step_take_handle(struct decide *d, struct decide_hearing *h)
{
	uint64_t handle = h->handle;

	decide_hearing_set_handle(d, h, 0);
	return handle;
}

enum decide_state
decide_do_want_world(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->handle != 0) {
		h->rounds++;
		h->lost_ms = now_ms + DECIDE_REREAD_MS;
	}
	decide_acts_need(
		d, decide_step_take_handle(d, h), h->number, d->needs, d->need_count);
	return DECIDE_STATE_LOOKING;
}

enum decide_state
decide_do_reread(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)decide_do_want_world(d, h, now_ms);
	return DECIDE_STATE_REREADING;
}

/* A person approved: before that counts, the client looks again. */
enum decide_state
decide_do_reread_first(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	h->rounds = 0;
	return decide_do_reread(d, h, now_ms);
}

/* Kept apart from the audit, for the user's rules. Of several that were
 * answered together the note and an "always" are meant for the anchor. */
void
decide_step_write_reply(
	struct decide *d, const struct decide_hearing *h, int64_t now_ms)
{
	bool meant = !h->group || decide_together_is_anchor(h);
	enum call_reply reply = h->pending->reply;

	if (!meant && reply == CALL_REPLY_ALWAYS)
		reply = CALL_REPLY_ONCE;
	store_batch_add_reply(decide_rows_batch(d),
		&(struct store_reply){
			.hearing = h->number,
			.time_ms = now_ms,
			.session = h->session->row->id,
			.project = h->texts->project,
			.action = str_from(call_tool_name(h->tool)),
			.resources = h->texts->resources,
			.reply = reply,
			.note = meant ? h->pending->note : (struct str){0},
		});
}

/* Of a machine only the tier has notes, and those are fixed. */
static bool
is_tier_note(const struct decide_pending *p)
{
	return p->by == CALL_BY_TIER
		&& (str_eq(p->reason, STR(ORDER_NOTE_AGGRESSIVE))
			|| str_eq(p->reason, STR(ORDER_NOTE_PASSIVE)));
}

/* A line of what the judge is told of this turn. */
static void
add_history(struct decide *d, const struct decide_hearing *h, int64_t now_ms)
{
	const struct decide_pending *p = h->pending;
	struct decide_said said = {
		.turn = h->texts->turn,
		.subject = h->texts->subject,
		.outcome = p->verdict == CALL_VERDICT_ALLOW ? "allowed"
			: p->verdict == CALL_VERDICT_ASK        ? "asked"
			: p->reply != CALL_REPLY_NONE           ? "rejected"
													: "denied",
	};

	if (p->reply != CALL_REPLY_NONE) {
		said.note = p->note;
		said.source = JUDGE_SOURCE_USER;
	} else if (is_tier_note(p)) {
		said.note = p->reason;
		said.source = JUDGE_SOURCE_TIER;
	}
	decide_turns_add(d, h->session, &said, now_ms);
}

/* The answer in pending is written; then it may leave. */
enum decide_state
decide_do_commit(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	const struct decide_pending *p = h->pending;

	decide_rows_audit(d, h, STORE_KIND_DECISION, p, now_ms);
	decide_rows_card(d, h, STORE_CARD_ANSWERED, p, now_ms);
	if (p->verdict == CALL_VERDICT_ALLOW && p->note.ptr && !h->note_here)
		store_batch_add_note(decide_rows_batch(d),
			&(struct store_note){
				.session = h->session->row->id,
				.call_id = h->texts->call_id,
				.hearing = h->number,
				.time_ms = now_ms,
				.text = p->note,
			});
	if (p->reply != CALL_REPLY_NONE && !h->spending) {
		decide_step_write_reply(d, h, now_ms);
		decide_grant_write(d, h, now_ms);
	}
	if (!p->unsynced)
		store_batch_set_synced(decide_rows_batch(d));
	add_history(d, h, now_ms);
	decide_rows_await(d, h);
	return DECIDE_STATE_COMMITTING;
}

enum decide_state
decide_do_open_card(struct decide *d, struct decide_hearing *h, int64_t now_ms)
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
	decide_step_count_card(d, h, true);
	return DECIDE_STATE_OPENING;
}

enum decide_state
decide_step_send(struct decide *d, struct decide_hearing *h, bool unrecorded)
{
	/* a second request with this key is a new one from here on */
	decide_hearing_set_key(d, h, (struct str){0});
	decide_acts_send(d, h->handle, h->number, h->pending,
		(h->note_here ? DECIDE_SEND_NOTE : 0)
			| (unrecorded ? DECIDE_SEND_UNRECORDED : 0));
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
	return decide_step_send(d, h, true);
}

void
decide_step_queue_note(struct decide *d, struct decide_hearing *h)
{
	const struct decide_pending *p = h->pending;

	if (p->verdict == CALL_VERDICT_ALLOW && p->note.ptr && !h->note_here)
		decide_notes_add(d,
			&(struct store_note){
				.hearing = h->number,
				.session = h->session->row->id,
				.call_id = h->texts->call_id,
				.text = p->note,
			});
}

enum decide_state
decide_do_recorded(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	bool had_card = h->counted;

	decide_step_count_card(d, h, false);
	if (had_card)
		decide_acts_card(d, h,
			h->pending->reply != CALL_REPLY_NONE ? DECIDE_CARD_REPLIED
												 : DECIDE_CARD_EXPIRED,
			now_ms);
	if (h->pending->reply != CALL_REPLY_NONE)
		decide_session_replied(d, h->session, now_ms);
	else if (h->pending->by == CALL_BY_JUDGE && !h->pending->source.ptr)
		decide_session_judged(d, h->session, h->pending->verdict, now_ms);
	decide_step_tell_person(d, h, DECIDE_DONE, STORE_CARD_ANSWERED, now_ms);
	if (h->handle == 0) {
		/* answered while the agent was away: it may come for it */
		return DECIDE_STATE_ANSWERED;
	}
	decide_step_queue_note(d, h);
	decide_pair_set(d, h, now_ms);
	return decide_step_send(d, h, false);
}

/* An approval that could not be spent is still there; this call is refused. */
static enum decide_state
not_spent(struct decide *d, struct decide_hearing *h)
{
	h->spending = false;
	decide_acts_send(d, decide_step_take_handle(d, h), 0,
		&(struct decide_pending){
			.verdict = CALL_VERDICT_DENY,
			.by = CALL_BY_FAILURE,
			.reason = STR("assent could not record its decision; try again"),
		},
		DECIDE_SEND_UNRECORDED);
	decide_hearing_set_key(d, h, (struct str){0});
	return h->pending->verdict == CALL_VERDICT_ALLOW ? DECIDE_STATE_APPROVED
													 : DECIDE_STATE_REJECTED;
}

/* Always, but not as the person said it: the card stays. */
enum decide_state
decide_do_unfit(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_step_tell_person(d, h, DECIDE_UNFIT, STORE_CARD_OPEN, now_ms);
	decide_hearing_set_pending(h, NULL);
	return DECIDE_STATE_PENDING;
}

/* A person's reply that cannot be recorded does not count: the card stays. */
enum decide_state
decide_do_not_recorded(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	if (h->spending)
		return not_spent(d, h);
	if (h->pending->reply != CALL_REPLY_NONE) {
		decide_step_tell_person(
			d, h, DECIDE_NOT_RECORDED, STORE_CARD_OPEN, now_ms);
		decide_hearing_set_pending(h, NULL);
		return DECIDE_STATE_PENDING;
	}
	if (h->handle == 0)
		return DECIDE_STATE_WITHDRAWN;
	if (h->counted)
		decide_acts_card(d, h, DECIDE_CARD_EXPIRED, now_ms);
	decide_step_count_card(d, h, false);
	if (h->pending->verdict == CALL_VERDICT_DENY) {
		decide_acts_journal(
			d, "hearing %lld: denied, not recorded", (long long)h->number);
		return decide_step_send(d, h, true);
	}
	return refuse(d, h,
		STR("assent could not record its decision, so this was not allowed"));
}

enum decide_state
decide_do_card_recorded(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_acts_card(d, h, DECIDE_CARD_ASKED, now_ms);
	if (!h->elsewhere || h->handle == 0)
		return DECIDE_STATE_PENDING;
	decide_hearing_set_pending(h,
		&(struct decide_pending){
			.verdict = CALL_VERDICT_ASK,
			.by = h->by,
			.risk = h->risk,
			.reason = h->texts->reason,
			.rule = h->texts->rule,
			.at_ms = now_ms,
		});
	return decide_step_send(d, h, false);
}

enum decide_state
decide_do_card_not_recorded(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	decide_step_count_card(d, h, false);
	if (h->handle == 0)
		return DECIDE_STATE_WITHDRAWN;
	return refuse(d, h,
		STR("this needs a person, and assent could not record the question"));
}
