#include "cli/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/diff.h"
#include "cli/person.h"
#include "io/file.h"

enum { SETTINGS_BYTES = 4 << 20, COPIES_MAX = 1000 };

static const char *const scope_names[] = {
#define X(name, text) text,
	CLI_SCOPES(X)
#undef X
};

bool
cli_settings_scope(const struct cli *c, enum cli_scope *ret)
{
	bool found = false;

	*ret = CLI_SCOPE_USER;
	for (int i = 0; i < CLI_SCOPE_COUNT; i++) {
		if (!cli_has(c, scope_names[i]))
			continue;
		if (found) {
			(void)cli_usage(c, "only one of --user, --project and --local");
			return false;
		}
		*ret = (enum cli_scope)i;
		found = true;
	}
	return true;
}

static struct str
path_of(const struct cli *c, const struct io_place *p, enum cli_scope scope)
{
	char cwd[PATH_MAX];
	// NOLINTNEXTLINE(concurrency-mt-unsafe): the client has one thread
	const char *moved = getenv("CLAUDE_CONFIG_DIR");

	switch (scope) {
	case CLI_SCOPE_PROJECT:
	case CLI_SCOPE_LOCAL:
		if (!getcwd(cwd, sizeof(cwd)))
			return (struct str){0};
		return arena_fmt(c->arena, "%s/.claude/settings%s.json", cwd,
			scope == CLI_SCOPE_LOCAL ? ".local" : "");
	case CLI_SCOPE_USER:
	case CLI_SCOPE_COUNT:
		break;
	}
	if (moved && moved[0] == '/' && !c->places.home.ptr)
		return arena_fmt(c->arena, "%s/settings.json", moved);
	return arena_fmt(c->arena, "%.*s/.claude/settings.json", STR_ARG(p->home));
}

/* A regular file of this user that nobody else may write. */
static bool
is_fine(const struct cli *c, const char *path, struct str *ret_why)
{
	struct stat st;
	const char *why = NULL;

	if (stat(path, &st) != 0)
		why = "cannot be looked at";
	else if (!S_ISREG(st.st_mode))
		why = "is not a regular file";
	else if (st.st_uid != geteuid())
		why = "belongs to another user";
	else if ((st.st_mode & 022) != 0)
		why = "may be written by others (chmod go-w helps)";
	if (why)
		*ret_why = arena_fmt(c->arena, "%s %s", path, why);
	return !why;
}

bool
cli_settings_read(const struct cli *c, const struct io_place *p,
	enum cli_scope scope, struct cli_settings *ret, struct str *ret_why)
{
	ret->scope = scope;
	return cli_settings_read_at(c, path_of(c, p, scope), ret, ret_why);
}

bool
cli_settings_read_at(const struct cli *c, struct str path,
	struct cli_settings *ret, struct str *ret_why)
{
	CLEANUP(buf_done) struct buf text;
	char real[PATH_MAX];
	struct stat st;

	*ret = (struct cli_settings){.scope = ret->scope, .path = path};
	ret->real = ret->path;
	buf_init(&text, SETTINGS_BYTES);
	if (!ret->path.ptr) {
		*ret_why = STR("the working folder is gone");
		return false;
	}
	if (lstat(ret->path.ptr, &st) != 0 && errno == ENOENT)
		return true;
	if (!realpath(ret->path.ptr, real)) {
		*ret_why = arena_fmt(c->arena,
			"%s is a link to nowhere, or in a folder "
			"that cannot be read",
			ret->path.ptr);
		return false;
	}
	ret->exists = true;
	ret->real = arena_dup(c->arena, str_from(real));
	if (!is_fine(c, real, ret_why))
		return false;
	if (io_file_read(real, &text) != 0) {
		*ret_why = arena_fmt(c->arena, "%s", fail_text());
		return false;
	}
	ret->text = arena_dup(c->arena, buf_str(&text));
	return true;
}

/* FILE.before-assent, or with a number behind it: copies are never replaced. */
static int
make_copy(const struct cli *c, const struct cli_settings *s, struct str *ret)
{
	for (int i = 0; i < COPIES_MAX; i++) {
		const char *path = i == 0
			? arena_fmt(c->arena, "%s.before-assent", s->real.ptr).ptr
			: arena_fmt(c->arena, "%s.before-assent.%d", s->real.ptr, i).ptr;
		IO_FD int fd = open(
			path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			break;
		*ret = str_from(path);
		return io_file_write_fd(fd, s->text);
	}
	return fail_here(FAIL_IO, "no copy of %s could be made", s->real.ptr);
}

int
cli_settings_write(const struct cli *c, const struct cli_settings *s,
	struct str text, struct str *ret_copy)
{
	const char *path = s->real.ptr;
	struct str name = str_base(s->real);
	struct str folder = str_sub(s->real, 0, s->real.len - name.len);
	int r = 0;

	*ret_copy = (struct str){0};
	if (s->exists)
		r = make_copy(c, s, ret_copy);
	else
		r = io_file_make_folder(arena_dup(c->arena, folder).ptr);
	return r != 0 ? r : io_file_replace(path, text, 0600);
}

int
cli_settings_change(const struct cli *c, const struct cli_settings *s,
	struct str text, const char *done)
{
	struct str copy;

	(void)printf("%s%s%s", cli_ink(c, CLI_INK_BOLD), s->path.ptr,
		cli_ink_off(c, CLI_INK_BOLD));
	if (!str_eq(s->path, s->real))
		(void)printf(" (a link to %s)", s->real.ptr);
	(void)printf("%s\n", s->exists ? ":" : " (a new file):");
	cli_diff_print(c, s->text, text);
	if (cli_has(c, "dry-run")) {
		(void)printf("Nothing was written (--dry-run).\n");
		return CLI_OK;
	}
	if (!cli_has(c, "yes") && !cli_person_agrees(c, "Write this?")) {
		(void)printf("Nothing was written. (--yes writes without asking.)\n");
		return CLI_FAILURE;
	}
	if (cli_settings_write(c, s, text, &copy) != 0)
		return cli_fail(c, "%s", fail_text());
	if (copy.ptr)
		(void)printf("What was there before is in %s\n", copy.ptr);
	(void)printf("%s\n", done);
	return CLI_OK;
}
