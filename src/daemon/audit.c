/*
 * The audit over HTTP. It may be long, so it is read on a worker, by a reader of
 * its own.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "daemon/routes.h"

enum {
	LIST_BYTES = 256 << 20,
	PART_ROWS = 10000, /* of one answer; the next begins behind its last */
	DEFAULT_ROWS = 100,
	READINGS_MAX = 2,
};

/* A reading, from the request to its answer. */
struct reading {
	struct daemon *daemon;
	uint64_t handle;
	uv_work_t work;
	void (*read)(struct reading *g);

	struct store_reader *reader;
	struct store_filter filter;
	struct buf session, project, tool, head; /* what the filter borrows */
	bool as_lines;
	bool one; /* a row, not a list */

	/* what came of it */
	struct buf out;
	int result;
	char why[256];
	size_t rows;
};

static void
free_reading(struct reading *g)
{
	buf_done(&g->session);
	buf_done(&g->project);
	buf_done(&g->tool);
	buf_done(&g->head);
	buf_done(&g->out);
	free(g);
}

static void
answer(struct reading *g, struct daemon_request *r)
{
	if (g->result != 0)
		daemon_request_fail(r, 503, "cannot_read", "%s", g->why);
	else if (g->out.full)
		daemon_request_fail(r, 413, "too_large",
			"too many rows for one answer: ask for fewer with limit=");
	else if (g->one && g->rows == 0)
		daemon_request_fail(
			r, 404, "no_such_row", "the audit has no row %s", r->id);
	else
		daemon_request_answer(r, 200, buf_str(&g->out),
			g->as_lines ? "application/x-ndjson" : NULL);
}

static void
on_worker(uv_work_t *work)
{
	struct reading *g = work->data;

	g->result = store_reader_open(g->daemon->place.state.ptr, &g->reader);
	if (g->result == 0)
		g->read(g);
	if (g->result != 0)
		(void)snprintf(g->why, sizeof(g->why), "%s", fail_text());
	store_reader_close(g->reader);
}

static void
on_read(uv_work_t *work, int status)
{
	struct reading *g = work->data;
	struct daemon_request *r = daemon_http_find(g->daemon->http, g->handle);

	(void)status;
	g->daemon->at_work--;
	g->daemon->readings--;
	if (r)
		answer(g, r);
	free_reading(g);
}

static struct reading *
new_reading(
	struct daemon *d, struct daemon_request *r, void (*read)(struct reading *g))
{
	struct reading *g = calloc(1, sizeof(*g));

	CHECK(g);
	g->daemon = d;
	g->handle = r->handle;
	g->read = read;
	g->work.data = g;
	buf_init(&g->session, LIMIT_PATH_BYTES);
	buf_init(&g->tool, LIMIT_PATH_BYTES);
	buf_init(&g->project, LIMIT_PATH_BYTES);
	buf_init(&g->head, LIMIT_PATH_BYTES);
	buf_init(&g->out, LIST_BYTES);
	return g;
}

/* Some workers stay free for what agents send. */
static void
begin(struct reading *g)
{
	struct daemon *d = g->daemon;

	if (d->readings == READINGS_MAX) {
		daemon_request_fail(daemon_http_find(d->http, g->handle), 429, "busy",
			"the audit is being read already; try again");
		free_reading(g);
		return;
	}
	d->readings++;
	d->at_work++;
	CHECK(uv_queue_work(&d->loop, &g->work, on_worker, on_read) == 0);
}

/* --- rows ---------------------------------------------------------------------- */

static bool
add_row(void *data, const struct store_audit *row)
{
	struct reading *g = data;

	if (!g->as_lines && g->rows > 0)
		buf_add_char(&g->out, ',');
	store_audit_print(&g->out, row);
	if (g->as_lines)
		buf_add_char(&g->out, '\n');
	g->rows++;
	return !g->out.full;
}

static void
read_rows(struct reading *g)
{
	if (!g->as_lines && !g->one)
		buf_addf(&g->out, "{\"rows\":[");
	g->result = store_read_audit(g->reader, &g->filter, add_row, g);
	if (!g->as_lines && !g->one)
		buf_addf(&g->out, "]}");
	if (!g->as_lines)
		buf_add_char(&g->out, '\n');
}

/* Keeps a text of the query; NULs cannot be in it. */
static struct str
keep(struct buf *b, struct str s)
{
	if (!s.ptr)
		return (struct str){0};
	buf_add(b, s);
	return buf_str(b);
}

/* Those of a query that are one of a few. */
static bool
read_words(struct store_filter *f, struct daemon_request *r)
{
	struct str verdict = daemon_request_query(r, "verdict");
	struct str by = daemon_request_query(r, "by");
	struct str kind = daemon_request_query(r, "kind");

	if (verdict.ptr && !call_verdict_from(verdict, &f->verdict))
		daemon_request_fail(r, 400, "bad_verdict",
			"\"verdict\" is none of allow, ask and deny");
	else if (by.ptr && !call_by_from(by, &f->by))
		daemon_request_fail(r, 400, "bad_decider",
			"nothing and nobody is called so that decides (docs/audit.md)");
	else if (kind.ptr && !store_kind_from(kind, &f->kind))
		daemon_request_fail(
			r, 400, "bad_kind", "no row is of that kind (docs/audit.md)");
	else
		return true;
	return false;
}

/* False when the query is wrong; r is then answered. */
static bool
read_query(struct reading *g, struct daemon_request *r, int64_t rows)
{
	struct store_filter *f = &g->filter;

	f->session = keep(&g->session, daemon_request_query(r, "session"));
	f->project = keep(&g->project, daemon_request_query(r, "project"));
	f->tool = keep(&g->tool, daemon_request_query(r, "tool"));
	f->newest = str_eq(daemon_request_query(r, "newest"), STR("true"));
	if (!daemon_request_number(r, "after", 0, &f->after)
		|| !daemon_request_number(r, "limit", rows, &f->limit)
		|| !daemon_request_number(r, "hearing", 0, &f->hearing)
		|| !daemon_request_number(r, "since", 0, &f->since_ms)
		|| !daemon_request_number(r, "until", 0, &f->until_ms))
		return false;
	if (f->limit == 0 || f->limit > PART_ROWS)
		f->limit = PART_ROWS;
	return read_words(f, r);
}

static void
run_rows(struct daemon *d, struct daemon_request *r, bool as_lines)
{
	struct reading *g;

	if (!daemon_routes_needs_store(d, r))
		return;
	g = new_reading(d, r, read_rows);
	g->as_lines = as_lines;
	if (read_query(g, r, as_lines ? PART_ROWS : DEFAULT_ROWS))
		begin(g);
	else
		free_reading(g);
}

void
daemon_audit_list(struct daemon *d, struct daemon_request *r)
{
	run_rows(d, r, false);
}

void
daemon_audit_export(struct daemon *d, struct daemon_request *r)
{
	run_rows(d, r, true);
}

void
daemon_audit_show(struct daemon *d, struct daemon_request *r)
{
	int64_t number = 0;
	struct reading *g;

	if (!daemon_routes_needs_store(d, r))
		return;
	if (!str_number(str_from(r->id), &number) || number == 0) {
		daemon_request_fail(
			r, 404, "no_such_row", "the audit has no row %s", r->id);
		return;
	}
	g = new_reading(d, r, read_rows);
	g->filter = (struct store_filter){.number = number, .limit = 1};
	g->one = true;
	begin(g);
}

/* --- proof ----------------------------------------------------------------------- */

static void
verify(struct reading *g)
{
	struct store_verified v = {0};

	g->result = store_verify(
		g->reader, g->head.len > 0 ? buf_str(&g->head) : (struct str){0}, &v);
	if (g->result != 0)
		return;
	buf_addf(&g->out,
		"{\"result\":\"%s\",\"rows\":%lld,\"head\":", store_proof_name(v.proof),
		(long long)v.rows);
	buf_add_json(&g->out, str_from(v.head));
	if (v.at != 0)
		buf_addf(&g->out, ",\"at\":%lld", (long long)v.at);
	buf_addf(&g->out,
		",\"since_head\":%s,\"message\":", v.since_head ? "true" : "false");
	buf_add_json(&g->out, str_from(v.message));
	buf_addf(&g->out, "}\n");
}

void
daemon_audit_verify(struct daemon *d, struct daemon_request *r)
{
	struct reading *g;

	if (!daemon_routes_needs_store(d, r))
		return;
	g = new_reading(d, r, verify);
	(void)keep(&g->head, daemon_request_query(r, "head"));
	begin(g);
}
