/*
 * assent explain: what was understood of a call, and what every step said. It
 * prints a result's JSON, whether it was decided here or by the daemon.
 */

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/here.h"
#include "cli/request.h"
#include "wire/json.h"

enum { WIDEST = 48 }; /* columns of a table, before it overflows */

static void
print_head(const struct cli *c, const char *title)
{
	(void)printf("\n%s%s%s\n", cli_ink(c, CLI_INK_HEAD), title,
		cli_ink_off(c, CLI_INK_HEAD));
}

static void
print_faint(const struct cli *c, struct str s)
{
	(void)printf("%s%.*s%s", cli_ink(c, CLI_INK_FAINT), STR_ARG(s),
		cli_ink_off(c, CLI_INK_FAINT));
}

/* A list of texts in one, a separator between two. */
static struct str
joined(struct arena *a, const json_t *list, const char *between)
{
	struct str all = STR("");

	for (size_t i = 0; i < json_array_size(list); i++) {
		struct str one = wire_json_text(json_array_get(list, i));

		if (all.len + one.len > LIMIT_PATH_BYTES)
			return arena_fmt(a, "%.*s ...", STR_ARG(all));
		all = arena_fmt(
			a, "%.*s%s%.*s", STR_ARG(all), i > 0 ? between : "", STR_ARG(one));
	}
	return cli_show(a, all);
}

/* --- what was understood ----------------------------------------------------- */

enum { NO_COMMAND = -1, STEP = 2, MARGIN = 2 };

/* How much an effect is worth looking at. */
static enum cli_ink
effect_ink(struct str kind, struct str scope, const json_t *e)
{
	const json_t *flags = wire_json_array(e, "flags");

	for (size_t i = 0; i < json_array_size(flags); i++) {
		if (str_eq(wire_json_text(json_array_get(flags, i)),
				STR("shows a secret")))
			return CLI_INK_DENY;
	}
	if (str_eq(kind, STR("delete")) || str_eq(kind, STR("send"))
		|| str_eq(kind, STR("privilege")))
		return CLI_INK_DENY;
	if (str_eq(kind, STR("read")) && str_eq(scope, STR("workspace")))
		return CLI_INK_ALLOW;
	return str_eq(kind, STR("read")) ? CLI_INK_PLAIN : CLI_INK_ASK;
}

static size_t
widest_resource(const struct cli *c, const json_t *effects)
{
	size_t widest = 0;

	for (size_t i = 0; i < json_array_size(effects); i++) {
		size_t w = cli_width(
			cli_member(c->arena, json_array_get(effects, i), "resource"));

		if (w > widest && w <= WIDEST)
			widest = w;
	}
	return widest;
}

static void
print_effect(const struct cli *c, const json_t *e, int indent, size_t widest)
{
	struct str kind = cli_member(c->arena, e, "kind");
	struct str scope = cli_member(c->arena, e, "scope");
	struct str what = cli_member(c->arena, e, "resource");
	struct str by = cli_member(c->arena, e, "by");
	struct str flags = joined(c->arena, wire_json_array(e, "flags"), ", ");
	enum cli_ink ink = effect_ink(kind, scope, e);
	size_t w = cli_width(what);

	(void)printf("%*s%s%-9.*s%s  %-9.*s  %.*s", indent, "", cli_ink(c, ink),
		STR_ARG(kind), cli_ink_off(c, ink), STR_ARG(scope), STR_ARG(what));
	if (flags.len > 0)
		print_faint(c,
			arena_fmt(c->arena, "%*s  %.*s", (int)(w < widest ? widest - w : 0),
				"", STR_ARG(flags)));
	if (wire_json_int(e, "command", NO_COMMAND) == NO_COMMAND)
		print_faint(c, arena_fmt(c->arena, "  by %.*s", STR_ARG(by)));
	(void)printf("\n");
}

/* The effects of the command that is called so, or of none. */
static void
print_effects(
	const struct cli *c, const json_t *effects, int64_t command, int indent)
{
	size_t widest = widest_resource(c, effects);

	for (size_t i = 0; i < json_array_size(effects); i++) {
		const json_t *e = json_array_get(effects, i);

		if (wire_json_int(e, "command", NO_COMMAND) == command)
			print_effect(c, e, indent, widest);
	}
}

/* The words, and which row of the tables speaks for them. */
static void
print_command(const struct cli *c, const json_t *one, int indent)
{
	struct str words = joined(c->arena, wire_json_array(one, "words"), " ");
	struct str marks =
		joined(c->arena, wire_json_array(one, "ignorance"), ", ");
	struct str row = cli_member(c->arena, one, "row");
	struct str sub = cli_member(c->arena, one, "sub");

	(void)printf("%*s%s%.*s%s", indent, "", cli_ink(c, CLI_INK_BOLD),
		STR_ARG(words), cli_ink_off(c, CLI_INK_BOLD));
	if (row.len > 0)
		print_faint(c,
			arena_fmt(c->arena, "   by %.*s%s%.*s", STR_ARG(row),
				sub.len > 0 ? ", " : "", STR_ARG(sub)));
	else
		print_faint(c, STR("   no row"));
	if (marks.len > 0)
		(void)printf("   %s%.*s%s", cli_ink(c, CLI_INK_ASK), STR_ARG(marks),
			cli_ink_off(c, CLI_INK_ASK));
	(void)printf("\n");
}

/* The commands as a tree, each with what it does; then what no command of its own
 * does: the shell, or another tool. */
static void
print_tree(const struct cli *c, const json_t *commands, const json_t *effects)
{
	if (json_array_size(commands) > 0)
		print_head(c, "Commands");
	for (size_t i = 0; i < json_array_size(commands); i++) {
		const json_t *one = json_array_get(commands, i);
		int64_t depth = wire_json_int(one, "depth", 0);
		int indent = MARGIN + STEP * (int)(depth < 16 ? depth : 16);

		print_command(c, one, indent);
		print_effects(c, effects, (int64_t)i, indent + 2 * STEP);
	}
	for (size_t i = 0; i < json_array_size(effects); i++) {
		if (wire_json_int(json_array_get(effects, i), "command", NO_COMMAND)
			!= NO_COMMAND)
			continue;
		print_head(c, json_array_size(commands) > 0 ? "Besides" : "Effects");
		print_effects(c, effects, NO_COMMAND, MARGIN);
		return;
	}
}

static void
print_hazards(const struct cli *c, const json_t *hazards)
{
	if (json_array_size(hazards) == 0)
		return;
	print_head(c, "Hazards");
	for (size_t i = 0; i < json_array_size(hazards); i++) {
		const json_t *h = json_array_get(hazards, i);
		struct str text = cli_member(c->arena, h, "text");
		struct str what = cli_member(c->arena, h, "what");

		(void)printf("  %.*s", STR_ARG(text));
		print_faint(c, arena_fmt(c->arena, "  %.*s", STR_ARG(what)));
		(void)printf("\n");
	}
}

static void
print_ignorance(const struct cli *c, const json_t *result)
{
	struct str why = cli_member(c->arena, result, "incomplete_why");
	struct str kinds =
		joined(c->arena, wire_json_array(result, "ignorance"), ", ");

	if (why.len == 0)
		return;
	print_head(c, "Not understood");
	(void)printf("  %.*s", STR_ARG(why));
	print_faint(c, arena_fmt(c->arena, "  %.*s", STR_ARG(kinds)));
	(void)printf("\n");
}

/* --- the steps --------------------------------------------------------------- */

static void
print_step(const struct cli *c, const json_t *step, enum cli_ink verdict)
{
	bool decided = wire_json_bool(step, "decided");
	bool skipped = wire_json_bool(step, "skipped");
	struct str name = cli_member(c->arena, step, "step");
	struct str said = cli_member(c->arena, step, "said");
	enum cli_ink ink = decided ? verdict
		: skipped              ? CLI_INK_FAINT
							   : CLI_INK_PLAIN;
	char text[24];

	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(name));
	for (char *p = strchr(text, '_'); p; p = strchr(p, '_'))
		*p = ' ';
	(void)printf("%s %-11s  %s%s%.*s%s\n", decided ? ">" : " ", text,
		cli_ink(c, ink), skipped ? "no say: " : "", STR_ARG(said),
		cli_ink_off(c, ink));
}

static int
print_result(const struct cli *c, const json_t *result)
{
	const json_t *steps = wire_json_array(result, "trace");
	struct call_outcome o = {
		.reason = wire_json_str(result, "reason"),
		.rule = wire_json_str(result, "rule"),
		.person_only = wire_json_bool(result, "person_only"),
	};

	if (!call_verdict_from(wire_json_str(result, "verdict"), &o.verdict)
		|| !call_by_from(wire_json_str(result, "by"), &o.by)
		|| (wire_json_str(result, "risk").ptr
			&& !call_risk_from(wire_json_str(result, "risk"), &o.risk)))
		return cli_fail(c, "this result cannot be read");
	print_tree(c, wire_json_array(result, "commands"),
		wire_json_array(result, "effects"));
	print_hazards(c, wire_json_array(result, "hazards"));
	print_ignorance(c, result);
	print_head(c, "Steps");
	for (size_t i = 0; i < json_array_size(steps); i++)
		print_step(c, json_array_get(steps, i), cli_verdict_ink(o.verdict));
	(void)printf("\n");
	cli_verdict_print(c, &o);
	return cli_verdict_code(o.verdict);
}

static void
print_call(const struct cli *c, const struct call *call)
{
	struct str what = cli_show(c->arena, order_resource(c->arena, call));
	struct str cwd = cli_show(c->arena, call->cwd);

	(void)printf("%s%.*s%s\n", cli_ink(c, CLI_INK_BOLD), STR_ARG(what),
		cli_ink_off(c, CLI_INK_BOLD));
	print_faint(c,
		arena_fmt(
			c->arena, "%s in %.*s", call_tool_name(call->tool), STR_ARG(cwd)));
	(void)printf("\n");
}

/* --- where it is decided ----------------------------------------------------- */

static int
explain_here(const struct cli *c, struct cli_asked *asked)
{
	CLEANUP(buf_done) struct buf out;
	struct wire_json_error error;
	int code = cli_asked_decide(c, asked);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_asked_print_json(asked, true);
	buf_init(&out, LIMIT_ARENA_BYTES);
	check_result_print(&out, &asked->request, &asked->result, true);
	WIRE_JSON json_t *result = wire_json_parse(buf_str(&out), &error);

	if (!result)
		return cli_fail(c, "the result is too large to show: %s",
			out.full ? "over a limit" : error.message);
	print_call(c, &asked->request.call);
	return print_result(c, result);
}

/* What the daemon would decide now: by the user's rules, grants and mode. */
static int
explain_live(struct cli *c, struct cli_asked *asked)
{
	CLI_TOLD told = {0};
	int code = cli_asked_read(c, asked);

	if (code == CLI_OK)
		code = cli_here_set(c, &asked->request);
	if (code != CLI_OK)
		return code;
	cli_here_print(&asked->request, asked->line);
	struct cli_request q = {
		.method = "POST",
		.path = "/v1/order",
		.body = wire_json_print(c->arena, asked->line),
		.starts = true,
	};

	code = cli_ask_well(c, &q, &told);
	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	asked->request.call.cwd = wire_json_str(asked->line, "cwd");
	print_call(c, &asked->request.call);
	return print_result(c, told.json);
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};

	if (!cli_has(c, "live"))
		return explain_here(c, &asked);
	if (cli_has(c, "rules"))
		return cli_usage(c, "with --live the daemon's rules decide");
	return explain_live(c, &asked);
}

const struct cli_command cli_explain = {
	.name = "explain",
	.usage = "[--tool TOOL] 'COMMAND'",
	.help = "show what is understood of a call and why it is decided so",
	.details =
		"Shows the commands and effects that were found, what was not\n"
		"understood, what every step of deciding said, and the verdict.\n"
		"Decides as `assent check` does; with --live as the daemon would in\n"
		"this folder now, by your rules, grants and mode. Nothing is run,\n"
		"nothing is recorded, nobody is asked.\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = 1,
	.options = {CLI_CALL_OPTIONS, CLI_RULES_OPTION,
				{"live", NULL, "ask the daemon, for this folder"}},
	.run = run,
};
