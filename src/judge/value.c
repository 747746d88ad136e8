/*
 * Values: where they end, whether they are secrets, and their placeholders. In
 * shell text whatever the shell would act on stays, or the text cannot be redacted
 * at all: nothing may hide behind a placeholder.
 */

#include "judge/scan.h"

/* Words have neither digits nor these. */
static bool
has_odd_character(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((s.ptr[i] >= '0' && s.ptr[i] <= '9')
			|| str_has_char(STR("!@#$%^*+=/~"), s.ptr[i]))
			return true;
	}
	return false;
}

/* --- taking out ------------------------------------------------------------ */

static void
keep_value(struct judge_scan *s, struct str value, const char *type)
{
	struct judge_values *v = s->values;

	if (v)
		v->any = true;
	/* plain words may stand elsewhere and mean something else */
	if (!v || value.len < JUDGE_VALUE_BYTES_MIN
		|| !(judge_looks_random(value) || has_odd_character(value)))
		return;
	for (size_t i = 0; i < v->count; i++) {
		if (str_eq(v->list[i], value))
			return;
	}
	if (v->count == JUDGE_VALUES) {
		s->unsure = true;
		return;
	}
	v->types[v->count] = type;
	v->list[v->count++] = value;
}

void
judge_take_out(struct judge_scan *s, size_t start, size_t end, const char *type)
{
	buf_add(s->out, str_sub(s->text, s->copied, start));
	buf_addf(s->out, "[secret:%s]", type);
	keep_value(s, str_sub(s->text, start, end), type);
	s->copied = end;
	s->at = end;
	if (++s->taken > TAKEN_MAX)
		s->unsure = true;
}

/* --- where a value ends ------------------------------------------------------ */

/* In a command, what ends a plain word; elsewhere, what ends a value. */
static bool
ends_value(const struct judge_scan *s, char c)
{
	if (is_space(c) || is_quote(c) || c == '\0' || c == ',' || c == ';'
		|| c == '&' || c == '<' || c == '>' || c == '|' || c == ')' || c == '}'
		|| c == ']' || c == '\\')
		return true;
	return s->kind == JUDGE_TEXT_COMMAND && s->quote != '\''
		&& (c == '$' || c == '(' || c == '{' || c == '[');
}

struct judge_value
judge_value_plain(const struct judge_scan *s, size_t start)
{
	struct judge_value v = {.start = start, .end = start};
	bool command = s->kind == JUDGE_TEXT_COMMAND;

	while (!ends_value(s, char_at(s, v.end)))
		v.end++;
	v.after = v.end;
	char next = char_at(s, v.end);

	v.is_called = next == '(' || next == '[';
	for (size_t i = v.start; i < v.end; i++)
		v.is_called |= s->text.ptr[i] == '(' || s->text.ptr[i] == '[';
	if (command && s->quote == '\0')
		v.is_mixed = is_quote(next) || next == '$' || next == '{'
			|| (next == '\\' && char_at(s, v.end + 1) != '\n');
	else if (command && s->quote == '"')
		v.is_mixed = next == '$' || next == '`';
	return v;
}

/* How many backslashes and then a quote stand at i; 0 for no quote. */
size_t
judge_quote_len(const struct judge_scan *s, size_t i)
{
	size_t n = i;

	while (char_at(s, n) == '\\')
		n++;
	return is_quote(char_at(s, n)) ? n - i + 1 : 0;
}

static bool
is_active_in(const struct judge_scan *s, struct judge_value v, char quote)
{
	if (s->kind != JUDGE_TEXT_COMMAND || quote == '\'' || s->quote == '\'')
		return false;
	for (size_t i = v.start; i < v.end; i++) {
		if (s->text.ptr[i] == '$' || s->text.ptr[i] == '`')
			return true;
	}
	return false;
}

/* The value in quotes that opens at i with n bytes. */
static struct judge_value
quoted_value(const struct judge_scan *s, size_t i, size_t n)
{
	struct str open = str_sub(s->text, i, i + n);
	struct judge_value v = {.start = i + n, .quoted = true};
	struct str line = rest_of(s, v.start), unused;

	line = str_cut(line, '\n', &unused);
	size_t end = str_find(line, open, 0);

	/* an escaped quote inside is no end */
	while (n == 1 && end < line.len && end > 0 && line.ptr[end - 1] == '\\'
		&& open.ptr[0] != '\'')
		end = str_find(line, open, end + 1);
	v.end = v.start + end;
	v.after = v.end + n;
	if (end == line.len) {
		v.after = v.end;
		v.is_mixed = true; /* nobody knows where it ends */
	}
	/* "$TOKEN" is no mixture, it is no value at all */
	if (v.end > v.start && s->text.ptr[v.start] != '$')
		v.is_mixed |= is_active_in(s, v, open.ptr[n - 1]);
	return v;
}

/* An apostrophe inside a word is no quote. */
static bool
is_apostrophe(const struct judge_scan *s, size_t i)
{
	return s->text.ptr[i] == '\'' && i > 0 && is_name_char(char_at(s, i - 1))
		&& is_name_char(char_at(s, i + 1));
}

/* Does the quote at i close what was opened before it on its line? */
static bool
is_closing(const struct judge_scan *s, size_t i)
{
	char quote = s->text.ptr[i];
	bool open = false;

	if (s->kind == JUDGE_TEXT_COMMAND)
		return s->quote == quote;
	for (size_t j = i; j > 0 && s->text.ptr[j - 1] != '\n'; j--)
		open ^= s->text.ptr[j - 1] == quote && !is_apostrophe(s, j - 1);
	return open;
}

struct judge_value
judge_value_at(const struct judge_scan *s, size_t i)
{
	size_t n = judge_quote_len(s, i);

	if (n == 0 || (n == 1 && is_closing(s, i)))
		return judge_value_plain(s, i); /* nothing, if something closes here */
	struct judge_value v = quoted_value(s, i, n);

	/* in prose, a quote that nobody closes is none */
	return v.after == v.end && s->kind == JUDGE_TEXT_PROSE
		? judge_value_plain(s, v.start)
		: v;
}

struct str
judge_value_text(const struct judge_scan *s, struct judge_value v)
{
	return str_sub(s->text, v.start, v.end);
}

/* The part of the value that is secret: behind the first ':' or '%'. */
bool
judge_value_cut_pair(const struct judge_scan *s, struct judge_value *v)
{
	for (size_t i = v->start; i < v->end; i++) {
		if (s->text.ptr[i] == ':' || s->text.ptr[i] == '%') {
			v->start = i + 1;
			return v->end > v->start;
		}
	}
	return false;
}

/* 1000:1000, as users and groups stand */
bool
judge_is_number(struct str s)
{
	int64_t n;

	return str_number(s, &n);
}

/* --- is it a secret? ----------------------------------------------------------- */

static bool
has_blank(struct str s)
{
	return str_has_char(s, ' ') || str_has_char(s, '\t');
}

bool
judge_is_word(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!is_name_char(s.ptr[i]) || s.ptr[i] == '_'
			|| (s.ptr[i] >= '0' && s.ptr[i] <= '9'))
			return false;
	}
	return s.len > 0;
}

/* Nothing but the end of a line, or of what it is quoted in, follows. */
bool
judge_value_is_last(const struct judge_scan *s, size_t i)
{
	while (is_blank(char_at(s, i)) || char_at(s, i) == '\r')
		i++;
	char c = char_at(s, i);

	if (is_quote(c))
		return !is_name_char(char_at(s, i + 1)); /* not as in don't */
	return c == '\n' || c == '\0' || c == '#' || c == '\\';
}

/* name: value, name = value: prose and code look like this, too. */
static bool
is_secret_loose(const struct judge_scan *s, enum judge_name_class class,
	struct judge_value v, struct str value)
{
	if (judge_looks_random(value))
		return true;
	if (v.quoted)
		return class == JUDGE_NAME_STRONG && !has_blank(value);
	if (class != JUDGE_NAME_STRONG)
		return false;
	return judge_value_is_last(s, v.after) || has_odd_character(value);
}

static bool
is_secret(const struct judge_scan *s, struct judge_name name,
	enum judge_link link, struct judge_value v)
{
	struct str value = judge_value_text(s, v);

	if (judge_is_stand_in(value) || v.is_called || judge_is_plain_path(value))
		return false;
	switch (name.class) {
	case JUDGE_NAME_WEAK:
		return judge_looks_random(value) && !has_blank(value);
	case JUDGE_NAME_USUAL:
		/* --secret id=name,src=file */
		if (value.len < 3
			|| (link == JUDGE_LINK_FLAG && str_has_char(value, '=')))
			return false;
		if (link == JUDGE_LINK_TIGHT || link == JUDGE_LINK_FLAG)
			return true;
		return link == JUDGE_LINK_KEY
			? judge_looks_random(value)
			: is_secret_loose(s, name.class, v, value);
	case JUDGE_NAME_STRONG:
		if (link == JUDGE_LINK_TIGHT || link == JUDGE_LINK_FLAG
			|| link == JUDGE_LINK_KEY)
			return true;
		return is_secret_loose(s, name.class, v, value);
	case JUDGE_NAME_AUTH:
	case JUDGE_NAME_COOKIE:
	case JUDGE_NAME_NONE:
		break;
	}
	return false;
}

/* Takes the value out, leaves it, or is unsure. True if it dealt with it. */
bool
judge_settle(struct judge_scan *s, struct judge_name name, enum judge_link link,
	struct judge_value v)
{
	struct str value = judge_value_text(s, v);

	if (!is_secret(s, name, link, v))
		return false;
	if (v.quoted && has_blank(value)) {
		/* words: data and prose keep them, a command is not told apart */
		bool prose = s->kind == JUDGE_TEXT_PROSE || link == JUDGE_LINK_COLON
			|| link == JUDGE_LINK_LOOSE;

		s->unsure |= !prose;
		return false;
	}
	if (v.is_mixed && s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true;
	judge_take_out(s, v.start, v.end, name.type);
	return true;
}
