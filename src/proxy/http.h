#ifndef PROXY_HTTP_H
#define PROXY_HTTP_H

/*
 * The side that clients speak to: HTTP/1.1 on a loopback port, on the loop.
 * Only http.c knows libmicrohttpd.
 *
 * A request is read to its end and handed over. Its answer is given in parts,
 * whenever they are there; the client's leaving is seen while it waits.
 */

#include <uv.h>

#include "base/fail.h"
#include "proxy/headers.h"

struct proxy_http;
struct MHD_Connection;
struct MHD_Response;

enum {
	PROXY_HTTP_BODY_MAX = 64 << 20, /* of one request */
	PROXY_HTTP_BODIES = 256 << 20,  /* of all that are being read */
	PROXY_HTTP_CONNECTIONS = 16384,
	PROXY_HTTP_HIGH = 4 << 20, /* of an answer that its client does not take */
	PROXY_HTTP_UNKNOWN = -1,   /* an answer's length */
};

/* One request, until it is over. */
struct proxy_exchange {
	struct proxy_http *http;
	char *method, *target; /* "POST", "/path?query" as they came */
	struct proxy_headers headers;
	struct buf body;
	void *data; /* the owner's; see over */

	/* of http.c alone */
	struct proxy_exchange *next, **link; /* all of them */
	struct MHD_Connection *connection;
	struct MHD_Response *response;
	unsigned status;
	struct buf out;
	size_t out_at;
	size_t counted; /* bytes of the body in the sum of all */
	int fd;
	bool refused;              /* its answer is an error of our own */
	bool begun, ended, failed; /* the answer */
	bool arrived, parked, over;
	bool watched, completed;
	uv_poll_t watch;
};

struct proxy_http_hooks {
	/* The whole request is there. It is answered now or later. */
	void (*arrived)(void *data, struct proxy_exchange *x);
	/* The client took all that waited (after PROXY_HTTP_HIGH was passed). */
	void (*drained)(void *data, struct proxy_exchange *x);
	/* The answer is out (ok), or the client left. x is then gone. */
	void (*over)(void *data, struct proxy_exchange *x, bool ok);
};

/* Listens on 127.0.0.1 or ::1; port 0 takes a free one. */
MUST_USE int proxy_http_new(uv_loop_t *loop, const struct sockaddr *address,
	const struct proxy_http_hooks *hooks, void *data, struct proxy_http **ret);
int proxy_http_port(const struct proxy_http *h);
void proxy_http_close_door(struct proxy_http *h);
void proxy_http_free(struct proxy_http *h);

/* The answer: begins once, then parts, then its end; what is not ok closes the
 * connection, so that nobody takes it for whole. length: PROXY_HTTP_UNKNOWN, or
 * how many bytes will come. Nothing happens once x is over. */
void proxy_exchange_begin(struct proxy_exchange *x, unsigned status,
	const struct proxy_headers *headers, int64_t length);
void proxy_exchange_add(struct proxy_exchange *x, struct str bytes);
void proxy_exchange_end(struct proxy_exchange *x, bool ok);
/* Bytes that the client has not taken yet. */
size_t proxy_exchange_waiting(const struct proxy_exchange *x);
/* The whole answer, as a Connect error. */
void proxy_exchange_refuse(struct proxy_exchange *x, unsigned status,
	const char *code, struct str message);
/* Gives back what only the request needed. */
void proxy_exchange_drop_request(struct proxy_exchange *x);

#endif
