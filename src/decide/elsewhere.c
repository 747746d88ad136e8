#include <string.h>

#include "decide/steps.h"

/*
 * Calls that the agent's own card shows: ours only lets people see them. What
 * came of it is told afterwards, and closes the card.
 */

static const struct row {
	const char *name;
	enum call_verdict verdict;
	enum store_card_state card;
	const char *history; /* NULL: it was not run, and nobody refused it */
	const char *words;
} outcomes[] = {
	{"ran",      CALL_VERDICT_ALLOW, STORE_CARD_SENT,      "allowed",
     "let through by the agent's own card, or by its lists"},
	{"rejected", CALL_VERDICT_DENY,  STORE_CARD_REJECTED,  "rejected",
     "rejected at the agent's own card"                    },
	{"failed",   CALL_VERDICT_DENY,  STORE_CARD_WITHDRAWN, "failed",
     "the agent could not run it"                          },
	{"aborted",  CALL_VERDICT_DENY,  STORE_CARD_WITHDRAWN, NULL,
     "taken back before it was answered"                   },
};

static const struct row *
find_row(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(outcomes); i++) {
		if (str_eq(name, str_from(outcomes[i].name)))
			return &outcomes[i];
	}
	return NULL;
}

static struct decide_hearing *
find_shown(const struct decide *d, const struct decide_outcome *o)
{
	const struct decide_map *m = &d->maps[DECIDE_BY_NUMBER];

	for (size_t i = 0; i < m->size; i++) {
		struct decide_hearing *h = m->buckets[i];

		for (; h; h = h->next[DECIDE_BY_NUMBER]) {
			if (h->state == DECIDE_STATE_SHOWN
				&& str_eq(h->session->row->id, o->session)
				&& str_eq(h->texts->call_id, o->call_id))
				return h;
		}
	}
	return NULL;
}

enum decide_state
decide_do_tell_outcome(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	const struct row *row = find_row(h->pending->source);

	CHECK(row);
	if (row->history)
		decide_turns_add(d, h->session,
			&(struct decide_said){
				.turn = h->texts->turn,
				.subject = h->texts->subject,
				.outcome = row->history,
			},
			now_ms);
	h->pending->source = (struct str){0};
	decide_rows_audit(d, h, STORE_KIND_OUTCOME, h->pending, now_ms);
	decide_step_end_card(d, h, row->card, now_ms);
	return DECIDE_STATE_ENDED;
}

/* It was never before us, or its card is gone: a row is all there is of it. */
static void
note(struct decide *d, const struct decide_outcome *o,
	enum call_verdict verdict, struct str words, int64_t now_ms)
{
	struct store_audit row = {
		.kind = STORE_KIND_OUTCOME,
		.session = o->session,
		.agent = str_from(o->agent),
		.tool = CALL_TOOL_OTHER,
		.tool_name = str_sub(o->tool_name, 0, DECIDE_TEXT_BYTES),
		.verdict = verdict,
		.reason = words,
	};

	decide_record(d, &row, 0, now_ms);
}

void
decide_outcome(struct decide *d, const struct decide_outcome *o, int64_t now_ms)
{
	const struct row *row = find_row(o->outcome);
	struct decide_hearing *h = row ? find_shown(d, o) : NULL;

	if (h) {
		decide_hearing_set_pending(h,
			&(struct decide_pending){
				.verdict = row->verdict,
				.by = h->by,
				.risk = h->risk,
				.reason = str_from(row->words),
				.source = str_from(row->name),
				.at_ms = now_ms,
			});
		(void)decide_step(d, h, DECIDE_EVENT_OUTCOME, now_ms);
	} else if (row) {
		note(d, o, row->verdict, str_from(row->words), now_ms);
	} else if (str_eq(o->outcome, STR("not_reviewed"))) {
		note(d, o, CALL_VERDICT_NONE, STR("not reviewed"), now_ms);
	} else if (str_eq(o->outcome, STR("rejected_unreviewed"))) {
		note(d, o, CALL_VERDICT_DENY,
			STR("not reviewed, and rejected for that"), now_ms);
	}
}
