/*
 * Any bytes as shell text, with what must hold for each (clang -fsanitize=fuzzer).
 */

#include "shell/shell.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tests/fuzzing/fuzz.h"

enum { ARENA_MAX = 512 << 20, LEVELS_MAX = SHELL_DEPTH_MAX * 16 };

struct counts {
	size_t nodes, commands, unknown;
};

/* The nodes hang together, and every place is one of the text. */
static void
check_node(
	const struct shell_node *n, size_t size, unsigned level, struct counts *c)
{
	const struct shell_node *last = NULL;

	CHECK(level < LEVELS_MAX);
	CHECK(n->kind > SHELL_NONE && n->kind < SHELL_KIND_COUNT);
	CHECK(n->start <= n->end && n->end <= size);
	CHECK(n->text.ptr);
	c->nodes++;
	c->commands += n->kind == SHELL_CMD;
	c->unknown += n->kind == SHELL_UNKNOWN;
	for (const struct shell_node *k = n->first; k; k = k->next) {
		CHECK(k->parent == n);
		check_node(k, size, level + 1, c);
		last = k;
	}
	CHECK(n->last == last);
}

/* The walker sees them all, once. */
static size_t
count_walked(const struct shell_node *root)
{
	struct shell_walk w = {.root = root};
	size_t n = 0;

	while (shell_walk_next(&w))
		n++;
	return n;
}

static struct counts
check_text(struct arena *a, struct str text, struct shell_tree *ret_tree)
{
	struct counts c = {0};

	shell_parse(a, text, SHELL_BASH, ret_tree);
	check_node(ret_tree->root, text.len, 0, &c);
	CHECK(c.nodes == count_walked(ret_tree->root));
	CHECK(!c.unknown || ret_tree->unparsed);
	CHECK(!ret_tree->unparsed || c.unknown);
	CHECK(!ret_tree->refused || ret_tree->unparsed);
	CHECK(ret_tree->unparsed_at <= text.len);
	return c;
}

static void
check_all(struct arena *a, struct str text)
{
	struct shell_tree tree, again, more;
	struct counts c = check_text(a, text, &tree);
	struct str longer = arena_fmt(a, "%.*s\nzz", STR_ARG(text));

	(void)check_text(a, text, &again);
	CHECK(str_eq(shell_print(a, &tree), shell_print(a, &again)));
	/* whatever is added, what was there stays */
	if (!tree.unparsed && memchr(text.ptr, '\0', text.len) == NULL) {
		struct counts d = check_text(a, longer, &more);

		CHECK(d.commands >= c.commands);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t none[] = "";
	struct arena *a = arena_new(ARENA_MAX);

	CHECK(a);
	if (ARENA_TRY(a))
		check_all(a, (struct str){(const char *)(size ? data : none), size});
	arena_free(a);
	return 0;
}
