#ifndef LLM_HTTP_H
#define LLM_HTTP_H

/*
 * Questions posted over HTTP: libcurl on the child's loop. Connections are kept;
 * certificates are checked; a proxy is used only when one is named.
 */

#include "llm/provider.h"

struct uv_loop_s;
struct llm_http;
struct llm_post;

enum {
	LLM_CONNECT_MS = 5000,
	LLM_TAIL_MS = 250, /* for what follows the complete object: counts */
};

/* What came of it; borrowed until the callback returns. */
struct llm_posted {
	enum llm_trouble trouble; /* NONE: reply holds the model's words */
	bool never, plain;        /* as of struct llm_outcome */
	bool bad_key;             /* the key was not taken */
	int64_t retry_after_ms;
	const struct llm_reply *reply;
};
typedef void (*llm_posted_fn)(void *data, const struct llm_posted *result);

struct llm_post_args {
	const struct llm_row *row;
	struct str url; /* of llm_row_url */
	struct str key; /* or absent */
	struct str proxy, ca;
	struct buf body; /* taken */
	int64_t left_ms;
};

MUST_USE int llm_http_new(struct uv_loop_s *loop, struct llm_http **ret);
/* done is called once, from the loop, unless it is stopped. */
struct llm_post *llm_http_post(struct llm_http *h, struct llm_post_args *args,
	llm_posted_fn done, void *data) MUST_USE;
void llm_http_stop(struct llm_post *p);

#endif
