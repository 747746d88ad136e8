#ifndef PROXY_FIELD_H
#define PROXY_FIELD_H

/*
 * Protobuf bytes, field by field, and changed in place: what is not concerned
 * keeps its bytes and its order, known or not. Reading messages is protobuf-c's
 * work; this is for what must not be written anew, and for values that may be
 * nested as deep as a sender likes.
 */

#include "base/buf.h"

enum proxy_wire {
	PROXY_WIRE_VARINT = 0,
	PROXY_WIRE_64 = 1,
	PROXY_WIRE_BYTES = 2,
	PROXY_WIRE_32 = 5,
};

struct proxy_field {
	uint32_t number;
	enum proxy_wire wire;
	uint64_t value;    /* VARINT, 64, 32 */
	struct str bytes;  /* BYTES: the payload */
	size_t start, end; /* of the whole field in the message */
};

/* The field at *at of the message; moves *at behind it. False at the end, and
 * with *ret_broken set for what is no field (groups are none). */
MUST_USE bool proxy_field_next(
	struct str message, size_t *at, struct proxy_field *ret, bool *ret_broken);
/* True when all of message is fields. */
bool proxy_field_is_message(struct str message);

/*
 * The fields of this number. Returns how often it stands there (with any wire
 * type), and the last of them; a broken message has none.
 */
size_t proxy_field_find(
	struct str message, uint32_t number, struct proxy_field *ret);

/* --- writing ----------------------------------------------------------------- */

void proxy_field_add_varint(struct buf *out, uint32_t number, uint64_t value);
void proxy_field_add_bytes(struct buf *out, uint32_t number, struct str bytes);

/* A way down: the numbers of the fields, outermost first. */
struct proxy_path {
	const uint32_t *numbers;
	size_t count;
};

/* True when the path leads to one place only: each of its fields stands there
 * once, as bytes, in a message that is not broken. *ret: what stands there. */
MUST_USE bool proxy_field_reach(
	struct str message, struct proxy_path path, struct str *ret);

/*
 * Adds to out the message with more appended to the innermost message of the
 * path, and all lengths around it made right. The path must be reachable.
 */
void proxy_field_append(struct buf *out, struct str message,
	struct proxy_path path, struct str more);

/* Adds to out the message with every field of this number replaced by one
 * varint (in the place of the first; at the end when there is none). */
void proxy_field_set_varint(
	struct buf *out, struct str message, uint32_t number, uint64_t value);

/* Adds the google.protobuf.Value as JSON text. False when it is none, or deeper
 * than LIMIT_JSON_DEPTH, or holds a text that is not UTF-8, or a number that
 * JSON cannot say. */
MUST_USE bool proxy_field_print_value(struct buf *out, struct str value);

#endif
