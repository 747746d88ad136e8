/*
 * Text on a terminal: inks, and foreign text made harmless; a word for a shell.
 */

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char *const ink_codes[] = {
#define X(name, code) code,
	CLI_INKS(X)
#undef X
};

const char *
cli_ink(const struct cli *c, enum cli_ink ink)
{
	/* every code as it is written, so that nobody has to free it */
	static const char *const on[] = {
#define X(name, code) "\033[" code "m",
		CLI_INKS(X)
#undef X
	};

	CHECK(ink < CLI_INK_COUNT);
	return c->colour && ink_codes[ink][0] ? on[ink] : "";
}

const char *
cli_ink_off(const struct cli *c, enum cli_ink ink)
{
	CHECK(ink < CLI_INK_COUNT);
	return c->colour && ink_codes[ink][0] ? "\033[0m" : "";
}

/* Hides, reorders or fakes text on a terminal. */
static bool
is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f)
		|| str_code_is_hidden(code);
}

static void
add_shown(struct buf *b, struct str s, uint32_t code)
{
	static const char letters[] = "abtnvfr"; /* from 7 on */

	if (!is_hidden(code))
		buf_add(b, s);
	else if (code >= 7 && code <= 13)
		buf_addf(b, "\\%c", letters[code - 7]);
	else if (code < 0x100)
		buf_addf(b, "\\x%02x", code);
	else
		buf_addf(b, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

struct str
cli_show(struct arena *a, struct str s)
{
	CLEANUP(buf_done) struct buf b;

	/* the longest escape takes ten bytes for four */
	buf_init(&b, s.len * 4 + 16);
	for (size_t i = 0; i < s.len;) {
		uint32_t code = 0;
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		if (n == 0) {
			buf_addf(&b, "\\x%02x", (unsigned char)s.ptr[i]);
			n = 1;
		} else {
			add_shown(&b, str_sub(s, i, i + n), code);
		}
		i += n;
	}
	return arena_dup(a, buf_str(&b));
}

/* Scripts whose characters take two columns. */
static const struct {
	uint32_t first, last;
} wide[] = {
	{0x1100,  0x115e },
	{0x2e80,  0x303e },
	{0x3041,  0x33ff },
	{0x3400,  0x4dbf },
	{0x4e00,  0x9fff },
	{0xa000,  0xa4cf },
	{0xac00,  0xd7a3 },
	{0xf900,  0xfaff },
	{0xfe30,  0xfe4f },
	{0xff00,  0xff60 },
	{0xffe0,  0xffe6 },
	{0x1f300, 0x1f64f},
	{0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
};

size_t
cli_width(struct str s)
{
	size_t width = 0;

	for (size_t i = 0; i < s.len;) {
		uint32_t code = 0;
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		i += n > 0 ? n : 1;
		width++;
		for (size_t k = 0; k < ARRAY_LEN(wide); k++)
			width += code >= wide[k].first && code <= wide[k].last;
	}
	return width;
}

void
cli_shell_word_add(struct buf *b, struct str word)
{
	buf_add_char(b, '\'');
	for (size_t i = 0; i < word.len; i++) {
		if (word.ptr[i] == '\'')
			buf_add(b, STR("'\\''"));
		else
			buf_add_char(b, word.ptr[i]);
	}
	buf_add_char(b, '\'');
}
