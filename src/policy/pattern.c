#include "policy/policy_priv.h"

/*
 * The two patterns that are more than a glob: the words of a command, and a
 * path with the place that it hangs on.
 */

struct cutter {
	struct str text;
	size_t at;
	char *out; /* the word being read, as a word glob */
	size_t n;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void
keep_literal(struct cutter *c, char ch)
{
	if (ch == '*' || ch == '\\')
		c->out[c->n++] = '\\';
	c->out[c->n++] = ch;
}

/* The next word; single quotes and backslashes may hold blanks. False at the
 * end. */
static bool
next_word(struct cutter *c)
{
	bool quoted = false;

	c->n = 0;
	while (c->at < c->text.len && is_blank(c->text.ptr[c->at]))
		c->at++;
	if (c->at == c->text.len)
		return false;
	for (; c->at < c->text.len; c->at++) {
		char ch = c->text.ptr[c->at];

		if (ch == '\'')
			quoted = !quoted;
		else if (quoted)
			keep_literal(c, ch);
		else if (ch == '\\' && c->at + 1 < c->text.len)
			keep_literal(c, c->text.ptr[++c->at]);
		else if (is_blank(ch))
			break;
		else
			c->out[c->n++] = ch;
	}
	return true;
}

/* A word that can never be a command's word, or NULL. */
static const char *
never_matches(struct str word, size_t index)
{
	static const char *const operators[] = {
		"&&", "||", ";", "|", "&", ">", ">>", "<", "2>&1", "2>"};
	size_t i = 0;

	for (i = 0; i < ARRAY_LEN(operators); i++) {
		if (str_eq(word, str_from(operators[i])))
			return "a pattern is the words of one command, without operators "
				   "and redirections";
	}
	for (i = 0; index == 0 && i < word.len; i++) {
		char c = word.ptr[i];

		if (c == '=' && i > 0)
			return "variables that are set before a command are not among "
				   "its words";
		if (c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
			&& (i == 0 || c < '0' || c > '9'))
			break;
	}
	return NULL;
}

const char *
policy_words_parse(struct arena *a, struct str text, struct policy_words *ret)
{
	struct cutter c = {.text = text};
	struct policy_glob list[POLICY_WORDS_MAX], *kept = NULL;
	struct policy_words words = {.literal = true};

	c.out = arena_alloc(a, text.len * 2 + 1);
	while (next_word(&c)) {
		struct str word = {c.out, c.n};
		const char *why = never_matches(word, words.count);

		if (why)
			return why;
		if (words.more) /* the star before it was not the last word */
			words.count++;
		words.more = str_eq(word, STR("*"));
		if (words.count == ARRAY_LEN(list)
			|| !policy_glob_parse(
				a, POLICY_GLOB_WORD, word, &list[words.count]))
			return "this pattern is too long";
		words.literal &= list[words.count].literal;
		words.count += words.more ? 0 : 1;
	}
	if (words.count == 0 && !words.more)
		return "this pattern is empty";
	kept = ARENA_ARRAY(a, words.count + 1, struct policy_glob);
	for (size_t i = 0; i < words.count; i++)
		kept[i] = list[i];
	words.list = kept;
	*ret = words;
	return NULL;
}

static const char *
check_components(struct str text)
{
	struct str rest = text;

	while (rest.ptr) {
		struct str part = str_cut(rest, '/', &rest);

		if (str_eq(part, STR("..")) || str_eq(part, STR(".")))
			return "\".\" and \"..\" do not stand in a pattern";
		if (part.len == 0 && rest.ptr)
			return "a doubled slash never matches";
	}
	return NULL;
}

const char *
policy_path_parse(struct arena *a, struct str text, struct policy_path *ret)
{
	struct policy_path p = {.anchor = POLICY_ANCHOR_ROOTS};
	const char *why = NULL;

	if (str_starts(text, STR("./")))
		text = str_sub(text, 2, text.len);
	if (text.len == 0)
		return "this pattern is empty";
	if (text.ptr[0] == '/') {
		p.anchor = POLICY_ANCHOR_TOP;
		text = str_sub(text, 1, text.len);
	} else if (text.ptr[0] == '~') {
		p.anchor = POLICY_ANCHOR_HOME;
		if (text.len > 1 && text.ptr[1] != '/')
			return "only \"~/\", the user's own home, is understood";
		text = str_sub(text, 2, text.len);
	}
	if (text.len > 0)
		why = check_components(text);
	if (why)
		return why;
	if (str_ends(text, STR("/"))) /* a folder: with all that is in it */
		text = arena_fmt(a, "%.*s**", STR_ARG(text));
	if (!policy_glob_parse(a, POLICY_GLOB_PATH, text, &p.glob))
		return "this pattern is too long";
	*ret = p;
	return NULL;
}
