/*
 * Cursor's hooks, as version 3.23 and the SDK 1.0.32 speak them, and the two
 * events of our own that its stream filter and gateways use (cursor_review.c).
 * docs/agents/cursor.md has what was measured.
 */

#include "adapter/adapter_priv.h"
#include "adapter/cursor.h"
#include "wire/json.h"

/* --- rows ------------------------------------------------------------------ */

/* Cursor reads JSON only; what is no JSON, and silence, it blocks when the hook
 * was registered with failClosed, as install does. */
#define UNREACHED                                                   \
	"assent: no answer from assent's daemon, so this call was not " \
	"allowed and nothing ran. Ask the user to run: assent doctor"
#define REFUSED                                              \
	"{\"permission\":\"deny\",\"user_message\":\"" UNREACHED \
	"\",\"agent_message\":\"" UNREACHED "\"}\n"
#define PERMITTED "{\"permission\":\"allow\"}\n"

#define ROW(event, what, ...)                                 \
	{                                                         \
		.name = event, .meaning = ADAPTER_##what, __VA_ARGS__ \
	}
#define DENIES     .safe_out = REFUSED, .safe_err = ""
#define SAYS(text) .safe_out = (text), .safe_err = ""
#define HELD                                                                 \
	.decides = true, .installed = true, .timeout_s = 600, .deadline_s = 590, \
	DENIES
#define HEARD .timeout_s = 10, .deadline_s = 5
/* the message itself has the arguments */
#define FLAT .input = ""

static const struct adapter_event events[] = {
	ROW("preToolUse", CALL, HELD, .note = ADAPTER_NOTE_LATER),
	/* the same call as preToolUse's, which it is answered from */
	ROW("beforeShellExecution", APPROVAL, HELD, FLAT,
		.note = ADAPTER_NOTE_LATER),
	ROW("beforeReadFile", APPROVAL, HELD, FLAT, .note = ADAPTER_NOTE_LATER),
	/* only here does it say which server */
	ROW("beforeMCPExecution", CALL, HELD, .note = ADAPTER_NOTE_LATER),
	ROW("postToolUse", RESULT, HEARD, SAYS("{}\n"), .installed = true,
		.note = ADAPTER_NOTE_HERE),
	ROW("beforeSubmitPrompt", PROMPT, HEARD, SAYS("{\"continue\":true}\n"),
		.installed = true),
	ROW("sessionStart", SESSION_START, HEARD, SAYS("{}\n")),
	ROW("sessionEnd", SESSION_END, HEARD, SAYS("{}\n")),
	ROW("subagentStart", NEUTRAL, HEARD, SAYS(PERMITTED)),
	ROW("subagentStop", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("postToolUseFailure", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("afterShellExecution", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("afterMCPExecution", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("afterFileEdit", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("afterAgentResponse", NEUTRAL, HEARD, SAYS("{}\n")),
	ROW("stop", NEUTRAL, HEARD, SAYS("{}\n")),
	/* not Cursor's: the stream filter's, and gateways' */
	ROW("review", CALL, .decides = true, .asks = true, .elsewhere = true,
		.timeout_s = 60, .deadline_s = 50, .input = "action",
		.arguments = "arguments", .safe_err = "",
		.safe_out = ADAPTER_CURSOR_UNJUDGED),
	ROW("outcome", OUTCOME, HEARD, SAYS("{}\n")),
};

/* preToolUse of a call that a hook of its own decides. */
static const struct adapter_event left_to_another =
	ROW("preToolUse", NEUTRAL, HEARD, SAYS(PERMITTED));

static const char *const aliases[] = {"cursor-agent", NULL};

/* Its editor, its own program, and the SDK's runtime in node. */
static const struct adapter_process_row processes[] = {
	{"cursor",       NULL,             NULL, NULL},
	{"Cursor",       NULL,             NULL, NULL},
	{"cursor-agent", NULL,             NULL, NULL},
	{NULL,		   "/cursor-agent/", NULL, NULL},
	{NULL,		   "/Cursor.app/",   NULL, NULL},
	{NULL,		   "/@cursor/sdk",   NULL, NULL},
};

static const char *const call_members[] = {
	"tool_name",
	"tool_input",
	"command",
	"action",
	NULL,
};

/* --- tools ----------------------------------------------------------------- */

struct field {
	const char *key;
	size_t at; /* offset of a struct str in struct call */
	bool needed;
};

#define NEEDED(key, member)                      \
	{                                            \
		key, offsetof(struct call, member), true \
	}
#define OPTIONAL(key, member)                     \
	{                                             \
		key, offsetof(struct call, member), false \
	}
#define TOOL(tool_name, kind, ...)                                             \
	{                                                                          \
		.name = tool_name, .tool = CALL_TOOL_##kind, .fields = { __VA_ARGS__ } \
	}

/* A tool that is not here is OTHER, judged by all of its arguments. */
static const struct tool {
	const char *name;
	enum call_tool tool;
	struct field fields[3];
} tools[] = {
	TOOL("Shell", SHELL, NEEDED("command", command)),
	TOOL("Read", READ, NEEDED("file_path", path)),
	TOOL("Write", WRITE, NEEDED("file_path", path),
		OPTIONAL("content", content)),
	TOOL("Delete", DELETE, NEEDED("file_path", path)),
	TOOL("Grep", SEARCH, OPTIONAL("pattern", pattern), OPTIONAL("path", path)),
	TOOL("List", LIST, OPTIONAL("path", path)),
	TOOL("Glob", LIST, OPTIONAL("pattern", pattern), OPTIONAL("path", path)),
	TOOL("WebFetch", FETCH, NEEDED("url", url)),
	TOOL("WebSearch", WEB_SEARCH, OPTIONAL("query", query)),
	TOOL("Task", AGENT, {0}),
};

static const struct tool *
find_tool(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name)))
			return &tools[i];
	}
	return NULL;
}

static void
decode_input(struct adapter_reader *r, const json_t *input, struct call *call)
{
	const struct tool *tool = find_tool(call->tool_name);

	if (call->review) {
		adapter_cursor_input(r, input, call);
		return;
	}
	call->inward = call->tool == CALL_TOOL_AGENT;
	for (size_t i = 0; tool && i < ARRAY_LEN(tool->fields); i++) {
		const struct field *f = &tool->fields[i];

		if (f->key)
			*(struct str *)(void *)((char *)call + f->at) =
				adapter_text(r, input, f->key, f->needed);
	}
	/* two hooks say the same call in two forms: what they share is what it is */
	if (call->tool == CALL_TOOL_SHELL)
		call->input = call->command;
	if (call->tool == CALL_TOOL_READ)
		call->input = call->path;
}

/* --- the message ----------------------------------------------------------- */

static bool
is_absolute(struct str path)
{
	return path.len > 0 && path.ptr[0] == '/';
}

/* The folder of the call, else the first of the workspace: the hook itself runs
 * elsewhere, and "" means the workspace. */
static void
set_cwd(struct adapter_reader *r, const json_t *top, struct call *c)
{
	const json_t *roots = wire_json_array(top, "workspace_roots");
	struct str cwd = wire_json_str(top, "cwd");
	struct str root = wire_json_text(json_array_get(roots, 0));

	if (is_absolute(cwd))
		c->cwd = adapter_keep(r, cwd);
	else if (cwd.len == 0 && is_absolute(root))
		c->cwd = adapter_keep(r, root);
}

/* "MCP:note": the server is said by another hook only. */
static void
set_tool(struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	static const struct {
		const char *event, *tool;
		enum call_tool kind;
	} rows[] = {
		{"beforeShellExecution", "Shell", CALL_TOOL_SHELL},
		{"beforeReadFile",       "Read",  CALL_TOOL_READ },
		{"beforeMCPExecution",   NULL,    CALL_TOOL_MCP  },
	};
	struct call *c = &m->call;
	const struct tool *tool;

	c->id = adapter_text(r, top, "tool_use_id", false);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!str_eq(m->event_name, str_from(rows[i].event)))
			continue;
		c->tool = rows[i].kind;
		c->tool_name = rows[i].tool ? str_from(rows[i].tool)
									: adapter_text(r, top, "tool_name", true);
	}
	if (c->tool == CALL_TOOL_MCP) {
		c->server = adapter_text(r, top, "mcp_server_name", false);
		c->mcp_tool = c->tool_name;
	}
	if (c->tool != CALL_TOOL_NONE)
		return;
	c->tool_name = adapter_text(r, top, "tool_name", true);
	tool = find_tool(c->tool_name);
	c->tool = tool ? tool->tool : CALL_TOOL_OTHER;
	if (str_starts(c->tool_name, STR("MCP:")) && m->meaning == ADAPTER_CALL) {
		m->event = &left_to_another;
		m->meaning = ADAPTER_NEUTRAL;
		m->decides = false;
	}
}

static void
decode(struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	struct call *c = &m->call;

	if (m->event && (m->event->elsewhere || m->meaning == ADAPTER_OUTCOME)) {
		adapter_cursor_decode(r, top, m);
		return;
	}
	c->session = adapter_text(r, top, "conversation_id", false);
	c->turn = adapter_text(r, top, "generation_id", false);
	m->transcript = adapter_text(r, top, "transcript_path", false);
	set_cwd(r, top, c);
	if (m->meaning == ADAPTER_PROMPT)
		m->prompt = adapter_text(r, top, "prompt", false);
	else if (adapter_is_about_call(m->meaning))
		set_tool(r, top, m);
}

/* --- what it understands --------------------------------------------------- */

static struct str
refusal(struct arena *a, const struct adapter_reply *reply)
{
	struct str note = str_trim(reply->note);
	bool user = reply->source == ADAPTER_SOURCE_USER
		&& reply->verdict == CALL_VERDICT_DENY;

	if (user && note.len > 0)
		return arena_fmt(a,
			"The user rejected this tool call with feedback: %.*s",
			STR_ARG(note));
	if (user)
		return STR("The user rejected this tool call.");
	return arena_fmt(a, "assent: %.*s", STR_ARG(adapter_reason(a, reply)));
}

/* "ask" runs the call in half of Cursor's modes: it is never said. */
static struct str
permission(struct arena *a, const struct adapter_reply *reply)
{
	struct adapter_pair pairs[] = {
		{"permission",    STR("deny"), false},
		{"user_message",  {0},         false},
		{"agent_message", {0},         false},
	};

	if (reply->verdict == CALL_VERDICT_ALLOW)
		return STR(PERMITTED);
	pairs[1].text = pairs[2].text = refusal(a, reply);
	return arena_fmt(
		a, "%.*s\n", STR_ARG(adapter_object(a, pairs, ARRAY_LEN(pairs))));
}

static void
add_note(struct arena *a, const struct adapter_reply *reply,
	struct adapter_answer *ret)
{
	struct str note = str_trim(reply->note);

	if (reply->source != ADAPTER_SOURCE_USER || note.len == 0)
		return;
	struct adapter_pair pair = {"additional_context",
		arena_fmt(a, "User approved this tool call with feedback: %.*s",
			STR_ARG(note)),
		false};

	ret->out = arena_fmt(a, "%.*s\n", STR_ARG(adapter_object(a, &pair, 1)));
}

static void
encode(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply, struct adapter_answer *ret)
{
	if (event->elsewhere)
		ret->out = adapter_cursor_answer(a, reply);
	else if (event->decides)
		ret->out = permission(a, reply);
	else if (event->meaning == ADAPTER_RESULT)
		add_note(a, reply, ret);
}

static const struct adapter_codec codec = {
	.decode = decode,
	.decode_input = decode_input,
	.encode = encode,
	.event_member = "hook_event_name",
	.input_member = "tool_input",
	.call_members = call_members,
};

const struct adapter_agent adapter_cursor = {
	.name = "cursor",
	.title = "Cursor",
	.aliases = aliases,
	.events = events,
	.event_count = ARRAY_LEN(events),
	.processes = processes,
	.process_count = ARRAY_LEN(processes),
	.unit = ADAPTER_SECONDS,
	.own_prompt = true,
	.codec = &codec,
};
