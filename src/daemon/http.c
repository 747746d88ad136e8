#include "daemon/http.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/http_priv.h"
#include "daemon/journal.h"
#include "daemon/socket.h"

enum {
	POOL_BYTES = 6 << 10, /* of a connection: its head, and parts of a body */
	POOL_STEP_BYTES = 1 << 10,
	ACCEPTS_PER_WAKE = 64,
	RUNS_PER_TURN = 8,
	CROWD = 128,
};

/* Raises the soft limit of descriptors; how many connections that leaves. */
static size_t
room_for_connections(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return DAEMON_HTTP_SPARE_FDS;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur == RLIM_INFINITY
		|| limit.rlim_cur > DAEMON_HTTP_CONNECTIONS + DAEMON_HTTP_SPARE_FDS)
		return DAEMON_HTTP_CONNECTIONS;
	return limit.rlim_cur > 2 * (rlim_t)DAEMON_HTTP_SPARE_FDS
		? (size_t)limit.rlim_cur - DAEMON_HTTP_SPARE_FDS
		: (size_t)limit.rlim_cur / 2;
}

/* --- the door --------------------------------------------------------------- */

static void
take_connection(struct daemon_http *h, int fd)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	/* it closes fd itself when it does not want it */
	if (MHD_add_connection(
			h->mhd, fd, (struct sockaddr *)&addr, sizeof(sa_family_t))
		!= MHD_YES)
		daemon_journal("a connection could not be taken");
}

static void
on_door(uv_poll_t *door, int status, int events)
{
	struct daemon_http *h = door->data;

	(void)status;
	(void)events;
	for (int i = 0; i < ACCEPTS_PER_WAKE; i++) {
		if (h->connections >= h->connections_max) {
			h->door_open = false;
			(void)uv_poll_stop(door);
			break;
		}
		int fd = daemon_socket_accept(h->listen_fd, &h->strangers);

		if (fd < 0)
			break;
		take_connection(h, fd);
	}
	h->resumed = true;
}

static void
open_door(struct daemon_http *h)
{
	if (h->door_shut || h->door_open)
		return;
	h->door_open = uv_poll_start(&h->door, UV_READABLE, on_door) == 0;
}

void
daemon_http_close_door(struct daemon_http *h)
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
	struct daemon_http *h = cls;

	(void)c;
	(void)context;
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		h->connections++;
		if (h->connections / 2 > h->crowd)
			h->crowd = h->connections / 2;
		return;
	}
	h->connections--;
	open_door(h);
	if (h->connections > h->crowd)
		return;
	if (h->crowd >= CROWD)
		(void)malloc_trim(0); /* what they took is not kept */
	h->crowd = 0;
}

/* --- the loop ----------------------------------------------------------------- */

static void
on_ready(uv_poll_t *ready, int status, int events)
{
	struct daemon_http *h = ready->data;

	(void)status;
	(void)events;
	(void)MHD_run(h->mhd);
}

static void
on_timer(uv_timer_t *timer)
{
	struct daemon_http *h = timer->data;

	h->resumed = true;
}

static void
on_watch_timer(uv_timer_t *timer)
{
	daemon_http_watch_parked(timer->data);
}

void
daemon_http_turn(struct daemon_http *h)
{
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
	if (h->parked && !uv_is_active((uv_handle_t *)&h->watch_timer))
		(void)uv_timer_start(
			&h->watch_timer, on_watch_timer, DAEMON_HTTP_WATCH_MS, 0);
}

size_t
daemon_http_open(const struct daemon_http *h)
{
	return h->open;
}

unsigned
daemon_http_strangers(const struct daemon_http *h)
{
	return h->strangers;
}

/* --- beginning and end --------------------------------------------------------- */

static void
on_library_log(void *cls, const char *fmt, va_list args)
{
	(void)cls;
	(void)fmt;
	(void)args; /* it may quote what a client sent */
}

static struct MHD_Daemon *
start_library(struct daemon_http *h)
{
	enum {
		FLAGS = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET
			| MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK
			| MHD_USE_ERROR_LOG
	};

	return MHD_start_daemon(FLAGS, 0, NULL, NULL, daemon_http_on_request, h,
		MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)h->connections_max,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)DAEMON_HTTP_IDLE_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
		MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)POOL_STEP_BYTES,
		MHD_OPTION_NOTIFY_COMPLETED, daemon_http_on_completed, h,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_END);
}

static void
add_handles(struct daemon_http *h)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(h->mhd, MHD_DAEMON_INFO_EPOLL_FD);

	CHECK(info);
	CHECK(uv_poll_init(h->loop, &h->door, h->listen_fd) == 0);
	CHECK(uv_poll_init(h->loop, &h->ready, info->epoll_fd) == 0);
	CHECK(uv_timer_init(h->loop, &h->timer) == 0);
	CHECK(uv_timer_init(h->loop, &h->watch_timer) == 0);
	h->door.data = h->ready.data = h->timer.data = h->watch_timer.data = h;
	h->handles = 4;
	CHECK(uv_poll_start(&h->ready, UV_READABLE, on_ready) == 0);
	open_door(h);
}

int
daemon_http_new(struct daemon *d, uv_loop_t *loop, int fd,
	const struct daemon_route *routes, struct daemon_http **ret)
{
	struct daemon_http *h = calloc(1, sizeof(*h));

	if (!h)
		return fail_here(FAIL_MEMORY, "no memory to serve with");
	h->daemon = d;
	h->loop = loop;
	h->routes = routes;
	h->listen_fd = fd;
	h->connections_max = room_for_connections();
	h->mhd = start_library(h);
	if (!h->mhd) {
		free(h);
		return fail_here(FAIL_IO, "the HTTP library does not start");
	}
	add_handles(h);
	*ret = h;
	return 0;
}

static void
on_handle_closed(uv_handle_t *handle)
{
	struct daemon_http *h = handle->data;

	h->handles--;
}

void
daemon_http_free(struct daemon_http *h)
{
	if (!h)
		return;
	daemon_http_close_door(h);
	/* a parked connection must be back in sight, or stopping never ends */
	for (size_t i = 0; i < DAEMON_HTTP_SLOTS; i++) {
		if (h->slots[i])
			daemon_request_drop(h->slots[i]);
	}
	(void)MHD_run(h->mhd);
	uv_close((uv_handle_t *)&h->door, on_handle_closed);
	uv_close((uv_handle_t *)&h->timer, on_handle_closed);
	uv_close((uv_handle_t *)&h->watch_timer, on_handle_closed);
	(void)uv_poll_stop(&h->ready);
	uv_close((uv_handle_t *)&h->ready, on_handle_closed);
	MHD_stop_daemon(h->mhd);
	while (h->handles > 0)
		(void)uv_run(h->loop, UV_RUN_NOWAIT);
	free(h);
}
