#ifndef PROXY_CURSOR_H
#define PROXY_CURSOR_H

/*
 * `assent proxy cursor`: a filter between a Cursor client and a gateway that
 * speaks its agent stream (docs/cursor.md). Frames of runs in Auto-review that
 * would execute something are held until the daemon has judged them; all else
 * passes.
 */

#include <uv.h>

#include "base/fail.h"

struct proxy_cursor;

struct proxy_cursor_settings {
	const struct sockaddr *listen;
	const char *upstream; /* "http://127.0.0.1:3000" */
	bool strict;          /* frames that cannot be reviewed are rejected */
	/* How a held call is put before the daemon: the client's program and its
	 * places, ending in NULL. */
	const char *const *client;
};

MUST_USE int proxy_cursor_new(uv_loop_t *loop,
	const struct proxy_cursor_settings *s, struct proxy_cursor **ret);
int proxy_cursor_port(const struct proxy_cursor *p);
/* Takes no more clients, and ends what is open: nothing that is held leaves. */
void proxy_cursor_free(struct proxy_cursor *p);

#endif
