/*
 * The stream of a run, from the gateway to the client, frame by frame.
 */

#include "proxy/cursor_priv.h"

/* --- which run it is -------------------------------------------------------------- */

/* One enveloped message, or the message as it is. */
static struct str
strip_envelope(struct str body, unsigned *flags)
{
	struct proxy_frames f;
	struct proxy_frame one;
	struct str found = body;

	*flags = 0;
	if (body.len < PROXY_FRAME_HEAD
		|| ((unsigned char)body.ptr[0] & PROXY_FRAME_END) != 0)
		return body;
	proxy_frames_init(&f);
	proxy_frames_add(&f, body);
	if (proxy_frames_next(&f, &one) && one.whole.len == body.len) {
		*flags = one.flags;
		found = one.payload;
	}
	proxy_frames_done(&f);
	return found;
}

static bool
read_id(struct str message, struct buf *id)
{
	Proxy__Cursor__BidiRequestId *m = proxy__cursor__bidi_request_id__unpack(
		NULL, message.len, proxy_data(message).data);

	if (!m)
		return false;
	buf_add(id, proxy_text(m->request_id));
	proxy__cursor__bidi_request_id__free_unpacked(m, NULL);
	return id->len > 0;
}

static bool
find_id(const struct proxy_exchange *x, struct buf *id)
{
	CLEANUP(buf_done) struct buf plain = {0};
	unsigned flags;
	struct str message = strip_envelope(buf_str(&x->body), &flags);

	if (flags & PROXY_FRAME_COMPRESSED) {
		if (!proxy_inflate(message, PROXY_HTTP_BODY_MAX, &plain))
			return false;
		message = buf_str(&plain);
	}
	return read_id(message, id);
}

/* --- its life ------------------------------------------------------------------------- */

static void
leave_run(struct proxy_passage *p)
{
	struct proxy_run *r = p->run;

	if (!r || r->stream != p)
		return;
	proxy_run_interrupt(r, PROXY_GATE_END);
	r->stream = NULL;
	r->idle_ms = (int64_t)uv_now(p->proxy->loop);
	p->run = NULL;
}

/* A stream that comes again takes the place of the one that was. */
static void
join_run(struct proxy_passage *p, struct proxy_run *r)
{
	if (r->stream)
		proxy_run_break(r, "another stream of this run has been opened");
	if (r->stream)
		leave_run(r->stream);
	proxy_gate_done(&r->gate);
	r->gate = (struct proxy_gate){0};
	proxy_frames_done(&r->frames);
	proxy_frames_init(&r->frames);
	r->stream = p;
	p->run = r;
}

static void
on_request(struct proxy_passage *p)
{
	CLEANUP(buf_done) struct buf id = {0};
	struct proxy_run *r;

	buf_init(&id, 4096);
	if (!find_id(p->x, &id)) {
		proxy_exchange_refuse(p->x, 400, "invalid_argument",
			STR("assent: the run that this stream is of cannot be read"));
		return;
	}
	r = proxy_run_get(p->proxy, buf_str(&id));
	if (!r) {
		proxy_exchange_refuse(p->x, 503, "resource_exhausted",
			STR("assent: too many runs at the same time"));
		return;
	}
	join_run(p, r);
	/* a body that is packed as a whole could not be read frame by frame */
	proxy_headers_remove(&p->x->headers, STR("Accept-Encoding"));
	proxy_passage_send(p, buf_str(&p->x->body));
}

static void
on_begun(struct proxy_passage *p, unsigned status,
	const struct proxy_headers *headers, int64_t length)
{
	bool packed = proxy_headers_find(headers, STR("Content-Encoding")).len > 0;

	if (status == 200 && packed) {
		proxy_exchange_refuse(p->x, 502, "unavailable",
			STR("assent: the gateway packs the stream as a whole"));
		proxy_fetch_cancel(p->call);
		p->call = NULL;
		leave_run(p);
		return;
	}
	if (status != 200)
		leave_run(p); /* what comes is an error's text */
	proxy_exchange_begin(
		p->x, status, headers, status == 200 ? PROXY_HTTP_UNKNOWN : length);
}

static void
on_part(struct proxy_passage *p, struct str bytes)
{
	struct proxy_run *r = p->run;
	struct proxy_frame f;

	if (!r) {
		proxy_exchange_add(p->x, bytes);
		return;
	}
	proxy_frames_add(&r->frames, bytes);
	while (p->run == r && p->call && proxy_frames_next(&r->frames, &f))
		proxy_run_frame(r, &f);
	if (p->run == r && p->call && r->frames.broken)
		proxy_run_break(r, "a message from the gateway is over 64 MiB");
	r->frames.fresh = (struct str){0};
}

static void
on_ended(struct proxy_passage *p, bool ok)
{
	(void)ok;
	leave_run(p);
}

const struct proxy_route proxy_route_stream = {
	.path = "/agent.v1.AgentService/RunSSE",
	.request = on_request,
	.begun = on_begun,
	.part = on_part,
	.ended = on_ended,
	.over = leave_run,
};

/* --- ways around ------------------------------------------------------------------------- */

/* The same stream in forms that no client of HTTP/1.1 needs: nothing in them
 * would be reviewed. */
static void
on_other_form(struct proxy_passage *p)
{
	proxy_exchange_refuse(p->x, 501, "unimplemented",
		STR("assent: agents are served over RunSSE and BidiAppend only; set "
			"the client to HTTP/1.1"));
}

const struct proxy_route proxy_route_run = {
	.path = "/agent.v1.AgentService/Run",
	.request = on_other_form,
};
const struct proxy_route proxy_route_poll = {
	.path = "/agent.v1.AgentService/RunPoll",
	.request = on_other_form,
};
