#ifndef CLI_SETUP_H
#define CLI_SETUP_H

/*
 * What could judge on this machine, and whether what is configured does.
 */

#include "check/check.h"
#include "cli/request.h"

enum { CLI_OFFERS_MAX = 24 };

/* One way to reach a model. */
struct cli_offer {
	struct str what;     /* in words */
	struct str provider; /* as settings name it */
	struct str model;    /* proposed; absent: the provider has no choice */
	struct str url;      /* absent: the usual one */
	struct str key;      /* from the environment, not yet kept */
	struct str key_name; /* of its file */
	struct str key_file;
	struct str command; /* words */
};

/* Keys in the environment, servers that listen on this machine's loopback,
 * agents in PATH. How many. Runs nothing, sends nothing. */
size_t cli_offers_find(const struct cli *c, const struct io_place *p,
	struct cli_offer ret[CLI_OFFERS_MAX]);

/*
 * Asks the configured model about one ordinary call that it should allow, as
 * cli_ask does: told->json says what it said.
 */
MUST_USE int cli_trial_ask(
	const struct cli *c, const struct io_place *p, struct cli_told *told);
/*
 * Asks it about that call and some that no judge should allow, and says what
 * came of it. CLI_OK: it may judge; CLI_FAILURE: it could not, or it is too
 * trusting.
 */
MUST_USE int cli_trial_run(const struct cli *c, const struct io_place *p);

#endif
