#ifndef LLM_KEY_H
#define LLM_KEY_H

/*
 * A provider's key: out of a file that nobody else may read, or a command. It is
 * looked up when it is needed and wiped after it; only a command's is kept for
 * a few minutes. It is never in an error's words.
 */

#include "base/arena.h"

enum {
	LLM_KEY_BYTES = 2048,
	LLM_KEY_COMMAND_MS = 10000,
	LLM_KEY_KEEP_MS = 300000, /* a command's */
};

struct llm_key {
	char bytes[LLM_KEY_BYTES];
	size_t len;
};

void llm_key_wipe(struct llm_key *k);
/* Text as it was read: trimmed; false for what no key can be (it becomes part of
 * a header). */
MUST_USE bool llm_key_take(struct llm_key *k, struct str text);
/* path: absolute. Why it could not be read, for a person, or NULL. */
MUST_USE const char *llm_key_read(struct llm_key *k, struct str path);

#endif
