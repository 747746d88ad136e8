#include "decide/decide_priv.h"

/*
 * The mode of a round and of a turn. What makes an agent freer counts from its
 * next round on: what it wants now, it wanted under the mode that was there. A
 * turn that was broken off and goes on (the daemon was started anew) stays under
 * the stricter of the modes of then and now. What makes it less free counts at
 * once.
 */

static bool
is_of_this_round(const struct decide_session *s, const struct decide_hearing *h)
{
	return h ? h->round == s->round : s->attached > 0 && !s->round_is_over;
}

void
decide_mode_hold(struct decide *d, struct decide_session *s,
	const struct decide_hearing *earlier, enum call_mode *io)
{
	struct store_session row = *s->row;

	if (s->turn_mode != CALL_MODE_UNSET && s->turn_mode < *io)
		*io = s->turn_mode;
	if (is_of_this_round(s, earlier) && s->round_mode != CALL_MODE_UNSET
		&& s->round_mode < *io)
		*io = s->round_mode;
	if (!earlier || earlier->round == s->round)
		s->round_mode = *io;
	row.mode = str_from(call_mode_name(*io));
	/* only of an agent that says when a turn is over */
	if (s->row->turn.len > 0 && !str_eq(s->row->mode, row.mode))
		decide_session_change(d, s, &row);
}

bool
decide_card_hides_always(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h && h->hides_always;
}

void
decide_mode_recover(const struct decide *d, struct decide_session *s)
{
	if (d->mode_was_set || s->row->turn.len == 0
		|| !call_mode_from(s->row->mode, &s->turn_mode))
		s->turn_mode = CALL_MODE_UNSET;
}

void
decide_mode_was_set(struct decide *d)
{
	d->mode_was_set = true;
	for (struct decide_session *s = d->sessions; s; s = s->next)
		s->turn_mode = CALL_MODE_UNSET;
}
