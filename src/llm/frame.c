#include "llm/frame.h"

#include <string.h>

#define FIELD_ABSENT UINT32_MAX

/* --- writing ---------------------------------------------------------------------- */

static void
add_raw(struct buf *b, const void *bytes, size_t n)
{
	buf_add(b, (struct str){bytes, n});
}

size_t
llm_frame_begin(struct buf *b, enum llm_frame_kind kind)
{
	uint32_t head[2] = {0, (uint32_t)kind};
	size_t begun = b->len;

	add_raw(b, head, sizeof(head));
	return begun;
}

void
llm_frame_int(struct buf *b, int64_t v)
{
	add_raw(b, &v, sizeof(v));
}

void
llm_frame_str(struct buf *b, struct str s)
{
	uint32_t n = s.ptr ? (uint32_t)s.len : FIELD_ABSENT;

	add_raw(b, &n, sizeof(n));
	if (s.ptr)
		buf_add(b, s);
}

void
llm_frame_end(struct buf *b, size_t begun)
{
	uint32_t n = (uint32_t)(b->len - begun);

	if (!b->full)
		memcpy(b->ptr + begun, &n, sizeof(n));
}

/* --- reading ---------------------------------------------------------------------- */

bool
llm_frame_next(struct str *rest, struct llm_frame *ret)
{
	uint32_t head[2];

	*ret = (struct llm_frame){0};
	if (rest->len < LLM_FRAME_HEAD)
		return false;
	memcpy(head, rest->ptr, sizeof(head));
	if (head[0] < LLM_FRAME_HEAD || head[0] > LLM_FRAME_BYTES) {
		ret->bad = true;
		return true;
	}
	if (rest->len < head[0])
		return false;
	ret->kind = (enum llm_frame_kind)head[1];
	ret->rest = str_sub(*rest, LLM_FRAME_HEAD, head[0]);
	*rest = str_sub(*rest, head[0], rest->len);
	return true;
}

static bool
take_raw(struct llm_frame *f, void *ret, size_t n)
{
	if (f->bad || f->rest.len < n) {
		f->bad = true;
		return false;
	}
	memcpy(ret, f->rest.ptr, n);
	f->rest = str_sub(f->rest, n, f->rest.len);
	return true;
}

int64_t
llm_frame_take_int(struct llm_frame *f)
{
	int64_t v = 0;

	return take_raw(f, &v, sizeof(v)) ? v : 0;
}

struct str
llm_frame_take_str(struct llm_frame *f)
{
	uint32_t n = 0;
	struct str s = {0};

	if (!take_raw(f, &n, sizeof(n)) || n == FIELD_ABSENT)
		return s;
	if (f->rest.len < n) {
		f->bad = true;
		return s;
	}
	s = str_sub(f->rest, 0, n);
	f->rest = str_sub(f->rest, n, f->rest.len);
	return s;
}

/* --- messages, both ways side by side ------------------------------------------------ */

void
llm_frame_settings(struct buf *b, const struct llm_settings *s)
{
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++) {
		const struct llm_provider *p = &s->providers[i];

		llm_frame_int(b, (int64_t)p->kind);
		llm_frame_str(b, p->model);
		llm_frame_str(b, p->url);
		llm_frame_str(b, p->key_file);
		llm_frame_str(b, p->key_command);
		llm_frame_str(b, p->command);
	}
	llm_frame_str(b, s->proxy);
	llm_frame_str(b, s->ca);
	llm_frame_str(b, s->prices);
	llm_frame_str(b, s->home);
	llm_frame_str(b, s->user);
	llm_frame_int(b, s->parallel);
}

void
llm_frame_take_settings(struct llm_frame *f, struct llm_settings *ret)
{
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++) {
		struct llm_provider *p = &ret->providers[i];

		p->kind = (enum llm_kind)llm_frame_take_int(f);
		p->model = llm_frame_take_str(f);
		p->url = llm_frame_take_str(f);
		p->key_file = llm_frame_take_str(f);
		p->key_command = llm_frame_take_str(f);
		p->command = llm_frame_take_str(f);
	}
	ret->proxy = llm_frame_take_str(f);
	ret->ca = llm_frame_take_str(f);
	ret->prices = llm_frame_take_str(f);
	ret->home = llm_frame_take_str(f);
	ret->user = llm_frame_take_str(f);
	ret->parallel = llm_frame_take_int(f);
}

void
llm_frame_ask(struct buf *b, const struct llm_ask *ask)
{
	llm_frame_int(b, (int64_t)ask->id);
	llm_frame_str(b, ask->session);
	llm_frame_str(b, ask->system);
	llm_frame_str(b, ask->user);
	llm_frame_int(b, (int64_t)ask->stable);
	llm_frame_str(b, ask->model);
	llm_frame_str(b, ask->second);
	llm_frame_str(b, ask->run_model);
	llm_frame_int(b, ask->left_ms);
}

void
llm_frame_take_ask(struct llm_frame *f, struct llm_ask *ret)
{
	ret->id = (uint64_t)llm_frame_take_int(f);
	ret->session = llm_frame_take_str(f);
	ret->system = llm_frame_take_str(f);
	ret->user = llm_frame_take_str(f);
	ret->stable = (size_t)llm_frame_take_int(f);
	ret->model = llm_frame_take_str(f);
	ret->second = llm_frame_take_str(f);
	ret->run_model = llm_frame_take_str(f);
	ret->left_ms = llm_frame_take_int(f);
}

void
llm_frame_answer(struct buf *b, const struct llm_answer *n)
{
	llm_frame_int(b, (int64_t)n->id);
	llm_frame_int(b, (int64_t)n->verdict.says);
	llm_frame_int(b, (int64_t)n->verdict.said);
	llm_frame_int(b, (int64_t)n->verdict.risk);
	llm_frame_str(b, n->verdict.reason);
	llm_frame_int(b, (int64_t)n->trouble);
	llm_frame_str(b, n->reason);
	llm_frame_str(b, n->provider);
	llm_frame_str(b, n->model);
	llm_frame_int(b, n->usage.input_tokens);
	llm_frame_int(b, n->usage.cached_tokens);
	llm_frame_int(b, n->usage.output_tokens);
	llm_frame_int(b, n->usage.cost_nano);
	llm_frame_int(b, n->usage.attempts);
	llm_frame_int(b, n->usage.shared);
}

/* What is out of range is no judgement. */
static void
bound(struct llm_answer *n)
{
	if (n->verdict.says >= JUDGE_SAYS_COUNT
		|| n->verdict.said >= JUDGE_SAYS_COUNT
		|| n->verdict.risk >= CALL_RISK_COUNT
		|| n->trouble >= LLM_TROUBLE_COUNT) {
		n->verdict = (struct judge_verdict){0};
		n->trouble = LLM_TROUBLE_CHILD;
	}
	if (n->trouble != LLM_TROUBLE_NONE)
		n->verdict.says = n->verdict.said = JUDGE_SAYS_FAILURE;
	else if (n->verdict.says == JUDGE_SAYS_FAILURE)
		n->trouble = LLM_TROUBLE_UNREADABLE;
	if (n->trouble != LLM_TROUBLE_NONE)
		n->verdict.failure = llm_trouble_says(n->trouble);
}

void
llm_frame_take_answer(struct llm_frame *f, struct llm_answer *ret)
{
	ret->id = (uint64_t)llm_frame_take_int(f);
	ret->verdict.says = (enum judge_says)llm_frame_take_int(f);
	ret->verdict.said = (enum judge_says)llm_frame_take_int(f);
	ret->verdict.risk = (enum call_risk)llm_frame_take_int(f);
	ret->verdict.reason = llm_frame_take_str(f);
	ret->trouble = (enum llm_trouble)llm_frame_take_int(f);
	ret->reason = llm_frame_take_str(f);
	ret->provider = llm_frame_take_str(f);
	ret->model = llm_frame_take_str(f);
	ret->usage.input_tokens = llm_frame_take_int(f);
	ret->usage.cached_tokens = llm_frame_take_int(f);
	ret->usage.output_tokens = llm_frame_take_int(f);
	ret->usage.cost_nano = llm_frame_take_int(f);
	ret->usage.attempts = llm_frame_take_int(f);
	ret->usage.shared = llm_frame_take_int(f) != 0;
	bound(ret);
}
