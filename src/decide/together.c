#include <stdio.h>
#include <stdlib.h>

#include "decide/steps.h"

/*
 * Several cards with one reply. Each is looked at again by its own client; when
 * none is to look any more, those that stand are written in one batch.
 */

enum { ID_BYTES = 32, ROW_BYTES = 64 << 20 };

struct member {
	struct decide_hearing *h; /* NULL: it is known what came of it */
	char id[ID_BYTES];
	char text[256];
	enum decide_replied what;
	int64_t replaced_by;
};

struct decide_group {
	struct decide_group *next;
	uint64_t handle;
	int64_t anchor;
	bool busy; /* its hearings are being moved */
	bool over; /* the person was told */
	size_t count;
	struct member members[];
};

/* --- being told ----------------------------------------------------------- */

static void
tell_all(struct decide *d, struct decide_group *g)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ROW_BYTES);
	struct decide_told *told;
	enum decide_replied what = g->members[0].what;

	CHECK(a);
	CHECK(ARENA_TRY(a)); /* DECIDE_CARDS_SESSION_MAX short rows */
	told = ARENA_ARRAY(a, g->count, struct decide_told);
	for (size_t i = 0; i < g->count; i++) {
		const struct member *m = &g->members[i];

		told[i] = (struct decide_told){
			.id = str_from(m->id),
			.text = str_from(m->text),
			.what = m->what,
			.replaced_by = m->replaced_by,
		};
		if (m->what == DECIDE_DONE)
			what = DECIDE_DONE;
	}
	decide_acts_told(d, g->handle, what, told, g->count);
	g->over = true;
}

static void
tell_if_all_are(struct decide *d, struct decide_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->members[i].h)
			return;
	}
	if (!g->over)
		tell_all(d, g);
}

void
decide_together_tell(struct decide *d, struct decide_hearing *h,
	enum decide_replied what, int64_t now_ms)
{
	struct decide_group *g = h->group;

	(void)now_ms;
	h->group = NULL;
	for (size_t i = 0; i < g->count; i++) {
		struct member *m = &g->members[i];

		if (m->h != h)
			continue;
		m->h = NULL;
		m->what = what;
		m->replaced_by = d->successor ? d->successor->number : 0;
		(void)snprintf(
			m->text, sizeof(m->text), "%s", decide_step_sentence(what));
	}
	if (!g->busy)
		tell_if_all_are(d, g);
}

bool
decide_together_is_anchor(const struct decide_hearing *h)
{
	return h->group && h->group->anchor == h->number;
}

static void
free_one(struct decide *d, struct decide_group *g)
{
	struct decide_group **at = &d->groups;

	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	free(g);
}

void
decide_together_free(struct decide *d)
{
	while (d->groups)
		free_one(d, d->groups);
}

/* --- moving --------------------------------------------------------------- */

static bool
has_one_in(const struct decide_group *g, enum decide_state state)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->members[i].h && g->members[i].h->state == state)
			return true;
	}
	return false;
}

/* All that stand, in one go: the batch that gathers has them all. */
static void
write_all(struct decide *d, struct decide_group *g, int64_t now_ms)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->members[i].h)
			(void)decide_step(
				d, g->members[i].h, DECIDE_EVENT_TOGETHER, now_ms);
	}
}

void
decide_together_moved(struct decide *d, struct decide_group *g, int64_t now_ms)
{
	if (g->busy)
		return;
	g->busy = true;
	if (!d->stopping && !has_one_in(g, DECIDE_STATE_REREADING))
		write_all(d, g, now_ms);
	g->busy = false;
	tell_if_all_are(d, g);
	if (g->over)
		free_one(d, g);
}

enum decide_state
decide_do_same(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return h->group ? DECIDE_STATE_READY : decide_do_commit(d, h, now_ms);
}

/* No world to be read again where no agent waits: that is done when it is
 * spent. */
enum decide_state
decide_do_settle_or_ready(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return h->group ? DECIDE_STATE_READY : decide_do_settle(d, h, now_ms);
}

enum decide_state
decide_do_together(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return h->handle != 0 ? decide_do_commit(d, h, now_ms)
						  : decide_do_settle(d, h, now_ms);
}

enum decide_state
decide_do_deadline_while_ready(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_step_tell_person(d, h, DECIDE_EXPIRED, STORE_CARD_OPEN, now_ms);
	decide_hearing_set_pending(h, NULL);
	return decide_do_on_deadline(d, h, now_ms);
}

/* --- the reply ------------------------------------------------------------ */

static void
fail_all(struct decide *d, const struct decide_reply *r,
	enum decide_replied what, const char *text)
{
	decide_acts_replied(d, r->handle, what, NULL, str_from(text));
}

static bool
is_named_twice(const struct str *ids, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			if (str_eq(ids[i], ids[j]))
				return true;
		}
	}
	return false;
}

static bool
has_id(const struct str *ids, size_t count, struct str id)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(ids[i], id))
			return true;
	}
	return false;
}

/* What is wrong with the list itself, or NULL. */
static const char *
list_fault(const struct decide_reply *r, const struct str *ids, size_t count)
{
	if (count > DECIDE_CARDS_SESSION_MAX)
		return "too many cards at a time";
	if (r->as.len > 0)
		return "a pattern is granted on one card at a time";
	if (is_named_twice(ids, count))
		return "a card is named twice";
	if (!has_id(ids, count, r->id))
		return "the anchor is not among the cards";
	return NULL;
}

/* One of the list, put into m. False, and why, when nothing may be answered. */
static bool
add_member(struct decide *d, struct arena *a, const struct decide_reply *r,
	const struct decide_hearing *anchor, struct member *m)
{
	struct decide_refusal why = {0};
	struct decide_hearing *h = NULL;

	(void)snprintf(m->id, sizeof(m->id), "%.*s",
		(int)str_sub(r->id, 0, ID_BYTES - 1).len, r->id.ptr);
	m->what = decide_reply_find(d, a, r, &h, &why);
	(void)snprintf(m->text, sizeof(m->text), "%s", why.text);
	m->replaced_by = why.card.replaced_by;
	if (h
		&& (h->number < anchor->number || h->session != anchor->session
			|| h->round != anchor->round))
		return false;
	if (h && m->what == DECIDE_DONE && h->person_only) {
		m->what = DECIDE_NOT_OFFERED;
		(void)snprintf(m->text, sizeof(m->text),
			"only a person may allow this, and only by itself");
	}
	if (m->what == DECIDE_DONE)
		m->h = h;
	return true;
}

static void
take_all(struct decide *d, struct decide_group *g, const struct decide_reply *r,
	int64_t now_ms)
{
	struct decide_reply one = *r;

	one.handle = 0;
	g->next = d->groups;
	d->groups = g;
	g->busy = true;
	for (size_t i = 0; i < g->count; i++) {
		struct member *m = &g->members[i];

		if (m->h && m->h->group) { /* one number, written in two ways */
			m->h = NULL;
			m->what = DECIDE_ALREADY;
		}
		if (!m->h)
			continue;
		m->h->group = g;
		decide_reply_take(d, &one, m->h, now_ms);
	}
	g->busy = false;
	decide_together_moved(d, g, now_ms);
}

/* The anchor takes the reply; false when it does not, and r is answered. */
static bool
find_anchor(struct decide *d, struct arena *a, const struct decide_reply *r,
	struct decide_hearing **ret)
{
	struct decide_refusal why;

	if (decide_reply_find(d, a, r, ret, &why) != DECIDE_DONE) {
		decide_acts_replied(d, r->handle, why.what,
			why.card.number != 0 ? &why.card : NULL, str_from(why.text));
		return false;
	}
	if ((*ret)->person_only) {
		fail_all(d, r, DECIDE_NOT_OFFERED,
			"only a person may allow this, and only by itself");
		return false;
	}
	return true;
}

void
decide_reply_together(struct decide *d, const struct decide_reply *r,
	const struct str *ids, size_t count, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ROW_BYTES);
	const char *fault = decide_reply_fault(r);
	struct decide_hearing *anchor = NULL;
	struct decide_group *g;
	struct decide_reply one = *r;

	CHECK(a);
	fault = fault ? fault : list_fault(r, ids, count);
	if (fault) {
		fail_all(d, r, DECIDE_BAD_VALUE, fault);
		return;
	}
	if (!find_anchor(d, a, r, &anchor))
		return;
	g = calloc(1, sizeof(*g) + count * sizeof(*g->members));
	CHECK(g);
	g->handle = r->handle;
	g->anchor = anchor->number;
	g->count = count;
	for (size_t i = 0; i < count; i++) {
		one.id = ids[i];
		if (add_member(d, a, &one, anchor, &g->members[i]))
			continue;
		fail_all(d, r, DECIDE_BAD_VALUE,
			"these cards are not all of one session and round, from the "
			"anchor on; nothing was answered");
		free(g);
		return;
	}
	take_all(d, g, r, now_ms);
}
