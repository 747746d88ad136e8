#ifndef DAEMON_INTAKE_H
#define DAEMON_INTAKE_H

/*
 * A hearing's body, taken apart: the envelope's line, then the agent's bytes.
 * What is large is read on a worker, so nothing here touches the loop.
 */

#include <uv.h>

#include "adapter/adapter.h"
#include "api/api.h"
#include "daemon/trial.h"

struct daemon;

struct daemon_intake {
	struct daemon *daemon;
	uint64_t handle;
	struct arena *arena;
	struct str bytes; /* the body */

	/* A review without an envelope: the event that the body is of, else NULL. */
	const char *review;

	/* set by reading */
	json_t *line; /* the envelope borrows from it */
	struct api_envelope envelope;
	const struct adapter_agent *agent;
	struct adapter_message message;
	char digest[STORE_DIGEST_HEX + 1];
	int slot;
	char key[API_KEY_HEX + 1]; /* a review's own */
	char fault[256];           /* no envelope: why; empty when it is one */
	bool poison;               /* the agent's bytes were not looked at */
	bool too_large;
	bool readable; /* message holds a call */

	struct buf body; /* on a worker: owns bytes */
	uv_work_t work;
};

/* Reads in->bytes. The digest stays in trial until daemon_intake_done. */
void daemon_intake_read(struct daemon_intake *in);
void daemon_intake_done(struct daemon_intake *in);

#endif
