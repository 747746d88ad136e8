#ifndef DAEMON_LIFE_H
#define DAEMON_LIFE_H

/*
 * From listening to stopping.
 */

#include "daemon/daemon.h"

/* Serves on fd, or on a socket of its own when fd is -1, until it is stopped.
 * Returns the exit status. d has its places and its loop. */
int daemon_life(struct daemon *d, int fd);
/* Says what went wrong (fail_text) in the journal; exit status 1. */
int daemon_life_fail(const char *what);

#endif
