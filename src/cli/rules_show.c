/*
 * assent rules show: a rules file, with the revision that saving needs.
 */

#include <stdio.h>

#include "cli/ruletext.h"
#include "wire/json.h"

static void
print_faults(const struct cli *c, const json_t *told)
{
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(told, "faults"), i, j)
		(void)fprintf(stderr,
			"line %lld, column %lld: %.*s; the file is not in use as it is\n",
			(long long)wire_json_int(j, "line", 0),
			(long long)wire_json_int(j, "column", 0),
			STR_ARG(cli_member(c->arena, j, "message")));
}

static int
run(struct cli *c)
{
	CLEANUP(cli_ruletext_done) struct cli_ruletext t;
	struct str line, rest;
	int code = cli_ruletext_get(c, &t);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&t.told);
	(void)printf("# %.*s%s\n# revision %.*s\n",
		STR_ARG(cli_show(c->arena, t.path)), t.there ? "" : " (not there)",
		STR_ARG(cli_show(c->arena, t.revision)));
	rest = t.text;
	while (str_line(&rest, &line))
		(void)printf("%.*s\n", STR_ARG(cli_show(c->arena, line)));
	print_faults(c, t.told.json);
	return CLI_OK;
}

const struct cli_command cli_rules_show = {
	.name = "rules show",
	.usage = "",
	.help = "show your rules file, and the revision that saving needs",
	.group = CLI_GROUP_SETUP,
	.options = {CLI_RULETEXT_OPTIONS,
				{"workspace", NULL, "what this workspace brings itself"},
				{"admin", NULL, "the administrator's"}},
	.run = run,
};
