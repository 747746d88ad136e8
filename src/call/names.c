#include "call/call.h"
#include "call/facts.h"
#include "call/verdict.h"

/* One table of names per enum, and the two functions that read it. */
#define NAMES(list, type, fn)                             \
	static const char *const fn##_names[] = {list(NAME)}; \
	const char *call_##fn##_name(type value)              \
	{                                                     \
		CHECK((size_t)value < ARRAY_LEN(fn##_names));     \
		return fn##_names[value];                         \
	}
#define NAME(id, text) text,

NAMES(CALL_TOOLS, enum call_tool, tool)
NAMES(CALL_DIALECTS, enum call_dialect, dialect)
NAMES(CALL_NEEDS, enum call_need_kind, need)
NAMES(CALL_EFFECTS, enum call_effect_kind, effect)
NAMES(CALL_SCOPES, enum call_scope, scope)
NAMES(CALL_VERDICTS, enum call_verdict, verdict)
NAMES(CALL_BYS, enum call_by, by)
NAMES(CALL_MODES, enum call_mode, mode)
NAMES(CALL_TIERS, enum call_tier, tier)
NAMES(CALL_RISKS, enum call_risk, risk)
NAMES(CALL_REPLIES, enum call_reply, reply)

static const char *const hazard_texts[] = {CALL_HAZARDS(NAME)};

const char *
call_hazard_text(enum call_hazard_kind kind)
{
	CHECK(kind < CALL_HAZARD_COUNT);
	return hazard_texts[kind];
}

/* The index of s among names from first on, or count. */
static size_t
index_of(const char *const *names, size_t count, size_t first, struct str s)
{
	for (size_t i = first; i < count; i++) {
		if (str_eq_fold(s, str_from(names[i])))
			return i;
	}
	return count;
}

/* first: the lowest value that may be written (1 where zero means "none"). */
#define FROM(type, fn, first)                                       \
	bool call_##fn##_from(struct str s, type *ret)                  \
	{                                                               \
		size_t count = ARRAY_LEN(fn##_names);                       \
		size_t i = index_of(fn##_names, count, first, str_trim(s)); \
		if (i == count)                                             \
			return false;                                           \
		*ret = (type)i;                                             \
		return true;                                                \
	}

FROM(enum call_tool, tool, 1)
FROM(enum call_dialect, dialect, 0)
FROM(enum call_effect_kind, effect, 1)
FROM(enum call_scope, scope, 0)
FROM(enum call_verdict, verdict, 1)
FROM(enum call_by, by, 1)
FROM(enum call_tier, tier, 1)
FROM(enum call_risk, risk, 1)
FROM(enum call_reply, reply, 1)

bool
call_mode_from(struct str s, enum call_mode *ret)
{
	static const struct {
		const char *name;
		enum call_mode mode;
	} aliases[] = {
		{"auto",            CALL_MODE_AUTO_APPROVE},
		{"autoapprove",     CALL_MODE_AUTO_APPROVE},
		{"ai_auto_approve", CALL_MODE_AI_AUTO     },
		{"ai_autoapprove",  CALL_MODE_AI_AUTO     },
		{"full",            CALL_MODE_FULL_ACCESS },
		{"fullaccess",      CALL_MODE_FULL_ACCESS },
	};
	size_t i = index_of(mode_names, ARRAY_LEN(mode_names), 1, str_trim(s));

	if (i < ARRAY_LEN(mode_names)) {
		*ret = (enum call_mode)i;
		return true;
	}
	for (i = 0; i < ARRAY_LEN(aliases); i++) {
		if (str_eq_fold(str_trim(s), str_from(aliases[i].name))) {
			*ret = aliases[i].mode;
			return true;
		}
	}
	return false;
}

enum call_verdict
call_verdict_join(enum call_verdict a, enum call_verdict b)
{
	if (a == CALL_VERDICT_NONE || b == CALL_VERDICT_NONE)
		return CALL_VERDICT_DENY;
	return a > b ? a : b;
}

const struct call_answer *
call_world_find(
	const struct call_world *w, enum call_need_kind kind, struct str name)
{
	for (size_t i = 0; i < w->answer_count; i++) {
		const struct call_answer *answer = &w->answers[i];

		if (answer->kind != kind)
			continue;
		if (str_eq(answer->name, name)
			|| (kind == CALL_NEED_GIT && str_eq(answer->name, CALL_EVERY)))
			return answer;
	}
	return NULL;
}
