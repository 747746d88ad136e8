/*
 * against_bash [SEED [COUNT]]: texts by chance, read by us and by a real bash.
 * against_bash --write FOLDER [SEED [COUNT]]: the texts alone, one a file.
 *
 * bash --pretty-print reads a text and writes it anew without running any of
 * it. What it refuses we must refuse, and the other way round; and what it
 * writes must be to us the same tree as the text that it read. Nothing is
 * listed as known: a difference is a failure.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/parse/canon.h"
#include "tests/parse/gen.h"

enum { TEXT_MAX = 1 << 20, ARENA_MAX = 256 << 20, SHOWN_MAX = 20 };

static char folder[] = "/tmp/assent-fuzz-XXXXXX";
static char path_in[64], path_out[64], path_err[64];

static void
write_file(const char *path, struct str s)
{
	FILE *f = fopen(path, "we");

	CHECK(f && fwrite(s.ptr, 1, s.len, f) == s.len);
	CHECK(fclose(f) == 0);
}

static void
read_file(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "re");
	char part[4096];
	size_t n = 0;

	buf_clear(b);
	CHECK(f);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(b, (struct str){part, n});
	(void)fclose(f);
}

/* Reads text with bash; what it wrote on standard output and error. False if it
 * says that it failed: of some errors it says nothing else. */
static bool
run_bash(struct str text, bool extglob, struct buf *out, struct buf *err)
{
	char name[] = "bash", mode[] = "--pretty-print", option[] = "-O";
	char value[] = "extglob", path[] = "PATH=/nonexistent";
	char locale[] = "LC_ALL=C.UTF-8";
	char *plain[] = {name, mode, path_in, NULL};
	char *extended[] = {name, mode, option, value, path_in, NULL};
	char *const environment[] = {path, locale, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid = 0;
	int status = 0;

	write_file(path_in, text);
	CHECK(posix_spawn_file_actions_init(&actions) == 0);
	CHECK(
		posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
		== 0);
	CHECK(posix_spawn_file_actions_addopen(
			  &actions, 1, path_out, O_WRONLY | O_CREAT | O_TRUNC, 0600)
		== 0);
	CHECK(posix_spawn_file_actions_addopen(
			  &actions, 2, path_err, O_WRONLY | O_CREAT | O_TRUNC, 0600)
		== 0);
	CHECK(posix_spawn(&pid, "/bin/bash", &actions, NULL,
			  extglob ? extended : plain, environment)
		== 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	(void)posix_spawn_file_actions_destroy(&actions);
	read_file(path_out, out);
	read_file(path_err, err);
	return status == 0;
}

/* A message that is no warning (which may have several lines). */
static bool
refuses(struct str err)
{
	struct str line;

	while (str_line(&err, &line)) {
		if (str_starts(line, str_from(folder))
			&& !str_has(line, STR("warning: ")))
			return true;
	}
	return false;
}

/* Where bash 5.2 loses its way (or its printer does): all of the texts in a row,
 * in one that it reads unlike us. */
static const char *const odd[][3] = {
	{"case",     "$(",    ""  }, /* forgets the case within the substitution */
	{"case",     "<(",    ""  },
    {"case",     ">(",    ""  },
	{" in ",     "$(",    ""  }, /* the same for a for */
	{" in ",     "<(",    ""  },
    {" in ",     ">(",    ""  },
	{"$(time",   "",      ""  }, /* no reserved word to it there */
	{"<(time",   "",      ""  },
    {">(time",   "",      ""  },
	{"case",     "\n in", ""  }, /* a for in a case, with its in on the next line */
	{"coproc",   "[",     ""  }, /* takes the next word for an assignment */
	{"coproc",   "=",     ""  },
	{"${",       "$'",    "\""}, /* takes the quotes of $'' away within "${ }" */
	{"\"",       "${",    "<("}, /* writes that anew, though it is no substitution */
	{"\"",       "${",    ">("},
    {"${",       ":",     "<("},
    {"${",       ":",     ">("},
	{"${ ",      "",      ""  }, /* only looks for the end, where 5.3 reads commands */
	{"${\n",     "",      ""  },
    {"${\t",     "",      ""  },
    {"${|",      "",      ""  },
	{"<<",       "${",    ""  }, /* delimiters it writes anew */
	{"<<",       "$!",    ""  },
    {"<<",       "$(",    ""  },
    {"<<'\n",    "",      ""  },
    {"<<\"",     "",      ""  },
	{"<<",       "&",     ""  }, /* prints one of & and the body */
	{"function", "[",     ""  }, /* prints what it reads as a subscript */
	{"$'\\1",    "",      ""  }, /* its own mark */
	{"! !",      "[[",    ""  }, /* a test that is denied twice is none */
};

static bool
is_odd(struct str text)
{
	size_t first = str_find(text, STR("case"), 0);

	if (str_find(text, STR("case"), first + 1) < text.len)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		if (str_has(text, str_from(odd[i][0]))
			&& str_has(text, str_from(odd[i][1]))
			&& str_has(text, str_from(odd[i][2])))
			return true;
	}
	return false;
}

/* A redirection in front of a word that is reserved once it stands in front, as
 * bash prints it. */
static bool
has_shield(const struct shell_tree *tree)
{
	struct shell_walk w = {.root = tree->root};

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (n->kind == SHELL_CMD && n->first && n->first->kind == SHELL_REDIR)
			return true;
	}
	return false;
}

static bool
has_extglob(const struct shell_tree *tree)
{
	struct shell_walk w = {.root = tree->root};

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (n->kind == SHELL_GLOB && str_ends(n->text, STR(")")))
			return true;
	}
	return false;
}

struct pass {
	struct buf out, err;
	struct arena *a;
	unsigned refused, compared, odd, failed;
};

static void
show(struct pass *p, uint64_t seed, struct str text, const char *what)
{
	CLEANUP(buf_done) struct buf b = {0};

	if (p->failed++ >= SHOWN_MAX)
		return;
	buf_init(&b, TEXT_MAX);
	buf_add_json(&b, text);
	printf("seed %" PRIu64 ", %s: %.*s\n", seed, what, STR_ARG(buf_str(&b)));
}

/* Both from a little in front of where they part. */
static void
show_trees(struct str x, struct str y)
{
	enum { BEFORE = 30, SHOWN = 160 };
	size_t i = 0;

	while (i < x.len && i < y.len && x.ptr[i] == y.ptr[i])
		i++;
	i = i > BEFORE ? i - BEFORE : 0;
	printf("  ours:   %.*s\n  theirs: %.*s\n",
		STR_ARG(str_sub(x, i, i + SHOWN)), STR_ARG(str_sub(y, i, i + SHOWN)));
}

static void
compare(struct pass *p, uint64_t seed, struct str text)
{
	struct shell_tree ours, theirs;

	shell_parse(p->a, text, SHELL_BASH, &ours);
	bool read = run_bash(text, false, &p->out, &p->err);
	bool refused = !read || refuses(buf_str(&p->err));

	if (refused && !ours.refused && has_extglob(&ours)) {
		read = run_bash(text, true, &p->out, &p->err);
		refused = !read || refuses(buf_str(&p->err));
	}
	if (refused != ours.refused && is_odd(text)) {
		p->odd++;
		return;
	}
	if (refused != ours.refused) {
		show(p, seed, text, refused ? "only bash refuses" : "only we refuse");
		if (p->failed <= SHOWN_MAX)
			printf("  %.*s\n",
				STR_ARG(refused ? buf_str(&p->err) : ours.unparsed_why));
		return;
	}
	p->refused += refused;
	if (refused || ours.unparsed)
		return;
	shell_parse(p->a, arena_dup(p->a, buf_str(&p->out)), SHELL_BASH, &theirs);
	bool tricky = is_odd(text) || has_shield(&ours);
	struct str x = canon_print(p->a, &ours), y = canon_print(p->a, &theirs);

	p->compared++;
	if (str_eq(x, y))
		return;
	if (tricky) {
		p->odd++;
		return;
	}
	show(p, seed, text, "another tree");
	if (p->failed <= SHOWN_MAX)
		show_trees(x, y);
}

/* The seeds for other fuzzers. */
static int
write_texts(const char *into, uint64_t seed, uint64_t count)
{
	CLEANUP(buf_done) struct buf text;
	char path[4096];

	buf_init(&text, TEXT_MAX);
	for (uint64_t i = 0; i < count; i++) {
		gen_text(seed + i, &text);
		(void)snprintf(path, sizeof(path), "%s/%" PRIu64, into, seed + i);
		write_file(path, buf_str(&text));
	}
	return 0;
}

static int
compare_texts(uint64_t seed, uint64_t count)
{
	struct pass p = {.a = arena_new(ARENA_MAX)};
	CLEANUP(buf_done) struct buf text;

	CHECK(p.a && mkdtemp(folder) && chdir(folder) == 0);
	(void)snprintf(path_in, sizeof(path_in), "%s/in", folder);
	(void)snprintf(path_out, sizeof(path_out), "%s/out", folder);
	(void)snprintf(path_err, sizeof(path_err), "%s/err", folder);
	buf_init(&p.out, TEXT_MAX);
	buf_init(&p.err, TEXT_MAX);
	buf_init(&text, TEXT_MAX);
	for (uint64_t i = 0; i < count; i++) {
		arena_reset(p.a);
		gen_text(seed + i, &text);
		if (ARENA_TRY(p.a))
			compare(&p, seed + i, buf_str(&text));
		else
			show(&p, seed + i, buf_str(&text), "too large");
	}
	(void)unlink(path_in);
	(void)unlink(path_out);
	(void)unlink(path_err);
	(void)rmdir(folder);
	buf_done(&p.out);
	buf_done(&p.err);
	arena_free(p.a);
	printf(
		"%llu texts, %u refused by both, %u trees compared, %u lost by bash, "
		"%u failed\n",
		(unsigned long long)count, p.refused, p.compared, p.odd, p.failed);
	return p.failed == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	bool writes = argc > 2 && strcmp(argv[1], "--write") == 0;
	int at = writes ? 3 : 1;
	uint64_t seed = argc > at ? strtoull(argv[at], NULL, 10) : 1;
	uint64_t count = argc > at + 1 ? strtoull(argv[at + 1], NULL, 10) : 2000;

	return writes ? write_texts(argv[2], seed, count)
				  : compare_texts(seed, count);
}
