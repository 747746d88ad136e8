/*
 * The user message for one call: the turn, the agent's latest words, and the call
 * with what is known of it. The call stands last, and whole.
 */

#include "judge/judge_priv.h"
#include "wire/json.h"

enum { SCRATCH_BYTES = 2 << 20 };

/* --- evidence --------------------------------------------------------------------- */

/* Words for what a model should know of an effect. What is secret by the lists is
 * not among them. */
static const struct {
	unsigned flag;
	const char *word;
} words[] = {
	{CALL_EFFECT_TREE,     "all below"            },
	{CALL_EFFECT_PATTERN,  "by a pattern"         },
	{CALL_EFFECT_INLINE,   "program in the call"  },
	{CALL_EFFECT_PROJECT,  "code of the workspace"},
	{CALL_EFFECT_DOWNLOAD, "downloaded"           },
	{CALL_EFFECT_DECODED,  "decoded or built"     },
	{CALL_EFFECT_LOCAL,    "own account, reading" },
	{CALL_EFFECT_LOOPBACK, "this machine"         },
	{CALL_EFFECT_LISTEN,   "listens"              },
	{CALL_EFFECT_GIT,      "through git"          },
	{CALL_EFFECT_LOSSY,    "cannot be undone"     },
	{CALL_EFFECT_MODE,     "owner or mode only"   },
	{CALL_EFFECT_LINK,     "link"                 },
	{CALL_EFFECT_NAMES,    "names only"           },
	{CALL_EFFECT_RAW,      "bare device"          },
	{CALL_EFFECT_FORCE,    "forced"               },
	{CALL_EFFECT_MOVED,    "moved elsewhere"      },
};

/* Adds text without the values that were taken out of the call; true if one of
 * them was in it. */
static bool
add_without_cut(struct buf *b, struct str text, size_t chars_max,
	const struct judge_values *values)
{
	CLEANUP(buf_done) struct buf rest;

	buf_init(&rest, SCRATCH_BYTES);
	bool found = judge_values_take(&rest, text, values);

	judge_add_text(b, buf_str(&rest), chars_max, JUDGE_TEXT_PROSE);
	return found;
}

static bool
add_without(struct buf *b, struct str text, const struct judge_values *values)
{
	return add_without_cut(b, text, JUDGE_TEXT_CHARS, values);
}

static void
add_words(struct buf *b, unsigned flags)
{
	bool first = true;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (!(flags & words[i].flag))
			continue;
		buf_add(b, first ? STR(",\"how\":[") : STR(","));
		buf_addf(b, "\"%s\"", words[i].word);
		first = false;
	}
	if (!first)
		buf_add_char(b, ']');
}

/* False if the effect is on something whose name is a secret: then nobody can
 * see what the call does. An address may have a login in it. */
static bool
add_effect(struct buf *b, const struct call_effect *e,
	const struct judge_values *values)
{
	bool found;

	buf_addf(b,
		"{\"kind\":\"%s\",\"scope\":\"%s\",\"on\":", call_effect_name(e->kind),
		call_scope_name(e->scope));
	found =
		add_without(b, e->resource, values) && e->scope != CALL_SCOPE_NETWORK;
	buf_add(b, STR(",\"by\":"));
	found |= add_without(b, e->by, values);
	add_words(b, e->flags);
	buf_add_char(b, '}');
	return !found;
}

static bool
add_effects(struct buf *b, const struct call_facts *f,
	const struct judge_values *values)
{
	bool clear = true;

	buf_add(b, STR("\"effects\":["));
	for (size_t i = 0; i < f->effect_count && i < JUDGE_EFFECTS; i++) {
		if (i > 0)
			buf_add_char(b, ',');
		clear &= add_effect(b, &f->effects[i], values);
	}
	buf_add_char(b, ']');
	if (f->effect_count > JUDGE_EFFECTS)
		buf_addf(b, ",\"more_effects\":%zu", f->effect_count - JUDGE_EFFECTS);
	return clear;
}

/* Always told: nobody may judge a call without knowing that it is not all
 * understood. */
static void
add_ignorance(struct buf *b, const struct call_facts *f,
	const struct judge_values *values)
{
	struct str why =
		f->incomplete.ptr ? f->incomplete : STR("part of the call");

	/* the word behind the colon may be what was taken out of the call */
	if (values->any)
		why = str_cut(why, ':', &(struct str){0});
	buf_add(b, STR(",\"not_understood\":"));
	if (f->ignorance == 0)
		buf_add(b, STR("null"));
	else
		(void)add_without(b, why, values);
}

static void
add_shapes(struct buf *b, const struct call_facts *f)
{
	bool first = true;

	for (size_t i = 0; i < f->hazard_count; i++) {
		enum call_hazard_kind kind = f->hazards[i].kind;

		/* what is a secret is not the model's to know */
		if (kind == CALL_HAZARD_SECRET_SENT || kind == CALL_HAZARD_NONE)
			continue;
		buf_addf(b, "%s\"%s\"", first ? ",\"shapes\":[" : ",",
			call_hazard_text(kind));
		first = false;
	}
	if (!first)
		buf_add_char(b, ']');
}

/* False as add_effect, also where they are not to be shown. */
static bool
add_facts(struct buf *b, const struct judge_question *q,
	const struct judge_values *values)
{
	CLEANUP(buf_done) struct buf unseen;
	bool clear;

	buf_init(&unseen, SCRATCH_BYTES);
	if (!q->facts) {
		buf_add(b, STR("\"effects\":null"));
		return true;
	}
	clear = add_effects(q->hides_effects ? &unseen : b, q->facts, values);
	if (q->hides_effects)
		buf_add(b, STR("\"effects\":null"));
	add_ignorance(b, q->facts, values);
	add_shapes(b, q->facts);
	return clear;
}

static void
add_claim(struct buf *b, const char *key, struct str claim,
	const struct judge_values *values)
{
	if (!claim.ptr)
		return;
	buf_addf(b, ",\"%s\":", key);
	(void)add_without(b, claim, values);
}

/* A script's lines, each redacted as a command where it reads as one: what prose
 * shows, "curl -u name:word", a command does not. */
static void
redact_lines(struct buf *out, struct str text)
{
	struct str line;

	while (str_line(&text, &line)) {
		CLEANUP(buf_done) struct buf one;

		buf_init(&one, SCRATCH_BYTES);
		buf_add(out,
			judge_redact(&one, line, JUDGE_TEXT_COMMAND) && !one.full
				? buf_str(&one)
				: line);
		buf_add_char(out, '\n');
	}
}

static void
add_files(struct buf *b, const struct judge_question *q,
	const struct judge_values *values)
{
	if (q->file_count == 0)
		return;
	buf_add(b, STR(",\"files\":["));
	for (size_t i = 0; i < q->file_count; i++) {
		const struct judge_file *f = &q->files[i];

		buf_addf(b, "%s{\"path\":", i > 0 ? "," : "");
		(void)add_without(b, f->path, values);
		buf_add(b, STR(",\"text\":"));
		CLEANUP(buf_done) struct buf lines;

		buf_init(&lines, SCRATCH_BYTES);
		if (f->text.ptr && f->text.len <= JUDGE_FILE_BYTES)
			redact_lines(&lines, f->text);
		if (f->text.ptr && f->text.len <= JUDGE_FILE_BYTES && !lines.full)
			(void)add_without_cut(b, buf_str(&lines), JUDGE_FILE_BYTES, values);
		else /* a part of it would say nothing of the rest */
			buf_addf(b, "null,\"bytes_not_shown\":%zu", f->text.len);
		buf_add_char(b, '}');
	}
	buf_add_char(b, ']');
}

/* The line of evidence. False as add_effect. */
static bool
add_evidence(struct buf *b, const struct judge_question *q,
	const struct judge_values *values)
{
	bool clear;

	buf_add(b, STR("{\"evidence\":{"));
	clear = add_facts(b, q, values);
	add_claim(b, "agent_claims", q->call->description, values);
	add_claim(b, "server_claims", q->mcp_description, values);
	add_claim(b, "server_annotations", q->mcp_annotations, values);
	add_files(b, q, values);
	buf_add(b, STR("}}\n"));
	return clear;
}

/* --- the message ------------------------------------------------------------------ */

static void
add_reply(struct buf *b, struct str reply, const struct judge_values *values)
{
	if (str_trim(reply).len == 0)
		return;
	buf_add(b, STR("<agent_reply>\n"));
	(void)add_without(b, reply, values);
	buf_add(b, STR("\n</agent_reply>\n"));
}

static bool
has_value(struct str text, const struct judge_values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		if (str_has(text, values->list[i]))
			return true;
	}
	return false;
}

/* What the call does hangs on a value that is not shown: a program has its name,
 * or a variable holds it in a text that was not understood. */
static bool
hangs_on_value(const struct call_facts *f, const struct judge_values *values)
{
	if (!f || values->count == 0)
		return false;
	for (size_t i = 0; i < f->command_count; i++) {
		const struct call_command *c = &f->commands[i];

		if (c->word_count > 0 && has_value(c->words[0].text, values))
			return true;
	}
	return values->expanded
		&& (f->ignorance & (CALL_DYNAMIC | CALL_UNPARSED)) != 0;
}

static bool
refuse(struct str *ret_failure, struct str why)
{
	*ret_failure = why;
	return false;
}

bool
judge_prompt(const struct judge_turn *t, const struct judge_question *q,
	struct buf *ret_user, struct str *ret_failure)
{
	CLEANUP(buf_done) struct buf call;
	WIRE_JSON json_t *j = NULL;
	struct judge_values values = {0};

	buf_init(&call, SCRATCH_BYTES);
	if (!judge_call_print(&call, q->call, &j, &values, ret_failure))
		return false;
	if (!judge_turn_is_whole(t))
		return refuse(ret_failure, STR("out of memory"));
	buf_add(ret_user, judge_turn_text(t));
	buf_add(ret_user, STR("</tool_history>\n"));
	add_reply(ret_user, q->agent_reply, &values);
	buf_add(ret_user, STR("<tool_call>\n"));
	if (!add_evidence(ret_user, q, &values)
		|| hangs_on_value(q->facts, &values))
		return refuse(ret_failure,
			STR("what it does hangs on a secret that cannot be shown"));
	buf_add(ret_user, STR("{\"call\":"));
	buf_add(ret_user, buf_str(&call));
	buf_add(ret_user, STR("}\n</tool_call>\n"));
	if (ret_user->full)
		return refuse(ret_failure, STR("too large to show"));
	*ret_failure = (struct str){0};
	return true;
}
