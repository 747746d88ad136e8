#include "cli/pages.h"

#include <stdio.h>
#include <time.h>

#include "io/clock.h"
#include "wire/json.h"

enum { PAGE_ROWS = 5000, ROW_BYTES = 256 << 20 };

struct walk {
	cli_row_fn *take;
	void *data;
	struct arena *arena; /* of one row */
};

static bool
read_date(const char *text, int64_t *ret_ms)
{
	static const char *const forms[] = {
		"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		struct tm parts = {.tm_isdst = -1};
		const char *end = strptime(text, forms[i], &parts);
		time_t t = end && !*end ? mktime(&parts) : -1;

		if (t >= 0) {
			*ret_ms = (int64_t)t * 1000;
			return true;
		}
	}
	return false;
}

bool
cli_since_from(const char *text, int64_t *ret_ms)
{
	static const struct {
		char unit;
		int64_t ms;
	} units[] = {
		{'m', 60000   },
		{'h', 3600000 },
		{'d', 86400000},
	};
	struct str s = str_from(text);
	int64_t n = 0;

	if (s.len < 2 || !str_number(str_sub(s, 0, s.len - 1), &n) || n > 1000000)
		return read_date(text, ret_ms);
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (s.ptr[s.len - 1] == units[i].unit) {
			*ret_ms = io_clock_wall_ms() - n * units[i].ms;
			return true;
		}
	}
	return false;
}

/* With an arena of its own for each row: there may be many. */
static int
take_line(struct cli *c, const struct walk *walk, struct str line,
	int64_t *ret_number)
{
	struct wire_json_error error;
	struct cli one = *c;
	json_t *row = wire_json_parse(line, &error);
	int code = CLI_FAILURE;

	if (!row)
		return cli_fail(c, "a row cannot be read: %s", error.message);
	*ret_number = wire_json_int(row, "number", 0);
	one.arena = walk->arena;
	arena_reset(one.arena);
	code = walk->take(&one, row, walk->data);
	json_decref(row);
	return code;
}

/* One page behind row *after, which becomes its last row; 0: it was empty. */
static int
walk_page(
	struct cli *c, const struct walk *walk, struct str query, int64_t *after)
{
	CLI_TOLD told = {0};
	char path[4096];
	struct str rest, line;
	int n =
		snprintf(path, sizeof(path), "/v1/audit/export?limit=%d&after=%lld%.*s",
			PAGE_ROWS, (long long)*after, STR_ARG(query));

	if (n < 0 || (size_t)n >= sizeof(path))
		return cli_usage(c, "the options are too long");
	const struct cli_request q = {
		.method = "GET", .path = path, .starts = true, .raw = true};
	int code = cli_ask_well(c, &q, &told);
	int64_t last = 0;

	rest = buf_str(&told.text);
	while (code == CLI_OK && str_line(&rest, &line)) {
		if (str_trim(line).len == 0)
			continue;
		code = take_line(c, walk, line, &last);
	}
	if (code == CLI_OK && last != 0 && last <= *after)
		return cli_fail(c, "the daemon repeats itself");
	*after = last;
	return code;
}

int
cli_pages_walk(struct cli *c, struct str query, cli_row_fn *take, void *data)
{
	struct walk walk = {take, data, arena_new(ROW_BYTES)};
	int64_t after = 0;
	int code = CLI_OK;

	if (!walk.arena)
		return cli_fail(c, "out of memory");
	do
		code = walk_page(c, &walk, query, &after);
	while (code == CLI_OK && after != 0);
	arena_free(walk.arena);
	return code;
}
