#include <stdarg.h>
#include <stdio.h>

#include "card/card.h"
#include "decide/decide_priv.h"

/*
 * What the loop is to do, in order. The texts are copied when an act is made,
 * because the hearing may be gone when it is done.
 */

static struct decide_act_node *
add(struct decide *d, enum decide_act_kind kind, uint64_t handle,
	int64_t number)
{
	struct decide_act_node *n =
		ARENA_NEW(d->acts_arena, struct decide_act_node);

	n->act.kind = kind;
	n->act.handle = handle;
	n->act.number = number;
	*d->acts_end = n;
	d->acts_end = &n->next;
	return n;
}

static struct str
copy(struct decide *d, struct str s)
{
	return s.ptr ? arena_dup(d->acts_arena, s) : s;
}

void
decide_acts_send(struct decide *d, uint64_t handle, int64_t number,
	const struct decide_pending *p, unsigned flags)
{
	bool unrecorded = flags & DECIDE_SEND_UNRECORDED;

	if (handle == 0)
		return;
	struct decide_act_node *n = add(d, DECIDE_ACT_SEND, handle, number);
	struct decide_answer *a = &n->act.answer;

	/* the types say it, and so does this: nothing unrecorded is allowed */
	CHECK(p->verdict != CALL_VERDICT_NONE);
	CHECK(!unrecorded || p->verdict == CALL_VERDICT_DENY);
	a->verdict = p->verdict;
	a->by = p->by;
	a->reason = copy(d, p->reason);
	a->from_person = p->by == CALL_BY_PERSON;
	a->unrecorded = unrecorded;
	if ((flags & DECIDE_SEND_NOTE) || p->verdict != CALL_VERDICT_ALLOW)
		a->note = copy(d, p->note);
}

void
decide_acts_need(struct decide *d, uint64_t handle, int64_t number,
	const struct call_need *needs, size_t count)
{
	if (handle == 0)
		return;
	struct decide_act_node *n = add(d, DECIDE_ACT_NEED, handle, number);
	struct call_need *list =
		ARENA_ARRAY(d->acts_arena, count + 1, struct call_need);

	for (size_t i = 0; i < count; i++) {
		list[i].kind = needs[i].kind;
		list[i].name = copy(d, needs[i].name);
	}
	n->act.needs = list;
	n->act.need_count = count;
}

void
decide_acts_drop(struct decide *d, uint64_t handle, int64_t number)
{
	if (handle != 0)
		(void)add(d, DECIDE_ACT_DROP, handle, number);
}

/* What of a card is told of its life. */
static void
copy_card(
	struct decide *d, const struct store_card *card, struct store_card *ret)
{
	*ret = (struct store_card){
		.number = card->number,
		.state = card->state,
		.digest = copy(d, card->digest),
		.session = copy(d, card->session),
		.verdict = card->verdict,
		.by = card->by,
		.reply = card->reply,
		.source = copy(d, card->source),
		.note = copy(d, card->note),
		.who = copy(d, card->who),
		.ended_ms = card->ended_ms,
		.replaced_by = card->replaced_by,
	};
}

void
decide_acts_told(struct decide *d, uint64_t handle, enum decide_replied what,
	const struct decide_told *told, size_t count)
{
	if (handle == 0)
		return;
	struct decide_act_node *n = add(d, DECIDE_ACT_REPLIED, handle, 0);
	struct decide_told *list =
		ARENA_ARRAY(d->acts_arena, count + 1, struct decide_told);

	for (size_t i = 0; i < count; i++) {
		list[i] = told[i];
		list[i].id = copy(d, told[i].id);
		list[i].text = copy(d, told[i].text);
	}
	n->act.replied = what;
	n->act.text = count > 0 ? list[0].text : (struct str){0};
	n->act.told = list;
	n->act.told_count = count;
}

void
decide_acts_replied(struct decide *d, uint64_t handle, enum decide_replied what,
	const struct store_card *card, struct str text)
{
	if (handle == 0)
		return;
	struct decide_act_node *n =
		add(d, DECIDE_ACT_REPLIED, handle, card ? card->number : 0);

	n->act.replied = what;
	n->act.text = copy(d, text);
	if (card)
		copy_card(d, card, &n->act.card);
}

/* How it ended, as far as the hearing knows it. */
static enum store_card_state
state_after(enum decide_card_event event, const struct decide_hearing *h,
	const struct decide *d)
{
	switch (event) {
	case DECIDE_CARD_ASKED:
	case DECIDE_CARD_CHANGED:
		return STORE_CARD_OPEN;
	case DECIDE_CARD_REPLIED:
		return h->state != DECIDE_STATE_SETTLING        ? STORE_CARD_ANSWERED
			: h->pending->verdict == CALL_VERDICT_ALLOW ? STORE_CARD_APPROVED
														: STORE_CARD_REJECTED;
	case DECIDE_CARD_CANCELLED:
		return d->successor ? STORE_CARD_REPLACED : STORE_CARD_WITHDRAWN;
	case DECIDE_CARD_EXPIRED:
	case DECIDE_CARD_EVENT_COUNT:
		break;
	}
	return STORE_CARD_EXPIRED;
}

void
decide_acts_card(struct decide *d, const struct decide_hearing *h,
	enum decide_card_event event, int64_t now_ms)
{
	char digest[STORE_DIGEST_HEX + 1];
	const struct decide_pending *p = h->pending;
	struct store_card c = {
		.number = h->number,
		.session = h->session->row->id,
		.state = state_after(event, h, d),
		.replaced_by = d->successor ? d->successor->number : 0,
	};

	decide_digest_hex(h->digest, digest);
	c.digest = str_from(digest);
	if (c.state != STORE_CARD_OPEN)
		c.ended_ms = now_ms;
	if (p && event == DECIDE_CARD_REPLIED) {
		c.ended_ms = p->at_ms;
		c.verdict = p->verdict;
		c.by = p->by;
		c.reply = p->reply;
		c.source = p->source;
		c.note = p->note;
		c.who = p->who;
	}
	d->revision++;
	struct decide_act_node *n = add(d, DECIDE_ACT_CARD, 0, h->number);

	n->act.event = event;
	copy_card(d, &c, &n->act.card);
}

void
decide_acts_changed(struct decide *d, const struct store_setting *s)
{
	struct decide_act_node *n = add(d, DECIDE_ACT_CHANGED, 0, 0);

	if (!s)
		return;
	n->act.setting = *s;
	n->act.setting.key = copy(d, s->key);
	n->act.setting.name = copy(d, s->name);
	n->act.setting.value = copy(d, s->value);
}

void
decide_acts_judge(struct decide *d, int64_t number)
{
	(void)add(d, DECIDE_ACT_JUDGE, 0, number);
}

void
decide_acts_unjudge(struct decide *d, int64_t number)
{
	(void)add(d, DECIDE_ACT_UNJUDGE, 0, number);
}

void
decide_acts_journal(struct decide *d, const char *fmt, ...)
{
	char line[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	struct decide_act_node *n = add(d, DECIDE_ACT_JOURNAL, 0, 0);

	n->act.text = copy(d, str_from(line));
}

static struct str
move(struct arena *a, struct str s)
{
	return s.ptr ? arena_dup(a, s) : s;
}

static void
move_told(struct arena *a, struct decide_act *act)
{
	struct decide_told *told =
		ARENA_ARRAY(a, act->told_count + 1, struct decide_told);

	for (size_t i = 0; i < act->told_count; i++) {
		told[i] = act->told[i];
		told[i].id = move(a, act->told[i].id);
		told[i].text = move(a, act->told[i].text);
	}
	act->told = told;
}

static void
move_texts(struct arena *a, struct decide_act *act)
{
	struct call_need *needs =
		ARENA_ARRAY(a, act->need_count + 1, struct call_need);
	struct store_card *c = &act->card;

	for (size_t i = 0; i < act->need_count; i++) {
		needs[i].kind = act->needs[i].kind;
		needs[i].name = move(a, act->needs[i].name);
	}
	act->needs = needs;
	if (act->told_count > 0)
		move_told(a, act);
	act->answer.reason = move(a, act->answer.reason);
	act->answer.note = move(a, act->answer.note);
	act->text = move(a, act->text);
	c->digest = move(a, c->digest);
	c->session = move(a, c->session);
	c->source = move(a, c->source);
	c->note = move(a, c->note);
	c->who = move(a, c->who);
	act->setting.key = move(a, act->setting.key);
	act->setting.name = move(a, act->setting.name);
	act->setting.value = move(a, act->setting.value);
}

/* The question of a hearing that still waits for its answer; it is large, and
 * not kept. */
static bool
take_ask(const struct decide *d, struct arena *a, struct decide_act *act)
{
	struct decide_hearing *h = decide_hearing_by_number(d, act->number);

	if (!h || h->state != DECIDE_STATE_JUDGING)
		return false;
	struct decide_ask *ask = &h->judging->ask;

	act->ask = *ask;
	act->ask.session = move(a, ask->session);
	act->ask.user = move(a, ask->user);
	act->ask.model = move(a, ask->model);
	act->ask.second = move(a, ask->second);
	act->ask.run_model = move(a, ask->run_model);
	ask->user = (struct str){0};
	buf_done(&h->judging->user);
	return true;
}

/* The first act, out of the list. */
static bool
take_first(struct decide *d, struct arena *a, struct decide_act *ret)
{
	struct decide_act_node *n = d->acts;

	*ret = n->act;
	bool holds = ret->kind != DECIDE_ACT_JUDGE || take_ask(d, a, ret);

	move_texts(a, ret);
	d->acts = n->next;
	if (!d->acts) {
		d->acts_end = &d->acts;
		arena_reset(d->acts_arena);
	}
	return holds;
}

bool
decide_next(struct decide *d, struct arena *a, struct decide_act *ret)
{
	while (d->acts) {
		if (take_first(d, a, ret))
			return true;
	}
	return false;
}
