#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

/*
 * Permission lists of other agents, read and written as rules of ours. No rule
 * comes out that allows what the original would not.
 */

#include "base/buf.h"
#include "call/verdict.h"

#define IMPORT_AGENTS(X) \
	X(CLAUDE, "claude")  \
	X(CURSOR, "cursor")  \
	X(CODEX, "codex")    \
	X(GEMINI, "gemini")

#define X(name, text) IMPORT_##name,
enum import_agent { IMPORT_AGENTS(X) IMPORT_AGENT_COUNT };
#undef X
const char *import_agent_name(enum import_agent agent);
MUST_USE bool import_agent_from(struct str s, enum import_agent *ret);

struct import_rule {
	struct str line;   /* of our language */
	struct str source; /* what it was made of, one line */
	enum call_verdict verdict;
	int64_t rank; /* later lines win, so the lowest comes first */
};
struct import_left {
	struct str source, why;
};

struct import {
	struct arena *a;
	struct import_rule *rules; /* in the order in which they are to stand */
	size_t rule_count, rule_room;
	struct import_left *left; /* what could not be carried over */
	size_t left_count, left_room;
	bool of_project;  /* in: the file is a workspace's */
	struct str fault; /* why the file cannot be read at all, or absent */
};

/* Reads text. False, and ret->fault, when it is no such file: then nothing of it
 * is there, because half of a list may miss what denies. */
MUST_USE bool import_read(
	struct import *im, enum import_agent agent, struct str text);
/* As a rules file: each line below a comment with its source, then, as comments,
 * what is left. */
void import_print(struct buf *b, const struct import *im);

#endif
