#ifndef CLI_RULETEXT_H
#define CLI_RULETEXT_H

/*
 * A rules file by way of the daemon, which saves only what is whole, faultless
 * and over the text that was seen: assent rules show, edit, save.
 */

#include "cli/request.h"

/* clang-format off */
#define CLI_RULETEXT_OPTIONS                                                 \
	{"project", NULL, "your rules for the workspace of this folder"}
/* clang-format on */

struct cli_ruletext {
	struct cli_told told; /* owned; the texts borrow from it */
	struct str layer, project, path, text, revision;
	bool there;
};
void cli_ruletext_done(struct cli_ruletext *t);

/* The file that the options name. CLI_OK or the exit code. */
MUST_USE int cli_ruletext_get(const struct cli *c, struct cli_ruletext *ret);
/* Saves text over it. CLI_OK; CLI_ASK when it has faults, which have been said;
 * else the exit code. */
MUST_USE int cli_ruletext_save(
	const struct cli *c, const struct cli_ruletext *t, struct str text);

#endif
