/*
 * The project's list of sensitive markers: lines of its rules file on the user's
 * side, shown, added and taken out; all else in the file stays as it is.
 */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "daemon/events.h"
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "io/file.h"
#include "wire/json.h"

enum { MARKER_BYTES = 256 };

/* The marker of a line, or absent: `sensitive "customer-data"`. */
static struct str
marker_of(struct str line)
{
	struct str rest = str_trim(line), word = STR("sensitive");

	if (!str_starts(rest, word) || rest.len <= word.len)
		return (struct str){0};
	rest = str_sub(rest, word.len, rest.len);
	if (rest.ptr[0] != ' ' && rest.ptr[0] != '\t')
		return (struct str){0};
	rest = str_trim(rest);
	if (rest.len > 1 && rest.ptr[0] == '"') {
		rest = str_sub(rest, 1, rest.len);
		return str_sub(rest, 0, str_find(rest, STR("\""), 0));
	}
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.ptr[i] == ' ' || rest.ptr[i] == '\t' || rest.ptr[i] == '#')
			return str_sub(rest, 0, i);
	}
	return rest;
}

/* What can stand in quotes as it is. */
static bool
is_marker(struct str s)
{
	if (s.len == 0 || s.len > MARKER_BYTES)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
			return false;
	}
	return true;
}

/* The project's file: its path in a, and its text; false when r is answered. */
static bool
read_file(struct daemon *d, struct daemon_request *r, struct str project,
	const char **ret_path, struct buf *text)
{
	int result;

	if (!daemon_sessions_may_be_root(&d->place, project)
		|| !daemon_rules_project_path(d->rules, d->work, project, ret_path)) {
		daemon_request_fail(
			r, 400, "bad_project", "this folder cannot be a project");
		return false;
	}
	result = io_file_read(*ret_path, text);
	if (result == 0 || result == FAIL_ABSENT)
		return true;
	daemon_request_fail(r, 503, "cannot_read", "%s", fail_text());
	return false;
}

/* --- looking ------------------------------------------------------------------- */

static void
list(struct daemon *d, struct daemon_request *r, struct buf *text,
	struct buf *out)
{
	const char *path = NULL, *comma = "";
	struct str rest, line;

	if (!read_file(d, r, arena_dup(d->work, daemon_request_query(r, "project")),
			&path, text))
		return;
	rest = buf_str(text);
	buf_addf(out, "{\"path\":");
	buf_add_json(out, str_from(path));
	buf_addf(out, ",\"markers\":[");
	while (str_line(&rest, &line)) {
		struct str marker = marker_of(line);

		if (marker.len == 0)
			continue;
		buf_addf(out, "%s", comma);
		buf_add_json(out, marker);
		comma = ",";
	}
	buf_addf(out, "]}\n");
	daemon_request_answer(r, 200, buf_str(out), NULL);
}

void
daemon_sensitive_list(struct daemon *d, struct daemon_request *r)
{
	struct buf text, out;

	buf_init(&text, LIMIT_RULES_BYTES);
	buf_init(&out, (size_t)8 * LIMIT_RULES_BYTES);
	arena_reset(d->work);
	if (ARENA_TRY(d->work))
		list(d, r, &text, &out);
	else
		daemon_request_fail(r, 413, "too_large", "the list is too large");
	arena_done(d->work);
	buf_done(&text);
	buf_done(&out);
}

/* --- changing ------------------------------------------------------------------ */

static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	daemon_events_tell(d, "sensitive", STR("{}")); /* recorded or not */
	if (act->replied == DECIDE_DONE)
		daemon_request_answer(r, 200, STR("{\"result\":\"done\"}\n"), NULL);
	else
		daemon_request_fail(r, 503, decide_replied_name(act->replied),
			"the list was changed, but that could not be recorded: %.*s",
			STR_ARG(act->text));
}

/* Markers: trimmed, without blank ones, each once whatever its letter case. */
struct markers {
	struct str *list;
	size_t count;
};

static bool
has_marker(const struct markers *m, struct str marker)
{
	for (size_t i = 0; i < m->count; i++) {
		if (str_eq_fold(m->list[i], marker))
			return true;
	}
	return false;
}

/* All of the array; false when one cannot be a marker. */
static bool
read_markers(struct daemon *d, const json_t *array, struct markers *ret)
{
	size_t n = json_array_size(array);

	*ret = (struct markers){.list = ARENA_ARRAY(d->work, n + 1, struct str)};
	for (size_t i = 0; i < n; i++) {
		const json_t *j = json_array_get(array, i);
		struct str marker = str_trim(wire_json_text(j));

		if (!json_is_string(j) || (marker.len > 0 && !is_marker(marker)))
			return false;
		if (marker.len > 0 && !has_marker(ret, marker))
			ret->list[ret->count++] = marker;
	}
	return true;
}

static struct str
quoted(struct arena *a, struct str marker)
{
	return arena_fmt(a, "sensitive \"%.*s\"\n", STR_ARG(marker));
}

/* What becomes of the list: one more, one less, or these and no others. */
struct wish {
	struct markers markers;
	bool adds, removes;
};

static bool
is_unwanted(const struct wish *w, struct str marker)
{
	bool named = has_marker(&w->markers, marker);

	if (marker.len == 0 || w->adds)
		return false;
	return w->removes ? named : !named;
}

/* The text as it is wished; false when nothing is different. Lines that stay,
 * stay as they are. */
static bool
change(struct daemon *d, struct str text, const struct wish *w, struct buf *out)
{
	struct markers there = {0};
	struct str rest = text, line;
	bool changed = false;

	there.list = ARENA_ARRAY(d->work, w->markers.count + 1, struct str);
	while (str_line(&rest, &line)) {
		struct str marker = marker_of(line);

		if (is_unwanted(w, marker)) {
			changed = true;
			continue;
		}
		if (has_marker(&w->markers, marker) && !has_marker(&there, marker))
			there.list[there.count++] = marker;
		buf_add(out, line);
		buf_add_char(out, '\n');
	}
	for (size_t i = 0; !w->removes && i < w->markers.count; i++) {
		if (has_marker(&there, w->markers.list[i]))
			continue;
		buf_add(out, quoted(d->work, w->markers.list[i]));
		changed = true;
	}
	return changed && !out->full;
}

/* A file with a fault is not written over: the person is at work in it. */
static bool
is_good(struct daemon *d, struct daemon_request *r, struct str text)
{
	struct policy_faults faults = {0};
	struct policy *p = policy_new();
	bool good = policy_add(
		p, POLICY_LAYER_PROJECT, STR("project"), text, d->work, &faults);

	if (!good)
		daemon_request_fail(r, 409, "faulty_file",
			"the project's rules file has a fault in line %u: %.*s",
			faults.count > 0 ? faults.list[0].line : 0,
			STR_ARG(faults.count > 0 ? faults.list[0].message : STR("?")));
	policy_unref(p);
	return good;
}

static bool
write_file(struct daemon *d, struct daemon_request *r, const char *path,
	struct str text)
{
	const char *folder =
		arena_fmt(d->work, "%.*s/projects", STR_ARG(d->place.config)).ptr;

	if (io_file_make_folder(folder) == 0
		&& io_file_replace(path, text, 0600) == 0)
		return true;
	daemon_request_fail(r, 503, "cannot_write", "%s", fail_text());
	return false;
}

static void
record(struct daemon *d, struct daemon_request *r, struct str project,
	const struct wish *w)
{
	struct decide_who who = daemon_person_who(d, d->work, r);
	struct store_audit row = {
		.kind = STORE_KIND_SETTING,
		.reason = arena_fmt(d->work, "sensitive list of project %.*s: %s",
			STR_ARG(str_sub(project, 0, LIMIT_PATH_BYTES)),
			w->adds          ? "one more"
				: w->removes ? "one less"
							 : "a new one"),
		.source = STR("user"),
		.who = who.name,
		.level = who.level,
		.ancestry = who.ancestry,
	};

	daemon_routes_wait(r, on_replied);
	decide_record(d->decide, &row, r->handle, io_clock_wall_ms());
}

/* The project's file as it is, and as it shall be. */
struct texts {
	struct buf old, next;
};

/* False when the body says nothing that can be done; r is then answered. */
static bool
read_wish(struct daemon *d, struct daemon_request *r, const json_t *body,
	struct wish *ret)
{
	const json_t *all = wire_json_get(body, "markers");
	struct str marker;

	*ret = (struct wish){
		.adds = !all && wire_json_get(body, "add"),
		.removes = !all && !wire_json_get(body, "add"),
	};
	marker = str_trim(wire_json_str(body, ret->adds ? "add" : "remove"));
	if (json_is_array(all) && read_markers(d, all, &ret->markers))
		return true;
	if (!all && is_marker(marker)) {
		ret->markers.list = ARENA_ARRAY(d->work, 1, struct str);
		ret->markers.list[ret->markers.count++] = marker;
		return true;
	}
	daemon_request_fail(r, 400, "bad_marker",
		"the body is {\"project\": root, \"add\" or \"remove\": marker, or "
		"\"markers\": [all of them]}; a marker is a text of 256 bytes at most "
		"without quotes, backslashes and controls");
	return false;
}

static void
set(struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	struct buf *text = &((struct texts *)data)->old;
	struct buf *out = &((struct texts *)data)->next;
	struct str project = arena_dup(d->work, wire_json_str(body, "project"));
	struct wish wish;
	const char *path = NULL;

	if (!read_wish(d, r, body, &wish) || !read_file(d, r, project, &path, text))
		return;
	if (!change(d, buf_str(text), &wish, out)) {
		if (!wish.removes && !out->full)
			daemon_request_answer(r, 200, STR("{\"result\":\"done\"}\n"), NULL);
		else
			daemon_request_fail(r, out->full ? 413 : 404,
				out->full ? "too_large" : "no_such_marker",
				"the project's list does not have it, or is full");
		return;
	}
	if (is_good(d, r, buf_str(out)) && write_file(d, r, path, buf_str(out)))
		record(d, r, project, &wish);
}

void
daemon_sensitive_run(struct daemon *d, struct daemon_request *r)
{
	struct texts t;

	buf_init(&t.old, LIMIT_RULES_BYTES);
	buf_init(&t.next, LIMIT_RULES_BYTES);
	daemon_routes_read(d, r, set, &t);
	buf_done(&t.old);
	buf_done(&t.next);
}
