#include "base/str.h"

#include <string.h>

static char
lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c | 0x20);
	return c;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str
str_from(const char *c)
{
	return (struct str){c, c ? strlen(c) : 0};
}

bool
str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool
str_eq_fold(struct str a, struct str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (lower(a.ptr[i]) != lower(b.ptr[i]))
			return false;
	}
	return true;
}

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;

	if (order != 0 || a.len == b.len)
		return order;
	return a.len < b.len ? -1 : 1;
}

bool
str_starts(struct str s, struct str prefix)
{
	return s.len >= prefix.len
		&& (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

bool
str_ends(struct str s, struct str suffix)
{
	return s.len >= suffix.len
		&& (suffix.len == 0
			|| memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

size_t
str_find(struct str s, struct str part, size_t from)
{
	if (part.len == 0)
		return from < s.len ? from : s.len;
	for (size_t i = from; i + part.len <= s.len; i++) {
		const char *hit = memchr(s.ptr + i, part.ptr[0], s.len - i);

		if (!hit)
			return s.len;
		i = (size_t)(hit - s.ptr);
		if (i + part.len <= s.len && memcmp(hit, part.ptr, part.len) == 0)
			return i;
	}
	return s.len;
}

bool
str_has(struct str s, struct str part)
{
	return part.len == 0 || str_find(s, part, 0) < s.len;
}

bool
str_has_fold(struct str s, struct str part)
{
	for (size_t i = 0; i + part.len <= s.len; i++) {
		if (str_eq_fold((struct str){s.ptr + i, part.len}, part))
			return true;
	}
	return part.len == 0;
}

bool
str_has_char(struct str s, char c)
{
	return s.len > 0 && memchr(s.ptr, c, s.len) != NULL;
}

struct str
str_trim(struct str s)
{
	while (s.len > 0 && is_blank(s.ptr[0])) {
		s.ptr++;
		s.len--;
	}
	while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

struct str
str_sub(struct str s, size_t start, size_t end)
{
	if (end > s.len)
		end = s.len;
	if (start > end)
		start = end;
	return (struct str){s.ptr ? s.ptr + start : s.ptr, end - start};
}

struct str
str_cut(struct str s, char c, struct str *ret_rest)
{
	const char *at = s.len > 0 ? memchr(s.ptr, c, s.len) : NULL;

	if (!at) {
		*ret_rest = (struct str){0};
		return s;
	}
	size_t n = (size_t)(at - s.ptr);

	*ret_rest = (struct str){at + 1, s.len - n - 1};
	return (struct str){s.ptr, n};
}

bool
str_line(struct str *rest, struct str *ret_line)
{
	if (rest->len == 0)
		return false;
	*ret_line = str_cut(*rest, '\n', rest);
	return true;
}

bool
str_number(struct str s, int64_t *ret)
{
	int64_t n = 0;

	if (s.len == 0 || s.len > 18)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
		n = n * 10 + (s.ptr[i] - '0');
	}
	*ret = n;
	return true;
}

bool
str_amount(struct str s, int64_t *ret_millionths)
{
	enum { DECIMALS = 6 };
	int64_t n = 0;
	int decimals = -1;

	if (s.len == 0 || s.len > 12 || s.ptr[0] == '.' || s.ptr[s.len - 1] == '.')
		return false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (c == '.' && decimals < 0) {
			decimals = 0;
			continue;
		}
		if (c < '0' || c > '9' || decimals == DECIMALS)
			return false;
		n = n * 10 + (c - '0');
		if (decimals >= 0)
			decimals++;
	}
	for (int i = decimals < 0 ? 0 : decimals; i < DECIMALS; i++)
		n *= 10;
	*ret_millionths = n;
	return true;
}

struct str
str_base(struct str path)
{
	for (size_t i = path.len; i > 0; i--) {
		if (path.ptr[i - 1] == '/')
			return str_sub(path, i, path.len);
	}
	return path;
}

static size_t
min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

size_t
str_distance(struct str a, struct str b, size_t limit)
{
	enum { WORD_MAX = 32 };
	size_t row[WORD_MAX + 1];

	if (a.len > WORD_MAX || b.len > WORD_MAX)
		return limit;
	for (size_t j = 0; j <= b.len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			size_t same = lower(a.ptr[i - 1]) == lower(b.ptr[j - 1]) ? 0 : 1;
			size_t up = row[j];

			row[j] = min3(corner + same, up + 1, row[j - 1] + 1);
			corner = up;
		}
	}
	return row[b.len] < limit ? row[b.len] : limit;
}

size_t
str_utf8(struct str s, uint32_t *ret_code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = s.len > 0 ? (unsigned char)s.ptr[0] : 0xff;
	size_t n = c < 0x80 ? 1
		: c >> 5 == 6   ? 2
		: c >> 4 == 14  ? 3
		: c >> 3 == 30  ? 4
						: 0;
	uint32_t code = n == 1 ? c : c & (0x7fU >> n);

	if (n == 0 || n > s.len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		unsigned char more = (unsigned char)s.ptr[i];

		if (more >> 6 != 2)
			return 0;
		code = code << 6 | (more & 0x3fU);
	}
	if (code < least[n] || code > 0x10ffff
		|| (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return n;
}

bool
str_code_is_hidden(uint32_t code)
{
	/* Unicode's Cf, Zl and Zp, and what is as invisible */
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0xad,    0xad   }, /* soft hyphen */
		{0x34f,   0x34f  }, /* combining grapheme joiner */
		{0x600,   0x605  }, /* Arabic number signs */
		{0x61c,   0x61c  }, /* Arabic letter mark */
		{0x6dd,   0x6dd  }, /* Arabic end of ayah */
		{0x70f,   0x70f  }, /* Syriac abbreviation mark */
		{0x890,   0x891  }, /* Arabic currency marks */
		{0x8e2,   0x8e2  }, /* Arabic disputed end of ayah */
		{0x115f,  0x1160 }, /* Hangul fillers */
		{0x17b4,  0x17b5 }, /* Khmer inherent vowels */
		{0x180b,  0x180f }, /* Mongolian selectors, vowel separator */
		{0x200b,  0x200f }, /* zero width, marks of direction */
		{0x2028,  0x202e }, /* separators, direction */
		{0x2060,  0x206f }, /* joiners, isolates, deprecated */
		{0x2800,  0x2800 }, /* empty braille pattern */
		{0x3164,  0x3164 }, /* Hangul filler */
		{0xfe00,  0xfe0f }, /* variation selectors */
		{0xfeff,  0xfeff }, /* byte order mark */
		{0xffa0,  0xffa0 }, /* half-width Hangul filler */
		{0xfff0,  0xfffb }, /* specials */
		{0x110bd, 0x110bd}, /* Kaithi number signs */
		{0x110cd, 0x110cd},
        {0x13430, 0x1343f}, /* Egyptian format controls */
		{0x1bca0, 0x1bca3}, /* shorthand format controls */
		{0x1d173, 0x1d17a}, /* musical formatting */
		{0xe0000, 0xe0fff}, /* tags, variation selectors */
	};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}
