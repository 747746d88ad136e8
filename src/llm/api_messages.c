/*
 * Anthropic's Messages. What is the same for many calls is marked for its cache:
 * the system prompt, and the beginning of the user message.
 */

#include "llm/provider.h"
#include "wire/json.h"

#define CACHED ",\"cache_control\":{\"type\":\"ephemeral\"}"

static void
write_text(struct buf *b, struct str text, const char *mark)
{
	buf_add(b, STR("{\"type\":\"text\",\"text\":"));
	buf_add_json(b, text);
	buf_addf(b, "%s}", mark);
}

/* Whole lines of what other calls begin with, too. */
static size_t
stable_of(const struct llm_request *r)
{
	size_t n = r->stable < r->user.len ? r->stable : 0;

	while (n > 0 && r->user.ptr[n - 1] != '\n')
		n--;
	return n;
}

void
llm_messages_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r)
{
	size_t stable = stable_of(r);

	(void)row;
	buf_add(b, STR("{\"model\":"));
	buf_add_json(b, r->model);
	buf_addf(b, ",\"max_tokens\":%d,\"stream\":true,\"system\":[",
		LLM_OUTPUT_TOKENS);
	write_text(b, r->system, CACHED);
	buf_add(b, STR("],\"messages\":[{\"role\":\"user\",\"content\":["));
	if (stable > 0) {
		write_text(b, str_sub(r->user, 0, stable), CACHED);
		buf_add_char(b, ',');
	}
	write_text(b, str_sub(r->user, stable, r->user.len), "");
	buf_add(b, STR("]}]"));
	if (!r->plain)
		buf_addf(b,
			",\"thinking\":{\"type\":\"disabled\"},\"output_config\":"
			"{\"format\":{\"type\":\"json_schema\",\"schema\":%.*s}}",
			STR_ARG(r->schema));
	buf_add_char(b, '}');
}

/* Three counts that do not overlap. */
static void
read_usage(struct llm_reply *r, const json_t *usage)
{
	int64_t fresh = -1, made = 0, cached = 0;

	llm_reply_count(&fresh, usage, "input_tokens");
	llm_reply_count(&made, usage, "cache_creation_input_tokens");
	llm_reply_count(&cached, usage, "cache_read_input_tokens");
	if (fresh >= 0) {
		r->input = fresh + made + cached;
		r->cached = cached;
	}
	llm_reply_count(&r->output, usage, "output_tokens");
}

static void
read_block(struct llm_reply *r, const json_t *block)
{
	struct str type = wire_json_str(block, "type");

	if (str_eq(type, STR("text")))
		llm_reply_text(r, wire_json_str(block, "text"));
	else if (str_ends(type, STR("tool_use")))
		r->called = true;
}

static void
read_stop(struct llm_reply *r, struct str why)
{
	if (!why.ptr)
		return;
	if (str_eq(why, STR("end_turn")) || str_eq(why, STR("stop_sequence")))
		r->finished = true;
	else if (str_eq(why, STR("refusal")))
		llm_reply_trouble(r, LLM_TROUBLE_DECLINED, STR(""));
	else if (str_eq(why, STR("tool_use")))
		r->called = true;
	else
		llm_reply_trouble(r, LLM_TROUBLE_TRUNCATED, why);
}

static void
read_message(struct llm_reply *r, const json_t *message)
{
	json_t *content = wire_json_array(message, "content");

	read_usage(r, wire_json_object(message, "usage"));
	for (size_t i = 0; i < json_array_size(content); i++)
		read_block(r, json_array_get(content, i));
	read_stop(r, wire_json_str(message, "stop_reason"));
}

void
llm_messages_read(struct llm_reply *r, const json_t *event)
{
	struct str type = wire_json_str(event, "type");
	json_t *delta = wire_json_object(event, "delta");

	if (llm_reply_error(r, event))
		return;
	if (str_eq(type, STR("message"))) {
		read_message(r, event);
	} else if (str_eq(type, STR("message_start"))) {
		read_message(r, wire_json_object(event, "message"));
	} else if (str_eq(type, STR("content_block_start"))) {
		read_block(r, wire_json_object(event, "content_block"));
	} else if (str_eq(type, STR("content_block_delta"))) {
		if (str_eq(wire_json_str(delta, "type"), STR("text_delta")))
			llm_reply_text(r, wire_json_str(delta, "text"));
	} else if (str_eq(type, STR("message_delta"))) {
		read_usage(r, wire_json_object(event, "usage"));
		read_stop(r, wire_json_str(delta, "stop_reason"));
	} else if (str_eq(type, STR("message_stop"))) {
		r->closed = true;
	}
}
