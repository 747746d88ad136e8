#ifndef DAEMON_HTTP_H
#define DAEMON_HTTP_H

/*
 * HTTP on the loop: libmicrohttpd, driven by its epoll descriptor. Only http.c
 * and request.c know that library.
 *
 * A request is read to its end, within limits, and handed to its route. The
 * route answers at once or later; until then the connection is parked: out of
 * the library's sight, watched on the loop for the client's leaving.
 */

#include <uv.h>

#include "base/buf.h"
#include "base/fail.h"

struct daemon;
struct daemon_http;
struct daemon_request;
struct MHD_Connection;

enum {
	DAEMON_HTTP_ID_BYTES = 80,     /* the changing part of a path */
	DAEMON_HTTP_BODIES = 96 << 20, /* of all requests being read, in bytes */
	DAEMON_HTTP_SMALL = 64 << 10, /* bodies up to this have room of their own */
	DAEMON_HTTP_RESERVED = 16 << 20, /* ...which large ones do not get */
	DAEMON_HTTP_CONNECTIONS = 16384,
	DAEMON_HTTP_SPARE_FDS = 192,  /* kept for store, files, children */
	DAEMON_HTTP_IDLE_S = 30,      /* a kept connection, or a slow sender */
	DAEMON_HTTP_WATCH_MS = 100,   /* who is parked longer is watched */
	DAEMON_HTTP_PART = 256 << 10, /* of a stream, at a time */
};

struct daemon_route {
	const char *method; /* "GET" */
	const char *path;   /* "/v1/cards/{}": {} is the request's id */
	size_t body_max;    /* bytes; 0: no body */
	bool answering;     /* only a proven person (DESIGN 5) */
	void (*run)(struct daemon *d, struct daemon_request *r);
};

struct daemon_request {
	struct daemon *daemon;
	struct daemon_http *http;
	uint64_t handle; /* never 0, never used again */
	const struct daemon_route *route;
	char id[DAEMON_HTTP_ID_BYTES]; /* what stood for {} */
	struct buf body;               /* may be taken: released when parked */
	int64_t arrived_us;            /* monotonic */
	void *data;                    /* the route's own, freed with free() */

	/* When set: called once, when the answer is out (ok) or the client left
	 * before that. The request is not to be answered any more. */
	void (*ended)(struct daemon *d, struct daemon_request *r, bool ok);

	/* Of a stream: adds what there is to send now, at most DAEMON_HTTP_PART
	 * bytes a time. False ends the connection: what was missed is lost. */
	bool (*more)(struct daemon *d, struct daemon_request *r, struct buf *out);

	/* of http.c and request.c alone */
	struct buf part; /* of a stream: on its way */
	size_t part_at;
	bool closing; /* ends when nothing is left to send */
	struct MHD_Connection *connection;
	struct MHD_Response *response;
	struct daemon_request *next_parked, **parked_link; /* not yet watched */
	size_t counted; /* bytes of the body in the sum of all */
	int fd;
	unsigned status;
	bool started; /* the route runs or has run */
	bool parked;  /* out of the library's sight */
	bool gone;    /* nobody is to be answered any more */
	bool too_large, crowded;
	bool watched;   /* watch is a handle of the loop */
	bool completed; /* the library is done with it */
	uv_poll_t watch;
};

/*
 * Serves the routes (ending in one without a method) on the listening socket
 * fd. Nothing is accepted before the loop runs.
 */
MUST_USE int daemon_http_new(struct daemon *d, uv_loop_t *loop, int fd,
	const struct daemon_route *routes, struct daemon_http **ret);
/* Accepts no more. Open requests go on. */
void daemon_http_close_door(struct daemon_http *h);
/* Ends everything; requests that are still open get no answer. */
void daemon_http_free(struct daemon_http *h);
/* Once per turn of the loop, before it waits: does what is ready. */
void daemon_http_turn(struct daemon_http *h);

/* An open request by its handle, or NULL. */
struct daemon_request *daemon_http_find(
	const struct daemon_http *h, uint64_t handle);
/* Every open request whose answer is not out. */
size_t daemon_http_open(const struct daemon_http *h);
unsigned daemon_http_strangers(const struct daemon_http *h);

/* Answers a request, once. body is copied; type NULL is JSON. */
void daemon_request_answer(struct daemon_request *r, unsigned status,
	struct str body, const char *type);
/*
 * Answers r with 200 and a body that has no end yet: more is called for what
 * there is, whenever the client has taken what went before, and again after each
 * wake. Nothing is kept for a client that reads too slowly.
 */
void daemon_request_stream(struct daemon_request *r, const char *type,
	bool (*more)(struct daemon *d, struct daemon_request *r, struct buf *out));
/* There is more to send. */
void daemon_request_wake(struct daemon_request *r);
/* The stream ends when all that there is has been sent. */
void daemon_request_close(struct daemon_request *r);
/* {"error": {...}} */
void daemon_request_fail(struct daemon_request *r, unsigned status,
	const char *code, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Closes the connection without an answer. */
void daemon_request_drop(struct daemon_request *r);
/* Gives the body's memory back; the answer may be long in coming. */
void daemon_request_drop_body(struct daemon_request *r);
/* The process that connected; 0 when it is not to be seen from here. */
int64_t daemon_request_peer(const struct daemon_request *r);
/* ?name=value, or absent. */
struct str daemon_request_query(struct daemon_request *r, const char *name);
/* A field of its head, or absent. */
struct str daemon_request_header(struct daemon_request *r, const char *name);
/* A query that is a number of 0 or more; fallback when absent. False when it is
 * something else (the request is then answered). */
MUST_USE bool daemon_request_number(
	struct daemon_request *r, const char *name, int64_t fallback, int64_t *ret);

#endif
