#include "adapter/adapter.h"
#include "adapter/transcript.h"
#include "base/buf.h"
#include "tests/test.h"

/*
 * :do decode   a hook's standard input => what it means, and its call
 * :do encode   VERDICT SOURCE REASON | NOTE => exit status, output, error
 * :do safe     AGENT EVENT => the answer without a daemon
 * :do process  EXE ARGUMENTS... => the agent that it is, or none (gone:EXE: its
 *              file was replaced)
 * :do agent    NAME => the agent's row
 * :do said     lines of a conversation's file, parted by " ;; " => its messages;
 *              :from cut: the first line is not whole
 * :do pick     the same => those that a judge is told of
 * :do kept     AGENT HOME PATH => the part below the agent's folder, or none
 * :agent and :event set the row, :tool the tool; an absent one is "-".
 */

static void
add(struct buf *b, const char *name, struct str value)
{
	if (!value.ptr)
		return;
	buf_addf(b, " %s=", name);
	buf_add_json(b, value);
}

static void
add_call(struct buf *b, const struct call *c)
{
	buf_addf(b, " %s", call_tool_name(c->tool));
	add(b, "tool", c->tool_name);
	add(b, "id", c->id);
	add(b, "command", c->command);
	add(b, "path", c->path);
	add(b, "pattern", c->pattern);
	add(b, "content", c->content);
	add(b, "url", c->url);
	add(b, "query", c->query);
	add(b, "server", c->server);
	add(b, "mcp_tool", c->mcp_tool);
	add(b, "arguments", c->arguments);
	add(b, "description", c->description);
	add(b, "input", c->input);
	if (c->inward)
		buf_addf(b, " inward");
	if (c->malformed)
		add(b, "bad", c->malformed_why);
}

static void
add_message(struct buf *b, const struct adapter_message *m)
{
	buf_addf(b, "%s%s%s", adapter_meaning_name(m->meaning),
		m->decides ? " decides" : "",
		m->event && m->event->yields ? " yields" : "");
	if (m->malformed)
		add(b, "malformed", m->malformed_why);
	add(b, "session", m->call.session);
	add(b, "parent", m->call.parent_session);
	add(b, "turn", m->call.turn);
	add(b, "role", m->call.agent_role);
	add(b, "cwd", m->call.cwd);
	if (m->call.scratch_count > 0)
		add(b, "scratch", m->call.scratch[0]);
	add(b, "mode", m->agent_mode);
	add(b, "transcript", m->transcript);
	add(b, "prompt", m->prompt);
	if (m->prompt_injected)
		buf_addf(b, " injected");
	add(b, "error", m->error);
	add(b, "mcp_source", m->mcp_source);
	if (m->call.tool != CALL_TOOL_NONE)
		add_call(b, &m->call);
}

static void
add_answer(struct buf *b, const struct adapter_answer *answer)
{
	buf_addf(b, "exit %d", answer->exit);
	if (answer->out.len > 0)
		buf_addf(b, " out %.*s%s", STR_ARG(str_trim(answer->out)),
			str_ends(answer->out, STR("}\n")) ? "$" : " (no line feed)");
	if (answer->err.len > 0)
		add(b, "err", answer->err);
}

/* The row for a call of :tool, or of a tool that does not matter. */
static const struct adapter_event *
find_event(struct arena *a, const struct adapter_agent *agent, struct str event,
	const struct test_scene *scene)
{
	struct str tool = test_scene_get(scene, "tool", STR("-"));
	struct adapter_facts facts = {.event = event};
	struct adapter_message m;

	if (str_eq(tool, STR("-")))
		return adapter_event_find(agent, event);
	adapter_decode(a, agent,
		arena_fmt(
			a, "{\"tool_name\":\"%.*s\",\"tool_input\":{}}", STR_ARG(tool)),
		&facts, &m);
	return m.event;
}

static struct adapter_reply
read_reply(struct str input)
{
	struct str note;
	struct str rest = str_cut(input, '|', &note);
	struct adapter_reply reply = {.note = note.ptr ? str_trim(note) : note};
	struct str verdict = str_cut(rest, ' ', &rest);
	struct str source = str_cut(rest, ' ', &rest);

	if (!call_verdict_from(verdict, &reply.verdict))
		reply.verdict = CALL_VERDICT_NONE;
	for (int i = 0; i < ADAPTER_SOURCE_COUNT; i++) {
		if (str_eq(
				source, str_from(adapter_source_name((enum adapter_source)i))))
			reply.source = (enum adapter_source)i;
	}
	reply.reason = str_trim(rest);
	return reply;
}

/* --- conversations --------------------------------------------------------- */

static void
add_said(struct buf *b, const struct adapter_said *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct adapter_said *s = &list[i];

		buf_addf(b, "%s%s", i > 0 ? "; " : "",
			!s->from_user     ? "agent"
				: s->injected ? "injected"
							  : "user");
		if (s->time_ms != 0)
			buf_addf(b, "@%lld", (long long)s->time_ms);
		buf_addf(b, " ");
		buf_add_json(b, s->text);
		if (s->model.ptr)
			buf_addf(b, " (%.*s)", STR_ARG(s->model));
	}
	if (count == 0)
		buf_addf(b, "none");
}

static void
show_said(struct arena *a, struct buf *b, const struct test_scene *scene,
	struct str input, bool pick)
{
	const struct adapter_transcript *t =
		adapter_transcript_find(test_scene_get(scene, "agent", STR("")));
	struct adapter_said *list, picked[ADAPTER_SAID_MAX];
	bool cut = str_eq(test_scene_get(scene, "from", STR("start")), STR("cut"));
	char *text = arena_alloc(a, input.len + 1);
	size_t n = 0;

	CHECK(t);
	for (size_t i = 0; i < input.len; i++) {
		bool end = str_starts(str_sub(input, i, input.len), STR(" ;; "));

		text[n++] = end ? '\n' : input.ptr[i];
		i += end ? 3 : 0;
	}
	n = adapter_transcript_read(a, t, (struct str){text, n}, cut, &list);
	if (pick)
		n = adapter_said_pick(a, list, n, picked);
	add_said(b, pick ? picked : list, n);
}

static void
show_kept(struct buf *b, struct str input)
{
	struct str rest, path;
	const struct adapter_transcript *t =
		adapter_transcript_find(str_cut(input, ' ', &rest));
	struct str home = str_cut(rest, ' ', &path);

	if (t && adapter_transcript_is(t, home, path, &rest))
		buf_add(b, rest);
	else
		buf_addf(b, "none");
}

static void
show_process(struct arena *a, struct buf *b, struct str input)
{
	struct str args[8], rest;
	size_t n = 0;
	bool gone = str_starts(input, STR("gone:"));
	struct adapter_process p = {
		.exe = str_cut(gone ? str_sub(input, 5, input.len) : input, ' ', &rest),
	};

	if (gone)
		p.exe = arena_fmt(a, "%.*s (deleted)", STR_ARG(p.exe));

	while (rest.ptr && n < ARRAY_LEN(args))
		args[n++] = str_cut(rest, ' ', &rest);
	p.args = args;
	p.arg_count = n;
	for (size_t i = 0; i < adapter_agent_count(); i++) {
		if (adapter_process_is(adapter_agent_get(i), &p))
			buf_addf(b, "%s ", adapter_agent_get(i)->name);
	}
	if (!adapter_process_is(NULL, &p))
		buf_addf(b, "none");
}

static void
show_agent(struct buf *b, struct str input)
{
	const struct adapter_agent *agent = adapter_agent_find(input);

	if (agent)
		buf_addf(b, "%s, %s", agent->name, agent->title);
	else
		buf_addf(b, "none");
}

struct str
show_adapter(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf b;
	struct str what = test_scene_get(scene, "do", STR("decode"));
	struct str event = test_scene_get(scene, "event", STR("-"));
	const struct adapter_agent *agent =
		adapter_agent_find(test_scene_get(scene, "agent", STR("claude-code")));
	struct adapter_facts facts = {.cwd = STR("/hook")};
	struct adapter_message m;
	struct adapter_answer answer;

	buf_init(&b, 1 << 20);
	if (str_eq(what, STR("said")) || str_eq(what, STR("pick"))) {
		show_said(a, &b, scene, input, str_eq(what, STR("pick")));
		return arena_dup(a, buf_str(&b));
	}
	CHECK(agent);
	if (str_eq(event, STR("-")))
		event = (struct str){0};
	if (str_eq(what, STR("decode"))) {
		facts.event = event;
		adapter_decode(a, agent, input, &facts, &m);
		add_message(&b, &m);
	} else if (str_eq(what, STR("encode"))) {
		struct adapter_reply reply = read_reply(input);

		adapter_encode(
			a, agent, find_event(a, agent, event, scene), &reply, &answer);
		add_answer(&b, &answer);
	} else if (str_eq(what, STR("safe"))) {
		answer = adapter_safe(agent, adapter_event_find(agent, input));
		add_answer(&b, &answer);
	} else if (str_eq(what, STR("process"))) {
		show_process(a, &b, input);
	} else if (str_eq(what, STR("kept"))) {
		show_kept(&b, input);
	} else {
		show_agent(&b, input);
	}
	return str_trim(arena_dup(a, buf_str(&b)));
}
