/*
 * assent trust: a workspace's own rules may allow, as they are now.
 */

#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/layered.h"
#include "cli/person.h"
#include "cli/request.h"
#include "io/file.h"
#include "policy/policy.h"

enum { BODY_BYTES = 6 * LIMIT_RULES_BYTES + (32 << 10) };

/* text: the bytes that were shown; absent to take it back. */
static int
send_trust(const struct cli *c, struct str project, struct str text)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct cli_request q = {
		.method = "POST", .path = "/v1/trust", .starts = true};

	buf_init(&body, BODY_BYTES);
	buf_addf(&body, "{\"project\":");
	buf_add_json(&body, project);
	buf_addf(&body, ",\"text\":");
	if (text.ptr)
		buf_add_json(&body, text);
	else
		buf_addf(&body, "null");
	buf_addf(&body, "}\n");
	q.body = buf_str(&body);
	if (body.full)
		return cli_fail(c, "the file is too large");
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	(void)printf("%s\n",
		text.ptr ? "trusted, as it is now; after any change it only tightens"
				 : "not trusted any more; its allow lines do not count");
	return CLI_OK;
}

/* Shows what each line means; the exit code. */
static int
show_rules(const struct cli *c, const char *path, struct str text)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults faults = {0};
	struct str line, rest;

	if (!p)
		return cli_fail(c, "out of memory");
	if (!policy_add(p, POLICY_LAYER_WORKSPACE_TRUSTED, STR("rules.conf"), text,
			c->arena, &faults)) {
		cli_faults_print(c, path, &faults);
		return CLI_FAILURE;
	}
	rest = policy_explain(
		c->arena, POLICY_LAYER_WORKSPACE_TRUSTED, STR("rules.conf"), text);
	while (!c->json && str_line(&rest, &line))
		(void)printf("%.*s\n", STR_ARG(cli_show(c->arena, line)));
	return CLI_OK;
}

static int
trust(const struct cli *c, struct str project)
{
	CLEANUP(buf_done) struct buf text = {0};
	const char *path =
		arena_fmt(c->arena, "%.*s/.assent/rules.conf", STR_ARG(project)).ptr;

	buf_init(&text, LIMIT_RULES_BYTES);
	if (io_file_read(path, &text) != 0)
		return cli_fail(c, "%s", fail_text());
	int code = show_rules(c, path, buf_str(&text));

	if (code != CLI_OK)
		return code;
	if (!cli_has(c, "yes") && !isatty(STDIN_FILENO))
		return cli_usage(c,
			"standard input is no terminal, so nobody can be asked; --yes "
			"answers without asking");
	if (!cli_has(c, "yes")
		&& !cli_person_agrees(c, "Let these rules of the workspace allow?")) {
		(void)printf("nothing was changed\n");
		return CLI_FAILURE;
	}
	return send_trust(c, project, buf_str(&text));
}

static int
run(struct cli *c)
{
	struct str project = cli_layered_project(c);

	if (project.len == 0)
		return cli_fail(c, "this folder is no project");
	return cli_has(c, "revoke") ? send_trust(c, project, (struct str){0})
								: trust(c, project);
}

const struct cli_command cli_trust = {
	.name = "trust",
	.usage = "",
	.help = "let the rules that this workspace brings allow, too",
	.details =
		"A workspace's .assent/rules.conf only tightens: ask, deny, "
		"sensitive.\n"
		"Trusted, its allow lines count, below your own. Shows what each line\n"
		"means and asks. The file is trusted as it is now, by its digest: "
		"after\n"
		"any change it is not.",
	.group = CLI_GROUP_SETUP,
	.options = {{"revoke", NULL, "trust it no more"},
				{"yes", NULL, "do it without asking"}},
	.run = run,
};
