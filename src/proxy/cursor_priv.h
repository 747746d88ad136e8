#ifndef PROXY_CURSOR_PRIV_H
#define PROXY_CURSOR_PRIV_H

/*
 * What the files of the Cursor filter share: a passage is one request of the
 * client on its way to the gateway, and the answer on its way back.
 */

#include "proxy/cursor.h"
#include "proxy/fetch.h"
#include "proxy/frame.h"
#include "proxy/http.h"

struct proxy_cursor;
struct proxy_passage;

/* What is done for requests of a path. */
struct proxy_route {
	const char *path; /* without the query; NULL: any other */
	/* The request is there, nothing was sent yet. False: it is refused (and
	 * answered). NULL: it passes. */
	bool (*request)(struct proxy_passage *p);
	/* The answer's beginning, a part, its end. NULL: they pass. */
	void (*begun)(struct proxy_passage *p, unsigned status,
		const struct proxy_headers *headers, int64_t length);
	void (*part)(struct proxy_passage *p, struct str bytes);
	void (*ended)(struct proxy_passage *p, bool ok);
	/* Nothing can be sent to the client any more. */
	void (*over)(struct proxy_passage *p);
};

struct proxy_passage {
	struct proxy_cursor *proxy;
	const struct proxy_route *route;
	struct proxy_exchange *x;      /* NULL: over */
	struct proxy_fetch_call *call; /* NULL: not begun, or ended */
	bool paused;                   /* the client does not take what comes */
	void *data;                    /* the route's own */
};

struct proxy_cursor {
	uv_loop_t *loop;
	struct proxy_cursor_settings settings;
	struct proxy_http *http;
	struct proxy_fetch *fetch;
	bool stopping;
};

/* Sends the request on, with this body in the place of its own. */
void proxy_passage_send(struct proxy_passage *p, struct str body);

#endif
