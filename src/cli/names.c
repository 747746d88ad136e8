#include "cli/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/gitconfig.h"
#include "cli/world.h"
#include "io/clock.h"
#include "io/file.h"

enum {
	ENTRIES_MAX = 200000,
	DEPTH_MAX = 64,
	TIME_MS = 120, /* of the time that all questions have together */
	INDEX_BYTES_MAX = 32 << 20,
};

enum grade { PLAIN, ORDINARY, ODD };

struct look {
	enum grade grade;
	size_t entries;
	int64_t until_ms;
	bool lost; /* not all was seen */
};

/* --- one name -------------------------------------------------------------- */

static bool
is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c >= 0x80 || strchr("._/+@%,:=^-", c);
}

static enum grade
grade_of(struct str name)
{
	bool dot = str_starts(name, STR("."));
	enum grade g = PLAIN;

	if (str_starts(name, STR("-")))
		return ODD;
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c <= ' ' || c == 0x7f || strchr("'\"\\", c)
			|| (dot && strchr("*?[(", c)))
			return ODD;
		if (!is_plain(c))
			g = ORDINARY;
	}
	return g;
}

/* False when nothing worse can be found, or too much was seen. */
static bool
see(struct look *l, struct str name)
{
	enum grade g = grade_of(name);

	if (g > l->grade)
		l->grade = g;
	if (++l->entries > ENTRIES_MAX
		|| (l->entries % 1024 == 0 && io_clock_mono_ms() > l->until_ms))
		l->lost = true;
	return l->grade != ODD && !l->lost;
}

/* --- a tree ---------------------------------------------------------------- */

static bool
is_folder(int fd, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0
		&& S_ISDIR(st.st_mode);
}

/* The open folders on the way down. */
struct way {
	DIR *open[DEPTH_MAX];
	size_t depth;
};

static void
enter(struct look *l, struct way *w, int at, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = openat(at, name, flags);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir && w->depth < DEPTH_MAX) {
		w->open[w->depth++] = dir;
		return;
	}
	/* what this user cannot open, no program of theirs lists */
	l->lost = l->lost || fd >= 0 || errno != EACCES;
	if (dir)
		(void)closedir(dir);
	else if (fd >= 0)
		(void)close(fd);
}

/* The next entry of the deepest open folder; false at its end. */
static bool
step(struct look *l, struct way *w)
{
	DIR *dir = w->open[w->depth - 1];
	struct dirent *e;

	errno = 0;
	e = readdir(dir);
	if (!e) {
		l->lost = l->lost || errno != 0;
		return false;
	}
	if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
		return true;
	if (see(l, str_from(e->d_name)) && is_folder(dirfd(dir), e))
		enter(l, w, dirfd(dir), e->d_name);
	return true;
}

static void
look_below(struct look *l, const char *folder)
{
	struct way w = {.depth = 0};

	enter(l, &w, AT_FDCWD, folder);
	l->lost = l->lost || w.depth == 0;
	while (w.depth > 0) {
		bool more = l->grade != ODD && !l->lost && step(l, &w);

		if (!more)
			(void)closedir(w.open[--w.depth]);
	}
}

/* --- the index: names that git knows, and that need not be there ----------- */

static bool
see_indexed(void *arg, struct str name)
{
	struct look *l = arg;

	while (name.ptr) {
		if (!see(l, str_cut(name, '/', &name)))
			return false;
	}
	return true;
}

static void
look_into_index(struct arena *a, struct look *l, struct str folder)
{
	struct str top = cli_git_toplevel(a, folder);
	struct buf b;

	if (!top.ptr || l->lost || l->grade == ODD)
		return;
	buf_init(&b, INDEX_BYTES_MAX);
	struct str path = arena_fmt(a, "%.*s/.git/index", STR_ARG(top));
	int error = io_file_read(path.ptr, &b);

	if (error == 0 && !cli_git_index_names(buf_str(&b), see_indexed, l))
		l->lost = l->lost || l->grade != ODD;
	else if (error != 0 && error != FAIL_ABSENT)
		l->lost = true;
	buf_done(&b);
}

struct str
cli_names_of(struct arena *a, struct str folder, struct str root)
{
	static const struct str grades[] = {
		[PLAIN] = {"plain",    5},
		[ORDINARY] = {"ordinary", 8},
		[ODD] = {"odd",      3},
	};
	struct look l = {.until_ms = io_clock_mono_ms() + TIME_MS};
	struct str real = cli_world_link(a, folder);

	if (!real.ptr || !root.ptr || !cli_world_is_below(real, root))
		return (struct str){0};
	look_below(&l, real.ptr);
	look_into_index(a, &l, real);
	return l.grade == ODD ? grades[ODD]
		: l.lost          ? (struct str){0}
						  : grades[l.grade];
}
