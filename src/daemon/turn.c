#include "daemon/turn.h"

#include "daemon/events.h"
#include "daemon/hearing.h"
#include "daemon/journal.h"
#include "daemon/judge.h"
#include "io/clock.h"

enum {
	ROUNDS_PER_TURN = 8,
	ACTS_BYTES = 1 << 20, /* the arena then begins anew */
};

static void
send_answer(struct daemon *d, const struct decide_act *act)
{
	struct daemon_request *r = daemon_http_find(d->http, act->handle);

	if (r)
		daemon_hearing_send(d, r, act);
	else
		decide_sent(d->decide, act->number, false, io_clock_wall_ms());
}

static void
tell_person(struct daemon *d, const struct decide_act *act)
{
	struct daemon_request *r = daemon_http_find(d->http, act->handle);

	if (r) {
		struct daemon_wait *w = r->data;

		w->told = true;
		w->replied(d, r, act);
	}
	if (act->replied == DECIDE_DONE)
		daemon_writer_head(d->writer, "reply");
}

static void
do_act(struct daemon *d, const struct decide_act *act)
{
	struct daemon_request *r = daemon_http_find(d->http, act->handle);

	switch (act->kind) {
	case DECIDE_ACT_SEND:
		send_answer(d, act);
		break;
	case DECIDE_ACT_NEED:
		if (r)
			daemon_hearing_need(d, r, act);
		break;
	case DECIDE_ACT_REPLIED:
		tell_person(d, act);
		break;
	case DECIDE_ACT_DROP:
		if (r)
			daemon_request_drop(r);
		break;
	case DECIDE_ACT_JOURNAL:
		daemon_journal("%.*s", STR_ARG(act->text));
		break;
	case DECIDE_ACT_CARD:
		daemon_events_card(d, act);
		break;
	case DECIDE_ACT_CHANGED:
		daemon_events_changed(d, act);
		break;
	case DECIDE_ACT_JUDGE:
		daemon_judge_ask(d, act);
		break;
	case DECIDE_ACT_UNJUDGE:
		daemon_judge_withdraw(d, act->number);
		break;
	case DECIDE_ACT_NONE:
		break;
	}
}

/* What decide wants done, and written; true if there was anything. */
static bool
run_acts(struct daemon *d)
{
	struct decide_act act;
	bool any = false;

	while (arena_used(d->acts) < ACTS_BYTES
		&& decide_next(d->decide, d->acts, &act)) {
		do_act(d, &act);
		any = true;
	}
	struct store_batch *b = decide_take_batch(d->decide);

	if (b)
		daemon_writer_put(d->writer, b);
	return any || b != NULL;
}

static bool
do_acts(struct daemon *d)
{
	if (!d->decide)
		return false;
	arena_reset(d->acts);
	CHECK(ARENA_TRY(d->acts)); /* it holds more than any act */
	return run_acts(d);
}

static void
on_tick(uv_timer_t *timer)
{
	(void)timer; /* the turn that follows does it */
}

static void
set_tick(struct daemon *d)
{
	int64_t now = io_clock_wall_ms();
	int64_t due = d->decide ? decide_tick(d->decide, now) : INT64_MAX;

	if (due == INT64_MAX)
		(void)uv_timer_stop(&d->tick);
	else
		(void)uv_timer_start(
			&d->tick, on_tick, due > now ? (uint64_t)(due - now) : 0, 0);
}

void
daemon_turn(struct daemon *d)
{
	/* acts come last: what a request left to do must not wait for the next */
	for (int i = 0; i < ROUNDS_PER_TURN; i++) {
		set_tick(d);
		daemon_http_turn(d->http);
		if (!do_acts(d))
			return;
	}
	daemon_http_turn(d->http);
	(void)uv_timer_start(&d->tick, on_tick, 0, 0);
}
