#ifndef DECIDE_RUN_H
#define DECIDE_RUN_H

/*
 * One run of the order over a call, with the settings that hold now, and all
 * that is made of it: what the hearing keeps, or what is still wanted.
 */

#include "decide/decide_priv.h"

struct decide_run {
	struct decide *d;
	struct arena *a;
	const struct decide_post *p;
	int64_t now_ms;
	struct decide_session *session;

	const struct decide_hearing *earlier; /* what this goes on with, or NULL */
	struct decide_offer offer;
	bool rounds_used_up;
	bool evidence_used_up; /* ...and for what a card or the judge wants */
	bool pure_read;
	bool attended; /* a person answered exactly this, or is asked already */
	const struct decide_judged *judged; /* what a model said, or NULL */
	bool has_judge_mode;                /* ai_auto, and there is a judge */
	enum call_mode mode;             /* as resolved; judged: as it was then */
	struct decide_question question; /* UNSURE */

	enum decide_event event; /* DECIDED, ASKED, WANTING or UNSURE */
	struct call_outcome outcome;
	unsigned char call_digest[DECIDE_DIGEST_BYTES]; /* zeros: no call */
	unsigned char digest[DECIDE_DIGEST_BYTES];
	unsigned char meaning[DECIDE_DIGEST_BYTES]; /* what a refusal holds for */
	struct call_need *needs; /* all that this hearing wants to know */
	size_t need_count;
	struct store_card card;        /* what shows the call */
	struct buf title, text;        /* ...and its memory */
	struct buf resources, subject; /* what it is about */
};

void decide_run_begin(struct decide_run *r);
/* Fills event and outcome; never fails: too large is an outcome. */
void decide_run_order(struct decide_run *r);
void decide_run_end(struct decide_run *r);
void decide_run_set_outcome(struct decide_run *r, enum call_verdict verdict,
	enum call_by by, struct str reason);
/* At the deadline the agent's own prompt may answer. */
bool decide_run_prompt_answers(const struct decide_run *r);
/* A card for the identical call that no agent waits at: an approval first. */
struct decide_hearing *decide_run_find_waiting(const struct decide_run *r);

#endif
