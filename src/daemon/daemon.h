#ifndef DAEMON_DAEMON_H
#define DAEMON_DAEMON_H

/*
 * assentd: what its files share. One loop; the writer's thread and the pool for
 * what is slow. All else happens on the loop, so nothing here is locked.
 */

#include <uv.h>

#include "daemon/agents.h"
#include "daemon/http.h"
#include "daemon/rules.h"
#include "daemon/said.h"
#include "daemon/sessions.h"
#include "daemon/trial.h"
#include "daemon/writer.h"
#include "decide/decide.h"
#include "io/place.h"
#include "llm/llm.h"

struct daemon_judge_open;

struct daemon_events;

struct daemon {
	uv_loop_t loop;
	struct arena *own; /* lives as long as the daemon: places, texts */
	struct io_place place;
	int64_t since_ms;
	int64_t pid; /* our own */

	struct daemon_http *http;
	struct daemon_events *events;
	struct daemon_trial *trial;
	struct daemon_agents *agents;
	struct daemon_rules *rules;
	struct daemon_sessions *sessions;
	struct daemon_said *said;
	struct daemon_writer *writer; /* NULL: nothing can be recorded */
	struct store_reader *reader;  /* for the loop; NULL likewise */
	struct decide *decide;        /* NULL likewise */
	char no_store[256];           /* why */
	int64_t failed_ms; /* when a commit last failed, monotonic; 0 = never */
	char failure[256]; /* and why */

	struct llm *llm;        /* who asks models */
	bool judged_by_command; /* it is, or was: what it runs may call tools */
	struct daemon_judge_open *judging; /* what it was asked */
	struct arena *asking;              /* of the settings that it has */
	uint64_t questions;                /* so many */

	struct arena *work; /* of the hearing that is being judged */
	struct arena *acts; /* of what is being answered */

	uv_prepare_t turn;
	uv_timer_t tick, reopen, upkeep;
	uv_signal_t signals[2];
	bool stopping;
	size_t at_work;  /* jobs that the pool still has */
	size_t readings; /* of these, readings of the audit */

	uint64_t hearings;      /* answered since the start */
	int64_t last_ms;        /* when a hook was last heard, 0 = never */
	int64_t cards_asked_ms; /* when somebody who may answer last asked for the
							 * open cards, monotonic; 0 = never */
};

/* Ends the daemon in order: what waits is answered, what is decided is
 * recorded. May be called again. */
void daemon_stop(struct daemon *d);

/* "/v1/..." and what runs for it; ends in a row without a method. */
extern const struct daemon_route daemon_routes[];

#endif
