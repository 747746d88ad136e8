#ifndef PROXY_ASK_H
#define PROXY_ASK_H

/*
 * The daemon, asked as a hook asks it: `assent hook AGENT EVENT` starts it when
 * it is not there, looks at the machine for it, comes back with its key when it
 * is restarted, and says so when no decision could be made. One process for
 * each question, ended when nobody waits for the answer.
 */

#include <uv.h>

#include "base/buf.h"
#include "base/fail.h"

struct proxy_asker;
struct proxy_ask;

enum {
	PROXY_ASK_PROCESSES = 128, /* at a time; the others wait */
	PROXY_ASK_ANSWER_BYTES = 1 << 20,
	PROXY_ASK_DEADLINE_S = 50,  /* for one question */
	PROXY_ASK_QUEUE_MS = 60000, /* with its turn: a client gives up at 90 s */
};

/* client: the program and its places, ending in NULL; borrowed. */
MUST_USE int proxy_asker_new(
	uv_loop_t *loop, const char *const *client, struct proxy_asker **ret);
/* Questions that are open end without an answer. Runs the loop until their
 * processes are gone. */
void proxy_asker_free(struct proxy_asker *a);

/* fine: the process ended well, and this is all that it said. */
typedef void (*proxy_ask_fn)(void *data, bool fine, struct str answer);

/* input is taken over (and left empty). answered may be NULL: nobody waits.
 * NULL: no memory, or no process can be made; answered is not called then. */
struct proxy_ask *proxy_ask_start(struct proxy_asker *a, const char *event,
	struct buf *input, proxy_ask_fn answered, void *data) MUST_USE;
/* answered is not called any more. NULL is fine. */
void proxy_ask_cancel(struct proxy_ask *q);

#endif
