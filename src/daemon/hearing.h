#ifndef DAEMON_HEARING_H
#define DAEMON_HEARING_H

/*
 * POST /v1/hearings: what an agent's hook brings, read and put before decide;
 * and what decide says to it, in the agent's own words.
 */

#include "adapter/adapter.h"
#include "api/api.h"
#include "daemon/daemon.h"

/* What is kept of a hearing while its request is open: r->data. */
struct daemon_hearing {
	const struct adapter_agent *agent;
	const struct adapter_event *event; /* NULL: no row, refused */
	char key[API_KEY_HEX + 1];
	int64_t number; /* decide's, once it has answered; 0 = not yet */
	bool settled;   /* the answer, or a need, is on its way */
	bool plain;     /* a review without an envelope: answered without a head */
	size_t root_len;
	char root[]; /* the workspace, once it is known */
};

/* mode, tier and kin as the rules files set them. */
struct order_settings daemon_hearing_settings(
	struct daemon *d, const struct policy *p, bool own_prompt);

void daemon_hearing_run(struct daemon *d, struct daemon_request *r);
/* POST /v1/review and /v1/review/outcome: the same without an envelope. */
void daemon_hearing_review(struct daemon *d, struct daemon_request *r);
void daemon_hearing_outcome(struct daemon *d, struct daemon_request *r);
/* A SEND, or a NEED, for the open request r. */
void daemon_hearing_send(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act);
void daemon_hearing_need(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act);

#endif
