#ifndef TESTS_UNIT_DECIDE_SCENE_H
#define TESTS_UNIT_DECIDE_SCENE_H

/*
 * One agent, one person, and a store that may fail: what the tests of the
 * hearing have in common.
 */

#include <sys/stat.h>

#include "decide/decide.h"
#include "decide/decide_priv.h"
#include "policy/policy.h"
#include "tests/unit/folder.h"

enum { KEEP = 256 };

static struct {
	struct store *store;
	struct store_reader *reader;
	struct decide *d;
	struct policy *policy;
	struct arena *a;    /* of the test */
	struct arena *work; /* of a post */
	int64_t now;
	uint64_t handle;
	bool disk_full;

	struct decide_act acts[KEEP];
	size_t act_count;
	struct call call;
	struct decide_post post;
	struct str root;
} w;

static inline void
begin(void)
{
	struct store_opened o;

	assert_int_equal(store_open(folder, w.now, &w.store, &o), 0);
	assert_int_equal(store_reader_open(folder, &w.reader), 0);
	assert_int_equal(decide_new(w.reader, &o, w.now, &w.d), 0);
}

static inline void
finish(void)
{
	decide_free(w.d);
	store_reader_close(w.reader);
	store_close(w.store, w.now);
	w.d = NULL;
}

static inline int
setup(void **state)
{
	memset(&w, 0, sizeof(w));
	if (folder_setup(state) != 0)
		return -1;
	w.a = arena_new(64 << 20);
	w.work = arena_new(64 << 20);
	w.policy = policy_new();
	w.now = 1000000;
	begin();
	w.root = STR("/w");
	w.call = (struct call){
		.id = STR("t1"),
		.session = STR("s1"),
		.agent = STR("claude-code"),
		.tool = CALL_TOOL_SHELL,
		.tool_name = STR("Bash"),
		.cwd = STR("/w"),
		.roots = &w.root,
		.root_count = 1,
	};
	w.post = (struct decide_post){
		.world = {.home = STR("/home/u"), .user = STR("u"), .assumed = true},
		.policy = w.policy,
		.own_prompt = false,
		.can_hold = true,
		.agent = "claude-code",
	};
	return 0;
}

static inline int
teardown(void **state)
{
	finish();
	policy_unref(w.policy);
	arena_free(w.a);
	arena_free(w.work);
	return folder_teardown(state);
}

/* --- the loop ------------------------------------------------------------- */

static inline void
do_acts(void)
{
	struct decide_act act;

	while (decide_next(w.d, w.a, &act)) {
		if (act.kind == DECIDE_ACT_SEND)
			decide_sent(w.d, act.number, true, w.now);
		if (act.kind == DECIDE_ACT_CARD || act.kind == DECIDE_ACT_CHANGED
			|| act.kind == DECIDE_ACT_JOURNAL)
			continue;
		assert_true(w.act_count < KEEP);
		w.acts[w.act_count++] = act;
	}
}

static inline bool
commit_once(void)
{
	struct store_batch *b = decide_take_batch(w.d);

	if (!b)
		return false;
	decide_committed(w.d, b,
		w.disk_full ? fail_here(FAIL_SPACE, "the disk is full")
					: store_commit(w.store, b),
		w.now);
	return true;
}

static inline void
run(void)
{
	do_acts();
	while (commit_once())
		do_acts();
}

static const char *const keys[] = {"00000000000000000000000000000000",
	"11111111111111111111111111111111", "22222222222222222222222222222222",
	"33333333333333333333333333333333"};

/* Posts and does not write: the batch gathers. Returns the handle. */
static inline uint64_t
put(const char *command, int key)
{
	w.call.command = w.call.input = str_from(command);
	w.post.call = &w.call;
	w.post.handle = ++w.handle;
	w.post.key = str_from(keys[key]);
	if (w.post.deadline_ms == 0)
		w.post.deadline_ms = w.now + 60000;
	arena_reset(w.work);
	decide_post(w.d, w.work, &w.post, w.now);
	return w.handle;
}

static inline uint64_t
post(const char *command, int key)
{
	uint64_t handle = put(command, key);

	run();
	return handle;
}

/* The act that ended this handle; one of kind NONE when it is still open. */
static inline const struct decide_act *
act_of(uint64_t handle)
{
	static const struct decide_act none;
	const struct decide_act *found = &none;

	for (size_t i = 0; i < w.act_count; i++) {
		if (w.acts[i].handle == handle) {
			assert_int_equal(found->kind, DECIDE_ACT_NONE); /* one ends it */
			found = &w.acts[i];
		}
	}
	return found;
}

static inline bool
is_open(uint64_t handle)
{
	return act_of(handle)->kind == DECIDE_ACT_NONE;
}

static inline void
expect_sent(uint64_t handle, enum call_verdict verdict, enum call_by by,
	const char *reason)
{
	const struct decide_act *act = act_of(handle);

	assert_int_equal(act->kind, DECIDE_ACT_SEND);
	assert_string_equal(
		call_verdict_name(act->answer.verdict), call_verdict_name(verdict));
	assert_string_equal(call_by_name(act->answer.by), call_by_name(by));
	if (reason)
		assert_non_null(strstr(act->answer.reason.ptr, reason));
	assert_int_equal(act->answer.from_person, by == CALL_BY_PERSON);
}

/* The newest open card. */
static inline struct store_card
newest_card(void)
{
	struct store_card *cards = NULL;
	size_t n = 0;

	assert_int_equal(store_read_cards(w.reader, w.a, &cards, &n), 0);
	assert_true(n > 0 && cards);
	return cards && n > 0 ? cards[n - 1] : (struct store_card){0};
}

static inline struct store_card
card(int64_t number)
{
	struct store_card c;

	assert_int_equal(store_read_card(w.reader, w.a, number, &c), 0);
	return c;
}

static inline uint64_t
put_reply(struct store_card c, enum call_reply reply, const char *note)
{
	struct decide_reply r = {
		.handle = ++w.handle,
		.id = decide_card_id(w.a, c.number, c.digest),
		.reply = reply,
		.note = str_from(note),
		.who = {.name = STR("me on pts/3"),
				.level = STR("tty"),
				.ancestry = STR("[]")},
	};

	decide_reply(w.d, &r, w.now);
	return r.handle;
}

static inline uint64_t
reply(struct store_card c, enum call_reply what, const char *note)
{
	uint64_t handle = put_reply(c, what, note);

	run();
	return handle;
}

static inline void
expect_replied(uint64_t handle, enum decide_replied what)
{
	const struct decide_act *act = act_of(handle);

	assert_int_equal(act->kind, DECIDE_ACT_REPLIED);
	assert_string_equal(
		decide_replied_name(act->replied), decide_replied_name(what));
}

/* An approval has the client look again: it posts the same once more. */
static inline uint64_t
look_again(uint64_t held, const char *command, int key)
{
	assert_false(is_open(held));
	assert_int_equal(act_of(held)->kind, DECIDE_ACT_NEED);
	return post(command, key);
}

static inline void
pass(int64_t ms)
{
	w.now += ms;
	(void)decide_tick(w.d, w.now);
	run();
}

static inline void
restart(void)
{
	finish();
	w.act_count = 0;
	begin();
}

struct rows {
	const char *want;
	size_t count;
	char last[2048];
};

static inline bool
see(void *data, const struct store_audit *row)
{
	struct rows *rows = data;
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, 1 << 16);
	store_audit_print(&b, row);
	if (!strstr(buf_str(&b).ptr, rows->want))
		return true;
	rows->count++;
	(void)snprintf(rows->last, sizeof(rows->last), "%s", b.ptr);
	return true;
}

/* How many audit rows hold this text. */
static inline size_t
rows_with(const char *text)
{
	struct rows rows = {.want = text};

	assert_int_equal(
		store_read_audit(w.reader, &(struct store_filter){0}, see, &rows), 0);
	return rows.count;
}

#define ASKED "frobnicate --hard"

#define T(fn) cmocka_unit_test_setup_teardown(test_##fn, setup, teardown)

#endif
