/*
 * '...' and $'...'.
 */

#include <string.h>

#include "shell/shell_priv.h"

bool
shell_single_read(struct shell_reader *r, struct shell_lit *lit)
{
	const char *from = r->text + r->pos;
	const char *end =
		r->pos < r->len ? memchr(from, '\'', r->len - r->pos) : NULL;

	if (!end)
		return false;
	size_t start = r->pos, n = (size_t)(end - from);

	r->pos += n + 1;
	if (n > 0)
		shell_lit_add(r, lit, (struct str){from, n}, start - 1);
	return true;
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Up to max digits in base at s[*i]; *i moves behind them. */
static uint32_t
number(struct str s, size_t *i, int base, int max)
{
	uint32_t n = 0;

	while (max-- > 0 && *i < s.len && digit(s.ptr[*i]) < base)
		n = n * (uint32_t)base + (uint32_t)digit(s.ptr[(*i)++]);
	return n;
}

static size_t
put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | (c >> 18 & 7));
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* \xHH, \x{H...}, \uHHHH or \UHHHHHHHH; s[*i] is behind the letter. Without
 * digits it stays as it is. */
static size_t
unescape_code(struct str s, size_t *i, char *out, bool *ret_end)
{
	char c = s.ptr[*i - 1];
	bool braces = c == 'x' && *i < s.len && s.ptr[*i] == '{';

	*i += braces;
	size_t digits = *i;
	int max = braces ? INT32_MAX : c == 'x' ? 2 : c == 'u' ? 4 : 8;
	uint32_t n = number(s, i, 16, max);

	if (*i == digits && !braces) {
		out[0] = '\\';
		out[1] = c;
		return 2;
	}
	if (braces && *i < s.len && s.ptr[*i] == '}')
		(*i)++;
	*ret_end = c == 'x' ? (n & 0xff) == 0 : n == 0;
	if (c != 'x')
		return put_utf8(out, n);
	out[0] = (char)n;
	return 1;
}

/* The escape at s[*i], behind its backslash. Bytes written to out, at most 6;
 * *ret_end when it is a NUL, which ends the text. */
static size_t
unescape(struct str s, size_t *i, char *out, bool *ret_end)
{
	static const char from[] = "abeEfnrtv\\'\"?";
	static const char to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	char c = s.ptr[(*i)++];
	const char *at = c ? strchr(from, c) : NULL;

	if (at) {
		out[0] = to[at - from];
		return 1;
	}
	if (c >= '0' && c <= '7') {
		(*i)--;
		out[0] = (char)number(s, i, 8, 3);
		*ret_end = out[0] == '\0';
		return 1;
	}
	if (c == 'c' && *i < s.len) {
		/* \c\\ is one backslash */
		if (s.ptr[*i] == '\\' && *i + 1 < s.len && s.ptr[*i + 1] == '\\')
			(*i)++;
		out[0] = (char)(s.ptr[*i] == '?' ? 0x7f : s.ptr[*i] & 0x1f);
		(*i)++;
		*ret_end = out[0] == '\0';
		return 1;
	}
	if (c == 'x' || c == 'u' || c == 'U')
		return unescape_code(s, i, out, ret_end);
	out[0] = '\\';
	out[1] = c;
	return 2;
}

bool
shell_ansi_read(struct shell_reader *r, struct shell_lit *lit)
{
	size_t start = r->pos, end = start, n = 0;
	bool ended = false;

	while (end < r->len && r->text[end] != '\'')
		end += r->text[end] == '\\' ? 2 : 1;
	if (end >= r->len)
		return false;
	struct str s = shell_source(r, start, end);
	char *out = arena_alloc(r->st->a, s.len + 8);

	for (size_t i = 0; i < s.len && !ended;) {
		if (s.ptr[i] != '\\')
			out[n++] = s.ptr[i++];
		else {
			i++;
			n += unescape(s, &i, out + n, &ended);
		}
	}
	if (ended)
		n--;
	r->pos = end + 1;
	if (n > 0)
		shell_lit_add(r, lit, (struct str){out, n}, start - 2);
	return true;
}
