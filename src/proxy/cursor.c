#include "proxy/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "proxy/cursor_priv.h"

/* --- the table ------------------------------------------------------------------ */

static const struct proxy_route other_route = {.path = NULL};

static const struct proxy_route *const routes[] = {
	&proxy_route_append,
	&proxy_route_stream,
	&proxy_route_run,
	&proxy_route_poll,
	&proxy_routes_whole[0],
	&proxy_routes_whole[1],
	&proxy_routes_whole[2],
};

static const struct proxy_route *
find_route(struct str target)
{
	struct str query;
	struct str path = str_cut(target, '?', &query);

	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		if (str_eq(path, str_from(routes[i]->path)))
			return routes[i];
	}
	return &other_route;
}

/* --- a passage -------------------------------------------------------------------- */

static void
end_passage(struct proxy_passage *p)
{
	if (p->x || p->call)
		return;
	if (p->route->freed)
		p->route->freed(p);
	free(p);
}

static void
on_begun(void *data, unsigned status, const struct proxy_headers *headers,
	int64_t length)
{
	struct proxy_passage *p = data;

	if (!p->x)
		return;
	if (p->route->begun)
		p->route->begun(p, status, headers, length);
	else
		proxy_exchange_begin(p->x, status, headers, length);
}

static bool
on_part(void *data, struct str bytes)
{
	struct proxy_passage *p = data;

	if (!p->x)
		return true;
	if (proxy_exchange_waiting(p->x) > PROXY_HTTP_HIGH) {
		p->paused = true;
		return false;
	}
	if (p->route->part)
		p->route->part(p, bytes);
	else
		proxy_exchange_add(p->x, bytes);
	return true;
}

static void
on_ended(void *data, bool ok, struct str why)
{
	struct proxy_passage *p = data;

	p->call = NULL;
	if (p->x && p->route->ended)
		p->route->ended(p, ok);
	if (p->x && !ok && !p->x->begun) {
		struct buf text;

		buf_init(&text, 1024);
		buf_addf(&text, "assent: the gateway does not answer: %.*s",
			STR_ARG(str_sub(why, 0, 300)));
		proxy_exchange_refuse(p->x, 502, "unavailable", buf_str(&text));
		buf_done(&text);
	} else if (p->x) {
		proxy_exchange_end(p->x, ok);
	}
	end_passage(p);
}

void
proxy_passage_send(struct proxy_passage *p, struct str body)
{
	static const struct proxy_fetch_hooks hooks = {
		.begun = on_begun,
		.part = on_part,
		.ended = on_ended,
	};

	p->call = proxy_fetch_start(p->proxy->fetch,
		&(struct proxy_fetch_request){
			.method = p->x->method,
			.target = p->x->target,
			.headers = &p->x->headers,
			.body = body,
			.hooks = &hooks,
			.data = p,
		});
	if (p->call)
		proxy_exchange_drop_request(p->x);
	else
		proxy_exchange_refuse(
			p->x, 503, "unavailable", STR("assent: out of memory"));
}

/* --- what the client does ------------------------------------------------------------ */

static void
on_arrived(void *data, struct proxy_exchange *x)
{
	struct proxy_cursor *c = data;
	struct proxy_passage *p = calloc(1, sizeof(*p));

	if (!p) {
		proxy_exchange_refuse(
			x, 503, "unavailable", STR("assent: out of memory"));
		return;
	}
	p->proxy = c;
	p->x = x;
	p->route = find_route(str_from(x->target));
	x->data = p;
	if (p->route->request)
		p->route->request(p);
	else
		proxy_passage_send(p, buf_str(&x->body));
}

static void
on_drained(void *data, struct proxy_exchange *x)
{
	struct proxy_passage *p = x->data;

	(void)data;
	if (p && p->paused && p->call) {
		p->paused = false;
		proxy_fetch_resume(p->call);
	}
}

static void
on_over(void *data, struct proxy_exchange *x, bool ok)
{
	struct proxy_passage *p = x->data;

	(void)data;
	(void)ok;
	if (!p)
		return;
	x->data = NULL;
	if (p->route->over)
		p->route->over(p);
	p->x = NULL;
	proxy_fetch_cancel(p->call);
	p->call = NULL;
	end_passage(p);
}

/* --- beginning and end ---------------------------------------------------------------- */

static void
on_sweep(uv_timer_t *timer)
{
	struct proxy_cursor *c = timer->data;

	proxy_runs_sweep(c, (int64_t)uv_now(c->loop));
}

static void
on_sweep_closed(uv_handle_t *handle)
{
	struct proxy_cursor *c = handle->data;

	c->handles--;
}

static int
start(struct proxy_cursor *c, const struct proxy_cursor_settings *s)
{
	static const struct proxy_http_hooks hooks = {
		.arrived = on_arrived,
		.drained = on_drained,
		.over = on_over,
	};
	int r = proxy_asker_new(c->loop, s->client, &c->asker);

	if (r == 0)
		r = proxy_fetch_new(c->loop, s->upstream, &c->fetch);
	if (r == 0)
		r = proxy_http_new(c->loop, s->listen, &hooks, c, &c->http);
	return r;
}

int
proxy_cursor_new(uv_loop_t *loop, const struct proxy_cursor_settings *s,
	struct proxy_cursor **ret)
{
	struct proxy_cursor *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return fail_here(FAIL_MEMORY, "no memory");
	c->loop = loop;
	c->settings = *s;
	CHECK(uv_timer_init(loop, &c->sweep) == 0);
	c->sweep.data = c;
	c->handles = 1;
	(void)uv_timer_start(
		&c->sweep, on_sweep, PROXY_RUN_IDLE_MS / 4, PROXY_RUN_IDLE_MS / 4);
	c->state = proxy_state_new();
	r = c->state ? start(c, s) : fail_here(FAIL_MEMORY, "no memory");
	if (r == 0)
		*ret = c;
	else
		proxy_cursor_free(c);
	return r;
}

int
proxy_cursor_port(const struct proxy_cursor *p)
{
	return proxy_http_port(p->http);
}

/* Clients first: whoever is told of their end is still there. */
void
proxy_cursor_free(struct proxy_cursor *p)
{
	if (!p)
		return;
	p->stopping = true;
	uv_close((uv_handle_t *)&p->sweep, on_sweep_closed);
	proxy_http_free(p->http);
	proxy_asker_free(p->asker);
	proxy_fetch_stop(p->fetch);
	while (p->handles > 0)
		(void)uv_run(p->loop, UV_RUN_ONCE);
	proxy_fetch_free(p->fetch);
	proxy_runs_free(p);
	proxy_state_free(p->state);
	free(p);
}
