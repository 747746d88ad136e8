#include "adapter/cursor.h"
#include "wire/json.h"

/* --- what is asked ----------------------------------------------------------- */

/* Kinds of an action, and the tool as people know it. */
static const struct kind {
	const char *name;
	enum call_tool tool;
	const char *tool_name;
} kinds[] = {
	{"shell",        CALL_TOOL_SHELL, "Shell"          },
	{"web_fetch",    CALL_TOOL_FETCH, "WebFetch"       },
	{"mcp",          CALL_TOOL_MCP,   NULL             },
	{"mcp_resource", CALL_TOOL_MCP,   "ReadMcpResource"},
	{"other",        CALL_TOOL_OTHER, NULL             },
};

static const struct kind *
find_kind(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (str_eq(name, str_from(kinds[i].name)))
			return &kinds[i];
	}
	return NULL;
}

static bool
is_absolute(struct str path)
{
	return path.len > 0 && path.ptr[0] == '/';
}

/* What the user told the client cannot be shown whole: nobody judges by a part
 * of it, a person is asked. */
static void
set_too_large(struct call *c)
{
	c->malformed = true;
	c->malformed_why = STR("the user's instructions are too large to show");
}

/* All texts of a list, or none: a part of it may say the opposite. */
static size_t
read_list(struct adapter_reader *r, const json_t *of, const char *name,
	struct adapter_message *m, struct str *to)
{
	const json_t *list = wire_json_get(of, name);
	size_t n = json_array_size(list);

	if (list && !json_is_array(list))
		adapter_bad(r, name, "is no list");
	if (n > ADAPTER_LIST_MAX) {
		set_too_large(&m->call);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *text = json_array_get(list, i);

		if (!json_is_string(text))
			adapter_bad(r, name, "holds what is no text");
		to[i] = adapter_keep(r, wire_json_text(text));
	}
	return n;
}

static void
read_said(
	struct adapter_reader *r, const json_t *list, struct adapter_message *m)
{
	size_t n = json_array_size(list);
	size_t from = n > ADAPTER_TALK_MAX ? n - ADAPTER_TALK_MAX : 0;

	for (size_t i = from; i < n; i++) {
		const json_t *one = json_array_get(list, i);
		struct adapter_line *to = &m->talk[m->talk_count];

		to->text = adapter_text(r, one, "text", true);
		to->from_user = str_eq(wire_json_str(one, "role"), STR("user"));
		if (to->text.ptr)
			m->talk_count++;
	}
}

/* What the client says of the call: it is sent on unchanged, whatever is decided
 * short of a refusal. */
static void
read_unchanged(struct adapter_reader *r, const json_t *top, struct call *c)
{
	struct str why = wire_json_str(top, "unchanged");

	if (!why.ptr)
		return;
	c->asked = str_eq(why, STR("asked"));
	c->contained =
		str_eq(why, STR("contained")) || str_eq(why, STR("approved"));
	c->asked_reason = adapter_text(r, top, "asked_reason", false);
	if (!c->asked && !c->contained)
		adapter_bad(r, "unchanged", "is asked, contained or approved");
}

static void
set_tool(
	struct adapter_reader *r, const json_t *action, struct adapter_message *m)
{
	struct call *c = &m->call;
	struct str name = wire_json_str(action, "kind");
	const struct kind *kind = find_kind(name);
	struct str cwd = wire_json_str(action, "working_directory");

	c->tool = kind ? kind->tool : CALL_TOOL_OTHER;
	c->tool_name = kind && kind->tool_name ? str_from(kind->tool_name)
		: c->tool == CALL_TOOL_MCP ? adapter_text(r, action, "tool", true)
								   : adapter_text(r, action, "name", true);
	if (!kind)
		adapter_bad(r, "kind", "is none that is known");
	if (is_absolute(cwd))
		c->cwd = adapter_keep(r, cwd);
	else if (cwd.len == 0 && m->root_count > 0)
		c->cwd = m->roots[0];
	if (c->tool == CALL_TOOL_MCP) {
		m->mcp_description = adapter_text(r, action, "description", false);
		m->mcp_annotations = adapter_text(r, action, "annotations", false);
	}
}

static void
read_outcome(
	struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	m->outcome = adapter_text(r, top, "outcome", true);
	m->error = adapter_text(r, top, "reason", false);
	m->call.tool_name = adapter_text(r, top, "tool", false);
}

void
adapter_cursor_decode(
	struct adapter_reader *r, const json_t *top, struct adapter_message *m)
{
	const json_t *told = wire_json_object(top, "instructions");
	struct call *c = &m->call;

	c->session = adapter_text(r, top, "session", false);
	c->turn = adapter_text(r, top, "turn", false);
	c->id = adapter_text(r, top, "call_id", false);
	if (m->meaning == ADAPTER_OUTCOME) {
		read_outcome(r, top, m);
		return;
	}
	c->review = true;
	m->run_model = adapter_text(r, top, "model", false);
	m->root_count = read_list(r, top, "workspace_paths", m, m->roots);
	m->allow_count = read_list(r, told, "allow", m, m->allows);
	m->block_count = read_list(r, told, "block", m, m->blocks);
	read_said(r, wire_json_array(top, "conversation"), m);
	read_unchanged(r, top, c);
	m->left_ms = wire_json_int(top, "deadline_ms", 0);
	if (wire_json_bool(top, "too_large"))
		set_too_large(c);
	set_tool(r, wire_json_object(top, "action"), m);
}

void
adapter_cursor_input(
	struct adapter_reader *r, const json_t *input, struct call *call)
{
	switch (call->tool) {
	case CALL_TOOL_SHELL:
		call->command = adapter_text(r, input, "command", true);
		call->description = adapter_text(r, input, "description", false);
		break;
	case CALL_TOOL_FETCH:
		call->url = adapter_text(r, input, "url", true);
		break;
	case CALL_TOOL_MCP:
		call->server = adapter_text(r, input, "server", false);
		call->mcp_tool = call->tool_name;
		if (!str_eq(wire_json_str(input, "kind"), STR("mcp_resource"))
			&& !wire_json_object(input, "arguments"))
			adapter_bad(r, "arguments", "are not an object");
		break;
	case CALL_TOOL_NONE:
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
	case CALL_TOOL_WEB_SEARCH:
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
	case CALL_TOOL_COUNT:
		break;
	}
}

/* --- what is answered ---------------------------------------------------------- */

struct str
adapter_cursor_answer(struct arena *a, const struct adapter_reply *reply)
{
	bool known = reply->verdict == CALL_VERDICT_ALLOW
		|| reply->verdict == CALL_VERDICT_ASK;
	struct adapter_pair pairs[] = {
		{"decision", STR("deny"),											 false},
		{"by",       str_from(call_by_name(reply->by)),                       false},
		{"reason",
         reply->reason.len > 0 ? reply->reason : STR("this was not allowed"),
         false																	 },
	};

	if (known)
		pairs[0].text = str_from(call_verdict_name(reply->verdict));
	return arena_fmt(
		a, "%.*s\n", STR_ARG(adapter_object(a, pairs, ARRAY_LEN(pairs))));
}
