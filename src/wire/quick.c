#include "wire/quick.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

struct reader {
	const char *at, *end;
	size_t depth;
};

static json_t *read_value(struct reader *r);

static void
skip_blanks(struct reader *r)
{
	while (r->at < r->end
		&& (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'
			|| *r->at == '\r'))
		r->at++;
}

/* Takes c, after blanks; false if something else stands there. */
static bool
take(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* --- texts ------------------------------------------------------------------- */

/* The text up to its closing quote as it stands there, which is behind *ret
 * then. False when it does not end, or holds what JSON forbids. */
static bool
find_text(struct reader *r, struct str *ret, bool *ret_escaped)
{
	const char *from = r->at;

	*ret_escaped = false;
	while (r->at < r->end && *r->at != '"') {
		unsigned char c = (unsigned char)*r->at;
		struct str rest = {r->at, (size_t)(r->end - r->at)};
		uint32_t code = 0;
		size_t n = c < 0x80 ? 1 : str_utf8(rest, &code);

		if (c < ' ' || n == 0 || (c == '\\' && rest.len < 2))
			return false;
		*ret_escaped = *ret_escaped || c == '\\';
		r->at += c == '\\' ? 2 : n;
	}
	if (r->at >= r->end)
		return false;
	*ret = (struct str){from, (size_t)(r->at - from)};
	r->at++;
	return true;
}

/* The value of four hex digits, or 0. */
static uint32_t
hex4(const char *p)
{
	enum { UPPER = 16, CASES = 6 };
	static const char digits[] = "0123456789abcdefABCDEF";
	uint32_t code = 0;

	for (int i = 0; i < 4; i++) {
		const char *at = p[i] ? strchr(digits, p[i]) : NULL;
		uint32_t digit = at ? (uint32_t)(at - digits) : 0;

		if (!at)
			return 0;
		code = code << 4 | (digit < UPPER ? digit : digit - CASES);
	}
	return code;
}

static size_t
put_utf8(char *out, uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | code >> 12);
	out[1] = (char)(0x80 | (code >> 6 & 0x3f));
	out[2] = (char)(0x80 | (code & 0x3f));
	return 3;
}

/* One escape at s (behind the backslash) to out; how many characters of s it
 * took, 0 when it is left to jansson. An escape is never longer than its text. */
static size_t
unescape(struct str s, char *out, size_t *ret_count)
{
	static const char from[] = "\"\\/bfnrt";
	static const char to[] = "\"\\/\b\f\n\r\t";
	const char *at = s.ptr[0] ? strchr(from, s.ptr[0]) : NULL;
	uint32_t code = 0;

	if (at) {
		*out = to[at - from];
		*ret_count = 1;
		return 1;
	}
	if (s.ptr[0] == 'u' && s.len >= 5)
		code = hex4(s.ptr + 1);
	if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_count = put_utf8(out, code);
	return 5;
}

/* s without its escapes, in out (as large as s); its length, or SIZE_MAX. */
static size_t
unescape_all(struct str s, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		size_t count = 1, took = 1;

		if (s.ptr[i] == '\\') {
			took = unescape(str_sub(s, i + 1, s.len), out + n, &count);
			if (took == 0)
				return SIZE_MAX;
			i += took;
		} else {
			out[n] = s.ptr[i];
		}
		n += count;
	}
	return n;
}

/* A text behind its opening quote. */
static json_t *
read_text(struct reader *r)
{
	struct str s;
	bool escaped;

	if (!find_text(r, &s, &escaped))
		return NULL;
	if (!escaped)
		return json_stringn_nocheck(s.ptr, s.len);
	char *out = malloc(s.len + 1);
	size_t n = out ? unescape_all(s, out) : SIZE_MAX;
	json_t *j = n == SIZE_MAX ? NULL : json_stringn_nocheck(out, n);

	free(out);
	return j;
}

/* --- the other values ---------------------------------------------------------- */

static json_t *
read_integer(struct reader *r)
{
	enum { DIGITS_MAX = 18 };
	bool negative = *r->at == '-';
	const char *from = r->at + (negative ? 1 : 0);
	json_int_t n = 0;

	for (r->at = from; r->at < r->end && *r->at >= '0' && *r->at <= '9';
		 r->at++) {
		if (r->at - from == DIGITS_MAX)
			return NULL;
		n = n * 10 + (*r->at - '0');
	}
	bool odd = r->at == from || (*from == '0' && (negative || r->at > from + 1))
		|| (r->at < r->end && strchr(".eE", *r->at));

	return odd ? NULL : json_integer(negative ? -n : n);
}

static bool
take_word(struct reader *r, struct str word)
{
	struct str rest = {r->at, (size_t)(r->end - r->at)};

	if (!str_starts(rest, word))
		return false;
	r->at += word.len;
	return true;
}

static json_t *
read_word(struct reader *r)
{
	if (take_word(r, STR("true")))
		return json_true();
	if (take_word(r, STR("false")))
		return json_false();
	return take_word(r, STR("null")) ? json_null() : NULL;
}

/* A member into obj; false when it cannot be, or is there already. */
static bool
read_member(struct reader *r, json_t *obj)
{
	struct str key;
	bool escaped;
	size_t before = json_object_size(obj);

	if (!take(r, '"') || !find_text(r, &key, &escaped) || escaped
		|| !take(r, ':'))
		return false;
	json_t *value = read_value(r);

	return value
		&& json_object_setn_new_nocheck(obj, key.ptr, key.len, value) == 0
		&& json_object_size(obj) > before;
}

static bool
read_element(struct reader *r, json_t *list)
{
	json_t *value = read_value(r);

	return value && json_array_append_new(list, value) == 0;
}

/* What stands between brackets, into j, which is released when it is not read. */
static json_t *
read_inside(struct reader *r, json_t *j,
	bool (*read_one)(struct reader *r, json_t *j), char close)
{
	if (!j)
		return NULL;
	if (take(r, close))
		return j;
	while (r->depth < LIMIT_JSON_DEPTH && read_one(r, j)) {
		if (take(r, close))
			return j;
		if (!take(r, ','))
			break;
	}
	json_decref(j);
	return NULL;
}

static json_t *
read_value(struct reader *r)
{
	json_t *j = NULL;

	skip_blanks(r);
	if (r->at == r->end)
		return NULL;
	r->depth++;
	switch (*r->at) {
	case '{':
		r->at++;
		j = read_inside(r, json_object(), read_member, '}');
		break;
	case '[':
		r->at++;
		j = read_inside(r, json_array(), read_element, ']');
		break;
	case '"':
		r->at++;
		j = read_text(r);
		break;
	case 't':
	case 'f':
	case 'n':
		j = read_word(r);
		break;
	default:
		j = read_integer(r);
		break;
	}
	r->depth--;
	return j;
}

json_t *
wire_quick_parse(struct str text)
{
	struct reader r = {.at = text.ptr, .end = text.ptr + text.len};
	json_t *j;

	if (text.len == 0)
		return NULL;
	j = read_value(&r);
	skip_blanks(&r);
	if (j && r.at != r.end) {
		json_decref(j);
		return NULL;
	}
	return j;
}
