#include "cli/secrets.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "cli/tree.h"
#include "cli/world.h"
#include "io/clock.h"
#include "policy/policy.h"

enum {
	ENTRIES_MAX = 200000,
	FOUND_BYTES_MAX = 8192,
	TIME_MS = 120, /* of the time that all questions have together */
};

struct look {
	struct str folder;
	struct buf found;
	size_t entries;
	int64_t until_ms;
	bool lost;
};

/* The folder that is open there, as the system names it. */
static bool
folder_at(int at, char path[LIMIT_PATH_BYTES], struct str *ret)
{
	char link[64];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", at);
	ssize_t n = readlink(link, path, LIMIT_PATH_BYTES);

	if (n <= 0 || n >= LIMIT_PATH_BYTES)
		return false;
	*ret = (struct str){path, (size_t)n};
	return true;
}

static void
add(struct look *l, const struct cli_tree_entry *e)
{
	char path[LIMIT_PATH_BYTES];
	struct str folder;

	if (!folder_at(e->at, path, &folder)
		|| !cli_world_is_below(folder, l->folder)) {
		l->lost = true;
		return;
	}
	folder = str_sub(folder, l->folder.len, folder.len);
	if (str_starts(folder, STR("/")))
		folder = str_sub(folder, 1, folder.len);
	if (folder.len > 0) {
		buf_add(&l->found, folder);
		buf_add_char(&l->found, '/');
	}
	buf_add(&l->found, str_from(e->name));
	buf_add_char(&l->found, '\n');
	l->lost = l->lost || l->found.full;
}

static enum cli_tree_next
see(void *arg, const struct cli_tree_entry *e)
{
	struct look *l = arg;

	if (++l->entries > ENTRIES_MAX
		|| (l->entries % 1024 == 0 && io_clock_mono_ms() > l->until_ms))
		l->lost = true;
	if (e->is_folder
		&& (strcmp(e->name, ".git") == 0
			|| strcmp(e->name, "node_modules") == 0))
		return CLI_TREE_PAST;
	if (!l->lost && policy_name_is_sensitive(str_from(e->name))) {
		add(l, e);
		return l->lost ? CLI_TREE_END : CLI_TREE_PAST;
	}
	return l->lost ? CLI_TREE_END : CLI_TREE_ON;
}

static bool
is_folder(struct str path)
{
	struct stat st;

	return lstat(path.ptr, &st) != 0 || S_ISDIR(st.st_mode);
}

struct str
cli_secrets_of(struct arena *a, struct str folder, struct str root)
{
	struct look l = {.until_ms = io_clock_mono_ms() + TIME_MS};
	struct str found = {0};

	l.folder = cli_world_link(a, folder);
	if (!l.folder.ptr || !root.ptr || !cli_world_is_below(l.folder, root))
		return found;
	/* a file is judged by its own name */
	if (!is_folder(l.folder))
		return STR("");
	buf_init(&l.found, FOUND_BYTES_MAX);
	if (cli_tree_walk(l.folder.ptr, see, &l) && !l.lost)
		found = arena_dup(a, buf_str(&l.found));
	buf_done(&l.found);
	return found;
}
