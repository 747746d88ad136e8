#ifndef DAEMON_PERSON_H
#define DAEMON_PERSON_H

/*
 * The answering authority (DESIGN 5): only a proven person may answer cards and
 * change what is decided. The proof is made from the socket's peer, never from
 * anything that it says.
 */

#include "daemon/http.h"
#include "decide/decide.h"

/*
 * True when the peer of r may answer. Else r is answered (403 not_a_person), and
 * the attempt is in the audit with its ancestry.
 */
MUST_USE bool daemon_person_admits(struct daemon *d, struct daemon_request *r);

/* True if it may answer; nothing is answered, and nothing recorded. */
bool daemon_person_may(struct daemon *d, struct daemon_request *r);

/* Who that is, in a, after it was admitted. */
struct decide_who daemon_person_who(
	struct daemon *d, struct arena *a, struct daemon_request *r);

#endif
