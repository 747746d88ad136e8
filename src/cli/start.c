#include "cli/start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/client.h"
#include "cli/cli.h"
#include "io/clock.h"
#include "io/file.h"
#include "io/proc.h"

enum {
	SOCKET_FD = 3, /* what the service manager's protocol begins with */
	BACKLOG = 1024,
	LOCK_NAP_NS = 2000000,
	LOG_BYTES = 1 << 20, /* a longer log is put aside */
	WORDS_BYTES = 4096,  /* how much of the log's end is read */
	WORDS_AGE_S = 10,
};

static const char *
path_of(struct arena *a, struct str s)
{
	const char *c = arena_cstr(a, s);

	return c ? c : "";
}

/* --- what to run ----------------------------------------------------------- */

struct str
cli_start_program(struct arena *a, const struct io_place *p)
{
	static const char *const places[] = {
		"assentd", "../libexec/assent/assentd", "../libexec/assentd"};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct str path =
			arena_fmt(a, "%.*s/%s", STR_ARG(p->exe_folder), places[i]);

		if (p->exe_folder.len > 0 && access(path.ptr, X_OK) == 0)
			return path;
	}
	return (struct str){0};
}

/* A C string of its own, as exec takes it. */
static char *
word_of(struct arena *a, struct str s)
{
	char *word = arena_alloc(a, s.len + 1);

	if (s.len > 0)
		memcpy(word, s.ptr, s.len);
	return word;
}

char *const *
cli_start_args(struct arena *a, struct str program, const struct io_place *p)
{
	const struct {
		const char *flag;
		struct str value;
	} rows[] = {
		{"--config", p->config},
		{"--state",  p->state },
		{"--socket", p->socket},
		{"--home",   p->home  },
	};
	char **args = ARENA_ARRAY(a, 2 + 2 * ARRAY_LEN(rows), char *);
	size_t n = 0;

	args[n++] = word_of(a, program);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		args[n++] = word_of(a, str_from(rows[i].flag));
		args[n++] = word_of(a, rows[i].value);
	}
	return args;
}

/* Built from nothing: what an agent's shell has set must not reach it. */
static char *const *
make_environment(struct arena *a, const struct io_place *p)
{
	const struct str rows[] = {
		STR("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:"
			"/bin"),
		STR("LANG=C.UTF-8"),
		STR("LISTEN_FDS=1"),
		arena_fmt(a, "HOME=%.*s", STR_ARG(p->home)),
		arena_fmt(a, "USER=%.*s", STR_ARG(p->user)),
		arena_fmt(a, "LOGNAME=%.*s", STR_ARG(p->user)),
		arena_fmt(a, "LISTEN_PID=%lld", (long long)getpid()),
	};
	char **env = ARENA_ARRAY(a, ARRAY_LEN(rows) + 1, char *);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		env[i] = word_of(a, rows[i]);
	return env;
}

/* --- the new process ------------------------------------------------------- */

/* Nothing that the agent set for its children: signals as on the first day. */
static void
reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)signal(i, SIG_DFL);
	(void)sigemptyset(&none);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Where standard error goes; a long log is put aside first. */
static int
open_log(const char *path)
{
	enum { FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC };
	char old[4096 + 8];
	struct stat st;

	if (lstat(path, &st) == 0 && st.st_size > LOG_BYTES
		&& (size_t)snprintf(old, sizeof(old), "%s.1", path) < sizeof(old))
		(void)rename(path, old);
	return open(path, FLAGS, 0600);
}

/*
 * Leaves descriptors 0 to 2 and the socket as number 3, nothing else; said is
 * kept, to be closed by a successful exec.
 */
static bool
set_descriptors(int listening, int *said, const char *log)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int err = open_log(log);
	int moved = fcntl(*said, F_DUPFD_CLOEXEC, SOCKET_FD + 1);

	if (null < 0 || moved < 0)
		return false;
	*said = moved;
	/* a socket that is number 3 already would keep its close-on-exec */
	int copy = fcntl(listening, F_DUPFD_CLOEXEC, SOCKET_FD + 1);

	if (copy < 0 || dup2(copy, SOCKET_FD) < 0 || dup2(null, 0) < 0
		|| dup2(null, 1) < 0 || dup2(err >= 0 ? err : null, 2) < 0)
		return false;
	if (close_range(SOCKET_FD + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
		return true;
	for (int fd = SOCKET_FD + 1; fd < 65536; fd++) /* older kernels */
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return true;
}

struct birth {
	const char *program;
	char *const *args;
	const char *log;
	int listening;
	int said; /* the number of the error goes here if exec fails */
};

/* The grandchild: becomes assentd or says why not. */
static _Noreturn void
become_daemon(struct arena *a, const struct io_place *p, struct birth *b)
{
	int error = 0;

	reset_signals();
	(void)umask(077);
	if (chdir("/") == 0 && set_descriptors(b->listening, &b->said, b->log)) {
		char *const *env = make_environment(a, p);

		(void)execve(b->program, b->args, env);
	}
	error = errno;
	(void)!write(b->said, &error, sizeof(error));
	_exit(127);
}

/* What the grandchild said: 0 when it has become assentd. */
static int
hear(int fd, const char *program, int64_t until_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int error = 0;

	while (poll(&p, 1, 100) <= 0) {
		if (io_clock_mono_ms() >= until_ms)
			return fail_here(
				FAIL_TIMEOUT, "%s does not start in time", program);
	}
	ssize_t n = read(fd, &error, sizeof(error));

	if (n == 0)
		return 0;
	// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough here
	const char *why = n == sizeof(error) ? strerror(error) : "no answer";

	return fail_here(FAIL_IO, "%s cannot be run: %s", program, why);
}

/* Twice forked, so that nobody is its parent and no terminal is its own. */
static int
spawn(struct arena *a, const struct io_place *p, struct birth *b,
	int64_t until_ms)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return fail_here(FAIL_IO, "no pipe can be made");
	b->said = ends[1];
	pid_t child = fork();

	if (child == 0) {
		pid_t grandchild = setsid() < 0 ? -1 : fork();

		if (grandchild == 0)
			become_daemon(a, p, b);
		_exit(grandchild < 0);
	}
	(void)close(ends[1]);
	int status = 0;
	int r = child < 0 ? fail_here(FAIL_IO, "no process can be made") : 0;

	if (child > 0 && waitpid(child, &status, 0) == child && status != 0)
		r = fail_here(FAIL_IO, "no process can be made for the daemon");
	if (r == 0)
		r = hear(ends[0], b->program, until_ms);
	(void)close(ends[0]);
	return r;
}

/* --- the socket ------------------------------------------------------------ */

/* Makes the folder of path if need be; it must be this user's alone. */
static int
check_folder(const char *folder)
{
	struct stat st;
	int r = io_file_make_folder(folder);

	if (r != 0)
		return r;
	if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
		return fail_here(FAIL_DENIED, "%s is not a folder", folder);
	if (st.st_uid != geteuid())
		return fail_here(FAIL_DENIED,
			"the folder %s belongs to user id %u, not to you: no socket is "
			"made there",
			folder, (unsigned)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return fail_here(FAIL_DENIED,
			"others may write into the folder %s: no socket is made there "
			"(chmod go-w, or another --socket)",
			folder);
	if (access(folder, W_OK) != 0)
		return fail_here(
			FAIL_DENIED, "the folder %s may not be written by you", folder);
	return 0;
}

/* The lock beside the socket, held until its descriptor is closed; or a
 * failure. */
static int
take_lock(const char *path, int64_t until_ms, int *ret_fd)
{
	enum { FLAGS = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW };
	const struct timespec nap = {.tv_nsec = LOCK_NAP_NS};
	int fd = open(path, FLAGS, 0600);

	if (fd < 0)
		// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough here
		return fail_here(FAIL_IO, "create %s: %s", path, strerror(errno));
	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			(void)close(fd);
			return fail_here(FAIL_IO, "%s cannot be locked", path);
		}
		if (io_clock_mono_ms() >= until_ms) {
			(void)close(fd);
			return fail_here(FAIL_TIMEOUT,
				"somebody else is starting the daemon and does not end (%s)",
				path);
		}
		(void)nanosleep(&nap, NULL);
	}
	*ret_fd = fd;
	return 0;
}

/* Takes away a socket that nobody listens on; whatever else stands there stays.
 * The caller holds the lock and has tried to connect. */
static int
remove_stale(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return fail_here(FAIL_DENIED,
			"%s is there and is no socket: it is left alone", path);
	if (st.st_uid != geteuid())
		return fail_here(FAIL_DENIED,
			"the socket %s belongs to user id %u, not to you", path,
			(unsigned)st.st_uid);
	if (unlink(path) != 0)
		return fail_here(FAIL_IO, "the old socket %s cannot be removed", path);
	return 0;
}

static int
make_socket(const char *path, int *ret_fd)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return fail_here(FAIL_IO, "no socket can be made");
	CHECK(strlen(path) <= API_SOCKET_PATH_MAX); /* connecting was tried */
	memcpy(at.sun_path, path, strlen(path));
	mode_t before = umask(077);
	int r = bind(fd, (struct sockaddr *)&at, sizeof(at));

	if (r == 0)
		r = listen(fd, BACKLOG);
	int error = errno;

	(void)umask(before);
	if (r != 0) {
		(void)close(fd);
		// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough here
		return fail_here(FAIL_IO, "listen on %s: %s", path, strerror(error));
	}
	*ret_fd = fd;
	return 0;
}

/* --- all of it ------------------------------------------------------------- */

/* With the lock held: starts a daemon unless one is there by now. */
static int
start_locked(struct arena *a, const struct io_place *p, struct birth *b,
	int64_t until_ms)
{
	struct api_client c = API_CLIENT_NONE;
	const char *path = path_of(a, p->socket);
	int r = api_client_open(&c, path);

	api_client_close(&c);
	if (r != FAIL_ABSENT)
		return r;
	r = remove_stale(path);
	if (r == 0)
		r = make_socket(path, &b->listening);
	if (r != 0)
		return r;
	r = spawn(a, p, b, until_ms);
	(void)close(b->listening);
	if (r != 0)
		(void)unlink(path);
	return r;
}

static int
check_places(struct arena *a, const struct io_place *p)
{
	struct str folder = p->socket;

	if (p->socket.len > API_SOCKET_PATH_MAX)
		return fail_here(FAIL_LIMIT,
			"the socket's path has %zu bytes, %d is the most that the system "
			"takes: %.*s (--socket or --state names a shorter one)",
			p->socket.len, API_SOCKET_PATH_MAX, STR_ARG(p->socket));
	folder.len -= str_base(folder).len;
	while (folder.len > 1 && str_ends(folder, STR("/")))
		folder.len--;
	int r = check_folder(path_of(a, folder));

	return r == 0 ? check_folder(path_of(a, p->state)) : r;
}

int
cli_start(struct arena *a, const struct io_place *p, int64_t until_ms)
{
	struct str program = cli_start_program(a, p);
	IO_FD int lock = -1;

	if (io_proc_sandboxed())
		return fail_here(FAIL_DENIED,
			"no daemon is started from inside an agent's sandbox (start it "
			"outside: assent daemon start)");
	if (!program.ptr)
		return fail_here(FAIL_ABSENT,
			"assentd is neither beside assent in %.*s nor in libexec",
			STR_ARG(p->exe_folder));
	struct birth b = {
		.program = program.ptr,
		.args = cli_start_args(a, program, p),
		.log = arena_fmt(a, "%.*s/daemon.log", STR_ARG(p->state)).ptr,
	};
	const char *lock_path = arena_fmt(a, "%.*s.lock", STR_ARG(p->socket)).ptr;
	int r = check_places(a, p);

	if (r == 0)
		r = take_lock(lock_path, until_ms, &lock);
	return r == 0 ? start_locked(a, p, &b, until_ms) : r;
}

struct str
cli_start_last_words(struct arena *a, const struct io_place *p)
{
	const char *path = arena_fmt(a, "%.*s/daemon.log", STR_ARG(p->state)).ptr;
	char part[WORDS_BYTES];
	struct stat st;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return (struct str){0};
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
		&& time(NULL) - st.st_mtime <= WORDS_AGE_S)
		n = pread(fd, part, sizeof(part),
			st.st_size > WORDS_BYTES ? st.st_size - WORDS_BYTES : 0);
	(void)close(fd);
	struct str rest = {part, n > 0 ? (size_t)n : 0}, line, last = {0};

	while (str_line(&rest, &line)) {
		if (str_trim(line).len > 0)
			last = str_trim(line);
	}
	return last.len > 0 ? cli_show(a, str_sub(last, 0, 400)) : (struct str){0};
}
