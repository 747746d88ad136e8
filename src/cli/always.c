/*
 * assent approve --always: what it is to cover, shown and chosen before it is
 * agreed to.
 */

#include <stdio.h>
#include <unistd.h>

#include "cli/cards.h"

enum { LINE_BYTES = 4096 };

static void
print_choices(const struct cli *c, const struct card *card)
{
	struct str exactly = card->grant.ptr ? card->grant : STR("what is above");

	(void)printf("\nalways, in this project:\n  1  exactly %.*s\n",
		STR_ARG(cli_show(c->arena, exactly)));
	if (card->pattern.ptr)
		(void)printf("  2  %.*s\n", STR_ARG(cli_show(c->arena, card->pattern)));
	(void)printf("number, or a pattern of your own [1]: ");
	(void)fflush(stdout);
}

int
cli_always_choose(
	const struct cli *c, const struct card *card, const char **ret_as)
{
	char line[LINE_BYTES];

	*ret_as = NULL;
	if (cli_has(c, "yes") || !isatty(STDIN_FILENO))
		return CLI_OK;
	print_choices(c, card);
	if (!fgets(line, sizeof(line), stdin)) {
		(void)printf("nothing was answered\n");
		return CLI_FAILURE;
	}
	struct str said = str_trim(str_from(line));

	if (said.len == 0 || str_eq(said, STR("1")))
		return CLI_OK;
	if (str_eq(said, STR("2")) && card->pattern.ptr)
		*ret_as = arena_cstr(c->arena, card->pattern);
	else
		*ret_as = arena_dup(c->arena, said).ptr;
	return CLI_OK;
}
