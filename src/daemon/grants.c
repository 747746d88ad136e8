/*
 * What people answered "always" to: listed, and taken back.
 */
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"

enum { LIST_BYTES = 64 << 20 };

/* --- looking ------------------------------------------------------------------- */

static void
add_text(struct buf *b, const char *name, struct str value)
{
	buf_addf(b, ",\"%s\":", name);
	buf_add_json(b, value);
}

void
daemon_grants_list(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(buf_done) struct buf b;
	struct str project = daemon_request_query(r, "project");
	struct store_grant g;
	const char *comma = "";

	if (!daemon_routes_needs_store(d, r))
		return;
	buf_init(&b, LIST_BYTES);
	buf_addf(&b, "{\"grants\":[");
	for (size_t i = 0; decide_grant_get(d->decide, i, &g); i++) {
		if (project.len > 0 && !str_eq(g.project, project))
			continue;
		buf_addf(&b, "%s{\"number\":%lld", comma, (long long)g.number);
		add_text(&b, "project", g.project);
		add_text(&b, "action", g.action);
		add_text(&b, "resource", g.resource);
		buf_addf(&b, ",\"exact\":%s,\"hearing\":%lld,\"time_ms\":%lld}",
			g.exact ? "true" : "false", (long long)g.hearing,
			(long long)g.time_ms);
		comma = ",";
	}
	buf_addf(&b, "]}\n");
	if (b.full)
		daemon_request_fail(r, 503, "too_many", "too many grants to list");
	else
		daemon_request_answer(r, 200, buf_str(&b), NULL);
}

/* --- taking back ----------------------------------------------------------------- */

static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	(void)d;
	if (act->replied == DECIDE_DONE)
		daemon_request_answer(r, 200, STR("{\"result\":\"done\"}\n"), NULL);
	else
		daemon_request_fail(r, act->replied == DECIDE_ABSENT ? 404 : 503,
			act->replied == DECIDE_ABSENT ? "no_such_grant"
										  : decide_replied_name(act->replied),
			"%.*s", STR_ARG(act->text));
}

/* Number 0: all of the project. */
static void
take_back(struct daemon *d, struct daemon_request *r, int64_t number,
	struct str project)
{
	struct decide_who who;

	arena_reset(d->work);
	if (ARENA_TRY(d->work)) {
		who = daemon_person_who(d, d->work, r);
		project = arena_dup(d->work, project);
		daemon_routes_wait(r, on_replied);
		decide_grant_remove(
			d->decide, number, project, &who, r->handle, io_clock_wall_ms());
	} else {
		daemon_request_fail(r, 413, "too_large", "the project is too large");
	}
	arena_done(d->work);
}

void
daemon_grants_remove(struct daemon *d, struct daemon_request *r)
{
	int64_t number = 0;

	if (!daemon_routes_needs_store(d, r))
		return;
	if (!str_number(str_from(r->id), &number) || number <= 0)
		daemon_request_fail(
			r, 404, "no_such_grant", "grants are called by their number");
	else
		take_back(d, r, number, (struct str){0});
}

void
daemon_grants_clear(struct daemon *d, struct daemon_request *r)
{
	struct wire_json_error e;
	json_t *body;

	if (!daemon_routes_needs_store(d, r))
		return;
	body = wire_json_parse(buf_str(&r->body), &e);
	if (wire_json_str(body, "project").len == 0)
		daemon_request_fail(r, 400, "bad_project",
			"the body is {\"project\": its root}, whose grants are all taken "
			"back");
	else
		take_back(d, r, 0, wire_json_str(body, "project"));
	json_decref(body);
}
