#include "proxy/field.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"

enum { VARINT_BYTES_MAX = 10, NUMBER_MAX = (1 << 29) - 1 };

/* --- reading ----------------------------------------------------------------- */

static bool
read_varint(struct str m, size_t *at, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < VARINT_BYTES_MAX && *at < m.len; i++) {
		uint64_t b = (unsigned char)m.ptr[(*at)++];

		value |= (b & 127) << (7 * i);
		if (b < 128) {
			*ret = value;
			return i < VARINT_BYTES_MAX - 1 || b < 2;
		}
	}
	return false;
}

static bool
read_fixed(struct str m, size_t *at, size_t n, uint64_t *ret)
{
	if (m.len - *at < n)
		return false;
	*ret = 0;
	for (size_t i = 0; i < n; i++)
		*ret |= (uint64_t)(unsigned char)m.ptr[*at + i] << (8 * i);
	*at += n;
	return true;
}

static bool
read_field(struct str m, size_t *at, struct proxy_field *f)
{
	uint64_t tag, len;

	*f = (struct proxy_field){.start = *at};
	if (!read_varint(m, at, &tag) || tag >> 3 == 0 || tag >> 3 > NUMBER_MAX)
		return false;
	f->number = (uint32_t)(tag >> 3);
	switch (tag & 7) {
	case PROXY_WIRE_VARINT:
		f->wire = PROXY_WIRE_VARINT;
		return read_varint(m, at, &f->value);
	case PROXY_WIRE_64:
		f->wire = PROXY_WIRE_64;
		return read_fixed(m, at, 8, &f->value);
	case PROXY_WIRE_32:
		f->wire = PROXY_WIRE_32;
		return read_fixed(m, at, 4, &f->value);
	case PROXY_WIRE_BYTES:
		f->wire = PROXY_WIRE_BYTES;
		if (!read_varint(m, at, &len) || len > m.len - *at)
			return false;
		f->bytes = (struct str){m.ptr + *at, (size_t)len};
		*at += (size_t)len;
		return true;
	}
	return false;
}

bool
proxy_field_next(
	struct str message, size_t *at, struct proxy_field *ret, bool *ret_broken)
{
	if (*at >= message.len)
		return false;
	if (!read_field(message, at, ret)) {
		*ret_broken = true;
		return false;
	}
	ret->end = *at;
	return true;
}

bool
proxy_field_is_message(struct str message)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0;

	while (proxy_field_next(message, &at, &f, &broken))
		;
	return !broken;
}

size_t
proxy_field_find(struct str message, uint32_t number, struct proxy_field *ret)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0, count = 0;

	while (proxy_field_next(message, &at, &f, &broken)) {
		if (f.number != number)
			continue;
		*ret = f;
		count++;
	}
	return broken ? 0 : count;
}

bool
proxy_field_reach(struct str message, struct proxy_path path, struct str *ret)
{
	struct proxy_field f;

	for (size_t i = 0; i < path.count; i++) {
		if (proxy_field_find(message, path.numbers[i], &f) != 1
			|| f.wire != PROXY_WIRE_BYTES)
			return false;
		message = f.bytes;
	}
	*ret = message;
	return proxy_field_is_message(message);
}

/* --- writing ----------------------------------------------------------------- */

static void
add_varint(struct buf *out, uint64_t value)
{
	while (value > 127) {
		buf_add_char(out, (char)((value & 127) | 128));
		value >>= 7;
	}
	buf_add_char(out, (char)value);
}

static size_t
varint_bytes(uint64_t value)
{
	size_t n = 1;

	for (; value > 127; value >>= 7)
		n++;
	return n;
}

static void
add_tag(struct buf *out, uint32_t number, enum proxy_wire wire)
{
	add_varint(out, (uint64_t)number << 3 | (uint64_t)wire);
}

void
proxy_field_add_varint(struct buf *out, uint32_t number, uint64_t value)
{
	add_tag(out, number, PROXY_WIRE_VARINT);
	add_varint(out, value);
}

void
proxy_field_add_bytes(struct buf *out, uint32_t number, struct str bytes)
{
	add_tag(out, number, PROXY_WIRE_BYTES);
	add_varint(out, bytes.len);
	buf_add(out, bytes);
}

/* How long the message becomes when more is appended at the path's end. */
static size_t
grown(struct str message, struct proxy_path path, size_t more)
{
	struct proxy_field f;

	if (path.count == 0)
		return message.len + more;
	CHECK(proxy_field_find(message, path.numbers[0], &f) == 1);
	size_t inner = grown(
		f.bytes, (struct proxy_path){path.numbers + 1, path.count - 1}, more);

	return message.len - (f.end - f.start)
		+ varint_bytes((uint64_t)f.number << 3) + varint_bytes(inner) + inner;
}

void
proxy_field_append(struct buf *out, struct str message, struct proxy_path path,
	struct str more)
{
	struct proxy_path rest = {path.numbers + 1, path.count - 1};
	struct proxy_field f;

	if (path.count == 0) {
		buf_add(out, message);
		buf_add(out, more);
		return;
	}
	CHECK(proxy_field_find(message, path.numbers[0], &f) == 1);
	CHECK(f.wire == PROXY_WIRE_BYTES);
	buf_add(out, str_sub(message, 0, f.start));
	add_tag(out, f.number, PROXY_WIRE_BYTES);
	add_varint(out, grown(f.bytes, rest, more.len));
	proxy_field_append(out, f.bytes, rest, more);
	buf_add(out, str_sub(message, f.end, message.len));
}

void
proxy_field_set_varint(
	struct buf *out, struct str message, uint32_t number, uint64_t value)
{
	struct proxy_field f;
	bool broken = false, done = false;
	size_t at = 0;

	while (proxy_field_next(message, &at, &f, &broken)) {
		if (f.number != number) {
			buf_add(out, str_sub(message, f.start, f.end));
		} else if (!done) {
			proxy_field_add_varint(out, number, value);
			done = true;
		}
	}
	CHECK(!broken);
	if (!done)
		proxy_field_add_varint(out, number, value);
}

/* --- google.protobuf.Value ------------------------------------------------------ */

enum { /* of Value, and of what it may hold */
	VALUE_NULL = 1,
	VALUE_NUMBER = 2,
	VALUE_TEXT = 3,
	VALUE_BOOL = 4,
	VALUE_STRUCT = 5,
	VALUE_LIST = 6,
	STRUCT_FIELDS = 1,
	LIST_VALUES = 1,
	ENTRY_KEY = 1,
	ENTRY_VALUE = 2,
};

static bool print_value(struct buf *out, struct str value, int depth);

static bool
is_utf8(struct str s)
{
	uint32_t code;

	while (s.len > 0) {
		size_t n = str_utf8(s, &code);

		if (n == 0 || code == 0)
			return false;
		s = str_sub(s, n, s.len);
	}
	return true;
}

static bool
print_text(struct buf *out, struct str s)
{
	if (!is_utf8(s))
		return false;
	buf_add_json(out, s);
	return true;
}

static bool
print_number(struct buf *out, uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	if (!isfinite(d))
		return false;
	if (d == floor(d) && fabs(d) < 9007199254740992.0)
		buf_addf(out, "%.0f", d);
	else
		buf_addf(out, "%.17g", d);
	return true;
}

/* One member of a struct, from its map entry. */
static bool
print_entry(struct buf *out, struct str entry, int depth)
{
	struct proxy_field key, value;

	if (proxy_field_find(entry, ENTRY_KEY, &key) != 1
		|| key.wire != PROXY_WIRE_BYTES
		|| proxy_field_find(entry, ENTRY_VALUE, &value) != 1
		|| value.wire != PROXY_WIRE_BYTES || !print_text(out, key.bytes))
		return false;
	buf_add_char(out, ':');
	return print_value(out, value.bytes, depth);
}

/* A struct's members or a list's elements: all are field 1. */
static bool
print_all(struct buf *out, struct str message, bool entries, int depth)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0, count = 0;

	while (proxy_field_next(message, &at, &f, &broken)) {
		if (f.number != STRUCT_FIELDS || f.wire != PROXY_WIRE_BYTES)
			return false;
		if (count++ > 0)
			buf_add_char(out, ',');
		if (!(entries ? print_entry(out, f.bytes, depth)
					  : print_value(out, f.bytes, depth)))
			return false;
	}
	return !broken;
}

static bool
print_group(struct buf *out, const struct proxy_field *f, int depth)
{
	bool entries = f->number == VALUE_STRUCT;
	bool fine;

	if (f->wire != PROXY_WIRE_BYTES || depth >= LIMIT_JSON_DEPTH)
		return false;
	buf_add_char(out, entries ? '{' : '[');
	fine = print_all(out, f->bytes, entries, depth + 1);
	buf_add_char(out, entries ? '}' : ']');
	return fine;
}

static bool
print_value(struct buf *out, struct str value, int depth)
{
	struct proxy_field f;
	bool broken = false;
	size_t at = 0;

	/* one field and no more: of two the client would take the last */
	if (!proxy_field_next(value, &at, &f, &broken) || at != value.len)
		return false;
	switch (f.number) {
	case VALUE_NULL:
		buf_addf(out, "null");
		return f.wire == PROXY_WIRE_VARINT;
	case VALUE_NUMBER:
		return f.wire == PROXY_WIRE_64 && print_number(out, f.value);
	case VALUE_TEXT:
		return f.wire == PROXY_WIRE_BYTES && print_text(out, f.bytes);
	case VALUE_BOOL:
		buf_addf(out, f.value ? "true" : "false");
		return f.wire == PROXY_WIRE_VARINT;
	case VALUE_STRUCT:
	case VALUE_LIST:
		return print_group(out, &f, depth);
	}
	return false;
}

bool
proxy_field_print_value(struct buf *out, struct str value)
{
	return print_value(out, value, 0);
}
