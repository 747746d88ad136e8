/*
 * Mode and tier, as people set them: POST /v1/settings.
 */
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"

static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	(void)d;
	if (act->replied == DECIDE_DONE)
		daemon_request_answer(r, 200, STR("{\"result\":\"done\"}\n"), NULL);
	else
		daemon_request_fail(r, act->replied == DECIDE_BAD_VALUE ? 400 : 503,
			decide_replied_name(act->replied), "%.*s", STR_ARG(act->text));
}

static bool
scope_from(struct str s, enum store_scope *ret)
{
#define X(name, text) text,
	static const char *const names[] = { STORE_SCOPES(X) };
#undef X

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (str_eq(s, str_from(names[i]))) {
			*ret = (enum store_scope)i;
			return true;
		}
	}
	return false;
}

static void
set(struct daemon *d, struct daemon_request *r, const json_t *body)
{
	struct store_setting s = {
		.key = wire_json_str(body, "key"),
		.name = wire_json_str(body, "name"),
		.value = wire_json_str(body, "value"),
	};
	struct decide_who who;

	if (!scope_from(wire_json_str(body, "scope"), &s.scope)
		|| s.name.len == 0) {
		daemon_request_fail(r, 400, "bad_setting",
			"the body is {\"scope\": \"global\", \"project\" or \"session\", "
			"\"key\"?: root or session, \"name\": \"mode\" or \"tier\", "
			"\"value\": text, or absent to take it back}");
		return;
	}
	who = daemon_person_who(d, d->work, r);
	daemon_routes_wait(r, on_replied);
	decide_set(d->decide, &s, &who, r->handle, io_clock_wall_ms());
}

void
daemon_settings_run(struct daemon *d, struct daemon_request *r)
{
	struct wire_json_error e;
	json_t *body;

	if (!daemon_routes_needs_store(d, r))
		return;
	body = wire_json_parse(buf_str(&r->body), &e);
	if (!body) {
		daemon_request_fail(r, 400, "bad_json", "%s", e.message);
		return;
	}
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		set(d, r, body);
	else
		daemon_request_fail(r, 413, "too_large", "the setting is too large");
	arena_done(d->work);
	json_decref(body);
}
