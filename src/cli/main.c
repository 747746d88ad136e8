/*
 * assent, the client. Finds the command's row, reads its options, runs it. All
 * else stands in the command's own file.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/cli_priv.h"

#define X(name) &cli_##name,
const struct cli_command *const cli_commands[] = {CLI_COMMANDS(X) NULL};
#undef X

/* How many of the words of argv the row's name takes: 0 if it is another's. */
static size_t
name_words(const struct cli_command *row, char **argv)
{
	struct str rest = str_from(row->name);
	size_t n = 0;

	while (rest.ptr) {
		struct str word = str_cut(rest, ' ', &rest);

		if (!argv[n] || !str_eq(word, str_from(argv[n])))
			return 0;
		n++;
	}
	return n;
}

static const struct cli_command *
find_command(char **argv, size_t *ret_words)
{
	for (size_t i = 0; cli_commands[i]; i++) {
		*ret_words = name_words(cli_commands[i], argv);
		if (*ret_words > 0)
			return cli_commands[i];
	}
	return NULL;
}

const struct cli_command *
cli_sub_next(const char *word, size_t *at)
{
	while (cli_commands[*at]) {
		const struct cli_command *row = cli_commands[(*at)++];
		struct str sub;
		struct str first = str_cut(str_from(row->name), ' ', &sub);

		if (sub.ptr && str_eq(first, str_from(word)))
			return row;
	}
	return NULL;
}

static bool
is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* `assent audit`, or `assent audit lst`: what could have been meant. */
static int
say_subs(const struct cli *c, char **argv)
{
	size_t at = 0;
	const struct cli_command *row;

	if (argv[1] && is_help(argv[1])) {
		while ((row = cli_sub_next(argv[0], &at)) != NULL)
			cli_help_print(c, row);
		return CLI_OK;
	}
	(void)fprintf(stderr, "assent %s: say which:\n", argv[0]);
	while ((row = cli_sub_next(argv[0], &at)) != NULL)
		(void)fprintf(stderr, "  assent %s %s\n", row->name, row->usage);
	return CLI_USAGE;
}

static int
say_unknown(const struct cli *c, char **argv)
{
	struct str word = str_from(argv[0]);
	size_t best = 3, at = 0;
	struct str name = {0};
	struct str sub;

	if (cli_sub_next(argv[0], &at))
		return say_subs(c, argv);
	for (size_t i = 0; cli_commands[i]; i++) {
		struct str first = str_cut(str_from(cli_commands[i]->name), ' ', &sub);
		size_t d = str_distance(word, first, best);

		if (d < best) {
			best = d;
			name = first;
		}
	}
	word = cli_show(c->arena, word);
	(void)fprintf(
		stderr, "assent: there is no command \"%.*s\"", STR_ARG(word));
	if (name.ptr)
		(void)fprintf(stderr, "; did you mean \"%.*s\"?", STR_ARG(name));
	(void)fprintf(stderr, "\nassent --help lists all commands.\n");
	return CLI_USAGE;
}

/* What stands before any command: --help, --version; or nothing at all. */
static int
run_bare(const struct cli *c, const char *word)
{
	if (!word) {
		cli_help_print(c, NULL);
		return CLI_USAGE;
	}
	if (is_help(word)) {
		cli_help_print(c, NULL);
		return CLI_OK;
	}
	if (strcmp(word, "--version") == 0) {
		(void)printf("assent %s\n", BASE_VERSION);
		return CLI_OK;
	}
	(void)fprintf(stderr,
		"assent: options stand behind a command\nassent --help lists all "
		"commands.\n");
	return CLI_USAGE;
}

static int
run(struct cli *c, char **argv)
{
	size_t words = 0;

	if (!argv[0] || argv[0][0] == '-')
		return run_bare(c, argv[0]);
	c->command = find_command(argv, &words);
	if (!c->command)
		return say_unknown(c, argv);
	switch (cli_read_options(c, argv + words)) {
	case CLI_READ_FINE:
		return c->command->run(c);
	case CLI_READ_HELP:
		cli_help_print(c, c->command);
		return CLI_OK;
	case CLI_READ_WRONG:
		return CLI_USAGE;
	}
	return CLI_FAILURE;
}

int
main(int argc, char **argv)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	struct cli c = {.arena = a};
	/* to an agent only 2 is a refusal, and 1 lets the call run */
	bool hook = argc > 1 && strcmp(argv[1], "hook") == 0;
	int code = hook ? CLI_USAGE : CLI_FAILURE;

	if (!a || argc < 1) {
		(void)fprintf(stderr, "assent: out of memory, nothing was allowed\n");
		return code;
	}
	// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread, before all else
	const char *no_colour = getenv("NO_COLOR");

	c.colour = isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]);
	if (ARENA_TRY(a))
		code = run(&c, argv + 1);
	else
		(void)fprintf(stderr, "assent: this is too large\n");
	if (fflush(stdout) != 0 && code == CLI_OK) {
		(void)fprintf(stderr, "assent: standard output cannot be written\n");
		code = CLI_FAILURE;
	}
	return code;
}
