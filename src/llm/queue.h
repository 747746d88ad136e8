#ifndef LLM_QUEUE_H
#define LLM_QUEUE_H

/*
 * Who is asked when: questions wait, fairly between sessions, for one of a few
 * attempts at once; identical ones share a job; what fails is tried once more,
 * then at the fallback; what was not allowed goes to the second. A provider that
 * keeps failing is left alone, and then tried by one question.
 *
 * Pure: the clock is an argument, attempts are run by whoever reads the acts.
 *
 *	llm_queue_ask, llm_queue_cancel, llm_queue_done    something happened
 *	while (llm_queue_next(q, now, &act)) ...           what is to be done
 *	llm_queue_due(q, now)                              when to look again
 */

#include "llm/llm.h"

struct llm_queue;

enum {
	LLM_TRIES = 2, /* of a question at one provider */
	LLM_RETRY_MS = 250,
	LLM_LIMITED_MS = 1000, /* after a 429 that names no time */
	LLM_BREAKER_FAILS = 5, /* in a row */
	LLM_BREAKER_MS = 15000,
	LLM_BREAKER_MS_MAX = 120000,
	LLM_LEFT_MIN_MS = 200, /* with less, nothing is begun */
};

struct llm_limits {
	int64_t parallel;
	bool has[LLM_ROLE_COUNT];
};

/* How an attempt ended. trouble NONE: says is the model's verdict. */
struct llm_outcome {
	enum llm_trouble trouble;
	enum judge_says says;
	int64_t retry_after_ms; /* as the provider said; 0: it did not */
	bool never;             /* asking again cannot help */
	bool plain;             /* asking again without the extras may (a schema) */
};

enum llm_act_kind {
	LLM_ACT_NONE,
	LLM_ACT_START,  /* begin an attempt */
	LLM_ACT_STOP,   /* give it up; it is not to be reported */
	LLM_ACT_ANSWER, /* a question */
	LLM_ACT_FORGET, /* the job: all that was kept of it */
};

struct llm_act {
	enum llm_act_kind kind;
	uint64_t job;
	uint64_t attempt;         /* START, STOP */
	enum llm_role role;       /* START: who; ANSWER: whose verdict counts */
	bool plain;               /* START: without the extras */
	int64_t left_ms;          /* START: for this attempt */
	uint64_t ask;             /* ANSWER */
	bool shared;              /* ANSWER: not the first that hears it */
	enum llm_trouble trouble; /* ANSWER; NONE: there is a verdict */
	int64_t attempts;         /* ANSWER: how many were begun */
};

struct llm_queue *llm_queue_new(void) MUST_USE;
void llm_queue_free(struct llm_queue *q); /* NULL is fine */
/* Forgets what is known of the providers; questions go on. */
void llm_queue_configure(struct llm_queue *q, const struct llm_limits *limits);

struct llm_queue_ask {
	uint64_t ask;
	uint64_t session; /* a digest */
	const char *key;  /* identical questions have the same; WIRE_SHA256_HEX */
	int64_t deadline_ms;
};
/* The job that it belongs to; *ret_new: it is the first. */
uint64_t llm_queue_ask(struct llm_queue *q, const struct llm_queue_ask *a,
	int64_t now_ms, bool *ret_new);
void llm_queue_cancel(struct llm_queue *q, uint64_t ask);
void llm_queue_done(struct llm_queue *q, uint64_t attempt,
	const struct llm_outcome *o, int64_t now_ms);

MUST_USE bool llm_queue_next(
	struct llm_queue *q, int64_t now_ms, struct llm_act *ret);
/* INT64_MAX: not before something happens. */
int64_t llm_queue_due(const struct llm_queue *q, int64_t now_ms);

#endif
