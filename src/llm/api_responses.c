/*
 * OpenAI's Responses.
 */

#include "llm/provider.h"
#include "wire/json.h"

void
llm_responses_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r)
{
	(void)row;
	buf_add(b, STR("{\"model\":"));
	buf_add_json(b, r->model);
	buf_add(b, STR(",\"instructions\":"));
	buf_add_json(b, r->system);
	buf_add(b,
		STR(",\"input\":[{\"role\":\"user\",\"content\":"
			"[{\"type\":\"input_text\",\"text\":"));
	buf_add_json(b, r->user);
	buf_addf(b, "}]}],\"stream\":true,\"store\":false,\"max_output_tokens\":%d",
		LLM_OUTPUT_TOKENS);
	if (!r->plain)
		buf_addf(b,
			",\"prompt_cache_key\":\"assent-judge\","
			"\"text\":{\"format\":{\"type\":\"json_schema\","
			"\"name\":\"verdict\",\"strict\":true,\"schema\":%.*s}}",
			STR_ARG(r->schema));
	buf_add_char(b, '}');
}

static void
read_usage(struct llm_reply *r, const json_t *response)
{
	json_t *usage = wire_json_object(response, "usage");

	llm_reply_count(&r->input, usage, "input_tokens");
	llm_reply_count(&r->output, usage, "output_tokens");
	llm_reply_count(&r->cached, wire_json_object(usage, "input_tokens_details"),
		"cached_tokens");
}

static void
read_part(struct llm_reply *r, const json_t *part, bool whole)
{
	struct str type = wire_json_str(part, "type");

	if (str_eq(type, STR("refusal")))
		llm_reply_trouble(r, LLM_TROUBLE_DECLINED, STR(""));
	else if (whole && str_eq(type, STR("output_text")))
		llm_reply_text(r, wire_json_str(part, "text"));
}

static void
read_item(struct llm_reply *r, const json_t *item, bool whole)
{
	struct str type = wire_json_str(item, "type");
	json_t *parts = wire_json_array(item, "content");

	if (str_ends(type, STR("_call")))
		r->called = true;
	for (size_t i = 0; i < json_array_size(parts); i++)
		read_part(r, json_array_get(parts, i), whole);
}

/* The response as a whole, at the end of a stream or without one. */
static void
read_response(struct llm_reply *r, const json_t *response)
{
	struct str status = wire_json_str(response, "status");
	json_t *items = wire_json_array(response, "output");
	bool whole = r->text.len == 0;

	read_usage(r, response);
	if (llm_reply_error(r, response))
		return;
	for (size_t i = 0; i < json_array_size(items); i++)
		read_item(r, json_array_get(items, i), whole);
	if (str_eq(status, STR("completed"))) {
		r->finished = r->closed = true;
	} else if (str_eq(status, STR("incomplete"))) {
		struct str why = wire_json_str(
			wire_json_object(response, "incomplete_details"), "reason");

		llm_reply_trouble(r,
			str_eq(why, STR("content_filter")) ? LLM_TROUBLE_DECLINED
											   : LLM_TROUBLE_TRUNCATED,
			why);
	} else if (str_eq(status, STR("failed"))) {
		llm_reply_trouble(r, LLM_TROUBLE_SERVER, STR("it failed"));
	}
}

void
llm_responses_read(struct llm_reply *r, const json_t *event)
{
	struct str type = wire_json_str(event, "type");

	if (str_eq(type, STR("response.output_text.delta")))
		llm_reply_text(r, wire_json_str(event, "delta"));
	else if (str_starts(type, STR("response.refusal")))
		llm_reply_trouble(r, LLM_TROUBLE_DECLINED, STR(""));
	else if (str_eq(type, STR("response.output_item.added")))
		read_item(r, wire_json_object(event, "item"), false);
	else if (str_eq(type, STR("response.completed"))
		|| str_eq(type, STR("response.incomplete"))
		|| str_eq(type, STR("response.failed")))
		read_response(r, wire_json_object(event, "response"));
	else if (str_eq(type, STR("error")))
		llm_reply_trouble(
			r, LLM_TROUBLE_SERVER, wire_json_str(event, "message"));
	else if (!type.ptr)
		read_response(r, event);
}
