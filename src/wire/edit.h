#ifndef WIRE_EDIT_H
#define WIRE_EDIT_H

/*
 * JSON text changed in place: all bytes that are not concerned stay as they
 * are, with their order, spacing and numbers. For files that people wrote. The
 * text must have been accepted by wire_json_parse; what was changed should be
 * parsed again before it is used.
 */

#include "base/arena.h"

enum wire_edit_kind { WIRE_EDIT_OTHER, WIRE_EDIT_OBJECT, WIRE_EDIT_ARRAY };

/* A value of the text, with its place. */
struct wire_edit_node {
	enum wire_edit_kind kind;
	struct str key; /* source of a member's key without its quotes */
	size_t key_start;
	size_t start, end; /* of the value */
	unsigned depth;    /* 0: the value that is all of the text */
	struct wire_edit_node *first, *next;
};

struct wire_edit_node *wire_edit_parse(struct arena *a, struct str text);
/* The member whose key is written exactly so (no escapes), or NULL. */
struct wire_edit_node *wire_edit_member(
	const struct wire_edit_node *object, struct str key);
struct str wire_edit_source(struct str text, const struct wire_edit_node *node);

/*
 * The text with one change. value is compact JSON; it is laid out as the text
 * is (its indentation, or one line). A new member or element becomes the last.
 */
struct str wire_edit_add_member(struct arena *a, struct str text,
	const struct wire_edit_node *object, struct str key, struct str value);
struct str wire_edit_add_element(struct arena *a, struct str text,
	const struct wire_edit_node *array, struct str value);
struct str wire_edit_replace(struct arena *a, struct str text,
	const struct wire_edit_node *node, struct str value);
/* Takes out a child of parent with its comma. */
struct str wire_edit_remove(struct arena *a, struct str text,
	const struct wire_edit_node *parent, const struct wire_edit_node *child);

/* Compact JSON laid out with two blanks a level and a line feed at its end. */
struct str wire_edit_pretty(struct arena *a, struct str compact);

#endif
