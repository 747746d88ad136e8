#include <string.h>

#include "shell/shell_priv.h"

/* The whole text as one thing that is not understood. */
static void
set_unread(
	struct shell_reader *r, struct shell_node *root, size_t at, const char *why)
{
	r->pos = at;
	shell_doubt_rest(r, root, why);
}

static bool
has_unknown(const struct shell_node *root)
{
	struct shell_walk w = {.root = root};

	for (const struct shell_node *n; (n = shell_walk_next(&w));) {
		if (n->kind == SHELL_UNKNOWN)
			return true;
	}
	return false;
}

void
shell_parse(struct arena *a, struct str text, enum shell_dialect dialect,
	struct shell_tree *ret_tree)
{
	struct shell_state st = {
		.a = a, .tree = ret_tree, .sh = dialect == SHELL_SH};
	struct shell_reader r;

	*ret_tree = (struct shell_tree){0};
	shell_reader_init(&r, NULL, text);
	r.st = &st;
	st.reader = &r;
	if (text.len > SHELL_TEXT_MAX) {
		ret_tree->root = shell_node_new(&r, SHELL_SCRIPT, 0);
		set_unread(&r, ret_tree->root, 0, "too long");
		return;
	}
	ret_tree->root = shell_text_read(&r);
	r.len = text.len;
	if (st.sh)
		shell_posix_mark(&r, ret_tree->root);
	if (st.nodes >= SHELL_NODES_MAX)
		set_unread(&r, ret_tree->root, r.pos, "too many parts");
	/* the node of a fault goes where its word goes: the delimiter of << */
	if (ret_tree->unparsed && !has_unknown(ret_tree->root)) {
		r.pos = ret_tree->unparsed_at;
		(void)shell_doubt(&r, ret_tree->root, r.pos, "");
	}
	const char *nul = text.len > 0 ? memchr(text.ptr, '\0', text.len) : NULL;

	/* bash drops it, other programs end there: nobody agrees on the text */
	if (nul) {
		r.pos = (size_t)(nul - text.ptr);
		(void)shell_doubt(&r, ret_tree->root, r.pos, "NUL byte");
	}
}

const char *
shell_kind_name(enum shell_kind kind)
{
#define X(name, text) [SHELL_##name] = text,
	static const char *const names[SHELL_KIND_COUNT] = { SHELL_KINDS(X) };
#undef X

	CHECK(kind < SHELL_KIND_COUNT);
	return names[kind];
}
