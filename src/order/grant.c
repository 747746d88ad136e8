/*
 * Grants: what a person answered "always" to. An exact one was made on a card
 * that showed just this resource; it alone reaches secrets.
 */

#include "facts/facts.h"
#include "order/order_priv.h"

static struct str
path_of(struct arena *a, const struct call *c)
{
	struct str clean;

	if (!c->path.ptr)
		return c->path;
	return facts_path_clean(a, c->cwd, c->path, &clean) ? clean : c->path;
}

struct str
order_resource(struct arena *a, const struct call *c)
{
	switch (c->tool) {
	case CALL_TOOL_SHELL:
		return c->command.ptr ? str_trim(c->command) : c->command;
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
		return path_of(a, c);
	case CALL_TOOL_FETCH:
		return c->url;
	case CALL_TOOL_WEB_SEARCH:
		return c->query;
	case CALL_TOOL_MCP:
		return arena_fmt(
			a, "%.*s/%.*s", STR_ARG(c->server), STR_ARG(c->mcp_tool));
	case CALL_TOOL_AGENT:
	case CALL_TOOL_NONE:
	case CALL_TOOL_OTHER:
		return c->tool_name;
	case CALL_TOOL_COUNT:
		break;
	}
	base_bug(__FILE__, __LINE__, "tool");
}

static bool
is_exactly(
	const struct order_run *r, const struct order_grant *g, struct str resource)
{
	if (!g->exact || !resource.ptr || resource.len == 0
		|| !str_eq(g->resource, resource))
		return false;
	/* "server/tool" says nothing of which secret its arguments name */
	return !(r->marks & ORDER_MARK_SECRET)
		|| r->in->call->tool == CALL_TOOL_SHELL
		|| str_eq(g->resource, r->secret.resource);
}

static enum order_says
allow_by(struct order_run *r, const struct order_grant *g)
{
	return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_GRANT,
		arena_fmt(r->a, "always allowed by a person: %.*s %.*s",
			STR_ARG(g->action), STR_ARG(g->resource)));
}

/* A word that names a place: outside of the workspace, or upwards. What a star
 * stood for when the person said "always" was none. */
static bool
leads_elsewhere(const struct call *c, struct str word)
{
	struct str value, rest;
	struct str name = str_cut(word, '=', &value);

	if (value.ptr && str_starts(name, STR("-")))
		word = value;
	if (str_starts(word, STR("~")))
		return true;
	for (rest = word; rest.ptr;) {
		if (str_eq(str_cut(rest, '/', &rest), STR("..")))
			return true;
	}
	if (!str_starts(word, STR("/")))
		return false;
	for (size_t i = 0; i < c->root_count; i++) {
		struct str root = c->roots[i];

		if (str_starts(word, root)
			&& (word.len == root.len
				|| str_starts(str_sub(word, root.len, word.len), STR("/"))))
			return false;
	}
	return true;
}

/* Other folders, and programs that run what they are given: no pattern is meant
 * for them. */
static bool
goes_elsewhere(const struct order_run *r)
{
	const struct call_facts *f = &r->out->facts;

	for (size_t i = 0; i < f->command_count; i++) {
		const struct call_command *cmd = &f->commands[i];

		if (cmd->is_privilege || (cmd->is_interpreter && cmd->is_wrapper))
			return true;
		for (size_t k = 0; k < cmd->word_count; k++) {
			if (k > 0 && leads_elsewhere(r->in->call, cmd->words[k].text))
				return true;
		}
	}
	return false;
}

/* Patterns, all of them together: each may cover a part of the call. */
static enum order_says
find_patterns(struct order_run *r, struct str action)
{
	const struct order_input *in = r->in;

	if (in->call->tool == CALL_TOOL_SHELL && goes_elsewhere(r))
		return ORDER_SAYS_NOTHING;
	struct str *list = ARENA_ARRAY(r->a, in->grant_count, struct str);
	const struct order_grant **of =
		ARENA_ARRAY(r->a, in->grant_count, const struct order_grant *);
	struct policy_patterns patterns = {
		.list = list, .builtin = !(r->marks & ORDER_MARK_MODE_ASK)};

	for (size_t i = 0; i < in->grant_count; i++) {
		const struct order_grant *g = &in->grants[i];

		if (g->exact || !str_eq_fold(g->action, action))
			continue;
		of[patterns.count] = g;
		list[patterns.count++] = g->resource;
	}
	struct policy_hit hit =
		policy_granted(in->policy, r->a, r->subject, &patterns);
	int64_t n = 0;

	if (hit.verdict != CALL_VERDICT_ALLOW)
		return ORDER_SAYS_NOTHING;
	if (str_starts(hit.rule, STR("grant:"))
		&& str_number(str_sub(hit.rule, 6, hit.rule.len), &n) && n > 0
		&& (size_t)n <= patterns.count)
		return allow_by(r, of[n - 1]);
	return order_settle(r, CALL_VERDICT_ALLOW, CALL_BY_GRANT,
		STR("always allowed by a person"));
}

enum order_says
order_grant_find(struct order_run *r)
{
	struct str action = str_from(call_tool_name(r->in->call->tool));
	struct str resource = order_resource(r->a, r->in->call);

	for (size_t i = 0; i < r->in->grant_count; i++) {
		const struct order_grant *g = &r->in->grants[i];

		if (str_eq_fold(g->action, action) && is_exactly(r, g, resource))
			return allow_by(r, g);
	}
	return r->marks & ORDER_MARK_SECRET ? ORDER_SAYS_NOTHING
										: find_patterns(r, action);
}
