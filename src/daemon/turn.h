#ifndef DAEMON_TURN_H
#define DAEMON_TURN_H

/*
 * What happens once per turn of the loop: what was decided is done, what is to
 * be written goes to the writer, what is due is moved.
 */

#include "daemon/daemon.h"

void daemon_turn(struct daemon *d);

/* What a request waits for when a person has asked for something. */
struct daemon_wait {
	/* Answers r by what came of it. */
	void (*replied)(struct daemon *d, struct daemon_request *r,
		const struct decide_act *act);
	bool told;
};

#endif
