#ifndef CLI_TALK_H
#define CLI_TALK_H

/*
 * A hook's conversation with the daemon, from the first connection to its
 * answer: starts the daemon when nobody listens, looks at the world when it needs
 * to know, comes back with the same key when the connection is lost.
 */

#include <jansson.h>

#include "api/api.h"
#include "api/client.h"
#include "io/place.h"

struct cli_talk {
	struct arena *a;
	struct io_place place;
	struct api_envelope envelope;
	struct str input; /* the agent's bytes */
	int64_t deadline_ms;
	struct api_client client; /* watches the agent, too */
	struct api_answer answer;
	struct buf reply;   /* the answer borrows from it... */
	json_t *reply_head; /* ...and from this */
	int starts, losses, posts;
	int64_t held_ms; /* when the daemon last had the call in hand; 0 = never */
	int64_t looked_ms; /* spent on looking at the world */
};

void cli_talk_init(struct cli_talk *t);
void cli_talk_done(struct cli_talk *t);

/*
 * Asks until there is an answer: 0, and t->answer is whole and right in each
 * part, to be read until cli_talk_done. Any failure: there is none, and
 * fail_text() says why.
 */
MUST_USE int cli_talk(struct cli_talk *t);

#endif
