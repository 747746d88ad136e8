/*
 * Ollama's own API. Its window is small unless it is asked for, and what does
 * not fit is cut at the head, silently: where the policy stands.
 */

#include "llm/provider.h"
#include "wire/json.h"

enum {
	WINDOW_LEAST = 8192,
	WINDOW_MOST = 131072,
	BYTES_PER_TOKEN = 2, /* at the worst, of what we send */
};

/* Room for the question and the answer, in few sizes: another size makes the
 * server load the model anew. */
static int
window_of(const struct llm_request *r)
{
	size_t tokens = (r->system.len + r->user.len) / BYTES_PER_TOKEN
		+ (size_t)LLM_OUTPUT_TOKENS;
	size_t window = WINDOW_LEAST;

	while (window < tokens && window < WINDOW_MOST)
		window *= 2;
	return (int)window;
}

void
llm_ollama_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r)
{
	(void)row;
	buf_add(b, STR("{\"model\":"));
	buf_add_json(b, r->model);
	buf_add(b, STR(",\"messages\":[{\"role\":\"system\",\"content\":"));
	buf_add_json(b, r->system);
	buf_add(b, STR("},{\"role\":\"user\",\"content\":"));
	buf_add_json(b, r->user);
	buf_add(b, STR("}],\"stream\":true,\"keep_alive\":\"30m\""));
	if (!r->plain)
		buf_addf(b, ",\"think\":false,\"format\":%.*s", STR_ARG(r->schema));
	buf_addf(b,
		",\"options\":{\"temperature\":0,\"num_ctx\":%d,"
		"\"num_predict\":%d}}",
		window_of(r), LLM_OUTPUT_TOKENS);
}

void
llm_ollama_read(struct llm_reply *r, const json_t *event)
{
	json_t *message = wire_json_object(event, "message");
	struct str why = wire_json_str(event, "done_reason");

	if (llm_reply_error(r, event))
		return;
	llm_reply_text(r, wire_json_str(message, "content"));
	if (json_array_size(wire_json_array(message, "tool_calls")) > 0)
		r->called = true;
	llm_reply_count(&r->input, event, "prompt_eval_count");
	llm_reply_count(&r->output, event, "eval_count");
	if (!wire_json_bool(event, "done"))
		return;
	r->finished = r->closed = true;
	if (str_eq(why, STR("length")))
		llm_reply_trouble(r, LLM_TROUBLE_TRUNCATED, STR(""));
}
