/*
 * Codex's rollouts, as versions up to 0.171.0 write them. The same message
 * stands in several forms: as what goes to the model (where the agent's own
 * context looks like the user's), and as an event, which only tells what was
 * typed. The events are read.
 */

#include "adapter/transcript_priv.h"
#include "wire/json.h"

static const struct adapter_parts parts = {"type", "text"};

/* item_completed, from 0.160 on. */
static bool
read_item(
	struct adapter_telling *t, const json_t *item, struct adapter_said *ret)
{
	struct str type = wire_json_str(item, "type"), text;
	bool result;

	if (!str_eq(type, STR("UserMessage")) && !str_eq(type, STR("AgentMessage")))
		return false;
	text =
		adapter_said_text(t, wire_json_get(item, "content"), &parts, &result);
	return str_eq(type, STR("UserMessage"))
		? adapter_said_by_user(t, text, false, ret)
		: adapter_said_by_agent(text, ret);
}

static bool
read_event(
	struct adapter_telling *t, const json_t *payload, struct adapter_said *ret)
{
	struct str type = wire_json_str(payload, "type");
	struct str kind = wire_json_str(payload, "kind");
	bool result;

	if (str_eq(type, STR("item_completed")))
		return read_item(t, wire_json_object(payload, "item"), ret);
	if (!str_eq(type, STR("user_message"))
		&& !str_eq(type, STR("agent_message")))
		return false;
	struct str text = adapter_said_text(
		t, wire_json_get(payload, "message"), &parts, &result);

	return str_eq(type, STR("user_message")) ? adapter_said_by_user(
			   t, text, kind.ptr && !str_eq(kind, STR("plain")), ret)
											 : adapter_said_by_agent(text, ret);
}

/* The thread of a subagent: who speaks in it is another agent. */
static void
read_meta(struct adapter_telling *t, const json_t *payload)
{
	struct str source = wire_json_str(payload, "thread_source");

	if (wire_json_object(wire_json_object(payload, "source"), "subagent")
		|| (source.ptr && !str_eq(source, STR("user"))))
		t->not_user = true;
}

bool
adapter_transcript_codex(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	struct str type = wire_json_str(line, "type");
	const json_t *payload = wire_json_object(line, "payload");

	if (str_eq(type, STR("session_meta")))
		read_meta(t, payload);
	if (str_eq(type, STR("turn_context")))
		adapter_said_model(t, wire_json_str(payload, "model"));
	return str_eq(type, STR("event_msg")) && read_event(t, payload, ret);
}
