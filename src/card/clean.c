#include <string.h>

#include "base/limits.h"
#include "card/card.h"

/*
 * What a terminal would obey, and what hides or reorders text, is shown as an
 * escape or taken out. Everything else is printed.
 */

static bool
is_printable(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f)
		&& !str_code_is_hidden(code);
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
