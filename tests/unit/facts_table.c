/* The program tables: every name once, the quick look-up finds what the slow one
 * finds, and every row has a case. */

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "check/check.h"
#include "facts/facts_priv.h"
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

/* What the commands of case lines use: rows of programs and of sub-commands, and
 * their rows of options. */
enum { SEEN_MAX = 1 << 14, LINE_BYTES = 1 << 16 };

static const void *seen[SEEN_MAX];
static size_t seen_count;

static bool
is_seen(const void *row)
{
	for (size_t i = (size_t)((uintptr_t)row / 16 % SEEN_MAX); seen[i];
		 i = (i + 1) % SEEN_MAX) {
		if (seen[i] == row)
			return true;
	}
	return false;
}

static void
see(const void *row)
{
	size_t i = (size_t)((uintptr_t)row / 16 % SEEN_MAX);

	while (seen[i] && seen[i] != row)
		i = (i + 1) % SEEN_MAX;
	if (seen[i])
		return;
	assert_true(++seen_count < SEEN_MAX - 1);
	seen[i] = row;
}

/* Options that a macro gives to many rows, or that are written alike, are one. */
static const struct facts_opt *options[SEEN_MAX];
static size_t option_count;

static bool
is_option_seen(const struct facts_opt *o)
{
	for (size_t i = 0; i < option_count; i++) {
		if (options[i]->role == o->role
			&& (options[i] == o || strcmp(options[i]->names, o->names) == 0))
			return true;
	}
	return false;
}

static void
see_option(const struct facts_opt *o)
{
	if (is_option_seen(o))
		return;
	assert_true(option_count < SEEN_MAX);
	options[option_count++] = o;
}

/* The rows of sub-commands on the way from p to the one that was found. */
static bool
// NOLINTNEXTLINE(misc-no-recursion): as deep as the tables are
see_way(const struct facts_prog *p, const struct facts_prog *found)
{
	if (p == found) {
		see(p);
		return true;
	}
	for (const struct facts_prog *s = p->subs; s && s->names; s++) {
		if (see_way(s, found)) {
			see(p);
			return true;
		}
	}
	return false;
}

static void
see_command(
	struct arena *a, const struct call_command *c, const struct call_world *w)
{
	struct call_facts out = {.effect_count = 0};
	struct call call = {.tool = CALL_TOOL_SHELL};
	struct facts f = {.a = a, .call = &call, .world = w, .out = &out};
	const struct facts_prog *row =
		c->program.ptr ? facts_prog_find(c->program) : NULL;
	struct facts_word *words =
		ARENA_ARRAY(a, c->word_count + 1, struct facts_word);

	if (!row)
		return;
	for (size_t i = 0; i < c->word_count; i++)
		words[i] = facts_word_from(c->words[i].text);
	struct facts_run run = {.f = &f,
		.prog = row,
		.top = row,
		.words = words,
		.count = c->word_count,
		.name = c->program,
		.index = CALL_NO_COMMAND};

	facts_args_read(&run);
	assert_true(see_way(row, run.prog));
	for (size_t i = 0; i < run.given_count; i++)
		see_option(run.given[i].opt);
}

/* The input of a case line as the case runner reads it. */
static struct str
input_of(struct arena *a, const char *line, size_t end)
{
	struct str s = str_trim((struct str){line, end});

	if (!str_starts(s, STR("\"")) || !str_has_char(s, '\\'))
		return s;
	json_t *j = json_loadb(s.ptr, s.len, JSON_DECODE_ANY, NULL);

	if (j)
		s = arena_fmt(a, "%s", json_string_value(j));
	json_decref(j);
	return s;
}

static void
see_text(const char *line, size_t end)
{
	static struct arena *a;
	struct check_request request;
	struct call_facts facts;

	if (!a)
		a = arena_new(LIMIT_ARENA_BYTES);
	arena_reset(a);
	if (!ARENA_TRY(a))
		return;
	check_request_init(a, &request);
	request.call.tool = CALL_TOOL_SHELL;
	request.call.command = input_of(a, line, end);
	facts_of(a, &request.call, &request.world, &facts);
	for (size_t i = 0; i < facts.command_count; i++)
		see_command(a, &facts.commands[i], &request.world);
}

static void
see_line(const char *line)
{
	const char *at = NULL, *next = line;

	while ((next = strstr(next, " => ")))
		at = next++;
	if (at && line[0] != '#' && line[0] != ':' && line[0] != '{')
		see_text(line, (size_t)(at - line));
}

static void
read_cases(void)
{
	static char line[LINE_BYTES];
	glob_t g;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): a test has one thread
	assert_int_equal(glob("tests/cases/facts/*.case", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		FILE *f = fopen(g.gl_pathv[i], "re");

		assert_non_null(f);
		while (fgets(line, sizeof(line), f))
			see_line(line);
		(void)fclose(f);
	}
	globfree(&g);
}

static size_t missing;

static void
want_seen(bool is_there, const char *where, const char *names)
{
	if (is_there)
		return;
	(void)fprintf(stderr, "no case: %s\t%s\n", where, names);
	missing++;
}

static void
// NOLINTNEXTLINE(misc-no-recursion): as deep as the tables are
look_at_row(const struct facts_prog *p, const char *above)
{
	char where[2048];

	(void)snprintf(
		where, sizeof(where), "%s%s%s", above, above[0] ? " > " : "", p->names);
	want_seen(is_seen(p), where, "");
	for (const struct facts_opt *o = p->opts; o && o->names; o++)
		want_seen(is_option_seen(o), where, o->names);
	for (const struct facts_prog *s = p->subs; s && s->names; s++)
		look_at_row(s, where);
}

static void
every_row_has_a_case(void **state)
{
	(void)state;
	read_cases();
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++)
			look_at_row(p, "");
	}
	if (missing > 0)
		fail_msg("%zu rows of programs, sub-commands and options have no case "
				 "in tests/cases/facts",
			missing);
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
