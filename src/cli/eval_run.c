/*
 * Calls decided one after the other by several processes: facts and order here,
 * the model by way of the daemon. A process that dies leaves its calls undone,
 * and undone is not allowed.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/eval.h"
#include "cli/request.h"
#include "wire/json.h"

enum {
	WORKERS = 4,
	WORKERS_MAX = 64,
	BODY_BYTES = 8 << 20, /* a message, escaped */
};

struct worker {
	const struct cli *cli;
	const struct cli_eval_side *side;
	const struct io_place *place;
	struct arena *arena;
	bool asks; /* a model is asked; else its calls are left to it */
};

struct cli_eval_result *
cli_eval_results(size_t count)
{
	size_t bytes = (count > 0 ? count : 1) * sizeof(struct cli_eval_result);
	void *p = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* --- one question ------------------------------------------------------------- */

static enum judge_says
says_from(struct str word)
{
	for (int i = 0; i < JUDGE_SAYS_COUNT; i++) {
		if (str_eq(word, str_from(judge_says_name((enum judge_says)i))))
			return (enum judge_says)i;
	}
	return JUDGE_SAYS_FAILURE;
}

static void
read_told(
	const json_t *told, struct judge_verdict *said, struct cli_eval_result *ret)
{
	struct str model = wire_json_str(told, "model");

	if (!model.ptr)
		model = wire_json_str(told, "provider");
	said->says = says_from(wire_json_str(told, "says"));
	said->reason = wire_json_str(told, "reason");
	if (!call_risk_from(wire_json_str(told, "risk"), &said->risk))
		said->risk = CALL_RISK_NONE;
	ret->input_tokens = wire_json_int(told, "input_tokens", 0);
	ret->cached_tokens = wire_json_int(told, "cached_tokens", 0);
	ret->output_tokens = wire_json_int(told, "output_tokens", 0);
	ret->cost_nano = wire_json_int(told, "cost_nano", -1);
	ret->latency_ms = wire_json_int(told, "latency_ms", 0);
	if (model.ptr)
		(void)snprintf(ret->model, sizeof(ret->model), "%.*s", STR_ARG(model));
}

/* told is the caller's: the verdict borrows from it. */
static void
ask(const struct worker *w, struct str user, struct cli_told *told,
	struct judge_verdict *said, struct cli_eval_result *ret)
{
	CLEANUP(buf_done) struct buf body;
	struct cli_request q = {
		.method = "POST", .path = "/v1/judge", .starts = true, .waits = true};

	*said = (struct judge_verdict){.says = JUDGE_SAYS_FAILURE};
	buf_init(&body, BODY_BYTES);
	buf_add(&body, STR("{\"user\":"));
	buf_add_json(&body, user);
	if (w->side->model) {
		buf_add(&body, STR(",\"model\":"));
		buf_add_json(&body, str_from(w->side->model));
	}
	buf_add(&body, STR("}"));
	q.body = buf_str(&body);
	ret->judged = true;
	int r = body.full ? FAIL_LIMIT : cli_ask(w->cli, w->place, &q, told);

	if (r != 0 || told->status != 200) {
		said->reason =
			wire_json_str(wire_json_object(told->json, "error"), "message");
		if (!said->reason.ptr)
			said->reason = str_from(fail_text());
		return;
	}
	read_told(told->json, said, ret);
}

static void
decide(const struct worker *w, const json_t *line, struct cli_eval_result *ret)
{
	CLEANUP(buf_done) struct buf user;
	CLI_TOLD told = {0};
	struct check_trial trial;
	struct judge_verdict said;
	bool left = false;

	*ret = (struct cli_eval_result){.cost_nano = -1};
	buf_init(&user, JUDGE_USER_BYTES);
	check_trial_begin(w->arena, w->side->policy, line, &user, &trial);
	if (trial.asks) {
		if (w->asks)
			ask(w, buf_str(&user), &told, &said, ret);
		else
			said = (struct judge_verdict){.says = JUDGE_SAYS_FAILURE};
		left = !w->asks;
		ret->failed = said.says == JUDGE_SAYS_FAILURE;
		check_trial_finish(w->arena, w->side->policy, line, &said, &trial);
	}
	ret->readable = trial.readable;
	ret->verdict = trial.verdict;
	ret->by = left ? CALL_BY_JUDGE : trial.by;
	(void)snprintf(ret->why, sizeof(ret->why), "%s", trial.why);
	ret->done = true;
}

/* --- many --------------------------------------------------------------------- */

static int64_t
worker_count(const struct cli *c)
{
	const char *given = cli_get(c, "parallel");
	int64_t n = WORKERS;

	if (given && (!str_number(str_from(given), &n) || n < 1 || n > WORKERS_MAX))
		return -1;
	return n;
}

/* What the processes share: the lines, and where their results go. */
struct work {
	json_t *const *lines;
	size_t count, step;
	struct cli_eval_result *ret;
};

static _Noreturn void
do_work(struct worker *w, const struct work *work, size_t from)
{
	w->arena = arena_new(LIMIT_ARENA_BYTES);
	for (size_t i = from; w->arena && i < work->count; i += work->step)
		decide(w, work->lines[i], &work->ret[i]);
	_exit(w->arena ? 0 : 1);
}

int
cli_eval_run(const struct cli *c, const struct cli_eval_side *side,
	json_t *const *lines, size_t count, struct cli_eval_result *ret)
{
	struct io_place place = {0};
	struct worker w = {.cli = c, .side = side, .place = &place, .asks = true};
	int64_t n = worker_count(c), started = 0;
	int code = cli_places(c, &place), status = 0;
	bool whole = true;

	if (code != CLI_OK)
		return code;
	if (n < 0)
		return cli_usage(
			c, "--parallel wants a number from 1 to %d", WORKERS_MAX);
	struct work work = {lines, count, (size_t)n, ret};

	(void)fflush(stdout);
	for (; started < n; started++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0)
			do_work(&w, &work, (size_t)started);
	}
	for (int64_t i = 0; i < started; i++) {
		if (wait(&status) < 0 || status != 0)
			whole = false;
	}
	if (started < n || !whole)
		return cli_fail(c, "a part of the calls could not be decided");
	return CLI_OK;
}

int
cli_eval_one(const struct cli *c, const struct cli_eval_side *side,
	json_t *line, bool asks, struct cli_eval_result *ret)
{
	struct io_place place = {0};
	struct worker w = {.cli = c, .side = side, .place = &place, .asks = asks};
	int code = cli_places(c, &place);

	if (code != CLI_OK)
		return code;
	w.arena = arena_new(LIMIT_ARENA_BYTES);
	if (!w.arena)
		return cli_fail(c, "out of memory");
	decide(&w, line, ret);
	arena_free(w.arena);
	return CLI_OK;
}
