#ifndef CLI_ASKED_H
#define CLI_ASKED_H

/*
 * What check, explain and rules test share: the call that the words of a command
 * describe, the rules it is decided by, and the verdict as people read it.
 */

#include "check/check.h"
#include "cli/cli.h"

/* The options that describe a call; part of each row's options. */
/* clang-format off */
#define CLI_CALL_OPTIONS                                                     \
	{"tool", "TOOL", "shell (default), read, write, fetch, mcp, ..."},       \
	{"cwd", "DIR", "the agent's working folder (default /home/dev/proj)"},   \
	{"root", "DIR", "a workspace root, repeatable"},                         \
	{"mode", "MODE", "ask, ai_auto, auto_approve or full_access"},           \
	{"tier", "TIER", "standard, aggressive or passive"},                     \
	{"agent", "NAME", "the agent, as rules name it"}
#define CLI_RULES_OPTION                                                     \
	{"rules", "LAYER=FILE", "add a rules file, repeatable"}
/* clang-format on */

struct cli_asked {
	json_t *line; /* owned; request borrows from it */
	struct policy *policy;
	struct check_request request;
	struct order_result result;
};
void cli_asked_done(struct cli_asked *asked);

/* Reads a file that the command was given into ret, which is to be done with in
 * either case. */
MUST_USE int cli_file_read(
	const struct cli *c, const char *path, struct buf *ret);

/* The built-in policy with the files of --rules. CLI_OK, or the exit code when
 * what was wrong has been said. */
MUST_USE int cli_policy_new(const struct cli *c, struct policy **ret);
/* Adds one file to p. The same answers. */
MUST_USE int cli_policy_add(const struct cli *c, struct policy *p,
	enum policy_layer layer, const char *path);
/* Adds the file that a value of --rules names: LAYER=FILE. The same answers. */
MUST_USE int cli_policy_add_option(
	const struct cli *c, struct policy *p, const char *value);
/* The faults of a file, a line each with what to do. */
void cli_faults_print(
	const struct cli *c, const char *path, const struct policy_faults *faults);

/* Reads the call that options and the first argument describe. CLI_OK or the
 * exit code. ret is to be done with in either case. */
MUST_USE int cli_asked_read(const struct cli *c, struct cli_asked *ret);
/* Reads and decides it, by the rules of --rules. */
MUST_USE int cli_asked_decide(const struct cli *c, struct cli_asked *ret);

/* "deny  deletes the home folder", and by whom, on standard output. */
void cli_verdict_print(const struct cli *c, const struct call_outcome *o);
/* The ink of a verdict inside other text. */
enum cli_ink cli_verdict_ink(enum call_verdict verdict);
/* The exit code that stands for a verdict. */
int cli_verdict_code(enum call_verdict verdict);
/* The result as one line of JSON on standard output. */
int cli_asked_print_json(const struct cli_asked *asked, bool with_trace);

/* check_line, or another that adds a line for a line. */
typedef void cli_line_fn(struct arena *a, const struct check_options *options,
	struct str line, struct buf *out);
/* Answers standard input line by line; the exit code. */
int cli_batch(const struct cli *c, const struct check_options *options,
	cli_line_fn *answer);

#endif
