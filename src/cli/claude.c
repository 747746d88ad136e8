#include "cli/claude.h"

#include <string.h>

#include "base/buf.h"
#include "cli/found.h"
#include "wire/edit.h"
#include "wire/json.h"

enum { LINE_MAX_BYTES = 32768 };

/* --- what is written ------------------------------------------------------- */

static void
add_text(json_t *list, struct str s)
{
	(void)json_array_append_new(list, json_stringn(s.ptr, s.len));
}

/* hook claude-code EVENT --config C --state S --socket K --deadline N, and
 * --home where the hook would take another folder for it */
static json_t *
make_args(struct arena *a, const struct cli_claude_form *form,
	const struct adapter_event *event)
{
	const struct io_place *p = form->place;
	const struct str words[] = {
		STR("hook"),
		STR("claude-code"),
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
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		add_text(list, words[i]);
	return list;
}

/*
 * The same as a shell line, for versions without a fail-closed switch: a
 * missing program, a crash, every end but 0 is a refusal with a reason.
 */
static json_t *
make_line(const struct cli_claude_form *form, const json_t *args,
	const struct adapter_event *event)
{
	CLEANUP(buf_done) struct buf b;
	const json_t *word;
	size_t i;

	buf_init(&b, LINE_MAX_BYTES);
	cli_shell_word_add(&b, form->program);
	json_array_foreach (args, i, word) {
		buf_add_char(&b, ' ');
		cli_shell_word_add(&b, wire_json_text(word));
	}
	if (event->decides)
		buf_add(&b,
			STR("; s=$?; [ $s -eq 0 ] && exit 0; [ $s -eq 2 ] || echo 'assent: "
				"the judge could not be run, so this call was not allowed' "
				">&2; exit 2"));
	return json_stringn(b.full ? "" : b.ptr, b.full ? 0 : b.len);
}

static bool
is_about_tools(const struct adapter_event *event)
{
	switch (event->meaning) {
	case ADAPTER_CALL:
	case ADAPTER_APPROVAL:
	case ADAPTER_RESULT:
	case ADAPTER_FAILURE:
		return true;
	case ADAPTER_UNKNOWN:
	case ADAPTER_PROMPT:
	case ADAPTER_SESSION_START:
	case ADAPTER_SESSION_END:
	case ADAPTER_SUBAGENT_START:
	case ADAPTER_SUBAGENT_END:
	case ADAPTER_OUTCOME:
	case ADAPTER_NEUTRAL:
	case ADAPTER_MEANING_COUNT:
		break;
	}
	return false;
}

/* {"matcher": "*", "hooks": [{...}]} */
static json_t *
make_group(struct arena *a, const struct cli_claude_form *form,
	const struct adapter_event *event)
{
	json_t *hook = json_object(), *group = json_object();
	WIRE_JSON json_t *args = make_args(a, form, event);

	(void)json_object_set_new(hook, "type", json_string("command"));
	if (form->exec) {
		(void)json_object_set_new(hook, "command",
			json_stringn(form->program.ptr, form->program.len));
		(void)json_object_set(hook, "args", args);
	} else {
		(void)json_object_set_new(
			hook, "command", make_line(form, args, event));
	}
	(void)json_object_set_new(
		hook, "timeout", json_integer((json_int_t)event->timeout_s));
	if (form->exec && event->decides)
		(void)json_object_set_new(hook, "onFailure", json_string("block"));
	if (is_about_tools(event))
		(void)json_object_set_new(group, "matcher", json_string("*"));
	json_t *list = json_array();

	(void)json_array_append_new(list, hook);
	(void)json_object_set_new(group, "hooks", list);
	return group;
}

/* --- what is found --------------------------------------------------------- */

/* "assent", perhaps a quote, " hook ", perhaps a quote, one of our names. */
static bool
is_our_line(struct str line)
{
	size_t at = str_find(line, STR("assent"), 0);

	for (; at < line.len; at = str_find(line, STR("assent"), at + 1)) {
		struct str rest = str_sub(line, at + 6, line.len);

		if (str_starts(rest, STR("'")) || str_starts(rest, STR("\"")))
			rest = str_sub(rest, 1, rest.len);
		if (str_starts(str_trim(rest), STR("hook "))
			|| str_starts(str_trim(rest), STR("'hook' ")))
			return str_has(rest, STR("claude"));
	}
	return false;
}

static bool
is_ours(const json_t *hook)
{
	const json_t *args = wire_json_array(hook, "args");
	struct str command = wire_json_str(hook, "command");

	if (!str_eq(wire_json_str(hook, "type"), STR("command")))
		return false;
	if (!args)
		return is_our_line(command);
	const struct adapter_agent *agent =
		adapter_agent_find(wire_json_text(json_array_get(args, 1)));

	return str_eq(str_base(command), STR("assent"))
		&& str_eq(wire_json_text(json_array_get(args, 0)), STR("hook")) && agent
		&& str_eq(str_from(agent->name), STR("claude-code"));
}

/* Where one of our hooks stands. */
struct spot {
	struct wire_edit_node *hooks, *event, *group, *list, *hook;
};

static json_t *
parse_node(struct str text, const struct wire_edit_node *node)
{
	struct wire_json_error e;

	return wire_json_parse(wire_edit_source(text, node), &e);
}

/* The first of our hooks in the event's list. */
static bool
find_in_event(struct str text, struct wire_edit_node *event, struct spot *ret)
{
	for (struct wire_edit_node *g = event->first; g; g = g->next) {
		struct wire_edit_node *list = wire_edit_member(g, STR("hooks"));

		for (struct wire_edit_node *h = list ? list->first : NULL; h;
			 h = h->next) {
			WIRE_JSON json_t *j = parse_node(text, h);

			if (is_ours(j)) {
				ret->event = event;
				ret->group = g;
				ret->list = list;
				ret->hook = h;
				return true;
			}
		}
	}
	return false;
}

/* The text is settings that we understand: an object, hooks an object of
 * lists. */
static bool
is_settings(struct str text, struct str *ret_why, struct arena *a)
{
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(text, &e);
	json_t *hooks = wire_json_get(top, "hooks"), *v;
	const char *k;

	if (!top) {
		*ret_why = arena_fmt(a, "it is %s", e.message);
		return false;
	}
	if (!json_is_object(top) || (hooks && !json_is_object(hooks))) {
		*ret_why = hooks ? STR("its \"hooks\" is not an object")
						 : STR("it is not a JSON object");
		return false;
	}
	json_object_foreach (hooks, k, v) {
		if (!json_is_array(v)) {
			*ret_why = arena_fmt(a, "its hooks.%s is not a list", k);
			return false;
		}
	}
	return true;
}

/* --- taking out ------------------------------------------------------------ */

/* Takes one hook out, and what is then empty around it. */
static struct str
remove_spot(struct arena *a, struct str text, const struct spot *s,
	const struct wire_edit_node *top)
{
	if (s->list->first->next)
		return wire_edit_remove(a, text, s->list, s->hook);
	if (s->event->first->next)
		return wire_edit_remove(a, text, s->event, s->group);
	if (s->hooks->first->next)
		return wire_edit_remove(a, text, s->hooks, s->event);
	return wire_edit_remove(a, text, top, s->hooks);
}

/* True and the text without our first hook; keep: without our first on an event
 * that is not (or no longer) installed. */
static bool
remove_one(struct arena *a, struct str text, bool keep, struct str *ret)
{
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct spot s = {.hooks = wire_edit_member(top, STR("hooks"))};

	for (struct wire_edit_node *e = s.hooks ? s.hooks->first : NULL; e;
		 e = e->next) {
		const struct adapter_event *event =
			adapter_event_find(adapter_agent_find(STR("claude-code")), e->key);

		if (keep && event && event->installed)
			continue;
		if (find_in_event(text, e, &s)) {
			*ret = remove_spot(a, text, &s, top);
			return true;
		}
	}
	return false;
}

bool
cli_claude_remove(
	struct arena *a, struct str text, struct str *ret_text, struct str *ret_why)
{
	if (!is_settings(text, ret_why, a))
		return false;
	while (remove_one(a, text, false, &text))
		;
	*ret_text = text;
	return is_settings(text, ret_why, a);
}

/* --- putting in ------------------------------------------------------------ */

/* The event's list with exactly the wanted group of ours. */
static struct str
put_event(struct arena *a, struct str text, struct str name, json_t *group)
{
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct spot s = {.hooks = wire_edit_member(top, STR("hooks"))};
	struct wire_edit_node *event = wire_edit_member(s.hooks, name);
	struct str value = wire_json_print(a, group);

	if (!s.hooks)
		return wire_edit_add_member(a, text, top, STR("hooks"),
			arena_fmt(a, "{\"%.*s\":[%.*s]}", STR_ARG(name), STR_ARG(value)));
	if (!event)
		return wire_edit_add_member(
			a, text, s.hooks, name, arena_fmt(a, "[%.*s]", STR_ARG(value)));
	if (!find_in_event(text, event, &s))
		return wire_edit_add_element(a, text, event, value);
	WIRE_JSON json_t *there = parse_node(text, s.group);

	return json_equal(there, group)
		? text
		: wire_edit_replace(a, text, s.group, value);
}

/* Takes out our hooks of the event that are more than one, or that share their
 * group with hooks of others: those are put in anew. */
static struct str
remove_odd(struct arena *a, struct str text, struct str name)
{
	for (;;) {
		struct wire_edit_node *top = wire_edit_parse(a, text);
		struct spot s = {.hooks = wire_edit_member(top, STR("hooks"))}, more;
		struct wire_edit_node *event = wire_edit_member(s.hooks, name);

		if (!event || !find_in_event(text, event, &s))
			return text;
		more = s;
		struct wire_edit_node rest = {.first = s.group->next};

		if (!s.list->first->next && !find_in_event(text, &rest, &more))
			return text;
		text = remove_spot(a, text, &s, top);
	}
}

bool
cli_claude_add(struct arena *a, struct str text,
	const struct cli_claude_form *form, struct str *ret_text,
	struct str *ret_why)
{
	const struct adapter_agent *agent = adapter_agent_find(STR("claude-code"));

	if (str_trim(text).len == 0)
		text = STR("{}\n");
	if (!is_settings(text, ret_why, a))
		return false;
	while (remove_one(a, text, true, &text))
		;
	for (size_t i = 0; i < agent->event_count; i++) {
		const struct adapter_event *event = &agent->events[i];

		if (!event
				 ->installed) /* names that a version does not know, it skips */
			continue;
		WIRE_JSON json_t *group = make_group(a, form, event);

		text = remove_odd(a, text, str_from(event->name));
		text = put_event(a, text, str_from(event->name), group);
	}
	*ret_text = text;
	return is_settings(text, ret_why, a);
}

/* --- looking --------------------------------------------------------------- */

static struct str
flag_of(struct arena *a, const json_t *args, const char *name)
{
	size_t i;
	json_t *v;

	json_array_foreach (args, i, v) {
		if (str_eq(wire_json_text(v), str_from(name)))
			return arena_dup(a, wire_json_text(json_array_get(args, i + 1)));
	}
	return (struct str){0};
}

static void
look_at_hook(struct arena *a, const json_t *hook, struct cli_claude_hook *ret)
{
	const json_t *args = wire_json_array(hook, "args");
	struct str deadline = flag_of(a, args, "--deadline");

	ret->exec = args != NULL;
	ret->blocks = str_eq(wire_json_str(hook, "onFailure"), STR("block"));
	ret->timeout_s = wire_json_int(hook, "timeout", 0);
	if (!args) {
		struct str line = wire_json_str(hook, "command");
		struct str rest =
			str_starts(line, STR("'")) ? str_sub(line, 1, line.len) : line;

		ret->program = arena_dup(
			a, str_cut(rest, rest.ptr == line.ptr ? ' ' : '\'', &rest));
		return;
	}
	ret->program = arena_dup(a, wire_json_str(hook, "command"));
	ret->config = flag_of(a, args, "--config");
	ret->state = flag_of(a, args, "--state");
	ret->socket = flag_of(a, args, "--socket");
	if (!str_number(deadline, &ret->deadline_s))
		ret->deadline_s = 0;
}

static bool
matches_all(const json_t *group)
{
	const json_t *m = wire_json_get(group, "matcher");
	struct str s = wire_json_text(m);

	return !m || s.len == 0 || str_eq(s, STR("*")) || str_eq(s, STR(".*"));
}

static void
look_at_event(struct arena *a, const char *name, const json_t *groups,
	struct cli_claude_state *ret)
{
	const struct adapter_event *event = adapter_event_find(
		adapter_agent_find(STR("claude-code")), str_from(name));
	json_t *group, *hook;
	size_t i, k;

	json_array_foreach (groups, i, group) {
		json_array_foreach (wire_json_array(group, "hooks"), k, hook) {
			if (is_ours(hook)) {
				struct cli_claude_hook *h = &ret->hooks[ret->hook_count++];

				h->event = event;
				h->event_name = arena_dup(a, str_from(name));
				h->all_tools = matches_all(group);
				look_at_hook(a, hook, h);
			} else if (event && event->decides) {
				ret->other_hooks++;
				if (!ret->other.ptr)
					ret->other = arena_fmt(a, "%s: %.200s", name,
						arena_dup(a, wire_json_str(hook, "command")).ptr);
			}
		}
	}
}

static size_t
count_hooks(json_t *hooks)
{
	size_t n = 0, i;
	const char *k;
	json_t *groups, *group;

	json_object_foreach (hooks, k, groups) {
		json_array_foreach (groups, i, group)
			n += json_array_size(wire_json_array(group, "hooks"));
	}
	return n;
}

/* Names in "env" that change how our hook, or a shell before it, starts. */
static struct str
find_poison(struct arena *a, json_t *env)
{
	static const char *const names[] = {
		"LD_",
		"BASH_ENV",
		"ENV",
		"PATH",
		"SHELL",
		"CLAUDE_CONFIG_DIR",
		"CLAUDE_CODE_SHELL",
	};
	const char *k;
	json_t *v;

	json_object_foreach (env, k, v) {
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			struct str name = str_from(names[i]);

			if (str_ends(name, STR("_")) ? str_starts(str_from(k), name)
										 : str_eq(str_from(k), name))
				return arena_dup(a, str_from(k));
		}
	}
	return (struct str){0};
}

void
cli_claude_look(struct arena *a, struct str text, struct cli_claude_state *ret)
{
	struct wire_json_error e;
	const char *k;
	json_t *v;

	*ret = (struct cli_claude_state){0};
	if (!is_settings(text, &ret->why, a))
		return;
	WIRE_JSON json_t *top = wire_json_parse(text, &e);
	json_t *hooks = wire_json_object(top, "hooks");

	ret->readable = true;
	ret->disabled = wire_json_bool(top, "disableAllHooks");
	ret->managed_only = wire_json_bool(top, "allowManagedHooksOnly");
	ret->poison = find_poison(a, wire_json_object(top, "env"));
	ret->hooks = ARENA_ARRAY(a, count_hooks(hooks) + 1, struct cli_claude_hook);
	json_object_foreach (hooks, k, v) {
		look_at_event(a, k, v, ret);
	}
}
