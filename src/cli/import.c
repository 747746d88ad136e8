/*
 * assent import: another agent's permission lists, as rules of ours. It prints
 * them and changes nothing.
 */

#include "import/import.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/request.h"

enum { OUT_BYTES = 8 << 20 };

/* Where an agent has them, below the home folder and below a workspace; with an
 * end, all such files of a folder. */
static const struct place {
	enum import_agent agent;
	const char *path, *end;
} places[] = {
	{IMPORT_CLAUDE, ".claude/settings.json",       NULL    },
	{IMPORT_CLAUDE, ".claude/settings.local.json", NULL    },
	{IMPORT_CURSOR, ".cursor/cli-config.json",     NULL    },
	{IMPORT_CURSOR, ".cursor/cli.json",            NULL    },
	{IMPORT_CURSOR, ".cursor/permissions.json",    NULL    },
	{IMPORT_CODEX,  ".codex/rules",                ".rules"},
	{IMPORT_GEMINI, ".gemini/policies",            ".toml" },
};

/* What is printed of each file, and how many there were. */
struct output {
	const struct cli *c;
	enum import_agent agent;
	struct buf text;
	size_t files;
	int code;
};

static void
print_json(struct buf *b, const char *path, const struct import *im)
{
	buf_addf(b, "{\"path\":");
	buf_add_json(b, str_from(path));
	buf_addf(b, ",\"rules\":[");
	for (size_t i = 0; i < im->rule_count; i++) {
		buf_addf(b, "%s{\"line\":", i > 0 ? "," : "");
		buf_add_json(b, im->rules[i].line);
		buf_addf(b, ",\"source\":");
		buf_add_json(b, im->rules[i].source);
		buf_add_char(b, '}');
	}
	buf_addf(b, "],\"left\":[");
	for (size_t i = 0; i < im->left_count; i++) {
		buf_addf(b, "%s{\"source\":", i > 0 ? "," : "");
		buf_add_json(b, im->left[i].source);
		buf_addf(b, ",\"why\":");
		buf_add_json(b, im->left[i].why);
		buf_add_char(b, '}');
	}
	buf_addf(b, "]}\n");
}

static void
add_file(struct output *o, const char *path, bool of_project)
{
	CLEANUP(buf_done) struct buf text = {0};
	struct import im = {.a = o->c->arena, .of_project = of_project};

	o->files++;
	if (cli_file_read(o->c, path, &text) != CLI_OK) {
		o->code = CLI_FAILURE;
		return;
	}
	if (!import_read(&im, o->agent, buf_str(&text))) {
		o->code = cli_fail(o->c, "%s: %.*s; nothing of it is taken", path,
			STR_ARG(cli_show(o->c->arena, im.fault)));
		return;
	}
	if (o->c->json) {
		print_json(&o->text, path, &im);
		return;
	}
	buf_addf(&o->text, "%s# --- %s\n", o->text.len > 0 ? "\n" : "",
		cli_show(o->c->arena, str_from(path)).ptr);
	if (im.rule_count == 0 && im.left_count == 0)
		buf_addf(&o->text, "# no permissions in it\n");
	import_print(&o->text, &im);
}

/* Every file of the folder with this end, in order of their names. */
static void
add_folder(
	struct output *o, const char *folder, const char *end, bool of_project)
{
	struct dirent **list = NULL;
	int n = scandir(folder, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (str_ends(str_from(list[i]->d_name), str_from(end)))
			add_file(o,
				arena_fmt(o->c->arena, "%s/%s", folder, list[i]->d_name).ptr,
				of_project);
		free(list[i]);
	}
	free(list);
}

static void
add_all(struct output *o, struct str root, bool of_project)
{
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const struct place *p = &places[i];
		const char *path =
			arena_fmt(o->c->arena, "%.*s/%s", STR_ARG(root), p->path).ptr;

		if (p->agent != o->agent)
			continue;
		if (p->end)
			add_folder(o, path, p->end, of_project);
		else if (access(path, F_OK) == 0)
			add_file(o, path, of_project);
	}
}

/* Files that were named; a folder of that agent in a workspace is its own. */
static void
add_named(struct output *o, struct str home)
{
	for (size_t i = 1; i < o->c->arg_count; i++) {
		struct str path = str_from(o->c->args[i]);
		bool of_home = str_starts(path, home)
			&& str_starts(str_sub(path, home.len, path.len), STR("/."));

		add_file(o, o->c->args[i], str_has(path, STR("/.claude/")) && !of_home);
	}
}

static int
run(struct cli *c)
{
	struct output o = {.c = c};
	struct io_place place;
	char cwd[LIMIT_PATH_BYTES];
	int code = cli_places(c, &place);

	if (code != CLI_OK)
		return code;
	if (!import_agent_from(str_from(c->args[0]), &o.agent))
		return cli_usage(
			c, "there are claude, cursor, codex and gemini to import from");
	buf_init(&o.text, OUT_BYTES);
	if (c->arg_count > 1)
		add_named(&o, place.home);
	else
		add_all(&o, place.home, false);
	if (c->arg_count == 1 && getcwd(cwd, sizeof(cwd))
		&& !str_eq(str_from(cwd), place.home))
		add_all(&o, str_from(cwd), true);
	if (o.files == 0)
		o.code = cli_fail(
			c, "no permissions of %s were found", import_agent_name(o.agent));
	struct str text = buf_str(&o.text);

	(void)fwrite(text.ptr ? text.ptr : "", 1, text.len, stdout);
	buf_done(&o.text);
	return o.code;
}

const struct cli_command cli_import = {
	.name = "import",
	.usage = "AGENT [FILE...]",
	.help = "another agent's permission lists, as rules",
	.details =
		"Reads the permission lists of claude, cursor, codex or gemini, in "
		"the\n"
		"home folder and in this one, or the files that are named, and prints\n"
		"them as rules, each below its source; at the end, what could not be\n"
		"carried over, and why. Nothing that comes out allows more than what\n"
		"it was made of. Nothing is changed: read it, and put into your rules\n"
		"what you want (assent rules edit).",
	.group = CLI_GROUP_SETUP,
	.args_min = 1,
	.args_max = CLI_ARGS_MAX,
	.run = run,
};
