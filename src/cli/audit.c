/*
 * assent audit list|show|verify|export: what was decided, by whom, and the proof
 * that nobody changed it since.
 */

#include <stdio.h>
#include <string.h>

#include "cli/layered.h"
#include "cli/pages.h"
#include "wire/json.h"

enum {
	POWER_CUT_TAIL = 3, /* exit code of verify */
	LIST_ROWS = 50,
	LIST_ROWS_MAX = 500, /* of one answer that is read as JSON */
	EXPORT_ROWS = 5000,  /* of one part */
	BRIEF_BYTES = 72,    /* of a call, in a list */
};

/* --- list ------------------------------------------------------------------ */

/* Options that go into the query as they are. */
static const char *const filters[] = {
	"session", "project", "verdict", "by", "kind", "tool", "hearing"};

/* The query of list and export, from the options. False: said what is wrong. */
static bool
print_filters(const struct cli *c, struct buf *b)
{
	static const char *const times[] = {"since", "until"};

	for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
		struct str value = str_from(cli_get(c, filters[i]));

		if (str_eq(value, STR(".")) && strcmp(filters[i], "project") == 0)
			value = cli_layered_project(c);
		struct str part = cli_query_part(c->arena, value);

		if (value.ptr)
			buf_addf(b, "&%s=%.*s", filters[i], STR_ARG(part));
	}
	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		const char *given = cli_get(c, times[i]);
		int64_t ms = 0;

		if (given && !cli_since_from(given, &ms)) {
			(void)cli_usage(c,
				"--%s wants 30m, 2h or 3d (ago), or a date: \"2026-12-01 "
				"10:30\"",
				times[i]);
			return false;
		}
		if (given)
			buf_addf(b, "&%s=%lld", times[i], (long long)ms);
	}
	return true;
}

static const struct {
	const char *verdict;
	enum cli_ink ink;
} inks[] = {
	{"allow", CLI_INK_ALLOW},
	{"ask",   CLI_INK_ASK  },
	{"deny",  CLI_INK_DENY },
};

static enum cli_ink
ink_of(struct str verdict)
{
	for (size_t i = 0; i < ARRAY_LEN(inks); i++) {
		if (str_eq(verdict, str_from(inks[i].verdict)))
			return inks[i].ink;
	}
	return CLI_INK_PLAIN;
}

/* s in so many columns, cut or filled up. */
static void
put_column(struct str s, int width)
{
	int used = (int)cli_width(s);

	if (s.len > 0)
		(void)printf("%.*s", STR_ARG(s));
	(void)printf("%*s", used < width ? width - used : 1, "");
}

static struct str
first(struct str a, struct str b)
{
	return a.len > 0 ? a : b;
}

/* What the call is about, in a few words: its row has all of it. */
static struct str
brief_of(const struct cli *c, const json_t *row)
{
	static const char *const members[] = {
		"command", "file_path", "path", "url", "query", "pattern", "script"};
	struct wire_json_error e;
	json_t *call = wire_json_parse(wire_json_str(row, "call"), &e);
	const json_t *input = wire_json_get(call, "input");
	struct str what = wire_json_text(input);

	for (size_t i = 0; what.len == 0 && i < ARRAY_LEN(members); i++)
		what = wire_json_str(input, members[i]);
	what = what.len > BRIEF_BYTES
		? arena_fmt(c->arena, "%.*s...", BRIEF_BYTES, what.ptr)
		: what;
	what = cli_show(c->arena, what.ptr ? what : STR(""));
	json_decref(call);
	return what;
}

/* Words of other kinds of row stand where the verdict stands. */
static void
put_row(const struct cli *c, const json_t *row)
{
	struct arena *a = c->arena;
	struct str kind = cli_member(a, row, "kind");
	struct str verdict = cli_member(a, row, "verdict");
	bool decision = str_eq(kind, STR("decision"));
	enum cli_ink ink = ink_of(verdict);
	struct str said = decision ? verdict : kind;
	struct str by =
		first(cli_member(a, row, "by"), cli_member(a, row, "source"));
	struct str reason = cli_member(a, row, "reason");

	(void)printf("%6lld  %.*s  ", (long long)wire_json_int(row, "number", 0),
		STR_ARG(cli_time(a, wire_json_int(row, "time_ms", 0))));
	(void)printf("%s", cli_ink(c, ink));
	put_column(first(said, kind), 12);
	(void)printf("%s", cli_ink_off(c, ink));
	put_column(by, 12);
	put_column(cli_member(a, row, "tool_name"), 12);
	put_column(cli_member(a, row, "card"), 14);
	struct str what = brief_of(c, row);

	if (what.len > 0 && reason.len > 0)
		(void)printf("%.*s  %s(%.*s)%s\n", STR_ARG(what),
			cli_ink(c, CLI_INK_FAINT), STR_ARG(reason),
			cli_ink_off(c, CLI_INK_FAINT));
	else
		(void)printf("%.*s\n", STR_ARG(first(what, reason)));
}

static int
run_list(struct cli *c)
{
	CLEANUP(buf_done) struct buf path = {0};
	CLI_TOLD told = {0};
	struct cli_request q = {.method = "GET", .starts = true};
	const char *given = cli_get(c, "limit"), *from = cli_get(c, "after");
	int64_t limit = LIST_ROWS, after = 0;
	json_t *row;
	size_t i;

	if (given
		&& (!str_number(str_from(given), &limit) || limit < 1
			|| limit > LIST_ROWS_MAX))
		return cli_usage(c,
			"--limit wants a number from 1 to %d (assent audit export has "
			"no limit)",
			LIST_ROWS_MAX);
	if (from && !str_number(str_from(from), &after))
		return cli_usage(c, "--after wants the number of a row");
	buf_init(&path, 1 << 16);
	buf_addf(&path, "/v1/audit?limit=%lld&after=%lld%s", (long long)limit,
		(long long)after, from ? "" : "&newest=true");
	if (!print_filters(c, &path))
		return CLI_USAGE;
	q.path = path.ptr;
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	json_array_foreach (wire_json_array(told.json, "rows"), i, row) {
		put_row(c, row);
	}
	if (json_array_size(wire_json_array(told.json, "rows")) == 0)
		(void)printf("no rows\n");
	return CLI_OK;
}

/* clang-format off */
#define FILTER_OPTIONS                                                       \
	{"after", "N", "rows behind row N"},                                     \
	{"session", "ID", "of one session"},                                     \
	{"project", "DIR", "of one project; .: the one you are in"},                                    \
	{"verdict", "V", "allow, ask or deny"},                                  \
	{"by", "WHO", "decided by: floor, rule, grant, judge, person, ..."},     \
	{"tool", "NAME", "of one tool: Bash, or its kind: shell"},               \
	{"kind", "KIND", "decision, card, withdrawn, setting, ..."},             \
	{"hearing", "N", "of one call"},                                         \
	{"since", "AGO", "not older than 30m, 2h, 3d, or a date"},               \
	{"until", "AGO", "older than that"}
/* clang-format on */

const struct cli_command cli_audit_list = {
	.name = "audit list",
	.usage = "",
	.help = "what was decided, the newest last",
	.details = "One line a row: number, time, verdict (or what happened), by "
			   "whom, tool, card, reason.",
	.group = CLI_GROUP_PEOPLE,
	.options =
		{
				  FILTER_OPTIONS, {"limit", "N", "at most N rows (default 50)"},
				  },
	.run = run_list,
};

/* --- show ------------------------------------------------------------------ */

static void
put_value(const struct cli *c, const char *name, const json_t *value)
{
	struct str text = cli_show(c->arena,
		json_is_string(value) ? wire_json_text(value)
							  : wire_json_print(c->arena, value));

	if (strcmp(name, "time_ms") == 0) {
		name = "time";
		text = cli_time(c->arena, json_integer_value(value));
	}
	(void)printf("%s%-12s%s %.*s\n", cli_ink(c, CLI_INK_FAINT), name,
		cli_ink_off(c, CLI_INK_FAINT), STR_ARG(text));
}

/* The call stands in the first row about its hearing. */
static int
show_call(struct cli *c, const json_t *row)
{
	CLI_TOLD told = {0};
	int64_t hearing = wire_json_int(row, "hearing", 0);
	const struct cli_request q = {
		.method = "GET",
		.path = arena_fmt(
			c->arena, "/v1/audit?limit=1&hearing=%lld", (long long)hearing)
					.ptr,
	};

	if (hearing == 0)
		return CLI_OK;
	int code = cli_ask_well(c, &q, &told);
	const json_t *first_row =
		json_array_get(wire_json_array(told.json, "rows"), 0);
	const json_t *call = wire_json_get(first_row, "call");

	if (code == CLI_OK && call)
		put_value(c, "call", call);
	return code;
}

static int
run_show(struct cli *c)
{
	CLI_TOLD told = {0};
	struct str word = cli_query_part(c->arena, str_from(c->args[0]));
	const struct cli_request q = {
		.method = "GET",
		.path = arena_fmt(c->arena, "/v1/audit/%.*s", STR_ARG(word)).ptr,
		.starts = true,
	};
	int64_t number = 0;
	const char *name;
	json_t *value;

	if (!str_number(str_from(c->args[0]), &number))
		return cli_usage(c, "N is the number of a row (assent audit list)");
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_told_print(&told);
	json_object_foreach (told.json, name, value) {
		put_value(c, name, value);
	}
	return json_object_get(told.json, "call") ? CLI_OK
											  : show_call(c, told.json);
}

const struct cli_command cli_audit_show = {
	.name = "audit show",
	.usage = "N",
	.help = "all of one row",
	.group = CLI_GROUP_PEOPLE,
	.args_min = 1,
	.args_max = 1,
	.run = run_show,
};

/* --- verify ---------------------------------------------------------------- */

static const struct {
	const char *result;
	int code;
	enum cli_ink ink;
} proofs[] = {
	{"consistent",     CLI_OK,         CLI_INK_ALLOW    },
	{"broken",         CLI_FAILURE,    CLI_INK_BOLD_DENY},
	{"power_cut_tail", POWER_CUT_TAIL, CLI_INK_ASK      },
};

static int
run_verify(struct cli *c)
{
	CLI_TOLD told = {0};
	const char *head = cli_get(c, "head");
	struct str part = cli_query_part(c->arena, str_from(head));
	const struct cli_request q = {
		.method = "GET",
		.path = arena_fmt(c->arena, "/v1/audit/verify%s%.*s",
			head ? "?head=" : "", STR_ARG(part))
					.ptr,
		.starts = true,
	};
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	struct str result = wire_json_str(told.json, "result");

	for (size_t i = 0; i < ARRAY_LEN(proofs); i++) {
		if (!str_eq(result, str_from(proofs[i].result)))
			continue;
		if (c->json)
			(void)cli_told_print(&told);
		else
			(void)printf("%s%.*s%s, %lld rows\nhead %.*s\n",
				cli_ink(c, proofs[i].ink),
				STR_ARG(cli_member(c->arena, told.json, "message")),
				cli_ink_off(c, proofs[i].ink),
				(long long)wire_json_int(told.json, "rows", 0),
				STR_ARG(cli_member(c->arena, told.json, "head")));
		return proofs[i].code;
	}
	return cli_fail(c, "the daemon's answer is not known here");
}

const struct cli_command cli_audit_verify = {
	.name = "audit verify",
	.usage = "",
	.help = "is the record whole and unaltered",
	.details =
		"Walks the whole chain. By itself it says \"consistent\"; with a head "
		"that was kept elsewhere (the journal has them) also that nothing "
		"before it was altered or taken away.\n"
		"Exit code 0: consistent. 1: broken. 3: the last rows were lost in a "
		"power cut.",
	.group = CLI_GROUP_PEOPLE,
	.options =
		{
				  {"head", "HEAD", "a head that was kept elsewhere"},
				  },
	.run = run_verify,
};

/* --- export ---------------------------------------------------------------- */

/* The number of the last row in a part, or 0. */
static int64_t
last_number(struct str text)
{
	struct str line, last = {0};
	struct wire_json_error e;

	text = str_trim(text);
	while (str_line(&text, &line))
		last = line;
	json_t *row = wire_json_parse(last, &e);
	int64_t number = wire_json_int(row, "number", 0);

	json_decref(row);
	return number;
}

/* One part behind row after; *ret_last is its last row, 0 when it is empty. */
static int
export_part(struct cli *c, struct str query, int64_t after, int64_t *ret_last)
{
	CLI_TOLD told = {0};
	const struct cli_request q = {
		.method = "GET",
		.path = arena_fmt(c->arena, "/v1/audit/export?limit=%d&after=%lld%.*s",
			EXPORT_ROWS, (long long)after, STR_ARG(query))
					.ptr,
		.starts = true,
		.raw = true,
	};
	int code = cli_ask_well(c, &q, &told);

	if (code != CLI_OK)
		return code;
	struct str text = buf_str(&told.text);

	if (text.len > 0 && fwrite(text.ptr, 1, text.len, stdout) != text.len)
		return cli_fail(c, "standard output cannot be written");
	*ret_last = last_number(text);
	return CLI_OK;
}

static int
run_export(struct cli *c)
{
	CLEANUP(buf_done) struct buf query = {0};
	const char *given = cli_get(c, "after");
	int64_t after = 0, last = 0;

	if (given && !str_number(str_from(given), &after))
		return cli_usage(c, "--after wants the number of a row");
	buf_init(&query, 1 << 16);
	if (!print_filters(c, &query))
		return CLI_USAGE;
	do {
		last = 0;
		int code = export_part(c, buf_str(&query), after, &last);

		if (code != CLI_OK)
			return code;
		if (last != 0 && last <= after)
			return cli_fail(c, "the daemon repeats itself");
		after = last;
	} while (last != 0);
	return CLI_OK;
}

const struct cli_command cli_audit_export = {
	.name = "audit export",
	.usage = "",
	.help = "all rows as JSON lines, with digests",
	.group = CLI_GROUP_PEOPLE,
	.options =
		{
				  FILTER_OPTIONS, },
	.run = run_export,
};
