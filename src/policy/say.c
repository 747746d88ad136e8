#include "policy/policy_priv.h"

/*
 * What all the rules together say of a call. In a layer the last line that
 * matches has its say; between ordinary layers the later one; a deny of any
 * layer stays, and constraint layers can only tighten.
 */

/* A layer's say of one unit. */
struct say {
	enum call_verdict verdict; /* NONE: nothing */
	const struct policy_rule *rule;
	bool maybe; /* ask, because it might be an ask or a deny */
};

/* The units of a call one by one: each command, then each effect. */
static bool
unit_at(struct policy_subject s, size_t n, struct policy_unit *ret)
{
	const struct call_facts *f = s.facts;
	bool is_shell = s.call->tool == CALL_TOOL_SHELL;
	size_t bases = f->command_count + (is_shell ? 0 : 1);

	*ret = (struct policy_unit){NULL, NULL};
	if (n < f->command_count) {
		ret->command = &f->commands[n];
		return true;
	}
	if (n < bases)
		return true; /* the call by itself */
	if (n - bases >= f->effect_count)
		return false;
	ret->effect = &f->effects[n - bases];
	if (ret->effect->command < f->command_count)
		ret->command = &f->commands[ret->effect->command];
	return true;
}

/* The rule cannot match, as is seen without reading any text. */
static bool
is_passed_over(const struct policy_rule *r, const struct call_effect *e)
{
	if (!e)
		return r->on_effects;
	return (r->effects != 0 && (r->effects >> e->kind & 1) == 0)
		|| (r->scopes != 0 && (r->scopes >> e->scope & 1) == 0);
}

static struct say
say_of(const struct policy *p, enum policy_layer layer, struct policy_subject s,
	struct policy_unit u)
{
	for (size_t i = p->rule_counts[layer]; i > 0; i--) {
		const struct policy_rule *r = &p->rules[layer][i - 1];
		enum policy_match m = POLICY_MATCH_NO;

		if (is_passed_over(r, u.effect))
			continue;
		if (r->verdict == CALL_VERDICT_ALLOW)
			m = policy_rule_covers(r, s, u) ? POLICY_MATCH_YES : m;
		else
			m = policy_rule_tightens(r, s, u);
		if (m == POLICY_MATCH_YES)
			return (struct say){r->verdict, r, false};
		if (m == POLICY_MATCH_MAYBE)
			return (struct say){CALL_VERDICT_ASK, r, true};
	}
	return (struct say){CALL_VERDICT_NONE, NULL, false};
}

/* Whose ask no grant lifts. */
static bool
is_constraint(enum policy_layer layer)
{
	return layer == POLICY_LAYER_WORKSPACE || layer == POLICY_LAYER_CEILING
		|| layer == POLICY_LAYER_WORKSPACE_TRUSTED
		|| layer == POLICY_LAYER_ENFORCED;
}

/* The say of the ordinary layers from first on: the latest that has one. What a
 * trusted workspace asks or denies is a constraint, not heard here. */
static struct say
ordinary_say(const struct policy *p, enum policy_layer first,
	struct policy_subject s, struct policy_unit u)
{
	for (unsigned layer = POLICY_LAYER_ENFORCED + 1; layer > first; layer--) {
		enum policy_layer l = (enum policy_layer)(layer - 1);
		struct say one = say_of(p, l, s, u);

		if (one.verdict == CALL_VERDICT_NONE
			|| (l == POLICY_LAYER_WORKSPACE_TRUSTED
				&& one.verdict != CALL_VERDICT_ALLOW))
			continue;
		return one;
	}
	return (struct say){CALL_VERDICT_NONE, NULL, false};
}

static struct str
what_of(struct arena *a, struct policy_subject s, struct policy_unit u)
{
	struct str all = STR("");

	if (u.effect)
		return u.effect->resource;
	if (!u.command && s.call->mcp_tool.ptr)
		return arena_fmt(
			a, "%.*s %.*s", STR_ARG(s.call->server), STR_ARG(s.call->mcp_tool));
	if (!u.command)
		return s.call->tool_name;
	for (size_t i = 0; i < u.command->word_count; i++)
		all = arena_fmt(a, "%.*s%s%.*s", STR_ARG(all), i > 0 ? " " : "",
			STR_ARG(u.command->words[i].text));
	return all;
}

static struct policy_hit
hit_of(struct arena *a, struct policy_subject s, struct policy_unit u,
	struct say say)
{
	const struct policy_rule *r = say.rule;

	return (struct policy_hit){
		.verdict = say.verdict,
		.layer = r->layer,
		.rule = arena_fmt(a, "%.*s:%u", STR_ARG(r->file), r->line),
		.what = what_of(a, s, u),
		.constraint = say.verdict == CALL_VERDICT_ASK
			&& (say.maybe || is_constraint(r->layer)),
	};
}

struct policy_hit
policy_denies(const struct policy *p, struct arena *a, struct policy_subject s)
{
	for (unsigned layer = POLICY_LAYER_COUNT; layer > 0; layer--) {
		struct policy_unit u;

		if (!p->denies[layer - 1])
			continue;
		for (size_t n = 0; unit_at(s, n, &u); n++) {
			struct say one = say_of(p, (enum policy_layer)(layer - 1), s, u);

			if (one.verdict == CALL_VERDICT_DENY)
				return hit_of(a, s, u, one);
		}
	}
	return (struct policy_hit){.verdict = CALL_VERDICT_NONE};
}

/* The ask that a unit gets, of constraint layers first; or nothing. */
static struct say
ask_of(const struct policy *p, struct policy_subject s, struct policy_unit u)
{
	static const enum policy_layer constraints[] = {POLICY_LAYER_CEILING,
		POLICY_LAYER_WORKSPACE, POLICY_LAYER_WORKSPACE_TRUSTED};
	struct say one;

	for (size_t i = 0; i < ARRAY_LEN(constraints); i++) {
		one = say_of(p, constraints[i], s, u);
		if (one.verdict == CALL_VERDICT_ASK)
			return one;
	}
	one = ordinary_say(p, POLICY_LAYER_WORKSPACE_TRUSTED, s, u);
	if (one.verdict == CALL_VERDICT_ASK)
		return one;
	return (struct say){CALL_VERDICT_NONE, NULL, false};
}

struct policy_hit
policy_asks(const struct policy *p, struct arena *a, struct policy_subject s)
{
	struct policy_hit found = {.verdict = CALL_VERDICT_NONE};
	struct policy_unit u;

	for (size_t n = 0; unit_at(s, n, &u) && !found.constraint; n++) {
		struct say one = ask_of(p, s, u);
		struct policy_hit hit;

		if (one.verdict == CALL_VERDICT_NONE)
			continue;
		hit = hit_of(a, s, u, one);
		if (found.verdict == CALL_VERDICT_NONE || hit.constraint)
			found = hit;
	}
	return found;
}

/* --- allow ---------------------------------------------------------------------------- */

/* A unit that no rule covers: does it need no leave of anybody? */
static bool
unit_is_safe(
	const struct policy *p, struct policy_subject s, struct policy_unit u)
{
	if (u.effect)
		return policy_effect_is_safe(p, u.effect, s);
	if (!u.command)
		return s.call->tool != CALL_TOOL_MCP && s.call->tool != CALL_TOOL_AGENT
			&& s.call->tool != CALL_TOOL_OTHER;
	return u.command->ignorance == 0 && !u.command->is_privilege
		&& !u.command->assigns;
}

/* A unit that rule r covers: is all of it something that a rule may cover? */
static bool
cover_suffices(
	const struct policy_rule *r, struct policy_subject s, struct policy_unit u)
{
	unsigned ignorance = u.command ? u.command->ignorance : s.facts->ignorance;

	if (u.effect)
		return true;
	if (u.command && u.command->assigns)
		return false;
	if (ignorance == 0)
		return true;
	return ignorance == CALL_UNKNOWN && r->layer != POLICY_LAYER_BUILTIN
		&& policy_rule_names(r, s, u);
}

/* Rules cannot make good what is missing or dangerous as a whole. */
static bool
may_be_allowed(struct policy_subject s)
{
	const struct call_facts *f = s.facts;
	unsigned known = 0;

	if (f->hazard_count > 0 || f->need_count > 0 || s.call->malformed
		|| (f->ignorance & ~(unsigned)CALL_UNKNOWN) != 0)
		return false;
	if (f->ignorance == 0 || s.call->tool != CALL_TOOL_SHELL)
		return true;
	for (size_t i = 0; i < f->command_count; i++)
		known |= f->commands[i].ignorance;
	return known == CALL_UNKNOWN; /* it is some command's own */
}

/* What a unit is allowed by: a rule, or NONE. Where rules that people wrote have
 * no say, or only ask, a grant may cover it. */
static struct say
cover_of(const struct policy *p, struct policy_subject s, struct policy_unit u,
	enum policy_layer first, const struct policy_cover *grants)
{
	struct say one = ordinary_say(p, first, s, u);

	if (one.verdict == CALL_VERDICT_ALLOW && cover_suffices(one.rule, s, u))
		return one;
	for (size_t i = 0; i < grants->count; i++) {
		const struct policy_rule *r = &grants->rules[i];

		if (policy_rule_covers(r, s, u) && cover_suffices(r, s, u)
			&& !(u.command && policy_grant_excludes(u.command)))
			return (struct say){CALL_VERDICT_ALLOW, r, false};
	}
	return (struct say){CALL_VERDICT_NONE, NULL, false};
}

struct policy_hit
policy_cover_all(const struct policy *p, struct arena *a,
	struct policy_subject s, const struct policy_cover *cover)
{
	struct policy_hit found = {.verdict = CALL_VERDICT_NONE};
	const struct policy_hit nothing = found;
	/* an incomplete call is allowed by what people wrote, or not at all */
	enum policy_layer first = cover->builtin && s.facts->ignorance == 0
		? POLICY_LAYER_BUILTIN
		: POLICY_LAYER_WORKSPACE_TRUSTED;
	struct policy_unit u;

	if (!may_be_allowed(s))
		return nothing;
	for (size_t n = 0; unit_at(s, n, &u); n++) {
		struct say one = cover_of(p, s, u, first, cover);
		struct policy_hit hit;

		if (one.verdict != CALL_VERDICT_ALLOW) {
			if (!unit_is_safe(p, s, u))
				return nothing;
			continue;
		}
		if (u.effect && policy_effect_is_safe(p, u.effect, s))
			continue; /* it would pass without the rule */
		hit = hit_of(a, s, u, one);
		if (found.verdict == CALL_VERDICT_NONE || hit.layer > found.layer)
			found = hit;
	}
	return found;
}

struct policy_hit
policy_allows(const struct policy *p, struct arena *a, struct policy_subject s,
	bool builtin)
{
	return policy_cover_all(
		p, a, s, &(struct policy_cover){.builtin = builtin});
}
