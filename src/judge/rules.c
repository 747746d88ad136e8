/*
 * What people answered earlier, as rules for a model (DESIGN 3): the newest
 * intent for a thing wins, newest first, at most JUDGE_RULES.
 */

#include "judge/judge_priv.h"

static const char preamble[] =
	"What the user answered to earlier calls, newest first. These rules are "
	"intent, not blank cheques: a rule counts only for a call that it matches "
	"directly (the same action on the same or a plainly covered resource), a "
	"rejection as much as an approval. No rule ever approves a dangerous "
	"operation.";

/* A rule in the running, and whether it is out of it. */
struct candidate {
	const struct judge_rule *rule;
	size_t index; /* the later of equals wins */
	bool out;
};

static bool
is_grant(const struct judge_rule *r)
{
	return r->reply == CALL_REPLY_NONE;
}

/* What grants and always-approvals have in common: they yield to rejections. */
static bool
is_lasting(const struct judge_rule *r)
{
	return is_grant(r) || r->reply == CALL_REPLY_ALWAYS;
}

static bool
has_note(const struct judge_rule *r)
{
	return str_trim(r->note).len > 0;
}

/* A bare "once" is no intent beyond its call. A bare rejection is one against
 * what was approved before, although it has no line. */
static bool
is_intent(const struct judge_context *c, const struct judge_rule *r)
{
	if (r->hidden)
		return false;
	if (is_grant(r))
		return true;
	if (r->source != JUDGE_SOURCE_USER)
		return false;
	if (!str_eq(r->session, c->session)
		&& !(
			c->parent_session.len > 0 && str_eq(r->session, c->parent_session)))
		return false;
	return r->reply != CALL_REPLY_ONCE || has_note(r);
}

static bool
has_line(const struct judge_rule *r)
{
	return r->reply != CALL_REPLY_REJECT || has_note(r);
}

static bool
is_newer(const struct candidate *a, const struct candidate *b)
{
	if (a->rule->time_ms != b->rule->time_ms)
		return a->rule->time_ms > b->rule->time_ms;
	if (a->rule->sequence != b->rule->sequence)
		return a->rule->sequence > b->rule->sequence;
	return a->index > b->index;
}

static bool
is_about_the_same(const struct judge_rule *a, const struct judge_rule *b)
{
	if (!str_eq_fold(a->action, b->action)
		|| a->resource_count != b->resource_count)
		return false;
	for (size_t i = 0; i < a->resource_count; i++) {
		if (!str_eq(a->resources[i], b->resources[i]))
			return false;
	}
	return true;
}

/* Newest first. */
static void
sort(struct candidate *list, size_t count)
{
	for (size_t gap = count / 2; gap > 0; gap /= 2) {
		for (size_t i = gap; i < count; i++) {
			struct candidate c = list[i];
			size_t j = i;

			for (; j >= gap && is_newer(&c, &list[j - gap]); j -= gap)
				list[j] = list[j - gap];
			list[j] = c;
		}
	}
}

static uint64_t
key_of(const struct judge_rule *r)
{
	uint64_t h = 14695981039346656037U;

	for (size_t i = 0; i < r->resource_count; i++) {
		for (size_t j = 0; j < r->resources[i].len; j++)
			h = (h ^ (unsigned char)r->resources[i].ptr[j]) * 1099511628211U;
		h = (h ^ 0x1ff) * 1099511628211U;
	}
	return h;
}

/* Of rules about the same thing only the newest stays. The list is sorted. */
static void
drop_older(struct arena *a, struct candidate *list, size_t count)
{
	size_t slots = 16;

	while (slots < count * 2)
		slots *= 2;
	const struct judge_rule **seen =
		ARENA_ARRAY(a, slots, const struct judge_rule *);

	for (size_t i = 0; i < count; i++) {
		size_t at = (size_t)key_of(list[i].rule) & (slots - 1);

		while (seen[at] && !is_about_the_same(seen[at], list[i].rule))
			at = (at + 1) & (slots - 1);
		if (seen[at])
			list[i].out = true;
		else
			seen[at] = list[i].rule;
		list[i].out |= !has_line(list[i].rule);
	}
}

static size_t
pack(struct candidate *list, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!list[i].out)
			list[n++] = list[i];
	}
	return n;
}

/* The newest, but what lasts makes room for rejections. */
static size_t
choose(struct candidate *list, size_t count)
{
	size_t kept = count < JUDGE_RULES ? count : JUDGE_RULES, yields = kept;

	for (size_t i = kept; i < count; i++) {
		list[i].out = true;
		if (list[i].rule->reply != CALL_REPLY_REJECT)
			continue;
		while (yields > 0 && !is_lasting(list[yields - 1].rule))
			yields--;
		if (yields == 0)
			continue;
		list[--yields].out = true;
		list[i].out = false;
	}
	return pack(list, count);
}

/* --- lines ---------------------------------------------------------------------- */

static const char *
opening(const struct judge_rule *r)
{
	switch (r->reply) {
	case CALL_REPLY_NONE:
		return "Persistent grant: ";
	case CALL_REPLY_ONCE:
		return "User approved ";
	case CALL_REPLY_ALWAYS:
		return "Always approved: ";
	case CALL_REPLY_REJECT:
		return "User rejected ";
	case CALL_REPLY_COUNT:
		break;
	}
	base_bug(__FILE__, __LINE__, "reply");
}

/* An approval of something that cannot be shown would approve anything. */
static void
print_rule(struct buf *b, const struct judge_rule *r)
{
	size_t before = b->len;

	buf_add(b, STR("- "));
	buf_add(b, str_from(opening(r)));
	judge_add_action(b, r->action);
	buf_add(b, STR(" on "));
	if (!judge_add_resources(b, r->action, r->resources, r->resource_count)
		&& r->reply != CALL_REPLY_REJECT) {
		b->len = before;
		return;
	}
	if (has_note(r) && !is_grant(r)) {
		buf_add(
			b, r->reply == CALL_REPLY_REJECT ? STR(": ") : STR(" with note: "));
		judge_add_text(
			b, str_trim(r->note), JUDGE_TEXT_CHARS, JUDGE_TEXT_PROSE);
	}
	buf_add_char(b, '\n');
}

void
judge_rules_choose(
	struct arena *a, const struct judge_context *c, struct judge_chosen *ret)
{
	struct candidate *list = ARENA_ARRAY(a, c->rule_count, struct candidate);
	size_t count = 0;

	for (size_t i = 0; i < c->rule_count; i++) {
		if (is_intent(c, &c->rules[i]))
			list[count++] = (struct candidate){&c->rules[i], i, false};
	}
	sort(list, count);
	drop_older(a, list, count);
	*ret = (struct judge_chosen){.count = choose(list, pack(list, count))};
	for (size_t i = 0; i < ret->count; i++)
		ret->list[i] = list[i].rule;
}

void
judge_rules_print(struct buf *b, const struct judge_chosen *rules)
{
	buf_add(b, STR("<user_rules>\n"));
	buf_add(b, str_from(preamble));
	buf_add_char(b, '\n');
	for (size_t i = 0; i < rules->count; i++)
		print_rule(b, rules->list[i]);
	buf_add(b, STR("</user_rules>\n"));
}
