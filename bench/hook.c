/*
 * What the hook's client costs above a bare process start: `/bin/true` and
 * `assent hook` in turn, in the same run, with a warm daemon. Prints medians and
 * their difference.
 *
 *	build/bench/hook ROUNDS ASSENT FLAG...
 */

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum { ROUNDS_MAX = 10000, FLAGS_MAX = 16 };

struct cost {
	double wall_us, cpu_us, rss_kib;
};

struct runs {
	struct cost costs[ROUNDS_MAX];
	size_t count;
};

static const struct {
	const char *name, *event, *input;
} calls[] = {
	{"an event that decides nothing",                "PostToolUse",
     "{\"session_id\":\"bench\",\"cwd\":\"%s\",\"hook_event_name\":"
		"\"PostToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
		"\"ls\"},\"tool_response\":{}}"},
	{"a refused command",							"PreToolUse",
     "{\"session_id\":\"bench\",\"cwd\":\"%s\",\"hook_event_name\":"
		"\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
		"\"rm -rf /\"}}"               },
	{"an allowed command, with a look at the world", "PreToolUse",
     "{\"session_id\":\"bench\",\"cwd\":\"%s\",\"hook_event_name\":"
		"\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
		"\"ls -la\"}}"                 },
};

static double
now_us(void)
{
	struct timespec t;

	CHECK(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
us_of(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* Runs the program once, its input from in, its output thrown away. */
static struct cost
run_once(char *const *argv, int in)
{
	posix_spawn_file_actions_t files;
	struct rusage used;
	pid_t child = 0;
	int status = 0;
	double start = now_us();

	CHECK(lseek(in, 0, SEEK_SET) == 0);
	CHECK(posix_spawn_file_actions_init(&files) == 0);
	CHECK(posix_spawn_file_actions_adddup2(&files, in, 0) == 0);
	CHECK(posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
		== 0);
	CHECK(posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
		== 0);
	CHECK(posix_spawn(&child, argv[0], &files, NULL, argv, environ) == 0);
	CHECK(wait4(child, &status, 0, &used) == child);
	struct cost cost = {
		.wall_us = now_us() - start,
		.cpu_us = us_of(used.ru_utime) + us_of(used.ru_stime),
		.rss_kib = (double)used.ru_maxrss,
	};

	CHECK(posix_spawn_file_actions_destroy(&files) == 0);
	CHECK(WIFEXITED(status));
	return cost;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of one of the costs, found by its offset. */
static double
median(const struct runs *r, size_t offset)
{
	static double values[ROUNDS_MAX];

	for (size_t i = 0; i < r->count; i++)
		memcpy(&values[i], (const char *)&r->costs[i] + offset, sizeof(double));
	qsort(values, r->count, sizeof(double), compare);
	return values[r->count / 2];
}

static void
print_row(const char *what, const struct runs *bare, const struct runs *hook)
{
	static const struct {
		const char *name, *unit;
		size_t offset;
		double per, goal;
	} columns[] = {
		{"CPU",    "ms",  offsetof(struct cost, cpu_us),  1000, 1},
		{"wall",   "ms",  offsetof(struct cost, wall_us), 1000, 3},
		{"memory", "MiB", offsetof(struct cost, rss_kib), 1024, 6},
	};

	(void)printf("%s\n", what);
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		double low = median(bare, columns[i].offset) / columns[i].per;
		double high = median(hook, columns[i].offset) / columns[i].per;

		(void)printf("  %-7s /bin/true %6.2f %-3s  hook %6.2f %-3s  above it "
					 "%6.2f %-3s (goal %.0f)  %.1f times\n",
			columns[i].name, low, columns[i].unit, high, columns[i].unit,
			high - low, columns[i].unit, columns[i].goal, high / low);
	}
}

/* A file that holds the agent's words, to be read again and again. */
static int
make_input(const char *format)
{
	char path[] = "/tmp/assent-bench.XXXXXX";
	char cwd[4096];
	int fd = mkostemp(path, O_CLOEXEC);

	CHECK(fd >= 0 && getcwd(cwd, sizeof(cwd)));
	(void)unlink(path);
	for (const char *p = format; *p; p++) {
		bool folder = p[0] == '%' && p[1] == 's';

		CHECK(write(fd, folder ? cwd : p, folder ? strlen(cwd) : 1) > 0);
		p += folder;
	}
	return fd;
}

int
main(int argc, char **argv)
{
	static struct runs bare, hook;
	static char bare_name[] = "/bin/true", command[] = "hook";
	static char agent[] = "claude-code";
	char *none[] = {bare_name, NULL};
	char *words[FLAGS_MAX + 8] = {NULL};
	char event_name[64];
	size_t n = 0;
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;

	if (rounds < 1 || rounds > ROUNDS_MAX || argc < 3 || argc > FLAGS_MAX + 3) {
		(void)fprintf(stderr, "usage: hook ROUNDS ASSENT FLAG...\n");
		return 2;
	}
	words[n++] = argv[2];
	words[n++] = command;
	words[n++] = agent;
	words[n++] = event_name;

	for (int i = 3; i < argc; i++)
		words[n++] = argv[i];
	for (size_t k = 0; k < ARRAY_LEN(calls); k++) {
		int in = make_input(calls[k].input);

		(void)snprintf(event_name, sizeof(event_name), "%s", calls[k].event);
		(void)run_once(words, in);
		bare.count = hook.count = (size_t)rounds;
		for (int i = 0; i < rounds; i++) {
			bare.costs[i] = run_once(none, in);
			hook.costs[i] = run_once(words, in);
		}
		print_row(calls[k].name, &bare, &hook);
		(void)close(in);
	}
	return 0;
}
