#include "proxy/cursor_read.h"

#include <stdlib.h>

enum {
	ARGUMENTS_BYTES = 16 << 20,
	SANDBOX_NONE = 1, /* a policy's type */
};

/* Members of the stream's message, of which one only is there. */
enum {
	MEMBER_UPDATE = 1,
	MEMBER_EXEC = 2,
	MEMBER_CHECKPOINT = 3,
	MEMBER_KV = 4,
	MEMBER_CONTROL = 5,
	MEMBER_QUERY = 7,
	FIELD_ID = 1,
	FIELD_EXEC_ID = 15,
};

#define TYPE(name) &proxy__cursor__##name##__descriptor
#define EXEC(name, number, kind, refusal, skip, card, type) \
	{                                                       \
		name, MEMBER_EXEC, number, PROXY_ACTION_##kind,     \
			PROXY_REFUSAL_##refusal, skip, card, type       \
	}
#define QUERY(name, number, kind, refusal, skip, card, type) \
	{                                                        \
		name, MEMBER_QUERY, number, PROXY_ACTION_##kind,     \
			PROXY_REFUSAL_##refusal, skip, card, type        \
	}

/* What executes something. All else, known or not, passes. */
/* clang-format off */
static const struct proxy_action_row rows[] = {
	EXEC("shell",                  2,  SHELL,      SHELL,        12, 19, TYPE(shell_args)),
	EXEC("shell_stream",           14, SHELL,      SHELL_STREAM, 12, 19, TYPE(shell_args)),
	EXEC("mini_swe_agent_bash",    52, SHELL,      SHELL_MINI,   12, 19, TYPE(shell_args)),
	EXEC("background_shell_spawn", 16, SHELL,      SPAWN,        12, 10, TYPE(background_shell_spawn_args)),
	EXEC("mcp",                    11, MCP,        MCP,          8,  6,  TYPE(mcp_args)),
	EXEC("read_mcp_resource",      18, RESOURCE,   RESOURCE,     0,  5,  TYPE(read_mcp_resource_args)),
	QUERY("web_fetch",             9,  FETCH,      FETCH,        2,  3,  TYPE(web_fetch_query)),
	EXEC("fetch",                  20, UNREVIEWED, THROW,        0,  0,  NULL),
	EXEC("record_screen",          21, UNREVIEWED, THROW,        0,  0,  NULL),
	EXEC("computer_use",           22, UNREVIEWED, THROW,        0,  0,  NULL),
	EXEC("write_shell_stdin",      23, UNREVIEWED, THROW,        0,  0,  NULL),
	EXEC("execute_hook",           27, UNREVIEWED, THROW,        0,  0,  NULL),
	EXEC("pi_bash",                46, UNREVIEWED, THROW,        0,  0,  NULL),
};
/* clang-format on */

/* --- the stream's message ------------------------------------------------------------ */

static enum proxy_server_kind
kind_of(uint32_t number)
{
	switch (number) {
	case MEMBER_UPDATE:
		return PROXY_SERVER_UPDATE;
	case MEMBER_EXEC:
		return PROXY_SERVER_EXEC;
	case MEMBER_KV:
		return PROXY_SERVER_KV;
	case MEMBER_CONTROL:
		return PROXY_SERVER_CONTROL;
	case MEMBER_QUERY:
		return PROXY_SERVER_QUERY;
	default:
		return PROXY_SERVER_OTHER;
	}
}

/* Of two members the client takes one, or joins them: nobody says which. */
enum proxy_server_kind
proxy_server_read(struct str payload, struct str *inner)
{
	enum proxy_server_kind kind = PROXY_SERVER_OTHER;
	struct proxy_field f;
	bool broken = false, executes = false;
	size_t at = 0, members = 0;

	*inner = (struct str){0};
	while (proxy_field_next(payload, &at, &f, &broken)) {
		if (kind_of(f.number) == PROXY_SERVER_OTHER
			&& f.number != MEMBER_CHECKPOINT)
			continue;
		executes =
			executes || f.number == MEMBER_EXEC || f.number == MEMBER_QUERY;
		members++;
		kind = kind_of(f.number);
		*inner = f.bytes;
		broken = broken || f.wire != PROXY_WIRE_BYTES;
	}
	return broken || (executes && members > 1) ? PROXY_SERVER_BROKEN : kind;
}

/* --- reading an action ---------------------------------------------------------------- */

static const struct proxy_action_row *
find_row(uint32_t outer, uint32_t number)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].outer == outer && rows[i].number == number)
			return &rows[i];
	}
	return NULL;
}

/* Fields of an exec that are not its one member. */
static bool
is_beside(uint32_t outer, uint32_t number)
{
	static const uint32_t beside[] = {FIELD_ID, FIELD_EXEC_ID, 19, 55, 57};

	if (outer == MEMBER_QUERY)
		return number == FIELD_ID;
	for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
		if (beside[i] == number)
			return true;
	}
	return false;
}

/* The row of the only member, with id and exec_id. */
static enum proxy_action_kind
read_outer(struct str inner, uint32_t outer, struct proxy_action *a)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0, members = 0, ids = 0;

	while (proxy_field_next(inner, &at, &f, &broken)) {
		if (f.number == FIELD_ID && f.wire == PROXY_WIRE_VARINT) {
			a->id = (uint32_t)f.value;
			ids++;
		} else if (outer == MEMBER_EXEC && f.number == FIELD_EXEC_ID) {
			buf_clear(&a->ids);
			buf_add(&a->ids, f.bytes);
		} else if (!is_beside(outer, f.number)) {
			members++;
			a->row = find_row(outer, f.number);
		}
	}
	a->exec_id = buf_str(&a->ids);
	if (broken || ids > 1)
		return PROXY_ACTION_BROKEN;
	/* several members, none of which executes, are the client's affair */
	if (members > 1) {
		at = 0;
		while (proxy_field_next(inner, &at, &f, &broken)) {
			if (find_row(outer, f.number))
				return PROXY_ACTION_BROKEN;
		}
		return PROXY_ACTION_NONE;
	}
	return a->row ? a->row->kind : PROXY_ACTION_NONE;
}

static void
set_approval(struct proxy_action *a, bool skip,
	const Proxy__Cursor__SmartModeApproval *card, bool hook)
{
	if (card && (card->request_id.len > 0 || card->reason.len > 0)) {
		a->unchanged = PROXY_UNCHANGED_ASKED;
		a->asked_reason = proxy_text(card->reason);
	}
	if (hook)
		a->unchanged = PROXY_UNCHANGED_ASKED;
	/* it wins over a card, so it must be what is looked at */
	if (skip)
		a->unchanged = PROXY_UNCHANGED_APPROVED;
}

static bool
asks_no_way_out(const Proxy__Cursor__SandboxPolicy *p)
{
	return !p || (p->type != SANDBOX_NONE && !p->network_access);
}

static void
read_shell(struct proxy_action *a)
{
	const Proxy__Cursor__ShellArgs *s = (const void *)a->message;

	a->command = proxy_text(s->command);
	a->cwd = proxy_text(s->working_directory);
	a->call_id = proxy_text(s->tool_call_id);
	a->description = proxy_text(s->description);
	a->sandboxable = asks_no_way_out(s->requested_sandbox_policy);
	set_approval(a, s->skip_approval, s->smart_mode_approval,
		s->has_hook_approval_requirement);
}

static void
read_spawn(struct proxy_action *a)
{
	const Proxy__Cursor__BackgroundShellSpawnArgs *s = (const void *)a->message;

	a->command = proxy_text(s->command);
	a->cwd = proxy_text(s->working_directory);
	a->call_id = proxy_text(s->tool_call_id);
	a->description = proxy_text(s->description);
	a->sandboxable = asks_no_way_out(s->sandbox_policy);
	set_approval(a, s->skip_approval, s->smart_mode_approval,
		s->has_hook_approval_requirement);
}

/* Arguments as one JSON object. A value that cannot be said in JSON leaves none:
 * then the call is not whole, and nobody judges it. */
static void
print_arguments(struct proxy_action *a, const Proxy__Cursor__McpArgs *m)
{
	struct buf *out = &a->arguments;

	buf_init(out, ARGUMENTS_BYTES);
	buf_add_char(out, '{');
	for (size_t i = 0; i < m->n_args; i++) {
		if (i > 0)
			buf_add_char(out, ',');
		buf_add_json(out, proxy_text(m->args[i]->key));
		buf_add_char(out, ':');
		if (!proxy_field_print_value(out, proxy_text(m->args[i]->value))) {
			buf_clear(out);
			return;
		}
	}
	buf_add_char(out, '}');
	if (out->full)
		buf_clear(out);
}

static void
read_mcp(struct proxy_action *a)
{
	const Proxy__Cursor__McpArgs *m = (const void *)a->message;

	a->server =
		proxy_text(m->server_identifier.len > 0 ? m->server_identifier
												: m->provider_identifier);
	a->tool = proxy_text(m->tool_name.len > 0 ? m->tool_name : m->name);
	a->call_id = proxy_text(m->tool_call_id);
	print_arguments(a, m);
	set_approval(a, m->skip_approval, m->smart_mode_approval, false);
	if (m->smart_mode_approval_only)
		a->unchanged = PROXY_UNCHANGED_PREFLIGHT;
}

static void
read_resource(struct proxy_action *a)
{
	const Proxy__Cursor__ReadMcpResourceArgs *m = (const void *)a->message;

	a->server = proxy_text(m->server);
	a->uri = proxy_text(m->uri);
	a->target = proxy_text(m->download_path);
	a->call_id = proxy_text(m->tool_call_id);
	set_approval(a, false, m->smart_mode_approval, false);
}

static void
read_fetch(struct proxy_action *a)
{
	const Proxy__Cursor__WebFetchQuery *m = (const void *)a->message;

	if (m->args) {
		a->url = proxy_text(m->args->url);
		a->call_id = proxy_text(m->args->tool_call_id);
	}
	set_approval(a, m->skip_approval, m->smart_mode_approval, false);
}

static bool
read_arguments(struct proxy_action *a, struct str args)
{
	if (!a->row->type)
		return true;
	a->message = protobuf_c_message_unpack(
		a->row->type, NULL, args.len, proxy_data(args).data);
	if (!a->message)
		return false;
	switch (a->row->kind) {
	case PROXY_ACTION_SHELL:
		if (a->row->refusal == PROXY_REFUSAL_SPAWN)
			read_spawn(a);
		else
			read_shell(a);
		return true;
	case PROXY_ACTION_MCP:
		read_mcp(a);
		return true;
	case PROXY_ACTION_RESOURCE:
		read_resource(a);
		return true;
	case PROXY_ACTION_FETCH:
		read_fetch(a);
		return true;
	case PROXY_ACTION_UNREVIEWED:
	case PROXY_ACTION_NONE:
	case PROXY_ACTION_BROKEN:
		break;
	}
	return false;
}

/* A field that stands there twice may be read as the other one. */
static bool
says_all_once(const ProtobufCMessageDescriptor *type, struct str args)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0;
	uint64_t seen = 0;

	while (type && proxy_field_next(args, &at, &f, &broken)) {
		const ProtobufCFieldDescriptor *known =
			protobuf_c_message_descriptor_get_field(type, f.number);
		uint64_t bit = f.number < 64 ? (uint64_t)1 << f.number : 0;

		if (!known || known->label == PROTOBUF_C_LABEL_REPEATED)
			continue;
		if ((seen & bit) != 0)
			return false;
		seen |= bit;
	}
	return !broken;
}

enum proxy_action_kind
proxy_action_read(
	struct str payload, enum proxy_server_kind kind, struct proxy_action *ret)
{
	uint32_t outer = kind == PROXY_SERVER_EXEC ? MEMBER_EXEC : MEMBER_QUERY;
	struct proxy_field f;
	struct str args;
	enum proxy_action_kind action;

	*ret = (struct proxy_action){0};
	buf_init(&ret->ids, payload.len + 1);
	if (proxy_field_find(payload, outer, &f) != 1)
		return PROXY_ACTION_BROKEN;
	action = read_outer(f.bytes, outer, ret);
	if (action == PROXY_ACTION_NONE || action == PROXY_ACTION_BROKEN)
		return action;
	const uint32_t numbers[] = {outer, ret->row->number};

	if (!proxy_field_reach(payload, (struct proxy_path){numbers, 2}, &args)
		|| !says_all_once(ret->row->type, args) || !read_arguments(ret, args))
		return PROXY_ACTION_BROKEN;
	return action;
}

void
proxy_action_done(struct proxy_action *a)
{
	if (a->message)
		protobuf_c_message_free_unpacked(a->message, NULL);
	buf_done(&a->arguments);
	buf_done(&a->ids);
	*a = (struct proxy_action){0};
}

/* --- what is done with it ---------------------------------------------------------------- */

static void
append(const struct proxy_action *a, struct str payload, struct str more,
	struct buf *out)
{
	const uint32_t numbers[] = {a->row->outer, a->row->number};

	proxy_field_append(out, payload, (struct proxy_path){numbers, 2}, more);
}

bool
proxy_action_allow(
	const struct proxy_action *a, struct str payload, struct buf *out)
{
	CLEANUP(buf_done) struct buf more = {0};

	if (a->row->skip == 0)
		return false;
	buf_init(&more, 64);
	proxy_field_add_varint(&more, a->row->skip, 1);
	append(a, payload, buf_str(&more), out);
	return true;
}

bool
proxy_action_ask(const struct proxy_action *a, struct str payload,
	struct str reason, struct buf *out)
{
	enum { REQUEST_ID = 1, REASON = 2 };
	CLEANUP(buf_done) struct buf card = {0};
	CLEANUP(buf_done) struct buf more = {0};

	if (a->row->card == 0)
		return false;
	buf_init(&card, SIZE_MAX / 4);
	buf_init(&more, SIZE_MAX / 4);
	proxy_field_add_bytes(
		&card, REQUEST_ID, a->call_id.len > 0 ? a->call_id : STR("assent"));
	proxy_field_add_bytes(&card, REASON, reason);
	proxy_field_add_bytes(&more, a->row->card, buf_str(&card));
	append(a, payload, buf_str(&more), out);
	return true;
}

void
proxy_message_print(const ProtobufCMessage *m, struct buf *out)
{
	size_t n = protobuf_c_message_get_packed_size(m);
	uint8_t *bytes = n > 0 ? calloc(1, n) : NULL;

	if (!bytes) {
		out->full = out->full || n > 0;
		return;
	}
	(void)protobuf_c_message_pack(m, bytes);
	buf_add(out, (struct str){(const char *)bytes, n});
	free(bytes);
}
