#ifndef CLI_ENVELOPE_H
#define CLI_ENVELOPE_H

/*
 * What the client knows of itself and the daemon cannot: who called it, from
 * where, in which shell and environment.
 */

#include "api/api.h"
#include "io/place.h"

/*
 * Fills all but agent, event, left_ms, round and world; key is a fresh one.
 * FAIL_LIMIT when the environment has more telling names than an envelope takes:
 * one that is left out might be the one that matters. FAIL_IO: no random bytes.
 */
MUST_USE int cli_envelope_make(
	struct arena *a, const struct io_place *place, struct api_envelope *ret);

/* The dialect that a login shell's file stands for. */
enum call_dialect cli_envelope_dialect(struct str shell);
/* True for a name of the environment that may leave the client. */
bool cli_envelope_tells(struct str name);

#endif
