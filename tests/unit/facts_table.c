/* The program tables: every name once, the quick look-up finds what the slow one
 * finds, and every row has a case. */

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "facts/prog.h"
#include "tests/unit/unit.h"

static const struct facts_prog *const families[] = {
#define X(name) facts_prog_##name,
	FACTS_FAMILIES(X)
#undef X
};

static void
each_name(void (*fn)(struct str name, const struct facts_prog *row))
{
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++) {
			struct str rest = str_from(p->names);

			while (rest.len > 0) {
				struct str one = str_cut(rest, ' ', &rest);

				if (one.len > 0)
					fn(one, p);
			}
		}
	}
}

static void
found_by_both(struct str name, const struct facts_prog *row)
{
	const struct facts_prog *quick = facts_prog_find(name);

	if (facts_prog_scan(name) != row)
		fail_msg("%.*s stands in two rows", STR_ARG(name));
	if (quick != row)
		fail_msg("%.*s is not found", STR_ARG(name));
}

static void
every_name_once(void **state)
{
	(void)state;
	each_name(found_by_both);
	assert_null(facts_prog_find(STR("no-such-program")));
	assert_null(facts_prog_find(STR("")));
}

/* A row that says nothing would allow everything, or nothing. */
static void
// NOLINTNEXTLINE(misc-no-recursion): as deep as the tables are
check_row(const struct facts_prog *p)
{
	if (!p->manual)
		fail_msg("%s: no manual is named", p->names);
	for (const struct facts_opt *o = p->opts; o && o->names; o++) {
		if (o->role == FACTS_COMMAND && o->arg == FACTS_FLAG)
			fail_msg("%s: %s cannot be a command", p->names, o->names);
	}
	for (const struct facts_prog *s = p->subs; s && s->names; s++) {
		struct facts_prog sub = *s;

		sub.manual = p->manual;
		check_row(&sub);
	}
}

static void
rows_are_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++)
			check_row(p);
	}
}

/* --- every row has a case --------------------------------------------------- */

enum { CASES_BYTES = 1 << 20 };

static char programs[CASES_BYTES]; /* what the case lines say ran */
static size_t programs_len;

/* Keeps the programs of one line: between its last " => " and the colon. */
static void
keep_programs(const char *line)
{
	const char *at = NULL, *next = line;

	while ((next = strstr(next, " => ")))
		at = next += 4;
	for (; at && *at && *at != ':' && programs_len + 2 < CASES_BYTES; at++) {
		programs[programs_len] = *at;
		if (*at == '>')
			programs[programs_len] = ' ';
		programs_len++;
	}
	programs[programs_len++] = ' ';
}

static void
read_cases(void)
{
	static char line[1 << 16];
	glob_t g;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): a test has one thread
	assert_int_equal(glob("tests/cases/facts/*.case", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		FILE *f = fopen(g.gl_pathv[i], "re");

		assert_non_null(f);
		while (fgets(line, sizeof(line), f))
			keep_programs(line);
		(void)fclose(f);
	}
	globfree(&g);
	programs[programs_len] = '\0';
}

static void
every_row_has_a_case(void **state)
{
	(void)state;
	read_cases();
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++) {
			struct str rest = str_from(programs), one;
			bool found = false;

			while (!found && rest.ptr) {
				one = str_cut(rest, ' ', &rest);
				found = one.len > 0 && facts_names_have(p->names, one);
			}
			if (!found)
				fail_msg(
					"no case in tests/cases/facts runs any of: %s", p->names);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_once),
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(every_row_has_a_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
