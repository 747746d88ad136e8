/*
 * assent replay: the audit's calls decided again, by the present rules, by
 * others, or by another model, and what would change.
 */

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "cli/eval.h"
#include "cli/here.h"
#include "cli/pages.h"
#include "wire/json.h"

/* What became of a call, or would: what the two are compared by. A call that the
 * rules leave to the judge is compared as that, unless a model is asked. */
#define WORDS(X)        \
	X(NONE, "none")     \
	X(ALLOW, "allowed") \
	X(PERSON, "asked")  \
	X(DENY, "refused")  \
	X(JUDGE, "judge")

#define X(name, text) WORD_##name,
enum word { WORDS(X) WORD_COUNT };
#undef X

static const char *const words[] = {
#define X(name, text) text,
	WORDS(X)
#undef X
};

struct replay {
	struct io_place place;
	struct policy *policy; /* of --rules; NULL: the daemon's present ones */
	const char *model;     /* another model is asked; NULL: none is */
	bool asks;             /* a model is asked at all */
	size_t changes[WORD_COUNT][WORD_COUNT];
	size_t compared, redacted, without, shown;
	struct buf json;
	json_t *cards; /* hearing: the row of its card, which has the call */
};

/* --- the call, as a line of check ------------------------------------------------ */

/* What agents call the arguments that check names. */
static const struct {
	const char *theirs, *ours;
} names[] = {
	{"file_path",     "path"   },
	{"notebook_path", "path"   },
	{"new_string",    "content"},
	{"new_source",    "content"},
};

static void
add_input(json_t *line, const json_t *call)
{
	struct str tool = wire_json_str(call, "tool");
	json_t *input = json_deep_copy(wire_json_object(call, "input"));

	if (!input)
		input = json_object();
	if (str_eq(tool, STR("mcp"))) {
		json_t *mcp = json_object();

		(void)json_object_set(mcp, "server", wire_json_get(call, "server"));
		(void)json_object_set(mcp, "tool", wire_json_get(call, "server_tool"));
		(void)json_object_set_new(mcp, "arguments", input);
		input = mcp;
	}
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!wire_json_get(input, names[i].ours)
			&& wire_json_get(input, names[i].theirs))
			(void)json_object_set(
				input, names[i].ours, wire_json_get(input, names[i].theirs));
	}
	(void)json_object_set_new(line, "input", input);
}

static json_t *
line_of(const json_t *row, const json_t *call)
{
	static const char *const same[] = {"tool", "tool_name", "cwd"};
	static const char *const known[] = {"agent", "role", "session"};
	json_t *line = json_object(), *context = json_object();

	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		if (wire_json_get(call, same[i]))
			(void)json_object_set(line, same[i], wire_json_get(call, same[i]));
	}
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (wire_json_get(row, known[i]))
			(void)json_object_set(
				context, known[i], wire_json_get(row, known[i]));
	}
	if (wire_json_get(call, "shell"))
		(void)json_object_set(line, "dialect", wire_json_get(call, "shell"));
	(void)json_object_set_new(line, "context", context);
	add_input(line, call);
	return line;
}

/* --- deciding again ---------------------------------------------------------------- */

static enum word
word_of(struct str verdict, struct str by, bool by_user, bool asks)
{
	if (by_user)
		return WORD_PERSON;
	if (str_eq(by, STR("judge")) && !asks)
		return WORD_JUDGE;
	if (str_eq(verdict, STR("allow")))
		return WORD_ALLOW;
	return str_eq(verdict, STR("deny")) ? WORD_DENY : WORD_PERSON;
}

static enum word
word_before(const struct replay *r, const json_t *row, const json_t *whole)
{
	bool judged = wire_json_str(whole, "judged").ptr != NULL;
	bool by_user = str_eq(wire_json_str(row, "source"), STR("user"));

	if (judged && !r->asks)
		return WORD_JUDGE;
	return word_of(wire_json_str(row, "verdict"), wire_json_str(row, "by"),
		by_user, r->asks);
}

/* By the daemon's rules, grants and modes as they are now. */
static int
decide_there(struct cli *c, const json_t *line, enum word *ret)
{
	CLI_TOLD told = {0};
	struct cli_request q = {
		.method = "POST",
		.path = "/v1/order",
		.body = wire_json_print(c->arena, line),
		.starts = true,
	};
	int code = cli_ask_well(c, &q, &told);

	if (code == CLI_OK)
		*ret = word_of(wire_json_str(told.json, "verdict"),
			wire_json_str(told.json, "by"), false, false);
	return code;
}

/* By the rules of --rules and, where they leave it open, the model. */
static int
decide_here(struct cli *c, struct replay *r, json_t *line, enum word *ret)
{
	struct cli_eval_side side = {
		.name = "", .model = r->model, .policy = r->policy};
	struct cli_eval_result result;
	int code = cli_eval_one(c, &side, line, r->asks, &result);

	if (code != CLI_OK)
		return code;
	*ret = word_of(str_from(call_verdict_name(result.verdict)),
		str_from(call_by_name(result.by)), false, r->asks);
	return CLI_OK;
}

/* --- showing ------------------------------------------------------------------------ */

struct change {
	const json_t *row;
	struct str what; /* the call, fit for a terminal */
	enum word before, now;
};

static void
show_change(struct cli *c, struct replay *r, const struct change *one)
{
	const json_t *row = one->row;
	struct str what = one->what;
	enum word before = one->before, now = one->now;

	if (c->json) {
		buf_addf(&r->json,
			"%s{\"number\":%lld,\"before\":\"%s\",\"now\":\"%s\",\"call\":",
			r->shown > 0 ? "," : "", (long long)wire_json_int(row, "number", 0),
			words[before], words[now]);
		buf_add_json(&r->json, what);
		buf_add_char(&r->json, '}');
	} else {
		(void)printf("%6lld  %.*s  %-8s -> %s%-8s%s  %.*s\n",
			(long long)wire_json_int(row, "number", 0),
			STR_ARG(cli_time(c->arena, wire_json_int(row, "time_ms", 0))),
			words[before],
			cli_ink(c, now == WORD_ALLOW ? CLI_INK_BOLD_ALLOW : CLI_INK_ASK),
			words[now], cli_ink_off(c, CLI_INK_BOLD), STR_ARG(what));
	}
	r->shown++;
}

static int
show_sums(struct cli *c, struct replay *r)
{
	if (c->json) {
		(void)printf("{\"compared\":%zu,\"redacted\":%zu,\"without\":%zu,"
					 "\"changed\":[%.*s]}\n",
			r->compared, r->redacted, r->without, STR_ARG(buf_str(&r->json)));
		return CLI_OK;
	}
	(void)printf("%s%zu compared%s, %zu would change", r->shown > 0 ? "\n" : "",
		r->compared, "", r->shown);
	if (r->redacted + r->without > 0)
		(void)printf(
			"; not comparable: %zu whose text was redacted or cut, %zu "
			"whose text was not kept",
			r->redacted, r->without);
	(void)printf("\n");
	for (int a = 0; a < WORD_COUNT; a++) {
		for (int b = 0; b < WORD_COUNT; b++) {
			if (a != b && r->changes[a][b] > 0)
				(void)printf("  %-8s -> %-8s %zu\n", words[a], words[b],
					r->changes[a][b]);
		}
	}
	return CLI_OK;
}

/* --- row by row --------------------------------------------------------------------- */

static int
compare(struct cli *c, struct replay *r, const json_t *row, json_t *line,
	const json_t *whole)
{
	struct check_request request = {0};
	struct str why = {0};
	enum word before = word_before(r, row, whole), now = WORD_NONE;

	check_request_init(c->arena, &request);
	if (!check_request_from(c->arena, line, &request, &why)) {
		r->without++;
		return CLI_OK;
	}
	cli_here_look(c, &r->place, request.call.cwd, wire_json_str(row, "project"),
		&request);
	cli_here_print(&request, line);
	int code =
		r->policy ? decide_here(c, r, line, &now) : decide_there(c, line, &now);

	if (code != CLI_OK)
		return code;
	r->compared++;
	r->changes[before][now]++;
	if (before != now)
		show_change(c, r,
			&(struct change){row,
				cli_show(c->arena, order_resource(c->arena, &request.call)),
				before, now});
	return CLI_OK;
}

/* The row that has the call's text: a held call's is that of its card. */
static const json_t *
row_with_call(const struct replay *r, const json_t *row)
{
	char hearing[24];

	if (wire_json_str(row, "call").ptr)
		return row;
	(void)snprintf(hearing, sizeof(hearing), "%lld",
		(long long)wire_json_int(row, "hearing", 0));
	return wire_json_object(r->cards, hearing);
}

static void
keep_card(struct replay *r, const json_t *row)
{
	char hearing[24];

	(void)snprintf(hearing, sizeof(hearing), "%lld",
		(long long)wire_json_int(row, "hearing", 0));
	if (wire_json_str(row, "call").ptr)
		(void)json_object_set_new(r->cards, hearing, json_deep_copy(row));
}

static int
take(struct cli *c, const json_t *row, void *data)
{
	struct replay *r = data;
	struct wire_json_error error;
	struct str kind = wire_json_str(row, "kind");

	if (str_eq(kind, STR("card")))
		keep_card(r, row);
	if (!str_eq(kind, STR("decision")))
		return CLI_OK;
	const json_t *whole = row_with_call(r, row);
	struct str text = wire_json_str(whole, "call");

	if (wire_json_bool(whole, "redacted") || wire_json_bool(whole, "cut")) {
		r->redacted++;
		return CLI_OK;
	}
	json_t *call = text.ptr ? wire_json_parse(text, &error) : NULL;

	if (!call) {
		r->without++;
		return CLI_OK;
	}
	json_t *line = line_of(row, call);
	int code = compare(c, r, row, line, whole);

	json_decref(line);
	json_decref(call);
	return code;
}

static int
run_replay(struct cli *c, struct replay *r)
{
	const char *since = cli_get(c, "since"), *session = cli_get(c, "session");
	struct str query = STR("");
	int64_t since_ms = 0;
	int code = cli_places(c, &r->place);

	if (code != CLI_OK)
		return code;
	if (since && !cli_since_from(since, &since_ms))
		return cli_usage(c, "--since wants 30m, 2h or 3d");
	if (since)
		query = arena_fmt(c->arena, "&since=%lld", (long long)since_ms);
	if (session)
		query = arena_fmt(c->arena, "%.*s&session=%.*s", STR_ARG(query),
			STR_ARG(cli_query_part(c->arena, str_from(session))));
	if (cli_has(c, "rules") || r->asks)
		code = cli_policy_new(c, &r->policy);
	if (code == CLI_OK)
		code = cli_pages_walk(c, query, take, r);
	return code == CLI_OK ? show_sums(c, r) : code;
}

static int
run(struct cli *c)
{
	struct replay r = {
		.model = cli_get(c, "model"),
		.asks = cli_has(c, "model") || cli_has(c, "judge"),
	};

	r.cards = json_object();
	buf_init(&r.json, 64 << 20);
	int code = run_replay(c, &r);

	policy_unref(r.policy);
	buf_done(&r.json);
	json_decref(r.cards);
	return code;
}

const struct cli_command cli_replay = {
	.name = "replay",
	.usage = "",
	.help = "decide the audit's calls again and show what would change",
	.details =
		"Without options by your rules, grants and modes as they are now.\n"
		"With --rules by the shipped rules and these files; with --judge or\n"
		"--model the model is asked where they leave a call open (without the\n"
		"conversation, which is not kept). The world is looked at as it is\n"
		"now. Calls whose text was redacted are not compared. Nothing is run\n"
		"and nothing recorded.",
	.group = CLI_GROUP_PEOPLE,
	.options =
		{
				  {"since", "AGO", "not older than 30m, 2h, 3d"},
				  {"session", "ID", "of one session"},
				  {"rules", "LAYER=FILE", "by these rules, repeatable"},
				  {"judge", NULL, "ask the configured model"},
				  {"model", "NAME", "ask another model of the same provider"},
				  },
	.run = run,
};
