#ifndef LLM_FRAME_H
#define LLM_FRAME_H

/*
 * What the two ends of the socketpair say to each other: frames of a length and
 * a kind, with fields in a fixed order. Both ends are the same program, so there
 * is no version; it is not JSON because a prompt is copied here, not read.
 */

#include "base/buf.h"
#include "llm/llm.h"

enum {
	LLM_FRAME_HEAD = 8,
	LLM_FRAME_BYTES = LLM_PROMPT_BYTES + (64 << 10),
};

enum llm_frame_kind {
	LLM_FRAME_NONE,
	/* to the child */
	LLM_FRAME_CONFIGURE,
	LLM_FRAME_ASK,
	LLM_FRAME_CANCEL,
	/* from the child */
	LLM_FRAME_ANSWER,
	LLM_FRAME_STARTED, /* a command's process group */
	LLM_FRAME_ENDED,
	LLM_FRAME_SAID, /* a line for the journal */
};

/* Writing: begin, the fields, end. b may hold other frames before; one that
 * grows past its maximum is full, and nothing of it may be sent. */
size_t llm_frame_begin(struct buf *b, enum llm_frame_kind kind);
void llm_frame_int(struct buf *b, int64_t v);
void llm_frame_str(struct buf *b, struct str s); /* absent stays absent */
void llm_frame_end(struct buf *b, size_t begun);

/* Reading: texts are borrowed. Past the end, or a field that does not fit: bad
 * is set, and everything is 0 and absent from then on. */
struct llm_frame {
	enum llm_frame_kind kind;
	struct str rest;
	bool bad;
};
/* Takes the next whole frame off *rest; false when there is none. A length that
 * no frame may have: *ret is bad. */
MUST_USE bool llm_frame_next(struct str *rest, struct llm_frame *ret);
int64_t llm_frame_take_int(struct llm_frame *f);
struct str llm_frame_take_str(struct llm_frame *f);

void llm_frame_settings(struct buf *b, const struct llm_settings *s);
void llm_frame_take_settings(struct llm_frame *f, struct llm_settings *ret);
void llm_frame_ask(struct buf *b, const struct llm_ask *ask);
void llm_frame_take_ask(struct llm_frame *f, struct llm_ask *ret);
void llm_frame_answer(struct buf *b, const struct llm_answer *n);
void llm_frame_take_answer(struct llm_frame *f, struct llm_answer *ret);

#endif
