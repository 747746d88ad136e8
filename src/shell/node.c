#include "shell/shell_priv.h"

/* Every reader sees its end here: past the bound nothing more is made. */
static void
stop_all(struct shell_reader *r)
{
	for (; r; r = r->outer) {
		if (r->len > r->pos)
			r->len = r->pos;
	}
}

static uint32_t
place(const struct shell_reader *r, size_t pos)
{
	return r->fixed_end > 0 ? r->base : r->base + (uint32_t)pos;
}

static void
mark(struct shell_reader *r, size_t pos, const char *why)
{
	struct shell_tree *t = r->st->tree;

	if (t->unparsed)
		return;
	t->unparsed = true;
	t->unparsed_at = place(r, pos);
	t->unparsed_why = str_from(why);
}

struct shell_node *
shell_node_new(struct shell_reader *r, enum shell_kind kind, size_t start)
{
	struct shell_node *n = ARENA_NEW(r->st->a, struct shell_node);

	n->kind = kind;
	n->text = (struct str){"", 0};
	n->start = place(r, start);
	n->end = n->start;
	if (++r->st->nodes == SHELL_NODES_MAX) {
		mark(r, start, "too many parts");
		r->st->tree->cut = true;
		stop_all(r);
	}
	return n;
}

void
shell_node_add(struct shell_node *parent, struct shell_node *child)
{
	child->parent = parent;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

void
shell_node_end(struct shell_reader *r, struct shell_node *n)
{
	n->end = r->fixed_end > 0 ? r->fixed_end : place(r, r->pos);
}

struct str
shell_source(struct shell_reader *r, size_t start, size_t end)
{
	return (struct str){r->text + start, end - start};
}

static struct shell_node *
add_unknown(struct shell_reader *r, struct shell_node *parent, size_t start)
{
	struct shell_node *n = shell_node_new(r, SHELL_UNKNOWN, start);

	n->text = shell_source(r, start, r->pos);
	shell_node_end(r, n);
	shell_node_add(parent, n);
	return n;
}

struct shell_node *
shell_fault(struct shell_reader *r, struct shell_node *parent, size_t start,
	const char *why)
{
	if (r->st->late == 0)
		r->st->tree->refused = true;
	mark(r, start, why);
	return add_unknown(r, parent, start);
}

struct shell_node *
shell_doubt(struct shell_reader *r, struct shell_node *parent, size_t start,
	const char *why)
{
	mark(r, start, why);
	return add_unknown(r, parent, start);
}

void
shell_doubt_rest(
	struct shell_reader *r, struct shell_node *parent, const char *why)
{
	size_t start = r->pos;

	r->pos = r->len;
	(void)shell_doubt(r, parent, start, why);
}

bool
shell_enter(struct shell_reader *r, struct shell_node *parent)
{
	if (r->st->depth >= SHELL_DEPTH_MAX) {
		r->st->tree->cut = true;
		shell_doubt_rest(r, parent, "nested too deep");
		return false;
	}
	r->st->depth++;
	return true;
}

void
shell_leave(struct shell_reader *r)
{
	CHECK(r->st->depth > 0);
	r->st->depth--;
}
