/*
 * assent approve ID.
 */

#include "cli/cards.h"

static int
run(struct cli *c)
{
	return cli_card_answer(
		c, cli_has(c, "always") ? CALL_REPLY_ALWAYS : CALL_REPLY_ONCE);
}

const struct cli_command cli_approve = {
	.name = "approve",
	.usage = "ID...",
	.help = "let a waiting call run",
	.details =
		"Shows the whole call and asks. ID is the card's id or only its "
		"number (assent cards lists them). A note reaches the agent's "
		"model as yours.\n"
		"\n"
		"--always makes a grant of exactly what the card shows, or of "
		"the pattern that you choose: on a terminal you are asked which. "
		"assent grants lists them and takes them back.\n"
		"\n"
		"Several cards, or --round, are answered together: what one "
		"agent wants at the same time. Each is shown; all are approved "
		"or, when that cannot be recorded, none. What was withdrawn "
		"meanwhile is named, and the exit code is 1 then.",
	.group = CLI_GROUP_PEOPLE,
	.args_min = 1,
	.args_max = CLI_ARGS_MAX,
	.options =
		{
				  CLI_ANSWER_OPTIONS, {"always", NULL, "and from now on the same, in this project"},
				  {"as", "PATTERN", "with --always: what it covers, \"npm test *\""},
				  },
	.run = run,
};
