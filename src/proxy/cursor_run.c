/*
 * A run: its frames pass, or are held until the daemon has said what becomes of
 * them. The gate alone knows whether a frame may still leave.
 */

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "call/verdict.h"
#include "proxy/cursor_priv.h"
#include "wire/json.h"

enum { REASON_BYTES = 8 << 10 };

/* --- runs -------------------------------------------------------------------------- */

static size_t
bucket_of(struct str id)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	for (size_t i = 0; i < id.len; i++)
		h = (h ^ (unsigned char)id.ptr[i]) * 1099511628211u;
	return (size_t)(h % PROXY_RUN_BUCKETS);
}

struct proxy_run *
proxy_run_find(const struct proxy_cursor *c, struct str request_id)
{
	struct proxy_run *r = c->runs[bucket_of(request_id)];

	while (r && !str_eq(buf_str(&r->id), request_id))
		r = r->next;
	return r;
}

static void
free_run(struct proxy_run *r)
{
	proxy_gate_done(&r->gate);
	proxy_frames_done(&r->frames);
	proxy_headers_done(&r->append_headers);
	proxy_run_state_free(r->state);
	buf_done(&r->id);
	free(r->inserted);
	free(r->shown);
	free(r);
}

struct proxy_run *
proxy_run_get(struct proxy_cursor *c, struct str request_id)
{
	struct proxy_run *r = proxy_run_find(c, request_id);
	size_t bucket = bucket_of(request_id);

	if (r || c->run_count >= PROXY_RUNS_MAX)
		return r;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->proxy = c;
	r->highest = -1;
	r->idle_ms = (int64_t)uv_now(c->loop);
	buf_init(&r->id, request_id.len + 1);
	buf_add(&r->id, request_id);
	r->state = proxy_run_state_new(c->state, request_id);
	if (!r->state) {
		free_run(r);
		return NULL;
	}
	r->next = c->runs[bucket];
	c->runs[bucket] = r;
	c->run_count++;
	return r;
}

static void
sweep_bucket(struct proxy_cursor *c, struct proxy_run **at, int64_t before_ms)
{
	while (*at) {
		struct proxy_run *r = *at;

		if (r->stream || r->rejecting > 0 || r->idle_ms > before_ms) {
			at = &r->next;
			continue;
		}
		*at = r->next;
		c->run_count--;
		free_run(r);
	}
}

void
proxy_runs_sweep(struct proxy_cursor *c, int64_t now_ms)
{
	for (size_t i = 0; i < PROXY_RUN_BUCKETS; i++)
		sweep_bucket(c, &c->runs[i], now_ms - PROXY_RUN_IDLE_MS);
}

void
proxy_runs_free(struct proxy_cursor *c)
{
	for (size_t i = 0; i < PROXY_RUN_BUCKETS; i++)
		sweep_bucket(c, &c->runs[i], INT64_MAX);
}

/* --- what is sent to the client -------------------------------------------------------- */

static void
send_bytes(struct proxy_run *r, struct str bytes)
{
	if (r->stream && r->stream->x)
		proxy_exchange_add(r->stream->x, bytes);
}

static void
send_payload(struct proxy_run *r, struct str payload)
{
	CLEANUP(buf_done) struct buf frame = {0};

	buf_init(&frame, SIZE_MAX / 4);
	proxy_frame_print(&frame, 0, payload);
	if (frame.full)
		proxy_run_break(r, "out of memory");
	else
		send_bytes(r, buf_str(&frame));
}

/* What cannot be understood must not pass where it may run something. */
void
proxy_run_break(struct proxy_run *r, const char *why)
{
	CLEANUP(buf_done) struct buf error = {0};
	CLEANUP(buf_done) struct buf frame = {0};
	struct proxy_passage *p = r->stream;

	proxy_run_interrupt(r, PROXY_GATE_END);
	if (!p || !p->x)
		return;
	buf_init(&error, REASON_BYTES);
	buf_init(&frame, 2 * (size_t)REASON_BYTES);
	buf_addf(&error,
		"{\"error\":{\"code\":\"internal\",\"message\":"
		"\"assent: %s\"}}",
		why);
	proxy_frame_print(&frame, PROXY_FRAME_END, buf_str(&error));
	proxy_exchange_add(p->x, buf_str(&frame));
	proxy_exchange_end(p->x, true);
	proxy_fetch_cancel(p->call);
	p->call = NULL;
}

/* --- what is held ------------------------------------------------------------------------ */

static struct proxy_held *
take_held(struct proxy_run *r, uint64_t ticket)
{
	struct proxy_held **at = &r->held;
	struct proxy_held *h;

	while (*at && (*at)->ticket != ticket)
		at = &(*at)->next;
	h = *at;
	if (!h)
		return NULL;
	*at = h->next;
	r->held_bytes -= h->whole.len + h->payload.len;
	return h;
}

static void
free_held(struct proxy_held *h)
{
	proxy_ask_cancel(h->ask);
	proxy_action_done(&h->action);
	buf_done(&h->whole);
	buf_done(&h->payload);
	free(h);
}

static void
on_dropped(void *data, uint64_t ticket)
{
	struct proxy_held *h = take_held(data, ticket);

	if (h)
		free_held(h);
}

void
proxy_run_interrupt(struct proxy_run *r, enum proxy_gate_event event)
{
	proxy_gate_tell(&r->gate, event, 0, on_dropped, r);
}

/* Off in the meantime: another run mode sees no change at all. */
static void
let_go(struct proxy_held *h, enum call_verdict verdict, struct str reason)
{
	struct proxy_run *r = h->run;
	CLEANUP(buf_done) struct buf changed = {0};
	bool unchanged = h->action.unchanged != PROXY_CHANGED;
	bool is_changed = false;

	buf_init(&changed, SIZE_MAX / 4);
	if (!proxy_run_state_is_on(r->state)) {
		send_bytes(r, buf_str(&h->whole));
		return;
	}
	if (verdict == CALL_VERDICT_DENY) {
		proxy_run_refuse(r, &h->action, reason);
		return;
	}
	if (verdict == CALL_VERDICT_ALLOW && !unchanged)
		is_changed =
			proxy_action_allow(&h->action, buf_str(&h->payload), &changed);
	else if (!unchanged)
		is_changed = proxy_action_ask(
			&h->action, buf_str(&h->payload), reason, &changed);
	if (verdict != CALL_VERDICT_ALLOW)
		proxy_run_show(r, &h->action);
	if (is_changed)
		send_payload(r, buf_str(&changed));
	else
		send_bytes(r, buf_str(&h->whole));
}

/* What the daemon said, or that it said nothing: then a person is asked. */
static enum call_verdict
read_verdict(bool fine, struct str answer, struct buf *reason)
{
	struct wire_json_error e;
	WIRE_JSON json_t *j = fine ? wire_json_parse(answer, &e) : NULL;
	struct str decision = wire_json_str(j, "decision");
	struct str why = wire_json_str(j, "reason");
	enum call_verdict v;

	buf_init(reason, REASON_BYTES);
	if (!call_verdict_from(decision, &v)) {
		buf_add(reason,
			STR("assent could not be asked, so nobody has judged this call"));
		return CALL_VERDICT_ASK;
	}
	buf_add(reason,
		why.len > 0 ? str_sub(why, 0, REASON_BYTES / 2)
					: STR("this call needs a person"));
	return v;
}

static void
on_verdict(void *data, bool fine, struct str answer)
{
	struct proxy_held *h = data;
	struct proxy_run *r = h->run;
	CLEANUP(buf_done) struct buf reason = {0};
	enum call_verdict verdict = read_verdict(fine, answer, &reason);

	h->ask = NULL;
	if (!proxy_gate_release(&r->gate, h->ticket))
		return; /* it was dropped, and is freed there */
	(void)take_held(r, h->ticket);
	let_go(h, verdict, buf_str(&reason));
	free_held(h);
}

/* A text that holds no text is not what anybody would see of it. */
static bool
is_clean(const struct proxy_action *a)
{
	const struct str texts[] = {a->command, a->cwd, a->url, a->server, a->tool,
		a->uri, a->target, a->call_id};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (!api_text_is_clean(texts[i]))
			return false;
	}
	return true;
}

/* Puts it before the daemon; without that, before a person. */
static void
ask(struct proxy_held *h)
{
	struct proxy_run *r = h->run;
	CLEANUP(buf_done) struct buf question = {0};

	buf_init(&question, PROXY_FRAME_BYTES_MAX);
	if (is_clean(&h->action)) {
		proxy_run_state_print(r->state, &h->action, &question);
		h->ask = proxy_ask_start(
			r->proxy->asker, "review", &question, on_verdict, h);
	}
	if (h->ask || !proxy_gate_release(&r->gate, h->ticket))
		return;
	(void)take_held(r, h->ticket);
	let_go(h, CALL_VERDICT_ASK,
		STR("assent could not read this call whole, so nobody has judged it"));
	free_held(h);
}

static void
hold(struct proxy_run *r, const struct proxy_frame *f, struct str payload,
	struct proxy_action *a)
{
	struct proxy_held *h = calloc(1, sizeof(*h));
	enum proxy_gate_kind kind =
		a->row->kind == PROXY_ACTION_FETCH ? PROXY_GATE_QUERY : PROXY_GATE_EXEC;
	uint64_t ticket = 0;

	if (a->unchanged == PROXY_CHANGED && proxy_run_state_contains(r->state, a))
		a->unchanged = PROXY_UNCHANGED_CONTAINED;
	if (h && r->held_bytes + f->whole.len <= PROXY_HELD_BYTES)
		ticket = proxy_gate_hold(&r->gate, kind, a->id);
	if (ticket == 0) {
		proxy_action_done(a);
		free(h);
		proxy_run_break(r, "too many calls are held at the same time");
		return;
	}
	h->run = r;
	h->ticket = ticket;
	h->action = *a;
	*a = (struct proxy_action){0};
	buf_init(&h->whole, f->whole.len + 1);
	buf_add(&h->whole, f->whole);
	buf_init(&h->payload, payload.len + 1);
	buf_add(&h->payload, payload);
	h->next = r->held;
	r->held = h;
	r->held_bytes += h->whole.len + h->payload.len;
	CHECK(!h->whole.full && !h->payload.full);
	ask(h);
}

/* It executes something, and there is no field to hold it by. */
static void
note_unreviewed(
	struct proxy_run *r, const struct proxy_frame *f, struct proxy_action *a)
{
	bool strict = r->proxy->settings.strict;
	CLEANUP(buf_done) struct buf note = {0};
	struct proxy_ask *q;

	buf_init(&note, PROXY_FRAME_BYTES_MAX);
	buf_addf(&note, "{\"agent\":\"cursor\",\"session\":");
	buf_add_json(&note, proxy_run_state_talk(r->state));
	buf_addf(&note, ",\"outcome\":\"%s\",\"tool\":\"%s\"}\n",
		strict ? "rejected_unreviewed" : "not_reviewed", a->row->name);
	q = proxy_ask_start(r->proxy->asker, "outcome", &note, NULL, NULL);
	(void)q; /* nobody waits for it */
	if (strict)
		proxy_run_refuse(r, a,
			STR("assent: calls of this kind cannot be reviewed, and --strict "
				"lets none of them run"));
	else
		send_bytes(r, f->whole);
}

static void
hold_or_pass(struct proxy_run *r, const struct proxy_frame *f,
	struct str payload, enum proxy_server_kind kind)
{
	struct proxy_action a;

	switch (proxy_action_read(payload, kind, &a)) {
	case PROXY_ACTION_NONE:
		send_bytes(r, f->whole);
		break;
	case PROXY_ACTION_BROKEN:
		proxy_run_break(r, "a call from the gateway cannot be read");
		break;
	case PROXY_ACTION_UNREVIEWED:
		note_unreviewed(r, f, &a);
		break;
	case PROXY_ACTION_SHELL:
	case PROXY_ACTION_MCP:
	case PROXY_ACTION_RESOURCE:
	case PROXY_ACTION_FETCH:
		if (a.unchanged == PROXY_UNCHANGED_PREFLIGHT)
			send_bytes(r, f->whole);
		else
			hold(r, f, payload, &a);
		break;
	}
	proxy_action_done(&a);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void
hear_abort(struct proxy_run *r, struct str inner)
{
	Proxy__Cursor__ExecServerControl *m =
		proxy__cursor__exec_server_control__unpack(
			NULL, inner.len, proxy_data(inner).data);

	if (!m)
		return;
	if (m->abort) {
		proxy_gate_tell(
			&r->gate, PROXY_GATE_ABORT, m->abort->id, on_dropped, r);
		proxy_run_tell_outcome(
			r, m->abort->id, false, "aborted", (struct str){0});
	}
	proxy__cursor__exec_server_control__free_unpacked(m, NULL);
}

static void
hear_frame(struct proxy_run *r, const struct proxy_frame *f, struct str payload)
{
	struct str inner;
	enum proxy_server_kind kind = proxy_server_read(payload, &inner);
	bool on = proxy_run_state_is_on(r->state);

	switch (kind) {
	case PROXY_SERVER_BROKEN:
		if (on) {
			proxy_run_break(r, "a message from the gateway cannot be read");
			return;
		}
		break;
	case PROXY_SERVER_UPDATE:
	case PROXY_SERVER_KV:
		proxy_run_state_server(r->state, kind, inner);
		break;
	case PROXY_SERVER_CONTROL:
		hear_abort(r, inner);
		break;
	case PROXY_SERVER_EXEC:
	case PROXY_SERVER_QUERY:
		if (on) {
			hold_or_pass(r, f, payload, kind);
			return;
		}
		break;
	case PROXY_SERVER_OTHER:
		break;
	}
	send_bytes(r, f->whole);
}

void
proxy_run_frame(struct proxy_run *r, const struct proxy_frame *f)
{
	CLEANUP(buf_done) struct buf plain = {0};

	if (f->flags & PROXY_FRAME_END) {
		proxy_run_interrupt(r, PROXY_GATE_END);
		send_bytes(r, f->whole);
		return;
	}
	if ((f->flags & PROXY_FRAME_COMPRESSED) == 0) {
		hear_frame(r, f, f->payload);
		return;
	}
	if (proxy_inflate(f->payload, PROXY_FRAME_BYTES_MAX, &plain))
		hear_frame(r, f, buf_str(&plain));
	else if (proxy_run_state_is_on(r->state))
		proxy_run_break(r, "a message from the gateway cannot be unpacked");
	else
		send_bytes(r, f->whole);
}

/* --- what came of it ---------------------------------------------------------------------------- */

void
proxy_run_show(struct proxy_run *r, const struct proxy_action *a)
{
	struct proxy_shown *s;

	if (!r->shown)
		r->shown = calloc(PROXY_SHOWN_MAX, sizeof(*r->shown));
	if (!r->shown || a->call_id.len >= sizeof(s->call_id))
		return;
	s = &r->shown[r->next_shown++ % PROXY_SHOWN_MAX];
	*s = (struct proxy_shown){
		.id = a->id,
		.query = a->row->kind == PROXY_ACTION_FETCH,
		.used = true,
	};
	if (a->call_id.len > 0)
		memcpy(s->call_id, a->call_id.ptr, a->call_id.len);
}

void
proxy_run_tell_outcome(struct proxy_run *r, uint32_t id, bool query,
	const char *outcome, struct str reason)
{
	CLEANUP(buf_done) struct buf note = {0};
	struct proxy_ask *q;

	for (size_t i = 0; r->shown && i < PROXY_SHOWN_MAX; i++) {
		struct proxy_shown *s = &r->shown[i];

		if (!s->used || s->id != id || s->query != query)
			continue;
		s->used = false;
		buf_init(&note, PROXY_FRAME_BYTES_MAX);
		buf_addf(&note, "{\"agent\":\"cursor\",\"session\":");
		buf_add_json(&note, proxy_run_state_talk(r->state));
		buf_addf(&note, ",\"call_id\":");
		buf_add_json(&note, str_from(s->call_id));
		buf_addf(&note, ",\"outcome\":\"%s\",\"reason\":", outcome);
		buf_add_json(&note, str_sub(reason, 0, REASON_BYTES / 2));
		buf_addf(&note, "}\n");
		q = proxy_ask_start(r->proxy->asker, "outcome", &note, NULL, NULL);
		(void)q; /* nobody waits for it */
		return;
	}
}
