#include <stdio.h>
#include <string.h>

#include "adapter/adapter_priv.h"
#include "base/buf.h"
#include "wire/json.h"

struct str
adapter_keep(struct adapter_reader *r, struct str s)
{
	char *at = r->room;

	if (!s.ptr)
		return s;
	if (s.len >= r->left) { /* the room is as large as all of the source */
		adapter_bad(r, "message", "names a text twice");
		return (struct str){0};
	}
	memcpy(at, s.ptr, s.len);
	at[s.len] = '\0';
	r->room += s.len + 1;
	r->left -= s.len + 1;
	return (struct str){at, s.len};
}

struct str
adapter_join(struct adapter_reader *r, struct str a, char c, struct str b)
{
	char *at = r->room;
	size_t len = a.len + 1 + b.len;

	if (len >= r->left) {
		adapter_bad(r, "message", "has names that are too long");
		return (struct str){0};
	}
	if (a.len > 0)
		memcpy(at, a.ptr, a.len);
	at[a.len] = c;
	if (b.len > 0)
		memcpy(at + a.len + 1, b.ptr, b.len);
	at[len] = '\0';
	r->room += len + 1;
	r->left -= len + 1;
	return (struct str){at, len};
}

void
adapter_bad(struct adapter_reader *r, const char *key, const char *what)
{
	if (r->bad)
		return;
	r->bad = true;
	(void)snprintf(r->why, sizeof(r->why), "%s %s", key, what);
}

struct str
adapter_text(
	struct adapter_reader *r, const json_t *obj, const char *key, bool needed)
{
	const json_t *v = wire_json_get(obj, key);

	if (v && !json_is_null(v) && !json_is_string(v))
		adapter_bad(r, key, "is not a text");
	else if (needed && !json_is_string(v))
		adapter_bad(r, key, "is missing");
	return adapter_keep(r, wire_json_text(v));
}

static size_t
skip_space(struct str s, size_t i)
{
	while (i < s.len && str_has_char(STR(" \t\r\n"), s.ptr[i]))
		i++;
	return i;
}

struct str
adapter_member_source(struct str text, size_t index)
{
	size_t i = skip_space(text, 0) + 1; /* behind the brace */

	for (;; index--) {
		size_t from =
			wire_json_skip_string(text, skip_space(text, i)); /* the key */

		from = skip_space(text, skip_space(text, from) + 1); /* and its colon */
		if (from >= text.len)
			return (struct str){0};
		i = wire_json_skip_value(text, from);
		if (index == 0)
			return str_trim(str_sub(text, from, i));
		i++;
	}
}

/* --- plain JSON ------------------------------------------------------------- */

/* Four hex digits at s[i]; 0xffffffff when they are not there. */
static uint32_t
hex4(struct str s, size_t i)
{
	uint32_t n = 0;

	for (size_t k = 0; k < 4; k++) {
		char c;

		if (i + k >= s.len)
			return UINT32_MAX;
		c = s.ptr[i + k];
		if (c >= '0' && c <= '9')
			n = n << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			n = n << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return UINT32_MAX;
	}
	return n;
}

/* The character that the escape at s[i] (a backslash) stands for, if it may be
 * written as itself; 0 if not. *ret_took is how long the escape is. */
static uint32_t
plain_of(struct str s, size_t i, size_t *ret_took)
{
	uint32_t c, low;

	*ret_took = 2;
	if (i + 1 < s.len && s.ptr[i + 1] == '/')
		return '/';
	if (i + 1 >= s.len || s.ptr[i + 1] != 'u')
		return 0;
	*ret_took = 6;
	c = hex4(s, i + 2);
	if (c >= 0xd800 && c < 0xdc00
		&& str_starts(str_sub(s, i + 6, s.len), STR("\\u"))) {
		low = hex4(s, i + 8);
		*ret_took = 12;
		return low >= 0xdc00 && low < 0xe000
			? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00)
			: 0;
	}
	return c < 0x20 || c == '"' || c == '\\' || c > 0xffff
			|| (c >= 0xd800 && c < 0xe000)
		? 0
		: c;
}

static size_t
put_utf8(char *out, uint32_t c)
{
	unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0x00, 0xc0, 0xe0, 0xf0};

	out[0] = (char)(lead[more] | (c >> (6 * more)));
	for (unsigned i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
	return more + 1;
}

struct str
adapter_plain_json(struct arena *a, struct str text)
{
	char *out = arena_alloc(a, text.len + 1);
	size_t n = 0, took;

	for (size_t i = 0; i < text.len; i += took) {
		uint32_t c = 0;

		took = 1;
		if (text.ptr[i] == '\\')
			c = plain_of(text, i, &took);
		if (c != 0) {
			n += put_utf8(out + n, c);
			continue;
		}
		took = took <= text.len - i ? took : text.len - i;
		memcpy(out + n, text.ptr + i, took);
		n += took;
	}
	return (struct str){out, n};
}

/* --- writing ---------------------------------------------------------------- */

struct str
adapter_object(struct arena *a, const struct adapter_pair *pairs, size_t count)
{
	size_t room = 16;

	for (size_t i = 0; i < count; i++)
		room += strlen(pairs[i].key) + 6 * pairs[i].text.len + 16;
	/* taken first: nothing of the heap may be held when an arena jumps */
	char *out = arena_alloc(a, room);
	CLEANUP(buf_done) struct buf b;
	const char *comma = "";

	buf_init(&b, room);
	buf_add_char(&b, '{');
	for (size_t i = 0; i < count; i++) {
		if (!pairs[i].text.ptr)
			continue;
		buf_addf(&b, "%s\"%s\":", comma, pairs[i].key);
		if (pairs[i].raw)
			buf_add(&b, pairs[i].text);
		else
			buf_add_json(&b, pairs[i].text);
		comma = ",";
	}
	buf_add_char(&b, '}');
	if (b.full) { /* the system has no memory: too large, like an arena */
		buf_done(&b);
		arena_overflow(a);
	}
	memcpy(out, b.ptr, b.len);
	return (struct str){out, b.len};
}
