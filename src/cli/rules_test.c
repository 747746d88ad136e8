/*
 * assent rules test: what a person's own rules, as they stand, make of a call
 * here and now.
 */

#include <stdio.h>
#include <unistd.h>

#include "cli/asked.h"
#include "cli/here.h"
#include "cli/layered.h"
#include "cli/request.h"
#include "wire/json.h"

/* The files that count here, in the order of their layers. */
struct files {
	const char *list[4];
	size_t count;
};

static int
add_if_there(struct cli *c, struct cli_asked *asked, enum policy_layer layer,
	struct str path, struct files *files)
{
	const char *name = arena_cstr(c->arena, path);

	if (!name || access(name, F_OK) != 0)
		return CLI_OK;
	files->list[files->count++] = name;
	return cli_policy_add(c, asked->policy, layer, name);
}

/* Only a daemon knows what a project's file is called; none is started. */
static struct str
project_file(struct cli *c, const struct io_place *place, struct str root)
{
	CLI_TOLD told = {0};
	struct cli_request q = {.method = "GET"};

	q.path = arena_fmt(c->arena, "/v1/rules?layer=project&project=%.*s",
		STR_ARG(cli_query_part(c->arena, root)))
				 .ptr;
	if (cli_ask(c, place, &q, &told) != 0)
		return (struct str){0};
	return arena_dup(c->arena, wire_json_str(told.json, "path"));
}

static int
add_files(struct cli *c, struct cli_asked *asked, struct files *files)
{
	struct arena *a = c->arena;
	struct io_place place = {0};
	struct str found = cli_layered_project(c);
	struct str root = found.ptr ? found : STR("");

	if (io_place_find(a, &c->places, true, &place) != 0)
		return cli_fail(c, "%s", fail_text());
	const struct {
		enum policy_layer layer;
		struct str path;
	} rows[] = {
		{POLICY_LAYER_USER,
         arena_fmt(a,								"%.*s/assent.conf", STR_ARG(place.config))},
		{POLICY_LAYER_PROJECT,       project_file(c, &place,             root)                 },
		{POLICY_LAYER_ENFORCED,      place.admin   },
		{POLICY_LAYER_WORKSPACE,
         arena_fmt(a, "%.*s/.assent/rules.conf",                   STR_ARG(root))                   },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool of_project = rows[i].layer == POLICY_LAYER_PROJECT
			|| rows[i].layer == POLICY_LAYER_WORKSPACE;
		int code = of_project && root.len == 0
			? CLI_OK
			: add_if_there(c, asked, rows[i].layer, rows[i].path, files);

		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* The words of the line that decided, where it is in a file that was read. */
static void
print_line(const struct cli *c, struct str rule, const struct files *files)
{
	struct str number, line, rest;
	int64_t n = 0;
	CLEANUP(buf_done) struct buf text = {0};
	struct str name = str_cut(rule, ':', &number);
	size_t i = 0;

	while (
		i < files->count && !str_eq(str_base(str_from(files->list[i])), name))
		i++;
	if (i == files->count || !str_number(number, &n)
		|| cli_file_read(c, files->list[i], &text) != CLI_OK)
		return;
	rest = buf_str(&text);
	while (n-- > 0 && str_line(&rest, &line)) {
		if (n == 0)
			(void)printf("       %s%.*s%s\n", cli_ink(c, CLI_INK_FAINT),
				STR_ARG(cli_show(c->arena, str_trim(line))),
				cli_ink_off(c, CLI_INK_FAINT));
	}
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};
	struct files files = {0};
	int code = cli_asked_read(c, &asked);

	if (code == CLI_OK)
		code = cli_here_set(c, &asked.request);
	if (code == CLI_OK)
		code = cli_policy_new(c, &asked.policy);
	if (code == CLI_OK)
		code = add_files(c, &asked, &files);
	if (code != CLI_OK)
		return code;
	check_decide(c->arena, asked.policy, &asked.request, &asked.result);
	if (c->json)
		return cli_asked_print_json(&asked, true);
	cli_verdict_print(c, &asked.result.outcome);
	print_line(c, asked.result.outcome.rule, &files);
	return cli_verdict_code(asked.result.outcome.verdict);
}

const struct cli_command cli_rules_test = {
	.name = "rules test",
	.usage = "[--tool TOOL] 'COMMAND'",
	.help = "say what your own rules make of a call in this folder",
	.details =
		"Reads your rules, the administrator's, the workspace's\n"
		".assent/rules.conf and, when a daemon runs, your rules for this\n"
		"workspace; decides without a model and shows the line that decides.\n"
		"Grants, trust and the session's mode are known to the daemon only\n"
		"(assent explain --live).\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = 1,
	.options = {CLI_CALL_OPTIONS, CLI_RULES_OPTION},
	.run = run,
};
