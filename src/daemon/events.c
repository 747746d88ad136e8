#include "daemon/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	TICK_MS = 1000,
	EPOCH_HEX = 16,
	FULL_BYTES = DAEMON_HTTP_PART / 2, /* of one part; one more event fits */
	DATA_BYTES = 96 << 10,
};

struct event {
	const char *name;
	int64_t number; /* of a card that was asked about */
	char *data;     /* NULL: nobody watched; made from the card when needed */
	size_t len;
};

struct watcher {
	struct watcher *next, **link;
	struct daemon_request *request;
	uint64_t at;       /* the event to send next */
	const char *reset; /* why nothing can be taken up, or NULL */
	bool greeted, beat;
	int64_t beat_ms, due_ms;
	bool may_answer;
	size_t agents; /* when that was found out, and... */
	int64_t looked_ms;
};

struct daemon_events {
	struct daemon *daemon;
	char epoch[EPOCH_HEX + 1];
	uint64_t next; /* number of the next event, from 1 */
	struct event ring[DAEMON_EVENTS_KEPT];
	size_t count, bytes;
	struct watcher *watchers;
	size_t watcher_count;
	uv_timer_t tick;
};

/* --- the ring -------------------------------------------------------------- */

static struct event *
event_of(struct daemon_events *e, uint64_t number)
{
	return &e->ring[number % DAEMON_EVENTS_KEPT];
}

static uint64_t
oldest(const struct daemon_events *e)
{
	return e->next - e->count;
}

static void
drop_oldest(struct daemon_events *e)
{
	struct event *old = event_of(e, oldest(e));

	e->bytes -= old->len;
	free(old->data);
	*old = (struct event){0};
	e->count--;
}

static void
keep(struct daemon_events *e, const struct event *made)
{
	while (e->count > 0
		&& (e->count == DAEMON_EVENTS_KEPT
			|| e->bytes + made->len > DAEMON_EVENTS_BYTES))
		drop_oldest(e);
	*event_of(e, e->next) = *made;
	e->next++;
	e->count++;
	e->bytes += made->len;
}

/* --- what is said ------------------------------------------------------------ */

/* The card as it is now, in data; false if it cannot be read. */
static bool
print_card(struct daemon *d, struct arena *a, int64_t number, struct buf *data)
{
	json_t *card = daemon_cards_json(d, a, number); /* may jump: the first */
	WIRE_JSON json_t *j = json_object();
	char *text = card ? json_dumps(card, JSON_COMPACT) : NULL;

	if (text && strlen(text) > DAEMON_EVENTS_CARD_BYTES) {
		(void)json_object_del(card, "text");
		(void)json_object_del(card, "description");
		(void)json_object_set_new(card, "cut", json_true());
	}
	free(text);
	(void)json_object_set_new(j, "card", card);
	text = card ? json_dumps(j, JSON_COMPACT) : NULL;
	if (text)
		buf_add(data, str_from(text));
	free(text);
	return text && !data->full;
}

/* As print_card, in an arena that nobody else uses just now. */
static void
print_card_now(struct daemon *d, int64_t number, struct buf *data)
{
	arena_reset(d->work);
	if (!ARENA_TRY(d->work) || !d->decide
		|| !print_card(d, d->work, number, data)) {
		buf_clear(data);
		buf_addf(data, "{\"card\":{\"number\":%lld,\"cut\":true}}",
			(long long)number);
	}
	arena_done(d->work);
}

static void
add_event(struct daemon_events *e, uint64_t number, struct buf *out)
{
	CLEANUP(buf_done) struct buf made;
	const struct event *v = event_of(e, number);
	struct str data = {v->data, v->len};

	buf_init(&made, DATA_BYTES);
	if (!v->data) {
		print_card_now(e->daemon, v->number, &made);
		data = buf_str(&made);
	}
	buf_addf(out, "id: %s-%llu\nevent: %s\ndata: ", e->epoch,
		(unsigned long long)number, v->name);
	buf_add(out, data);
	buf_add(out, STR("\n\n"));
}

static void
greet(struct daemon_events *e, struct watcher *w, struct buf *out)
{
	struct decide_status s = {0};

	w->greeted = true;
	if (!w->reset) {
		buf_add(out, STR(": as before\n\n"));
		return;
	}
	if (e->daemon->decide)
		decide_status(e->daemon->decide, &s);
	buf_addf(out,
		"id: %s-%llu\nevent: reset\ndata: "
		"{\"reason\":\"%s\",\"revision\":%lld,\"cards\":%zu}\n\n",
		e->epoch, (unsigned long long)(w->at - 1), w->reset,
		(long long)s.revision, s.cards);
}

/* What there is for this watcher; false when it was too slow. */
static bool
more(struct daemon *d, struct daemon_request *r, struct buf *out)
{
	struct daemon_events *e = d->events;
	struct watcher *w = r->data;

	if (!w->greeted)
		greet(e, w, out);
	if (w->at < oldest(e))
		return false;
	while (w->at < e->next && out->len < FULL_BYTES)
		add_event(e, w->at++, out);
	if (out->len == 0 && w->beat)
		buf_add(out, STR(":\n\n"));
	if (out->len > 0)
		w->due_ms = io_clock_mono_ms() + w->beat_ms;
	w->beat = false;
	return true;
}

/* --- telling ------------------------------------------------------------------ */

/* The copy is as long as the text; without memory for it the event is made
 * anew, or says nothing but its name. */
static void
tell(struct daemon *d, const char *name, int64_t card, struct str data)
{
	struct daemon_events *e = d->events;
	struct event made = {.name = name, .number = card};

	made.data = data.ptr ? malloc(data.len + 1) : NULL;
	CHECK(made.data || !data.ptr);
	if (made.data) {
		memcpy(made.data, data.ptr, data.len);
		made.data[data.len] = '\0';
		made.len = data.len;
	}
	keep(e, &made);
	for (struct watcher *w = e->watchers, *next = NULL; w; w = next) {
		next = w->next;
		if (w->at < oldest(e))
			daemon_request_drop(w->request);
		else
			daemon_request_wake(w->request);
	}
}

void
daemon_events_tell(struct daemon *d, const char *name, struct str data)
{
	tell(d, name, 0, data);
}

static void
add_text(struct buf *b, const char *name, struct str value)
{
	if (value.len == 0)
		return;
	buf_addf(b, ",\"%s\":", name);
	buf_add_json(b, value);
}

/* What is told of a card beside its being asked about. */
static void
print_end(struct daemon *d, const struct store_card *c, struct buf *b)
{
	buf_addf(b, "{\"card\":{\"id\":\"%lld-%.8s\",\"number\":%lld",
		(long long)c->number, c->digest.ptr, (long long)c->number);
	add_text(b, "session", c->session);
	add_text(b, "state", str_from(store_card_state_name(c->state)));
	if (c->state == STORE_CARD_OPEN)
		buf_addf(b, ",\"held\":%s",
			decide_is_held(d->decide, c->number) ? "true" : "false");
	else
		buf_addf(b, ",\"ended\":%lld", (long long)c->ended_ms);
	if (c->reply != CALL_REPLY_NONE)
		add_text(b, "reply", str_from(call_reply_name(c->reply)));
	add_text(b, "who", c->who);
	add_text(b, "source", c->source);
	add_text(b, "feedback", c->note);
	if (c->replaced_by != 0)
		buf_addf(b, ",\"replaced_by\":%lld", (long long)c->replaced_by);
	buf_add(b, STR("}}"));
}

void
daemon_events_card(struct daemon *d, const struct decide_act *act)
{
	CLEANUP(buf_done) struct buf b;
	const char *name = decide_card_event_name(act->event);

	buf_init(&b, DATA_BYTES);
	if (act->event != DECIDE_CARD_ASKED)
		print_end(d, &act->card, &b);
	else if (d->events->watchers && !print_card(d, d->acts, act->number, &b))
		buf_clear(&b);
	tell(d, name, act->number, b.len > 0 ? buf_str(&b) : (struct str){0});
}

void
daemon_events_changed(struct daemon *d, const struct decide_act *act)
{
	CLEANUP(buf_done) struct buf b;
	const struct store_setting *s = &act->setting;

	buf_init(&b, DATA_BYTES);
	if (s->name.len == 0) {
		tell(d, "grants", 0, STR("{}"));
		return;
	}
	buf_addf(&b, "{\"scope\":\"%s\"", store_scope_name(s->scope));
	add_text(&b, "key", s->key);
	add_text(&b, "name", s->name);
	buf_addf(&b, ",\"value\":");
	if (s->value.ptr)
		buf_add_json(&b, s->value);
	else
		buf_add(&b, STR("null"));
	buf_add_char(&b, '}');
	tell(d, "settings", 0, b.full ? STR("{}") : buf_str(&b));
}

/* --- who watches ------------------------------------------------------------- */

static void
look(struct daemon *d, struct watcher *w)
{
	w->may_answer = daemon_person_may(d, w->request);
	w->agents = daemon_agents_count(d->agents);
	w->looked_ms = io_clock_mono_ms();
}

static void
on_tick(uv_timer_t *timer)
{
	struct daemon_events *e = timer->data;
	int64_t now = io_clock_mono_ms();

	for (struct watcher *w = e->watchers; w; w = w->next) {
		if (now < w->due_ms)
			continue;
		w->beat = true;
		w->due_ms = now + w->beat_ms;
		look(e->daemon, w);
		daemon_request_wake(w->request);
	}
}

static void
on_ended(struct daemon *d, struct daemon_request *r, bool ok)
{
	struct daemon_events *e = d->events;
	struct watcher *w = r->data;

	(void)ok;
	*w->link = w->next;
	if (w->next)
		w->next->link = w->link;
	e->watcher_count--;
	if (!e->watchers)
		(void)uv_timer_stop(&e->tick);
}

bool
daemon_events_attended(struct daemon *d)
{
	size_t agents = daemon_agents_count(d->agents);

	for (struct watcher *w = d->events->watchers; w; w = w->next) {
		if (w->agents != agents)
			look(d, w); /* one of those who watch may be an agent's */
		if (w->may_answer)
			return true;
	}
	return false;
}

size_t
daemon_events_watchers(const struct daemon_events *e)
{
	return e->watcher_count;
}

void
daemon_events_id(
	const struct daemon_events *e, char ret[DAEMON_EVENTS_ID_BYTES])
{
	(void)snprintf(ret, DAEMON_EVENTS_ID_BYTES, "%s-%llu", e->epoch,
		(unsigned long long)(e->next - 1));
}

/* --- GET /v1/events ------------------------------------------------------------ */

/* Where to go on after this id, or from the end, and why. */
static void
take_up(const struct daemon_events *e, struct str id, struct watcher *w)
{
	int64_t number = 0;
	struct str digits, epoch = str_cut(id, '-', &digits);

	w->at = e->next;
	if (id.len == 0)
		w->reset = "new";
	else if (!str_eq(epoch, str_from(e->epoch)) || !str_number(digits, &number)
		|| (uint64_t)number >= e->next)
		w->reset = "unknown_id";
	else if ((uint64_t)number + 1 < oldest(e))
		w->reset = "too_old";
	else
		w->at = (uint64_t)number + 1;
}

static void
add_watcher(struct daemon_events *e, struct watcher *w)
{
	w->next = e->watchers;
	w->link = &e->watchers;
	if (w->next)
		w->next->link = &w->next;
	e->watchers = w;
	e->watcher_count++;
	if (!uv_is_active((uv_handle_t *)&e->tick))
		(void)uv_timer_start(&e->tick, on_tick, TICK_MS, TICK_MS);
}

void
daemon_events_run(struct daemon *d, struct daemon_request *r)
{
	struct daemon_events *e = d->events;
	struct str id = daemon_request_header(r, "Last-Event-ID");
	int64_t beat_s = 0;
	struct watcher *w;

	if (!daemon_request_number(r, "heartbeat", DAEMON_EVENTS_BEAT_S, &beat_s))
		return;
	if (d->stopping || e->watcher_count == DAEMON_EVENTS_WATCHERS) {
		daemon_request_fail(r, d->stopping ? 503 : 429,
			d->stopping ? "stopping" : "too_many", "%s",
			d->stopping ? "the daemon is stopping"
						: "too many watch already; at most 64 may");
		return;
	}
	w = calloc(1, sizeof(*w));
	CHECK(w);
	if (beat_s < 1 || beat_s > DAEMON_EVENTS_BEAT_S_MAX)
		beat_s = DAEMON_EVENTS_BEAT_S_MAX;
	w->request = r;
	w->beat_ms = beat_s * 1000;
	w->due_ms = io_clock_mono_ms() + w->beat_ms;
	take_up(e, id.ptr ? id : daemon_request_query(r, "after"), w);
	look(d, w);
	r->data = w;
	r->ended = on_ended;
	add_watcher(e, w);
	daemon_request_stream(r, "text/event-stream", more);
}

/* --- beginning and end ---------------------------------------------------------- */

struct daemon_events *
daemon_events_new(struct daemon *d)
{
	struct daemon_events *e = calloc(1, sizeof(*e));
	unsigned char epoch[EPOCH_HEX / 2];

	CHECK(e);
	CHECK(getrandom(epoch, sizeof(epoch), 0) == (ssize_t)sizeof(epoch));
	for (size_t i = 0; i < sizeof(epoch); i++)
		(void)snprintf(e->epoch + 2 * i, 3, "%02x", (unsigned)epoch[i]);
	e->daemon = d;
	e->next = 1;
	CHECK(uv_timer_init(&d->loop, &e->tick) == 0);
	e->tick.data = e;
	return e;
}

void
daemon_events_stop(struct daemon_events *e)
{
	for (struct watcher *w = e->watchers, *next = NULL; w; w = next) {
		next = w->next;
		daemon_request_close(w->request);
	}
}

static void
on_closed(uv_handle_t *handle)
{
	struct daemon_events *e = handle->data;

	while (e->count > 0)
		drop_oldest(e);
	free(e);
}

void
daemon_events_close(struct daemon_events *e)
{
	uv_close((uv_handle_t *)&e->tick, on_closed);
}
