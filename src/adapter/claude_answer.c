/*
 * What Claude Code understands: one line of JSON with exactly the keys that it
 * accepts, and nothing else.
 */

#include "adapter/adapter_priv.h"

/* Text fields are cut by the agent at 10,000 characters. */
enum { TEXT_MAX = 9000 };

static struct str
cut_text(struct arena *a, struct str s)
{
	size_t n = TEXT_MAX;

	if (s.len <= TEXT_MAX)
		return s;
	while (n > 0 && ((unsigned char)s.ptr[n] & 0xc0) == 0x80)
		n--;
	return arena_fmt(a, "%.*s ... (cut)", (int)n, s.ptr);
}

/* A person's words are given as a person's, a machine's as assent's. */
static struct str
refusal(struct arena *a, const struct adapter_reply *reply)
{
	struct str note = str_trim(reply->note);
	bool user = reply->source == ADAPTER_SOURCE_USER
		&& reply->verdict == CALL_VERDICT_DENY;

	if (user && note.len > 0)
		return cut_text(a,
			arena_fmt(a, "The user rejected this tool call with feedback: %.*s",
				STR_ARG(note)));
	if (user)
		return STR("The user rejected this tool call.");
	return cut_text(
		a, arena_fmt(a, "assent: %.*s", STR_ARG(adapter_reason(a, reply))));
}

/* Only a person's note is delivered; "" would be shown, so none is absent. */
static struct str
approval(struct arena *a, const struct adapter_reply *reply)
{
	struct str note = str_trim(reply->note);

	if (reply->source != ADAPTER_SOURCE_USER || note.len == 0)
		return (struct str){0};
	return cut_text(a,
		arena_fmt(a, "User approved this tool call with feedback: %.*s",
			STR_ARG(note)));
}

/* {"hookSpecificOutput":{"hookEventName":EVENT, pairs...}} and a line feed. */
static struct adapter_answer
specific(struct arena *a, const struct adapter_event *event,
	const struct adapter_pair *pairs, size_t count)
{
	struct adapter_pair all[4] = {
		{"hookEventName", str_from(event->name), false}
    };

	CHECK(count < ARRAY_LEN(all));
	for (size_t i = 0; i < count; i++)
		all[i + 1] = pairs[i];
	struct adapter_pair outer = {
		"hookSpecificOutput", adapter_object(a, all, count + 1), true};

	return (struct adapter_answer){
		.out = arena_fmt(a, "%.*s\n", STR_ARG(adapter_object(a, &outer, 1))),
	};
}

static struct adapter_answer
answer_call(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply)
{
	bool allow = reply->verdict == CALL_VERDICT_ALLOW;
	bool ask = reply->verdict == CALL_VERDICT_ASK && event->asks;
	const char *decision = allow ? "allow" : ask ? "ask" : "deny";
	struct adapter_pair pairs[] = {
		{"permissionDecision",       str_from(decision), false},
		{"permissionDecisionReason", {0},                false},
		{"additionalContext",        {0},                false},
	};

	if (!allow)
		pairs[1].text = refusal(a, reply);
	else if (event->note == ADAPTER_NOTE_HERE)
		pairs[2].text = approval(a, reply);
	return specific(a, event, pairs, ARRAY_LEN(pairs));
}

static struct adapter_answer
answer_approval(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply)
{
	bool allow = reply->verdict == CALL_VERDICT_ALLOW;
	struct adapter_pair decision[] = {
		{"behavior", allow ? STR("allow") : STR("deny"), false},
		{"message",  {0},								false},
	};

	if (reply->verdict == CALL_VERDICT_ASK && event->asks)
		return (struct adapter_answer){0}; /* the prompt is opened by itself */
	if (!allow)
		decision[1].text = refusal(a, reply);
	struct adapter_pair pair = {
		"decision", adapter_object(a, decision, ARRAY_LEN(decision)), true};

	return specific(a, event, &pair, 1);
}

static struct adapter_answer
answer_note(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply)
{
	struct adapter_pair pair = {"additionalContext", approval(a, reply), false};

	return pair.text.ptr ? specific(a, event, &pair, 1)
						 : (struct adapter_answer){0};
}

void
adapter_claude_encode(struct arena *a, const struct adapter_event *event,
	const struct adapter_reply *reply, struct adapter_answer *ret)
{
	if (event->yields && reply->verdict == CALL_VERDICT_ALLOW) {
		*ret = (struct adapter_answer){0};
		return;
	}
	switch (event->meaning) {
	case ADAPTER_CALL:
		*ret = answer_call(a, event, reply);
		break;
	case ADAPTER_APPROVAL:
		*ret = answer_approval(a, event, reply);
		break;
	case ADAPTER_RESULT:
	case ADAPTER_FAILURE:
		*ret = answer_note(a, event, reply);
		break;
	case ADAPTER_UNKNOWN:
	case ADAPTER_PROMPT:
	case ADAPTER_SESSION_START:
	case ADAPTER_SESSION_END:
	case ADAPTER_SUBAGENT_START:
	case ADAPTER_SUBAGENT_END:
	case ADAPTER_OUTCOME:
	case ADAPTER_NEUTRAL:
	case ADAPTER_MEANING_COUNT:
		break; /* the row's own, which is neutral */
	}
}
