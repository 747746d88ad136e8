#include <string.h>

#include "base/buf.h"
#include "facts/facts.h"
#include "facts/settings.h"
#include "tests/test.h"

/*
 * text => programs: effects, hosts, hazards, needs, ignorance
 *
 * Programs in order, "sudo>rm" for what a wrapper runs. An effect is
 * kind:scope:resource+flags; the workspace's own folder is left out, the home
 * folder is ~. The scene: :cwd :root :home :user :root-user yes :dialect
 * :tool (the input is then its path, url, ...) :content
 * :links FROM TO ... :programs NAME FILE ... :git programs
 * :settings TOOL:FOLDER plain|code ...
 * :secrets FOLDER PATH,PATH,... ("," for none)
 * :world real (what has no answer is a need) :used-up yes
 * :config :state :socket :program :pid (of assent)
 * :show scripts => the files that it would run the text of, "path entry", and a
 * "|" before those that count only when those before are not there
 * :show settings, :file TOOL NAME => whether the text is plain settings for it
 */

enum { ANSWERS_MAX = 32 };

static const char *const flag_names[] = {"tree", "pattern", "redirect",
	"inline", "project", "download", "decoded", "local", "loopback", "listen",
	"git", "lossy", "mode", "link", "names", "secret", "raw", "force", "moved"};

struct scene {
	struct call call;
	struct call_world world;
	struct call_answer answers[ANSWERS_MAX];
	struct str root;
};

/* Commas are line ends. */
static struct str
lines_of(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);

	for (size_t k = 0; k < s.len; k++)
		p[k] = s.ptr[k];
	for (size_t k = 0; k < s.len; k++) {
		if (p[k] == ',')
			p[k] = '\n';
	}
	return (struct str){p, s.len};
}

static void
add_answers(struct scene *s, enum call_need_kind kind, struct str line)
{
	struct str rest = line;

	while (rest.len > 0 && s->world.answer_count < ANSWERS_MAX) {
		struct str name = str_cut(rest, ' ', &rest);
		struct str value = str_cut(rest, ' ', &rest);

		s->answers[s->world.answer_count++] =
			(struct call_answer){kind, name, value};
	}
}

static void
set_call(struct scene *s, const struct test_scene *t, struct str input)
{
	struct call *c = &s->call;
	struct str none = {NULL, 0};
	struct str tool = test_scene_get(t, "tool", STR("shell"));

	CHECK(call_tool_from(tool, &c->tool));
	if (c->tool == CALL_TOOL_SHELL)
		c->command = input;
	else if (c->tool == CALL_TOOL_FETCH)
		c->url = input;
	else if (c->tool == CALL_TOOL_WEB_SEARCH)
		c->query = input;
	else if (c->tool == CALL_TOOL_MCP || c->tool == CALL_TOOL_OTHER
		|| c->tool == CALL_TOOL_AGENT)
		c->arguments = input;
	else
		c->path = input;
	c->content = test_scene_get(t, "content", none);
	c->pattern = test_scene_get(t, "pattern", none);
	c->server = STR("server");
	c->mcp_tool = STR("tool");
	c->mcp_trusted = test_scene_get(t, "trusted", none).ptr;
	c->mcp_read_only = test_scene_get(t, "read-only", none).ptr;
	c->cwd = test_scene_get(t, "cwd", STR("/home/dev/proj"));
	if (str_eq(c->cwd, STR("unknown")))
		c->cwd = none;
	s->root = test_scene_get(t, "root", STR("/home/dev/proj"));
	c->roots = &s->root;
	c->root_count = 1;
	c->input_closed = !test_scene_get(t, "open-input", none).ptr;
	if (!call_dialect_from(
			test_scene_get(t, "dialect", STR("bash")), &c->dialect))
		c->dialect = CALL_DIALECT_OTHER;
}

static void
set_world(struct arena *a, struct scene *s, const struct test_scene *t)
{
	struct str none = {NULL, 0};
	struct call_world *w = &s->world;

	w->home = test_scene_get(t, "home", STR("/home/dev"));
	w->user = test_scene_get(t, "user", STR("dev"));
	w->is_root = test_scene_get(t, "root-user", none).ptr;
	w->assumed = !test_scene_get(t, "world", none).ptr;
	w->rounds_used_up = test_scene_get(t, "used-up", none).ptr;
	w->assent_config = test_scene_get(t, "config", none);
	w->assent_state = test_scene_get(t, "state", none);
	w->assent_socket = test_scene_get(t, "socket", none);
	w->assent_program = test_scene_get(t, "program", none);
	if (!str_number(test_scene_get(t, "pid", none), &w->assent_pid))
		w->assent_pid = 0;
	w->answers = s->answers;
	add_answers(s, CALL_NEED_LINK, test_scene_get(t, "links", none));
	add_answers(s, CALL_NEED_PROGRAM, test_scene_get(t, "programs", none));
	add_answers(s, CALL_NEED_NAMES, test_scene_get(t, "names", none));
	add_answers(s, CALL_NEED_SETTINGS, test_scene_get(t, "settings", none));
	size_t first = s->world.answer_count;

	add_answers(s, CALL_NEED_SECRETS, test_scene_get(t, "secrets", none));
	for (size_t i = first; i < s->world.answer_count; i++)
		s->answers[i].value = lines_of(a, s->answers[i].value);
	if (test_scene_get(t, "git", none).ptr)
		s->answers[w->answer_count++] = (struct call_answer){
			CALL_NEED_GIT, STR("/home/dev/proj"), STR("programs")};
}

static void
show_path(struct buf *b, const struct scene *s, struct str path)
{
	struct str home = s->world.home;

	if (str_eq(path, s->root)) {
		buf_add_char(b, '.');
	} else if (str_starts(path, s->root) && path.len > s->root.len
		&& path.ptr[s->root.len] == '/') {
		buf_add(b, str_sub(path, s->root.len + 1, path.len));
	} else if (home.len > 0 && str_starts(path, home)
		&& (path.len == home.len || path.ptr[home.len] == '/')) {
		buf_add_char(b, '~');
		buf_add(b, str_sub(path, home.len, path.len));
	} else {
		buf_add(b, path);
	}
}

static void
show_commands(struct buf *b, const struct call_facts *f)
{
	for (size_t i = 0; i < f->command_count; i++) {
		const struct call_command *c = &f->commands[i];

		if (i > 0)
			buf_add_char(b, ' ');
		if (c->wrapper != CALL_NO_COMMAND)
			buf_addf(b, "%.*s>", STR_ARG(f->commands[c->wrapper].program));
		buf_add(b, c->program.ptr ? c->program : STR("?"));
	}
	buf_add_char(b, ':');
}

static void
show_effects(struct buf *b, const struct scene *s, const struct call_facts *f)
{
	for (size_t i = 0; i < f->effect_count; i++) {
		const struct call_effect *e = &f->effects[i];

		buf_addf(
			b, " %s:%s:", call_effect_name(e->kind), call_scope_name(e->scope));
		show_path(b, s, e->resource);
		for (size_t k = 0; k < ARRAY_LEN(flag_names); k++) {
			if (e->flags & 1u << k)
				buf_addf(b, "+%s", flag_names[k]);
		}
	}
}

static void
show_ignorance(struct buf *b, const struct call_facts *f)
{
	static const char *const names[] = {"unknown", "dynamic", "unparsed"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (f->ignorance & 1u << i)
			buf_addf(b, " %s", names[i]);
	}
	CHECK((f->ignorance != 0) == (f->incomplete.ptr != NULL));
}

static void
show_all(struct buf *b, const struct scene *s, const struct call_facts *f)
{
	static const char *const hazards[] = {"none", "fork_bomb", "reverse_shell",
		"download_run", "download_run_root", "secret_sent", "assent_self",
		"hook_dodge", "hidden_text", "disk", "system_down"};

	show_commands(b, f);
	show_effects(b, s, f);
	for (size_t i = 0; i < f->host_count; i++)
		buf_addf(b, " host(%.*s)", STR_ARG(f->hosts[i]));
	for (size_t i = 0; i < f->hazard_count; i++)
		buf_addf(b, " HAZARD(%s)", hazards[f->hazards[i].kind]);
	for (size_t i = 0; i < f->need_count; i++) {
		buf_addf(b, " need(%s ", call_need_name(f->needs[i].kind));
		show_path(b, s, f->needs[i].name);
		buf_add_char(b, ')');
	}
	show_ignorance(b, f);
}

static void
show_scripts(struct buf *b, const struct scene *s, const struct call_facts *f)
{
	for (size_t i = 0; i < f->script_count; i++) {
		const struct call_script *one = &f->scripts[i];

		buf_addf(b, "%s%s", i > 0 ? ", " : "", one->or_else ? "|" : "");
		show_path(b, s, one->path);
		if (one->entry.ptr)
			buf_addf(b, " %.*s", STR_ARG(one->entry));
	}
	if (f->script_count == 0)
		buf_addf(b, "none");
}

static struct str
show_settings(const struct test_scene *t, struct str input)
{
	struct str name,
		tool = str_cut(test_scene_get(t, "file", STR("")), ' ', &name);

	switch (facts_settings_of(tool, name)) {
	case FACTS_SETTINGS_NONE:
		return STR("none");
	case FACTS_SETTINGS_CODE:
		return STR("a program");
	case FACTS_SETTINGS_DATA:
		break;
	}
	return facts_settings_is_plain(tool, name, input) ? STR("plain")
													  : STR("code");
}

struct str
show_facts(struct arena *a, const struct test_scene *t, struct str input)
{
	struct str show = test_scene_get(t, "show", STR("all"));
	struct scene *s = ARENA_NEW(a, struct scene);
	struct call_facts f;
	struct buf b;

	if (str_eq(show, STR("settings")))
		return show_settings(t, input);
	set_call(s, t, input);
	set_world(a, s, t);
	facts_of(a, &s->call, &s->world, &f);
	buf_init(&b, 1 << 20);
	if (str_eq(show, STR("scripts")))
		show_scripts(&b, s, &f);
	else
		show_all(&b, s, &f);
	struct str text = arena_dup(a, buf_str(&b));

	buf_done(&b);
	return text;
}
