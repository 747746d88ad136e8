#ifndef CLI_CARDS_H
#define CLI_CARDS_H

/*
 * Cards as people's commands need them: listed, and found by what a person
 * typed.
 */

#include "card/card.h"
#include "cli/request.h"

/*
 * Finds the card that word names: an id ("12-a1b2c3d4") or its number. It may
 * have ended. ret borrows from told. CLI_OK, or the exit code when what was wrong
 * has been said.
 */
MUST_USE int cli_card_find(const struct cli *c, const char *word,
	struct cli_told *told, struct card *ret);
/* How a card that is no longer open has ended, in words: "approved by ..., at
 * ..."; absent when it is open. */
struct str cli_card_end(struct arena *a, const json_t *card);
/* Answers the card as the options say, after showing it; the exit code. */
int cli_card_answer(struct cli *c, enum call_reply reply);

/* Options of approve and reject. */
/* clang-format off */
#define CLI_ANSWER_OPTIONS                                                   \
	{"note", "TEXT", "words for the agent"},                                 \
	{"yes", NULL, "answer without asking again"}
/* clang-format on */

#endif
