#ifndef API_API_H
#define API_API_H

/*
 * The daemon's protocol as structs, for both ends; docs/PROTOCOL.md is the
 * text. A text that is not UTF-8 is left out when it is written: a path that
 * only looks like another must never be judged in its place.
 */

#include <jansson.h>

#include "base/buf.h"
#include "call/call.h"
#include "call/world.h"

enum {
	API_VERSION = 1,
	API_KEY_HEX = 32,
	API_PARENTS_MAX = 16,
	API_PARENT_ARGS_MAX = 8,
	API_PARENT_ARG_BYTES = 256,
	API_VARIABLES_MAX = 256,
	API_VALUE_BYTES = 4096,
	API_ROUNDS_MAX = 9,  /* roots; two while judging and two for evidence, and
						 * again after a reply */
	API_NEEDS_MAX = 512, /* questions in one need */
	API_FILE_BYTES = 64 << 10,    /* one file's text in a world */
	API_SAID_MAX = 64,            /* messages of a conversation */
	API_ENVELOPE_BYTES = 4 << 20, /* the envelope line */
	API_CONTINUE_MS = 2000,       /* silence: the safe answer */
	API_LOOK_MS = 200,            /* a client looks no longer than this */
};

/* A process above the client. */
struct api_parent {
	int64_t pid, start;
	struct str exe;
	struct str args[API_PARENT_ARGS_MAX];
	size_t arg_count;
};

/* A message of the conversation. */
struct api_said {
	bool from_user;  /* else the agent's */
	bool injected;   /* in the user's place, by a program */
	int64_t time_ms; /* 0 = not known */
	struct str text;
	struct str model; /* that the run used by then, or absent */
};

/* What a client found out for a need. An answer with an absent value says that
 * the thing is not there; a thing that could not be looked at is left out. A
 * TRANSCRIPT's value is a JSON list of messages where it is written; where it is
 * read, they are the envelope's. */
struct api_world {
	const struct call_answer *answers;
	size_t answer_count;
	const struct str *roots; /* of the cwd that was asked for */
	size_t root_count;
	bool partial; /* time ran out */
};

struct api_envelope {
	struct str client; /* its version */
	struct str agent;
	struct str event; /* absent: the adapter reads it from the bytes */
	struct str key;   /* API_KEY_HEX lower-case hex digits */
	int64_t left_ms;
	struct str cwd; /* absent when it is not known */
	struct api_parent parents[API_PARENTS_MAX];
	size_t parent_count;
	struct str mntns;
	enum call_dialect dialect;
	const struct call_variable *variables;
	size_t variable_count;
	bool installed;
	int64_t oversize; /* bytes of a call that is too large to be sent; 0: it is
					   * not, and follows */
	int64_t round;
	bool has_world;
	struct api_world world;
	/* what was said, oldest first: the member `conversation`, else what a
	 * transcript held. Only read */
	const struct api_said *said;
	size_t said_count;
	/* what an MCP server says of the tool, the second as JSON. Only read */
	struct str mcp_description, mcp_annotations;
};

/* Adds the envelope as one line, with its line feed. */
void api_envelope_print(struct buf *out, const struct api_envelope *e);
/* Reads it. Texts are borrowed from line, lists are in a (which may jump: the
 * caller owns line and has the boundary). False and the reason, in a, for what
 * is not an envelope of version 1. */
MUST_USE bool api_envelope_from(struct arena *a, const json_t *line,
	struct api_envelope *ret, struct str *reterr);

enum api_kind { API_NONE, API_ANSWER, API_NEED };

struct api_answer {
	enum api_kind kind;
	struct str key;
	struct str out; /* bytes for standard output */
	struct str err; /* text for standard error, or absent */
	int exit;       /* 0 or 2 */
	const struct call_need *needs;
	size_t need_count;
	struct str roots_of; /* the folder whose roots are asked for, or absent */
};

/* The whole body: the head line, a line feed, the bytes for standard output. */
void api_answer_print(struct buf *out, const struct api_answer *n);
/* Reads a whole body. False and the reason, in a, when it is anything but what
 * the protocol says: wrong key, wrong length, unknown kind or status. head is the
 * parsed first line of body, owned by the caller; texts borrow from both. */
MUST_USE bool api_answer_from(struct arena *a, const json_t *head,
	struct str body, struct api_answer *ret, struct str *reterr);

/* An error's body, with its line feed. */
void api_error_print(struct buf *out, const char *code, struct str message);

/* True for API_KEY_HEX lower-case hex digits. */
bool api_key_is_valid(struct str key);
/* True when all of s is UTF-8 without NUL. */
bool api_text_is_clean(struct str s);

#endif
