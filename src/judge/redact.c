/*
 * Text is walked once. Where a word begins it may be a provider's key, an option
 * that takes a secret, or a name with a value behind it; "://" may have a login
 * behind it, and dashes a private key. What secrets look like is in secret.c.
 */

#include "judge/scan.h"

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
login_end(const struct judge_scan *s, size_t i)
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
		|| judge_is_number(str_sub(s->text, colon + 1, end)))
		return at;
	for (; !is_space(char_at(s, end)) && !is_quote(char_at(s, end))
		 && char_at(s, end) != '\0';
		 end++) {
		if (char_at(s, end) == '@')
			at = end;
	}
	return at;
}

/* Length of [secret:...] at i: ours, from an earlier time; or 0. */
static size_t
placeholder_len(const struct judge_scan *s, size_t i)
{
	struct str rest = rest_of(s, i);
	size_t n = 8;

	if (!str_starts(rest, STR("[secret:")))
		return 0;
	while (n < rest.len && (is_name_char(rest.ptr[n]) || rest.ptr[n] == '-'))
		n++;
	return n > 8 && n < rest.len && rest.ptr[n] == ']' ? n + 1 : 0;
}

/* ://user:password@ */
static bool
settle_login(struct judge_scan *s)
{
	size_t i = s->at + 3, end = login_end(s, i);
	struct judge_value v = {.start = i, .end = end};
	bool has_password = judge_value_cut_pair(s, &v);
	struct str value = judge_value_text(s, v);

	s->at = i;
	if (end == i || judge_is_stand_in(value)
		|| placeholder_len(s, i) == end - i)
		return true;
	if (!has_password && !(value.len >= 16 && judge_looks_random(value)))
		return true;
	for (size_t j = v.start; j < v.end; j++)
		v.is_mixed |= s->quote != '\'' && s->text.ptr[j] == '$';
	if (v.is_mixed && s->kind == JUDGE_TEXT_COMMAND)
		s->unsure = true;
	judge_take_out(s, v.start, v.end, "password");
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
settle_private_key(struct judge_scan *s)
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
	judge_take_out(s, s->at, s->at + stop, "private-key");
	return true;
}

static bool
settle_known(struct judge_scan *s)
{
	for (size_t i = 0; s->values && i < s->values->count; i++) {
		struct str v = s->values->list[i];

		if (str_starts(rest_of(s, s->at), v)) {
			judge_take_out(s, s->at, s->at + v.len, s->values->types[i]);
			return true;
		}
	}
	return false;
}

/* --- the walk ----------------------------------------------------------------------------- */

/* A word begins at s->at. */
static void
walk_word(struct judge_scan *s)
{
	size_t start = s->at, end, keep;
	const char *type;
	size_t n = judge_key_at(rest_of(s, start), &keep, &type);
	bool flag = start >= 2 && char_at(s, start - 1) == '-'
		&& char_at(s, start - 2) == '-';

	if (n > 0) {
		judge_take_out(s, start + keep, start + n, type);
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
		(void)judge_settle_name(s, name, start, end, flag);
}

static void
walk_quote(struct judge_scan *s, char c)
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
begins_word(const struct judge_scan *s)
{
	if (s->at == 0 || !is_name_char(s->text.ptr[s->at - 1]))
		return true;
	return s->at >= 2 && s->text.ptr[s->at - 2] == '\\'
		&& str_has_char(STR("nrt"), s->text.ptr[s->at - 1]);
}

static void
walk_separator(struct judge_scan *s, char c)
{
	if (s->quote == '\0' && str_has_char(STR(";|&\n("), c))
		s->seen = (struct judge_options_seen){0};
}

/* One step: something is dealt with, or one byte is passed. */
static void
walk(struct judge_scan *s)
{
	char c = s->text.ptr[s->at];
	char before = s->at > 0 ? s->text.ptr[s->at - 1] : ' ';

	if (c == '\\') { /* what follows is no word, and opens no quote */
		s->at += s->quote == '\'' && char_at(s, s->at + 1) == '\'' ? 1 : 2;
		return;
	}
	if (settle_known(s))
		return;
	size_t ours = c == '[' ? placeholder_len(s, s->at) : 0;

	s->at += ours;
	if (ours > 0)
		return;
	if (c == ':' && str_starts(rest_of(s, s->at), STR("://"))
		&& settle_login(s))
		return;
	if (c == '-'
		&& (settle_private_key(s)
			|| (s->kind == JUDGE_TEXT_COMMAND && is_space(before)
				&& judge_settle_option(s, s->at))))
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
	struct judge_scan s = {
		.out = out, .text = text, .kind = kind, .values = values};

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
