#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
buf_init(struct buf *b, size_t max_bytes)
{
	*b = (struct buf){.max = max_bytes};
}

void
buf_done(struct buf *b)
{
	free(b->ptr);
	*b = (struct buf){0};
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	b->full = false;
}

static bool
make_room(struct buf *b, size_t more)
{
	if (b->full || more > b->max - b->len) {
		b->full = true;
		return false;
	}
	if (b->len + more < b->cap)
		return true;
	size_t cap = (b->len + more) * 2 + 64;
	char *p = realloc(b->ptr, cap);

	if (!p) {
		b->full = true;
		return false;
	}
	b->ptr = p;
	b->cap = cap;
	return true;
}

void
buf_add(struct buf *b, struct str s)
{
	if (!make_room(b, s.len))
		return;
	if (s.len > 0)
		memcpy(b->ptr + b->len, s.ptr, s.len);
	b->len += s.len;
	b->ptr[b->len] = '\0';
}

void
buf_add_char(struct buf *b, char c)
{
	buf_add(b, (struct str){&c, 1});
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list args, again;

	va_start(args, fmt);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, fmt, args);

	va_end(args);
	CHECK(n >= 0);
	if (make_room(b, (size_t)n)) {
		(void)vsnprintf(b->ptr + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

/* Characters that hide, turn or break a line, or that could open a tag. */
static bool
is_escaped(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == '"' || c == '\\'
		|| c == '&' || c == '<' || c == '>' || str_code_is_hidden(c);
}

static void
add_escape(struct buf *b, uint32_t c)
{
	switch (c) {
	case '"':
		buf_add(b, STR("\\\""));
		return;
	case '\\':
		buf_add(b, STR("\\\\"));
		return;
	case '\n':
		buf_add(b, STR("\\n"));
		return;
	case '\t':
		buf_add(b, STR("\\t"));
		return;
	default:
		break;
	}
	if (c >= 0x10000) {
		buf_addf(b, "\\u%04x", 0xd800 + ((c - 0x10000) >> 10));
		c = 0xdc00 + ((c - 0x10000) & 0x3ff);
	}
	buf_addf(b, "\\u%04x", c);
}

/* How many bytes from i on are plain ASCII that JSON and prompts take as it is. */
static size_t
plain_run(struct str s, size_t i)
{
	size_t from = i;

	for (; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '<'
			|| c == '>' || c == '&')
			break;
	}
	return i - from;
}

void
buf_add_json(struct buf *b, struct str s)
{
	buf_add_char(b, '"');
	for (size_t i = 0; i < s.len;) {
		size_t plain = plain_run(s, i);
		uint32_t code = 0;

		buf_add(b, (struct str){s.ptr + i, plain});
		i += plain;
		if (i == s.len)
			break;
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		if (n == 0 || code == 0)
			buf_add(b, STR("\xef\xbf\xbd"));
		else if (is_escaped(code))
			add_escape(b, code);
		else
			buf_add(b, (struct str){s.ptr + i, n});
		i += n > 0 ? n : 1;
	}
	buf_add_char(b, '"');
}

struct str
buf_str(const struct buf *b)
{
	return (struct str){b->ptr ? b->ptr : "", b->len};
}
