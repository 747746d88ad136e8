/*
 * What is dangerous by its shape, whatever the rules say.
 */

#include "facts/facts_priv.h"

struct str
facts_run_text(const struct facts_run *run)
{
	struct str text = run->words[0].source;

	for (size_t i = 1; i < run->count && text.len < 200; i++)
		text = arena_fmt(run->f->a, "%.*s %.*s", STR_ARG(text),
			STR_ARG(str_sub(run->words[i].source, 0, 200)));
	return text;
}

void
facts_download_run(struct facts *f, struct str what)
{
	bool root = f->privilege_depth > 0 || f->world->is_root;

	facts_add_hazard(f,
		root ? CALL_HAZARD_DOWNLOAD_RUN_ROOT : CALL_HAZARD_DOWNLOAD_RUN, what);
}

void
facts_text_run(struct facts_run *run, unsigned taint, struct str what)
{
	struct facts *f = run->f;
	unsigned flags = CALL_EFFECT_INLINE;
	bool privileged = run->top->style & FACTS_PRIVILEGED;

	if (taint & (FACTS_FROM_DECODER | FACTS_FROM_INPUT))
		flags |= CALL_EFFECT_DECODED;
	if (taint & FACTS_FROM_NET) {
		flags |= CALL_EFFECT_DOWNLOAD;
		f->privilege_depth += privileged;
		facts_download_run(f, what);
		f->privilege_depth -= privileged;
	}
	if (flags == CALL_EFFECT_INLINE)
		return;
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.flags = flags,
			.resource = STR("text"),
			.by = run->name,
			.command = run->index});
}

void
facts_run_input(
	struct facts_run *run, const struct facts_flow *in, const char *language)
{
	struct facts_word w;
	bool shell = language && facts_names_have("sh", str_from(language));

	if (!in || in->closed) {
		facts_run_ignore(run, CALL_DYNAMIC,
			"an interpreter that runs whatever it is given", run->name);
		return;
	}
	if (!in->any && in->known && in->text.len == 0)
		return;
	w = (struct facts_word){
		.text = in->text, .source = STR("standard input"), .taint = in->taint};
	run->out->taint |= FACTS_FROM_SHELL;
	if (!in->known && in->file.len > 0) {
		w.text = w.source = in->file;
		facts_run_script(run, &w);
		return;
	}
	if (in->known && shell) {
		facts_run_shell(run, &w);
		return;
	}
	if (in->known) {
		facts_run_code(run, language, &w);
		return;
	}
	facts_text_run(run, in->taint | FACTS_FROM_DECODER, w.source);
	facts_run_ignore(run, CALL_DYNAMIC,
		"a program text that only running would tell", run->name);
}

/* --- words that reach for assent ------------------------------------------- */

static bool
names_assent(struct str s)
{
	return str_has(s, STR("assentd"))
		|| (str_has(s, STR("assent")) && !str_has_char(s, '/')
			&& !str_starts(s, STR("-")));
}

/* Programs that stop others, and what assent is to them. */
static void
check_stoppers(struct facts_run *run)
{
	static const char stoppers[] =
		"kill pkill killall systemctl launchctl service skill snice fuser gdb "
		"strace ltrace";
	int64_t pid;

	if (!facts_names_have(stoppers, run->name))
		return;
	for (size_t i = 1; i < run->count; i++) {
		struct str w = run->words[i].text, src = run->words[i].source;
		bool same =
			str_number(w, &pid) && pid > 1 && pid == run->f->world->assent_pid;

		if (same || names_assent(w)
			|| ((run->words[i].flags & FACTS_DYNAMIC)
				&& str_has(src, STR("assent"))))
			facts_add_hazard(
				run->f, CALL_HAZARD_ASSENT_SELF, facts_run_text(run));
	}
}

/* A secret among the words of a command that talks to another machine. */
static void
check_words(struct facts_run *run)
{
	struct call_facts *o = run->f->out;
	unsigned taint = 0, plain = CALL_EFFECT_LOOPBACK | CALL_EFFECT_LOCAL;

	for (size_t i = 1; i < run->count; i++)
		taint |= run->words[i].taint;
	if (!(taint & FACTS_FROM_SECRET))
		return;
	for (size_t i = 0; i < o->effect_count; i++) {
		if (o->effects[i].command == run->index
			&& o->effects[i].kind == CALL_EFFECT_CONNECT
			&& !(o->effects[i].flags & plain))
			facts_add_hazard(
				run->f, CALL_HAZARD_SECRET_SENT, facts_run_text(run));
	}
}

void
facts_hazard_words(struct facts_run *run)
{
	struct facts *f = run->f;
	unsigned taint = run->in ? run->in->taint : 0;
	bool sends = run->prog->style & FACTS_STDIN_SENT;

	check_stoppers(run);
	check_words(run);
	if (sends && (taint & FACTS_FROM_SECRET))
		facts_add_hazard(f, CALL_HAZARD_SECRET_SENT, facts_run_text(run));
	if (sends && (taint & FACTS_FROM_SHELL))
		facts_add_hazard(f, CALL_HAZARD_REVERSE_SHELL, facts_run_text(run));
	if (sends && run->in && run->in->any)
		facts_apply_text(run, FACTS_REMOTE_SEND,
			(taint & (FACTS_FROM_SECRET | FACTS_FROM_TOKEN))
				? CALL_EFFECT_SECRET
				: 0,
			"standard input");
}

/* --- by the whole of what was found ---------------------------------------- */

static bool
is_disk(struct str path)
{
	static const char *const starts[] = {"sd", "hd", "vd", "xvd", "nvme",
		"mmcblk", "disk", "rdisk", "mapper", "loop", "md", "dm-", "sr", "mem",
		"kmem", "port", "block", "mtd", "nbd", "zd", "ram"};
	struct str name;

	if (!str_starts(path, STR("/dev/")))
		return false;
	name = str_sub(path, 5, path.len);
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		if (str_starts(name, str_from(starts[i])))
			return true;
	}
	return name.len > 0 && (name.ptr[0] == '*' || name.ptr[0] == '?');
}

static bool
changes(const struct call_effect *e)
{
	return e->kind == CALL_EFFECT_WRITE || e->kind == CALL_EFFECT_CREATE
		|| e->kind == CALL_EFFECT_DELETE;
}

static void
check_disk(struct facts *f, const struct call_effect *e)
{
	if (changes(e) && is_disk(e->resource) && !(e->flags & CALL_EFFECT_MODE))
		facts_add_hazard(f, CALL_HAZARD_DISK, e->resource);
	if (changes(e) && str_eq(e->resource, STR("/proc/sysrq-trigger")))
		facts_add_hazard(f, CALL_HAZARD_SYSTEM_DOWN, e->resource);
}

/* assent's own places: where the world says, and where they are by default. */
struct place {
	struct str path;
	bool read_too; /* reading it is reaching for it */
};

/* True if the change of path, or of all below it, touches the place. Whoever
 * deletes all of the home folder has other things to be told. */
static bool
touches(const struct call_effect *e, struct str place, struct str home)
{
	if (place.len == 0)
		return false;
	if (facts_path_below(e->resource, place))
		return true;
	return changes(e)
		&& (e->flags & CALL_EFFECT_TREE || e->kind == CALL_EFFECT_DELETE)
		&& facts_path_below(place, e->resource)
		&& !facts_path_below(home, e->resource);
}

static bool
is_program_file(const struct facts *f, const struct call_effect *e)
{
	struct str folder = f->world->assent_program;

	return folder.len > 0 && changes(e) && facts_path_below(e->resource, folder)
		&& (str_eq(e->resource, folder)
			|| str_starts(str_base(e->resource), STR("assent")));
}

static void
check_self(struct facts *f, const struct call_effect *e)
{
	const struct call_world *w = f->world;
	struct str home = w->home.len > 0 ? w->home : STR("/nowhere");
	const struct place places[] = {
		{w->assent_config,            false                              },
		{w->assent_state,             true							   },
		{w->assent_socket,            true							   },
		{arena_fmt(f->a,              "%.*s/.config/assent",               STR_ARG(home)), false},
		{arena_fmt(f->a,                      "%.*s/.local/state/assent",														 STR_ARG(home)), true},
		{STR("/etc/assent"),false},
	};
	bool path_kind = changes(e) || e->kind == CALL_EFFECT_READ
		|| e->kind == CALL_EFFECT_SEND || e->kind == CALL_EFFECT_CONNECT;
	bool names_only = e->flags & CALL_EFFECT_NAMES;

	if (!path_kind || e->resource.len == 0 || e->resource.ptr[0] != '/')
		return;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if ((changes(e) || (places[i].read_too && !names_only))
			&& touches(e, places[i].path, home))
			facts_add_hazard(f, CALL_HAZARD_ASSENT_SELF, e->resource);
	}
	if (is_program_file(f, e)
		|| (str_starts(e->resource, STR("/run/user/"))
			&& str_has(e->resource, STR("/assent"))))
		facts_add_hazard(f, CALL_HAZARD_ASSENT_SELF, e->resource);
}

/* exec 3<>/dev/tcp/...; then a shell, or whatever came in, is run. */
static void
check_dev_tcp(struct facts *f)
{
	for (size_t i = f->dev_tcp + 1; i < f->out->command_count; i++) {
		const struct call_command *c = &f->out->commands[i];

		if (c->is_interpreter || !c->program.ptr)
			facts_add_hazard(
				f, CALL_HAZARD_REVERSE_SHELL, STR("exec with /dev/tcp"));
	}
}

/* Does what the command of moved has moved stay where it went? */
static bool
stays_moved(const struct call_facts *o, const struct call_effect *moved)
{
	bool went = false;

	for (size_t i = 0; i < o->effect_count; i++) {
		const struct call_effect *to = &o->effects[i];

		if (to->command != moved->command || to->kind != CALL_EFFECT_WRITE
			|| (to->flags & CALL_EFFECT_REDIRECT))
			continue;
		went = went || !str_starts(to->resource, STR("/dev/"));
		for (size_t k = 0; k < o->effect_count; k++) {
			const struct call_effect *e = &o->effects[k];

			if (e->kind == CALL_EFFECT_DELETE && !(e->flags & CALL_EFFECT_MOVED)
				&& facts_path_below(to->resource, e->resource))
				return false;
		}
	}
	return went;
}

/* mv src build; rm -r build: what was moved is lost after all. */
static void
check_moved(struct facts *f)
{
	struct call_facts *o = f->out;

	for (size_t i = 0; i < o->effect_count; i++) {
		struct call_effect *e = &o->effects[i];

		if (e->kind != CALL_EFFECT_DELETE || !(e->flags & CALL_EFFECT_MOVED)
			|| !facts_work(f, o->effect_count / 8) || stays_moved(o, e))
			continue;
		e->flags &= ~(unsigned)(CALL_EFFECT_MOVED | CALL_EFFECT_GIT);
		e->flags |= CALL_EFFECT_LOSSY;
	}
}

void
facts_hazards(struct facts *f)
{
	check_moved(f);
	for (size_t i = 0; i < f->out->effect_count; i++) {
		check_disk(f, &f->out->effects[i]);
		check_self(f, &f->out->effects[i]);
	}
	if (f->has_dev_tcp)
		check_dev_tcp(f);
}
