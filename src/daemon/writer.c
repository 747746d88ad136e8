#include "daemon/writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/journal.h"
#include "io/clock.h"

enum {
	SYNC_MS = 500,     /* what is not synced at once is synced after this */
	IDLE_MS = 5000,    /* then the log is moved into the database */
	HEAD_MS = 3600000, /* a head at least this often */
	HEAD_BYTES = 4096,
	HEADS_BYTES = 4096,
	PRUNE_MS = 86400000,
	PRUNE_PAUSE_MS = 50, /* between parts */
	PRUNE_ROWS = 500,    /* of one part: a few milliseconds */
	DAY_MS = 86400000,
};

struct daemon_writer {
	uv_loop_t *loop;
	struct store *store;
	daemon_writer_fn done;
	void *data;
	pthread_t thread;
	uv_async_t finished;
	bool closed; /* finished is no longer a handle of the loop */

	pthread_mutex_t lock; /* for what is below */
	pthread_cond_t wake;
	struct store_batch *in, *out;
	int result;
	char why[256];           /* of a failure: its text belongs to the thread */
	const char *head;        /* why one is wanted, or NULL */
	char heads[HEADS_BYTES]; /* where they go, too; empty: nowhere */
	int64_t keep_days;       /* 0: bodies are kept for ever */
	bool quit;

	/* the thread's own */
	int64_t head_due_ms;
	int64_t unsynced_since_ms; /* 0: all is on the disk */
	bool checkpointed;
	int64_t prune_due_ms;
};

static void
report(const char *what, int result)
{
	if (result != 0)
		daemon_journal("%s: %s (%s)", what, fail_text(), fail_name(result));
}

/* Waits for something to do, at most until the next thing of its own is due. */
static void
wait_for_work(struct daemon_writer *w)
{
	struct timespec until;
	int64_t ms = store_has_unsynced(w->store) ? SYNC_MS : IDLE_MS;
	int64_t prune_ms = w->prune_due_ms - io_clock_mono_ms();

	if (w->keep_days > 0 && prune_ms < ms)
		ms = prune_ms > 0 ? prune_ms : 0;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (!w->in && !w->head && !w->quit) {
		if (pthread_cond_timedwait(&w->wake, &w->lock, &until) == ETIMEDOUT)
			return;
	}
}

static void
write_head(struct daemon_writer *w, const char *why)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(HEAD_BYTES);
	char copy[HEADS_BYTES];
	int r = store_write_head(w->store, io_clock_wall_ms(), why);

	w->head_due_ms = io_clock_mono_ms() + HEAD_MS;
	report("the audit's head cannot be written", r);
	(void)pthread_mutex_lock(&w->lock);
	memcpy(copy, w->heads, sizeof(copy));
	(void)pthread_mutex_unlock(&w->lock);
	if (r == 0 && copy[0])
		report("the audit's head cannot be written to audit.heads",
			store_copy_head(w->store, copy, io_clock_wall_ms(), why));
	if (r == 0 && a && ARENA_TRY(a))
		daemon_journal_head(store_head(w->store, a), why);
}

/* Drops a part of what is too old. */
static void
prune(struct daemon_writer *w)
{
	int64_t now = io_clock_mono_ms();
	bool more = false;

	(void)pthread_mutex_lock(&w->lock);
	int64_t days = w->keep_days;

	(void)pthread_mutex_unlock(&w->lock);
	if (days == 0 || now < w->prune_due_ms)
		return;
	int64_t wall = io_clock_wall_ms();
	int r =
		store_prune(w->store, wall - days * DAY_MS, PRUNE_ROWS, wall, &more);

	report("old rows of the audit cannot be dropped", r);
	w->prune_due_ms = now + (r == 0 && more ? PRUNE_PAUSE_MS : PRUNE_MS);
	w->checkpointed = w->checkpointed && !more;
}

/* What was committed without a sync gets one in time, and a head is written,
 * however busy it is. */
static void
do_due(struct daemon_writer *w)
{
	int64_t now = io_clock_mono_ms();

	if (now >= w->head_due_ms)
		write_head(w, "hourly");
	if (!store_has_unsynced(w->store)) {
		w->unsynced_since_ms = 0;
	} else if (w->unsynced_since_ms == 0) {
		w->unsynced_since_ms = now;
	} else if (now - w->unsynced_since_ms >= SYNC_MS) {
		report("recorded rows cannot be synced", store_sync(w->store));
		w->unsynced_since_ms = 0;
		w->checkpointed = false;
	}
}

/* Nothing came in for a while. */
static void
rest(struct daemon_writer *w)
{
	if (!store_has_unsynced(w->store) && !w->checkpointed) {
		report("the store's log cannot be moved", store_checkpoint(w->store));
		w->checkpointed = true;
	}
}

/* Commits b and tells the loop. */
static void
commit(struct daemon_writer *w, struct store_batch *b)
{
	int result = store_commit(w->store, b);

	report("cannot record", result);
	w->checkpointed = false;
	(void)pthread_mutex_lock(&w->lock);
	w->out = b;
	w->result = result;
	(void)snprintf(w->why, sizeof(w->why), "%s", fail_text());
	(void)uv_async_send(&w->finished);
	(void)pthread_mutex_unlock(&w->lock);
}

static void *
run(void *data)
{
	struct daemon_writer *w = data;

	(void)pthread_mutex_lock(&w->lock);
	while (!w->quit || w->in || w->head) {
		wait_for_work(w);
		struct store_batch *b = w->in;
		const char *why = w->head;

		w->in = NULL;
		w->head = NULL;
		(void)pthread_mutex_unlock(&w->lock);
		if (b)
			commit(w, b);
		if (why)
			write_head(w, why);
		do_due(w);
		prune(w);
		if (!b && !why)
			rest(w);
		(void)pthread_mutex_lock(&w->lock);
	}
	(void)pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void
take_finished(struct daemon_writer *w)
{
	(void)pthread_mutex_lock(&w->lock);
	struct store_batch *b = w->out;
	int result = w->result;

	if (b && result != 0)
		result = fail_here(result, "%s", w->why);
	w->out = NULL;
	(void)pthread_mutex_unlock(&w->lock);
	if (b)
		w->done(w->data, b, result);
}

static void
on_finished(uv_async_t *async)
{
	take_finished(async->data);
}

int
daemon_writer_new(uv_loop_t *loop, struct store *s, daemon_writer_fn done,
	void *data, struct daemon_writer **ret)
{
	struct daemon_writer *w = calloc(1, sizeof(*w));
	pthread_condattr_t attr;

	CHECK(w);
	w->loop = loop;
	w->store = s;
	w->done = done;
	w->data = data;
	w->head_due_ms = io_clock_mono_ms() + HEAD_MS;
	CHECK(pthread_mutex_init(&w->lock, NULL) == 0);
	CHECK(pthread_condattr_init(&attr) == 0);
	CHECK(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
	CHECK(pthread_cond_init(&w->wake, &attr) == 0);
	CHECK(uv_async_init(loop, &w->finished, on_finished) == 0);
	w->finished.data = w;
	if (pthread_create(&w->thread, NULL, run, w) != 0)
		return fail_here(FAIL_MEMORY, "no thread to write with");
	*ret = w;
	return 0;
}

void
daemon_writer_put(struct daemon_writer *w, struct store_batch *b)
{
	(void)pthread_mutex_lock(&w->lock);
	CHECK(!w->in);
	w->in = b;
	(void)pthread_cond_signal(&w->wake);
	(void)pthread_mutex_unlock(&w->lock);
}

void
daemon_writer_head(struct daemon_writer *w, const char *why)
{
	(void)pthread_mutex_lock(&w->lock);
	w->head = why;
	(void)pthread_cond_signal(&w->wake);
	(void)pthread_mutex_unlock(&w->lock);
}

void
daemon_writer_keep(struct daemon_writer *w, const char *heads, int64_t days)
{
	(void)pthread_mutex_lock(&w->lock);
	(void)snprintf(w->heads, sizeof(w->heads), "%s", heads ? heads : "");
	w->keep_days = days;
	(void)pthread_cond_signal(&w->wake);
	(void)pthread_mutex_unlock(&w->lock);
}

static void
on_closed(uv_handle_t *handle)
{
	struct daemon_writer *w = handle->data;

	w->closed = true;
}

void
daemon_writer_free(struct daemon_writer *w)
{
	if (!w)
		return;
	(void)pthread_mutex_lock(&w->lock);
	w->quit = true;
	(void)pthread_cond_signal(&w->wake);
	(void)pthread_mutex_unlock(&w->lock);
	(void)pthread_join(w->thread, NULL);
	take_finished(w);
	if (w->heads[0])
		report("the audit's head cannot be written to audit.heads",
			store_copy_head(w->store, w->heads, io_clock_wall_ms(), "stop"));
	store_close(w->store, io_clock_wall_ms());
	uv_close((uv_handle_t *)&w->finished, on_closed);
	while (!w->closed)
		(void)uv_run(w->loop, UV_RUN_NOWAIT);
	(void)pthread_cond_destroy(&w->wake);
	(void)pthread_mutex_destroy(&w->lock);
	free(w);
}
