/*
 * Chat completions: OpenAI's, and those of llama.cpp, vLLM and all that speak
 * like them.
 */

#include "llm/provider.h"
#include "wire/json.h"

static void
write_schema(struct buf *b, const struct llm_row *row, struct str schema)
{
	buf_add(b, STR(",\"response_format\":{\"type\":\"json_schema\","));
	/* llama.cpp has read both forms at different times */
	if (row->kind == LLM_KIND_LLAMACPP)
		buf_addf(b, "\"schema\":%.*s,", STR_ARG(schema));
	buf_addf(b,
		"\"json_schema\":{\"name\":\"verdict\",\"strict\":true,"
		"\"schema\":%.*s}}",
		STR_ARG(schema));
}

void
llm_chat_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r)
{
	bool is_openai = row->kind == LLM_KIND_OPENAI;

	buf_add(b, STR("{\"model\":"));
	buf_add_json(b, r->model);
	buf_add(b, STR(",\"messages\":[{\"role\":\"system\",\"content\":"));
	buf_add_json(b, r->system);
	buf_add(b, STR("},{\"role\":\"user\",\"content\":"));
	buf_add_json(b, r->user);
	buf_add(b, STR("}],\"stream\":true"));
	buf_addf(b, ",\"%s\":%d",
		is_openai && !r->plain ? "max_completion_tokens" : "max_tokens",
		LLM_OUTPUT_TOKENS);
	if (!r->plain) {
		buf_add(b, STR(",\"stream_options\":{\"include_usage\":true}"));
		write_schema(b, row, r->schema);
	}
	if (is_openai && !r->plain)
		buf_add(b, STR(",\"prompt_cache_key\":\"assent-judge\""));
	if (!is_openai)
		buf_add(b, STR(",\"temperature\":0"));
	if (!is_openai && !r->plain)
		buf_add(
			b, STR(",\"chat_template_kwargs\":{\"enable_thinking\":false}"));
	if (row->kind == LLM_KIND_LLAMACPP)
		buf_add(b, STR(",\"cache_prompt\":true"));
	buf_add_char(b, '}');
}

static void
read_finish(struct llm_reply *r, struct str why)
{
	if (!why.ptr)
		return;
	r->finished = true;
	if (str_eq(why, STR("length")))
		llm_reply_trouble(r, LLM_TROUBLE_TRUNCATED, STR(""));
	else if (str_eq(why, STR("content_filter")))
		llm_reply_trouble(
			r, LLM_TROUBLE_DECLINED, STR("the provider's filter"));
	else if (str_eq(why, STR("tool_calls"))
		|| str_eq(why, STR("function_call")))
		r->called = true;
}

void
llm_chat_read(struct llm_reply *r, const json_t *event)
{
	json_t *choices = wire_json_array(event, "choices");
	json_t *usage = wire_json_object(event, "usage");
	json_t *details = wire_json_object(usage, "prompt_tokens_details");
	json_t *choice = json_array_get(choices, 0);
	json_t *delta = wire_json_object(choice, "delta");

	if (llm_reply_error(r, event))
		return;
	llm_reply_count(&r->input, usage, "prompt_tokens");
	llm_reply_count(&r->output, usage, "completion_tokens");
	llm_reply_count(&r->cached, details, "cached_tokens");
	if (!delta)
		delta = wire_json_object(choice, "message");
	if (wire_json_str(delta, "refusal").len > 0)
		llm_reply_trouble(r, LLM_TROUBLE_DECLINED, STR(""));
	if (json_array_size(wire_json_array(delta, "tool_calls")) > 0)
		r->called = true;
	llm_reply_text(r, wire_json_str(delta, "content"));
	read_finish(r, wire_json_str(choice, "finish_reason"));
}
