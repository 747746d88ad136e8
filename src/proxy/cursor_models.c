/*
 * Answers that are changed as a whole: the list of models says that Auto-review
 * is offered, and the server's configuration leads no client around us.
 */

#include <stdlib.h>

#include "proxy/cursor_priv.h"

/* An answer that is gathered, to be changed when it is whole. */
struct whole {
	unsigned status;
	struct proxy_headers headers;
	struct buf body;
	bool plain; /* passes as it comes */
	bool (*change)(struct str body, struct buf *out);
};

/* --- the changes ----------------------------------------------------------------------- */

/* Every model that does not say so supports the classifier. */
static bool
change_models(struct str body, struct buf *out)
{
	enum { MODELS = 2, SUPPORTS_CLASSIFIER = 45 };
	struct proxy_field f, at_45;
	bool broken = false;
	size_t at = 0;

	while (proxy_field_next(body, &at, &f, &broken)) {
		CLEANUP(buf_done) struct buf model = {0};

		buf_init(&model, SIZE_MAX / 4);
		if (f.number != MODELS || f.wire != PROXY_WIRE_BYTES
			|| !proxy_field_is_message(f.bytes)
			|| proxy_field_find(f.bytes, SUPPORTS_CLASSIFIER, &at_45) > 0) {
			buf_add(out, str_sub(body, f.start, f.end));
			continue;
		}
		buf_add(&model, f.bytes);
		proxy_field_add_varint(&model, SUPPORTS_CLASSIFIER, 1);
		proxy_field_add_bytes(out, MODELS, buf_str(&model));
	}
	return !broken;
}

/* An address of the agent's own, and HTTP/2, would lead around the filter. */
static bool
change_config(struct str body, struct buf *out)
{
	enum { HTTP2_CONFIG = 7, ALL_DISABLED = 1, AGENT_URL_CONFIG = 27 };
	CLEANUP(buf_done) struct buf kept = {0};
	struct proxy_field f;
	bool broken = false;
	size_t at = 0;

	buf_init(&kept, SIZE_MAX / 4);
	while (proxy_field_next(body, &at, &f, &broken)) {
		if (f.number != AGENT_URL_CONFIG)
			buf_add(&kept, str_sub(body, f.start, f.end));
	}
	if (broken || kept.full)
		return false;
	proxy_field_set_varint(out, buf_str(&kept), HTTP2_CONFIG, ALL_DISABLED);
	return true;
}

/* --- gathering --------------------------------------------------------------------------- */

static void
start(struct proxy_passage *p, bool (*change)(struct str body, struct buf *out))
{
	struct whole *w = calloc(1, sizeof(*w));

	if (!w) {
		proxy_exchange_refuse(
			p->x, 503, "unavailable", STR("assent: out of memory"));
		return;
	}
	w->change = change;
	buf_init(&w->body, PROXY_HTTP_BODY_MAX);
	p->data = w;
	proxy_passage_send(p, buf_str(&p->x->body));
}

static void
on_models(struct proxy_passage *p)
{
	start(p, change_models);
}

static void
on_config(struct proxy_passage *p)
{
	start(p, change_config);
}

static bool
is_readable(unsigned status, const struct proxy_headers *headers)
{
	struct str type = proxy_headers_find(headers, STR("Content-Type"));
	struct str coding = proxy_headers_find(headers, STR("Content-Encoding"));

	return status == 200 && str_starts(type, STR("application/proto"))
		&& (coding.len == 0 || str_eq_fold(coding, STR("gzip"))
			|| str_eq_fold(coding, STR("identity")));
}

static void
on_begun(struct proxy_passage *p, unsigned status,
	const struct proxy_headers *headers, int64_t length)
{
	struct whole *w = p->data;

	w->status = status;
	w->plain = !is_readable(status, headers);
	if (w->plain)
		proxy_exchange_begin(p->x, status, headers, length);
	else
		proxy_headers_copy(&w->headers, headers);
}

static void
on_part(struct proxy_passage *p, struct str bytes)
{
	struct whole *w = p->data;

	if (w->plain)
		proxy_exchange_add(p->x, bytes);
	else
		buf_add(&w->body, bytes);
}

static void
send_whole(struct proxy_passage *p, struct str body)
{
	struct whole *w = p->data;

	proxy_exchange_begin(p->x, w->status, &w->headers, (int64_t)body.len);
	proxy_exchange_add(p->x, body);
}

/* What cannot be read passes as it came. */
static void
on_ended(struct proxy_passage *p, bool ok)
{
	struct whole *w = p->data;
	CLEANUP(buf_done) struct buf plain = {0};
	CLEANUP(buf_done) struct buf changed = {0};
	struct str body = buf_str(&w->body);
	bool packed;

	buf_init(&changed, SIZE_MAX / 4);
	if (!ok || w->plain || w->status == 0 || w->body.full)
		return;
	packed = str_eq_fold(
		proxy_headers_find(&w->headers, STR("Content-Encoding")), STR("gzip"));
	if (packed && !proxy_inflate(body, PROXY_HTTP_BODY_MAX, &plain)) {
		send_whole(p, body);
		return;
	}
	if (!w->change(packed ? buf_str(&plain) : body, &changed) || changed.full) {
		send_whole(p, body);
		return;
	}
	proxy_headers_remove(&w->headers, STR("Content-Encoding"));
	send_whole(p, buf_str(&changed));
}

static void
on_freed(struct proxy_passage *p)
{
	struct whole *w = p->data;

	if (!w)
		return;
	proxy_headers_done(&w->headers);
	buf_done(&w->body);
	free(w);
}

#define WHOLE(at, asked)                                                      \
	{                                                                         \
		.path = (at), .request = (asked), .begun = on_begun, .part = on_part, \
		.ended = on_ended, .freed = on_freed,                                 \
	}

const struct proxy_route proxy_routes_whole[PROXY_ROUTES_WHOLE] = {
	WHOLE("/aiserver.v1.AiService/AvailableModels", on_models),
	WHOLE("/aiserver.v1.ServerConfigService/GetServerConfig", on_config),
	WHOLE("/aiserver.v1.AiService/GetServerConfig", on_config),
};
