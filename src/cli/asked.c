/*
 * A call from the words of a command. It becomes a batch line first, so that
 * there is one reader of calls.
 */

#include "cli/asked.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "io/file.h"
#include "wire/json.h"

void
cli_asked_done(struct cli_asked *asked)
{
	json_decref(asked->line);
	policy_unref(asked->policy);
	*asked = (struct cli_asked){0};
}

/* --- rules ------------------------------------------------------------------ */

void
cli_faults_print(
	const struct cli *c, const char *path, const struct policy_faults *faults)
{
	struct str name = cli_show(c->arena, str_from(path));

	for (size_t i = 0; i < faults->count; i++) {
		const struct policy_fault *f = &faults->list[i];
		struct str text = cli_show(c->arena, f->message);
		struct str hint = cli_show(c->arena, f->suggestion);

		(void)fprintf(stderr, "%.*s:%u:%u: %.*s\n", STR_ARG(name), f->line,
			f->column, STR_ARG(text));
		if (hint.len > 0)
			(void)fprintf(stderr, "    %.*s\n", STR_ARG(hint));
	}
}

int
cli_file_read(const struct cli *c, const char *path, struct buf *ret)
{
	buf_init(ret, LIMIT_RULES_BYTES);
	int r = io_file_read(path, ret);

	return r == 0 ? CLI_OK : cli_fail(c, "%s: %s", path, fail_name(r));
}

int
cli_policy_add(const struct cli *c, struct policy *p, enum policy_layer layer,
	const char *path)
{
	CLEANUP(buf_done) struct buf text;
	struct policy_faults faults = {0};
	struct str name = str_base(str_from(path));

	int code = cli_file_read(c, path, &text);

	if (code != CLI_OK)
		return code;
	if (policy_add(p, layer, name, buf_str(&text), c->arena, &faults))
		return CLI_OK;
	cli_faults_print(c, path, &faults);
	return CLI_FAILURE;
}

int
cli_policy_add_option(const struct cli *c, struct policy *p, const char *value)
{
	struct str path;
	struct str word = str_cut(str_from(value), '=', &path);
	enum policy_layer layer;

	if (!path.ptr)
		return cli_usage(c, "--rules wants LAYER=FILE, such as user=my.conf");
	if (!policy_layer_from(word, &layer)) {
		word = cli_show(c->arena, word);
		return cli_usage(c,
			"there is no layer \"%.*s\": builtin, user, "
			"project, profile, enforced, workspace, trusted "
			"and ceiling are",
			STR_ARG(word));
	}
	return cli_policy_add(c, p, layer, path.ptr);
}

int
cli_policy_new(const struct cli *c, struct policy **ret)
{
	const char *value;
	size_t at = 0;
	struct policy *p = policy_new();

	if (!p)
		return cli_fail(c, "out of memory");
	while ((value = cli_get_next(c, "rules", &at)) != NULL) {
		int code = cli_policy_add_option(c, p, value);

		if (code != CLI_OK) {
			policy_unref(p);
			return code;
		}
	}
	*ret = p;
	return CLI_OK;
}

/* --- the call --------------------------------------------------------------- */

/* The member of input that a tool's one argument is. */
static const char *
argument_key(enum call_tool tool)
{
	switch (tool) {
	case CALL_TOOL_SHELL:
		return "command";
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
		return "path";
	case CALL_TOOL_FETCH:
		return "url";
	case CALL_TOOL_WEB_SEARCH:
		return "query";
	case CALL_TOOL_MCP:
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
	case CALL_TOOL_NONE:
	case CALL_TOOL_COUNT:
		break;
	}
	return NULL;
}

static void
set_text(json_t *obj, const char *key, const char *value)
{
	if (value)
		(void)json_object_set_new(obj, key, json_string(value));
}

/* The input: one argument, "server/tool" for mcp, JSON for all else. */
static json_t *
make_input(const struct cli *c, enum call_tool tool)
{
	const char *key = argument_key(tool);
	const char *slash = strchr(c->args[0], '/');
	struct wire_json_error error;

	if (key)
		return json_pack("{s:s}", key, c->args[0]);
	if (tool == CALL_TOOL_MCP && slash && c->args[0][0] != '{')
		return json_pack("{s:s%,s:s}", "server", c->args[0],
			(size_t)(slash - c->args[0]), "tool", slash + 1);
	json_t *input = wire_json_parse(str_from(c->args[0]), &error);

	if (!input)
		(void)cli_usage(c, "%s wants its input as JSON: %s",
			call_tool_name(tool), error.message);
	return input;
}

static json_t *
make_line(const struct cli *c, enum call_tool tool, json_t *input)
{
	const char *root;
	size_t at = 0;
	json_t *roots = json_array();
	json_t *context = json_object();
	json_t *line = json_object();

	while ((root = cli_get_next(c, "root", &at)) != NULL)
		(void)json_array_append_new(roots, json_string(root));
	set_text(context, "mode", cli_get(c, "mode"));
	set_text(context, "tier", cli_get(c, "tier"));
	set_text(context, "agent", cli_get(c, "agent"));
	set_text(line, "tool", call_tool_name(tool));
	set_text(line, "cwd", cli_get(c, "cwd"));
	if (json_array_size(roots) > 0)
		(void)json_object_set(line, "roots", roots);
	(void)json_object_set_new(line, "input", input);
	(void)json_object_set_new(line, "context", context);
	json_decref(roots);
	return line;
}

/* Levels that are misspelt are a mistake here, not an unset layer. */
static int
check_levels(const struct cli *c)
{
	enum call_mode mode;
	enum call_tier tier;

	if (cli_get(c, "mode")
		&& !call_mode_from(str_from(cli_get(c, "mode")), &mode))
		return cli_usage(c,
			"--mode is ask, ai_auto, auto_approve or "
			"full_access");
	if (cli_get(c, "tier")
		&& !call_tier_from(str_from(cli_get(c, "tier")), &tier))
		return cli_usage(c, "--tier is standard, aggressive or passive");
	return CLI_OK;
}

int
cli_asked_read(const struct cli *c, struct cli_asked *ret)
{
	enum call_tool tool = CALL_TOOL_SHELL;
	const char *name = cli_get(c, "tool");
	struct str error;

	*ret = (struct cli_asked){0};
	if (name && !call_tool_from(str_from(name), &tool))
		return cli_usage(c,
			"there is no tool \"%s\": shell, read, write, edit, "
			"delete, search, list, fetch, web_search, mcp, "
			"agent and other are",
			name);
	if (check_levels(c) != CLI_OK)
		return CLI_USAGE;
	json_t *input = make_input(c, tool);

	if (!input)
		return argument_key(tool)
			? cli_fail(c, "this is not UTF-8, and not judged")
			: CLI_USAGE;
	ret->line = make_line(c, tool, input);
	if (!check_request_from(c->arena, ret->line, &ret->request, &error))
		return cli_usage(c, "%.*s", STR_ARG(error));
	return CLI_OK;
}

int
cli_asked_decide(const struct cli *c, struct cli_asked *ret)
{
	int code = cli_asked_read(c, ret);

	if (code == CLI_OK)
		code = cli_policy_new(c, &ret->policy);
	if (code == CLI_OK)
		check_decide(c->arena, ret->policy, &ret->request, &ret->result);
	return code;
}

/* --- the verdict ------------------------------------------------------------ */

/* How a verdict looks, and what a command ends with for it. */
static const struct {
	enum cli_ink bold, plain;
	int code;
} looks[CALL_VERDICT_COUNT] = {
	[CALL_VERDICT_NONE] = {CLI_INK_BOLD_DENY,  CLI_INK_DENY,  CLI_DENY},
	[CALL_VERDICT_ALLOW] = {CLI_INK_BOLD_ALLOW, CLI_INK_ALLOW, CLI_OK  },
	[CALL_VERDICT_ASK] = {CLI_INK_BOLD_ASK,   CLI_INK_ASK,   CLI_ASK },
	[CALL_VERDICT_DENY] = {CLI_INK_BOLD_DENY,  CLI_INK_DENY,  CLI_DENY},
};

enum cli_ink
cli_verdict_ink(enum call_verdict verdict)
{
	CHECK(verdict < CALL_VERDICT_COUNT);
	return looks[verdict].plain;
}

int
cli_verdict_code(enum call_verdict verdict)
{
	CHECK(verdict < CALL_VERDICT_COUNT);
	return looks[verdict].code;
}

void
cli_verdict_print(const struct cli *c, const struct call_outcome *o)
{
	enum cli_ink ink = looks[o->verdict].bold;
	struct str reason = cli_show(c->arena, o->reason);

	(void)printf("%s%-5s%s  %.*s\n", cli_ink(c, ink),
		call_verdict_name(o->verdict), cli_ink_off(c, ink), STR_ARG(reason));
	(void)printf(
		"       %sby %s", cli_ink(c, CLI_INK_FAINT), call_by_name(o->by));
	if (o->rule.ptr) {
		struct str rule = cli_show(c->arena, o->rule);

		(void)printf(", %.*s", STR_ARG(rule));
	}
	if (o->risk != CALL_RISK_NONE)
		(void)printf(", risk %s", call_risk_name(o->risk));
	if (o->person_only)
		(void)printf(", a person may allow it once");
	(void)printf("%s\n", cli_ink_off(c, CLI_INK_FAINT));
}

int
cli_asked_print_json(const struct cli_asked *asked, bool with_trace)
{
	CLEANUP(buf_done) struct buf out;

	buf_init(&out, LIMIT_ARENA_BYTES);
	check_result_print(&out, &asked->request, &asked->result, with_trace);
	if (out.full)
		return CLI_FAILURE;
	(void)fwrite(out.ptr, 1, out.len, stdout);
	return cli_verdict_code(asked->result.outcome.verdict);
}
