/*
 * A call rejected in the client's place: the message that the client would send
 * if its user had said no.
 */

#include "proxy/cursor_read.h"

/* All that a rejection may consist of; only one member is used. */
struct parts {
	Proxy__Cursor__ShellRejected shell;
	Proxy__Cursor__Rejected plain;
	Proxy__Cursor__ShellStream stream;
	Proxy__Cursor__ShellResult result;
	Proxy__Cursor__SpawnResult spawn;
	Proxy__Cursor__McpResult mcp;
	Proxy__Cursor__ResourceRejected of_resource;
	Proxy__Cursor__ResourceResult resource;
	Proxy__Cursor__FetchResponse fetch;
	Proxy__Cursor__ExecClientMessage exec;
	Proxy__Cursor__InteractionResponse response;
	Proxy__Cursor__ExecClientControl control;
	Proxy__Cursor__Throw thrown;
	Proxy__Cursor__ClientMessage message;
};

static void
init_parts(struct parts *p, const struct proxy_action *a, struct str reason)
{
	proxy__cursor__shell_rejected__init(&p->shell);
	proxy__cursor__rejected__init(&p->plain);
	proxy__cursor__shell_stream__init(&p->stream);
	proxy__cursor__shell_result__init(&p->result);
	proxy__cursor__spawn_result__init(&p->spawn);
	proxy__cursor__mcp_result__init(&p->mcp);
	proxy__cursor__resource_rejected__init(&p->of_resource);
	proxy__cursor__resource_result__init(&p->resource);
	proxy__cursor__fetch_response__init(&p->fetch);
	proxy__cursor__exec_client_message__init(&p->exec);
	proxy__cursor__interaction_response__init(&p->response);
	proxy__cursor__exec_client_control__init(&p->control);
	proxy__cursor__throw__init(&p->thrown);
	proxy__cursor__client_message__init(&p->message);
	p->shell.has_command = p->shell.has_working_directory = true;
	p->shell.has_reason = p->plain.has_reason = true;
	p->shell.command = proxy_data(a->command);
	p->shell.working_directory = proxy_data(a->cwd);
	p->shell.reason = p->plain.reason = proxy_data(reason);
	p->exec.has_id = p->response.has_id = p->thrown.has_id = true;
	p->exec.id = p->response.id = p->thrown.id = a->id;
	p->exec.has_exec_id = a->exec_id.len > 0;
	p->exec.exec_id = proxy_data(a->exec_id);
	p->thrown.has_error = true;
	p->thrown.error = proxy_data(reason);
	p->stream.rejected = &p->shell;
	p->result.rejected = &p->shell;
	p->spawn.rejected = &p->shell;
	p->mcp.rejected = &p->plain;
	p->of_resource.has_uri = p->of_resource.has_reason = true;
	p->of_resource.uri = proxy_data(a->uri);
	p->of_resource.reason = proxy_data(reason);
	p->resource.rejected = &p->of_resource;
	p->fetch.rejected = &p->plain;
	p->response.web_fetch_request_response = &p->fetch;
	p->control.throw_ = &p->thrown;
	p->message.exec_client_message = &p->exec;
}

void
proxy_action_refuse(
	const struct proxy_action *a, struct str reason, struct buf *out)
{
	struct parts p;

	init_parts(&p, a, reason);
	switch (a->row->refusal) {
	case PROXY_REFUSAL_SHELL_STREAM:
		p.exec.shell_stream = &p.stream;
		break;
	case PROXY_REFUSAL_SHELL:
		p.exec.shell_result = &p.result;
		break;
	case PROXY_REFUSAL_SHELL_MINI:
		p.exec.mini_swe_agent_bash_result = &p.result;
		break;
	case PROXY_REFUSAL_SPAWN:
		p.exec.background_shell_spawn_result = &p.spawn;
		break;
	case PROXY_REFUSAL_MCP:
		p.exec.mcp_result = &p.mcp;
		break;
	case PROXY_REFUSAL_RESOURCE:
		p.exec.read_mcp_resource_exec_result = &p.resource;
		break;
	case PROXY_REFUSAL_FETCH:
		p.message.exec_client_message = NULL;
		p.message.interaction_response = &p.response;
		break;
	case PROXY_REFUSAL_THROW:
		p.message.exec_client_message = NULL;
		p.message.exec_client_control_message = &p.control;
		break;
	}
	proxy_message_print(&p.message.base, out);
}
