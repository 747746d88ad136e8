#ifndef CHECK_CHECK_PRIV_H
#define CHECK_CHECK_PRIV_H

/*
 * Members of JSON objects, read with an error for what is of another type. A
 * member that is null is as good as absent.
 */

#include "check/check.h"

struct check_reader {
	struct arena *a;
	struct str error; /* the first fault, absent while all is well */
};

/* Keeps the first fault. path names the member: "input.command". */
void check_fault(struct check_reader *r, const char *fmt, ...)
	PRINTF_LIKE(2, 3);

/* The member if it is there and not null, else NULL. */
json_t *check_member(const json_t *obj, const char *key);
/* Each leaves *ret alone when the member is not there. where: "world". */
void check_text(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, struct str *ret);
void check_bool(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, bool *ret);
/* As check_text, and the text must be an absolute path. */
void check_folder(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, struct str *ret);
/* An array of texts. */
void check_texts(struct check_reader *r, const json_t *obj, const char *key,
	struct str **ret, size_t *ret_count);
/* The member if it is an object, NULL (and a fault, if it is there) else. */
json_t *check_object(struct check_reader *r, const json_t *obj,
	const char *where, const char *key);

/* Adds ","flags":[...] of an effect; and all that explain shows beside the
 * result. */
void check_effect_words_print(struct buf *out, unsigned flags);
void check_trace_print(struct buf *out, const struct order_result *result);

/* The user message for the line's call into user, or why there is none (in a,
 * which is reset). */
void check_prompt_of(struct arena *a, const struct policy *policy,
	const json_t *line, struct buf *user, struct str *ret_failure);

void check_world_from(
	struct check_reader *r, const json_t *world, struct check_request *request);
void check_context_from(struct check_reader *r, const json_t *context,
	struct check_request *request);

#endif
