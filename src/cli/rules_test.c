/*
 * assent rules test: what a person's own rules, as they stand, make of a call
 * here and now.
 */

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/asked.h"
#include "cli/here.h"

static int
add_if_there(
	struct cli *c, struct policy *p, enum policy_layer layer, struct str path)
{
	const char *name = arena_cstr(c->arena, path);

	if (!name || access(name, F_OK) != 0)
		return CLI_OK;
	return cli_policy_add(c, p, layer, name);
}

static int
add_files(struct cli *c, const struct io_place *place, const char *cwd,
	struct policy *p)
{
	const struct {
		enum policy_layer layer;
		struct str path;
	} files[] = {
		{POLICY_LAYER_USER,
         arena_fmt(c->arena,                     "%.*s/assent.conf", STR_ARG(place->config))},
		{POLICY_LAYER_ENFORCED,    place->admin},
		{POLICY_LAYER_WORKSPACE,
         arena_fmt(c->arena,         "%s/.assent/rules.conf",                   cwd)                    },
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		int code = add_if_there(c, p, files[i].layer, files[i].path);

		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};
	struct io_place place = {0};
	char cwd[PATH_MAX];
	int code = cli_asked_read(c, &asked);

	if (code != CLI_OK)
		return code;
	if (!getcwd(cwd, sizeof(cwd)))
		return cli_fail(c, "this folder is not there any more");
	if (io_place_find(c->arena, &c->places, true, &place) != 0)
		return cli_fail(c, "%s", fail_text());
	code = cli_here_set(c, &asked.request);
	if (code == CLI_OK)
		code = cli_policy_new(c, &asked.policy);
	if (code == CLI_OK)
		code = add_files(c, &place, cwd, asked.policy);
	if (code != CLI_OK)
		return code;
	check_decide(c->arena, asked.policy, &asked.request, &asked.result);
	if (c->json)
		return cli_asked_print_json(&asked, true);
	cli_verdict_print(c, &asked.result.outcome);
	return cli_verdict_code(asked.result.outcome.verdict);
}

const struct cli_command cli_rules_test = {
	.name = "rules test",
	.usage = "[--tool TOOL] 'COMMAND'",
	.help = "say what your own rules make of a call in this folder",
	.details =
		"Reads your settings, the administrator's, and this folder's\n"
		".assent/rules.conf, and decides without daemon or model. Grants and\n"
		"the session's mode are known to the daemon only.\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = 1,
	.options = {CLI_CALL_OPTIONS, CLI_RULES_OPTION},
	.run = run,
};
