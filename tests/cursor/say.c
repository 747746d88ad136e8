#include "tests/cursor/say.h"

#define INIT(type, name)        \
	Proxy__Cursor__##type name; \
	proxy__cursor__##name##__init(&name)

static ProtobufCBinaryData
data(const char *c)
{
	return proxy_data(str_from(c ? c : ""));
}

static struct str
print(const ProtobufCMessage *m, struct buf *out)
{
	buf_clear(out);
	proxy_message_print(m, out);
	return buf_str(out);
}

/* --- the client -------------------------------------------------------------------- */

struct context {
	Proxy__Cursor__RequestContext c;
	Proxy__Cursor__RequestContextEnv env;
	Proxy__Cursor__Instructions lists[3];
	ProtobufCBinaryData root, texts[6];
	Proxy__Cursor__PartReferences parts;
};

static void
set_list(struct context *x, size_t i, const char *allow, const char *block)
{
	Proxy__Cursor__Instructions *l = &x->lists[i];

	proxy__cursor__instructions__init(l);
	x->texts[2 * i] = data(allow);
	x->texts[2 * i + 1] = data(block);
	l->allow_instructions = &x->texts[2 * i];
	l->n_allow_instructions = allow ? 1 : 0;
	l->block_instructions = &x->texts[2 * i + 1];
	l->n_block_instructions = block ? 1 : 0;
}

static void
make_context(struct context *x, const struct say_context *c)
{
	proxy__cursor__request_context__init(&x->c);
	proxy__cursor__request_context_env__init(&x->env);
	proxy__cursor__part_references__init(&x->parts);
	set_list(x, 0, c->allow, c->block);
	set_list(x, 1, c->project_allow, c->project_block);
	set_list(x, 2, NULL, c->admin_block);
	x->c.env = &x->env;
	x->c.user_permissions_auto_run = &x->lists[0];
	x->c.project_permissions_auto_run = &x->lists[1];
	x->c.admin_permissions_auto_run = &x->lists[2];
	x->root = data(c->root ? c->root : "/proj");
	x->env.workspace_paths = &x->root;
	x->env.n_workspace_paths = 1;
	x->env.has_sandbox_enabled = x->env.sandbox_enabled = c->sandbox;
	x->env.has_smart_mode_classifier_auto_mode_enabled = true;
	x->env.smart_mode_classifier_auto_mode_enabled = !c->off;
	x->parts.has_mcps_blob_id = c->mcps_blob != NULL;
	x->parts.mcps_blob_id = data(c->mcps_blob);
	x->parts.dynamic_context = &x->c;
}

struct action {
	struct context x;
	Proxy__Cursor__UserMessage said;
	Proxy__Cursor__UserMessageAction message;
	Proxy__Cursor__ConversationAction action;
};

static void
make_message(struct action *a, const char *text, const struct say_context *c)
{
	static const struct say_context plain;

	proxy__cursor__user_message__init(&a->said);
	proxy__cursor__user_message_action__init(&a->message);
	proxy__cursor__conversation_action__init(&a->action);
	make_context(&a->x, c ? c : &plain);
	a->said.has_text = true;
	a->said.text = data(text);
	a->message.user_message = &a->said;
	a->action.user_message_action = &a->message;
	if (c && c->parts)
		a->action.request_context_parts = &a->x.parts;
	else if (!c || !c->none)
		a->message.request_context = &a->x.c;
}

struct str
say_run(struct buf *out, const char *talk, const char *model, const char *text,
	const struct say_context *c)
{
	struct action a;
	INIT(ModelDetails, model_details);
	INIT(RunRequest, run_request);
	INIT(ClientMessage, client_message);

	make_message(&a, text, c);
	model_details.has_model_id = true;
	model_details.model_id = data(model);
	run_request.action = &a.action;
	run_request.requested_model = &model_details;
	run_request.has_conversation_id = true;
	run_request.conversation_id = data(talk);
	client_message.run_request = &run_request;
	return print(&client_message.base, out);
}

struct str
say_message(struct buf *out, const char *text, const struct say_context *c)
{
	struct action a;
	INIT(ClientMessage, client_message);

	make_message(&a, text, c);
	client_message.conversation_action = &a.action;
	return print(&client_message.base, out);
}

struct str
say_resume(struct buf *out, const char *talk, const char *model)
{
	INIT(ResumeAction, resume_action);
	INIT(ConversationAction, conversation_action);
	INIT(ModelDetails, model_details);
	INIT(RunRequest, run_request);
	INIT(ClientMessage, client_message);

	model_details.has_model_id = true;
	model_details.model_id = data(model);
	conversation_action.resume_action = &resume_action;
	run_request.action = &conversation_action;
	run_request.requested_model = &model_details;
	run_request.has_conversation_id = true;
	run_request.conversation_id = data(talk);
	client_message.run_request = &run_request;
	return print(&client_message.base, out);
}

struct str
say_cancel(struct buf *out)
{
	INIT(ConversationAction, conversation_action);
	INIT(ClientMessage, client_message);

	conversation_action.has_cancel_action = true;
	client_message.conversation_action = &conversation_action;
	return print(&client_message.base, out);
}

struct str
say_heartbeat(struct buf *out)
{
	buf_clear(out);
	proxy_field_add_bytes(out, 7, STR(""));
	return buf_str(out);
}

struct str
say_context_result(struct buf *out, uint32_t id, const struct say_context *c)
{
	struct context x;
	INIT(RequestContextSuccess, request_context_success);
	INIT(RequestContextResult, request_context_result);
	INIT(ExecClientMessage, exec_client_message);
	INIT(ClientMessage, client_message);

	make_context(&x, c);
	request_context_success.request_context = &x.c;
	request_context_result.success = &request_context_success;
	exec_client_message.has_id = true;
	exec_client_message.id = id;
	exec_client_message.request_context_result = &request_context_result;
	client_message.exec_client_message = &exec_client_message;
	return print(&client_message.base, out);
}

struct str
say_blob_result(struct buf *out, uint32_t id, struct str blob)
{
	INIT(BlobResult, blob_result);
	INIT(KvClientMessage, kv_client_message);
	INIT(ClientMessage, client_message);

	blob_result.has_blob_data = true;
	blob_result.blob_data = proxy_data(blob);
	kv_client_message.has_id = true;
	kv_client_message.id = id;
	kv_client_message.get_blob_result = &blob_result;
	client_message.kv_client_message = &kv_client_message;
	return print(&client_message.base, out);
}

struct str
say_shell_result(struct buf *out, uint32_t id, const char *reason)
{
	INIT(ShellRejected, shell_rejected);
	INIT(ShellStream, shell_stream);
	INIT(ExecClientMessage, exec_client_message);
	INIT(ClientMessage, client_message);

	shell_rejected.has_reason = true;
	shell_rejected.reason = data(reason);
	if (reason)
		shell_stream.rejected = &shell_rejected;
	shell_stream.has_exit = !reason;
	exec_client_message.has_id = true;
	exec_client_message.id = id;
	exec_client_message.shell_stream = &shell_stream;
	client_message.exec_client_message = &exec_client_message;
	return print(&client_message.base, out);
}

struct str
say_fetch_response(struct buf *out, uint32_t id, const char *reason)
{
	INIT(Rejected, rejected);
	INIT(FetchResponse, fetch_response);
	INIT(InteractionResponse, interaction_response);
	INIT(ClientMessage, client_message);

	rejected.has_reason = true;
	rejected.reason = data(reason);
	fetch_response.has_approved = !reason;
	if (reason)
		fetch_response.rejected = &rejected;
	interaction_response.has_id = true;
	interaction_response.id = id;
	interaction_response.web_fetch_request_response = &fetch_response;
	client_message.interaction_response = &interaction_response;
	return print(&client_message.base, out);
}

/* --- the server ---------------------------------------------------------------------- */

/* An exec (2) or a query (7) around the arguments. */
static struct str
wrap(struct buf *out, uint32_t outer, uint32_t id, uint32_t member,
	struct str args)
{
	CLEANUP(buf_done) struct buf inner;

	buf_init(&inner, 64 << 20);
	proxy_field_add_varint(&inner, 1, id);
	if (outer == 2)
		proxy_field_add_bytes(&inner, 15, STR("exec-id"));
	proxy_field_add_bytes(&inner, member, args);
	buf_clear(out);
	proxy_field_add_bytes(out, outer, buf_str(&inner));
	return buf_str(out);
}

struct str
say_shell_with(struct buf *out, uint32_t id, const char *call_id,
	const char *command, const struct say_shell_more *more)
{
	CLEANUP(buf_done) struct buf args;
	INIT(SandboxPolicy, sandbox_policy);
	INIT(SmartModeApproval, smart_mode_approval);
	INIT(ShellArgs, shell_args);

	buf_init(&args, 64 << 20);
	shell_args.has_command = shell_args.has_tool_call_id = true;
	shell_args.has_working_directory = true;
	shell_args.command = data(command);
	shell_args.working_directory = data(more->cwd ? more->cwd : "/proj");
	shell_args.tool_call_id = data(call_id);
	shell_args.has_skip_approval = shell_args.skip_approval = more->skip;
	shell_args.has_hook_approval_requirement = more->hook;
	sandbox_policy.has_network_access = true;
	sandbox_policy.network_access = true;
	if (more->network)
		shell_args.requested_sandbox_policy = &sandbox_policy;
	smart_mode_approval.has_reason = true;
	smart_mode_approval.reason = data(more->card);
	if (more->card)
		shell_args.smart_mode_approval = &smart_mode_approval;
	return wrap(out, 2, id, more->member ? more->member : 14,
		print(&shell_args.base, &args));
}

struct str
say_shell(
	struct buf *out, uint32_t id, const char *call_id, const char *command)
{
	static const struct say_shell_more plain;

	return say_shell_with(out, id, call_id, command, &plain);
}

struct str
say_mcp(struct buf *out, uint32_t id, const char *call_id, const char *server,
	const char *tool)
{
	static const struct str value = {"\x1a\x05hello", 7}; /* a text */
	CLEANUP(buf_done) struct buf args, entry;

	buf_init(&args, 64 << 20);
	buf_init(&entry, 4096);
	proxy_field_add_bytes(&entry, 1, STR("text"));
	proxy_field_add_bytes(&entry, 2, value);
	proxy_field_add_bytes(&args, 2, buf_str(&entry));
	proxy_field_add_bytes(&args, 3, str_from(call_id));
	proxy_field_add_bytes(&args, 5, str_from(tool));
	proxy_field_add_bytes(&args, 9, str_from(server));
	return wrap(out, 2, id, 11, buf_str(&args));
}

struct str
say_fetch(struct buf *out, uint32_t id, const char *call_id, const char *url)
{
	CLEANUP(buf_done) struct buf args;
	INIT(WebFetchArgs, web_fetch_args);
	INIT(WebFetchQuery, web_fetch_query);

	buf_init(&args, 64 << 20);
	web_fetch_args.has_url = web_fetch_args.has_tool_call_id = true;
	web_fetch_args.url = data(url);
	web_fetch_args.tool_call_id = data(call_id);
	web_fetch_query.args = &web_fetch_args;
	return wrap(out, 7, id, 9, print(&web_fetch_query.base, &args));
}

struct str
say_other(struct buf *out, uint32_t id, uint32_t member)
{
	return wrap(out, 2, id, member, STR("\x0a\x01x"));
}

static struct str
say_update(struct buf *out, uint32_t member, struct str inner)
{
	CLEANUP(buf_done) struct buf update;

	buf_init(&update, 1 << 20);
	proxy_field_add_bytes(&update, member, inner);
	buf_clear(out);
	proxy_field_add_bytes(out, 1, buf_str(&update));
	return buf_str(out);
}

struct str
say_text(struct buf *out, const char *text)
{
	CLEANUP(buf_done) struct buf delta;

	buf_init(&delta, 1 << 20);
	proxy_field_add_bytes(&delta, 1, str_from(text));
	return say_update(out, 1, buf_str(&delta));
}

struct str
say_tool_started(struct buf *out)
{
	return say_update(out, 2, STR(""));
}

struct str
say_partial(struct buf *out, const char *call_id, const char *json)
{
	CLEANUP(buf_done) struct buf partial;

	buf_init(&partial, 1 << 20);
	proxy_field_add_bytes(&partial, 1, str_from(call_id));
	proxy_field_add_bytes(&partial, 3, str_from(json));
	return say_update(out, 7, buf_str(&partial));
}

struct str
say_abort(struct buf *out, uint32_t id)
{
	CLEANUP(buf_done) struct buf abort, control;

	buf_init(&abort, 64);
	buf_init(&control, 64);
	proxy_field_add_varint(&abort, 1, id);
	proxy_field_add_bytes(&control, 1, buf_str(&abort));
	buf_clear(out);
	proxy_field_add_bytes(out, 5, buf_str(&control));
	return buf_str(out);
}

struct str
say_get_blob(struct buf *out, uint32_t id, const char *blob_id)
{
	CLEANUP(buf_done) struct buf args, kv;

	buf_init(&args, 1 << 20);
	buf_init(&kv, 1 << 20);
	proxy_field_add_bytes(&args, 1, str_from(blob_id));
	proxy_field_add_varint(&kv, 1, id);
	proxy_field_add_bytes(&kv, 2, buf_str(&args));
	buf_clear(out);
	proxy_field_add_bytes(out, 4, buf_str(&kv));
	return buf_str(out);
}

struct str
say_beat(struct buf *out)
{
	return say_update(out, 13, STR(""));
}

struct str
say_turn_ended(struct buf *out)
{
	return say_update(out, 14, STR(""));
}

struct str
say_context_query(struct buf *out, uint32_t id)
{
	return wrap(out, 2, id, 10, STR(""));
}

struct str
say_exec(struct buf *out, uint32_t id, uint32_t member, struct str args)
{
	return wrap(out, 2, id, member, args);
}
