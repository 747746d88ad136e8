#include "tests/test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { FILE_MAX_BYTES = 64 << 20, ARENA_MAX_BYTES = 256 << 20 };

static unsigned passed, failed;

struct str
test_scene_get(
	const struct test_scene *s, const char *name, struct str fallback)
{
	for (size_t i = s->count; i > 0; i--) {
		if (str_eq(s->names[i - 1], str_from(name)))
			return s->values[i - 1];
	}
	return fallback;
}

/* The last " => " on the line parts input from expectation. */
static bool
split_case(struct str line, struct str *ret_input, struct str *ret_want)
{
	static const char arrow[] = " => ";
	size_t n = sizeof(arrow) - 1;

	for (size_t i = line.len; i >= n; i--) {
		if (memcmp(line.ptr + i - n, arrow, n) == 0) {
			*ret_input = str_trim(str_sub(line, 0, i - n));
			*ret_want = str_trim(str_sub(line, i, line.len));
			return true;
		}
	}
	return false;
}

static unsigned
hex4(const char *p)
{
	char digits[5] = {p[0], p[1], p[2], p[3], '\0'};

	return (unsigned)strtoul(digits, NULL, 16);
}

/* One escape of a JSON string at s[i] (behind the backslash); bytes come as
 * \u0000 to \u00ff. Returns how many characters of s it took, 0 = none. */
static size_t
unescape(struct str s, size_t i, char *ret)
{
	static const char from[] = "ntrbf\"\\/", to[] = "\n\t\r\b\f\"\\/";
	const char *at = i < s.len ? strchr(from, s.ptr[i]) : NULL;

	if (at && *at) {
		*ret = to[at - from];
		return 1;
	}
	if (i + 5 <= s.len && s.ptr[i] == 'u' && hex4(s.ptr + i + 1) < 256) {
		*ret = (char)hex4(s.ptr + i + 1);
		return 5;
	}
	return 0;
}

/* An input in quotes with a backslash in it is a JSON string, if it is one;
 * \u00XX stands for a byte. */
static struct str
read_input(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len + 1);
	size_t n = 0;

	if (s.len < 2 || s.ptr[0] != '"' || s.ptr[s.len - 1] != '"'
		|| !str_has_char(s, '\\'))
		return s;
	for (size_t i = 1; i < s.len - 1; i++) {
		size_t took = 1;

		out[n] = s.ptr[i];
		if (s.ptr[i] == '"')
			return s;
		if (s.ptr[i] == '\\') {
			took = unescape(str_sub(s, 0, s.len - 1), i + 1, &out[n]);
			if (took == 0)
				return s;
			i += took;
		}
		n++;
	}
	return (struct str){out, n};
}

static void
set_scene(struct test_scene *scene, struct str line)
{
	struct str value;
	struct str name = str_cut(str_sub(line, 1, line.len), ' ', &value);

	if (str_eq(name, STR("reset"))) {
		scene->count = 0;
		return;
	}
	CHECK(scene->count < ARRAY_LEN(scene->names));
	scene->names[scene->count] = name;
	scene->values[scene->count++] = str_trim(value);
}

/* What came out for the line, after comparing it with what was wanted. */
static struct str
run_line(struct arena *a, const char *where, struct str line,
	const struct test_scene *scene, test_fn fn)
{
	struct str input, want;

	if (!split_case(line, &input, &want)) {
		printf("%s: no \" => \" in this line\n", where);
		failed++;
		return line;
	}
	struct str got =
		ARENA_TRY(a) ? fn(a, scene, read_input(a, input)) : STR("(too large)");

	if (str_eq(got, want)) {
		passed++;
		return line;
	}
	failed++;
	printf("%s: %.*s\n  want: %.*s\n  got:  %.*s\n", where, STR_ARG(input),
		STR_ARG(want), STR_ARG(got));
	return arena_fmt(a, "%.*s => %.*s", STR_ARG(input), STR_ARG(got));
}

static bool
read_file(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "re");
	char part[4096];
	size_t n = 0;

	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(b, (struct str){part, n});
	(void)fclose(f);
	return !b->full;
}

static void
run_file(const char *path, test_fn fn, bool bless)
{
	CLEANUP(buf_done) struct buf text, out;
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_MAX_BYTES);
	struct test_scene scene = {.count = 0};
	struct str rest, line;
	char where[512];

	buf_init(&text, FILE_MAX_BYTES);
	buf_init(&out, FILE_MAX_BYTES);
	CHECK(a && read_file(path, &text));
	rest = buf_str(&text);
	for (unsigned n = 1; str_line(&rest, &line); n++) {
		struct str s = str_trim(line);

		(void)snprintf(where, sizeof(where), "%s:%u", path, n);
		arena_reset(a);
		if (s.len > 0 && s.ptr[0] == ':' && s.len > 1 && s.ptr[1] != ' ')
			set_scene(&scene, s);
		else if (s.len > 0 && s.ptr[0] != '#')
			line = run_line(a, where, s, &scene, fn);
		buf_add(&out, line);
		buf_add_char(&out, '\n');
	}
	if (bless) {
		FILE *f = fopen(path, "we");

		CHECK(f && fwrite(out.ptr, 1, out.len, f) == out.len);
		CHECK(fclose(f) == 0);
	}
}

void
test_folder(const char *folder, test_fn fn, bool bless)
{
	char pattern[256];
	glob_t g;

	(void)snprintf(pattern, sizeof(pattern), "%s/*.case", folder);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): the runner has one thread
	if (glob(pattern, 0, NULL, &g) != 0) {
		printf("%s: no case file\n", folder);
		failed++;
		return;
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		run_file(g.gl_pathv[i], fn, bless);
	globfree(&g);
}

int
test_finish(void)
{
	printf("%u passed, %u failed\n", passed, failed);
	return failed == 0 && passed > 0 ? 0 : 1;
}
