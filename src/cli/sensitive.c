/*
 * assent sensitive: the project's own list of what may hold secrets.
 */

#include <stdio.h>

#include "cli/layered.h"
#include "cli/request.h"
#include "wire/json.h"

enum { BODY_BYTES = 32 << 10 };

static int
run_list(struct cli *c)
{
	CLI_TOLD told = {0};
	struct str project = cli_layered_project(c);
	struct cli_request q = {.method = "GET", .starts = true};
	json_t *marker;
	size_t i;

	q.path = arena_fmt(c->arena, "/v1/sensitive?project=%.*s",
		STR_ARG(cli_query_part(c->arena, project.ptr ? project : STR(""))))
				 .ptr;
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	if (json_array_size(wire_json_array(told.json, "markers")) == 0)
		(void)printf("this project adds nothing to what is always sensitive\n");
	json_array_foreach (wire_json_array(told.json, "markers"), i, marker)
		(void)printf(
			"%.*s\n", STR_ARG(cli_show(c->arena, wire_json_text(marker))));
	return CLI_OK;
}

static int
change(const struct cli *c, const char *how, const char *done)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct str project = cli_layered_project(c);
	struct cli_request q = {
		.method = "POST", .path = "/v1/sensitive", .starts = true};

	if (project.len == 0)
		return cli_fail(c, "this folder is no project");
	buf_init(&body, BODY_BYTES);
	buf_addf(&body, "{\"project\":");
	buf_add_json(&body, project);
	buf_addf(&body, ",\"%s\":", how);
	buf_add_json(&body, str_from(c->args[0]));
	buf_addf(&body, "}\n");
	if (body.full)
		return cli_usage(c, "the marker is too long");
	q.body = buf_str(&body);
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	(void)printf("%s, from the next call on\n", done);
	return CLI_OK;
}

static int
run_add(struct cli *c)
{
	return change(c, "add", "sensitive in this project");
}

static int
run_remove(struct cli *c)
{
	return change(c, "remove", "not sensitive by this project's list any more");
}

const struct cli_command cli_sensitive_list = {
	.name = "sensitive list",
	.usage = "",
	.help = "what this project adds to what may hold secrets",
	.group = CLI_GROUP_SETUP,
	.run = run_list,
};

const struct cli_command cli_sensitive_add = {
	.name = "sensitive add",
	.usage = "MARKER",
	.help = "add a marker: a part of any path, or a path pattern",
	.group = CLI_GROUP_SETUP,
	.args_min = 1,
	.args_max = 1,
	.run = run_add,
};

const struct cli_command cli_sensitive_remove = {
	.name = "sensitive remove",
	.usage = "MARKER",
	.help = "take one of them out",
	.group = CLI_GROUP_SETUP,
	.args_min = 1,
	.args_max = 1,
	.run = run_remove,
};
