/*
 * assent approve and assent reject: what both do.
 */

#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cards.h"
#include "cli/person.h"
#include "io/clock.h"
#include "wire/json.h"

enum { CARD_BYTES = 128 << 20, BODY_BYTES = 64 << 10 };

/* The whole call, so that nobody answers what was not seen. */
static int
show_card(const struct cli *c, const struct card *card)
{
	struct buf b;

	buf_init(&b, CARD_BYTES);
	card_print(&b, card, c->colour, io_clock_wall_ms());
	(void)fwrite(b.ptr ? b.ptr : "", 1, b.len, stdout);
	bool full = b.full;

	buf_done(&b);
	return full ? cli_fail(c,
			   "the call is too large to show, so it cannot be "
			   "answered here")
				: CLI_OK;
}

static const char *
question_for(const struct cli *c, enum call_reply reply)
{
	const char *as = cli_get(c, "as");

	switch (reply) {
	case CALL_REPLY_ONCE:
		return "Approve this call, once?";
	case CALL_REPLY_ALWAYS:
		return as ? arena_fmt(c->arena,
				   "Approve this call, and always what is \"%.*s\", in "
				   "this project?",
				   STR_ARG(cli_show(c->arena, str_from(as))))
						.ptr
				  : "Approve this call, and always exactly this, in this "
					"project?";
	case CALL_REPLY_REJECT:
		return "Reject this call?";
	case CALL_REPLY_NONE:
	case CALL_REPLY_COUNT:
		break;
	}
	return "?";
}

/* True when the person has seen the call and agrees. */
static int
confirm(const struct cli *c, enum call_reply reply)
{
	if (cli_has(c, "yes"))
		return CLI_OK;
	if (!isatty(STDIN_FILENO))
		return cli_usage(c,
			"standard input is no terminal, so nobody can be asked; --yes "
			"answers without asking");
	if (cli_person_agrees(c, question_for(c, reply)))
		return CLI_OK;
	(void)printf("nothing was answered\n");
	return CLI_FAILURE;
}

static int
print_body(const struct cli *c, enum call_reply reply, struct buf *b)
{
	const char *note = cli_get(c, "note");

	const char *as = cli_get(c, "as");

	buf_addf(b, "{\"reply\":\"%s\"", call_reply_name(reply));
	if (as) {
		buf_addf(b, ",\"as\":");
		buf_add_json(b, str_from(as));
	}
	if (note && card_note_is_too_long(str_from(note)))
		return cli_usage(
			c, "the note is longer than %d characters", (int)LIMIT_NOTE_CHARS);
	if (note) {
		struct str clean = card_note(c->arena, str_from(note));

		if (clean.ptr) {
			buf_addf(b, ",\"feedback\":");
			buf_add_json(b, clean);
		}
	}
	buf_addf(b, "}\n");
	return b->full ? cli_usage(c, "the note is too long") : CLI_OK;
}

static int
say_done(const struct cli *c, const struct cli_told *told,
	const struct card *card, enum call_reply reply)
{
	bool held = card->held;

	if (c->json)
		return cli_told_print(told);
	if (reply == CALL_REPLY_REJECT)
		(void)printf("%srejected%s\n", cli_ink(c, CLI_INK_DENY),
			cli_ink_off(c, CLI_INK_DENY));
	else
		(void)printf("%sapproved%s%s\n", cli_ink(c, CLI_INK_ALLOW),
			cli_ink_off(c, CLI_INK_ALLOW),
			held ? ""
				 : "; no agent waits for it now, so it counts when the same "
				   "call is made again");
	return CLI_OK;
}

static int
send_answer(struct cli *c, const struct card *card, enum call_reply reply)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct cli_request q = {
		.method = "POST",
		.path = arena_fmt(c->arena, "/v1/cards/%.*s/reply",
			STR_ARG(cli_query_part(c->arena, card->id)))
					.ptr,
	};

	buf_init(&body, BODY_BYTES);
	int code = print_body(c, reply, &body);

	if (code != CLI_OK)
		return code;
	q.body = buf_str(&body);
	code = cli_ask_well(c, &q, &told);
	return code == CLI_OK ? say_done(c, &told, card, reply) : code;
}

int
cli_card_answer(struct cli *c, enum call_reply reply)
{
	CLI_TOLD told = {0};
	struct card card;
	int code = cli_card_find(c, c->args[0], &told, &card);

	if (code != CLI_OK)
		return code;
	struct str end = cli_card_end(c->arena, told.json);

	if (end.ptr)
		return cli_fail(c, "card %.*s is no longer open: %.*s",
			STR_ARG(cli_show(c->arena, card.id)), STR_ARG(end));
	if (reply == CALL_REPLY_ALWAYS && !card.always)
		return cli_fail(c,
			"this call can be approved only once at a time; leave --always "
			"away");
	if (cli_has(c, "as") && reply != CALL_REPLY_ALWAYS)
		return cli_usage(
			c, "--as says what --always covers; say --always, too");
	if (!c->json || !cli_has(c, "yes"))
		code = show_card(c, &card);
	if (code == CLI_OK)
		code = confirm(c, reply);
	return code == CLI_OK ? send_answer(c, &card, reply) : code;
}
