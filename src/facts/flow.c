/*
 * What flows between commands: pipes, redirections, files written on the way.
 */

#include "facts/walk_priv.h"

void
facts_flow_join(struct facts_flow *into, const struct facts_flow *other)
{
	into->taint |= other->taint;
	into->from_pipe = into->from_pipe || other->from_pipe;
	if (!other->any && other->known && other->text.len == 0)
		return;
	bool first = !into->any && into->known && into->text.len == 0;

	if (!first)
		into->word = false;
	if (first) {
		unsigned taint = into->taint;

		*into = *other;
		into->taint = taint;
		into->any = true;
		return;
	}
	into->any = true;
	into->known = false;
	into->file = (struct str){NULL, 0};
	into->names = into->names && other->names
		&& str_eq(into->below, other->below) && str_eq(into->tree, other->tree);
}

struct facts_file *
facts_file_find(struct facts *f, struct str path)
{
	for (struct facts_file *e = f->files; e; e = e->next) {
		if (str_eq(e->path, path))
			return e;
	}
	return NULL;
}

void
facts_file_add(struct facts *f, struct str path, const struct facts_flow *flow)
{
	struct facts_file *e = facts_file_find(f, path);
	bool fresh = !e;

	if (fresh) {
		e = ARENA_NEW(f->a, struct facts_file);
		e->path = path;
		e->next = f->files;
		f->files = e;
	}
	e->taint |= flow->taint;
	e->known = fresh && flow->known && f->condition_depth == 0;
	e->text = flow->text;
}

/* --- redirections --------------------------------------------------------- */

enum way { WAY_NONE, WAY_IN, WAY_OUT, WAY_BOTH, WAY_DUP, WAY_HERE, WAY_STRING };

static enum way
way_of(struct str op, const struct facts_word *target)
{
	static const struct {
		const char *ops;
		enum way way;
	} ways[] = {
		{"<",				 WAY_IN    },
		{"> >> >| &> &>> >&", WAY_OUT   },
		{"<>",				WAY_BOTH  },
		{"<&",				WAY_DUP   },
		{"<< <<-",            WAY_HERE  },
		{"<<<",               WAY_STRING},
	};
	int64_t number;

	if (str_eq(op, STR(">&"))
		&& (str_number(target->text, &number)
			|| str_eq(target->text, STR("-"))))
		return WAY_DUP;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		if (facts_names_have(ways[i].ops, op))
			return ways[i].way;
	}
	return WAY_NONE;
}

static const struct shell_node *
child(const struct shell_node *node, enum shell_role role)
{
	const struct shell_node *n = node->first;

	while (n && n->role != role)
		n = n->next;
	return n;
}

static bool
is_stdout(const struct shell_node *redir)
{
	const struct shell_node *fd = child(redir, SHELL_ROLE_FD);

	return !fd || str_eq(fd->text, STR("1"));
}

static struct facts_flow
from_file(struct facts *f, const struct facts_word *w)
{
	struct facts_flow flow = {.any = true, .taint = w->taint};
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (w->flags & FACTS_PIPE) {
		flow = *w->pipe;
		flow.from_pipe = true;
		return flow;
	}
	size_t n = facts_path_of(f, &f->s.cwd, w, paths, &sure);

	if (sure && n == 1)
		flow.file = paths[0];
	for (size_t i = 0; i < n; i++) {
		struct facts_file *e = facts_file_find(f, paths[i]);

		if (facts_path_is_secret(f, paths[i]))
			flow.taint |= FACTS_FROM_SECRET;
		if (e)
			flow.taint |= e->taint;
		if (e && n == 1 && e->known) {
			flow.known = true;
			flow.text = e->text;
		}
		if (facts_path_is_nothing(paths[i]))
			flow = (struct facts_flow){.known = true, .text = STR("")};
	}
	return flow;
}

static void
read_redir(struct facts *f, const struct shell_node *n, struct facts_redirs *r)
{
	const struct shell_node *target = child(n, SHELL_ROLE_TARGET);
	const struct shell_node *body = child(n, SHELL_ROLE_BODY);
	struct facts_redir e = {.node = n};
	struct facts_flow here = {.any = true};

	if (target)
		e.target = facts_word_one(f, target);
	enum way way = way_of(n->text, &e.target);

	if (way == WAY_HERE || way == WAY_STRING) {
		struct facts_word text = body ? facts_word_one(f, body) : e.target;

		here.known = !(text.flags & (FACTS_DYNAMIC | FACTS_GLOB));
		here.text = text.text;
		here.taint = text.taint;
		r->in = here;
		r->has_in = true;
		return;
	}
	e.reads = way == WAY_IN || way == WAY_BOTH;
	e.writes = way == WAY_OUT || way == WAY_BOTH;
	if (way == WAY_NONE || (way == WAY_DUP && (e.target.flags & FACTS_DYNAMIC)))
		e.unknown = true;
	e.is_stdout = way == WAY_OUT && is_stdout(n);
	if (e.reads) {
		r->in = from_file(f, &e.target);
		r->has_in = true;
	}
	if (r->count < ARRAY_LEN(r->list))
		r->list[r->count++] = e;
	else
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED, "too many redirections",
			n->text);
}

const struct facts_redirs *
facts_redirs_read(struct facts *f, const struct shell_node *first)
{
	static const struct facts_redirs none;
	struct facts_redirs *r = NULL;

	for (const struct shell_node *n = first; n; n = n->next) {
		if (n->kind != SHELL_REDIR)
			continue;
		if (!r)
			r = ARENA_NEW(f->a, struct facts_redirs);
		read_redir(f, n, r);
	}
	return r ? r : &none;
}

/* /dev/tcp/host/port: bash itself connects. */
static bool
connects(
	struct facts *f, const struct facts_word *w, size_t command, struct str by)
{
	struct str t = w->text, rest;
	bool udp = str_starts(t, STR("/dev/udp/"));

	if (!udp && !str_starts(t, STR("/dev/tcp/")))
		return false;
	struct str host = str_cut(str_sub(t, 9, t.len), '/', &rest);

	facts_connect(f, command, by, host, t);
	if (command >= f->out->command_count)
		return true;
	const struct call_command *c = &f->out->commands[command];

	if (c->is_interpreter)
		facts_add_hazard(f, CALL_HAZARD_REVERSE_SHELL, w->source);
	if (str_eq(c->program, STR("exec"))) {
		f->has_dev_tcp = true;
		f->dev_tcp = command;
	}
	return true;
}

static void
redir_effect(struct facts *f, const struct facts_redir *r,
	enum call_effect_kind kind, size_t command, const struct facts_flow *flow)
{
	struct str paths[FACTS_CWD_MAX], by = STR("shell");
	bool sure;
	size_t n = facts_path_of(f, &f->s.cwd, &r->target, paths, &sure);

	if (command < f->out->command_count
		&& f->out->commands[command].program.ptr)
		by = f->out->commands[command].program;
	/* >! FILE writes the file that is the next word */
	if (f->zsh && str_starts(r->target.source, STR("!")))
		facts_ignore(f, command, CALL_UNPARSED,
			"a redirection that zsh reads in its own way", r->target.source);
	if (!sure)
		facts_ignore(f, command, CALL_DYNAMIC,
			"a redirection that only running would tell", r->target.source);
	for (size_t i = 0; i < n; i++) {
		if (facts_path_is_nothing(paths[i]))
			continue;
		if (kind != CALL_EFFECT_READ && facts_path_hides(paths[i]))
			facts_ignore(f, command, CALL_UNPARSED,
				"a name that hides where it leads", paths[i]);
		facts_add_effect(f,
			(struct call_effect){
				.kind = kind,
				.scope =
					sure ? facts_path_scope(f, paths[i]) : CALL_SCOPE_UNKNOWN,
				.flags = CALL_EFFECT_REDIRECT
					| (r->target.flags & FACTS_GLOB ? CALL_EFFECT_PATTERN : 0),
				.resource = paths[i],
				.by = by,
				.command = command,
			});
		if (kind == CALL_EFFECT_WRITE && r->is_stdout)
			facts_file_add(f, paths[i], flow);
	}
}

void
facts_redirs_apply(struct facts *f, const struct facts_redirs *r,
	size_t command, struct facts_flow *out)
{
	struct facts_flow flow = *out;

	for (size_t i = 0; i < r->count; i++) {
		const struct facts_redir *e = &r->list[i];

		if (e->unknown)
			facts_ignore(f, command, CALL_DYNAMIC,
				"a redirection that only running would tell", e->node->text);
		if (e->target.flags & FACTS_PIPE)
			continue;
		if ((e->reads || e->writes)
			&& connects(f, &e->target, command, STR("shell")))
			continue;
		if (e->reads)
			redir_effect(f, e, CALL_EFFECT_READ, command, &flow);
		if (e->writes)
			redir_effect(f, e, CALL_EFFECT_WRITE, command, &flow);
		if (e->is_stdout)
			*out = (struct facts_flow){.known = true, .text = STR("")};
	}
}
