/*
 * Which earlier calls a model never hears of: those that touched what a marker
 * names (DESIGN 2.6). Neither the names nor the reason may reach it.
 */

#include "facts/facts.h"
#include "order/order_priv.h"

struct marked {
	struct arena *a;
	const struct policy *policy;
	const struct call *like;
	const struct call_world *world;
};

static bool
is_marked_call(
	const struct marked *m, const struct call *call, struct call_facts *facts)
{
	struct policy_sensitive s;

	facts_of(m->a, call, m->world, facts);
	s = policy_sensitive(
		m->policy, m->a, (struct policy_subject){call, facts, m->world});
	return s.read || s.write;
}

/* The call that a session's earlier one was, as far as it is known. */
static struct call
call_like(const struct marked *m, enum call_tool tool)
{
	return (struct call){
		.tool = tool,
		.agent = m->like->agent,
		.cwd = m->like->cwd,
		.roots = m->like->roots,
		.root_count = m->like->root_count,
		.dialect = m->like->dialect,
	};
}

static bool
is_marked_path(const struct marked *m, struct str path)
{
	struct call call = call_like(m, CALL_TOOL_READ);
	struct call_facts facts;

	call.path = path;
	return is_marked_call(m, &call, &facts);
}

/* The words count, too: of a program that is not known nobody knows what it
 * reads. */
static bool
is_marked_command(const struct marked *m, struct str command)
{
	struct call call = call_like(m, CALL_TOOL_SHELL);
	struct call_facts facts;

	call.command = command;
	if (is_marked_call(m, &call, &facts))
		return true;
	for (size_t i = 0; i < facts.command_count; i++) {
		for (size_t j = 0; j < facts.commands[i].word_count; j++) {
			struct str word = facts.commands[i].words[j].text;

			if ((str_has_char(word, '/') || str_has_char(word, '.'))
				&& is_marked_path(m, word))
				return true;
		}
	}
	return false;
}

bool
order_hits_marker(struct arena *a, const struct policy *p,
	const struct call *like, const struct call_world *world,
	const struct order_named *named)
{
	struct marked m = {a, p, like, world};
	enum call_tool tool = CALL_TOOL_OTHER;

	(void)!call_tool_from(named->action, &tool);
	for (size_t i = 0; i < named->count; i++) {
		struct str r = named->resources[i];

		if (tool == CALL_TOOL_SHELL ? is_marked_command(&m, r)
									: is_marked_path(&m, r))
			return true;
	}
	return false;
}
