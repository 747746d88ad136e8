/*
 * What asking a model through assent costs above asking it bare, in the same run,
 * of the same scripted server, over one kept connection each (DESIGN 8: 1 ms);
 * and a thousand questions in flight: how much memory the two ends have then.
 *
 *	judge ADDRESS                 the server of tests/model, with answers at once
 *	judge ADDRESS COUNT PARALLEL  that many questions at once
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "llm/curl.h"
#include "llm/llm.h"
#include "llm/provider.h"

enum {
	ROUNDS = 300,
	WARM = 20,
	USER_BYTES = 8 << 10, /* a turn with some history */
	MANY_BYTES = 20 << 10,
	LEFT_MS = 120000,
	GOAL_US = 1000,
};

static uv_loop_t loop;
static char user[MANY_BYTES];
static size_t answered, allowed;

static int64_t
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void
on_answered(void *data, const struct llm_answer *n)
{
	(void)data;
	answered++;
	allowed += n->verdict.says == JUDGE_SAYS_ALLOW;
}

static void
on_said(void *data, const char *line)
{
	(void)data;
	(void)fprintf(stderr, "%s\n", line);
}

/* A question that no other is like. */
static void
ask(struct llm *l, uint64_t id, size_t bytes)
{
	char session[32];
	int n = snprintf(
		session, sizeof(session), "session-%llu", (unsigned long long)id % 50);

	(void)snprintf(user, 24, "%020llu ", (unsigned long long)id);
	llm_ask(l,
		&(struct llm_ask){
			.id = id,
			.session = {session, (size_t)n},
			.system = judge_system(),
			.user = {user,    bytes    },
			.left_ms = LEFT_MS,
    });
}

static void
wait_for(size_t count)
{
	while (answered < count)
		(void)uv_run(&loop, UV_RUN_ONCE);
}

/* --- bare ------------------------------------------------------------------------------ */

static size_t
// NOLINTNEXTLINE(readability-non-const-parameter): the library's signature
on_bytes(char *bytes, size_t size, size_t n, void *data)
{
	(void)bytes;
	*(size_t *)data += size * n;
	return size * n;
}

struct bare {
	struct llm_curl curl;
	CURL *easy;
	struct curl_slist *headers;
	struct buf body;
	size_t bytes;
};

static void
bare_open(struct bare *b, const char *address)
{
	CHECK(llm_curl_load(&b->curl) == 0);
	b->easy = b->curl.easy_init();
	b->headers = b->curl.slist_append(NULL, "content-type: application/json");
	b->headers = b->curl.slist_append(b->headers, "expect:");
	(void)b->curl.easy_setopt(b->easy, CURLOPT_URL, address);
	(void)b->curl.easy_setopt(b->easy, CURLOPT_HTTPHEADER, b->headers);
	(void)b->curl.easy_setopt(b->easy, CURLOPT_WRITEFUNCTION, on_bytes);
	(void)b->curl.easy_setopt(b->easy, CURLOPT_WRITEDATA, &b->bytes);
	buf_init(&b->body, 1 << 20);
}

static void
bare_ask(struct bare *b)
{
	(void)b->curl.easy_setopt(b->easy, CURLOPT_POSTFIELDS, b->body.ptr);
	(void)b->curl.easy_setopt(
		b->easy, CURLOPT_POSTFIELDSIZE, (long)b->body.len);
	CHECK(b->curl.easy_perform(b->easy) == CURLE_OK);
}

/* --- figures ----------------------------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int64_t
median(int64_t *list, size_t n)
{
	qsort(list, n, sizeof(*list), compare);
	return list[n / 2];
}

static void
measure(struct llm *l, const char *address)
{
	static int64_t ours[ROUNDS], bare[ROUNDS];
	const struct llm_row *row = llm_row_of(LLM_KIND_OPENAI);
	struct bare b = {0};
	char url[200];
	size_t asked = 0;

	(void)snprintf(url, sizeof(url), "%s/v1/chat/completions", address);
	bare_open(&b, url);
	row->write(&b.body, row,
		&(struct llm_request){
			.model = STR("scripted"),
			.system = judge_system(),
			.user = {user, USER_BYTES},
			.schema = judge_schema(),
    });
	for (int i = -WARM; i < ROUNDS; i++) {
		int64_t at = now_us();

		bare_ask(&b);
		int64_t between = now_us();

		ask(l, ++asked, USER_BYTES);
		wait_for(asked);
		if (i >= 0) {
			bare[i] = between - at;
			ours[i] = now_us() - between;
		}
	}
	CHECK(allowed == ROUNDS + WARM);
	int64_t plain = median(bare, ROUNDS), all = median(ours, ROUNDS);

	printf("%-44s %lld us\n", "the provider alone", (long long)plain);
	printf("%-44s %lld us\n", "through assent", (long long)all);
	printf("%-44s %lld us (goal %d)\n", "added, median of 300",
		(long long)(all - plain), GOAL_US);
}

static long
peak_kib(int64_t pid)
{
	char path[64], line[256];
	long kib = 0;

	(void)snprintf(path, sizeof(path), "/proc/%lld/status", (long long)pid);
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = strtol(line + 6, NULL, 10);
	}
	if (f)
		(void)fclose(f);
	return kib;
}

static void
measure_many(struct llm *l, size_t count)
{
	long before = peak_kib(getpid());
	int64_t at = now_us();

	for (size_t i = 1; i <= count; i++)
		ask(l, i, MANY_BYTES);
	int64_t asked = now_us();

	while (answered < count)
		(void)uv_run(&loop, UV_RUN_ONCE);
	printf("%-44s %zu answered, %zu allowed, in %lld ms\n",
		"questions at once, 20 KiB each", answered, allowed,
		(long long)(now_us() - at) / 1000);
	printf("%-44s %lld ms\n", "the daemon's loop was held for",
		(long long)(asked - at) / 1000);
	printf("%-44s %ld MiB\n", "the child at most",
		peak_kib(llm_child_pid(l)) / 1024);
	printf("%-44s %ld MiB\n", "the daemon's end grew by",
		(peak_kib(getpid()) - before) / 1024);
}

int
main(int argc, char **argv)
{
	const struct llm_hooks hooks = {
		.answered = on_answered,
		.said = on_said,
	};
	struct llm_settings s = {.parallel = 8};
	struct llm *l = NULL;

	if (argc == 2 && strcmp(argv[1], LLM_CHILD_FLAG) == 0)
		return llm_child_main();
	if (argc != 2 && argc != 4)
		return 2;
	memset(user, 'x', sizeof(user));
	if (argc == 4)
		s.parallel = strtol(argv[3], NULL, 10);
	s.providers[LLM_ROLE_FIRST] = (struct llm_provider){
		.kind = LLM_KIND_OPENAI,
		.model = STR("scripted"),
		.url = str_from(argv[1]),
	};
	CHECK(uv_loop_init(&loop) == 0);
	CHECK(llm_new(&loop, &hooks, &l) == 0);
	llm_configure(l, &s);
	if (argc == 4)
		measure_many(l, strtoul(argv[2], NULL, 10));
	else
		measure(l, argv[1]);
	llm_free(l);
	return 0;
}
