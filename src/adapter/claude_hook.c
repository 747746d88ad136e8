/*
 * Claude Code's hooks, as versions 2.1.240 to 2.1.332 speak them. What is not
 * obvious was measured with the real program; docs/agents/claude-code.md has
 * the findings.
 */

#include <string.h>

#include "adapter/adapter_priv.h"
#include "adapter/transcript.h"
#include "wire/json.h"

/* --- rows ------------------------------------------------------------------ */

#define UNREACHED                                                   \
	"assent: no answer from assent's daemon, so this call was not " \
	"allowed and nothing ran. Ask the user to run: assent doctor"
#define REFUSED_APPROVAL                                         \
	"{\"hookSpecificOutput\":{\"hookEventName\":"                \
	"\"PermissionRequest\",\"decision\":{\"behavior\":\"deny\"," \
	"\"message\":\"" UNREACHED "\"}}}\n"

#define ROW(event, what, ...)                                 \
	{                                                         \
		.name = event, .meaning = ADAPTER_##what, __VA_ARGS__ \
	}

/* The safe answer. Exit 2 needs no clean output to be heeded; but
 * PermissionRequest ignores it and wants JSON. */
#define EXITS  .safe_out = "", .safe_err = UNREACHED "\n", .safe_exit = 2
#define DENIES .safe_out = REFUSED_APPROVAL, .safe_err = ""
#define SILENT .safe_out = "", .safe_err = ""

/* Held for a person: the client answers before the agent gives up on it. */
#define HELD \
	.decides = true, .installed = true, .timeout_s = 600, .deadline_s = 590
#define HEARD .installed = true, .timeout_s = 10, .deadline_s = 5, SILENT
#define KNOWN .timeout_s = 10, .deadline_s = 5, SILENT
#define BRIEF .installed = true, .timeout_s = 5, .deadline_s = 1, SILENT
#define HERE  .note = ADAPTER_NOTE_HERE
#define LATER .note = ADAPTER_NOTE_LATER
#define ASKS  .asks = true

static const struct adapter_event events[] = {
	ROW("PreToolUse", CALL, HELD, EXITS, HERE, ASKS),
	ROW("PermissionRequest", APPROVAL, HELD, DENIES, LATER, ASKS),
	/* a shell command in a skill's text, run as it is loaded: "ask" is "deny" */
	ROW("PreSkillShellCommand", CALL, HELD, EXITS, .since = "2.1.332"),
	ROW("PostToolUse", RESULT, HEARD, HERE),
	ROW("PostToolUseFailure", FAILURE, HEARD, HERE),
	ROW("UserPromptSubmit", PROMPT, HEARD),
	ROW("SessionStart", SESSION_START, HEARD),
	/* all hooks of a session's end share a second and a half */
	ROW("SessionEnd", SESSION_END, BRIEF),
	ROW("SubagentStart", SUBAGENT_START, HEARD),
	ROW("SubagentStop", SUBAGENT_END, HEARD),
	ROW("PostToolBatch", NEUTRAL, KNOWN),
	ROW("PermissionDenied", NEUTRAL, KNOWN),
	ROW("Notification", NEUTRAL, KNOWN),
	ROW("UserPromptExpansion", NEUTRAL, KNOWN),
	ROW("Stop", NEUTRAL, KNOWN),
	ROW("StopFailure", NEUTRAL, KNOWN),
	ROW("PreCompact", NEUTRAL, KNOWN),
	ROW("PostCompact", NEUTRAL, KNOWN),
	ROW("PreModelSwitch", NEUTRAL, KNOWN),
	ROW("PostModelSwitch", NEUTRAL, KNOWN),
	ROW("Setup", NEUTRAL, KNOWN),
	ROW("TeammateIdle", NEUTRAL, KNOWN),
	ROW("TaskCreated", NEUTRAL, KNOWN),
	ROW("TaskCompleted", NEUTRAL, KNOWN),
	ROW("Elicitation", NEUTRAL, KNOWN),
	ROW("ElicitationResult", NEUTRAL, KNOWN),
	ROW("ConfigChange", NEUTRAL, KNOWN),
	ROW("WorktreeCreate", NEUTRAL, KNOWN),
	ROW("WorktreeRemove", NEUTRAL, KNOWN),
	ROW("InstructionsLoaded", NEUTRAL, KNOWN),
	ROW("CwdChanged", NEUTRAL, KNOWN),
	ROW("FileChanged", NEUTRAL, KNOWN),
	ROW("DirectoryAdded", NEUTRAL, KNOWN),
	ROW("MessageDisplay", NEUTRAL, KNOWN),
};

/* The same for tools that ask the person themselves. */
static const struct adapter_event yielding[] = {
	ROW("PreToolUse", CALL, HELD, EXITS, HERE, ASKS, .yields = true),
	ROW("PermissionRequest", APPROVAL, HELD, DENIES, LATER, ASKS,
		.yields = true),
};

static const char *const aliases[] = {"claude", "claude_code", NULL};

/*
 * A program of that name; claude.exe is what npm installs, on Linux too; what
 * the native installer made; any program of the package; up to 2.0 a script of
 * node or bun, by its own path or by the link in PATH; the agent SDK's copy.
 */
static const struct adapter_process_row processes[] = {
	{"claude",     NULL,						 NULL,     NULL                              },
	{"claude.exe", NULL,						 NULL,     NULL                              },
	{NULL,         "/claude/versions/",          NULL,     NULL                              },
	{NULL,         "/@anthropic-ai/claude-code", NULL,     NULL                              },
	{NULL,         NULL,						 "cli.js", "/@anthropic-ai/claude-code/"     },
	{NULL,         NULL,						 "cli.js", "/.claude/local/"                 },
	{"node",       NULL,						 "claude", NULL                              },
	{"bun",        NULL,						 "claude", NULL                              },
	{NULL,         NULL,						 "cli.js", "/@anthropic-ai/claude-agent-sdk/"},
};

static const char *const call_members[] = {
	"tool_name",
	"tool_input",
	"tool_calls",
	"command",
	NULL,
};

/* --- tools ----------------------------------------------------------------- */

/* An argument and where it goes. */
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

struct tool {
	const char *name;
	enum call_tool tool;
	struct field fields[3];
};

/* A tool that is not here is OTHER, judged by all of its arguments. */
#define TOOL(tool_name, kind, ...)                                             \
	{                                                                          \
		.name = tool_name, .tool = CALL_TOOL_##kind, .fields = { __VA_ARGS__ } \
	}

static const struct tool tools[] = {
	TOOL("Bash", SHELL, NEEDED("command", command)),
	TOOL("PowerShell", SHELL, NEEDED("command", command)),
	TOOL("Monitor", SHELL, NEEDED("command", command)),
	TOOL("Read", READ, NEEDED("file_path", path)),
	TOOL("NotebookRead", READ, NEEDED("notebook_path", path)),
	TOOL("Write", WRITE, NEEDED("file_path", path), NEEDED("content", content)),
	TOOL(
		"Edit", EDIT, NEEDED("file_path", path), NEEDED("new_string", content)),
	TOOL("MultiEdit", EDIT, NEEDED("file_path", path)),
	TOOL("NotebookEdit", EDIT, NEEDED("notebook_path", path),
		OPTIONAL("new_source", content)),
	TOOL("Glob", LIST, NEEDED("pattern", pattern), OPTIONAL("path", path)),
	TOOL("LS", LIST, NEEDED("path", path)),
	TOOL("Grep", SEARCH, NEEDED("pattern", pattern), OPTIONAL("path", path)),
	TOOL("WebFetch", FETCH, NEEDED("url", url)),
	TOOL("WebSearch", WEB_SEARCH, NEEDED("query", query)),
	TOOL("Agent", AGENT, {0}),
	TOOL("Task", AGENT, {0}),
};

/*
 * Tools that touch nothing but the agent itself: its list of tasks, what a
 * command that was judged before has printed, which tools and agents there are.
 * yields: they ask the person, and an allow would answer for the person.
 * Not here: Skill (its text may run commands), SendMessage (other sessions).
 */
static const struct inward {
	const char *name;
	bool yields;
} inward_tools[] = {
	{"TodoWrite",       false},
	{"TodoRead",        false},
	{"TaskCreate",      false},
	{"TaskGet",         false},
	{"TaskList",        false},
	{"TaskUpdate",      false},
	{"TaskOutput",      false},
	{"TaskStop",        false},
	{"BashOutput",      false},
	{"AgentOutput",     false},
	{"KillShell",       false},
	{"KillBash",        false},
	{"ToolSearch",      false},
	{"CronList",        false},
	{"ListAgents",      false},
	{"ReportFindings",  false},
	{"AskUserQuestion", true },
	{"EnterPlanMode",   true },
	{"ExitPlanMode",    true },
};

static const struct inward *
find_inward(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(inward_tools); i++) {
		if (str_eq(name, str_from(inward_tools[i].name)))
			return &inward_tools[i];
	}
	return NULL;
}

static const struct tool *
find_tool(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name)))
			return &tools[i];
	}
	return NULL;
}

/* All new texts of a MultiEdit, a line feed between them. Kept texts lie one
 * behind the other, so the NULs between them become the line feeds. */
static void
join_edits(struct adapter_reader *r, const json_t *input, struct call *call)
{
	json_t *edits = wire_json_array(input, "edits"), *edit;
	size_t i;
	char *from = NULL;

	if (json_array_size(edits) == 0)
		adapter_bad(r, "edits", "is missing or not a list");
	json_array_foreach (edits, i, edit) {
		char *at = r->room;
		struct str text = adapter_text(r, edit, "new_string", true);

		if (!text.ptr)
			return;
		if (from)
			at[-1] = '\n';
		else
			from = at;
		call->content = (struct str){from, (size_t)(at - from) + text.len};
	}
}

/* A subagent here is judged call by call; one on another machine is not. */
static bool
stays_here(const json_t *input)
{
	const json_t *isolation = wire_json_get(input, "isolation");

	return !isolation || str_eq(wire_json_text(isolation), STR("worktree"));
}

static void
decode_input(struct adapter_reader *r, const json_t *input, struct call *call)
{
	const struct tool *tool = find_tool(call->tool_name);

	call->inward = call->tool == CALL_TOOL_AGENT
		? stays_here(input)
		: find_inward(call->tool_name) != NULL;
	call->description = wire_json_str(input, "description").ptr
		? adapter_text(r, input, "description", false)
		: (struct str){0};
	if (!tool)
		return;
	for (size_t i = 0; i < ARRAY_LEN(tool->fields); i++) {
		const struct field *f = &tool->fields[i];

		if (f->key)
			*(struct str *)(void *)((char *)call + f->at) =
				adapter_text(r, input, f->key, f->needed);
	}
	if (str_eq(call->tool_name, STR("MultiEdit")))
		join_edits(r, input, call);
	/* its shell reads from /dev/null */
	call->input_closed = call->tool == CALL_TOOL_SHELL;
	if (str_eq(call->tool_name, STR("PowerShell")))
		call->dialect = CALL_DIALECT_POWERSHELL;
}

/* --- the message ----------------------------------------------------------- */

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* True if shown is how the agent writes name inside a tool's name: everything
 * but letters, digits, '-' and '_' has become '_'. */
static bool
is_shown_as(struct str name, struct str shown)
{
	if (name.len != shown.len)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		if (shown.ptr[i] != (is_plain(name.ptr[i]) ? name.ptr[i] : '_'))
			return false;
	}
	return true;
}

/*
 * mcp__SERVER__TOOL. Newer versions name the server beside it; without that, a
 * name with more than one place to cut belongs to no server that a rule could
 * name.
 */
static void
set_mcp(struct adapter_reader *r, const json_t *top, struct call *call)
{
	struct str said = wire_json_str(wire_json_get(top, "mcp_server"), "name");
	struct str rest = str_sub(call->tool_name, 5, call->tool_name.len);
	size_t cut = str_find(rest, STR("__"), 0);
	bool fits = said.len > 0
		&& str_starts(str_sub(rest, said.len, rest.len), STR("__"));

	call->tool = CALL_TOOL_MCP;
	if (fits && is_shown_as(said, str_sub(rest, 0, said.len))) {
		call->server = adapter_keep(r, said);
		call->mcp_tool = str_sub(rest, said.len + 2, rest.len);
	} else if (said.ptr || cut == rest.len
		|| str_find(rest, STR("__"), cut + 1) < rest.len) {
		call->mcp_tool = rest;
	} else {
		call->server = str_sub(rest, 0, cut);
		call->mcp_tool = str_sub(rest, cut + 2, rest.len);
	}
	if (call->mcp_tool.len == 0)
		adapter_bad(r, "tool_name", "names no tool of an MCP server");
}

static void
set_tool(struct adapter_reader *r, const json_t *top, struct call *call)
{
	const struct tool *tool;

	call->tool_name = adapter_text(r, top, "tool_name", true);
	call->id = adapter_text(r, top, "tool_use_id", false);
	tool = find_tool(call->tool_name);
	if (str_starts(call->tool_name, STR("mcp__")))
		set_mcp(r, top, call);
	else
		call->tool = tool ? tool->tool : CALL_TOOL_OTHER;
}

/* The row that yields, for a tool that does. */
static void
set_yielding(struct adapter_message *m)
{
	const struct inward *tool = find_inward(m->call.tool_name);

	for (size_t i = 0; tool && tool->yields && i < ARRAY_LEN(yielding); i++) {
		if (str_eq(m->event_name, str_from(yielding[i].name)))
			m->event = &yielding[i];
	}
}

static bool
is_absolute(struct str path)
{
	return path.len > 0 && path.ptr[0] == '/';
}

/* A subagent's conversation is its own, below the one it was started from. Its
 * type may be defined by a file of the project, also under a built-in name. */
static void
set_session(
	struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	struct call *c = &m->call;

	c->session = adapter_text(r, top, "session_id", false);
	m->subagent = adapter_text(r, top, "agent_id", false);
	c->agent_role = adapter_text(r, top, "agent_type", false);
	c->role_unverified = c->agent_role.ptr != NULL;
	if (m->subagent.ptr && c->session.ptr) {
		c->parent_session = c->session;
		c->session = adapter_join(r, c->session, '/', m->subagent);
	}
}

static void
decode(struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	struct call *c = &m->call;
	struct str cwd = adapter_text(r, top, "cwd", false);
	struct str scratch = wire_json_str(top, "scratchpad_dir");

	set_session(r, top, m);
	c->turn = adapter_text(r, top, "prompt_id", false);
	m->transcript = adapter_text(r, top, "transcript_path", false);
	m->agent_mode = adapter_text(r, top, "permission_mode", false);
	m->run_model = adapter_keep(r, wire_json_str(top, "model"));
	if (is_absolute(cwd))
		c->cwd = cwd;
	if (is_absolute(scratch)) {
		c->scratch[0] = adapter_keep(r, scratch);
		c->scratch_count = 1;
	}
	if (m->meaning == ADAPTER_PROMPT) {
		m->prompt = adapter_text(r, top, "prompt", false);
		m->prompt_injected = adapter_said_is_injected(m->prompt);
	} else if (adapter_is_about_call(m->meaning)) {
		set_tool(r, top, c);
		set_yielding(m);
		m->mcp_source = adapter_text(
			r, wire_json_object(top, "mcp_server"), "source", false);
	}
	if (m->meaning == ADAPTER_FAILURE)
		m->error = adapter_text(r, top, "error", false);
}

static const struct adapter_codec codec = {
	.decode = decode,
	.decode_input = decode_input,
	.encode = adapter_claude_encode,
	.event_member = "hook_event_name",
	.input_member = "tool_input",
	.call_members = call_members,
};

const struct adapter_agent adapter_claude_code = {
	.name = "claude-code",
	.title = "Claude Code",
	.aliases = aliases,
	.events = events,
	.event_count = ARRAY_LEN(events),
	.processes = processes,
	.process_count = ARRAY_LEN(processes),
	.unit = ADAPTER_SECONDS,
	.hold_s_max = 0,
	.own_prompt = true,
	.codec = &codec,
};
