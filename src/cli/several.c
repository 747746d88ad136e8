/*
 * assent approve and assent reject of several cards: those of one round, shown
 * one after the other, with one reply.
 */

#include <stdio.h>

#include "cli/cards.h"
#include "wire/json.h"

enum { BODY_BYTES = 256 << 10 };

/* The cards that are meant, oldest first. */
struct several {
	struct card *list;
	size_t count;
};

/* In order, once each. */
static void
add(struct several *s, const struct card *card)
{
	size_t at = s->count;

	while (at > 0 && s->list[at - 1].number > card->number)
		at--;
	if (at > 0 && s->list[at - 1].number == card->number)
		return;
	for (size_t i = s->count; i > at; i--)
		s->list[i] = s->list[i - 1];
	s->list[at] = *card;
	s->count++;
}

static int
add_words(const struct cli *c, const json_t *told, struct several *s)
{
	struct card card;

	for (size_t i = 0; i < c->arg_count; i++) {
		const json_t *j = cli_card_open(told, str_from(c->args[i]));

		if (!j)
			return cli_fail(c, "no open card is called %.*s",
				STR_ARG(cli_show(c->arena, str_from(c->args[i]))));
		if (!card_from(j, &card))
			return cli_fail(c, "the daemon's answer is no card");
		add(s, &card);
	}
	return CLI_OK;
}

/* The later ones of the round of those that were named. */
static int
add_round(const struct cli *c, const json_t *told, struct several *s)
{
	struct card first = s->list[0], card;
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(told, "cards"), i, j) {
		if (!card_from(j, &card))
			return cli_fail(c, "the daemon's answer is no card");
		if (card.number > first.number && card.round == first.round
			&& str_eq(card.session, first.session) && !card.person_only)
			add(s, &card);
	}
	return CLI_OK;
}

static int
check_all(const struct cli *c, const struct several *s, enum call_reply reply)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct card *card = &s->list[i];

		if (card->round != s->list[0].round
			|| !str_eq(card->session, s->list[0].session))
			return cli_fail(c,
				"card %lld is of another round than card %lld; only what an "
				"agent wants at the same time is answered together",
				(long long)card->number, (long long)s->list[0].number);
		if (card->person_only)
			return cli_fail(c,
				"card %lld: only a person may allow this, and only by itself",
				(long long)card->number);
		if (reply == CALL_REPLY_ALWAYS && !card->always)
			return cli_fail(c,
				"card %lld can be approved only once at a time; leave "
				"--always away",
				(long long)card->number);
	}
	return CLI_OK;
}

static int
show_all(const struct cli *c, const struct several *s)
{
	for (size_t i = 0; i < s->count; i++) {
		int code = cli_card_show(c, &s->list[i]);

		if (code != CLI_OK)
			return code;
		(void)printf("\n");
	}
	return CLI_OK;
}

static const char *
question_for(
	const struct cli *c, const struct several *s, enum call_reply reply)
{
	static const struct {
		const char *before, *behind;
	} words[CALL_REPLY_COUNT] = {
		[CALL_REPLY_ONCE] = {"Approve these", "calls, once each?"                      },
		[CALL_REPLY_ALWAYS] = {"Approve these",
							 "calls, and always exactly each of them, in this project?"},
		[CALL_REPLY_REJECT] = {"Reject these",  "calls?"                                 },
	};

	return arena_fmt(c->arena, "%s %zu %s", words[reply].before, s->count,
		words[reply].behind)
		.ptr;
}

/* --- the reply ------------------------------------------------------------- */

static int
print_body(const struct cli *c, const struct several *s, enum call_reply reply,
	struct buf *b)
{
	buf_addf(b, "{\"anchor\":");
	buf_add_json(b, s->list[0].id);
	buf_addf(b, ",\"cards\":[");
	for (size_t i = 0; i < s->count; i++) {
		buf_addf(b, "%s", i > 0 ? "," : "");
		buf_add_json(b, s->list[i].id);
	}
	buf_addf(b, "],");
	int code = cli_answer_print(c, reply, b);

	buf_addf(b, "}\n");
	return code == CLI_OK && b->full ? cli_usage(c, "too many cards") : code;
}

static int
say_done(
	const struct cli *c, const struct cli_told *told, enum call_reply reply)
{
	json_t *j;
	size_t i;
	const json_t *skipped = wire_json_array(told->json, "skipped");

	if (c->json)
		return cli_told_print(told);
	json_array_foreach (wire_json_array(told->json, "answered"), i, j)
		(void)printf("%s  %.*s\n",
			reply == CALL_REPLY_REJECT ? "rejected" : "approved",
			STR_ARG(cli_show(c->arena, wire_json_text(j))));
	json_array_foreach (skipped, i, j)
		(void)printf("left out  %.*s: %.*s\n",
			STR_ARG(cli_member(c->arena, j, "id")),
			STR_ARG(cli_member(c->arena, j, "message")));
	return json_array_size(skipped) == 0 ? CLI_OK : CLI_FAILURE;
}

static int
send_answer(const struct cli *c, const struct several *s, enum call_reply reply)
{
	CLI_TOLD told = {0};
	CLEANUP(buf_done) struct buf body = {0};
	struct cli_request q = {.method = "POST", .path = "/v1/cards/reply"};

	buf_init(&body, BODY_BYTES);
	int code = print_body(c, s, reply, &body);

	if (code != CLI_OK)
		return code;
	q.body = buf_str(&body);
	code = cli_ask_well(c, &q, &told);
	return code == CLI_OK ? say_done(c, &told, reply) : code;
}

int
cli_cards_answer(struct cli *c, enum call_reply reply)
{
	CLI_TOLD told = {0};
	struct several s = {0};

	if (cli_has(c, "as"))
		return cli_usage(c, "--as is for one card at a time");
	int code = cli_ask_well(c, &cli_cards_all, &told);

	if (code != CLI_OK)
		return code;
	s.list = ARENA_ARRAY(c->arena,
		json_array_size(wire_json_array(told.json, "cards")) + c->arg_count + 1,
		struct card);
	code = add_words(c, told.json, &s);
	if (code == CLI_OK && cli_has(c, "round"))
		code = add_round(c, told.json, &s);
	if (code == CLI_OK)
		code = check_all(c, &s, reply);
	if (code == CLI_OK && (!c->json || !cli_has(c, "yes")))
		code = show_all(c, &s);
	if (code == CLI_OK)
		code = cli_answer_confirm(c, question_for(c, &s, reply));
	return code == CLI_OK ? send_answer(c, &s, reply) : code;
}
