#ifndef CLI_CARDS_H
#define CLI_CARDS_H

/*
 * Cards as people's commands need them: listed, and found by what a person
 * typed.
 */

#include "card/card.h"
#include "cli/request.h"

/* GET /v1/cards: all that are open. */
extern const struct cli_request cli_cards_all;

/*
 * Finds the card that word names: an id ("12-a1b2c3d4") or its number. It may
 * have ended. ret borrows from told. CLI_OK, or the exit code when what was wrong
 * has been said.
 */
MUST_USE int cli_card_find(const struct cli *c, const char *word,
	struct cli_told *told, struct card *ret);
/* The open card of that number or id in the answer to cli_cards_all, or NULL. */
const json_t *cli_card_open(const json_t *told, struct str word);
/* How a card that is no longer open has ended, in words: "approved by ..., at
 * ..."; absent when it is open. */
struct str cli_card_end(struct arena *a, const json_t *card);

/* --- answering (answer.c, several.c, always.c) ----------------------------- */

/* Answers the cards as the options say, after showing them; the exit code. */
int cli_card_answer(struct cli *c, enum call_reply reply);
/* ...several with one reply: the words, or the later ones of the round. */
int cli_cards_answer(struct cli *c, enum call_reply reply);

/* The whole call, so that nobody answers what was not seen. */
MUST_USE int cli_card_show(const struct cli *c, const struct card *card);
/* CLI_OK when the person agrees, or --yes was given. */
MUST_USE int cli_answer_confirm(const struct cli *c, const char *question);
/* The members of the body that the options give, without braces:
 * "reply":...,"feedback":... */
MUST_USE int cli_answer_print(
	const struct cli *c, enum call_reply reply, struct buf *b);
/* What always is to cover: asks, where a person can be asked. *ret_as is NULL for
 * exactly this call. */
MUST_USE int cli_always_choose(
	const struct cli *c, const struct card *card, const char **ret_as);

/* assent cards --follow: tells what happens until it is broken off. */
int cli_cards_follow(struct cli *c);
/* How wide a line may be; 0: not cut. */
size_t cli_card_columns(void);

/* Options of approve and reject. */
/* clang-format off */
#define CLI_ANSWER_OPTIONS                                                   \
	{"note", "TEXT", "words for the agent"},                                 \
	{"yes", NULL, "answer without asking again"},                            \
	{"round", NULL, "this card and all later ones of its round"}
/* clang-format on */

#endif
