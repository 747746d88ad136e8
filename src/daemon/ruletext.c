/*
 * Rules files as texts: GET and POST /v1/rules. What is saved is whole and
 * faultless, and only over the text that the person has seen.
 */
#include <limits.h>
#include <stdlib.h>

#include "base/limits.h"
#include "daemon/events.h"
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "io/file.h"
#include "wire/json.h"
#include "wire/sha256.h"

enum { SHOW_BYTES = 8 * LIMIT_RULES_BYTES };

/* One file: which, and what is in it. */
struct rule_text {
	enum policy_layer layer;
	const char *path;
	bool there;
	struct buf text;
	char revision[WIRE_SHA256_HEX + 1];
};

/* Which file is meant; false when there is no such one, and r is answered. */
static bool
find_file(struct daemon *d, struct daemon_request *r, struct str layer,
	struct str project, struct rule_text *f)
{
	bool is_root = daemon_sessions_may_be_root(&d->place, project);
	bool found = policy_layer_from(layer, &f->layer);
	struct arena *a = d->work;

	f->path = NULL;
	if (found && f->layer == POLICY_LAYER_USER)
		f->path =
			arena_fmt(a, "%.*s/assent.conf", STR_ARG(d->place.config)).ptr;
	else if (found && f->layer == POLICY_LAYER_ENFORCED)
		f->path = arena_cstr(a, d->place.admin);
	else if (found && f->layer == POLICY_LAYER_WORKSPACE && is_root)
		f->path = arena_fmt(a, "%.*s/.assent/rules.conf", STR_ARG(project)).ptr;
	else if (found && f->layer == POLICY_LAYER_PROJECT && is_root)
		found = daemon_rules_project_path(d->rules, a, project, &f->path);
	if (found && f->path)
		return true;
	daemon_request_fail(r, 400, "bad_layer",
		"layer is user, project, workspace or enforced; project and workspace "
		"need \"project\": the root of a workspace");
	return false;
}

/* Its text and revision; false when it cannot be read, and r is answered. */
static bool
read_file(struct daemon_request *r, struct rule_text *f)
{
	struct wire_sha256 h;
	int result = io_file_read(f->path, &f->text);

	if (result != 0 && result != FAIL_ABSENT) {
		daemon_request_fail(r, 503, "cannot_read", "%s", fail_text());
		return false;
	}
	f->there = result == 0;
	/* no file and an empty one are two things */
	wire_sha256_init(&h);
	wire_sha256_add(&h, f->there ? STR("there\n") : STR("absent\n"));
	wire_sha256_add(&h, buf_str(&f->text));
	wire_sha256_hex(&h, f->revision);
	return true;
}

static void
add_faults(struct buf *b, const struct policy_faults *faults)
{
	buf_addf(b, ",\"faults\":[");
	for (size_t i = 0; i < faults->count; i++) {
		const struct policy_fault *f = &faults->list[i];

		buf_addf(b,
			"%s{\"line\":%u,\"column\":%u,\"message\":", i > 0 ? "," : "",
			f->line, f->column);
		buf_add_json(b, f->message);
		if (f->suggestion.ptr) {
			buf_addf(b, ",\"suggestion\":");
			buf_add_json(b, f->suggestion);
		}
		buf_add_char(b, '}');
	}
	buf_add_char(b, ']');
}

/* True when the text is rules of this layer, all of it. */
static bool
is_good(struct daemon *d, const struct rule_text *f, struct str text,
	struct policy_faults *faults)
{
	struct policy *p = policy_new();
	bool good = p
		&& policy_add(
			p, f->layer, str_base(str_from(f->path)), text, d->work, faults);

	policy_unref(p);
	return good;
}

/* --- looking ------------------------------------------------------------------- */

static void
show(struct daemon *d, struct daemon_request *r, struct rule_text *f,
	struct buf *out)
{
	struct policy_faults faults = {0};
	struct str layer = daemon_request_query(r, "layer");

	if (!find_file(d, r, layer.len > 0 ? layer : STR("user"),
			arena_dup(d->work, daemon_request_query(r, "project")), f)
		|| !read_file(r, f))
		return;
	(void)!is_good(d, f, buf_str(&f->text), &faults);
	buf_addf(out, "{\"layer\":\"%s\",\"path\":", policy_layer_name(f->layer));
	buf_add_json(out, str_from(f->path));
	buf_addf(out, ",\"there\":%s,\"revision\":\"%s\",\"text\":",
		f->there ? "true" : "false", f->revision);
	buf_add_json(out, buf_str(&f->text));
	add_faults(out, &faults);
	buf_addf(out, "}\n");
	if (out->full)
		daemon_request_fail(r, 413, "too_large", "the file is too large");
	else
		daemon_request_answer(r, 200, buf_str(out), NULL);
}

void
daemon_ruletext_show(struct daemon *d, struct daemon_request *r)
{
	struct rule_text f = {0};
	struct buf out;

	buf_init(&f.text, LIMIT_RULES_BYTES);
	buf_init(&out, SHOW_BYTES);
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		show(d, r, &f, &out);
	else
		daemon_request_fail(r, 413, "too_large", "the file is too large");
	arena_done(d->work);
	buf_done(&f.text);
	buf_done(&out);
}

/* --- saving -------------------------------------------------------------------- */

static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	daemon_events_tell(d, "rules", STR("{}")); /* recorded or not */
	if (act->replied == DECIDE_DONE)
		daemon_request_answer(r, 200, STR("{\"result\":\"done\"}\n"), NULL);
	else
		daemon_request_fail(r, 503, decide_replied_name(act->replied),
			"the file was saved, but that could not be recorded: %.*s",
			STR_ARG(act->text));
}

static void
refuse_faulty(struct daemon_request *r, const struct policy_faults *faults)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, SHOW_BYTES);
	buf_addf(&b,
		"{\"error\":{\"code\":\"faulty_rules\",\"message\":"
		"\"the text has faults; nothing was saved\"}");
	add_faults(&b, faults);
	buf_addf(&b, "}\n");
	daemon_request_answer(r, 400, buf_str(&b), NULL);
}

/* A link stays one: what it names is written. */
static bool
write_file(struct daemon_request *r, const struct rule_text *f, struct str text)
{
	char real[PATH_MAX];
	struct str folder = str_sub(str_from(f->path), 0,
		str_from(f->path).len - str_base(str_from(f->path)).len - 1);
	const char *path = realpath(f->path, real) ? real : f->path;
	char parent[PATH_MAX];

	(void)snprintf(parent, sizeof(parent), "%.*s", STR_ARG(folder));
	if (io_file_make_folder(parent) == 0
		&& io_file_replace(path, text, 0600) == 0)
		return true;
	daemon_request_fail(r, 503, "cannot_write", "%s", fail_text());
	return false;
}

static void
record(struct daemon *d, struct daemon_request *r, const struct rule_text *f)
{
	struct decide_who who = daemon_person_who(d, d->work, r);
	struct store_audit row = {
		.kind = STORE_KIND_SETTING,
		.reason = arena_fmt(d->work, "rules saved: %s", f->path),
		.source = STR("user"),
		.who = who.name,
		.level = who.level,
		.ancestry = who.ancestry,
	};

	daemon_routes_wait(r, on_replied);
	decide_record(d->decide, &row, r->handle, io_clock_wall_ms());
}

static void
save(struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	struct rule_text *f = data;
	struct policy_faults faults = {0};
	const json_t *text = wire_json_get(body, "text");

	if (!text || !json_is_string(text)
		|| wire_json_str(body, "revision").len == 0) {
		daemon_request_fail(r, 400, "bad_rules",
			"the body is {\"layer\": \"user\" or \"project\", \"project\"?: "
			"root, \"text\", \"revision\": of the text that was seen}");
		return;
	}
	if (!find_file(d, r, wire_json_str(body, "layer"),
			arena_dup(d->work, wire_json_str(body, "project")), f))
		return;
	if (f->layer != POLICY_LAYER_USER && f->layer != POLICY_LAYER_PROJECT) {
		daemon_request_fail(r, 403, "not_yours",
			"only the user's and the project's own rules are saved here");
		return;
	}
	if (!read_file(r, f))
		return;
	if (!str_eq(wire_json_str(body, "revision"), str_from(f->revision)))
		daemon_request_fail(r, 409, "stale_revision",
			"the file was changed by somebody else; look at it again");
	else if (!is_good(d, f, wire_json_text(text), &faults))
		refuse_faulty(r, &faults);
	else if (write_file(r, f, wire_json_text(text)))
		record(d, r, f);
}

void
daemon_ruletext_save(struct daemon *d, struct daemon_request *r)
{
	struct rule_text f = {0};

	buf_init(&f.text, LIMIT_RULES_BYTES);
	daemon_routes_read(d, r, save, &f);
	buf_done(&f.text);
}
