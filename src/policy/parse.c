#include "policy/policy_priv.h"

/*
 * Words into statements (DESIGN 10). Statements, tools and matchers are rows;
 * every fault names line, column, what was wrong and what would be right.
 */

#define BIT(n)     (1u << (n))
#define TOOL(name) BIT(CALL_TOOL_##name)
#define ALL_TOOLS  (BIT(CALL_TOOL_COUNT) - 1)
#define FILE_TOOLS                                                       \
	(TOOL(READ) | TOOL(WRITE) | TOOL(EDIT) | TOOL(DELETE) | TOOL(SEARCH) \
		| TOOL(LIST))

/* What a layer's file may hold. */
enum {
	MAY_ALLOW = 1 << 0,
	MAY_TIGHTEN = 1 << 1,
	MAY_SENSITIVE = 1 << 2,
	MAY_INSTRUCT_ALLOW = 1 << 3,
	MAY_INSTRUCT_BLOCK = 1 << 4,
	MAY_SET = 1 << 5,
	MAY_ALL = (1 << 6) - 1,
};

static const struct {
	unsigned may;
	const char *whose;
} layers[POLICY_LAYER_COUNT] = {
	[POLICY_LAYER_BUILTIN] = {MAY_ALLOW | MAY_TIGHTEN | MAY_SENSITIVE,
							  "the built-in rules"												 },
	[POLICY_LAYER_WORKSPACE_TRUSTED] = {MAY_ALL & ~MAY_SET,
							  "the workspace's file"											   },
	[POLICY_LAYER_USER] = {MAY_ALL,                                 "the user's file"           },
	[POLICY_LAYER_PROJECT] = {MAY_ALL,                                 "the project's file"        },
	[POLICY_LAYER_PROFILE] = {MAY_ALL,                                 "an agent's profile"        },
	[POLICY_LAYER_ENFORCED] = {MAY_ALL,                                 "the administrator's file"  },
	[POLICY_LAYER_WORKSPACE] = {MAY_TIGHTEN | MAY_SENSITIVE
			| MAY_INSTRUCT_BLOCK,
							  "the workspace's file"											   },
	[POLICY_LAYER_CEILING] = {MAY_TIGHTEN,                             "a parent session's ceiling"},
};

/* One line being read. */
struct statement {
	struct policy_reader *r;
	const struct policy_line *line;
	size_t at; /* the next word */
	struct policy_statement s;
};

static bool
fault_at(struct statement *st, size_t token, struct str message,
	const char *suggestion)
{
	unsigned column = token < st->line->count ? st->line->tokens[token].column
											  : st->line->end;

	return policy_fault_add(st->r, st->s.line, column, message, suggestion);
}

static bool
fault(struct statement *st, size_t token, const char *message,
	const char *suggestion)
{
	return fault_at(st, token, str_from(message), suggestion);
}

/* A word that is not on the list; suggests the nearest one, or says the list. */
static bool
fault_unknown(struct statement *st, size_t token, const char *what,
	const char *const *words, size_t count)
{
	struct arena *a = st->r->a;
	struct str word = st->line->tokens[token].text;
	const char *near = policy_nearest(word, words, count);
	struct str list = STR("one of:");

	for (size_t i = 0; i < count && !near; i++)
		list = arena_fmt(a, "%.*s %s", STR_ARG(list), words[i]);
	if (near)
		list = arena_fmt(a, "did you mean \"%s\"?", near);
	return fault_at(st, token,
		arena_fmt(a, "\"%.*s\" is not %s", STR_ARG(str_sub(word, 0, 40)), what),
		list.ptr);
}

/* The next word, which must be there. */
static bool
take(struct statement *st, const char *what, struct policy_token *ret)
{
	if (st->at == st->line->count)
		return fault_at(
			st, st->at, arena_fmt(st->r->a, "%s is missing", what), NULL);
	*ret = st->line->tokens[st->at++];
	return true;
}

/* --- matchers ----------------------------------------------------------------- */

struct matcher {
	const char *name;
	unsigned tools;
	enum policy_text text; /* COUNT: takes none, or words of a list */
	const char *wants;
	bool (*parse)(struct statement *st, const struct matcher *m);
};

/* A text that stands once in a rule. */
static bool
take_text(struct statement *st, const struct matcher *m, struct str *ret)
{
	struct policy_token t = {.quoted = false};
	struct str *kept = &st->s.rule.texts[m->text];

	if (kept->ptr)
		return fault_at(st, st->at - 1,
			arena_fmt(st->r->a, "%s stands twice in this rule", m->name),
			"write two rules");
	if (!take(st, m->wants, &t))
		return false;
	if (t.text.len == 0)
		return fault_at(
			st, st->at - 1, arena_fmt(st->r->a, "%s is empty", m->wants), NULL);
	*kept = arena_dup(st->r->a, t.text);
	*ret = *kept;
	return true;
}

static bool
parse_glob(struct statement *st, const struct matcher *m)
{
	struct str text;

	if (!take_text(st, m, &text))
		return false;
	if (!policy_glob_parse(
			st->r->a, POLICY_GLOB_WORD, text, &st->s.rule.globs[m->text]))
		return fault(st, st->at - 1, "this pattern is too long",
			"at most 254 characters");
	return true;
}

static bool
parse_path(struct statement *st, const struct matcher *m)
{
	struct str text;
	const char *why = NULL;

	if (!take_text(st, m, &text))
		return false;
	why = policy_path_parse(st->r->a, text, &st->s.rule.path);
	return why ? fault(st, st->at - 1, why, NULL) : true;
}

static bool
parse_words(struct statement *st, const struct matcher *m)
{
	struct str text;
	const char *why = NULL;

	if (!take_text(st, m, &text))
		return false;
	st->s.rule.has_words = true;
	why = policy_words_parse(st->r->a, text, &st->s.rule.words);
	return why ? fault(st, st->at - 1, why, NULL) : true;
}

static bool
parse_effect(struct statement *st, const struct matcher *m)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_EFFECTS(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_effect_kind kind = CALL_EFFECT_NONE;

	if (!take(st, m->wants, &t))
		return false;
	if (!call_effect_from(t.text, &kind))
		return fault_unknown(
			st, st->at - 1, "an effect", names + 1, ARRAY_LEN(names) - 1);
	st->s.rule.effects |= BIT(kind);
	return true;
}

static bool
parse_scope(struct statement *st, const struct matcher *m)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_SCOPES(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_scope scope = CALL_SCOPE_UNKNOWN;

	if (!take(st, m->wants, &t))
		return false;
	if (!call_scope_from(t.text, &scope))
		return fault_unknown(
			st, st->at - 1, "a scope", names, ARRAY_LEN(names));
	st->s.rule.scopes |= BIT(scope);
	return true;
}

static bool
parse_trusted(struct statement *st, const struct matcher *m)
{
	(void)m;
	st->s.rule.trusted = true;
	return true;
}

static bool
parse_recoverable(struct statement *st, const struct matcher *m)
{
	(void)m;
	st->s.rule.recoverable = true;
	return true;
}

static const struct matcher words_matcher = {
	"the command", TOOL(SHELL), POLICY_TEXT_WORDS, "a command", parse_words};

static const struct matcher matchers[] = {
	{"path",        ALL_TOOLS & ~TOOL(FETCH) & ~TOOL(WEB_SEARCH),                     POLICY_TEXT_PATH,
     "a path pattern",																										  parse_path       },
	{"host",        TOOL(NONE) | TOOL(SHELL) | TOOL(FETCH) | TOOL(MCP) | TOOL(OTHER),
     POLICY_TEXT_HOST,																					 "a host pattern",    parse_glob       },
	{"server",      TOOL(NONE) | TOOL(MCP),										   POLICY_TEXT_SERVER,  "a server's name",
     parse_glob																																  },
	{"tool",        TOOL(NONE) | TOOL(MCP) | TOOL(AGENT) | TOOL(OTHER),
     POLICY_TEXT_TOOL,																					 "a tool's name",     parse_glob       },
	{"program",     TOOL(NONE) | TOOL(SHELL),                                         POLICY_TEXT_PROGRAM,
     "a program's name",																										parse_glob       },
	{"agent",       ALL_TOOLS,														POLICY_TEXT_AGENT,   "an agent's name",   parse_glob       },
	{"role",        ALL_TOOLS,														POLICY_TEXT_ROLE,    "a subagent's name", parse_glob       },
	{"effect",      ALL_TOOLS,														POLICY_TEXT_COUNT,   "an effect",         parse_effect     },
	{"scope",       ALL_TOOLS,														POLICY_TEXT_COUNT,   "a scope",           parse_scope      },
	{"trusted",     TOOL(NONE) | TOOL(MCP),										   POLICY_TEXT_COUNT,   "",                  parse_trusted    },
	{"recoverable", ALL_TOOLS,														POLICY_TEXT_COUNT,   "",                  parse_recoverable},
};

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

static bool
parse_matcher(struct statement *st)
{
	const char *names[ARRAY_LEN(matchers)];
	const struct policy_token *t = &st->line->tokens[st->at++];
	enum call_tool tool = st->s.rule.tool;

	if (t->quoted) {
		if (tool != CALL_TOOL_SHELL)
			return fault(st, st->at - 1,
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
			return fault_at(st, st->at - 1,
				arena_fmt(st->r->a, "a %s rule has no \"%s\"",
					call_tool_name(tool), m->name),
				NULL);
		return m->parse(st, m);
	}
	if (tool == CALL_TOOL_SHELL
		&& !policy_nearest(t->text, names, ARRAY_LEN(names)))
		return fault(st, st->at - 1, "a command pattern stands in quotes",
			"put it all in double quotes: \"npm test *\"");
	return fault_unknown(
		st, st->at - 1, "something a rule can match", names, ARRAY_LEN(names));
}

static bool
parse_tool(struct statement *st)
{
#define X(id, text) text,
	static const char *const names[] = { CALL_TOOLS(X) };
#undef X
	struct policy_token t = {.quoted = false};
	enum call_tool *tool = &st->s.rule.tool;
	const char *list[ARRAY_LEN(names)];

	if (!take(st, "a tool", &t))
		return false;
	if (str_eq(t.text, STR("any")) || str_eq(t.text, STR("*")))
		return true;
	if (!t.quoted && call_tool_from(t.text, tool))
		return true;
	list[0] = "any";
	for (size_t i = 1; i < ARRAY_LEN(names); i++)
		list[i] = names[i];
	return fault_unknown(st, st->at - 1, "a tool", list, ARRAY_LEN(list));
}

/* --- statements ------------------------------------------------------------------ */

static bool
parse_rule(struct statement *st)
{
	if (!call_verdict_from(st->line->tokens[0].text, &st->s.rule.verdict)
		|| !parse_tool(st))
		return false;
	st->s.rule.layer = st->r->layer;
	st->s.rule.file = st->r->file;
	st->s.rule.line = st->s.line;
	while (st->at < st->line->count) {
		if (!parse_matcher(st))
			return false;
	}
	return true;
}

/* The last word of a statement: a text that is not blank. */
static bool
parse_last_text(struct statement *st, const char *what)
{
	struct policy_token t = {.quoted = false};

	if (!take(st, what, &t))
		return false;
	st->s.text = arena_dup(st->r->a, str_trim(t.text));
	if (st->s.text.len == 0)
		return fault_at(
			st, st->at - 1, arena_fmt(st->r->a, "%s is blank", what), NULL);
	if (st->at < st->line->count)
		return fault(st, st->at, "nothing may follow here",
			"put it all in double quotes");
	return true;
}

static bool
parse_sensitive(struct statement *st)
{
	struct policy_marker *m = &st->s.marker;
	const char *why = NULL;

	st->s.kind = POLICY_STATEMENT_SENSITIVE;
	if (!parse_last_text(st, "a marker"))
		return false;
	m->text = st->s.text;
	if (m->text.len > POLICY_MARKER_BYTES_MAX)
		return fault(st, 1, "this marker is too long", "at most 255 bytes");
	if (str_has_char(m->text, '*'))
		why = policy_path_parse(st->r->a, m->text, &m->path);
	return why ? fault(st, 1, why, NULL) : true;
}

static bool
parse_instruct(struct statement *st)
{
	struct policy_token t = {.quoted = false};
	unsigned may = layers[st->r->layer].may;

	st->s.kind = POLICY_STATEMENT_INSTRUCT;
	if (!take(st, "\"allow\" or \"block\"", &t))
		return false;
	st->s.block = str_eq(t.text, STR("block"));
	if (!st->s.block && !str_eq(t.text, STR("allow")))
		return fault(st, 1, "an instruction begins with allow or block",
			"instruct allow \"...\", or: instruct block \"...\"");
	if ((may & (st->s.block ? MAY_INSTRUCT_BLOCK : MAY_INSTRUCT_ALLOW)) == 0)
		return fault_at(st, 1,
			arena_fmt(st->r->a, "%s may not hold this instruction",
				layers[st->r->layer].whose),
			NULL);
	return parse_last_text(st, "the instruction");
}

static bool
parse_set(struct statement *st)
{
	struct arena *a = st->r->a;
	const struct policy_setting *rows = NULL;
	size_t count = policy_settings(&rows);
	const char **names = ARENA_ARRAY(a, count, const char *);
	struct policy_token t = {.quoted = false};
	struct str wants;

	st->s.kind = POLICY_STATEMENT_SET;
	if (!take(st, "a setting's name", &t))
		return false;
	for (size_t i = 0; i < count; i++) {
		names[i] = rows[i].name;
		if (str_eq(t.text, str_from(rows[i].name)))
			st->s.setting = &rows[i];
	}
	if (!st->s.setting)
		return fault_unknown(st, 1, "a setting", names, count);
	if (!policy_setting_may_stand(st->s.setting, st->r->layer))
		return fault_at(st, 1,
			arena_fmt(a, "%s may not set %s", layers[st->r->layer].whose,
				st->s.setting->name),
			st->r->layer == POLICY_LAYER_PROJECT ? "put it into the user's file"
												 : NULL);
	if (!policy_setting_parse(a, st->s.setting, st->line->tokens + 2,
			st->line->count - 2, &st->s.text, &wants))
		return fault_at(st, 2,
			arena_fmt(a, "%s wants %.*s", st->s.setting->name, STR_ARG(wants)),
			NULL);
	return true;
}

static const struct {
	const char *name;
	unsigned needs; /* what the layer must be allowed, 0: seen to later */
	bool (*parse)(struct statement *st);
} statements[] = {
	{"allow",     MAY_ALLOW,     parse_rule     },
	{"ask",       MAY_TIGHTEN,   parse_rule     },
	{"deny",      MAY_TIGHTEN,   parse_rule     },
	{"sensitive", MAY_SENSITIVE, parse_sensitive},
	{"instruct",  0,             parse_instruct },
	{"set",       MAY_SET,       parse_set      },
};

static const char *
why_not(enum policy_layer layer)
{
	if (layer == POLICY_LAYER_WORKSPACE)
		return "a workspace may only tighten: ask, deny, sensitive, instruct "
			   "block (allow after: assent trust)";
	return NULL;
}

static bool
parse_statement(struct statement *st)
{
	const char *names[ARRAY_LEN(statements)];
	const struct policy_token *t = &st->line->tokens[st->at++];

	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		unsigned needs = statements[i].needs;

		names[i] = statements[i].name;
		if (t->quoted || !str_eq(t->text, str_from(names[i])))
			continue;
		if ((layers[st->r->layer].may & needs) != needs)
			return fault_at(st, 0,
				arena_fmt(st->r->a, "%s may not hold \"%s\"",
					layers[st->r->layer].whose, names[i]),
				why_not(st->r->layer));
		return statements[i].parse(st);
	}
	return fault_unknown(st, 0, "a statement", names, ARRAY_LEN(names));
}

bool
policy_fault_add(struct policy_reader *r, unsigned line, unsigned column,
	struct str message, const char *suggestion)
{
	struct policy_faults *f = &r->faults;

	if (!f->list)
		f->list = ARENA_ARRAY(r->a, POLICY_FAULTS_MAX, struct policy_fault);
	if (f->count < POLICY_FAULTS_MAX)
		f->list[f->count++] =
			(struct policy_fault){line, column, message, str_from(suggestion)};
	return false;
}

static void
parse_line(struct policy_reader *r, unsigned number, struct str text)
{
	struct policy_line line;
	struct policy_fault f;
	struct statement st = {.r = r, .line = &line, .s.line = number};

	if (!policy_line_parse(r->a, text, &line, &f)) {
		policy_fault_add(r, number, f.column, f.message, f.suggestion.ptr);
		return;
	}
	if (line.count > 0 && parse_statement(&st))
		r->list[r->count++] = st.s;
}

static size_t
count_lines(struct str text)
{
	struct str rest = text, line;
	size_t n = 0;

	while (str_line(&rest, &line))
		n++;
	return n;
}

bool
policy_file_parse(struct policy_reader *r, struct str text)
{
	struct str rest = text, line;
	size_t count = count_lines(text);

	if (text.len > LIMIT_RULES_BYTES)
		return policy_fault_add(
			r, 1, 1, STR("this file is larger than 1 MiB"), NULL);
	if (count > POLICY_LINES_MAX)
		return policy_fault_add(r, POLICY_LINES_MAX + 1, 1,
			STR("this file has more than 20000 lines"), NULL);
	r->list = ARENA_ARRAY(r->a, count, struct policy_statement);
	if (str_starts(rest, STR("\xEF\xBB\xBF")))
		rest = str_sub(rest, 3, rest.len);
	for (unsigned n = 1; str_line(&rest, &line); n++) {
		if (str_ends(line, STR("\r")))
			line = str_sub(line, 0, line.len - 1);
		parse_line(r, n, line);
	}
	return r->faults.count == 0;
}
