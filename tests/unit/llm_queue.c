/*
 * Who is asked when: the queue, with a clock of ours and attempts that end as the
 * test says.
 */
#include <stdio.h>
#include <string.h>

#include "llm/queue.h"
#include "tests/unit/unit.h"
#include "wire/sha256.h"

enum { ANSWERS = 4096, RUNNING = 4096, LEFT_MS = 30000 };

struct answer {
	bool there, shared;
	enum llm_trouble trouble;
	enum llm_role role;
	int64_t attempts, at_ms;
};

struct running {
	uint64_t attempt, job;
	enum llm_role role;
	bool plain;
	int64_t left_ms;
};

struct scene {
	struct llm_queue *q;
	int64_t now;
	uint64_t asks;
	struct answer answers[ANSWERS];
	struct running running[RUNNING];
	size_t count, most, started, stopped, forgotten;
};

static struct scene s;

static void
turn(void)
{
	struct llm_act act;

	while (llm_queue_next(s.q, s.now, &act)) {
		switch (act.kind) {
		case LLM_ACT_START:
			s.running[s.count++] = (struct running){
				act.attempt, act.job, act.role, act.plain, act.left_ms};
			s.started++;
			s.most = s.count > s.most ? s.count : s.most;
			break;
		case LLM_ACT_STOP:
			for (size_t i = 0; i < s.count; i++) {
				if (s.running[i].attempt == act.attempt)
					s.running[i] = s.running[--s.count];
			}
			s.stopped++;
			break;
		case LLM_ACT_ANSWER:
			assert_true(act.ask < ANSWERS);
			assert_false(s.answers[act.ask].there); /* once */
			s.answers[act.ask] = (struct answer){
				true, act.shared, act.trouble, act.role, act.attempts, s.now};
			break;
		case LLM_ACT_FORGET:
			s.forgotten++;
			break;
		case LLM_ACT_NONE:
			fail();
		}
	}
}

static void
begin(int64_t parallel, bool fallback, bool second)
{
	llm_queue_free(s.q);
	memset(&s, 0, sizeof(s));
	s.q = llm_queue_new();
	s.now = 1000000;
	llm_queue_configure(s.q,
		&(struct llm_limits){
			.parallel = parallel, .has = {true, fallback, second}
    });
}

/* A question; what: identical ones have the same. */
static uint64_t
ask_in(uint64_t session, int what, int64_t left_ms)
{
	char key[WIRE_SHA256_HEX + 1];
	bool is_new;
	uint64_t id = ++s.asks;

	(void)snprintf(key, sizeof(key), "%064d", what);
	(void)llm_queue_ask(s.q,
		&(struct llm_queue_ask){id, session, key, s.now + left_ms}, s.now,
		&is_new);
	turn();
	return id;
}

static uint64_t
ask(void)
{
	return ask_in(1, (int)s.asks + 1000, LEFT_MS);
}

static void
end_nth(size_t i, struct llm_outcome o)
{
	assert_true(i < s.count);
	uint64_t attempt = s.running[i].attempt;

	memmove(&s.running[i], &s.running[i + 1],
		(s.count - i - 1) * sizeof(s.running[0]));
	s.count--;
	llm_queue_done(s.q, attempt, &o, s.now);
	turn();
}

static void
says(enum judge_says word)
{
	end_nth(0, (struct llm_outcome){.says = word});
}

static void
fails(enum llm_trouble t)
{
	end_nth(0, (struct llm_outcome){.trouble = t});
}

static void
pass_ms(int64_t ms)
{
	s.now += ms;
	turn();
}

static void
answered(uint64_t id, enum llm_trouble t)
{
	assert_true(s.answers[id].there);
	assert_int_equal(s.answers[id].trouble, t);
}

/* --- tests ------------------------------------------------------------------------------ */

static void
test_a_verdict_ends_it(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask();

	assert_int_equal(s.count, 1);
	assert_int_equal(s.running[0].left_ms, LEFT_MS);
	says(JUDGE_SAYS_DENY);
	answered(a, LLM_TROUBLE_NONE);
	assert_int_equal(s.forgotten, 1);
	assert_true(llm_queue_due(s.q, s.now) == INT64_MAX);
}

static void
test_so_many_at_once(void **state)
{
	(void)state;
	begin(3, false, false);
	for (int i = 0; i < 10; i++)
		(void)ask();
	assert_int_equal(s.count, 3);
	for (int i = 0; i < 10; i++)
		says(JUDGE_SAYS_ALLOW);
	assert_int_equal(s.most, 3);
	for (uint64_t i = 1; i <= 10; i++)
		answered(i, LLM_TROUBLE_NONE);
}

static void
test_sessions_take_turns(void **state)
{
	uint64_t last[3] = {0};

	(void)state;
	begin(1, false, false);
	for (int i = 0; i < 6; i++)
		last[0] = ask_in(10, i, LEFT_MS);
	last[1] = ask_in(11, 100, LEFT_MS);
	last[2] = ask_in(12, 200, LEFT_MS);
	for (int i = 0; i < 3; i++)
		says(JUDGE_SAYS_ALLOW);
	/* the first of the crowd, then the two that asked once */
	assert_true(s.answers[last[1]].there && s.answers[last[2]].there);
	assert_false(s.answers[last[0]].there);
	/* a newcomer is next as soon as a place is free, whoever waits */
	begin(4, false, false);
	for (int i = 0; i < 8; i++)
		(void)ask_in(10, i, LEFT_MS);
	last[1] = ask_in(11, 100, LEFT_MS);
	for (int i = 0; i < 5; i++)
		says(JUDGE_SAYS_ALLOW);
	answered(last[1], LLM_TROUBLE_NONE);
	assert_false(s.answers[5].there);
}

static void
test_identical_ones_share(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask_in(1, 7, LEFT_MS), b = ask_in(2, 7, LEFT_MS);

	assert_int_equal(s.started, 1);
	says(JUDGE_SAYS_ALLOW);
	answered(a, LLM_TROUBLE_NONE);
	answered(b, LLM_TROUBLE_NONE);
	assert_false(s.answers[a].shared);
	assert_true(s.answers[b].shared);
	/* what was answered is not remembered */
	(void)ask_in(1, 7, LEFT_MS);
	assert_int_equal(s.started, 2);
}

static void
test_withdrawn_ones_stop(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask_in(1, 7, LEFT_MS), b = ask_in(2, 7, LEFT_MS);

	llm_queue_cancel(s.q, a);
	turn();
	assert_int_equal(s.stopped, 0); /* somebody still wants it */
	llm_queue_cancel(s.q, b);
	llm_queue_cancel(s.q, b);
	turn();
	assert_int_equal(s.stopped, 1);
	assert_int_equal(s.forgotten, 1);
	assert_int_equal(s.count, 0);
	assert_false(s.answers[a].there || s.answers[b].there);
	/* an answer that comes after that is nobody's */
	llm_queue_done(s.q, 2, &(struct llm_outcome){0}, s.now);
	turn();
}

static void
test_late_ones_are_told(void **state)
{
	(void)state;
	begin(1, false, false);
	uint64_t a = ask(), b = ask();

	assert_int_equal(llm_queue_due(s.q, s.now), s.now + LEFT_MS);
	pass_ms(LEFT_MS - 1);
	assert_false(s.answers[a].there);
	pass_ms(1);
	answered(a, LLM_TROUBLE_TIMEOUT);
	answered(b, LLM_TROUBLE_QUEUE);
	assert_int_equal(s.stopped, 1);
	assert_int_equal(s.count, 0);
}

static void
test_one_retry(void **state)
{
	static const enum llm_trouble again[] = {LLM_TROUBLE_CONNECT,
		LLM_TROUBLE_SERVER, LLM_TROUBLE_UNREADABLE, LLM_TROUBLE_TRUNCATED,
		LLM_TROUBLE_COMMAND};
	static const enum llm_trouble never[] = {LLM_TROUBLE_NO_KEY,
		LLM_TROUBLE_TLS, LLM_TROUBLE_REFUSED, LLM_TROUBLE_DECLINED,
		LLM_TROUBLE_TOO_LARGE, LLM_TROUBLE_TIMEOUT, LLM_TROUBLE_NO_PROVIDER};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(again); i++) {
		begin(8, false, false);
		uint64_t a = ask();

		fails(again[i]);
		assert_false(s.answers[a].there);
		pass_ms(LLM_RETRY_MS);
		assert_int_equal(s.count, 1);
		fails(again[i]);
		answered(a, again[i]);
		assert_int_equal(s.answers[a].attempts, 2);
	}
	for (size_t i = 0; i < ARRAY_LEN(never); i++) {
		begin(8, false, false);
		uint64_t a = ask();

		fails(never[i]);
		answered(a, never[i]);
	}
}

static void
test_no_verdict_is_unreadable(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask();

	says(JUDGE_SAYS_FAILURE);
	says(JUDGE_SAYS_FAILURE);
	answered(a, LLM_TROUBLE_UNREADABLE);
}

static void
test_a_retry_is_within_the_time(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask_in(1, 1, 400);

	fails(LLM_TROUBLE_SERVER);
	answered(a, LLM_TROUBLE_SERVER);
}

static void
test_plain_after_a_refusal(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask();

	assert_false(s.running[0].plain);
	end_nth(
		0, (struct llm_outcome){.trouble = LLM_TROUBLE_REFUSED, .plain = true});
	assert_true(s.running[0].plain);
	says(JUDGE_SAYS_ALLOW);
	answered(a, LLM_TROUBLE_NONE);
}

static void
test_retry_after_is_obeyed(void **state)
{
	(void)state;
	begin(8, false, false);
	uint64_t a = ask();

	end_nth(0,
		(struct llm_outcome){
			.trouble = LLM_TROUBLE_LIMITED, .retry_after_ms = 5000});
	/* nobody else goes there either, meanwhile */
	uint64_t b = ask();

	assert_int_equal(s.count, 0);
	assert_int_equal(llm_queue_due(s.q, s.now), s.now + 5000);
	pass_ms(4999);
	assert_int_equal(s.count, 0);
	pass_ms(1);
	assert_int_equal(s.count, 2);
	says(JUDGE_SAYS_ALLOW);
	says(JUDGE_SAYS_ALLOW);
	answered(a, LLM_TROUBLE_NONE);
	answered(b, LLM_TROUBLE_NONE);
	/* longer than there is time: told at once */
	a = ask();
	end_nth(0,
		(struct llm_outcome){
			.trouble = LLM_TROUBLE_LIMITED, .retry_after_ms = 60000});
	answered(a, LLM_TROUBLE_LIMITED);
	b = ask();
	answered(b, LLM_TROUBLE_LIMITED);
}

static void
test_breaker(void **state)
{
	(void)state;
	begin(1, false, false);
	for (int i = 0; i < LLM_BREAKER_FAILS; i++) {
		(void)ask();
		fails(LLM_TROUBLE_TIMEOUT);
	}
	uint64_t a = ask();

	answered(a, LLM_TROUBLE_BREAKER);
	assert_int_equal(s.started, LLM_BREAKER_FAILS);
	/* then one tries it, and the others wait for what comes of it */
	s.now += LLM_BREAKER_MS;
	begin(8, false, false);
	for (int i = 0; i < LLM_BREAKER_FAILS; i++)
		(void)ask();
	for (int i = 0; i < LLM_BREAKER_FAILS; i++)
		fails(LLM_TROUBLE_TIMEOUT);
	pass_ms(LLM_BREAKER_MS);
	uint64_t b = ask(), c = ask();

	assert_int_equal(s.count, 1);
	fails(LLM_TROUBLE_TIMEOUT);
	answered(b, LLM_TROUBLE_TIMEOUT);
	answered(c, LLM_TROUBLE_BREAKER);
	/* longer now */
	pass_ms(LLM_BREAKER_MS);
	answered(ask(), LLM_TROUBLE_BREAKER);
	pass_ms(LLM_BREAKER_MS);
	b = ask();
	c = ask();
	assert_int_equal(s.count, 1);
	says(JUDGE_SAYS_ALLOW);
	answered(b, LLM_TROUBLE_NONE);
	assert_int_equal(s.count, 1);
	says(JUDGE_SAYS_ALLOW);
	answered(c, LLM_TROUBLE_NONE);
	(void)ask();
	(void)ask();
	assert_int_equal(s.count, 2); /* all are let through again */
}

static void
test_a_probe_that_is_withdrawn(void **state)
{
	(void)state;
	begin(8, false, false);
	for (int i = 0; i < LLM_BREAKER_FAILS; i++)
		(void)ask();
	for (int i = 0; i < LLM_BREAKER_FAILS; i++)
		fails(LLM_TROUBLE_TIMEOUT);
	pass_ms(LLM_BREAKER_MS);
	uint64_t a = ask();

	assert_int_equal(s.count, 1);
	llm_queue_cancel(s.q, a);
	turn();
	(void)ask(); /* probes in its place */
	assert_int_equal(s.count, 1);
}

static void
test_what_a_model_says_breaks_nothing(void **state)
{
	(void)state;
	begin(8, false, false);
	for (int i = 0; i < 3 * LLM_BREAKER_FAILS; i++) {
		uint64_t a = ask();

		fails(LLM_TROUBLE_DECLINED);
		answered(a, LLM_TROUBLE_DECLINED);
	}
}

static void
test_fallback(void **state)
{
	(void)state;
	begin(8, true, false);
	uint64_t a = ask();

	assert_int_equal(s.running[0].left_ms, LEFT_MS / 2);
	fails(LLM_TROUBLE_TIMEOUT);
	assert_int_equal(s.running[0].role, LLM_ROLE_FALLBACK);
	says(JUDGE_SAYS_ALLOW);
	answered(a, LLM_TROUBLE_NONE);
	assert_int_equal(s.answers[a].role, LLM_ROLE_FALLBACK);
	/* with the breaker open it is asked at once */
	for (int i = 1; i < LLM_BREAKER_FAILS; i++) {
		(void)ask();
		fails(LLM_TROUBLE_TIMEOUT);
		says(JUDGE_SAYS_ALLOW);
	}
	size_t before = s.started;

	a = ask();
	assert_int_equal(s.started, before + 1);
	assert_int_equal(s.running[0].role, LLM_ROLE_FALLBACK);
	fails(LLM_TROUBLE_REFUSED);
	answered(a, LLM_TROUBLE_REFUSED);
}

static void
test_second_opinion(void **state)
{
	static const enum judge_says not_allowed[] = {
		JUDGE_SAYS_DENY, JUDGE_SAYS_ESCALATE};

	(void)state;
	begin(8, false, true);
	uint64_t a = ask();

	says(JUDGE_SAYS_ALLOW);
	answered(a, LLM_TROUBLE_NONE);
	assert_int_equal(s.answers[a].role, LLM_ROLE_FIRST);
	for (size_t i = 0; i < ARRAY_LEN(not_allowed); i++) {
		a = ask();
		says(not_allowed[i]);
		assert_false(s.answers[a].there);
		assert_int_equal(s.running[0].role, LLM_ROLE_SECOND);
		says(JUDGE_SAYS_ALLOW);
		answered(a, LLM_TROUBLE_NONE);
		assert_int_equal(s.answers[a].role, LLM_ROLE_SECOND);
	}
	/* a second that has no verdict, or no time, leaves the first's */
	a = ask();
	says(JUDGE_SAYS_DENY);
	fails(LLM_TROUBLE_DECLINED);
	answered(a, LLM_TROUBLE_NONE);
	assert_int_equal(s.answers[a].role, LLM_ROLE_FIRST);
	a = ask();
	says(JUDGE_SAYS_DENY);
	pass_ms(LEFT_MS);
	answered(a, LLM_TROUBLE_NONE);
	assert_int_equal(s.answers[a].role, LLM_ROLE_FIRST);
	assert_int_equal(s.count, 0);
}

/* Whatever happens in whatever order: everybody is answered once, or was
 * withdrawn; never more at once than may be; nothing is left behind. */
static void
test_any_order(void **state)
{
	static const enum llm_trouble troubles[] = {LLM_TROUBLE_NONE,
		LLM_TROUBLE_NONE, LLM_TROUBLE_NONE, LLM_TROUBLE_CONNECT,
		LLM_TROUBLE_LIMITED, LLM_TROUBLE_SERVER, LLM_TROUBLE_DECLINED,
		LLM_TROUBLE_TIMEOUT, LLM_TROUBLE_REFUSED};
	uint64_t seed = 20261201;

	(void)state;
	for (int round = 0; round < 60; round++) {
		bool withdrawn[ANSWERS] = {false};

		begin(1 + round % 7, round % 2, round % 3 == 0);
		for (int i = 0; i < 1500; i++) {
			seed = seed * 6364136223846793005U + 1442695040888963407U;
			uint64_t r = seed >> 33;

			if (r % 4 == 0)
				(void)ask_in(
					r / 4 % 5, (int)(r / 64 % 40), 500 + (int64_t)(r % 9000));
			else if (r % 4 == 1 && s.count > 0)
				end_nth(r / 4 % s.count,
					(struct llm_outcome){
						.trouble = troubles[r / 64 % ARRAY_LEN(troubles)],
						.says = (enum judge_says)(r / 2048 % JUDGE_SAYS_COUNT),
						.retry_after_ms = (int64_t)(r / 4096 % 3) * 700,
						.plain = r / 8192 % 2,
					});
			else if (r % 16 == 2 && s.asks > 0) {
				uint64_t id = 1 + r / 16 % s.asks;

				withdrawn[id] = !s.answers[id].there;
				llm_queue_cancel(s.q, id);
				turn();
			} else
				pass_ms((int64_t)(r / 4 % 200));
		}
		pass_ms(100000);
		assert_true((int64_t)s.most <= 1 + round % 7);
		assert_int_equal(s.count, 0);
		assert_true(llm_queue_due(s.q, s.now) == INT64_MAX);
		for (uint64_t id = 1; id <= s.asks; id++)
			assert_true(s.answers[id].there != withdrawn[id]);
	}
	llm_queue_free(s.q);
	s.q = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_verdict_ends_it),
		cmocka_unit_test(test_so_many_at_once),
		cmocka_unit_test(test_sessions_take_turns),
		cmocka_unit_test(test_identical_ones_share),
		cmocka_unit_test(test_withdrawn_ones_stop),
		cmocka_unit_test(test_late_ones_are_told),
		cmocka_unit_test(test_one_retry),
		cmocka_unit_test(test_no_verdict_is_unreadable),
		cmocka_unit_test(test_a_retry_is_within_the_time),
		cmocka_unit_test(test_plain_after_a_refusal),
		cmocka_unit_test(test_retry_after_is_obeyed),
		cmocka_unit_test(test_breaker),
		cmocka_unit_test(test_a_probe_that_is_withdrawn),
		cmocka_unit_test(test_what_a_model_says_breaks_nothing),
		cmocka_unit_test(test_fallback),
		cmocka_unit_test(test_second_opinion),
		cmocka_unit_test(test_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
