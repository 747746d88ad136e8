/*
 * measure FOLDER [LIST]: our reading of the inputs in FOLDER's *.jsonl against
 * the reading that stands beside them. {"input", "sexpr", "error"}, or
 * {"input", "subcommands"} where each must be a command of the tree.
 *
 * LIST names the differences that are known, one a line: the digest of the
 * input, then why. It may only shrink: one that is not in it fails, and so does
 * one that is in it and is no difference any more.
 */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tests/parse/sexpr.h"
#include "wire/json.h"

enum { FILE_MAX = 64 << 20, ARENA_MAX = 512 << 20, KNOWN_MAX = 4096 };

static struct {
	uint64_t digest;
	bool seen;
} known[KNOWN_MAX];
static size_t known_count;
static size_t total, agreed, listed, failed, hidden;
static bool verbose;

/* FNV-1a, 64 bits. */
static uint64_t
digest(struct str s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.ptr[i]) * 0x100000001b3;
	return h;
}

static bool
read_file(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "re");
	char part[4096];
	size_t n = 0;

	buf_init(b, FILE_MAX);
	if (!f)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(b, (struct str){part, n});
	(void)fclose(f);
	return !b->full;
}

static void
read_known(const char *path)
{
	CLEANUP(buf_done) struct buf b = {0};
	struct str rest, line;

	if (!read_file(path, &b))
		return;
	rest = buf_str(&b);
	while (str_line(&rest, &line) && known_count < KNOWN_MAX) {
		char text[17] = "", *end = NULL;

		(void)snprintf(
			text, sizeof(text), "%.*s", STR_ARG(str_sub(line, 0, 16)));
		uint64_t value = strtoull(text, &end, 16);

		if (end == text + 16)
			known[known_count++].digest = value;
	}
}

static bool
is_known(struct str input)
{
	uint64_t d = digest(input);

	for (size_t i = 0; i < known_count; i++) {
		if (known[i].digest == d) {
			known[i].seen = true;
			return true;
		}
	}
	return false;
}

static void
report(struct arena *a, struct str input, const char *what, struct str detail)
{
	bool is_listed = is_known(input);

	if (is_listed)
		listed++;
	else
		failed++;
	if (is_listed && !verbose)
		return;
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, FILE_MAX);
	buf_add_json(&b, input);
	printf("%016llx %s: %.*s\n  %.*s\n", (unsigned long long)digest(input),
		what, STR_ARG(buf_str(&b)), STR_ARG(detail));
	(void)a;
}

/* How many of a kind there are in the tree. */
static size_t
count(const struct shell_tree *tree, enum shell_kind kind)
{
	struct shell_walk w = {.root = tree->root};
	size_t n = 0;

	for (const struct shell_node *at; (at = shell_walk_next(&w));)
		n += at->kind == kind;
	return n;
}

/* Did we see less than the expression has? That would be the dangerous kind. */
static bool
sees_less(const struct shell_tree *tree, struct str sexpr)
{
	struct sexpr_counts want = sexpr_count(sexpr);

	return count(tree, SHELL_CMD) < want.commands
		|| count(tree, SHELL_REDIR) < want.redirs;
}

static void
run_sexpr(struct arena *a, struct str input, struct str sexpr, bool error)
{
	struct shell_tree tree;
	struct sexpr_result result;

	struct str text = input;
	bool extglob = str_starts(input, STR("# @extglob\n"));

	/* these were read with extended patterns on */
	if (extglob)
		text = arena_fmt(a, "shopt -s extglob\n%.*s", STR_ARG(input));
	shell_parse(a, text, SHELL_BASH, &tree);
	if (extglob)
		tree.root->first = tree.root->first->next;
	if (tree.refused != error) {
		report(a, input, error ? "we accept" : "we refuse",
			error ? shell_print(a, &tree) : tree.unparsed_why);
		return;
	}
	if (error) {
		agreed++;
		return;
	}
	sexpr_compare(a, &tree, text, sexpr, &result);
	if (result.same) {
		agreed++;
		return;
	}
	bool less = sees_less(&tree, sexpr);

	hidden += less;
	report(a, input, less ? "WE SEE LESS" : "differs",
		arena_fmt(a, "%s at %zu: ours %s %.*s\n  theirs %.*s", "differs",
			result.at, result.want, STR_ARG(result.text),
			STR_ARG(str_sub(sexpr, result.at, result.at + 300))));
}

/* The text of a command without assignments; each $( ) in it written "$(..)". */
static bool
has_command(struct arena *a, const struct shell_tree *tree, struct str input,
	struct str command)
{
	struct shell_walk w = {.root = tree->root};

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (n->kind != SHELL_CMD)
			continue;
		struct str text = str_sub(input, n->start, n->end);
		struct str first = str_cut(command, ' ', &(struct str){0});

		if (str_eq(text, command) || str_starts(text, first))
			return true;
	}
	(void)a;
	return false;
}

static void
run_commands(struct arena *a, struct str input, const json_t *commands)
{
	struct shell_tree tree;

	shell_parse(a, input, SHELL_BASH, &tree);
	for (size_t i = 0; i < json_array_size(commands); i++) {
		struct str c = wire_json_text(json_array_get(commands, i));

		if (c.len > 0 && !has_command(a, &tree, input, c)) {
			report(a, input, "lacks", c);
			return;
		}
	}
	agreed++;
}

static void
run_line(struct arena *a, struct str line)
{
	struct wire_json_error error;
	WIRE_JSON json_t *j = wire_json_parse(line, &error);

	if (!j) {
		printf("not read: %s\n", error.message);
		failed++;
		return;
	}
	struct str input = wire_json_str(j, "input");
	const json_t *commands = wire_json_array(j, "subcommands");

	total++;
	if (!ARENA_TRY(a)) {
		report(a, input, "too large", STR(""));
		return;
	}
	if (commands)
		run_commands(a, input, commands);
	else
		run_sexpr(
			a, input, wire_json_str(j, "sexpr"), wire_json_bool(j, "error"));
}

static void
run_file(const char *path)
{
	CLEANUP(buf_done) struct buf b;
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_MAX);
	struct str rest, line;

	CHECK(a && read_file(path, &b));
	rest = buf_str(&b);
	while (str_line(&rest, &line)) {
		arena_reset(a);
		run_line(a, line);
	}
}

int
main(int argc, char **argv)
{
	char pattern[4096];
	glob_t g;

	verbose = argc > 3 && strcmp(argv[3], "-v") == 0;
	if (argc < 2)
		return 2;
	if (argc > 2)
		read_known(argv[2]);
	(void)snprintf(pattern, sizeof(pattern), "%s/*.jsonl", argv[1]);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
	if (glob(pattern, 0, NULL, &g) != 0) {
		printf("no *.jsonl in %s\n", argv[1]);
		return 1;
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		run_file(g.gl_pathv[i]);
	globfree(&g);
	for (size_t i = 0; i < known_count; i++) {
		if (known[i].seen)
			continue;
		printf("%016llx is no difference any more: take it out\n",
			(unsigned long long)known[i].digest);
		failed++;
	}
	printf("%zu inputs, %.2f %% agree, %zu known differences, %zu where we see "
		   "less, %zu failed\n",
		total, total ? 100.0 * (double)agreed / (double)total : 0.0, listed,
		hidden, failed);
	return failed == 0 ? 0 : 1;
}
