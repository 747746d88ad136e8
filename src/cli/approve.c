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
	.usage = "ID",
	.help = "let a waiting call run",
	.details = "Shows the whole call and asks. ID is the card's id or only its "
			   "number (assent cards lists them). A note reaches the agent's "
			   "model as yours. --always makes a grant of exactly what the "
			   "card shows, or of the pattern that you give (the card may "
			   "propose one); assent grants lists them and takes them back.",
	.group = CLI_GROUP_PEOPLE,
	.args_min = 1,
	.args_max = 1,
	.options =
		{
				  CLI_ANSWER_OPTIONS, {"always", NULL, "and from now on exactly this, in this project"},
				  {"as", "PATTERN", "with --always: what it covers, \"npm test *\""},
				  },
	.run = run,
};
