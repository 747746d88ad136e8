#include "cli/names.h"

#include <string.h>

#include "base/limits.h"
#include "cli/gitconfig.h"
#include "cli/tree.h"
#include "cli/world.h"
#include "io/clock.h"
#include "io/file.h"

enum {
	ENTRIES_MAX = 200000,
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

static enum cli_tree_next
see_entry(void *arg, const struct cli_tree_entry *e)
{
	return see(arg, str_from(e->name)) ? CLI_TREE_ON : CLI_TREE_END;
}

static void
look_below(struct look *l, const char *folder)
{
	if (!cli_tree_walk(folder, see_entry, l))
		l->lost = true;
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
