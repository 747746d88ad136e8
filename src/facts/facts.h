#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

/*
 * From a call to facts: the one entry of the room.
 */

#include "call/call.h"
#include "call/facts.h"
#include "call/world.h"

/*
 * Reads the call against the world. Never fails: what is not understood is
 * ignorance in the facts. Everything lives in a. Past LIMIT_FACTS the arena
 * overflows (see base/arena.h).
 */
void facts_of(struct arena *a, const struct call *call,
	const struct call_world *world, struct call_facts *ret_facts);

/*
 * A path made absolute by reading: against cwd, without "." and "..", ~ not
 * touched. False if it is too long, holds a NUL, or cwd is absent for a
 * relative one; ret_path is then untouched.
 */
MUST_USE bool facts_path_clean(
	struct arena *a, struct str cwd, struct str path, struct str *ret_path);

#endif
