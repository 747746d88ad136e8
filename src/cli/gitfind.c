/*
 * Which repository git would find from a folder, and whether what it reads there
 * names programs.
 */

#include <sys/stat.h>
#include <unistd.h>

#include "cli/gitconfig.h"
#include "cli/world.h"
#include "io/file.h"

enum {
	CONFIG_BYTES = 1 << 20,
	INCLUDES_MAX = 16, /* in one file */
	FILES_MAX = 32,    /* with all that they include */
	LEVELS_MAX = 256,  /* folders upwards */
};

/* --- files ----------------------------------------------------------------- */

static const char *
cpath(struct arena *a, struct str folder, const char *name)
{
	const char *c =
		arena_cstr(a, arena_fmt(a, "%.*s/%s", STR_ARG(folder), name));

	return c ? c : "";
}

/* The text of a small file, absent when it cannot be read. */
static struct str
read_text(struct arena *a, const char *path)
{
	struct buf b;
	struct str text = {0};

	buf_init(&b, CONFIG_BYTES);
	if (io_file_read(path, &b) == 0)
		text = b.len > 0 ? arena_dup(a, buf_str(&b)) : STR("");
	buf_done(&b);
	return text;
}

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* What an include names, seen from the file that holds it. */
static struct str
include_path(struct arena *a, struct str from, struct str path)
{
	if (path.len == 0 || path.ptr[0] == '~' || path.ptr[0] == '%')
		return (struct str){0};
	if (path.ptr[0] == '/')
		return path;
	return arena_fmt(a, "%.*s%.*s", (int)(from.len - str_base(from).len),
		from.ptr, STR_ARG(path));
}

/* What is still to be read: a file and what it includes, in turn. */
struct files {
	struct str paths[FILES_MAX];
	size_t count;
};

/* One file; what it includes is added. A file that is not there names nothing. */
static bool
one_names_programs(struct arena *a, struct files *files, struct str path)
{
	struct str includes[INCLUDES_MAX];
	size_t count = 0;
	const char *c = arena_cstr(a, path);

	if (!c)
		return true;
	if (!is_there(c))
		return false;
	struct str text = read_text(a, c);

	if (!text.ptr
		|| cli_git_text_names_programs(a, text, includes, INCLUDES_MAX, &count))
		return true;
	for (size_t i = 0; i < count; i++) {
		struct str inner = include_path(a, path, includes[i]);

		/* files that include each other never end */
		if (!inner.ptr || files->count == FILES_MAX)
			return true;
		files->paths[files->count++] = inner;
	}
	return false;
}

static bool
file_names_programs(struct arena *a, struct str path)
{
	struct files files = {.paths = {path}, .count = 1};

	for (size_t i = 0; i < files.count; i++) {
		if (one_names_programs(a, &files, files.paths[i]))
			return true;
	}
	return false;
}

/* What a file says behind a word ("gitdir: ../x"), seen from folder. */
static struct str
read_pointer(
	struct arena *a, const char *path, struct str word, struct str folder)
{
	struct str text = read_text(a, path);

	if (!str_starts(text, word))
		return (struct str){0};
	text = str_trim(str_sub(text, word.len, text.len));
	if (text.len == 0 || str_has_char(text, '\0'))
		return (struct str){0};
	return str_starts(text, STR("/"))
		? text
		: arena_fmt(a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(text));
}

/* The hook that reading commands run as well, as they refresh the index. */
static bool
has_reading_hook(struct arena *a, struct str common)
{
	return access(cpath(a, common, "hooks/post-index-change"), X_OK) == 0;
}

static bool
gitdir_names_programs(struct arena *a, struct str gitdir)
{
	const char *pointer = cpath(a, gitdir, "commondir");
	struct str common = gitdir;

	if (is_there(pointer))
		common = read_pointer(a, pointer, STR(""), gitdir);
	return !common.ptr
		|| file_names_programs(a, arena_fmt(a, "%.*s/config", STR_ARG(common)))
		|| file_names_programs(
			a, arena_fmt(a, "%.*s/config.worktree", STR_ARG(gitdir)))
		|| has_reading_hook(a, common);
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* True when git would take folder itself for a repository's insides. */
static bool
is_gitdir(struct arena *a, struct str folder)
{
	return is_there(cpath(a, folder, "HEAD"))
		&& (is_there(cpath(a, folder, "commondir"))
			|| (is_folder(cpath(a, folder, "objects"))
				&& is_folder(cpath(a, folder, "refs"))));
}

/* The folder above, absent above the root. */
static struct str
above(struct str folder)
{
	if (folder.len <= 1)
		return (struct str){0};
	folder.len -= str_base(folder).len;
	while (folder.len > 1 && folder.ptr[folder.len - 1] == '/')
		folder.len--;
	return folder;
}

enum level { NOTHING, REPOSITORY, DOUBTFUL };

/* What stands in one folder; its insides in *ret_gitdir. */
static enum level
look_at(struct arena *a, struct str folder, struct str *ret_gitdir)
{
	const char *git = cpath(a, folder, ".git");
	struct stat st;

	if (is_there(git)) {
		*ret_gitdir = stat(git, &st) == 0 && S_ISDIR(st.st_mode)
			? arena_fmt(a, "%.*s/.git", STR_ARG(folder))
			: read_pointer(a, git, STR("gitdir:"), folder);
		return ret_gitdir->ptr && is_gitdir(a, *ret_gitdir) ? REPOSITORY
															: DOUBTFUL;
	}
	*ret_gitdir = folder;
	return is_gitdir(a, folder) ? REPOSITORY : NOTHING;
}

bool
cli_git_names_programs(struct arena *a, struct str folder)
{
	struct str at = cli_world_link(a, folder);

	if (!at.ptr)
		return true;
	for (int i = 0; at.ptr && i < LEVELS_MAX; i++) {
		struct str gitdir = {0};
		enum level level = look_at(a, at, &gitdir);

		/* git goes on above what is no repository after all, so do we */
		if (level != NOTHING
			&& (!gitdir.ptr || gitdir_names_programs(a, gitdir)))
			return true;
		if (level == REPOSITORY)
			return false;
		at = above(at);
	}
	return at.ptr != NULL;
}

struct str
cli_git_toplevel(struct arena *a, struct str folder)
{
	struct str at = cli_world_link(a, folder);

	for (int i = 0; at.ptr && i < LEVELS_MAX; i++) {
		struct str gitdir = {0};

		if (look_at(a, at, &gitdir) == REPOSITORY && !str_eq(gitdir, at))
			return at;
		at = above(at);
	}
	return (struct str){0};
}
