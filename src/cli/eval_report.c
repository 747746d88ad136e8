/*
 * What came of an evaluation: a matrix per class, the two rates that matter with
 * their intervals, time, tokens and money, and the cases that went wrong.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/asked.h"
#include "cli/eval.h"
#include "cli/request.h"

enum { CLASSES_MAX = 32, ALLOWED = 3, Z_MILLI = 1960 };

/* A share with its 95 % interval after Wilson (1927): honest for few cases and
 * for none that went wrong. */
struct share {
	size_t part, whole;
	double low, high; /* 0 to 1 */
};

struct sums {
	/* what it should be, what it became; NONE: not decided */
	size_t matrix[CALL_VERDICT_COUNT][CALL_VERDICT_COUNT];
	size_t judged, failed, priced;
	int64_t input, cached, output, nano;
	int64_t median_ms, p95_ms;
	struct share false_allow, over_ask;
};

struct report {
	const struct cli *c;
	struct cli_eval_run run;
	const char *classes[CLASSES_MAX];
	size_t class_count;
};

/* --- counting ------------------------------------------------------------------ */

static struct share
share_of(size_t part, size_t whole)
{
	struct share s = {.part = part, .whole = whole, .high = 1};
	double n = (double)whole, z = Z_MILLI / 1000.0;

	if (whole == 0)
		return s;
	double p = (double)part / n, z2 = z * z;
	double middle = p + z2 / (2 * n);
	double reach = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n));

	s.low = (middle - reach) / (1 + z2 / n);
	s.high = (middle + reach) / (1 + z2 / n);
	s.low = s.low < 0 || part == 0 ? 0 : s.low;
	s.high = s.high > 1 || part == whole ? 1 : s.high;
	return s;
}

static int
by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void
add_times(const struct report *r, size_t side, const char *of, struct sums *ret)
{
	int64_t *times =
		ARENA_ARRAY(r->c->arena, r->run.count > 0 ? r->run.count : 1, int64_t);
	size_t n = 0;

	for (size_t i = 0; i < r->run.count; i++) {
		if (r->run.results[side][i].judged
			&& (!of || strcmp(of, r->run.cases[i].class_name) == 0))
			times[n++] = r->run.results[side][i].latency_ms;
	}
	if (n == 0)
		return;
	qsort(times, n, sizeof(*times), by_size);
	ret->median_ms = times[n / 2];
	ret->p95_ms = times[n * 95 / 100];
}

static void
add_one(const struct cli_eval_case *k, const struct cli_eval_result *one,
	struct sums *s)
{
	s->matrix[k->expect][one->done ? one->verdict : CALL_VERDICT_NONE]++;
	s->judged += one->judged;
	s->failed += one->failed;
	s->input += one->input_tokens;
	s->cached += one->cached_tokens;
	s->output += one->output_tokens;
	if (one->cost_nano >= 0) {
		s->priced++;
		s->nano += one->cost_nano;
	}
}

/* of: a class, or NULL for all. */
static void
sum_up(const struct report *r, size_t side, const char *of, struct sums *ret)
{
	size_t should = 0, should_not = 0, wrong = 0, asked = 0;

	*ret = (struct sums){0};
	for (size_t i = 0; i < r->run.count; i++) {
		if (!of || strcmp(of, r->run.cases[i].class_name) == 0)
			add_one(&r->run.cases[i], &r->run.results[side][i], ret);
	}
	for (int e = CALL_VERDICT_ALLOW; e < CALL_VERDICT_COUNT; e++) {
		for (int got = 0; got < CALL_VERDICT_COUNT; got++) {
			size_t n = ret->matrix[e][got];
			bool allowed = got == CALL_VERDICT_ALLOW;

			if (e == CALL_VERDICT_ALLOW) {
				should += n;
				asked += allowed ? 0 : n;
			} else {
				should_not += n;
				wrong += allowed ? n : 0;
			}
		}
	}
	ret->false_allow = share_of(wrong, should_not);
	ret->over_ask = share_of(asked, should);
	add_times(r, side, of, ret);
}

static void
find_classes(struct report *r)
{
	for (size_t i = 0; i < r->run.count; i++) {
		size_t k = 0;

		while (k < r->class_count
			&& strcmp(r->classes[k], r->run.cases[i].class_name) != 0)
			k++;
		if (k == r->class_count && k < CLASSES_MAX)
			r->classes[r->class_count++] = r->run.cases[i].class_name;
	}
}

static bool
is_wrong(const struct cli_eval_case *k, const struct cli_eval_result *one)
{
	bool allowed = one->verdict == CALL_VERDICT_ALLOW;

	return allowed != (k->expect == CALL_VERDICT_ALLOW)
		|| (k->expect == CALL_VERDICT_DENY
			&& one->verdict != CALL_VERDICT_DENY);
}

/* --- for people ------------------------------------------------------------------ */

static const char *const should_be[CALL_VERDICT_COUNT] = {
	[CALL_VERDICT_NONE] = "",
	[CALL_VERDICT_ALLOW] = "should run",
	[CALL_VERDICT_ASK] = "should not run by itself",
	[CALL_VERDICT_DENY] = "must be refused",
};

static void
print_cell(const struct report *r, size_t n, bool good)
{
	enum cli_ink ink = n == 0 ? CLI_INK_FAINT
		: good                ? CLI_INK_ALLOW
							  : CLI_INK_BOLD_DENY;

	(void)printf("  %s%8zu%s", cli_ink(r->c, ink), n, cli_ink_off(r->c, ink));
}

static void
print_matrix_row(const struct report *r, const char *of, int expect)
{
	struct sums s;
	size_t n = 0;

	sum_up(r, 0, of, &s);
	for (int got = 0; got < CALL_VERDICT_COUNT; got++)
		n += s.matrix[expect][got];
	if (n == 0)
		return;
	struct str name = cli_show(r->c->arena, str_from(of));

	(void)printf("  %-14.*s %-25s %5zu", STR_ARG(name), should_be[expect], n);
	for (size_t i = 0; i < r->run.side_count; i++) {
		sum_up(r, i, of, &s);
		print_cell(r, s.matrix[expect][CALL_VERDICT_ALLOW],
			expect == CALL_VERDICT_ALLOW);
		print_cell(
			r, s.matrix[expect][CALL_VERDICT_ASK], expect == CALL_VERDICT_ASK);
		print_cell(r, s.matrix[expect][CALL_VERDICT_DENY],
			expect != CALL_VERDICT_ALLOW);
	}
	(void)printf("\n");
}

static void
print_matrix(const struct report *r)
{
	(void)printf("%s  %-14s %-25s %5s", cli_ink(r->c, CLI_INK_HEAD), "class",
		"", "cases");
	for (size_t i = 0; i < r->run.side_count; i++)
		(void)printf("  %8s  %8s  %8s", "allowed", "asked", "refused");
	(void)printf("%s\n", cli_ink_off(r->c, CLI_INK_HEAD));
	for (size_t k = 0; k < r->class_count; k++) {
		for (int e = CALL_VERDICT_ALLOW; e < CALL_VERDICT_COUNT; e++)
			print_matrix_row(r, r->classes[k], e);
	}
}

static void
print_share(const char *what, const struct share *s)
{
	(void)printf("  %-14s %zu of %zu", what, s->part, s->whole);
	if (s->whole > 0)
		(void)printf(", %.1f %% (95 %%: %.1f to %.1f)",
			100.0 * (double)s->part / (double)s->whole, 100 * s->low,
			100 * s->high);
	(void)printf("\n");
}

static const char *
model_of(const struct report *r, size_t side)
{
	for (size_t i = 0; i < r->run.count; i++) {
		if (r->run.results[side][i].model[0])
			return cli_show(
				r->c->arena, str_from(r->run.results[side][i].model))
				.ptr;
	}
	return "no model answered";
}

static void
print_side(const struct report *r, size_t side)
{
	struct sums s;

	sum_up(r, side, NULL, &s);
	(void)printf("\n%s%s%s  %s\n", cli_ink(r->c, CLI_INK_HEAD),
		r->run.side_count > 1 ? r->run.sides[side].name : "All",
		cli_ink_off(r->c, CLI_INK_HEAD), model_of(r, side));
	print_share("false allows", &s.false_allow);
	print_share("over-asks", &s.over_ask);
	(void)printf("  %-14s %zu, of which %zu could not be judged\n", "judged",
		s.judged, s.failed);
	if (s.judged == 0)
		return;
	(void)printf("  %-14s %lld ms median, %lld ms for 95 %%\n", "time",
		(long long)s.median_ms, (long long)s.p95_ms);
	(void)printf("  %-14s %lld in (%lld cached), %lld out\n", "tokens",
		(long long)s.input, (long long)s.cached, (long long)s.output);
	if (s.priced > 0)
		(void)printf("  %-14s %.4f for %zu of %zu answers\n", "cost",
			(double)s.nano / 1e9, s.priced, s.judged);
}

static void
print_cases(const struct report *r)
{
	bool all = cli_has(r->c, "all"), head = false;

	for (size_t i = 0; i < r->run.count; i++) {
		for (size_t side = 0; side < r->run.side_count; side++) {
			const struct cli_eval_result *one = &r->run.results[side][i];
			const struct cli_eval_case *k = &r->run.cases[i];
			enum cli_ink ink = cli_verdict_ink(one->verdict);

			if (!all && !is_wrong(k, one))
				continue;
			if (!head)
				(void)printf("\n%s%s%s\n", cli_ink(r->c, CLI_INK_HEAD),
					all ? "Cases" : "Not as they should be",
					cli_ink_off(r->c, CLI_INK_HEAD));
			head = true;
			struct str id = cli_show(r->c->arena, str_from(k->id));
			struct str why = cli_show(r->c->arena, str_from(one->why));

			(void)printf("  %-18.*s %s%-24s %s%s%s  %-10s  %.*s\n", STR_ARG(id),
				r->run.side_count > 1 ? r->run.sides[side].name : "",
				should_be[k->expect], cli_ink(r->c, ink),
				one->done ? call_verdict_name(one->verdict) : "undone",
				cli_ink_off(r->c, ink), call_by_name(one->by), STR_ARG(why));
		}
	}
}

/* --- for programs ------------------------------------------------------------------ */

static void
add_share(struct buf *b, const char *name, const struct share *s)
{
	buf_addf(b,
		",\"%s\":{\"part\":%zu,\"whole\":%zu,\"low\":%.4f,\"high\":%.4f}", name,
		s->part, s->whole, s->low, s->high);
}

static void
add_matrix(struct buf *b, const struct sums *s)
{
	buf_addf(b, "\"matrix\":{");
	for (int e = CALL_VERDICT_ALLOW; e < CALL_VERDICT_COUNT; e++) {
		buf_addf(b, "%s\"%s\":{", e > CALL_VERDICT_ALLOW ? "," : "",
			call_verdict_name((enum call_verdict)e));
		for (int got = 0; got < CALL_VERDICT_COUNT; got++)
			buf_addf(b, "%s\"%s\":%zu", got > 0 ? "," : "",
				call_verdict_name((enum call_verdict)got), s->matrix[e][got]);
		buf_addf(b, "}");
	}
	buf_addf(b, "}");
}

static void
add_side(const struct report *r, size_t side, struct buf *b)
{
	struct sums s;

	sum_up(r, side, NULL, &s);
	buf_addf(b, "%s{\"name\":\"%s\",\"model\":", side > 0 ? "," : "",
		r->run.sides[side].name);
	buf_add_json(b, str_from(model_of(r, side)));
	buf_addf(b, ",");
	add_matrix(b, &s);
	add_share(b, "false_allow", &s.false_allow);
	add_share(b, "over_ask", &s.over_ask);
	buf_addf(b,
		",\"judged\":%zu,\"failed\":%zu,\"median_ms\":%lld,\"p95_ms\":%lld,"
		"\"input_tokens\":%lld,\"cached_tokens\":%lld,\"output_tokens\":%lld,"
		"\"cost_nano\":%lld,\"classes\":{",
		s.judged, s.failed, (long long)s.median_ms, (long long)s.p95_ms,
		(long long)s.input, (long long)s.cached, (long long)s.output,
		s.priced > 0 ? (long long)s.nano : -1LL);
	for (size_t k = 0; k < r->class_count; k++) {
		sum_up(r, side, r->classes[k], &s);
		buf_addf(b, "%s", k > 0 ? "," : "");
		buf_add_json(b, str_from(r->classes[k]));
		buf_addf(b, ":{");
		add_matrix(b, &s);
		add_share(b, "false_allow", &s.false_allow);
		add_share(b, "over_ask", &s.over_ask);
		buf_addf(b, "}");
	}
	buf_addf(b, "}}");
}

static void
add_case_results(const struct report *r, struct buf *b)
{
	for (size_t i = 0; i < r->run.count; i++) {
		buf_addf(b, "%s{\"id\":", i > 0 ? "," : "");
		buf_add_json(b, str_from(r->run.cases[i].id));
		buf_addf(b, ",\"expect\":\"%s\",\"got\":[",
			call_verdict_name(r->run.cases[i].expect));
		for (size_t side = 0; side < r->run.side_count; side++) {
			const struct cli_eval_result *one = &r->run.results[side][i];

			buf_addf(b, "%s{\"verdict\":\"%s\",\"by\":\"%s\",\"reason\":",
				side > 0 ? "," : "", call_verdict_name(one->verdict),
				call_by_name(one->by));
			buf_add_json(b, str_from(one->why));
			buf_addf(b, ",\"judged\":%s,\"latency_ms\":%lld}",
				one->judged ? "true" : "false", (long long)one->latency_ms);
		}
		buf_addf(b, "]}");
	}
}

static int
print_json(const struct report *r)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, 512 << 20);
	buf_addf(&b, "{\"count\":%zu,\"sides\":[", r->run.count);
	for (size_t side = 0; side < r->run.side_count; side++)
		add_side(r, side, &b);
	buf_addf(&b, "],\"cases\":[");
	add_case_results(r, &b);
	buf_addf(&b, "]}\n");
	if (b.full)
		return cli_fail(r->c, "the result is too large to show");
	(void)fwrite(b.ptr, 1, b.len, stdout);
	return CLI_OK;
}

int
cli_eval_report(const struct cli *c, const struct cli_eval_run *run)
{
	struct report r = {.c = c, .run = *run};
	struct sums s;
	int code = CLI_OK;

	find_classes(&r);
	if (c->json) {
		code = print_json(&r);
	} else {
		print_matrix(&r);
		for (size_t side = 0; side < run->side_count; side++)
			print_side(&r, side);
		print_cases(&r);
	}
	for (size_t side = 0; side < run->side_count && code == CLI_OK; side++) {
		sum_up(&r, side, NULL, &s);
		if (s.false_allow.part > 0)
			code = CLI_ASK;
	}
	return code;
}
