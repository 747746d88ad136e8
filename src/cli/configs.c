#include "cli/configs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/api.h"
#include "base/buf.h"
#include "cli/tree.h"
#include "cli/world.h"
#include "facts/settings.h"
#include "io/clock.h"
#include "io/file.h"

enum {
	ENTRIES_MAX = 200000,
	FILES_MAX = 256,
	TEXT_BYTES_MAX = 1 << 20, /* of one file */
	TIME_MS = 120,            /* of the time that all questions have together */
};

struct look {
	struct str tool;
	size_t entries, files;
	int64_t until_ms;
	bool code, lost;
};

/* What is no file, too large or no text may name anything. */
static bool
is_plain(const struct look *l, const struct cli_tree_entry *e)
{
	CLEANUP(buf_done) struct buf b;
	int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	IO_FD int fd = openat(e->at, e->name, flags);
	struct stat st;

	buf_init(&b, TEXT_BYTES_MAX);
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
		&& io_file_read_fd(fd, &b) == 0 && api_text_is_clean(buf_str(&b))
		&& facts_settings_is_plain(l->tool, str_from(e->name), buf_str(&b));
}

/* Folders whose files are of others, and that no tool takes settings from. */
static bool
is_foreign(const char *name)
{
	static const char *const names[] = {
		".git", ".hg", ".svn", "node_modules", "__pycache__"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (str_eq(str_from(name), str_from(names[i])))
			return true;
	}
	return false;
}

static enum cli_tree_next
see(void *arg, const struct cli_tree_entry *e)
{
	struct look *l = arg;

	if (++l->entries > ENTRIES_MAX || l->files > FILES_MAX
		|| (l->entries % 1024 == 0 && io_clock_mono_ms() > l->until_ms)) {
		l->lost = true;
		return CLI_TREE_END;
	}
	switch (facts_settings_of(l->tool, str_from(e->name))) {
	case FACTS_SETTINGS_NONE:
		break;
	case FACTS_SETTINGS_CODE:
		l->code = true;
		break;
	case FACTS_SETTINGS_DATA:
		l->files++;
		l->code = l->code || !is_plain(l, e);
		break;
	}
	if (l->code)
		return CLI_TREE_END;
	return e->is_folder && is_foreign(e->name) ? CLI_TREE_PAST : CLI_TREE_ON;
}

struct str
cli_configs_of(struct arena *a, struct str name, struct str root)
{
	struct look l = {.until_ms = io_clock_mono_ms() + TIME_MS};
	struct str folder, real;

	l.tool = str_cut(name, ':', &folder);
	real = cli_world_link(a, folder);
	if (!real.ptr || !root.ptr || !cli_world_is_below(real, root))
		return (struct str){0};
	if (!cli_tree_walk(real.ptr, see, &l))
		l.lost = true;
	return l.code ? STR("code") : l.lost ? (struct str){0} : STR("plain");
}
