/*
 * A model's reply, read so that no two readers could read it differently. All
 * that is not exactly one plain answer is no judgement, and says why.
 */

#include <string.h>

#include "judge/judge_priv.h"
#include "wire/json.h"

#define NAME(id, text) text,
static const char *const says_names[] = {JUDGE_SAYS(NAME)};
static const char *const source_names[] = {JUDGE_SOURCES(NAME)};

const char *
judge_says_name(enum judge_says s)
{
	CHECK(s < JUDGE_SAYS_COUNT);
	return says_names[s];
}

enum judge_source
judge_source_from(struct str s)
{
	for (size_t i = 1; i < JUDGE_SOURCE_COUNT; i++) {
		if (str_eq(s, str_from(source_names[i])))
			return (enum judge_source)i;
	}
	return JUDGE_SOURCE_NONE;
}

/* --- where the object is ------------------------------------------------------------ */

/* The byte behind the string that opens at i, or 0 if it does not end. */
static size_t
string_end(struct str s, size_t i)
{
	for (i++; i < s.len; i++) {
		if (s.ptr[i] == '\\')
			i++;
		else if (s.ptr[i] == '"')
			return i + 1;
	}
	return 0;
}

/* The byte behind the object that opens at i, or 0 if it does not end. */
static size_t
object_end(struct str s, size_t i)
{
	size_t depth = 0;

	while (i < s.len) {
		char c = s.ptr[i];

		if (c == '"') {
			i = string_end(s, i);
			if (i == 0)
				return 0;
			continue;
		}
		i++;
		if (c == '{')
			depth++;
		else if (c == '}' && --depth == 0)
			return i;
	}
	return 0;
}

/* Part of a list, a string or a quotation: not said, but spoken of. */
static bool
is_inside_something(struct str before, struct str behind)
{
	struct str b = str_trim(before), e = str_trim(behind);
	bool fenced = str_ends(b, STR("```"));
	char last = b.len > 0 ? b.ptr[b.len - 1] : '\n';
	char next = e.len > 0 ? e.ptr[0] : '\n';

	if (!fenced && str_has_char(STR("[(`'\"\\,"), last))
		return true;
	return str_has_char(STR("])'\",\\"), next)
		|| (next == '`' && !str_starts(e, STR("```")));
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++) {
		if ((i == 0 || !is_letter(text.ptr[i - 1]))
			&& str_eq_fold(str_sub(text, i, i + word.len), word)
			&& (i + word.len == text.len || !is_letter(text.ptr[i + word.len])))
			return true;
	}
	return false;
}

/* Markup of what is no answer, whatever stands beside it. */
static const struct {
	const char *mark, *why;
} marks[] = {
	{"<think",       "holds thinking text" },
	{"</think",      "holds thinking text" },
	{"<reasoning",   "holds thinking text" },
	{"<|channel",    "holds thinking text" },
	{"<thought",     "holds thinking text" },
	{"<tool_call",   "is a call of a tool" },
	{"<function",    "is a call of a tool" },
	{"<tool_use",    "is a call of a tool" },
	{"<invoke",      "is a call of a tool" },
	{"[TOOL_CALLS]", "is a call of a tool" },
	{"<|python_tag", "is a call of a tool" },
	{"<|im_start",   "goes on for the user"},
	{"<|start_head", "goes on for the user"},
};

static const char *
marked(struct str prose)
{
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (str_has_fold(prose, str_from(marks[i].mark)))
			return marks[i].why;
	}
	return NULL;
}

/* Cuts the object out; NULL, or why there is not exactly one. */
static const char *
find_object(struct str reply, struct str *ret_object, struct str *ret_before,
	struct str *ret_behind)
{
	size_t start = str_find(reply, STR("{"), 0);
	size_t end = object_end(reply, start);
	const char *why = marked(str_sub(reply, 0, start));

	if (why)
		return why;
	if (start == reply.len)
		return "holds no object";
	if (end == 0)
		return "is cut";
	*ret_object = str_sub(reply, start, end);
	*ret_before = str_sub(reply, 0, start);
	*ret_behind = str_sub(reply, end, reply.len);
	why = marked(*ret_behind);
	if (why)
		return why;
	if (str_has_char(*ret_behind, '{') || str_has_char(*ret_behind, '}')
		|| str_has_char(*ret_before, '}'))
		return "holds more than one object";
	if (is_inside_something(*ret_before, *ret_behind))
		return "only quotes an object";
	return NULL;
}

/* --- what it says --------------------------------------------------------------------- */

static const struct {
	const char *word;
	enum judge_says says;
} decisions[] = {
	{"allow",    JUDGE_SAYS_ALLOW   },
	{"deny",     JUDGE_SAYS_DENY    },
	{"block",    JUDGE_SAYS_DENY    },
	{"escalate", JUDGE_SAYS_ESCALATE},
};

static const char *
read_decision(const json_t *j, struct judge_verdict *v)
{
	const json_t *value = wire_json_get(j, "decision");
	struct str word = str_trim(wire_json_text(value));

	if (!value)
		return "holds no decision";
	if (!json_is_string(value))
		return "holds a decision that is no text";
	for (size_t i = 0; i < ARRAY_LEN(decisions); i++) {
		if (str_eq_fold(word, str_from(decisions[i].word)))
			v->said = decisions[i].says;
	}
	return v->said == JUDGE_SAYS_FAILURE ? "holds an unknown decision" : NULL;
}

static const char *
read_risk(const json_t *j, struct judge_verdict *v)
{
	const json_t *value = wire_json_get(j, "risk_level");

	if (!value)
		return NULL;
	if (!json_is_string(value))
		return "holds a risk that is no text";
	if (!call_risk_from(str_trim(wire_json_text(value)), &v->risk))
		return "holds an unknown risk";
	return NULL;
}

/* room: for JUDGE_REASON_CHARS characters */
static const char *
read_reason(const json_t *j, char *room, struct judge_verdict *v)
{
	const json_t *value = wire_json_get(j, "reason");
	struct str text = str_trim(wire_json_text(value));

	if (!value)
		return NULL;
	if (!json_is_string(value))
		return "holds a reason that is no text";
	text = judge_head(text, JUDGE_REASON_CHARS);
	memcpy(room, text.ptr, text.len);
	v->reason = (struct str){room, text.len};
	return NULL;
}

/* A member that nobody asked for may be a misspelt one. */
static const char *
read_members(const json_t *j)
{
	size_t known = 0;

	known += wire_json_get(j, "decision") != NULL;
	known += wire_json_get(j, "risk_level") != NULL;
	known += wire_json_get(j, "reason") != NULL;
	return json_object_size(j) > known ? "holds members that are not known"
									   : NULL;
}

/* Prose around an allow that speaks of the other decisions. */
static bool
is_contradicted(struct str prose, enum judge_says said)
{
	return said == JUDGE_SAYS_ALLOW
		&& (has_word(prose, STR("deny")) || has_word(prose, STR("denied"))
			|| has_word(prose, STR("escalate"))
			|| has_word(prose, STR("escalated")));
}

/* DESIGN 2.11: what a decision is worth at its risk. */
static const char *
weigh(struct judge_verdict *v)
{
	bool critical = v->risk == CALL_RISK_CRITICAL;

	if (v->said == JUDGE_SAYS_ALLOW && v->risk == CALL_RISK_NONE)
		return "allows without a risk";
	if (v->said == JUDGE_SAYS_ALLOW)
		v->says = critical ? JUDGE_SAYS_ESCALATE : JUDGE_SAYS_ALLOW;
	else if (v->said == JUDGE_SAYS_DENY)
		v->says = critical ? JUDGE_SAYS_DENY : JUDGE_SAYS_ESCALATE;
	else
		v->says = JUDGE_SAYS_ESCALATE;
	return NULL;
}

static const char *
read_object(const json_t *j, char *room, struct judge_verdict *v)
{
	const char *why = read_members(j);

	why = why ? why : read_decision(j, v);
	why = why ? why : read_risk(j, v);
	why = why ? why : read_reason(j, room, v);
	return why ? why : weigh(v);
}

static const char *
read_reply(struct arena *a, struct str reply, struct judge_verdict *v)
{
	struct str object, before, behind;
	struct wire_json_error error;
	char *room = arena_alloc(a, (size_t)JUDGE_REASON_CHARS * 4);
	const char *why;

	if (reply.len > JUDGE_REPLY_BYTES)
		return "is far too long";
	if (!judge_is_text(reply))
		return "is not text";
	if (str_trim(reply).len == 0)
		return "is empty";
	why = find_object(reply, &object, &before, &behind);
	if (why)
		return why;
	WIRE_JSON json_t *j = wire_json_parse(object, &error);

	if (!j)
		return "holds an object that is no JSON, or a member twice";
	why = read_object(j, room, v);
	if (!why
		&& (is_contradicted(before, v->said)
			|| is_contradicted(behind, v->said)))
		return "says two things";
	return why;
}

void
judge_verdict_read(struct arena *a, struct str reply, struct judge_verdict *ret)
{
	struct judge_verdict v = {0};

	v.failure = read_reply(a, reply, &v);
	if (v.failure)
		v = (struct judge_verdict){.failure = v.failure};
	*ret = v;
}
