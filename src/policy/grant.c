#include "policy/policy_priv.h"

/*
 * Grants as rules: a pattern that a person answered "always" to covers what an
 * allow rule with it would, but for programs that run other things. It names one
 * program, one server, one place or one site: what begins with a star is none.
 */

bool
policy_grant_excludes(const struct call_command *c)
{
	return c->is_interpreter || c->is_wrapper || c->is_privilege;
}

static bool
has_star(struct str s)
{
	return str_has_char(s, '*') || str_has_char(s, '?')
		|| str_has_char(s, '\\');
}

/* "docs.example.org", "*.example.org"; never a star alone, or "*.org". */
static bool
host_parse(struct arena *a, struct str pattern, struct policy_rule *r)
{
	struct str name = str_starts(pattern, STR("*."))
		? str_sub(pattern, 2, pattern.len)
		: pattern;

	r->texts[POLICY_TEXT_HOST] = pattern;
	return !has_star(name) && str_has_char(name, '.')
		&& !str_has_char(name, '/') && !str_has_char(name, ':')
		&& policy_glob_parse(
			a, POLICY_GLOB_WORD, pattern, &r->globs[POLICY_TEXT_HOST]);
}

/* Not from the top or the whole home down. */
static bool
path_parse(struct arena *a, struct str pattern, struct policy_rule *r)
{
	struct str first, rest;

	r->texts[POLICY_TEXT_PATH] = pattern;
	if (str_starts(pattern, STR("/")) || str_starts(pattern, STR("~/"))) {
		rest =
			str_sub(pattern, str_find(pattern, STR("/"), 0) + 1, pattern.len);
		first = str_cut(rest, '/', &rest);
		if (first.len == 0 || has_star(first))
			return false;
	}
	return policy_path_parse(a, pattern, &r->path) == NULL;
}

/* "server/tool", the tool with stars. */
static bool
mcp_parse(struct arena *a, struct str pattern, struct policy_rule *r)
{
	struct str tool;
	struct str server = str_cut(pattern, '/', &tool);

	r->texts[POLICY_TEXT_SERVER] = server;
	r->texts[POLICY_TEXT_TOOL] = tool;
	return tool.len > 0 && !has_star(server)
		&& policy_glob_parse(
			a, POLICY_GLOB_WORD, server, &r->globs[POLICY_TEXT_SERVER])
		&& policy_glob_parse(
			a, POLICY_GLOB_WORD, tool, &r->globs[POLICY_TEXT_TOOL]);
}

/* False for a pattern that cannot be read as what the tool takes. */
static bool
rule_parse(struct arena *a, enum call_tool tool, struct str pattern,
	struct policy_rule *r)
{
	*r = (struct policy_rule){
		.verdict = CALL_VERDICT_ALLOW,
		.tool = tool,
		.layer = POLICY_LAYER_USER,
		.file = STR("grant"),
	};
	switch (tool) {
	case CALL_TOOL_SHELL:
		r->has_words = true;
		r->texts[POLICY_TEXT_WORDS] = pattern;
		/* a star in the place of the program names none */
		return policy_words_parse(a, pattern, &r->words) == NULL
			&& r->words.count > 0 && r->words.list[0].literal;
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
		return path_parse(a, pattern, r);
	case CALL_TOOL_MCP:
		return mcp_parse(a, pattern, r);
	case CALL_TOOL_FETCH:
		return host_parse(a, pattern, r);
	case CALL_TOOL_NONE:
	case CALL_TOOL_WEB_SEARCH:
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
	case CALL_TOOL_COUNT:
		break;
	}
	return false;
}

struct policy_hit
policy_granted(const struct policy *p, struct arena *a, struct policy_subject s,
	const struct policy_patterns *patterns)
{
	struct policy_rule *rules =
		ARENA_ARRAY(a, patterns->count + 1, struct policy_rule);
	struct policy_cover cover = {.builtin = patterns->builtin, .rules = rules};

	for (size_t i = 0; i < patterns->count; i++) {
		struct policy_rule *r = &rules[cover.count];

		if (rule_parse(a, s.call->tool, patterns->list[i], r)) {
			r->line = (unsigned)i + 1;
			policy_rule_prepare(r);
			cover.count++;
		}
	}
	if (cover.count == 0)
		return (struct policy_hit){.verdict = CALL_VERDICT_NONE};
	return policy_cover_all(p, a, s, &cover);
}
