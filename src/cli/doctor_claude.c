/*
 * What doctor looks at of Claude Code.
 */

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/claude.h"
#include "cli/doctor.h"
#include "cli/found.h"
#include "cli/settings.h"
#include "io/file.h"
#include "io/proc.h"
#include "wire/json.h"

static const char check[] = "claude";
static const char managed_path[] = "/etc/claude-code/managed-settings.json";
static const char managed_folder[] = "/etc/claude-code/managed-settings.d";

enum { SETTINGS_BYTES = 4 << 20, PARTS_MAX = 16 };

/* A settings file and what is in it. */
struct file {
	const char *path;
	bool exists;
	struct cli_claude_state state;
};

enum {
	FILE_USER,
	FILE_PROJECT,
	FILE_LOCAL,
	FILE_MANAGED,
	FILE_PARTS, /* of the administrator's settings, one file each */
	FILE_COUNT = FILE_PARTS + PARTS_MAX
};

static void
read_scope(struct cli_doctor *d, enum cli_scope scope, struct file *ret)
{
	struct cli_settings s;
	struct str why = {0};

	*ret = (struct file){0};
	if (!cli_settings_read(d->c, &d->place, scope, &s, &why)) {
		cli_doctor_say(d, CLI_FINDING_BAD, check, "%.*s", STR_ARG(why));
		return;
	}
	ret->path = s.path.ptr;
	ret->exists = s.exists;
	if (s.exists)
		cli_claude_look(d->c->arena, s.text, &ret->state);
	if (s.exists && !ret->state.readable)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"%s cannot be read: %.*s. Claude Code may then run without any "
			"hook",
			ret->path, STR_ARG(ret->state.why));
}

static void
read_managed(struct cli_doctor *d, const char *path, struct file *ret)
{
	CLEANUP(buf_done) struct buf text;

	*ret = (struct file){.path = path};
	buf_init(&text, SETTINGS_BYTES);
	if (io_file_read(path, &text) != 0)
		return;
	ret->exists = true;
	cli_claude_look(d->c->arena, buf_str(&text), &ret->state);
}

/* managed-settings.d: each *.json adds to the administrator's settings. */
static void
read_parts(struct cli_doctor *d, struct file *ret)
{
	DIR *folder = opendir(managed_folder);
	const struct dirent *entry;
	size_t n = 0;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): the client has one thread
	while (folder && n < PARTS_MAX && (entry = readdir(folder))) {
		if (str_ends(str_from(entry->d_name), STR(".json")))
			read_managed(d,
				arena_fmt(d->c->arena, "%s/%s", managed_folder, entry->d_name)
					.ptr,
				&ret[n++]);
	}
	if (folder)
		(void)closedir(folder);
}

/* Our hook for the event in any of the files, or NULL. */
static const struct cli_claude_hook *
find_hook(const struct file *files, const struct adapter_event *event)
{
	for (size_t i = 0; i < FILE_COUNT; i++) {
		const struct cli_claude_state *s = &files[i].state;

		for (size_t k = 0; k < s->hook_count; k++) {
			if (s->hooks[k].event == event)
				return &s->hooks[k];
		}
	}
	return NULL;
}

/* --- which version ----------------------------------------------------------- */

struct installed {
	size_t count;
	struct str version; /* the oldest; absent when one is not known */
};

static struct installed
look_for_programs(struct cli_doctor *d)
{
	struct cli_found found[CLI_FOUND_MAX];
	struct installed in = {.count = cli_found_claude(d->c, &d->place, found)};
	bool known = true;

	for (size_t i = 0; i < in.count; i++) {
		known = known && found[i].version.ptr;
		if (!in.version.ptr
			|| cli_found_version_cmp(found[i].version, in.version) < 0)
			in.version = found[i].version;
		cli_doctor_say(d,
			found[i].version.ptr ? CLI_FINDING_WELL : CLI_FINDING_NOTE, check,
			"Claude Code %.*s is %.*s",
			STR_ARG(found[i].version.ptr ? found[i].version
										 : STR("of an unknown version")),
			STR_ARG(found[i].program));
	}
	if (in.count == 0)
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"no Claude Code was found in PATH or in the usual places");
	if (!known)
		in.version = (struct str){0};
	return in;
}

/* Events that this version does not have cannot be guarded. */
static void
check_age(struct cli_doctor *d, const struct installed *in)
{
	const struct adapter_agent *agent = adapter_agent_find(STR("claude-code"));

	for (size_t i = 0; i < agent->event_count && in->version.ptr; i++) {
		const char *since = agent->events[i].since;

		if (since && cli_found_version_cmp(in->version, str_from(since)) < 0)
			cli_doctor_say(d, CLI_FINDING_NOTE, check,
				"Claude Code %.*s has no %s: what that guards runs without "
				"being "
				"judged. From %s on it does not",
				STR_ARG(in->version), agent->events[i].name, since);
	}
}

/* --- our hooks ----------------------------------------------------------------- */

static void
check_events(struct cli_doctor *d, const struct file *files)
{
	const struct adapter_agent *agent = adapter_agent_find(STR("claude-code"));
	size_t there = 0, missing = 0;
	bool any = false;

	for (size_t i = 0; i < FILE_COUNT; i++)
		any = any || files[i].state.hook_count > 0;
	if (!any) {
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"no hook of assent's is in its settings: nothing is judged. Run: "
			"assent install claude-code");
		return;
	}
	for (size_t i = 0; i < agent->event_count; i++) {
		const struct adapter_event *event = &agent->events[i];

		if (!event->installed)
			continue;
		if (find_hook(files, event)) {
			there++;
			continue;
		}
		missing++;
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"no hook for %s%s. Run: assent install claude-code", event->name,
			event->decides ? ": such calls are not judged at all" : "");
	}
	if (missing == 0)
		cli_doctor_say(d, CLI_FINDING_WELL, check,
			"the hook is registered for all %zu events", there);
}

static void
check_program_of(struct cli_doctor *d, const struct cli_claude_hook *h)
{
	struct str own =
		arena_fmt(d->c->arena, "%.*s/assent", STR_ARG(d->place.exe_folder));
	struct stat st, mine;

	const char *path = h->program.ptr ? h->program.ptr : "";

	if (access(path, X_OK) != 0 || stat(path, &st) != 0)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hook's program %s cannot be run. Run: assent install "
			"claude-code",
			path);
	else if (stat(own.ptr, &mine) != 0 || st.st_ino != mine.st_ino
		|| st.st_dev != mine.st_dev)
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"the hook runs %s, which is not this program (%s)", path, own.ptr);
	else if ((st.st_mode & 022) != 0)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"others may write %s (chmod go-w helps)", path);
}

static bool
has_other_places(const struct cli_doctor *d, const struct cli_claude_hook *h)
{
	return h->exec
		&& (!str_eq(h->config, d->place.config)
			|| !str_eq(h->state, d->place.state)
			|| !str_eq(h->socket, d->place.socket));
}

/* What has to hold of a hook that decides. */
static void
check_guard(struct cli_doctor *d, const struct cli_claude_hook *h,
	const struct installed *in)
{
	bool can_block = in->version.ptr
		&& cli_found_version_cmp(in->version, STR(CLI_CLAUDE_EXEC)) >= 0;
	const char *event = h->event->name;

	if (!h->all_tools)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hook for %s does not match all tools", event);
	if (h->exec && !h->blocks)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hook for %s has no \"onFailure\": \"block\": if it cannot be "
			"run, the call runs. Run: assent install claude-code",
			event);
	if (h->exec && in->version.ptr && !can_block)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hook for %s relies on \"onFailure\", which Claude Code %.*s "
			"does not have. Update to " CLI_CLAUDE_EXEC ", or run: assent "
			"install claude-code",
			event, STR_ARG(in->version));
	if (!h->exec && can_block)
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"the hook for %s is a shell line, and this version can do better. "
			"Run: assent install claude-code",
			event);
	if (h->exec && h->deadline_s >= h->timeout_s)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hook for %s has to answer in %lld s, but Claude Code gives up "
			"on it after %lld s, and then runs the call",
			event, (long long)h->deadline_s, (long long)h->timeout_s);
}

static void
check_hooks(
	struct cli_doctor *d, const struct file *files, const struct installed *in)
{
	const struct adapter_agent *agent = adapter_agent_find(STR("claude-code"));
	const struct cli_claude_hook *h, *any = NULL;
	bool elsewhere = false;

	for (size_t i = 0; i < agent->event_count; i++) {
		h = find_hook(files, &agent->events[i]);
		if (!h)
			continue;
		any = h;
		elsewhere = elsewhere || has_other_places(d, h);
		if (h->event->decides)
			check_guard(d, h, in);
	}
	if (any)
		check_program_of(d, any);
	if (elsewhere)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"the hooks name other places than this command uses (%.*s): they "
			"ask another daemon. Run: assent install claude-code",
			STR_ARG(d->place.socket));
}

/* --- what could get around them -------------------------------------------------- */

static bool
is_shell_line(const struct file *files)
{
	const struct adapter_event *event = adapter_event_find(
		adapter_agent_find(STR("claude-code")), STR("PreToolUse"));
	const struct cli_claude_hook *h = find_hook(files, event);

	return h && !h->exec;
}

static void
check_file(struct cli_doctor *d, const struct file *f, bool shell_line)
{
	const struct cli_claude_state *s = &f->state;

	if (!f->exists || !s->readable)
		return;
	if (s->disabled)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"%s switches all hooks off (disableAllHooks): nothing is judged",
			f->path);
	if (s->managed_only && s->hook_count == 0)
		cli_doctor_say(d, CLI_FINDING_BAD, check,
			"%s permits managed hooks only (allowManagedHooksOnly): ours do "
			"not "
			"run unless they are in that file",
			f->path);
	if (s->poison.ptr)
		cli_doctor_say(d, shell_line ? CLI_FINDING_BAD : CLI_FINDING_NOTE,
			check, "%s sets %.*s for every hook; %s", f->path,
			STR_ARG(s->poison),
			shell_line ? "the shell that starts ours believes it"
					   : "ours believes no variable");
	if (s->other_hooks > 0)
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"%s has %zu hook%s of others on events that decide (%.*s): they "
			"cannot allow what assent refuses, but may change a call after it "
			"was judged",
			f->path, s->other_hooks, s->other_hooks == 1 ? "" : "s",
			STR_ARG(s->other));
}

/* --- sessions that run ----------------------------------------------------------- */

static bool
is_claude(const struct io_proc *p)
{
	struct adapter_process process = {
		.exe = p->exe,
		.args = p->args,
		.arg_count = p->arg_count,
	};

	return adapter_process_is(adapter_agent_find(STR("claude-code")), &process);
}

/* The daemon has had a call from this very process. */
static bool
is_known(const json_t *status, const struct io_proc *p)
{
	json_t *known;
	size_t i;

	json_array_foreach (wire_json_array(status, "agent_processes"), i, known) {
		if (wire_json_int(known, "pid", 0) == p->pid
			&& wire_json_int(known, "start", -1) == p->start)
			return true;
	}
	return false;
}

/* A process of Claude Code that no other one started. */
static bool
read_session(struct arena *a, const char *name, struct io_proc *ret)
{
	struct io_proc parent;
	struct stat st;
	int64_t pid;
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%.20s", name);
	return str_number(str_from(name), &pid) && stat(path, &st) == 0
		&& st.st_uid == geteuid() && io_proc_read(a, pid, ret) == 0
		&& is_claude(ret)
		&& (io_proc_read(a, ret->parent, &parent) != 0 || !is_claude(&parent));
}

/* Sessions read their hooks when they start: one that has not called may have
 * started before the hooks were there. */
static void
check_sessions(struct cli_doctor *d)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct io_proc p;
	size_t calling = 0, silent = 0;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): the client has one thread
	while (folder && (entry = readdir(folder))) {
		if (!read_session(d->c->arena, entry->d_name, &p))
			continue;
		if (is_known(d->status, &p)) {
			calling++;
			continue;
		}
		silent++;
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"process %lld runs and has not called assent. If it was started "
			"before the hooks were there, nothing is judged in it: begin a new "
			"session",
			(long long)p.pid);
	}
	if (folder)
		(void)closedir(folder);
	if (calling > 0)
		cli_doctor_say(d, CLI_FINDING_WELL, check,
			"%zu running session%s called through the hook", calling,
			calling == 1 ? " has" : "s have");
	else if (silent == 0)
		cli_doctor_say(d, CLI_FINDING_NOTE, check,
			"no session runs now; begin one and look again");
}

void
cli_doctor_claude(struct cli_doctor *d)
{
	struct file files[FILE_COUNT] = {0};
	struct installed in = look_for_programs(d);

	read_scope(d, CLI_SCOPE_USER, &files[FILE_USER]);
	read_scope(d, CLI_SCOPE_PROJECT, &files[FILE_PROJECT]);
	read_scope(d, CLI_SCOPE_LOCAL, &files[FILE_LOCAL]);
	read_managed(d, managed_path, &files[FILE_MANAGED]);
	read_parts(d, &files[FILE_PARTS]);
	check_age(d, &in);
	check_events(d, files);
	check_hooks(d, files, &in);
	for (size_t i = 0; i < FILE_COUNT; i++)
		check_file(d, &files[i], is_shell_line(files));
	if (d->status)
		check_sessions(d);
}
