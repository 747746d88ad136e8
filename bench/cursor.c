/*
 * What the filter for Cursor costs: a frame that is not held, with and without it;
 * and 1,000 runs at once, their streams open and a context known.
 *	cursor [ASSENT_PROXY]
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/cursor/say.h"
#include "tests/cursor/scene.h"

enum { FRAMES = 4000, WARM = 500, RUNS = 1000 };

static struct buf said;

static double
now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The filter, as a process of its own. */
static pid_t
start_filter(
	const char *program, int gateway_port, const char *folder, struct scene *s)
{
	char upstream[64], port_file[256], line[32] = "";
	const struct timespec nap = {.tv_nsec = 2000000};
	pid_t pid;

	(void)snprintf(
		upstream, sizeof(upstream), "http://127.0.0.1:%d", gateway_port);
	(void)snprintf(port_file, sizeof(port_file), "%s/port", folder);
	pid = fork();
	if (pid == 0) {
		(void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		(void)execl(program, program, "cursor", "--listen", "127.0.0.1:0",
			"--upstream", upstream, "--port-file", port_file, "--client",
			"/bin/false", (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 2000 && !strchr(line, '\n'); i++) {
		FILE *f = fopen(port_file, "re");

		(void)nanosleep(&nap, NULL);
		if (!f)
			continue;
		if (!fgets(line, sizeof(line), f))
			line[0] = '\0';
		(void)fclose(f);
	}
	scene_use_port(s, (int)strtol(line, NULL, 10));
	return pid;
}

/* Private memory of a process, in KiB. */
static long
private_kib(pid_t pid)
{
	char path[64], line[256];
	long sum = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "Private_", 8) == 0)
			sum += strtol(strchr(line, ':') + 1, NULL, 10);
	}
	if (f)
		(void)fclose(f);
	return sum;
}

static void
stop_filter(pid_t pid)
{
	(void)kill(pid, SIGTERM);
	(void)waitpid(pid, NULL, 0);
}

/* --- one frame -------------------------------------------------------------------- */

/* Median and 99th percentile of a frame's way, in microseconds. */
static void
measure(struct scene *s, double *median, double *p99)
{
	static double times[FRAMES];
	const struct say_context on = {0};
	struct scene_stream st;
	struct proxy_frame f;

	scene_open(s, &st, "r");
	(void)scene_append(s, "r", 0, say_run(&said, "c", "m", "do it", &on), NULL);
	for (int i = 0; i < FRAMES + WARM; i++) {
		struct str text = say_text(&said, "some words of the agent, ");
		double from = now_us();

		scene_say(s, "r", text);
		if (!scene_next(&st, &f))
			abort();
		if (i >= WARM)
			times[i - WARM] = now_us() - from;
	}
	scene_close(&st);
	qsort(times, FRAMES, sizeof(*times), compare);
	*median = times[FRAMES / 2];
	*p99 = times[FRAMES * 99 / 100];
}

static void
bench_frames(const char *program)
{
	double direct, direct_99, filtered, filtered_99;
	struct scene *s = scene_new(&(struct scene_settings){.direct = true});
	pid_t pid;

	measure(s, &direct, &direct_99);
	scene_free(s);
	s = scene_new(&(struct scene_settings){.direct = true});
	pid = start_filter(program, scene_gateway_port(s), scene_folder(s), s);
	measure(s, &filtered, &filtered_99);
	stop_filter(pid);
	scene_free(s);
	(void)printf(
		"a frame that is not held: %.0f us direct, %.0f us through the "
		"filter: %.0f us more (median; promised: 100), %.0f us more at "
		"the 99th percentile\n",
		direct, filtered, filtered - direct, filtered_99 - direct_99);
}

/* --- many runs --------------------------------------------------------------------- */

static void
bench_runs(const char *program)
{
	static struct scene_stream streams[RUNS];
	const struct say_context on = {0};
	struct scene *s = scene_new(&(struct scene_settings){.direct = true});
	pid_t pid =
		start_filter(program, scene_gateway_port(s), scene_folder(s), s);
	long before = private_kib(pid);
	struct proxy_frame f;
	char id[32], talk[32];
	double from;

	for (int i = 0; i < RUNS; i++) {
		(void)snprintf(id, sizeof(id), "run-%d", i);
		(void)snprintf(talk, sizeof(talk), "talk-%d", i);
		scene_open(s, &streams[i], id);
		(void)scene_append(
			s, id, 0, say_run(&said, talk, "m", "do it", &on), NULL);
	}
	from = now_us();
	for (int i = 0; i < RUNS; i++) {
		(void)snprintf(id, sizeof(id), "run-%d", i);
		scene_say(s, id, say_text(&said, "hello"));
	}
	for (int i = 0; i < RUNS; i++) {
		if (!scene_next(&streams[i], &f))
			abort();
	}
	double took = now_us() - from;
	long after = private_kib(pid);

	(void)printf("%d runs at once: %ld KiB at rest, %ld KiB with all open: "
				 "%.1f KiB a run; a frame to each in %.1f ms\n",
		RUNS, before, after, (double)(after - before) / RUNS, took / 1000);
	for (int i = 0; i < RUNS; i++)
		scene_close(&streams[i]);
	stop_filter(pid);
	scene_free(s);
}

int
main(int argc, char **argv)
{
	const char *program = argc > 1 ? argv[1] : "build/assent-proxy";
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	buf_init(&said, 1 << 20);
	bench_frames(program);
	bench_runs(program);
	buf_done(&said);
	return 0;
}
