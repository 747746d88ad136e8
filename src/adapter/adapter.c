#include "adapter/adapter.h"

#include <stdio.h>
#include <string.h>

#include "adapter/adapter_priv.h"
#include "wire/json.h"

/* To add an agent: a file with its rows and its codec, and a line here. */
static const struct adapter_agent *const agents[] = {
	&adapter_claude_code,
	&adapter_cursor,
};

#define NAME(id, text) text,
static const char *const meaning_names[] = {ADAPTER_MEANINGS(NAME)};
static const char *const source_names[] = {ADAPTER_SOURCES(NAME)};

const char *
adapter_meaning_name(enum adapter_meaning m)
{
	CHECK(m < ADAPTER_MEANING_COUNT);
	return meaning_names[m];
}

const char *
adapter_source_name(enum adapter_source s)
{
	CHECK(s < ADAPTER_SOURCE_COUNT);
	return source_names[s];
}

size_t
adapter_agent_count(void)
{
	return ARRAY_LEN(agents);
}

const struct adapter_agent *
adapter_agent_get(size_t i)
{
	CHECK(i < ARRAY_LEN(agents));
	return agents[i];
}

static bool
is_called(const struct adapter_agent *agent, struct str name)
{
	for (size_t i = 0; agent->aliases[i]; i++) {
		if (str_eq(name, str_from(agent->aliases[i])))
			return true;
	}
	return str_eq(name, str_from(agent->name));
}

const struct adapter_agent *
adapter_agent_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		if (is_called(agents[i], name))
			return agents[i];
	}
	return NULL;
}

const struct adapter_event *
adapter_event_find(const struct adapter_agent *agent, struct str name)
{
	for (size_t i = 0; i < agent->event_count; i++) {
		if (str_eq(name, str_from(agent->events[i].name)))
			return &agent->events[i];
	}
	return NULL;
}

static bool
script_is(
	const struct adapter_process_row *row, const struct adapter_process *p)
{
	for (size_t i = 0; i < p->arg_count; i++) {
		if (str_eq(str_base(p->args[i]), str_from(row->script))
			&& (!row->arg_part || str_has(p->args[i], str_from(row->arg_part))))
			return true;
	}
	return false;
}

static bool
row_is(const struct adapter_process_row *row, const struct adapter_process *p)
{
	static const struct str gone = {" (deleted)", 10};
	struct str exe = p->exe;

	if (str_ends(exe, gone)) /* an agent that was updated while it runs */
		exe.len -= gone.len;
	if (row->exe && !str_eq(str_base(exe), str_from(row->exe)))
		return false;
	if (row->exe_part && !str_has(exe, str_from(row->exe_part)))
		return false;
	return !row->script || script_is(row, p);
}

bool
adapter_process_is(
	const struct adapter_agent *agent, const struct adapter_process *p)
{
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		if (agent && agents[i] != agent)
			continue;
		for (size_t k = 0; k < agents[i]->process_count; k++) {
			if (row_is(&agents[i]->processes[k], p))
				return true;
		}
	}
	return false;
}

struct adapter_answer
adapter_safe(
	const struct adapter_agent *agent, const struct adapter_event *event)
{
	(void)agent;
	if (!event)
		return (struct adapter_answer){
			.err = STR("assent: this event is not known, so it is refused\n"),
			.exit = 2,
		};
	return (struct adapter_answer){
		.out = str_from(event->safe_out),
		.err = str_from(event->safe_err),
		.exit = event->safe_exit,
	};
}

const struct adapter_event *
adapter_event_of(const struct adapter_agent *agent, struct str bytes)
{
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(bytes, &e);

	return adapter_event_find(
		agent, wire_json_str(top, agent->codec->event_member));
}

/* --- decoding ------------------------------------------------------------- */

/* One message while it is read. Nothing is allocated in the arena between the
 * parse and the release of what it gave. */
struct reading {
	const struct adapter_agent *agent;
	struct adapter_reader reader;
	struct adapter_message *m;
	struct str registered; /* the event on the hook's command line */
	struct str input;      /* source text of the tool's input, an object */
	struct str inner;      /* ...which came as a text, to be read again */
	bool has_arguments;    /* only this member of it is an MCP call's */
	size_t arguments_at;
	char why[160];      /* the message is malformed */
	char call_why[160]; /* its call's arguments are */
};

static void
say(char *why, size_t size, const char *what)
{
	if (why[0] == '\0')
		(void)snprintf(why, size, "%s", what);
}

#define SAY(r, field, what) say((r)->field, sizeof((r)->field), (what))

static struct adapter_reader
make_reader(struct arena *a, struct str source)
{
	enum { SPARE = 1024 };

	return (struct adapter_reader){
		.room = arena_alloc(a, source.len + SPARE),
		.left = source.len + SPARE,
	};
}

static bool
has_call_member(const struct adapter_codec *codec, const json_t *top)
{
	for (size_t i = 0; codec->call_members[i]; i++) {
		if (wire_json_get(top, codec->call_members[i]))
			return true;
	}
	return false;
}

/* An event without a row that speaks of no call. */
static const struct adapter_event other_event = {
	.name = "",
	.safe_out = "",
	.safe_err = "",
	.meaning = ADAPTER_NEUTRAL,
	.timeout_s = 10,
	.deadline_s = 5,
};

/* When the message names another event than the hook was registered for,
 * nobody knows how the answer will be read: a refusal that any event heeds. */
static void
set_event(struct reading *r, struct str said, bool may_be_call)
{
	struct adapter_message *m = r->m;

	m->event_name = said.ptr ? said : r->registered;
	m->event = adapter_event_find(r->agent, m->event_name);
	m->decides = true;
	if (said.ptr && r->registered.ptr && !str_eq(said, r->registered)) {
		m->event = NULL;
		SAY(r, why, "the hook was registered for another event than it got");
	} else if (m->event) {
		m->meaning = m->event->meaning;
		m->decides = m->event->decides;
	} else if (!m->event_name.ptr) {
		SAY(r, why, "the message does not name its event");
	} else if (may_be_call) {
		SAY(r, why, "this event is not known");
	} else {
		m->event = &other_event;
		m->meaning = ADAPTER_NEUTRAL;
		m->decides = false;
	}
}

bool
adapter_is_about_call(enum adapter_meaning m)
{
	return m == ADAPTER_CALL || m == ADAPTER_APPROVAL || m == ADAPTER_RESULT
		|| m == ADAPTER_FAILURE;
}

/* The index of the member named key: the parser keeps the source's order. */
static size_t
member_index(json_t *obj, const char *key)
{
	const char *k;
	json_t *v;
	size_t i = 0;

	json_object_foreach (obj, k, v) {
		if (strcmp(k, key) == 0)
			return i;
		i++;
	}
	return i;
}

static void
read_input(struct reading *r, const json_t *input)
{
	r->reader.bad = false;
	r->agent->codec->decode_input(&r->reader, input, &r->m->call);
	if (r->reader.bad)
		SAY(r, call_why, r->reader.why);
}

/* Which member of the input an MCP call's arguments are. */
static void
note_arguments(struct reading *r, json_t *input)
{
	const char *name = r->m->event ? r->m->event->arguments : NULL;

	r->has_arguments = name && wire_json_get(input, name);
	if (r->has_arguments)
		r->arguments_at = member_index(input, name);
}

static void
read_top(struct reading *r, json_t *top, struct str bytes)
{
	const struct adapter_codec *codec = r->agent->codec;
	const char *member;
	json_t *input;
	struct str said = adapter_text(&r->reader, top, codec->event_member, false);

	set_event(r, said, has_call_member(codec, top));
	codec->decode(&r->reader, top, r->m);
	if (r->reader.bad)
		SAY(r, why, r->reader.why);
	if (!adapter_is_about_call(r->m->meaning))
		return;
	member = r->m->event && r->m->event->input ? r->m->event->input
											   : codec->input_member;
	input = member[0] ? wire_json_get(top, member) : top;
	if (input)
		r->input = member[0]
			? adapter_member_source(bytes, member_index(top, member))
			: bytes;
	note_arguments(r, input);
	if (json_is_object(input))
		read_input(r, input);
	else if (json_is_string(input))
		r->inner = adapter_keep(&r->reader, wire_json_text(input));
	else
		SAY(r, call_why, "the tool's input is not an object");
}

/* The tool's input was JSON inside a text. */
static void
read_inner(struct arena *a, struct reading *r)
{
	struct wire_json_error e;

	r->reader = make_reader(a, r->inner);
	WIRE_JSON json_t *input = wire_json_parse(r->inner, &e);

	if (json_is_object(input))
		read_input(r, input);
	else
		SAY(r, call_why, "the tool's input is a text without an object in it");
}

static void
read_message(struct arena *a, struct reading *r, struct str bytes)
{
	struct wire_json_error e;

	r->reader = make_reader(a, bytes);
	WIRE_JSON json_t *top = wire_json_parse(bytes, &e);

	if (json_is_object(top)) {
		read_top(r, top, bytes);
		return;
	}
	if (top)
		SAY(r, why, "the message is not a JSON object");
	SAY(r, why, str_trim(bytes).len > 0 ? e.message : "the message is empty");
	set_event(r, (struct str){0}, true);
}

/* Tools without arguments of a known kind are judged by all of them. */
static void
set_arguments(struct arena *a, struct reading *r, struct call *c)
{
	struct str source;

	if (r->input.ptr && !c->input.ptr)
		c->input = arena_dup(a, r->input);
	source = r->inner.ptr ? r->inner : c->input;
	if (r->has_arguments && c->tool == CALL_TOOL_MCP)
		source = adapter_member_source(source, r->arguments_at);
	switch (c->tool) {
	case CALL_TOOL_MCP:
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
		if (source.ptr)
			c->arguments = adapter_plain_json(a, source);
		break;
	case CALL_TOOL_NONE:
	case CALL_TOOL_SHELL:
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
	case CALL_TOOL_FETCH:
	case CALL_TOOL_WEB_SEARCH:
	case CALL_TOOL_COUNT:
		break;
	}
}

static void
set_facts(struct arena *a, struct call *c, const struct adapter_facts *facts)
{
	c->roots = ARENA_ARRAY(a, facts->root_count, struct str);
	c->root_count = facts->root_count;
	for (size_t i = 0; i < facts->root_count; i++)
		c->roots[i] = arena_dup(a, facts->roots[i]);
	if (c->dialect == CALL_DIALECT_BASH) /* the tool did not say another */
		c->dialect = facts->dialect;
}

void
adapter_decode(struct arena *a, const struct adapter_agent *agent,
	struct str bytes, const struct adapter_facts *facts,
	struct adapter_message *ret)
{
	struct reading r = {.agent = agent, .m = ret};

	*ret = (struct adapter_message){.call.agent = str_from(agent->name)};
	ret->call.scratch = ARENA_NEW(a, struct str);
	r.registered = facts->event.ptr ? arena_dup(a, facts->event) : facts->event;
	read_message(a, &r, bytes);
	if (r.inner.ptr)
		read_inner(a, &r);
	if (adapter_is_about_call(ret->meaning))
		set_arguments(a, &r, &ret->call);
	set_facts(a, &ret->call, facts);
	if (r.why[0]) {
		ret->malformed = true;
		ret->malformed_why = arena_fmt(a, "%s", r.why);
	}
	if (r.call_why[0]) {
		ret->call.malformed = true;
		ret->call.malformed_why = arena_fmt(a, "%s", r.call_why);
	}
}

/* --- encoding ------------------------------------------------------------- */

struct str
adapter_reason(struct arena *a, const struct adapter_reply *reply)
{
	struct str reason =
		reply->reason.len > 0 ? reply->reason : STR("this was not allowed");

	if (reply->verdict == CALL_VERDICT_ASK)
		return arena_fmt(a, "needs a person: %.*s", STR_ARG(reason));
	return reason;
}

void
adapter_encode(struct arena *a, const struct adapter_agent *agent,
	const struct adapter_event *event, const struct adapter_reply *reply,
	struct adapter_answer *ret)
{
	*ret = adapter_safe(agent, event);
	if (event)
		agent->codec->encode(a, event, reply, ret);
	else if (reply->reason.len > 0)
		ret->err =
			arena_fmt(a, "assent: %.*s\n", STR_ARG(adapter_reason(a, reply)));
}
