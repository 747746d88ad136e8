/*
 * How long it takes to build the prompt for one call with 500 calls in its
 * turn's history (goal: 50 microseconds in the median). The baseline of the same
 * run is putting the same message into a request as a JSON string, which has to
 * be done for any provider.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "facts/facts.h"
#include "judge/judge.h"

enum { ENTRIES = 500, ROUNDS = 4000, WARM_ROUNDS = 100, GOAL_NS = 50000 };

static const char *const commands[] = {
	"npm run deploy -- --env staging",
	"curl -s https://internal.example/api/v1/items | jq '.[] | .id'",
	"docker compose up -d && docker compose logs --tail 50 web",
	"git push origin HEAD:refs/for/main",
	"for f in *.sql; do psql -h db.example -f \"$f\" || break; done",
};

#define REPLY                                                                 \
	"I have looked at the tests that fail. The cause is in the way in which " \
	"the cache is cleared, and I will now deploy the change to staging so "   \
	"that the suite can run against it. "

static int64_t
now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static double
percentile(const int64_t *ns, size_t p)
{
	size_t at = (ROUNDS - 1) * p / 100;

	return (double)ns[at];
}

/* Entries as they come: a hundred bytes each, some with a note. */
static struct judge_turn *
make_turn(struct arena *a)
{
	const struct judge_message messages[] = {
		{true, false, STR("Find out why the suite fails, and deploy a fix.")},
		{true, false, STR("Staging only, please; production is frozen.")    },
	};
	const struct judge_context c = {
		.agent = STR("claude-code"),
		.messages = messages,
		.message_count = ARRAY_LEN(messages),
	};
	struct judge_turn *t = judge_turn_new(a, &c);

	CHECK(t);
	for (int i = 0; i < ENTRIES; i++) {
		const struct str resource = arena_fmt(
			a, "sed -n '%d,%dp' src/component_%d/handler.ts", i, i + 40, i);

		judge_turn_add(t,
			&(struct judge_entry){
				.tool_name = STR("Bash"),
				.action = STR("shell"),
				.resources = &resource,
				.resource_count = 1,
				.outcome = STR("allowed"),
				.note = i % 50 == 0 ? STR("go on like this") : STR(""),
				.source = JUDGE_SOURCE_USER,
			});
	}
	return t;
}

struct sample {
	struct call call;
	struct call_facts facts;
};

static void
make_sample(struct arena *a, const char *command, struct sample *s)
{
	static struct str root = {"/home/u/project", 15};
	struct call_world *w = ARENA_NEW(a, struct call_world);
	CLEANUP(buf_done) struct buf input;

	buf_init(&input, 1 << 16);
	buf_add(&input, STR("{\"command\":"));
	buf_add_json(&input, str_from(command));
	buf_add(&input, STR(",\"description\":\"Deploys it\"}"));
	w->assumed = true;
	w->home = STR("/home/u");
	s->call = (struct call){
		.tool = CALL_TOOL_SHELL,
		.tool_name = STR("Bash"),
		.command = str_from(command),
		.input = arena_dup(a, buf_str(&input)),
		.cwd = root,
		.roots = &root,
		.root_count = 1,
	};
	facts_of(a, &s->call, w, &s->facts);
}

/* One prompt; its bytes stay in user. */
static int64_t
time_prompt(
	const struct judge_turn *t, const struct sample *s, struct buf *user)
{
	const struct judge_question q = {
		.call = &s->call,
		.facts = &s->facts,
		.agent_reply = STR(REPLY REPLY REPLY REPLY),
	};
	struct str failure;

	buf_clear(user);
	int64_t start = now_ns();

	CHECK(judge_prompt(t, &q, user, &failure));
	return now_ns() - start;
}

static int64_t
time_json(struct str user, struct buf *request)
{
	buf_clear(request);
	int64_t start = now_ns();

	buf_add_json(request, user);
	return now_ns() - start;
}

int
main(void)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	CLEANUP(buf_done) struct buf user, request;
	struct sample samples[ARRAY_LEN(commands)];
	static int64_t prompt[ROUNDS], json[ROUNDS];

	buf_init(&user, JUDGE_USER_BYTES);
	buf_init(&request, 8 * (size_t)JUDGE_USER_BYTES);
	CHECK(a);
	CHECK(ARENA_TRY(a));
	CLEANUP(judge_turn_freep) struct judge_turn *t = make_turn(a);

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		make_sample(a, commands[i], &samples[i]);
	for (int i = -WARM_ROUNDS; i < ROUNDS; i++) {
		int64_t p = time_prompt(t,
			&samples[(size_t)(i + WARM_ROUNDS) % ARRAY_LEN(commands)], &user);
		int64_t j = time_json(buf_str(&user), &request);

		if (i >= 0) {
			prompt[i] = p;
			json[i] = j;
		}
	}
	qsort(prompt, ROUNDS, sizeof(*prompt), compare);
	qsort(json, ROUNDS, sizeof(*json), compare);
	(void)printf("building a prompt, %d calls in the history, %zu KiB\n",
		ENTRIES, user.len >> 10);
	(void)printf("  into a request as JSON  %8.2f us median\n",
		percentile(json, 50) / 1e3);
	(void)printf("  building it             %8.2f us median %8.2f us p99 "
				 "%6.2f x JSON\n",
		percentile(prompt, 50) / 1e3, percentile(prompt, 99) / 1e3,
		percentile(prompt, 50) / percentile(json, 50));
	(void)printf("  goal: %.0f us median (%s)\n", GOAL_NS / 1e3,
		percentile(prompt, 50) <= GOAL_NS ? "kept" : "NOT kept");
	return EXIT_SUCCESS;
}
