/*
 * A batch line as a prompt: the same line as check decides, whose context also
 * holds what a prompt is made of (DESIGN 11).
 */

#include "check/check_priv.h"
#include "facts/facts.h"
#include "judge/judge.h"
#include "wire/json.h"

struct parts {
	struct check_reader r;
	const struct policy *policy;
	struct check_request request;
	struct judge_context context;
	struct judge_question question;
	struct judge_entry *entries;
	size_t entry_count;
	struct str *markers;
	size_t marker_count;
};

/* --- what was touched --------------------------------------------------------------- */

static bool
is_hidden(struct parts *p, struct str action, const struct str *resources,
	size_t count)
{
	struct order_named named = {action, resources, count};

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < p->marker_count; j++) {
			struct str marker = str_trim(p->markers[j]);

			if (marker.len > 0 && str_has_fold(resources[i], marker))
				return true;
		}
	}
	return order_hits_marker(
		p->r.a, p->policy, &p->request.call, &p->request.world, &named);
}

/* resources: [...], or resource: "..." */
static void
read_resources(struct check_reader *r, const json_t *obj, const char *where,
	const struct str **ret, size_t *ret_count)
{
	struct str *list = NULL;

	*ret_count = 0;
	check_texts(r, obj, "resources", &list, ret_count);
	if (*ret_count == 0 && check_member(obj, "resource")) {
		list = ARENA_NEW(r->a, struct str);
		check_text(r, obj, where, "resource", list);
		*ret_count = 1;
	}
	*ret = list;
}

static int64_t
read_number(struct check_reader *r, const json_t *obj, const char *key,
	int64_t fallback)
{
	const json_t *v = check_member(obj, key);

	if (v && !json_is_integer(v))
		check_fault(r, "%s is no whole number", key);
	return v ? (int64_t)json_integer_value(v) : fallback;
}

static const json_t *
list_of(struct check_reader *r, const json_t *context, const char *key)
{
	const json_t *list = check_member(context, key);

	if (list && !json_is_array(list)) {
		check_fault(r, "context.%s is no list", key);
		return NULL;
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (!json_is_object(json_array_get(list, i)))
			check_fault(r, "context.%s holds something that is no object", key);
	}
	return list;
}

/* --- rules ------------------------------------------------------------------------------ */

static void
read_reply(struct parts *p, const json_t *obj, struct judge_rule *rule)
{
	struct check_reader *r = &p->r;
	struct str kind = {0}, source = {0};

	check_text(r, obj, "replies.", "kind", &kind);
	check_text(r, obj, "replies.", "source", &source);
	check_text(r, obj, "replies.", "action", &rule->action);
	check_text(r, obj, "replies.", "note", &rule->note);
	rule->session = p->context.session;
	check_text(r, obj, "replies.", "session", &rule->session);
	read_resources(r, obj, "replies.", &rule->resources, &rule->resource_count);
	rule->time_ms = read_number(r, obj, "time", 0);
	rule->sequence = (uint64_t)read_number(r, obj, "sequence", 0);
	rule->source = judge_source_from(source);
	if (!call_reply_from(kind, &rule->reply))
		check_fault(r, "replies.kind is neither once, always nor reject");
}

/* Without a time of its own, a grant is older than all replies. */
static void
read_grant(struct parts *p, const json_t *obj, struct judge_rule *rule)
{
	check_text(&p->r, obj, "grants.", "action", &rule->action);
	read_resources(
		&p->r, obj, "grants.", &rule->resources, &rule->resource_count);
	rule->time_ms = read_number(&p->r, obj, "time", INT64_MIN);
}

static void
read_rules(struct parts *p, const json_t *context)
{
	const json_t *replies = list_of(&p->r, context, "replies");
	const json_t *grants = list_of(&p->r, context, "grants");
	size_t grant_count = json_array_size(grants);
	size_t count = grant_count + json_array_size(replies);
	struct judge_rule *rules = ARENA_ARRAY(p->r.a, count, struct judge_rule);

	for (size_t i = 0; i < count && !p->r.error.ptr; i++) {
		if (i < grant_count)
			read_grant(p, json_array_get(grants, i), &rules[i]);
		else
			read_reply(p, json_array_get(replies, i - grant_count), &rules[i]);
		rules[i].hidden = is_hidden(
			p, rules[i].action, rules[i].resources, rules[i].resource_count);
	}
	p->context.rules = rules;
	p->context.rule_count = count;
}

/* --- the rest of the context --------------------------------------------------------------- */

static void
read_conversation(struct parts *p, const json_t *context)
{
	const json_t *list = list_of(&p->r, context, "conversation");
	size_t n = json_array_size(list);
	struct judge_message *messages =
		ARENA_ARRAY(p->r.a, n, struct judge_message);

	for (size_t i = 0; i < n; i++) {
		const json_t *m = json_array_get(list, i);
		struct str role = {0}, origin = {0};

		check_text(&p->r, m, "conversation.", "role", &role);
		check_text(&p->r, m, "conversation.", "origin", &origin);
		check_text(&p->r, m, "conversation.", "text", &messages[i].text);
		messages[i].from_user = str_eq(role, STR("user"));
		messages[i].injected = origin.ptr && !str_eq(origin, STR("user"));
		if (!messages[i].from_user && !str_eq(role, STR("agent")))
			check_fault(&p->r, "conversation.role is neither user nor agent");
	}
	p->context.messages = messages;
	p->context.message_count = n;
	p->question.agent_reply = judge_last_reply(messages, n);
}

static void
read_history(struct parts *p, const json_t *context)
{
	const json_t *list = list_of(&p->r, context, "history");
	size_t n = json_array_size(list);
	struct judge_entry *entries = ARENA_ARRAY(p->r.a, n, struct judge_entry);

	for (size_t i = 0; i < n && !p->r.error.ptr; i++) {
		const json_t *h = json_array_get(list, i);
		struct judge_entry *e = &entries[i];
		struct str source = {0};

		check_text(&p->r, h, "history.", "tool", &e->tool_name);
		check_text(&p->r, h, "history.", "action", &e->action);
		check_text(&p->r, h, "history.", "outcome", &e->outcome);
		check_text(&p->r, h, "history.", "note", &e->note);
		check_text(&p->r, h, "history.", "source", &source);
		read_resources(&p->r, h, "history.", &e->resources, &e->resource_count);
		if (!e->action.ptr)
			e->action = e->tool_name;
		e->source = judge_source_from(source);
		e->hidden = is_hidden(p, e->action, e->resources, e->resource_count);
	}
	p->entries = entries;
	p->entry_count = n;
}

/* The texts borrow from the context's const pointers. */
static void
read_texts(struct check_reader *r, const json_t *context, const char *key,
	const struct str **ret, size_t *ret_count)
{
	struct str *list = NULL;

	check_texts(r, context, key, &list, ret_count);
	*ret = list;
}

static void
read_claims(struct parts *p, const json_t *line, const json_t *context)
{
	const json_t *notes = check_member(context, "annotations");

	if (!notes)
		notes = check_member(check_member(line, "input"), "annotations");
	check_text(&p->r, context, "context.", "mcp_description",
		&p->question.mcp_description);
	if (notes)
		p->question.mcp_annotations = wire_json_print(p->r.a, notes);
}

static void
read_parts(struct parts *p, const json_t *line)
{
	struct check_reader *r = &p->r;
	struct judge_context *c = &p->context;
	const struct call *call = &p->request.call;
	const json_t *context = check_member(line, "context");
	const json_t *instruct = check_object(r, context, "context.", "instruct");

	*c = (struct judge_context){
		.session = call->session,
		.parent_session = call->parent_session,
		.agent = call->agent,
		.agent_role = call->agent_role,
		.roots = call->roots,
		.root_count = call->root_count,
		.scratch = call->scratch,
		.scratch_count = call->scratch_count,
		.world = &p->request.world,
	};
	p->question.call = call;
	check_text(r, context, "context.", "task", &c->task);
	check_texts(r, context, "sensitive", &p->markers, &p->marker_count);
	read_texts(r, instruct, "allow", &c->allows, &c->allow_count);
	read_texts(r, instruct, "block", &c->blocks, &c->block_count);
	read_texts(r, context, "flags", &c->flags, &c->flag_count);
	read_claims(p, line, context);
	read_conversation(p, context);
	read_rules(p, context);
	read_history(p, context);
}

/* --- the answer ------------------------------------------------------------------------------- */

/* What the files hold that the call would run, as far as the world says it: as
 * the daemon shows them, but for what they run in turn. */
static void
add_files(struct parts *p, const struct call_facts *f)
{
	struct judge_file *files =
		ARENA_ARRAY(p->r.a, f->script_count, struct judge_file);
	struct judge_question *q = &p->question;

	for (size_t i = 0; i < f->script_count; i++) {
		const struct call_script *s = &f->scripts[i];
		const struct call_answer *found =
			call_world_find(&p->request.world, CALL_NEED_FILE, s->path);
		struct judge_manifest m = {
			.path = s->path,
			.entries = &s->entry,
			.entry_count = s->entry.ptr ? 1 : 0,
		};

		if (!found || !found->value.ptr
			|| is_hidden(p, STR("read"), &s->path, 1))
			continue;
		m.text = found->value;
		files[q->file_count++] =
			(struct judge_file){s->path, judge_manifest_shown(p->r.a, &m)};
	}
	q->files = files;
}

/* Builds the user message; absent, or why there is none. */
static struct str
build(struct parts *p, struct buf *user)
{
	struct call_facts *facts = ARENA_NEW(p->r.a, struct call_facts);
	struct str failure;

	facts_of(p->r.a, &p->request.call, &p->request.world, facts);
	p->question.facts = facts;
	add_files(p, facts);
	CLEANUP(judge_turn_freep)
	struct judge_turn *turn = judge_turn_new(p->r.a, &p->context);

	if (!turn)
		return STR("out of memory");
	for (size_t i = 0; i < p->entry_count; i++)
		judge_turn_add(turn, &p->entries[i]);
	if (judge_prompt(turn, &p->question, user, &failure))
		return (struct str){0};
	return failure;
}

void
check_prompt_of(struct arena *a, const struct policy *policy,
	const json_t *line, struct buf *user, struct str *ret_failure)
{
	struct parts *p;

	arena_reset(a);
	if (ARENA_TRY(a)) {
		p = ARENA_NEW(a, struct parts);
		p->r.a = a;
		p->policy = policy;
		if (check_request_from(a, line, &p->request, &p->r.error))
			read_parts(p, line);
		*ret_failure = p->r.error.ptr ? p->r.error : build(p, user);
	} else {
		*ret_failure = STR("too large to show");
	}
	arena_done(a);
}

static void
print(struct buf *out, struct str user, struct str failure)
{
	buf_add(out, STR("{\"system\":"));
	buf_add_json(out, judge_system());
	buf_add(out, STR(",\"user\":"));
	buf_add_json(out, failure.ptr ? STR("") : user);
	buf_add(out, STR(",\"failure\":"));
	if (failure.ptr)
		buf_add_json(out, failure);
	else
		buf_add(out, STR("null"));
	buf_add(out, STR("}\n"));
}

void
check_prompt_line(struct arena *a, const struct check_options *options,
	struct str line, struct buf *out)
{
	CLEANUP(buf_done) struct buf user;
	struct wire_json_error error;
	WIRE_JSON json_t *value = wire_json_parse(line, &error);
	struct str failure = !line.ptr ? CHECK_TOO_LONG
		: !value                   ? str_from(error.message)
								   : (struct str){0};

	buf_init(&user, JUDGE_USER_BYTES);
	if (value)
		check_prompt_of(a, options->policy, value, &user, &failure);
	print(out, buf_str(&user), failure);
}
