#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

/*
 * Every maximum of the product, in one list. Units are in the names.
 */

enum {
	LIMIT_BODY_BYTES = 16 << 20, /* a request to the daemon (DESIGN 5a) */
	LIMIT_JSON_TOKENS = 65536,   /* counted before the JSON parser runs */
	LIMIT_JSON_DEPTH = 64,
	LIMIT_WORKER_BODY_BYTES = 64
		<< 10,                    /* larger bodies are parsed on a worker */
	LIMIT_ARENA_BYTES = 64 << 20, /* one hearing */
	LIMIT_FACTS = 4096,           /* effects, and commands, of one call */
	LIMIT_NOTE_CHARS = 4000,      /* a person's note, in characters */
	LIMIT_PATH_BYTES = 4096,
	LIMIT_RULES_BYTES = 1 << 20, /* one rules file */
};

#endif
