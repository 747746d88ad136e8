#include "policy/policy_priv.h"

/*
 * What a rule can match, a row each: which tools have it, what it wants, and
 * how it is read.
 */

#define BIT(n)     (1u << (n))
#define TOOL(name) BIT(CALL_TOOL_##name)
#define ALL_TOOLS  (BIT(CALL_TOOL_COUNT) - 1)
#define FILE_TOOLS                                                       \
	(TOOL(READ) | TOOL(WRITE) | TOOL(EDIT) | TOOL(DELETE) | TOOL(SEARCH) \
		| TOOL(LIST))

struct matcher {
	const char *name;
	unsigned tools;
	enum policy_text text; /* COUNT: takes none, or words of a list */
	const char *wants;
	bool (*parse)(struct policy_reading *st, const struct matcher *m);
};

/* A text that stands once in a rule. */
static bool
take_text(struct policy_reading *st, const struct matcher *m, struct str *ret)
{
	struct policy_token t = {.quoted = false};
	struct str *kept = &st->s.rule.texts[m->text];

	if (kept->ptr)
		return policy_reading_fault_at(st, st->at - 1,
			arena_fmt(st->r->a, "%s stands twice in this rule", m->name),
			"write two rules");
	if (!policy_reading_take(st, m->wants, &t))
		return false;
	if (t.text.len == 0)
		return policy_reading_fault_at(
			st, st->at - 1, arena_fmt(st->r->a, "%s is empty", m->wants), NULL);
	*kept = arena_dup(st->r->a, t.text);
	*ret = *kept;
	return true;
}

static bool
parse_glob(struct policy_reading *st, const struct matcher *m)
{
	struct str text = {NULL, 0};

	if (!take_text(st, m, &text))
		return false;
	if (!policy_glob_parse(
			st->r->a, POLICY_GLOB_WORD, text, &st->s.rule.globs[m->text]))
		return policy_reading_fault(st, st->at - 1, "this pattern is too long",
			"at most 254 characters");
	return true;
}

static bool
parse_path(struct policy_reading *st, const struct matcher *m)
{
	struct str text = {NULL, 0};
	const char *why = NULL;

	if (!take_text(st, m, &text))
		return false;
	why = policy_path_parse(st->r->a, text, &st->s.rule.path);
	return why ? policy_reading_fault(st, st->at - 1, why, NULL) : true;
}

static bool
parse_words(struct policy_reading *st, const struct matcher *m)
{
	struct str text = {NULL, 0};
	const char *why = NULL;

	if (!take_text(st, m, &text))
		return false;
	st->s.rule.has_words = true;
	why = policy_words_parse(st->r->a, text, &st->s.rule.words);
	return why ? policy_reading_fault(st, st->at - 1, why, NULL) : true;
}

static bool
parse_effect(struct policy_reading *st, const struct matcher *m)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_EFFECTS(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_effect_kind kind = CALL_EFFECT_NONE;

	if (!policy_reading_take(st, m->wants, &t))
		return false;
	if (!call_effect_from(t.text, &kind))
		return policy_reading_unknown(
			st, st->at - 1, "an effect", names + 1, ARRAY_LEN(names) - 1);
	st->s.rule.effects |= BIT(kind);
	return true;
}

static bool
parse_scope(struct policy_reading *st, const struct matcher *m)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_SCOPES(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_scope scope = CALL_SCOPE_UNKNOWN;

	if (!policy_reading_take(st, m->wants, &t))
		return false;
	if (!call_scope_from(t.text, &scope))
		return policy_reading_unknown(
			st, st->at - 1, "a scope", names, ARRAY_LEN(names));
	st->s.rule.scopes |= BIT(scope);
	return true;
}

static bool
parse_trusted(struct policy_reading *st, const struct matcher *m)
{
	(void)m;
	st->s.rule.trusted = true;
	return true;
}

static bool
parse_recoverable(struct policy_reading *st, const struct matcher *m)
{
	(void)m;
	st->s.rule.recoverable = true;
	return true;
}

static const struct matcher words_matcher = {
	"the command", TOOL(SHELL), POLICY_TEXT_WORDS, "a command", parse_words};

#define NAMED      (TOOL(NONE) | TOOL(MCP) | TOOL(AGENT) | TOOL(OTHER))
#define HOSTS      (TOOL(NONE) | TOOL(SHELL) | TOOL(FETCH) | TOOL(MCP) | TOOL(OTHER))
#define PATHS      (ALL_TOOLS & ~TOOL(FETCH) & ~TOOL(WEB_SEARCH))
#define TEXT(name) POLICY_TEXT_##name

/* clang-format off */
static const struct matcher matchers[] = {
	{"path", PATHS, TEXT(PATH), "a path pattern", parse_path},
	{"host", HOSTS, TEXT(HOST), "a host pattern", parse_glob},
	{"server", TOOL(NONE) | TOOL(MCP), TEXT(SERVER), "a server's name", parse_glob},
	{"tool", NAMED, TEXT(TOOL), "a tool's name", parse_glob},
	{"program", TOOL(NONE) | TOOL(SHELL), TEXT(PROGRAM), "a program's name", parse_glob},
	{"agent", ALL_TOOLS, TEXT(AGENT), "an agent's name", parse_glob},
	{"role", ALL_TOOLS, TEXT(ROLE), "a subagent's name", parse_glob},
	{"effect", ALL_TOOLS, TEXT(COUNT), "an effect", parse_effect},
	{"scope", ALL_TOOLS, TEXT(COUNT), "a scope", parse_scope},
	{"trusted", TOOL(NONE) | TOOL(MCP), TEXT(COUNT), "", parse_trusted},
	{"recoverable", ALL_TOOLS, TEXT(COUNT), "", parse_recoverable},
};
/* clang-format on */

/* The first matcher that the tool has, as the suggestion for a bare pattern. */
static const char *
pattern_hint(enum call_tool tool)
{
	if ((BIT(tool) & FILE_TOOLS) != 0)
		return "write: path \"...\"";
	if (tool == CALL_TOOL_FETCH)
		return "write: host \"...\"";
	if (tool == CALL_TOOL_MCP)
		return "write: server NAME, or: tool \"...\"";
	return "say what it is: path, host, program, ...";
}

bool
policy_matcher_parse(struct policy_reading *st)
{
	const char *names[ARRAY_LEN(matchers)];
	const struct policy_token *t = &st->line->tokens[st->at++];
	enum call_tool tool = st->s.rule.tool;

	if (t->quoted) {
		if (tool != CALL_TOOL_SHELL)
			return policy_reading_fault(st, st->at - 1,
				"a command pattern stands only in a shell rule",
				pattern_hint(tool));
		st->at--;
		return parse_words(st, &words_matcher);
	}
	for (size_t i = 0; i < ARRAY_LEN(matchers); i++) {
		const struct matcher *m = &matchers[i];

		names[i] = m->name;
		if (!str_eq(t->text, str_from(m->name)))
			continue;
		if ((m->tools & BIT(tool)) == 0)
			return policy_reading_fault_at(st, st->at - 1,
				arena_fmt(st->r->a, "a %s rule has no \"%s\"",
					call_tool_name(tool), m->name),
				NULL);
		return m->parse(st, m);
	}
	if (tool == CALL_TOOL_SHELL
		&& !policy_nearest(t->text, names, ARRAY_LEN(names)))
		return policy_reading_fault(st, st->at - 1,
			"a command pattern stands in quotes",
			"put it all in double quotes: \"npm test *\"");
	return policy_reading_unknown(
		st, st->at - 1, "something a rule can match", names, ARRAY_LEN(names));
}

bool
policy_tool_parse(struct policy_reading *st)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_TOOLS(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_tool *tool = &st->s.rule.tool;
	const char *list[ARRAY_LEN(names)];

	if (!policy_reading_take(st, "a tool", &t))
		return false;
	if (str_eq(t.text, STR("any")) || str_eq(t.text, STR("*")))
		return true;
	if (!t.quoted && call_tool_from(t.text, tool))
		return true;
	list[0] = "any";
	for (size_t i = 1; i < ARRAY_LEN(names); i++)
		list[i] = names[i];
	return policy_reading_unknown(
		st, st->at - 1, "a tool", list, ARRAY_LEN(list));
}
