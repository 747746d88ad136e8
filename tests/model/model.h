#ifndef TESTS_MODEL_MODEL_H
#define TESTS_MODEL_MODEL_H

/*
 * A model server that says what a script tells it, in the words of five APIs.
 * README.md says how it is scripted.
 */

#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"

enum { MODEL_CHUNKS = 4096, MODEL_BODY_BYTES = 8 << 20 };

/* What a line of the script does. */
struct model_plan {
	struct str text;  /* what the model says */
	int status;       /* not 200: an error of the API's own form */
	int retry_s;      /* with it; 0: none */
	long wait_ms;     /* before anything is sent */
	long drip_ms;     /* between the pieces */
	struct str think; /* said before the answer, as thinking */
	bool hang, close; /* nothing is ever sent; the connection is closed */
	bool cut, tail;   /* it stops in the middle; it does not stop */
	bool echo;        /* an error that repeats the key */
	bool garbage, refuse, tool, length, whole;
	int64_t input, cached, output; /* tokens */
};

/* The first line of the script that fits the prompt and is not used up. */
struct model_plan model_script(
	struct arena *a, const char *file, struct str prompt);

struct model_shape {
	const char *path;
	const char *type; /* of a stream */
	/* The user's words in a request. */
	struct str (*prompt)(struct arena *a, const json_t *body);
	/* An answer in one piece. */
	void (*whole)(struct buf *b, const struct model_plan *p, struct str model);
	/* A stream: what is sent before, for a piece of text, and behind it. */
	void (*begin)(struct buf *b, const struct model_plan *p, struct str model);
	void (*piece)(struct buf *b, struct str text);
	void (*end)(struct buf *b, const struct model_plan *p, struct str model);
};

/* NULL: no API is there. */
const struct model_shape *model_shape_of(const char *path);

#endif
