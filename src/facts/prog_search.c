/*
 * Looking for files, and running commands on what is found: findutils 4.9, fd.
 */

#include "facts/facts_priv.h"

enum bits {
	B_QUIET = 1 << 0,
	B_FILE = 1 << 1,
	B_REPLACE = 1 << 2, /* xargs -I */
};

enum { XARGS_BYTES_MAX = 4096 }; /* of a text that is taken apart */

/* --- find -------------------------------------------------------------------- */

enum what {
	FIND_PLAIN,  /* a test or option without an argument */
	FIND_ARG,    /* with one */
	FIND_READ,   /* with a file that is read */
	FIND_LIST,   /* with a file whose times are looked at */
	FIND_WRITE,  /* with a file that is written */
	FIND_FORMAT, /* with a file that is written, and a format */
	FIND_DELETE,
	FIND_EXEC,    /* a command up to ; or + */
	FIND_EXECDIR, /* the same, in the folder of the file */
};

static const struct {
	enum what what;
	const char *names;
} find_words[] = {
	{FIND_PLAIN,
     "-daystart -depth -d -follow -noleaf -mount -xdev -warn "
		"-nowarn -ignore_readdir_race -noignore_readdir_race -empty -false "
		"-true -nouser -nogroup -readable -writable -executable -print -print0 "
		"-prune -quit -ls -not -and -or -a -o ! ( ) , -H -L -P -E -X -x -s "
		"--help --version -help -version"                                   },
	{FIND_ARG,
     "-maxdepth -mindepth -regextype -amin -atime -cmin -ctime "
		"-fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename "
		"-links -lname -mmin -mtime -name -path -perm -regex -size -type -uid "
		"-used -user -wholename -xtype -context -printf -flags -Bmin -Btime"},
	{FIND_READ,    "-files0-from"										   },
	{FIND_LIST,    "-anewer -cnewer -newer -samefile"                       },
	{FIND_WRITE,   "-fprint -fprint0 -fls"                                  },
	{FIND_FORMAT,  "-fprintf"											   },
	{FIND_DELETE,  "-delete"												},
	{FIND_EXEC,    "-exec -ok"											  },
	{FIND_EXECDIR, "-execdir -okdir"										},
};

enum { FIND_NAMES_MAX = 32 };

struct find {
	struct facts_run *run;
	const struct facts_word *roots;
	size_t root_count, at;
	/* what -name and kin ask for, as globs */
	struct str names[FIND_NAMES_MAX];
	size_t name_count;
	bool is_exact; /* only such names are found */
	bool is_odd;   /* an expression that is not taken apart */
};

static const char odd_expression[] =
	"an expression that is not taken apart, for what is run on the files";

static const char glob_tests[] =
	"-name -iname -path -ipath -wholename -iwholename -lname -ilname";

/* All the names that the expression asks for, wherever they stand in it. */
static void
collect_names(struct find *p)
{
	struct facts_run *run = p->run;

	p->is_exact = true;
	for (size_t i = p->at; i + 1 < run->operand_count; i++) {
		struct str word = run->operands[i].text;
		struct str text = run->operands[i + 1].text;

		if (facts_names_have("! -not -o -or ,", word))
			p->is_exact = false;
		if (p->name_count == FIND_NAMES_MAX)
			return;
		if (facts_names_have("-regex -iregex", word)) {
			text = facts_filter_glob(run->f->a, text, true);
			p->is_odd |= !text.ptr;
		} else if (!facts_names_have(glob_tests, word)) {
			continue;
		}
		if (text.ptr)
			p->names[p->name_count++] = text;
		i++;
	}
}

/* Names of that kind at any depth below the folder. */
static struct facts_word
named_below(struct facts *f, const struct facts_word *folder, struct str name)
{
	struct facts_word w = *folder;

	if (w.flags & FACTS_DYNAMIC)
		return w;
	while (str_starts(name, STR("*/")) || str_starts(name, STR("./")))
		name = str_sub(name, 2, name.len);
	w.tree = facts_names_tree(f, &f->s.cwd, folder);
	w.text =
		arena_fmt(f->a, "%.*s/**/%.*s", STR_ARG(folder->text), STR_ARG(name));
	w.flags |= FACTS_GLOB | FACTS_BELOW;
	return w;
}

/* A folder's name with what may be found below it. */
static struct facts_word
below(struct facts *f, const struct facts_word *folder)
{
	struct facts_word w = *folder;

	if (w.flags & FACTS_DYNAMIC)
		return w;
	w.tree = facts_names_tree(f, &f->s.cwd, folder);
	w.text = arena_fmt(f->a, "%.*s/*", STR_ARG(folder->text));
	w.flags |= FACTS_GLOB | FACTS_BELOW;
	return w;
}

static const struct facts_word here = {
	.text = {".", 1},
      .source = {".", 1}
};

static void
each_root(struct find *p, enum facts_role role)
{
	if (p->root_count == 0)
		facts_apply(p->run, role, 0, &here);
	for (size_t i = 0; i < p->root_count; i++)
		facts_apply(p->run, role, 0, &p->roots[i]);
}

/* The command with {} in place of what is found. */
static void
exec_with(struct find *p, size_t start, size_t end, struct facts_word found)
{
	struct facts *f = p->run->f;
	struct facts_words words = {.count = 0};

	for (size_t i = start; i < end; i++) {
		struct facts_word w = p->run->operands[i];
		size_t brace = str_find(w.text, STR("{}"), 0);

		if (str_eq(w.text, STR("{}"))) {
			w = found;
		} else if (brace < w.text.len) {
			w.text = arena_fmt(f->a, "%.*s%.*s%.*s",
				STR_ARG(str_sub(w.text, 0, brace)), STR_ARG(found.text),
				STR_ARG(str_sub(w.text, brace + 2, w.text.len)));
			w.flags |= found.flags;
			w.tree = found.tree;
		}
		facts_words_add(f, &words, w);
	}
	facts_run_inner(p->run, words.list, words.count);
}

/* On all that may be found below one root, and on what is asked for by name. */
static void
exec_on(struct find *p, size_t start, size_t end, const struct facts_word *root)
{
	exec_with(p, start, end, below(p->run->f, root));
	for (size_t i = 0; i < p->name_count; i++)
		exec_with(p, start, end, named_below(p->run->f, root, p->names[i]));
}

static void
find_exec(struct find *p, bool in_folder)
{
	struct facts_run *run = p->run;
	struct facts_cwd cwd = run->cwd;
	size_t start = p->at, end = start;

	while (end < run->operand_count
		&& !str_eq(run->operands[end].text, STR(";"))
		&& !(str_eq(run->operands[end].text, STR("+")) && end > start
			&& str_has(run->operands[end - 1].text, STR("{}"))))
		end++;
	p->at = end + 1;
	if (p->is_odd)
		facts_run_ignore(run, CALL_UNKNOWN, odd_expression, run->name);
	if (end == run->operand_count)
		facts_run_ignore(
			run, CALL_UNKNOWN, "a command without its end", run->name);
	for (size_t i = 0; in_folder && i < run->cwd.count; i++)
		run->cwd.paths[i] =
			arena_fmt(run->f->a, "%.*s/*", STR_ARG(run->cwd.paths[i]));
	if (p->root_count == 0)
		exec_on(p, start, end, &here);
	for (size_t i = 0; i < p->root_count; i++)
		exec_on(p, start, end, &p->roots[i]);
	run->cwd = cwd;
}

static bool
find_what(struct str word, enum what *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(find_words); i++) {
		if (facts_names_have(find_words[i].names, word)) {
			*ret = find_words[i].what;
			return true;
		}
	}
	if (str_starts(word, STR("-newer")) && word.len == 8)
		*ret = FIND_LIST;
	else if (str_starts(word, STR("-O")) && word.len == 3)
		*ret = FIND_PLAIN;
	else
		return false;
	return true;
}

/* One word of the expression, p->at behind it. */
static void
find_word(struct find *p, enum what what)
{
	static const enum facts_role roles[] = {
		[FIND_READ] = FACTS_READ,
		[FIND_LIST] = FACTS_LIST,
		[FIND_WRITE] = FACTS_WRITE,
		[FIND_FORMAT] = FACTS_WRITE,
	};
	struct facts_run *run = p->run;

	switch (what) {
	case FIND_PLAIN:
		return;
	case FIND_DELETE:
		each_root(p, FACTS_DELETE_TREE);
		return;
	case FIND_EXEC:
	case FIND_EXECDIR:
		find_exec(p, what == FIND_EXECDIR);
		return;
	case FIND_ARG:
		p->at++;
		return;
	case FIND_READ:
	case FIND_LIST:
	case FIND_WRITE:
	case FIND_FORMAT:
		if (p->at < run->operand_count)
			facts_apply(run, roles[what], 0, &run->operands[p->at]);
		p->at += what == FIND_FORMAT ? 2 : 1;
		return;
	}
}

static bool
starts_expression(struct str s)
{
	return s.len > 0
		&& ((s.ptr[0] == '-' && s.len > 1) || str_eq(s, STR("!"))
			|| str_eq(s, STR("(")));
}

/* What is printed is names: below which folder, and which. */
static void
find_output(struct find *p)
{
	struct facts_run *run = p->run;
	const struct facts_word *root = p->root_count == 1 ? &p->roots[0] : &here;

	facts_names_flow(run->f, &run->cwd, root, run->out);
	run->out->names = root->flags == 0 && root->text.len > 0 && !p->is_odd;
	for (size_t i = 0; i < p->name_count; i++) {
		if ((p->is_exact && p->name_count == 1)
			|| facts_path_is_secret(run->f, p->names[i]))
			run->out->below = named_below(run->f, root, p->names[i]).text;
	}
}

static void
hook_find(struct facts_run *run)
{
	struct find p = {.run = run};
	enum what what;
	bool other_output = false; /* more than names is printed */

	run->done = true;
	while (p.at < run->operand_count
		&& facts_names_have(
			"-H -L -P -E -X -s -x -d -O1 -O2 -O3", run->operands[p.at].text))
		p.at++;
	if (p.at < run->operand_count
		&& str_eq(run->operands[p.at].text, STR("-f")))
		p.at++;
	p.roots = run->operands + p.at;
	while (p.at < run->operand_count
		&& !starts_expression(run->operands[p.at].text))
		p.at++, p.root_count++;
	each_root(&p, FACTS_LIST_TREE);
	collect_names(&p);
	while (p.at < run->operand_count && facts_work(run->f, 8)) {
		const struct facts_word *w = &run->operands[p.at++];

		if (w->flags & (FACTS_DYNAMIC | FACTS_MANY)) {
			facts_run_ignore(run, CALL_DYNAMIC,
				"a word that may be an action once it runs", w->source);
			continue;
		}
		if (!find_what(w->text, &what)) {
			facts_run_ignore(
				run, CALL_UNKNOWN, "an option that is not known", w->text);
			continue;
		}
		find_word(&p, what);
		other_output = other_output || what == FIND_EXEC || what == FIND_EXECDIR
			|| facts_names_have("-printf -ls", w->text);
	}
	if (p.root_count <= 1 && !other_output)
		find_output(&p);
}

/* --- xargs ------------------------------------------------------------------- */

/* Every line, or what stands between NULs, is one word; else blanks part them and
 * a name may become several. */
static bool
line_by_line(const struct facts_run *run)
{
	const struct facts_given *d = facts_given_find(run, "-d --delimiter");

	return facts_given_find(run, "-0 --null -I -i --replace")
		|| (d && d->has_value && str_eq(d->value.text, STR("\\n")));
}

/* The words that come in: names of files below a folder, or anything. */
static struct facts_word
fed(struct facts_run *run)
{
	struct facts_word w = {.text = STR("?"),
		.source = STR("standard input"),
		.flags = FACTS_DYNAMIC | FACTS_MANY};

	if (run->in)
		w.taint = run->in->taint;
	if (run->in && run->in->closed && !run->f->input_moved
		&& !facts_given_find(run, "-a --arg-file"))
		w.flags |= FACTS_NEVER;
	return facts_names_word(run->f, run->in, line_by_line(run), w);
}

/* What comes in, where it is known and xargs takes it apart at blanks only. */
static bool
fed_text(struct facts_run *run, struct str *ret)
{
	static const char plain[] =
		"-I -i --replace -n --max-args -P --max-procs -r --no-run-if-empty -t "
		"--verbose -x --exit";

	if (!run->in || !run->in->known || run->in->text.len > XARGS_BYTES_MAX
		|| str_has_char(run->in->text, '\'') || str_has_char(run->in->text, '"')
		|| str_has_char(run->in->text, '\\'))
		return false;
	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have(plain, run->given[i].name))
			return false;
	}
	*ret = str_trim(run->in->text);
	return true;
}

/* The words of a known text, behind what stands there. */
static void
add_fed(struct facts_run *run, struct facts_words *words, struct str text)
{
	size_t start = 0;

	for (size_t i = 0; i <= text.len; i++) {
		if (i < text.len && !str_has_char(STR(" \t\n"), text.ptr[i]))
			continue;
		if (i > start) {
			struct facts_word w = facts_word_from(str_sub(text, start, i));

			w.taint = run->in->taint | FACTS_FROM_INPUT;
			facts_words_add(run->f, words, w);
		}
		start = i + 1;
	}
}

static bool
has_once(struct str s, struct str mark)
{
	size_t at = str_find(s, mark, 0);

	return mark.len > 0 && at < s.len
		&& str_find(s, mark, at + mark.len) == s.len;
}

/* w with a known line in the place of the mark. */
static struct facts_word
replaced(struct facts_run *run, struct facts_word w, struct str mark,
	struct str line)
{
	size_t at = str_find(w.text, mark, 0);

	w.text =
		arena_fmt(run->f->a, "%.*s%.*s%.*s", STR_ARG(str_sub(w.text, 0, at)),
			STR_ARG(line), STR_ARG(str_sub(w.text, at + mark.len, w.text.len)));
	w.taint |= run->in->taint | FACTS_FROM_INPUT;
	return w;
}

/* Where nothing comes in, reading nothing is harmless; what changes things is
 * not understood without its words. */
static void
check_changes(struct facts_run *run, size_t first)
{
	const struct call_facts *o = run->f->out;

	for (size_t i = first; i < o->effect_count; i++) {
		if (o->effects[i].kind == CALL_EFFECT_READ
			|| o->effects[i].kind == CALL_EFFECT_CONNECT)
			continue;
		facts_run_ignore(run, CALL_DYNAMIC,
			"a change whose words only running would tell", run->name);
		return;
	}
}

static void
hook_xargs(struct facts_run *run)
{
	struct facts *f = run->f;
	const struct facts_given *replace = facts_given_find(run, "-I");
	struct facts_words words = {.count = 0};
	struct facts_word input = fed(run);
	struct str mark = STR("{}"), text;
	bool used = false, known = fed_text(run, &text);

	f->work += run->operand_count;
	run->done = true;
	if (!replace)
		replace = facts_given_find(run, "-i --replace");
	if (replace && replace->has_value)
		mark = replace->value.text;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];

		if (replace && known && has_once(w.text, mark)
			&& !str_has_char(text, '\n')) {
			used = true;
			w = replaced(run, w, mark, text);
		} else if (replace && str_has(w.text, mark)) {
			used = true;
			if (str_eq(w.text, mark)) {
				w = input;
			} else {
				w.flags |= FACTS_DYNAMIC;
				w.taint |= input.taint;
			}
		}
		facts_words_add(f, &words, w);
	}
	if (run->operand_count == 0)
		facts_words_add(f, &words, facts_word_from(STR("echo")));
	if (!replace && known)
		add_fed(run, &words, text);
	else if (!replace && !used)
		facts_words_add(f, &words, input);
	size_t first = f->out->effect_count;

	facts_run_inner(run, words.list, words.count);
	if (input.flags & FACTS_NEVER)
		check_changes(run, first);
}

/* --- fd ---------------------------------------------------------------------- */

/* The command behind -x or -X, on what is found. */
static void
fd_exec(struct facts_run *run, size_t start, struct facts_word found)
{
	struct facts_words words = {.count = 0};

	for (size_t k = start;
		 k < run->count && !str_eq(run->words[k].text, STR(";")); k++) {
		struct facts_word w = run->words[k];

		if (str_has_char(w.text, '{')) {
			w = found;
			w.source = run->words[k].source;
		}
		facts_words_add(run->f, &words, w);
	}
	facts_words_add(run->f, &words, found);
	facts_run_inner(run, words.list, words.count);
}

/* By its own name, not by those of its group. */
static const struct facts_given *
given_named(const struct facts_run *run, const char *names)
{
	for (size_t i = 0; i < run->given_count; i++) {
		if (facts_names_have(names, run->given[i].name))
			return &run->given[i];
	}
	return NULL;
}

/* What fd looks for: an expression, or an ending of names. Absent: anything. */
static struct str
fd_names(struct facts_run *run)
{
	const struct facts_given *e = given_named(run, "-e --extension");
	struct arena *a = run->f->a;

	if (e && e->has_value)
		return arena_fmt(a, "*.%.*s", STR_ARG(e->value.text));
	if (run->operand_count == 0)
		return (struct str){NULL, 0};
	if (given_named(run, "-g --glob -F --fixed-strings"))
		return run->operands[0].text;
	return facts_filter_glob(a, run->operands[0].text, false);
}

/* How many operands stand before -x and kin. */
static size_t
before_exec(const struct facts_run *run)
{
	size_t count = 0;

	for (size_t i = 1; i < run->count; i++) {
		if (facts_names_have("-x --exec -X --exec-batch", run->words[i].text))
			return count;
		if (count < run->operand_count
			&& run->operands[count].text.ptr == run->words[i].text.ptr)
			count++;
	}
	return run->operand_count;
}

static void
hook_fd(struct facts_run *run)
{
	static const struct facts_word nothing = {
		.text = {"", 0}
    };
	/* what stands behind -x is a command, not what is looked for */
	run->operand_count = before_exec(run);
	const struct facts_word *root =
		run->operand_count > 1 ? &run->operands[1] : &here;
	struct str names = fd_names(run);

	facts_names_flow(run->f, &run->cwd, &nothing, run->out);
	run->out->names = run->operand_count < 2
		&& !facts_given_find(run,
			"-l --list-details --format --search-path -C --base-directory "
			"-x --exec -X --exec-batch");
	if (names.ptr)
		run->out->below = named_below(run->f, root, names).text;
	else if (run->operand_count > 0)
		run->out->names = false;
	for (size_t i = 1; i < run->count; i++) {
		if (!facts_names_have("-x --exec -X --exec-batch", run->words[i].text))
			continue;
		fd_exec(run, i + 1, below(run->f, root));
		if (!names.ptr && run->operand_count > 0)
			facts_run_ignore(run, CALL_UNKNOWN, odd_expression, run->name);
		if (names.ptr)
			fd_exec(run, i + 1, named_below(run->f, root, names));
		return;
	}
}

static void
hook_which(struct facts_run *run)
{
	if (run->given_count == 0 && facts_names_have("which", run->name))
		facts_names_program(run);
}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_search[] = {
	{.names = "find gfind",
		.manual = "find(1), GNU findutils 4.9",
		.style = FACTS_KEYWORDS | FACTS_ANY_WORDS,
		.hook = hook_find},
	{.names = "xargs gxargs",
		.manual = "xargs(1), GNU findutils 4.9",
		.style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(
			FLAGS("-0 --null -o --open-tty -p --interactive -r "
				"--no-run-if-empty --show-limits -t --verbose -x --exit"),
			VALUES("-d --delimiter -E -L -n --max-args -P --max-procs "
				"--process-slot-var -s --max-chars -J -R -S"),
			MAYBES("-e --eof -l --max-lines"), VALUES("-I"),
			MAYBES("-i --replace"), VALUE("-a --arg-file", READ)),
		.hook = hook_xargs},
	{.names = "fd fdfind",
		.manual = "fd(1), https://github.com/sharkdp/fd",
		.opts = FACTS_OPTS(
			FLAGS("-h --help"),
			FLAGS("-H --hidden -I --no-ignore -u --unrestricted --no-ignore-vcs "
				"--no-ignore-parent --no-global-ignore-file -s "
				"--case-sensitive -i --ignore-case -g --glob --regex -F "
				"--fixed-strings -a --absolute-path -l --list-details -L "
				"--follow -p --full-path -0 --print0 --prune -1 -q --quiet "
				"--show-errors --strip-cwd-prefix --one-file-system -V "
				"--no-require-git --no-follow --no-hidden --ignore"),
			VALUES("-d --max-depth --min-depth --exact-depth -E --exclude -t "
				"--type -e --extension -S --size --changed-within "
				"--changed-before -o --owner --format --max-results -c --color "
				"-j --threads --path-separator --and --max-buffer-time "
				"--hyperlink --batch-size"),
			VALUE("--ignore-file", READ), VALUE("--search-path -C "
				"--base-directory", LIST_TREE),
			VALUES("-x --exec -X --exec-batch")),
		.does = {DO_IF(LIST_TREE, ".", 0, FACTS_OPERANDS2)},
		.operands = {OP(INERT, FIRST), OP(LIST_TREE, REST)},
		.hook = hook_fd},
	{.names = "locate plocate mlocate",
		.manual = "locate(1)",
		.opts = FACTS_OPTS(
			FLAGS("-A --all -b --basename -c --count -e --existing -i "
				"--ignore-case -p --ignore-spaces -q --quiet -r --regexp "
				"--regex -w --wholename -0 --null -S --statistics"),
			VALUES("-l -n --limit"), VALUE("-d --database", READ)),
		.does = {DO(LIST_TREE, "/")},
		.operands = {OP(INERT, ALL)}},
	{.names = "which whereis",
		.manual = "which(1), whereis(1)",
		.opts = FACTS_OPTS(
			FLAGS("-a --all -s -b -m -u -l"), VALUES("-B -M -S"), FLAGS("-f")),
		.operands = {OP(INERT, ALL)}, .hook = hook_which},
	{.names = NULL},
};
// clang-format on
