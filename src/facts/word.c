/*
 * Words of the shell to texts, as far as reading can tell. What only running
 * would tell becomes a '?' in the text and the flag DYNAMIC; the text around it
 * stays, so that a path with an unknown tail keeps its known head.
 */

#include <string.h>

#include "facts/facts_priv.h"

// NOLINTBEGIN(misc-no-recursion): bounded by the depth of the tree, and a budget

/* A word under construction. */
struct build {
	struct facts *f;
	struct facts_words *list; /* NULL: one word, no splitting */
	char *ptr;
	size_t len, cap;
	unsigned flags, taint;
	bool started; /* quoted, or has text: stays a word even if empty */
	bool names;   /* what a substitution prints may be the whole word */
	const struct facts_flow *pipe;
	struct str tree;
	struct str source;
};

struct facts_word
facts_word_from(struct str text)
{
	return (struct facts_word){.text = text, .source = text};
}

void
facts_words_add(struct facts *f, struct facts_words *list, struct facts_word w)
{
	if (list->count == list->cap) {
		size_t want = list->cap == 0 ? 8 : list->cap * 2;
		struct facts_word *fresh = ARENA_ARRAY(f->a, want, struct facts_word);

		if (list->count > 0)
			memcpy(fresh, list->list, list->count * sizeof(*fresh));
		list->list = fresh;
		list->cap = want;
	}
	list->list[list->count++] = w;
}

static void
add_text(struct build *b, struct str s)
{
	b->started = true;
	if (b->len + s.len > b->cap) {
		size_t want = (b->len + s.len) * 2 + 32;
		char *fresh = arena_alloc(b->f->a, want);

		if (b->len > 0)
			memcpy(fresh, b->ptr, b->len);
		b->ptr = fresh;
		b->cap = want;
	}
	if (s.len > 0)
		memcpy(b->ptr + b->len, s.ptr, s.len);
	b->len += s.len;
}

static void
finish(struct build *b)
{
	if (b->started && b->list) {
		struct facts_word w = {
			.text = b->ptr ? (struct str){b->ptr, b->len}
                 : STR(""),
			.source = b->source,
			.flags = b->flags,
			.taint = b->taint,
			.pipe = b->pipe,
			.tree = b->tree,
		};

		facts_words_add(b->f, b->list, w);
	}
	*b = (struct build){.f = b->f, .list = b->list, .source = b->source};
}

/* A value that is not quoted: blanks part it into words. */
static void
add_split(struct build *b, const struct facts_word *v)
{
	struct str s = v->text;
	size_t start = 0;

	b->taint |= v->taint;
	for (size_t i = 0; i <= s.len; i++) {
		bool blank = i < s.len
			&& (s.ptr[i] == ' ' || s.ptr[i] == '\t' || s.ptr[i] == '\n');

		if (i < s.len && !blank) {
			if (s.ptr[i] == '*' || s.ptr[i] == '?' || s.ptr[i] == '[')
				b->flags |= FACTS_GLOB;
			continue;
		}
		if (i > start)
			add_text(b, str_sub(s, start, i));
		if (i < s.len && b->list && b->started) {
			unsigned taint = b->taint;

			finish(b);
			b->taint = taint;
		}
		start = i + 1;
	}
}

/* Which folder the names are below that the word may become. */
static void
add_tree(struct build *b, const struct facts_word *v)
{
	struct str tree = facts_names_tree(b->f, &b->f->s.cwd, v);

	if (!tree.ptr || (b->tree.ptr && !str_eq(b->tree, tree)))
		tree = STR(""); /* several */
	b->tree = tree;
}

static void
add_value(struct build *b, const struct facts_word *v, bool quoted)
{
	if (v->flags & FACTS_DYNAMIC) {
		b->flags |=
			v->flags & (quoted || !b->list ? ~(unsigned)FACTS_MANY : ~0u);
		b->taint |= v->taint;
		add_text(b, v->text);
		return;
	}
	if (v->flags & FACTS_GLOB)
		add_tree(b, v);
	b->flags |= v->flags;
	if (!quoted && b->list && !(v->flags & FACTS_GLOB)) {
		add_split(b, v);
		return;
	}
	b->taint |= v->taint;
	if (quoted || v->text.len > 0)
		add_text(b, v->text);
}

static void
add_unknown(struct build *b, bool quoted, unsigned taint)
{
	struct facts_word v = {.text = STR("?"),
		.flags = FACTS_DYNAMIC | (quoted ? 0 : FACTS_MANY),
		.taint = taint};

	add_value(b, &v, quoted);
}

/* Reads a script in a subshell: nothing it sets stays. */
static struct facts_flow
walk_apart(struct facts *f, const struct shell_node *node)
{
	struct facts_state saved = f->s;
	struct facts_flow out = {.known = true, .text = STR("")};

	for (const struct shell_node *n = node->first; n; n = n->next)
		facts_walk(f, n, NULL, &out);
	f->s = saved;
	return out;
}

static void
add_cmdsub(struct build *b, const struct shell_node *n, bool quoted)
{
	struct facts_flow out = walk_apart(b->f, n);

	if (!out.known) {
		struct facts_word names = {.text = STR("?"),
			.flags = FACTS_DYNAMIC | (quoted ? 0 : FACTS_MANY)
				| (facts_var_is_number_out(n) ? 0 : FACTS_FOREIGN),
			.taint = out.taint};

		if (out.word)
			names = (struct facts_word){.text = STR("*"),
				.flags = FACTS_GLOB | FACTS_NUMBER | FACTS_BELOW,
				.taint = out.taint};
		else if (b->names && !b->started)
			names =
				facts_names_word(b->f, &out, quoted && b->list != NULL, names);
		add_value(b, &names, quoted);
		return;
	}
	struct facts_word v = {.text = out.text, .taint = out.taint};

	while (v.text.len > 0 && v.text.ptr[v.text.len - 1] == '\n')
		v.text.len--;
	add_value(b, &v, quoted);
}

static void
add_procsub(struct build *b, const struct shell_node *n)
{
	struct facts_flow *flow = ARENA_NEW(b->f->a, struct facts_flow);

	*flow = walk_apart(b->f, n);
	flow->any = flow->from_pipe = true;
	b->taint |= flow->taint;
	b->flags |= FACTS_PIPE;
	b->pipe = flow;
	add_text(b, STR("/dev/fd/63"));
}

static void
add_tilde(struct build *b, const struct shell_node *n)
{
	struct facts *f = b->f;
	struct facts_word v = facts_word_from(n->text);
	struct str user = str_sub(n->text, 1, n->text.len);

	if (user.len == 0)
		v = facts_var_get(f, STR("HOME"));
	else if (str_eq(user, STR("+")))
		v = facts_var_get(f, STR("PWD"));
	else if (str_eq(user, f->world->user) && f->world->home.len > 0)
		v.text = f->world->home;
	else if (str_eq(user, STR("root")))
		v.text = STR("/root");
	else
		v = (struct facts_word){.text = STR("?"), .flags = FACTS_DYNAMIC};
	add_value(b, &v, true);
}

static bool
is_all_args(const struct shell_node *n)
{
	return n->kind == SHELL_PARAM && !n->first && !n->flags
		&& (str_eq(n->text, STR("@")) || str_eq(n->text, STR("*")));
}

/* What an operator makes of v, the value of x. */
static struct facts_word
operated(struct facts *f, const struct shell_node *n, struct facts_word v)
{
	struct facts_word unknown = {.text = STR("?"),
		.flags = FACTS_DYNAMIC | FACTS_MANY | (v.flags & FACTS_FOREIGN),
		.taint = v.taint};
	struct str op = n->first ? n->first->text : STR("");

	facts_walk_inside(f, n);
	for (const struct shell_node *k = n->first; k; k = k->next) {
		if (k->role == SHELL_ROLE_OPERAND && str_eq(op, STR(":")))
			facts_var_counts_with(f, k);
	}
	/* ${x:?} is x, or nothing is run */
	if (facts_names_have(":? ?", op) && v.text.len > 0
		&& !str_eq(v.text, STR("?")))
		return v;
	/* ${x:+set} tells only that it is set */
	if (facts_names_have(":+ +", op))
		unknown.taint = 0;
	if (facts_names_have(":= =", op) && n->first
		&& n->first->role == SHELL_ROLE_OP) {
		struct facts_word name = facts_word_from(n->text);

		facts_var_lose(f, CALL_NO_COMMAND, &name);
	}
	return unknown;
}

/* The value of ${x OP ...} where it can be told. */
static struct facts_word
param_value(struct facts *f, const struct shell_node *n)
{
	struct facts_word unknown = {
		.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};
	struct facts_word v = facts_var_get(f, n->text);
	int64_t number;

	if (is_all_args(n) || str_number(n->text, &number))
		v.taint |= f->s.args_taint;
	unknown.taint = v.taint;
	if (n->flags & SHELL_LENGTH)
		return facts_var_get(f, STR("#"));
	if ((n->flags & SHELL_INDIRECT)
		|| (n->first && str_eq(n->first->text, STR("@P"))))
		facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
			"an expansion that runs what a variable holds", n->text);
	if (n->first || (n->flags & SHELL_INDIRECT))
		return operated(f, n, v);
	if (str_number(n->text, &number) && f->s.args_known) {
		if (number > 0 && (size_t)number <= f->s.arg_count)
			return f->s.args[number - 1];
		return number > 0 ? facts_word_from(STR("")) : unknown;
	}
	return v;
}

static void
add_param(struct build *b, const struct shell_node *n, bool quoted)
{
	struct facts_word v = param_value(b->f, n);

	if (!is_all_args(n) || !b->f->s.args_known || !b->list) {
		if (is_all_args(n))
			quoted = false;
		add_value(b, &v, quoted);
		return;
	}
	for (size_t i = 0; i < b->f->s.arg_count; i++) {
		if (i > 0)
			finish(b);
		add_value(b, &b->f->s.args[i], quoted);
	}
}

static void add_parts(struct build *b, const struct shell_node *n, bool quoted);

static void
add_part(struct build *b, const struct shell_node *n, bool quoted)
{
	struct facts *f = b->f;

	if (!facts_work(f, 2))
		return;
	if (n->kind == SHELL_LIT) {
		add_text(b, n->text);
	} else if (n->kind == SHELL_DQUOTE) {
		bool only_args = n->first && !n->first->next && is_all_args(n->first);

		bool whole = b->names && !b->started;

		b->started = b->started || !only_args;
		if (whole && n->first && !n->first->next
			&& n->first->kind == SHELL_CMDSUB) {
			b->started = false;
			add_cmdsub(b, n->first, true);
			b->started = true;
			return;
		}
		add_parts(b, n->first, true);
	} else if (n->kind == SHELL_TILDE) {
		add_tilde(b, n);
	} else if (n->kind == SHELL_GLOB) {
		b->flags |= FACTS_GLOB;
		/* what @(a|b) may stand for is not followed */
		if (str_has_char(n->text, '('))
			b->flags |= FACTS_DYNAMIC;
		/* zsh runs what stands in *(e:...:) */
		if (str_has(n->text, STR("(e")) || str_has(n->text, STR("(+")))
			facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
				"a pattern that may run a command", n->text);
		facts_walk_inside(f, n);
		add_text(b, n->text);
	} else if (n->kind == SHELL_PARAM) {
		add_param(b, n, quoted);
	} else if (n->kind == SHELL_CMDSUB) {
		add_cmdsub(b, n, quoted);
	} else if (n->kind == SHELL_ARITH) {
		struct facts_word v = facts_var_get(f, STR("#"));

		facts_walk_inside(f, n);
		facts_vars_count(f, n);
		add_value(b, &v, true);
	} else if (n->kind == SHELL_PROCSUB) {
		add_procsub(b, n);
	} else {
		facts_walk_inside(f, n);
		facts_ignore(
			f, CALL_NO_COMMAND, CALL_UNPARSED, "not understood", n->text);
		add_unknown(b, quoted, 0);
	}
}

static void
add_parts(struct build *b, const struct shell_node *n, bool quoted)
{
	for (; n; n = n->next)
		add_part(b, n, quoted);
}

/* zsh reads =name as a program's path, and runs what stands in a glob's
 * parentheses. */
static void
check_zsh(struct facts *f, const struct shell_node *word)
{
	const struct shell_node *n = word->first;
	bool hides = n && n->kind == SHELL_LIT && !(n->flags & SHELL_QUOTED)
		&& str_starts(n->text, STR("="));

	for (; n; n = n->next) {
		/* $x[1] is a part of x */
		hides = hides || (n->kind == SHELL_GLOB && str_has_char(n->text, '('))
			|| (n->kind == SHELL_PARAM && n->next && n->next->kind == SHELL_GLOB
				&& str_starts(n->next->text, STR("[")));
	}
	if (hides)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"a word that zsh reads in its own way", STR(""));
}

static struct str
source_of(const struct facts *f, const struct shell_node *n)
{
	return str_sub(f->text, n->start, n->end);
}

/* --- braces: the shell does them first, on the parts ----------------------- */

struct parts {
	const struct shell_node **list;
	size_t count;
};

static size_t
count_nodes(const struct shell_node *first)
{
	size_t count = 0;

	for (; first; first = first->next)
		count++;
	return count;
}

static struct parts
parts_new(struct facts *f, size_t max)
{
	f->work += max / 4;
	return (struct parts){
		.list = ARENA_ARRAY(f->a, max, const struct shell_node *)};
}

/* Emits the word of these parts once for each way through its braces; budget
 * bounds words and depth. */
static void
expand_braces(struct facts *f, const struct parts *p, struct str source,
	struct facts_words *list, size_t *budget)
{
	size_t at = 0;

	while (at < p->count && p->list[at]->kind != SHELL_BRACE)
		at++;
	if (*budget == 0)
		return;
	if (at == p->count) {
		struct build b = {.f = f, .list = list, .source = source};

		--*budget;
		for (size_t i = 0; i < p->count; i++)
			add_part(&b, p->list[i], false);
		finish(&b);
		return;
	}
	for (const struct shell_node *c = p->list[at]->first; c && *budget > 0;
		 c = c->next) {
		struct parts inner = parts_new(f, p->count + 1 + count_nodes(c->first));

		for (size_t i = 0; i < at; i++)
			inner.list[inner.count++] = p->list[i];
		if (c->kind != SHELL_WORD)
			inner.list[inner.count++] = c;
		for (const struct shell_node *k = c->first; c->kind == SHELL_WORD && k;
			 k = k->next)
			inner.list[inner.count++] = k;
		for (size_t i = at + 1; i < p->count; i++)
			inner.list[inner.count++] = p->list[i];
		expand_braces(f, &inner, source, list, budget);
	}
}

/* In one word; with two alternatives each this is more than BRACE_MAX words. */
enum { BRACES_MAX = 6 };

static bool
has_kind(const struct shell_node *word, enum shell_kind kind)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (n->kind == kind)
			return true;
	}
	return false;
}

/* A range {1..5} is not counted out: what it gives is unknown but plain. */
static bool
has_range(const struct shell_node *word)
{
	for (const struct shell_node *n = word->first; n; n = n->next) {
		if (n->kind == SHELL_BRACE && n->first && n->first->kind == SHELL_LIT)
			return true;
	}
	return false;
}

static void
expand_word_braces(
	struct facts *f, const struct shell_node *word, struct facts_words *list)
{
	struct parts p = parts_new(f, count_nodes(word->first));
	size_t budget = FACTS_BRACE_MAX, before = list->count, braces = 0;

	for (const struct shell_node *n = word->first; n; n = n->next) {
		p.list[p.count++] = n;
		braces += n->kind == SHELL_BRACE;
	}
	if (braces > BRACES_MAX) {
		facts_walk_inside(f, word);
		budget = 0;
	} else {
		expand_braces(f, &p, source_of(f, word), list, &budget);
	}
	if (budget == 0 || list->count == before) {
		list->count = before;
		facts_words_add(f, list,
			(struct facts_word){.text = STR("?"),
				.source = source_of(f, word),
				.flags = FACTS_DYNAMIC | FACTS_MANY});
	}
}

void
facts_word_expand(
	struct facts *f, const struct shell_node *word, struct facts_words *list)
{
	const struct shell_node *first = word->first;
	struct build b = {.f = f, .list = list, .source = source_of(f, word)};

	if (f->zsh)
		check_zsh(f, word);
	if (first && !first->next && first->kind == SHELL_LIT) {
		facts_words_add(f, list,
			(struct facts_word){.text = first->text, .source = b.source});
		return;
	}
	if (has_kind(word, SHELL_BRACE) && !has_range(word)) {
		expand_word_braces(f, word, list);
		return;
	}
	b.started = !first;
	b.names = first && !first->next;
	for (const struct shell_node *n = first; n; n = n->next) {
		if (n->kind == SHELL_BRACE) {
			facts_walk_inside(f, n);
			b.flags |= FACTS_GLOB;
			add_text(&b, STR("*"));
		} else {
			add_part(&b, n, false);
		}
	}
	finish(&b);
}

static struct facts_word
one(struct facts *f, const struct shell_node *word, bool names)
{
	struct build b = {.f = f, .source = source_of(f, word), .names = names};

	if (word->kind == SHELL_WORD || word->kind == SHELL_HEREDOC)
		add_parts(&b, word->first, word->kind == SHELL_HEREDOC);
	else
		add_part(&b, word, false);
	return (struct facts_word){
		.text = b.ptr ? (struct str){b.ptr, b.len}
             : STR(""),
		.source = b.source,
		.flags = b.flags & ~(unsigned)FACTS_MANY,
		.taint = b.taint,
		.pipe = b.pipe,
		.tree = b.tree,
	};
}

struct facts_word
facts_word_one(struct facts *f, const struct shell_node *word)
{
	return one(f, word, false);
}

struct facts_word
facts_word_value(struct facts *f, const struct shell_node *word)
{
	return one(f, word, word->first && !word->first->next);
}

// NOLINTEND(misc-no-recursion)
