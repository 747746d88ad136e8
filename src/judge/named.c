/*
 * Names and options with a value behind them.
 */

#include "judge/scan.h"

static size_t
skip_blanks(const struct judge_scan *s, size_t i)
{
	while (is_blank(char_at(s, i)))
		i++;
	return i;
}

/* Authorization: a scheme and what follows it, or the credentials alone. */
static bool
settle_authorization(struct judge_scan *s, struct judge_name name, size_t start)
{
	struct judge_name strong = {JUDGE_NAME_STRONG, name.type};
	struct judge_value first = judge_value_plain(s, start);
	struct judge_value next = judge_value_plain(s, skip_blanks(s, first.end));
	bool has_scheme = judge_is_auth_scheme(judge_value_text(s, first));

	if (has_scheme && char_at(s, first.end) == '\\'
		&& s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true; /* Bearer\ ... */
	if (next.start == first.end)
		return judge_settle(s, strong,
			judge_value_is_last(s, first.end) ? JUDGE_LINK_KEY
											  : JUDGE_LINK_COLON,
			first);
	if (judge_is_word(judge_value_text(s, next))
		&& is_blank(char_at(s, next.end))
		&& is_name_char(char_at(s, skip_blanks(s, next.end))))
		return false; /* prose */
	if (!has_scheme && !judge_looks_random(judge_value_text(s, next)))
		return false;
	/* several values, parted by commas and quotes */
	if (s->kind == JUDGE_TEXT_COMMAND
		&& (str_eq_fold(judge_value_text(s, first), STR("digest"))
			|| str_starts(judge_value_text(s, first), STR("AWS4"))))
		s->unsure = true;
	return judge_settle(s, strong, JUDGE_LINK_KEY, next);
}

static size_t
cookie_name_end(const struct judge_scan *s, size_t i)
{
	while (is_name_char(char_at(s, i)) || char_at(s, i) == '-'
		|| char_at(s, i) == '.')
		i++;
	return i;
}

/* Cookies hold what plain values do not, where no shell reads it. */
static struct judge_value
cookie_value(const struct judge_scan *s, size_t start)
{
	struct judge_value v = judge_value_plain(s, start);
	bool inside = s->kind == JUDGE_TEXT_PROSE || s->quote != '\0';

	while (inside && str_has_char(STR(",&|<>(){}[]"), char_at(s, v.end)))
		v.end = judge_value_plain(s, v.end + 1).end;
	return v;
}

/* a=b; c=d: every value, as long as there are pairs. */
static bool
settle_cookies(struct judge_scan *s, struct judge_value all)
{
	bool found = false;
	size_t i = all.start;

	/* what is in quotes is walked through, and so is its end */
	if (all.quoted && s->quote == '\0' && s->kind == JUDGE_TEXT_COMMAND) {
		s->quote = s->text.ptr[all.start - 1];
		s->at = all.start;
		found = true;
	}

	for (;;) {
		size_t end = cookie_name_end(s, i);

		if (end == i || char_at(s, end) != '=')
			return found;
		struct judge_value v = cookie_value(s, end + 1);

		if (v.end > v.start) {
			s->unsure |= v.is_mixed && s->kind == JUDGE_TEXT_COMMAND;
			judge_take_out(s, v.start, v.end, "cookie");
			found = true;
		}
		if (char_at(s, v.end) != ';')
			return found;
		i = skip_blanks(s, v.end + 1);
	}
}

/* What stands between a name that ends at i and its value; *i is moved there. */
static enum judge_link
link_at(const struct judge_scan *s, size_t *i, bool is_key)
{
	size_t at = skip_blanks(s, *i);
	bool spaced = at > *i;
	char c = char_at(s, at);

	if (c == ':' && char_at(s, at + 1) == '=')
		c = char_at(s, ++at); /* := */
	if (c == '=' && (char_at(s, at + 1) == '=' || char_at(s, at + 1) == '~'))
		return JUDGE_LINK_NONE; /* a comparison */
	if (c == '=' && char_at(s, at + 1) == '>')
		at++;
	else if (c != '=' && c != ':')
		return JUDGE_LINK_NONE;
	size_t start = skip_blanks(s, at + 1);

	if (s->text.ptr[at] == ':' && char_at(s, at + 1) == ':')
		return JUDGE_LINK_NONE; /* a scope: secret::Token */
	spaced |= start > at + 1;
	*i = start;
	if (is_key)
		return JUDGE_LINK_KEY;
	if (c == ':')
		return JUDGE_LINK_COLON;
	return spaced ? JUDGE_LINK_LOOSE : JUDGE_LINK_TIGHT;
}

/* Is the name that starts there in quotes of its own, that end at its end? */
static size_t
key_quote(const struct judge_scan *s, size_t start, size_t end)
{
	size_t n = judge_quote_len(s, end);

	if (n == 0 || start < n
		|| !str_eq(
			str_sub(s->text, start - n, start), str_sub(s->text, end, end + n)))
		return 0;
	return n;
}

static bool
is_behind_set(const struct judge_scan *s, size_t start)
{
	return s->kind == JUDGE_TEXT_COMMAND && start >= 4
		&& str_eq(str_sub(s->text, start - 4, start), STR("set "));
}

/* machine NAME login NAME password WORD */
static bool
is_behind_login(const struct judge_scan *s, size_t start)
{
	size_t line = start;

	while (line > 0 && s->text.ptr[line - 1] != '\n')
		line--;
	struct str before = str_sub(s->text, line, start);

	return str_has(before, STR("machine ")) && str_has(before, STR("login "));
}

/* The variable is put in somewhere by its name: then what the command does may
 * hang on the value. */
static bool
is_expanded(const struct judge_scan *s, struct str name)
{
	for (size_t i = 0; i + 1 < s->text.len; i++) {
		size_t at = i + 1 + (char_at(s, i + 1) == '{');

		if (s->text.ptr[i] == '$' && str_starts(rest_of(s, at), name)
			&& !is_name_char(char_at(s, at + name.len)))
			return true;
	}
	return false;
}

bool
judge_settle_name(struct judge_scan *s, struct judge_name name, size_t start,
	size_t end, bool flag)
{
	size_t quote = key_quote(s, start, end), i = end + quote;
	enum judge_link link = link_at(s, &i, quote > 0);

	if (link == JUDGE_LINK_NONE && is_blank(char_at(s, i))
		&& (flag || is_behind_set(s, start)
			|| (name.class == JUDGE_NAME_STRONG
				&& is_behind_login(s, start)))) {
		link = JUDGE_LINK_FLAG;
		i = skip_blanks(s, i);
		if (char_at(s, i) == '-')
			return false; /* another option: this one has no value */
	}
	struct judge_value v = judge_value_at(s, i);

	if (link == JUDGE_LINK_NONE)
		return str_eq_fold(str_sub(s->text, start, end), STR("bearer"))
			&& skip_blanks(s, end) > end
			&& judge_settle(s, name, JUDGE_LINK_COLON,
				judge_value_at(s, skip_blanks(s, end)));
	if (name.class == JUDGE_NAME_COOKIE)
		return settle_cookies(s, v);
	if (name.class == JUDGE_NAME_AUTH)
		return settle_authorization(s, name, v.start);
	if (!judge_settle(s, name, link, v))
		return false;
	if (link == JUDGE_LINK_TIGHT && s->values && s->kind == JUDGE_TEXT_COMMAND)
		s->values->expanded |= is_expanded(s, str_sub(s->text, start, end));
	return true;
}

/* --- options of programs ------------------------------------------------------------- */

bool
judge_settle_option(struct judge_scan *s, size_t start)
{
	struct judge_value word = judge_value_plain(s, start);
	struct judge_option o =
		judge_option_of(&s->seen, judge_value_text(s, word));
	struct judge_name name = {JUDGE_NAME_STRONG, "password"};
	size_t i = start + o.len;
	bool glued = i < word.end || is_quote(char_at(s, i));

	if (o.form == JUDGE_OPTION_NONE || (o.form == JUDGE_OPTION_GLUED && !glued))
		return false;
	if (char_at(s, i) == '=')
		i++;
	if (!glued)
		i = skip_blanks(s, i);
	struct judge_value v = judge_value_at(s, i);

	if (o.form == JUDGE_OPTION_COOKIE)
		return settle_cookies(s, v);
	if (o.form == JUDGE_OPTION_PAIR
		&& (!judge_value_cut_pair(s, &v)
			|| judge_is_number(judge_value_text(s, v))))
		return false;
	return judge_settle(s, name, JUDGE_LINK_FLAG, v);
}
