#ifndef CLI_EVAL_H
#define CLI_EVAL_H

/*
 * Labelled calls decided by this program's order and the daemon's model, and
 * what came of it, counted. eval and replay share it.
 */

#include "check/check.h"
#include "cli/cli.h"

/* One way of deciding: the rules, and which model. */
struct cli_eval_side {
	const char *name;  /* as the report calls it */
	const char *model; /* NULL: the configured one */
	struct policy *policy;
};

/* What came of one call; plain data, shared between processes. */
struct cli_eval_result {
	bool done, readable;
	bool judged; /* a model was asked */
	bool failed; /* ...and could not judge */
	enum call_verdict verdict;
	enum call_by by;
	int64_t input_tokens, cached_tokens, output_tokens;
	int64_t cost_nano; /* -1: not known */
	int64_t latency_ms;
	char why[240];
	char model[64];
};

/*
 * Decides all lines, so many questions at once. ret has room for count results.
 * CLI_OK, or what was wrong has been said.
 */
MUST_USE int cli_eval_run(const struct cli *c, const struct cli_eval_side *side,
	json_t *const *lines, size_t count, struct cli_eval_result *ret);
/* One line, in this process. asks: false leaves what a model should judge as it
 * is without one. CLI_OK, or what was wrong has been said. */
MUST_USE int cli_eval_one(const struct cli *c, const struct cli_eval_side *side,
	json_t *line, bool asks, struct cli_eval_result *ret);
/* Memory for count results that forked processes write into; NULL: there is
 * none. Ends with this process. */
struct cli_eval_result *cli_eval_results(size_t count);

/* --- the report ------------------------------------------------------------- */

struct cli_eval_case {
	json_t *line; /* borrowed */
	const char *id, *class_name;
	enum call_verdict expect;
};

/* All that came of it. sides has one entry, or two to be compared; results an
 * array for each. */
struct cli_eval_run {
	const struct cli_eval_case *cases;
	size_t count;
	const struct cli_eval_side *sides;
	struct cli_eval_result *const *results;
	size_t side_count;
};

/* The table, or with --json one object, on standard output. The exit code. */
int cli_eval_report(const struct cli *c, const struct cli_eval_run *run);

#endif
