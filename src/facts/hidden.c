/*
 * Characters that make a text look like another one.
 */

#include "facts/facts_priv.h"

struct range {
	uint32_t from, to;
	bool in_content; /* counts in a file's text, too */
};

static const struct range hidden[] = {
	{0x00ad,  0x00ad,  false}, /* soft hyphen */
	{0x034f,  0x034f,  false},
    {0x061c,  0x061c,  true }, /* bidi marks */
	{0x115f,  0x1160,  false}, /* fillers */
	{0x17b4,  0x17b5,  false},
    {0x180b,  0x180e,  false},
	{0x200b,  0x200f,  false}, /* zero width, marks */
	{0x2028,  0x2029,  false}, /* separators */
	{0x202a,  0x202e,  true }, /* bidi embedding and override */
	{0x2060,  0x2064,  false},
    {0x2066,  0x206f,  true }, /* bidi isolates */
	{0x3164,  0x3164,  false},
    {0xfe00,  0xfe0e,  false},
	{0xfeff,  0xfeff,  false}, /* byte order mark inside */
	{0xffa0,  0xffa0,  false},
    {0xfff9,  0xfffb,  false},
	{0xe0000, 0xe0fff, true }, /* tags */
};

/* Letters that look like ASCII ones: Greek, Cyrillic, Armenian, full width,
 * mathematical; and spaces that are not blanks to a shell. */
static const struct range alike[] = {
	{0x00a0,  0x00a0,  false},
	{0x0370,  0x03ff,  false},
	{0x0400,  0x052f,  false},
	{0x0530,  0x058f,  false},
	{0x1680,  0x1680,  false},
	{0x2000,  0x200a,  false},
	{0x202f,  0x202f,  false},
	{0x205f,  0x205f,  false},
	{0x2215,  0x2215,  false},
	{0x3000,  0x3000,  false},
	{0xff01,  0xff5e,  false},
	{0x1d400, 0x1d7ff, false},
};

static const struct range *
find(const struct range *list, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++) {
		if (code >= list[i].from && code <= list[i].to)
			return &list[i];
	}
	return NULL;
}

static void
mark(struct facts *f, struct str text, size_t at)
{
	size_t start = at > 20 ? at - 20 : 0;

	while (start < at && (text.ptr[start] & 0xc0) == 0x80)
		start++;
	facts_add_hazard(f, CALL_HAZARD_HIDDEN_TEXT, str_sub(text, start, at + 40));
	facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED, "hidden characters",
		(struct str){NULL, 0});
}

static bool
is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A joiner between two emoji is no disguise. */
static bool
joins_emoji(struct str text, size_t at, size_t len)
{
	uint32_t next;

	return at >= 4 && (unsigned char)text.ptr[at - 1] >= 0x80
		&& str_utf8(str_sub(text, at + len, text.len), &next) >= 3;
}

static bool
is_control(unsigned char c)
{
	return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
}

/* What was seen of the word at hand. */
struct scan {
	bool content;
	bool letters; /* ASCII letters */
	bool strange; /* letters that look like them */
};

/* True for a plain character that hides something, or that shows the word to be
 * of two scripts. */
static bool
is_bad_plain(struct scan *s, unsigned char c)
{
	if (is_letter(c))
		s->letters = true;
	else
		s->letters = s->strange = false;
	return !s->content && (is_control(c) || (s->letters && s->strange));
}

/* The same for any other character, at byte at and len bytes long. */
static bool
is_bad_code(
	struct scan *s, struct str text, size_t at, size_t len, uint32_t code)
{
	const struct range *r = find(hidden, ARRAY_LEN(hidden), code);

	s->strange = find(alike, ARRAY_LEN(alike), code) != NULL;
	if (s->strange && s->letters && !s->content)
		return true;
	return r && (r->in_content || !s->content)
		&& !(code == 0x200d && joins_emoji(text, at, len));
}

/* The letter that an escape at s[i] writes as a number, and its length; 0 = it is
 * none. */
static size_t
letter_escape(struct str s, size_t i)
{
	unsigned value = 0, base = 8;
	size_t n = 1, most = 3, start;

	if (i + 1 >= s.len || s.ptr[i] != '\\')
		return 0;
	if (str_has_char(STR("xuU"), s.ptr[i + 1])) {
		base = 16;
		most = s.ptr[i + 1] == 'x' ? 2 : s.ptr[i + 1] == 'u' ? 4 : 8;
		n = 2;
	}
	for (start = n; i + n < s.len && n < start + most; n++) {
		char c = s.ptr[i + n];
		unsigned d = c >= '0' && c <= '9' ? (unsigned)(c - '0')
			: is_letter((unsigned char)c) ? (unsigned)((c | 32) - 'a') + 10
										  : 99;

		if (d >= base)
			break;
		value = value * base + d;
	}
	return n > start && value < 128 && is_letter((unsigned char)value) ? n : 0;
}

void
facts_scan_escapes(struct facts *f, struct str text)
{
	size_t at = str_find(text, STR("$'"), 0);

	while (at < text.len) {
		size_t letters = 0, i = at + 2;

		while (i < text.len && text.ptr[i] != '\'') {
			size_t n = letter_escape(text, i);

			letters += n > 0;
			i += n > 0 ? n : text.ptr[i] == '\\' ? 2 : 1;
		}
		if (letters > 1) {
			facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
				"letters that are written as numbers", str_sub(text, at, i));
			return;
		}
		at = str_find(text, STR("$'"), i);
	}
}

void
facts_scan_hidden(struct facts *f, struct str text, bool content)
{
	struct scan s = {.content = content};

	for (size_t i = 0; i < text.len;) {
		unsigned char c = (unsigned char)text.ptr[i];
		uint32_t code;
		size_t n = c < 0x80 ? 1 : str_utf8(str_sub(text, i, text.len), &code);
		bool bad = false;

		if (c < 0x80)
			bad = is_bad_plain(&s, c);
		else if (n > 0)
			bad = is_bad_code(&s, text, i, n, code);
		if (bad) {
			mark(f, text, i);
			return;
		}
		i += n > 0 ? n : 1;
	}
}
