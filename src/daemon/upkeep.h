#ifndef DAEMON_UPKEEP_H
#define DAEMON_UPKEEP_H

/*
 * What is done now and then: the settings of the audit's keeping are looked at,
 * and handed to the writer, which does the work.
 */

#include "daemon/daemon.h"

/* From now on, once a minute. */
void daemon_upkeep_start(struct daemon *d);
/* When the store has just been opened, or the settings may be others. */
void daemon_upkeep_look(struct daemon *d);
void daemon_upkeep_close(struct daemon *d);

#endif
