/*
 * Searching, comparing and shaping text. The manuals are named by each row.
 */

#include "facts/lang.h"

enum bits {
	B_TREE = 1 << 0,    /* folders are read whole */
	B_SCRIPT = 1 << 1,  /* the pattern or script was given by an option */
	B_INPLACE = 1 << 2, /* files are rewritten */
	B_FILES = 1 << 3,   /* only names are listed */
	B_QUIET = 1 << 4,   /* dry run */
	B_NULL = 1 << 5,    /* jq -n: nothing is read */
	B_DIFF = 1 << 6,
	B_SEEN = 1 << 7, /* the patch names its files */
};

static bool
was_given(const struct facts_run *run, const struct facts_opt *opt, size_t i)
{
	return run->given[i].opt == opt && run->given[i].has_value;
}

/* Every value given for the option named so. */
static void
each_value(struct facts_run *run, const char *name,
	void (*fn)(struct facts_run *run, const struct facts_word *w))
{
	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_opt *opt = run->given[i].opt;

		if (facts_names_have(opt->names, str_from(name))
			&& was_given(run, opt, i))
			fn(run, &run->given[i].value);
	}
}

/* Where sed keeps the old text of file: a suffix, or a name with the file's own
 * in the place of each star, which may be one of another folder. */
static void
keep_old(struct facts_run *run, struct facts_word file, struct str suffix)
{
	struct str base = str_base(file.text), rest = suffix;
	struct str folder = str_sub(file.text, 0, file.text.len - base.len);
	struct str name = STR("");

	if (!str_has_char(suffix, '*')) {
		file.text = arena_fmt(
			run->f->a, "%.*s%.*s", STR_ARG(file.text), STR_ARG(suffix));
		facts_apply(run, FACTS_WRITE, 0, &file);
		return;
	}
	for (size_t i = 0; rest.ptr; i++) {
		struct str part = str_cut(rest, '*', &rest);

		name = arena_fmt(run->f->a, "%.*s%.*s%.*s", STR_ARG(name),
			STR_ARG(i > 0 ? base : STR("")), STR_ARG(part));
	}
	file.text = name;
	facts_apply(run, FACTS_WRITE, 0, &file);
	if (folder.len == 0 || str_starts(name, STR("/")))
		return;
	file.text =
		arena_fmt(run->f->a, "%.*s%.*s", STR_ARG(folder), STR_ARG(name));
	facts_apply(run, FACTS_WRITE, 0, &file);
}

static void
hook_sed(struct facts_run *run)
{
	const struct facts_given *inplace = facts_given_find(run, "-i --in-place");

	each_value(run, "-e", facts_lang_sed);
	/* sed -i '' SCRIPT: how other systems write it */
	if (inplace && !inplace->has_value && run->operand_count > 0
		&& run->operands[0].text.len == 0) {
		run->operands++;
		run->operand_count--;
	}
	if (!(run->bits & B_SCRIPT) && run->operand_count > 0)
		facts_lang_sed(run, &run->operands[0]);
	/* sed -i.bak: the old text is kept beside */
	for (size_t i = run->bits & B_SCRIPT ? 0 : 1;
		 inplace && inplace->has_value && i < run->operand_count; i++) {
		keep_old(run, run->operands[i], inplace->value.text);
	}
}

static void
hook_awk(struct facts_run *run)
{
	size_t first = run->bits & B_SCRIPT ? 0 : 1;

	run->done = true;
	each_value(run, "-e", facts_lang_awk);
	if (first == 1 && run->operand_count > 0)
		facts_lang_awk(run, &run->operands[0]);
	for (size_t i = first; i < run->operand_count; i++) {
		struct str name = run->operands[i].text;
		size_t equals = str_find(name, STR("="), 0);

		/* NAME=VALUE is an assignment, not a file */
		if (equals < name.len && !str_has_char(str_sub(name, 0, equals), '/'))
			continue;
		facts_apply(run, FACTS_READ,
			run->bits & B_INPLACE ? CALL_EFFECT_TREE : 0, &run->operands[i]);
	}
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

/* Whether a filter has name as a word of its own: .env and .environment ask for
 * a member that is called so. */
static bool
filter_has(struct str s, struct str name)
{
	for (size_t at = str_find(s, name, 0); at < s.len;
		 at = str_find(s, name, at + 1)) {
		size_t end = at + name.len;
		bool begins =
			at == 0 || (!is_name_char(s.ptr[at - 1]) && s.ptr[at - 1] != '.');

		if (begins && (end == s.len || !is_name_char(s.ptr[end])))
			return true;
	}
	return false;
}

/* $ENV and env show the environment; import and include read code. */
void
facts_check_jq(struct facts_run *run, const struct facts_word *w)
{
	static const char *const shows[] = {"env", "ENV", "strenv", "envsubst"};
	static const char *const reads[] = {"import", "include", "load", "load_str",
		"load_xml", "load_props", "load_base64", "eval", "get_search_list"};
	if (w->flags & (FACTS_DYNAMIC | FACTS_MANY))
		facts_run_ignore(run, CALL_DYNAMIC,
			"a filter that only running would tell", w->source);
	for (size_t i = 0; i < ARRAY_LEN(shows); i++) {
		if (filter_has(w->text, str_from(shows[i])))
			facts_apply_text(run, FACTS_SECRET, 0, "environment");
	}
	for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
		if (filter_has(w->text, str_from(reads[i])))
			facts_run_ignore(run, CALL_UNKNOWN,
				"a filter that reads other files", w->source);
	}
}

static void
hook_jq(struct facts_run *run)
{
	if (!(run->bits & B_SCRIPT) && run->operand_count > 0)
		facts_check_jq(run, &run->operands[0]);
}

/* patch -p1 <<EOF: a text that is known names its files. What its other forms
 * reach (ed's commands) nobody sees here. */
static void
hook_patch(struct facts_run *run)
{
	const struct facts_given *strip = facts_given_find(run, "-p --strip");
	int64_t number = 0;

	if (!strip || !str_number(strip->value.text, &number) || number < 0
		|| number > 9 || run->operand_count > 0 || !run->in || !run->in->known
		|| facts_given_find(run,
			"-i --input -o --output -c --context -e --ed -n --normal -B "
			"--prefix -Y --basename-prefix"))
		return;
	if (facts_diff(run, run->in->text, (size_t)number, run->bits & B_QUIET))
		run->bits |= B_SEEN;
}

/* less +CMD file: a command of the pager. */
static void
hook_pager(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (str_starts(run->operands[i].text, STR("+")))
			facts_run_ignore(run, CALL_UNKNOWN, "a command for the pager",
				run->operands[i].source);
	}
}

/* Whether an expression that no glob says may ask for secrets by their names. */
static bool
may_ask_for_secrets(struct str regex)
{
	static const char *const parts[] = {"env", "secret", "key", "cred", "token",
		"pass", "pem", "rsa", "ssh", "auth", "rc", "hist", "aws", "kube",
		"cert", "p12", "pfx", "wallet", "cookie", "tfstate"};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (str_has(regex, str_from(parts[i])))
			return true;
	}
	return false;
}

/* grep in a pipe of names: those that it picks. */
static void
pass_names(struct facts_run *run)
{
	struct facts_flow *out = run->out;
	struct str regex = run->operands[0].text, glob;

	out->names = run->in->names;
	out->below = run->in->below;
	out->tree = run->in->tree;
	if (!out->names || str_has(out->below, STR("/**/"))
		|| facts_given_find(run, "-v --invert-match"))
		return;
	glob = facts_filter_glob(run->f->a, regex, false);
	if (glob.ptr)
		out->below = arena_fmt(run->f->a, "%.*s/**/%.*s",
			STR_ARG(out->below.len > 0 ? out->below : STR(".")),
			STR_ARG(str_base(glob)));
	else
		out->names = !may_ask_for_secrets(regex);
}

/* grep in a pipe passes lines on; grep -rl and rg -l print names. */
static void
hook_grep(struct facts_run *run)
{
	static const struct facts_word nothing = {
		.text = {"", 0}
    };
	bool lists = (run->bits & B_FILES)
		|| facts_given_find(run,
			"-l --files-with-matches --files-without-match "
			"--files-without-matches");
	bool counts = facts_given_find(run,
		"-o --only-matching -c --count --count-matches -n --line-number -b "
		"--byte-offset -r --recursive -R --dereference-recursive -A "
		"--after-context -B --before-context -C --context -H --with-filename "
		"--replace --json --column --vimgrep");
	size_t files = run->operand_count - (run->bits & B_SCRIPT ? 0 : 1);

	if (lists && !facts_given_find(run, "--label")
		&& facts_names_stay(run, run->operand_count - files)) {
		facts_names_flow(run->f, &run->cwd, &nothing, run->out);
	} else if (!lists && !counts && run->operand_count > 0 && files == 0
		&& run->in && !str_eq(run->name, STR("rg"))) {
		pass_names(run);
	}
}

#define GREP_OPTS                                                              \
	FLAGS("-E --extended-regexp -F --fixed-strings -G --basic-regexp -P "      \
		  "--perl-regexp -i -y --ignore-case --no-ignore-case -w "             \
		  "--word-regexp -x --line-regexp -z --null-data -s --no-messages -v " \
		  "--invert-match -V -b --byte-offset -n --line-number "               \
		  "--line-buffered -H --with-filename -h --no-filename -o "            \
		  "--only-matching -q --quiet --silent -a --text -I -L "               \
		  "--files-without-match -l --files-with-matches -c --count -T "       \
		  "--initial-tab -Z --null --no-group-separator -U --binary"),         \
		VALUES("-m --max-count --label --binary-files -d --directories -D "    \
			   "--devices --exclude --exclude-dir -B "                         \
			   "--before-context -A --after-context -C --context "             \
			   "--group-separator"),                                           \
		MAYBES("--color --colour"),                                            \
		VALUE_SETS("-e --regexp", INERT, B_SCRIPT),                            \
		VALUE_SETS("-f --file", READ, B_SCRIPT),                               \
		VALUE("--exclude-from", READ), VALUE("--include", FILTER),             \
		SETS("-r --recursive -R --dereference-recursive", B_TREE)

#define SEARCH_OPERANDS                                                     \
	{                                                                       \
		OP_IF(INERT, FIRST, 0, B_SCRIPT),                                   \
			OP_IF(READ, FIRST, B_SCRIPT, B_TREE),                           \
			OP_IF(READ_TREE, FIRST, B_SCRIPT | B_TREE, 0),                  \
			OP_IF(READ, REST, 0, B_TREE), OP_IF(READ_TREE, REST, B_TREE, 0) \
	}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_text[] = {
	/* --- searching --- */
	{.names = "grep egrep fgrep",
		.manual = "grep(1), GNU grep 3.8",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(GREP_OPTS),
		.does = {DO_IF(READ_TREE, ".", B_TREE, B_SCRIPT | FACTS_OPERANDS2),
			DO_IF(READ_TREE, ".", B_TREE | B_SCRIPT, FACTS_OPERANDS)},
		.operands = SEARCH_OPERANDS,
		.hook = hook_grep},
	{.names = "zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
		.manual = "zgrep(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(GREP_OPTS),
		.operands = SEARCH_OPERANDS},
	{.names = "rg",
		.manual = "rg(1), https://github.com/BurntSushi/ripgrep",
		.opts = FACTS_OPTS(
			FLAGS("-i --ignore-case -s --case-sensitive -S --smart-case -v "
				"--invert-match -w --word-regexp -x --line-regexp -c --count "
				"--count-matches -l --files-with-matches --files-without-match "
				"-n --line-number -N --no-line-number -H --with-filename -I "
				"--no-filename -o --only-matching -F --fixed-strings -U "
				"--multiline --multiline-dotall -P --pcre2 --auto-hybrid-regex "
				"-p --pretty -q --quiet --json --stats --heading --no-heading "
				"--column --no-column -b --byte-offset --trim --no-trim --vimgrep "
				"-u --unrestricted -uu -uuu --hidden -. --no-hidden --no-ignore "
				"--no-ignore-vcs --no-ignore-dot --no-ignore-exclude "
				"--no-ignore-files --no-ignore-global --no-ignore-parent "
				"--no-ignore-messages --no-messages -L --follow --no-follow "
				"--one-file-system --binary --no-binary -a --text -z --search-zip "
				"--null -0 --null-data --crlf --debug --trace --line-buffered "
				"--block-buffered --mmap --no-mmap --no-config --passthru "
				"--passthrough --type-list --sort-files --no-unicode --unicode "
				"--no-context-separator --max-columns-preview "
				"--include-zero --stop-on-nonmatch --glob-case-insensitive -V "
				"--no-require-git --no-json --no-stats --no-encoding"),
			SETS("--files", B_SCRIPT | B_FILES),
			VALUES("-A --after-context -B --before-context -C --context -m "
				"--max-count -t --type -T --type-not "
				"--type-add --type-clear -E --encoding -M --max-columns "
				"--max-filesize --max-depth -d --maxdepth --color --colors "
				"--context-separator --field-context-separator "
				"--field-match-separator --path-separator -j --threads -r "
				"--replace --sort --sortr --engine --dfa-size-limit "
				"--regex-size-limit --hyperlink-format --generate"),
			VALUE_SETS("-e --regexp", INERT, B_SCRIPT),
			VALUE_SETS("-f --file", READ, B_SCRIPT),
			VALUE("-g --glob --iglob", FILTER),
			VALUE("--ignore-file", READ), VALUES("--pre-glob"),
			VALUE("--pre --hostname-bin", SHELL)),
		.does = {DO_IF(READ_TREE, ".", 0, B_SCRIPT | FACTS_OPERANDS2),
			DO_IF(READ_TREE, ".", B_SCRIPT, B_FILES | FACTS_OPERANDS),
			DO_IF(LIST_TREE, ".", B_SCRIPT | B_FILES, FACTS_OPERANDS)},
		.operands = {OP_IF(INERT, FIRST, 0, B_SCRIPT),
			OP_IF(READ_TREE, FIRST, B_SCRIPT, B_FILES),
			OP_IF(LIST_TREE, FIRST, B_SCRIPT | B_FILES, 0),
			OP_IF(READ_TREE, REST, 0, B_FILES),
			OP_IF(LIST_TREE, REST, B_FILES, 0)},
		.hook = hook_grep},
	{.names = "ag ack ack-grep",
		.manual = "ag(1), ack(1)",
		.opts = FACTS_OPTS(
			FLAGS("-i --ignore-case -s --case-sensitive -S --smart-case -v "
				"--invert-match -w --word-regexp -c --count -l "
				"--files-with-matches -L --files-without-matches -H --heading "
				"--noheading -Q --literal -F --fixed-strings -a --all-types -u "
				"--unrestricted -U --skip-vcs-ignores --hidden -f --follow "
				"--nocolor --color --group --nogroup --column --numbers "
				"--nonumbers --vimgrep -o --only-matching -0 --null --stats -n "
				"--norecurse -r -R --recurse -t --all-text -z --search-zip -h "
				"--nofilename --no-filename --nobreak --break --filename -V"),
			VALUES("-A --after -B --before -C --context -m --max-count -G "
				"--file-search-regex --ignore --ignore-dir --depth -W --width "
				"--type -T"),
			VALUE("-p --path-to-ignore", READ), VALUE("--pager", SHELL)),
		.does = {DO_IF(READ_TREE, ".", 0, FACTS_OPERANDS2)},
		.operands = {OP(INERT, FIRST), OP(READ_TREE, REST)}},
	/* --- comparing --- */
	{.names = "bc",
		.manual = "bc(1)",
		.opts = FACTS_OPTS(FLAGS("-l --mathlib -q --quiet -s --standard -w "
								 "--warn -i --interactive -h --help -v "
								 "--version")),
		.operands = {OP(READ, ALL)}},
	{.names = "diff colordiff",
		.manual = "diff(1), GNU diffutils 3.8",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("--normal -q --brief -s --report-identical-files -e --ed -n "
				"--rcs -y --side-by-side --left-column "
				"--suppress-common-lines -p --show-c-function -t "
				"--expand-tabs -T --initial-tab --suppress-blank-empty -l "
				"--paginate --no-dereference -N --new-file "
				"--unidirectional-new-file --ignore-file-name-case "
				"--no-ignore-file-name-case -i --ignore-case -E "
				"--ignore-tab-expansion -Z --ignore-trailing-space -b "
				"--ignore-space-change -w --ignore-all-space -B "
				"--ignore-blank-lines -a --text --strip-trailing-cr -d "
				"--minimal --speed-large-files -v -c -u"),
			VALUES("-W --width -F --show-function-line -L --label --tabsize -x "
				"--exclude -S --starting-file -I --ignore-matching-lines -D "
				"--ifdef --line-format --old-line-format --new-line-format "
				"--unchanged-line-format --old-group-format "
				"--new-group-format --unchanged-group-format "
				"--changed-group-format --horizon-lines --palette -C -U"),
			MAYBES("--context --unified --color"),
			VALUE("-X --exclude-from --from-file --to-file", READ),
			SETS("-r --recursive", B_TREE)),
		.operands = {OP_IF(READ, ALL, 0, B_TREE),
			OP_IF(READ_TREE, ALL, B_TREE, 0)}},
	{.names = "cmp",
		.manual = "cmp(1)",
		.opts = FACTS_OPTS(
			FLAGS("-b --print-bytes -l --verbose -s --quiet --silent -v"),
			VALUES("-i --ignore-initial -n --bytes")),
		.operands = {OP(READ, FIRST), OP(READ, SECOND), OP(INERT, THIRD_ON)}},
	{.names = "diff3 sdiff",
		.manual = "diff3(1), sdiff(1)",
		.opts = FACTS_OPTS(
			FLAGS("-A --show-all -e --ed -E --show-overlap -3 --easy-only -x "
				"--overlap-only -X -m --merge -a --text --strip-trailing-cr -T "
				"--initial-tab -i --ignore-case --ignore-tab-expansion -Z "
				"--ignore-trailing-space -b --ignore-space-change -W "
				"--ignore-all-space -B --ignore-blank-lines -l --left-column "
				"-s --suppress-common-lines -t --expand-tabs -d --minimal -H "
				"--speed-large-files -v"),
			VALUES("-L --label -I --ignore-matching-lines -w --width --tabsize"),
			VALUE("-o --output", WRITE), VALUE("--diff-program", SHELL)),
		.operands = {OP(READ, ALL)}},
	{.names = "patch",
		.manual = "patch(1)",
		.opts = FACTS_OPTS(
			FLAGS("-l --ignore-whitespace -c --context -e --ed -n --normal -u "
				"--unified -N --forward -R --reverse --merge -E "
				"--remove-empty-files -Z --set-utc -T --set-time -b --backup "
				"--backup-if-mismatch --no-backup-if-mismatch -t --batch -f "
				"--force -s --quiet --silent --verbose --posix --binary -v "
				"--follow-symlinks"),
			SETS("--dry-run", B_QUIET),
			VALUES("-p --strip"), VALUES("-F --fuzz -D --ifdef --quoting-style -V "
				"--version-control -B --prefix -Y --basename-prefix -z "
				"--suffix -g --get --reject-format --read-only"),
			VALUE("-d --directory", CHDIR), VALUE("-i --input", READ),
			VALUE("-o --output -r --reject-file", WRITE)),
		.does = {DO_IF(WRITE_TREE, ".", 0, B_QUIET | B_SEEN)},
		.operands = {OP_IF(WRITE, FIRST, 0, B_QUIET),
			OP_IF(READ, FIRST, B_QUIET, 0), OP(READ, SECOND)},
		.hook = hook_patch},
	/* --- languages --- */
	{.names = "sed gsed",
		.manual = "sed(1), GNU sed 4.9",
		.opts = FACTS_OPTS(
			FLAGS("-n --quiet --silent --debug --follow-symlinks --posix -E -r "
				"--regexp-extended -s --separate --sandbox -u --unbuffered -z "
				"--null-data"),
			VALUES("-l --line-length"),
			VALUE_SETS("-e --expression", INERT, B_SCRIPT),
			VALUE_SETS("-f --file", LOAD, B_SCRIPT),
			{.names = "-i --in-place", .arg = FACTS_MAYBE, .set = B_INPLACE}),
		.operands = {OP_IF(INERT, FIRST, 0, B_SCRIPT),
			OP_IF(READ, FIRST, B_SCRIPT, 0),
			OP_IF(WRITE, FIRST, B_SCRIPT | B_INPLACE, 0), OP(READ, REST),
			OP_IF(WRITE, REST, B_INPLACE, 0)},
		.hook = hook_sed},
	{.names = "awk gawk mawk nawk original-awk",
		.manual = "gawk(1), mawk(1)",
		.style = FACTS_STOP,
		.opts = FACTS_OPTS(
			FLAGS("-c --traditional -C --copyright -g --gen-pot -h -M --bignum "
				"-n --non-decimal-data -N --use-lc-numeric -O --optimize -P "
				"--posix -r --re-interval -s --no-optimize -S --sandbox -t "
				"--lint-old -V -b --characters-as-bytes -k --csv"),
			MAYBES("-L --lint -D --debug -I --trace"),
			VALUES("-F --field-separator -v --assign"),
			VALUE_SETS("-e --source", INERT, B_SCRIPT),
			VALUE_SETS("-f --file -E --exec", LOAD, B_SCRIPT),
			VALUE("-i --include -l --load", LOAD),
			MAYBE("-d --dump-variables -o --pretty-print -p --profile", WRITE),
			VALUE("-W", UNKNOWN)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_awk},
	{.names = "jq gojq jaq",
		.manual = "jq(1)",
		.opts = FACTS_OPTS(
			FLAGS("-c --compact-output -r --raw-output -j --join-output -a "
				"--ascii-output -C --color-output -M --monochrome-output -S "
				"--sort-keys -s --slurp -e --exit-status -R --raw-input "
				"--tab --seq --stream --stream-errors --unbuffered "
				"--raw-output0 -h -V -b --binary --build-configuration"),
			SETS("-n --null-input", B_NULL), VALUES("--indent"),
			TWO("--arg --argjson", INERT), TWO("--slurpfile --rawfile", READ),
			VALUE_SETS("-f --from-file", LOAD, B_SCRIPT),
			VALUE("-L --library-path", LOAD),
			SETS("--args --jsonargs", B_FILES)),
		.operands = {OP_IF(INERT, FIRST, 0, B_SCRIPT),
			OP_IF(READ, FIRST, B_SCRIPT, B_FILES),
			OP_IF(READ, REST, 0, B_FILES), OP_IF(INERT, ALL, B_FILES, 0)},
		.hook = hook_jq},
	{.names = "yq",
		.manual = "https://mikefarah.gitbook.io/yq/",
		.opts = FACTS_OPTS(
			FLAGS("-c --compact-output -r --raw-output --unwrapScalar -y "
				"--yaml-output -Y -j --tojson -P --prettyPrint -C --colors -M "
				"--no-colors -e --exit-status --slurp -N --no-doc -v "
				"--verbose -V -S --sort-keys -0 --nul-output"),
			VALUE("-s --split-exp --split-exp-file", UNKNOWN),
			SETS("-n --null-input", B_NULL),
			SETS("-i --inplace", B_INPLACE),
			VALUES("-o --output-format -p --input-format -I --indent "
				"--front-matter --header-preprocess --xml-attribute-prefix "
				"--csv-separator"),
			TWO("--arg --argjson", INERT),
			VALUE_SETS("--from-file", LOAD, B_SCRIPT)),
		.subs = FACTS_SUBS({.names = "e eval ea eval-all",
			.operands = {OP(INERT, FIRST), OP(READ, REST),
				OP_IF(WRITE, REST, B_INPLACE, 0)},
			.hook = hook_jq}),
		.operands = {OP(INERT, FIRST), OP(READ, REST),
			OP_IF(WRITE, REST, B_INPLACE, 0)},
		.hook = hook_jq},
	/* --- shaping and showing --- */
	{.names = "less more most",
		.manual = "less(1), more(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-a -A -B -c -C -d -e -E -f -F -g -G -i -I -J -K -m -M -n -N "
				"-p -q -Q -r -R -s -S -u -U -V -w -W -X -~ --RAW-CONTROL-CHARS "
				"--raw-control-chars --chop-long-lines --quit-if-one-screen "
				"--no-init --LINE-NUMBERS --line-numbers --quit-at-eof "
				"--ignore-case --IGNORE-CASE --squeeze-blank-lines"),
			VALUES("-b -h -j -P -t -x -y -z -# --tabs --prompt --pattern"),
			VALUE("-o -O --log-file", WRITE),
			/* a key may run a program */
			VALUE("-k --lesskey-file --lesskey-src --lesskey-content", UNKNOWN)),
		.operands = {OP(READ, ALL)},
		.hook = hook_pager},
	{.names = "bat batcat",
		.manual = "bat(1)",
		.opts = FACTS_OPTS(
			FLAGS("-A --show-all -p --plain -pp -n --number -u --unbuffered -f "
				"--force-colorization -L --list-languages --list-themes -P "
				"--no-paging -d --diff -V --no-config --chop-long-lines -S"),
			VALUES("-l --language -H --highlight-line --file-name --tabs --wrap "
				"--terminal-width --color --italic-text --decorations --paging "
				"-m --map-syntax --theme --style -r --line-range "
				"--nonprintable-notation --strip-ansi --diff-context"),
			VALUE("--pager", SHELL)),
		.operands = {OP(READ, ALL)}},
	{.names = "column rev colrm col look",
		.manual = "column(1), rev(1), col(1)",
		.opts = FACTS_OPTS(
			FLAGS("-t --table -n -e --table-header-repeat -x --fillrows -J "
				"--json -L --keep-empty-lines -b -f -p -d --alphanum"),
			VALUES("-s --separator -o --output-separator -c --output-width -N "
				"--table-columns -R --table-right -H --table-hide -T "
				"--table-truncate -E --table-noextreme -W --table-wrap -O "
				"--table-order -r --tree -i --tree-id -l --lines")),
		.operands = {OP(READ, ALL)}},
	{.names = "xxd",
		.manual = "xxd(1)",
		.style = FACTS_ONE_DASH,
		.opts = FACTS_OPTS(
			FLAGS("-a -autoskip -b -bits -C -capitalize -d -e -E -EBCDIC -i "
				"-include -p -ps -postscript -plain -u -v -t"),
			FLAG("-r -revert", DECODED, ""),
			VALUES("-c -cols -g -groupsize -l -len -n -name -o -s -seek -R")),
		.operands = {OP(READ, FIRST), OP(WRITE, SECOND)}},
	{.names = "hexdump hd",
		.manual = "hexdump(1)",
		.opts = FACTS_OPTS(
			FLAGS("-b --one-byte-octal -X --one-byte-hex -c --one-byte-char -C "
				"--canonical -d --two-bytes-decimal -o --two-bytes-octal -x "
				"--two-bytes-hex -v --no-squeezing"),
			MAYBES("-L --color"),
			VALUES("-e --format -n --length -s --skip"),
			VALUE("-f --format-file", READ)),
		.operands = {OP(READ, ALL)}},
	{.names = "strings",
		.manual = "strings(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-a --all -d --data -f --print-file-name -o -w "
				"--include-all-whitespace"),
			VALUES("-n --bytes -t --radix -e --encoding -s --output-separator "
				"-T --target -U --unicode")),
		.operands = {OP(READ, ALL)}},
	{.names = "file",
		.manual = "file(1)",
		.opts = FACTS_OPTS(
			FLAGS("-v -z --uncompress -Z --uncompress-noreport -b --brief -c "
				"--checking-printout -i --mime --mime-type --mime-encoding "
				"--apple --extension -k --keep-going -l --list -L "
				"--dereference -h --no-dereference -n --no-buffer -N --no-pad "
				"-0 --print0 -p --preserve-date -r --raw -s --special-files -S "
				"--no-sandbox -d --debug -I"),
			FLAG("-C --compile", WRITE, "magic.mgc"),
			VALUES("-e --exclude --exclude-quiet -F --separator -P --parameter"),
			VALUE("-m --magic-file -f --files-from", READ)),
		.operands = {OP(READ, ALL)}},
	{.names = "iconv",
		.manual = "iconv(1)",
		.opts = FACTS_OPTS(
			FLAGS("-c -s --silent --verbose -l --list"),
			VALUES("-f --from-code -t --to-code"),
			VALUE("-o --output", WRITE)),
		.does = {DO(DECODED, "")},
		.operands = {OP(READ, ALL)}},
	{.names = "dos2unix unix2dos",
		.manual = "dos2unix(1)",
		.opts = FACTS_OPTS(
			FLAGS("-k --keepdate -q --quiet -f --force -s --safe -v --verbose"),
			SETS("-n --newfile", B_DIFF), SETS("-i --info", B_QUIET)),
		.operands = {OP(READ, ALL), OP_IF(WRITE, ALL, 0, B_QUIET)}},
	{.names = "tree",
		.manual = "tree(1)",
		.opts = FACTS_OPTS(
			FLAGS("-a -d -l -f -x -p -u -g -s -h --si -D -F -q -N -Q -i -A -S -n "
				"-C -X -J -t -c -U -r -v --dirsfirst --filesfirst --noreport "
				"--prune --gitignore --du --inodes --device --ignore-case "
				"--matchdirs --info --nolinks -R --fromfile -E"),
			VALUES("-L -P -I -H -T --filelimit --timefmt --charset --sort "
				"--gitfile --infofile"),
			VALUE("-o", WRITE)),
		.does = {DO_IF(LIST_TREE, ".", 0, FACTS_OPERANDS)},
		.operands = {OP(LIST_TREE, ALL)}},
	{.names = "cloc tokei scc",
		.manual = "cloc(1), tokei(1), scc(1)",
		.does = {DO_IF(READ_TREE, ".", 0, FACTS_OPERANDS)},
		.operands = {OP(READ_TREE, ALL)}},
	{.names = "xmllint",
		.manual = "xmllint(1)",
		.opts = FACTS_OPTS(
			FLAGS("--noout --format --nonet --html --recover --xmlout "
				"--nowarning --noblanks --nocdata --nowrap --huge "
				"--quiet --insert --compress --htmlout --stream "
				"--debug --version "),
			VALUES("--xpath --encode --pretty --maxmem --pattern"),
			VALUE("--output -o", WRITE),
			VALUE("--schema --relaxng --schematron --dtdvalid", READ),
			/* what they read is named in the document */
			FLAG("--shell --valid --noent --postvalid --xinclude --loaddtd", UNKNOWN, "")),
		.operands = {OP(READ, ALL)}},
	{.names = NULL},
};
// clang-format on
