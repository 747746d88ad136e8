/*
 * POST /v1/order: what would be decided now, with the user's rules, grants and
 * mode; nothing is recorded and nothing is asked.
 */
#include "base/limits.h"
#include "check/check.h"
#include "daemon/hearing.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"

enum { RESULT_BYTES = 16 << 20 };

static void
explain(
	struct daemon *d, struct daemon_request *r, const json_t *line, void *data)
{
	struct buf *out = data;
	struct check_request request;
	struct order_result result = {0};
	struct str why, root = {0};

	check_request_init(d->work, &request);
	if (!check_request_from(d->work, line, &request, &why)) {
		daemon_request_fail(r, 400, "bad_call", "%.*s", STR_ARG(why));
		return;
	}
	if (request.call.root_count > 0)
		root = request.call.roots[0];
	struct daemon_rules_now rules = daemon_rules_get(d->rules, root);
	struct decide_post post = {
		.call = &request.call,
		.world = request.world,
		.policy = rules.policy,
		.settings = daemon_hearing_settings(d, rules.policy, false),
		.project = root,
	};

	decide_explain(d->decide, d->work, &post, io_clock_wall_ms(), &result);
	check_result_print(out, &request, &result, true);
	daemon_request_answer(r, 200, buf_str(out), NULL);
}

void
daemon_explain_run(struct daemon *d, struct daemon_request *r)
{
	struct buf out;

	buf_init(&out, RESULT_BYTES);
	daemon_routes_read(d, r, explain, &out);
	buf_done(&out);
}
