/*
 * assent cards: the calls that wait for a person.
 */

#include "cli/cards.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "io/clock.h"
#include "wire/json.h"

enum {
	LINE_BYTES = 1 << 16,
	CARD_BYTES = 128 << 20,
	WATCH_S = 1,
	COLUMNS = 100, /* where the terminal does not say */
};

const struct cli_request cli_cards_all = {
	.method = "GET",
	.path = "/v1/cards",
	.starts = true,
};

/* --- one card -------------------------------------------------------------- */

/* What ended it, as a person would say it. */
static struct str
ending(struct arena *a, const json_t *card, struct str state)
{
	struct str reply = wire_json_str(card, "reply");

	if (str_eq(reply, STR("reject")))
		return STR("rejected");
	if (reply.len > 0)
		return arena_fmt(a, "approved (%.*s)", STR_ARG(cli_show(a, reply)));
	return state;
}

struct str
cli_card_end(struct arena *a, const json_t *card)
{
	struct str state = cli_member(a, card, "state");
	struct str who = cli_member(a, card, "who");
	struct str note = cli_member(a, card, "feedback");
	int64_t newer = wire_json_int(card, "replaced_by", 0);

	if (state.len == 0 || str_eq(state, STR("open")))
		return (struct str){0};
	struct str text = arena_fmt(a, "%.*s%s%.*s, %.*s",
		STR_ARG(ending(a, card, state)), who.len > 0 ? " by " : "",
		STR_ARG(who), STR_ARG(cli_time(a, wire_json_int(card, "ended", 0))));

	if (note.len > 0)
		text = arena_fmt(
			a, "%.*s, with the note \"%.*s\"", STR_ARG(text), STR_ARG(note));
	return newer == 0 ? text
					  : arena_fmt(a, "%.*s; card %lld stands in its place",
						  STR_ARG(text), (long long)newer);
}

/* Reads a card of the daemon's; of one that has ended less is there. */
static int
read_card(const struct cli *c, const json_t *j, struct card *ret)
{
	if (!card_from(j, ret) && (!ret->id.ptr || !cli_card_end(c->arena, j).ptr))
		return cli_fail(c, "the daemon's answer is no card");
	return CLI_OK;
}

static int
print_card(const struct cli *c, const json_t *j)
{
	struct card card;
	struct buf b;
	struct str end = cli_card_end(c->arena, j);

	int code = read_card(c, j, &card);

	if (code != CLI_OK)
		return code;
	buf_init(&b, CARD_BYTES);
	card_print(&b, &card, c->colour, io_clock_wall_ms());
	(void)fwrite(b.ptr ? b.ptr : "", 1, b.len, stdout);
	bool full = b.full;

	buf_done(&b);
	if (full)
		return cli_fail(c, "the card is too large to show");
	if (end.ptr)
		(void)printf("  %.*s\n", STR_ARG(end));
	return CLI_OK;
}

const json_t *
cli_card_open(const json_t *told, struct str word)
{
	json_t *card;
	int64_t number = 0;
	bool is_number = str_number(word, &number);
	size_t i;

	json_array_foreach (wire_json_array(told, "cards"), i, card) {
		if (is_number ? wire_json_int(card, "number", 0) == number
					  : str_eq(wire_json_str(card, "id"), word))
			return card;
	}
	return NULL;
}

int
cli_card_find(const struct cli *c, const char *word, struct cli_told *told,
	struct card *ret)
{
	struct cli_request one = {.method = "GET"};
	int code = cli_ask_well(c, &cli_cards_all, told);

	if (code != CLI_OK)
		return code;
	const json_t *open = cli_card_open(told->json, str_from(word));

	if (open)
		return read_card(c, open, ret);
	/* one that has ended is there all the same, and says how */
	one.path = arena_fmt(c->arena, "/v1/cards/%.*s",
		STR_ARG(cli_query_part(c->arena, str_from(word))))
				   .ptr;
	cli_told_done(told);
	code = cli_ask_well(c, &one, told);
	if (code != CLI_OK)
		return code;
	return read_card(c, told->json, ret);
}

static int
run_one(struct cli *c)
{
	CLI_TOLD told = {0};
	struct card card;
	int code = cli_card_find(c, c->args[0], &told, &card);

	if (code != CLI_OK)
		return code;
	const json_t *j = cli_card_open(told.json, card.id);

	j = j ? j : told.json;
	if (!c->json)
		return print_card(c, j);
	struct str text = wire_json_print(c->arena, j);

	(void)printf("%.*s\n", STR_ARG(text));
	return CLI_OK;
}

/* --- all of them ----------------------------------------------------------- */

size_t
cli_card_columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
		return size.ws_col;
	return isatty(STDOUT_FILENO) ? COLUMNS : 0;
}

static int
print_all(const struct cli *c, const json_t *told)
{
	json_t *j;
	size_t i, count = json_array_size(wire_json_array(told, "cards"));

	if (count == 0)
		(void)printf("no call waits for you\n");
	json_array_foreach (wire_json_array(told, "cards"), i, j) {
		struct card card;
		struct buf b;

		if (!card_from(j, &card))
			return cli_fail(c, "the daemon's answer is no card");
		buf_init(&b, LINE_BYTES);
		card_print_line(&b, &card, cli_card_columns(), io_clock_wall_ms());
		(void)printf("%.*s\n", STR_ARG(buf_str(&b)));
		buf_done(&b);
	}
	if (count > 0 && isatty(STDOUT_FILENO))
		(void)printf(
			"\n%sassent cards ID shows one whole; assent approve ID, "
			"assent reject ID; --round answers all that it asked at the "
			"same time%s\n",
			cli_ink(c, CLI_INK_FAINT), cli_ink_off(c, CLI_INK_FAINT));
	return CLI_OK;
}

/* Shows the list again whenever it has changed, until it is broken off. */
static int
watch(struct cli *c)
{
	const struct timespec pause = {.tv_sec = WATCH_S};
	int64_t shown = -1;

	for (;;) {
		CLI_TOLD told = {0};
		int code = cli_ask_well(c, &cli_cards_all, &told);

		if (code != CLI_OK)
			return code;
		int64_t revision = wire_json_int(told.json, "revision", 0);

		if (revision != shown) {
			if (isatty(STDOUT_FILENO))
				(void)printf("\033[H\033[2J");
			code = c->json ? cli_told_print(&told) : print_all(c, told.json);
			(void)fflush(stdout);
		}
		if (code != CLI_OK || ferror(stdout))
			return code;
		shown = revision;
		(void)nanosleep(&pause, NULL);
	}
}

static int
run(struct cli *c)
{
	CLI_TOLD told = {0};

	if (c->arg_count > 0)
		return run_one(c);
	if (cli_has(c, "watch"))
		return watch(c);
	if (cli_has(c, "follow"))
		return cli_cards_follow(c);
	int code = cli_ask_well(c, &cli_cards_all, &told);

	if (code != CLI_OK)
		return code;
	return c->json ? cli_told_print(&told) : print_all(c, told.json);
}

const struct cli_command cli_cards = {
	.name = "cards",
	.usage = "[ID]",
	.help = "the calls that wait for you",
	.details = "Without ID, one line for each, oldest first. With ID (or only "
			   "its number), the whole of one, also of one that has ended.",
	.group = CLI_GROUP_PEOPLE,
	.args_max = 1,
	.options =
		{
				  {"watch", NULL, "show the list again whenever it changes"},
				  {"follow", NULL, "a line for each thing that happens to cards"},
				  },
	.run = run,
};
