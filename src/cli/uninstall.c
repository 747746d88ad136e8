/*
 * assent uninstall AGENT: takes exactly our hooks out again.
 */

#include <stdio.h>

#include "cli/claude.h"
#include "cli/cli.h"
#include "cli/cursor.h"
#include "cli/person.h"
#include "cli/settings.h"

static int
run(struct cli *c)
{
	struct io_place place;
	struct cli_settings s;
	enum cli_scope scope;
	struct str text, why = {0};

	if (!adapter_agent_find(str_from(c->args[0])))
		return cli_usage(c,
			"no agent is called \"%s\"; claude-code and cursor are known",
			c->args[0]);
	if (adapter_agent_find(str_from(c->args[0]))
		== adapter_agent_find(STR("cursor")))
		return cli_cursor_uninstall(c);
	if (!cli_settings_scope(c, &scope))
		return CLI_USAGE;
	if (io_place_find(c->arena, &c->places, true, &place) != 0)
		return cli_fail(c, "%s", fail_text());
	if (!cli_has(c, "dry-run") && !cli_person_here(c, &place, &why))
		return cli_fail(c, "%.*s", STR_ARG(why));
	if (!cli_settings_read(c, &place, scope, &s, &why))
		return cli_fail(c, "%.*s", STR_ARG(why));
	if (s.exists && !cli_claude_remove(c->arena, s.text, &text, &why))
		return cli_fail(c,
			"%s cannot be changed with care: %.*s. Nothing was "
			"written",
			s.path.ptr, STR_ARG(why));
	if (!s.exists || str_eq(text, s.text)) {
		(void)printf(
			"%s: no hook of assent's is there. Nothing to do.\n", s.path.ptr);
		return CLI_OK;
	}
	return cli_settings_change(c, &s, text,
		"Taken out. Sessions that already run keep their hooks until they "
		"end.");
}

const struct cli_command cli_uninstall = {
	.name = "uninstall",
	.usage = "AGENT",
	.help = "take assent out of an agent's settings",
	.details =
		"Shows what changes, asks, keeps a copy beside the file, and takes out "
		"exactly what assent install put in. Only a person can do it.",
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
				  },
	.run = run,
};
