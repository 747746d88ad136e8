/*
 * POST /v1/judge: a person's own question to the model, with the judge's system
 * prompt: for eval, replay, setup and doctor. Nothing is decided by its answer.
 */
#include "daemon/judge.h"
#include "daemon/routes.h"
#include "judge/judge.h"
#include "wire/json.h"

enum { ANSWER_BYTES = 1 << 20 };

static void
add_text(struct buf *b, const char *name, struct str value)
{
	buf_addf(b, ",\"%s\":", name);
	if (value.ptr)
		buf_add_json(b, value);
	else
		buf_add(b, STR("null"));
}

static void
add_number(struct buf *b, const char *name, int64_t value)
{
	buf_addf(b, ",\"%s\":%lld", name, (long long)value);
}

void
daemon_question_answer(
	struct daemon *d, uint64_t handle, const struct llm_answer *n)
{
	struct daemon_request *r = daemon_http_find(d->http, handle);
	CLEANUP(buf_done) struct buf b;
	bool failed = n->verdict.says == JUDGE_SAYS_FAILURE;

	if (!r)
		return;
	buf_init(&b, ANSWER_BYTES);
	buf_addf(&b, "{\"says\":\"%s\"", judge_says_name(n->verdict.says));
	add_text(&b, "risk",
		n->verdict.risk == CALL_RISK_NONE
			? (struct str){0}
			: str_from(call_risk_name(n->verdict.risk)));
	add_text(&b, "reason", failed ? n->reason : n->verdict.reason);
	add_text(&b, "trouble",
		n->trouble == LLM_TROUBLE_NONE
			? (struct str){0}
			: str_from(llm_trouble_name(n->trouble)));
	add_text(&b, "provider", n->provider);
	add_text(&b, "model", n->model);
	add_number(&b, "input_tokens", n->usage.input_tokens);
	add_number(&b, "cached_tokens", n->usage.cached_tokens);
	add_number(&b, "output_tokens", n->usage.output_tokens);
	add_number(&b, "cost_nano", n->usage.cost_nano);
	add_number(&b, "latency_ms", n->usage.latency_ms);
	add_number(&b, "attempts", n->usage.attempts);
	buf_add(&b, STR("}\n"));
	daemon_request_answer(r, 200, buf_str(&b), NULL);
}

/* Its answer is out, or its client left. */
static void
on_ended(struct daemon *d, struct daemon_request *r, bool ok)
{
	(void)ok;
	daemon_judge_withdraw_own(d, r->handle);
}

static void
ask(struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	struct str user = wire_json_str(body, "user");
	const struct policy *p = daemon_rules_get(d->rules, (struct str){0}).policy;

	(void)data;
	if (user.len == 0) {
		daemon_request_fail(r, 400, "bad_question",
			"\"user\" is missing: the message for the model");
		return;
	}
	r->ended = on_ended;
	daemon_judge_ask_own(d, r->handle,
		&(struct llm_ask){
			.session = STR(""),
			.system = judge_system(),
			.user = user,
			.model = wire_json_str(body, "model"),
			.left_ms = policy_setting_number(p, "judge.seconds") * 1000,
		});
}

void
daemon_question_run(struct daemon *d, struct daemon_request *r)
{
	daemon_routes_read(d, r, ask, NULL);
	daemon_request_drop_body(r);
}
