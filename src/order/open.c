/*
 * What the rules leave open, in words: a person who reads a card wants to know
 * what the call would do that nothing allows, not that nothing allows it.
 */

#include "order/order_priv.h"

/* The first row whose kind and flags fit says it. */
static const struct {
	enum call_effect_kind kind;
	unsigned flags;
	const char *words;
	bool with_resource;
} says[] = {
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_DOWNLOAD, "runs what it fetches",           false},
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_DECODED,
     "runs text that it decodes or builds",                                         false},
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_INLINE,   "runs a program in its own text",
     false																			   },
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_PROJECT,  "runs code of the project",
     false																			   },
	{CALL_EFFECT_EXECUTE,   0,                    "runs",                           true },
	{CALL_EFFECT_PRIVILEGE, 0,                    "takes other rights by",          true },
	{CALL_EFFECT_PERSIST,   0,                    "stays behind as",                true },
	{CALL_EFFECT_SEND,      CALL_EFFECT_FORCE,    "overwrites what is at",          true },
	{CALL_EFFECT_SEND,      0,                    "sends to",                       true },
	{CALL_EFFECT_DELETE,    0,                    "deletes",                        true },
	{CALL_EFFECT_WRITE,     CALL_EFFECT_MODE,     "changes owner or mode of",       true },
	{CALL_EFFECT_WRITE,     CALL_EFFECT_LOSSY,    "changes beyond recall",          true },
	{CALL_EFFECT_WRITE,     0,                    "changes",                        true },
	{CALL_EFFECT_CREATE,    0,                    "makes",                          true },
	{CALL_EFFECT_CONNECT,   CALL_EFFECT_LISTEN,   "waits for connections",          false},
	{CALL_EFFECT_CONNECT,   0,                    "connects to",                    true },
	{CALL_EFFECT_SIGNAL,    0,                    "signals",                        true },
	{CALL_EFFECT_READ,      0,                    "reads",                          true },
};

static size_t
row_of(const struct call_effect *e)
{
	for (size_t i = 0; i < ARRAY_LEN(says); i++) {
		if (says[i].kind == e->kind
			&& (e->flags & says[i].flags) == says[i].flags)
			return i;
	}
	return ARRAY_LEN(says);
}

struct str
order_open_words(struct order_run *r)
{
	const struct call_facts *f = &r->out->facts;
	const struct call_effect *worst = NULL;
	size_t row = ARRAY_LEN(says);

	for (size_t i = 0; i < f->effect_count; i++) {
		const struct call_effect *e = &f->effects[i];
		size_t at = row_of(e);

		if (at >= row || policy_effect_is_safe(r->in->policy, e, r->subject))
			continue;
		worst = e;
		row = at;
	}
	if (!worst)
		return STR("does something that is not known to be safe");
	if (!says[row].with_resource)
		return arena_fmt(
			r->a, "%s (%.*s)", says[row].words, STR_ARG(worst->by));
	return arena_fmt(
		r->a, "%s %.*s", says[row].words, STR_ARG(worst->resource));
}
