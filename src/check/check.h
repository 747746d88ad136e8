#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

/*
 * One call as a JSON line (DESIGN 9 and 11, docs/check.md), decided without
 * daemon, model or disk. What a line does not say is the labelled world: a
 * workspace in /home/dev/proj, no links, system programs, nobody asked.
 */

#include <jansson.h>

#include "base/buf.h"
#include "judge/judge.h"
#include "order/order.h"

/* A line that was read, whole. Texts borrow from the JSON value. */
struct check_request {
	struct str id; /* JSON text; "null" when the line has none */
	struct call call;
	struct call_world world;
	struct order_settings settings; /* mode and tier UNSET when not given */
	const struct order_grant *grants;
	size_t grant_count;
	enum order_judged judged;
	enum call_risk judged_risk;
	struct str judged_reason;
};

/* The labelled world and no call. */
void check_request_init(struct arena *a, struct check_request *ret);

/*
 * Reads a line's value over the labelled world. False and the reason, in a,
 * when it is no call: ret->id is set even then.
 */
MUST_USE bool check_request_from(struct arena *a, const json_t *line,
	struct check_request *ret, struct str *reterr);

/* Decides it. What the request leaves unset (mode, tier, sensitive) is taken
 * from the policy's `set` lines. */
void check_decide(struct arena *a, const struct policy *p,
	struct check_request *request, struct order_result *ret);

/* Adds the result as one JSON line with its line feed; with trace, what every
 * step said, too. */
void check_result_print(struct buf *out, const struct check_request *request,
	const struct order_result *result, bool with_trace);

/* Adds the line for one that could not be read: deny, and the error. */
void check_error_print(struct buf *out, struct str id, struct str error);

struct check_options {
	const struct policy *policy;
	bool with_trace;
};

/*
 * One line in (without its line feed), one line added to out, whatever the line
 * holds; absent when it was over LIMIT_BODY_BYTES. a is reset, and its boundary
 * is used.
 */
#define CHECK_TOO_LONG STR("the line is over 16 MiB")
void check_line(struct arena *a, const struct check_options *options,
	struct str line, struct buf *out);

/* As check_line: adds the prompt for the line's call, {"system","user",
 * "failure"}; user is empty where there is a failure. Of the policy only what is
 * sensitive counts. */
void check_prompt_line(struct arena *a, const struct check_options *options,
	struct str line, struct buf *out);

/* Adds how a model's reply is read, as one JSON line. */
enum judge_says check_verdict_print(
	struct arena *a, struct str reply, struct buf *out);

/* --- trying a line with a model --------------------------------------------- */

/*
 * A line whose call a model may have to judge, in two halves: begin says whether
 * it must, and what it is asked; finish says what becomes of its answer. The
 * line is the same for both.
 */
struct check_trial {
	bool readable;             /* false: why says what is wrong with the line */
	bool asks;                 /* a model is to be asked, and was not yet */
	enum call_verdict verdict; /* when !asks */
	enum call_by by;
	char why[240]; /* the reason, cut */
};

/* ret_user: the message for a model, when ret->asks. a is reset. */
void check_trial_begin(struct arena *a, const struct policy *p,
	const json_t *line, struct buf *ret_user, struct check_trial *ret);
void check_trial_finish(struct arena *a, const struct policy *p,
	const json_t *line, const struct judge_verdict *said,
	struct check_trial *io);

#endif
