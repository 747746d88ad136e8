/*
 * One request's life: read, run, parked, answered, gone.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "api/api.h"
#include "daemon/http_priv.h"
#include "daemon/person.h"
#include "daemon/socket.h"

enum { ERROR_BYTES = 8 << 10, PART_BYTES = 4 << 10 };

struct daemon_request *
daemon_http_find(const struct daemon_http *h, uint64_t handle)
{
	struct daemon_request *r = h->slots[handle % DAEMON_HTTP_SLOTS];

	return r && r->handle == handle && !r->gone ? r : NULL;
}

/* A number that was never given before, and a slot to find it by. */
static bool
give_handle(struct daemon_http *h, struct daemon_request *r)
{
	for (uint32_t i = 0; i < DAEMON_HTTP_SLOTS; i++) {
		uint32_t slot = h->next_slot++ % DAEMON_HTTP_SLOTS;

		if (h->slots[slot])
			continue;
		r->handle = ++h->counter * DAEMON_HTTP_SLOTS + slot;
		h->slots[slot] = r;
		return true;
	}
	return false;
}

/* --- parking --------------------------------------------------------------- */

static void
unlink_parked(struct daemon_request *r)
{
	if (!r->parked_link)
		return;
	*r->parked_link = r->next_parked;
	if (r->next_parked)
		r->next_parked->parked_link = r->parked_link;
	r->parked_link = NULL;
	r->next_parked = NULL;
}

static void
park(struct daemon_request *r)
{
	struct daemon_http *h = r->http;

	r->parked = true;
	MHD_suspend_connection(r->connection);
	r->next_parked = h->parked;
	r->parked_link = &h->parked;
	if (h->parked)
		h->parked->parked_link = &r->next_parked;
	h->parked = r;
}

static void
free_request(struct daemon_request *r)
{
	if (!r->completed || r->watched)
		return;
	free(r->data);
	free(r);
}

static void
on_watch_closed(uv_handle_t *handle)
{
	struct daemon_request *r = handle->data;

	r->watched = false;
	r->http->handles--;
	free_request(r);
}

static void
unwatch(struct daemon_request *r)
{
	if (r->watched && !uv_is_closing((uv_handle_t *)&r->watch)) {
		(void)uv_poll_stop(&r->watch);
		uv_close((uv_handle_t *)&r->watch, on_watch_closed);
	}
}

/* Back into the library's sight; it calls on_request again. */
static void
unpark(struct daemon_request *r)
{
	if (!r->parked)
		return;
	r->parked = false;
	unlink_parked(r);
	unwatch(r);
	MHD_resume_connection(r->connection);
	r->http->resumed = true;
}

/* Nobody is to be answered any more; says so to the route, once. */
static void
end(struct daemon_request *r, bool ok)
{
	if (r->gone)
		return;
	r->gone = true;
	r->http->open--;
	if (r->ended)
		r->ended(r->daemon, r, ok);
}

static void
on_left(uv_poll_t *watch, int status, int events)
{
	struct daemon_request *r = watch->data;

	(void)status;
	(void)events;
	end(r, false);
	unpark(r);
}

void
daemon_http_watch_parked(struct daemon_http *h)
{
	while (h->parked) {
		struct daemon_request *r = h->parked;

		unlink_parked(r);
		if (uv_poll_init(h->loop, &r->watch, r->fd) != 0)
			continue; /* it is then seen when its answer is sent */
		r->watched = true;
		r->watch.data = r;
		h->handles++;
		(void)uv_poll_start(&r->watch, UV_DISCONNECT, on_left);
	}
}

/* --- answering ------------------------------------------------------------- */

static void
set_response(struct daemon_request *r, unsigned status, struct str body,
	const char *type)
{
	union { /* the library takes what it only reads as void * */
		const char *from;
		void *to;
	} bytes = {.from = body.len > 0 ? body.ptr : ""};

	r->response = MHD_create_response_from_buffer(
		body.len, bytes.to, MHD_RESPMEM_MUST_COPY);
	r->status = status;
	if (r->response)
		(void)MHD_add_response_header(r->response, "Content-Type", type);
}

void
daemon_request_answer(struct daemon_request *r, unsigned status,
	struct str body, const char *type)
{
	if (r->gone)
		return;
	CHECK(!r->response);
	set_response(r, status, body, type ? type : "application/json");
	daemon_request_drop_body(r);
	if (!r->response)
		end(r, false); /* no memory: the connection is closed */
	unpark(r);
}

void
daemon_request_fail(struct daemon_request *r, unsigned status, const char *code,
	const char *fmt, ...)
{
	CLEANUP(buf_done) struct buf body;
	va_list args;
	char text[1024];

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	buf_init(&body, ERROR_BYTES);
	api_error_print(&body, code, str_from(text));
	daemon_request_answer(r, status, buf_str(&body), NULL);
}

void
daemon_request_drop(struct daemon_request *r)
{
	end(r, false);
	/* in the middle of a body the library waits for its client, not for us */
	if (r->more && !r->parked)
		(void)shutdown(r->fd, SHUT_RDWR);
	unpark(r);
}

/* --- streams ----------------------------------------------------------------- */

/* The library wants more of a body. */
static ssize_t
on_more(void *cls, uint64_t at, char *to, size_t max)
{
	struct daemon_request *r = cls;

	(void)at;
	if (r->gone)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (r->part_at == r->part.len) {
		buf_clear(&r->part);
		r->part_at = 0;
		if (!r->more(r->daemon, r, &r->part) || r->part.full)
			return MHD_CONTENT_READER_END_WITH_ERROR;
	}
	if (r->part.len == 0 && r->closing)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (r->part.len == 0) {
		park(r);
		return 0;
	}
	struct str rest = str_sub(buf_str(&r->part), r->part_at, r->part.len);
	size_t n = rest.len < max ? rest.len : max;

	memcpy(to, rest.ptr, n);
	r->part_at += n;
	return (ssize_t)n;
}

void
daemon_request_stream(struct daemon_request *r, const char *type,
	bool (*more)(struct daemon *d, struct daemon_request *r, struct buf *out))
{
	if (r->gone)
		return;
	CHECK(!r->response);
	daemon_request_drop_body(r);
	buf_init(&r->part, DAEMON_HTTP_PART);
	r->more = more;
	r->status = 200;
	r->response = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, PART_BYTES, on_more, r, NULL);
	if (!r->response) {
		end(r, false);
	} else {
		/* without chunks: the body ends with the connection */
		(void)MHD_set_response_options(
			r->response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
		(void)MHD_add_response_header(r->response, "Content-Type", type);
		(void)MHD_add_response_header(r->response, "Cache-Control", "no-store");
	}
	unpark(r);
}

void
daemon_request_wake(struct daemon_request *r)
{
	if (!r->gone)
		unpark(r);
}

void
daemon_request_close(struct daemon_request *r)
{
	r->closing = true;
	daemon_request_wake(r);
}

void
daemon_request_drop_body(struct daemon_request *r)
{
	r->http->bodies -= r->counted;
	r->counted = 0;
	buf_done(&r->body);
}

int64_t
daemon_request_peer(const struct daemon_request *r)
{
	return daemon_socket_peer(r->fd);
}

struct str
daemon_request_query(struct daemon_request *r, const char *name)
{
	return str_from(MHD_lookup_connection_value(
		r->connection, MHD_GET_ARGUMENT_KIND, name));
}

struct str
daemon_request_header(struct daemon_request *r, const char *name)
{
	return str_from(
		MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name));
}

bool
daemon_request_number(
	struct daemon_request *r, const char *name, int64_t fallback, int64_t *ret)
{
	struct str s = daemon_request_query(r, name);

	*ret = fallback;
	if (!s.ptr || str_number(s, ret))
		return true;
	daemon_request_fail(
		r, 400, "bad_number", "\"%s\" is not a number of 0 or more", name);
	return false;
}

/* --- what the library tells ------------------------------------------------- */

/* True if path is pattern, where {} stands for a text without '/', which goes
 * to id. */
static bool
matches(const char *pattern, const char *path, char id[DAEMON_HTTP_ID_BYTES])
{
	const char *hole = strstr(pattern, "{}");
	size_t before = hole ? (size_t)(hole - pattern) : strlen(pattern);

	id[0] = '\0';
	if (strncmp(pattern, path, before) != 0)
		return false;
	if (!hole)
		return path[before] == '\0';
	size_t n = strcspn(path + before, "/");

	if (n == 0 || n >= DAEMON_HTTP_ID_BYTES
		|| strcmp(path + before + n, hole + 2) != 0)
		return false;
	memcpy(id, path + before, n);
	id[n] = '\0';
	return true;
}

static void
find_route(struct daemon_request *r, const char *method, const char *path)
{
	bool known = false;

	for (const struct daemon_route *at = r->http->routes; at->method; at++) {
		if (!matches(at->path, path, r->id))
			continue;
		known = true;
		if (strcmp(at->method, method) == 0) {
			r->route = at;
			return;
		}
	}
	daemon_request_fail(r, known ? 405 : 404,
		known ? "wrong_method" : "no_such_path",
		"%s: docs/PROTOCOL.md lists what there is",
		known ? "this path takes another method" : "nothing is at this path");
}

/* Refused before the body is sent: the client then does not send it. */
static void
check_length(struct daemon_request *r)
{
	struct str length = str_from(MHD_lookup_connection_value(
		r->connection, MHD_HEADER_KIND, "Content-Length"));
	int64_t n = 0;

	if (length.ptr && str_number(length, &n) && (size_t)n > r->route->body_max)
		daemon_request_fail(r, 413, "too_large",
			"the body has %lld bytes, at most %zu are taken", (long long)n,
			r->route->body_max);
}

static struct daemon_request *
new_request(struct daemon_http *h, struct MHD_Connection *c)
{
	struct daemon_request *r = calloc(1, sizeof(*r));
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (!r || !info || !give_handle(h, r)) {
		free(r);
		return NULL;
	}
	r->http = h;
	r->daemon = h->daemon;
	r->connection = c;
	r->fd = info->connect_fd;
	r->arrived_us = (int64_t)(uv_hrtime() / 1000);
	h->open++;
	return r;
}

/* True if there is room for more of this body. What one sends in bulk must not
 * keep the others' ordinary calls out. */
static bool
has_room(const struct daemon_request *r, size_t more)
{
	bool large = r->body.len + more > DAEMON_HTTP_SMALL;
	size_t max =
		DAEMON_HTTP_BODIES - (large ? (size_t)DAEMON_HTTP_RESERVED : 0);

	return r->http->bodies <= max && more <= max - r->http->bodies;
}

static void
take_part(struct daemon_request *r, struct str part)
{
	struct daemon_http *h = r->http;

	if (r->too_large || r->crowded)
		return;
	r->too_large = part.len > r->route->body_max - r->body.len;
	r->crowded = !has_room(r, part.len);
	if (!r->too_large && !r->crowded) {
		buf_add(&r->body, part);
		r->counted += part.len;
		h->bodies += part.len;
		r->crowded = r->body.full; /* no memory */
	}
	if (r->too_large || r->crowded)
		daemon_request_drop_body(r);
}

static void
run(struct daemon_request *r)
{
	r->started = true;
	if (r->too_large)
		daemon_request_fail(r, 413, "too_large", "the body is over %zu bytes",
			r->route->body_max);
	else if (r->crowded)
		daemon_request_fail(r, 429, "crowded",
			"too many bytes are being judged already; try again");
	else if (!r->route->answering || daemon_person_admits(r->daemon, r))
		r->route->run(r->daemon, r);
}

static enum MHD_Result
send_response(struct daemon_request *r)
{
	enum MHD_Result ok =
		MHD_queue_response(r->connection, r->status, r->response);

	MHD_destroy_response(r->response);
	r->response = NULL;
	return ok;
}

static enum MHD_Result
begin(struct daemon_http *h, struct MHD_Connection *c, const char *method,
	const char *url, void **request)
{
	struct daemon_request *r = new_request(h, c);

	*request = r;
	if (!r)
		return MHD_NO;
	find_route(r, method, url);
	if (!r->response) {
		buf_init(&r->body, r->route->body_max);
		check_length(r);
	}
	return r->gone ? MHD_NO : r->response ? send_response(r) : MHD_YES;
}

/* NOLINTBEGIN(readability-function-size): the library says which parameters */
enum MHD_Result
daemon_http_on_request(void *cls, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *bytes, size_t *count,
	void **request)
{
	struct daemon_request *r = *request;

	(void)version;
	if (!r)
		return begin(cls, c, method, url, request);
	if (r->gone)
		return MHD_NO;
	if (*count > 0) {
		take_part(r, (struct str){bytes, *count});
		*count = 0;
		return MHD_YES;
	}
	if (!r->started)
		run(r);
	if (r->gone)
		return MHD_NO;
	if (r->response)
		return send_response(r);
	park(r);
	return MHD_YES;
}
/* NOLINTEND(readability-function-size) */

void
daemon_http_on_completed(void *cls, struct MHD_Connection *c, void **request,
	enum MHD_RequestTerminationCode how)
{
	struct daemon_request *r = *request;
	struct daemon_http *h = cls;

	(void)c;
	if (!r)
		return;
	*request = NULL;
	end(r, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	unlink_parked(r);
	unwatch(r);
	daemon_request_drop_body(r);
	buf_done(&r->part);
	if (r->response)
		MHD_destroy_response(r->response);
	h->slots[r->handle % DAEMON_HTTP_SLOTS] = NULL;
	r->completed = true;
	free_request(r);
}
