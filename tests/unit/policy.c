/*
 * What is not text about rules: globs against the obvious way to match them,
 * snapshots, and the page that must name every setting.
 */
#include "policy/policy.h"

#include <stdio.h>
#include <string.h>

#include "policy/glob.h"
#include "tests/unit/unit.h"

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new(16 << 20);
	return a ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* --- globs: the slow twin -------------------------------------------------- */

/* the obvious way, in one piece to be read beside the page of the language */
static bool
twin( // NOLINT(readability-function-cognitive-complexity): see above
	const char *p, const char *t, bool begin)
{
	if (*p == '\0')
		return *t == '\0';
	if (strcmp(p, "/**") == 0 && !begin)
		return *t == '\0' || *t == '/';
	if (strncmp(p, "**/", 3) == 0 && (begin || p[-1] == '/')) {
		if (twin(p + 3, t, false))
			return true;
		for (; *t; t++) {
			if (*t == '/' && twin(p + 3, t + 1, false))
				return true;
		}
		return false;
	}
	if (*p == '*') {
		bool all = p[1] == '*';

		for (;; t++) {
			if (twin(p + (all ? 2 : 1), t, false))
				return true;
			if (*t == '\0' || (*t == '/' && !all))
				return false;
		}
	}
	if (*t == '\0' || (*p == '?' ? *t == '/' : *p != *t))
		return false;
	return twin(p + 1, t + 1, false);
}

static uint64_t seed = 42;

static size_t
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

static void
draw(char *out, const char *const *parts, size_t count)
{
	size_t n = below(7);

	out[0] = '\0';
	for (size_t i = 0; i < n; i++)
		// NOLINTNEXTLINE(clang-analyzer-*): six parts of three bytes fit into 32
		(void)strcat(out, parts[below(count)]);
}

static void
test_globs_match_as_the_obvious_way(void **state)
{
	static const char *const pattern[] = {
		"a", "b", "/", "*", "**", "?", "/**", "**/", "ab"};
	static const char *const text[] = {"a", "b", "/", "ab", "ba"};
	size_t matched = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char p[32], t[32];
		struct policy_glob g;

		draw(p, pattern, ARRAY_LEN(pattern));
		draw(t, text, ARRAY_LEN(text));
		arena_reset(a);
		assert_true(policy_glob_parse(a, POLICY_GLOB_PATH, str_from(p), &g));
		if (policy_glob_matches(&g, str_from(t), false) != twin(p, t, true))
			fail_msg("\"%s\" against \"%s\"", p, t);
		matched += twin(p, t, true);
	}
	assert_true(matched > 1000);
}

/* Two patterns that match one text overlap; a pattern that has no wildcard
 * overlaps just what it matches. */
static void
test_overlaps_hold_every_common_text(void **state)
{
	static const char *const pattern[] = {
		"a", "b", "/", "*", "**", "?", "/**", "**/"};
	static const char *const text[] = {"a", "b", "/"};

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char p[32], q[32], t[32];
		struct policy_glob g, h, l;

		draw(p, pattern, ARRAY_LEN(pattern));
		draw(q, pattern, ARRAY_LEN(pattern));
		draw(t, text, ARRAY_LEN(text));
		arena_reset(a);
		assert_true(policy_glob_parse(a, POLICY_GLOB_PATH, str_from(p), &g));
		assert_true(policy_glob_parse(a, POLICY_GLOB_PATH, str_from(q), &h));
		assert_true(policy_glob_parse(a, POLICY_GLOB_PATH, str_from(t), &l));
		if (twin(p, t, true) && twin(q, t, true)
			&& !policy_glob_overlaps(&g, &h, false))
			fail_msg("\"%s\" and \"%s\" have \"%s\"", p, q, t);
		if (policy_glob_overlaps(&g, &l, false) != twin(p, t, true))
			fail_msg("\"%s\" and the plain \"%s\"", p, t);
	}
}

static void
test_below_is_reached(void **state)
{
	static const struct {
		const char *pattern, *folder;
		bool reaches;
	} rows[] = {
		{"docs/a/*.md", "docs",      true },
		{"docs/a/*.md", "docs/a",    true },
		{"docs/a/*.md", "docs/a/b",  false},
		{"docs/a/*.md", "src",       false},
		{"docs/a/*.md", "",          true },
		{"**/x",        "any/where", true },
		{"docs",        "docs",      false},
		{"docs/**",     "docs",      true },
		{"d*/x",        "doc",       true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct policy_glob g;

		assert_true(policy_glob_parse(
			a, POLICY_GLOB_PATH, str_from(rows[i].pattern), &g));
		assert_int_equal(
			policy_glob_reaches_below(&g, str_from(rows[i].folder), false),
			rows[i].reaches);
	}
}

static void
test_long_patterns_are_refused(void **state)
{
	char text[300];
	struct policy_glob g;

	(void)state;
	(void)memset(text, '*', sizeof(text));
	assert_false(
		policy_glob_parse(a, POLICY_GLOB_PATH, (struct str){text, 255}, &g));
	assert_true(
		policy_glob_parse(a, POLICY_GLOB_WORD, (struct str){text, 254}, &g));
	assert_true(policy_glob_matches(&g, STR("anything"), false));
}

/* --- snapshots -------------------------------------------------------------- */

static void
test_revision_tells_changes(void **state)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	CLEANUP(policy_unrefp) struct policy *q = policy_new();
	struct policy_faults f;
	char first[33];

	(void)state;
	assert_true(str_eq(policy_revision(p), policy_revision(q)));
	(void)memcpy(first, policy_revision(p).ptr, 33);
	assert_true(
		policy_add(p, POLICY_LAYER_USER, STR("a"), STR("ask edit\n"), a, &f));
	assert_false(str_eq(policy_revision(p), str_from(first)));
	assert_true(policy_add(
		q, POLICY_LAYER_PROJECT, STR("a"), STR("ask edit\n"), a, &f));
	assert_false(str_eq(policy_revision(p), policy_revision(q)));
}

static void
test_a_faulty_file_leaves_nothing(void **state)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults f;
	char before[33];

	(void)state;
	(void)memcpy(before, policy_revision(p).ptr, 33);
	assert_false(policy_add(p, POLICY_LAYER_USER, STR("a"),
		STR("set mode full_access\nsensitive x\nalow edit\n"), a, &f));
	assert_int_equal(f.count, 1);
	assert_true(str_eq(policy_revision(p), str_from(before)));
	assert_false(policy_setting_is_set(p, "mode"));
	assert_true(str_eq(policy_setting(p, "mode"), STR("ai_auto")));
}

static void
test_settings_of_the_strongest_layer(void **state)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults f;

	(void)state;
	assert_true(policy_add(
		p, POLICY_LAYER_ENFORCED, STR("e"), STR("set mode ask\n"), a, &f));
	assert_true(policy_add(p, POLICY_LAYER_USER, STR("u"),
		STR("set mode full_access\nset hold.seconds 5\nset hold.seconds 7\n"),
		a, &f));
	assert_true(str_eq(policy_setting(p, "mode"), STR("ask")));
	assert_int_equal(policy_setting_number(p, "hold.seconds"), 7);
	assert_int_equal(policy_setting_number(p, "budget.row"), 3);
}

static void
test_instructions_in_layer_order(void **state)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults f;
	struct str *list = NULL;

	(void)state;
	assert_true(policy_add(p, POLICY_LAYER_ENFORCED, STR("e"),
		STR("instruct block \"last\"\n"), a, &f));
	assert_true(policy_add(p, POLICY_LAYER_USER, STR("u"),
		STR("instruct block \"first\"\ninstruct allow \"x\"\n"), a, &f));
	assert_int_equal(policy_instructions(p, true, a, &list), 2);
	assert_true(str_eq(list[0], STR("first")));
	assert_true(str_eq(list[1], STR("last")));
	assert_int_equal(policy_instructions(p, false, a, &list), 1);
}

/* --- limits ------------------------------------------------------------------ */

static void
test_limits_of_a_file(void **state)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	CLEANUP(arena_freep) struct arena *big = arena_new(8 << 20);
	size_t size = (1 << 20) + 1;
	char *text = arena_alloc(big, size);
	struct policy_faults f;

	(void)state;
	(void)memset(text, '\n', size);
	assert_false(policy_add(
		p, POLICY_LAYER_USER, STR("a"), (struct str){text, size}, a, &f));
	assert_int_equal(f.count, 1);
	assert_false(policy_add(
		p, POLICY_LAYER_USER, STR("a"), (struct str){text, 20001}, a, &f));
	assert_true(policy_add(
		p, POLICY_LAYER_USER, STR("a"), (struct str){text, 20000}, a, &f));
	(void)memset(text, 'x', 5000);
	assert_false(policy_add(
		p, POLICY_LAYER_USER, STR("a"), (struct str){text, 5000}, a, &f));
	for (size_t i = 0; i < 2000; i++)
		text[i] = i % 2 == 0 ? 'x' : '\n';
	assert_false(policy_add(
		p, POLICY_LAYER_USER, STR("a"), (struct str){text, 2000}, a, &f));
	assert_int_equal(f.count, 100);
}

/* --- any text at all ------------------------------------------------------------- */

/* Lines made of the language's own words, whole and broken: each is read, or
 * has a fault with a place in it; what is read can be said in words. */
static void
test_any_line_is_read_or_faulty(void **state)
{
	static const char *const parts[] = {"allow ", "ask ", "deny ", "set ",
		"sensitive ", "instruct ", "block ", "shell ", "mcp ", "any ", "write ",
		"path ", "host ", "effect ", "delete ", "scope ", "home ", "tool ",
		"server ", "trusted ", "mode ", "ask ", "\"a *\" ", "\"**/x\" ", "\"",
		"'", "\\", "*", "#", "\t", "\xFF", "\xE2\x80\x8B", "~/", "..", "\n"};
	size_t read = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		enum policy_layer layer = (enum policy_layer)below(POLICY_LAYER_COUNT);
		CLEANUP(policy_unrefp) struct policy *p = policy_new();
		struct policy_faults f = {.count = 0};
		char text[256];

		arena_reset(a);
		draw(text, parts, ARRAY_LEN(parts));
		if (policy_add(p, layer, STR("f"), str_from(text), a, &f)) {
			read++;
			(void)policy_explain(a, layer, STR("f"), str_from(text));
			continue;
		}
		assert_true(f.count > 0);
		for (size_t k = 0; k < f.count; k++) {
			assert_true(f.list[k].line > 0 && f.list[k].column > 0);
			assert_true(f.list[k].message.len > 0);
		}
	}
	assert_true(read > 100);
}

/* --- the page ------------------------------------------------------------------ */

static void
test_the_page_names_every_setting(void **state)
{
	const struct policy_setting *rows = NULL;
	size_t count = policy_settings(&rows);
	FILE *file = fopen("docs/rules.md", "re");
	char *page = arena_alloc(a, 1 << 16);
	struct str text = {page, 0};

	(void)state;
	assert_non_null(file);
	text.len = fread(page, 1, 1 << 16, file);
	assert_int_equal(fclose(file), 0);
	for (size_t i = 0; i < count; i++) {
		struct str cell = arena_fmt(a, "\n| %s | ", rows[i].name);

		if (!str_has(text, cell) || !str_has(text, str_from(rows[i].help)))
			fail_msg("docs/rules.md: %s", rows[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
		TEST(test_globs_match_as_the_obvious_way),
		TEST(test_overlaps_hold_every_common_text),
		TEST(test_below_is_reached),
		TEST(test_long_patterns_are_refused),
		TEST(test_revision_tells_changes),
		TEST(test_a_faulty_file_leaves_nothing),
		TEST(test_settings_of_the_strongest_layer),
		TEST(test_instructions_in_layer_order),
		TEST(test_limits_of_a_file),
		TEST(test_any_line_is_read_or_faulty),
		TEST(test_the_page_names_every_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
