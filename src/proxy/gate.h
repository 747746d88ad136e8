#ifndef PROXY_GATE_H
#define PROXY_GATE_H

/*
 * Frames that are held, and whether one may still leave. Pure: it knows no
 * frame, only numbers. One gate for each stream.
 *
 *	HELD -> let go, once (proxy_gate_release)
 *	     -> dropped by an abort, a cancel, a new message, a new run, the end
 *
 * What was dropped is never let go; what was let go is not pending any more.
 */

#include "base/base.h"

enum { PROXY_GATE_MAX = 256 }; /* held in one stream at a time */

enum proxy_gate_kind {
	PROXY_GATE_EXEC,  /* has an abort on the wire */
	PROXY_GATE_QUERY, /* has none: the server just forgets it */
};

/* What happens to a stream beside verdicts. */
enum proxy_gate_event {
	PROXY_GATE_ABORT,   /* of one exec, by its id */
	PROXY_GATE_CANCEL,  /* the user stopped the run */
	PROXY_GATE_MESSAGE, /* the user said something in the middle of the run */
	PROXY_GATE_RUN,     /* a new run took the stream over */
	PROXY_GATE_END,     /* the stream ended, or a side of it left */
};

struct proxy_gate_entry {
	uint64_t ticket; /* 0: free */
	uint32_t id;     /* of the exec or query */
	enum proxy_gate_kind kind;
};

struct proxy_gate {
	struct proxy_gate_entry *entries; /* grows up to PROXY_GATE_MAX */
	size_t room, held;
	uint64_t tickets; /* given so far */
	bool over;        /* ended: nothing is held or let go any more */
};

void proxy_gate_done(struct proxy_gate *g); /* a zeroed one is fine */

/* Holds a frame; its ticket, never 0 and never used again. 0: too many are
 * held, or the stream is over. */
uint64_t proxy_gate_hold(
	struct proxy_gate *g, enum proxy_gate_kind kind, uint32_t id) MUST_USE;
/* True once, while the frame is pending: it may leave now, and must. */
MUST_USE bool proxy_gate_release(struct proxy_gate *g, uint64_t ticket);
bool proxy_gate_is_held(const struct proxy_gate *g, uint64_t ticket);

/*
 * Drops what the event takes away, and calls dropped for each ticket. id: of
 * ABORT. Idempotent.
 */
typedef void (*proxy_gate_fn)(void *data, uint64_t ticket);
void proxy_gate_tell(struct proxy_gate *g, enum proxy_gate_event event,
	uint32_t id, proxy_gate_fn dropped, void *data);

#endif
