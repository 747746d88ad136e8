/*
 * GNU coreutils 9: https://www.gnu.org/software/coreutils/manual/
 */

#include "facts/facts_priv.h"

enum bits {
	B_TREE = 1 << 0,   /* -r, -R */
	B_TARGET = 1 << 1, /* -t DIR: all operands are sources */
	B_FILE = 1 << 2,   /* -T: the target is no folder */
	B_DIRS = 1 << 3,   /* install -d */
	B_LINK = 1 << 4,   /* cp -l, -s */
	B_MODE = 1 << 5,   /* chmod: the mode was an option */
	B_CHECK = 1 << 6,
	B_OTHER = 1 << 7,
};

/* cat with nothing to read passes on what comes in; with one file, that. */
static void
hook_cat(struct facts_run *run)
{
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	if (run->operand_count == 1 && run->given_count == 0
		&& facts_path_of(run->f, &run->cwd, &run->operands[0], paths, &sure)
			== 1
		&& sure && !run->operands[0].flags) {
		struct facts_file *e = facts_file_find(run->f, paths[0]);

		run->out->file = paths[0];
		run->out->known = e && e->known;
		run->out->text = e && e->known ? e->text : STR("");
	}
	if (run->operand_count == 0 && run->in) {
		unsigned taint = run->out->taint;

		*run->out = *run->in;
		run->out->taint |= taint;
	}
}

static int
base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
		"uvwxyz0123456789+/";

	for (int i = 0; i < 64; i++) {
		if (digits[i] == c)
			return i;
	}
	return -1;
}

/* base64 -d of a text that is known: what comes out is known, too. */
static void
hook_base64(struct facts_run *run)
{
	const struct facts_flow *in = run->in;
	uint32_t bits = 0;
	unsigned have = 0;
	size_t n = 0;

	if (!str_eq(run->name, STR("base64"))
		|| !facts_given_find(run, "-d -D --decode") || run->operand_count > 0
		|| !in || !in->known)
		return;
	char *text = arena_alloc(run->f->a, in->text.len + 1);

	for (size_t i = 0; i < in->text.len && in->text.ptr[i] != '='; i++) {
		int d = base64_digit(in->text.ptr[i]);

		if (d < 0)
			continue;
		bits = bits << 6 | (unsigned)d;
		have += 6;
		if (have >= 8) {
			have -= 8;
			text[n++] = (char)(bits >> have & 255);
		}
	}
	run->out->known = true;
	run->out->text = (struct str){text, n};
}

/* ls: names that are looked for here. */
static void
hook_ls(struct facts_run *run)
{
	static const struct facts_word here = {
		.text = {"", 0}
    };
	static const char plain[] =
		"-1 -a -A -t -r -S -U -c -u -v -X -d --all --almost-all --reverse";

	facts_names_flow(run->f, &run->cwd, &here, run->out);
	run->out->names = facts_names_stay(run, 0);
	for (size_t i = 0; i < run->given_count; i++) {
		if (!facts_names_have(plain, run->given[i].name))
			run->out->names = false;
	}
}

/* head, sort and kin print some of the lines that come in. */
static void
hook_filter(struct facts_run *run)
{
	if (run->operand_count > 0 || !run->in)
		return;
	run->out->names = run->in->names;
	run->out->below = run->in->below;
	run->out->tree = run->in->tree;
}

static void
hook_tee(struct facts_run *run)
{
	if (run->in) {
		*run->out = *run->in;
		run->out->any = true;
	}
}

/* What is copied into a folder gets its own name there; whether the target is
 * one, only the disk knows. */
static void
hook_into(struct facts_run *run)
{
	const struct facts_given *t =
		facts_given_find(run, "-t --target-directory");
	size_t sources = run->operand_count;
	struct facts_word to, into;

	if ((run->bits & (B_FILE | B_DIRS)) || sources == 0)
		return;
	if (t && t->has_value) {
		to = t->value;
	} else {
		if (sources < 2)
			return;
		to = run->operands[--sources];
	}
	if (to.flags & (FACTS_DYNAMIC | FACTS_MANY))
		return;
	for (size_t i = 0; i < sources; i++) {
		struct str base = run->operands[i].text;

		if (run->operands[i].flags & (FACTS_DYNAMIC | FACTS_PIPE))
			continue;
		while (str_ends(base, STR("/")))
			base.len--;
		base = str_base(base);
		into = to;
		into.flags |= run->operands[i].flags;
		into.text =
			arena_fmt(run->f->a, "%.*s/%.*s", STR_ARG(to.text), STR_ARG(base));
		facts_apply(
			run, run->bits & B_LINK ? FACTS_LINK : FACTS_WRITE, 0, &into);
	}
}

/* The targets of links: where the new names lead. */
static void
hook_ln(struct facts_run *run)
{
	size_t count = run->operand_count;
	bool symbolic = facts_given_find(run, "-s --symbolic") != NULL;

	hook_into(run);
	if (count > 1 && !(run->bits & B_TARGET))
		count--;
	for (size_t i = 0; i < count; i++) {
		struct facts_word w = run->operands[i];
		const struct facts_word *link = &run->operands[run->operand_count - 1];
		struct str dir = link->text;

		/* a symbolic link's target counts from where the link is */
		if (symbolic && run->operand_count > 1 && !(w.flags & FACTS_DYNAMIC)
			&& w.text.len > 0 && w.text.ptr[0] != '/'
			&& !facts_given_find(run, "-r --relative")) {
			dir.len -= str_base(dir).len;
			w.text =
				arena_fmt(run->f->a, "%.*s%.*s", STR_ARG(dir), STR_ARG(w.text));
			w.flags |= link->flags;
		}
		facts_apply(run, FACTS_LIST, CALL_EFFECT_LINK, &w);
	}
	if (run->operand_count == 1)
		facts_apply_text(run, FACTS_CREATE, CALL_EFFECT_LINK, ".");
}

/* dd if=FILE of=FILE */
static void
hook_dd(struct facts_run *run)
{
	run->done = true;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];
		struct str value, name = str_cut(w.text, '=', &value);

		w.text = value;
		if (str_eq(name, STR("if")))
			facts_apply(run, FACTS_READ, 0, &w);
		else if (str_eq(name, STR("of")))
			facts_apply(run, FACTS_DEVICE, 0, &w);
		else if (!facts_names_have("bs cbs conv count ibs iflag obs oflag seek "
								   "skip status iseek oseek --help --version",
					 name))
			facts_run_ignore(run, CALL_UNKNOWN, "an operand that is not known",
				run->operands[i].source);
	}
}

/* env [NAME=VALUE]... [COMMAND] */
static void
hook_env(struct facts_run *run)
{
	size_t i = 0;

	run->done = true;
	if (run->operand_count > 0 && str_eq(run->operands[0].text, STR("-")))
		i++; /* the old form of -i */
	while (i < run->operand_count && str_has_char(run->operands[i].text, '=')) {
		facts_apply(run, FACTS_ASSIGN, 0, &run->operands[i]);
		i++;
	}
	if (i < run->operand_count)
		facts_run_inner(run, run->operands + i, run->operand_count - i);
	else if (!facts_given_find(run, "-S --split-string"))
		facts_apply_text(run, FACTS_SECRET, 0, "environment");
}

static void
hook_printenv(struct facts_run *run)
{
	run->done = true;
	if (run->operand_count == 0)
		facts_apply_text(run, FACTS_SECRET, 0, "environment");
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word v = facts_var_get(run->f, run->operands[i].text);

		if (v.taint & FACTS_FROM_TOKEN)
			facts_apply(run, FACTS_SECRET, 0, &run->operands[i]);
	}
}

/* date +FORMAT shows the time; any other operand sets it. */
static void
hook_date(struct facts_run *run)
{
	for (size_t i = 0; i < run->operand_count; i++) {
		if (!str_starts(run->operands[i].text, STR("+")))
			facts_apply_text(run, FACTS_SYSTEM, 0, "clock");
	}
}

#define COPY_FLAGS                                                          \
	FLAGS("-b -f --force -i --interactive -n --no-clobber -v --verbose -u " \
		  "--update --strip-trailing-slashes -Z"),                          \
		MAYBES("--backup --context"), VALUES("-S --suffix"),                \
		VALUE_SETS("-t --target-directory", WRITE, B_TARGET),               \
		SETS("-T --no-target-directory", B_FILE)

#define LS_OPTS                                                              \
	FACTS_OPTS(                                                              \
		FLAGS("-a --all -A --almost-all --author -b --escape -B "            \
			  "--ignore-backups -c -C -d --directory -D --dired -f "         \
			  "--file-type --full-time -g --group-directories-first -G "     \
			  "--no-group -h --human-readable --si -H "                      \
			  "--dereference-command-line "                                  \
			  "--dereference-command-line-symlink-to-dir -i --inode -k "     \
			  "--kibibytes -l -L --dereference -m -n "                       \
			  "--numeric-uid-gid -N --literal -o -q "                        \
			  "--hide-control-chars --show-control-chars -Q "                \
			  "--quote-name -r --reverse -s --size -S -t -u -U -v -x -X "    \
			  "-Z --context --zero -1 -p"),                                  \
		VALUES("--block-size --format --hide --indicator-style -I --ignore " \
			   "--quoting-style --sort --time --time-style -T --tabsize -w " \
			   "--width"),                                                   \
		MAYBES("--color -F --classify --hyperlink"),                         \
		SETS("-R --recursive", B_TREE))

#define SUM_OPTS                                                             \
	FACTS_OPTS(                                                              \
		FLAGS("-b --binary --tag -t --text -z --zero --ignore-missing "      \
			  "--quiet --status --strict -w --warn -r -s --sysv --untagged " \
			  "--debug"),                                                    \
		VALUES("-l --length -a --algorithm"), SETS("-c --check", B_CHECK))

#define OWNER_OPTS                                                            \
	FLAGS("-c --changes -f --silent --quiet -v --verbose --no-preserve-root " \
		  "--preserve-root --dereference -h --no-dereference -H -L -P"),      \
		SETS("-R --recursive", B_TREE), VALUES("--from"),                     \
		VALUE_SETS("--reference", LIST, B_MODE)

#define OWNER_OPERANDS                                                      \
	{                                                                       \
		OP_IF(INERT, FIRST, 0, B_MODE), OP_IF(MODE, FIRST, B_MODE, B_TREE), \
			OP_IF(MODE_TREE, FIRST, B_MODE | B_TREE, 0),                    \
			OP_IF(MODE, REST, 0, B_TREE), OP_IF(MODE_TREE, REST, B_TREE, 0) \
	}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_coreutils[] = {
	/* --- reading --- */
	{.names = "cat",
		.manual = "cat(1)",
		.opts = FACTS_OPTS(FLAGS(
			"-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s "
			"--squeeze-blank -t -T --show-tabs -u -v --show-nonprinting")),
		.operands = {OP(READ, ALL)},
		.hook = hook_cat},
	{.names = "tac",
		.manual = "tac(1)",
		.opts = FACTS_OPTS(
			FLAGS("-b --before -r --regex"), VALUES("-s --separator")),
		.operands = {OP(READ, ALL)},
		.hook = hook_filter},
	{.names = "head",
		.manual = "head(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-q --quiet --silent -v --verbose -z --zero-terminated"),
			VALUES("-c --bytes -n --lines")),
		.operands = {OP(READ, ALL)},
		.hook = hook_filter},
	{.names = "tail",
		.manual = "tail(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-F -q --quiet --silent --retry -v --verbose -z "
				  "--zero-terminated"),
			VALUES("-c --bytes -n --lines --max-unchanged-stats --pid -s "
				   "--sleep-interval"),
			MAYBES("--follow"), FLAGS("-f")),
		.operands = {OP(READ, ALL)},
		.hook = hook_filter},
	{.names = "nl",
		.manual = "nl(1)",
		.opts = FACTS_OPTS(FLAGS("-p --no-renumber"),
			VALUES("-b --body-numbering -d --section-delimiter -f "
				   "--footer-numbering -h --header-numbering -i "
				   "--line-increment -l --join-blank-lines -n "
				   "--number-format -s --number-separator -v "
				   "--starting-line-number -w --number-width")),
		.operands = {OP(READ, ALL)}},
	{.names = "wc",
		.manual = "wc(1)",
		.opts = FACTS_OPTS(FLAGS("-c --bytes -m --chars -l --lines -L "
								 "--max-line-length -w --words"),
			VALUES("--total"), VALUE("--files0-from", READ)),
		.operands = {OP(READ, ALL)}},
	{.names = "sort",
		.manual = "sort(1)",
		.opts = FACTS_OPTS(
			FLAGS("-b --ignore-leading-blanks -d --dictionary-order -f "
				  "--ignore-case -g --general-numeric-sort -i "
				  "--ignore-nonprinting -M --month-sort -h "
				  "--human-numeric-sort -n --numeric-sort -R --random-sort -r "
				  "--reverse -V --version-sort --debug -m --merge -s --stable "
				  "-u --unique -z --zero-terminated -c -C"),
			VALUES("--sort --batch-size -k --key -S --buffer-size -t "
				   "--field-separator --parallel"),
			MAYBES("--check"), VALUE("--random-source", READ),
			VALUE("--files0-from", UNKNOWN), VALUES("-T --temporary-directory"), VALUE("-o --output", WRITE),
			VALUE("--compress-program", SHELL)),
		.operands = {OP(READ, ALL)},
		.hook = hook_filter},
	{.names = "uniq",
		.manual = "uniq(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-c --count -d --repeated -D -i --ignore-case -u --unique -z "
				  "--zero-terminated"),
			VALUES("-f --skip-fields -s --skip-chars -w --check-chars"),
			MAYBES("--all-repeated --group")),
		.operands = {OP(READ, FIRST), OP(WRITE, SECOND)}},
	{.names = "cut",
		.manual = "cut(1)",
		.opts = FACTS_OPTS(
			FLAGS("-n --complement -s --only-delimited -z --zero-terminated"),
			VALUES("-b --bytes -c --characters -d --delimiter -f --fields "
				   "--output-delimiter")),
		.operands = {OP(READ, ALL)}},
	{.names = "paste",
		.manual = "paste(1)",
		.opts = FACTS_OPTS(FLAGS("-s --serial -z --zero-terminated"),
			VALUES("-d --delimiters")),
		.operands = {OP(READ, ALL)}},
	{.names = "join",
		.manual = "join(1)",
		.opts = FACTS_OPTS(FLAGS("-i --ignore-case --check-order "
								 "--nocheck-order --header -z "
								 "--zero-terminated"),
			VALUES("-a -e -j -o -t -v -1 -2")),
		.operands = {OP(READ, ALL)}},
	{.names = "comm",
		.manual = "comm(1)",
		.opts = FACTS_OPTS(FLAGS("-1 -2 -3 --check-order --nocheck-order "
								 "--total -z --zero-terminated"),
			VALUES("--output-delimiter")),
		.operands = {OP(READ, ALL)}},
	{.names = "fold fmt expand unexpand pr",
		.manual = "fold(1), fmt(1), expand(1), unexpand(1), pr(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-b --bytes -s --spaces -c --crown-margin --split-only -u "
				  "--uniform-spacing -i --initial -a --all --first-only -m "
				  "--merge -r -T -F -J -d"),
			VALUES("-w --width -p --prefix -g --goal -t --tabs -h --header -l "
				   "--length -o --indent -W --page-width -N"),
			MAYBES("-e -n -S")),
		.operands = {OP(READ, ALL)}},
	{.names = "od",
		.manual = "od(1)",
		.opts = FACTS_OPTS(FLAGS("-v --output-duplicates --traditional -a -b -c "
								 "-d -f -i -l -o -s -x"),
			VALUES("-A --address-radix --endian -j --skip-bytes -N "
				   "--read-bytes -t --format"),
			MAYBES("-S --strings -w --width")),
		.operands = {OP(READ, ALL)}},
	{.names = "tsort",
		.manual = "tsort(1)",
		.operands = {OP(READ, ALL)}},
	{.names = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum "
			  "cksum sum",
		.manual = "md5sum(1), sha1sum(1), sha256sum(1), cksum(1)",
		.opts = SUM_OPTS,
		.operands = {OP(READ, ALL)}},
	{.names = "base64 base32 basenc",
		.manual = "base64(1)",
		.opts = FACTS_OPTS(
			FLAGS("-i --ignore-garbage --base64 --base64url --base32 "
				  "--base32hex --base16 --base2msbf --base2lsbf --z85"),
			FLAG("-d -D --decode", DECODED, ""), FLAGS("-e --encode"),
			VALUES("-w --wrap -b")),
		.operands = {OP(READ, ALL)},
		.hook = hook_base64},
	{.names = "shuf",
		.manual = "shuf(1)",
		.opts = FACTS_OPTS(FLAGS("-r --repeat -z --zero-terminated"),
			SETS("-e --echo", B_OTHER),
			VALUES("-i --input-range -n --head-count"),
			VALUE("-o --output", WRITE), VALUE("--random-source", READ)),
		.operands = {OP_IF(INERT, ALL, B_OTHER, 0),
			OP_IF(READ, ALL, 0, B_OTHER)}},
	{.names = "tr",
		.manual = "tr(1)",
		.opts = FACTS_OPTS(FLAGS("-c -C --complement -d --delete -s "
								 "--squeeze-repeats -t --truncate-set1")),
		.does = {DO(DECODED, "")},
		.operands = {OP(INERT, ALL)}},
	/* --- names and metadata --- */
	{.names = "ls dir vdir",
		.manual = "ls(1)",
		.opts = LS_OPTS,
		.does = {DO_IF(LIST, ".", 0, FACTS_OPERANDS | B_TREE),
			DO_IF(LIST_TREE, ".", B_TREE, FACTS_OPERANDS)},
		.operands = {OP_IF(LIST, ALL, 0, B_TREE),
			OP_IF(LIST_TREE, ALL, B_TREE, 0)},
		.hook = hook_ls},
	{.names = "stat",
		.manual = "stat(1)",
		.opts =
			FACTS_OPTS(FLAGS("-L --dereference -f --file-system -t --terse"),
				VALUES("-c --format --cached --printf")),
		.operands = {OP(LIST, ALL)}},
	{.names = "du",
		.manual = "du(1)",
		.opts = FACTS_OPTS(
			FLAGS("-0 --null -a --all --apparent-size -b --bytes -c --total -D "
				  "--dereference-args -H -h --human-readable --inodes -k -L "
				  "--dereference -l --count-links -m -P --no-dereference -S "
				  "--separate-dirs --si -s --summarize -x --one-file-system"),
			VALUES("-B --block-size -d --max-depth -t --threshold "
				   "--time-style --exclude"),
			MAYBES("--time"),
			VALUE("--files0-from -X --exclude-from", READ)),
		.does = {DO_IF(LIST_TREE, ".", 0, FACTS_OPERANDS)},
		.operands = {OP(LIST_TREE, ALL)}},
	{.names = "df",
		.manual = "df(1)",
		.opts = FACTS_OPTS(
			FLAGS("-a --all -h --human-readable -H --si -i --inodes -k -l "
				  "--local --no-sync -P --portability --sync --total -T "
				  "--print-type -v -m"),
			VALUES("-B --block-size -t --type -x --exclude-type"),
			MAYBES("--output")),
		.operands = {OP(LIST, ALL)}},
	{.names = "basename dirname",
		.manual = "basename(1), dirname(1)",
		.style = FACTS_ANY_WORDS,
		.opts = FACTS_OPTS(
			FLAGS("-a --multiple -z --zero"), VALUES("-s --suffix")),
		.operands = {OP(INERT, ALL)}},
	{.names = "realpath readlink",
		.manual = "realpath(1), readlink(1)",
		.opts = FACTS_OPTS(
			FLAGS("-e --canonicalize-existing -m --canonicalize-missing -f "
				  "--canonicalize -L --logical -P --physical -q --quiet -s "
				  "--strip --no-symlinks -n --no-newline --silent -v --verbose "
				  "-z --zero"),
			VALUE("--relative-to --relative-base", INERT)),
		.operands = {OP(LIST, ALL)}},
	{.names = "pathchk",
		.manual = "pathchk(1)",
		.opts = FACTS_OPTS(FLAGS("-p -P --portability")),
		.operands = {OP(INERT, ALL)}},
	/* --- the machine and the user --- */
	{.names = "id groups whoami logname users uname nproc hostid tty "
			  "uptime who pinky",
		.manual = "id(1), uname(1), who(1), nproc(1)",
		.opts = FACTS_OPTS(
			FLAGS("-a -Z --context -g --group -G --groups -n --name -r --real "
				  "-u --user -z --zero --all -s --kernel-name --nodename "
				  "--kernel-release -v --kernel-version -m --machine -p "
				  "--processor -i --hardware-platform -o --operating-system -b "
				  "--boot -d --dead -H --heading --ips -l --login --lookup "
				  "--process -q --count --runlevel --short -t --time -T -w "
				  "--mesg --users --message --writable --pretty --since "
				  "--silent --quiet"),
			MAYBES("--ignore")),
		.operands = {OP(INERT, ALL)}},
	{.names = "date",
		.manual = "date(1)",
		.opts = FACTS_OPTS(
			FLAGS("--debug --resolution -R --rfc-email -u --utc --universal"),
			VALUES("-d --date --rfc-3339"), MAYBES("-I --iso-8601"),
			VALUE("-f --file", READ), VALUE("-r --reference", LIST),
			VALUE("-s --set", SYSTEM)),
		.operands = {OP(INERT, ALL)},
		.hook = hook_date},
	{.names = "printenv",
		.manual = "printenv(1)",
		.opts = FACTS_OPTS(FLAGS("-0 --null")),
		.operands = {OP(INERT, ALL)},
		.hook = hook_printenv},
	{.names = "sleep seq factor yes expr numfmt",
		.manual = "sleep(1), seq(1), factor(1), yes(1), expr(1), numfmt(1)",
		.style = FACTS_ANY_WORDS | FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)}},
	{.names = "sync",
		.manual = "sync(1)",
		.opts = FACTS_OPTS(FLAGS("-d --data -f --file-system")),
		.operands = {OP(LIST, ALL)}},
	{.names = "stty",
		.manual = "stty(1)",
		.style = FACTS_KEYWORDS,
		.operands = {OP(INERT, ALL)}},
	/* --- writing --- */
	{.names = "tee",
		.manual = "tee(1)",
		.opts = FACTS_OPTS(FLAGS("-a --append -i --ignore-interrupts -p"),
			MAYBES("--output-error")),
		.operands = {OP(WRITE, ALL)},
		.hook = hook_tee},
	{.names = "touch",
		.manual = "touch(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(
			FLAGS("-a -c --no-create -f -h --no-dereference -m"),
			VALUES("-d --date -t --time"), VALUE("-r --reference", LIST)),
		.operands = {OP(CREATE, ALL)}},
	{.names = "mkdir",
		.manual = "mkdir(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(FLAGS("-p --parents -v --verbose -Z"),
			VALUES("-m --mode"), MAYBES("--context")),
		.operands = {OP(CREATE, ALL)}},
	{.names = "mkfifo",
		.manual = "mkfifo(1)",
		.opts = FACTS_OPTS(
			FLAGS("-Z"), VALUES("-m --mode"), MAYBES("--context")),
		.operands = {OP(CREATE, ALL)}},
	{.names = "mknod",
		.manual = "mknod(1)",
		.opts = FACTS_OPTS(
			FLAGS("-Z"), VALUES("-m --mode"), MAYBES("--context")),
		.operands = {OP(CREATE, FIRST), OP(PRIVILEGE, SECOND),
			OP(INERT, THIRD_ON)}},
	{.names = "mktemp",
		.manual = "mktemp(1)",
		.opts = FACTS_OPTS(FLAGS("-d --directory -q --quiet -t"),
			SETS("-u --dry-run", B_OTHER), VALUES("--suffix"),
			VALUE_SETS("-p", CREATE, B_TARGET), MAYBE("--tmpdir", CREATE)),
		.does = {DO_IF(CREATE, "/tmp/tmp.XXXXXXXXXX", 0,
			FACTS_OPERANDS | B_OTHER | B_TARGET)},
		.operands = {OP_IF(CREATE, ALL, 0, B_OTHER),
			OP_IF(INERT, ALL, B_OTHER, 0)}},
	{.names = "truncate",
		.manual = "truncate(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(FLAGS("-c --no-create -o --io-blocks"),
			VALUES("-s --size"), VALUE("-r --reference", LIST)),
		.operands = {OP(TRUNCATE, ALL)}},
	{.names = "split",
		.manual = "split(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-d -x -e --elide-empty-files -u --unbuffered --verbose"),
			VALUES("-a --suffix-length --additional-suffix -b --bytes -C "
				   "--line-bytes -l --lines -n --number -t --separator"),
			MAYBES("--numeric-suffixes --hex-suffixes"),
			VALUE("--filter", SHELL)),
		.does = {DO_IF(WRITE, "xaa", 0, 0)},
		.operands = {OP(READ, FIRST), OP(WRITE, SECOND)}},
	{.names = "csplit",
		.manual = "csplit(1)",
		.opts = FACTS_OPTS(FLAGS("-k --keep-files --suppress-matched -s "
								 "--quiet --silent -z --elide-empty-files"),
			VALUES("-b --suffix-format -n --digits"),
			VALUE("-f --prefix", WRITE)),
		.does = {DO(WRITE, "xx00")},
		.operands = {OP(READ, FIRST), OP(INERT, REST)}},
	{.names = "cp",
		.manual = "cp(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(COPY_FLAGS, SETS("-a --archive -r -R --recursive", B_TREE),
			FLAGS("--attributes-only --copy-contents -d -H -L --dereference -P "
				  "--no-dereference -p --parents --remove-destination -x "
				  "--one-file-system"),
			SETS("-l --link -s --symbolic-link", B_LINK),
			VALUES("--no-preserve --sparse"), MAYBES("--preserve --reflink")),
		.operands = {OP_IF(READ, BUT_LAST, 0, B_TREE),
			OP_IF(READ_TREE, BUT_LAST, B_TREE, 0),
			OP_IF(READ, LAST, B_TARGET, B_TREE),
			OP_IF(READ_TREE, LAST, B_TARGET | B_TREE, 0),
			OP_IF(WRITE, LAST, 0, B_TARGET | B_LINK),
			OP_IF(LINK, LAST, B_LINK, B_TARGET)},
		.hook = hook_into},
	{.names = "mv",
		.manual = "mv(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(COPY_FLAGS),
		.operands =
			{{.role = FACTS_DELETE_TREE,
				 .at = FACTS_BUT_LAST,
				 .flags = CALL_EFFECT_MOVED},
				{.role = FACTS_DELETE_TREE,
					.at = FACTS_LAST,
					.flags = CALL_EFFECT_MOVED,
					.when = B_TARGET},
				OP(READ_TREE, BUT_LAST), OP_IF(READ_TREE, LAST, B_TARGET, 0),
				OP_IF(WRITE, LAST, 0, B_TARGET)},
		.hook = hook_into},
	{.names = "install ginstall",
		.manual = "install(1)",
		.opts = FACTS_OPTS(
			FLAGS("-b -c -C --compare -D -p --preserve-timestamps -s --strip -v "
				  "--verbose --preserve-context -Z"),
			MAYBES("--backup --context"),
			VALUES("-g --group -m --mode -o --owner -S --suffix"),
			VALUE("--strip-program", SHELL),
			VALUE_SETS("-t --target-directory", WRITE, B_TARGET),
			SETS("-T --no-target-directory", B_FILE),
			SETS("-d --directory", B_DIRS)),
		.operands = {OP_IF(CREATE, ALL, B_DIRS, 0),
			OP_IF(READ, BUT_LAST, 0, B_DIRS),
			OP_IF(READ, LAST, B_TARGET, B_DIRS),
			OP_IF(WRITE, LAST, 0, B_TARGET | B_DIRS)},
		.hook = hook_into},
	{.names = "ln",
		.manual = "ln(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(
			FLAGS("-b -d -F --directory -f --force -i --interactive -L "
				  "--logical -n --no-dereference -P --physical -v --verbose"),
			SETS("-s --symbolic -r --relative", 0), MAYBES("--backup"),
			VALUES("-S --suffix"),
			VALUE_SETS("-t --target-directory", WRITE, B_TARGET | B_LINK),
			SETS("-T --no-target-directory", B_FILE)),
		.operands = {OP(INERT, ALL), OP_IF(LINK, LAST, 0, B_TARGET)},
		.hook = hook_ln},
	{.names = "link",
		.manual = "link(1)",
		.operands = {OP(LIST, FIRST), OP(LINK, SECOND)}},
	{.names = "dd",
		.manual = "dd(1)",
		.style = FACTS_KEYWORDS | FACTS_BARE_UNKNOWN,
		.hook = hook_dd},
	/* --- deleting --- */
	{.names = "rm",
		.manual = "rm(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(FLAGS("-f --force -i -I --one-file-system "
								 "--no-preserve-root -d --dir -v --verbose"),
			MAYBES("--interactive --preserve-root"),
			SETS("-r -R --recursive", B_TREE)),
		.operands = {OP_IF(DELETE, ALL, 0, B_TREE),
			OP_IF(DELETE_TREE, ALL, B_TREE, 0)}},
	{.names = "rmdir",
		.manual = "rmdir(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(
			FLAGS("--ignore-fail-on-non-empty -p --parents -v --verbose")),
		.operands = {OP(DELETE, ALL)}},
	{.names = "unlink",
		.manual = "unlink(1)",
		.style = FACTS_BARE_UNKNOWN,
		.operands = {OP(DELETE, ALL)}},
	{.names = "shred",
		.manual = "shred(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(
			FLAGS("-f --force -v --verbose -x --exact -z --zero"),
			SETS("-u", B_OTHER), MAYBES("--remove"),
			VALUES("-n --iterations -s --size"),
			VALUE("--random-source", READ)),
		.operands = {OP_FLAGS(DEVICE, ALL, CALL_EFFECT_LOSSY),
			OP_IF(DELETE, ALL, B_OTHER, 0)}},
	/* --- owners and modes --- */
	{.names = "chmod",
		.manual = "chmod(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(OWNER_OPTS,
			SETS("-r -w -x -X -s -t -u -g -o -a", B_MODE)),
		.operands = OWNER_OPERANDS},
	{.names = "chown chgrp",
		.manual = "chown(1), chgrp(1)",
		.style = FACTS_BARE_UNKNOWN,
		.opts = FACTS_OPTS(OWNER_OPTS),
		.operands = OWNER_OPERANDS},
	{.names = "chcon runcon",
		.manual = "chcon(1), runcon(1)",
		.does = {DO(UNKNOWN, "")},
		.operands = {OP(INERT, ALL)}},
	/* --- running others --- */
	{.names = "env",
		.manual = "env(1)",
		.style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(
			FLAGS("-i --ignore-environment -0 --null --list-signal-handling -v "
				  "--debug -"),
			VALUES("-u --unset"), VALUE("-C --chdir", CHDIR),
			VALUE("-S --split-string", SHELL),
			MAYBES("--block-signal --default-signal --ignore-signal")),
		.hook = hook_env},
	{.names = "timeout",
		.manual = "timeout(1)",
		.style = FACTS_STOP | FACTS_WRAPPER,
		.opts =
			FACTS_OPTS(FLAGS("--preserve-status -f --foreground -v --verbose -p"),
				VALUES("-k --kill-after -s --signal")),
		.operands = {OP(INERT, FIRST), OP(COMMAND, SECOND)}},
	{.names = "nice",
		.manual = "nice(1)",
		.style = FACTS_STOP | FACTS_WRAPPER | FACTS_DIGITS,
		.opts = FACTS_OPTS(VALUES("-n --adjustment")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "nohup",
		.manual = "nohup(1)",
		.style = FACTS_STOP | FACTS_WRAPPER,
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "stdbuf",
		.manual = "stdbuf(1)",
		.style = FACTS_STOP | FACTS_WRAPPER,
		.opts = FACTS_OPTS(VALUES("-i --input -o --output -e --error")),
		.operands = {OP(COMMAND, FIRST)}},
	{.names = "chroot",
		.manual = "chroot(8)",
		.style = FACTS_STOP | FACTS_WRAPPER | FACTS_PRIVILEGED,
		.opts = FACTS_OPTS(FLAGS("--skip-chdir"),
			VALUES("--groups --userspec -g -G -u")),
		.does = {DO(PRIVILEGE, "chroot"), DO(UNKNOWN, "chroot")},
		.operands = {OP(LIST, FIRST), OP(COMMAND, SECOND)}},
	{.names = NULL},
};
// clang-format on
