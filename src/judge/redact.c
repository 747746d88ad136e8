/*
 * Text is walked once. Where a word begins it may be a provider's key, an option
 * that takes a secret, or a name with a value behind it; "://" may have a login
 * behind it, and dashes a private key. What secrets look like is in secret.c.
 *
 * A value that is taken out is plain: in shell text, whatever the shell would act
 * on stays, or the text cannot be redacted at all.
 */

#include "base/limits.h"
#include "judge/judge_priv.h"

enum { TAKEN_MAX = 256 }; /* secrets in one text: more is no ordinary call */

struct scan {
	struct buf *out;
	struct str text;
	enum judge_text kind;
	struct judge_values *values; /* or NULL */
	size_t at;
	size_t copied; /* all before is in out */
	char quote;    /* in a command: the quote that is open, or NUL */
	struct judge_options_seen seen; /* in the simple command so far */
	size_t taken;
	bool unsure;
};

/* A value's place in the text, and how it stands there. */
struct value {
	size_t start, end;
	bool quoted;
	bool is_mixed;  /* the shell would put more to it, or something into it */
	bool is_called; /* an opening bracket follows: code, not a value */
	size_t after;   /* behind the closing quote */
};

/* How the value follows its name. */
enum link {
	LINK_NONE,
	LINK_TIGHT, /* name=value */
	LINK_COLON, /* name:value, name: value */
	LINK_LOOSE, /* name = value */
	LINK_KEY,   /* "name": value */
	LINK_FLAG,  /* --name value, set name value */
};

static char
char_at(const struct scan *s, size_t i)
{
	return i < s->text.len ? s->text.ptr[i] : '\0';
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static struct str
rest_of(const struct scan *s, size_t i)
{
	return str_sub(s->text, i, s->text.len);
}

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
keep_value(struct scan *s, struct str value, const char *type)
{
	struct judge_values *v = s->values;

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

static void
take_out(struct scan *s, size_t start, size_t end, const char *type)
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
ends_value(const struct scan *s, char c)
{
	if (is_space(c) || is_quote(c) || c == '\0' || c == ',' || c == ';'
		|| c == '&' || c == '<' || c == '>' || c == '|' || c == ')' || c == '}'
		|| c == ']' || c == '\\')
		return true;
	return s->kind == JUDGE_TEXT_COMMAND && s->quote != '\''
		&& (c == '$' || c == '(' || c == '{' || c == '[');
}

static struct value
plain_value(const struct scan *s, size_t start)
{
	struct value v = {.start = start, .end = start};
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
static size_t
quote_len(const struct scan *s, size_t i)
{
	size_t n = i;

	while (char_at(s, n) == '\\')
		n++;
	return is_quote(char_at(s, n)) ? n - i + 1 : 0;
}

static bool
is_active_in(const struct scan *s, struct value v, char quote)
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
static struct value
quoted_value(const struct scan *s, size_t i, size_t n)
{
	struct str open = str_sub(s->text, i, i + n);
	struct value v = {.start = i + n, .quoted = true};
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

static struct value
value_at(const struct scan *s, size_t i)
{
	size_t n = quote_len(s, i);

	/* the quote that is open closes here: there is nothing */
	if (n > 0 && !(n == 1 && s->quote == char_at(s, i)))
		return quoted_value(s, i, n);
	return plain_value(s, i);
}

static struct str
text_of(const struct scan *s, struct value v)
{
	return str_sub(s->text, v.start, v.end);
}

/* --- is it a secret? ----------------------------------------------------------- */

static bool
has_blank(struct str s)
{
	return str_has_char(s, ' ') || str_has_char(s, '\t');
}

static bool
is_word(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!is_name_char(s.ptr[i]) || s.ptr[i] == '_'
			|| (s.ptr[i] >= '0' && s.ptr[i] <= '9'))
			return false;
	}
	return s.len > 0;
}

/* Nothing but the end of a line, or of what it is quoted in, follows. */
static bool
is_last(const struct scan *s, size_t i)
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
is_secret_loose(const struct scan *s, enum judge_name_class class,
	struct value v, struct str value)
{
	if (judge_looks_random(value))
		return true;
	if (v.quoted)
		return class == JUDGE_NAME_STRONG && !has_blank(value);
	if (class != JUDGE_NAME_STRONG)
		return false;
	return is_last(s, v.after) || has_odd_character(value);
}

static bool
is_secret(const struct scan *s, struct judge_name name, enum link link,
	struct value v)
{
	struct str value = text_of(s, v);

	if (judge_is_stand_in(value) || v.is_called || judge_is_plain_path(value))
		return false;
	switch (name.class) {
	case JUDGE_NAME_WEAK:
		return judge_looks_random(value) && !has_blank(value);
	case JUDGE_NAME_USUAL:
		/* --secret id=name,src=file */
		if (value.len < 3 || (link == LINK_FLAG && str_has_char(value, '=')))
			return false;
		if (link == LINK_TIGHT || link == LINK_FLAG)
			return true;
		return link == LINK_KEY ? judge_looks_random(value)
								: is_secret_loose(s, name.class, v, value);
	case JUDGE_NAME_STRONG:
		if (link == LINK_TIGHT || link == LINK_FLAG || link == LINK_KEY)
			return true;
		return is_secret_loose(s, name.class, v, value);
	case JUDGE_NAME_AUTH:
	case JUDGE_NAME_COOKIE:
	case JUDGE_NAME_NONE:
		break;
	}
	return false;
}

/* The variable is put in somewhere by its name: then what the command does may
 * hang on the value. */
static bool
is_expanded(const struct scan *s, struct str name)
{
	for (size_t i = 0; i + 1 < s->text.len; i++) {
		size_t at = i + 1 + (char_at(s, i + 1) == '{');

		if (s->text.ptr[i] == '$' && str_starts(rest_of(s, at), name)
			&& !is_name_char(char_at(s, at + name.len)))
			return true;
	}
	return false;
}

/* Takes the value out, leaves it, or is unsure. True if it dealt with it. */
static bool
settle(struct scan *s, struct judge_name name, enum link link, struct value v)
{
	struct str value = text_of(s, v);

	if (!is_secret(s, name, link, v))
		return false;
	if (v.quoted && has_blank(value)) {
		/* words: data and prose keep them, a command is not told apart */
		bool prose = s->kind == JUDGE_TEXT_PROSE || link == LINK_COLON
			|| link == LINK_LOOSE;

		s->unsure |= !prose;
		return false;
	}
	if (v.is_mixed && s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true;
	take_out(s, v.start, v.end, name.type);
	return true;
}

/* --- names with values ------------------------------------------------------------ */

static size_t
skip_blanks(const struct scan *s, size_t i)
{
	while (is_blank(char_at(s, i)))
		i++;
	return i;
}

/* Authorization: a scheme and what follows it, or the credentials alone. */
static bool
settle_authorization(struct scan *s, struct judge_name name, size_t start)
{
	struct judge_name strong = {JUDGE_NAME_STRONG, name.type};
	struct value first = plain_value(s, start);
	struct value next = plain_value(s, skip_blanks(s, first.end));
	bool has_scheme = judge_is_auth_scheme(text_of(s, first));

	if (next.start == first.end)
		return settle(
			s, strong, is_last(s, first.end) ? LINK_KEY : LINK_COLON, first);
	if (is_word(text_of(s, next)) && !is_last(s, next.end))
		return false; /* prose */
	if (!has_scheme && !judge_looks_random(text_of(s, next)))
		return false;
	/* several values, parted by commas and quotes */
	if (s->kind == JUDGE_TEXT_COMMAND
		&& (str_eq_fold(text_of(s, first), STR("digest"))
			|| str_starts(text_of(s, first), STR("AWS4"))))
		s->unsure = true;
	return settle(s, strong, LINK_KEY, next);
}

static size_t
cookie_name_end(const struct scan *s, size_t i)
{
	while (is_name_char(char_at(s, i)) || char_at(s, i) == '-'
		|| char_at(s, i) == '.')
		i++;
	return i;
}

/* Cookies hold what plain values do not, where no shell reads it. */
static struct value
cookie_value(const struct scan *s, size_t start)
{
	struct value v = plain_value(s, start);
	bool inside = s->kind == JUDGE_TEXT_PROSE || s->quote != '\0';

	while (inside && str_has_char(STR(",&|<>(){}[]"), char_at(s, v.end)))
		v.end = plain_value(s, v.end + 1).end;
	return v;
}

/* a=b; c=d: every value, as long as there are pairs. */
static bool
settle_cookies(struct scan *s, size_t i)
{
	bool found = false;

	for (;;) {
		size_t end = cookie_name_end(s, i);

		if (end == i || char_at(s, end) != '=')
			return found;
		struct value v = cookie_value(s, end + 1);

		if (v.end > v.start) {
			s->unsure |= v.is_mixed && s->kind == JUDGE_TEXT_COMMAND;
			take_out(s, v.start, v.end, "cookie");
			found = true;
		}
		if (char_at(s, v.end) != ';')
			return found;
		i = skip_blanks(s, v.end + 1);
	}
}

/* What stands between a name that ends at i and its value; *i is moved there. */
static enum link
link_at(const struct scan *s, size_t *i, bool is_key)
{
	size_t at = skip_blanks(s, *i);
	bool spaced = at > *i;
	char c = char_at(s, at);

	if (c == ':' && char_at(s, at + 1) == '=')
		c = char_at(s, ++at); /* := */
	if (c == '=' && (char_at(s, at + 1) == '=' || char_at(s, at + 1) == '~'))
		return LINK_NONE; /* a comparison */
	if (c == '=' && char_at(s, at + 1) == '>')
		at++;
	else if (c != '=' && c != ':')
		return LINK_NONE;
	size_t start = skip_blanks(s, at + 1);

	if (s->text.ptr[at] == ':' && char_at(s, at + 1) == ':')
		return LINK_NONE; /* a scope: secret::Token */
	spaced |= start > at + 1;
	*i = start;
	if (is_key)
		return LINK_KEY;
	if (c == ':')
		return LINK_COLON;
	return spaced ? LINK_LOOSE : LINK_TIGHT;
}

/* Is the name that starts there in quotes of its own, that end at its end? */
static size_t
key_quote(const struct scan *s, size_t start, size_t end)
{
	size_t n = quote_len(s, end);

	if (n == 0 || start < n
		|| !str_eq(
			str_sub(s->text, start - n, start), str_sub(s->text, end, end + n)))
		return 0;
	return n;
}

static bool
is_behind_set(const struct scan *s, size_t start)
{
	return s->kind == JUDGE_TEXT_COMMAND && start >= 4
		&& str_eq(str_sub(s->text, start - 4, start), STR("set "));
}

static bool
settle_name(
	struct scan *s, struct judge_name name, size_t start, size_t end, bool flag)
{
	size_t quote = key_quote(s, start, end), i = end + quote;
	enum link link = link_at(s, &i, quote > 0);

	if (link == LINK_NONE && is_blank(char_at(s, i))
		&& (flag || is_behind_set(s, start))) {
		link = LINK_FLAG;
		i = skip_blanks(s, i);
		if (char_at(s, i) == '-')
			return false; /* another option: this one has no value */
	}
	struct value v = value_at(s, i);

	if (link == LINK_NONE)
		return str_eq_fold(str_sub(s->text, start, end), STR("bearer"))
			&& skip_blanks(s, end) > end
			&& settle(s, name, LINK_COLON, value_at(s, skip_blanks(s, end)));
	if (name.class == JUDGE_NAME_COOKIE)
		return settle_cookies(s, v.start);
	if (name.class == JUDGE_NAME_AUTH)
		return settle_authorization(s, name, v.start);
	if (!settle(s, name, link, v))
		return false;
	if (link == LINK_TIGHT && s->values && s->kind == JUDGE_TEXT_COMMAND)
		s->values->expanded |= is_expanded(s, str_sub(s->text, start, end));
	return true;
}

/* --- options of programs ------------------------------------------------------------- */

/* The part of the value that is secret: behind the first ':' or '%'. */
static bool
cut_pair(const struct scan *s, struct value *v)
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
static bool
is_number(struct str s)
{
	int64_t n;

	return str_number(s, &n);
}

static bool
settle_option(struct scan *s, size_t start)
{
	struct value word = plain_value(s, start);
	struct judge_option o = judge_option_of(&s->seen, text_of(s, word));
	struct judge_name name = {JUDGE_NAME_STRONG, "password"};
	size_t i = start + o.len;
	bool glued = i < word.end || is_quote(char_at(s, i));

	if (o.form == JUDGE_OPTION_NONE || (o.form == JUDGE_OPTION_GLUED && !glued))
		return false;
	if (char_at(s, i) == '=')
		i++;
	if (!glued)
		i = skip_blanks(s, i);
	struct value v = value_at(s, i);

	if (o.form == JUDGE_OPTION_COOKIE)
		return settle_cookies(s, v.start);
	if (o.form == JUDGE_OPTION_PAIR
		&& (!cut_pair(s, &v) || is_number(text_of(s, v))))
		return false;
	return settle(s, name, LINK_FLAG, v);
}

/* --- what else may begin somewhere ------------------------------------------------------ */

static bool
ends_authority(char c)
{
	return is_space(c) || is_quote(c) || c == '/' || c == '?' || c == '#'
		|| c == '\0' || c == '<' || c == '>' || c == '|' || c == ';' || c == '&'
		|| c == '(' || c == ')' || c == '\\' || c == ',';
}

/* Where the login of an address ends that starts at i: its last '@', or i. A
 * password may hold a slash that should have been escaped; a port may not. */
static size_t
login_end(const struct scan *s, size_t i)
{
	size_t end = i, at = i;
	size_t colon = s->text.len;

	for (; !ends_authority(char_at(s, end)); end++) {
		if (char_at(s, end) == '@')
			at = end;
		if (char_at(s, end) == ':' && colon == s->text.len)
			colon = end;
	}
	if (at > i || colon == s->text.len
		|| is_number(str_sub(s->text, colon + 1, end)))
		return at;
	for (; !is_space(char_at(s, end)) && !is_quote(char_at(s, end))
		 && char_at(s, end) != '\0';
		 end++) {
		if (char_at(s, end) == '@')
			at = end;
	}
	return at;
}

/* ://user:password@ */
static bool
settle_login(struct scan *s)
{
	size_t i = s->at + 3, end = login_end(s, i);
	struct value v = {.start = i, .end = end};
	bool has_password = cut_pair(s, &v);
	struct str value = text_of(s, v);

	s->at = i;
	if (end == i || judge_is_stand_in(value))
		return true;
	if (!has_password && !(value.len >= 16 && judge_looks_random(value)))
		return true;
	for (size_t j = v.start; j < v.end; j++)
		v.is_mixed |= s->quote != '\'' && s->text.ptr[j] == '$';
	if (v.is_mixed && s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true;
	take_out(s, v.start, v.end, "password");
	return true;
}

/* Base64, its line ends (real or escaped), and the headers of old formats. */
static bool
is_key_body(struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (!is_name_char(c) && !is_space(c)
			&& !str_has_char(STR("+/=:,.-\\\"'"), c))
			return false;
	}
	return true;
}

static bool
settle_private_key(struct scan *s)
{
	struct str rest = rest_of(s, s->at);
	size_t head = str_find(rest, STR("-----"), 5);
	struct str title = str_sub(rest, 0, head);

	if (!str_starts(rest, STR("-----BEGIN ")) || head > 64
		|| !str_has(title, STR("PRIVATE KEY")))
		return false;
	size_t end = str_find(rest, STR("-----END "), head);
	size_t tail = str_find(rest, STR("-----"), end + 9);
	size_t stop = tail < rest.len ? tail + 5 : rest.len;

	/* what is between must be a key, or something hides there */
	if (!is_key_body(str_sub(rest, head, end)))
		s->unsure = true;
	if (end == rest.len && s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true;
	take_out(s, s->at, s->at + stop, "private-key");
	return true;
}

/* [secret:...]: ours, from an earlier time */
static bool
skip_placeholder(struct scan *s)
{
	struct str rest = rest_of(s, s->at);
	size_t n = 8;

	if (!str_starts(rest, STR("[secret:")))
		return false;
	while (n < rest.len && (is_name_char(rest.ptr[n]) || rest.ptr[n] == '-'))
		n++;
	if (n == 8 || n >= rest.len || rest.ptr[n] != ']')
		return false;
	s->at += n + 1;
	return true;
}

static bool
settle_known(struct scan *s)
{
	for (size_t i = 0; s->values && i < s->values->count; i++) {
		struct str v = s->values->list[i];

		if (str_starts(rest_of(s, s->at), v)) {
			take_out(s, s->at, s->at + v.len, s->values->types[i]);
			return true;
		}
	}
	return false;
}

/* --- the walk ----------------------------------------------------------------------------- */

/* A word begins at s->at. */
static void
walk_word(struct scan *s)
{
	size_t start = s->at, end, keep;
	const char *type;
	size_t n = judge_key_at(rest_of(s, start), &keep, &type);
	bool flag = start >= 2 && char_at(s, start - 1) == '-'
		&& char_at(s, start - 2) == '-';

	if (n > 0) {
		take_out(s, start + keep, start + n, type);
		return;
	}
	for (end = start; is_name_char(char_at(s, end)) || char_at(s, end) == '-'
		 || char_at(s, end) == '.';
		 end++)
		;
	while (end > start && !is_name_char(s->text.ptr[end - 1]))
		end--;
	struct judge_name name = judge_name_of(str_sub(s->text, start, end));

	s->at = end > start ? end : start + 1;
	if (s->kind == JUDGE_TEXT_COMMAND)
		judge_option_see(&s->seen, str_sub(s->text, start, end));
	if (name.class != JUDGE_NAME_NONE)
		(void)settle_name(s, name, start, end, flag);
}

static void
walk_quote(struct scan *s, char c)
{
	if (s->kind != JUDGE_TEXT_COMMAND)
		return;
	if (s->quote == c)
		s->quote = '\0';
	else if (s->quote == '\0')
		s->quote = c;
}

/* No part of a longer word; \n and kin are none. */
static bool
begins_word(const struct scan *s)
{
	if (s->at == 0 || !is_name_char(s->text.ptr[s->at - 1]))
		return true;
	return s->at >= 2 && s->text.ptr[s->at - 2] == '\\'
		&& str_has_char(STR("nrt"), s->text.ptr[s->at - 1]);
}

static void
walk_separator(struct scan *s, char c)
{
	if (s->quote == '\0' && str_has_char(STR(";|&\n("), c))
		s->seen = (struct judge_options_seen){0};
}

/* One step: something is dealt with, or one byte is passed. */
static void
walk(struct scan *s)
{
	char c = s->text.ptr[s->at];
	char before = s->at > 0 ? s->text.ptr[s->at - 1] : ' ';

	if (c == '\\') { /* what follows is no word, and opens no quote */
		s->at += s->quote == '\'' && char_at(s, s->at + 1) == '\'' ? 1 : 2;
		return;
	}
	if (settle_known(s))
		return;
	if (c == '[' && skip_placeholder(s))
		return;
	if (c == ':' && str_starts(rest_of(s, s->at), STR("://"))
		&& settle_login(s))
		return;
	if (c == '-'
		&& (settle_private_key(s)
			|| (s->kind == JUDGE_TEXT_COMMAND && is_space(before)
				&& settle_option(s, s->at))))
		return;
	if ((is_name_char(c) || c == '$') && begins_word(s)) {
		walk_word(s);
		return;
	}
	if (c == '"' || c == '\'')
		walk_quote(s, c);
	walk_separator(s, c);
	s->at++;
}

bool
judge_redact_with(struct buf *out, struct str text, enum judge_text kind,
	struct judge_values *values)
{
	struct scan s = {.out = out, .text = text, .kind = kind, .values = values};

	while (s.at < text.len && !s.unsure)
		walk(&s);
	buf_add(out, str_sub(text, s.copied, text.len));
	return !s.unsure && !out->full;
}

bool
judge_redact(struct buf *out, struct str text, enum judge_text kind)
{
	struct judge_values values = {0};
	size_t before = out->len;

	if (!judge_redact_with(out, text, kind, &values))
		return false;
	if (values.count == 0)
		return true;
	/* once more: a value may stand before the place that gives it away */
	out->len = before;
	return judge_redact_with(out, text, kind, &values);
}

bool
judge_values_take(
	struct buf *out, struct str text, const struct judge_values *values)
{
	bool found = false;
	size_t copied = 0;

	for (size_t i = 0; i < text.len; i++) {
		for (size_t j = 0; j < values->count; j++) {
			struct str v = values->list[j];

			if (i < copied || !str_starts(str_sub(text, i, text.len), v))
				continue;
			buf_add(out, str_sub(text, copied, i));
			buf_addf(out, "[secret:%s]", values->types[j]);
			copied = i + v.len;
			found = true;
		}
	}
	buf_add(out, str_sub(text, copied, text.len));
	return found;
}
