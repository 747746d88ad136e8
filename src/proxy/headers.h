#ifndef PROXY_HEADERS_H
#define PROXY_HEADERS_H

/*
 * Header fields of a request or an answer that is passed on: lines as they
 * came, without those that are between two neighbours only.
 */

#include "base/buf.h"

enum { PROXY_HEADERS_MAX = 128, PROXY_HEADERS_BYTES = 64 << 10 };

struct proxy_headers {
	struct buf text; /* "Name: value" and a NUL, one after the other */
	size_t count;
	bool full; /* one did not fit: the message must not be passed on */
};

void proxy_headers_init(struct proxy_headers *h);
void proxy_headers_done(struct proxy_headers *h); /* a zeroed one is fine */
/* Hop-by-hop fields, Host and the body's length are left out: each side has its
 * own. */
void proxy_headers_add(
	struct proxy_headers *h, struct str name, struct str value);
/* The next line from *at = 0 on; false at the end. */
MUST_USE bool proxy_headers_next(
	const struct proxy_headers *h, size_t *at, struct str *ret_line);
/* The value of the first of this name, letter case aside; absent without. */
struct str proxy_headers_find(const struct proxy_headers *h, struct str name);
void proxy_headers_remove(struct proxy_headers *h, struct str name);
void proxy_headers_copy(
	struct proxy_headers *to, const struct proxy_headers *from);

#endif
