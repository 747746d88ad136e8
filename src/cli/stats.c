/*
 * assent stats: what was decided, by whom, and what the judge cost.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call/verdict.h"
#include "cli/pages.h"
#include "io/clock.h"
#include "wire/json.h"

enum { GROUPS_MAX = 10000, NAME_BYTES = 128, TIMES_MAX = 1 << 20 };

/* What is counted of a set of calls. */
struct counts {
	char name[NAME_BYTES];
	size_t calls, verdicts[CALL_VERDICT_COUNT];
	size_t by_person, judged, failed, priced;
	int64_t input, cached, output, nano;
};

struct groups {
	struct counts *list;
	size_t count, room;
};

struct stats {
	struct cli *c;
	const char *by; /* what a line of the second table is */
	struct counts all;
	struct groups deciders, lines;
	int64_t *times; /* of judgements */
	size_t time_count, time_room;
};

static void
stats_done(struct stats *s)
{
	free(s->deciders.list);
	free(s->lines.list);
	free(s->times);
}

/* --- counting ------------------------------------------------------------------ */

static struct counts *
group(struct groups *g, struct str name)
{
	struct counts *more;

	if (name.len == 0)
		name = STR("(none)");
	name = str_sub(name, 0, NAME_BYTES - 1);
	for (size_t i = g->count; i-- > 0;) {
		if (str_eq(str_from(g->list[i].name), name))
			return &g->list[i];
	}
	if (g->count == g->room) {
		if (g->room >= GROUPS_MAX)
			return NULL;
		more = realloc(g->list, (g->room + 256) * sizeof(*more));
		if (!more)
			return NULL;
		g->list = more;
		g->room += 256;
	}
	g->list[g->count] = (struct counts){0};
	memcpy(g->list[g->count].name, name.ptr, name.len);
	return &g->list[g->count++];
}

static int
keep_time(struct stats *s, int64_t ms)
{
	int64_t *more;

	if (s->time_count == s->time_room) {
		if (s->time_room >= TIMES_MAX)
			return CLI_OK;
		more = realloc(s->times, (s->time_room + 4096) * sizeof(*more));
		if (!more)
			return cli_fail(s->c, "out of memory");
		s->times = more;
		s->time_room += 4096;
	}
	s->times[s->time_count++] = ms;
	return CLI_OK;
}

static void
count_call(struct counts *k, const json_t *row)
{
	enum call_verdict verdict = CALL_VERDICT_NONE;

	k->calls++;
	if (call_verdict_from(wire_json_str(row, "verdict"), &verdict))
		k->verdicts[verdict]++;
	k->by_person += str_eq(wire_json_str(row, "source"), STR("user"));
}

/* A held call was judged when its card was made: that row has it. */
static void
count_judged(struct counts *k, const json_t *row)
{
	k->judged++;
	k->failed += wire_json_str(row, "trouble").ptr != NULL
		|| str_eq(wire_json_str(row, "judged"), STR("failure"));
	k->input += wire_json_int(row, "input_tokens", 0);
	k->cached += wire_json_int(row, "cached_tokens", 0);
	k->output += wire_json_int(row, "output_tokens", 0);
	if (!wire_json_bool(row, "unpriced")) {
		k->priced++;
		k->nano += wire_json_int(row, "cost_nano", 0);
	}
}

static struct str
line_name(struct stats *s, const json_t *row)
{
	int64_t ms = wire_json_int(row, "time_ms", 0);

	if (strcmp(s->by, "day") == 0)
		return str_sub(cli_time(s->c->arena, ms), 0, 10);
	return wire_json_str(row, s->by);
}

static int
take(struct cli *c, const json_t *row, void *data)
{
	struct stats *s = data;

	bool call = str_eq(wire_json_str(row, "kind"), STR("decision"));
	bool judged = wire_json_str(row, "judged").ptr != NULL;

	if (!call && !judged)
		return CLI_OK;
	struct counts *by = group(&s->deciders, wire_json_str(row, "by"));
	struct counts *line = group(&s->lines, line_name(s, row));

	if (!by || !line)
		return cli_fail(
			c, "more than %d lines; narrow it with --since", GROUPS_MAX);
	struct counts *const all[] = {&s->all, by, line};

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (call)
			count_call(all[i], row);
		if (judged)
			count_judged(all[i], row);
	}
	if (judged)
		return keep_time(s, wire_json_int(row, "latency_ms", 0));
	return CLI_OK;
}

static int
by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Of the sorted times; 0 without any. */
static int64_t
time_at(const struct stats *s, size_t percent)
{
	return s->time_count > 0 ? s->times[s->time_count * percent / 100] : 0;
}

/* --- showing ------------------------------------------------------------------- */

static double
percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void
print_table(const struct stats *s, const char *title, const struct groups *g)
{
	(void)printf("\n%s  %-28s %8s %8s %8s %8s %8s %12s%s\n",
		cli_ink(s->c, CLI_INK_HEAD), title, "calls", "allowed", "asked",
		"refused", "judged", "cost", cli_ink_off(s->c, CLI_INK_HEAD));
	for (size_t i = 0; i < g->count; i++) {
		const struct counts *k = &g->list[i];
		struct str name = cli_show(s->c->arena, str_from(k->name));

		(void)printf("  %-28.*s %8zu %8zu %8zu %8zu %8zu", STR_ARG(name),
			k->calls, k->verdicts[CALL_VERDICT_ALLOW],
			k->verdicts[CALL_VERDICT_ASK], k->verdicts[CALL_VERDICT_DENY],
			k->judged);
		if (k->priced > 0)
			(void)printf(" %12.4f", (double)k->nano / 1e9);
		(void)printf("\n");
	}
}

static void
print_judge(const struct stats *s)
{
	const struct counts *k = &s->all;

	(void)printf("\n%sJudge%s\n", cli_ink(s->c, CLI_INK_HEAD),
		cli_ink_off(s->c, CLI_INK_HEAD));
	(void)printf("  asked    %zu, could not judge %zu\n", k->judged, k->failed);
	if (k->judged == 0)
		return;
	(void)printf("  time     %lld ms median, %lld ms for 95 %%\n",
		(long long)time_at(s, 50), (long long)time_at(s, 95));
	(void)printf("  tokens   %lld in, %.1f %% of them cached, %lld out\n",
		(long long)k->input, percent(k->cached, k->input),
		(long long)k->output);
	if (k->priced > 0)
		(void)printf("  cost     %.4f for %zu of %zu\n", (double)k->nano / 1e9,
			k->priced, k->judged);
}

static void
print_people(const struct stats *s)
{
	const struct counts *k = &s->all;

	(void)printf("%s%zu calls%s: %zu allowed, %zu left to the agent's own "
				 "prompt, %zu refused; %zu of them answered by a person "
				 "(%.1f %%)\n",
		cli_ink(s->c, CLI_INK_BOLD), k->calls, cli_ink_off(s->c, CLI_INK_BOLD),
		k->verdicts[CALL_VERDICT_ALLOW], k->verdicts[CALL_VERDICT_ASK],
		k->verdicts[CALL_VERDICT_DENY], k->by_person,
		percent((int64_t)k->by_person, (int64_t)k->calls));
}

static void
add_counts(struct buf *b, const struct counts *k)
{
	buf_addf(b, "{\"name\":");
	buf_add_json(b, str_from(k->name));
	buf_addf(b,
		",\"calls\":%zu,\"allow\":%zu,\"ask\":%zu,\"deny\":%zu,\"person\":%zu,"
		"\"judged\":%zu,\"failed\":%zu,\"input_tokens\":%lld,"
		"\"cached_tokens\":%lld,\"output_tokens\":%lld,\"cost_nano\":%lld}",
		k->calls, k->verdicts[CALL_VERDICT_ALLOW],
		k->verdicts[CALL_VERDICT_ASK], k->verdicts[CALL_VERDICT_DENY],
		k->by_person, k->judged, k->failed, (long long)k->input,
		(long long)k->cached, (long long)k->output,
		k->priced > 0 ? (long long)k->nano : -1LL);
}

static void
add_groups(struct buf *b, const char *name, const struct groups *g)
{
	buf_addf(b, ",\"%s\":[", name);
	for (size_t i = 0; i < g->count; i++) {
		buf_addf(b, "%s", i > 0 ? "," : "");
		add_counts(b, &g->list[i]);
	}
	buf_addf(b, "]");
}

static int
print_json(const struct stats *s)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, 64 << 20);
	buf_addf(&b, "{\"all\":");
	add_counts(&b, &s->all);
	buf_addf(&b, ",\"median_ms\":%lld,\"p95_ms\":%lld",
		(long long)time_at(s, 50), (long long)time_at(s, 95));
	add_groups(&b, "by", &s->deciders);
	add_groups(&b, s->by, &s->lines);
	buf_addf(&b, "}\n");
	(void)fwrite(b.ptr, 1, b.len, stdout);
	return CLI_OK;
}

static int
show(struct stats *s)
{
	qsort(s->times, s->time_count, sizeof(*s->times), by_size);
	if (s->c->json)
		return print_json(s);
	print_people(s);
	if (s->all.calls == 0)
		return CLI_OK;
	print_table(s, "by", &s->deciders);
	print_judge(s);
	print_table(s, s->by, &s->lines);
	return CLI_OK;
}

static int
run(struct cli *c)
{
	static const char *const lines[] = {
		"day", "session", "tool_name", "agent", "model"};
	CLEANUP(stats_done) struct stats s = {.c = c, .by = cli_get(c, "by")};
	const char *since = cli_get(c, "since");
	int64_t since_ms = 0;
	struct str query = STR("");
	bool known = false;

	s.by = s.by ? s.by : "day";
	s.by = strcmp(s.by, "tool") == 0 ? "tool_name" : s.by;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		known = known || strcmp(s.by, lines[i]) == 0;
	if (!known)
		return cli_usage(c, "--by wants day, session, tool, agent or model");
	if (since && !cli_since_from(since, &since_ms))
		return cli_usage(c, "--since wants 30m, 2h or 3d");
	if (since)
		query = arena_fmt(c->arena, "&since=%lld", (long long)since_ms);
	int code = cli_pages_walk(c, query, take, &s);

	return code == CLI_OK ? show(&s) : code;
}

const struct cli_command cli_stats = {
	.name = "stats",
	.usage = "",
	.help = "what was decided, by whom, and what the judge cost",
	.details =
		"Counts the audit's decisions: by who decided, and by day (or what\n"
		"--by says). Of the judge: how often it was asked, its time, its\n"
		"tokens with the share that the provider had cached, and the cost\n"
		"where the settings name a price.",
	.group = CLI_GROUP_PEOPLE,
	.options =
		{
				  {"since", "AGO", "not older than 30m, 2h, 3d"},
				  {"by", "WHAT", "day (default), session, tool, agent, model"},
				  },
	.run = run,
};
