/*
 * The conversations of Gemini CLI 0.61.0 and of Qwen Code 0.24.4, which began
 * as a copy of it. Their parts have no kind: what has a text is text.
 */

#include "adapter/transcript_priv.h"
#include "wire/json.h"

static const struct adapter_parts parts = {NULL, NULL};

bool
adapter_transcript_gemini(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	struct str type = wire_json_str(line, "type"), text;
	bool user = str_eq(type, STR("user")), result;

	if (!user && !str_eq(type, STR("gemini")))
		return false;
	adapter_said_model(t, wire_json_str(line, "model"));
	text =
		adapter_said_text(t, wire_json_get(line, "content"), &parts, &result);
	return user ? adapter_said_by_user(t, text, false, ret)
				: adapter_said_by_agent(text, ret);
}

bool
adapter_transcript_qwen(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	struct str type = wire_json_str(line, "type"), text;
	struct str from = wire_json_str(line, "provenance");
	bool user = str_eq(type, STR("user")), result;

	if (wire_json_bool(line, "isSidechain")
		|| (!user && !str_eq(type, STR("assistant"))))
		return false;
	adapter_said_model(t, wire_json_str(line, "model"));
	text = adapter_said_text(t,
		wire_json_get(wire_json_object(line, "message"), "parts"), &parts,
		&result);
	return user ? adapter_said_by_user(
			   t, text, from.ptr && !str_eq(from, STR("real_user")), ret)
				: adapter_said_by_agent(text, ret);
}
