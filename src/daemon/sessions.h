#ifndef DAEMON_SESSIONS_H
#define DAEMON_SESSIONS_H

/*
 * Which workspace a session is in. Its root is fixed when the session is first
 * seen: what a later call runs `cd` to is outside.
 */

#include "io/place.h"
#include "store/store.h"

struct daemon_sessions;

/* place and r (may be NULL) are borrowed. */
struct daemon_sessions *daemon_sessions_new(
	const struct io_place *place, struct store_reader *r) MUST_USE;
void daemon_sessions_free(struct daemon_sessions *s);
void daemon_sessions_set_reader(
	struct daemon_sessions *s, struct store_reader *r);

/*
 * True when the session's root is settled; *ret_root is absent when it has none
 * (it began in the home folder, say). Borrowed until the next call.
 */
MUST_USE bool daemon_sessions_find(
	struct daemon_sessions *s, struct str id, struct str *ret_root);
/* Settles it; root absent: it has none. */
void daemon_sessions_set(
	struct daemon_sessions *s, struct str id, struct str root);

/* False for what is never a workspace: the home folder and what is above it,
 * the system's folders, assent's own, what is no clean absolute path. */
bool daemon_sessions_may_be_root(const struct io_place *place, struct str path);

size_t daemon_sessions_count(const struct daemon_sessions *s);

#endif
