/*
 * Variables and folders as commands run one after the other. Bindings are a
 * list, newest first, that is only ever added to: a saved state is a copy of
 * its head, and what a branch changed is what stands before it.
 */

#include "facts/facts_priv.h"

static void
push(struct facts *f, struct facts_var v)
{
	struct facts_var *fresh;

	if (++f->var_count > FACTS_VARS_MAX) {
		/* too many to follow: a wall, and nothing more is remembered */
		if (f->s.vars && !f->s.vars->name.ptr)
			return;
		v = (struct facts_var){.taint = v.taint};
	}
	fresh = ARENA_NEW(f->a, struct facts_var);
	*fresh = v;
	fresh->next = f->s.vars;
	f->s.vars = fresh;
}

void
facts_var_counts(struct facts *f, size_t command, struct str text)
{
	size_t open = str_find(text, STR("["), 0);

	if (open < text.len
		&& (str_find(text, STR("$("), open) < text.len
			|| str_find(text, STR("`"), open) < text.len))
		facts_ignore(f, command, CALL_UNPARSED,
			"a text that may run a command when it is counted with", text);
}

void
facts_var_set(struct facts *f, struct str name, struct facts_word value)
{
	facts_var_counts(f, CALL_NO_COMMAND, value.text);
	bool known = !(value.flags & (FACTS_DYNAMIC | FACTS_MANY));

	push(f,
		(struct facts_var){.name = name,
			.known = known,
			.text = value.text,
			.flags = value.flags,
			.taint = value.taint,
			.tree = value.tree});
}

void
facts_var_forget(struct facts *f, struct str name)
{
	push(f, (struct facts_var){.name = name});
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		|| (c >= '0' && c <= '9') || c == '_';
}

/* The name that a text of an assignment begins with: "x" of "x+=1". */
static struct str
leading_name(struct str s)
{
	size_t n = 0;

	while (n < s.len && is_name_char(s.ptr[n]))
		n++;
	return str_sub(s, 0, n);
}

void
facts_var_lose(struct facts *f, size_t command, const struct facts_word *word)
{
	struct facts_word unknown = {
		.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};
	struct str name = leading_name(word->text);

	if (word->flags & FACTS_DYNAMIC)
		facts_ignore(f, command, CALL_DYNAMIC,
			"a variable that only running would tell", word->source);
	if ((word->flags & FACTS_DYNAMIC) || name.len == 0) {
		facts_var_forget(f, (struct str){NULL, 0});
		return;
	}
	facts_var_forget(f, name);
	facts_env(f, command, name, unknown);
}

static const struct facts_var *
find(const struct facts_var *list, struct str name)
{
	while (list && list->name.ptr && !str_eq(list->name, name))
		list = list->next;
	return list;
}

bool
facts_var_is_secret(struct str name)
{
	static const char *const parts[] = {"TOKEN", "SECRET", "PASSWORD", "PASSWD",
		"APIKEY", "API_KEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL",
		"PASSPHRASE", "AUTH_KEY"};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (str_has_fold(name, str_from(parts[i])))
			return true;
	}
	return str_ends(name, STR("_PAT")) || str_ends(name, STR("_PASS"));
}

/* What the environment is known to hold. */
static bool
from_world(struct facts *f, struct str name, struct facts_word *ret)
{
	static const char numbers[] = "? $ # ! RANDOM SECONDS LINENO UID EUID PPID "
								  "BASHPID EPOCHSECONDS SHLVL "
								  "COLUMNS LINES OPTIND EPOCHREALTIME";

	if (str_eq(name, STR("HOME")) && f->world->home.len > 0)
		*ret = facts_word_from(f->world->home);
	else if (facts_names_have("USER LOGNAME", name) && f->world->user.len > 0)
		*ret = facts_word_from(f->world->user);
	else if (str_eq(name, STR("PWD")) && f->s.cwd.count == 1
		&& !f->s.cwd.unknown)
		*ret = facts_word_from(f->s.cwd.paths[0]);
	else if (facts_names_have(numbers, name))
		*ret = (struct facts_word){
			.text = STR("*"), .flags = FACTS_GLOB | FACTS_NUMBER};
	else
		return false;
	return true;
}

struct facts_word
facts_var_get(struct facts *f, struct str name)
{
	f->work += 3;
	const struct facts_var *v = find(f->s.vars, name);
	struct facts_word w = {
		.text = STR("?"), .flags = FACTS_DYNAMIC | FACTS_MANY};

	if (v && v->known)
		return (struct facts_word){.text = v->text,
			.flags = v->flags,
			.taint = v->taint,
			.tree = v->tree};
	if (v && v->text.ptr) { /* this, or something else */
		return (struct facts_word){.text = v->text,
			.flags = v->flags | FACTS_DYNAMIC,
			.taint = v->taint};
	}
	if (v) {
		w.flags |= v->flags & FACTS_FOREIGN;
		/* behind a wall it is most likely what it was, and not surely so */
		if (!v->name.ptr && from_world(f, name, &w))
			w.flags |= FACTS_DYNAMIC;
		if (!v->name.ptr && facts_var_is_secret(name))
			w.taint |= FACTS_FROM_TOKEN;
		w.taint |= v->taint;
		return w;
	}
	if (from_world(f, name, &w))
		return w;
	if (facts_var_is_secret(name))
		w.taint = FACTS_FROM_TOKEN;
	return w;
}

static bool
same_value(const struct facts_var *a, const struct facts_var *b)
{
	return a && b && a->known && b->known && a->flags == b->flags
		&& a->taint == b->taint && str_eq(a->text, b->text);
}

/* Variables that list has before base and that differ in f's state. */
static void
join_changed(struct facts *f, const struct facts_var *list,
	const struct facts_var *base, const struct facts_var *mine,
	const struct facts_var *theirs)
{
	for (; list && list != base; list = list->next) {
		const struct facts_var *a = find(mine, list->name);
		const struct facts_var *b = find(theirs, list->name);

		if (list->name.ptr && same_value(a, b))
			continue;
		struct facts_var v = {.name = list->name,
			.flags = ((a ? a->flags : 0) | (b ? b->flags : 0)) & FACTS_FOREIGN,
			.taint = (a ? a->taint : 0) | (b ? b->taint : 0)};

		/* what it may be is kept, where a path is what it would be */
		if (list->name.ptr && str_starts(list->text, STR("/"))) {
			v.text = list->text;
			v.flags |= list->flags;
		}
		push(f, v);
	}
}

void
facts_state_join(struct facts *f, const struct facts_state *base,
	const struct facts_state *other)
{
	const struct facts_var *mine = f->s.vars;

	f->work += 4;
	facts_cwd_join(&f->s.cwd, &other->cwd);
	facts_cwd_join(&f->s.failed, &other->failed);
	if (f->s.args != other->args || f->s.arg_count != other->arg_count)
		f->s.args_known = false;
	if (other->vars == mine)
		return;
	join_changed(f, mine, base->vars, mine, other->vars);
	join_changed(f, other->vars, base->vars, mine, other->vars);
}

/* Names among the words of a command that sets variables (read a b). */
static void
forget_words(struct facts *f, const struct shell_node *cmd)
{
	struct str text;

	for (const struct shell_node *w = cmd->first; w; w = w->next) {
		if (w->kind != SHELL_WORD)
			continue;
		if (shell_word_text(f->a, w, &text)) {
			struct str name = str_cut(text, '=', &text);

			if (name.len > 0 && name.ptr[0] != '-')
				facts_var_forget(f, name);
		} else {
			facts_var_forget(f, (struct str){NULL, 0});
		}
	}
}

static void
forget_command(struct facts *f, const struct shell_node *cmd)
{
	static const char setters[] =
		"read mapfile readarray export declare typeset local readonly printf "
		"getopts let unset wait";
	static const char anything[] = "eval source . command builtin set shift";
	static const char movers[] = "cd pushd popd";
	const struct shell_node *w = cmd->first;
	struct str name;

	while (w && w->kind != SHELL_WORD)
		w = w->next;
	if (!w)
		return;
	if (!shell_word_text(f->a, w, &name) || facts_names_have(anything, name)) {
		facts_var_forget(f, (struct str){NULL, 0});
		f->s.args_known = false;
		return;
	}
	if (facts_names_have(setters, name))
		forget_words(f, cmd);
	if (facts_names_have(movers, name))
		f->s.cwd.unknown = true;
	for (struct facts_func *fn = f->s.funcs; fn; fn = fn->next) {
		if (str_eq(fn->name, name)) {
			facts_var_forget(f, (struct str){NULL, 0});
			f->s.cwd.unknown = true;
		}
	}
}

bool
facts_var_is_number_out(const struct shell_node *cmdsub)
{
	static const char printers[] = "wc nproc date id expr seq";
	struct shell_walk w = {.root = cmdsub};
	const struct shell_node *n, *last = NULL;
	struct str name;

	while ((n = shell_walk_next(&w))) {
		if (n->kind == SHELL_CMD)
			last = n;
	}
	while (last && last->kind != SHELL_WORD)
		last = last->kind == SHELL_CMD ? last->first : last->next;
	return last && last->first && !last->first->next
		&& last->first->kind == SHELL_LIT
		&& (name = last->first->text, facts_names_have(printers, name));
}

static void
refuse_foreign(struct facts *f, struct str name)
{
	if (facts_var_get(f, name).flags & FACTS_FOREIGN)
		facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
			"the shell counts with a text that may run a command", name);
}

void
facts_var_counts_names(struct facts *f, struct str text)
{
	for (size_t i = 0, start = 0; i <= text.len; i++) {
		if (i < text.len && is_name_char(text.ptr[i]))
			continue;
		if (i > start && !(text.ptr[start] >= '0' && text.ptr[start] <= '9'))
			refuse_foreign(f, str_sub(text, start, i));
		start = i + 1;
	}
}

void
facts_var_counts_with(struct facts *f, const struct shell_node *node)
{
	struct shell_walk w = {.root = node};
	const struct shell_node *n;

	while ((n = shell_walk_next(&w))) {
		f->work++;
		if (n->kind == SHELL_PARAM && !(n->flags & SHELL_LENGTH))
			refuse_foreign(f, n->text);
		else if (n->kind == SHELL_LIT && n->role != SHELL_ROLE_OP)
			facts_var_counts_names(f, n->text);
		else if (n->kind == SHELL_CMDSUB && !facts_var_is_number_out(n))
			facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
				"the shell counts with an output that may run a command",
				str_sub(f->text, n->start, n->end));
	}
}

/* Names in an arithmetic text: any of them may be set there. */
void
facts_vars_count(struct facts *f, const struct shell_node *arith)
{
	for (const struct shell_node *n = arith->first; n; n = n->next) {
		size_t start = 0;

		if (n->kind != SHELL_LIT)
			continue;
		for (size_t i = 0; i <= n->text.len; i++) {
			if (i < n->text.len && is_name_char(n->text.ptr[i]))
				continue;
			if (i > start) {
				struct facts_word name =
					facts_word_from(str_sub(n->text, start, i));

				if (facts_var_is_secret(name.text))
					facts_add_effect(f,
						(struct call_effect){.kind = CALL_EFFECT_READ,
							.scope = CALL_SCOPE_SYSTEM,
							.flags = CALL_EFFECT_SECRET,
							.resource = name.text,
							.by = STR("shell"),
							.command = CALL_NO_COMMAND});
				facts_var_lose(f, CALL_NO_COMMAND, &name);
			}
			start = i + 1;
		}
	}
}

void
facts_vars_forget_below(struct facts *f, const struct shell_node *node)
{
	struct shell_walk w = {.root = node};
	const struct shell_node *n;

	while ((n = shell_walk_next(&w))) {
		f->work++;
		if (n->kind == SHELL_ASSIGN || n->kind == SHELL_FOR
			|| n->kind == SHELL_SELECT
			|| (n->kind == SHELL_PARAM && n->first
				&& facts_names_have(":= =", n->first->text)))
			facts_var_forget(f, n->text);
		else if (n->kind == SHELL_CMD)
			forget_command(f, n);
		else if (n->kind == SHELL_ARITH)
			facts_vars_count(f, n);
	}
}
