#include "cli/said.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter/transcript.h"
#include "base/buf.h"
#include "base/limits.h"
#include "cli/world.h"
#include "io/file.h"

/* A path as a home folder and the part below the agent's folder there. */
struct kept {
	struct str home, rest;
};

/* The home folder may be known by another name. */
static bool
is_kept(struct arena *a, const struct adapter_transcript *t, struct str home,
	struct str path, struct kept *ret)
{
	const struct str homes[] = {home, cli_world_link(a, home)};

	for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
		ret->home = homes[i];
		if (homes[i].len > 1
			&& adapter_transcript_is(t, homes[i], path, &ret->rest))
			return true;
	}
	return false;
}

/*
 * The folder itself may be a link: the user's, as it is a person's to change.
 * Behind it no link leads away.
 */
static int
open_below(const char *folder, const char *rest)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve =
			RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	IO_FD int top = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return top < 0 ? -1
				   : (int)syscall(SYS_openat2, top, rest, &how, sizeof(how));
}

/* Its size, when it is a file of the user's own that has no other name; else
 * below zero. */
static off_t
size_of(int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)
		|| st.st_uid != getuid() || st.st_nlink != 1)
		return -1;
	return st.st_size;
}

/* The last bytes of the file; less when it has become shorter. */
static struct str
read_tail(struct arena *a, int fd, off_t from, size_t len)
{
	char *at = arena_alloc(a, len + 1);
	size_t n = 0;

	while (n < len) {
		ssize_t got = pread(fd, at + n, len - n, from + (off_t)n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return (struct str){at, n};
}

static size_t
read_said(struct arena *a, const struct adapter_transcript *t, int fd,
	off_t size, struct adapter_said **ret)
{
	static const size_t tails[] = {ADAPTER_TAIL_BYTES, ADAPTER_TAIL_BYTES_MAX};
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(tails) && size > 0; i++) {
		bool cut = size > (off_t)tails[i];
		size_t len = cut ? tails[i] : (size_t)size;
		struct str tail = read_tail(a, fd, size - (off_t)len, len);

		count = adapter_transcript_read(a, t, tail, cut, ret);
		if (!cut || adapter_said_has_user(*ret, count))
			break;
	}
	return count;
}

static struct str
print(struct arena *a, const struct adapter_said *list, size_t count)
{
	CLEANUP(buf_done) struct buf b;
	size_t room = 2;

	for (size_t i = 0; i < count; i++)
		room += 6 * (list[i].text.len + list[i].model.len) + 80;
	/* taken first: nothing of the heap may be held when an arena jumps */
	char *out = arena_alloc(a, room);

	buf_init(&b, room);
	buf_add_char(&b, '[');
	for (size_t i = 0; i < count; i++) {
		buf_addf(&b,
			"%s{\"role\":\"%s\",\"time\":%lld,\"text\":", i > 0 ? "," : "",
			list[i].from_user ? "user" : "agent", (long long)list[i].time_ms);
		buf_add_json(&b, list[i].text);
		if (list[i].model.ptr) {
			buf_add(&b, STR(",\"model\":"));
			buf_add_json(&b, list[i].model);
		}
		buf_add_char(&b, '}');
	}
	buf_add_char(&b, ']');
	if (b.full)
		return (struct str){0};
	memcpy(out, b.ptr, b.len);
	return (struct str){out, b.len};
}

struct str
cli_said_read(
	struct arena *a, struct str agent, struct str home, struct str path)
{
	const struct adapter_transcript *t = adapter_transcript_find(agent);
	struct adapter_said *list = NULL, picked[ADAPTER_SAID_MAX];
	struct kept kept;
	size_t count;

	if (!t || path.len >= LIMIT_PATH_BYTES || !is_kept(a, t, home, path, &kept))
		return (struct str){0};
	const char *folder = arena_cstr(a,
		arena_fmt(
			a, "%.*s/%s", STR_ARG(kept.home), adapter_transcript_folder(t)));
	const char *name = arena_cstr(a, kept.rest);
	IO_FD int fd = folder && name ? open_below(folder, name) : -1;

	off_t size = size_of(fd);

	if (size < 0)
		return (struct str){0};
	count = read_said(a, t, fd, size, &list);
	count = adapter_said_pick(a, list, count, picked);
	return print(a, picked, count);
}
