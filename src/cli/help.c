/*
 * Help, made from the rows of the commands.
 */

#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cli/cli_priv.h"

static const char *const group_titles[] = {
#define X(name, text) text,
	CLI_GROUPS(X)
#undef X
};

static void
print_group(const struct cli *c, enum cli_group group)
{
	bool titled = false;

	for (size_t i = 0; cli_commands[i]; i++) {
		const struct cli_command *row = cli_commands[i];

		if (row->group != group)
			continue;
		if (!titled)
			(void)printf("\n%s%s%s\n", cli_ink(c, CLI_INK_HEAD),
				group_titles[group], cli_ink_off(c, CLI_INK_HEAD));
		titled = true;
		(void)printf("  %-14s  %s\n", row->name, row->help);
	}
}

static void
print_all(const struct cli *c)
{
	(void)printf(
		"%sassent%s decides which tool calls of coding agents run, are "
		"refused, or wait for you.\n\nassent COMMAND ...\n",
		cli_ink(c, CLI_INK_BOLD), cli_ink_off(c, CLI_INK_BOLD));
	for (size_t g = 0; g < CLI_GROUP_COUNT; g++)
		print_group(c, (enum cli_group)g);
	(void)printf("\nassent COMMAND --help says how one is used.\n");
}

static void
print_options(const struct cli_option *rows)
{
	for (; rows->name; rows++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "--%s %s", rows->name,
			rows->value ? rows->value : "");
		(void)printf("  %-18s  %s\n", left, rows->help);
	}
}

static void
print_one(const struct cli *c, const struct cli_command *row)
{
	(void)printf("%sassent %s%s %s\n  %s\n", cli_ink(c, CLI_INK_BOLD),
		row->name, cli_ink_off(c, CLI_INK_BOLD), row->usage, row->help);
	if (row->details)
		(void)printf("\n%s\n", row->details);
	(void)printf("\n%sOptions%s\n", cli_ink(c, CLI_INK_HEAD),
		cli_ink_off(c, CLI_INK_HEAD));
	print_options(row->options);
	print_options(cli_common_options);
}

void
cli_help_print(const struct cli *c, const struct cli_command *row)
{
	if (row)
		print_one(c, row);
	else
		print_all(c);
}

static int
run(struct cli *c)
{
	if (c->arg_count == 0) {
		cli_help_print(c, NULL);
		return CLI_OK;
	}
	struct str want = str_from(c->args[0]);
	size_t found = 0;

	if (c->arg_count == 2)
		want = arena_fmt(c->arena, "%s %s", c->args[0], c->args[1]);
	for (size_t i = 0; cli_commands[i]; i++) {
		struct str name = str_from(cli_commands[i]->name);

		if (str_eq(name, want)
			|| (str_starts(name, want) && name.ptr[want.len] == ' ')) {
			if (found++ > 0)
				(void)putchar('\n');
			cli_help_print(c, cli_commands[i]);
		}
	}
	if (found == 0) {
		want = cli_show(c->arena, want);
		return cli_usage(c, "there is no command \"%.*s\"", STR_ARG(want));
	}
	return CLI_OK;
}

const struct cli_command cli_help = {
	.name = "help",
	.usage = "[COMMAND]",
	.help = "say how a command is used",
	.group = CLI_GROUP_RUN,
	.args_max = 2,
	.run = run,
};
