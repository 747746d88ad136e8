/*
 * Shells and interpreters: what they are given is run.
 */

#include "facts/facts_priv.h"

enum bits {
	B_CODE = 1 << 0,   /* -c, -e: program text is given */
	B_CHECK = 1 << 1,  /* the syntax alone is checked */
	B_STDIN = 1 << 2,  /* sh -s */
	B_MODULE = 1 << 3, /* python -m */
	B_SERVE = 1 << 4,
	B_PRINT = 1 << 5,
	B_LIVE = 1 << 6, /* sh -i: -n does not count there */
};

/* Each shell reads its text as it does, whatever the call's own is. */
static void
speak_as(struct facts *f, struct str name)
{
	f->dialect = facts_names_have("bash rbash zsh ksh mksh", name) ? SHELL_BASH
																   : SHELL_SH;
	f->zsh = str_eq(name, STR("zsh"));
}

/* sh -c TEXT NAME ARG...: the text sees the arguments as $1 and on. */
static void
hook_sh(struct facts_run *run)
{
	struct facts *f = run->f;
	struct facts_state saved = f->s;
	enum shell_dialect dialect = f->dialect;
	bool zsh = f->zsh;

	/* an interactive shell runs all the same */
	if (run->bits & B_LIVE)
		run->bits &= ~(unsigned)(B_CHECK | B_LIVE);
	/* +n takes -n back */
	if (run->operand_count > 0 && str_starts(run->operands[0].text, STR("+")))
		facts_run_ignore(run, CALL_UNKNOWN, "an option that is not known",
			run->operands[0].source);
	for (size_t i = 0; i < run->given_count; i++) {
		if (facts_names_have("-o -O", run->given[i].name)
			&& run->given[i].has_value)
			facts_shell_option(run, &run->given[i].value,
				str_eq(run->given[i].name, STR("-O")));
	}
	if ((run->bits & B_STDIN)
		|| (run->operand_count == 0 && (run->bits & ~FACTS_OPERANDS) == 0)) {
		speak_as(f, run->name);
		facts_run_input(run, run->in, "sh");
		f->dialect = dialect;
		f->zsh = zsh;
		run->done = true;
		return;
	}
	if (!(run->bits & B_CODE) || run->operand_count == 0)
		return;
	run->done = true;
	if (run->bits & B_CHECK)
		return;
	f->s.args = run->operand_count > 2 ? run->operands + 2 : NULL;
	f->s.arg_count = run->operand_count > 2 ? run->operand_count - 2 : 0;
	f->s.args_known = true;
	for (size_t i = 2; i < run->operand_count; i++) {
		if (run->operands[i].flags & FACTS_MANY)
			f->s.args_known = false;
	}
	speak_as(f, run->name);
	facts_run_shell(run, &run->operands[0]);
	f->s = saved;
	f->dialect = dialect;
	f->zsh = zsh;
}

/* The operands of a module are files; of json.tool the second is written. */
static void
module_files(struct facts_run *run, enum facts_role role, bool writes_second)
{
	size_t files = 0;

	for (size_t k = 0; k < run->operand_count; k++) {
		if (str_eq(run->operands[k].text, STR("--indent")))
			k++;
		else if (!str_starts(run->operands[k].text, STR("-")))
			facts_apply(run, writes_second && files++ == 1 ? FACTS_WRITE : role,
				0, &run->operands[k]);
	}
}

/* python -m MODULE: some only read and print. */
static void
hook_python(struct facts_run *run)
{
	static const struct {
		const char *names;
		enum facts_role role; /* of the operands */
	} modules[] = {
		{"json.tool tokenize ast dis tabnanny pyclbr",        FACTS_READ },
		{"this antigravity calendar sysconfig site platform", FACTS_INERT},
		{"py_compile compileall",                             FACTS_WRITE},
	};
	const struct facts_given *m = facts_given_find(run, "-m");
	static const char programs[] =
		"pip pytest black ruff mypy flake8 pylint isort unittest venv "
		"virtualenv build twine coverage pyflakes pycodestyle pydocstyle "
		"bandit vulture autopep8 yapf pyupgrade codespell yamllint sqlfluff "
		"pyright poetry uv pipx hatch tox nox pipdeptree";

	if (!m || !m->has_value)
		return;
	run->done = true;
	/* -m looks in the folder first, and json.py there would be run */
	if (!run->f->world->assumed && !facts_given_find(run, "-I -P"))
		facts_run_ignore(run, CALL_UNKNOWN,
			"a file of the folder may stand for the module (python3 -I -m ...)",
			m->value.source);
	for (size_t i = 0; i < ARRAY_LEN(modules); i++) {
		if (!facts_names_have(modules[i].names, m->value.text))
			continue;
		module_files(
			run, modules[i].role, str_eq(m->value.text, STR("json.tool")));
		return;
	}
	if (facts_names_have("zipfile tarfile", m->value.text)
		&& run->operand_count == 2
		&& facts_names_have("-l --list -t --test", run->operands[0].text)) {
		facts_apply(run, FACTS_READ, 0, &run->operands[1]);
		return;
	}
	if (facts_names_have(programs, m->value.text)
		&& facts_prog_find(m->value.text)) {
		struct facts_words words = {.count = 0};

		facts_words_add(run->f, &words, m->value);
		for (size_t k = 0; k < run->operand_count; k++)
			facts_words_add(run->f, &words, run->operands[k]);
		facts_run_inner(run, words.list, words.count);
		return;
	}
	if (facts_names_have("http.server", m->value.text))
		facts_apply_text(run, FACTS_REMOTE, CALL_EFFECT_LISTEN, "http.server");
	facts_apply(run, FACTS_LOAD, 0, &m->value);
}

/* perl -i, ruby -i rewrite the files that they are given. */
static void
hook_in_place(struct facts_run *run)
{
	bool code = run->bits & B_CODE;

	if (run->bits & B_CHECK) {
		run->done = true;
		for (size_t i = 0; i < run->operand_count; i++)
			facts_apply(run, FACTS_READ, 0, &run->operands[i]);
		return;
	}
	if (!code)
		return;
	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		facts_apply(run, FACTS_READ, 0, &run->operands[i]);
		if (facts_given_find(run, "-i"))
			facts_apply(run, FACTS_WRITE, 0, &run->operands[i]);
	}
}

/* ar KEYS ARCHIVE MEMBER...: the letter in KEYS says what is done. */
static void
hook_ar(struct facts_run *run)
{
	struct str keys = run->operand_count > 0 ? run->operands[0].text : STR("");
	bool shows = str_has_char(keys, 't') || str_has_char(keys, 'p');

	run->done = true;
	if (run->operand_count < 2 || (run->operands[0].flags & FACTS_DYNAMIC)
		|| str_starts(keys, STR("--"))) {
		facts_run_ignore(
			run, CALL_UNKNOWN, "an option that is not known", keys);
		return;
	}
	if (str_has_char(keys, 'x'))
		facts_apply_text(run, FACTS_WRITE_TREE, 0, ".");
	else if (!shows)
		facts_apply(run, FACTS_WRITE, 0, &run->operands[1]);
	facts_apply(run, FACTS_READ, 0, &run->operands[1]);
	for (size_t i = 2; i < run->operand_count; i++)
		facts_apply(run, FACTS_READ, 0, &run->operands[i]);
}

/* gcc -ofile, and options of compilers that load or run other programs, or hand
 * words on to them. */
static void
hook_compiler(struct facts_run *run)
{
	static const char *const strong[] = {"-Wl,", "-Wa,", "-Wp,", "-B",
		"-fplugin", "-specs", "-wrapper", "-iplugindir", "--plugin", "-load",
		"-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-C", "@",
		"--specs", "-processor", "-J", "-fuse-ld", "-fdump", "-fprofile",
		"-Zcodegen"};

	for (size_t i = 1; i < run->count; i++) {
		struct facts_word w = run->words[i];

		if (str_starts(w.text, STR("-o")) && w.text.len > 2) {
			w.text = str_sub(w.text, 2, w.text.len);
			facts_apply(run, FACTS_WRITE, 0, &w);
			run->bits |= B_PRINT;
		}
		for (size_t k = 0; k < ARRAY_LEN(strong); k++) {
			if (str_starts(run->words[i].text, str_from(strong[k])))
				facts_run_ignore(run, CALL_UNKNOWN,
					"an option for other programs", run->words[i].source);
		}
	}
}

#define INTERPRETER (FACTS_STOP | FACTS_INTERPRETER | FACTS_STDIN_RUN)
#define SCRIPT_OPERANDS                                                        \
	{                                                                          \
		OP_IF(SCRIPT, FIRST, 0, B_CODE | B_CHECK | B_PRINT),                   \
			OP_IF(READ, FIRST, B_CHECK, B_CODE), OP_IF(INERT, ALL, B_CODE, 0), \
			OP_IF(INERT, REST, 0, 0), OP_IF(INERT, ALL, B_PRINT, 0)            \
	}

/* -v prints the version, and the script is run all the same. */
#define SCRIPT_ALWAYS                                                          \
	{                                                                          \
		OP_IF(SCRIPT, FIRST, 0, B_CODE | B_CHECK),                             \
			OP_IF(READ, FIRST, B_CHECK, B_CODE), OP_IF(INERT, ALL, B_CODE, 0), \
			OP(INERT, REST)                                                    \
	}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_lang[] = {
	{.names = "sh bash dash zsh ksh mksh ash rbash busybox_sh",
		.manual = "bash(1), dash(1), zsh(1), ksh(1)",
		.style = INTERPRETER | FACTS_WRAPPER,
		.language = "sh",
		.opts = FACTS_OPTS(
			FLAGS("-a -b -e -f -h -l -m -p -r -t -u -v -x -B -C -E -P -T "
				"-V -D --login --norc --noprofile --posix --verbose --noediting "
				"--restricted --debugger --dump-strings --no-rcs"),
			SETS("-c", B_CODE), SETS("-n", B_CHECK), SETS("-s", B_STDIN),
			SETS("-i", B_LIVE),
			VALUES("-o -O"), VALUE("--rcfile --init-file", LOAD)),
		.operands = {OP_IF(SCRIPT, FIRST, 0, B_CODE | B_CHECK | B_STDIN),
			OP_IF(READ, FIRST, B_CHECK, B_CODE | B_STDIN),
			OP_IF(INERT, ALL, B_CODE, 0), OP(INERT, REST)},
		.hook = hook_sh},
	{.names = "fish tcsh csh pwsh powershell nu xonsh",
		.manual = "fish(1), tcsh(1)",
		.style = FACTS_STOP | FACTS_INTERPRETER | FACTS_STDIN_RUN,
		.language = "shell",
		.opts = FACTS_OPTS(
			VALUE_SETS("-c --command -Command", CODE, B_CODE),
			SETS("-n --no-execute", B_CHECK)),
		.operands = SCRIPT_OPERANDS},
	{.names = "python python3 python2 pypy pypy3 python3.8 python3.9 "
			"python3.10 python3.11 python3.12 python3.13 python3.14 ipython",
		.manual = "python3(1)",
		.style = INTERPRETER,
		.language = "python",
		.opts = FACTS_OPTS(
			FLAGS("-b -bb -B -d -E -i -I -O -OO -P -q -s -S -u -v -x -?"),
			SETS("-V -VV -h --help-all --help-env --help-xoptions", B_PRINT),
			VALUES("-W -X --check-hash-based-pycs"),
			VALUE_SETS("-m", INERT, B_MODULE | B_CODE),
			VALUE_SETS("-c", CODE, B_CODE)),
		.operands = SCRIPT_OPERANDS,
		.hook = hook_python},
	{.names = "node nodejs",
		.manual = "node(1), https://nodejs.org/api/cli.html",
		.style = INTERPRETER,
		.language = "javascript",
		.opts = FACTS_OPTS(
			FLAGS("-i --interactive --no-warnings --trace-warnings "
				"--trace-deprecation --throw-deprecation --no-deprecation "
				"--enable-source-maps --preserve-symlinks "
				"--experimental-vm-modules --experimental-strip-types "
				"--expose-gc --harmony --test --test-only --watch "
				"--use-strict --experimental-test-coverage"),
			SETS("-v", B_PRINT), SETS("-c --check", B_CHECK),
			VALUES("--max-old-space-size --stack-size --input-type "
				"--unhandled-rejections --conditions -C --title "
				"--test-reporter --test-name-pattern --test-concurrency"),
			VALUE_SETS("-e --eval -p --print -pe", CODE, B_CODE),
			VALUE("-r --require --import --loader --experimental-loader", LOAD),
			MAYBES("--inspect --inspect-brk")),
		.operands = SCRIPT_OPERANDS},
	{.names = "perl",
		.manual = "perlrun(1)",
		.style = INTERPRETER,
		.language = "perl",
		.opts = FACTS_OPTS(
			FLAGS("-a -n -p -s -S -t -T -u -U -w -W -X -f"),
			SETS("-v", B_PRINT), FLAGS("-c"), /* what BEGIN holds is run */
			MAYBES("-0 -l -i -C -d -D -V"), VALUES("-F -x"),
			VALUE("-I -m -M", LOAD), VALUE_SETS("-e -E", CODE, B_CODE)),
		.operands = SCRIPT_OPERANDS,
		.hook = hook_in_place},
	{.names = "ruby",
		.manual = "ruby(1)",
		.style = INTERPRETER,
		.language = "ruby",
		.opts = FACTS_OPTS(
			FLAGS("-a -l -n -p -s -S -w -y"), SETS("-v", B_PRINT),
			SETS("-c", B_CHECK), MAYBES("-0 -i -K -W -x -T"),
			VALUES("-F -E --encoding"), VALUE("-C", CHDIR),
			VALUE("-I -r", LOAD), VALUE_SETS("-e", CODE, B_CODE)),
		.operands = SCRIPT_ALWAYS,
		.hook = hook_in_place},
	{.names = "php",
		.manual = "php(1)",
		.style = INTERPRETER,
		.language = "php",
		.opts = FACTS_OPTS(
			FLAGS("-a -C -e -H -n -q -w -s"), SETS("-v -m --ini", B_PRINT),
			{"-i", FACTS_FLAG, FACTS_SECRET, 0, B_PRINT, "environment"},
			SETS("-l", B_CHECK), VALUES("--rf --rc --re"),
			VALUE("-c -d -z -f -F", LOAD), VALUES("-t -S"),
			VALUE_SETS("-r -B -R -E", CODE, B_CODE)),
		.operands = SCRIPT_OPERANDS},
	{.names = "lua luajit lua5.3 lua5.4 Rscript R julia elixir iex erl ghci "
			"runghc guile racket sbcl scala groovy tclsh wish expect osascript "
			"irb octave swift kotlin",
		.manual = "lua(1), Rscript(1), julia(1), elixir(1), expect(1)",
		.style = INTERPRETER,
		.language = "script",
		.opts = FACTS_OPTS(
			SETS("-v", B_PRINT), FLAGS("-i -q --vanilla --slave --no-save"),
			VALUE_SETS("-e -c --eval -E", CODE, B_CODE),
			VALUE("-l -r", LOAD)),
		.operands = SCRIPT_ALWAYS},
	{.names = "java",
		.manual = "java(1)",
		.style = FACTS_STOP | FACTS_INTERPRETER | FACTS_ONE_DASH,
		.language = "java",
		.opts = FACTS_OPTS(
			SETS("-version -fullversion -showversion --list-modules",
				B_PRINT),
			VALUES("-cp -classpath -p -m --module"),
			VALUE_SETS("-jar", SCRIPT, B_CODE)),
		.does = {DO_IF(PROJECT, ".", 0, B_CODE | B_PRINT)},
		.operands = {OP(INERT, ALL)}},
	/* a compiler reads whatever its source names, shows it where it does not
	 * fit, and runs plug-ins that lie about */
	{.names = "javac kotlinc scalac rustc rustdoc gcc g++ cc c++ clang clang++ ld as nasm "
			"ghc nim crystal",
		.manual = "javac(1), rustc(1), gcc(1), clang(1), ld(1), as(1)",
		.style = FACTS_ONE_DASH | FACTS_LOOSE,
		.opts = FACTS_OPTS(
			VALUE_SETS("-o -d --out-dir", WRITE, B_PRINT),
			SETS("-v -V -vV -version -dumpversion -dumpmachine -print-search-dirs "
				"--numeric-version --info", B_CHECK),
			{.names = "--print --explain", .arg = FACTS_VALUE, .set = B_CHECK},
			VALUE("-MF -MJ --emit", WRITE), VALUES("-MT -MQ -I -L -D -U -x -l "
				"-isystem -include -arch -target -std --edition --crate-type"),
			VALUE("-fplugin -B -specs -wrapper -Wl -Xlinker -fuse-ld -load "
				"-processor -processorpath -C", UNKNOWN)),
		.does = {DO_IF(WRITE, "a.out", 0, B_PRINT | B_CHECK),
			DO_IF(PROJECT, ".", 0, B_CHECK),
			DO_IF(PROJECT, ".", B_CHECK | FACTS_OPERANDS, 0)},
		.operands = {OP(READ, ALL)},
		.hook = hook_compiler},
	{.names = "strip ranlib",
		.manual = "strip(1), ranlib(1)",
		.opts = FACTS_OPTS(
			FLAGS("-s --strip-all -g -S -d --strip-debug --strip-dwo "
				"--strip-unneeded -x --discard-all -X --discard-locals -p "
				"--preserve-dates -D -U -v --verbose -t -w --wildcard -M "
				"--merge-notes"),
			VALUES("-K --keep-symbol -N --strip-symbol -R --remove-section "
				"-F --target -I --input-target -O --output-target"),
			VALUE("-o", WRITE)),
		.operands = {OP(READ, ALL), OP(WRITE, ALL)}},
	{.names = "objcopy",
		.manual = "objcopy(1)",
		.opts = FACTS_OPTS(
			FLAGS("-S --strip-all -g --strip-debug --strip-unneeded "
				"--only-keep-debug -x --discard-all -p --preserve-dates"),
			VALUES("-I --input-target -O --output-target -B --binary-architecture "
				"-j --only-section -R --remove-section"),
			VALUE("--add-gnu-debuglink", READ)),
		.operands = {OP(READ, FIRST), OP(WRITE, ALL)}},
	{.names = "ar",
		.manual = "ar(1)",
		.style = FACTS_KEYWORDS,
		.hook = hook_ar},
	{.names = NULL},
};
// clang-format on
