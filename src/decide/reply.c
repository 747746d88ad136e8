#include <stdio.h>
#include <string.h>

#include "card/card.h"
#include "decide/decide_priv.h"

/*
 * A person answers a card, or changes a setting. Exactly one reply counts.
 */

enum { ROW_BYTES = 64 << 20 };

struct str
decide_card_id(struct arena *a, int64_t number, struct str digest)
{
	return arena_fmt(a, "%lld-%.*s", (long long)number,
		(int)str_sub(digest, 0, 8).len, digest.ptr);
}

bool
decide_card_id_from(struct str id, int64_t *ret_number, struct str *ret_digest8)
{
	struct str digest, digits = str_cut(id, '-', &digest);
	int64_t number;

	if (digest.len != 8 || !str_number(digits, &number) || number <= 0)
		return false;
	*ret_number = number;
	*ret_digest8 = digest;
	return true;
}

/* Why a card does not take the reply. */
static enum decide_replied
say(struct decide_refusal *ret, enum decide_replied what,
	const struct store_card *card, const char *text)
{
	ret->what = what;
	ret->card = card ? *card : (struct store_card){0};
	(void)snprintf(ret->text, sizeof(ret->text), "%s", text);
	return what;
}

/* --- too late ------------------------------------------------------------- */

static enum decide_replied
say_already(struct decide_refusal *ret, const struct store_card *card)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "already answered: %s%s%.*s",
		card->verdict == CALL_VERDICT_ALLOW ? "approved" : "rejected",
		card->who.ptr ? " by " : "", (int)str_sub(card->who, 0, 128).len,
		card->who.ptr ? card->who.ptr : "");
	return say(ret, DECIDE_ALREADY, card, text);
}

/* What a card that is over says to whoever answers it. */
static enum decide_replied
say_over(struct decide_refusal *ret, const struct store_card *card)
{
	switch (card->state) {
	case STORE_CARD_WITHDRAWN:
	case STORE_CARD_OPEN: /* it ended a moment ago */
		return say(ret, DECIDE_WITHDRAWN, card, "the agent took the call back");
	case STORE_CARD_EXPIRED:
		return say(ret, DECIDE_EXPIRED, card, "the card's time is over");
	case STORE_CARD_REPLACED:
		return say(ret, DECIDE_CHANGED, card,
			"the world changed; a newer card stands in its place");
	case STORE_CARD_APPROVED:
	case STORE_CARD_ANSWERED:
	case STORE_CARD_SENT:
	case STORE_CARD_REJECTED:
	case STORE_CARD_SPENT:
		return card->reply != CALL_REPLY_NONE
			? say_already(ret, card)
			: say(ret, DECIDE_EXPIRED, card,
				"nobody answered in time; the agent has its answer");
	case STORE_CARD_NONE:
	case STORE_CARD_STATE_COUNT:
		break;
	}
	return say(ret, DECIDE_ABSENT, NULL, "no such card");
}

/* Not in memory: the row knows how it ended. */
static enum decide_replied
find_in_store(struct decide *d, struct arena *a, int64_t number,
	struct str digest8, struct decide_refusal *ret)
{
	struct store_card card;

	if (!d->reader || !ARENA_TRY(a))
		return say(ret, DECIDE_ABSENT, NULL, "no such card");
	int r = store_read_card(d->reader, a, number, &card);

	arena_done(a);
	if (r == 0 && str_eq(str_sub(card.digest, 0, 8), digest8))
		return say_over(ret, &card);
	return say(ret, DECIDE_ABSENT, NULL, "no such card");
}

/* In memory, and answered or over already. */
static enum decide_replied
say_from_memory(const struct decide_hearing *h, struct decide_refusal *ret)
{
	struct store_card c = {
		.number = h->number,
		.state = h->state == DECIDE_STATE_WITHDRAWING ? STORE_CARD_WITHDRAWN
													  : STORE_CARD_ANSWERED,
	};

	if (h->pending) {
		c.verdict = h->pending->verdict;
		c.reply = h->pending->reply;
		c.by = h->pending->by;
		c.source = h->pending->source;
		c.note = h->pending->note;
		c.who = h->pending->who;
		c.ended_ms = h->pending->at_ms;
	}
	return say_over(ret, &c);
}

/* --- in time -------------------------------------------------------------- */

/* Shown to people, or has been. */
static bool
is_shown(const struct decide_hearing *h)
{
	return h->has_card && h->state != DECIDE_STATE_OPENING
		&& h->state != DECIDE_STATE_LOOKING;
}

static bool
names(const struct decide_hearing *h, struct str digest8)
{
	char digest[STORE_DIGEST_HEX + 1];

	decide_digest_hex(h->digest, digest);
	return str_eq(str_sub(str_from(digest), 0, 8), digest8);
}

/* What the client is asked again; what cannot be read now it is asked when it
 * comes with nothing. */
static size_t
read_needs(
	struct decide *d, struct arena *a, int64_t number, struct call_need **ret)
{
	struct store_card card;

	*ret = NULL;
	if (!d->reader || !ARENA_TRY(a))
		return 0;
	size_t n = store_read_card(d->reader, a, number, &card) == 0
		? decide_needs_from(a, card.needs, ret)
		: 0;

	arena_done(a);
	return n;
}

static struct decide_pending
pending_of(struct arena *a, const struct decide_reply *r, int64_t now_ms)
{
	bool rejects = r->reply == CALL_REPLY_REJECT;
	struct decide_pending p = {
		.verdict = rejects ? CALL_VERDICT_DENY : CALL_VERDICT_ALLOW,
		.by = CALL_BY_PERSON,
		.reply = r->reply,
		.reason =
			rejects ? STR("rejected by the user") : STR("approved by the user"),
		.note = card_note(a, r->note),
		.as = str_trim(r->as),
		.source = STR("user"),
		.who = r->who.name,
		.level = r->who.level,
		.ancestry = r->who.ancestry,
		.surface = r->who.surface,
		.reply_handle = r->handle,
		.at_ms = now_ms,
	};

	if (p.note.ptr)
		p.verbatim = str_trim(r->note);
	return p;
}

void
decide_reply_take(struct decide *d, const struct decide_reply *r,
	struct decide_hearing *h, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ROW_BYTES);
	struct decide_pending p = {0};
	struct call_need *needs = NULL;

	CHECK(a && h);
	CHECK(ARENA_TRY(a)); /* notes are cut before they are cleaned */
	p = pending_of(a, r, now_ms);
	decide_hearing_set_pending(h, &p);
	if (r->reply == CALL_REPLY_REJECT) {
		(void)decide_step(d, h, DECIDE_EVENT_REJECT, now_ms);
		return;
	}
	if (h->state == DECIDE_STATE_PENDING)
		d->need_count = read_needs(d, a, h->number, &needs);
	d->needs = needs;
	(void)decide_step(d, h, DECIDE_EVENT_APPROVE, now_ms);
	d->needs = NULL;
	d->need_count = 0;
}

const char *
decide_reply_fault(const struct decide_reply *r)
{
	if (r->reply == CALL_REPLY_NONE)
		return "reply once, always or reject";
	if (card_note_is_too_long(r->note))
		return "the note is longer than 4,000 characters; nothing was answered";
	return NULL;
}

enum decide_replied
decide_reply_find(struct decide *d, struct arena *a,
	const struct decide_reply *r, struct decide_hearing **ret,
	struct decide_refusal *why)
{
	int64_t number = 0;
	struct str digest8;
	enum decide_event event = r->reply == CALL_REPLY_REJECT
		? DECIDE_EVENT_REJECT
		: DECIDE_EVENT_APPROVE;

	*ret = NULL;
	if (!decide_card_id_from(r->id, &number, &digest8))
		return say(why, DECIDE_ABSENT, NULL, "no such card");
	struct decide_hearing *h = decide_hearing_by_number(d, number);

	if (!h)
		return find_in_store(d, a, number, digest8, why);
	if (!is_shown(h) || !names(h, digest8))
		return say(why, DECIDE_ABSENT, NULL, "no such card");
	*ret = h;
	if (h->elsewhere)
		return say(why, DECIDE_NOT_OFFERED, NULL,
			"this call is shown by the agent's own card, and answered there");
	if (!decide_accepts(h->state, event))
		return say_from_memory(h, why);
	if (r->reply == CALL_REPLY_ALWAYS && !h->always)
		return say(
			why, DECIDE_NOT_OFFERED, NULL, "this card offers once and reject");
	if (r->reply == CALL_REPLY_ALWAYS && h->state == DECIDE_STATE_OPEN)
		return say(why, DECIDE_NOT_OFFERED, NULL,
			"no agent waits at this card, so what always would cover cannot "
			"be looked at again; approve it once");
	return DECIDE_DONE;
}

void
decide_reply(struct decide *d, const struct decide_reply *r, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ROW_BYTES);
	const char *fault = decide_reply_fault(r);
	struct decide_refusal why;
	struct decide_hearing *h = NULL;

	CHECK(a);
	if (fault) {
		decide_acts_replied(
			d, r->handle, DECIDE_BAD_VALUE, NULL, str_from(fault));
		return;
	}
	if (decide_reply_find(d, a, r, &h, &why) == DECIDE_DONE)
		decide_reply_take(d, r, h, now_ms);
	else
		decide_acts_replied(d, r->handle, why.what,
			why.card.number != 0 ? &why.card : NULL, str_from(why.text));
}

/* --- settings and rows of the daemon's own -------------------------------- */

void
decide_record(
	struct decide *d, struct store_audit *row, uint64_t handle, int64_t now_ms)
{
	row->time_ms = now_ms;
	store_batch_add_audit(decide_rows_batch(d), row);
	store_batch_set_synced(decide_rows_batch(d));
	if (handle != 0)
		decide_rows_wait(d, &(struct decide_waiter){.handle = handle});
}

/* Trust in the workspace's file: of a project, the digest of its bytes. */
static bool
read_trust(const struct store_setting *s)
{
	unsigned char digest[DECIDE_DIGEST_BYTES];

	return s->scope == STORE_SCOPE_PROJECT
		&& (!s->value.ptr || decide_digest_from(s->value, digest));
}

/* The value by its own name, whichever alias was given. */
static bool
read_value(struct store_setting *s)
{
	enum call_mode mode;
	enum call_tier tier;

	if ((s->scope != STORE_SCOPE_GLOBAL) != (s->key.len > 0))
		return false;
	if (str_eq(s->name, STR("trust")))
		return read_trust(s);
	if (str_eq(s->name, STR("mode"))) {
		if (s->value.ptr && !call_mode_from(s->value, &mode))
			return false;
		if (s->value.ptr)
			s->value = str_from(call_mode_name(mode));
		return true;
	}
	if (!str_eq(s->name, STR("tier")) || s->scope == STORE_SCOPE_PROJECT
		|| (s->value.ptr && !call_tier_from(s->value, &tier)))
		return false;
	if (s->value.ptr)
		s->value = str_from(call_tier_name(tier));
	return true;
}

void
decide_set(struct decide *d, const struct store_setting *given,
	const struct decide_who *who, uint64_t handle, int64_t now_ms)
{
	struct store_setting s = *given;
	char reason[DECIDE_TEXT_BYTES + 128];

	if (!read_value(&s)) {
		decide_acts_replied(d, handle, DECIDE_BAD_VALUE, NULL,
			STR("not a mode or tier that is known here (mode: ask, ai_auto, "
				"auto_approve, full_access; tier, not of a project: standard, "
				"aggressive, passive)"));
		return;
	}
	(void)snprintf(reason, sizeof(reason), "%.*s of %s%s%.*s set to %.*s",
		STR_ARG(s.name), store_scope_name(s.scope), s.key.len > 0 ? " " : "",
		(int)str_sub(s.key, 0, DECIDE_TEXT_BYTES).len,
		s.key.ptr ? s.key.ptr : "", s.value.ptr ? (int)s.value.len : 7,
		s.value.ptr ? s.value.ptr : "nothing");
	bool of_session =
		s.scope == STORE_SCOPE_SESSION || s.scope == STORE_SCOPE_TURN;
	struct store_audit row = {
		.kind = STORE_KIND_SETTING,
		.session = of_session ? s.key : (struct str){0},
		.reason = str_from(reason),
		.source = STR("user"),
		.who = who->name,
		.level = who->level,
		.ancestry = who->ancestry,
		.surface = who->surface,
		.time_ms = now_ms,
	};

	store_batch_set_setting(decide_rows_batch(d), &s);
	store_batch_add_audit(decide_rows_batch(d), &row);
	store_batch_set_synced(decide_rows_batch(d));
	decide_rows_wait(d,
		&(struct decide_waiter){
			.handle = handle,
			.setting = decide_setting_copy(&s),
		});
}
