/*
 * Cards over HTTP: listed, shown, answered.
 */
#include "base/limits.h"
#include "card/card.h"
#include "daemon/events.h"
#include "daemon/person.h"
#include "daemon/routes.h"
#include "daemon/turn.h"
#include "io/clock.h"
#include "wire/json.h"

enum { LIST_BYTES = 128 << 20 };

static struct card
card_of(const struct daemon *d, struct arena *a, const struct store_card *c)
{
	bool always = c->always && decide_is_held(d->decide, c->number);

	return (struct card){
		.id = decide_card_id(a, c->number, c->digest),
		.number = c->number,
		.session = c->session,
		.parent = decide_parent(d->decide, c->session),
		.agent = c->agent,
		.role = c->role,
		.tool = c->tool,
		.tool_name = c->tool_name,
		.title = c->title,
		.text = c->text,
		.description = c->description,
		.cwd = c->cwd,
		.reason = c->reason,
		.by = c->by,
		.risk = c->risk,
		.person_only = c->person_only,
		.always = always,
		.pattern = always ? decide_grant_pattern(d->decide, c->number)
						  : (struct str){0},
		.grant = always ? decide_grant_resource(d->decide, c->number)
						: (struct str){0},
		.created_ms = c->created_ms,
		.expires_ms = c->expires_ms,
		.round = c->round,
		.hides_always =
			always && decide_card_hides_always(d->decide, c->number),
		.held = decide_is_held(d->decide, c->number),
		.elsewhere = decide_is_elsewhere(d->decide, c->number),
	};
}

static void
set_text(json_t *j, const char *name, struct str value)
{
	if (value.len > 0)
		(void)json_object_set_new(j, name, json_stringn(value.ptr, value.len));
}

/* The card, and how it ended if it did. NULL: no memory, or text that is not
 * UTF-8. */
static json_t *
json_of(const struct daemon *d, struct arena *a, const struct store_card *c)
{
	struct card shown = card_of(d, a, c);
	json_t *j = card_json(&shown);

	if (!j)
		return NULL;
	set_text(j, "state", str_from(store_card_state_name(c->state)));
	if (c->state == STORE_CARD_OPEN)
		return j;
	(void)json_object_set_new(j, "ended", json_integer(c->ended_ms));
	if (c->reply != CALL_REPLY_NONE)
		set_text(j, "reply", str_from(call_reply_name(c->reply)));
	set_text(j, "who", c->who);
	set_text(j, "source", c->source);
	set_text(j, "feedback", c->note);
	if (c->replaced_by != 0)
		(void)json_object_set_new(
			j, "replaced_by", json_integer(c->replaced_by));
	return j;
}

json_t *
daemon_cards_json(struct daemon *d, struct arena *a, int64_t number)
{
	struct store_card c;

	if (store_read_card(d->reader, a, number, &c) != 0)
		return NULL;
	return json_of(d, a, &c);
}

static void
add_json(struct buf *b, json_t *j)
{
	char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;

	buf_add(b, text ? str_from(text) : STR("null"));
	free(text);
	json_decref(j);
}

/* --- looking ------------------------------------------------------------------- */

static void
list(struct daemon *d, struct daemon_request *r, struct buf *b)
{
	struct store_card *cards = NULL;
	size_t count = 0;
	struct decide_status s;
	const char *comma = "";
	char event[DAEMON_EVENTS_ID_BYTES];

	/* before the store is read: what is read holds all up to this event */
	daemon_events_id(d->events, event);
	if (store_read_cards(d->reader, d->work, &cards, &count) != 0) {
		daemon_request_fail(r, 503, "cannot_read", "%s", fail_text());
		return;
	}
	decide_status(d->decide, &s);
	buf_addf(b, "{\"revision\":%lld,\"event\":\"%s\",\"cards\":[",
		(long long)s.revision, event);
	for (size_t i = 0; i < count; i++) {
		/* the end of one may not be in the store yet */
		if (cards[i].state != STORE_CARD_OPEN
			|| !decide_is_open(d->decide, cards[i].number))
			continue;
		buf_addf(b, "%s", comma);
		add_json(b, json_of(d, d->work, &cards[i]));
		comma = ",";
	}
	buf_addf(b, "]}\n");
	daemon_request_answer(r, 200, buf_str(b), NULL);
}

void
daemon_cards_list(struct daemon *d, struct daemon_request *r)
{
	struct buf b;

	if (!daemon_routes_needs_store(d, r))
		return;
	if (daemon_person_may(d, r))
		d->cards_asked_ms = io_clock_mono_ms();
	buf_init(&b, LIST_BYTES);
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		list(d, r, &b);
	else
		daemon_request_fail(r, 503, "too_many", "too many cards to list");
	arena_done(d->work);
	buf_done(&b);
}

/* The card that r's path names, by its id or, to be looked at, only its number;
 * false when there is none, and r is answered. */
static bool
find_card(struct daemon *d, struct daemon_request *r, struct store_card *ret)
{
	struct str digest8 = {0};
	int64_t number = 0;
	int result = FAIL_ABSENT;

	if (decide_card_id_from(str_from(r->id), &number, &digest8)
		|| str_number(str_from(r->id), &number))
		result = store_read_card(d->reader, d->work, number, ret);
	if (result == 0 && str_starts(ret->digest, digest8))
		return true;
	if (result == 0 || result == FAIL_ABSENT)
		daemon_request_fail(r, 404, "no_such_card",
			"no card is called %s (assent cards lists them)", r->id);
	else
		daemon_request_fail(r, 503, "cannot_read", "%s", fail_text());
	return false;
}

static void
show(struct daemon *d, struct daemon_request *r, struct buf *b)
{
	struct store_card c;

	if (!find_card(d, r, &c))
		return;
	add_json(b, json_of(d, d->work, &c));
	buf_add_char(b, '\n');
	daemon_request_answer(r, 200, buf_str(b), NULL);
}

void
daemon_cards_show(struct daemon *d, struct daemon_request *r)
{
	struct buf b;

	if (!daemon_routes_needs_store(d, r))
		return;
	buf_init(&b, LIST_BYTES);
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		show(d, r, &b);
	else
		daemon_request_fail(r, 503, "too_large", "the card is too large");
	arena_done(d->work);
	buf_done(&b);
}

/* --- answering ------------------------------------------------------------------- */

unsigned
daemon_cards_status(enum decide_replied replied)
{
	switch (replied) {
	case DECIDE_DONE:
		return 200;
	case DECIDE_ABSENT:
		return 404;
	case DECIDE_ALREADY:
	case DECIDE_CHANGED:
	case DECIDE_NOT_OFFERED:
	case DECIDE_UNFIT:
		return 409;
	case DECIDE_WITHDRAWN:
	case DECIDE_EXPIRED:
		return 410;
	case DECIDE_BAD_VALUE:
		return 400;
	case DECIDE_NOT_RECORDED:
	case DECIDE_REPLIED_COUNT:
		return 503;
	}
	return 503;
}

/* What came of the reply, with the card as it is now. */
static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	CLEANUP(buf_done) struct buf b;
	bool done = act->replied == DECIDE_DONE;

	buf_init(&b, LIST_BYTES);
	if (done) {
		buf_addf(&b, "{\"result\":\"done\"");
	} else {
		buf_addf(&b, "{\"error\":{\"code\":\"%s\",\"message\":",
			decide_replied_name(act->replied));
		buf_add_json(&b, act->text);
		buf_add_char(&b, '}');
	}
	if (act->card.number != 0) {
		struct store_card whole;

		/* decide knows the end by heart, the store all of it */
		if (store_read_card(d->reader, d->acts, act->card.number, &whole) != 0)
			whole = act->card;
		buf_addf(&b, ",\"card\":");
		add_json(&b, json_of(d, d->acts, &whole));
	}
	buf_addf(&b, "}\n");
	daemon_request_answer(
		r, daemon_cards_status(act->replied), buf_str(&b), NULL);
}

bool
daemon_cards_read(
	struct daemon_request *r, const json_t *body, struct decide_reply *ret)
{
	const json_t *note = wire_json_get(body, "feedback");
	const json_t *as = wire_json_get(body, "as");

	ret->note = wire_json_text(note);
	ret->as = wire_json_text(as);
	if (call_reply_from(wire_json_str(body, "reply"), &ret->reply)
		&& (!note || json_is_string(note) || json_is_null(note))
		&& (!as
			|| (ret->reply == CALL_REPLY_ALWAYS && str_trim(ret->as).len > 0)))
		return true;
	daemon_request_fail(r, 400, "bad_reply",
		"the body is {\"reply\": \"once\", \"always\" or \"reject\", "
		"\"feedback\": text or absent, \"as\": with always, a pattern, or "
		"absent for exactly what the card shows}");
	return false;
}

static void
reply(
	struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	(void)data;
	struct decide_reply reply = {
		.handle = r->handle,
		.id = str_from(r->id),
	};

	if (!daemon_cards_read(r, body, &reply))
		return;
	reply.who = daemon_person_who(d, d->work, r);
	daemon_routes_wait(r, on_replied);
	decide_reply(d->decide, &reply, io_clock_wall_ms());
}

void
daemon_cards_reply(struct daemon *d, struct daemon_request *r)
{
	daemon_routes_read(d, r, reply, NULL);
}
