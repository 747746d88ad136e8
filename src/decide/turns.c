#include "decide/decide_priv.h"

/*
 * What a model is told: one turn per session, which only grows, and the call.
 */

static struct judge_turn *
new_turn(struct arena *a, struct decide_session *s, const struct decide_post *p)
{
	const struct call *c = p->call;
	struct judge_context context = {
		.session = s->row->id,
		.parent_session = s->row->parent,
		.agent = c->agent,
		.agent_role = c->agent_role,
		.roots = c->roots,
		.root_count = c->root_count,
		.scratch = c->scratch,
		.scratch_count = c->scratch_count,
		.world = &p->world,
		.task = p->task,
	};

	decide_evidence_context(a, p, &context);
	return judge_turn_new(a, &context);
}

void
decide_turns_end(struct decide_session *s)
{
	judge_turn_free(s->turn);
	s->turn = NULL;
}

bool
decide_turns_ask(struct decide *d, struct arena *a, struct decide_session *s,
	const struct decide_post *p, const struct call_facts *facts,
	struct decide_question *ret)
{
	struct judge_question q;

	(void)d;
	if (!s->turn)
		s->turn = new_turn(a, s, p);
	if (!s->turn) {
		ret->failure = STR("no memory");
		return false;
	}
	decide_evidence_question(a, p, facts, &q);
	if (!judge_prompt(s->turn, &q, &ret->memory, &ret->failure))
		return false;
	ret->ask = (struct decide_ask){
		.session = s->row->id,
		.system = judge_system(),
		.user = buf_str(&ret->memory),
		.prefix = judge_turn_text(s->turn).len,
		.run_model = p->run_model,
	};
	return true;
}
