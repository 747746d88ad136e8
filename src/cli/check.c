/*
 * assent check: what would be decided about one call, or about many; what a model
 * would be asked, and how its answer is read.
 */

#include "base/limits.h"
#include "cli/asked.h"
#include "io/file.h"

static int
check_lines(struct cli *c, cli_line_fn *answer)
{
	struct policy *p;
	int code = cli_policy_new(c, &p);

	if (code != CLI_OK)
		return code;
	code =
		cli_batch(c, &(struct check_options){p, cli_has(c, "trace")}, answer);
	policy_unref(p);
	return code;
}

static int
verdict_code(enum judge_says says)
{
	switch (says) {
	case JUDGE_SAYS_ALLOW:
		return CLI_OK;
	case JUDGE_SAYS_ESCALATE:
		return CLI_ASK;
	case JUDGE_SAYS_DENY:
		return CLI_DENY;
	case JUDGE_SAYS_FAILURE:
	case JUDGE_SAYS_COUNT:
		break;
	}
	return CLI_FAILURE;
}

static int
check_verdict(struct cli *c)
{
	CLEANUP(buf_done) struct buf reply, out;
	enum judge_says says;

	buf_init(&reply, LIMIT_BODY_BYTES);
	buf_init(&out, LIMIT_BODY_BYTES);
	if (io_file_read_fd(0, &reply) != 0)
		return cli_fail(c, "%s", fail_text());
	says = check_verdict_print(c->arena, buf_str(&reply), &out);
	if (io_file_write_fd(1, buf_str(&out)) != 0)
		return cli_fail(c, "%s", fail_text());
	return verdict_code(says);
}

static int
check_input(struct cli *c)
{
	if (c->arg_count > 0)
		return cli_usage(c,
			"with --batch, --prompt and --verdict everything comes on "
			"standard input");
	if (cli_has(c, "batch") + cli_has(c, "prompt") + cli_has(c, "verdict") > 1)
		return cli_usage(c, "--batch, --prompt or --verdict: one of them");
	if (cli_has(c, "verdict"))
		return check_verdict(c);
	return check_lines(
		c, cli_has(c, "prompt") ? check_prompt_line : check_line);
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};

	if (cli_has(c, "batch") || cli_has(c, "prompt") || cli_has(c, "verdict"))
		return check_input(c);
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
	.usage = "[--tool TOOL] 'COMMAND' | --batch | --prompt | --verdict",
	.help = "say what would be decided about a call",
	.details =
		"Decides without daemon, model, or any file of yours: by the built-in\n"
		"rules, those of --rules, and a labelled world (workspace\n"
		"/home/dev/proj, home /home/dev, no links). Nothing is run.\n"
		"\n"
		"The argument is a shell command; with --tool a path, an address, a\n"
		"query, server/tool for mcp, or the tool's input as JSON.\n"
		"With --batch, calls are read as JSON lines from standard input and\n"
		"answered line by line, in order (see docs/check.md). With --prompt, "
		"such\n"
		"a line is answered with what a model would be asked; with --verdict, "
		"a\n"
		"model's reply is read from standard input.\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use;\n"
		"with --batch and --prompt 0 when every line was answered; with\n"
		"--verdict 3 means escalate.",
	.group = CLI_GROUP_TRY,
	.args_max = 1,
	.options =
		{
				  CLI_CALL_OPTIONS, CLI_RULES_OPTION,
				  {"batch", NULL, "answer JSON lines from standard input"},
				  {"prompt", NULL, "the same lines, as a model would be asked"},
				  {"verdict", NULL, "read a model's reply"},
				  {"trace", NULL, "in JSON, what every step said"},
				  },
	.run = run,
};
