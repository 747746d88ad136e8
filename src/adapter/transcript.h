#ifndef ADAPTER_TRANSCRIPT_H
#define ADAPTER_TRANSCRIPT_H

/*
 * What was said before a call, from the file that the agent keeps of its
 * conversation. Pure: the client finds the file and reads its end. The user's
 * own words count for the judge, so whatever else stands in a user's place there
 * (a tool's result, a reminder, a subagent's task, a command's output) is told
 * apart; what is not understood is not a message.
 */

#include "base/arena.h"

enum {
	ADAPTER_TAIL_BYTES = 256 << 10,    /* that are read of a file... */
	ADAPTER_TAIL_BYTES_MAX = 2 << 20,  /* ...and when the user is not in them */
	ADAPTER_SAID_MAX = 4,              /* messages that are picked */
	ADAPTER_SAID_BYTES_MAX = 64 << 10, /* of one of them */
};

struct adapter_said {
	bool from_user;  /* else the agent's */
	bool injected;   /* in the user's place, by a program */
	int64_t time_ms; /* since 1970; 0 = not known */
	struct str text;
	struct str
		model; /* that the run used last, as far as it is known by then */
};

/* Where an agent keeps its conversations, and how a line of one is read. */
struct adapter_transcript;

/* NULL when the agent of this name has none that is known. */
const struct adapter_transcript *adapter_transcript_find(struct str agent);
/*
 * The folder of the agent's conversations, below home; no other file is ever
 * read for them. False when path, absolute and clean, is no conversation there;
 * ret_rest is the path from that folder on.
 */
MUST_USE bool adapter_transcript_is(const struct adapter_transcript *t,
	struct str home, struct str path, struct str *ret_rest);
const char *adapter_transcript_folder(const struct adapter_transcript *t);

/*
 * The messages of the file's end, oldest first, in a. is_cut: tail does not
 * begin with the file, so its first line is none. Lines that are no messages,
 * cut or not understood are passed over.
 */
size_t adapter_transcript_read(struct arena *a,
	const struct adapter_transcript *row, struct str tail, bool is_cut,
	struct adapter_said **ret);

/* True if one of them is the user's own. */
bool adapter_said_has_user(const struct adapter_said *list, size_t count);
/*
 * Those that a judge is told of: the last messages of the user's own, and the
 * agent's latest after them; long ones without their middle. In a.
 */
size_t adapter_said_pick(struct arena *a, const struct adapter_said *list,
	size_t count, struct adapter_said ret[ADAPTER_SAID_MAX]);

/* Words that an agent itself writes as if the user had. */
bool adapter_said_is_injected(struct str text);
/* What is left of a user's message without what agents and editors put into it:
 * reminders, selections, files. In a. */
struct str adapter_said_own(struct arena *a, struct str text);

#endif
