#ifndef DAEMON_SAID_H
#define DAEMON_SAID_H

/*
 * What was said in a session: what the user wrote, from the hooks that tell of
 * it, kept in memory only; and what the client read of the agent's own file.
 * Neither is on the disk because of us. After a restart only the file is left.
 */

#include "api/api.h"
#include "judge/judge.h"

struct daemon_said;

struct daemon_said *daemon_said_new(void) MUST_USE;
void daemon_said_free(struct daemon_said *s);

/* The user wrote text. Only the last few of a session are kept, and only so many
 * sessions: those that were quiet for longest go first. */
void daemon_said_add(
	struct daemon_said *s, struct str session, struct str text, int64_t now_ms);
/* The run uses this model; absent says nothing. */
void daemon_said_set_model(
	struct daemon_said *s, struct str session, struct str model);
void daemon_said_forget(struct daemon_said *s, struct str session);

/* The model that the run uses, as far as that is known; borrowed. */
struct str daemon_said_model(struct daemon_said *s, const struct call *call,
	const struct api_envelope *e);

/*
 * All that is known before the call, oldest first: what came with the envelope,
 * and what the hooks told and is not in it. Texts are borrowed, the list is in
 * a. A subagent's user is that of the session it was started from.
 */
size_t daemon_said_get(struct daemon_said *s, struct arena *a,
	const struct call *call, const struct api_envelope *e,
	struct judge_message **ret);

#endif
