/*
 * assent tier: what happens to calls that the judge will not decide.
 */

#include "cli/layered.h"

static int
run(struct cli *c)
{
	return cli_layered_run(c, "tier");
}

const struct cli_command cli_tier = {
	.name = "tier",
	.usage = "[VALUE]",
	.help = "show or set what happens to calls that the judge passes on",
	.details = "standard: you are asked. aggressive: they are allowed, but for "
			   "secrets\n"
			   "and what could not be judged. passive: they are refused. "
			   "Without VALUE:\n"
			   "what holds, and what is set where; the narrowest counts (turn, "
			   "session,\n"
			   "global, files). A project has no tier.",
	.group = CLI_GROUP_PEOPLE,
	.args_max = 1,
	.options = {CLI_LAYER_OPTIONS},
	.run = run,
};
