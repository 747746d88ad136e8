/*
 * What the shell does itself: bash(1), SHELL BUILTIN COMMANDS.
 */

#include "facts/facts_priv.h"

enum { PRINTS_BYTES_MAX = 1 << 16 };

/* --- printing ---------------------------------------------------------------- */

/* What its words hold is what it prints. */
static void
taints_output(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++)
		run->out->taint |= run->operands[i].taint;
}

static bool
all_known(const struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (run->operands[i].flags)
			return false;
	}
	return true;
}

static void
prints(struct facts_run *run, struct str text)
{
	unsigned taint = run->out->taint;

	*run->out = (struct facts_flow){
		.known = true, .any = true, .text = text, .taint = taint};
}

struct out {
	char *ptr;
	size_t len, cap;
};

static void
put(struct out *o, char c)
{
	if (o->len < o->cap)
		o->ptr[o->len++] = c;
}

static unsigned
digit(char c)
{
	return c >= '0' && c <= '9' ? (unsigned)(c - '0')
		: c >= 'a' && c <= 'f'  ? (unsigned)(c - 'a') + 10
		: c >= 'A' && c <= 'F'  ? (unsigned)(c - 'A') + 10
								: 99;
}

/* The escape behind a backslash at s[i]; returns where it ends. */
static size_t
escape(struct out *o, struct str s, size_t i)
{
	static const char from[] = "abefnrtv\\\"'",
					  to[] = "\a\b\033\f\n\r\t\v\\\"'";
	char c = s.ptr[i];
	unsigned value = 0, base = c == 'x' ? 16 : 8;
	size_t digits = 0, most = c == 'x' ? 2 : c == '0' ? 4 : 3;

	for (size_t k = 0; from[k]; k++) {
		if (from[k] == c) {
			put(o, to[k]);
			return i + 1;
		}
	}
	if (c == 'x')
		i++;
	while (i < s.len && digits < most && digit(s.ptr[i]) < base) {
		value = value * base + digit(s.ptr[i++]);
		digits++;
	}
	if (digits == 0) {
		put(o, '\\');
		put(o, c);
		return c == 'x' ? i : i + 1;
	}
	put(o, (char)(value & 255));
	return i;
}

static void
add_escaped(struct out *o, struct str s, bool escapes)
{
	for (size_t i = 0; i < s.len;) {
		if (escapes && s.ptr[i] == '\\' && i + 1 < s.len)
			i = escape(o, s, i + 1);
		else
			put(o, s.ptr[i++]);
	}
}

static struct out
out_new(struct facts_run *run)
{
	size_t need = 16;

	for (size_t i = 0; i < run->operand_count; i++)
		need += run->operands[i].text.len + 1;
	if (need > PRINTS_BYTES_MAX)
		need = PRINTS_BYTES_MAX;
	return (struct out){.ptr = arena_alloc(run->f->a, need), .cap = need};
}

static void
hook_echo(struct facts_run *run)
{
	size_t i = 0;
	bool escapes = false, line = true;

	taints_output(run);
	if (!all_known(run))
		return;
	for (; i < run->operand_count; i++) {
		struct str w = run->operands[i].text;

		if (!facts_names_have("-n -e -E -ne -en -nE -En", w))
			break;
		line = line && !str_has_char(w, 'n');
		escapes = str_has_char(w, 'e');
	}
	struct out o = out_new(run);

	for (size_t k = i; k < run->operand_count; k++) {
		if (k > i)
			put(&o, ' ');
		add_escaped(&o, run->operands[k].text, escapes);
	}
	if (line)
		put(&o, '\n');
	if (o.len < o.cap)
		prints(run, (struct str){o.ptr, o.len});
}

/* The format with its arguments; false where it is not told here. */
static bool
print_format(struct facts_run *run, struct out *o)
{
	struct str f = run->operands[0].text;
	size_t arg = 1;

	for (size_t i = 0; i < f.len;) {
		char next = '\0';

		if (i + 1 < f.len)
			next = f.ptr[i + 1];
		if (f.ptr[i] == '\\' && next) {
			i = escape(o, f, i + 1);
		} else if (f.ptr[i] != '%' || next == '%') {
			put(o, f.ptr[i]);
			i += f.ptr[i] == '%' ? 2 : 1;
		} else if (next == 's' || next == 'b') {
			if (arg < run->operand_count)
				add_escaped(o, run->operands[arg].text, next == 'b');
			arg++;
			i += 2;
		} else {
			return false;
		}
	}
	return arg >= run->operand_count && o->len < o->cap;
}

static void
hook_printf(struct facts_run *run)
{
	taints_output(run);
	if (run->operand_count > 0
		&& str_starts(run->operands[0].text, STR("-v"))) {
		struct facts_word name = run->operands[0];

		name.text = str_sub(name.text, 2, name.text.len);
		if (name.text.len == 0 && run->operand_count > 1)
			name = run->operands[1];
		facts_var_lose(run->f, run->index, &name);
		return;
	}
	if (run->operand_count == 0 || !all_known(run))
		return;
	if (str_starts(run->operands[0].text, STR("-")))
		return;
	struct out o = out_new(run);

	if (print_format(run, &o))
		prints(run, (struct str){o.ptr, o.len});
}

static void
hook_pwd(struct facts_run *run)
{
	const struct facts_cwd *c = &run->f->s.cwd;

	if (c->count == 1 && !c->unknown)
		prints(run, arena_fmt(run->f->a, "%.*s\n", STR_ARG(c->paths[0])));
}

/* --- where the shell is ------------------------------------------------------- */

/* pushd, pushd +1, pushd -n DIR: where the shell is then stands on its stack. */
static bool
moves_in_stack(const struct facts_run *run)
{
	return str_eq(run->name, STR("pushd"))
		&& (run->operand_count == 0 || facts_given_find(run, "-n")
			|| str_starts(run->operands[0].text, STR("+"))
			|| str_starts(run->operands[0].text, STR("-")));
}

static void
hook_cd(struct facts_run *run)
{
	struct facts *f = run->f;
	struct facts_cwd to = {.count = 0};
	struct facts_word home = facts_var_get(f, STR("HOME"));
	const struct facts_word *w =
		run->operand_count > 0 ? &run->operands[0] : &home;
	bool sure = true;

	run->done = true;
	*run->out = (struct facts_flow){.known = true, .text = STR("")};
	f->s.failed = f->s.cwd;
	/* cd OLD NEW is another folder in zsh */
	if (str_eq(w->text, STR("-")) || moves_in_stack(run)
		|| (f->zsh && run->operand_count > 1)) {
		to.unknown = true;
	} else {
		to.count = facts_path_of(f, &f->s.cwd, w, to.paths, &sure);
		to.unknown = !sure;
	}
	f->s.cwd = to;
}

static void
hook_popd(struct facts_run *run)
{
	run->f->s.failed = run->f->s.cwd;
	run->f->s.cwd = (struct facts_cwd){.unknown = true};
}

/* Nothing behind it is reached; see facts_cwd. */
static void
hook_exit(struct facts_run *run)
{
	run->f->s.cwd = run->f->s.failed = (struct facts_cwd){.count = 0};
}

/* --- variables ------------------------------------------------------------------ */

/* declare -p NAME: what it holds is printed. */
static void
shows_variable(struct facts_run *run, const struct facts_word *name)
{
	if (facts_given_find(run, "-p") && facts_var_is_secret(name->text))
		facts_apply(run, FACTS_SECRET, 0, name);
}

static void
hook_export(struct facts_run *run)
{
	struct facts *f = run->f;

	*run->out = (struct facts_flow){.known = true, .text = STR("")};
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];
		struct str value, name = str_cut(w.text, '=', &value);

		if ((w.flags & FACTS_MANY)
			|| ((w.flags & FACTS_DYNAMIC) && str_has_char(name, '?'))) {
			facts_var_lose(f, run->index, &run->operands[i]);
			continue;
		}
		if (!value.ptr) {
			shows_variable(run, &w);
			continue;
		}
		w.text = value;
		if (str_ends(name, STR("+"))) {
			name.len--;
			w.flags |= FACTS_DYNAMIC;
		}
		facts_var_set(f, name, w);
		facts_env(f, run->index, name, w);
		facts_env_secret(f, run->index, name, w);
	}
	if (facts_given_find(run, "-n") && run->operand_count > 0
		&& !str_eq(run->name, STR("export")))
		facts_run_ignore(run, CALL_DYNAMIC, "a second name for a variable",
			run->operands[0].source);
	if (run->operand_count == 0)
		facts_apply_text(run, FACTS_SECRET, 0, "environment");
}

/* An option whose value names a variable that is set. */
static void
sets_given(struct facts_run *run, const char *option)
{
	const struct facts_given *g = facts_given_find(run, option);

	if (g && g->has_value)
		facts_var_lose(run->f, run->index, &g->value);
}

/* What comes in may be secret, and is then what the variable holds. */
static void
lose_to_input(struct facts_run *run, const struct facts_word *w)
{
	struct facts_word held = {.text = STR("?"),
		.flags = FACTS_DYNAMIC | FACTS_MANY | FACTS_FOREIGN,
		.taint = run->in ? run->in->taint : 0};

	facts_var_lose(run->f, run->index, w);
	if (!(w->flags & FACTS_DYNAMIC))
		facts_var_set(run->f, w->text, held);
}

/* read, unset and kin: the named variables are not known any more. */
static void
hook_forget(struct facts_run *run)
{
	bool unset = facts_names_have("unset", run->name);
	struct facts_word unknown = {
		.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};
	struct facts_word line = unknown;
	const struct facts_word reply = facts_word_from(STR("REPLY"));
	const struct facts_word mapfile = facts_word_from(STR("MAPFILE"));

	if (facts_names_have("read", run->name) && run->operand_count == 1)
		line = facts_names_word(run->f, run->in, false, unknown);

	for (size_t i = 0; i < run->operand_count; i++) {
		const struct facts_word *w = &run->operands[i];

		if (!(line.flags & FACTS_DYNAMIC)
			&& !facts_names_have("PATH IFS HOME BASH_ENV ENV", w->text)
			&& !w->flags)
			facts_var_set(run->f, w->text, line);
		else if (unset)
			facts_var_forget(run->f,
				w->flags & FACTS_DYNAMIC ? (struct str){NULL, 0} : w->text);
		else
			lose_to_input(run, w);
	}
	sets_given(run, "-a");
	if (facts_names_have("read", run->name) && run->operand_count == 0)
		lose_to_input(run, &reply);
	if (facts_names_have("mapfile readarray", run->name))
		lose_to_input(run, &mapfile);
	if (facts_names_have("getopts let", run->name))
		facts_var_forget(run->f, (struct str){NULL, 0});
}

/* Options under which the text behind is read as it is read here. */
static const char plain_set[] =
	"allexport braceexpand errexit errtrace functrace noclobber noexec noglob "
	"notify nounset pipefail verbose xtrace emacs vi monitor hashall "
	"interactive-comments onecmd";
static const char plain_shopt[] =
	"failglob globstar nullglob nocasematch inherit_errexit extglob "
	"checkwinsize cmdhist histappend progcomp huponexit execfail "
	"nocaseglob globasciiranges lithist no_empty_cmd_completion "
	"expand_aliases";

static void
ignore_option(struct facts_run *run, const struct facts_word *w)
{
	facts_run_ignore(run, CALL_UNPARSED,
		"an option of the shell that changes how the rest is read", w->source);
}

void
facts_shell_option(
	struct facts_run *run, const struct facts_word *name, bool is_shopt)
{
	if (!facts_names_have(is_shopt ? plain_shopt : plain_set, name->text))
		ignore_option(run, name);
}

/* Letters and names behind -: -k takes words for assignments, -H expands from
 * the history. */
static void
check_set(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		const struct facts_word *w = &run->operands[i];

		if (!str_starts(w->text, STR("-")) || str_eq(w->text, STR("--")))
			return;
		for (size_t k = 1; k < w->text.len; k++) {
			if (!str_has_char(STR("abBCeEfhmnotTuvx"), w->text.ptr[k]))
				ignore_option(run, w);
		}
		if (str_ends(w->text, STR("o")) && i + 1 < run->operand_count)
			facts_shell_option(run, &run->operands[++i], false);
	}
}

enum { SHOPT_ON = 1, SHOPT_SET = 2 };

/* lastpipe, dotglob, cdable_vars and kin: folders and patterns lead elsewhere. */
static void
hook_shopt(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count && (run->bits & SHOPT_ON); i++)
		facts_shell_option(run, &run->operands[i], !(run->bits & SHOPT_SET));
}

static void
hook_set(struct facts_run *run)
{
	struct facts *f = run->f;
	size_t i = 0;

	*run->out = (struct facts_flow){.known = true, .text = STR("")};
	if (run->operand_count == 0)
		facts_apply_text(run, FACTS_SECRET, 0, "environment");
	check_set(run);
	while (i < run->operand_count && (run->operands[i].text.len > 0)
		&& (run->operands[i].text.ptr[0] == '-'
			|| run->operands[i].text.ptr[0] == '+')) {
		if (str_eq(run->operands[i++].text, STR("--")))
			break;
	}
	if (i == run->operand_count && i > 0
		&& !str_eq(run->operands[i - 1].text, STR("--")))
		return;
	f->s.args = run->operands + i;
	f->s.arg_count = run->operand_count - i;
	f->s.args_known = true;
	f->s.args_taint = 0;
	for (; i < run->operand_count; i++) {
		f->s.args_taint |= run->operands[i].taint;
		if (run->operands[i].flags & FACTS_MANY)
			f->s.args_known = false;
	}
}

static void
hook_shift(struct facts_run *run)
{
	struct facts *f = run->f;

	if (run->operand_count == 0 && f->s.args_known && f->s.arg_count > 0) {
		f->s.args++;
		f->s.arg_count--;
	} else {
		f->s.args_known = false;
	}
}

/* --- running ------------------------------------------------------------------- */

static void
hook_eval(struct facts_run *run)
{
	struct facts *f = run->f;
	struct facts_word all = facts_operands_join(run, 0);
	struct str text = all.text;
	size_t wrapper = f->wrapper;
	bool known = !(all.flags & (FACTS_DYNAMIC | FACTS_MANY))
		&& !facts_names_are_code(f, &all);

	run->done = true;
	facts_text_run(run, all.taint, facts_run_text(run));
	f->wrapper = run->index;
	if (!known) {
		facts_run_ignore(run, CALL_DYNAMIC,
			"a shell text that only running would tell", text);
		facts_var_forget(f, (struct str){NULL, 0});
	}
	*run->out = (struct facts_flow){.known = true, .text = STR("")};
	facts_walk_text(f, text, run->in, run->out);
	if (!known)
		f->s.cwd.unknown = f->s.failed.unknown = true;
	f->wrapper = wrapper;
}

/* source: what the file sets is not known. */
static void
hook_source(struct facts_run *run)
{
	run->done = true;
	if (run->operand_count == 0)
		return;
	facts_run_script(run, &run->operands[0]);
	facts_var_forget(run->f, (struct str){NULL, 0});
	run->f->s.cwd.unknown = run->f->s.failed.unknown = true;
}

static void
hook_trap(struct facts_run *run)
{
	run->done = true;
	if (run->operand_count > 1 && !str_eq(run->operands[0].text, STR("-")))
		facts_run_shell(run, &run->operands[0]);
}

/* An alias is not expanded in a script, but would shadow a program in a shell
 * that does. */
static void
hook_alias(struct facts_run *run)
{
	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];

		(void)str_cut(w.text, '=', &w.text);
		if (!w.text.ptr)
			continue;
		facts_run_shell(run, &w);
		facts_run_ignore(run, CALL_UNKNOWN,
			"an alias may stand for another program", w.source);
	}
}

static void
hook_command(struct facts_run *run)
{
	if (!facts_given_find(run, "-v -V"))
		return;
	run->done = true;
	if (run->given_count == 1 && facts_given_find(run, "-v")
		&& str_eq(run->given[0].name, STR("-v")))
		facts_names_program(run);
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_starts(run->operands[i].text, STR("-")))
			facts_run_ignore(run, CALL_UNKNOWN,
				"a command to be looked up, with options",
				run->operands[i].source);
	}
}

/* The words behind -W are expanded: '$(id)' runs. */
static void
hook_compgen(struct facts_run *run)
{
	const struct facts_given *words = facts_given_find(run, "-W");

	if (words && words->has_value
		&& (str_has_char(words->value.text, '$')
			|| str_has_char(words->value.text, '`')))
		facts_run_ignore(run, CALL_UNPARSED, "words that are expanded again",
			words->value.source);
}

/* Names that are looked up; who gives one of a secret file means the file. */
static void
hook_type(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (facts_path_is_secret(run->f, run->operands[i].text))
			facts_apply(run, FACTS_READ, 0, &run->operands[i]);
	}
}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_builtin[] = {
	{.names = "echo",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_echo},
	{.names = "printf",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_printf},
	{.names = "pwd",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-L -P")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_pwd},
	{.names = "cd pushd",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-L -P -e -@ -n")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_cd},
	{.names = "popd",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-n")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_popd},
	{.names = "exit return logout break continue",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_exit},
	{.names = "type",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(FLAGS("-a -f -p -t -P")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_type},
	{.names = ": true false test [ ]] wait times dirs umask disown "
			  "caller suspend bind help ulimit fg bg",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)}},
	{.names = "shopt",
		.manual = "bash(1), shopt",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-q -p -u"), SETS("-s", SHOPT_ON),
			SETS("-o", SHOPT_SET)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_shopt},
	{.names = "jobs",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-l -n -p -r -s"), SETS("-x", 1)),
		.operands = {OP_IF(COMMAND, FIRST, 1, 0), OP_IF(INERT, ALL, 0, 1)}},
	{.names = "hash",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(FLAGS("-l -r -d -t"), VALUE("-p", UNKNOWN)),
		.operands = {OP(INERT, ALL)}},
	{.names = "export declare typeset local readonly",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(FLAGS("-a -A -f -F -g -i -I -l -n -p -r -t -u -x")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_export},
	{.names = "read",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(
			FLAGS("-e -r -s"), VALUES("-a -d -i -n -N -p -t -u")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_forget},
	{.names = "mapfile readarray",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(
			FLAGS("-t"), VALUES("-d -n -O -s -u -c"), VALUE("-C", SHELL)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_forget},
	{.names = "unset getopts let",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_forget},
	{.names = "set",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_set},
	{.names = "shift",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.operands = {OP(INERT, ALL)},
		.hook = hook_shift},
	{.names = "eval",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_WRAPPER | FACTS_ANY_WORDS | FACTS_STOP,
		.operands = {OP(INERT, ALL)},
		.hook = hook_eval},
	{.names = "source .",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_INTERPRETER | FACTS_STOP,
		.language = "sh",
		.operands = {OP(SCRIPT, FIRST)},
		.hook = hook_source},
	{.names = "exec",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_WRAPPER | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-c -l"), VALUES("-a")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "command",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_WRAPPER | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-p -v -V")),
		.operands = {OP(COMMAND, FIRST)},
		.hook = hook_command},
	{.names = "builtin",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_WRAPPER | FACTS_STOP,
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "trap",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_WRAPPER | FACTS_STOP,
		.opts = FACTS_OPTS(FLAGS("-l -p")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_trap},
	{.names = "alias",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(FLAGS("-p")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_alias},
	{.names = "unalias",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(FLAGS("-a")),
		.operands = {OP(INERT, ALL)}},
	{.names = "history fc",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN | FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.does = {DO(SECRET, "shell history")},
		.operands = {OP(INERT, ALL)}},
	{.names = "complete compgen compopt",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-a -b -c -d -e -f -g -j -k -s -u -v -p -r -D "
								 "-E -I"),
			VALUES("-o -A -G -F -P -S -X -W"),
			VALUE("-C", SHELL)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_compgen},
	{.names = "enable",
		.manual = "bash(1)",
		.style = FACTS_BUILTIN,
		.opts = FACTS_OPTS(FLAGS("-a -p -s"), FLAG("-n -d", UNKNOWN, ""),
			VALUE("-f", LOAD)),
		.operands = {OP(INERT, ALL)}},
	{.names = NULL},
};
// clang-format on
