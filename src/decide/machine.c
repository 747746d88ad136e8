#include "decide/steps.h"

/*
 * The machine. A row says what happens when a hearing in a state meets an
 * event; what has no row does not happen. Nothing else moves a hearing.
 *
 * What holds, and the race test asserts:
 *	- an answer leaves only from a state in which its row is committed; only a
 *	  denial may leave without one, when the store fails
 *	- after GONE nothing leaves: the handle is forgotten before anything else
 *	- one reply counts: the rows APPROVE and REJECT stand only where there is
 *	  none yet
 */

/* --- the table ------------------------------------------------------------ */

typedef enum decide_state (*step_fn)(
	struct decide *d, struct decide_hearing *h, int64_t now_ms);

#define ON(state, event, step)                                       \
	{                                                                \
		DECIDE_STATE_##state, DECIDE_EVENT_##event, decide_do_##step \
	}

/* clang-format off */
static const struct row {
	enum decide_state state;
	enum decide_event event;
	step_fn step;
} rows[] = {
	ON(NONE,        WANTING,     want_world),
	ON(NONE,        DECIDED,     commit),
	ON(NONE,        ASKED,       open_card),
	ON(NONE,        UNSURE,      ask_judge),

	ON(LOOKING,     WANTING,     want_world),
	ON(LOOKING,     DECIDED,     commit),
	ON(LOOKING,     ASKED,       open_card),
	ON(LOOKING,     UNSURE,      ask_judge),
	ON(LOOKING,     GONE,        withdraw),
	ON(LOOKING,     LOST,        lose),
	ON(LOOKING,     CLOSED,      withdraw),

	ON(JUDGING,     DECIDED,     commit),
	ON(JUDGING,     ASKED,       open_card),
	ON(JUDGING,     BACK,        stay),
	ON(JUDGING,     GONE,        withdraw_judged),
	ON(JUDGING,     LOST,        lose_judged),
	ON(JUDGING,     CLOSED,      withdraw_judged),

	ON(OPENING,     RECORDED,    card_recorded),
	ON(OPENING,     FAILED,      card_not_recorded),
	ON(OPENING,     BACK,        stay),
	ON(OPENING,     GONE,        withdraw),
	ON(OPENING,     CLOSED,      withdraw),
	ON(OPENING,     DEADLINE,    deadline_while_opening),

	ON(PENDING,     APPROVE,     reread_first),
	ON(PENDING,     REJECT,      commit),
	ON(PENDING,     BACK,        stay),
	ON(PENDING,     GONE,        withdraw),
	ON(PENDING,     LOST,        lose),
	ON(PENDING,     CLOSED,      withdraw),
	ON(PENDING,     DEADLINE,    on_deadline),

	ON(REREADING,   WANTING,     reread),
	ON(REREADING,   SAME,        same),
	ON(REREADING,   CHANGED,     replace),
	ON(REREADING,   UNFIT,       unfit),
	ON(REREADING,   GONE,        withdraw),
	ON(REREADING,   LOST,        lose),
	ON(REREADING,   CLOSED,      withdraw),

	ON(READY,       TOGETHER,    together),
	ON(READY,       GONE,        withdraw),
	ON(READY,       CLOSED,      withdraw),
	ON(READY,       DEADLINE,    deadline_while_ready),
	ON(READY,       EXPIRED,     expire),

	ON(COMMITTING,  RECORDED,    recorded),
	ON(COMMITTING,  FAILED,      not_recorded),
	ON(COMMITTING,  BACK,        stay),
	ON(COMMITTING,  GONE,        withdraw_late),
	ON(COMMITTING,  CLOSED,      withdraw_late),

	ON(WITHDRAWING, RECORDED,    recorded_too_late),
	ON(WITHDRAWING, FAILED,      withdraw),

	ON(SENDING,     DELIVERED,   delivered),
	ON(SENDING,     UNDELIVERED, undelivered),
	ON(SENDING,     GONE,        undelivered),

	ON(SHOWN,       OUTCOME,     tell_outcome),
	ON(SHOWN,       EXPIRED,     expire),
	ON(SHOWN,       CLOSED,      withdraw),

	ON(OPEN,        APPROVE,     settle_or_ready),
	ON(OPEN,        REJECT,      settle),
	ON(OPEN,        BACK,        wait_again),
	ON(OPEN,        EXPIRED,     expire),
	ON(OPEN,        CLOSED,      withdraw),

	ON(SETTLING,    RECORDED,    settled),
	ON(SETTLING,    FAILED,      not_settled),
	ON(SETTLING,    BACK,        stay),
	ON(SETTLING,    GONE,        detach),

	ON(APPROVED,    BACK,        spend),
	ON(APPROVED,    EXPIRED,     expire),
	ON(APPROVED,    CLOSED,      expire),

	ON(REJECTED,    BACK,        spend),
	ON(REJECTED,    EXPIRED,     forget),
	ON(REJECTED,    CLOSED,      forget),

	ON(ANSWERED,    BACK,        fetched),
	ON(ANSWERED,    LOST,        never_fetched),
	ON(ANSWERED,    CLOSED,      never_fetched),
};
/* clang-format on */

static const struct row *
find_row(enum decide_state state, enum decide_event event)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].state == state && rows[i].event == event)
			return &rows[i];
	}
	return NULL;
}

bool
decide_accepts(enum decide_state state, enum decide_event event)
{
	return find_row(state, event) != NULL;
}

/* When time alone moves a hearing of this state. */
static int64_t
due_of(const struct decide_hearing *h)
{
	switch (h->state) {
	case DECIDE_STATE_LOOKING:
	case DECIDE_STATE_REREADING:
	case DECIDE_STATE_ANSWERED:
		return h->lost_ms;
	case DECIDE_STATE_JUDGING:
		return h->judging->until_ms;
	case DECIDE_STATE_OPENING:
		return h->deadline_ms;
	case DECIDE_STATE_PENDING:
		return h->handle == 0 ? h->lost_ms : h->deadline_ms;
	case DECIDE_STATE_READY:
		return h->handle == 0 ? h->expires_ms : h->deadline_ms;
	case DECIDE_STATE_SHOWN:
	case DECIDE_STATE_OPEN:
	case DECIDE_STATE_APPROVED:
	case DECIDE_STATE_REJECTED:
		return h->expires_ms;
	case DECIDE_STATE_NONE:
	case DECIDE_STATE_COMMITTING:
	case DECIDE_STATE_WITHDRAWING:
	case DECIDE_STATE_SENDING:
	case DECIDE_STATE_SETTLING:
	case DECIDE_STATE_SENT:
	case DECIDE_STATE_WITHDRAWN:
	case DECIDE_STATE_ENDED:
	case DECIDE_STATE_COUNT:
		break;
	}
	return INT64_MAX;
}

static bool
is_final(enum decide_state s)
{
	return s == DECIDE_STATE_SENT || s == DECIDE_STATE_WITHDRAWN
		|| s == DECIDE_STATE_ENDED;
}

enum decide_state
decide_step(struct decide *d, struct decide_hearing *h, enum decide_event event,
	int64_t now_ms)
{
	const struct row *row = find_row(h->state, event);

	if (!row)
		return h->state;
	struct decide_group *group = h->group;
	enum decide_state next = row->step(d, h, now_ms);

	h->state = next;
	if (is_final(next)) {
		decide_step_count_card(d, h, false);
		decide_hearing_free(d, h);
	} else {
		decide_heap_set(d, h, due_of(h));
	}
	if (group)
		decide_together_moved(d, group, now_ms);
	return next;
}

void
decide_machine_load(
	struct decide *d, struct decide_hearing *h, enum decide_state state)
{
	CHECK(h->state == DECIDE_STATE_NONE);
	h->state = state;
	if (state == DECIDE_STATE_PENDING)
		decide_step_count_card(d, h, true);
	decide_heap_set(d, h, due_of(h));
}

bool
decide_state_is_waiting(enum decide_state state)
{
	return state == DECIDE_STATE_LOOKING || state == DECIDE_STATE_JUDGING
		|| state == DECIDE_STATE_OPENING || state == DECIDE_STATE_PENDING
		|| state == DECIDE_STATE_REREADING || state == DECIDE_STATE_READY;
}

/* What time does to it, when it is due. */
static enum decide_event
event_of(const struct decide_hearing *h)
{
	if (h->state == DECIDE_STATE_OPEN || h->state == DECIDE_STATE_APPROVED
		|| h->state == DECIDE_STATE_REJECTED || h->state == DECIDE_STATE_SHOWN)
		return DECIDE_EVENT_EXPIRED;
	if (h->state == DECIDE_STATE_OPENING)
		return DECIDE_EVENT_DEADLINE;
	if (h->state == DECIDE_STATE_READY)
		return h->handle == 0 ? DECIDE_EVENT_EXPIRED : DECIDE_EVENT_DEADLINE;
	return h->handle == 0 ? DECIDE_EVENT_LOST : DECIDE_EVENT_DEADLINE;
}

int64_t
decide_tick(struct decide *d, int64_t now_ms)
{
	while (d->heap_count > 0 && d->heap[0]->due_ms <= now_ms) {
		struct decide_hearing *h = d->heap[0];

		/* whatever comes of it, it is not due twice */
		decide_heap_set(d, h, INT64_MAX);
		if (h->state == DECIDE_STATE_JUDGING && h->handle != 0)
			decide_judging_end(d, h, now_ms);
		else
			(void)decide_step(d, h, event_of(h), now_ms);
	}
	return d->heap_count > 0 ? d->heap[0]->due_ms : INT64_MAX;
}
