/*
 * Any bytes as what a provider sends, and as a frame between the daemon and its
 * child: however a body is cut into pieces the same is understood of it, and what
 * was not understood is no verdict.
 */

#include <string.h>

#include "llm/frame.h"
#include "llm/provider.h"
#include "tests/fuzzing/fuzz.h"

static const enum llm_kind kinds[] = {LLM_KIND_OPENAI,
	LLM_KIND_OPENAI_RESPONSES, LLM_KIND_ANTHROPIC, LLM_KIND_OLLAMA};
static const struct str types[] = {
	{"text/event-stream",    17},
    {"application/x-ndjson", 20},
	{"application/json",     16}
};

static enum llm_trouble
read_body(struct llm_reply *r, unsigned how, struct str body, size_t step)
{
	llm_reply_init(r, llm_row_of(kinds[how % ARRAY_LEN(kinds)])->read);
	llm_reply_type(r, types[how / ARRAY_LEN(kinds) % ARRAY_LEN(types)]);
	for (size_t at = 0; at < body.len; at += step)
		llm_reply_add(r, str_sub(body, at, at + step));
	return llm_reply_end(r);
}

static void
try_body(unsigned how, struct str body)
{
	struct llm_reply whole, pieces;
	enum llm_trouble t = read_body(&whole, how, body, body.len + 1);

	fuzz_want(t == read_body(&pieces, how, body, 1 + how % 3),
		"in pieces it is the same trouble");
	fuzz_want(str_eq(buf_str(&whole.text), buf_str(&pieces.text)),
		"in pieces it is the same text");
	fuzz_want(whole.complete == pieces.complete && whole.input == pieces.input
			&& whole.output == pieces.output,
		"in pieces it is the same otherwise");
	fuzz_want(
		!whole.complete || str_starts(str_trim(buf_str(&whole.text)), STR("{")),
		"only an object is complete");
	for (const char *c = whole.detail; *c; c++)
		fuzz_want(*c >= ' ' && *c < 127, "a detail can be shown");
	llm_reply_done(&whole);
	llm_reply_done(&pieces);
}

static void
try_frame(struct str bytes)
{
	struct llm_frame f = {.kind = LLM_FRAME_ANSWER, .rest = bytes}, g = f,
					 h = f;
	struct llm_answer n = {0};
	struct llm_ask ask = {0};
	struct llm_settings s = {0};

	llm_frame_take_answer(&f, &n);
	llm_frame_take_ask(&g, &ask);
	llm_frame_take_settings(&h, &s);
	fuzz_want(n.verdict.says < JUDGE_SAYS_COUNT, "a verdict is one");
	fuzz_want(
		n.verdict.says == JUDGE_SAYS_FAILURE || n.trouble == LLM_TROUBLE_NONE,
		"nothing is said beside a trouble");
	while (llm_frame_next(&bytes, &f) && !f.bad)
		llm_frame_take_answer(&f, &n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str body = {(const char *)data, size};

	for (unsigned how = 0; how < ARRAY_LEN(kinds) * ARRAY_LEN(types); how++)
		try_body(how, body);
	try_frame(body);
	return 0;
}
