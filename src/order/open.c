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
} says[] = {
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_DOWNLOAD, "runs what it fetches"                  },
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_DECODED,
     "runs text that it decodes or builds"												},
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_INLINE,   "runs a program in its own text"        },
	{CALL_EFFECT_EXECUTE,   CALL_EFFECT_PROJECT,  "runs code of the project"              },
	{CALL_EFFECT_EXECUTE,   0,                    "runs a program or tool"                },
	{CALL_EFFECT_PRIVILEGE, 0,                    "takes other rights"                    },
	{CALL_EFFECT_PERSIST,   0,                    "leaves something that starts by itself"},
	{CALL_EFFECT_SEND,      CALL_EFFECT_FORCE,    "overwrites what is elsewhere"          },
	{CALL_EFFECT_SEND,      0,                    "sends something away"                  },
	{CALL_EFFECT_DELETE,    0,                    "deletes"                               },
	{CALL_EFFECT_WRITE,     CALL_EFFECT_MODE,     "changes an owner or a mode"            },
	{CALL_EFFECT_WRITE,     CALL_EFFECT_LOSSY,    "changes beyond recall"                 },
	{CALL_EFFECT_WRITE,     0,                    "writes"                                },
	{CALL_EFFECT_CREATE,    0,                    "makes something"                       },
	{CALL_EFFECT_CONNECT,   CALL_EFFECT_LISTEN,   "waits for connections"                 },
	{CALL_EFFECT_CONNECT,   0,                    "connects elsewhere"                    },
	{CALL_EFFECT_SIGNAL,    0,                    "signals a process"                     },
	{CALL_EFFECT_READ,      0,                    "reads outside the workspace"           },
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
order_open_words(struct order_run *r, struct str *ret_what)
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
	if (!worst) {
		*ret_what = (struct str){0};
		return STR("does something that is not known to be safe");
	}
	*ret_what = worst->kind == CALL_EFFECT_EXECUTE && worst->by.len > 0
			&& worst->flags != 0
		? worst->by
		: worst->resource;
	return str_from(says[row].words);
}
