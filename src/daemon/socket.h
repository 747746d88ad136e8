#ifndef DAEMON_SOCKET_H
#define DAEMON_SOCKET_H

/*
 * The socket that the daemon listens on: handed over by whoever started it, or
 * made by itself when it was started by hand; and who connected to it.
 */

#include "base/arena.h"
#include "base/fail.h"

/*
 * The descriptor that the starter handed over (LISTEN_FDS=1 and LISTEN_PID is
 * this process), or -1. Reads the environment, so before it is cleared.
 */
int daemon_socket_inherited(void);

/*
 * Makes the socket at path as a starter would: under an exclusive lock on
 * path.lock, and only when nobody answers there (FAIL_BUSY). Mode 0600, in a
 * folder of mode 0700 that is ours.
 */
MUST_USE int daemon_socket_make(struct str path, int *ret_fd);

/* listen() again: else a client that asks who listens gets the starter's pid. */
MUST_USE int daemon_socket_listen(int fd);

/* The next connection, or -1 when none waits. Those of other users are told so
 * and closed here (and counted in *refused). */
int daemon_socket_accept(int fd, unsigned *refused);

/* The process that connected; 0 when it is not to be seen from here. */
int64_t daemon_socket_peer(int fd);
/* A descriptor that stands for that process, or -1 when there is none. */
int daemon_socket_pidfd(int fd);

#endif
