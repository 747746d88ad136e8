/*
 * What the two ends say to each other: whole, cut anywhere, or wrong; and keys
 * out of files.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "llm/frame.h"
#include "llm/key.h"
#include "tests/unit/unit.h"

/* Version 14 aligns this in two ways, by turns. */
/* clang-format off */
static const struct llm_answer sent = {
	.id = 7,
	.verdict = {
		.says = JUDGE_SAYS_ALLOW,
		.said = JUDGE_SAYS_ALLOW,
		.risk = CALL_RISK_LOW,
		.reason = {"it is fine", 10},
	},
	.reason = {"", 0},
	.provider = {"openai", 6},
	.usage = {
		.input_tokens = 1,
		.cached_tokens = 2,
		.cost_nano = -1,
		.shared = true,
	},
};
/* clang-format on */

static void
write_answer(struct buf *b, const struct llm_answer *n)
{
	buf_init(b, LLM_FRAME_BYTES);
	size_t at = llm_frame_begin(b, LLM_FRAME_ANSWER);

	llm_frame_answer(b, n);
	llm_frame_end(b, at);
	assert_false(b->full);
}

static void
test_whole(void **state)
{
	CLEANUP(buf_done) struct buf b;
	struct llm_frame f;
	struct llm_answer got = {0};

	(void)state;
	write_answer(&b, &sent);
	struct str rest = buf_str(&b);

	assert_true(llm_frame_next(&rest, &f));
	assert_int_equal(f.kind, LLM_FRAME_ANSWER);
	llm_frame_take_answer(&f, &got);
	assert_false(f.bad);
	assert_int_equal(rest.len + f.rest.len, 0);
	assert_true(got.id == 7 && got.usage.shared && got.usage.cost_nano == -1);
	assert_int_equal(got.verdict.says, JUDGE_SAYS_ALLOW);
	assert_true(str_eq(got.verdict.reason, STR("it is fine")));
	assert_true(got.reason.ptr && got.reason.len == 0);
	assert_null(got.model.ptr); /* absent stays absent */
	assert_false(llm_frame_next(&rest, &f));
}

/* A frame that is not here yet is waited for; one that lies is bad, and allows
 * nothing. */
static void
test_cut_anywhere(void **state)
{
	CLEANUP(buf_done) struct buf b;

	(void)state;
	write_answer(&b, &sent);
	for (uint32_t n = 0; n < b.len; n++) {
		struct llm_frame f;
		struct llm_answer got = {0};
		struct str rest = {b.ptr, n};

		assert_false(llm_frame_next(&rest, &f));
		if (n < LLM_FRAME_HEAD)
			continue;
		memcpy(b.ptr, &n, sizeof(n)); /* says that this is all */
		assert_true(llm_frame_next(&rest, &f));
		llm_frame_take_answer(&f, &got);
		assert_true(f.bad);
		uint32_t whole = (uint32_t)b.len;

		memcpy(b.ptr, &whole, sizeof(whole));
	}
}

static void
test_lengths_that_cannot_be(void **state)
{
	static const uint32_t lengths[] = {
		0, 1, LLM_FRAME_HEAD - 1, LLM_FRAME_BYTES + 1, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		char bytes[16] = {0};
		struct llm_frame f;
		struct str rest = {bytes, sizeof(bytes)};

		memcpy(bytes, &lengths[i], sizeof(lengths[i]));
		assert_true(llm_frame_next(&rest, &f));
		assert_true(f.bad);
	}
}

static struct llm_answer
through(const struct llm_answer *n)
{
	CLEANUP(buf_done) struct buf b;
	struct llm_frame f;
	struct llm_answer got = {0};

	write_answer(&b, n);
	struct str rest = buf_str(&b);

	assert_true(llm_frame_next(&rest, &f));
	llm_frame_take_answer(&f, &got);
	return got;
}

/* A verdict beside a trouble, or out of range, is none. */
static void
test_wrong_answers_allow_nothing(void **state)
{
	struct llm_answer n = sent;

	(void)state;
	n.trouble = LLM_TROUBLE_TIMEOUT;
	assert_int_equal(through(&n).verdict.says, JUDGE_SAYS_FAILURE);
	n = sent;
	n.trouble = LLM_TROUBLE_COUNT;
	assert_int_equal(through(&n).trouble, LLM_TROUBLE_CHILD);
	n = sent;
	n.verdict.says = JUDGE_SAYS_COUNT;
	assert_int_equal(through(&n).verdict.says, JUDGE_SAYS_FAILURE);
	n = sent;
	n.verdict.risk = CALL_RISK_COUNT;
	assert_int_equal(through(&n).verdict.says, JUDGE_SAYS_FAILURE);
	n = sent;
	n.verdict.says = JUDGE_SAYS_FAILURE;
	assert_int_equal(through(&n).trouble, LLM_TROUBLE_UNREADABLE);
	assert_non_null(through(&n).verdict.failure);
}

static void
test_questions_and_settings(void **state)
{
	CLEANUP(buf_done) struct buf b;
	struct llm_frame f;
	struct llm_settings s = {.parallel = 3, .ca = STR("/ca")}, got = {0};
	struct llm_ask ask = {.id = 9, .user = STR("u"), .stable = 1, .left_ms = 5},
				   asked = {0};

	(void)state;
	s.providers[LLM_ROLE_SECOND].kind = LLM_KIND_VLLM;
	s.providers[LLM_ROLE_SECOND].command = STR("a b");
	buf_init(&b, LLM_FRAME_BYTES);
	size_t at = llm_frame_begin(&b, LLM_FRAME_CONFIGURE);

	llm_frame_settings(&b, &s);
	llm_frame_end(&b, at);
	at = llm_frame_begin(&b, LLM_FRAME_ASK);
	llm_frame_ask(&b, &ask);
	llm_frame_end(&b, at);
	struct str rest = buf_str(&b);

	assert_true(llm_frame_next(&rest, &f));
	llm_frame_take_settings(&f, &got);
	assert_true(!f.bad && f.rest.len == 0 && got.parallel == 3);
	assert_true(str_eq(got.ca, STR("/ca")) && !got.proxy.ptr);
	assert_int_equal(got.providers[LLM_ROLE_SECOND].kind, LLM_KIND_VLLM);
	assert_true(llm_frame_next(&rest, &f));
	llm_frame_take_ask(&f, &asked);
	assert_true(!f.bad && f.rest.len == 0 && asked.id == 9);
	assert_true(asked.left_ms == 5 && asked.stable == 1);
}

static void
test_key_files(void **state)
{
	char path[] = "/tmp/assent-key-XXXXXX";
	int fd = mkstemp(path);
	struct llm_key k;
	struct str name = str_from(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(io_file_write_fd(fd, STR("sk-1\n")), 0);
	assert_null(llm_key_read(&k, name));
	assert_true(k.len == 4 && memcmp(k.bytes, "sk-1", 5) == 0);
	assert_int_equal(fchmod(fd, 0640), 0);
	assert_non_null(llm_key_read(&k, name));
	assert_int_equal(k.len, 0);
	assert_int_equal(fchmod(fd, 0604), 0);
	assert_non_null(llm_key_read(&k, name));
	assert_int_equal(fchmod(fd, 0600), 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_non_null(llm_key_read(&k, name));
	assert_non_null(llm_key_read(&k, STR("/dev/zero")));
	assert_non_null(llm_key_read(&k, STR("/tmp")));
	assert_non_null(llm_key_read(&k, STR("/nowhere")));
	(void)close(fd);
	(void)unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_lengths_that_cannot_be),
		cmocka_unit_test(test_wrong_answers_allow_nothing),
		cmocka_unit_test(test_questions_and_settings),
		cmocka_unit_test(test_key_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
