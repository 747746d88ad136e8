#include "cli/cursor.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/person.h"
#include "cli/settings.h"
#include "wire/edit.h"
#include "wire/json.h"

enum { LINE_BYTES = 32768 };

static const struct adapter_agent *
cursor(void)
{
	const struct adapter_agent *agent = adapter_agent_find(STR("cursor"));

	CHECK(agent);
	return agent;
}

/* --- what is written ------------------------------------------------------- */

/* Cursor runs a line of shell. failClosed: it blocks what the line does not
 * answer. */
static struct str
make_hook(struct arena *a, const struct cli_cursor_form *form,
	const struct adapter_event *event)
{
	const struct io_place *p = form->place;
	const struct str words[] = {
		form->program,
		STR("hook"),
		STR("cursor"),
		str_from(event->name),
		STR("--config"),
		p->config,
		STR("--state"),
		p->state,
		STR("--socket"),
		p->socket,
		STR("--deadline"),
		arena_fmt(a, "%u", event->deadline_s),
		STR("--home"),
		p->home,
	};
	size_t count = ARRAY_LEN(words) - (p->other_home ? 0 : 2);
	CLEANUP(buf_done) struct buf line = {0};
	CLEANUP(buf_done) struct buf hook = {0};

	buf_init(&line, LINE_BYTES);
	buf_init(&hook, 2 * (size_t)LINE_BYTES);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_add_char(&line, ' ');
		cli_shell_word_add(&line, words[i]);
	}
	buf_addf(&hook, "{\"command\":");
	buf_add_json(&hook, buf_str(&line));
	buf_addf(&hook, ",\"timeout\":%u%s}", event->timeout_s,
		event->decides ? ",\"failClosed\":true" : "");
	return arena_dup(a, buf_str(&hook));
}

/* --- what is found --------------------------------------------------------- */

static bool
is_hooks(struct arena *a, struct str text, struct str *ret_why)
{
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(text, &e);
	json_t *hooks = wire_json_get(top, "hooks"), *list;
	const char *name;

	if (!top) {
		*ret_why = arena_fmt(a, "it is %s", e.message);
		return false;
	}
	if (!json_is_object(top) || (hooks && !json_is_object(hooks))) {
		*ret_why = STR("it is no object with \"hooks\"");
		return false;
	}
	json_object_foreach (hooks, name, list) {
		if (!json_is_array(list)) {
			*ret_why = arena_fmt(a, "its hooks.%s is not a list", name);
			return false;
		}
	}
	return true;
}

/* "assent", perhaps quoted, then "hook cursor". */
static bool
is_ours(struct str text, const struct wire_edit_node *hook)
{
	struct wire_json_error e;
	WIRE_JSON json_t *j = wire_json_parse(wire_edit_source(text, hook), &e);
	struct str line = wire_json_str(j, "command");

	return str_has(line, STR("assent' 'hook' 'cursor'"))
		|| str_has(line, STR("assent hook cursor"));
}

static struct wire_edit_node *
find_ours(struct str text, struct wire_edit_node *event)
{
	for (struct wire_edit_node *h = event ? event->first : NULL; h;
		 h = h->next) {
		if (is_ours(text, h))
			return h;
	}
	return NULL;
}

struct str
cli_cursor_stranger(struct arena *a, struct str text)
{
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct wire_edit_node *hooks = wire_edit_member(top, STR("hooks"));

	for (struct wire_edit_node *e = hooks ? hooks->first : NULL; e;
		 e = e->next) {
		const struct adapter_event *event =
			adapter_event_find(cursor(), e->key);

		if (!event || event->elsewhere || event->meaning == ADAPTER_OUTCOME)
			return arena_dup(a, e->key);
	}
	return (struct str){0};
}

/* --- taking out ------------------------------------------------------------ */

/* Takes one of our hooks out, and what is then empty around it. */
static bool
remove_one(struct arena *a, struct str text, struct str *ret)
{
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct wire_edit_node *hooks = wire_edit_member(top, STR("hooks"));

	for (struct wire_edit_node *e = hooks ? hooks->first : NULL; e;
		 e = e->next) {
		struct wire_edit_node *hook = find_ours(text, e);

		if (!hook)
			continue;
		*ret = e->first->next    ? wire_edit_remove(a, text, e, hook)
			: hooks->first->next ? wire_edit_remove(a, text, hooks, e)
								 : wire_edit_remove(a, text, top, hooks);
		return true;
	}
	return false;
}

bool
cli_cursor_remove(
	struct arena *a, struct str text, struct str *ret_text, struct str *ret_why)
{
	if (!is_hooks(a, text, ret_why))
		return false;
	while (remove_one(a, text, &text))
		;
	*ret_text = text;
	return is_hooks(a, text, ret_why);
}

/* --- putting in ------------------------------------------------------------ */

static struct str
put(struct arena *a, struct str text, struct str name, struct str hook)
{
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct wire_edit_node *hooks = wire_edit_member(top, STR("hooks"));
	struct wire_edit_node *event = hooks ? wire_edit_member(hooks, name) : NULL;
	struct wire_edit_node *ours = find_ours(text, event);

	if (!hooks)
		return wire_edit_add_member(a, text, top, STR("hooks"),
			arena_fmt(a, "{\"%.*s\":[%.*s]}", STR_ARG(name), STR_ARG(hook)));
	if (!event)
		return wire_edit_add_member(
			a, text, hooks, name, arena_fmt(a, "[%.*s]", STR_ARG(hook)));
	if (!ours)
		return wire_edit_add_element(a, text, event, hook);
	struct wire_json_error e;
	WIRE_JSON json_t *there = wire_json_parse(wire_edit_source(text, ours), &e);
	WIRE_JSON json_t *want = wire_json_parse(hook, &e);

	return json_equal(there, want) ? text
								   : wire_edit_replace(a, text, ours, hook);
}

bool
cli_cursor_add(struct arena *a, struct str text,
	const struct cli_cursor_form *form, struct str *ret_text,
	struct str *ret_why)
{
	const struct adapter_agent *agent = cursor();

	if (str_trim(text).len == 0)
		text = STR("{\n  \"version\": 1,\n  \"hooks\": {}\n}\n");
	if (!is_hooks(a, text, ret_why))
		return false;
	for (size_t i = 0; i < agent->event_count; i++) {
		const struct adapter_event *e = &agent->events[i];

		if (e->installed)
			text = put(a, text, str_from(e->name), make_hook(a, form, e));
	}
	*ret_text = text;
	return is_hooks(a, text, ret_why);
}

/* --- the commands ----------------------------------------------------------- */

/* The file, read. False: said what is wrong, and *ret_code is the exit code. */
static bool
begin(struct cli *c, struct io_place *p, struct cli_settings *s, int *ret_code)
{
	char cwd[PATH_MAX];
	struct str why = {0}, path;

	if (!cli_settings_scope(c, &s->scope)) {
		*ret_code = CLI_USAGE;
	} else if (s->scope == CLI_SCOPE_LOCAL) {
		*ret_code = cli_usage(c, "Cursor has --user and --project only");
	} else if (io_place_find(c->arena, &c->places, true, p) != 0) {
		*ret_code = cli_fail(c, "%s", fail_text());
	} else if (!cli_has(c, "dry-run") && !cli_person_here(c, p, &why)) {
		*ret_code = cli_fail(c, "%.*s", STR_ARG(why));
	} else if (s->scope == CLI_SCOPE_PROJECT && !getcwd(cwd, sizeof(cwd))) {
		*ret_code = cli_fail(c, "the working folder is gone");
	} else {
		path = arena_fmt(c->arena, "%.*s/.cursor/hooks.json",
			STR_ARG(s->scope == CLI_SCOPE_PROJECT ? str_from(cwd) : p->home));
		if (cli_settings_read_at(c, path, s, &why))
			return true;
		*ret_code = cli_fail(c, "%.*s", STR_ARG(why));
	}
	return false;
}

int
cli_cursor_install(struct cli *c)
{
	struct io_place p;
	struct cli_settings s = {0};
	struct cli_cursor_form form = {.place = &p};
	struct str text, stranger, why = {0};
	int code = CLI_FAILURE;

	if (!begin(c, &p, &s, &code))
		return code;
	form.program = arena_fmt(c->arena, "%.*s/assent", STR_ARG(p.exe_folder));
	if (access(form.program.ptr, X_OK) != 0)
		return cli_fail(
			c, "%s is not there: the hook could not be run", form.program.ptr);
	if (!cli_cursor_add(c->arena, s.text, &form, &text, &why))
		return cli_fail(c,
			"%s cannot be changed with care: %.*s. Nothing was written",
			s.path.ptr, STR_ARG(why));
	stranger = cli_cursor_stranger(c->arena, text);
	if (stranger.ptr)
		(void)printf("%s names the event \"%.*s\". If this Cursor does not "
					 "know it, it skips every hook of the file, ours too.\n",
			s.path.ptr, STR_ARG(cli_show(c->arena, stranger)));
	if (s.exists && str_eq(text, s.text)) {
		(void)printf(
			"%s: all hooks are there already. Nothing to do.\n", s.path.ptr);
		return CLI_OK;
	}
	return cli_settings_change(c, &s, text,
		"Connected. Cursor reads its hooks when it starts: start it anew. For "
		"your own models\nbehind a gateway, `assent proxy cursor` does more.");
}

int
cli_cursor_uninstall(struct cli *c)
{
	struct io_place p;
	struct cli_settings s = {0};
	struct str text, why = {0};
	int code = CLI_FAILURE;

	if (!begin(c, &p, &s, &code))
		return code;
	if (s.exists && !cli_cursor_remove(c->arena, s.text, &text, &why))
		return cli_fail(c,
			"%s cannot be changed with care: %.*s. Nothing was written",
			s.path.ptr, STR_ARG(why));
	if (!s.exists || str_eq(text, s.text)) {
		(void)printf(
			"%s: no hook of assent's is there. Nothing to do.\n", s.path.ptr);
		return CLI_OK;
	}
	return cli_settings_change(c, &s, text,
		"Taken out. A Cursor that already runs keeps its hooks until it ends.");
}
