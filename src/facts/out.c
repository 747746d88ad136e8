/*
 * The lists of facts, grown in the arena. Past LIMIT_FACTS the arena overflows:
 * a call that does so much is "too large to judge".
 */

#include "base/limits.h"
#include "facts/facts_priv.h"

static void *
grow(struct facts *f, const void *list, size_t count, size_t *cap, size_t size)
{
	size_t want = *cap == 0 ? 8 : *cap * 2;
	char *fresh;

	if (count >= LIMIT_FACTS)
		arena_overflow(f->a);
	fresh = arena_array(f->a, want, size);
	for (size_t i = 0; i < count * size; i++)
		fresh[i] = ((const char *)list)[i];
	*cap = want;
	return fresh;
}

#define ROOM_FOR_ONE(f, list, count, cap)                                 \
	do {                                                                  \
		if ((count) == (cap))                                             \
			(list) = grow((f), (list), (count), &(cap), sizeof(*(list))); \
	} while (0)

size_t
facts_add_command(struct facts *f, const struct facts_word *words, size_t count,
	struct str program)
{
	struct call_facts *o = f->out;
	struct call_command c = {
		.words = ARENA_ARRAY(f->a, count, struct call_word),
		.word_count = count,
		.program = program,
		.wrapper = f->wrapper,
	};

	for (size_t i = 0; i < count; i++) {
		/* a number, or a plain name, is no word that a rule has seen */
		bool dynamic =
			words[i].flags & (FACTS_DYNAMIC | FACTS_MANY | FACTS_NUMBER);

		c.words[i].dynamic = dynamic;
		c.words[i].text = dynamic ? words[i].source : words[i].text;
	}
	ROOM_FOR_ONE(f, o->commands, o->command_count, f->command_cap);
	o->commands[o->command_count] = c;
	return o->command_count++;
}

void
facts_add_effect(struct facts *f, struct call_effect e)
{
	struct call_facts *o = f->out;

	/* every place of the rules is held against it */
	if (!facts_work(f, 12))
		return;
	ROOM_FOR_ONE(f, o->effects, o->effect_count, f->effect_cap);
	o->effects[o->effect_count++] = e;
}

void
facts_add_hazard(struct facts *f, enum call_hazard_kind kind, struct str what)
{
	struct call_facts *o = f->out;

	for (size_t i = 0; i < o->hazard_count; i++) {
		if (o->hazards[i].kind == kind)
			return;
	}
	ROOM_FOR_ONE(f, o->hazards, o->hazard_count, f->hazard_cap);
	o->hazards[o->hazard_count++] = (struct call_hazard){kind, what};
}

void
facts_add_program_text(struct facts *f, struct str what)
{
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.flags = CALL_EFFECT_INLINE,
			.resource = what,
			.by = STR("shell"),
			.command = CALL_NO_COMMAND});
}

void
facts_add_host(struct facts *f, struct str host)
{
	struct call_facts *o = f->out;

	for (size_t i = 0; i < o->host_count; i++) {
		if (str_eq(o->hosts[i], host))
			return;
	}
	ROOM_FOR_ONE(f, o->hosts, o->host_count, f->host_cap);
	o->hosts[o->host_count++] = host;
}

void
facts_add_need(struct facts *f, enum call_need_kind kind, struct str name)
{
	struct call_facts *o = f->out;

	for (size_t i = 0; i < o->need_count; i++) {
		if (o->needs[i].kind == kind && str_eq(o->needs[i].name, name))
			return;
	}
	ROOM_FOR_ONE(f, o->needs, o->need_count, f->need_cap);
	o->needs[o->need_count++] = (struct call_need){kind, name};
}

void
facts_add_script(
	struct facts *f, struct str path, struct str entry, bool or_else)
{
	struct call_facts *o = f->out;

	if (facts_path_scope(f, path) != CALL_SCOPE_WORKSPACE)
		return;
	for (size_t i = 0; i < o->script_count; i++) {
		if (str_eq(o->scripts[i].path, path)
			&& str_eq(o->scripts[i].entry, entry))
			return;
	}
	ROOM_FOR_ONE(f, o->scripts, o->script_count, f->script_cap);
	o->scripts[o->script_count++] = (struct call_script){path, entry, or_else};
}

/* The words that are not known, so that a rule may name them: those that what
 * says, else those that begin with it ("--x=1" for "--x"). */
static void
mark_unknown(struct call_command *c, struct str what)
{
	bool found = false;

	for (size_t i = 0; i < c->word_count; i++) {
		if (str_eq(c->words[i].text, what))
			found = c->words[i].unknown = true;
	}
	for (size_t i = 0; i < c->word_count && !found; i++) {
		if (str_starts(c->words[i].text, what))
			c->words[i].unknown = true;
	}
}

void
facts_ignore(struct facts *f, size_t command, unsigned kind, const char *why,
	struct str what)
{
	struct call_facts *o = f->out;

	o->ignorance |= kind;
	if (command < o->command_count)
		o->commands[command].ignorance |= kind;
	if (command < o->command_count && (kind & CALL_UNKNOWN) && what.len > 0
		&& f->work < FACTS_WORK_MAX) {
		f->work += 2 + o->commands[command].word_count / 8;
		mark_unknown(&o->commands[command], what);
	}
	if (o->incomplete.ptr)
		return;
	o->incomplete = what.len > 0
		? arena_fmt(f->a, "%s: %.*s", why, STR_ARG(str_sub(what, 0, 200)))
		: str_from(why);
}

bool
facts_work(struct facts *f, size_t steps)
{
	f->work += steps;
	if (f->work <= FACTS_WORK_MAX)
		return true;
	facts_cut(f);
	return false;
}

void
facts_cut(struct facts *f)
{
	f->out->cut = true;
	facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED, "too large or too deep",
		(struct str){NULL, 0});
}
