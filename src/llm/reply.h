#ifndef LLM_REPLY_H
#define LLM_REPLY_H

/*
 * A model's reply as it comes in: the framing of the stream, the pieces of
 * text, how it ended, what it used. It is given up early when the object that
 * was asked for is complete and nothing follows.
 */

#include <jansson.h>

#include "base/buf.h"
#include "llm/llm.h"

enum {
	LLM_REPLY_DETAIL = 200,    /* of a provider's words about an error */
	LLM_REPLY_BYTES = 4 << 20, /* of all that a provider may send */
	LLM_REPLY_EVENT = 1 << 20, /* of one event */
};

struct llm_reply;

/* Reads an event of a stream, or a whole answer. */
typedef void (*llm_read_fn)(struct llm_reply *r, const json_t *event);

enum llm_framing {
	LLM_FRAMING_WHOLE, /* one JSON value */
	LLM_FRAMING_LINES, /* one a line */
	LLM_FRAMING_SSE,   /* server-sent events */
};

struct llm_reply {
	llm_read_fn read;
	enum llm_framing framing;
	struct buf text;  /* the model's words */
	struct buf line;  /* what has no end yet */
	struct buf event; /* data of an SSE event, or the whole body */
	size_t bytes;     /* that came in */
	bool finished;    /* the model came to its end by itself */
	bool closed;      /* the provider says that nothing follows */
	bool called;      /* the model wanted to call a tool */
	enum llm_trouble trouble;
	char detail[LLM_REPLY_DETAIL]; /* the provider's words, cleaned */
	int64_t input, cached, output; /* tokens, as the provider counts; -1 */

	/* the object in text */
	size_t looked;
	unsigned depth;
	bool plain, in_string, escaped, complete;
};

void llm_reply_init(struct llm_reply *r, llm_read_fn read);
void llm_reply_done(struct llm_reply *r);
/* The Content-Type says how the body is framed. */
void llm_reply_type(struct llm_reply *r, struct str type);
/* Bytes of the body. */
void llm_reply_add(struct llm_reply *r, struct str bytes);
/* The body is over: what trouble there is with the reply, NONE: text is it. */
enum llm_trouble llm_reply_end(struct llm_reply *r);

/* For readers. The first trouble stays. */
void llm_reply_text(struct llm_reply *r, struct str piece);
void llm_reply_trouble(
	struct llm_reply *r, enum llm_trouble t, struct str detail);
/* {"error": {"message": ...}} or {"error": "..."}; false when there is none. */
bool llm_reply_error(struct llm_reply *r, const json_t *event);
/* Keeps a count that was named; absent or null members change nothing. */
void llm_reply_count(int64_t *count, const json_t *usage, const char *key);
/* Printable ASCII of s, cut to size, into ret. */
void llm_reply_clean(char *ret, size_t size, struct str s);

#endif
