/*
 * assent grants: what was answered "always" to.
 */

#include <stdio.h>
#include <string.h>

#include "cli/layered.h"
#include "cli/request.h"
#include "wire/json.h"

enum { BODY_BYTES = 32 << 10 };

static int
run_list(struct cli *c)
{
	CLI_TOLD told = {0};
	struct str project =
		cli_has(c, "all") ? (struct str){0} : cli_layered_project(c);
	struct cli_request q = {.method = "GET", .starts = true};
	json_t *g;
	size_t i;

	q.path = arena_fmt(c->arena, "/v1/grants?project=%.*s",
		STR_ARG(cli_query_part(c->arena, project.ptr ? project : STR(""))))
				 .ptr;
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	if (json_array_size(wire_json_array(told.json, "grants")) == 0)
		(void)printf("nothing is always allowed%s\n",
			project.len > 0 ? " in this project" : "");
	json_array_foreach (wire_json_array(told.json, "grants"), i, g) {
		(void)printf("%4lld  %-6.*s  %.*s%s%s%s",
			(long long)wire_json_int(g, "number", 0),
			STR_ARG(cli_member(c->arena, g, "action")),
			STR_ARG(cli_member(c->arena, g, "resource")),
			cli_ink(c, CLI_INK_FAINT),
			wire_json_bool(g, "exact") ? "  exactly" : "",
			cli_ink_off(c, CLI_INK_FAINT));
		if (cli_has(c, "all"))
			(void)printf(
				"  in %.*s", STR_ARG(cli_member(c->arena, g, "project")));
		(void)printf("\n");
	}
	return CLI_OK;
}

static int
say_done(const struct cli *c, const struct cli_request *q, const char *done)
{
	CLI_TOLD told = {0};
	int code = cli_ask_well(c, q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	(void)printf("%s, from the next call on\n", done);
	return CLI_OK;
}

static int
run_remove(struct cli *c)
{
	int64_t number = 0;
	struct cli_request q = {
		.method = "POST", .body = STR("{}\n"), .starts = true};

	if (!str_number(str_from(c->args[0]), &number) || number <= 0)
		return cli_usage(c, "a grant is named by its number");
	q.path =
		arena_fmt(c->arena, "/v1/grants/%lld/remove", (long long)number).ptr;
	return say_done(c, &q, "taken back");
}

static int
run_clear(struct cli *c)
{
	CLEANUP(buf_done) struct buf body = {0};
	struct str project = cli_layered_project(c);

	if (project.len == 0)
		return cli_fail(c, "this folder is no project");
	buf_init(&body, BODY_BYTES);
	buf_addf(&body, "{\"project\":");
	buf_add_json(&body, project);
	buf_addf(&body, "}\n");
	struct cli_request q = {
		.method = "POST",
		.path = "/v1/grants/clear",
		.body = buf_str(&body),
		.starts = true,
	};

	return say_done(c, &q, "nothing is always allowed in this project");
}

const struct cli_command cli_grants_list = {
	.name = "grants list",
	.usage = "",
	.help = "what you answered \"always\" to, in this project",
	.group = CLI_GROUP_PEOPLE,
	.options = {{"all", NULL, "of all projects"}},
	.run = run_list,
};

const struct cli_command cli_grants_remove = {
	.name = "grants remove",
	.usage = "NUMBER",
	.help = "take one of them back",
	.group = CLI_GROUP_PEOPLE,
	.args_min = 1,
	.args_max = 1,
	.run = run_remove,
};

const struct cli_command cli_grants_clear = {
	.name = "grants clear",
	.usage = "",
	.help = "take back all of this project",
	.group = CLI_GROUP_PEOPLE,
	.run = run_clear,
};
