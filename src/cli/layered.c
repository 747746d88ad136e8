#include "cli/layered.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call/verdict.h"
#include "cli/request.h"
#include "cli/world.h"
#include "wire/json.h"

enum { BODY_BYTES = 32 << 10 };

struct str
cli_layered_project(const struct cli *c)
{
	struct io_place place = {0};
	char cwd[PATH_MAX];

	if (cli_places(c, &place) != CLI_OK || !getcwd(cwd, sizeof(cwd)))
		return (struct str){0};
	return cli_world_root(
		c->arena, arena_dup(c->arena, str_from(cwd)), place.home);
}

/* --- showing ---------------------------------------------------------------- */

static void
print_layers(const struct cli *c, const json_t *told, const char *name)
{
	const json_t *files = wire_json_object(told, "files");
	struct str of_files = cli_member(c->arena, files, name);
	json_t *row;
	size_t i;

	json_array_foreach (wire_json_array(told, "settings"), i, row) {
		if (str_eq(wire_json_str(row, "name"), str_from(name)))
			(void)printf("  %s%-8.*s%s  %.*s\n", cli_ink(c, CLI_INK_FAINT),
				STR_ARG(cli_member(c->arena, row, "scope")),
				cli_ink_off(c, CLI_INK_FAINT),
				STR_ARG(cli_member(c->arena, row, "value")));
	}
	if (of_files.len > 0 && !str_eq(of_files, STR("unset")))
		(void)printf("  %sfiles   %s  %.*s\n", cli_ink(c, CLI_INK_FAINT),
			cli_ink_off(c, CLI_INK_FAINT), STR_ARG(of_files));
}

static int
show(const struct cli *c, const char *name)
{
	CLI_TOLD told = {0};
	struct str project = cli_layered_project(c);
	const char *session = cli_get(c, "session");
	struct cli_request q = {.method = "GET", .starts = true};

	q.path = arena_fmt(c->arena, "/v1/settings?project=%.*s&session=%.*s",
		STR_ARG(cli_query_part(c->arena, project.ptr ? project : STR(""))),
		STR_ARG(
			cli_query_part(c->arena, session ? str_from(session) : STR(""))))
				 .ptr;
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	struct str value = cli_member(c->arena, told.json, name);

	if (value.len == 0)
		return cli_fail(c, "the daemon's answer has no %s", name);
	(void)printf("%s%.*s%s\n", cli_ink(c, CLI_INK_BOLD), STR_ARG(value),
		cli_ink_off(c, CLI_INK_BOLD));
	print_layers(c, told.json, name);
	return CLI_OK;
}

/* --- setting ---------------------------------------------------------------- */

struct target {
	const char *scope;
	struct str key;
};

static int
find_target(const struct cli *c, struct target *ret)
{
	const char *session = cli_get(c, "session");
	bool project = cli_has(c, "project");

	*ret = (struct target){.scope = "global", .key = STR("")};
	if ((session != NULL) + project + cli_has(c, "global") > 1)
		return cli_usage(c, "one of the scopes, not several");
	if (cli_has(c, "turn") && !session)
		return cli_usage(c, "--turn is of a session: say --session ID, too");
	if (session)
		*ret = (struct target){
			cli_has(c, "turn") ? "turn" : "session", str_from(session)};
	if (project)
		*ret = (struct target){"project", cli_layered_project(c)};
	if ((session || project) && ret->key.len == 0)
		return cli_fail(c,
			project ? "this folder is no project" : "the session has no name");
	return CLI_OK;
}

/* The value by its own name; absent and said when it is none. */
static struct str
read_value(const struct cli *c, const char *name, const char *word)
{
	enum call_mode mode;
	enum call_tier tier;

	if (strcmp(name, "mode") == 0) {
		if (call_mode_from(str_from(word), &mode))
			return str_from(call_mode_name(mode));
		(void)cli_usage(c,
			"\"%.*s\" is no mode; there are ask, ai_auto, auto_approve and "
			"full_access",
			STR_ARG(cli_show(c->arena, str_from(word))));
		return (struct str){0};
	}
	if (call_tier_from(str_from(word), &tier))
		return str_from(call_tier_name(tier));
	(void)cli_usage(c,
		"\"%.*s\" is no tier; there are standard, aggressive and passive",
		STR_ARG(cli_show(c->arena, str_from(word))));
	return (struct str){0};
}

static int
set(const struct cli *c, const char *name, struct str value)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct target target;
	int code = find_target(c, &target);

	if (code != CLI_OK)
		return code;
	buf_init(&body, BODY_BYTES);
	buf_addf(&body, "{\"scope\":\"%s\",\"key\":", target.scope);
	buf_add_json(&body, target.key);
	buf_addf(&body, ",\"name\":\"%s\",\"value\":", name);
	if (value.ptr)
		buf_add_json(&body, value);
	else
		buf_addf(&body, "null");
	buf_addf(&body, "}\n");
	if (body.full)
		return cli_usage(c, "the session's name is too long");
	struct cli_request q = {
		.method = "POST",
		.path = "/v1/settings",
		.body = buf_str(&body),
		.starts = true,
	};

	code = cli_ask_well(c, &q, &told);
	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	(void)printf("%s (%s): %.*s, from the next call on\n", name, target.scope,
		STR_ARG(value.ptr ? value : STR("not set")));
	return CLI_OK;
}

int
cli_layered_run(struct cli *c, const char *name)
{
	struct str value = {0};

	if (c->arg_count == 0 && !cli_has(c, "unset"))
		return show(c, name);
	if (c->arg_count > 0 && cli_has(c, "unset"))
		return cli_usage(c, "a value, or --unset, not both");
	if (c->arg_count > 0) {
		value = read_value(c, name, c->args[0]);
		if (!value.ptr)
			return CLI_USAGE;
	}
	return set(c, name, value);
}
