/*
 * The conversations of Copilot CLI 1.0.102 (one file of events each), and of
 * Factory's Droid 0.215.0.
 */

#include "adapter/transcript_priv.h"
#include "wire/json.h"

static const struct adapter_parts parts = {"type", "text"};

/* What a tool call started is a subagent's. */
bool
adapter_transcript_copilot(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	struct str type = wire_json_str(line, "type"), text;
	const json_t *data = wire_json_object(line, "data");
	struct str source = wire_json_str(data, "source");
	bool user = str_eq(type, STR("user.message")), result;

	if ((!user && !str_eq(type, STR("assistant.message")))
		|| wire_json_str(data, "parentToolCallId").ptr
		|| wire_json_str(line, "agentId").ptr)
		return false;
	adapter_said_model(t, wire_json_str(data, "model"));
	text =
		adapter_said_text(t, wire_json_get(data, "content"), &parts, &result);
	return user ? adapter_said_by_user(
			   t, text, source.ptr && !str_eq(source, STR("user")), ret)
				: adapter_said_by_agent(text, ret);
}

bool
adapter_transcript_droid(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	const json_t *message = wire_json_object(line, "message");
	struct str role = wire_json_str(message, "role");
	bool result;
	struct str text = adapter_said_text(
		t, wire_json_get(message, "content"), &parts, &result);

	if (!str_eq(wire_json_str(line, "type"), STR("message"))
		|| wire_json_get(message, "hookEventName"))
		return false;
	adapter_said_model(t, wire_json_str(message, "modelId"));
	/* shown to one of the two only: not from one to the other */
	if (str_eq(role, STR("user")))
		return adapter_said_by_user(
			t, text, result || wire_json_get(message, "visibility"), ret);
	return str_eq(role, STR("assistant")) && adapter_said_by_agent(text, ret);
}
