/*
 * Simple commands, and which kind of command stands here.
 */

#include "shell/shell_priv.h"

enum { WORD_MARKS = SHELL_MARK_BRACE | SHELL_MARK_TILDE | SHELL_MARK_GLOB };

/* Commands whose arguments may be assignments. */
static const struct {
	struct str name;
	enum shell_assign_place place;
} assigners[] = {
	{{"declare", 7},  SHELL_ASSIGN_ARGS  },
	{{"export", 6},   SHELL_ASSIGN_ARGS  },
	{{"local", 5},    SHELL_ASSIGN_ARGS  },
	{{"readonly", 8}, SHELL_ASSIGN_ARGS  },
	{{"typeset", 7},  SHELL_ASSIGN_ARGS  },
	{{"alias", 5},    SHELL_ASSIGN_ARRAYS},
	{{"eval", 4},     SHELL_ASSIGN_ARRAYS},
	{{"let", 3},      SHELL_ASSIGN_ARRAYS},
};

/* The text of a word that is one unquoted literal, or nothing. */
static struct str
plain_text(const struct shell_node *word)
{
	const struct shell_node *n = word->first;

	if (!n || n->next || n->kind != SHELL_LIT || (n->flags & SHELL_QUOTED))
		return (struct str){"", 0};
	return n->text;
}

/* Is it "shopt -s option" or "set -o option", in whatever order? */
static bool
turns_on(const struct shell_node *cmd, struct str option)
{
	const struct shell_node *first = cmd->first;
	bool off = false, named = false;

	if (!first || first->kind != SHELL_WORD
		|| (!str_eq(plain_text(first), STR("shopt"))
			&& !str_eq(plain_text(first), STR("set"))))
		return false;
	for (const struct shell_node *n = first->next; n; n = n->next) {
		struct str text = plain_text(n);

		off = off || str_starts(text, STR("-u")) || str_starts(text, STR("+"));
		named = named || str_eq(text, option);
	}
	return named && !off;
}

/* What changes how the lines behind it are read: extended patterns; and with
 * aliases, every word may be something else. */
static void
note_modes(struct shell_reader *r, struct shell_node *cmd)
{
	bool aliases =
		turns_on(cmd, STR("expand_aliases")) || turns_on(cmd, STR("posix"));

	if (turns_on(cmd, STR("extglob")))
		r->st->extglob = true;
	for (const struct shell_node *n = cmd->first; n; n = n->next) {
		if (n->kind == SHELL_ASSIGN && str_eq(n->text, STR("POSIXLY_CORRECT")))
			aliases = true;
	}
	if (aliases)
		(void)shell_doubt(r, cmd, r->pos, "aliases are turned on");
}

/* name ( ): the rest of a function definition; NULL if it is none. The name
 * stands from start to end. */
static struct shell_node *
read_function(struct shell_reader *r, size_t start, size_t end)
{
	struct shell_reader ahead = *r;

	if (!shell_accept(&ahead, "("))
		return NULL;
	while (shell_peek(&ahead) == ' ' || shell_peek(&ahead) == '\t')
		ahead.pos++;
	if (!shell_accept(&ahead, ")"))
		return NULL;
	struct shell_node *n = shell_node_new(r, SHELL_FUNC, start);

	shell_function_name(r, n, start, end);
	r->pos = ahead.pos;
	shell_newlines(r);
	struct shell_node *body = shell_function_body(r);

	if (body)
		shell_node_add(n, body);
	else
		(void)shell_fault(r, n, r->pos, "function without a body");
	shell_node_end(r, n);
	return n;
}

/* What is known of a simple command while its words are read. */
struct simple {
	struct shell_node *cmd;
	struct shell_node *name;       /* its first word */
	size_t end;                    /* of its last element */
	bool assigns;                  /* arguments may be assignments */
	enum shell_assign_place place; /* what they may look like here */
};

static void
set_name(struct simple *s, struct shell_node *word)
{
	struct str text = plain_text(word);

	s->name = word;
	if (text.len < 3 || text.len > 8)
		return;
	for (size_t i = 0; i < ARRAY_LEN(assigners); i++) {
		if (str_eq(text, assigners[i].name)) {
			s->assigns = true;
			s->place = assigners[i].place;
		}
	}
}

/* The next assignment, redirection or word; NULL at the end. */
static struct shell_node *
read_element(struct shell_reader *r, const struct simple *s)
{
	int c = shell_peek(r);
	struct shell_node *n = NULL;

	if (c == '<' || c == '>' || c == '&' || c == '{' || (c >= '0' && c <= '9'))
		n = shell_redir_read(r);
	if (n)
		return n;
	if (shell_ends_word(r))
		return NULL;
	if (!s->name || s->assigns)
		n = shell_assign_read(r, s->place, WORD_MARKS);
	return n ? n : shell_word_read(r, SHELL_SPAN_WORD, WORD_MARKS);
}

/* Behind the first word of a coproc: is it the name of what follows? */
static bool
names_coproc(struct shell_reader *r, const struct simple *s)
{
	if (s->cmd->first == s->name && shell_sees_compound(r))
		return true;
	enum shell_reserved rw = shell_reserved_peek(r);

	/* reserved words are that still */
	if (rw != SHELL_RW_NONE && rw != SHELL_RW_TIME)
		(void)shell_fault(r, s->cmd, r->pos, "unexpected behind coproc");
	return false;
}

/* Adds what read_element gave. */
static void
add_element(struct shell_reader *r, struct simple *s, struct shell_node *n)
{
	/* a[x y]= and a=( ) are not seen behind "a=b >c" */
	if (n->kind == SHELL_REDIR && s->cmd->last
		&& s->cmd->last->kind == SHELL_ASSIGN)
		s->place = SHELL_ASSIGN_ARGS;
	shell_node_add(s->cmd, n);
	shell_node_end(r, s->cmd);
	s->end = r->pos;
	shell_blanks(r);
}

struct shell_node *
shell_simple_read(struct shell_reader *r, bool *ret_named)
{
	size_t start = r->pos;
	struct simple s = {
		.cmd = shell_node_new(r, SHELL_CMD, start),
		/* a[x y]= is two words to sh */
		.place = r->st->sh ? SHELL_ASSIGN_ARGS : SHELL_ASSIGN_FRONT,
	};

	for (struct shell_node *n; (n = read_element(r, &s));) {
		add_element(r, &s, n);
		if (n->kind != SHELL_WORD || s.name)
			continue;
		set_name(&s, n);
		if (ret_named && names_coproc(r, &s)) {
			*ret_named = true;
			return s.cmd;
		}
		struct shell_node *func =
			!ret_named && s.cmd->first == n && shell_peek(r) == '('
			? read_function(r, start, s.end)
			: NULL;

		if (func)
			return func;
	}
	r->closed_compound = false;
	note_modes(r, s.cmd);
	shell_eval_check_command(
		r, s.cmd, s.name ? plain_text(s.name) : (struct str){"", 0});
	return s.cmd->first ? s.cmd : NULL;
}

struct shell_node *
shell_command_read(struct shell_reader *r)
{
	shell_blanks(r);
	int c = shell_peek(r);

	if (c == '(')
		return shell_paren_read(r);
	enum shell_reserved rw = shell_reserved_peek(r);

	/* "time" that is still there stands behind a "|": a word like others */
	if (rw == SHELL_RW_NONE || rw == SHELL_RW_TIME)
		return shell_simple_read(r, NULL);
	if (rw == SHELL_RW_BANG && r->st->extglob && shell_peek_second(r) == '(')
		return shell_simple_read(r, NULL);
	return shell_compound_read(r, rw);
}
