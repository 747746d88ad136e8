#include "policy/policy_priv.h"

/*
 * The floor (DESIGN 2.2): what is refused whatever anyone says. Rows over
 * hazards, trees and assent's own places, each with its reason.
 */

#define BIT(n)     (1u << (n))
#define KIND(name) BIT(CALL_EFFECT_##name)

enum {
	CHANGES = KIND(WRITE) | KIND(CREATE) | KIND(DELETE) | KIND(PERSIST),
	ANYTHING = ~0,
};

/* --- hazards ---------------------------------------------------------------------- */

static const char *const hazard_reasons[CALL_HAZARD_COUNT] = {
	[CALL_HAZARD_FORK_BOMB] = "it starts copies of itself without end",
	[CALL_HAZARD_REVERSE_SHELL] = "it gives a shell to another machine",
	[CALL_HAZARD_DOWNLOAD_RUN_ROOT] =
		"it runs text from the network as root, unseen",
	[CALL_HAZARD_SECRET_SENT] = "it sends a secret to another machine",
	[CALL_HAZARD_ASSENT_SELF] =
		"it reaches for the permission judge itself, which only a person may",
	[CALL_HAZARD_DISK] = "it writes to a disk or makes a file system on it",
};

/* --- trees ------------------------------------------------------------------------ */

/*
 * How deep below a top folder deleting a whole tree is refused: 1 is the folder
 * itself, 2 also what stands in it, 99 everything.
 */
static const struct {
	const char *top;
	size_t depth;
} trees[] = {
	{"bin",          99},
	{"boot",         99},
	{"dev",          99},
	{"etc",          2 },
	{"home",         2 },
	{"lib",          99},
	{"lib32",        99},
	{"lib64",        99},
	{"libx32",       99},
	{"media",        1 },
	{"mnt",          1 },
	{"nix",          2 },
	{"opt",          1 },
	{"proc",         99},
	{"root",         1 },
	{"run",          1 },
	{"sbin",         99},
	{"snap",         1 },
	{"srv",          1 },
	{"sys",          99},
	{"usr",          3 },
	{"var",          2 },
	{"Users",        2 },
	{"Library",      2 },
	{"System",       99},
	{"Applications", 1 },
	{"Volumes",      2 },
};

/* `*`, `.*`, `.[!.]*`: all that is in a folder, or all its hidden names. */
static bool
means_all(struct str component)
{
	bool in_bracket = false;

	for (size_t i = 0; i < component.len; i++) {
		char c = component.ptr[i];

		if (c == '[')
			in_bracket = true;
		else if (c == ']')
			in_bracket = false;
		else if (!in_bracket && c != '*' && c != '?' && c != '.')
			return false;
	}
	return policy_has_glob(component);
}

/* The folder that a path stands for whole, "" is the root: without a last
 * component that means all of it, and cut where a glob begins. */
static struct str
folder_of(struct str path, bool has_pattern, bool *ret_below)
{
	struct str rest = path;
	size_t end = 0;

	*ret_below = false;
	while (rest.ptr) {
		struct str one = str_cut(rest, '/', &rest);
		size_t stop = (size_t)(one.ptr - path.ptr) + one.len;

		if (has_pattern && policy_has_glob(one)) {
			*ret_below = !means_all(one); /* some of what is in it */
			break;
		}
		if (one.len > 0)
			end = stop;
	}
	return str_sub(path, 0, end);
}

static size_t
depth_of(struct str folder)
{
	size_t n = 0;

	for (size_t i = 0; i < folder.len; i++)
		n += folder.ptr[i] == '/';
	return n;
}

/* Why deleting the whole of path is refused, or NULL. */
static const char *
tree_reason(struct policy_subject s, const struct call_effect *e)
{
	bool below = false;
	struct str rest, top,
		folder = folder_of(
			e->resource, (e->flags & CALL_EFFECT_PATTERN) != 0, &below);
	size_t depth = depth_of(folder) + (below ? 1 : 0);

	if (folder.len == 0)
		return "it deletes the root of the file system";
	if (s.world->home.len > 1 && policy_path_below(s.world->home, folder, &rest)
		&& (!below || rest.len > 0))
		return "it deletes a home folder";
	if (e->scope == CALL_SCOPE_TEMP) /* /var/tmp */
		return NULL;
	top = str_cut(str_sub(folder, 1, folder.len), '/', &rest);
	for (size_t i = 0; i < ARRAY_LEN(trees); i++) {
		if (str_eq(top, str_from(trees[i].top)) && depth <= trees[i].depth)
			return str_eq(top, STR("home")) || str_eq(top, STR("root"))
					|| str_eq(top, STR("Users"))
				? "it deletes a home folder"
				: "it deletes a part of the system";
	}
	return NULL;
}

/* Owner and mode of the whole system, too, cannot be put back. */
static const char *
mode_reason(struct str path)
{
	static const char *const tops[] = {"", "/usr", "/etc", "/bin", "/sbin",
		"/lib", "/lib64", "/var", "/boot", "/dev", "/home", "/root", "/opt"};
	bool below = false;
	struct str folder = folder_of(path, true, &below);

	for (size_t i = 0; i < ARRAY_LEN(tops); i++) {
		if (str_eq(folder, str_from(tops[i])) && (!below || folder.len == 0))
			return "it changes who may use the whole system";
	}
	return NULL;
}

/* A device, not a file that is written as one would be (an image, shred). */
static bool
is_disk(struct str path)
{
	struct str rest;

	return policy_path_below(path, STR("/dev"), &rest)
		&& !policy_path_below(path, STR("/dev/shm"), &rest);
}

static const char *
effect_reason(struct policy_subject s, const struct call_effect *e)
{
	bool whole = (e->flags & (CALL_EFFECT_TREE | CALL_EFFECT_PATTERN)) != 0;

	if (!str_starts(e->resource, STR("/")))
		return NULL;
	if (e->kind == CALL_EFFECT_DELETE && whole
		&& ((e->flags & CALL_EFFECT_TREE) != 0
			|| means_all(str_base(e->resource))))
		return tree_reason(s, e);
	if (e->kind == CALL_EFFECT_WRITE && (e->flags & CALL_EFFECT_MODE) != 0
		&& (e->flags & CALL_EFFECT_TREE) != 0)
		return mode_reason(e->resource);
	if (e->kind == CALL_EFFECT_WRITE && (e->flags & CALL_EFFECT_RAW) != 0
		&& is_disk(e->resource))
		return "it writes to a disk or makes a file system on it";
	return NULL;
}

/* --- assent's own places ------------------------------------------------------------ */

/* Which effects on a place are refused, and why. */
struct own_place {
	struct str path; /* this and all below */
	unsigned kinds;
	const char *reason;
};

static const char settings_reason[] =
	"it changes the permission judge's own settings";
static const char store_reason[] = "it touches the permission judge's record";
static const char socket_reason[] = "it talks to the permission judge itself";
static const char program_reason[] =
	"it changes the permission judge's own programs";

/* Is the effect on the place, inside it, or on a folder that holds it? */
static bool
is_on_place(const struct call_effect *e, const struct own_place *o)
{
	struct str rest;

	if (o->path.len == 0 || (o->kinds & BIT(e->kind)) == 0)
		return false;
	if (policy_path_below(e->resource, o->path, &rest))
		return true;
	return (e->flags & CALL_EFFECT_TREE) != 0 && e->kind == CALL_EFFECT_DELETE
		&& policy_path_below(o->path, e->resource, &rest);
}

/* Below home, whatever the world says of this build. */
static const struct {
	const char *below_home;
	unsigned kinds;
	const char *reason;
} default_places[] = {
	{".config/assent",        CHANGES,            settings_reason},
	{".local/state/assent",   (unsigned)ANYTHING, store_reason   },
	{".local/share/assent",   CHANGES,            program_reason },
	{".local/bin/assent",     CHANGES,            program_reason },
	{".local/bin/assentd",    CHANGES,            program_reason },
	{".local/libexec/assent", CHANGES,            program_reason },
};

/* As is_on_place, without writing the place's path out. */
static bool
is_on_default(const struct call_effect *e, struct str home, size_t i)
{
	struct str place = str_from(default_places[i].below_home), rest, unused;

	if (home.len == 0 || (default_places[i].kinds & BIT(e->kind)) == 0)
		return false;
	bool in_home = policy_path_below(e->resource, home, &rest);

	if (in_home && policy_path_below(rest, place, &unused))
		return true;
	if ((e->flags & CALL_EFFECT_TREE) == 0 || e->kind != CALL_EFFECT_DELETE)
		return false;
	return policy_path_below(home, e->resource, &unused)
		|| (in_home && policy_path_below(place, rest, &unused));
}

static const struct own_place system_places[] = {
	{{"/etc/assent", 11},               CHANGES,            settings_reason},
	{{"/usr/bin/assent", 15},           CHANGES,            program_reason },
	{{"/usr/bin/assentd", 16},          CHANGES,            program_reason },
	{{"/usr/local/bin/assent", 21},     CHANGES,            program_reason },
	{{"/usr/local/bin/assentd", 22},    CHANGES,            program_reason },
	{{"/usr/lib/assent", 15},           CHANGES,            program_reason },
	{{"/usr/libexec/assent", 19},       CHANGES,            program_reason },
	{{"/usr/local/libexec/assent", 25}, CHANGES,            program_reason },
	{{"/run/assent", 11},               (unsigned)ANYTHING, socket_reason  },
	{{"/var/lib/assent", 15},           (unsigned)ANYTHING, store_reason   },
};

/* /run/user/UID/assent, of whatever user. */
static bool
is_run_folder(struct str path)
{
	struct str rest, uid, next;

	if (!policy_path_below(path, STR("/run/user"), &rest))
		return false;
	uid = str_cut(rest, '/', &next);
	return uid.len > 0 && next.ptr
		&& (str_eq(next, STR("assent")) || str_starts(next, STR("assent/")));
}

/* In the folder of assent's programs, those that bear its name. */
static bool
is_own_program(struct policy_subject s, const struct call_effect *e)
{
	struct str rest;

	return s.world->assent_program.len > 0 && (CHANGES & BIT(e->kind)) != 0
		&& policy_path_below(e->resource, s.world->assent_program, &rest)
		&& str_starts(rest, STR("assent"));
}

/* Settings that a workspace brings: .assent/ below any root. */
static bool
is_workspace_settings(struct policy_subject s, const struct call_effect *e)
{
	struct str root, rest;

	if ((CHANGES & BIT(e->kind)) == 0)
		return false;
	for (size_t n = 0; policy_root(s, n, &root); n++) {
		if (policy_path_below(e->resource, root, &rest)
			&& (str_eq(rest, STR(".assent"))
				|| str_starts(rest, STR(".assent/"))))
			return true;
	}
	return false;
}

static const char *
own_reason(struct policy_subject s, const struct call_effect *e)
{
	const struct call_world *w = s.world;
	const struct own_place told[] = {
		{w->assent_config, CHANGES,            settings_reason},
		{w->assent_state,  (unsigned)ANYTHING, store_reason   },
		{w->assent_socket, (unsigned)ANYTHING, socket_reason  },
	};

	if (!str_starts(e->resource, STR("/")))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(told); i++) {
		if (is_on_place(e, &told[i]))
			return told[i].reason;
	}
	for (size_t i = 0; i < ARRAY_LEN(system_places); i++) {
		if (is_on_place(e, &system_places[i]))
			return system_places[i].reason;
	}
	for (size_t i = 0; i < ARRAY_LEN(default_places); i++) {
		if (is_on_default(e, w->home, i))
			return default_places[i].reason;
	}
	if (is_run_folder(e->resource))
		return socket_reason;
	if (is_own_program(s, e))
		return program_reason;
	return is_workspace_settings(s, e) ? settings_reason : NULL;
}

/* --- the floor ----------------------------------------------------------------------- */

bool
policy_floor(struct arena *a, struct policy_subject s, struct str *ret_reason)
{
	for (size_t i = 0; i < s.facts->hazard_count; i++) {
		const struct call_hazard *h = &s.facts->hazards[i];
		const char *why = hazard_reasons[h->kind];

		if (why) {
			*ret_reason = arena_fmt(a, "%s: %.*s", why, STR_ARG(h->what));
			return true;
		}
	}
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		const struct call_effect *e = &s.facts->effects[i];
		const char *why = effect_reason(s, e);

		if (!why)
			why = own_reason(s, e);
		if (why) {
			*ret_reason = arena_fmt(a, "%s: %.*s", why, STR_ARG(e->resource));
			return true;
		}
	}
	return false;
}
