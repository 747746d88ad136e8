#include "proxy/http.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	POOL_BYTES = 32 << 10, /* of a connection: heads, and parts of bodies */
	BLOCK_BYTES = 4 << 10,
	KEPT_BYTES = 16 << 10, /* of room for an answer, between two parts */
	ACCEPTS_PER_WAKE = 64,
	RUNS_PER_TURN = 8,
	BACKLOG = 1024,
	IDLE_S = 120, /* a kept connection */
	SPARE_FDS = 64,
};

struct proxy_http {
	uv_loop_t *loop;
	struct proxy_http_hooks hooks;
	void *data;
	struct MHD_Daemon *mhd;
	int listen_fd;
	size_t connections, connections_max;
	size_t bodies;
	bool door_open, door_shut;
	bool resumed; /* the library has something to do at once */
	uv_poll_t door, ready;
	uv_timer_t timer;
	uv_prepare_t turn;
	struct proxy_exchange *all;
	int handles; /* of the loop, that still have to be closed */
};

/* --- one exchange ------------------------------------------------------------ */

static void
free_exchange(struct proxy_exchange *x)
{
	if (!x->completed || x->watched)
		return;
	buf_done(&x->out);
	free(x);
}

static void
on_watch_closed(uv_handle_t *handle)
{
	struct proxy_exchange *x = handle->data;

	x->watched = false;
	x->http->handles--;
	free_exchange(x);
}

static void
unwatch(struct proxy_exchange *x)
{
	if (x->watched && !uv_is_closing((uv_handle_t *)&x->watch)) {
		(void)uv_poll_stop(&x->watch);
		uv_close((uv_handle_t *)&x->watch, on_watch_closed);
	}
}

/* Back into the library's sight. */
static void
unpark(struct proxy_exchange *x)
{
	if (!x->parked)
		return;
	x->parked = false;
	MHD_resume_connection(x->connection);
	x->http->resumed = true;
}

static void
set_over(struct proxy_exchange *x, bool ok)
{
	if (x->over)
		return;
	x->over = true;
	proxy_exchange_drop_request(x);
	x->http->hooks.over(x->http->data, x, ok);
}

static void
on_left(uv_poll_t *watch, int status, int events)
{
	struct proxy_exchange *x = watch->data;

	(void)status;
	(void)events;
	(void)uv_poll_stop(watch);
	set_over(x, false);
	unpark(x);
}

/* An answer that takes its time: the library does not see a client leave while
 * its connection is parked. */
static void
watch(struct proxy_exchange *x)
{
	if (x->watched || uv_poll_init(x->http->loop, &x->watch, x->fd) != 0)
		return; /* it is then seen when the next part is sent */
	x->watched = true;
	x->watch.data = x;
	x->http->handles++;
	(void)uv_poll_start(&x->watch, UV_DISCONNECT, on_left);
}

void
proxy_exchange_drop_request(struct proxy_exchange *x)
{
	x->http->bodies -= x->counted;
	x->counted = 0;
	buf_done(&x->body);
	proxy_headers_done(&x->headers);
	free(x->target);
	free(x->method);
	x->target = x->method = NULL;
}

/* --- the answer ----------------------------------------------------------------- */

size_t
proxy_exchange_waiting(const struct proxy_exchange *x)
{
	return x->out.len - x->out_at;
}

/* All was taken: room for a large part is given back. */
static void
reset_out(struct proxy_exchange *x)
{
	bool was_high = x->out.len > PROXY_HTTP_HIGH;

	if (x->out.cap > KEPT_BYTES)
		buf_done(&x->out);
	if (!x->out.ptr)
		buf_init(&x->out, SIZE_MAX / 4);
	buf_clear(&x->out);
	x->out_at = 0;
	if (was_high && !x->over)
		x->http->hooks.drained(x->http->data, x);
}

static ssize_t
read_out(void *cls, uint64_t pos, char *to, size_t max)
{
	struct proxy_exchange *x = cls;
	size_t n = proxy_exchange_waiting(x);

	(void)pos;
	if (x->over || (n == 0 && x->failed))
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (n == 0 && x->ended)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (n == 0) {
		x->parked = true;
		MHD_suspend_connection(x->connection);
		return 0;
	}
	n = n < max ? n : max;
	memcpy(to, x->out.ptr + x->out_at, n);
	x->out_at += n;
	if (x->out_at == x->out.len)
		reset_out(x);
	return (ssize_t)n;
}

static void
add_header(struct MHD_Response *r, struct str line)
{
	struct str value;
	struct str name = str_cut(line, ':', &value);
	char text[256];

	if (!value.ptr || name.len >= sizeof(text))
		return;
	memcpy(text, name.ptr, name.len);
	text[name.len] = '\0';
	value = str_trim(value); /* the line ends in a NUL, and so does this */
	if (value.len > 0)
		(void)MHD_add_response_header(r, text, value.ptr);
}

void
proxy_exchange_begin(struct proxy_exchange *x, unsigned status,
	const struct proxy_headers *headers, int64_t length)
{
	struct str line;
	size_t at = 0;

	if (x->over || x->begun)
		return;
	x->begun = true;
	x->status = status;
	x->response = MHD_create_response_from_callback(
		length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)length, BLOCK_BYTES, read_out,
		x, NULL);
	while (x->response && headers && proxy_headers_next(headers, &at, &line))
		add_header(x->response, line);
	if (length < 0)
		watch(x);
	unpark(x);
}

void
proxy_exchange_add(struct proxy_exchange *x, struct str bytes)
{
	if (x->over || x->ended)
		return;
	buf_add(&x->out, bytes);
	if (x->out.full) /* no memory: half of it must not look whole */
		x->failed = x->ended = true;
	unpark(x);
}

void
proxy_exchange_end(struct proxy_exchange *x, bool ok)
{
	if (x->over || x->ended)
		return;
	x->ended = true;
	x->failed = !ok;
	if (!x->begun)
		proxy_exchange_begin(x, 502, NULL, 0);
	unpark(x);
}

void
proxy_exchange_refuse(struct proxy_exchange *x, unsigned status,
	const char *code, struct str message)
{
	struct proxy_headers headers;
	struct buf body;

	if (x->over || x->begun)
		return;
	buf_init(&body, (size_t)64 << 10);
	buf_addf(&body, "{\"code\":\"%s\",\"message\":", code);
	buf_add_json(&body, message);
	buf_addf(&body, "}");
	proxy_headers_init(&headers);
	proxy_headers_add(&headers, STR("Content-Type"), STR("application/json"));
	proxy_exchange_begin(x, status, &headers, (int64_t)body.len);
	proxy_exchange_add(x, buf_str(&body));
	proxy_exchange_end(x, true);
	proxy_headers_done(&headers);
	buf_done(&body);
}

/* --- what the library tells ------------------------------------------------------- */

/* Before all else of a request: its target as it came. */
static void *
on_target(void *cls, const char *target, struct MHD_Connection *c)
{
	struct proxy_http *h = cls;
	struct proxy_exchange *x = calloc(1, sizeof(*x));
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	if (!x || !info) {
		free(x);
		return NULL;
	}
	x->http = h;
	x->connection = c;
	x->fd = info->connect_fd;
	x->next = h->all;
	x->link = &h->all;
	if (x->next)
		x->next->link = &x->next;
	h->all = x;
	x->target = strdup(target);
	proxy_headers_init(&x->headers);
	buf_init(&x->body, PROXY_HTTP_BODY_MAX);
	buf_init(&x->out, SIZE_MAX / 4);
	return x;
}

static enum MHD_Result
on_header(
	void *cls, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct proxy_exchange *x = cls;

	(void)kind;
	proxy_headers_add(
		&x->headers, str_from(name), value ? str_from(value) : STR(""));
	return MHD_YES;
}

/* A page in a browser may send here as well; its name for us is not loopback. */
static bool
is_loopback_name(struct str host)
{
	static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct str name = str_from(names[i]);

		if (str_starts(host, name)
			&& (host.len == name.len || host.ptr[name.len] == ':'))
			return true;
	}
	return false;
}

/* A browser says of every request of a page where the page is from. */
static bool
is_of_a_page(struct str origin)
{
	return str_starts(origin, STR("http://"))
		|| str_starts(origin, STR("https://"));
}

static void
begin_request(struct proxy_exchange *x, const char *method)
{
	struct MHD_Connection *c = x->connection;
	struct str host =
		str_from(MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"));
	struct str length = str_from(
		MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length"));
	int64_t n = 0;

	x->method = strdup(method);
	(void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, x);
	if (!x->method || !x->target || x->headers.full)
		proxy_exchange_refuse(x, 431, "resource_exhausted",
			STR("assent: too many header fields"));
	else if (is_of_a_page(proxy_headers_find(&x->headers, STR("Origin"))))
		proxy_exchange_refuse(x, 403, "permission_denied",
			STR("assent: web pages are not served here"));
	else if (host.ptr && !is_loopback_name(host))
		proxy_exchange_refuse(x, 403, "permission_denied",
			STR("assent: this host name is not served here"));
	else if (length.ptr && str_number(length, &n) && n > PROXY_HTTP_BODY_MAX)
		proxy_exchange_refuse(x, 413, "resource_exhausted",
			STR("assent: the request is over 64 MiB"));
	x->refused = x->begun;
}

static void
take_part(struct proxy_exchange *x, struct str part)
{
	struct proxy_http *h = x->http;

	if (x->begun)
		return;
	buf_add(&x->body, part);
	if (x->body.full || h->bodies + part.len > PROXY_HTTP_BODIES) {
		proxy_exchange_refuse(x, 413, "resource_exhausted",
			STR("assent: the request is over 64 MiB, or too many are read"));
		x->refused = true;
		return;
	}
	x->counted += part.len;
	h->bodies += part.len;
}

static enum MHD_Result
queue(struct proxy_exchange *x)
{
	enum MHD_Result ok;

	if (!x->response)
		return MHD_NO;
	ok = MHD_queue_response(x->connection, x->status, x->response);
	MHD_destroy_response(x->response);
	x->response = NULL;
	return ok;
}

/* NOLINTBEGIN(readability-function-size): the library says which parameters */
static enum MHD_Result
on_request(void *cls, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *bytes, size_t *count,
	void **request)
{
	struct proxy_exchange *x = *request;
	struct proxy_http *h = cls;

	(void)c;
	(void)url;
	(void)version;
	if (!x || x->over)
		return MHD_NO;
	if (!x->method) {
		begin_request(x, method);
		return x->refused ? queue(x) : MHD_YES;
	}
	if (*count > 0) {
		take_part(x, (struct str){bytes, *count});
		*count = 0;
		return MHD_YES;
	}
	if (!x->arrived && !x->begun) {
		x->arrived = true;
		h->hooks.arrived(h->data, x);
	}
	if (x->over)
		return MHD_NO;
	if (x->begun)
		return queue(x);
	x->parked = true;
	MHD_suspend_connection(x->connection);
	return MHD_YES;
}
/* NOLINTEND(readability-function-size) */

static void
on_completed(void *cls, struct MHD_Connection *c, void **request,
	enum MHD_RequestTerminationCode how)
{
	struct proxy_exchange *x = *request;

	(void)cls;
	(void)c;
	if (!x)
		return;
	*request = NULL;
	if (x->arrived)
		set_over(x, how == MHD_REQUEST_TERMINATED_COMPLETED_OK && !x->failed);
	else
		proxy_exchange_drop_request(x);
	if (x->response)
		MHD_destroy_response(x->response);
	x->response = NULL;
	x->completed = true;
	*x->link = x->next;
	if (x->next)
		x->next->link = x->link;
	unwatch(x);
	free_exchange(x);
}

/* --- the door ------------------------------------------------------------------------ */

static void
on_door(uv_poll_t *door, int status, int events)
{
	struct proxy_http *h = door->data;
	struct sockaddr_storage address;

	(void)status;
	(void)events;
	for (int i = 0; i < ACCEPTS_PER_WAKE; i++) {
		socklen_t size = sizeof(address);

		if (h->connections >= h->connections_max) {
			h->door_open = false;
			(void)uv_poll_stop(door);
			break;
		}
		int fd = accept4(h->listen_fd, (struct sockaddr *)&address, &size,
			SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			break;
		/* it closes fd itself when it does not want it */
		(void)MHD_add_connection(h->mhd, fd, (struct sockaddr *)&address, size);
	}
	h->resumed = true;
}

static void
open_door(struct proxy_http *h)
{
	if (!h->door_shut && !h->door_open)
		h->door_open = uv_poll_start(&h->door, UV_READABLE, on_door) == 0;
}

void
proxy_http_close_door(struct proxy_http *h)
{
	if (h->door_shut)
		return;
	h->door_shut = true;
	h->door_open = false;
	(void)uv_poll_stop(&h->door);
	(void)close(h->listen_fd);
}

static void
on_connection(void *cls, struct MHD_Connection *c, void **context,
	enum MHD_ConnectionNotificationCode what)
{
	struct proxy_http *h = cls;

	(void)c;
	(void)context;
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		h->connections++;
		return;
	}
	h->connections--;
	open_door(h);
}

/* --- the loop -------------------------------------------------------------------------- */

static void
on_ready(uv_poll_t *ready, int status, int events)
{
	struct proxy_http *h = ready->data;

	(void)status;
	(void)events;
	(void)MHD_run(h->mhd);
}

static void
on_timer(uv_timer_t *timer)
{
	struct proxy_http *h = timer->data;

	h->resumed = true;
}

/* Before the loop waits: what is ready is done. */
static void
on_turn(uv_prepare_t *turn)
{
	struct proxy_http *h = turn->data;
	MHD_UNSIGNED_LONG_LONG wait_ms = 0;
	bool waits = false;

	for (int i = 0; i < RUNS_PER_TURN; i++) {
		if (h->resumed) {
			h->resumed = false;
			(void)MHD_run(h->mhd);
		}
		waits = MHD_get_timeout(h->mhd, &wait_ms) == MHD_YES;
		h->resumed = h->resumed || (waits && wait_ms == 0);
		if (!h->resumed)
			break;
	}
	if (h->resumed)
		(void)uv_timer_start(&h->timer, on_timer, 0, 0);
	else if (waits)
		(void)uv_timer_start(&h->timer, on_timer, wait_ms, 0);
	else
		(void)uv_timer_stop(&h->timer);
}

/* --- beginning and end -------------------------------------------------------------------- */

static size_t
room_for_connections(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return SPARE_FDS;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	/* each may need one to the other side */
	if (limit.rlim_cur == RLIM_INFINITY
		|| limit.rlim_cur / 2 > PROXY_HTTP_CONNECTIONS)
		return PROXY_HTTP_CONNECTIONS;
	return (size_t)limit.rlim_cur / 2 - (limit.rlim_cur > 256 ? SPARE_FDS : 0);
}

static int
listen_at(const struct sockaddr *address)
{
	socklen_t size = address->sa_family == AF_INET6
		? sizeof(struct sockaddr_in6)
		: sizeof(struct sockaddr_in);
	int fd = socket(
		address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0)
		return fail_here(FAIL_IO, "no socket: %s", strerrordesc_np(errno));
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	int r = fail_here(errno == EADDRINUSE ? FAIL_BUSY : FAIL_IO,
		"cannot listen: %s", strerrordesc_np(errno));

	(void)close(fd);
	return r;
}

static void
on_library_log(void *cls, const char *fmt, va_list args)
{
	(void)cls;
	(void)fmt;
	(void)args; /* it may quote what a client sent */
}

static struct MHD_Daemon *
start_library(struct proxy_http *h)
{
	enum {
		FLAGS = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET
			| MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK
			| MHD_USE_ERROR_LOG
	};

	return MHD_start_daemon(FLAGS, 0, NULL, NULL, on_request, h,
		MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL,
		MHD_OPTION_URI_LOG_CALLBACK, on_target, h, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)h->connections_max, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)POOL_BYTES, MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_END);
}

static void
add_handles(struct proxy_http *h)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(h->mhd, MHD_DAEMON_INFO_EPOLL_FD);

	CHECK(info);
	CHECK(uv_poll_init(h->loop, &h->door, h->listen_fd) == 0);
	CHECK(uv_poll_init(h->loop, &h->ready, info->epoll_fd) == 0);
	CHECK(uv_timer_init(h->loop, &h->timer) == 0);
	CHECK(uv_prepare_init(h->loop, &h->turn) == 0);
	h->door.data = h->ready.data = h->timer.data = h->turn.data = h;
	h->handles = 4;
	CHECK(uv_poll_start(&h->ready, UV_READABLE, on_ready) == 0);
	CHECK(uv_prepare_start(&h->turn, on_turn) == 0);
	open_door(h);
}

int
proxy_http_new(uv_loop_t *loop, const struct sockaddr *address,
	const struct proxy_http_hooks *hooks, void *data, struct proxy_http **ret)
{
	struct proxy_http *h = calloc(1, sizeof(*h));

	if (!h)
		return fail_here(FAIL_MEMORY, "no memory to serve with");
	h->loop = loop;
	h->hooks = *hooks;
	h->data = data;
	h->connections_max = room_for_connections();
	h->listen_fd = listen_at(address);
	if (h->listen_fd < 0) {
		int r = h->listen_fd;

		free(h);
		return r;
	}
	h->mhd = start_library(h);
	if (!h->mhd) {
		(void)close(h->listen_fd);
		free(h);
		return fail_here(FAIL_IO, "the HTTP library does not start");
	}
	add_handles(h);
	*ret = h;
	return 0;
}

int
proxy_http_port(const struct proxy_http *h)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} address = {0};
	socklen_t size = sizeof(address);

	if (getsockname(h->listen_fd, &address.any, &size) != 0)
		return 0;
	return ntohs(address.any.sa_family == AF_INET6 ? address.in6.sin6_port
												   : address.in.sin_port);
}

static void
on_handle_closed(uv_handle_t *handle)
{
	struct proxy_http *h = handle->data;

	h->handles--;
}

void
proxy_http_free(struct proxy_http *h)
{
	if (!h)
		return;
	proxy_http_close_door(h);
	/* what is parked must be back in sight, or stopping never ends */
	for (struct proxy_exchange *x = h->all; x; x = x->next) {
		if (x->arrived)
			set_over(x, false);
		x->over = true;
		unpark(x);
	}
	(void)MHD_run(h->mhd);
	uv_close((uv_handle_t *)&h->door, on_handle_closed);
	uv_close((uv_handle_t *)&h->timer, on_handle_closed);
	uv_close((uv_handle_t *)&h->turn, on_handle_closed);
	(void)uv_poll_stop(&h->ready);
	uv_close((uv_handle_t *)&h->ready, on_handle_closed);
	MHD_stop_daemon(h->mhd);
	while (h->handles > 0)
		(void)uv_run(h->loop, UV_RUN_NOWAIT);
	free(h);
}
