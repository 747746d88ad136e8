#ifndef DAEMON_JOURNAL_H
#define DAEMON_JOURNAL_H

/*
 * The journal: one line per thing that a person may have to know. It goes to
 * <state>/assentd.log, which never grows past a bound, and to standard error.
 * Nothing that an agent sent is ever written to it.
 */

#include "base/str.h"

/* Opens folder/assentd.log; without it (folder absent, or not ours to write)
 * lines go to standard error alone. */
void daemon_journal_open(struct str folder);
void daemon_journal_close(void);
/* A line with the time in front. From any thread. */
void daemon_journal(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* The audit's head, "number:chain": also to the system's log, which the user's
 * own processes cannot rewrite. */
void daemon_journal_head(struct str head, const char *why);
/* Why the daemon ends: on standard error too, wherever that leads; the client
 * that started it looks there. */
void daemon_journal_end(const char *what, const char *why);

#endif
