/*
 * assent mode: who answers what no rule decides.
 */

#include "cli/layered.h"

static int
run(struct cli *c)
{
	return cli_layered_run(c, "mode");
}

const struct cli_command cli_mode = {
	.name = "mode",
	.usage = "[VALUE]",
	.help = "show or set who answers what no rule decides",
	.details =
		"ask: you, for everything but plain reads. ai_auto: the judge.\n"
		"auto_approve: approved, but for secrets and what only a person may\n"
		"allow. full_access: approved. No mode lifts a refusal or what asks "
		"for\n"
		"a person. Without VALUE: what holds in this folder, and what is set\n"
		"where; the narrowest counts (turn, session, project, global, files).",
	.group = CLI_GROUP_PEOPLE,
	.args_max = 1,
	.options = {CLI_LAYER_OPTIONS,
				{"project", NULL, "for the workspace of this folder"}},
	.run = run,
};
