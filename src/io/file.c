#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
code_of(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return FAIL_ABSENT;
	case EACCES:
	case EPERM:
	case EROFS:
		return FAIL_DENIED;
	case ENOSPC:
	case EDQUOT:
		return FAIL_SPACE;
	case ENOMEM:
		return FAIL_MEMORY;
	default:
		return FAIL_IO;
	}
}

static int
fail_errno(const char *what, const char *path)
{
	int error = errno;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough for a message
	return fail_here(code_of(error), "%s %s: %s", what, path, strerror(error));
}

void
io_file_closep(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

int
io_file_read_fd(int fd, struct buf *ret)
{
	char part[16384];

	for (;;) {
		ssize_t n = read(fd, part, sizeof(part));

		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("read", "input");
		buf_add(ret, (struct str){part, (size_t)n});
		if (ret->full)
			return fail_here(FAIL_LIMIT, "input over %zu bytes", ret->max);
	}
}

int
io_file_read(const char *path, struct buf *ret)
{
	IO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return fail_errno("open", path);
	if (fstat(fd, &st) != 0)
		return fail_errno("stat", path);
	if (!S_ISREG(st.st_mode))
		return fail_here(FAIL_DENIED, "%s is not a regular file", path);
	return io_file_read_fd(fd, ret);
}

int
io_file_write_fd(int fd, struct str s)
{
	while (s.len > 0) {
		ssize_t n = write(fd, s.ptr, s.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("write", "output");
		s = str_sub(s, (size_t)n, s.len);
	}
	return 0;
}

static int
write_synced(int fd, struct str text, const char *path)
{
	int r = io_file_write_fd(fd, text);

	if (r == 0 && fsync(fd) != 0)
		r = fail_errno("sync", path);
	return r;
}

int
io_file_replace(const char *path, struct str text, unsigned mode)
{
	char tmp[4096 + 16];
	struct stat st;

	if ((size_t)snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= sizeof(tmp))
		return fail_here(FAIL_LIMIT, "path too long: %s", path);
	if (stat(path, &st) == 0)
		mode = st.st_mode & 07777;
	IO_FD int fd = mkostemp(tmp, O_CLOEXEC);

	if (fd < 0)
		return fail_errno("create", tmp);
	int r = write_synced(fd, text, tmp);

	if (r == 0 && fchmod(fd, mode) != 0)
		r = fail_errno("chmod", tmp);
	if (r == 0 && rename(tmp, path) != 0)
		r = fail_errno("rename", path);
	if (r != 0)
		(void)unlink(tmp);
	return r;
}

int
io_file_make_folder(const char *path)
{
	char part[4096];
	size_t n = strlen(path);

	if (n >= sizeof(part))
		return fail_here(FAIL_LIMIT, "path too long: %s", path);
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) != 0 && errno != EEXIST)
			return fail_errno("make folder", part);
	}
	return 0;
}
