#include "decide/decide_priv.h"
#include "facts/facts.h"

/*
 * What the judge is shown besides the call (DESIGN 4), as the settings let it:
 * the files that the call would run, what the user and the agent said, what a
 * server claims. No file that a marker names is looked at for it.
 */

enum {
	FILES_MAX = 24,   /* that are looked for, by each of their names */
	ENTRIES_MAX = 16, /* of one of them */
	NAMED_MAX = 8,    /* manifests whose commands are looked into */
};

/* A post, and what it runs. */
struct looking {
	struct arena *a;
	const struct decide_post *p;
	struct call_script list[FILES_MAX];
	size_t count;
};

static bool
is_on(const struct decide_post *p, const char *setting)
{
	return !p->policy || str_eq(policy_setting(p->policy, setting), STR("on"));
}

/* The path itself, as a read of it would be judged. */
static bool
is_hidden(const struct looking *l, struct str path)
{
	struct order_named named = {STR("read"), &path, 1};

	return !l->p->policy
		|| order_hits_marker(
			l->a, l->p->policy, l->p->call, &l->p->world, &named);
}

/* The text as the client found it; absent when it did not, or was not asked. */
static struct str
text_of(const struct looking *l, struct str path)
{
	const struct call_answer *found =
		call_world_find(&l->p->world, CALL_NEED_FILE, path);

	return found ? found->value : (struct str){0};
}

/* --- which files ----------------------------------------------------------- */

/* Leaves out what a program would not look at, as it finds another first. */
static void
add_scripts(struct looking *l, const struct call_facts *f)
{
	struct str found = {0}, last = {0};

	for (size_t i = 0; i < f->script_count && l->count < FILES_MAX; i++) {
		const struct call_script *s = &f->scripts[i];

		if (!s->or_else && !str_eq(s->path, last))
			found = (struct str){0};
		last = s->path;
		if ((found.ptr && !str_eq(s->path, found)) || is_hidden(l, s->path))
			continue;
		if (text_of(l, s->path).ptr)
			found = s->path;
		l->list[l->count++] = *s;
	}
}

/* The first of the list with this path. */
static size_t
first_of(const struct looking *l, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (str_eq(l->list[k].path, l->list[i].path))
			return k;
	}
	return i;
}

static struct judge_manifest
manifest_of(const struct looking *l, size_t first)
{
	struct str *entries = ARENA_ARRAY(l->a, ENTRIES_MAX, struct str);
	struct judge_manifest m = {
		.path = l->list[first].path,
		.text = text_of(l, l->list[first].path),
		.entries = entries,
	};

	for (size_t i = first; i < l->count && m.entry_count < ENTRIES_MAX; i++) {
		if (str_eq(l->list[i].path, m.path) && l->list[i].entry.ptr)
			entries[m.entry_count++] = l->list[i].entry;
	}
	return m;
}

static struct str
folder_of(struct str path)
{
	size_t n = path.len - str_base(path).len;

	return str_sub(path, 0, n > 1 ? n - 1 : n);
}

/* What the commands of a manifest run in turn. They are read as if no path led
 * through links: the client gives no text of one that does. */
static void
add_named(struct looking *l, size_t first)
{
	struct judge_manifest m = manifest_of(l, first);
	struct call_world world = l->p->world;
	struct call_facts facts;
	struct call inner = {
		.tool = CALL_TOOL_SHELL,
		.dialect = CALL_DIALECT_SH,
		.roots = l->p->call->roots,
		.root_count = l->p->call->root_count,
		.cwd = folder_of(m.path),
	};

	if (!m.text.ptr || m.entry_count == 0)
		return;
	inner.command = judge_manifest_commands(l->a, &m);
	if (inner.command.len == 0)
		return;
	world.assumed = true;
	facts_of(l->a, &inner, &world, &facts);
	add_scripts(l, &facts);
}

static void
look_at(struct looking *l, const struct call_facts *f)
{
	add_scripts(l, f);
	/* what these name in turn is shown, but not looked into */
	for (size_t i = 0, named = l->count; i < named && i < NAMED_MAX; i++) {
		if (first_of(l, i) == i)
			add_named(l, i);
	}
}

size_t
decide_evidence_needs(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, bool judging, struct call_need **ret)
{
	struct looking l = {.a = a, .p = p};
	struct call_need *list = ARENA_ARRAY(a, FILES_MAX + 1, struct call_need);
	size_t n = 0;

	if (is_on(p, "judge.evidence"))
		look_at(&l, f);
	for (size_t i = 0; i < l.count; i++) {
		if (first_of(&l, i) == i
			&& !call_world_find(&p->world, CALL_NEED_FILE, l.list[i].path))
			list[n++] = (struct call_need){CALL_NEED_FILE, l.list[i].path};
	}
	if (judging && p->transcript.ptr && is_on(p, "judge.conversation")
		&& !call_world_find(&p->world, CALL_NEED_TRANSCRIPT, p->transcript))
		list[n++] = (struct call_need){CALL_NEED_TRANSCRIPT, p->transcript};
	*ret = list;
	return n;
}

/* --- what is shown --------------------------------------------------------- */

static size_t
files_of(struct arena *a, const struct decide_post *p,
	const struct call_facts *f, struct judge_file *ret)
{
	struct looking l = {.a = a, .p = p};
	size_t n = 0;

	look_at(&l, f);
	for (size_t i = 0; i < l.count; i++) {
		struct judge_manifest m;

		if (first_of(&l, i) != i)
			continue;
		m = manifest_of(&l, i);
		if (!m.text.ptr)
			continue;
		ret[n] = (struct judge_file){m.path, judge_manifest_shown(a, &m)};
		/* else it has no such entry, and nothing of it would run */
		n += ret[n].text.len > 0 || m.text.len == 0;
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
		.hides_effects = !is_on(p, "judge.effects"),
		.files = files,
	};
	if (is_on(p, "judge.conversation"))
		ret->agent_reply = judge_last_reply(p->messages, p->message_count);
	if (is_on(p, "judge.claims")) {
		ret->mcp_description = p->mcp_description;
		ret->mcp_annotations = p->mcp_annotations;
	}
	if (is_on(p, "judge.evidence"))
		ret->file_count = files_of(a, p, f, files);
}

/* Those of the rules files, then those that the user gave the client. */
static const struct str *
join(struct arena *a, const struct str *ours, size_t *count,
	const struct str *theirs, size_t more)
{
	struct str *all = ARENA_ARRAY(a, *count + more + 1, struct str);
	size_t n = 0;

	for (size_t i = 0; ours && i < *count; i++)
		all[n++] = ours[i];
	for (size_t i = 0; i < more; i++)
		all[n++] = theirs[i];
	*count = n;
	return all;
}

void
decide_evidence_context(
	struct arena *a, const struct decide_post *p, struct judge_context *io)
{
	struct str *allows = NULL, *blocks = NULL;

	if (is_on(p, "judge.conversation")) {
		io->messages = p->messages;
		io->message_count = p->message_count;
	}
	if (p->policy) {
		io->allow_count = policy_instructions(p->policy, false, a, &allows);
		io->block_count = policy_instructions(p->policy, true, a, &blocks);
	}
	io->allows = join(a, allows, &io->allow_count, p->allows, p->allow_count);
	io->blocks = join(a, blocks, &io->block_count, p->blocks, p->block_count);
}
