#include <string.h>

#include "shell/shell.h"

const struct shell_node *
shell_walk_next(struct shell_walk *w)
{
	const struct shell_node *n = w->at;

	if (!n)
		return w->at = w->root;
	if (n->first)
		return w->at = n->first;
	while (n != w->root && !n->next && n->parent)
		n = n->parent;
	return w->at = n == w->root ? NULL : n->next;
}

/* The length of what word's parts stand for; false if any of them expands. */
static bool
count(const struct shell_node *word, size_t *ret)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (n->kind == SHELL_DQUOTE) {
			if (!count(n, ret))
				return false;
		} else if (n->kind == SHELL_LIT) {
			*ret += n->text.len;
		} else {
			return false;
		}
	}
	return true;
}

static char *
copy(const struct shell_node *word, char *out)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (n->kind == SHELL_DQUOTE) {
			out = copy(n, out);
			continue;
		}
		memcpy(out, n->text.ptr, n->text.len);
		out += n->text.len;
	}
	return out;
}

bool
shell_word_text(struct arena *a, const struct shell_node *word, struct str *ret)
{
	const struct shell_node *only = word->first;
	size_t len = 0;

	if (!count(word, &len))
		return false;
	if (only && !only->next && only->kind == SHELL_LIT) {
		*ret = only->text;
		return true;
	}
	char *out = arena_alloc(a, len + 1);

	(void)copy(word, out);
	*ret = (struct str){out, len};
	return true;
}
