/*
 * Archives and compressed files.
 */

#include "facts/facts_priv.h"

enum bits {
	B_CREATE = 1 << 0,
	B_EXTRACT = 1 << 1,
	B_LIST = 1 << 2,
	B_STDOUT = 1 << 3,
	B_FILE = 1 << 4,
	B_FOLDER = 1 << 5,
	B_KEEP = 1 << 6,
	B_TREE = 1 << 7,
};

/* tar: the archive's role depends on what is done with it. */
static void
tar_archive(struct facts_run *run, const struct facts_word *file)
{
	struct str host = file->text, rest;

	host = str_cut(host, ':', &rest);
	if (rest.ptr && !str_has_char(host, '/')
		&& !(file->flags & FACTS_DYNAMIC)) {
		facts_apply(run,
			run->bits & B_CREATE ? FACTS_HOST_WRITE : FACTS_HOST_READ, 0, file);
		return;
	}
	facts_apply(run, run->bits & B_CREATE ? FACTS_WRITE : FACTS_READ, 0, file);
}

/* The bundled letters of the old style: tar xzf FILE. Returns how many operands
 * they took as values. */
static size_t
tar_old_style(struct facts_run *run)
{
	struct str letters = run->operands[0].text;
	size_t next = 1;

	for (size_t i = 0; i < letters.len; i++) {
		char c = letters.ptr[i];

		if (c == 'c' || c == 'r' || c == 'u' || c == 'A')
			run->bits |= B_CREATE;
		else if (c == 'x')
			run->bits |= B_EXTRACT;
		else if (c == 't' || c == 'd')
			run->bits |= B_LIST;
		else if (c == 'O')
			run->bits |= B_STDOUT;
		else if (!str_has_char(STR("zjJavpkmfChPUwWSl"), c))
			facts_run_ignore(
				run, CALL_UNKNOWN, "an option that is not known", letters);
	}
	for (size_t i = 0; i < letters.len; i++) {
		if (letters.ptr[i] == 'f' && next < run->operand_count)
			tar_archive(run, &run->operands[next++]);
		else if (letters.ptr[i] == 'C' && next < run->operand_count)
			facts_apply(run, FACTS_CHDIR, 0, &run->operands[next++]);
	}
	return next;
}

static void
hook_tar(struct facts_run *run)
{
	size_t first = 0;
	struct facts_cwd target;

	run->done = true;
	if (!(run->bits & (B_CREATE | B_EXTRACT | B_LIST))
		&& run->operand_count > 0)
		first = tar_old_style(run);
	target = run->cwd;
	for (size_t i = 0; i < run->given_count; i++) {
		/* the archive is named against where tar was started */
		if (!facts_names_have("-f --file", run->given[i].name)
			|| !run->given[i].has_value)
			continue;
		run->cwd = run->f->s.cwd;
		tar_archive(run, &run->given[i].value);
		run->cwd = target;
	}
	if ((run->bits & B_EXTRACT) && !(run->bits & B_STDOUT))
		facts_apply_text(run, FACTS_WRITE_TREE, 0, ".");
	if (run->bits & B_EXTRACT)
		run->out->taint |= FACTS_FROM_DECODER;
	for (size_t i = first; i < run->operand_count; i++)
		facts_apply(run,
			run->bits & B_CREATE       ? FACTS_READ_TREE
				: run->bits & B_STDOUT ? FACTS_FILTER /* shown by name */
									   : FACTS_INERT,
			0, &run->operands[i]);
}

/* gzip FILE: FILE becomes FILE.gz, unless -c or -k. */
static void
hook_gzip(struct facts_run *run)
{
	bool unpacks = str_starts(run->name, STR("un"))
		|| str_starts(run->name, STR("gun"))
		|| str_starts(run->name, STR("bun")) || (run->bits & B_EXTRACT);
	bool only_reads =
		run->bits & (B_STDOUT | B_LIST) || str_ends(run->name, STR("cat"));

	run->done = true;
	if (unpacks || str_ends(run->name, STR("cat")))
		run->out->taint |= FACTS_FROM_DECODER;
	for (size_t i = 0; i < run->operand_count; i++) {
		struct facts_word w = run->operands[i];

		facts_apply(
			run, run->bits & B_TREE ? FACTS_READ_TREE : FACTS_READ, 0, &w);
		if (only_reads)
			continue;
		if (!(run->bits & B_KEEP))
			facts_apply(run, FACTS_DELETE_TREE, CALL_EFFECT_MOVED, &w);
		if (!(w.flags & (FACTS_DYNAMIC | FACTS_GLOB)) && !unpacks)
			w.text = arena_fmt(run->f->a, "%.*s.gz", STR_ARG(w.text));
		facts_apply(run, FACTS_WRITE, 0, &w);
	}
}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_archive[] = {
	{.names = "tar gtar bsdtar",
		.manual = "tar(1), GNU tar 1.34",
		.opts = FACTS_OPTS(
			SETS("-c --create -r --append -u --update -A --catenate "
				"--concatenate --delete", B_CREATE),
			SETS("-x --extract --get", B_EXTRACT),
			SETS("-t --list -d --diff --compare --test-label", B_LIST),
			SETS("-O --to-stdout", B_STDOUT),
			FLAGS("-v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz "
				"--lzip --lzma --lzop --zstd -Z --compress --uncompress -a "
				"--auto-compress --no-auto-compress -p --preserve-permissions "
				"--same-permissions --same-owner --no-same-owner "
				"--no-same-permissions --numeric-owner -k --keep-old-files "
				"--keep-newer-files --keep-directory-symlink "
				"--skip-old-files --overwrite --overwrite-dir "
				"--no-overwrite-dir -U --unlink-first -m --touch "
				"--exclude-vcs --exclude-vcs-ignores --exclude-backups "
				"--exclude-caches --exclude-caches-all -h --dereference "
				"--hard-dereference --one-file-system --no-recursion "
				"--recursion --wildcards --no-wildcards --anchored "
				"--no-anchored --ignore-case -S --sparse -w --interactive "
				"--confirmation -W --verify --null --no-null --utc --full-time "
				"-R --block-number -l --check-links -n --seek -i --ignore-zeros "
				"--acls --xattrs --selinux --no-acls --no-xattrs --no-selinux "
				"--force-local --show-transformed-names --old-archive "
				"--portability --posix --totals -s --preserve-order "
				"--same-order --ignore-failed-read --no-fflags"),
			SETS("-P --absolute-names", B_FOLDER),
			VALUES("--exclude --exclude-tag --exclude-ignore -b --blocking-factor "
				"--record-size -H --format --pax-option -V --label -K "
				"--starting-file --newer-mtime -N --newer --after-date "
				"--suffix --strip-components --transform --xform --group "
				"--owner --mode --mtime --sort --level --warning "
				"--quoting-style -L --tape-length --owner-map --group-map"),
			MAYBES("--backup --occurrence --checkpoint --atime-preserve "
				"--one-top-level"),
			VALUES("-f --file"), VALUE("-C --directory", CHDIR),
			/* it names files nobody sees here */
			VALUE("-T --files-from", UNKNOWN),
			VALUE("-X --exclude-from --add-file", READ),
			VALUE("-g --listed-incremental --index-file", WRITE),
			FLAG("--remove-files --recursive-unlink", DELETE_TREE, "."),
			VALUE("-I --use-compress-program --to-command -F --info-script "
				"--new-volume-script --rmt-command --rsh-command", SHELL),
			VALUE("--checkpoint-action", UNKNOWN)),
		.hook = hook_tar},
	{.names = "gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat lzma unlzma "
			"zstd unzstd zstdcat lz4 unlz4 lz4cat pigz unpigz compress "
			"uncompress lzop brotli",
		.manual = "gzip(1), bzip2(1), xz(1), zstd(1), lz4(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-f --force -n --no-name -N --name -q --quiet -v --verbose -V "
				"-1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --fast --best -e --extreme -s "
				"--small --rsyncable --synchronous -z --compress --ultra -L"),
			SETS("-c --stdout --to-stdout", B_STDOUT),
			SETS("-d --decompress --uncompress", B_EXTRACT),
			SETS("-l --list -t --test", B_LIST), SETS("-k --keep", B_KEEP),
			SETS("-r --recursive", B_TREE),
			VALUES("-S --suffix -T --threads -b --blocks"),
			VALUE_SETS("-o", WRITE, B_KEEP | B_STDOUT)),
		.hook = hook_gzip},
	{.names = "zip",
		.manual = "zip(1)",
		.style = FACTS_DIGITS,
		.opts = FACTS_OPTS(
			FLAGS("-r -q -v -j -u -f -y -X -9 -0 -1 -D -o -A -g -l -T -S "
				"--recurse-paths --quiet --junk-paths"),
			VALUES("-x -i -n --exclude --include -s"),
			/* what nobody can look into any more */
			VALUE("-P --password", UNKNOWN), FLAG("-e --encrypt", UNKNOWN, ""),
			FLAG("-m --move", DELETE_TREE, "."), VALUE("-b", WRITE),
			VALUE("-TT --unzip-command", SHELL)),
		.operands = {OP(WRITE, FIRST), OP(READ_TREE, REST)}},
	{.names = "unzip",
		.manual = "unzip(1)",
		.opts = FACTS_OPTS(
			FLAGS("-q -qq -o -n -j -u -f -a -C -L -X -K -: --help"),
			SETS("-l -v -t -Z -z -1 -h -hh", B_LIST), SETS("-p -c", B_STDOUT),
			VALUES("-P -x"), VALUE_SETS("-d", WRITE_TREE, B_FOLDER)),
		.does = {DO_IF(WRITE_TREE, ".", 0, B_LIST | B_STDOUT | B_FOLDER),
			DO(DECODED, "")},
		.operands = {OP(READ, FIRST), OP_IF(INERT, REST, 0, B_STDOUT),
			OP_IF(FILTER, REST, B_STDOUT, 0)}},
	{.names = "7z 7za 7zr 7zz p7zip",
		.manual = "7z(1)",
		.style = FACTS_ONE_DASH | FACTS_LOOSE,
		.subs = FACTS_SUBS(
			{.names = "l t b h i", .operands = {OP(READ, ALL)}},
			{.names = "x e", .does = {DO(WRITE_TREE, "."), DO(UNKNOWN, "")},
				.operands = {OP(READ, FIRST), OP(INERT, REST)}},
			{.names = "a u d rn",
				.does = {DO(UNKNOWN, "")},
				.operands = {OP(WRITE, FIRST), OP(READ_TREE, REST)}})},
	{.names = "cpio pax",
		.manual = "cpio(1), pax(1)",
		.opts = FACTS_OPTS(FLAGS("-t -v -d -u -m -0 --list --quiet"),
			FLAG("-i -o -p --extract --create --pass-through", WRITE_TREE, ".")),
		.operands = {OP(WRITE_TREE, ALL)}},
	{.names = "zipgrep zcmp zdiff zmore zless xzless bzless",
		.manual = "zdiff(1), zless(1)",
		.operands = {OP(READ, ALL)}},
	{.names = NULL},
};
// clang-format on
