#include "cli/found.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "wire/json.h"

int
cli_found_version_cmp(struct str a, struct str b)
{
	while (a.len > 0 || b.len > 0) {
		int64_t x = 0, y = 0;
		bool fine = str_number(str_cut(a, '.', &a), &x);

		fine = str_number(str_cut(b, '.', &b), &y) && fine;
		if (x != y)
			return x < y ? -1 : 1;
		(void)fine; /* what is no number is 0 */
	}
	return 0;
}

static bool
is_version(struct str s)
{
	int64_t n;
	size_t parts = 0;

	while (s.ptr) {
		if (!str_number(str_cut(s, '.', &s), &n))
			return false;
		parts++;
	}
	return parts >= 2;
}

/* The version in a package.json if it is Claude Code's. */
static struct str
read_package(struct arena *a, struct str folder)
{
	CLEANUP(buf_done) struct buf text;
	struct wire_json_error e;
	const char *path = arena_fmt(a, "%.*s/package.json", STR_ARG(folder)).ptr;

	buf_init(&text, 1 << 20);
	if (io_file_read(path, &text) != 0)
		return (struct str){0};
	WIRE_JSON json_t *j = wire_json_parse(buf_str(&text), &e);
	struct str version = wire_json_str(j, "version");

	if (!str_starts(wire_json_str(j, "name"), STR("@anthropic-ai/claude-code"))
		|| !is_version(version))
		return (struct str){0};
	return arena_dup(a, version);
}

/* .../claude/versions/2.1.332 names it itself; a package's program stands at
 * most three folders below its package.json. */
static struct str
version_of(struct arena *a, struct str program)
{
	struct str version = {0}, folder = program;

	if (is_version(str_base(program)))
		return str_base(program);
	for (int up = 0; up < 3 && !version.ptr; up++) {
		folder = str_sub(folder, 0, folder.len - str_base(folder).len);
		if (folder.len <= 1)
			break;
		folder.len--;
		version = read_package(a, folder);
	}
	return version;
}

static size_t
add_found(struct arena *a, const char *path, struct cli_found *ret, size_t n)
{
	char real[PATH_MAX];
	struct stat st;

	if (n == CLI_FOUND_MAX || !realpath(path, real) || stat(real, &st) != 0
		|| !S_ISREG(st.st_mode) || (st.st_mode & 0111) == 0)
		return n;
	for (size_t i = 0; i < n; i++) {
		if (str_eq(ret[i].program, str_from(real)))
			return n;
	}
	ret[n].program = arena_dup(a, str_from(real));
	ret[n].version = version_of(a, ret[n].program);
	return n + 1;
}

size_t
cli_found_claude(const struct cli *c, const struct io_place *p,
	struct cli_found ret[CLI_FOUND_MAX])
{
	static const char *const below_home[] = {
		".local/bin/claude",
		".claude/local/claude",
		".npm-global/bin/claude",
		".bun/bin/claude",
	};
	// NOLINTNEXTLINE(concurrency-mt-unsafe): the client has one thread
	struct str path = str_from(getenv("PATH"));
	size_t n = 0;

	while (path.ptr) {
		struct str folder = str_cut(path, ':', &path);

		if (str_starts(folder, STR("/")))
			n = add_found(c->arena,
				arena_fmt(c->arena, "%.*s/claude", STR_ARG(folder)).ptr, ret,
				n);
	}
	for (size_t i = 0; i < ARRAY_LEN(below_home); i++)
		n = add_found(c->arena,
			arena_fmt(c->arena, "%.*s/%s", STR_ARG(p->home), below_home[i]).ptr,
			ret, n);
	return n;
}
