#include <string.h>

#include "import/import_priv.h"

/*
 * Codex's rules: calls of prefix_rule with literals, in Starlark. Of several
 * that match, the strictest wins. A file that does more than call with literals
 * is not guessed at: the statement is named, and left.
 */

enum { LINES_MAX = 64, TOKENS_MAX = 32 };

struct reader {
	struct import *im;
	struct str s;
	size_t at;
	unsigned line;
};

/* An element of a pattern: one word, or one of several. */
struct element {
	struct str list[16];
	size_t count;
};

struct rule {
	struct element elements[TOKENS_MAX];
	size_t count;
	struct str decision, justification;
	bool has_pattern;
	const char *why; /* what of it is no literal, or NULL */
};

static char
peek(const struct reader *r)
{
	return r->at < r->s.len ? r->s.ptr[r->at] : '\0';
}

static void
step(struct reader *r)
{
	if (peek(r) == '\n')
		r->line++;
	r->at++;
}

static void
skip_space(struct reader *r)
{
	while (r->at < r->s.len) {
		if (peek(r) == '#')
			r->at = str_find(r->s, STR("\n"), r->at);
		else if (str_has_char(STR(" \t\r\n"), peek(r)))
			step(r);
		else
			return;
	}
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

static struct str
read_name(struct reader *r)
{
	size_t from = r->at;

	while (r->at < r->s.len && is_name_char(peek(r)))
		r->at++;
	return str_sub(r->s, from, r->at);
}

/* A text in quotes; false when it is not closed or holds an odd escape. */
static bool
read_text(struct reader *r, struct str *ret)
{
	static const char from[] = "ntr\"'\\", to[] = "\n\t\r\"'\\";
	char quote = peek(r);
	char *out = arena_alloc(r->im->a, r->s.len - r->at + 1);
	size_t n = 0;

	step(r);
	while (r->at < r->s.len && peek(r) != quote && peek(r) != '\n') {
		char c = peek(r);

		step(r);
		if (c == '\\') {
			const char *found = memchr(from, peek(r), sizeof(from) - 1);

			if (!found)
				return false;
			c = to[found - from];
			step(r);
		}
		out[n++] = c;
	}
	if (peek(r) != quote)
		return false;
	step(r);
	*ret = (struct str){out, n};
	return true;
}

static bool
is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Over an expression that is not looked at: to the comma or bracket behind it.
 * False when there is none, or the file ends first. */
static bool
skip_value(struct reader *r)
{
	size_t depth = 0, from = r->at;
	struct str text;

	for (;;) {
		skip_space(r);
		char c = peek(r);

		if (r->at >= r->s.len)
			return false;
		if (depth == 0 && (c == ',' || c == ')' || c == ']'))
			return r->at > from;
		if (is_quote(c)) {
			if (!read_text(r, &text))
				return false;
			continue;
		}
		depth += c == '(' || c == '[' || c == '{';
		depth -= c == ')' || c == ']' || c == '}';
		step(r);
	}
}

/* The same behind something that was read: there may be nothing left of it. */
static bool
skip_rest(struct reader *r)
{
	skip_space(r);
	return peek(r) == ',' || peek(r) == ')' || skip_value(r);
}

/* The elements up to "]"; false when the file ends first. */
static bool
read_alternatives(struct reader *r, struct element *e, struct rule *rule)
{
	step(r);
	for (;;) {
		skip_space(r);
		if (peek(r) == ']') {
			step(r);
			return true;
		}
		if (peek(r) == ',') {
			step(r);
		} else if (is_quote(peek(r)) && e->count < ARRAY_LEN(e->list)) {
			if (!read_text(r, &e->list[e->count++]))
				return false;
		} else {
			rule->why = "its pattern is more than texts";
			if (r->at >= r->s.len || !skip_value(r))
				return false;
		}
	}
}

static bool
read_pattern(struct reader *r, struct rule *rule)
{
	rule->has_pattern = true;
	if (peek(r) != '[') {
		rule->why = "its pattern is no list";
		return skip_value(r);
	}
	step(r);
	for (;;) {
		skip_space(r);
		if (peek(r) == ']') {
			step(r);
			return true;
		}
		if (peek(r) == ',') {
			step(r);
			continue;
		}
		struct element *e = &rule->elements[rule->count];

		if (rule->count + 1 == TOKENS_MAX
			|| (!is_quote(peek(r)) && peek(r) != '[')) {
			rule->why = "its pattern is more than texts";
			if (r->at >= r->s.len || !skip_value(r))
				return false;
			continue;
		}
		rule->count++;
		if (peek(r) == '[') {
			if (!read_alternatives(r, e, rule))
				return false;
		} else if (!read_text(r, &e->list[e->count++])) {
			return false;
		}
	}
}

/* One "name = value" of the call. */
static bool
read_argument(struct reader *r, struct rule *rule)
{
	struct str name = read_name(r), text;
	bool is_text;

	skip_space(r);
	if (name.len == 0 || peek(r) != '=') {
		rule->why = "its arguments have no names";
		return name.len > 0 ? skip_rest(r) : skip_value(r);
	}
	step(r);
	skip_space(r);
	if (str_eq(name, STR("pattern")))
		return read_pattern(r, rule);
	is_text = is_quote(peek(r));
	if (is_text && !read_text(r, &text))
		return false;
	skip_space(r);
	/* a text that goes on is none */
	is_text = is_text && (peek(r) == ',' || peek(r) == ')');
	if (str_eq(name, STR("decision"))) {
		if (is_text)
			rule->decision = text;
		else
			rule->why = "its decision is no text";
	}
	return skip_rest(r);
}

/* Behind "prefix_rule": all of the call. */
static bool
read_call(struct reader *r, struct rule *rule)
{
	step(r);
	for (;;) {
		skip_space(r);
		if (peek(r) == ')') {
			step(r);
			return true;
		}
		if (r->at >= r->s.len)
			return false;
		if (peek(r) == ',')
			step(r);
		else if (!read_argument(r, rule))
			return false;
	}
}

/* --- rules ----------------------------------------------------------------- */

static bool
read_decision(struct str s, enum call_verdict *ret)
{
	static const struct {
		const char *name;
		enum call_verdict verdict;
	} rows[] = {
		{"",          CALL_VERDICT_ALLOW}, /* what is left out allows */
		{"allow",     CALL_VERDICT_ALLOW},
		{"prompt",    CALL_VERDICT_ASK  },
		{"forbidden", CALL_VERDICT_DENY },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(s, str_from(rows[i].name))) {
			*ret = rows[i].verdict;
			return true;
		}
	}
	return false;
}

/* The n-th of all combinations of the elements. */
static struct str
combination(struct arena *a, const struct rule *rule, size_t n)
{
	struct str words = {0};

	for (size_t i = 0; i < rule->count; i++) {
		const struct element *e = &rule->elements[i];
		struct str word = import_literal(a, e->list[n % e->count]);

		n /= e->count;
		words = words.ptr
			? arena_fmt(a, "%.*s %.*s", STR_ARG(words), STR_ARG(word))
			: word;
	}
	return words;
}

static void
add_rule(const struct import_entry *e, const struct rule *rule)
{
	size_t all = 1;
	struct arena *a = e->im->a;

	for (size_t i = 0; i < rule->count; i++) {
		if (rule->elements[i].count == 0 || all > LINES_MAX)
			all = 0;
		all *= rule->elements[i].count;
	}
	if (rule->count == 0 || all == 0 || all > LINES_MAX) {
		import_leave(e->im, e->source, "its pattern is empty, or too many");
		return;
	}
	for (size_t i = 0; i < all; i++)
		import_add(e, "shell %.*s",
			STR_ARG(import_quote(
				a, arena_fmt(a, "%.*s *", STR_ARG(combination(a, rule, i))))));
}

/* A statement that is no call of prefix_rule: to the end of its line, brackets
 * and all. */
static bool
leave_statement(struct reader *r, struct str source, const char *why)
{
	size_t depth = 0;
	struct str text;

	while (r->at < r->s.len && (depth > 0 || peek(r) != '\n')) {
		char c = peek(r);

		if (is_quote(c)) {
			if (!read_text(r, &text))
				return import_fault(
					r->im, "line %u: a text is not closed", r->line);
			continue;
		}
		depth += c == '(' || c == '[' || c == '{';
		if (depth > 0)
			depth -= c == ')' || c == ']' || c == '}';
		step(r);
	}
	import_leave(r->im, source, why);
	return true;
}

/* Whether the statement ends here. */
static bool
is_end(const struct reader *r)
{
	size_t at = r->at;

	while (at < r->s.len && str_has_char(STR(" \t\r"), r->s.ptr[at]))
		at++;
	return at == r->s.len || r->s.ptr[at] == '\n' || r->s.ptr[at] == '#';
}

static bool
read_rule(struct reader *r, struct str source)
{
	struct rule *rule = ARENA_NEW(r->im->a, struct rule);
	struct import_entry e = {.im = r->im, .source = source};

	if (!read_call(r, rule))
		return import_fault(r->im, "line %u: the call is not closed", r->line);
	if (!is_end(r))
		return leave_statement(r, source, "something stands behind the call");
	if (!rule->why && !rule->has_pattern)
		rule->why = "it has no pattern";
	if (!rule->why
		&& !read_decision(
			rule->decision.ptr ? rule->decision : STR(""), &e.verdict))
		rule->why = "its decision is none that is known";
	e.rank = (int64_t)e.verdict;
	if (rule->why)
		import_leave(r->im, source, rule->why);
	else
		add_rule(&e, rule);
	return true;
}

bool
import_codex(struct import *im, struct str text)
{
	struct reader r = {.im = im, .s = text, .line = 1};

	for (;;) {
		skip_space(&r);
		if (r.at >= r.s.len)
			return true;
		size_t from = r.at;
		unsigned line = r.line;
		struct str name = read_name(&r);
		struct str source = arena_fmt(im->a, "line %u: %.*s", line,
			STR_ARG(
				str_trim(str_sub(r.s, from, str_find(r.s, STR("\n"), from)))));
		bool fine;

		skip_space(&r);
		if (from > 0 && r.s.ptr[from - 1] != '\n')
			fine = leave_statement(
				&r, source, "it stands inside of something else");
		else if (str_eq(name, STR("prefix_rule")) && peek(&r) == '(')
			fine = read_rule(&r, source);
		else if (str_eq(name, STR("host_executable")))
			fine = leave_statement(&r, source,
				"what a name stands for is looked up in the path here");
		else
			fine = leave_statement(
				&r, source, "only calls of prefix_rule with literals are read");
		if (!fine)
			return false;
	}
}
