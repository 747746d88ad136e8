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
	PARTS_MAX = 128,   /* repositories inside a repository */
	INDEX_BYTES = 64 << 20,
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

/* --- one repository -------------------------------------------------------- */

/* A repository: where it works, and its insides. */
struct repository {
	struct str folder, gitdir;
};

/* What is still to be read: a file and what it includes, in turn. */
struct files {
	struct str paths[FILES_MAX];
	size_t count;
};

/* True unless path, seen from the insides, is the folder where it works. */
static bool
works_elsewhere(
	struct arena *a, const struct repository *r, struct str worktree)
{
	struct str real = cli_world_link(a,
		str_starts(worktree, STR("/"))
			? worktree
			: arena_fmt(a, "%.*s/%.*s", STR_ARG(r->gitdir), STR_ARG(worktree)));

	return !real.ptr || !str_eq(real, r->folder);
}

/* One file; what it includes is added. A file that is not there names nothing. */
static bool
one_names_programs(struct arena *a, const struct repository *r,
	struct files *files, struct str path)
{
	struct str includes[INCLUDES_MAX];
	struct cli_git_said said = {.includes = includes, .max = INCLUDES_MAX};
	const char *c = arena_cstr(a, path);

	if (!c)
		return true;
	if (!is_there(c))
		return false;
	struct str text = read_text(a, c);

	if (!text.ptr || cli_git_text_names_programs(a, text, &said))
		return true;
	for (size_t i = 0; i < said.count; i++) {
		struct str inner = include_path(a, path, includes[i]);

		/* files that include each other never end */
		if (!inner.ptr || files->count == FILES_MAX)
			return true;
		files->paths[files->count++] = inner;
	}
	return said.worktree.ptr && works_elsewhere(a, r, said.worktree);
}

static bool
file_names_programs(
	struct arena *a, const struct repository *r, struct str path)
{
	struct files files = {.paths = {path}, .count = 1};

	for (size_t i = 0; i < files.count; i++) {
		if (one_names_programs(a, r, &files, files.paths[i]))
			return true;
	}
	return false;
}

/* The hook that reading commands run as well, as they refresh the index. */
static bool
has_reading_hook(struct arena *a, struct str common)
{
	return access(cpath(a, common, "hooks/post-index-change"), X_OK) == 0;
}

static bool
one_repository_names_programs(struct arena *a, const struct repository *r)
{
	const char *pointer = cpath(a, r->gitdir, "commondir");
	struct str common = r->gitdir;

	if (is_there(pointer))
		common = read_pointer(a, pointer, STR(""), r->gitdir);
	return !common.ptr
		|| file_names_programs(
			a, r, arena_fmt(a, "%.*s/config", STR_ARG(common)))
		|| file_names_programs(
			a, r, arena_fmt(a, "%.*s/config.worktree", STR_ARG(r->gitdir)))
		|| has_reading_hook(a, common);
}

/* --- finding it ------------------------------------------------------------ */

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

/* --- with its parts -------------------------------------------------------- */

/* Repositories that are still to be looked at: one and its parts, and theirs. */
struct parts {
	struct repository list[PARTS_MAX];
	size_t count;
};

/* Adds the parts that are there; false when that cannot be said. */
static bool
add_parts(struct arena *a, struct parts *p, const struct repository *r)
{
	CLEANUP(buf_done) struct buf index = {0};
	struct str names[PARTS_MAX];
	size_t count = 0;
	const char *path = cpath(a, r->gitdir, "index");

	if (!is_there(path))
		return true;
	buf_init(&index, INDEX_BYTES);
	if (io_file_read(path, &index) != 0
		|| !cli_git_index_parts(buf_str(&index), names, PARTS_MAX, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct repository part = {
			.folder = cli_world_link(a,
				arena_fmt(
					a, "%.*s/%.*s", STR_ARG(r->folder), STR_ARG(names[i]))),
		};

		if (!part.folder.ptr)
			return false;
		if (look_at(a, part.folder, &part.gitdir) == NOTHING)
			continue;
		if (!part.gitdir.ptr || p->count == PARTS_MAX)
			return false;
		p->list[p->count++] = part;
	}
	return true;
}

static bool
repository_names_programs(struct arena *a, struct repository r)
{
	struct parts *parts = ARENA_NEW(a, struct parts);

	parts->list[parts->count++] = r;
	for (size_t i = 0; i < parts->count; i++) {
		if (one_repository_names_programs(a, &parts->list[i])
			|| !add_parts(a, parts, &parts->list[i]))
			return true;
	}
	return false;
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
			&& (!gitdir.ptr
				|| repository_names_programs(
					a, (struct repository){at, gitdir})))
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
