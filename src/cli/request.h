#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

/*
 * What people's commands ask of the daemon: one request, one JSON answer, and
 * what went wrong in plain words.
 */

#include <jansson.h>

#include "api/client.h"
#include "base/buf.h"
#include "cli/cli.h"

enum {
	CLI_WAIT_MS = 15000,  /* an answer takes no longer, a person's reply too */
	CLI_JUDGE_MS = 660000 /* a model's takes what judge.seconds permits */
};

struct cli_request {
	const char *method, *path;
	struct str body;
	bool starts; /* a daemon is started when none runs */
	bool raw;    /* the answer is not read as JSON */
	bool waits;  /* for a model: CLI_JUDGE_MS */
};

struct cli_told {
	int status;      /* 200; 0: no daemon answered */
	struct buf text; /* the body as it came */
	json_t *json;    /* the body read, NULL when it is no JSON value */
};
void cli_told_done(struct cli_told *told); /* a zeroed one is fine */
#define CLI_TOLD CLEANUP(cli_told_done) struct cli_told

/* The places of a people's command: flags first, then the environment. CLI_OK,
 * or the exit code when what was wrong has been said. */
MUST_USE int cli_places(const struct cli *c, struct io_place *ret);

/*
 * Asks. 0, whatever the daemon's status; FAIL_ABSENT: none runs and none was to
 * be started; otherwise what cli_start and api_client say. Says nothing itself.
 * ret is to be done with in each case.
 */
MUST_USE int cli_ask(const struct cli *c, const struct io_place *p,
	const struct cli_request *q, struct cli_told *ret);
/* Listens to path (GET) until the listener or the daemon ends it; a daemon is
 * started when none runs. As cli_ask: 0 whatever the status. */
MUST_USE int cli_listen(const struct cli *c, const char *path,
	const struct api_listener *to, struct cli_told *ret);
/* Asks, and says what was wrong unless the status is 200. CLI_OK or the exit
 * code. */
MUST_USE int cli_ask_well(
	const struct cli *c, const struct cli_request *q, struct cli_told *ret);
/* Says what a refusing answer or a failure of cli_ask (r) means. CLI_FAILURE. */
int cli_ask_failed(const struct cli *c, int r, const struct cli_told *told);

/* s as a part of a query, percent-encoded. */
struct str cli_query_part(struct arena *a, struct str s);

/* The body as it came, with a line feed: what --json prints. CLI_OK. */
int cli_told_print(const struct cli_told *told);
/* "2026-12-01 10:32:07" in the user's time zone. */
struct str cli_time(struct arena *a, int64_t ms);
/* A member of a JSON object, fit for the terminal. */
struct str cli_member(struct arena *a, const json_t *obj, const char *key);

#endif
