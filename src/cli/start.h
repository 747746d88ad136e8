#ifndef CLI_START_H
#define CLI_START_H

/*
 * Starting the daemon (DESIGN 5a, Start). The one who starts it makes the
 * socket and listens, so that every other client simply connects and waits; of
 * fifty at once exactly one starts a daemon.
 */

#include "io/place.h"

/*
 * Makes sure that somebody listens on p->socket. 0 when a daemon was started or
 * one is there already. FAIL_DENIED: inside an agent's sandbox, or a socket or
 * folder that is somebody else's. FAIL_ABSENT: no assentd beside the client or
 * in libexec. FAIL_LIMIT: the socket's path is too long. FAIL_TIMEOUT: another
 * starter holds the lock past until_ms. fail_text() says it in words.
 */
MUST_USE int cli_start(
	struct arena *a, const struct io_place *p, int64_t until_ms);

/* assentd's path: beside this program, then in libexec; absent if nowhere. */
struct str cli_start_program(struct arena *a, const struct io_place *p);
/* The arguments for assentd that name all places, ending in NULL. */
char *const *cli_start_args(
	struct arena *a, struct str program, const struct io_place *p);
/* The last line that a daemon wrote into its log in the last few seconds, fit
 * for a message; absent if none. Says why a daemon ended. */
struct str cli_start_last_words(struct arena *a, const struct io_place *p);

#endif
