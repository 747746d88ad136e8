/*
 * One command, given as words: which program it is, what its row says, and what
 * it runs in turn.
 */

#include "facts/facts_priv.h"

// NOLINTBEGIN(misc-no-recursion): bounded by RUN_DEPTH_MAX

enum { RUN_DEPTH_MAX = 400 };

void
facts_run_ignore(
	struct facts_run *run, unsigned kind, const char *why, struct str what)
{
	facts_ignore(run->f, run->index, kind, why, what);
}

/* What an output is when nothing is known of it. */
static void
flow_unknown(struct facts_flow *out, const struct facts_flow *in)
{
	out->known = false;
	out->any = true;
	if (in)
		out->taint |= in->taint;
}

static void
run_dynamic(struct facts *f, const struct facts_word *words, size_t count,
	struct facts_flow *out)
{
	size_t i = facts_add_command(f, words, count, (struct str){NULL, 0});

	facts_ignore(f, i, CALL_DYNAMIC, "a program that only running would tell",
		words[0].source);
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.flags = words[0].taint & FACTS_FROM_NET ? CALL_EFFECT_DOWNLOAD
													 : CALL_EFFECT_DECODED,
			.resource = words[0].text,
			.by = STR("shell"),
			.command = i});
	if (words[0].taint & FACTS_FROM_NET)
		facts_download_run(f, words[0].source);
	f->s.failed = f->s.cwd;
	flow_unknown(out, NULL);
}

/* --- functions of the text ------------------------------------------------- */

static struct facts_func *
find_func(struct facts *f, struct str name)
{
	struct facts_func *fn = f->s.funcs;

	while (fn && !str_eq(fn->name, name))
		fn = fn->next;
	return fn;
}

static void
call_func(struct facts *f, struct facts_func *fn,
	const struct facts_word *words, size_t count, struct facts_flow *out)
{
	struct facts_state saved = f->s;
	struct str text = f->text;

	fn->called = true;
	if (fn->active || f->call_depth >= FACTS_CALL_DEPTH_MAX) {
		facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
			"a function that calls itself", fn->name);
		flow_unknown(out, NULL);
		return;
	}
	for (size_t i = 1; i < count; i++)
		facts_var_counts(f, CALL_NO_COMMAND, words[i].text);
	fn->active = true;
	f->call_depth++;
	f->text = fn->source;
	f->s.args = words + 1;
	f->s.arg_count = count - 1;
	f->s.args_known = true;
	f->s.args_taint = 0;
	for (size_t i = 1; i < count; i++) {
		f->s.args_taint |= words[i].taint;
		if (words[i].flags & FACTS_MANY)
			f->s.args_known = false;
	}
	facts_walk(f, fn->body, NULL, out);
	facts_vars_forget_below(f, fn->body);
	f->s.args = saved.args;
	f->s.arg_count = saved.arg_count;
	f->s.args_known = saved.args_known;
	f->s.args_taint = saved.args_taint;
	f->text = text;
	f->call_depth--;
	fn->active = false;
}

/* --- rows ------------------------------------------------------------------ */

static bool
matches(const struct facts_run *run, unsigned when, unsigned unless)
{
	return (run->bits & when) == when && (run->bits & unless) == 0;
}

static bool
is_at(enum facts_at at, size_t i, size_t count)
{
	switch (at) {
	case FACTS_ALL:
		return true;
	case FACTS_FIRST:
		return i == 0;
	case FACTS_SECOND:
		return i == 1;
	case FACTS_REST:
		return i > 0;
	case FACTS_THIRD_ON:
		return i > 1;
	case FACTS_LAST:
		return i > 0 && i + 1 == count;
	case FACTS_BUT_LAST:
		return i == 0 || i + 1 < count;
	}
	return false;
}

/* True if the operand was given a meaning; *ret_taken if it and all behind it
 * were taken as a command. */
static bool
apply_operand(struct facts_run *run, size_t i, bool *ret_taken)
{
	const struct facts_operand *rows = run->prog->operands;
	bool known = false;

	*ret_taken = false;
	for (size_t k = 0;
		 k < ARRAY_LEN(run->prog->operands) && rows[k].role != FACTS_NONE;
		 k++) {
		if (!is_at(rows[k].at, i, run->operand_count)
			|| !matches(run, rows[k].when, rows[k].unless))
			continue;
		known = true;
		if (rows[k].role == FACTS_COMMAND) {
			facts_run_inner(run, run->operands + i, run->operand_count - i);
			*ret_taken = true;
			return true;
		}
		facts_apply(run, rows[k].role, rows[k].flags, &run->operands[i]);
		if (rows[k].role == FACTS_SCRIPT) {
			*ret_taken = true;
			return true;
		}
	}
	return known;
}

static void
apply_operands(struct facts_run *run)
{
	bool taken = false;

	if (run->operand_count == 0 && (run->prog->style & FACTS_BARE_UNKNOWN))
		facts_run_ignore(run, CALL_UNKNOWN,
			"a program that is not known without operands", run->name);
	/* -c, --version and kin have set a bit */
	if ((run->bits & ~FACTS_OPERANDS) == 0 && run->operand_count == 0
		&& (run->prog->style & FACTS_STDIN_RUN))
		facts_run_input(run, run->in, run->prog->language);
	for (size_t i = 0;
		 i < run->operand_count && !taken && facts_work(run->f, 1); i++) {
		if (!apply_operand(run, i, &taken))
			facts_run_ignore(run, CALL_UNKNOWN, "an operand that is not known",
				run->operands[i].source);
	}
}

static void
apply_given(struct facts_run *run)
{
	for (size_t i = 0; i < run->given_count && facts_work(run->f, 0); i++) {
		const struct facts_given *g = &run->given[i];
		enum facts_role role = g->opt->role;

		if (role == FACTS_NONE || role == FACTS_INERT)
			continue;
		if (g->has_value)
			facts_apply(run, role, g->opt->flags, &g->value);
		else if (g->opt->arg == FACTS_FLAG || g->opt->text
			|| role == FACTS_UNKNOWN)
			facts_apply_text(
				run, role, g->opt->flags, g->opt->text ? g->opt->text : "");
	}
}

static void
apply_row(struct facts_run *run)
{
	const struct facts_prog *p = run->prog;

	if (run->operand_count > 0)
		run->bits |= FACTS_OPERANDS;
	if (run->operand_count > 1)
		run->bits |= FACTS_OPERANDS2;
	apply_given(run);
	if (p->hook)
		p->hook(run);
	for (size_t i = 0; i < ARRAY_LEN(p->does) && p->does[i].role != FACTS_NONE;
		 i++) {
		const struct facts_act *d = &p->does[i];

		if (matches(run, d->when, d->unless))
			facts_apply_text(run, d->role, d->flags, d->text);
	}
	if (!run->done)
		apply_operands(run);
}

/* prog -h, where the row says that it is --help by another name; it must be all
 * there is besides the sub-command. */
static bool
is_short_help(const struct facts_run *run, const struct facts_given *last)
{
	return facts_names_have("-h -help -version", last->name)
		&& (facts_names_have(last->opt->names, STR("--help"))
			|| facts_names_have("-help -version", last->name))
		&& last->opt->arg == FACTS_FLAG && run->given_count == 1
		&& run->operand_count == 0 && run->count <= 3;
}

/* What else was given only shapes what is shown. */
static bool
gives_nothing_else(const struct facts_run *run)
{
	for (size_t i = 0; i + 1 < run->given_count; i++) {
		const struct facts_opt *o = run->given[i].opt;

		if (o->set || (o->role != FACTS_NONE && o->role != FACTS_INERT))
			return false;
	}
	return true;
}

/* prog --help, prog sub --version: shows text and does nothing. An option that
 * is not known might take it as a value, one that does something might do it
 * all the same: git -c man.x.cmd=y log --help. */
static bool
only_help(const struct facts_run *run)
{
	const struct facts_word *last = &run->words[run->count - 1];
	const struct facts_given *given;

	if (run->given_count == 0 || run->count < 2 || run->guessed)
		return false;
	given = &run->given[run->given_count - 1];
	return str_eq(given->name, last->text) && gives_nothing_else(run)
		&& (facts_names_have("--help --version", last->text)
			|| is_short_help(run, given))
		&& run->f->out->commands[run->index].ignorance == 0;
}

/* What was written by this command, for who reads it later in the text. */
static void
remember_files(struct facts_run *run, size_t first_effect)
{
	struct call_facts *o = run->f->out;
	struct facts_flow flow = *run->out;

	flow.known = false;
	for (size_t i = first_effect; i < o->effect_count; i++) {
		if (o->effects[i].kind == CALL_EFFECT_WRITE
			&& o->effects[i].command == run->index && flow.taint)
			facts_file_add(run->f, o->effects[i].resource, &flow);
	}
}

/* Builtins that take names, or numbers that are counted out. */
static void
check_counting(struct facts_run *run)
{
	static const char counting[] =
		"let test [ read unset declare typeset local export readonly getopts "
		"mapfile readarray wait shift exit return printf";

	if (!(run->top->style & FACTS_BUILTIN)
		|| !facts_names_have(counting, run->name))
		return;
	if (str_eq(run->name, STR("printf"))
		&& !(run->count > 1 && str_eq(run->words[1].text, STR("-v"))))
		return;
	bool counts = str_eq(run->name, STR("let")) || facts_given_find(run, "-i");

	for (size_t i = 1; i < run->count; i++) {
		facts_var_counts(run->f, run->index, run->words[i].text);
		if (counts)
			facts_var_counts_names(run->f, run->words[i].text);
		if ((run->words[i].flags & FACTS_FOREIGN)
			&& (counts || str_has_char(run->words[i].text, '[')))
			facts_run_ignore(run, CALL_DYNAMIC,
				"the shell counts with a text that may run a command",
				run->words[i].source);
	}
}

/* A secret variable among the words or in what comes in, given to a program that
 * keeps it on this machine: who reads the output may see it. Where it is sent
 * on, that is said already. */
static void
show_tokens(struct facts_run *run, size_t first_effect)
{
	static const char quiet[] =
		": true false test [ export declare typeset local readonly set unset "
		"read mapfile readarray shift eval return exit";
	const struct call_facts *o = run->f->out;
	unsigned taint = run->in ? run->in->taint : 0;

	for (size_t i = 1; i < run->count; i++)
		taint |= run->words[i].taint;
	if (!(taint & FACTS_FROM_TOKEN) || (run->top->style & FACTS_WRAPPER)
		|| facts_names_have(quiet, run->name))
		return;
	for (size_t i = first_effect; i < o->effect_count; i++) {
		const struct call_effect *e = &o->effects[i];

		if (e->command == run->index
			&& (e->kind == CALL_EFFECT_CONNECT || e->kind == CALL_EFFECT_SEND
				|| (e->flags & CALL_EFFECT_SECRET)))
			return;
	}
	facts_apply_text(run, FACTS_SECRET, 0, "a secret variable");
}

bool
facts_run_executes(const struct facts_run *run, size_t first_effect)
{
	const struct call_facts *o = run->f->out;

	for (size_t i = first_effect; i < o->effect_count; i++) {
		if (o->effects[i].kind == CALL_EFFECT_EXECUTE
			&& o->effects[i].command == run->index)
			return true;
	}
	return false;
}

static void
run_row(struct facts *f, const struct facts_prog *row, struct str name,
	struct facts_run *run)
{
	size_t index = facts_add_command(f, run->words, run->count, name);
	struct call_command *c = &f->out->commands[index];
	size_t first = f->out->effect_count;

	f->work += 12;
	run->prog = run->top = row;
	run->name = name;
	run->index = index;
	run->cwd = f->s.cwd;
	c->row = row->manual;
	c->is_wrapper = row->style & FACTS_WRAPPER;
	c->is_interpreter = row->style & FACTS_INTERPRETER;
	c->is_privilege = row->style & FACTS_PRIVILEGED;
	f->s.failed = f->s.cwd;
	flow_unknown(run->out, run->in);
	facts_args_read(run);
	f->out->commands[index].sub = run->sub;
	check_counting(run);
	if (!only_help(run)) {
		apply_row(run);
		facts_run_manifest(run, first);
		if ((row->style & FACTS_CONFIGURED) && !facts_run_executes(run, first))
			facts_run_settings(run);
	}
	run->out->word = facts_names_word_out(run);
	facts_hazard_words(run);
	show_tokens(run, first);
	remember_files(run, first);
}

/* --- which program it is ---------------------------------------------------- */

static bool
is_system_folder(struct str path)
{
	static const char *const folders[] = {"/bin/", "/usr/bin/",
		"/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/",
		"/opt/homebrew/bin/", "/snap/bin/"};

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		struct str f = str_from(folders[i]);

		if (str_starts(path, f)
			&& !str_has_char(str_sub(path, f.len, path.len), '/'))
			return true;
	}
	return false;
}

/* assent's own programs, wherever they are installed. */
static bool
is_own_folder(const struct facts *f, struct str path)
{
	return f->world->assent_program.len > 0
		&& facts_path_below(path, f->world->assent_program)
		&& str_starts(str_base(path), STR("assent"));
}

/* What the text of a file does that is run by its path. */
static void
run_text(
	struct facts *f, const struct facts_run *by, size_t index, struct str path)
{
	struct facts_run run = {.f = f,
		.words = by->words,
		.count = by->count,
		.in = by->in,
		.out = by->out,
		.index = index,
		.name = str_base(path),
		.cwd = f->s.cwd};

	run.prog = run.top = facts_prog_find(STR("sh"));
	facts_run_itself(&run, path);
}

/* Runs a file that is no known program. */
static void
run_file(
	struct facts *f, const struct facts_run *run, struct str path, bool sure)
{
	const struct facts_word *words = run->words;
	enum call_scope scope =
		sure ? facts_path_scope(f, path) : CALL_SCOPE_UNKNOWN;
	struct facts_file *written = facts_file_find(f, path);
	size_t i = facts_add_command(f, words, run->count, str_base(path));
	unsigned flags = 0;

	if (scope == CALL_SCOPE_WORKSPACE)
		flags |= CALL_EFFECT_PROJECT;
	if (written && (written->taint & FACTS_FROM_NET)) {
		flags |= CALL_EFFECT_DOWNLOAD;
		facts_download_run(f, words[0].source);
	}
	if (written && (written->taint & FACTS_FROM_DECODER))
		flags |= CALL_EFFECT_DECODED;
	facts_add_effect(f,
		(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
			.scope = scope,
			.flags = flags,
			.resource = path,
			.by = STR("shell"),
			.command = i});
	if (scope != CALL_SCOPE_WORKSPACE)
		facts_ignore(f, i, sure ? CALL_UNKNOWN : CALL_DYNAMIC,
			"a program that is not known", words[0].source);
	else
		run_text(f, run, i, path);
	f->s.failed = f->s.cwd;
}

/* The file of a bare name, when the world has to say it. Absent: the system's
 * own, or asked for. */
static struct str
program_file(struct facts *f, struct str name)
{
	struct str none = {NULL, 0};
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_PROGRAM, name);

	if (found)
		return found->value;
	if (f->world->assumed)
		return none;
	if (f->world->rounds_used_up)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNKNOWN,
			"it is not known which file this program is", name);
	else
		facts_add_need(f, CALL_NEED_PROGRAM, name);
	return none;
}

/* A bare name is the known program unless the world says that its file is where
 * an agent may write. */
static bool
is_trusted_file(struct facts *f, struct str path)
{
	enum call_scope scope = facts_path_scope(f, path);

	return scope == CALL_SCOPE_SYSTEM || scope == CALL_SCOPE_HOME;
}

static void
run_bare(struct facts *f, struct facts_run *run, struct str name)
{
	const struct facts_prog *row = facts_prog_find(name);
	struct str file = {NULL, 0};

	if (!row || !(row->style & FACTS_BUILTIN))
		file = program_file(f, name);
	if (file.len > 0 && !is_trusted_file(f, file)) {
		run_file(f, run, file, true);
		flow_unknown(run->out, run->in);
		return;
	}
	if (row) {
		run_row(f, row, name, run);
		return;
	}
	size_t i = facts_add_command(f, run->words, run->count, name);

	facts_ignore(f, i, CALL_UNKNOWN, "a program that is not known", name);
	for (size_t k = 1; k < run->count; k++) {
		if (run->words[k].flags & (FACTS_DYNAMIC | FACTS_MANY))
			facts_ignore(f, i, CALL_DYNAMIC,
				"a word that only running would "
				"tell, of a program that is not "
				"known",
				run->words[k].source);
	}
	f->s.failed = f->s.cwd;
	flow_unknown(run->out, run->in);
}

static void
run_path(struct facts *f, struct facts_run *run)
{
	struct str paths[FACTS_CWD_MAX];
	bool sure;
	size_t n = facts_path_of(f, &f->s.cwd, &run->words[0], paths, &sure);
	struct str name = str_base(paths[0]);
	const struct facts_prog *row = facts_prog_find(name);

	if (sure && n == 1 && row
		&& (is_system_folder(paths[0]) || is_own_folder(f, paths[0]))) {
		run_row(f, row, name, run);
		return;
	}
	for (size_t i = 0; i < n; i++)
		run_file(f, run, paths[i], sure);
	flow_unknown(run->out, run->in);
}

void
facts_run(struct facts *f, const struct facts_word *words, size_t count,
	const struct facts_flow *in, struct facts_flow *out)
{
	struct facts_run run = {
		.f = f, .words = words, .count = count, .in = in, .out = out};
	struct str name = count > 0 ? words[0].text : STR("");
	struct facts_func *fn;

	if (count == 0)
		return;
	if (++f->node_depth > RUN_DEPTH_MAX || ++f->work > FACTS_WORK_MAX) {
		facts_cut(f);
		f->node_depth--;
		return;
	}
	if (words[0].flags & (FACTS_DYNAMIC | FACTS_MANY | FACTS_GLOB)) {
		run_dynamic(f, words, count, out);
	} else if ((fn = find_func(f, name))) {
		call_func(f, fn, words, count, out);
		if (!fn->certain && facts_prog_find(name))
			run_bare(f, &run, name);
	} else if (str_has_char(name, '/')) {
		run_path(f, &run);
	} else {
		run_bare(f, &run, name);
	}
	f->node_depth--;
}

void
facts_run_inner(
	struct facts_run *run, const struct facts_word *words, size_t count)
{
	struct facts *f = run->f;
	struct facts_state saved = f->s;
	size_t wrapper = f->wrapper;
	bool root = run->top->style & FACTS_PRIVILEGED;

	run->done = true;
	f->wrapper = run->index;
	f->s.cwd = run->cwd;
	f->s.funcs = NULL;
	f->privilege_depth += root;
	facts_run(f, words, count, run->in, run->out);
	f->privilege_depth -= root;
	f->wrapper = wrapper;
	/* command cd, builtin cd: the shell itself moves */
	if (!(run->top->style & FACTS_BUILTIN))
		f->s = saved;
}

void
facts_run_shell(struct facts_run *run, const struct facts_word *text)
{
	struct facts *f = run->f;
	struct facts_state saved = f->s;
	size_t wrapper = f->wrapper;
	bool root = run->top->style & FACTS_PRIVILEGED;

	facts_text_run(run, text->taint, text->source);
	if (text->flags & (FACTS_DYNAMIC | FACTS_MANY))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a shell text that only running would tell", text->source);
	else if (facts_names_are_code(f, text))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a name that may be a command in a shell text", text->source);
	f->wrapper = run->index;
	f->s.cwd = run->cwd;
	f->s.funcs = NULL;
	if (f->s.vars) {
		/* which of them are exported is not followed; this one always is */
		struct facts_word home = facts_var_get(f, STR("HOME"));

		facts_var_forget(f, (struct str){NULL, 0});
		facts_var_set(f, STR("HOME"), home);
	}
	f->privilege_depth += root;
	facts_walk_text(f, text->text, run->in, run->out);
	f->privilege_depth -= root;
	f->wrapper = wrapper;
	f->s = saved;
}

// NOLINTEND(misc-no-recursion)
