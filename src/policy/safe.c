#include "policy/policy_priv.h"

/*
 * What needs no leave of anybody: effects that are safe by themselves, and the
 * fast path (DESIGN 2.8), calls that are made of nothing else.
 */

/* --- reading ------------------------------------------------------------------------ */

/* Folders of the system that everybody may read, and that hold no logs, no
 * mail and no other user's things. */
static const char *const readable[] = {"/usr", "/bin", "/sbin", "/lib",
	"/lib32", "/lib64", "/libx32", "/opt", "/etc", "/sys", "/nix/store",
	"/var/lib/dpkg", "/var/lib/apt", "/System", "/Library/Developer"};

/* What of /proc says something of the machine only. */
static const char *const proc_files[] = {"cpuinfo", "meminfo", "version",
	"uptime", "loadavg", "stat", "mounts", "filesystems", "modules",
	"partitions", "devices", "interrupts", "swaps", "vmstat", "cgroups", "net",
	"mdstat", "sys", "cmdline", "diskstats", "zoneinfo", "self/mounts",
	"self/mountinfo", "self/cgroup", "self/status", "self/limits"};

/* Ends of streams and sources of bytes: reading and writing them is nothing. */
static const char *const streams[] = {"/dev/null", "/dev/zero", "/dev/full",
	"/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr",
	"/dev/tty", "/dev/fd", "/proc/self/fd"};

/* Is path one of the list, or below it? */
static bool
is_below_one(struct str path, const char *const *list, size_t count)
{
	struct str rest;

	for (size_t i = 0; i < count; i++) {
		if (policy_path_below(path, str_from(list[i]), &rest))
			return true;
	}
	return false;
}

static bool
is_stream(const struct call_effect *e)
{
	return is_below_one(e->resource, streams, ARRAY_LEN(streams));
}

static bool
is_readable_system(struct policy_subject s, const struct call_effect *e)
{
	bool tree = (e->flags & CALL_EFFECT_TREE) != 0;
	struct str rest, unused;

	/* a tree that home is in is not the system's */
	if (tree && policy_path_below(s.world->home, e->resource, &unused))
		return false;
	if (policy_path_below(e->resource, STR("/proc"), &rest))
		return !tree && is_below_one(rest, proc_files, ARRAY_LEN(proc_files));
	if ((e->flags & CALL_EFFECT_NAMES) != 0 && !tree)
		return !policy_path_below(e->resource, STR("/root"), &unused)
			&& !policy_path_below(e->resource, STR("/home"), &unused);
	return is_below_one(e->resource, readable, ARRAY_LEN(readable));
}

static bool
is_safe_read(const struct policy *p, const struct call_effect *e,
	struct policy_subject s)
{
	if ((e->flags & CALL_EFFECT_SECRET) != 0)
		return false;
	/* that a secret of the workspace is there is no secret */
	if (((e->flags & CALL_EFFECT_NAMES) == 0
			|| e->scope != CALL_SCOPE_WORKSPACE)
		&& policy_marker_of(p, s, e).ptr)
		return false;
	switch (e->scope) {
	case CALL_SCOPE_WORKSPACE:
	case CALL_SCOPE_SCRATCH:
		return true;
	case CALL_SCOPE_SYSTEM:
		return is_readable_system(s, e);
	case CALL_SCOPE_HOME: /* only public keys */
		return str_ends(e->resource, STR(".pub"))
			&& (e->flags & CALL_EFFECT_TREE) == 0;
	case CALL_SCOPE_UNKNOWN:
	case CALL_SCOPE_TEMP:
	case CALL_SCOPE_DEVICE:
	case CALL_SCOPE_NETWORK:
	case CALL_SCOPE_COUNT:
		return false;
	}
	return false;
}

bool
policy_effect_is_safe(const struct policy *p, const struct call_effect *e,
	struct policy_subject s)
{
	switch (e->kind) {
	case CALL_EFFECT_READ:
		return is_stream(e) || is_safe_read(p, e, s);
	case CALL_EFFECT_WRITE:
	case CALL_EFFECT_CREATE:
		return is_stream(e) && (e->flags & CALL_EFFECT_RAW) == 0;
	case CALL_EFFECT_CONNECT:
		return (e->flags & CALL_EFFECT_LOCAL) != 0
			&& (e->flags & CALL_EFFECT_LISTEN) == 0
			&& !policy_marker_of(p, s, e).ptr;
	case CALL_EFFECT_NONE:
	case CALL_EFFECT_DELETE:
	case CALL_EFFECT_EXECUTE:
	case CALL_EFFECT_SEND:
	case CALL_EFFECT_PRIVILEGE:
	case CALL_EFFECT_PERSIST:
	case CALL_EFFECT_SIGNAL:
	case CALL_EFFECT_COUNT:
		return false;
	}
	return false;
}

/* --- the fast path --------------------------------------------------------------------- */

static bool
is_complete(struct policy_subject s)
{
	return s.facts->ignorance == 0 && s.facts->need_count == 0
		&& s.facts->hazard_count == 0 && !s.call->malformed;
}

static bool
all_safe(const struct policy *p, struct policy_subject s)
{
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		if (!policy_effect_is_safe(p, &s.facts->effects[i], s))
			return false;
	}
	for (size_t i = 0; i < s.facts->command_count; i++) {
		const struct call_command *c = &s.facts->commands[i];

		if (c->ignorance != 0 || c->is_privilege || c->assigns)
			return false;
	}
	return true;
}

/* Only connecting, as a fetch does: nothing sent, nothing written. */
static bool
only_connects(struct policy_subject s)
{
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		if (s.facts->effects[i].kind != CALL_EFFECT_CONNECT)
			return false;
	}
	return true;
}

static bool
may_fetch(const struct policy *p, struct policy_subject s)
{
	struct call_effect e = {.kind = CALL_EFFECT_CONNECT,
		.scope = CALL_SCOPE_NETWORK,
		.resource = s.call->url};

	return only_connects(s) && !policy_marker_of(p, s, &e).ptr
		&& policy_url_may_be_fetched(
			s.call->url, policy_setting(p, "fastpath.fetch"));
}

bool
policy_fast_path(
	const struct policy *p, struct policy_subject s, struct str *ret_reason)
{
	if (!is_complete(s))
		return false;
	switch (s.call->tool) {
	case CALL_TOOL_SHELL:
	case CALL_TOOL_READ:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
		*ret_reason = STR("it only reads, and nothing secret");
		return all_safe(p, s);
	case CALL_TOOL_FETCH:
		*ret_reason = STR("it reads a page that needs no asking");
		return may_fetch(p, s);
	case CALL_TOOL_WEB_SEARCH:
		*ret_reason = STR("it searches the web, and shows no secret");
		return only_connects(s) && s.call->query.ptr
			&& !policy_text_has_secret(s.call->query);
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
		*ret_reason = STR("it touches nothing but the agent itself");
		return s.call->inward && all_safe(p, s);
	case CALL_TOOL_NONE:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_MCP:
	case CALL_TOOL_COUNT:
		return false;
	}
	return false;
}
