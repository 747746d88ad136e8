/*
 * assent reject ID.
 */

#include "cli/cards.h"

static int
run(struct cli *c)
{
	return cli_card_answer(c, CALL_REPLY_REJECT);
}

const struct cli_command cli_reject = {
	.name = "reject",
	.usage = "ID...",
	.help = "refuse a waiting call",
	.details = "Shows the whole call and asks. ID is the card's id or only its "
			   "number (assent cards lists them). A note tells the agent's "
			   "model why. "
			   "Several cards, or --round, are rejected together.",
	.group = CLI_GROUP_PEOPLE,
	.args_min = 1,
	.args_max = CLI_ARGS_MAX,
	.options =
		{
				  CLI_ANSWER_OPTIONS, },
	.run = run,
};
