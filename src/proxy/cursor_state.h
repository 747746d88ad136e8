#ifndef PROXY_CURSOR_STATE_H
#define PROXY_CURSOR_STATE_H

/*
 * What is known of conversations and of the runs in them, from what their
 * clients send (and the agent's words, from what they are sent). Pure, bounded:
 * the conversation that was not heard of for longest is forgotten, and then has
 * the client's own approvals, as one that was never seen.
 */

#include "proxy/cursor_read.h"

enum {
	PROXY_TALKS_MAX = 1024,
	PROXY_TALKS_BYTES = 64 << 20, /* of all */
	PROXY_TALK_MESSAGES = 3,      /* of the user */
	PROXY_TALK_TEXT = 16 << 10,   /* bytes of a message, or of a reply */
	PROXY_TALK_LISTS = 256 << 10, /* bytes of paths and instructions */
	PROXY_TALK_TOOLS = 1024,
	PROXY_TALK_TOOL_BYTES = 8 << 10, /* of a description */
	PROXY_RUN_PENDING = 32,          /* appends that came out of order */
	PROXY_RUN_PENDING_BYTES = 16 << 20,
	PROXY_RUN_BLOBS = 16, /* that are waited for */
	PROXY_RUN_CALLS = 64, /* calls whose arguments are known */
	PROXY_RUN_CALL_BYTES = 64 << 10,
};

struct proxy_state;
struct proxy_run_state;

struct proxy_state *proxy_state_new(void) MUST_USE; /* NULL: no memory */
void proxy_state_free(struct proxy_state *s);
size_t proxy_state_count(const struct proxy_state *s);

/* A run is one request id. */
struct proxy_run_state *proxy_run_state_new(
	struct proxy_state *s, struct str request_id) MUST_USE;
void proxy_run_state_free(struct proxy_run_state *r);

/* A client's message with its number; they may come out of order. */
void proxy_run_state_client(
	struct proxy_run_state *r, int64_t seqno, struct str message);
/* A member of the server's message, as proxy_server_read found it. */
void proxy_run_state_server(
	struct proxy_run_state *r, enum proxy_server_kind kind, struct str inner);

/* The run is in Auto-review. */
bool proxy_run_state_is_on(const struct proxy_run_state *r);
/* The client's sandbox would hold this shell call. */
bool proxy_run_state_contains(
	const struct proxy_run_state *r, const struct proxy_action *a);
/* The conversation's id, the run's model; absent when unknown. */
struct str proxy_run_state_talk(const struct proxy_run_state *r);
struct str proxy_run_state_model(const struct proxy_run_state *r);

/* The question to the daemon (docs/review.md), as one line of JSON. */
void proxy_run_state_print(const struct proxy_run_state *r,
	const struct proxy_action *a, struct buf *out);

#endif
