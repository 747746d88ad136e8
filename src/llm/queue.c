#include "llm/queue.h"

#include <stdlib.h>
#include <string.h>

#include "wire/sha256.h"

struct waiter {
	uint64_t ask;
	int64_t deadline_ms;
	struct waiter *next;
};

enum state {
	WAITING,
	RUNNING,
	ENDED, /* those who wait are being answered */
};

/* Whose questions they are, for fairness; there while it has any. */
struct session {
	uint64_t id;
	size_t jobs, running;
	uint64_t turn; /* when it was served last */
	struct session *next;
};

struct job {
	uint64_t id;
	struct session *session;
	char key[WIRE_SHA256_HEX + 1];
	struct waiter *waiters; /* in the order in which they came */
	struct job *next;

	enum state state;
	enum llm_role role;
	int64_t not_before_ms;
	int tries; /* at this role's provider */
	bool plain, begun, heard;
	uint64_t attempt; /* while RUNNING, or to be stopped; else 0 */
	int64_t attempts;
	enum llm_trouble trouble; /* the last one */
	bool has_verdict;
	enum llm_role by;
};

struct breaker {
	int fails; /* in a row */
	int64_t open_until_ms, length_ms;
	int64_t pause_until_ms; /* the provider asked for it */
	uint64_t probe;         /* the attempt that tries it again */
};

struct llm_queue {
	struct llm_limits limits;
	struct job *jobs, **last;
	struct breaker breakers[LLM_ROLE_COUNT];
	struct session *sessions;
	uint64_t counter; /* of jobs, attempts and turns */
	int64_t running;
};

struct llm_queue *
llm_queue_new(void)
{
	struct llm_queue *q = calloc(1, sizeof(*q));

	CHECK(q);
	q->last = &q->jobs;
	q->limits.parallel = 1;
	return q;
}

static struct session *
join_session(struct llm_queue *q, uint64_t id)
{
	struct session *s = q->sessions;

	while (s && s->id != id)
		s = s->next;
	if (!s) {
		s = calloc(1, sizeof(*s));
		CHECK(s);
		s->id = id;
		s->next = q->sessions;
		q->sessions = s;
	}
	s->jobs++;
	return s;
}

static void
leave_session(struct llm_queue *q, struct session *s)
{
	struct session **at = &q->sessions;

	if (--s->jobs > 0)
		return;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	free(s);
}

static void
free_job(struct llm_queue *q, struct job *j)
{
	while (j->waiters) {
		struct waiter *w = j->waiters;

		j->waiters = w->next;
		free(w);
	}
	leave_session(q, j->session);
	free(j);
}

void
llm_queue_free(struct llm_queue *q)
{
	if (!q)
		return;
	while (q->jobs) {
		struct job *j = q->jobs;

		q->jobs = j->next;
		free_job(q, j);
	}
	free(q);
}

void
llm_queue_configure(struct llm_queue *q, const struct llm_limits *limits)
{
	q->limits = *limits;
	if (q->limits.parallel < 1)
		q->limits.parallel = 1;
	memset(q->breakers, 0, sizeof(q->breakers));
}

/* --- asking ----------------------------------------------------------------------- */

static struct job *
find_same(struct llm_queue *q, const char *key)
{
	for (struct job *j = q->jobs; j; j = j->next) {
		if (j->state != ENDED && strcmp(j->key, key) == 0)
			return j;
	}
	return NULL;
}

static struct job *
add_job(struct llm_queue *q, const struct llm_queue_ask *a)
{
	struct job *j = calloc(1, sizeof(*j));

	CHECK(j);
	j->id = ++q->counter;
	j->session = join_session(q, a->session);
	memcpy(j->key, a->key, WIRE_SHA256_HEX);
	*q->last = j;
	q->last = &j->next;
	return j;
}

uint64_t
llm_queue_ask(struct llm_queue *q, const struct llm_queue_ask *a,
	int64_t now_ms, bool *ret_new)
{
	struct job *j = find_same(q, a->key);
	struct waiter *w = calloc(1, sizeof(*w)), **at;

	CHECK(w);
	(void)now_ms;
	*ret_new = j == NULL;
	if (!j)
		j = add_job(q, a);
	w->ask = a->ask;
	w->deadline_ms = a->deadline_ms;
	for (at = &j->waiters; *at;)
		at = &(*at)->next;
	*at = w;
	return j->id;
}

void
llm_queue_cancel(struct llm_queue *q, uint64_t ask)
{
	for (struct job *j = q->jobs; j; j = j->next) {
		for (struct waiter **at = &j->waiters; *at; at = &(*at)->next) {
			struct waiter *w = *at;

			if (w->ask != ask)
				continue;
			*at = w->next;
			free(w);
			return;
		}
	}
}

static int64_t
deadline_of(const struct job *j)
{
	int64_t last = 0;

	for (const struct waiter *w = j->waiters; w; w = w->next) {
		if (w->deadline_ms > last)
			last = w->deadline_ms;
	}
	return last;
}

/* --- providers --------------------------------------------------------------------- */

/* Does this say something about the provider's health? */
static bool
is_unwell(enum llm_trouble t)
{
	switch (t) {
	case LLM_TROUBLE_CONNECT:
	case LLM_TROUBLE_TLS:
	case LLM_TROUBLE_TIMEOUT:
	case LLM_TROUBLE_LIMITED:
	case LLM_TROUBLE_SERVER:
	case LLM_TROUBLE_COMMAND:
		return true;
	case LLM_TROUBLE_NONE:
	case LLM_TROUBLE_NO_PROVIDER:
	case LLM_TROUBLE_NO_KEY:
	case LLM_TROUBLE_QUEUE:
	case LLM_TROUBLE_REFUSED:
	case LLM_TROUBLE_BREAKER:
	case LLM_TROUBLE_UNREADABLE:
	case LLM_TROUBLE_TRUNCATED:
	case LLM_TROUBLE_DECLINED:
	case LLM_TROUBLE_TOO_LARGE:
	case LLM_TROUBLE_CHILD:
	case LLM_TROUBLE_COUNT:
		return false;
	}
	return false;
}

static void
open_breaker(struct breaker *b, int64_t now_ms)
{
	b->length_ms =
		b->length_ms == 0 ? (int64_t)LLM_BREAKER_MS : 2 * b->length_ms;
	if (b->length_ms > LLM_BREAKER_MS_MAX)
		b->length_ms = LLM_BREAKER_MS_MAX;
	b->open_until_ms = now_ms + b->length_ms;
}

static void
learn(struct breaker *b, uint64_t attempt, const struct llm_outcome *o,
	int64_t now_ms)
{
	bool probed = b->probe == attempt;

	if (probed)
		b->probe = 0;
	if (o->trouble == LLM_TROUBLE_LIMITED && !o->never) {
		int64_t ms = o->retry_after_ms > 0 ? o->retry_after_ms : LLM_LIMITED_MS;

		if (b->pause_until_ms < now_ms + ms)
			b->pause_until_ms = now_ms + ms;
	}
	if (!is_unwell(o->trouble)) {
		b->fails = 0;
		b->open_until_ms = b->length_ms = 0;
		return;
	}
	b->fails++;
	if (probed || (b->fails >= LLM_BREAKER_FAILS && b->open_until_ms == 0))
		open_breaker(b, now_ms);
}

/* When an attempt may begin there: INT64_MAX while somebody else probes. */
static int64_t
opens_at(const struct breaker *b, int64_t now_ms)
{
	int64_t at = b->pause_until_ms;

	if (b->open_until_ms == 0)
		return at;
	if (b->open_until_ms > at)
		at = b->open_until_ms;
	return at <= now_ms && b->probe != 0 ? INT64_MAX : at;
}

/* --- how it goes on ---------------------------------------------------------------- */

static void
stop_running(struct llm_queue *q, struct job *j)
{
	q->running--;
	j->session->running--;
}

static void
end_job(struct job *j)
{
	j->state = ENDED;
	j->attempt = 0;
}

/* Somebody else is asked. */
static void
go_to(struct job *j, enum llm_role role)
{
	j->role = role;
	j->state = WAITING;
	j->tries = 0;
	j->not_before_ms = 0;
	j->plain = false;
}

/* This provider has no verdict for it. */
static void
give_up(struct llm_queue *q, struct job *j, enum llm_trouble why)
{
	j->trouble = why;
	if (j->role == LLM_ROLE_FIRST && q->limits.has[LLM_ROLE_FALLBACK])
		go_to(j, LLM_ROLE_FALLBACK);
	else
		end_job(j); /* without the second's the first verdict stands */
}

static bool
may_help(const struct llm_outcome *o)
{
	if (o->never)
		return false;
	switch (o->trouble) {
	case LLM_TROUBLE_CONNECT:
	case LLM_TROUBLE_LIMITED:
	case LLM_TROUBLE_SERVER:
	case LLM_TROUBLE_UNREADABLE:
	case LLM_TROUBLE_TRUNCATED:
	case LLM_TROUBLE_COMMAND:
		return true;
	case LLM_TROUBLE_REFUSED:
		return o->plain;
	case LLM_TROUBLE_NONE:
	case LLM_TROUBLE_NO_PROVIDER:
	case LLM_TROUBLE_NO_KEY:
	case LLM_TROUBLE_TLS:
	case LLM_TROUBLE_TIMEOUT:
	case LLM_TROUBLE_QUEUE:
	case LLM_TROUBLE_BREAKER:
	case LLM_TROUBLE_DECLINED:
	case LLM_TROUBLE_TOO_LARGE:
	case LLM_TROUBLE_CHILD:
	case LLM_TROUBLE_COUNT:
		return false;
	}
	return false;
}

static int64_t
pause_of(const struct llm_outcome *o)
{
	if (o->trouble == LLM_TROUBLE_LIMITED)
		return o->retry_after_ms > 0 ? o->retry_after_ms : LLM_LIMITED_MS;
	return o->trouble == LLM_TROUBLE_CONNECT || o->trouble == LLM_TROUBLE_SERVER
		? (o->retry_after_ms > 0 ? o->retry_after_ms : LLM_RETRY_MS)
		: 0;
}

static void
take_trouble(struct llm_queue *q, struct job *j, const struct llm_outcome *o,
	int64_t now_ms)
{
	int64_t again_ms = now_ms + pause_of(o);

	if (j->tries < LLM_TRIES && may_help(o)
		&& again_ms + LLM_LEFT_MIN_MS < deadline_of(j)) {
		j->state = WAITING;
		j->not_before_ms = again_ms;
		j->plain = j->plain || o->plain;
		j->trouble = o->trouble;
		return;
	}
	give_up(q, j, o->trouble);
}

static void
take_verdict(struct llm_queue *q, struct job *j, enum judge_says says)
{
	j->trouble = LLM_TROUBLE_NONE;
	j->has_verdict = true;
	j->by = j->role;
	if (j->role != LLM_ROLE_SECOND && says != JUDGE_SAYS_ALLOW
		&& q->limits.has[LLM_ROLE_SECOND])
		go_to(j, LLM_ROLE_SECOND);
	else
		end_job(j);
}

void
llm_queue_done(struct llm_queue *q, uint64_t attempt,
	const struct llm_outcome *o, int64_t now_ms)
{
	struct job *j = q->jobs;

	while (j && !(j->state == RUNNING && j->attempt == attempt))
		j = j->next;
	if (!j)
		return; /* given up meanwhile */
	stop_running(q, j);
	j->attempt = 0;
	learn(&q->breakers[j->role], attempt, o, now_ms);
	if (o->trouble != LLM_TROUBLE_NONE)
		take_trouble(q, j, o, now_ms);
	else if (o->says == JUDGE_SAYS_FAILURE)
		take_trouble(q, j,
			&(struct llm_outcome){.trouble = LLM_TROUBLE_UNREADABLE}, now_ms);
	else
		take_verdict(q, j, o->says);
}

/* --- what is to be done -------------------------------------------------------------- */

static bool
answer(struct job *j, struct waiter **at, enum llm_trouble trouble,
	struct llm_act *ret)
{
	struct waiter *w = *at;

	*ret = (struct llm_act){
		.kind = LLM_ACT_ANSWER,
		.job = j->id,
		.ask = w->ask,
		.role = j->has_verdict ? j->by : j->role,
		.trouble = j->has_verdict ? LLM_TROUBLE_NONE : trouble,
		.shared = j->heard,
		.attempts = j->attempts,
	};
	j->heard = true;
	*at = w->next;
	free(w);
	return true;
}

/* Why a question that is still open has no answer at its deadline. */
static enum llm_trouble
late(const struct job *j)
{
	if (j->state == RUNNING)
		return LLM_TROUBLE_TIMEOUT;
	if (j->trouble != LLM_TROUBLE_NONE)
		return j->trouble;
	return j->begun ? LLM_TROUBLE_TIMEOUT : LLM_TROUBLE_QUEUE;
}

static bool
answer_one(struct llm_queue *q, int64_t now_ms, struct llm_act *ret)
{
	for (struct job *j = q->jobs; j; j = j->next) {
		for (struct waiter **at = &j->waiters; *at; at = &(*at)->next) {
			if (j->state == ENDED)
				return answer(j, at, j->trouble, ret);
			if ((*at)->deadline_ms <= now_ms)
				return answer(j, at, late(j), ret);
		}
	}
	return false;
}

/* A job that nobody waits for. */
static bool
drop_one(struct llm_queue *q, struct llm_act *ret)
{
	struct job **at = &q->jobs;

	while (*at && (*at)->waiters)
		at = &(*at)->next;
	struct job *j = *at;

	if (!j)
		return false;
	*ret = (struct llm_act){.job = j->id, .attempt = j->attempt};
	if (j->state == RUNNING) {
		struct breaker *b = &q->breakers[j->role];

		ret->kind = LLM_ACT_STOP;
		stop_running(q, j);
		if (b->probe == j->attempt)
			b->probe = 0;
		end_job(j);
		return true;
	}
	ret->kind = LLM_ACT_FORGET;
	*at = j->next;
	if (!*at)
		q->last = at;
	free_job(q, j);
	return true;
}

/* A provider that will not be there in time is not waited for. */
static bool
is_closed(const struct llm_queue *q, const struct job *j, int64_t now_ms,
	enum llm_trouble *ret_why)
{
	const struct breaker *b = &q->breakers[j->role];

	*ret_why = LLM_TROUBLE_NONE;
	if (!q->limits.has[j->role])
		*ret_why = LLM_TROUBLE_NO_PROVIDER;
	else if (b->open_until_ms > now_ms)
		*ret_why = j->tries > 0 ? j->trouble : LLM_TROUBLE_BREAKER;
	else if (b->pause_until_ms > now_ms
		&& b->pause_until_ms + LLM_LEFT_MIN_MS > deadline_of(j))
		*ret_why = LLM_TROUBLE_LIMITED;
	return *ret_why != LLM_TROUBLE_NONE;
}

static void
skip_closed(struct llm_queue *q, int64_t now_ms)
{
	enum llm_trouble why;

	for (struct job *j = q->jobs; j; j = j->next) {
		while (j->state == WAITING && is_closed(q, j, now_ms, &why))
			give_up(q, j, why);
	}
}

static bool
is_ready(const struct llm_queue *q, const struct job *j, int64_t now_ms)
{
	return j->state == WAITING && j->waiters && j->not_before_ms <= now_ms
		&& opens_at(&q->breakers[j->role], now_ms) <= now_ms
		&& deadline_of(j) > now_ms;
}

/* The session with the fewest attempts, of these the one that was served longest
 * ago, of its questions the oldest. */
static struct job *
pick(struct llm_queue *q, int64_t now_ms)
{
	struct job *best = NULL;

	for (struct job *j = q->jobs; j; j = j->next) {
		const struct session *s = j->session;

		if (!is_ready(q, j, now_ms))
			continue;
		if (!best || s->running < best->session->running
			|| (s->running == best->session->running
				&& s->turn < best->session->turn))
			best = j;
	}
	return best;
}

/* A provider that hangs must leave time for the other. */
static int64_t
share_of(const struct llm_queue *q, const struct job *j, int64_t now_ms)
{
	int64_t left = deadline_of(j) - now_ms;
	bool another =
		j->role == LLM_ROLE_FIRST && q->limits.has[LLM_ROLE_FALLBACK];

	return another ? left / 2 : left;
}

static bool
start_one(struct llm_queue *q, int64_t now_ms, struct llm_act *ret)
{
	struct job *j = q->running < q->limits.parallel ? pick(q, now_ms) : NULL;

	if (!j)
		return false;
	j->state = RUNNING;
	j->begun = true;
	j->tries++;
	j->attempts++;
	j->attempt = ++q->counter;
	q->running++;
	j->session->running++;
	j->session->turn = ++q->counter;
	if (q->breakers[j->role].open_until_ms > 0)
		q->breakers[j->role].probe = j->attempt;
	*ret = (struct llm_act){
		.kind = LLM_ACT_START,
		.job = j->id,
		.attempt = j->attempt,
		.role = j->role,
		.plain = j->plain,
		.left_ms = share_of(q, j, now_ms),
	};
	return true;
}

bool
llm_queue_next(struct llm_queue *q, int64_t now_ms, struct llm_act *ret)
{
	skip_closed(q, now_ms);
	return answer_one(q, now_ms, ret) || drop_one(q, ret)
		|| start_one(q, now_ms, ret);
}

int64_t
llm_queue_due(const struct llm_queue *q, int64_t now_ms)
{
	int64_t due = INT64_MAX;

	for (const struct job *j = q->jobs; j; j = j->next) {
		int64_t at = j->not_before_ms;
		int64_t opens = opens_at(&q->breakers[j->role], now_ms);

		for (const struct waiter *w = j->waiters; w; w = w->next)
			due = w->deadline_ms < due ? w->deadline_ms : due;
		if (opens > at)
			at = opens;
		if (j->state == WAITING && q->running < q->limits.parallel
			&& at > now_ms && at < due)
			due = at;
	}
	return due;
}
