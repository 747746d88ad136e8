#include "cli/ruletext.h"

#include <stdio.h>

#include "base/limits.h"
#include "cli/layered.h"
#include "wire/json.h"

enum { BODY_BYTES = 6 * LIMIT_RULES_BYTES + (32 << 10) };

void
cli_ruletext_done(struct cli_ruletext *t)
{
	cli_told_done(&t->told);
	*t = (struct cli_ruletext){0};
}

/* Which layer the options mean; absent when they say two. */
static const char *
layer_of(const struct cli *c)
{
	bool project = cli_has(c, "project"), workspace = cli_has(c, "workspace");
	bool admin = cli_has(c, "admin");

	if (project + workspace + admin > 1)
		return NULL;
	return project  ? "project"
		: workspace ? "workspace"
		: admin     ? "enforced"
					: "user";
}

int
cli_ruletext_get(const struct cli *c, struct cli_ruletext *ret)
{
	const char *layer = layer_of(c);
	struct cli_request q = {.method = "GET", .starts = true};

	*ret = (struct cli_ruletext){0};
	if (!layer)
		return cli_usage(c, "one file, not several");
	ret->layer = str_from(layer);
	ret->project = cli_layered_project(c);
	if (ret->project.len == 0)
		ret->project = STR("");
	q.path = arena_fmt(c->arena, "/v1/rules?layer=%s&project=%.*s", layer,
		STR_ARG(cli_query_part(c->arena, ret->project)))
				 .ptr;
	int code = cli_ask_well(c, &q, &ret->told);

	if (code != CLI_OK)
		return code;
	ret->path = wire_json_str(ret->told.json, "path");
	ret->text = wire_json_str(ret->told.json, "text");
	ret->revision = wire_json_str(ret->told.json, "revision");
	ret->there = wire_json_bool(ret->told.json, "there");
	return ret->path.ptr && ret->revision.ptr
		? CLI_OK
		: cli_fail(c, "the daemon's answer holds no rules");
}

static int
say_faults(const struct cli *c, const struct cli_told *told)
{
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(told->json, "faults"), i, j) {
		struct str what = cli_member(c->arena, j, "suggestion");

		(void)fprintf(stderr, "line %lld, column %lld: %.*s%s%.*s\n",
			(long long)wire_json_int(j, "line", 0),
			(long long)wire_json_int(j, "column", 0),
			STR_ARG(cli_member(c->arena, j, "message")),
			what.len > 0 ? "; " : "", (int)what.len, what.ptr ? what.ptr : "");
	}
	return CLI_ASK;
}

int
cli_ruletext_save(
	const struct cli *c, const struct cli_ruletext *t, struct str text)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct cli_request q = {
		.method = "POST", .path = "/v1/rules", .starts = true};
	struct io_place p;
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	buf_init(&body, BODY_BYTES);
	buf_addf(&body, "{\"layer\":\"%.*s\",\"project\":", STR_ARG(t->layer));
	buf_add_json(&body, t->project);
	buf_addf(&body, ",\"revision\":");
	buf_add_json(&body, t->revision);
	buf_addf(&body, ",\"text\":");
	buf_add_json(&body, text);
	buf_addf(&body, "}\n");
	if (body.full)
		return cli_fail(c, "the file is too large");
	q.body = buf_str(&body);
	int r = cli_ask(c, &p, &q, &told);

	if (r != 0 || told.status != 200) {
		code = cli_ask_failed(c, r, &told);
		return json_array_size(wire_json_array(told.json, "faults")) > 0
			? say_faults(c, &told)
			: code;
	}
	if (c->json)
		return cli_told_print(&told);
	(void)printf("saved %.*s; it holds from the next call on\n",
		STR_ARG(cli_show(c->arena, t->path)));
	return CLI_OK;
}
