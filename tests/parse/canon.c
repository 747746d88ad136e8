#include "tests/parse/canon.h"

#include <string.h>

static struct str
framed(struct arena *a, struct str s, enum canon_place place)
{
	static const struct {
		const char *before, *after;
	} frames[] = {
		[CANON_WORD] = {": ",       "\n" },
		[CANON_FRONT] = {"",         "\n" },
		[CANON_DECLARE] = {"declare ", "\n" },
		[CANON_PATTERN] = {"[[ x == ", " ]]"},
		[CANON_REGEX] = {"[[ x =~ ", " ]]"},
		[CANON_ARITH] = {"((",       "))" },
		[CANON_RAW] = {"",         ""   },
	};
	char *out = arena_alloc(a, s.len + 32);
	struct str parts[] = {
		str_from(frames[place].before), s, str_from(frames[place].after)};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		for (size_t j = 0; j < parts[i].len; j++)
			out[n++] = parts[i].ptr[j];
	}
	return (struct str){out, n};
}

static struct shell_node *
new_node(struct arena *a, enum shell_kind kind, struct str text)
{
	struct shell_node *n = ARENA_NEW(a, struct shell_node);

	n->kind = kind;
	n->text = text;
	return n;
}

static void
add(struct shell_node *parent, struct shell_node *child)
{
	child->parent = parent;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

/* Every function has a group. */
static void
wrap_body(struct arena *a, struct shell_node *n)
{
	struct shell_node *body = n->last;
	struct shell_node *group = new_node(a, SHELL_GROUP, STR(""));
	struct shell_node *script = new_node(a, SHELL_SCRIPT, STR(""));

	group->role = script->role = SHELL_ROLE_BODY;
	body->role = SHELL_ROLE_PLAIN;
	group->parent = n;
	n->first = n->last = group;
	add(group, script);
	add(script, body);
}

static void
add_both(struct arena *a, struct shell_node *n)
{
	struct shell_node *redir = new_node(a, SHELL_REDIR, STR(">&"));
	struct shell_node *fd = new_node(a, SHELL_LIT, STR("2"));
	struct shell_node *target = new_node(a, SHELL_WORD, STR(""));

	fd->role = SHELL_ROLE_FD;
	target->role = SHELL_ROLE_TARGET;
	add(target, new_node(a, SHELL_LIT, STR("1")));
	add(redir, fd);
	add(redir, target);
	/* of what is only a wrapper, the inside gets it */
	if (n->kind == SHELL_FUNC && n->last && n->last->kind != SHELL_GROUP)
		wrap_body(a, n);
	if ((n->kind == SHELL_FUNC || n->kind == SHELL_COPROC) && n->last)
		n = n->last;
	add(n, redir);
}

/* elif is an if in the else. */
static void
nest_elif(struct arena *a, struct shell_node *n)
{
	struct shell_node *body = n->first ? n->first->next : NULL;
	struct shell_node *rest = body ? body->next : NULL;

	if (!rest || rest->role != SHELL_ROLE_COND)
		return;
	struct shell_node *inner = new_node(a, SHELL_IF, STR(""));
	struct shell_node *script = new_node(a, SHELL_SCRIPT, STR(""));

	script->role = SHELL_ROLE_ELSE;
	body->next = script;
	script->parent = n;
	n->last = script;
	add(script, inner);
	for (struct shell_node *next; rest; rest = next) {
		next = rest->next;
		rest->next = NULL;
		add(rest->kind == SHELL_REDIR ? n : inner, rest);
	}
}

/* Redirections stand last. */
static void
move_redirs(struct shell_node *n)
{
	struct shell_node *old = n->first, *redirs = NULL, **end = &redirs;

	n->first = n->last = NULL;
	for (struct shell_node *next; old; old = next) {
		next = old->next;
		old->next = NULL;
		if (old->kind == SHELL_REDIR) {
			*end = old;
			end = &old->next;
		} else {
			add(n, old);
		}
	}
	for (struct shell_node *next; redirs; redirs = next) {
		next = redirs->next;
		redirs->next = NULL;
		add(n, redirs);
	}
}

/* The descriptor that is meant anyway is not written, and <&- is >&-. */
static void
rewrite_redir(struct arena *a, struct shell_node *n)
{
	struct shell_node *fd = n->first, *target = n->last;
	bool out = n->text.len > 0 && n->text.ptr[0] == '>';

	/* which bash forgets for <> */
	if (fd && str_eq(n->text, STR("<>")) && str_eq(fd->text, STR("1")))
		fd->text = STR("0");
	if (fd && fd->role == SHELL_ROLE_FD
		&& str_eq(fd->text, out ? STR("1") : STR("0")))
		n->first = fd->next;
	if (str_eq(n->text, STR("<&")) && target && target->first
		&& str_eq(target->first->text, STR("-"))) {
		n->text = STR(">&");
		if (n->first == target) {
			fd = new_node(a, SHELL_LIT, STR("0"));
			fd->role = SHELL_ROLE_FD;
			fd->next = target;
			n->first = fd;
		}
	}
}

static bool
is_joint(const struct shell_node *n)
{
	static const char *const joints[] = {"&&", "||", "(", ")", "!"};

	if (n && n->kind == SHELL_REDIR)
		return true;
	for (size_t i = 0; n && i < ARRAY_LEN(joints); i++) {
		if (n->kind == SHELL_CONDOP && str_eq(n->text, str_from(joints[i])))
			return true;
	}
	return !n;
}

/* A word that is a test of its own is -n word. */
static void
add_tests(struct arena *a, struct shell_node *n)
{
	struct shell_node *before = NULL;

	for (struct shell_node *c = n->first; c; before = c, c = c->next) {
		if (c->kind != SHELL_WORD || !is_joint(before) || !is_joint(c->next))
			continue;
		struct shell_node *op = new_node(a, SHELL_CONDOP, STR("-n"));

		op->next = c;
		op->parent = n;
		if (before)
			before->next = op;
		else
			n->first = op;
	}
}

/* Of a bad substitution, nothing is said but that it is one. */
static void
drop_bad(struct shell_node *n)
{
	for (struct shell_node *c = n->first; c; c = c->next) {
		if (c->kind != SHELL_UNKNOWN)
			continue;
		n->text = STR("bad");
		n->first = n->last = NULL;
		n->flags = 0;
		return;
	}
}

/* What is not understood, but read by both. */
static void
drop_unknown(struct shell_node *n)
{
	struct shell_node *last = NULL;

	for (struct shell_node *c = n->first; c; c = c->next) {
		if (c->kind != SHELL_UNKNOWN || c->first) {
			last = c;
			continue;
		}
		if (last)
			last->next = c->next;
		else
			n->first = c->next;
	}
	n->last = last;
}

/* A coproc without a name is called COPROC, and bash writes that even in front
 * of a simple command, where it would be the command. */
static void
name_coproc(struct shell_node *n)
{
	struct shell_node *body = n->first;

	if (n->text.len == 0)
		n->text = STR("COPROC");
	if (!body || body->kind != SHELL_CMD || !body->first
		|| body->first->kind != SHELL_WORD || !body->first->first
		|| !str_eq(body->first->first->text, STR("COPROC")))
		return;
	body->first = body->first->next;
}

/* Bash keeps of ! and time in front of a pipeline whether there is an odd number
 * of the one, and any of the other. */
static void
fold_prefixes(struct arena *a, struct shell_node *n)
{
	bool negated = false, timed = false, posix = false;
	struct shell_node *inner = n;

	while (inner && (inner->kind == SHELL_NOT || inner->kind == SHELL_TIME)) {
		negated ^= inner->kind == SHELL_NOT;
		timed |= inner->kind == SHELL_TIME;
		posix |= inner->kind == SHELL_TIME && str_has(inner->text, STR("-p"));
		inner = inner->first;
	}
	n->kind = SHELL_NOT;
	n->text = negated ? STR("odd") : STR("even");
	n->first = inner;
	if (timed) {
		n->first = new_node(a, SHELL_TIME, posix ? STR("-p") : STR("time"));
		n->first->parent = n;
		n->first->flags = SHELL_QUOTED; /* done */
		n->first->first = inner;
	}
}

/* One of two kinds of prefix, or none that changes anything. */
static void
rewrite_prefix(struct arena *a, struct shell_node *n)
{
	if (n->flags & SHELL_QUOTED)
		return;
	fold_prefixes(a, n);
	if (n->first)
		n->first->parent = n;
	if (str_eq(n->text, STR("odd")) || !n->first)
		return;
	/* nothing is left of "! !": what it stood in front of takes its place */
	struct shell_node *inner = n->first, *next = n->next, *parent = n->parent;
	enum shell_role role = n->role;

	*n = *inner;
	n->next = next;
	n->parent = parent;
	n->role = role;
	for (struct shell_node *child = n->first; child; child = child->next)
		child->parent = n;
}

/* "! !" in front of nothing is not written at all. */
static void
drop_empty(struct shell_node *n)
{
	struct shell_node *last = NULL;

	for (struct shell_node *c = n->first; c; c = c->next) {
		unsigned nots = 0;
		const struct shell_node *inner = c;

		for (; inner && inner->kind == SHELL_NOT; inner = inner->first)
			nots++;
		if (inner || nots % 2 != 0) {
			last = c;
			continue;
		}
		if (last)
			last->next = c->next;
		else
			n->first = c->next;
	}
	n->last = last;
}

/* The last line of a here-document that the text ends in is ended. */
static void
end_line(struct arena *a, struct shell_node *n)
{
	struct shell_node *last = NULL;

	for (struct shell_node *c = n->first; c; c = c->next)
		last = c;
	if (!last || (last->kind == SHELL_LIT && str_ends(last->text, STR("\n"))))
		return;
	if (last->kind == SHELL_LIT)
		last->text = arena_fmt(a, "%.*s\n", STR_ARG(last->text));
	else
		last->next = new_node(a, SHELL_LIT, STR("\n"));
	last = last->next ? last->next : last;
	last->flags = SHELL_QUOTED;
}

/* The blanks in for ((;;)) are not kept. */
static void
drop_blanks(struct arena *a, struct shell_node *n)
{
	for (struct shell_node *c = n->first; c; c = c->next) {
		char *out = arena_alloc(a, c->text.len + 1);
		size_t len = 0;

		for (size_t i = 0; i < c->text.len; i++) {
			if (c->text.ptr[i] != ' ' && c->text.ptr[i] != '\t')
				out[len++] = c->text.ptr[i];
			/* nothing is 1 */
			if ((len == 2 || (len >= 3 && out[len - 3] == ';'))
				&& memcmp(out + len - 2, "1;", 2) == 0)
				out[--len - 1] = ';';
		}
		if (!c->next && len >= 2 && memcmp(out + len - 2, ";1", 2) == 0)
			len--;
		c->text = (struct str){out, len};
	}
}

/* Of a pipeline on the left of |&, the last command's output is meant. */
static struct shell_node *
last_command(struct shell_node *n)
{
	while (n->kind == SHELL_PIPE && n->last)
		n = n->last;
	return n;
}

/* a |& b is a 2>&1 | b. */
static void
spread_both(struct arena *a, struct shell_node *n)
{
	if (!str_eq(n->text, STR("|&")))
		return;
	for (struct shell_node *c = n->first; c->next; c = c->next)
		add_both(a, last_command(c));
	n->text = STR("|");
}

/* Pipelines nest only where their operators differ. */
static void
flatten(struct arena *a, struct shell_node *n)
{
	spread_both(a, n);
	while (n->first && n->first->kind == SHELL_PIPE) {
		struct shell_node *inner = n->first;

		spread_both(a, inner);
		inner->last->next = inner->next;
		n->first = inner->first;
		for (struct shell_node *c = n->first; c; c = c->next)
			c->parent = n;
	}
}

/* What bash writes differently from how it was written. */
static void
rewrite(struct arena *a, struct shell_node *n)
{
	if (n->kind == SHELL_NOT || n->kind == SHELL_TIME)
		rewrite_prefix(a, n);
	if (n->kind == SHELL_SCRIPT)
		drop_empty(n);
	if (n->kind == SHELL_HEREDOC)
		end_line(a, n);
	if (n->kind == SHELL_PARAM)
		drop_bad(n);
	if (n->kind == SHELL_GLOB && n->first)
		n->text = str_sub(n->text, 0, 1);
	drop_unknown(n);
	if (n->kind == SHELL_PIPE)
		flatten(a, n);
	if (n->kind == SHELL_FUNC && n->last && n->last->kind != SHELL_GROUP)
		wrap_body(a, n);
	if (n->kind == SHELL_COPROC)
		name_coproc(n);
	if (n->kind == SHELL_FORARITH && n->first)
		drop_blanks(a, n->first);
	if (n->kind == SHELL_CMD)
		move_redirs(n);
	if (n->kind == SHELL_REDIR)
		rewrite_redir(a, n);
	if (n->kind == SHELL_IF)
		nest_elif(a, n);
	if (n->kind == SHELL_CASEITEM && n->text.len == 0)
		n->text = STR(";;");
	if (n->kind == SHELL_COND)
		add_tests(a, n);
	if (n->flags & SHELL_IMPLICIT) {
		struct shell_node *item = new_node(a, SHELL_WORD, STR(""));
		struct shell_node *quote = new_node(a, SHELL_DQUOTE, STR(""));

		item->role = SHELL_ROLE_ITEM;
		add(item, quote);
		add(quote, new_node(a, SHELL_PARAM, STR("@")));
		item->next = n->first;
		item->parent = n;
		n->first = item;
		n->flags &= ~(unsigned)SHELL_IMPLICIT;
	}
}

static void
rewrite_all(struct arena *a, const struct shell_node *root)
{
	struct shell_walk w = {.root = root};

	for (const struct shell_node *at; (at = shell_walk_next(&w));)
		// NOLINTNEXTLINE(performance-no-int-to-ptr): the tree is ours
		rewrite(a, (struct shell_node *)(uintptr_t)at);
}

static struct str
print_rewritten(struct arena *a, struct shell_node *n)
{
	struct shell_tree tree = {.root = new_node(a, SHELL_SCRIPT, STR(""))};

	rewrite_all(a, n);
	tree.root->first = n;
	return shell_print(a, &tree);
}

struct str
canon_print(struct arena *a, const struct shell_tree *tree)
{
	struct shell_tree copy = *tree;

	rewrite_all(a, tree->root);
	copy.unparsed = false;
	return shell_print(a, &copy);
}

/* The node that a text of theirs would be: the last of what frames it. */
static struct shell_node *
read_theirs(struct arena *a, struct str s, enum canon_place place)
{
	struct shell_tree tree;

	shell_parse(a, framed(a, s, place), SHELL_BASH, &tree);
	struct shell_node *n = tree.root->first;

	n = n && place == CANON_FRONT ? n->first : n ? n->last : NULL;
	return n;
}

/* A copy that stands alone. */
static struct shell_node *
alone(struct arena *a, const struct shell_node *n)
{
	struct shell_node *copy = new_node(a, n->kind, n->text);

	*copy = *n;
	copy->role = SHELL_ROLE_PLAIN;
	copy->next = copy->parent = NULL;
	return copy;
}

/* The expressions have been through programs that know neither control
 * characters nor bytes that are not UTF-8: a run of any is one "?". */
static struct str
folded(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		bool code = s.ptr[i] == '\\' && i + 5 < s.len && s.ptr[i + 1] == 'u';
		bool line = s.ptr[i] == '\\' && i + 1 < s.len && s.ptr[i + 1] == 'n';

		if (!code && !line) {
			out[n++] = s.ptr[i];
			continue;
		}
		i += code ? 5 : 1;
		if (n == 0 || out[n - 1] != '?')
			out[n++] = '?';
	}
	return (struct str){out, n};
}

bool
canon_same(struct arena *a, const struct shell_node *ours, struct str text,
	struct str theirs, enum canon_place place)
{
	if (str_eq(text, theirs))
		return true;
	if (place == CANON_RAW)
		return false;
	struct shell_node *n = read_theirs(a, theirs, place);

	if (!ours)
		ours = read_theirs(a, text, place);
	return n && ours
		&& str_eq(folded(a, print_rewritten(a, alone(a, ours))),
			folded(a, print_rewritten(a, alone(a, n))));
}
