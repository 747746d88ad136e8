#ifndef BASE_BUF_H
#define BASE_BUF_H

/*
 * Text that grows, up to a maximum that is named when it is made. Going past it
 * (or out of memory) sets full and drops everything from then on, so that
 * nobody can go on with half: whoever takes the text out must look at full.
 */

#include "base/str.h"

struct buf {
	char *ptr; /* NULL while empty, else ends in a NUL behind len */
	size_t len;
	size_t cap;
	size_t max;
	bool full;
};

void buf_init(struct buf *b, size_t max_bytes);
void buf_done(struct buf *b); /* a zeroed buf is fine; leaves it empty */
void buf_clear(struct buf *b);

void buf_add(struct buf *b, struct str s);
void buf_add_char(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* s as a JSON string with its quotes; <, >, & and all that is not printable
 * (controls, bidi, zero-width) as \u escapes; bytes that are not UTF-8 as
 * U+FFFD, and NUL too, which no strict reader takes. */
void buf_add_json(struct buf *b, struct str s);

struct str buf_str(const struct buf *b); /* borrowed until the next change */

#endif
