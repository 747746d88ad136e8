/*
 * Mode and tier, as people set them: GET and POST /v1/settings.
 */
#include "daemon/hearing.h"
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"
#include "wire/sha256.h"

enum { SHOW_BYTES = 1 << 20 };

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

static void
set(struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	(void)data;
	struct store_setting s = {
		.key = wire_json_str(body, "key"),
		.name = wire_json_str(body, "name"),
		.value = wire_json_str(body, "value"),
	};
	const json_t *value = wire_json_get(body, "value");
	struct decide_who who;

	if (!store_scope_from(wire_json_str(body, "scope"), &s.scope)
		|| s.name.len == 0 || str_eq(s.name, STR("trust"))
		|| (value && !json_is_string(value) && !json_is_null(value))) {
		daemon_request_fail(r, 400, "bad_setting",
			"the body is {\"scope\": \"global\", \"project\", \"session\" or "
			"\"turn\", \"key\"?: root or session, \"name\": \"mode\" or "
			"\"tier\", \"value\": text, or null to take it back}");
		return;
	}
	who = daemon_person_who(d, d->work, r);
	daemon_routes_wait(r, on_replied);
	decide_set(d->decide, &s, &who, r->handle, io_clock_wall_ms());
}

struct str
daemon_settings_trust(void *data, struct str root)
{
	const struct daemon *d = data;
	struct store_setting s;

	for (size_t i = 0; d->decide && decide_setting_get(d->decide, i, &s); i++) {
		if (s.scope == STORE_SCOPE_PROJECT && str_eq(s.name, STR("trust"))
			&& str_eq(s.key, root))
			return s.value;
	}
	return (struct str){0};
}

/* --- looking ------------------------------------------------------------------- */

static void
add_text(struct buf *b, const char *name, struct str value)
{
	buf_addf(b, "\"%s\":", name);
	buf_add_json(b, value);
}

/* What is set for this session, this project and all. */
static void
add_layers(struct buf *b, const struct daemon *d, struct str session,
	struct str project)
{
	struct store_setting s;
	const char *comma = "";

	buf_addf(b, ",\"settings\":[");
	for (size_t i = 0; decide_setting_get(d->decide, i, &s); i++) {
		struct str key = s.scope == STORE_SCOPE_GLOBAL ? s.key
			: s.scope == STORE_SCOPE_PROJECT           ? project
													   : session;

		if (s.scope != STORE_SCOPE_GLOBAL && !str_eq(s.key, key))
			continue;
		buf_addf(b, "%s{", comma);
		add_text(b, "scope", str_from(store_scope_name(s.scope)));
		buf_add_char(b, ',');
		add_text(b, "name", s.name);
		buf_add_char(b, ',');
		add_text(b, "value", s.value);
		buf_add_char(b, '}');
		comma = ",";
	}
	buf_add_char(b, ']');
}

static void
show(struct daemon *d, struct daemon_request *r, struct buf *b)
{
	struct str session = daemon_request_query(r, "session");
	struct str project = daemon_request_query(r, "project");
	struct daemon_rules_now now = daemon_rules_get(d->rules, project);
	struct order_settings of_files =
		daemon_hearing_settings(d, now.policy, false);
	struct order_settings s = of_files;

	decide_settings(d->decide, session, project, &s);
	buf_add_char(b, '{');
	add_text(b, "mode", str_from(call_mode_name(s.mode)));
	buf_add_char(b, ',');
	add_text(b, "tier", str_from(call_tier_name(s.tier)));
	buf_addf(b, ",\"files\":{");
	add_text(b, "mode", str_from(call_mode_name(of_files.mode)));
	buf_add_char(b, ',');
	add_text(b, "tier", str_from(call_tier_name(of_files.tier)));
	buf_add_char(b, '}');
	add_layers(b, d, session, project);
	buf_addf(b, "}\n");
}

void
daemon_settings_show(struct daemon *d, struct daemon_request *r)
{
	CLEANUP(buf_done) struct buf b;

	if (!daemon_routes_needs_store(d, r))
		return;
	buf_init(&b, SHOW_BYTES);
	show(d, r, &b);
	if (b.full)
		daemon_request_fail(r, 503, "too_large", "too many settings to show");
	else
		daemon_request_answer(r, 200, buf_str(&b), NULL);
}

/* --- setting ------------------------------------------------------------------- */

static void
set_trust(
	struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	(void)data;
	const json_t *text = wire_json_get(body, "text");
	char digest[WIRE_SHA256_HEX + 1];
	struct store_setting s = {
		.scope = STORE_SCOPE_PROJECT,
		.key = wire_json_str(body, "project"),
		.name = STR("trust"),
	};
	struct decide_who who;

	if (s.key.len == 0 || !text
		|| (!json_is_string(text) && !json_is_null(text))) {
		daemon_request_fail(r, 400, "bad_trust",
			"the body is {\"project\": root, \"text\": what .assent/rules.conf "
			"holds, or null to trust it no more}");
		return;
	}
	if (json_is_string(text)) {
		wire_sha256_text(wire_json_text(text), digest);
		s.value = str_from(digest);
	}
	who = daemon_person_who(d, d->work, r);
	daemon_routes_wait(r, on_replied);
	decide_set(d->decide, &s, &who, r->handle, io_clock_wall_ms());
}

void
daemon_settings_run(struct daemon *d, struct daemon_request *r)
{
	daemon_routes_read(d, r, set, NULL);
}

void
daemon_trust_run(struct daemon *d, struct daemon_request *r)
{
	daemon_routes_read(d, r, set_trust, NULL);
}
