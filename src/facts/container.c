/*
 * Commands in containers: what they change is in there, but for the folders of the
 * machine that they are given.
 */

#include "facts/facts_priv.h"

enum { MOUNTS_MAX = 16 };

/* A folder of the machine, by the name that it has in the container. */
struct mount {
	struct facts_word from;
	struct str path, to;
	bool is_read_only;
};

struct mounts {
	struct mount list[MOUNTS_MAX];
	size_t count;
};

static void
leave_workspace(struct facts_run *run, size_t first)
{
	struct call_facts *o = run->f->out;

	for (size_t i = first; i < o->effect_count; i++) {
		struct call_effect *e = &o->effects[i];

		if (e->kind != CALL_EFFECT_READ
			&& (e->scope == CALL_SCOPE_WORKSPACE
				|| e->scope == CALL_SCOPE_SCRATCH))
			e->scope = CALL_SCOPE_UNKNOWN;
	}
}

void
facts_hook_inside(struct facts_run *run)
{
	size_t first = run->f->out->effect_count;

	if (run->operand_count < 2) {
		facts_run_ignore(run, CALL_UNKNOWN, "a command that is not there",
			facts_run_text(run));
		return;
	}
	facts_run_inner(run, run->operands + 1, run->operand_count - 1);
	leave_workspace(run, first);
}

/* --- what it is given ------------------------------------------------------- */

/* A name without a slash is a volume that docker keeps. */
static bool
is_folder(struct str from)
{
	return str_has_char(from, '/') || str_starts(from, STR("~"))
		|| str_starts(from, STR(".")) || str_has_char(from, '?');
}

static void
add_mount(struct facts_run *run, struct mounts *m, struct mount one)
{
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (!is_folder(one.from.text))
		return;
	if (m->count == MOUNTS_MAX || one.to.len == 0) {
		facts_run_ignore(run, CALL_UNKNOWN,
			"a folder that a container is given", one.from.source);
		return;
	}
	(void)facts_path_of(run->f, &run->cwd, &one.from, paths, &sure);
	one.path = paths[0];
	m->list[m->count++] = one;
	/* docker's daemon is root: a socket of its own is the machine */
	facts_apply(run, one.is_read_only ? FACTS_READ_TREE : FACTS_WRITE_TREE, 0,
		&one.from);
	if (str_ends(one.path, STR(".sock")))
		facts_apply_text(run, FACTS_PRIVILEGE, 0, "socket");
	/* who may write all of the machine may delete all of it */
	if (str_eq(one.path, STR("/")) && !one.is_read_only)
		facts_apply(run, FACTS_DELETE_TREE, 0, &one.from);
}

/* -v FROM:TO[:OPTIONS] */
static void
read_volume(struct facts_run *run, struct mounts *m, const struct facts_word *w)
{
	struct mount one = {.from = *w};
	struct str rest;

	one.from.text = str_cut(w->text, ':', &rest);
	if (!rest.ptr)
		return; /* a volume without a name */
	one.to = str_cut(rest, ':', &rest);
	while (rest.len > 0) {
		if (facts_names_have("ro readonly", str_cut(rest, ',', &rest)))
			one.is_read_only = true;
	}
	add_mount(run, m, one);
}

/* --mount type=bind,source=FROM,target=TO,readonly */
static void
read_mount(struct facts_run *run, struct mounts *m, const struct facts_word *w)
{
	struct mount one = {.from = *w};
	struct str rest = w->text;

	one.from.text = STR("");
	while (rest.len > 0) {
		struct str value, key = str_cut(str_cut(rest, ',', &rest), '=', &value);

		if (facts_names_have("source src", key))
			one.from.text = value;
		else if (facts_names_have("target dst destination", key))
			one.to = value;
		else if (facts_names_have("readonly ro", key))
			one.is_read_only = !str_eq(value, STR("false"));
	}
	add_mount(run, m, one);
}

/* Options that open the machine to the container. */
static void
check_opened(struct facts_run *run, const struct facts_given *g)
{
	static const struct {
		const char *names, *values; /* absent: any */
	} rows[] = {
		{"--pid --ipc --uts --network --net --userns --cgroupns", "host"},
		{"--device --cap-add --security-opt --volumes-from",      NULL  },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (facts_names_have(rows[i].names, g->name)
			&& (!rows[i].values || (g->value.flags & FACTS_DYNAMIC)
				|| facts_names_have(rows[i].values, g->value.text)))
			facts_apply(run, FACTS_PRIVILEGE, 0, &g->value);
	}
}

/* --- what it does with it --------------------------------------------------- */

/* The path of the machine for a path in there; absent if it is the container's. */
static struct str
outside(struct facts_run *run, const struct mounts *m, struct str path)
{
	const struct mount *best = NULL;

	for (size_t i = 0; i < m->count; i++) {
		if (facts_path_below(path, m->list[i].to)
			&& (!best || m->list[i].to.len > best->to.len))
			best = &m->list[i];
	}
	if (!best)
		return (struct str){NULL, 0};
	struct str rest = str_sub(path, best->to.len, path.len);

	if (str_eq(best->path, STR("/")))
		return rest.len > 0 ? rest : STR("/");
	return arena_fmt(run->f->a, "%.*s%.*s", STR_ARG(best->path), STR_ARG(rest));
}

/* Effects from first on were read as the machine's. */
static void
map_effects(struct facts_run *run, const struct mounts *m, size_t first)
{
	struct call_facts *o = run->f->out;

	for (size_t i = first; i < o->effect_count; i++) {
		struct call_effect *e = &o->effects[i];
		struct str path;

		if (!str_starts(e->resource, STR("/")))
			continue;
		path = outside(run, m, e->resource);
		if (path.ptr) {
			e->resource = path;
			e->scope = facts_path_scope(run->f, path);
		} else {
			e->scope = CALL_SCOPE_UNKNOWN;
			e->resource =
				arena_fmt(run->f->a, "container:%.*s", STR_ARG(e->resource));
		}
	}
}

void
facts_hook_container(struct facts_run *run)
{
	struct mounts m = {.count = 0};
	const struct facts_given *dir = facts_given_find(run, "-w --workdir");
	struct facts_cwd saved = run->cwd;

	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];

		if (facts_names_have("-v --volume", g->name))
			read_volume(run, &m, &g->value);
		else if (facts_names_have("--mount", g->name))
			read_mount(run, &m, &g->value);
		else
			check_opened(run, g);
	}
	size_t first = run->f->out->effect_count;

	run->done = true;
	if (run->operand_count < 2)
		return;
	run->cwd = (struct facts_cwd){.count = 0, .unknown = true};
	if (dir && str_starts(dir->value.text, STR("/")))
		facts_apply(run, FACTS_CHDIR, 0, &dir->value);
	facts_run_inner(run, run->operands + 1, run->operand_count - 1);
	run->cwd = saved;
	map_effects(run, &m, first);
}
