#include "policy/policy_priv.h"

/*
 * Person-only places (DESIGN 2.4): what later runs by itself, or decides what
 * may run. Writing there is for a person to allow, once.
 */

#define BIT(n)     (1u << (n))
#define KIND(name) BIT(CALL_EFFECT_##name)

enum anchor {
	IN_HOME,   /* below any user's home */
	ANYWHERE,  /* below any folder */
	AT_TOP,    /* an absolute path */
	AT_PREFIX, /* an absolute path that begins so */
};

#define AGENT "the settings of an agent"
#define START "a shell's start-up file"
#define KEYS  "the keys that open other machines"
#define GIT   "git's hooks and configuration"
#define CI    "a workflow that runs elsewhere"
#define TASK  "a service or a task that starts by itself"
#define RIGHT "who may do what on this machine"

/* A place is the path and all below it. */
static const struct place {
	enum anchor anchor;
	struct str path;
	const char *what;
} places[] = {
#define P(anchor, path, what)                  \
	{                                          \
		anchor, {path, sizeof(path) - 1}, what \
	}
	P(ANYWHERE, ".git/hooks", GIT),
	P(ANYWHERE, ".git/config", GIT),
	P(ANYWHERE, ".git/config.worktree", GIT),
	P(ANYWHERE, ".git/modules", GIT),
	P(ANYWHERE, ".git/info/attributes", GIT),
	P(ANYWHERE, ".git/objects/info/alternates", GIT),
	P(ANYWHERE, ".husky", GIT),
	P(ANYWHERE, ".githooks", GIT),
	P(IN_HOME, ".gitconfig", GIT),
	P(IN_HOME, ".config/git", GIT),
	P(IN_HOME, ".git-templates", GIT),
	P(AT_TOP, "/etc/gitconfig", GIT),

	P(ANYWHERE, ".claude", AGENT),
	P(IN_HOME, ".claude.json", AGENT),
	P(ANYWHERE, ".mcp.json", AGENT),
	P(AT_TOP, "/etc/claude-code", AGENT),
	P(ANYWHERE, ".codex", AGENT),
	P(AT_TOP, "/etc/codex", AGENT),
	P(ANYWHERE, ".cursor", AGENT),
	P(IN_HOME, ".config/Cursor", AGENT),
	P(ANYWHERE, ".gemini", AGENT),
	P(ANYWHERE, ".qwen", AGENT),
	P(ANYWHERE, ".copilot", AGENT),
	P(ANYWHERE, ".github/hooks", AGENT),
	P(IN_HOME, ".config/opencode", AGENT),
	P(ANYWHERE, ".opencode", AGENT),
	P(ANYWHERE, "opencode.json", AGENT),
	P(ANYWHERE, "opencode.jsonc", AGENT),
	P(ANYWHERE, ".factory", AGENT),
	P(ANYWHERE, ".kiro", AGENT),
	P(ANYWHERE, ".agents/plugins", AGENT),
	P(ANYWHERE, ".antigravity", AGENT),
	P(IN_HOME, ".config/amp", AGENT),
	P(ANYWHERE, ".amp", AGENT),
	P(IN_HOME, ".config/crush", AGENT),
	P(ANYWHERE, "crush.json", AGENT),
	P(ANYWHERE, ".crush.json", AGENT),
	P(ANYWHERE, ".crush", AGENT),
	P(IN_HOME, ".config/goose", AGENT),
	P(IN_HOME, ".config/devin", AGENT),
	P(ANYWHERE, ".devin", AGENT),
	P(IN_HOME, "Documents/Cline/Hooks", AGENT),
	P(ANYWHERE, ".clinerules/hooks", AGENT),
	P(ANYWHERE, ".cline", AGENT),
	P(ANYWHERE, ".kimi", AGENT),
	P(ANYWHERE, ".augment", AGENT),
	P(ANYWHERE, ".windsurf", AGENT),
	P(ANYWHERE, ".codeium", AGENT),
	P(ANYWHERE, ".continue", AGENT),
	P(ANYWHERE, ".roo", AGENT),
	P(ANYWHERE, ".amazonq", AGENT),
	P(ANYWHERE, ".aider.conf.yml", AGENT),
	P(ANYWHERE, ".vscode/mcp.json", AGENT),

	P(IN_HOME, ".bashrc", START),
	P(IN_HOME, ".bash_profile", START),
	P(IN_HOME, ".bash_login", START),
	P(IN_HOME, ".bash_logout", START),
	P(IN_HOME, ".bash_aliases", START),
	P(IN_HOME, ".bash_completion", START),
	P(IN_HOME, ".profile", START),
	P(IN_HOME, ".zshrc", START),
	P(IN_HOME, ".zshenv", START),
	P(IN_HOME, ".zprofile", START),
	P(IN_HOME, ".zlogin", START),
	P(IN_HOME, ".zlogout", START),
	P(IN_HOME, ".oh-my-zsh", START),
	P(IN_HOME, ".config/zsh", START),
	P(IN_HOME, ".config/fish", START),
	P(IN_HOME, ".config/nushell", START),
	P(IN_HOME, ".config/powershell", START),
	P(IN_HOME, ".cshrc", START),
	P(IN_HOME, ".tcshrc", START),
	P(IN_HOME, ".kshrc", START),
	P(IN_HOME, ".inputrc", START),
	P(IN_HOME, ".xprofile", START),
	P(IN_HOME, ".xinitrc", START),
	P(IN_HOME, ".xsession", START),
	P(IN_HOME, ".xsessionrc", START),
	P(IN_HOME, ".pam_environment", START),
	P(IN_HOME, ".config/environment.d", START),
	P(IN_HOME, ".vimrc", START),
	P(IN_HOME, ".config/nvim", START),
	P(IN_HOME, ".tmux.conf", START),
	P(AT_TOP, "/etc/profile", START),
	P(AT_TOP, "/etc/profile.d", START),
	P(AT_TOP, "/etc/bash.bashrc", START),
	P(AT_TOP, "/etc/bashrc", START),
	P(AT_TOP, "/etc/zsh", START),
	P(AT_TOP, "/etc/zshrc", START),
	P(AT_TOP, "/etc/zshenv", START),
	P(AT_TOP, "/etc/environment", START),
	P(AT_TOP, "/etc/skel", START),

	P(IN_HOME, ".ssh", KEYS),
	P(AT_TOP, "/etc/ssh", KEYS),
	P(IN_HOME, ".gnupg", KEYS),

	P(ANYWHERE, ".github/workflows", CI),
	P(ANYWHERE, ".github/actions", CI),
	P(ANYWHERE, ".gitea/workflows", CI),
	P(ANYWHERE, ".forgejo/workflows", CI),
	P(ANYWHERE, ".gitlab-ci.yml", CI),
	P(ANYWHERE, ".gitlab/ci", CI),
	P(ANYWHERE, ".circleci", CI),
	P(ANYWHERE, ".travis.yml", CI),
	P(ANYWHERE, ".drone.yml", CI),
	P(ANYWHERE, ".woodpecker.yml", CI),
	P(ANYWHERE, ".woodpecker", CI),
	P(ANYWHERE, ".buildkite", CI),
	P(ANYWHERE, ".azure-pipelines", CI),
	P(ANYWHERE, "azure-pipelines.yml", CI),
	P(ANYWHERE, "bitbucket-pipelines.yml", CI),
	P(ANYWHERE, "appveyor.yml", CI),
	P(ANYWHERE, ".appveyor.yml", CI),
	P(ANYWHERE, "Jenkinsfile", CI),
	P(ANYWHERE, ".teamcity", CI),
	P(ANYWHERE, ".tekton", CI),

	P(IN_HOME, ".config/systemd", TASK),
	P(IN_HOME, ".local/share/systemd", TASK),
	P(IN_HOME, ".config/autostart", TASK),
	P(IN_HOME, "Library/LaunchAgents", TASK),
	P(AT_TOP, "/Library/LaunchAgents", TASK),
	P(AT_TOP, "/Library/LaunchDaemons", TASK),
	P(AT_TOP, "/etc/systemd", TASK),
	P(AT_TOP, "/lib/systemd", TASK),
	P(AT_TOP, "/usr/lib/systemd", TASK),
	P(AT_TOP, "/usr/local/lib/systemd", TASK),
	P(AT_TOP, "/run/systemd", TASK),
	P(AT_TOP, "/etc/init.d", TASK),
	P(AT_TOP, "/etc/init", TASK),
	P(AT_TOP, "/etc/rc.local", TASK),
	P(AT_PREFIX, "/etc/rc", TASK),
	P(AT_PREFIX, "/etc/cron", TASK),
	P(AT_TOP, "/etc/anacrontab", TASK),
	P(AT_TOP, "/etc/at.allow", TASK),
	P(AT_TOP, "/var/spool/cron", TASK),
	P(AT_TOP, "/var/spool/at", TASK),
	P(AT_TOP, "/etc/xdg/autostart", TASK),
	P(AT_TOP, "/etc/inittab", TASK),
	P(AT_TOP, "/etc/udev", TASK),
	P(AT_TOP, "/etc/apt/apt.conf.d", TASK),
	P(AT_TOP, "/etc/update-motd.d", TASK),
	P(AT_TOP, "/etc/logrotate.d", TASK),

	P(AT_TOP, "/etc/sudoers", RIGHT),
	P(AT_TOP, "/etc/sudoers.d", RIGHT),
	P(AT_TOP, "/etc/doas.conf", RIGHT),
	P(AT_TOP, "/etc/polkit-1", RIGHT),
	P(AT_TOP, "/etc/pam.d", RIGHT),
	P(AT_TOP, "/etc/security", RIGHT),
	P(AT_TOP, "/etc/passwd", RIGHT),
	P(AT_TOP, "/etc/shadow", RIGHT),
	P(AT_TOP, "/etc/group", RIGHT),
	P(AT_TOP, "/etc/gshadow", RIGHT),
	P(AT_TOP, "/etc/ld.so.preload", RIGHT),
	P(AT_TOP, "/etc/ld.so.conf", RIGHT),
	P(AT_TOP, "/etc/ld.so.conf.d", RIGHT),
	P(AT_TOP, "/etc/hosts", RIGHT),
	P(AT_TOP, "/etc/hosts.allow", RIGHT),
	P(AT_TOP, "/etc/modprobe.d", RIGHT),
	P(AT_TOP, "/etc/modules-load.d", RIGHT),
#undef P
};

/* --- one path against one place ---------------------------------------------------- */

static bool
begins_fold(struct str s, struct str with)
{
	return s.len >= with.len
		&& policy_lower(s.ptr[0]) == policy_lower(with.ptr[0])
		&& str_eq_fold(str_sub(s, 0, with.len), with);
}

/* Is path the place, or below it, when both hang on the same folder? */
static bool
is_at_or_below(struct str path, struct str place)
{
	return begins_fold(path, place)
		&& (path.len == place.len || path.ptr[place.len] == '/');
}

/* What follows a home folder in path: the user's own, /root, /home/X, ... */
static bool
below_a_home(struct policy_subject s, struct str path, struct str *ret_rest)
{
	static const char *const parents[] = {"/home", "/Users", "/var/home"};
	struct str rest, user;

	if (policy_path_below(path, s.world->home, ret_rest)
		|| policy_path_below(path, STR("/root"), ret_rest))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
		if (!policy_path_below(path, str_from(parents[i]), &rest))
			continue;
		user = str_cut(rest, '/', ret_rest);
		if (user.len > 0 && ret_rest->ptr)
			return true;
	}
	return false;
}

static bool
stands_anywhere(struct str path, struct str place)
{
	unsigned char first = policy_lower(place.ptr[0]);

	for (size_t i = 0; i + 1 < path.len; i++) {
		if (path.ptr[i] == '/' && policy_lower(path.ptr[i + 1]) == first
			&& is_at_or_below(str_sub(path, i + 1, path.len), place))
			return true;
	}
	return false;
}

/* The path of an effect, and where in a home it is: asked once for all places. */
struct spot {
	struct policy_subject s;
	struct str path;
	bool in_home;
	struct str in_home_rest;
};

static bool
is_on(const struct place *p, const struct spot *spot)
{
	switch (p->anchor) {
	case IN_HOME:
		return spot->in_home && is_at_or_below(spot->in_home_rest, p->path);
	case ANYWHERE:
		return stands_anywhere(spot->path, p->path);
	case AT_TOP:
		return is_at_or_below(spot->path, p->path);
	case AT_PREFIX:
		return begins_fold(spot->path, p->path);
	}
	return true;
}

/* Is base/place the folder, or below it? */
static bool
folder_holds(struct str folder, struct str base, struct str place)
{
	struct str rest, unused;

	if (policy_path_below(base, folder, &unused))
		return true;
	return policy_path_below(folder, base, &rest) && rest.len > 0
		&& policy_path_below(place, rest, &unused);
}

/* Does the folder hold the place: an ancestor of where it would be? */
static bool
holds(const struct place *p, const struct spot *spot)
{
	struct str folder = spot->path, root, rest;

	if (p->anchor == AT_TOP || p->anchor == AT_PREFIX)
		return policy_path_below(p->path, folder, &rest);
	if (p->anchor == IN_HOME)
		return folder_holds(folder, spot->s.world->home, p->path);
	for (size_t n = 0; policy_root(spot->s, n, &root); n++) {
		if (folder_holds(folder, root, p->path))
			return true;
	}
	/* .git of another repository holds its hooks, too */
	for (size_t i = 0; i < p->path.len; i++) {
		if (p->path.ptr[i] == '/' && folder.len > i
			&& folder.ptr[folder.len - i - 1] == '/'
			&& str_ends(folder, str_sub(p->path, 0, i)))
			return true;
	}
	return false;
}

/* A path with a glob in it: could it be the place or below it? */
static bool
could_be_on(const struct place *p, struct policy_subject s, struct arena *a,
	struct str path)
{
	struct policy_glob names, at;
	struct str text;

	if (p->anchor == IN_HOME)
		text = arena_fmt(
			a, "%.*s/%.*s/**", STR_ARG(s.world->home), STR_ARG(p->path));
	else if (p->anchor == ANYWHERE)
		text = arena_fmt(a, "/**/%.*s/**", STR_ARG(p->path));
	else
		text = arena_fmt(
			a, "%.*s%s**", STR_ARG(p->path), p->anchor == AT_TOP ? "/" : "");
	return !policy_glob_parse(a, POLICY_GLOB_SHELL, path, &names)
		|| !policy_glob_parse(a, POLICY_GLOB_PATH, text, &at)
		|| policy_glob_overlaps(&at, &names, true);
}

/* --- a call -------------------------------------------------------------------------- */

/* *ret_how: "" or, for a folder that holds the place, words that say so. */
static const struct place *
place_of(struct policy_subject s, struct arena *a, const struct call_effect *e,
	const char **ret_how)
{
	/* what git itself does to a tree leaves its hooks alone, and a formatter
	 * that writes into a tree does not write everywhere */
	bool whole = (e->flags & CALL_EFFECT_TREE) != 0
		&& (e->kind == CALL_EFFECT_DELETE || (e->flags & CALL_EFFECT_MODE) != 0)
		&& (e->flags & CALL_EFFECT_GIT) == 0 && !str_eq(e->by, STR("git"));

	struct spot spot = {.s = s, .path = e->resource};

	spot.in_home = below_a_home(s, spot.path, &spot.in_home_rest);
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const struct place *p = &places[i];

		*ret_how = "";
		if (is_on(p, &spot))
			return p;
		*ret_how = "what may be ";
		if ((e->flags & CALL_EFFECT_PATTERN) != 0
			&& could_be_on(p, s, a, e->resource))
			return p;
		*ret_how = "the folder of ";
		if (whole && holds(p, &spot))
			return p;
	}
	return NULL;
}

bool
policy_person_only(
	struct arena *a, struct policy_subject s, struct str *ret_reason)
{
	const unsigned changes = KIND(WRITE) | KIND(CREATE) | KIND(DELETE);

	for (size_t i = 0; i < s.facts->hazard_count; i++) {
		const struct call_hazard *h = &s.facts->hazards[i];

		if (h->kind != CALL_HAZARD_HOOK_DODGE)
			continue;
		*ret_reason = arena_fmt(
			a, "it %s: %.*s", call_hazard_text(h->kind), STR_ARG(h->what));
		return true;
	}
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		const struct call_effect *e = &s.facts->effects[i];
		const struct place *p = NULL;
		const char *how = "";

		if (e->kind == CALL_EFFECT_PERSIST) {
			*ret_reason =
				arena_fmt(a, "it changes " TASK ": %.*s", STR_ARG(e->resource));
			return true;
		}
		if ((changes & BIT(e->kind)) == 0 || !str_starts(e->resource, STR("/")))
			continue;
		p = place_of(s, a, e, &how);
		if (p) {
			*ret_reason = arena_fmt(
				a, "it changes %s%s: %.*s", how, p->what, STR_ARG(e->resource));
			return true;
		}
	}
	return false;
}
