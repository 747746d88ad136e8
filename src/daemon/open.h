#ifndef DAEMON_OPEN_H
#define DAEMON_OPEN_H

/*
 * The store, opened, or opened later: a daemon without one runs, refuses what
 * decides, says why, and tries again.
 */

#include "daemon/daemon.h"

/*
 * Opens store, reader, registry and writer of d. FAIL_BUSY: another daemon has
 * the store. After any other failure d->no_store says why.
 */
MUST_USE int daemon_open(struct daemon *d);
/* Gives them back, in order: what was put is committed first. */
void daemon_open_undo(struct daemon *d);

#endif
