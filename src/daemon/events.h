#ifndef DAEMON_EVENTS_H
#define DAEMON_EVENTS_H

/*
 * GET /v1/events: what happens to cards, settings and grants, told to whoever
 * watches, as server-sent events. The newest are kept in a ring, so that a
 * surface that comes back takes up where it left; whoever reads more slowly
 * than the ring turns is dropped, and nobody is waited for.
 *
 * An id is "EPOCH-NUMBER"; the epoch is drawn when the daemon starts, so no id is
 * ever given twice.
 */

#include "daemon/daemon.h"

enum {
	DAEMON_EVENTS_KEPT = 1024,
	DAEMON_EVENTS_BYTES = 4 << 20, /* of their texts */
	DAEMON_EVENTS_CARD_BYTES = 64
		<< 10, /* a longer card is told without text */
	DAEMON_EVENTS_WATCHERS = 64,
	DAEMON_EVENTS_BEAT_S = 15,
	DAEMON_EVENTS_BEAT_S_MAX = 60,
	DAEMON_EVENTS_ID_BYTES = 48,
};

struct daemon_events *daemon_events_new(struct daemon *d) MUST_USE;
/* Those who watch are told no more. */
void daemon_events_stop(struct daemon_events *e);
/* Frees e when the loop has run once more. */
void daemon_events_close(struct daemon_events *e);

void daemon_events_run(struct daemon *d, struct daemon_request *r);

/* A CARD and a CHANGED of decide's. */
void daemon_events_card(struct daemon *d, const struct decide_act *act);
void daemon_events_changed(struct daemon *d, const struct decide_act *act);
/* Something else that surfaces show is not as it was ("rules", "sensitive"):
 * data is JSON, of one line. name is a literal. */
void daemon_events_tell(struct daemon *d, const char *name, struct str data);

/* The id of the newest event: what is read after this holds all up to it. */
void daemon_events_id(
	const struct daemon_events *e, char ret[DAEMON_EVENTS_ID_BYTES]);
size_t daemon_events_watchers(const struct daemon_events *e);
/*
 * True while somebody who may answer watches: then a card reaches a person
 * (DESIGN 2.12). Who only may ask (an agent, what it starts) does not count.
 */
bool daemon_events_attended(struct daemon *d);

#endif
