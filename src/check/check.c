/*
 * Line in, line out.
 */

#include "check/check.h"

#include "wire/json.h"

void
check_decide(struct arena *a, const struct policy *p,
	struct check_request *request, struct order_result *ret)
{
	struct order_input in = {
		.call = &request->call,
		.world = &request->world,
		.policy = p,
		.grants = request->grants,
		.grant_count = request->grant_count,
		.judged = request->judged,
		.judged_risk = request->judged_risk,
		.judged_reason = request->judged_reason,
	};

	order_settings_complete(p, &request->settings);
	in.settings = request->settings;
	order_decide(a, &in, ret);
	/* has_judge without an answer: nobody here asks one */
	if (ret->next == ORDER_NEEDS_JUDGE) {
		in.settings.has_judge = false;
		order_decide(a, &in, ret);
	}
	CHECK(ret->next == ORDER_DONE);
}

struct answer {
	struct check_request request;
	struct order_result result;
	struct str error;
	bool readable;
};

/* Past the limits of a hearing: nobody can have seen it whole. */
static void
answer_too_large(struct arena *a, const json_t *value, struct answer *ret)
{
	const json_t *id = wire_json_get(value, "id");

	ret->request.id = id ? wire_json_print(a, id) : STR("null");
	ret->result = (struct order_result){0};
	ret->result.facts.ignorance = CALL_UNPARSED;
	order_could_not_judge(a, &ret->request.settings,
		STR("the call is too large to judge"), &ret->result.outcome);
	ret->readable = true;
}

/* ret is the caller's, so that a jump of the arena leaves it as it was. */
static void
answer_value(struct arena *a, const struct policy *p, const json_t *value,
	struct answer *ret)
{
	arena_reset(a);
	if (ARENA_TRY(a)) {
		ret->readable =
			check_request_from(a, value, &ret->request, &ret->error);
		if (ret->readable)
			check_decide(a, p, &ret->request, &ret->result);
		arena_done(a);
		return;
	}
	arena_reset(a);
	if (ARENA_TRY(a))
		answer_too_large(a, value, ret);
	arena_done(a);
}

/* The id of a line that is no JSON as a whole, as it stands there, if that much
 * can be read: whoever wrote it will want to know which one it was. */
static json_t *
id_of_broken(struct str line)
{
	struct wire_json_error error;
	size_t i = str_find(line, STR("{"), 0) + 1;

	while (i < line.len) {
		size_t end = wire_json_skip_value(line, i);
		struct str value;
		struct str key = str_cut(str_sub(line, i, end), ':', &value);

		if (str_eq(str_trim(key), STR("\"id\"")))
			return wire_json_parse(value, &error);
		if (end >= line.len || line.ptr[end] != ',')
			return NULL;
		i = end + 1;
	}
	return NULL;
}

static void
answer_broken(
	struct arena *a, struct str line, const char *error, struct buf *out)
{
	WIRE_JSON json_t *id = id_of_broken(line);
	struct str text = STR("null");

	arena_reset(a);
	if (id && ARENA_TRY(a))
		text = wire_json_print(a, id);
	arena_done(a);
	check_error_print(out, text,
		str_trim(line).len > 0 ? str_from(error) : STR("the line is empty"));
}

void
check_line(struct arena *a, const struct check_options *options,
	struct str line, struct buf *out)
{
	struct wire_json_error json_error;
	WIRE_JSON json_t *value = wire_json_parse(line, &json_error);
	struct answer answer = {
		.request.id = STR("null"), .error = STR("the line is too large")};

	if (!line.ptr) {
		check_error_print(out, STR("null"), CHECK_TOO_LONG);
		return;
	}
	if (!value) {
		answer_broken(a, line, json_error.message, out);
		return;
	}
	answer_value(a, options->policy, value, &answer);
	if (answer.readable)
		check_result_print(
			out, &answer.request, &answer.result, options->with_trace);
	else
		check_error_print(out, answer.request.id, answer.error);
}
