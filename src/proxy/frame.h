#ifndef PROXY_FRAME_H
#define PROXY_FRAME_H

/*
 * The envelopes of a Connect stream: one byte of flags, four of length, that
 * many bytes. They arrive cut and joined anywhere.
 */

#include "base/buf.h"

enum {
	PROXY_FRAME_HEAD = 5,
	PROXY_FRAME_COMPRESSED = 1, /* flags */
	PROXY_FRAME_END = 2,
	PROXY_FRAME_BYTES_MAX = 64 << 20, /* of one payload */
};

struct proxy_frame {
	unsigned flags;
	struct str payload;
	struct str whole; /* with its head: the bytes as they came */
};

/* A stream that is being read. Zeroed, then proxy_frames_init. */
struct proxy_frames {
	struct buf pending; /* what is not a whole frame yet */
	struct str fresh;   /* what was added last, borrowed */
	size_t at;          /* read from pending so far */
	bool broken;        /* a frame was too long, or memory ended */
};

void proxy_frames_init(struct proxy_frames *f);
void proxy_frames_done(struct proxy_frames *f); /* a zeroed one is fine */

/*
 * Adds bytes; then take all frames with proxy_frames_next until it is false,
 * before more is added. Frames borrow from the bytes or from f. Once broken
 * nothing comes any more.
 */
void proxy_frames_add(struct proxy_frames *f, struct str bytes);
MUST_USE bool proxy_frames_next(
	struct proxy_frames *f, struct proxy_frame *ret);
/* Bytes of a frame that has not ended. */
size_t proxy_frames_left(const struct proxy_frames *f);

/* Adds head and payload. */
void proxy_frame_print(struct buf *out, unsigned flags, struct str payload);

#endif
