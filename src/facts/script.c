/*
 * What says which commands a program runs: makefiles, manifests of packages and
 * kin. They are named for who looks at the call, a judge or a person; that they
 * say nothing dangerous proves nothing, and is never asked here.
 */

#include "facts/facts_priv.h"

enum {
	ENTRIES_MAX = 8, /* targets and scripts of one command */
	CLIMB_MAX = 4,   /* folders above that are looked in */
};

/* Where the names of what runs are. */
enum entry_from {
	FROM_NOTHING,
	FROM_OPERANDS, /* each: targets */
	FROM_FIRST,    /* the first operand */
	FROM_SUB,      /* the sub-command, else the first operand */
	FROM_ROW,
};

// clang-format off
static const struct manifest {
	const char *programs;
	const char *subs;    /* NULL: any, and none */
	const char *files;   /* the first that is there */
	enum entry_from from;
	bool climbs;         /* looks in the folders above, too */
	const char *entries; /* FROM_ROW */
} rows[] = {
	/* https://docs.npmjs.com/cli/using-npm/scripts */
	{"npm pnpm yarn bun", "run run-script rum urn", "package.json", FROM_FIRST, true, NULL},
	{"npm pnpm yarn bun", "test t tst start stop restart", "package.json", FROM_SUB, true, NULL},
	{"npm pnpm bun", "install i in ci clean-install install-test it cit rebuild rb", "package.json", FROM_ROW, true,
		"preinstall install postinstall prepare"},
	{"yarn", NULL, "package.json", FROM_SUB, true, NULL},
	{"deno", "task", "deno.json deno.jsonc package.json", FROM_FIRST, true, NULL},
	/* https://getcomposer.org/doc/articles/scripts.md */
	{"composer", "run-script run", "composer.json", FROM_FIRST, false, NULL},
	{"make gmake", NULL, "GNUmakefile makefile Makefile", FROM_OPERANDS, false, NULL},
	{"just", NULL, "justfile Justfile .justfile", FROM_OPERANDS, true, NULL},
	{"task", NULL, "Taskfile.yml Taskfile.yaml taskfile.yml", FROM_OPERANDS, true, NULL},
	{"rake", NULL, "Rakefile rakefile", FROM_OPERANDS, true, NULL},
	{"invoke", NULL, "tasks.py", FROM_NOTHING, true, NULL},
	{"tox", NULL, "tox.ini pyproject.toml", FROM_NOTHING, false, NULL},
	{"nox", NULL, "noxfile.py", FROM_NOTHING, false, NULL},
	{"gulp", NULL, "gulpfile.js gulpfile.mjs gulpfile.ts", FROM_NOTHING, false, NULL},
	{"grunt", NULL, "Gruntfile.js", FROM_NOTHING, false, NULL},
	{"scons", NULL, "SConstruct", FROM_NOTHING, false, NULL},
	{"foreman honcho", NULL, "Procfile", FROM_NOTHING, false, NULL},
	{"earthly", NULL, "Earthfile", FROM_NOTHING, false, NULL},
};
// clang-format on

static const struct manifest *
find_row(const struct facts_run *run)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (facts_names_have(rows[i].programs, run->name)
			&& (!rows[i].subs || facts_names_have(rows[i].subs, run->sub)))
			return &rows[i];
	}
	return NULL;
}

/* --- what of it runs ------------------------------------------------------- */

struct entries {
	struct str list[ENTRIES_MAX];
	size_t count;
};

static void
add_entry(struct entries *e, struct str name)
{
	if (name.len > 0 && e->count < ENTRIES_MAX)
		e->list[e->count++] = name;
}

/* Operands that are known, but for NAME=VALUE and what looks like an option. */
static void
add_operands(const struct facts_run *run, struct entries *e, size_t max)
{
	for (size_t i = 0; i < run->operand_count && i < max; i++) {
		const struct facts_word *w = &run->operands[i];

		if (!(w->flags & (FACTS_DYNAMIC | FACTS_MANY))
			&& !str_has_char(w->text, '=') && !str_starts(w->text, STR("-")))
			add_entry(e, w->text);
	}
}

static struct str
whole_name(struct str sub)
{
	return facts_names_have("t tst", sub) ? STR("test") : sub;
}

static void
find_entries(
	const struct facts_run *run, const struct manifest *row, struct entries *e)
{
	struct str rest = str_from(row->entries);

	switch (row->from) {
	case FROM_NOTHING:
		break;
	case FROM_OPERANDS:
		add_operands(run, e, ENTRIES_MAX);
		break;
	case FROM_FIRST:
		add_operands(run, e, 1);
		break;
	case FROM_SUB:
		add_entry(e, whole_name(run->sub));
		if (e->count == 0)
			add_operands(run, e, 1);
		break;
	case FROM_ROW:
		while (rest.ptr)
			add_entry(e, str_cut(rest, ' ', &rest));
		break;
	}
}

/* --- where it is ----------------------------------------------------------- */

static void
add_file(
	struct facts *f, struct str path, const struct entries *e, bool or_else)
{
	if (e->count == 0)
		facts_add_script(f, path, (struct str){NULL, 0}, or_else);
	for (size_t i = 0; i < e->count; i++)
		facts_add_script(f, path, e->list[i], or_else);
}

static struct str
folder_above(struct str folder)
{
	size_t n = folder.len - str_base(folder).len;

	return str_sub(folder, 0, n > 1 ? n - 1 : n);
}

/* Each name in the folder, then in those above it in the workspace. */
static void
add_files(struct facts *f, const struct manifest *row, struct str folder,
	const struct entries *e)
{
	bool or_else = false;

	for (size_t level = 0; level <= CLIMB_MAX; level++) {
		struct str rest = str_from(row->files);

		while (rest.ptr) {
			struct str name = str_cut(rest, ' ', &rest);

			add_file(f,
				arena_fmt(f->a, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)), e,
				or_else);
			or_else = true;
		}
		folder = folder_above(folder);
		if (!row->climbs || facts_path_scope(f, folder) != CALL_SCOPE_WORKSPACE)
			return;
	}
}

/* Packages of the workspace that only running would tell. */
static bool
is_elsewhere(const struct facts_run *run)
{
	static const char elsewhere[] =
		"-w --workspace -ws --workspaces -r --recursive -F --filter -g "
		"--global";

	return facts_given_find(run, elsewhere)
		|| facts_names_have("workspace workspaces foreach", run->sub);
}

void
facts_run_manifest(struct facts_run *run, size_t first_effect)
{
	static const char named[] = "-f --file --makefile --justfile --taskfile";
	const struct manifest *row =
		facts_run_executes(run, first_effect) ? find_row(run) : NULL;
	const struct facts_given *given = row ? facts_given_find(run, named) : NULL;
	struct facts_word here = facts_word_from(STR("."));
	struct str paths[FACTS_CWD_MAX];
	struct entries entries = {.count = 0};
	bool sure;

	if (!row || (row->climbs && is_elsewhere(run)))
		return;
	find_entries(run, row, &entries);
	/* yarn alone installs; npm run alone lists */
	if (entries.count == 0
		&& (row->from == FROM_FIRST || row->from == FROM_SUB))
		return;
	size_t n = facts_path_of(run->f, &run->cwd,
		given && given->has_value ? &given->value : &here, paths, &sure);

	if (!sure || n != 1)
		return;
	if (given && given->has_value)
		add_file(run->f, paths[0], &entries, false);
	else
		add_files(run->f, row, paths[0], &entries);
}
