#ifndef LLM_PROVIDER_H
#define LLM_PROVIDER_H

/*
 * The APIs that models are behind, as rows: where, how one proves who asks, how
 * a question is written, how the answer is read. All pure.
 */

#include "base/arena.h"
#include "llm/reply.h"

enum {
	LLM_OUTPUT_TOKENS = 2000, /* with room for some thinking */
};

struct llm_request {
	struct str model, system, user;
	size_t stable;     /* bytes of user that other calls begin with, too */
	struct str schema; /* of the answer */
	bool plain; /* without what a provider may not know: schema, thinking */
};

enum llm_auth {
	LLM_AUTH_NONE, /* no key is needed; one that is set is sent as BEARER */
	LLM_AUTH_BEARER,
	LLM_AUTH_X_API_KEY,
};

struct llm_row {
	enum llm_kind kind;
	const char *server; /* its usual address */
	const char *root;   /* of its API, when the address has no path */
	const char *tail;
	enum llm_auth auth;
	const char *header; /* another one that it wants, or NULL */
	const char *models; /* what its own models' names begin with, for
						 * `judge.model run`, parted by blanks; NULL: any */
	void (*write)(
		struct buf *b, const struct llm_row *row, const struct llm_request *r);
	llm_read_fn read;
};

/* NULL: none, or COMMAND, which is no API. */
const struct llm_row *llm_row_of(enum llm_kind kind);
/* The address that is posted to: url may be a server, its API, or all of it. */
struct str llm_row_url(
	struct arena *a, const struct llm_row *row, struct str url);
/* Whether the run's model can be asked of this provider. */
bool llm_row_serves(const struct llm_row *row, struct str model);
/* A key is not sent over plain http, but to this machine. */
bool llm_url_is_safe(struct str url);

void llm_chat_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r);
void llm_chat_read(struct llm_reply *r, const json_t *event);
void llm_responses_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r);
void llm_responses_read(struct llm_reply *r, const json_t *event);
void llm_messages_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r);
void llm_messages_read(struct llm_reply *r, const json_t *event);
void llm_ollama_write(
	struct buf *b, const struct llm_row *row, const struct llm_request *r);
void llm_ollama_read(struct llm_reply *r, const json_t *event);

#endif
