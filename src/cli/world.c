#include "cli/world.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/api.h"
#include "base/limits.h"
#include "cli/gitconfig.h"
#include "io/file.h"

enum { LINKS_MAX = 40 }; /* as many as the kernel follows */

/* --- links ----------------------------------------------------------------- */

/* A path in the making. */
struct walk {
	struct arena *a;
	struct str rest; /* still to be walked */
	char real[LIMIT_PATH_BYTES];
	size_t len;
	int links;
	bool lost;
};

static void
climb(struct walk *w)
{
	while (w->len > 0 && w->real[--w->len] != '/')
		;
}

/* What the link at the end of real says; 0 = it is none; -1 = not to be known.
 * What is not there is no link. */
static ssize_t
read_link(struct walk *w, char target[LIMIT_PATH_BYTES])
{
	w->real[w->len] = '\0';
	ssize_t n = readlink(w->real, target, LIMIT_PATH_BYTES);

	if (n > 0)
		return n < LIMIT_PATH_BYTES ? n : -1;
	return errno == EINVAL || errno == ENOENT || errno == ENOTDIR ? 0 : -1;
}

static void
step(struct walk *w, struct str part)
{
	char target[LIMIT_PATH_BYTES];

	if (part.len == 0 || str_eq(part, STR(".")))
		return;
	if (str_eq(part, STR(".."))) {
		climb(w);
		return;
	}
	size_t before = w->len;

	if (w->len + part.len + 2 > sizeof(w->real)) {
		w->lost = true;
		return;
	}
	w->real[w->len++] = '/';
	memcpy(w->real + w->len, part.ptr, part.len);
	w->len += part.len;
	ssize_t n = read_link(w, target);

	if (n == 0)
		return;
	/* /proc's links lead where their reader is, not where the agent is */
	if (n < 0 || ++w->links > LINKS_MAX
		|| str_starts((struct str){w->real, w->len}, STR("/proc/"))) {
		w->lost = true;
		return;
	}
	w->len = target[0] == '/' ? 0 : before;
	w->rest = arena_fmt(w->a, "%.*s/%.*s", (int)n, target, STR_ARG(w->rest));
}

struct str
cli_world_link(struct arena *a, struct str path)
{
	struct walk w = {.a = a, .rest = path};

	if (!str_starts(path, STR("/")) || str_has_char(path, '\0')
		|| path.len >= LIMIT_PATH_BYTES)
		return (struct str){0};
	while (w.rest.ptr && !w.lost)
		step(&w, str_cut(w.rest, '/', &w.rest));
	if (w.lost)
		return (struct str){0};
	return w.len == 0 ? STR("/") : arena_dup(a, (struct str){w.real, w.len});
}

/* --- programs -------------------------------------------------------------- */

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode)
		&& access(path, X_OK) == 0;
}

struct str
cli_world_program(
	struct arena *a, struct str name, struct str search, struct str cwd)
{
	if (name.len == 0 || name.len > 255 || str_has_char(name, '/')
		|| str_has_char(name, '\0'))
		return (struct str){0};
	while (search.ptr) {
		struct str folder = str_cut(search, ':', &search);

		if (folder.len == 0)
			folder = cwd;
		else if (folder.ptr[0] != '/')
			folder = arena_fmt(a, "%.*s/%.*s", STR_ARG(cwd), STR_ARG(folder));
		struct str path =
			arena_fmt(a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));

		if (path.len < LIMIT_PATH_BYTES && is_program(path.ptr))
			return path;
	}
	return (struct str){0};
}

/* --- files ----------------------------------------------------------------- */

bool
cli_world_is_below(struct str path, struct str folder)
{
	if (folder.len <= 1)
		return str_starts(path, STR("/"));
	return str_starts(path, folder)
		&& (path.len == folder.len || path.ptr[folder.len] == '/');
}

/* Opens a path that has no links; one that was put there meanwhile fails. */
static int
open_plain(const char *path)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

/* The text of an open file, into b; false when it is none or too large. */
static bool
read_text(int fd, struct buf *b)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
		&& st.st_size <= API_FILE_BYTES && io_file_read_fd(fd, b) == 0
		&& api_text_is_clean(buf_str(b));
}

struct str
cli_world_file(struct arena *a, struct str path, struct str root)
{
	struct str real = cli_world_link(a, path), text = {0};
	struct buf b;

	if (!str_eq(real, path) || !root.ptr || !cli_world_is_below(real, root))
		return text;
	int fd = open_plain(real.ptr);

	if (fd < 0)
		return text;
	buf_init(&b, API_FILE_BYTES);
	bool is_text = read_text(fd, &b);

	(void)close(fd);
	if (is_text)
		text = b.len > 0 ? arena_dup(a, buf_str(&b)) : STR("");
	buf_done(&b);
	return text;
}

/* --- workspaces ------------------------------------------------------------ */

struct str
cli_world_root(struct arena *a, struct str cwd, struct str home)
{
	struct str real = cli_world_link(a, cwd);
	struct str top = cli_git_toplevel(a, cwd);
	struct str real_home = cli_world_link(a, home);

	if (!top.ptr || top.len <= 1 || !real_home.ptr
		|| cli_world_is_below(real_home, top))
		return real;
	return top;
}
