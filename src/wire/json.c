#include "wire/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "wire/quick.h"

void
wire_json_freep(json_t **j)
{
	json_decref(*j);
	*j = NULL;
}

size_t
wire_json_skip_string(struct str s, size_t i)
{
	for (i++; i < s.len && s.ptr[i] != '"'; i++) {
		if (s.ptr[i] == '\\')
			i++;
	}
	return i < s.len ? i + 1 : s.len;
}

size_t
wire_json_skip_value(struct str s, size_t i)
{
	size_t depth = 0;

	while (i < s.len) {
		char c = s.ptr[i];

		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			return i;
		if (c == '{' || c == '[')
			depth++;
		else if (c == '}' || c == ']')
			depth--;
		i = c == '"' ? wire_json_skip_string(s, i) : i + 1;
	}
	return i;
}

bool
wire_json_scan(struct str text, struct wire_json_error *reterr)
{
	size_t tokens = 0, depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '"')
			i = wire_json_skip_string(text, i) - 1;
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth > 0)
			depth--;
		else if (c != ',' && c != ':')
			continue;
		tokens++;
		if (tokens > LIMIT_JSON_TOKENS || depth > LIMIT_JSON_DEPTH) {
			(void)snprintf(reterr->message, sizeof(reterr->message),
				"JSON with more than %d %s, at byte %zu",
				tokens > LIMIT_JSON_TOKENS ? LIMIT_JSON_TOKENS
										   : LIMIT_JSON_DEPTH,
				tokens > LIMIT_JSON_TOKENS ? "tokens" : "levels", i);
			return false;
		}
	}
	return true;
}

json_t *
wire_json_parse(struct str text, struct wire_json_error *reterr)
{
	json_error_t e;

	/* readers differ: some skip it, some do not (RFC 8259, 8.1) */
	if (str_starts(text, STR("\xef\xbb\xbf"))) {
		(void)snprintf(reterr->message, sizeof(reterr->message),
			"not JSON: a byte order mark stands before it");
		return NULL;
	}
	if (!wire_json_scan(text, reterr))
		return NULL;
	json_t *j = wire_quick_parse(text);

	if (j)
		return j;
	j = json_loadb(text.ptr ? text.ptr : "", text.len,
		JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!j)
		(void)snprintf(reterr->message, sizeof(reterr->message),
			"not JSON at line %d, column %d: %.100s", e.line, e.column,
			json_error_code(&e) == json_error_null_character ? "a NUL in a text"
															 : e.text);
	return j;
}

json_t *
wire_json_get(const json_t *obj, const char *key)
{
	return obj ? json_object_get(obj, key) : NULL;
}

struct str
wire_json_text(const json_t *value)
{
	if (!json_is_string(value))
		return (struct str){0};
	return (struct str){json_string_value(value), json_string_length(value)};
}

struct str
wire_json_str(const json_t *obj, const char *key)
{
	return wire_json_text(wire_json_get(obj, key));
}

int64_t
wire_json_int(const json_t *obj, const char *key, int64_t fallback)
{
	const json_t *v = wire_json_get(obj, key);

	return json_is_integer(v) ? (int64_t)json_integer_value(v) : fallback;
}

bool
wire_json_bool(const json_t *obj, const char *key)
{
	return json_is_true(wire_json_get(obj, key));
}

json_t *
wire_json_object(const json_t *obj, const char *key)
{
	json_t *v = wire_json_get(obj, key);

	return json_is_object(v) ? v : NULL;
}

json_t *
wire_json_array(const json_t *obj, const char *key)
{
	json_t *v = wire_json_get(obj, key);

	return json_is_array(v) ? v : NULL;
}

struct str
wire_json_print(struct arena *a, const json_t *value)
{
	enum { FLAGS = JSON_COMPACT | JSON_ENCODE_ANY };
	size_t n = json_dumpb(value, NULL, 0, FLAGS);
	char *p = arena_alloc(a, n + 1);

	CHECK(json_dumpb(value, p, n, FLAGS) == n);
	return (struct str){p, n};
}
