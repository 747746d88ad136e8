/*
 * From what a row says of a word to effects.
 */

#include "facts/facts_priv.h"

// NOLINTBEGIN(misc-no-recursion): bounded by facts_run and facts_walk keep the depth

static const struct {
	enum call_effect_kind kind;
	enum facts_what what;
	unsigned flags;
} roles[FACTS_ROLE_COUNT] = {
#define X(name, effect, what, flags) \
	{CALL_EFFECT_##effect, FACTS_WHAT_##what, flags},
	FACTS_ROLES(X)
#undef X
};

static bool
is_folder_role(enum facts_role role)
{
	return role == FACTS_DELETE_TREE || role == FACTS_MODE_TREE;
}

/* ".*" also names the folder above. */
static bool
matches_parent(const struct facts_word *w)
{
	struct str base = str_base(w->text);

	if (!(w->flags & FACTS_GLOB) || base.len < 2 || base.ptr[0] != '.')
		return false;
	for (size_t i = 1; i < base.len; i++) {
		if (base.ptr[i] != '*' && base.ptr[i] != '?' && base.ptr[i] != '.')
			return false;
	}
	return true;
}

static void
add_path_effect(struct facts_run *run, enum facts_role role, unsigned flags,
	struct str path, bool sure)
{
	struct facts *f = run->f;
	struct facts_file *written = facts_file_find(f, path);
	bool content =
		roles[role].kind == CALL_EFFECT_READ && !(flags & CALL_EFFECT_NAMES);

	if (facts_path_is_nothing(path))
		return;
	if (roles[role].kind != CALL_EFFECT_READ && facts_path_hides(path)
		&& !(roles[role].kind == CALL_EFFECT_DELETE
			&& str_starts(str_base(path), STR("-"))))
		facts_run_ignore(
			run, CALL_UNPARSED, "a name that hides where it leads", path);
	if (content && str_starts(path, STR("/proc/"))
		&& str_ends(path, STR("/environ")))
		flags |= CALL_EFFECT_SECRET;
	if (content && written)
		run->out->taint |= written->taint;
	if (content && facts_path_is_secret(f, path))
		run->out->taint |= FACTS_FROM_SECRET;
	if (content && (flags & (CALL_EFFECT_TREE | CALL_EFFECT_PATTERN)))
		facts_secrets_met(run, flags, path);
	facts_add_effect(f,
		(struct call_effect){.kind = roles[role].kind,
			.scope = sure ? facts_path_scope(f, path) : CALL_SCOPE_UNKNOWN,
			.flags = flags,
			.resource = path,
			.by = run->name,
			.command = run->index});
}

static void
apply_path(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	struct facts_word path = *w;
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (str_eq(w->text, STR("-"))
		&& (role == FACTS_READ || role == FACTS_WRITE))
		return;
	if (w->flags & FACTS_PIPE) {
		run->out->taint |= w->taint;
		return;
	}
	if ((w->flags & FACTS_NEVER) && roles[role].kind == CALL_EFFECT_READ)
		return;
	if (roles[role].kind == CALL_EFFECT_DELETE)
		path.flags |= FACTS_ITSELF;
	flags |= roles[role].flags;
	if (w->flags & FACTS_GLOB)
		flags |= CALL_EFFECT_PATTERN;
	if (w->flags & FACTS_BELOW)
		flags |= CALL_EFFECT_TREE;
	run->out->taint |= w->taint;
	size_t n = facts_path_of(run->f, &run->cwd, &path, paths, &sure);

	if (facts_path_is_foreign(w->source))
		facts_run_ignore(
			run, CALL_UNKNOWN, "a path with a drive in it", w->source);
	if (!sure)
		facts_run_ignore(run, CALL_DYNAMIC,
			run->f->call->cwd.len > 0 || str_starts(w->text, STR("/"))
				? "a path that only running would tell"
				: "the call does not say in which folder it runs",
			w->source);
	for (size_t i = 0; i < n; i++)
		add_path_effect(run, role, flags, paths[i], sure);
	if (is_folder_role(role) && matches_parent(w)) {
		struct facts_word up = *w;

		up.text = str_sub(w->text, 0, w->text.len - str_base(w->text).len);
		up.text = arena_fmt(run->f->a, "%.*s..", STR_ARG(up.text));
		up.flags = 0;
		apply_path(run, role, flags, &up);
	}
}

static void
apply_name(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	bool net = roles[role].kind == CALL_EFFECT_CONNECT
		|| roles[role].kind == CALL_EFFECT_SEND;
	bool dynamic = w->flags & FACTS_DYNAMIC;

	if (dynamic)
		facts_run_ignore(run, CALL_DYNAMIC,
			"a name that only running would tell", w->source);
	if (role == FACTS_SECRET)
		run->out->taint |= FACTS_FROM_SECRET;
	if (net)
		run->out->taint |= FACTS_FROM_NET;
	facts_add_effect(run->f,
		(struct call_effect){.kind = roles[role].kind,
			.scope = net ? CALL_SCOPE_NETWORK : CALL_SCOPE_SYSTEM,
			.flags = flags | roles[role].flags,
			.resource = dynamic ? STR("?") : w->text,
			.by = run->name,
			.command = run->index});
}

/* [user@]host[:port], or an URL. */
static struct str
host_of(struct facts_run *run, struct str text, bool is_url)
{
	struct facts_url url;
	size_t at = str_find(text, STR("@"), 0);

	if ((is_url || str_has(text, STR("://")))
		&& facts_url_parse(run->f->a, text, &url))
		return url.host;
	if (at < text.len)
		text = str_sub(text, at + 1, text.len);
	if (text.len > 0 && text.ptr[0] == '[')
		return str_cut(str_sub(text, 1, text.len), ']', &text);
	return str_cut(text, ':', &text);
}

static void
apply_host(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	struct facts *f = run->f;
	bool dynamic = w->flags & (FACTS_DYNAMIC | FACTS_MANY);

	run->out->taint |= FACTS_FROM_NET;
	if (w->taint & FACTS_FROM_SECRET)
		facts_add_hazard(f, CALL_HAZARD_SECRET_SENT, w->source);
	if (w->taint & FACTS_FROM_TOKEN)
		facts_apply_text(run, FACTS_REMOTE_SEND, CALL_EFFECT_SECRET, "token");
	if (dynamic) {
		facts_run_ignore(run, CALL_DYNAMIC,
			"a host that only running would tell", w->source);
		apply_name(run, FACTS_REMOTE, flags, w);
		return;
	}
	size_t first = f->out->effect_count;

	facts_connect(f, run->index, run->name,
		host_of(run, w->text, role == FACTS_URL), w->text);
	for (size_t i = first; i < f->out->effect_count; i++)
		f->out->effects[i].flags |= flags;
}

/* The part before the colon of host:path, absent for a plain path. */
static struct str
remote_part(struct str text)
{
	if (str_has(text, STR("://")))
		return text;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '/')
			break;
		if (text.ptr[i] == ':' && i > 0)
			return str_sub(text, 0, i);
	}
	return (struct str){NULL, 0};
}

static void
apply_host_path(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	struct facts_word host = *w;

	host.text = remote_part(w->text);
	if (!host.text.ptr) {
		facts_apply(
			run, role == FACTS_HOST_READ ? FACTS_READ : FACTS_WRITE, flags, w);
		return;
	}
	facts_apply(run, FACTS_HOST, 0, &host);
	if (role == FACTS_HOST_WRITE)
		facts_apply(run, FACTS_REMOTE_SEND, 0, w);
}

static void
apply_send(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	struct facts *f = run->f;
	struct facts_word name = *w;
	unsigned before = run->out->taint, taint = w->taint;

	if (role == FACTS_SEND_FILE && str_eq(w->text, STR("-"))) {
		taint |= run->in ? run->in->taint : 0;
	} else if (role == FACTS_SEND_FILE) {
		run->out->taint = 0;
		facts_apply(run, FACTS_READ, flags & CALL_EFFECT_TREE, w);
		taint |= run->out->taint;
		run->out->taint = before;
	}
	if (taint & FACTS_FROM_SECRET)
		facts_add_hazard(f, CALL_HAZARD_SECRET_SENT, w->source);
	if (taint & (FACTS_FROM_SECRET | FACTS_FROM_TOKEN))
		flags |= CALL_EFFECT_SECRET;
	if (role == FACTS_SEND_TEXT)
		name = facts_word_from(STR("text"));
	apply_name(run, FACTS_REMOTE_SEND, flags, &name);
}

/* awk -f /dev/stdin, sed -f <(...): program text that comes through a pipe. */
static bool
load_input(struct facts_run *run, const struct facts_word *w)
{
	const struct facts_flow *in = w->flags & FACTS_PIPE ? w->pipe : run->in;

	if (!(w->flags & FACTS_PIPE) && !facts_path_is_input(w->text))
		return false;
	facts_text_run(run, w->taint | (in ? in->taint : 0), w->source);
	facts_run_ignore(run, CALL_DYNAMIC,
		"a program text that only running would tell", w->source);
	return true;
}

static void
apply_load(struct facts_run *run, unsigned flags, const struct facts_word *w)
{
	bool path = str_has_char(w->text, '/') || str_starts(w->text, STR("."));

	if (load_input(run, w))
		return;
	if (path || (w->flags & FACTS_DYNAMIC)) {
		apply_path(run, FACTS_PROJECT, flags, w);
		return;
	}
	facts_add_effect(run->f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.scope = CALL_SCOPE_UNKNOWN,
			.flags = flags | CALL_EFFECT_PROJECT,
			.resource = w->text,
			.by = run->name,
			.command = run->index});
}

static void
apply_chdir(struct facts_run *run, const struct facts_word *w)
{
	struct facts_cwd to = {.count = 0};
	bool sure;

	to.count = facts_path_of(run->f, &run->cwd, w, to.paths, &sure);
	to.unknown = !sure;
	if (!sure)
		to.count = 0;
	run->cwd = to;
}

static void
apply_assign(struct facts_run *run, const struct facts_word *w)
{
	struct facts_word value = *w;
	struct str name = str_cut(w->text, '=', &value.text);

	if (w->flags & FACTS_DYNAMIC && str_has_char(name, '?'))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a variable that only running would tell", w->source);
	facts_env(run->f, run->index, name, value);
}

/* Text that is run as a command. Where that is not what the program is for, an
 * option or a script made it a way to run others: that is said, too. */
static void
apply_shell(struct facts_run *run, const struct facts_word *w)
{
	if (!(run->top->style & FACTS_WRAPPER))
		facts_add_effect(run->f,
			(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
				.flags = CALL_EFFECT_INLINE,
				.resource = w->text,
				.by = run->name,
				.command = run->index});
	facts_run_shell(run, w);
}

/* A row that is dangerous by itself: the command shows it. */
static void
apply_hazard(struct facts_run *run, enum facts_role role)
{
	static const struct {
		enum facts_role role;
		enum call_hazard_kind kind;
	} hazards[] = {
		{FACTS_DOWN,     CALL_HAZARD_SYSTEM_DOWN  },
		{FACTS_BACKDOOR, CALL_HAZARD_REVERSE_SHELL},
		{FACTS_DODGE,    CALL_HAZARD_HOOK_DODGE   },
		{FACTS_SELF,     CALL_HAZARD_ASSENT_SELF  },
	};

	for (size_t i = 0; i < ARRAY_LEN(hazards); i++) {
		if (hazards[i].role == role)
			facts_add_hazard(run->f, hazards[i].kind, facts_run_text(run));
	}
}

static void
apply_own(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	if (role == FACTS_CHDIR)
		apply_chdir(run, w);
	else if (role == FACTS_SHELL)
		apply_shell(run, w);
	else if (role == FACTS_COMMAND)
		facts_run_inner(run, w, 1);
	else if (role == FACTS_CODE)
		facts_run_code(run, run->prog->language, w);
	else if (role == FACTS_SCRIPT)
		facts_run_script(run, w);
	else if (role == FACTS_LOAD)
		apply_load(run, flags, w);
	else if (role == FACTS_HOST_READ || role == FACTS_HOST_WRITE)
		apply_host_path(run, role, flags, w);
	else if (role == FACTS_SEND_FILE || role == FACTS_SEND_TEXT)
		apply_send(run, role, flags, w);
	else if (role == FACTS_ASSIGN)
		apply_assign(run, w);
	else if (role == FACTS_FILTER)
		facts_filter(run, w);
	else if (role == FACTS_DECODED)
		run->out->taint |= FACTS_FROM_DECODER;
	else if (role == FACTS_UNKNOWN)
		facts_run_ignore(
			run, CALL_UNKNOWN, "not known what it does", w->source);
	else
		apply_hazard(run, role);
}

void
facts_apply(struct facts_run *run, enum facts_role role, unsigned flags,
	const struct facts_word *w)
{
	if (!facts_work(run->f, 2))
		return;
	switch (roles[role].what) {
	case FACTS_WHAT_PATH:
		apply_path(run, role, flags, w);
		return;
	case FACTS_WHAT_URL:
	case FACTS_WHAT_HOST:
		apply_host(run, role, flags, w);
		return;
	case FACTS_WHAT_NAME:
		apply_name(run, role, flags, w);
		return;
	case FACTS_WHAT_NOTHING:
		if (role == FACTS_INERT)
			run->out->taint |= w->taint;
		else
			apply_own(run, role, flags, w);
		return;
	}
}

void
facts_apply_text(struct facts_run *run, enum facts_role role, unsigned flags,
	const char *text)
{
	struct facts_word w = facts_word_from(str_from(text ? text : ""));

	/* rows name the user's home as people do */
	if (str_starts(w.text, STR("~/")))
		w.text = arena_fmt(
			run->f->a, "%.*s%s", STR_ARG(run->f->world->home), text + 1);
	facts_apply(run, role, flags, &w);
}

// NOLINTEND(misc-no-recursion)
