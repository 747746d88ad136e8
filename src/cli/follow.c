/*
 * assent cards --follow: what happens to cards, a line each, as the daemon tells
 * it (docs/PROTOCOL.md, GET /v1/events). When the connection is lost it goes on
 * behind the last event it saw; when that is not possible the open cards are
 * shown again.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/cards.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	EVENT_BYTES = 1 << 20, /* of one event, as text */
	SCRATCH_BYTES = 64 << 20,
	ID_BYTES = 64,
	SILENCE_MS = 40000, /* more than two beats of the daemon's heart */
	PAUSE_MS = 500,
	TRIES = 20, /* in a row, without a word from a daemon */
};

struct follow {
	struct cli *c;
	struct buf text; /* of the event that is coming in */
	char id[ID_BYTES];
	bool heard;  /* since the last connection */
	bool failed; /* and said so */
};

/* --- an event -------------------------------------------------------------- */

struct told {
	struct str id, name, data;
};

/* Lines of one event: "name: value". */
static struct told
read_event(struct str text)
{
	struct told t = {0};
	struct str line, value;

	while (str_line(&text, &line)) {
		struct str name = str_cut(line, ':', &value);

		if (str_starts(value, STR(" ")))
			value = str_sub(value, 1, value.len);
		if (str_eq(name, STR("id")))
			t.id = value;
		else if (str_eq(name, STR("event")))
			t.name = value;
		else if (str_eq(name, STR("data")))
			t.data = value;
	}
	return t;
}

static void
put_card_line(const struct cli *c, const json_t *card)
{
	struct card shown;
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, EVENT_BYTES);
	if (card_from(card, &shown)) {
		card_print_line(&b, &shown, cli_card_columns(), io_clock_wall_ms());
		(void)printf("%.*s\n", STR_ARG(buf_str(&b)));
		return;
	}
	/* one that has ended by now, or is too long to be told whole */
	(void)printf("%.*s  %.*s\n", STR_ARG(cli_member(c->arena, card, "id")),
		STR_ARG(cli_member(c->arena, card, "title")));
}

static void
put_end(const struct cli *c, const json_t *card)
{
	struct str end = cli_card_end(c->arena, card);

	if (end.ptr)
		(void)printf("%.*s  %.*s\n", STR_ARG(cli_member(c->arena, card, "id")),
			STR_ARG(end));
	else
		(void)printf("%.*s  %s\n", STR_ARG(cli_member(c->arena, card, "id")),
			wire_json_bool(card, "held") ? "an agent waits there again"
										 : "no agent waits there now");
}

static void
put_setting(const struct cli *c, const json_t *data)
{
	struct str value = cli_member(c->arena, data, "value");

	(void)printf("%.*s (%.*s) is %.*s now\n",
		STR_ARG(cli_member(c->arena, data, "name")),
		STR_ARG(cli_member(c->arena, data, "scope")),
		STR_ARG(value.len > 0 ? value : STR("as before it was set")));
}

/* All that is open, after a begin or a gap. */
static bool
put_open(struct cli *c)
{
	CLI_TOLD told = {0};
	json_t *card;
	size_t i;

	if (cli_ask_well(c, &cli_cards_all, &told) != CLI_OK)
		return false;
	json_array_foreach (wire_json_array(told.json, "cards"), i, card) {
		put_card_line(c, card);
	}
	return true;
}

/* False: nothing more can be told. */
static bool
put_event(struct cli *c, const struct told *t, const json_t *data)
{
	const json_t *card = wire_json_object(data, "card");

	if (str_eq(t->name, STR("reset")))
		return put_open(c);
	if (str_eq(t->name, STR("asked")))
		put_card_line(c, card);
	else if (card)
		put_end(c, card);
	else if (str_eq(t->name, STR("settings")))
		put_setting(c, data);
	return true;
}

static bool
tell(struct follow *f, const struct told *t)
{
	struct wire_json_error e;
	WIRE_JSON json_t *data = wire_json_parse(t->data, &e);
	struct cli c = *f->c; /* with memory for this event alone */
	CLEANUP(arena_freep) struct arena *a = arena_new(SCRATCH_BYTES);
	bool ok = true;

	if (!a || !data)
		return true;
	if (c.json) {
		(void)printf("{\"event\":\"%.*s\",\"id\":\"%.*s\",\"data\":%.*s}\n",
			STR_ARG(t->name), STR_ARG(t->id), STR_ARG(t->data));
	} else if (ARENA_TRY(a)) {
		c.arena = a;
		ok = put_event(&c, t, data);
	}
	arena_done(a);
	return ok && fflush(stdout) == 0;
}

/* --- what comes -------------------------------------------------------------- */

/* A blank line ends an event; what has no name is a beat. */
static bool
take_events(struct follow *f)
{
	for (;;) {
		struct str all = buf_str(&f->text);
		size_t end = str_find(all, STR("\n\n"), 0);

		if (end >= all.len)
			return true;
		struct told t = read_event(str_sub(all, 0, end + 1));
		bool ok = t.name.len == 0 || tell(f, &t);

		if (t.id.len > 0 && t.id.len < ID_BYTES)
			(void)snprintf(f->id, sizeof(f->id), "%.*s", STR_ARG(t.id));
		memmove(f->text.ptr, f->text.ptr + end + 2, all.len - end - 2);
		f->text.len -= end + 2;
		f->text.ptr[f->text.len] = '\0';
		if (!ok)
			return false;
	}
}

static bool
on_heard(void *data, struct str bytes)
{
	struct follow *f = data;

	f->heard = true;
	buf_add(&f->text, bytes);
	if (f->text.full) /* no event of ours: begin anew */
		return false;
	f->failed = !take_events(f);
	return !f->failed;
}

static int
listen_once(struct follow *f, struct cli_told *told)
{
	const struct api_listener to = {
		.heard = on_heard, .data = f, .silence_ms = SILENCE_MS};
	struct str path = arena_fmt(
		f->c->arena, "/v1/events%s%s", f->id[0] ? "?after=" : "", f->id);

	buf_clear(&f->text);
	f->heard = false;
	return cli_listen(f->c, path.ptr, &to, told);
}

int
cli_cards_follow(struct cli *c)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	struct follow f = {.c = c};
	int code = CLI_OK;

	buf_init(&f.text, EVENT_BYTES);
	for (int tries = 0; code == CLI_OK && !f.failed; tries++) {
		CLI_TOLD told = {0};
		int r = listen_once(&f, &told);

		if (f.heard)
			tries = 0;
		if ((r == 0 && told.status != 200) || tries == TRIES)
			code = cli_ask_failed(c, r, &told);
		else if (!f.failed)
			(void)nanosleep(&pause, NULL);
	}
	buf_done(&f.text);
	return code != CLI_OK ? code : CLI_FAILURE;
}
