/*
 * Claude Code's conversations, as version 2.1.332 writes them: one JSON object
 * a line. What the user typed, what tools gave back, and what the agent told
 * itself all stand as messages of the user.
 */

#include "adapter/transcript_priv.h"
#include "wire/json.h"

static const struct adapter_parts parts = {"type", "text"};

/* By what the line says of itself. */
static bool
is_program(const json_t *line)
{
	struct str origin = wire_json_str(wire_json_get(line, "origin"), "kind");

	return wire_json_bool(line, "isMeta")
		|| wire_json_bool(line, "isCompactSummary")
		|| wire_json_bool(line, "isVisibleInTranscriptOnly")
		|| wire_json_get(line, "toolUseResult")
		|| str_eq(wire_json_str(line, "promptSource"), STR("system"))
		|| (origin.ptr && !str_eq(origin, STR("human")));
}

/* The text between <name> and </name>, or absent. */
static struct str
between(struct str s, struct str open, struct str close)
{
	size_t from = str_find(s, open, 0), to;

	if (from == s.len)
		return (struct str){0};
	from += open.len;
	to = str_find(s, close, from);
	return to < s.len ? str_sub(s, from, to) : (struct str){0};
}

/* A command that the user typed: "/review the parser". Its text is the agent's,
 * its words are the user's. */
static struct str
typed_command(struct adapter_telling *t, struct str text)
{
	struct str name, args;

	if (!str_starts(text, STR("<command-name>"))
		&& !str_starts(text, STR("<command-message>")))
		return text;
	name = between(text, STR("<command-name>"), STR("</command-name>"));
	args = between(text, STR("<command-args>"), STR("</command-args>"));
	name = str_trim(name);
	args = str_trim(args);
	return args.len > 0 ? adapter_join(&t->r, name, ' ', args) : name;
}

static bool
read_user(struct adapter_telling *t, const json_t *line, const json_t *content,
	struct adapter_said *ret)
{
	bool result;
	struct str text = adapter_said_text(t, content, &parts, &result);

	/* beside a tool's result nothing is surely the user's */
	return adapter_said_by_user(
		t, typed_command(t, text), result || is_program(line), ret);
}

/* What the user wrote while the agent was at work. */
static bool
read_queued(struct adapter_telling *t, const json_t *attachment,
	struct adapter_said *ret)
{
	struct str mode = wire_json_str(attachment, "commandMode");
	bool result;

	if (!str_eq(wire_json_str(attachment, "type"), STR("queued_command")))
		return false;
	return adapter_said_by_user(t,
		adapter_said_text(
			t, wire_json_get(attachment, "prompt"), &parts, &result),
		is_program(attachment) || (mode.ptr && !str_eq(mode, STR("prompt"))),
		ret);
}

bool
adapter_transcript_claude(
	struct adapter_telling *t, const json_t *line, struct adapter_said *ret)
{
	struct str type = wire_json_str(line, "type");
	const json_t *content =
		wire_json_get(wire_json_object(line, "message"), "content");
	bool result;

	/* a subagent's: its user is the agent */
	if (wire_json_bool(line, "isSidechain"))
		return false;
	if (str_eq(type, STR("user")))
		return read_user(t, line, content, ret);
	if (str_eq(type, STR("attachment")))
		return read_queued(t, wire_json_object(line, "attachment"), ret);
	if (!str_eq(type, STR("assistant"))
		|| wire_json_bool(line, "isApiErrorMessage"))
		return false;
	adapter_said_model(
		t, wire_json_str(wire_json_object(line, "message"), "model"));
	return adapter_said_by_agent(
		adapter_said_text(t, content, &parts, &result), ret);
}
