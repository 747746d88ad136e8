#include "policy/policy_priv.h"

/*
 * Words into statements (DESIGN 10). Statements, tools and matchers are rows;
 * every fault names line, column, what was wrong and what would be right.
 */

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
  /* clang-format off */
	[POLICY_LAYER_BUILTIN] = {
		MAY_ALLOW | MAY_TIGHTEN | MAY_SENSITIVE, "the built-in rules"},
	[POLICY_LAYER_WORKSPACE_TRUSTED] = {
		MAY_ALL & ~MAY_SET, "the workspace's file"},
	[POLICY_LAYER_USER] = {MAY_ALL, "the user's file"},
	[POLICY_LAYER_PROJECT] = {MAY_ALL, "the project's file"},
	[POLICY_LAYER_PROFILE] = {MAY_ALL, "an agent's profile"},
	[POLICY_LAYER_ENFORCED] = {MAY_ALL, "the administrator's file"},
	[POLICY_LAYER_WORKSPACE] = {
		MAY_TIGHTEN | MAY_SENSITIVE | MAY_INSTRUCT_BLOCK,
		"the workspace's file"},
	[POLICY_LAYER_CEILING] = {MAY_TIGHTEN, "a parent session's ceiling"},
  /* clang-format on */
};

bool
policy_reading_fault_at(struct policy_reading *st, size_t token,
	struct str message, const char *suggestion)
{
	unsigned column = token < st->line->count ? st->line->tokens[token].column
											  : st->line->end;

	return policy_fault_add(st->r, st->s.line, column, message, suggestion);
}

bool
policy_reading_fault(struct policy_reading *st, size_t token,
	const char *message, const char *suggestion)
{
	return policy_reading_fault_at(st, token, str_from(message), suggestion);
}

/* A word that is not on the list; suggests the nearest one, or says the list. */
bool
policy_reading_unknown(struct policy_reading *st, size_t token,
	const char *what, const char *const *words, size_t count)
{
	struct arena *a = st->r->a;
	struct str word = st->line->tokens[token].text;
	const char *near = policy_nearest(word, words, count);
	struct str list = STR("one of:");

	for (size_t i = 0; i < count && !near; i++)
		list = arena_fmt(a, "%.*s %s", STR_ARG(list), words[i]);
	if (near)
		list = arena_fmt(a, "did you mean \"%s\"?", near);
	return policy_reading_fault_at(st, token,
		arena_fmt(a, "\"%.*s\" is not %s", STR_ARG(str_sub(word, 0, 40)), what),
		list.ptr);
}

/* The next word, which must be there. */
bool
policy_reading_take(
	struct policy_reading *st, const char *what, struct policy_token *ret)
{
	if (st->at == st->line->count)
		return policy_reading_fault_at(
			st, st->at, arena_fmt(st->r->a, "%s is missing", what), NULL);
	*ret = st->line->tokens[st->at++];
	return true;
}

/* --- statements ------------------------------------------------------------------ */

static bool
parse_rule(struct policy_reading *st)
{
	if (!call_verdict_from(st->line->tokens[0].text, &st->s.rule.verdict)
		|| !policy_tool_parse(st))
		return false;
	st->s.rule.layer = st->r->layer;
	st->s.rule.file = st->r->file;
	st->s.rule.line = st->s.line;
	while (st->at < st->line->count) {
		if (!policy_matcher_parse(st))
			return false;
	}
	return true;
}

/* The last word of a statement: a text that is not blank. */
static bool
parse_last_text(struct policy_reading *st, const char *what)
{
	struct policy_token t = {.quoted = false};

	if (!policy_reading_take(st, what, &t))
		return false;
	st->s.text = arena_dup(st->r->a, str_trim(t.text));
	if (st->s.text.len == 0)
		return policy_reading_fault_at(
			st, st->at - 1, arena_fmt(st->r->a, "%s is blank", what), NULL);
	if (st->at < st->line->count)
		return policy_reading_fault(st, st->at, "nothing may follow here",
			"put it all in double quotes");
	return true;
}

static bool
parse_sensitive(struct policy_reading *st)
{
	struct policy_marker *m = &st->s.marker;
	const char *why = NULL;

	st->s.kind = POLICY_STATEMENT_SENSITIVE;
	if (!parse_last_text(st, "a marker"))
		return false;
	m->text = st->s.text;
	if (m->text.len > POLICY_MARKER_BYTES_MAX)
		return policy_reading_fault(
			st, 1, "this marker is too long", "at most 255 bytes");
	if (str_has_char(m->text, '*'))
		why = policy_path_parse(st->r->a, m->text, &m->path);
	return why ? policy_reading_fault(st, 1, why, NULL) : true;
}

static bool
parse_instruct(struct policy_reading *st)
{
	struct policy_token t = {.quoted = false};
	unsigned may = layers[st->r->layer].may;

	st->s.kind = POLICY_STATEMENT_INSTRUCT;
	if (!policy_reading_take(st, "\"allow\" or \"block\"", &t))
		return false;
	st->s.block = str_eq(t.text, STR("block"));
	if (!st->s.block && !str_eq(t.text, STR("allow")))
		return policy_reading_fault(st, 1,
			"an instruction begins with allow or block",
			"instruct allow \"...\", or: instruct block \"...\"");
	if ((may & (st->s.block ? MAY_INSTRUCT_BLOCK : MAY_INSTRUCT_ALLOW)) == 0)
		return policy_reading_fault_at(st, 1,
			arena_fmt(st->r->a, "%s may not hold this instruction",
				layers[st->r->layer].whose),
			NULL);
	return parse_last_text(st, "the instruction");
}

static bool
parse_set(struct policy_reading *st)
{
	struct arena *a = st->r->a;
	const struct policy_setting *rows = NULL;
	size_t count = policy_settings(&rows);
	const char **names = ARENA_ARRAY(a, count, const char *);
	struct policy_token t = {.quoted = false};

	st->s.kind = POLICY_STATEMENT_SET;
	if (!policy_reading_take(st, "a setting's name", &t))
		return false;
	for (size_t i = 0; i < count; i++) {
		names[i] = rows[i].name;
		if (str_eq(t.text, str_from(rows[i].name)))
			st->s.setting = &rows[i];
	}
	if (!st->s.setting)
		return policy_reading_unknown(st, 1, "a setting", names, count);
	if (!policy_setting_may_stand(st->s.setting, st->r->layer))
		return policy_reading_fault_at(st, 1,
			arena_fmt(a, "%s may not set %s", layers[st->r->layer].whose,
				st->s.setting->name),
			st->r->layer == POLICY_LAYER_PROJECT ? "put it into the user's file"
												 : NULL);
	if (!policy_setting_parse(a, st->s.setting, st->line->tokens + 2,
			st->line->count - 2, &st->s.text))
		return policy_reading_fault_at(st, 2,
			arena_fmt(a, "%s wants %.*s", st->s.setting->name,
				STR_ARG(policy_setting_wants(a, st->s.setting))),
			NULL);
	return true;
}

static const struct {
	const char *name;
	unsigned needs; /* what the layer must be allowed, 0: seen to later */
	bool (*parse)(struct policy_reading *st);
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
parse_statement(struct policy_reading *st)
{
	const char *names[ARRAY_LEN(statements)];
	const struct policy_token *t = &st->line->tokens[st->at++];

	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		unsigned needs = statements[i].needs;

		names[i] = statements[i].name;
		if (t->quoted || !str_eq(t->text, str_from(names[i])))
			continue;
		if ((layers[st->r->layer].may & needs) != needs)
			return policy_reading_fault_at(st, 0,
				arena_fmt(st->r->a, "%s may not hold \"%s\"",
					layers[st->r->layer].whose, names[i]),
				why_not(st->r->layer));
		return statements[i].parse(st);
	}
	return policy_reading_unknown(
		st, 0, "a statement", names, ARRAY_LEN(names));
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
	struct policy_reading st = {.r = r, .line = &line, .s.line = number};

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
