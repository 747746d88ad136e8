#ifndef DECIDE_STEPS_H
#define DECIDE_STEPS_H

/*
 * What the rows of the machine's table do. Each step gets the hearing and the
 * time, and returns the state that follows.
 */

#include "decide/decide_priv.h"

#define DECIDE_STEPS(X)       \
	X(want_world)             \
	X(ask_judge)              \
	X(withdraw_judged)        \
	X(lose_judged)            \
	X(commit)                 \
	X(open_card)              \
	X(withdraw)               \
	X(lose)                   \
	X(card_recorded)          \
	X(card_not_recorded)      \
	X(stay)                   \
	X(deadline_while_opening) \
	X(reread_first)           \
	X(on_deadline)            \
	X(reread)                 \
	X(replace)                \
	X(unfit)                  \
	X(same)                   \
	X(together)               \
	X(deadline_while_ready)   \
	X(settle_or_ready)        \
	X(recorded)               \
	X(not_recorded)           \
	X(withdraw_late)          \
	X(recorded_too_late)      \
	X(delivered)              \
	X(undelivered)            \
	X(settle)                 \
	X(wait_again)             \
	X(expire)                 \
	X(settled)                \
	X(not_settled)            \
	X(detach)                 \
	X(spend)                  \
	X(forget)                 \
	X(fetched)                \
	X(never_fetched)          \
	X(tell_outcome)

#define X(name)                         \
	enum decide_state decide_do_##name( \
		struct decide *d, struct decide_hearing *h, int64_t now_ms);
DECIDE_STEPS(X)
#undef X

/* --- what steps have in common -------------------------------------------- */

/* What a reply's fate means, for the person; "" where nothing need be said. */
const char *decide_step_sentence(enum decide_replied r);
/* Answers the person whose reply is pending, if one waits. */
void decide_step_tell_person(struct decide *d, struct decide_hearing *h,
	enum decide_replied what, enum store_card_state state, int64_t now_ms);
/* The card is among the open ones, or not any more. */
void decide_step_count_card(
	struct decide *d, struct decide_hearing *h, bool open);
/* The handle is answered by whoever takes it; h has none then. */
uint64_t decide_step_take_handle(struct decide *d, struct decide_hearing *h);
/* What is pending leaves. */
enum decide_state decide_step_send(
	struct decide *d, struct decide_hearing *h, bool unrecorded);
/* The note of what is pending waits for the call's result. */
void decide_step_queue_note(struct decide *d, struct decide_hearing *h);
/* The reply's row, for the user's rules. */
void decide_step_write_reply(
	struct decide *d, const struct decide_hearing *h, int64_t now_ms);
/* The card is over. */
void decide_step_end_card(struct decide *d, struct decide_hearing *h,
	enum store_card_state state, int64_t now_ms);
/* For a row that only says what happened. */
struct decide_pending decide_step_words(struct str reason);

#endif
