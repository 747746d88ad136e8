#include "proxy/cursor_state.h"

#include <stdlib.h>
#include <string.h>

#include "proxy/cursor_talk.h"
#include "wire/json.h"

/* A client's message that came before its turn. */
struct waiting {
	struct waiting *next; /* in the order of their numbers */
	int64_t seqno;
	size_t len;
	char bytes[];
};

/* A blob that something refers to. */
struct wanted {
	struct buf id; /* empty: free */
	bool mcps;     /* else a message's text */
	uint32_t kv;   /* what the server asked for it with, 0 = not yet */
};

/* A call's arguments, as the model wrote them. */
struct arguments {
	struct buf call_id, text;
	uint64_t used;
};

struct proxy_run_state {
	struct proxy_state *state;
	struct proxy_talk *talk;
	struct buf request_id, model;
	struct waiting *waiting;
	size_t waiting_count, waiting_bytes;
	int64_t next_seqno;
	bool begun;       /* a run request was read */
	uint64_t request; /* its digest */
	struct wanted wanted[PROXY_RUN_BLOBS];
	struct arguments *calls[PROXY_RUN_CALLS];
	uint64_t clock;
};

/* --- blobs ---------------------------------------------------------------------- */

static void
take_blob(struct proxy_run_state *r, struct wanted *w, struct str bytes)
{
	if (!w->mcps) {
		proxy_talk_message_blob(r->talk, buf_str(&w->id), bytes);
	} else {
		Proxy__Cursor__McpsPart *m = proxy__cursor__mcps_part__unpack(
			NULL, bytes.len, proxy_data(bytes).data);

		for (size_t i = 0; m && i < m->n_tools; i++)
			proxy_talk_tool(r->talk, m->tools[i]);
		if (m && m->mcp_meta_tool_options)
			proxy_talk_meta(r->talk, m->mcp_meta_tool_options);
		if (m)
			proxy__cursor__mcps_part__free_unpacked(m, NULL);
	}
	buf_done(&w->id);
	w->kv = 0;
}

static void
want(struct proxy_run_state *r, struct str id, bool mcps)
{
	struct wanted *w = &r->wanted[0];

	for (size_t i = 0; i < PROXY_RUN_BLOBS; i++) {
		if (r->wanted[i].id.len == 0)
			w = &r->wanted[i];
	}
	buf_done(&w->id); /* all taken: the first one is given up */
	buf_init(&w->id, 4096);
	buf_add(&w->id, id);
	w->mcps = mcps;
	w->kv = 0;
}

static void
offer_blob(struct proxy_run_state *r, struct str id, struct str bytes)
{
	for (size_t i = 0; r->talk && i < PROXY_RUN_BLOBS; i++) {
		struct wanted *w = &r->wanted[i];

		if (w->id.len > 0 && str_eq(buf_str(&w->id), id))
			take_blob(r, w, bytes);
	}
}

/* --- contexts and messages ---------------------------------------------------------- */

static void
hear_message(struct proxy_run_state *r, const Proxy__Cursor__UserMessage *m)
{
	if (m && proxy_talk_message(r->talk, m))
		want(r, proxy_text(m->text_blob_id), false);
}

static void
hear_context(struct proxy_run_state *r, const Proxy__Cursor__RequestContext *c)
{
	if (c)
		proxy_talk_context(r->talk, c);
}

/* The context that an action brings: by reference first, else its own. */
static const Proxy__Cursor__RequestContext *
context_of(const Proxy__Cursor__ConversationAction *a)
{
	if (a->request_context_parts && a->request_context_parts->dynamic_context)
		return a->request_context_parts->dynamic_context;
	if (a->user_message_action)
		return a->user_message_action->request_context;
	if (a->resume_action)
		return a->resume_action->request_context;
	if (a->start_plan_action)
		return a->start_plan_action->request_context;
	if (a->execute_plan_action)
		return a->execute_plan_action->request_context;
	if (a->inject_context_action && a->inject_context_action->user_context)
		return a->inject_context_action->user_context->request_context;
	return NULL;
}

static void
hear_action(
	struct proxy_run_state *r, const Proxy__Cursor__ConversationAction *a)
{
	const Proxy__Cursor__UserMessageAction *u = a->user_message_action;

	hear_context(r, context_of(a));
	if (a->request_context_parts
		&& a->request_context_parts->mcps_blob_id.len > 0)
		want(r, proxy_text(a->request_context_parts->mcps_blob_id), true);
	for (size_t i = 0; u && i < u->n_prepend_user_messages; i++)
		hear_message(r, u->prepend_user_messages[i]);
	if (u)
		hear_message(r, u->user_message);
	if (a->start_plan_action)
		hear_message(r, a->start_plan_action->user_message);
	if (a->inject_context_action && a->inject_context_action->user_context)
		hear_message(r, a->inject_context_action->user_context->user_message);
}

static void
set_talk(struct proxy_run_state *r, struct str id)
{
	struct proxy_talk *t = proxy_talk_get(r->state, id);

	if (!t || t == r->talk)
		return;
	proxy_talk_ref(t);
	proxy_talk_unref(r->talk);
	r->talk = t;
}

static void
hear_run(struct proxy_run_state *r, const Proxy__Cursor__RunRequest *q)
{
	const Proxy__Cursor__ModelDetails *m =
		q->requested_model && q->requested_model->model_id.len > 0
		? q->requested_model
		: q->model_details;

	r->begun = true;
	set_talk(r,
		q->conversation_id.len > 0 ? proxy_text(q->conversation_id)
								   : buf_str(&r->request_id));
	buf_clear(&r->model);
	if (m)
		buf_add(&r->model, proxy_text(m->model_id));
	if (!r->talk)
		return;
	if (q->action)
		hear_action(r, q->action);
	for (size_t i = 0; q->mcp_tools && i < q->mcp_tools->n_tools; i++)
		proxy_talk_tool(r->talk, q->mcp_tools->tools[i]);
	for (size_t i = 0; i < q->n_pre_fetched_blobs; i++)
		offer_blob(r, proxy_text(q->pre_fetched_blobs[i]->id),
			proxy_text(q->pre_fetched_blobs[i]->value));
}

static void
hear_blob_result(
	struct proxy_run_state *r, const Proxy__Cursor__KvClientMessage *kv)
{
	for (size_t i = 0; i < PROXY_RUN_BLOBS; i++) {
		struct wanted *w = &r->wanted[i];

		if (w->id.len > 0 && w->kv == kv->id && kv->get_blob_result
			&& kv->get_blob_result->has_blob_data)
			take_blob(r, w, proxy_text(kv->get_blob_result->blob_data));
	}
}

static void
hear(struct proxy_run_state *r, struct str bytes)
{
	Proxy__Cursor__ClientMessage *m = proxy__cursor__client_message__unpack(
		NULL, bytes.len, proxy_data(bytes).data);

	if (!m)
		return; /* the gateway will say so */
	if (m->run_request)
		hear_run(r, m->run_request);
	if (r->talk && m->conversation_action)
		hear_action(r, m->conversation_action);
	if (r->talk && m->exec_client_message
		&& m->exec_client_message->request_context_result
		&& m->exec_client_message->request_context_result->success)
		hear_context(r,
			m->exec_client_message->request_context_result->success
				->request_context);
	if (r->talk && m->kv_client_message)
		hear_blob_result(r, m->kv_client_message);
	proxy__cursor__client_message__free_unpacked(m, NULL);
	if (r->talk)
		proxy_talk_changed(r->talk);
}

/* --- the order of appends ---------------------------------------------------------------- */

static bool
is_run_request(struct str bytes)
{
	struct proxy_field f;

	return proxy_field_find(bytes, 1, &f) > 0;
}

/* FNV-1a: to tell a request that is sent twice from another one. */
static uint64_t
digest(struct str bytes)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < bytes.len; i++)
		h = (h ^ (unsigned char)bytes.ptr[i]) * 1099511628211u;
	return h;
}

static void
queue(struct proxy_run_state *r, int64_t seqno, struct str bytes)
{
	struct waiting **at = &r->waiting;
	struct waiting *w = malloc(sizeof(*w) + bytes.len);

	if (!w)
		return;
	while (*at && (*at)->seqno <= seqno)
		at = &(*at)->next;
	*w = (struct waiting){.next = *at, .seqno = seqno, .len = bytes.len};
	if (bytes.len > 0)
		memcpy(w->bytes, bytes.ptr, bytes.len);
	*at = w;
	r->waiting_count++;
	r->waiting_bytes += bytes.len;
}

/* Heard in order; what is too long in coming is not waited for. */
static void
hear_waiting(struct proxy_run_state *r)
{
	while (r->waiting) {
		struct waiting *w = r->waiting;

		if (w->seqno > r->next_seqno && r->waiting_count <= PROXY_RUN_PENDING
			&& r->waiting_bytes <= PROXY_RUN_PENDING_BYTES)
			return;
		r->waiting = w->next;
		r->waiting_count--;
		r->waiting_bytes -= w->len;
		if (w->seqno >= r->next_seqno) {
			r->next_seqno = w->seqno + 1;
			hear(r, (struct str){w->bytes, w->len});
		}
		free(w);
	}
}

void
proxy_run_state_client(
	struct proxy_run_state *r, int64_t seqno, struct str message)
{
	bool request = is_run_request(message);

	/* whatever number a run begins with, its request is the first */
	if (request
		&& (!r->begun
			|| (seqno < r->next_seqno && digest(message) != r->request)))
		r->next_seqno = seqno;
	if (request)
		r->request = digest(message);
	if (r->begun && seqno < r->next_seqno)
		return; /* sent twice */
	if (seqno == r->next_seqno && !r->waiting) {
		r->next_seqno++;
		hear(r, message);
		return;
	}
	queue(r, seqno, message);
	hear_waiting(r);
}

/* --- what the server says -------------------------------------------------------------------- */

static struct arguments *
arguments_of(const struct proxy_run_state *r, struct str call_id)
{
	for (size_t i = 0; i < PROXY_RUN_CALLS; i++) {
		if (r->calls[i] && str_eq(buf_str(&r->calls[i]->call_id), call_id))
			return r->calls[i];
	}
	return NULL;
}

static void
free_arguments(struct arguments *a)
{
	if (!a)
		return;
	buf_done(&a->call_id);
	buf_done(&a->text);
	free(a);
}

static struct arguments *
make_arguments(struct proxy_run_state *r, struct str call_id)
{
	size_t at = 0;
	struct arguments *a = calloc(1, sizeof(*a));

	for (size_t i = 1; i < PROXY_RUN_CALLS; i++) {
		if (r->calls[at]
			&& (!r->calls[i] || r->calls[i]->used < r->calls[at]->used))
			at = i;
	}
	free_arguments(r->calls[at]);
	r->calls[at] = a;
	if (!a)
		return NULL;
	buf_init(&a->call_id, 4096);
	buf_init(&a->text, PROXY_RUN_CALL_BYTES);
	buf_add(&a->call_id, call_id);
	return a;
}

static void
hear_partial(struct proxy_run_state *r, const Proxy__Cursor__PartialToolCall *p)
{
	struct arguments *a = arguments_of(r, proxy_text(p->call_id));

	if (p->args_text_delta.len == 0)
		return;
	if (!a)
		a = make_arguments(r, proxy_text(p->call_id));
	if (!a)
		return;
	a->used = ++r->clock;
	buf_add(&a->text, proxy_text(p->args_text_delta));
}

static void
hear_update(struct proxy_run_state *r, struct str inner)
{
	Proxy__Cursor__InteractionUpdate *u =
		proxy__cursor__interaction_update__unpack(
			NULL, inner.len, proxy_data(inner).data);

	if (!u)
		return;
	if (u->text_delta && !u->text_delta->is_server_notice)
		proxy_talk_reply(r->talk, proxy_text(u->text_delta->text));
	if (u->has_tool_call_started || u->has_step_started || u->has_turn_ended)
		r->talk->reply_over = true;
	if (u->partial_tool_call)
		hear_partial(r, u->partial_tool_call);
	proxy__cursor__interaction_update__free_unpacked(u, NULL);
}

static void
hear_kv(struct proxy_run_state *r, struct str inner)
{
	Proxy__Cursor__KvServerMessage *kv =
		proxy__cursor__kv_server_message__unpack(
			NULL, inner.len, proxy_data(inner).data);

	if (!kv)
		return;
	for (size_t i = 0; kv->get_blob_args && i < PROXY_RUN_BLOBS; i++) {
		struct wanted *w = &r->wanted[i];

		if (w->id.len > 0
			&& str_eq(buf_str(&w->id), proxy_text(kv->get_blob_args->blob_id)))
			w->kv = kv->id;
	}
	if (kv->set_blob_args)
		offer_blob(r, proxy_text(kv->set_blob_args->blob_id),
			proxy_text(kv->set_blob_args->blob_data));
	proxy__cursor__kv_server_message__free_unpacked(kv, NULL);
}

void
proxy_run_state_server(
	struct proxy_run_state *r, enum proxy_server_kind kind, struct str inner)
{
	if (!r->talk)
		return;
	if (kind == PROXY_SERVER_UPDATE)
		hear_update(r, inner);
	else if (kind == PROXY_SERVER_KV)
		hear_kv(r, inner);
}

/* --- what is known --------------------------------------------------------------------------- */

bool
proxy_run_state_is_on(const struct proxy_run_state *r)
{
	return r->talk && r->talk->seen && r->talk->on;
}

struct str
proxy_run_state_talk(const struct proxy_run_state *r)
{
	return r->talk ? buf_str(&r->talk->id) : (struct str){0};
}

struct str
proxy_run_state_model(const struct proxy_run_state *r)
{
	return buf_str(&r->model);
}

/* The model asked for no permission beyond the sandbox. What was not seen, or
 * not all of it, may have. */
static bool
asks_for_nothing(const struct arguments *a)
{
	struct wire_json_error e;

	if (!a || a->text.full)
		return false;
	WIRE_JSON json_t *j = wire_json_parse(buf_str(&a->text), &e);

	if (!json_is_object(j))
		return false;
	const json_t *asked = wire_json_get(j, "required_permissions");

	return !asked || json_is_null(asked)
		|| (json_is_array(asked) && json_array_size(asked) == 0);
}

bool
proxy_run_state_contains(
	const struct proxy_run_state *r, const struct proxy_action *a)
{
	return r->talk && r->talk->sandbox && a->row->kind == PROXY_ACTION_SHELL
		&& a->sandboxable && asks_for_nothing(arguments_of(r, a->call_id));
}

/* --- the question ------------------------------------------------------------------------------ */

static void
add_member(struct buf *out, const char *name, struct str value)
{
	if (value.len == 0)
		return;
	buf_addf(out, ",\"%s\":", name);
	buf_add_json(out, value);
}

static const struct proxy_talk_tool *
find_tool(const struct proxy_talk *t, const struct proxy_action *a)
{
	for (const struct proxy_talk_tool *m = t->tools; m; m = m->next) {
		if (str_eq(str_from(m->server), a->server)
			&& str_eq(str_from(m->name), a->tool))
			return m;
	}
	return NULL;
}

static void
add_mcp(const struct proxy_run_state *r, const struct proxy_action *a,
	struct buf *out)
{
	const struct proxy_talk_tool *m = find_tool(r->talk, a);

	buf_addf(out, "\"kind\":\"mcp\"");
	add_member(out, "server", a->server);
	add_member(out, "tool", a->tool);
	if (a->arguments.len > 0)
		buf_addf(out, ",\"arguments\":");
	buf_add(out, buf_str(&a->arguments));
	if (m) {
		add_member(out, "description", str_from(m->about));
		add_member(out, "annotations", str_from(m->annotations));
	}
}

static void
add_action(const struct proxy_run_state *r, const struct proxy_action *a,
	struct buf *out)
{
	switch (a->row->kind) {
	case PROXY_ACTION_SHELL:
		buf_addf(out, "\"kind\":\"shell\",\"command\":");
		buf_add_json(out, a->command);
		add_member(out, "working_directory", a->cwd);
		add_member(out, "description", a->description);
		break;
	case PROXY_ACTION_MCP:
		add_mcp(r, a, out);
		break;
	case PROXY_ACTION_RESOURCE:
		buf_addf(out, "\"kind\":\"mcp_resource\"");
		add_member(out, "server", a->server);
		add_member(out, "uri", a->uri);
		add_member(out, "download_path", a->target);
		break;
	case PROXY_ACTION_FETCH:
		buf_addf(out, "\"kind\":\"web_fetch\",\"url\":");
		buf_add_json(out, a->url);
		break;
	case PROXY_ACTION_UNREVIEWED:
	case PROXY_ACTION_NONE:
	case PROXY_ACTION_BROKEN:
		buf_addf(out, "\"kind\":\"other\",\"name\":\"%s\"", a->row->name);
		break;
	}
}

static const char *
unchanged_name(const struct proxy_action *a)
{
	switch (a->unchanged) {
	case PROXY_UNCHANGED_ASKED:
		return "asked";
	case PROXY_UNCHANGED_CONTAINED:
		return "contained";
	case PROXY_UNCHANGED_APPROVED:
		return "approved";
	case PROXY_UNCHANGED_PREFLIGHT:
		return "preflight";
	case PROXY_CHANGED:
		break;
	}
	return NULL;
}

static void
add_talk(const struct proxy_talk *t, struct buf *out)
{
	bool first = true;

	buf_addf(out,
		",\"workspace_paths\":[%.*s],\"instructions\":{\"allow\":[%.*s],"
		"\"block\":[%.*s]},\"conversation\":[",
		STR_ARG(buf_str(&t->roots)), STR_ARG(buf_str(&t->allows)),
		STR_ARG(buf_str(&t->blocks)));
	for (size_t i = 0; i < t->message_count; i++) {
		if (t->messages[i].text.len == 0)
			continue;
		buf_addf(out, "%s{\"role\":\"user\",\"text\":%.*s}", first ? "" : ",",
			STR_ARG(buf_str(&t->messages[i].text)));
		first = false;
	}
	if (str_trim(buf_str(&t->reply)).len > 0) {
		buf_addf(out, "%s{\"role\":\"agent\",\"text\":", first ? "" : ",");
		buf_add_json(out, str_trim(buf_str(&t->reply)));
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

void
proxy_run_state_print(const struct proxy_run_state *r,
	const struct proxy_action *a, struct buf *out)
{
	const char *unchanged = unchanged_name(a);

	buf_addf(out, "{\"agent\":\"cursor\"");
	add_member(out, "session", proxy_run_state_talk(r));
	add_member(out, "turn", buf_str(&r->request_id));
	add_member(out, "call_id", a->call_id);
	add_member(out, "model", buf_str(&r->model));
	buf_addf(out, ",\"action\":{");
	add_action(r, a, out);
	buf_add_char(out, '}');
	if (unchanged)
		buf_addf(out, ",\"unchanged\":\"%s\"", unchanged);
	add_member(out, "asked_reason", a->asked_reason);
	if (r->talk && r->talk->too_large)
		buf_addf(out, ",\"too_large\":true");
	if (r->talk)
		add_talk(r->talk, out);
	buf_addf(out, "}\n");
}

/* --- beginning and end ------------------------------------------------------------------------------ */

struct proxy_run_state *
proxy_run_state_new(struct proxy_state *s, struct str request_id)
{
	struct proxy_run_state *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->state = s;
	buf_init(&r->request_id, request_id.len + 1);
	buf_add(&r->request_id, request_id);
	buf_init(&r->model, 1024);
	return r;
}

void
proxy_run_state_free(struct proxy_run_state *r)
{
	if (!r)
		return;
	proxy_talk_unref(r->talk);
	while (r->waiting) {
		struct waiting *w = r->waiting;

		r->waiting = w->next;
		free(w);
	}
	for (size_t i = 0; i < PROXY_RUN_BLOBS; i++)
		buf_done(&r->wanted[i].id);
	for (size_t i = 0; i < PROXY_RUN_CALLS; i++)
		free_arguments(r->calls[i]);
	buf_done(&r->request_id);
	buf_done(&r->model);
	free(r);
}
