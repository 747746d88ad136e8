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

enum { CARD_BYTES = 128 << 20, BODY_BYTES = 64 << 10, TRIES = 5 };

int
cli_card_show(const struct cli *c, const struct card *card)
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
question_for(const struct cli *c, enum call_reply reply, const char *as)
{
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

int
cli_answer_confirm(const struct cli *c, const char *question)
{
	if (cli_has(c, "yes"))
		return CLI_OK;
	if (!isatty(STDIN_FILENO))
		return cli_usage(c,
			"standard input is no terminal, so nobody can be asked; --yes "
			"answers without asking");
	if (cli_person_agrees(c, question))
		return CLI_OK;
	(void)printf("nothing was answered\n");
	return CLI_FAILURE;
}

int
cli_answer_print(const struct cli *c, enum call_reply reply, struct buf *b)
{
	const char *note = cli_get(c, "note");

	buf_addf(b, "\"reply\":\"%s\"", call_reply_name(reply));
	if (!note)
		return CLI_OK;
	if (card_note_is_too_long(str_from(note)))
		return cli_usage(
			c, "the note is longer than %d characters", (int)LIMIT_NOTE_CHARS);
	struct str clean = card_note(c->arena, str_from(note));

	if (clean.ptr) {
		buf_addf(b, ",\"feedback\":");
		buf_add_json(b, clean);
	}
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

/* CLI_ASK: the pattern does not fit, which was said. */
static int
send_answer(const struct cli *c, const struct card *card, enum call_reply reply,
	const char *as)
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
	buf_add_char(&body, '{');
	int code = cli_answer_print(c, reply, &body);

	if (code != CLI_OK)
		return code;
	if (as) {
		buf_addf(&body, ",\"as\":");
		buf_add_json(&body, str_from(as));
	}
	buf_addf(&body, "}\n");
	if (body.full)
		return cli_usage(c, "the pattern is too long");
	q.body = buf_str(&body);
	code = cli_ask_well(c, &q, &told);
	if (code == CLI_OK)
		return say_done(c, &told, card, reply);
	return str_eq(wire_json_str(wire_json_object(told.json, "error"), "code"),
			   STR("unfit_pattern"))
		? CLI_ASK
		: code;
}

/* Asks, and sends; of an always, until the pattern is one or it is given up. */
static int
ask_and_send(
	const struct cli *c, const struct card *card, enum call_reply reply)
{
	const char *as = cli_get(c, "as");
	bool chooses = reply == CALL_REPLY_ALWAYS && !as;

	for (int tries = 0; tries < TRIES; tries++) {
		int code = chooses ? cli_always_choose(c, card, &as) : CLI_OK;

		if (code == CLI_OK)
			code = cli_answer_confirm(c, question_for(c, reply, as));
		if (code == CLI_OK)
			code = send_answer(c, card, reply, as);
		if (code != CLI_ASK)
			return code;
		if (!chooses || !as)
			break;
	}
	return CLI_FAILURE;
}

/* What is wrong with the reply for this card, before anybody is asked. */
static int
check_offer(const struct cli *c, const struct card *card, struct str end,
	enum call_reply reply)
{
	if (end.ptr)
		return cli_fail(c, "card %.*s is no longer open: %.*s",
			STR_ARG(cli_show(c->arena, card->id)), STR_ARG(end));
	if (reply == CALL_REPLY_ALWAYS && !card->always)
		return cli_fail(c,
			"this call can be approved only once at a time; leave --always "
			"away");
	if (cli_has(c, "as") && reply != CALL_REPLY_ALWAYS)
		return cli_usage(
			c, "--as says what --always covers; say --always, too");
	return CLI_OK;
}

int
cli_card_answer(struct cli *c, enum call_reply reply)
{
	CLI_TOLD told = {0};
	struct card card;

	if (c->arg_count > 1 || cli_has(c, "round"))
		return cli_cards_answer(c, reply);
	int code = cli_card_find(c, c->args[0], &told, &card);

	if (code == CLI_OK)
		code = check_offer(c, &card, cli_card_end(c->arena, told.json), reply);
	if (code == CLI_OK && (!c->json || !cli_has(c, "yes")))
		code = cli_card_show(c, &card);
	return code == CLI_OK ? ask_and_send(c, &card, reply) : code;
}
