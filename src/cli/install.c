/*
 * assent install AGENT: puts our hooks into the agent's own settings.
 */

#include <stdio.h>
#include <unistd.h>

#include "cli/claude.h"
#include "cli/cli.h"
#include "cli/cursor.h"
#include "cli/found.h"
#include "cli/person.h"
#include "cli/settings.h"

/* The oldest version on this machine decides: all of them read the same file.
 * One whose version cannot be told counts as old. None at all: as new. */
static void
choose_form(
	const struct cli *c, const struct io_place *p, struct cli_claude_form *form)
{
	struct cli_found found[CLI_FOUND_MAX];
	size_t n = cli_found_claude(c, p, found);
	struct str version = str_from(cli_get(c, "agent-version"));
	bool known = true;

	if (version.ptr)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		(void)printf("Claude Code %.*s: %.*s\n",
			STR_ARG(found[i].version.ptr ? found[i].version
										 : STR("of an unknown version")),
			STR_ARG(found[i].program));
		known = known && found[i].version.ptr;
		if (!version.ptr
			|| cli_found_version_cmp(found[i].version, version) < 0)
			version = found[i].version;
	}
	form->exec = known
		&& (!version.ptr
			|| cli_found_version_cmp(version, STR(CLI_CLAUDE_EXEC)) >= 0);
	if (known && !version.ptr)
		(void)printf("No Claude Code was found; written for " CLI_CLAUDE_EXEC
					 " and newer.\n");
	else if (!form->exec)
		(void)printf(
			"This version cannot be told to refuse when a hook fails, so a "
			"shell line does it.\nUpdate to " CLI_CLAUDE_EXEC
			" or newer and run this again: a project's files can change\n"
			"how a shell starts (doctor looks for that).\n");
}

static int
run(struct cli *c)
{
	const struct adapter_agent *agent =
		adapter_agent_find(str_from(c->args[0]));
	struct io_place place;
	struct cli_claude_form form = {.place = &place};
	struct cli_settings s;
	enum cli_scope scope;
	struct str text, why = {0};

	if (!agent)
		return cli_usage(c,
			"no agent is called \"%s\"; claude-code and cursor are known",
			c->args[0]);
	if (adapter_agent_find(str_from(c->args[0]))
		== adapter_agent_find(STR("cursor")))
		return cli_cursor_install(c);
	if (!cli_settings_scope(c, &scope))
		return CLI_USAGE;
	if (io_place_find(c->arena, &c->places, true, &place) != 0)
		return cli_fail(c, "%s", fail_text());
	if (!cli_has(c, "dry-run") && !cli_person_here(c, &place, &why))
		return cli_fail(c, "%.*s", STR_ARG(why));
	form.program =
		arena_fmt(c->arena, "%.*s/assent", STR_ARG(place.exe_folder));
	if (access(form.program.ptr, X_OK) != 0)
		return cli_fail(
			c, "%s is not there: the hook could not be run", form.program.ptr);
	if (!cli_settings_read(c, &place, scope, &s, &why))
		return cli_fail(c, "%.*s", STR_ARG(why));
	choose_form(c, &place, &form);
	if (!cli_claude_add(c->arena, s.text, &form, &text, &why))
		return cli_fail(c,
			"%s cannot be changed with care: %.*s. Nothing was "
			"written",
			s.path.ptr, STR_ARG(why));
	if (s.exists && str_eq(text, s.text)) {
		(void)printf(
			"%s: all hooks are there already. Nothing to do.\n", s.path.ptr);
		return CLI_OK;
	}
	return cli_settings_change(c, &s, text,
		"Connected. Claude Code reads its hooks when a session starts: begin a "
		"new one,\nthen `assent doctor` says what is well and what is not.");
}

const struct cli_command cli_install = {
	.name = "install",
	.usage = "AGENT",
	.help = "put assent between an agent and its tools",
	.details =
		"Shows what changes in the agent's own settings file, asks, keeps a "
		"copy beside it, and writes. Nothing else in the file changes by a "
		"byte; run twice, it changes nothing.\n"
		"AGENT is claude-code or cursor. For Claude Code --user is "
		"~/.claude/settings.json (the "
		"default), --project .claude/settings.json and --local "
		".claude/settings.local.json in the working folder; for Cursor --user "
		"is ~/.cursor/hooks.json, --project .cursor/hooks.json.\n"
		"Only a person can do it: at a terminal, and not from inside an agent.",
	.group = CLI_GROUP_SETUP,
	.args_min = 1,
	.args_max = 1,
	.options =
		{
				  {"user", NULL, "all projects of this user"},
				  {"project", NULL, "this project, shared with others"},
				  {"local", NULL, "this project, only for this user"},
				  {"dry-run", NULL, "show the change, write nothing"},
				  {"yes", NULL, "write without asking"},
				  {"agent-version", "V", "write for this version of the agent"},
				  },
	.run = run,
};
