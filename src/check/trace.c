/*
 * What explain shows beside the result: the commands that were found, what is
 * known of each effect, hazards, and what every step said.
 */

#include "check/check_priv.h"

struct word {
	unsigned bit;
	const char *word;
};

static const struct word ignorance_words[] = {
	{CALL_UNKNOWN,  "unknown" },
	{CALL_DYNAMIC,  "dynamic" },
	{CALL_UNPARSED, "unparsed"},
};

static const struct word effect_words[] = {
	{CALL_EFFECT_TREE,     "all below"       },
	{CALL_EFFECT_PATTERN,  "pattern"         },
	{CALL_EFFECT_REDIRECT, "redirection"     },
	{CALL_EFFECT_INLINE,   "inline program"  },
	{CALL_EFFECT_PROJECT,  "project code"    },
	{CALL_EFFECT_DOWNLOAD, "downloaded text" },
	{CALL_EFFECT_DECODED,  "decoded text"    },
	{CALL_EFFECT_LOCAL,    "logged in"       },
	{CALL_EFFECT_LOOPBACK, "this machine"    },
	{CALL_EFFECT_LISTEN,   "listens"         },
	{CALL_EFFECT_GIT,      "through git"     },
	{CALL_EFFECT_LOSSY,    "cannot be undone"},
	{CALL_EFFECT_MODE,     "mode or owner"   },
	{CALL_EFFECT_LINK,     "link"            },
	{CALL_EFFECT_NAMES,    "names only"      },
	{CALL_EFFECT_SECRET,   "shows a secret"  },
	{CALL_EFFECT_RAW,      "raw device"      },
	{CALL_EFFECT_FORCE,    "forced"          },
};

static void
add_words(struct buf *out, const char *key, unsigned bits,
	const struct word *words, size_t count)
{
	const char *comma = "";

	buf_addf(out, ",\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		if (!(bits & words[i].bit))
			continue;
		buf_addf(out, "%s\"%s\"", comma, words[i].word);
		comma = ",";
	}
	buf_add_char(out, ']');
}

void
check_effect_words_print(struct buf *out, unsigned flags)
{
	add_words(out, "flags", flags, effect_words, ARRAY_LEN(effect_words));
}

/* How many commands stand around one and run it. */
static size_t
depth_of(const struct call_facts *f, const struct call_command *c)
{
	size_t depth = 0;

	while (c->wrapper < f->command_count && depth < f->command_count) {
		c = &f->commands[c->wrapper];
		depth++;
	}
	return depth;
}

static void
add_commands(struct buf *out, const struct call_facts *f)
{
	buf_add(out, STR(",\"commands\":["));
	for (size_t i = 0; i < f->command_count; i++) {
		const struct call_command *c = &f->commands[i];

		buf_addf(out, "%s{\"depth\":%zu,\"words\":[", i > 0 ? "," : "",
			depth_of(f, c));
		for (size_t k = 0; k < c->word_count; k++) {
			if (k > 0)
				buf_add_char(out, ',');
			buf_add_json(out, c->words[k].text);
		}
		buf_add_char(out, ']');
		if (c->row) {
			buf_add(out, STR(",\"row\":"));
			buf_add_json(out, str_from(c->row));
		}
		if (c->sub.len > 0) {
			buf_add(out, STR(",\"sub\":"));
			buf_add_json(out, c->sub);
		}
		add_words(out, "ignorance", c->ignorance, ignorance_words,
			ARRAY_LEN(ignorance_words));
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void
add_hazards(struct buf *out, const struct call_facts *f)
{
	buf_add(out, STR(",\"hazards\":["));
	for (size_t i = 0; i < f->hazard_count; i++) {
		const struct call_hazard *h = &f->hazards[i];

		buf_addf(out, "%s{\"text\":\"%s\",\"what\":", i > 0 ? "," : "",
			call_hazard_text(h->kind));
		buf_add_json(out, h->what);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void
add_steps(struct buf *out, const struct order_result *result)
{
	buf_add(out, STR(",\"trace\":["));
	for (size_t i = 0; i < result->trace_count; i++) {
		const struct order_trace *t = &result->trace[i];

		buf_addf(out, "%s{\"step\":\"%s\",\"decided\":%s,\"skipped\":%s",
			i > 0 ? "," : "", t->step, t->decided ? "true" : "false",
			t->skipped ? "true" : "false");
		buf_add(out, STR(",\"said\":"));
		buf_add_json(out, t->said);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

void
check_trace_print(struct buf *out, const struct order_result *result)
{
	const struct call_facts *f = &result->facts;

	add_words(out, "ignorance", f->ignorance, ignorance_words,
		ARRAY_LEN(ignorance_words));
	add_commands(out, f);
	add_hazards(out, f);
	add_steps(out, result);
}
