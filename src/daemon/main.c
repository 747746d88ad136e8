/*
 * assentd: reads its command line, and makes itself small and alone.
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
#include "daemon/journal.h"
#include "daemon/life.h"
#include "daemon/socket.h"
#include "io/file.h"
#include "llm/llm.h"
#include "wire/json.h"
#include "wire/sha256.h"

enum {
	OWN_BYTES = 1 << 20,
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

/* Reads the command line; false: end with the status. */
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
	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	(void)clearenv();
	(void)setenv("PATH", "/usr/bin:/bin", 1);
	/* NOLINTEND(concurrency-mt-unsafe) */
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
	(void)signal(SIGXFSZ, SIG_IGN); /* a limit on files is a full disk */
	(void)signal(SIGHUP, SIG_IGN);
	/* one heap for loop and workers: a heap per thread would lie idle */
	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	(void)mallopt(M_ARENA_MAX, 1);
	(void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
	(void)mallopt(M_MMAP_THRESHOLD, 256 << 10);
	/* NOLINTEND(concurrency-mt-unsafe) */
}

int
main(int argc, char **argv)
{
	static struct daemon d;
	struct io_place_flags flags = {0};
	char warm[WIRE_SHA256_HEX + 1];
	int status = 0;

	fill_standard();
	if (argc == 2 && strcmp(argv[1], LLM_CHILD_FLAG) == 0)
		return llm_child_main();
	if (!read_flags(argc, argv, &flags, &status))
		return status;
	stay_private();
	d.own = arena_new(OWN_BYTES);
	CHECK(d.own);
	if (find_places(&d, &flags) != 0)
		return daemon_life_fail("no places");
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
	return daemon_life(&d, fd);
}
