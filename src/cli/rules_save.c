/*
 * assent rules save: a text in the place of a rules file.
 */

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/ruletext.h"

static int
run(struct cli *c)
{
	CLEANUP(cli_ruletext_done) struct cli_ruletext t;
	CLEANUP(buf_done) struct buf text = {0};
	const char *revision = cli_get(c, "revision");
	int code = cli_file_read(c, c->args[0], &text);

	if (code != CLI_OK)
		return code;
	code = cli_ruletext_get(c, &t);
	if (code != CLI_OK)
		return code;
	if (!revision)
		return cli_usage(c,
			"--revision says which text this one replaces (assent rules show)");
	t.revision = str_from(revision);
	code = cli_ruletext_save(c, &t, buf_str(&text));
	return code == CLI_ASK ? CLI_FAILURE : code;
}

const struct cli_command cli_rules_save = {
	.name = "rules save",
	.usage = "--revision REVISION FILE",
	.help = "put a text in the place of your rules file",
	.details =
		"Saves FILE (or -) as your rules, whole or not at all: a text with\n"
		"faults is refused with each of them, and so is one that was made of\n"
		"another text than the one that is there now. assent rules show\n"
		"prints the revision; assent rules edit does all of it.",
	.group = CLI_GROUP_SETUP,
	.args_min = 1,
	.args_max = 1,
	.options = {CLI_RULETEXT_OPTIONS,
				{"revision", "REVISION", "of the text that this replaces"}},
	.run = run,
};
