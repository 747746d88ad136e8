/*
 * The walk over a shell tree: every command in it is read, with the folder and
 * the variables that it would find. Where the text may or may not run, both are
 * kept in mind.
 */

#include "facts/walk_priv.h"

// NOLINTBEGIN(misc-no-recursion): bounded by WALK_DEPTH_MAX

enum { WALK_DEPTH_MAX = 400 };

static const struct shell_node *
child(const struct shell_node *node, enum shell_role role)
{
	const struct shell_node *n = node->first;

	while (n && n->role != role)
		n = n->next;
	return n;
}

/* Both outcomes of the last command go on from here. */
static void
settle_cwd(struct facts *f, const struct facts_cwd *before)
{
	facts_cwd_join(&f->s.cwd, &f->s.failed);
	if (f->s.cwd.count == 0 && !f->s.cwd.unknown)
		f->s.cwd = *before;
	f->s.failed = f->s.cwd;
}

static void
walk_script(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	for (const struct shell_node *n = node->first; n; n = n->next) {
		struct facts_cwd before = f->s.cwd;

		facts_walk(f, n, in, out);
		if (n->next)
			settle_cwd(f, &before);
	}
}

/* What is so when the rest of a chain does not run. */
static struct facts_state
leave_chain(struct facts *f, bool is_and, const struct facts_cwd *before)
{
	struct facts_state skipped = f->s;

	if (is_and) {
		skipped.cwd = (struct facts_cwd){.count = 0};
		f->s.failed = f->s.cwd;
	} else {
		skipped.failed = (struct facts_cwd){.count = 0};
		f->s.cwd = f->s.failed;
	}
	if (f->s.cwd.count == 0 && !f->s.cwd.unknown)
		f->s.cwd = f->s.failed = *before;
	return skipped;
}

/* Where the rest of a chain was skipped. */
struct skipped {
	struct skipped *before;
	struct facts_state state;
};

/* a && b && c is one node with three statements. Each runs only if all before
 * it did, so what they set is certain until the chain's end. */
static void
walk_andor(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	bool is_and = str_eq(node->text, STR("&&"));
	const struct facts_state base = f->s;
	struct skipped *skipped = NULL;

	for (const struct shell_node *n = node->first; n && facts_work(f, 1);
		 n = n->next) {
		if (n != node->first) {
			struct skipped *one = ARENA_NEW(f->a, struct skipped);

			*one = (struct skipped){skipped, leave_chain(f, is_and, &base.cwd)};
			skipped = one;
		}
		f->condition_depth += n != node->first;
		facts_walk(f, n, in, out);
		f->condition_depth -= n != node->first;
	}
	for (; skipped; skipped = skipped->before)
		facts_state_join(f, &base, &skipped->state);
}

static void
walk_pipe(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	struct facts_state saved = f->s;
	const struct facts_flow *feed = in;

	for (const struct shell_node *n = node->first; n; n = n->next) {
		struct facts_flow *mine = ARENA_NEW(f->a, struct facts_flow);

		*mine = (struct facts_flow){.known = true, .text = STR("")};
		facts_walk(f, n, feed, mine);
		f->s = saved;
		mine->any = mine->from_pipe = true;
		feed = mine;
		if (!n->next)
			facts_flow_join(out, mine);
	}
}

static void
walk_not(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	if (!node->first)
		return;
	facts_walk(f, node->first, in, out);
	struct facts_cwd ok = f->s.cwd;

	f->s.cwd = f->s.failed;
	f->s.failed = ok;
}

static void
walk_time(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	if (node->first)
		facts_walk(f, node->first, in, out);
}

static void
walk_apart(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	struct facts_state saved = f->s;

	walk_script(f, node, in, out);
	f->s = saved;
}

/* A compound command: its redirections stand around its body. */
static void
walk_around(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r = facts_redirs_read(f, node->first);
	struct facts_flow mine = {.known = true, .text = STR("")};

	const struct shell_node *body = child(node, SHELL_ROLE_BODY);

	if (r->has_in)
		in = &r->in;
	if (body && node->kind == SHELL_SUBSHELL)
		walk_apart(f, body, in, &mine);
	else if (body)
		walk_script(f, body, in, &mine);
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
}

/* The rest of a compound: redirections behind done, fi, esac. */
static const struct facts_flow *
redirs_of(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, const struct facts_redirs **ret)
{
	*ret = facts_redirs_read(f, node->first);
	return (*ret)->has_in ? &(*ret)->in : in;
}

static void
walk_if(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};
	struct facts_state base = f->s, done = f->s;
	bool has_done = false, has_else = false;

	in = redirs_of(f, node, in, &r);
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->role == SHELL_ROLE_COND) {
			walk_script(f, n, in, &mine);
			f->condition_depth++;
			continue;
		}
		if (n->role != SHELL_ROLE_BODY && n->role != SHELL_ROLE_ELSE)
			continue;
		struct facts_state otherwise = f->s;

		has_else = has_else || n->role == SHELL_ROLE_ELSE;
		otherwise.cwd = otherwise.failed;
		f->s.failed = f->s.cwd;
		walk_script(f, n, in, &mine);
		if (has_done)
			facts_state_join(f, &base, &done);
		done = f->s;
		has_done = true;
		f->s = otherwise;
		if (n->role == SHELL_ROLE_BODY)
			f->condition_depth--;
	}
	if (has_else)
		f->s = done;
	else
		facts_state_join(f, &base, &done);
	settle_cwd(f, &base.cwd);
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
}

static bool
is_word(const struct shell_node *cmd, const char *names)
{
	const struct shell_node *k = cmd->first;

	while (k && k->kind != SHELL_WORD)
		k = k->next;
	return k && k->first && !k->first->next && k->first->kind == SHELL_LIT
		&& facts_names_have(names, k->first->text);
}

/* while true, without a way out. */
static bool
is_endless(const struct shell_node *node)
{
	const struct shell_node *cond = child(node, SHELL_ROLE_COND);
	struct shell_walk w = {.root = node};
	const struct shell_node *n = cond ? cond->first : NULL;

	if (node->kind == SHELL_FORARITH)
		return false;
	if (!n || n->next || n->kind != SHELL_CMD
		|| !is_word(n, node->kind == SHELL_UNTIL ? "false" : "true :"))
		return false;
	while ((n = shell_walk_next(&w))) {
		if (n->kind == SHELL_CMD && is_word(n, "break exit return exec"))
			return false;
	}
	return true;
}

static void
check_endless(struct facts *f, const struct shell_node *node)
{
	struct str what = str_sub(f->text, node->start, node->end);
	struct shell_walk w = {.root = node};
	const struct shell_node *n;

	if (!is_endless(node))
		return;
	while ((n = shell_walk_next(&w))) {
		if (n->kind == SHELL_ASYNC)
			facts_add_hazard(f, CALL_HAZARD_FORK_BOMB, what);
	}
	facts_ignore(
		f, CALL_NO_COMMAND, CALL_UNKNOWN, "a loop without an end", what);
}

static void
walk_while(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};

	in = redirs_of(f, node, in, &r);
	check_endless(f, node);
	facts_vars_forget_below(f, node);
	f->condition_depth++;
	struct facts_state base = f->s;

	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->kind == SHELL_SCRIPT)
			walk_script(f, n, in, &mine);
		else if (n->kind != SHELL_REDIR)
			facts_walk_inside(f, n);
	}
	facts_state_join(f, &base, &base);
	settle_cwd(f, &base.cwd);
	f->condition_depth--;
	facts_vars_forget_below(f, node);
	mine.known = false;
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
}

static void
walk_for_body(struct facts *f, const struct shell_node *node,
	const struct facts_word *item, const struct facts_flow *in,
	struct facts_flow *out)
{
	const struct shell_node *body = child(node, SHELL_ROLE_BODY);
	struct facts_state base = f->s;

	facts_vars_forget_below(f, body ? body : node);
	facts_var_set(f, node->text, *item);
	facts_env(f, CALL_NO_COMMAND, node->text, *item);
	if (body)
		walk_script(f, body, in, out);
	facts_state_join(f, &base, &base);
	settle_cwd(f, &base.cwd);
}

static void
walk_for(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};
	struct facts_words items = {.count = 0};
	bool all = true;

	in = redirs_of(f, node, in, &r);
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->role == SHELL_ROLE_ITEM)
			facts_word_expand(f, n, &items);
	}
	for (size_t i = 0; i < items.count; i++)
		all = all && !(items.list[i].flags & (FACTS_DYNAMIC | FACTS_MANY));
	f->condition_depth++;
	if (all && items.count <= FACTS_LOOP_ITEMS_MAX
		&& f->unrolled + items.count <= FACTS_UNROLL_MAX
		&& !(node->flags & SHELL_IMPLICIT)) {
		f->unrolled += items.count;
		for (size_t i = 0; i < items.count; i++)
			walk_for_body(f, node, &items.list[i], in, &mine);
	} else {
		struct facts_word item = {
			.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};

		for (size_t i = 0; i < items.count; i++) {
			item.taint |= items.list[i].taint;
			item.flags |= items.list[i].flags & FACTS_FOREIGN;
		}
		walk_for_body(f, node, &item, in, &mine);
	}
	f->condition_depth--;
	facts_vars_forget_below(f, node);
	mine.known = false;
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
}

static void
walk_case(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};
	struct facts_state base, done;

	in = redirs_of(f, node, in, &r);
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->role == SHELL_ROLE_SUBJECT)
			facts_walk_inside(f, n);
	}
	base = done = f->s;
	f->condition_depth++;
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->kind != SHELL_CASEITEM)
			continue;
		/* ";&" runs on into the next one, so each starts from all before */
		f->s = done;
		for (const struct shell_node *k = n->first; k; k = k->next) {
			if (k->kind == SHELL_WORD)
				facts_walk_inside(f, k);
			else
				walk_script(f, k, in, &mine);
		}
		facts_state_join(f, &base, &done);
		settle_cwd(f, &base.cwd);
		done = f->s;
	}
	f->condition_depth--;
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
}

/* A function that starts itself more than once, or in the background. */
static bool
is_bomb(const struct shell_node *body, struct str name, bool in_loop)
{
	struct shell_walk w = {.root = body};
	const struct shell_node *n;
	bool forks = in_loop;
	size_t calls = 0;

	while ((n = shell_walk_next(&w))) {
		if (n->kind == SHELL_PIPE || n->kind == SHELL_ASYNC)
			forks = true;
		if (n->kind != SHELL_CMD)
			continue;
		const struct shell_node *k = n->first;

		while (k && k->kind != SHELL_WORD)
			k = k->next;
		if (k && k->first && !k->first->next && k->first->kind == SHELL_LIT
			&& str_eq(k->first->text, name))
			calls++;
	}
	return forks && calls > 0;
}

static void
walk_func(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct shell_node *body = child(node, SHELL_ROLE_BODY);
	struct facts_func *fn;

	(void)in;
	(void)out;
	if (!body)
		return;
	if (is_bomb(body, node->text, false))
		facts_add_hazard(
			f, CALL_HAZARD_FORK_BOMB, str_sub(f->text, node->start, node->end));
	fn = ARENA_NEW(f->a, struct facts_func);
	*fn = (struct facts_func){
		.next = f->s.funcs,
		.name = node->text,
		.source = f->text,
		.body = body,
		.certain = f->condition_depth == 0,
		.all_next = f->all_funcs,
	};
	f->s.funcs = f->all_funcs = fn;
	facts_add_program_text(f, node->text);
}

void
facts_walk_uncalled(struct facts *f)
{
	for (struct facts_func *fn = f->all_funcs; fn; fn = fn->all_next) {
		struct facts_flow out = {.known = true, .text = STR("")};
		struct facts_state saved = f->s;
		struct str text = f->text;

		if (fn->called)
			continue;
		fn->called = fn->active = true;
		facts_var_forget(f, (struct str){NULL, 0});
		f->s.args_known = false;
		f->s.cwd.unknown = true;
		f->text = fn->source;
		f->condition_depth++;
		facts_walk(f, fn->body, NULL, &out);
		f->condition_depth--;
		f->text = text;
		f->s = saved;
		fn->active = false;
	}
}

/* [[ x -eq y ]]: both sides are counted out. */
static bool
compares_numbers(const struct facts *f, const struct shell_node *node)
{
	static const char *const ops[] = {
		"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"};
	struct str text = str_sub(f->text, node->start, node->end);

	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		if (str_has(text, str_from(ops[i])))
			return true;
	}
	return false;
}

static void
walk_words(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	const struct facts_redirs *r;
	struct facts_flow mine = {.known = true, .text = STR("")};

	(void)redirs_of(f, node, in, &r);
	for (const struct shell_node *n = node->first; n; n = n->next) {
		if (n->kind == SHELL_WORD && n->first && n->first->kind == SHELL_LIT)
			facts_var_counts(f, CALL_NO_COMMAND, n->first->text);
		if (n->kind != SHELL_REDIR)
			facts_walk_inside(f, n);
	}
	if (node->kind == SHELL_COND && compares_numbers(f, node))
		facts_var_counts_with(f, node);
	facts_vars_forget_below(f, node);
	facts_redirs_apply(f, r, CALL_NO_COMMAND, &mine);
	facts_flow_join(out, &mine);
	f->s.failed = f->s.cwd;
}

/* In the background: nothing it sets stays. */
static void
walk_async(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	struct facts_state saved = f->s;

	for (const struct shell_node *n = node->first; n; n = n->next)
		facts_walk(f, n, in, out);
	f->s = saved;
}

static void
walk_unknown(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	facts_ignore(
		f, CALL_NO_COMMAND, CALL_UNPARSED, "not understood", node->text);
	for (const struct shell_node *n = node->first; n; n = n->next)
		facts_walk(f, n, in, out);
	out->known = false;
	out->any = true;
}

typedef void (*walk_fn)(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out);

static const walk_fn walkers[SHELL_KIND_COUNT] = {
	[SHELL_SCRIPT] = walk_script,
	[SHELL_ANDOR] = walk_andor,
	[SHELL_PIPE] = walk_pipe,
	[SHELL_NOT] = walk_not,
	[SHELL_TIME] = walk_time,
	[SHELL_ASYNC] = walk_async,
	[SHELL_COPROC] = walk_async,
	[SHELL_CMD] = facts_walk_command,
	[SHELL_GROUP] = walk_around,
	[SHELL_SUBSHELL] = walk_around,
	[SHELL_IF] = walk_if,
	[SHELL_WHILE] = walk_while,
	[SHELL_UNTIL] = walk_while,
	[SHELL_FOR] = walk_for,
	[SHELL_SELECT] = walk_for,
	[SHELL_FORARITH] = walk_while,
	[SHELL_CASE] = walk_case,
	[SHELL_FUNC] = walk_func,
	[SHELL_ARITHCMD] = walk_words,
	[SHELL_COND] = walk_words,
};

void
facts_walk(struct facts *f, const struct shell_node *node,
	const struct facts_flow *in, struct facts_flow *out)
{
	walk_fn fn = walkers[node->kind];

	if (f->node_depth > WALK_DEPTH_MAX || !facts_work(f, 1)) {
		facts_cut(f);
		out->known = false;
		return;
	}
	f->node_depth++;
	if (fn)
		fn(f, node, in, out);
	else
		walk_unknown(f, node, in, out);
	f->node_depth--;
}

// NOLINTEND(misc-no-recursion)
