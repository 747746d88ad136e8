#ifndef DAEMON_WRITER_H
#define DAEMON_WRITER_H

/*
 * The one thread that writes. While it commits a batch the loop gathers the
 * next; there is no timer between them. It also syncs what may wait, within a
 * second, and moves the log into the database when it is idle.
 */

#include <uv.h>

#include "store/store.h"

struct daemon_writer;

/* Called on the loop when a batch is committed, or was not. */
typedef void (*daemon_writer_fn)(void *data, struct store_batch *b, int result);

/* Takes the store. */
MUST_USE int daemon_writer_new(uv_loop_t *loop, struct store *s,
	daemon_writer_fn done, void *data, struct daemon_writer **ret);
/* Hands a batch over; at most one is out. */
void daemon_writer_put(struct daemon_writer *w, struct store_batch *b);
/* The newest head goes to the file and the journal, after what is out. why is a
 * literal. */
void daemon_writer_head(struct daemon_writer *w, const char *why);
/* What the thread does by itself, from now on: heads are appended to this file,
 * too (NULL: to none); bodies of rows older than so many days are dropped, once a
 * day and a few at a time (0: never). */
void daemon_writer_keep(
	struct daemon_writer *w, const char *heads, int64_t days);
/* Ends the thread after what was put is committed (done is called for it), and
 * closes the store. NULL is fine. */
void daemon_writer_free(struct daemon_writer *w);

#endif
