#ifndef WIRE_JSON_H
#define WIRE_JSON_H

/*
 * JSON from outside, read strictly: jansson behind a linear scan that refuses
 * what would make it slow or deep, duplicate keys and a byte order mark
 * refused. What two parsers could read differently is not read at all.
 */

#include <jansson.h>

#include "base/arena.h"

/* Releases the value when a local goes out of scope. Do not hold one across an
 * arena allocation that may jump. */
#define WIRE_JSON CLEANUP(wire_json_freep)
void wire_json_freep(json_t **j);

struct wire_json_error {
	char message[160]; /* what was wrong, where (line and column), one line */
};

/* Reads one value that is all of text. NULL and the reason otherwise; the caller
 * releases it (json_decref). */
json_t *wire_json_parse(
	struct str text, struct wire_json_error *reterr) MUST_USE;

/* The scan alone: false for more than LIMIT_JSON_TOKENS tokens or
 * LIMIT_JSON_DEPTH levels. Touches nothing but the bytes. */
MUST_USE bool wire_json_scan(struct str text, struct wire_json_error *reterr);

/*
 * Over text that is not, or not yet, parsed, and may be cut: the index behind
 * the string that opens at i, or behind the value that begins at i (the next
 * comma or closing bracket outside of it). At most s.len.
 */
size_t wire_json_skip_string(struct str s, size_t i);
size_t wire_json_skip_value(struct str s, size_t i);

/* Members of an object. Absent, 0, false or NULL when the member is not there,
 * is of another type, or obj is NULL or no object; texts are borrowed from obj. */
struct str wire_json_str(const json_t *obj, const char *key);
int64_t wire_json_int(const json_t *obj, const char *key, int64_t fallback);
bool wire_json_bool(const json_t *obj, const char *key);
json_t *wire_json_get(const json_t *obj, const char *key);
json_t *wire_json_object(const json_t *obj, const char *key);
json_t *wire_json_array(const json_t *obj, const char *key);
/* The text of a JSON string value, absent for anything else. */
struct str wire_json_text(const json_t *value);

/* value as compact JSON text, keys in their order, in a. */
struct str wire_json_print(struct arena *a, const json_t *value);

#endif
