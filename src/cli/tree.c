#include "cli/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 };

/* The open folders on the way down. */
struct way {
	DIR *open[DEPTH_MAX];
	size_t depth;
	bool lost, ended;
	cli_tree_fn fn;
	void *arg;
};

static bool
is_folder(int fd, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_DIR;
	return fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0
		&& S_ISDIR(st.st_mode);
}

static void
enter(struct way *w, int at, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = openat(at, name, flags);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir && w->depth < DEPTH_MAX) {
		w->open[w->depth++] = dir;
		return;
	}
	/* what this user cannot open, no program of theirs lists */
	w->lost = w->lost || fd >= 0 || errno != EACCES;
	if (dir)
		(void)closedir(dir);
	else if (fd >= 0)
		(void)close(fd);
}

static void
visit(struct way *w, int at, const struct dirent *d)
{
	struct cli_tree_entry e = {
		.name = d->d_name,
		.at = at,
		.is_folder = is_folder(at, d),
	};
	enum cli_tree_next next = w->fn(w->arg, &e);

	w->ended = next == CLI_TREE_END;
	if (next == CLI_TREE_ON && e.is_folder)
		enter(w, at, d->d_name);
}

/* The next entry of the deepest open folder; false at its end. */
static bool
step(struct way *w)
{
	DIR *dir = w->open[w->depth - 1];
	struct dirent *e;

	errno = 0;
	// NOLINTNEXTLINE(concurrency-mt-unsafe): the folder is nobody else's
	e = readdir(dir);
	if (!e) {
		w->lost = w->lost || errno != 0;
		return false;
	}
	if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
		visit(w, dirfd(dir), e);
	return true;
}

bool
cli_tree_walk(const char *folder, cli_tree_fn fn, void *arg)
{
	struct way w = {.fn = fn, .arg = arg};

	enter(&w, AT_FDCWD, folder);
	w.lost = w.lost || w.depth == 0;
	while (w.depth > 0) {
		bool more = !w.ended && !w.lost && step(&w);

		if (!more)
			(void)closedir(w.open[--w.depth]);
	}
	return !w.lost;
}
