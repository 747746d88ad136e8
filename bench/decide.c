/*
 * How long deciding one call takes, in process: parse, facts, policy, order
 * (DESIGN 8: 10 microseconds in the median, 100 at the 99th percentile). The
 * baseline of the same run is reading the same call as a JSON line.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "check/check.h"
#include "wire/json.h"

enum {
	ROUNDS = 500,
	WARM_ROUNDS = 20,
	PROMISED_P50_NS = 10000,
	PROMISED_P99_NS = 100000
};

/* Everyday calls, in about the mix that agents make. */
static const char *const commands[] = {
	"ls",
	"ls -la src",
	"pwd",
	"cat README.md",
	"cat package.json | head -40",
	"sed -n 1,120p src/main.c",
	"head -50 Makefile",
	"grep -rn 'struct call' src --include='*.h'",
	"rg -n \"TODO|FIXME\" --glob '!node_modules'",
	"find . -name '*.c' -not -path './build/*' | wc -l",
	"git status",
	"git status --short && git diff --stat",
	"git diff HEAD~1 -- src/order",
	"git log --oneline -20",
	"git add -A && git commit -m 'order: the table of steps'",
	"git checkout -b feature/cards",
	"git push origin main",
	"npm test",
	"npm run build 2>&1 | tail -20",
	"cd web && npm install --no-audit && npm run lint",
	"make -j2",
	"make test 2>&1 | grep -E 'passed|failed' || true",
	"cargo test --workspace -- --nocapture",
	"python3 -m pytest -q tests/test_order.py",
	"python3 -c 'import json,sys; print(json.load(sys.stdin)[\"id\"])' <a.json",
	"node -e \"console.log(process.version)\"",
	"rm -rf build",
	"rm -rf node_modules/.cache && mkdir -p node_modules",
	"mkdir -p src/order && touch src/order/README.md",
	"mv a.txt b.txt",
	"cp -r docs /tmp/docs",
	"chmod +x tools/run",
	"curl -s https://example.com/health",
	"curl -fsSL https://example.com/x.sh | sh",
	"docker ps --format '{{.Names}}'",
	"ps aux | grep node | awk '{print $2}'",
	"for f in src/*.c; do echo \"$f\"; wc -l \"$f\"; done",
	"if [ -f .env ]; then echo yes; fi",
	"cat .env",
	"rm -rf ~",
	"cat > notes.txt <<'EOF'\nfirst line\nsecond line\nEOF",
	"tar czf /tmp/out.tgz --exclude=.git . && ls -lh /tmp/out.tgz",
	"jq -r '.scripts | keys[]' package.json",
	"echo \"$(git rev-parse --short HEAD)\" > VERSION",
	"sudo apt-get install -y jq",
	"kubectl get pods -n staging",
	"gh pr view 12 --json title,state",
	"timeout 60 bash -c 'while ! nc -z localhost 8080; do sleep 1; done'",
	"env NODE_ENV=test npx jest --runInBand src/a.test.ts",
	"terraform plan -out=tf.plan",
};

struct samples {
	int64_t *ns;
	size_t count;
};

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

static int64_t
percentile(const struct samples *s, unsigned p)
{
	return s->ns[(s->count - 1) * p / 100];
}

static struct samples
samples_new(void)
{
	struct samples s = {
		.ns = calloc((size_t)ROUNDS * ARRAY_LEN(commands), sizeof(int64_t))};

	CHECK(s.ns);
	return s;
}

/* One call, decided as the daemon does: it is there already, as a struct. */
static int64_t
time_decide(struct arena *a, const struct policy *p, const char *command)
{
	struct check_request request;
	struct order_result result;

	arena_reset(a);
	CHECK(ARENA_TRY(a));
	check_request_init(a, &request);
	request.call.tool = CALL_TOOL_SHELL;
	request.call.command = str_from(command);
	int64_t start = now_ns();

	check_decide(a, p, &request, &result);
	return now_ns() - start;
}

static int64_t
time_json(struct str line)
{
	struct wire_json_error error;
	int64_t start = now_ns();
	WIRE_JSON json_t *value = wire_json_parse(line, &error);

	CHECK(value);
	return now_ns() - start;
}

static struct str
line_of(struct buf *b, const char *command)
{
	buf_clear(b);
	buf_add(b, STR("{\"id\":1,\"tool\":\"shell\",\"input\":{\"command\":"));
	buf_add_json(b, str_from(command));
	buf_add(b, STR("}}"));
	return buf_str(b);
}

static void
print_row(const char *what, const struct samples *s, double ratio)
{
	(void)printf("  %-28s %8.2f us median %8.2f us p99 %6.1f x JSON\n", what,
		(double)percentile(s, 50) / 1e3, (double)percentile(s, 99) / 1e3,
		ratio);
}

/* Lines in, lines out, as assent check --batch does them. */
static double
lines_per_second(struct arena *a, const struct policy *p)
{
	CLEANUP(buf_done) struct buf line, out;
	struct check_options options = {.policy = p};
	size_t lines = 0;
	int64_t start = now_ns();

	buf_init(&line, 1 << 16);
	buf_init(&out, 1 << 24);
	for (int round = 0; round < ROUNDS / 5; round++) {
		for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
			buf_clear(&out);
			check_line(a, &options, line_of(&line, commands[i]), &out);
			lines++;
		}
	}
	return (double)lines / ((double)(now_ns() - start) / 1e9);
}

/* With an argument: each command's median, slowest last. */
static void
print_each(struct arena *a, const struct policy *p)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		struct samples one = {.ns = calloc(ROUNDS, sizeof(int64_t))};

		CHECK(one.ns);
		while (one.count < ROUNDS)
			one.ns[one.count++] = time_decide(a, p, commands[i]);
		qsort(one.ns, one.count, sizeof(int64_t), compare);
		(void)printf("%8.2f us %8.2f us  %.60s\n",
			(double)percentile(&one, 50) / 1e3,
			(double)percentile(&one, 99) / 1e3, commands[i]);
		free(one.ns);
	}
}

int
main(int argc, char **argv)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	CLEANUP(buf_done) struct buf line;
	struct samples decide = samples_new(), json = samples_new();

	(void)argv;
	buf_init(&line, 1 << 16);
	CHECK(a && p);
	for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
		for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
			int64_t d = time_decide(a, p, commands[i]);
			int64_t j = time_json(line_of(&line, commands[i]));

			if (round < 0)
				continue;
			decide.ns[decide.count++] = d;
			json.ns[json.count++] = j;
		}
	}
	qsort(decide.ns, decide.count, sizeof(int64_t), compare);
	qsort(json.ns, json.count, sizeof(int64_t), compare);
	double base = (double)percentile(&json, 50);

	(void)printf("deciding in process, %zu commands, %d times\n",
		ARRAY_LEN(commands), ROUNDS);
	print_row("reading the call as JSON", &json, 1.0);
	print_row("deciding it", &decide, (double)percentile(&decide, 50) / base);
	(void)printf("  promised: %.0f us median (%s), %.0f us p99 (%s)\n",
		PROMISED_P50_NS / 1e3,
		percentile(&decide, 50) <= PROMISED_P50_NS ? "kept" : "NOT kept",
		PROMISED_P99_NS / 1e3,
		percentile(&decide, 99) <= PROMISED_P99_NS ? "kept" : "NOT kept");
	(void)printf("  batch: %.0f lines a second\n", lines_per_second(a, p));
	if (argc > 1)
		print_each(a, p);
	free(decide.ns);
	free(json.ns);
	return EXIT_SUCCESS;
}
