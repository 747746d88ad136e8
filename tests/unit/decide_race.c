/*
 * Thousands of seeded interleavings of calls, replies, withdrawals, deadlines,
 * lost connections, restarts and failed commits. Asserted throughout:
 *	- nothing is sent to a client that left, and nothing is answered twice
 *	- every allow has a committed row before it is sent
 *	- one reply counts per card, and every reply is answered once
 *	- a model is asked once about a hearing, and only while its agent waits
 *	- in the end no card is lost: every client that stayed has its answer
 *
 * decide_race [SEED [COUNT]] runs from there; the seed of a failure is printed.
 */
#include <time.h>

#include "decide/decide.h"
#include "decide/decide_priv.h"
#include "policy/policy.h"
#include "tests/unit/folder.h"

enum { CLIENTS = 6, STEPS = 60, SEEDS = 1200, HANDLES = 4096, NEEDS = 16 };

struct client {
	char key[DECIDE_KEY_HEX + 1];
	struct call call;
	uint64_t handle; /* of its open request, 0 = none */
	bool started, left, answered;
	bool lasting, second, own_prompt, looks;
	int64_t deadline_ms;
	/* what it found out for the last need */
	struct call_answer answers[NEEDS];
	char names[NEEDS][128];
	size_t answer_count;
};

struct card_seen {
	int64_t number, round;
	char id[48];
};

static struct {
	struct store *store;
	struct store_reader *reader;
	struct decide *d;
	struct policy *policy; /* of this seed */
	struct policy *plain, *judged;
	int64_t questions[HANDLES]; /* that a model was asked */
	size_t question_count;
	struct arena *a;
	struct store_batch *out;
	struct client clients[CLIENTS];
	struct card_seen cards[64]; /* ids that people have seen */
	size_t card_count;
	uint64_t next_handle;
	uint64_t replies[HANDLES]; /* open requests of people */
	size_t reply_count;
	int64_t done[HANDLES]; /* cards with a reply that counted */
	size_t done_count;
	int64_t now;
	uint64_t random;
	uint64_t seed;
	unsigned long long sends, allows, reruns, restarts, questioned, together;
	char changed[8]; /* a variable of the world */
} w;

static uint64_t
roll(uint64_t below)
{
	/* splitmix64 */
	uint64_t z = (w.random += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % below;
}

#define HOLDS(cond)                                                            \
	do {                                                                       \
		if (!(cond)) {                                                         \
			print_error("seed %llu: %s\n", (unsigned long long)w.seed, #cond); \
			fail();                                                            \
		}                                                                      \
	} while (0)

/* --- the clients ---------------------------------------------------------- */

static const char *const commands[] = {
	"ls", "frobnicate --hard", "frobnicate --soft", "rm -rf /", "cat a b"};

static void
start_client(struct client *c, size_t i)
{
	const char *command = commands[roll(ARRAY_LEN(commands))];

	memset(c, 0, sizeof(*c));
	(void)snprintf(c->key, sizeof(c->key), "%016llx%016llx",
		(unsigned long long)w.seed, (unsigned long long)roll(UINT64_MAX));
	c->started = true;
	c->lasting = roll(3) == 0;
	c->second = roll(6) == 0;
	c->looks = roll(2) == 0;
	c->own_prompt = roll(3) == 0;
	c->deadline_ms = w.now + 1000 + (int64_t)roll(c->lasting ? 9000 : 60000);
	c->call = (struct call){
		.id = i % 2 ? STR("t1") : STR("t2"),
		.session = i % 3 ? STR("s1") : STR("s2"),
		.agent = STR("claude-code"),
		.tool = CALL_TOOL_SHELL,
		.tool_name = STR("Bash"),
		.input = str_from(command),
		.command = str_from(command),
		.cwd = STR("/w"),
	};
}

static struct client *
client_of(uint64_t handle)
{
	for (size_t i = 0; i < CLIENTS; i++) {
		if (w.clients[i].handle == handle && handle != 0)
			return &w.clients[i];
	}
	return NULL;
}

static void
post(struct client *c)
{
	static struct str root = {"/w", 2};
	struct call_variable variables[] = {
		{STR("PATH"), str_from(w.changed)},
	};
	struct decide_post p = {
		.handle = ++w.next_handle,
		.key = str_from(c->key),
		.call = &c->call,
		.world =
			{
					.home = STR("/home/u"),
					.user = STR("u"),
					.assumed = !c->looks,
					.answers = c->answers,
					.answer_count = c->answer_count,
					.variables = variables,
					.variable_count = 1,
					},
		.policy = w.policy,
		.deadline_ms = c->deadline_ms,
		.own_prompt = c->own_prompt,
		.lasting = c->lasting,
		.can_hold = true,
		.second = c->second,
		.expires_ms = w.now + 40000,
		.agent = "claude-code",
	};

	c->call.roots = &root;
	c->call.root_count = 1;
	c->handle = p.handle;
	arena_reset(w.a);
	decide_post(w.d, w.a, &p, w.now);
}

/* Looks, and remembers what it saw for the next post. */
static void
look(struct client *c, const struct decide_act *act)
{
	c->answer_count = 0;
	for (size_t i = 0; i < act->need_count && i < NEEDS; i++) {
		struct call_answer *to = &c->answers[c->answer_count++];

		(void)snprintf(c->names[i], sizeof(c->names[i]), "%.*s",
			STR_ARG(act->needs[i].name));
		to->kind = act->needs[i].kind;
		to->name = str_from(c->names[i]);
		to->value = to->kind == CALL_NEED_GIT ? STR("plain")
			: to->kind == CALL_NEED_PROGRAM   ? STR("/usr/bin/x")
			: to->kind == CALL_NEED_LINK      ? to->name
											  : (struct str){0};
	}
}

static void
leave(struct client *c)
{
	uint64_t handle = c->handle;

	c->left = true;
	c->handle = 0;
	if (handle != 0)
		decide_gone(w.d, handle, w.now);
}

static void
move_client(size_t i)
{
	struct client *c = &w.clients[i];

	if (!c->started || c->answered || c->left) {
		start_client(c, i);
		post(c);
	} else if (c->handle == 0) {
		w.reruns++;
		post(c);
	} else if (roll(3) == 0) {
		leave(c);
	}
}

/* --- people --------------------------------------------------------------- */

static void
look_at_cards(void)
{
	struct store_card *cards;
	size_t n = 0;

	arena_reset(w.a);
	HOLDS(ARENA_TRY(w.a));
	HOLDS(store_read_cards(w.reader, w.a, &cards, &n) == 0);
	for (size_t i = 0; i < n && w.card_count < ARRAY_LEN(w.cards); i++) {
		struct card_seen *seen = &w.cards[w.card_count++];

		seen->number = cards[i].number;
		seen->round = cards[i].round;
		(void)snprintf(seen->id, sizeof(seen->id), "%lld-%.8s",
			(long long)cards[i].number, cards[i].digest.ptr);
	}
}

static int64_t
ids_newest(const struct str *ids, size_t count)
{
	int64_t number = 0;
	struct str digest8;

	HOLDS(decide_card_id_from(ids[count - 1], &number, &digest8));
	return number;
}

/* The same to later cards of the anchor's round, and sometimes to any other. */
static void
reply_to_some(const struct decide_reply *r, const struct card_seen *anchor)
{
	struct str ids[4];
	size_t n = 0;

	ids[n++] = r->id;
	for (size_t i = 0; i < w.card_count && n < ARRAY_LEN(ids); i++) {
		const struct card_seen *c = &w.cards[i];
		bool is_of_it =
			c->round == anchor->round && c->number > ids_newest(ids, n);

		if (is_of_it || roll(200) == 0)
			ids[n++] = str_from(c->id);
	}
	decide_reply_together(w.d, r, ids, n, w.now);
}

static void
reply(void)
{
	static const enum call_reply replies[] = {
		CALL_REPLY_ONCE, CALL_REPLY_ONCE, CALL_REPLY_REJECT};

	look_at_cards();
	if (w.card_count == 0 || w.reply_count == HANDLES)
		return;
	const struct card_seen *card = &w.cards[roll(w.card_count)];
	struct decide_reply r = {
		.handle = ++w.next_handle,
		.id = str_from(card->id),
		.reply = replies[roll(ARRAY_LEN(replies))],
		.note = roll(2) ? STR(" well \x1b[31m ") : (struct str){0                   },
		.who = { .name = STR("me"), .level = STR("tty")},
	};

	w.replies[w.reply_count++] = r.handle;
	if (roll(5) != 0)
		reply_to_some(&r, card);
	else
		decide_reply(w.d, &r, w.now);
}

/* --- the model ------------------------------------------------------------ */

static bool
drop_question(int64_t number)
{
	for (size_t i = 0; i < w.question_count; i++) {
		if (w.questions[i] == number) {
			w.questions[i] = w.questions[--w.question_count];
			return true;
		}
	}
	return false;
}

static void
take_question(const struct decide_act *act)
{
	HOLDS(act->handle == 0 && act->number > 0 && act->ask.left_ms > 0);
	HOLDS(str_has(act->ask.user, STR("<tool_call>")));
	HOLDS(act->ask.prefix < act->ask.user.len);
	for (size_t i = 0; i < w.question_count; i++)
		HOLDS(w.questions[i] != act->number);
	HOLDS(w.question_count < HANDLES);
	w.questions[w.question_count++] = act->number;
	w.questioned++;
}

static void
answer_question(void)
{
	struct decide_judged j = {.cost_nano = -1};

	if (w.question_count == 0)
		return;
	int64_t number = w.questions[roll(w.question_count)];

	j.verdict.says = (enum judge_says)roll(JUDGE_SAYS_COUNT);
	j.verdict.risk = (enum call_risk)roll(CALL_RISK_COUNT);
	j.reason = STR("no answer");
	HOLDS(drop_question(number));
	decide_judged(w.d, number, &j, w.now);
}

/* --- the loop ------------------------------------------------------------- */

struct count {
	size_t n;
};

static bool
count_row(void *data, const struct store_audit *row)
{
	(void)row;
	((struct count *)data)->n++;
	return true;
}

static bool
count_reply(void *data, const struct store_audit *row)
{
	((struct count *)data)->n += row->reply != CALL_REPLY_NONE;
	return true;
}

/* A person's reply is in the audit. */
static bool
has_reply(int64_t hearing)
{
	struct count c = {0};

	HOLDS(store_read_audit(w.reader, &(struct store_filter){.hearing = hearing},
			  count_reply, &c)
		== 0);
	return c.n > 0;
}

static bool
has_row(int64_t hearing, enum call_verdict verdict)
{
	struct count c = {0};

	HOLDS(store_read_audit(w.reader,
			  &(struct store_filter){
				  .hearing = hearing,
				  .kind = STORE_KIND_DECISION,
				  .verdict = verdict,
			  },
			  count_row, &c)
		== 0);
	return c.n > 0;
}

static void
do_send(const struct decide_act *act)
{
	struct client *c = client_of(act->handle);

	HOLDS(c && !c->left && !c->answered);
	HOLDS(act->answer.verdict != CALL_VERDICT_NONE);
	w.sends++;
	if (act->answer.verdict == CALL_VERDICT_ALLOW) {
		w.allows++;
		HOLDS(!act->answer.unrecorded);
		HOLDS(has_row(act->number, CALL_VERDICT_ALLOW));
	}
	if (!act->answer.unrecorded && act->number != 0)
		HOLDS(has_row(act->number, act->answer.verdict));
	c->answered = true;
	c->handle = 0;
	/* the connection may break under the answer */
	decide_sent(w.d, act->number, roll(10) != 0, w.now);
}

static void
count_done(int64_t number)
{
	HOLDS(has_reply(number));
	for (size_t i = 0; i < w.done_count; i++)
		HOLDS(w.done[i] != number);
	HOLDS(w.done_count < HANDLES);
	w.done[w.done_count++] = number;
}

static void
do_replied(const struct decide_act *act)
{
	bool found = false;

	for (size_t i = 0; i < w.reply_count; i++) {
		if (w.replies[i] == act->handle) {
			w.replies[i] = w.replies[--w.reply_count];
			found = true;
			break;
		}
	}
	HOLDS(found);
	for (size_t i = 0; i < act->told_count; i++) {
		int64_t number = 0;
		struct str digest8;

		if (act->told[i].what != DECIDE_DONE)
			continue;
		HOLDS(act->replied == DECIDE_DONE);
		HOLDS(decide_card_id_from(act->told[i].id, &number, &digest8));
		count_done(number);
		w.together++;
	}
	if (act->replied == DECIDE_DONE && act->told_count == 0)
		count_done(act->number);
}

static void
do_acts(size_t most)
{
	struct arena *a = arena_new(8 << 20);
	struct decide_act act;

	HOLDS(a && ARENA_TRY(a));
	for (size_t done = 0; done < most && decide_next(w.d, a, &act); done++) {
		struct client *c = client_of(act.handle);

		switch (act.kind) {
		case DECIDE_ACT_SEND:
			/* a loop does not send to a connection that closed meanwhile */
			if (c)
				do_send(&act);
			else
				decide_sent(w.d, act.number, false, w.now);
			break;
		case DECIDE_ACT_NEED:
			if (c) {
				c->handle = 0; /* it posts again, or not */
				look(c, &act);
			}
			break;
		case DECIDE_ACT_DROP:
			if (c) {
				c->handle = 0;
				c->answer_count = 0; /* it begins anew */
			}
			break;
		case DECIDE_ACT_REPLIED:
			do_replied(&act);
			break;
		case DECIDE_ACT_JUDGE:
			take_question(&act);
			break;
		case DECIDE_ACT_UNJUDGE:
			(void)drop_question(act.number);
			break;
		case DECIDE_ACT_NONE:
		case DECIDE_ACT_CARD:
		case DECIDE_ACT_CHANGED:
		case DECIDE_ACT_JOURNAL:
			break;
		}
	}
	arena_free(a);
}

static void
take(void)
{
	if (!w.out)
		w.out = decide_take_batch(w.d);
}

static void
finish_batch(bool ok)
{
	struct store_batch *b = w.out;

	if (!b)
		return;
	w.out = NULL;
	int r = ok ? store_commit(w.store, b)
			   : fail_here(FAIL_SPACE, "the disk is full");

	HOLDS(!ok || r == 0);
	decide_committed(w.d, b, r, w.now);
}

static void
begin(void)
{
	struct store_opened o;

	HOLDS(store_open(folder, w.now, &w.store, &o) == 0);
	HOLDS(!o.cut && !o.power_cut);
	HOLDS(store_reader_open(folder, &w.reader) == 0);
	HOLDS(decide_new(w.reader, &o, w.now, &w.d) == 0);
}

/* The daemon dies where it stands; the batch that is out may still land. */
static void
restart(void)
{
	bool orderly = roll(3) == 0;

	w.restarts++;
	if (orderly) {
		decide_stop(w.d, w.now);
		do_acts(SIZE_MAX);
		for (int i = 0; i < 4; i++) {
			take();
			finish_batch(true);
			do_acts(SIZE_MAX);
		}
	} else if (w.out) {
		if (roll(2))
			HOLDS(store_commit(w.store, w.out) == 0);
		store_batch_free(w.out);
		w.out = NULL;
	}
	decide_free(w.d);
	store_reader_close(w.reader);
	store_close(w.store, w.now);
	for (size_t i = 0; i < CLIENTS; i++)
		w.clients[i].handle = 0, w.clients[i].answer_count = 0;
	w.reply_count = w.question_count = 0;
	w.now += (int64_t)roll(3000);
	begin();
}

static void
change_world(void)
{
	(void)snprintf(
		w.changed, sizeof(w.changed), "/%llu", (unsigned long long)roll(3));
}

static void
step(void)
{
	switch (roll(18)) {
	case 0:
	case 1:
	case 2:
	case 3:
		move_client(roll(CLIENTS));
		break;
	case 4:
	case 5:
		reply();
		break;
	case 6:
		w.now += (int64_t)roll(20000);
		(void)decide_tick(w.d, w.now);
		break;
	case 7:
		w.now += (int64_t)roll(50);
		(void)decide_tick(w.d, w.now);
		break;
	case 8:
	case 9:
	case 10:
		take();
		break;
	case 11:
	case 12:
		finish_batch(roll(5) != 0);
		break;
	case 13:
		do_acts(1 + roll(4));
		break;
	case 14:
		do_acts(SIZE_MAX);
		break;
	case 15:
	case 16:
		answer_question();
		break;
	default:
		if (roll(6) == 0)
			restart();
		else if (roll(4) == 0)
			change_world();
		else if (roll(12) == 0)
			decide_session_end(w.d, STR("s2"), w.now);
		break;
	}
}

/* Everything that is still open comes to its end. */
static void
end(void)
{
	struct decide_status status;
	struct store_card *cards;
	size_t n = 1;

	for (int i = 0; i < 12; i++) {
		for (size_t c = 0; c < CLIENTS; c++) {
			if (w.clients[c].started && !w.clients[c].left
				&& !w.clients[c].answered && w.clients[c].handle == 0)
				post(&w.clients[c]);
		}
		for (int k = 0; k < 3; k++) {
			take();
			finish_batch(true);
			do_acts(SIZE_MAX);
		}
		w.now += 30000;
		(void)decide_tick(w.d, w.now);
	}
	/* what a failed batch left to be written goes with the next one */
	decide_record(
		w.d, &(struct store_audit){.kind = STORE_KIND_START}, 0, w.now);
	take();
	finish_batch(true);
	for (size_t i = 0; i < CLIENTS; i++)
		HOLDS(!w.clients[i].started || w.clients[i].left
			|| w.clients[i].answered);
	HOLDS(w.reply_count == 0);
	decide_status(w.d, &status);
	HOLDS(status.hearings == 0 && status.cards == 0 && status.held == 0);
	arena_reset(w.a);
	HOLDS(ARENA_TRY(w.a));
	HOLDS(store_read_cards(w.reader, w.a, &cards, &n) == 0);
	for (size_t i = 0; i < n; i++)
		print_error("left: card %lld, %s\n", (long long)cards[i].number,
			store_card_state_name(cards[i].state));
	HOLDS(n == 0);
}

static void
run_seed(uint64_t seed)
{
	w.seed = seed;
	w.random = seed * 77777;
	w.card_count = w.reply_count = w.done_count = w.question_count = 0;
	w.policy = seed % 2 ? w.judged : w.plain;
	memset(w.clients, 0, sizeof(w.clients));
	change_world();
	for (int i = 0; i < STEPS; i++)
		step();
	end();
}

static uint64_t first_seed = 1, seed_count = SEEDS;

static void
test_interleavings(void **state)
{
	struct store_verified v;
	struct policy_faults faults;

	(void)state;
	w.now = 1000000;
	w.a = arena_new(64 << 20);
	w.plain = policy_new();
	w.judged = policy_new();
	assert_true(policy_add(w.judged, POLICY_LAYER_USER, STR("assent.conf"),
		STR("set judge.provider ollama\n"), w.a, &faults));
	begin();
	for (uint64_t s = first_seed; s < first_seed + seed_count; s++)
		run_seed(s);
	assert_int_equal(store_verify(w.reader, (struct str){0}, &v), 0);
	assert_int_equal(v.proof, STORE_CONSISTENT);
	print_message("%llu sends, %llu of them allow; %llu came back; "
				  "%llu restarts; %llu questions; %llu together; %lld rows\n",
		w.sends, w.allows, w.reruns, w.restarts, w.questioned, w.together,
		(long long)v.rows);
	/* the test must have met what it is about */
	assert_true(seed_count < SEEDS
		|| (w.allows > 1000 && w.restarts > 100 && w.reruns > 500
			&& w.questioned > 500 && w.together > 50));
	decide_free(w.d);
	store_reader_close(w.reader);
	store_close(w.store, w.now);
	policy_unref(w.plain);
	policy_unref(w.judged);
	arena_free(w.a);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_interleavings, folder_setup, folder_teardown),
	};

	if (argc > 1)
		first_seed = strtoull(argv[1], NULL, 10);
	if (argc > 2)
		seed_count = strtoull(argv[2], NULL, 10);
	/* thousands of commits: not on a disk, where there is another place */
	if (access("/dev/shm", W_OK) == 0)
		// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
		(void)setenv("TMPDIR", "/dev/shm", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
