#ifndef IMPORT_TOML_H
#define IMPORT_TOML_H

/*
 * As much of TOML as policies use: tables and arrays of tables at the top, keys
 * with strings, numbers, booleans, arrays of strings, and inline tables (which
 * are known to be there, no more). Anything else is a fault.
 */

#include "base/arena.h"

enum toml_type { TOML_TEXT, TOML_NUMBER, TOML_BOOL, TOML_LIST, TOML_TABLE };

struct toml_value {
	struct str key;
	enum toml_type type;
	struct str text;  /* TEXT; NUMBER and BOOL as written */
	struct str *list; /* LIST */
	size_t list_count;
};

struct toml_section {
	struct str name; /* "rule"; "" for what stands above the first */
	bool is_array;   /* [[name]] */
	unsigned line;
	struct toml_value *values;
	size_t value_count;
};

struct toml_file {
	struct toml_section *list;
	size_t count;
	unsigned line;   /* of the first fault */
	const char *why; /* ...and what it is, or NULL */
};

/* False at the first fault. */
MUST_USE bool import_toml_read(
	struct arena *a, struct str text, struct toml_file *ret);
/* The value of a key, or NULL. */
const struct toml_value *import_toml_get(
	const struct toml_section *s, const char *key);

#endif
