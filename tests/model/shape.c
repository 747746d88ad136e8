/*
 * The forms of the APIs: chat completions (OpenAI, llama.cpp, vLLM), Responses,
 * Anthropic's Messages, Ollama.
 */
#include <string.h>

#include "tests/model/model.h"
#include "wire/json.h"

static long long
ll(int64_t n)
{
	return (long long)n;
}

static void
text(struct buf *b, const char *before, struct str s, const char *after)
{
	buf_add(b, str_from(before));
	buf_add_json(b, s);
	buf_add(b, str_from(after));
}

/* All texts of a content: a string, or parts. */
static struct str
content_of(struct arena *a, const json_t *message)
{
	json_t *parts = wire_json_array(message, "content");
	struct str all = wire_json_str(message, "content");

	if (!parts)
		return arena_dup(a, all);
	all = STR("");
	for (size_t i = 0; i < json_array_size(parts); i++) {
		struct str one = wire_json_str(json_array_get(parts, i), "text");

		all = arena_fmt(a, "%.*s%.*s", STR_ARG(all), STR_ARG(one));
	}
	return all;
}

static struct str
last_of(struct arena *a, const json_t *list)
{
	size_t n = json_array_size(list);

	return n > 0 ? content_of(a, json_array_get(list, n - 1)) : STR("");
}

static struct str
messages_prompt(struct arena *a, const json_t *body)
{
	return last_of(a, wire_json_array(body, "messages"));
}

static struct str
input_prompt(struct arena *a, const json_t *body)
{
	return last_of(a, wire_json_array(body, "input"));
}

/* --- chat completions ----------------------------------------------------------------- */

static const char *
chat_finish(const struct model_plan *p)
{
	return p->length ? "length" : p->tool ? "tool_calls" : "stop";
}

static void
chat_usage(struct buf *b, const struct model_plan *p)
{
	buf_addf(b,
		"\"usage\":{\"prompt_tokens\":%lld,\"completion_tokens\":%lld,"
		"\"prompt_tokens_details\":{\"cached_tokens\":%lld}}",
		ll(p->input), ll(p->output), ll(p->cached));
}

#define CHAT_TOOL                                                       \
	"\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\"," \
	"\"function\":{\"name\":\"allow\",\"arguments\":\"{}\"}}]"

static void
chat_whole(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b, "{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":", model,
		",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",");
	if (p->refuse)
		buf_add(b, STR("\"content\":null,\"refusal\":\"I will not.\""));
	else if (p->tool)
		buf_add(b, STR("\"content\":null," CHAT_TOOL));
	else
		text(b, "\"content\":", p->text, "");
	buf_addf(b, "},\"finish_reason\":\"%s\"}],", chat_finish(p));
	chat_usage(b, p);
	buf_add_char(b, '}');
}

static void
chat_begin(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b, "data: {\"object\":\"chat.completion.chunk\",\"model\":", model,
		",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
		"\"content\":\"\"},\"finish_reason\":null}]}\n\n");
	if (p->think.ptr)
		text(b,
			"data: {\"choices\":[{\"delta\":{\"reasoning_content\":", p->think,
			"}}]}\n\n");
	if (p->refuse)
		buf_add(b,
			STR("data: {\"choices\":[{\"delta\":{\"refusal\":\"I will "
				"not.\"}}]}\n\n"));
	if (p->tool)
		buf_add(
			b, STR("data: {\"choices\":[{\"delta\":{" CHAT_TOOL "}}]}\n\n"));
}

static void
chat_piece(struct buf *b, struct str piece)
{
	text(b, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":", piece,
		"},\"finish_reason\":null}]}\n\n");
}

static void
chat_end(struct buf *b, const struct model_plan *p, struct str model)
{
	(void)model;
	buf_addf(b,
		"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":"
		"\"%s\"}]}\n\ndata: {\"choices\":[],",
		chat_finish(p));
	chat_usage(b, p);
	buf_add(b, STR("}\n\ndata: [DONE]\n\n"));
}

/* --- Responses --------------------------------------------------------------------------- */

static void
responses_body(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b, "{\"id\":\"r1\",\"object\":\"response\",\"model\":", model, "");
	buf_addf(b, ",\"error\":null,\"status\":\"%s\",\"incomplete_details\":",
		p->length ? "incomplete" : "completed");
	buf_add(
		b, p->length ? STR("{\"reason\":\"max_output_tokens\"}") : STR("null"));
	buf_add(b, STR(",\"output\":["));
	if (p->tool)
		buf_add(b,
			STR("{\"type\":\"function_call\",\"name\":\"allow\","
				"\"arguments\":\"{}\"}"));
	else if (p->refuse)
		buf_add(b,
			STR("{\"type\":\"message\",\"content\":[{\"type\":\"refusal\","
				"\"refusal\":\"I will not.\"}]}"));
	else
		text(b,
			"{\"type\":\"message\",\"role\":\"assistant\",\"content\":["
			"{\"type\":\"output_text\",\"text\":",
			p->text, "}]}");
	buf_addf(b,
		"],\"usage\":{\"input_tokens\":%lld,\"output_tokens\":%lld,"
		"\"input_tokens_details\":{\"cached_tokens\":%lld}}}",
		ll(p->input), ll(p->output), ll(p->cached));
}

static void
responses_begin(struct buf *b, const struct model_plan *p, struct str model)
{
	(void)p;
	text(b,
		"event: response.created\ndata: {\"type\":\"response.created\","
		"\"response\":{\"status\":\"in_progress\",\"model\":",
		model, "}}\n\n");
}

static void
responses_piece(struct buf *b, struct str piece)
{
	text(b,
		"event: response.output_text.delta\n"
		"data: {\"type\":\"response.output_text.delta\",\"delta\":",
		piece, "}\n\n");
}

static void
responses_end(struct buf *b, const struct model_plan *p, struct str model)
{
	const char *name = p->length ? "incomplete" : "completed";

	buf_addf(b,
		"event: response.%s\ndata: {\"type\":\"response.%s\",\"response\":",
		name, name);
	responses_body(b, p, model);
	buf_add(b, STR("}\n\n"));
}

/* --- Messages ------------------------------------------------------------------------------ */

static const char *
messages_stop(const struct model_plan *p)
{
	return p->length ? "max_tokens"
		: p->refuse  ? "refusal"
		: p->tool    ? "tool_use"
					 : "end_turn";
}

static void
messages_usage(struct buf *b, const struct model_plan *p)
{
	buf_addf(b,
		"\"usage\":{\"input_tokens\":%lld,\"cache_creation_input_tokens\":0,"
		"\"cache_read_input_tokens\":%lld,\"output_tokens\":%lld}",
		ll(p->input - p->cached), ll(p->cached), ll(p->output));
}

#define MESSAGES_TOOL \
	"{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"allow\",\"input\":{}}"

static void
messages_whole(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b,
		"{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\","
		"\"model\":",
		model, ",\"content\":[");
	if (p->tool)
		buf_add(b, STR(MESSAGES_TOOL));
	else if (!p->refuse)
		text(b, "{\"type\":\"text\",\"text\":", p->text, "}");
	buf_addf(b, "],\"stop_reason\":\"%s\",", messages_stop(p));
	messages_usage(b, p);
	buf_add_char(b, '}');
}

static void
messages_event(struct buf *b, const char *name, const char *rest)
{
	buf_addf(b, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", name, name, rest);
}

static void
messages_begin(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":"
		"{\"type\":\"message\",\"content\":[],\"stop_reason\":null,"
		"\"model\":",
		model, ",");
	messages_usage(b, p);
	buf_add(b, STR("}}\n\n"));
	messages_event(b, "ping", "");
	if (p->think.ptr) {
		text(b,
			"event: content_block_delta\ndata: {\"type\":"
			"\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
			"\"thinking_delta\",\"thinking\":",
			p->think, "}}\n\n");
	}
	messages_event(b, "content_block_start",
		p->tool ? ",\"index\":0,\"content_block\":" MESSAGES_TOOL
				: ",\"index\":0,\"content_block\":{\"type\":\"text\","
				  "\"text\":\"\"}");
}

static void
messages_piece(struct buf *b, struct str piece)
{
	text(b,
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
		"\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":",
		piece, "}}\n\n");
}

static void
messages_end(struct buf *b, const struct model_plan *p, struct str model)
{
	(void)model;
	messages_event(b, "content_block_stop", ",\"index\":0");
	buf_addf(b,
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
		"{\"stop_reason\":\"%s\"},\"usage\":{\"output_tokens\":%lld}}\n\n",
		messages_stop(p), ll(p->output));
	messages_event(b, "message_stop", "");
}

/* --- Ollama ---------------------------------------------------------------------------------- */

static void
ollama_done(struct buf *b, const struct model_plan *p)
{
	buf_addf(b,
		",\"done\":true,\"done_reason\":\"%s\",\"prompt_eval_count\":%lld,"
		"\"eval_count\":%lld}",
		p->length ? "length" : "stop", ll(p->input), ll(p->output));
}

static void
ollama_whole(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b, "{\"model\":", model, "");
	text(b, ",\"message\":{\"role\":\"assistant\",\"content\":",
		p->refuse ? STR("I will not.") : p->text, "}");
	ollama_done(b, p);
}

static void
ollama_begin(struct buf *b, const struct model_plan *p, struct str model)
{
	(void)model;
	if (p->tool)
		buf_add(b,
			STR("{\"message\":{\"role\":\"assistant\",\"content\":\"\","
				"\"tool_calls\":[{\"function\":{\"name\":\"allow\","
				"\"arguments\":{}}}]},\"done\":false}\n"));
	if (p->refuse)
		buf_add(b,
			STR("{\"message\":{\"content\":\"I will not.\"},\"done\":false}"
				"\n"));
}

static void
ollama_piece(struct buf *b, struct str piece)
{
	text(b, "{\"message\":{\"role\":\"assistant\",\"content\":", piece,
		"},\"done\":false}\n");
}

static void
ollama_end(struct buf *b, const struct model_plan *p, struct str model)
{
	text(b, "{\"model\":", model, ",\"message\":{\"content\":\"\"}");
	ollama_done(b, p);
	buf_add_char(b, '\n');
}

static const struct model_shape shapes[] = {
	{"/v1/chat/completions", "text/event-stream",    messages_prompt, chat_whole,
     chat_begin,      chat_piece,      chat_end     },
	{"/v1/responses",        "text/event-stream",    input_prompt,    responses_body,
     responses_begin, responses_piece, responses_end},
	{"/v1/messages",         "text/event-stream",    messages_prompt, messages_whole,
     messages_begin,  messages_piece,  messages_end },
	{"/api/chat",            "application/x-ndjson", messages_prompt, ollama_whole,
     ollama_begin,    ollama_piece,    ollama_end   },
};

const struct model_shape *
model_shape_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		if (strcmp(path, shapes[i].path) == 0)
			return &shapes[i];
	}
	return NULL;
}
