#include <string.h>

#include "base/limits.h"
#include "card/card.h"

/*
 * What a terminal would obey, and what hides or reorders text, is shown as an
 * escape or taken out. Rows of code points; everything else is printed.
 */

/* First and last of each range. */
static const struct {
	uint32_t first, last;
} unprintable[] = {
	{0x00,    0x1f   }, /* C0 */
	{0x7f,    0x9f   }, /* DEL, C1 */
	{0xad,    0xad   }, /* soft hyphen */
	{0x034f,  0x034f }, /* combining grapheme joiner */
	{0x061c,  0x061c }, /* Arabic letter mark */
	{0x115f,  0x1160 }, /* Hangul fillers */
	{0x17b4,  0x17b5 }, /* Khmer inherent vowels */
	{0x180b,  0x180f }, /* Mongolian variation selectors, vowel separator */
	{0x2028,  0x202e }, /* line and paragraph separator, bidi */
	{0x200b,  0x200f }, /* zero-width, bidi marks */
	{0x2060,  0x206f }, /* word joiner, bidi isolates, deprecated */
	{0x3164,  0x3164 }, /* Hangul filler */
	{0xfe00,  0xfe0f }, /* variation selectors */
	{0xfeff,  0xfeff }, /* zero-width no-break space */
	{0xffa0,  0xffa0 }, /* half-width Hangul filler */
	{0xfff0,  0xfffb }, /* specials */
	{0x1d173, 0x1d17a}, /* musical formatting */
	{0xe0000, 0xe0fff}, /* tags, variation selectors */
};

static bool
is_printable(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(unprintable); i++) {
		if (code >= unprintable[i].first && code <= unprintable[i].last)
			return false;
	}
	return true;
}

static void
add_escape(struct buf *b, uint32_t code, bool is_byte)
{
	if (code == '\n' && !is_byte)
		buf_add(b, STR("\\n"));
	else if (code == '\t' && !is_byte)
		buf_add(b, STR("\\t"));
	else if (code < 0x100)
		buf_addf(b, "\\x%02x", code);
	else if (code < 0x10000)
		buf_addf(b, "\\u%04x", code);
	else
		buf_addf(b, "\\U%08x", code);
}

void
card_clean(struct buf *b, struct str s, bool lines)
{
	while (s.len > 0) {
		uint32_t code = 0;
		size_t n = str_utf8(s, &code);

		if (n == 0)
			add_escape(b, (unsigned char)s.ptr[0], true);
		else if (is_printable(code) || (lines && code == '\n'))
			buf_add(b, str_sub(s, 0, n));
		else
			add_escape(b, code, false);
		s = str_sub(s, n ? n : 1, s.len);
	}
}

/* Cuts to LIMIT_NOTE_CHARS of what is kept; line feeds and tabs stay. */
static size_t
keep_clean(struct str s, char *to)
{
	size_t len = 0, chars = 0;

	while (s.len > 0 && chars < LIMIT_NOTE_CHARS) {
		uint32_t code = 0;
		size_t n = str_utf8(s, &code);

		if (n > 0 && (is_printable(code) || code == '\n' || code == '\t')) {
			memcpy(to + len, s.ptr, n);
			len += n;
			chars++;
		}
		s = str_sub(s, n ? n : 1, s.len);
	}
	return len;
}

struct str
card_note(struct arena *a, struct str note)
{
	/* four bytes a character, and as much again that is taken out */
	note = str_sub(str_trim(note), 0, (size_t)LIMIT_NOTE_CHARS * 8);
	if (note.len == 0)
		return (struct str){0};
	char *text = arena_alloc(a, note.len + 1);
	struct str kept = str_trim((struct str){text, keep_clean(note, text)});

	return kept.len > 0 ? kept : (struct str){0};
}

bool
card_note_is_too_long(struct str note)
{
	size_t n = 0;

	note = str_trim(note);
	/* code points; of text that is no UTF-8, what begins one */
	for (size_t i = 0; i < note.len; i++)
		n += ((unsigned char)note.ptr[i] & 0xc0) != 0x80;
	return n > LIMIT_NOTE_CHARS;
}
