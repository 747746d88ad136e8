/*
 * What the client sends beside its stream: read along, passed on as it came, but
 * for the number of an append behind one of ours.
 */

#include "proxy/cursor_priv.h"

/* A client's append, taken apart. */
struct append {
	struct buf plain; /* the body when it came compressed */
	struct str body;  /* what is read */
	struct buf message;
	struct str request_id;
	int64_t seqno;
	Proxy__Cursor__BidiAppendRequest *m;
};

static void
done_append(struct append *a)
{
	if (a->m)
		proxy__cursor__bidi_append_request__free_unpacked(a->m, NULL);
	buf_done(&a->plain);
	buf_done(&a->message);
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool
from_hex(struct str hex, struct buf *out)
{
	buf_init(out, hex.len / 2 + 1);
	if (hex.len % 2 != 0)
		return false;
	for (size_t i = 0; i < hex.len; i += 2) {
		int high = digit(hex.ptr[i]), low = digit(hex.ptr[i + 1]);

		if (high < 0 || low < 0)
			return false;
		buf_add_char(out, (char)(high << 4 | low));
	}
	return !out->full;
}

/* Speech and the like come the same way: they hold no member that is known. */
static bool
is_agents(struct str message)
{
	struct proxy_field f;
	bool broken = false, known = false;
	size_t at = 0;

	while (proxy_field_next(message, &at, &f, &broken))
		known = known
			|| (f.number >= 1 && f.number <= 8 && f.wire == PROXY_WIRE_BYTES);
	return known && !broken;
}

/* False for what is no append of an agent's run; it passes untouched. */
static bool
read_append(const struct proxy_exchange *x, struct append *a)
{
	struct str coding =
		proxy_headers_find(&x->headers, STR("Content-Encoding"));

	*a = (struct append){.body = buf_str(&x->body)};
	if (coding.len > 0 && !str_eq_fold(coding, STR("identity"))) {
		if (!proxy_inflate(a->body, PROXY_HTTP_BODY_MAX, &a->plain))
			return false;
		a->body = buf_str(&a->plain);
	}
	a->m = proxy__cursor__bidi_append_request__unpack(
		NULL, a->body.len, proxy_data(a->body).data);
	if (!a->m || !a->m->request_id || a->m->request_id->request_id.len == 0)
		return false;
	a->request_id = proxy_text(a->m->request_id->request_id);
	a->seqno = a->m->append_seqno;
	if (a->m->data_binary.len > 0) {
		buf_init(&a->message, a->m->data_binary.len + 1);
		buf_add(&a->message, proxy_text(a->m->data_binary));
	} else if (!from_hex(proxy_text(a->m->data), &a->message)) {
		return false;
	}
	return is_agents(buf_str(&a->message));
}

/* --- what it means for what is held, and for what the client has ------------------- */

static const char *
outcome_of_shell(const Proxy__Cursor__ShellStream *s, struct str *reason)
{
	if (s->rejected) {
		*reason = proxy_text(s->rejected->reason);
		return "rejected";
	}
	if (s->has_permission_denied)
		return "rejected";
	if (s->has_start || s->has_exit || s->has_backgrounded)
		return "ran";
	return s->has_sandbox_unsupported ? "failed" : NULL;
}

static const char *
outcome_of_result(const Proxy__Cursor__ShellResult *s, struct str *reason)
{
	if (s->rejected) {
		*reason = proxy_text(s->rejected->reason);
		return "rejected";
	}
	if (s->has_permission_denied)
		return "rejected";
	return s->has_spawn_error ? "failed" : "ran";
}

static const char *
outcome_of_spawn(const Proxy__Cursor__SpawnResult *s, struct str *reason)
{
	if (s->rejected) {
		*reason = proxy_text(s->rejected->reason);
		return "rejected";
	}
	if (s->has_permission_denied)
		return "rejected";
	return s->has_success ? "ran" : "failed";
}

static const char *
outcome_of_mcp(const Proxy__Cursor__McpResult *m, struct str *reason)
{
	if (m->rejected) {
		*reason = proxy_text(m->rejected->reason);
		return "rejected";
	}
	if (m->has_permission_denied)
		return "rejected";
	return m->has_success || m->has_error ? "ran" : "failed";
}

static const char *
outcome_of_resource(const Proxy__Cursor__ResourceResult *m, struct str *reason)
{
	if (m->rejected) {
		*reason = proxy_text(m->rejected->reason);
		return "rejected";
	}
	return m->has_success ? "ran" : "failed";
}

/* NULL: nothing that ends it. */
static const char *
outcome_of(const Proxy__Cursor__ExecClientMessage *e, struct str *reason)
{
	if (e->shell_stream)
		return outcome_of_shell(e->shell_stream, reason);
	if (e->shell_result)
		return outcome_of_result(e->shell_result, reason);
	if (e->mini_swe_agent_bash_result)
		return outcome_of_result(e->mini_swe_agent_bash_result, reason);
	if (e->background_shell_spawn_result)
		return outcome_of_spawn(e->background_shell_spawn_result, reason);
	if (e->mcp_result)
		return outcome_of_mcp(e->mcp_result, reason);
	if (e->read_mcp_resource_exec_result)
		return outcome_of_resource(e->read_mcp_resource_exec_result, reason);
	return NULL;
}

static void
hear_result(struct proxy_run *r, const Proxy__Cursor__ExecClientMessage *e)
{
	struct str reason = {0};
	const char *outcome = outcome_of(e, &reason);

	if (outcome)
		proxy_run_tell_outcome(r, e->id, false, outcome, reason);
}

static void
hear_response(struct proxy_run *r, const Proxy__Cursor__InteractionResponse *i)
{
	const Proxy__Cursor__FetchResponse *f = i->web_fetch_request_response;

	if (f && f->rejected)
		proxy_run_tell_outcome(
			r, i->id, true, "rejected", proxy_text(f->rejected->reason));
	else if (f)
		proxy_run_tell_outcome(r, i->id, true, "ran", (struct str){0});
}

static void
hear_action(struct proxy_run *r, const Proxy__Cursor__ConversationAction *a)
{
	if (a->has_cancel_action)
		proxy_run_interrupt(r, PROXY_GATE_CANCEL);
	if (a->user_message_action || a->inject_context_action)
		proxy_run_interrupt(r, PROXY_GATE_MESSAGE);
}

/* At once, whatever its number: a call must not run after its user stopped it
 * because an earlier append is late. */
static void
hear_now(struct proxy_run *r, struct str message)
{
	Proxy__Cursor__ClientMessage *m = proxy__cursor__client_message__unpack(
		NULL, message.len, proxy_data(message).data);

	if (!m)
		return;
	if (m->run_request)
		proxy_run_interrupt(r, PROXY_GATE_RUN);
	if (m->conversation_action)
		hear_action(r, m->conversation_action);
	if (m->exec_client_message)
		hear_result(r, m->exec_client_message);
	if (m->exec_client_control_message
		&& m->exec_client_control_message->throw_)
		proxy_run_tell_outcome(r, m->exec_client_control_message->throw_->id,
			false, "failed",
			proxy_text(m->exec_client_control_message->throw_->error));
	if (m->interaction_response)
		hear_response(r, m->interaction_response);
	proxy__cursor__client_message__free_unpacked(m, NULL);
}

/* --- passing it on -------------------------------------------------------------------- */

/* What our own appends are sent with. */
static void
keep_headers(struct proxy_run *r, const struct proxy_headers *headers)
{
	proxy_headers_done(&r->append_headers);
	proxy_headers_copy(&r->append_headers, headers);
	proxy_headers_remove(&r->append_headers, STR("Content-Encoding"));
}

static void
send_renumbered(struct proxy_passage *p, const struct append *a, int64_t seqno)
{
	enum { APPEND_SEQNO = 3 };
	CLEANUP(buf_done) struct buf body = {0};

	buf_init(&body, PROXY_HTTP_BODY_MAX + (size_t)64);
	proxy_field_set_varint(&body, a->body, APPEND_SEQNO, (uint64_t)seqno);
	if (body.full) {
		proxy_exchange_refuse(
			p->x, 503, "unavailable", STR("assent: out of memory"));
		return;
	}
	proxy_headers_remove(&p->x->headers, STR("Content-Encoding"));
	proxy_passage_send(p, buf_str(&body));
}

static void
hear_append(struct proxy_passage *p, const struct append *a)
{
	struct proxy_run *r = proxy_run_get(p->proxy, a->request_id);
	int64_t seqno;

	if (!r) {
		proxy_exchange_refuse(p->x, 503, "resource_exhausted",
			STR("assent: too many runs at the same time"));
		return;
	}
	r->idle_ms = (int64_t)uv_now(p->proxy->loop);
	seqno = proxy_run_seqno(r, a->seqno);
	if (a->seqno > r->highest)
		r->highest = a->seqno;
	keep_headers(r, &p->x->headers);
	hear_now(r, buf_str(&a->message));
	proxy_run_state_client(r->state, a->seqno, buf_str(&a->message));
	if (seqno == a->seqno)
		proxy_passage_send(p, buf_str(&p->x->body));
	else
		send_renumbered(p, a, seqno);
}

static void
on_append(struct proxy_passage *p)
{
	struct append a;

	if (read_append(p->x, &a))
		hear_append(p, &a);
	else
		proxy_passage_send(p, buf_str(&p->x->body));
	done_append(&a);
}

const struct proxy_route proxy_route_append = {
	.path = "/aiserver.v1.BidiService/BidiAppend",
	.request = on_append,
};
