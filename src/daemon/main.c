/*
 * assentd: makes itself small and alone, listens, and turns the loop until it
 * is told to stop.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/version.h"
#include "daemon/daemon.h"
#include "daemon/journal.h"
#include "daemon/open.h"
#include "daemon/socket.h"
#include "daemon/turn.h"
#include "io/clock.h"
#include "io/file.h"
#include "wire/json.h"
#include "wire/sha256.h"

enum {
	OWN_BYTES = 1 << 20,
	ACTS_BYTES = 256 << 20,
	OPEN_TRIES = 100, /* another daemon may just be stopping */
	OPEN_PAUSE_MS = 50,
	REOPEN_MS = 5000,
	STOP_TURNS = 100, /* for answers to get out when it stops */
	STOP_TURN_MS = 20,
};

static const char help[] =
	"assentd, the daemon of assent: decides what coding agents may do.\n"
	"\n"
	"usage: assentd [--config DIR] [--state DIR] [--socket PATH] [--home DIR]\n"
	"\n"
	"  --config DIR    rules and settings (~/.config/assent)\n"
	"  --state DIR     the store (~/.local/state/assent)\n"
	"  --socket PATH   where clients connect\n"
	"  --home DIR      the home folder, instead of /etc/passwd's\n"
	"  --version       print the version and end\n"
	"\n"
	"It is started by `assent` when it is needed; `assent daemon run` runs it\n"
	"in this terminal. It stays in the foreground and in its session, and "
	"ends\n"
	"on SIGTERM, SIGINT or `assent daemon stop`.\n";

/* --- places ---------------------------------------------------------------------- */

/* Reads the command line; a negative result is the exit status + -1. */
static bool
read_flags(int argc, char **argv, struct io_place_flags *ret, int *ret_status)
{
	static const struct option options[] = {
		{"config",  required_argument, NULL, 'c'},
		{"state",   required_argument, NULL, 's'},
		{"socket",  required_argument, NULL, 'k'},
		{"home",    required_argument, NULL, 'm'},
		{"help",    no_argument,       NULL, 'h'},
		{"version", no_argument,       NULL, 'v'},
		{NULL,      0,                 NULL, 0  },
	};
	int c = 0;

	*ret_status = 2;
	// NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		struct str value = str_from(optarg);

		if (c == 'c')
			ret->config = value;
		else if (c == 's')
			ret->state = value;
		else if (c == 'k')
			ret->socket = value;
		else if (c == 'm')
			ret->home = value;
		else if (c == 'h')
			(void)fputs(help, stdout);
		else if (c == 'v')
			(void)printf("assentd %s\n", BASE_VERSION);
		if (c == 'h' || c == 'v')
			*ret_status = 0;
		if (c == 'h' || c == 'v' || c == '?')
			return false;
	}
	if (optind == argc)
		return true;
	(void)fprintf(stderr, "assentd: unexpected \"%s\"\n", argv[optind]);
	return false;
}

static struct str
keep(struct arena *a, struct str s)
{
	return s.ptr ? arena_dup(a, s) : s;
}

static int
find_places(struct daemon *d, struct io_place_flags *flags)
{
	if (!ARENA_TRY(d->own))
		return fail_here(FAIL_LIMIT, "paths that long are not taken");
	flags->config = keep(d->own, flags->config);
	flags->state = keep(d->own, flags->state);
	flags->socket = keep(d->own, flags->socket);
	flags->home = keep(d->own, flags->home);
	int r = io_place_find(d->own, flags, true, &d->place);

	if (r == 0) {
		/* they become C strings */
		d->place.state = arena_dup(d->own, d->place.state);
		d->place.socket = arena_dup(d->own, d->place.socket);
		d->place.config = arena_dup(d->own, d->place.config);
	}
	arena_done(d->own);
	return r;
}

/* --- being alone ------------------------------------------------------------------ */

/* Standard descriptors that are closed would be given to files. */
static void
fill_standard(void)
{
	int fd = open("/dev/null", O_RDWR);

	while (fd >= 0 && fd < STDERR_FILENO)
		fd = dup(fd);
	if (fd > STDERR_FILENO)
		(void)close(fd);
}

/* Nothing that the starter left may reach what is decided. */
static void
leave_all(int keep_fd)
{
	unsigned after = STDERR_FILENO + 1;

	if (keep_fd >= 0) {
		if ((unsigned)keep_fd > after)
			(void)close_range(after, (unsigned)keep_fd - 1, 0);
		after = (unsigned)keep_fd + 1;
	}
	(void)close_range(after, ~0U, 0);
	(void)clearenv();
	// NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
	(void)setenv("PATH", "/usr/bin:/bin", 1);
	(void)umask(077);
	CHECK(chdir("/") == 0);
}

static void
stay_private(void)
{
	const struct rlimit none = {0, 0};

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	/* one heap for loop and workers: a heap per thread would lie idle */
	(void)mallopt(M_ARENA_MAX, 1);
	(void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
	(void)mallopt(M_MMAP_THRESHOLD, 256 << 10);
}

/* --- the loop ------------------------------------------------------------------------ */

static void
on_prepare(uv_prepare_t *prepare)
{
	daemon_turn(prepare->data);
}

static void
on_signal(uv_signal_t *handle, int number)
{
	daemon_journal("stopping on signal %d", number);
	daemon_stop(handle->data);
}

static void
on_reopen(uv_timer_t *timer)
{
	struct daemon *d = timer->data;

	if (d->decide || d->stopping)
		return;
	if (daemon_open(d) != 0)
		return;
	daemon_sessions_set_reader(d->sessions, d->reader);
	daemon_journal("the store can be written again");
}

static void
start_handles(struct daemon *d)
{
	static const int numbers[] = {SIGTERM, SIGINT};

	CHECK(uv_prepare_init(&d->loop, &d->turn) == 0);
	CHECK(uv_timer_init(&d->loop, &d->tick) == 0);
	CHECK(uv_timer_init(&d->loop, &d->reopen) == 0);
	d->turn.data = d->tick.data = d->reopen.data = d;
	CHECK(uv_prepare_start(&d->turn, on_prepare) == 0);
	if (!d->decide)
		CHECK(uv_timer_start(&d->reopen, on_reopen, REOPEN_MS, REOPEN_MS) == 0);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		CHECK(uv_signal_init(&d->loop, &d->signals[i]) == 0);
		d->signals[i].data = d;
		CHECK(uv_signal_start(&d->signals[i], on_signal, numbers[i]) == 0);
	}
}

void
daemon_stop(struct daemon *d)
{
	if (d->stopping)
		return;
	d->stopping = true;
	daemon_http_close_door(d->http);
	if (d->decide) {
		struct store_audit row = {
			.kind = STORE_KIND_STOP,
			.reason = STR("stopped in order"),
		};

		decide_record(d->decide, &row, 0, io_clock_wall_ms());
		decide_stop(d->decide, io_clock_wall_ms());
	}
	uv_stop(&d->loop);
}

static void
on_pause(uv_timer_t *timer)
{
	(void)timer;
}

/* Lets what was decided be recorded and sent; what is still open then is given
 * up. */
static void
finish(struct daemon *d)
{
	CHECK(uv_timer_start(&d->tick, on_pause, 0, 0) == 0);
	for (int i = 0; i < STOP_TURNS; i++) {
		(void)uv_timer_start(&d->reopen, on_pause, STOP_TURN_MS, 0);
		(void)uv_run(&d->loop, UV_RUN_ONCE);
		if (daemon_http_open(d->http) == 0 && d->at_work == 0)
			break;
	}
}

static void
on_closed(uv_handle_t *handle)
{
	(void)handle;
}

static void
close_all(struct daemon *d)
{
	while (d->at_work > 0)
		(void)uv_run(&d->loop, UV_RUN_ONCE);
	(void)uv_prepare_stop(&d->turn);
	daemon_http_free(d->http);
	daemon_open_undo(d);
	uv_close((uv_handle_t *)&d->turn, on_closed);
	uv_close((uv_handle_t *)&d->tick, on_closed);
	uv_close((uv_handle_t *)&d->reopen, on_closed);
	for (size_t i = 0; i < ARRAY_LEN(d->signals); i++)
		uv_close((uv_handle_t *)&d->signals[i], on_closed);
	(void)uv_run(&d->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&d->loop);
	daemon_trial_free(d->trial);
	daemon_agents_free(d->agents);
	daemon_sessions_free(d->sessions);
	daemon_rules_free(d->rules);
	arena_free(d->work);
	arena_free(d->acts);
	arena_free(d->own);
}

/* --- start ----------------------------------------------------------------------------- */

/* Waits a little for a daemon that is just stopping. */
static int
open_store(struct daemon *d)
{
	for (int i = 0;; i++) {
		int r = daemon_open(d);

		if (r != FAIL_BUSY || i == OPEN_TRIES)
			return r;
		(void)usleep(OPEN_PAUSE_MS * 1000);
	}
}

static void
make_parts(struct daemon *d)
{
	struct store_batch *batch = d->decide ? decide_batch(d->decide) : NULL;

	d->trial =
		daemon_trial_new(d->place.state, d->reader, batch, io_clock_wall_ms());
	d->agents = daemon_agents_new(d->place.state);
	d->rules = daemon_rules_new(&d->place);
	d->sessions = daemon_sessions_new(&d->place, d->reader);
	d->work = arena_new(LIMIT_ARENA_BYTES);
	d->acts = arena_new(ACTS_BYTES);
	CHECK(d->work && d->acts);
	d->since_ms = io_clock_wall_ms();
}

static int
fail(struct daemon *d, const char *what)
{
	daemon_journal("%s: %s", what, fail_text());
	(void)fprintf(stderr, "assentd: %s: %s\n", what, fail_text());
	(void)d;
	return 1;
}

static int
serve(struct daemon *d, int fd)
{
	int r = fd >= 0 ? 0 : daemon_socket_make(d->place.socket, &fd);

	if (r == 0)
		r = daemon_socket_listen(fd);
	if (r != 0)
		return fail(d, "cannot listen");
	r = open_store(d);
	if (r == FAIL_BUSY)
		return fail(d, "another daemon has the store");
	if (r != 0)
		daemon_journal(
			"nothing can be recorded, so nothing is allowed: %s", d->no_store);
	make_parts(d);
	r = daemon_http_new(d, &d->loop, fd, daemon_routes, &d->http);
	if (r != 0)
		return fail(d, "cannot serve");
	start_handles(d);
	daemon_journal("assentd %s, process %lld, listens at %.*s", BASE_VERSION,
		(long long)getpid(), STR_ARG(d->place.socket));
	(void)uv_run(&d->loop, UV_RUN_DEFAULT);
	finish(d);
	close_all(d);
	daemon_journal("stopped");
	daemon_journal_close();
	return 0;
}

int
main(int argc, char **argv)
{
	static struct daemon d;
	struct io_place_flags flags = {0};
	char warm[WIRE_SHA256_HEX + 1];
	int status = 0;

	fill_standard();
	if (!read_flags(argc, argv, &flags, &status))
		return status;
	stay_private();
	d.own = arena_new(OWN_BYTES);
	CHECK(d.own);
	if (find_places(&d, &flags) != 0)
		return fail(&d, "no places");
	int fd = daemon_socket_inherited();

	leave_all(fd);
	int r = io_file_make_folder(d.place.state.ptr);

	daemon_journal_open(d.place.state);
	if (r != 0)
		daemon_journal("no state folder: %s", fail_text());
	/* what these set up lazily is not safe to set up from two threads */
	json_object_seed(0);
	wire_sha256_text(STR(""), warm);
	CHECK(uv_loop_init(&d.loop) == 0);
	return serve(&d, fd);
}
