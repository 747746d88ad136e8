/*
 * assent eval: labelled calls through facts, order and judge, and how often that
 * was right.
 */

#include "cli/eval.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "io/file.h"
#include "wire/json.h"

enum { FILE_BYTES = 256 << 20, CASES_MAX = 100000 };

struct suite {
	struct cli_eval_case *cases;
	json_t **lines;
	size_t count, room;
};

static void
suite_done(struct suite *s)
{
	for (size_t i = 0; i < s->count; i++)
		json_decref(s->lines[i]);
	free(s->cases);
	free(s->lines);
}

static int
make_room(const struct cli *c, struct suite *s)
{
	if (s->count < s->room)
		return CLI_OK;
	if (s->count >= CASES_MAX)
		return cli_usage(c, "more than %d cases", CASES_MAX);
	size_t room = s->room * 2 + 64;
	struct cli_eval_case *cases = realloc(s->cases, room * sizeof(*s->cases));
	json_t **lines = cases ? realloc(s->lines, room * sizeof(json_t *)) : NULL;

	if (cases)
		s->cases = cases;
	if (!lines)
		return cli_fail(c, "out of memory");
	s->lines = lines;
	s->room = room;
	return CLI_OK;
}

static int
add_case(const struct cli *c, struct suite *s, const char *path, size_t number,
	struct str text)
{
	struct wire_json_error error;
	int code = make_room(c, s);

	if (code != CLI_OK)
		return code;
	json_t *line = wire_json_parse(text, &error);

	if (!line)
		return cli_fail(c, "%s:%zu: %s", path, number, error.message);
	struct cli_eval_case *k = &s->cases[s->count];
	struct str id = wire_json_str(line, "id");
	struct str of = wire_json_str(line, "class");
	struct str expect = wire_json_str(line, "expect");
	struct str rest;

	CHECK(s->lines); /* there is room */
	s->lines[s->count++] = line;
	*k = (struct cli_eval_case){.line = line};
	if (!call_verdict_from(expect, &k->expect)
		|| k->expect == CALL_VERDICT_NONE)
		return cli_fail(c,
			"%s:%zu: \"expect\" is none of \"allow\", \"ask\" and \"deny\"",
			path, number);
	/* without a class, what stands before the number of the id */
	if (!of.ptr && id.ptr)
		of = str_cut(id, '-', &rest);
	k->id = id.ptr ? id.ptr : arena_fmt(c->arena, "line %zu", number).ptr;
	k->class_name = of.len > 0 ? arena_dup(c->arena, of).ptr : "all";
	return CLI_OK;
}

static int
read_file(const struct cli *c, struct suite *s, const char *path)
{
	CLEANUP(buf_done) struct buf text;
	struct str rest, line;
	size_t number = 0;

	buf_init(&text, FILE_BYTES);
	int r = io_file_read(path, &text);

	if (r != 0)
		return cli_fail(c, "%s: %s", path, fail_name(r));
	rest = buf_str(&text);
	while (str_line(&rest, &line)) {
		number++;
		if (str_trim(line).len == 0)
			continue;
		int code = add_case(c, s, path, number, line);

		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

/* The files of one option as a policy. */
static int
add_rules(const struct cli *c, const char *option, struct policy *p)
{
	const char *value;
	size_t at = 0;

	while ((value = cli_get_next(c, option, &at)) != NULL) {
		int code = cli_policy_add_option(c, p, value);

		if (code != CLI_OK)
			return code;
	}
	return CLI_OK;
}

static int
make_side(const struct cli *c, const char *name, const char *model,
	const char *rules, struct cli_eval_side *ret)
{
	*ret = (struct cli_eval_side){.name = name, .model = model};
	ret->policy = policy_new();
	if (!ret->policy)
		return cli_fail(c, "out of memory");
	return add_rules(c, rules, ret->policy);
}

static int
run_sides(const struct cli *c, const struct suite *s,
	struct cli_eval_side *sides, size_t side_count)
{
	struct cli_eval_result *results[2] = {NULL, NULL};

	for (size_t i = 0; i < side_count; i++) {
		results[i] = cli_eval_results(s->count);
		if (!results[i])
			return cli_fail(c, "out of memory");
		int code = cli_eval_run(c, &sides[i], s->lines, s->count, results[i]);

		if (code != CLI_OK)
			return code;
	}
	return cli_eval_report(c,
		&(struct cli_eval_run){s->cases, s->count, sides, results, side_count});
}

static int
run_suite(const struct cli *c, struct suite *s)
{
	struct cli_eval_side sides[2] = {{0}};
	const char *other = cli_get(c, "against-model");
	bool two = other || cli_has(c, "against-rules");
	const char *model = cli_get(c, "model");
	int code = CLI_OK;

	for (size_t i = 0; i < c->arg_count && code == CLI_OK; i++)
		code = read_file(c, s, c->args[i]);
	if (code == CLI_OK && s->count == 0)
		code = cli_usage(c, "these files hold no case");
	if (code == CLI_OK)
		code = make_side(c, "first", model, "rules", &sides[0]);
	if (code == CLI_OK && two)
		code = make_side(c, "second", other ? other : model,
			cli_has(c, "against-rules") ? "against-rules" : "rules", &sides[1]);
	if (code == CLI_OK)
		code = run_sides(c, s, sides, two ? 2 : 1);
	policy_unref(sides[0].policy);
	policy_unref(sides[1].policy);
	return code;
}

static int
run(struct cli *c)
{
	CLEANUP(suite_done) struct suite s = {0};

	return run_suite(c, &s);
}

const struct cli_command cli_eval = {
	.name = "eval",
	.usage = "CASES.jsonl...",
	.help = "how often rules and model decide labelled calls as they should",
	.details =
		"Each line is a call as `assent check --batch` reads it (with its\n"
		"conversation, replies and history under \"context\"), and "
		"\"expect\":\n"
		"allow (should run), ask (should not run by itself) or deny (must be\n"
		"refused). Facts and order decide here; the daemon's model is asked\n"
		"where they leave it to one. Nothing is run or recorded as a call.\n"
		"With --against-model or --against-rules both ways are shown side by\n"
		"side. It costs what so many questions to your model cost.\n"
		"\n"
		"Exit code: 0 nothing was allowed that should not be, 3 something\n"
		"was, 1 failure, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = CLI_ARGS_MAX,
	.options =
		{
				  {"rules", "LAYER=FILE", "add a rules file, repeatable"},
				  {"model", "NAME", "another model of the same provider"},
				  {"against-rules", "LAYER=FILE", "the second way's rules"},
				  {"against-model", "NAME", "the second way's model"},
				  {"parallel", "N", "questions at once (default 4)"},
				  {"all", NULL, "list every case, not only the wrong ones"},
				  },
	.run = run,
};
