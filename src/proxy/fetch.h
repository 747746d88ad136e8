#ifndef PROXY_FETCH_H
#define PROXY_FETCH_H

/*
 * The side that the gateway is on: requests over HTTP/1.1, on the loop. Only
 * fetch.c knows libcurl.
 */

#include <uv.h>

#include "base/fail.h"
#include "proxy/headers.h"

struct proxy_fetch;
struct proxy_fetch_call;

struct proxy_fetch_hooks {
	/* Status and header fields of the answer; length: of its body, or -1. */
	void (*begun)(void *data, unsigned status,
		const struct proxy_headers *headers, int64_t length);
	/* A part of it. False: no more for now, it comes again after
	 * proxy_fetch_resume. */
	bool (*part)(void *data, struct str bytes);
	/* The end: ok, or why not. The call is gone. */
	void (*ended)(void *data, bool ok, struct str why);
};

struct proxy_fetch_request {
	const char *method;
	const char *target; /* behind the gateway's address */
	const struct proxy_headers *headers;
	struct str body; /* copied */
	const struct proxy_fetch_hooks *hooks;
	void *data;
};

/* address: "http://127.0.0.1:3000", borrowed. */
MUST_USE int proxy_fetch_new(
	uv_loop_t *loop, const char *address, struct proxy_fetch **ret);
/* Ends all calls, and begins none any more. */
void proxy_fetch_stop(struct proxy_fetch *f);
/* All calls must have ended or be cancelled. */
void proxy_fetch_free(struct proxy_fetch *f);

/* NULL: no memory, or stopped. */
struct proxy_fetch_call *proxy_fetch_start(
	struct proxy_fetch *f, const struct proxy_fetch_request *q) MUST_USE;
/* No hook is called any more. NULL is fine. */
void proxy_fetch_cancel(struct proxy_fetch_call *c);
void proxy_fetch_resume(struct proxy_fetch_call *c);

#endif
