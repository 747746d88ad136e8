#ifndef CLI_CLI_H
#define CLI_CLI_H

/*
 * The table of commands, and what main hands to each of them. A command is one
 * file with one row (or one per sub-command): name, usage, options, help and
 * function stand together, and main makes the help texts from the rows.
 *
 * To add a command: write src/cli/NAME.c with its row, add the name to
 * CLI_COMMANDS below. `assent --help`, `assent NAME --help`, the reading of its
 * options and the suggestion for a misspelt name come from the row.
 */

#include "base/buf.h"
#include "io/place.h"

/* Exit codes (DESIGN 11). Commands with codes of their own say so in help. */
enum {
	CLI_OK = 0,
	CLI_FAILURE = 1,
	CLI_USAGE = 2,
	CLI_ASK = 3,
	CLI_DENY = 4,
};

/* Where a command stands in `assent --help`. */
#define CLI_GROUPS(X)                     \
	X(TRY, "Ask what would be decided")   \
	X(PEOPLE, "Answer and look")          \
	X(SETUP, "Connect agents and set up") \
	X(RUN, "Run")

#define X(name, text) CLI_GROUP_##name,
enum cli_group { CLI_GROUPS(X) CLI_GROUP_COUNT };
#undef X

enum { CLI_OPTIONS_MAX = 16, CLI_ARGS_MAX = 64, CLI_GIVEN_MAX = 64 };

/* A row of a command's options: "--name VALUE", or "--name" alone. */
struct cli_option {
	const char *name;  /* without the dashes */
	const char *value; /* what stands for it in help, NULL: takes none */
	const char *help;
};

struct cli;

struct cli_command {
	const char *name;  /* "check"; sub-commands: "audit list" */
	const char *usage; /* the arguments, as help shows them: "[ID]", or "" */
	const char *help;  /* one line, small letter, no full stop */
	/* Further paragraphs for `assent NAME --help`, or NULL. */
	const char *details;
	enum cli_group group;
	size_t args_min, args_max; /* words that are no options */
	/* From the first word that is no option on, all is arguments (run). */
	bool rest_is_args;
	struct cli_option options[CLI_OPTIONS_MAX]; /* ends at a NULL name */
	int (*run)(struct cli *c);                  /* returns the exit code */
};

struct cli_given {
	const char *name, *value; /* value NULL: the option takes none */
};

/* One run of a command. */
struct cli {
	const struct cli_command *command;
	struct arena *arena; /* of the whole run */
	const char *args[CLI_ARGS_MAX];
	size_t arg_count;
	struct cli_given given[CLI_GIVEN_MAX];
	size_t given_count;
	struct io_place_flags places; /* --config --state --socket --home */
	bool json;                    /* --json */
	bool colour; /* standard output is a terminal, no NO_COLOR */
};

/* --- options that were given ---------------------------------------------- */

bool cli_has(const struct cli *c, const char *name);
/* The last value of --name, or NULL. */
const char *cli_get(const struct cli *c, const char *name);
/* The next value of a repeated --name; *at starts with 0. NULL at the end. */
const char *cli_get_next(const struct cli *c, const char *name, size_t *at);
/* True when none of the places was given (a hook tried by hand). */
bool cli_has_no_places(const struct cli *c);

/* --- what goes wrong ------------------------------------------------------ */

/* Prints "assent NAME: ..." and where help is, on standard error; CLI_USAGE. */
int cli_usage(const struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Prints "assent NAME: ..." on standard error; CLI_FAILURE. */
int cli_fail(const struct cli *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* --- how text looks ------------------------------------------------------- */

#define CLI_INKS(X)       \
	X(PLAIN, "")          \
	X(BOLD, "1")          \
	X(FAINT, "2")         \
	X(ALLOW, "32")        \
	X(ASK, "33")          \
	X(DENY, "31")         \
	X(BOLD_ALLOW, "1;32") \
	X(BOLD_ASK, "1;33")   \
	X(BOLD_DENY, "1;31")  \
	X(HEAD, "1")

#define X(name, code) CLI_INK_##name,
enum cli_ink { CLI_INKS(X) CLI_INK_COUNT };
#undef X

/* What switches the ink on and off again; "" where there is no colour. */
const char *cli_ink(const struct cli *c, enum cli_ink ink);
const char *cli_ink_off(const struct cli *c, enum cli_ink ink);

/*
 * Text from outside, made fit for a terminal: controls, escapes, bidi and
 * zero-width characters, and bytes that are not UTF-8, are shown as \x1b or
 * \u202e; line feeds as a visible "\n". Never print such text without it.
 */
struct str cli_show(struct arena *a, struct str s);
/* Adds word so that a POSIX shell reads exactly it, whatever stands in it. */
void cli_shell_word_add(struct buf *b, struct str word);
/* Columns that a text takes on a terminal (wide characters take two). */
size_t cli_width(struct str s);

/* --- the commands --------------------------------------------------------- */

/* Row names, in the order of help: cli_check is in check.c, and so on. */
#define CLI_COMMANDS(X) \
	X(check)            \
	X(explain)          \
	X(eval)             \
	X(status)           \
	X(cards)            \
	X(approve)          \
	X(reject)           \
	X(grants_list)      \
	X(grants_remove)    \
	X(grants_clear)     \
	X(mode)             \
	X(tier)             \
	X(audit_list)       \
	X(audit_show)       \
	X(audit_verify)     \
	X(audit_export)     \
	X(stats)            \
	X(replay)           \
	X(rules_check)      \
	X(rules_test)       \
	X(rules_show)       \
	X(rules_edit)       \
	X(rules_save)       \
	X(import)           \
	X(trust)            \
	X(sensitive_list)   \
	X(sensitive_add)    \
	X(sensitive_remove) \
	X(setup)            \
	X(install)          \
	X(uninstall)        \
	X(doctor)           \
	X(hook)             \
	X(proxy_cursor)     \
	X(daemon_start)     \
	X(daemon_stop)      \
	X(daemon_status)    \
	X(daemon_run)       \
	X(help)

#define X(name) extern const struct cli_command cli_##name;
CLI_COMMANDS(X)
#undef X

/* All of them, ending in NULL. */
extern const struct cli_command *const cli_commands[];
/* Help for one command, or with NULL the list of all, on standard output. */
void cli_help_print(const struct cli *c, const struct cli_command *row);
/* Sub-commands of a first word ("audit"), in order, from *at = 0; NULL at the
 * end. */
const struct cli_command *cli_sub_next(const char *word, size_t *at);

#endif
