#include "daemon/open.h"

#include <stdio.h>

#include "daemon/journal.h"
#include "io/clock.h"

static void
on_committed(void *data, struct store_batch *b, int result)
{
	struct daemon *d = data;

	if (result != 0) {
		d->failed_ms = io_clock_mono_ms();
		(void)snprintf(d->failure, sizeof(d->failure), "%s", fail_text());
	}
	decide_committed(d->decide, b, result, io_clock_wall_ms());
}

static int
undo(struct daemon *d, int result)
{
	(void)snprintf(d->no_store, sizeof(d->no_store), "%s (%s)", fail_text(),
		fail_name(result));
	return result;
}

/* A row that says that this daemon has begun. */
static void
record_start(struct daemon *d, const struct store_opened *o)
{
	struct store_audit row = {
		.kind = STORE_KIND_START,
		.reason = o->message[0] ? str_from(o->message) : STR("started"),
	};

	decide_record(d->decide, &row, 0, io_clock_wall_ms());
}

int
daemon_open(struct daemon *d)
{
	struct store *store = NULL;
	struct store_opened opened = {0};
	int64_t now = io_clock_wall_ms();
	int r = store_open(d->place.state.ptr, now, &store, &opened);

	if (r != 0)
		return undo(d, r);
	r = store_reader_open(d->place.state.ptr, &d->reader);
	if (r == 0)
		r = decide_new(d->reader, &opened, now, &d->decide);
	if (r == 0)
		r = daemon_writer_new(&d->loop, store, on_committed, d, &d->writer);
	if (r != 0) {
		(void)undo(d, r);
		decide_free(d->decide);
		store_reader_close(d->reader);
		store_close(store, now);
		d->decide = NULL;
		d->reader = NULL;
		return r;
	}
	if (opened.message[0])
		daemon_journal("store: %s", opened.message);
	d->no_store[0] = '\0';
	record_start(d, &opened);
	return 0;
}

void
daemon_open_undo(struct daemon *d)
{
	daemon_writer_free(d->writer);
	decide_free(d->decide);
	store_reader_close(d->reader);
	d->writer = NULL;
	d->decide = NULL;
	d->reader = NULL;
}
