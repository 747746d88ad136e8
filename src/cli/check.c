/*
 * assent check: what would be decided about one call, or about many.
 */

#include "cli/asked.h"

static int
check_batch(struct cli *c)
{
	struct policy *p;
	int code = cli_policy_new(c, &p);

	if (code != CLI_OK)
		return code;
	code = cli_batch(c, &(struct check_options){p, cli_has(c, "trace")});
	policy_unref(p);
	return code;
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};

	if (cli_has(c, "batch")) {
		if (c->arg_count > 0)
			return cli_usage(c,
				"with --batch the calls come on standard "
				"input");
		return check_batch(c);
	}
	if (c->arg_count == 0)
		return cli_usage(c, "say which command: assent check 'ls -la'");
	int code = cli_asked_decide(c, &asked);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_asked_print_json(&asked, cli_has(c, "trace"));
	cli_verdict_print(c, &asked.result.outcome);
	return cli_verdict_code(asked.result.outcome.verdict);
}

const struct cli_command cli_check = {
	.name = "check",
	.usage = "[--tool TOOL] 'COMMAND' | --batch",
	.help = "say what would be decided about a call",
	.details =
		"Decides without daemon, model, or any file of yours: by the built-in\n"
		"rules, those of --rules, and a labelled world (workspace\n"
		"/home/dev/proj, home /home/dev, no links). Nothing is run.\n"
		"\n"
		"The argument is a shell command; with --tool a path, an address, a\n"
		"query, server/tool for mcp, or the tool's input as JSON.\n"
		"With --batch, calls are read as JSON lines from standard input and\n"
		"answered line by line, in order (see docs/check.md).\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use;\n"
		"with --batch 0 when every line was answered.",
	.group = CLI_GROUP_TRY,
	.args_max = 1,
	.options =
		{
				  CLI_CALL_OPTIONS, CLI_RULES_OPTION,
				  {"batch", NULL, "answer JSON lines from standard input"},
				  {"trace", NULL, "in JSON, what every step said"},
				  },
	.run = run,
};
