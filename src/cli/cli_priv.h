#ifndef CLI_CLI_PRIV_H
#define CLI_CLI_PRIV_H

/*
 * What main and its helpers share.
 */

#include "cli/cli.h"

enum cli_read { CLI_READ_FINE, CLI_READ_HELP, CLI_READ_WRONG };

/* Options that every command takes. */
extern const struct cli_option cli_common_options[]; /* ends at a NULL name */

/* Reads the words behind the command's name into c. What is wrong has been said
 * on standard error. */
MUST_USE enum cli_read cli_read_options(struct cli *c, char **argv);

#endif
