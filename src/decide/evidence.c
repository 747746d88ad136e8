#include "decide/decide_priv.h"

/*
 * What the judge is shown besides the call (DESIGN 4), as the settings let it:
 * the files that the call would run, what the user and the agent said, what a
 * server claims. No file that a marker names is looked at for it.
 */

enum { FILES_MAX = 16 }; /* that are looked for, by each of their names */

static bool
is_on(const struct decide_post *p, const char *setting)
{
	return !p->policy || str_eq(policy_setting(p->policy, setting), STR("on"));
}

/* The path itself, as a read of it would be judged. */
static bool
is_hidden(struct arena *a, const struct decide_post *p, struct str path)
{
	struct order_named named = {STR("read"), &path, 1};

	return !p->policy
		|| order_hits_marker(a, p->policy, p->call, &p->world, &named);
}

static bool
is_before(const struct call_facts *f, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (str_eq(f->scripts[k].path, f->scripts[i].path))
			return true;
	}
	return false;
}

size_t
decide_evidence_needs(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, bool judging, struct call_need **ret)
{
	struct call_need *list = ARENA_ARRAY(a, FILES_MAX + 1, struct call_need);
	size_t n = 0;

	for (size_t i = 0;
		 i < f->script_count && n < FILES_MAX && is_on(p, "judge.evidence");
		 i++) {
		struct str path = f->scripts[i].path;

		if (!call_world_find(&p->world, CALL_NEED_FILE, path)
			&& !is_before(f, i) && !is_hidden(a, p, path))
			list[n++] = (struct call_need){CALL_NEED_FILE, path};
	}
	if (judging && p->transcript.ptr
		&& !call_world_find(&p->world, CALL_NEED_TRANSCRIPT, p->transcript))
		list[n++] = (struct call_need){CALL_NEED_TRANSCRIPT, p->transcript};
	*ret = list;
	return n;
}

static size_t
files_of(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, struct judge_file *list)
{
	size_t n = 0;

	for (size_t i = 0; i < f->script_count && n < FILES_MAX; i++) {
		struct str path = f->scripts[i].path;
		const struct call_answer *found =
			call_world_find(&p->world, CALL_NEED_FILE, path);

		if (found && found->value.ptr && !is_before(f, i)
			&& !is_hidden(a, p, path))
			list[n++] = (struct judge_file){path, found->value};
	}
	return n;
}

void
decide_evidence_question(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, struct judge_question *ret)
{
	struct judge_file *files = ARENA_ARRAY(a, FILES_MAX, struct judge_file);

	*ret = (struct judge_question){
		.call = p->call,
		.facts = f,
		.agent_reply = judge_last_reply(p->messages, p->message_count),
		.mcp_description = p->mcp_description,
		.mcp_annotations = p->mcp_annotations,
		.files = files,
	};
	if (is_on(p, "judge.evidence"))
		ret->file_count = files_of(a, p, f, files);
}

void
decide_evidence_context(
	struct arena *a, const struct decide_post *p, struct judge_context *io)
{
	struct str *allows = NULL, *blocks = NULL;

	io->messages = p->messages;
	io->message_count = p->message_count;
	if (!p->policy)
		return;
	io->allow_count = policy_instructions(p->policy, false, a, &allows);
	io->block_count = policy_instructions(p->policy, true, a, &blocks);
	io->allows = allows;
	io->blocks = blocks;
}
