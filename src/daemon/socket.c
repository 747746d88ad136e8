#include "daemon/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "io/file.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* Linux 6.5 */
#endif

enum { FIRST_HANDED_FD = 3, BACKLOG = 1024 };

int
daemon_socket_inherited(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
	struct str count = str_from(getenv("LISTEN_FDS"));
	// NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
	struct str who = str_from(getenv("LISTEN_PID"));
	int64_t fds = 0, pid = 0;
	struct sockaddr_un addr = {.sun_family = AF_UNSPEC};
	socklen_t size = sizeof(addr);

	if (!str_number(count, &fds) || !str_number(who, &pid) || fds < 1
		|| pid != (int64_t)getpid())
		return -1;
	if (getsockname(FIRST_HANDED_FD, (struct sockaddr *)&addr, &size) != 0
		|| addr.sun_family != AF_UNIX)
		return -1;
	(void)fcntl(FIRST_HANDED_FD, F_SETFD, FD_CLOEXEC);
	return FIRST_HANDED_FD;
}

static int
fail_errno(const char *what, const char *path)
{
	int error = errno;
	int code = error == EACCES || error == EPERM || error == EROFS ? FAIL_DENIED
																   : FAIL_IO;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough for a message
	return fail_here(code, "%s %s: %s", what, path, strerror(error));
}

/* The folder of the socket: made if absent; ours, and nobody else may write. */
static int
prepare_folder(const char *path)
{
	char folder[LIMIT_PATH_BYTES];
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (!slash || (size_t)(slash - path) >= sizeof(folder))
		return fail_here(FAIL_LIMIT, "no socket can be at %s", path);
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	int r = io_file_make_folder(folder);

	if (r != 0)
		return r;
	if (stat(folder, &st) != 0)
		return fail_errno("stat", folder);
	if (st.st_uid != getuid() || (st.st_mode & 022) != 0)
		return fail_here(FAIL_DENIED,
			"%s belongs to another user, or others may write there", folder);
	return 0;
}

static bool
answers(const struct sockaddr_un *addr)
{
	IO_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return true;
	return connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) == 0
		|| (errno != ECONNREFUSED && errno != ENOENT);
}

/* Takes away a socket that nobody listens on; whatever else stands there stays.
 */
static int
remove_stale(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return 0;
	if (!S_ISSOCK(st.st_mode) || st.st_uid != getuid())
		return fail_here(FAIL_DENIED,
			"%s is there and is no socket of yours: it is left alone", path);
	return unlink(path) == 0 ? 0 : fail_errno("remove the old socket", path);
}

static int
bind_socket(const struct sockaddr_un *addr, int *ret_fd)
{
	enum { TYPE = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK };
	int fd = socket(AF_UNIX, TYPE, 0);

	if (fd < 0)
		return fail_errno("make socket", addr->sun_path);
	if (bind(fd, (const struct sockaddr *)addr, sizeof(*addr)) != 0
		|| chmod(addr->sun_path, 0600) != 0 || listen(fd, BACKLOG) != 0) {
		int r = fail_errno("listen at", addr->sun_path);

		(void)close(fd);
		return r;
	}
	*ret_fd = fd;
	return 0;
}

int
daemon_socket_make(struct str path, int *ret_fd)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	char lock_path[sizeof(addr.sun_path) + 8];

	if (path.len >= sizeof(addr.sun_path) || str_has_char(path, '\0'))
		return fail_here(FAIL_LIMIT,
			"the socket's path is longer than %zu: %.*s",
			sizeof(addr.sun_path) - 1, STR_ARG(path));
	memcpy(addr.sun_path, path.ptr, path.len);
	int r = prepare_folder(addr.sun_path);

	if (r != 0)
		return r;
	(void)snprintf(lock_path, sizeof(lock_path), "%s.lock", addr.sun_path);
	IO_FD int lock =
		open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (lock < 0 || flock(lock, LOCK_EX) != 0)
		return fail_errno("lock", lock_path);
	if (answers(&addr))
		return fail_here(
			FAIL_BUSY, "another daemon listens at %s", addr.sun_path);
	r = remove_stale(addr.sun_path);
	return r == 0 ? bind_socket(&addr, ret_fd) : r;
}

int
daemon_socket_listen(int fd)
{
	if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || listen(fd, BACKLOG) != 0)
		return fail_errno("listen at", "the socket that was handed over");
	return 0;
}

/* Tells a stranger why, in one packet that a fresh socket surely takes. */
static void
refuse(int fd)
{
	static const char body[] =
		"{\"error\":{\"code\":\"not_your_daemon\",\"message\":"
		"\"this daemon belongs to another user\"}}\n";
	char text[512];
	int n = snprintf(text, sizeof(text),
		"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\n"
		"Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		sizeof(body) - 1, body);

	(void)send(fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	/* what is left unread would make the kernel take our words back */
	(void)recv(fd, text, sizeof(text), MSG_DONTWAIT);
	(void)shutdown(fd, SHUT_WR);
	(void)recv(fd, text, sizeof(text), MSG_DONTWAIT);
	(void)close(fd);
}

int
daemon_socket_accept(int fd, unsigned *refused)
{
	for (;;) {
		int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct ucred who = {0};
		socklen_t size = sizeof(who);

		if (peer < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (peer < 0)
			return -1;
		if (getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0
			&& who.uid == getuid())
			return peer;
		refuse(peer);
		++*refused;
	}
}

int64_t
daemon_socket_peer(int fd)
{
	struct ucred who = {0};
	socklen_t size = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0
		? (int64_t)who.pid
		: 0;
}

int
daemon_socket_pidfd(int fd)
{
	int pidfd = -1;
	socklen_t size = sizeof(pidfd);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0)
		return pidfd;
	/* an older kernel: the process that has the pid now */
	return (int)syscall(SYS_pidfd_open, (pid_t)daemon_socket_peer(fd), 0U);
}
