#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "io/file.h"
#include "store/store_priv.h"

/*
 * Two witnesses beside the database. The tail (rewritten, not synced) tells
 * after a crash which rows there had been, and which of them had been synced.
 * The heads (only appended to) prove to anybody who kept one that nothing
 * before it was changed.
 */

enum { TAIL_BYTES = 192 };

static void
read_boot(char ret[40])
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, 4096);
	(void)snprintf(ret, 40, "unknown");
	IO_FD int fd =
		open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && io_file_read_fd(fd, &b) == 0 && b.len >= 36)
		(void)snprintf(ret, 40, "%.36s", b.ptr);
}

static int
open_own(const char *path, int flags, int *ret)
{
	struct stat st;
	int fd = open(path, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return store_db_errno("open", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
		(void)close(fd);
		return fail_here(FAIL_DENIED, "store: %s is not ours", path);
	}
	*ret = fd;
	return 0;
}

int
store_tail_open(struct store *s)
{
	char path[STORE_PATH_BYTES];
	int r = store_path(path, s->folder, "tail");

	read_boot(s->boot);
	return r != 0 ? r : open_own(path, O_RDWR, &s->tail_fd);
}

bool
store_tail_read(const struct store *s, struct store_tail *ret)
{
	char text[TAIL_BYTES + 1] = {0};
	ssize_t n = pread(s->tail_fd, text, TAIL_BYTES, 0);
	long long number = 0, synced = 0;

	memset(ret, 0, sizeof(*ret));
	if (n <= 0 ||
		// NOLINTNEXTLINE(cert-err34-c): a tail that is no tail is absent
		sscanf(text, "tail %lld %64[0-9a-f] %lld %39s", &number, ret->chain,
			&synced, ret->boot)
			!= 4)
		return false;
	ret->number = number;
	ret->synced = synced;
	return true;
}

void
store_tail_write(const struct store *s)
{
	char text[TAIL_BYTES + 1];
	int n = snprintf(text, sizeof(text), "tail %lld %s %lld %s",
		(long long)s->number, s->chain, (long long)s->synced_number, s->boot);

	CHECK(n > 0 && n < TAIL_BYTES);
	memset(text + n, ' ', (size_t)(TAIL_BYTES - n));
	text[TAIL_BYTES - 1] = '\n';
	/* a witness that cannot be written says less, and endangers nothing */
	if (pwrite(s->tail_fd, text, TAIL_BYTES, 0) != TAIL_BYTES)
		(void)!ftruncate(s->tail_fd, 0);
}

bool
store_head_from(
	struct str head, int64_t *ret_number, char ret_chain[STORE_DIGEST_HEX + 1])
{
	struct str chain;
	struct str digits = str_cut(str_trim(head), ':', &chain);

	if (chain.len != STORE_DIGEST_HEX || !str_number(digits, ret_number))
		return false;
	for (size_t i = 0; i < chain.len; i++) {
		if (!str_has_char(STR("0123456789abcdef"), chain.ptr[i]))
			return false;
	}
	memcpy(ret_chain, chain.ptr, chain.len);
	ret_chain[chain.len] = '\0';
	return true;
}

bool
store_head_last(const char *folder, int64_t *ret_number,
	char ret_chain[STORE_DIGEST_HEX + 1])
{
	char path[STORE_PATH_BYTES], part[4096];
	struct stat st;
	bool found = false;

	if (store_path(path, folder, "heads") != 0)
		return false;
	IO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || fstat(fd, &st) != 0)
		return false;
	off_t from =
		st.st_size > (off_t)sizeof(part) ? st.st_size - (off_t)sizeof(part) : 0;
	ssize_t n = pread(fd, part, sizeof(part), from);
	struct str rest = {part, n > 0 ? (size_t)n : 0}, line, words;

	while (str_line(&rest, &line)) {
		if (store_head_from(str_cut(line, ' ', &words), ret_number, ret_chain))
			found = true;
	}
	return found;
}

struct str
store_head(const struct store *s, struct arena *a)
{
	return arena_fmt(a, "%lld:%s", (long long)s->number, s->chain);
}

static int
append_head(const struct store *s, int fd, const char *path, int64_t now_ms,
	const char *why)
{
	char line[STORE_HEAD_BYTES + 80];
	int n = snprintf(line, sizeof(line), "%lld:%s %lld %.32s\n",
		(long long)s->number, s->chain, (long long)now_ms, why);
	int r = io_file_write_fd(fd, (struct str){line, (size_t)n});

	if (r == 0 && fdatasync(fd) != 0)
		r = store_db_errno("sync", path);
	return r;
}

int
store_write_head(struct store *s, int64_t now_ms, const char *why)
{
	char path[STORE_PATH_BYTES];
	int r = store_sync(s);

	if (r == 0)
		r = store_path(path, s->folder, "heads");
	if (r != 0)
		return r;
	IO_FD int fd = -1;

	r = open_own(path, O_WRONLY | O_APPEND, &fd);
	return r == 0 ? append_head(s, fd, path, now_ms, why) : r;
}

int
store_copy_head(
	const struct store *s, const char *path, int64_t now_ms, const char *why)
{
	enum { FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK };
	struct stat st;
	IO_FD int fd = open(path, FLAGS | O_NOFOLLOW | O_NOCTTY, 0600);

	if (fd < 0)
		return store_db_errno("open", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return fail_here(FAIL_DENIED, "store: %s is no file", path);
	return append_head(s, fd, path, now_ms, why);
}
