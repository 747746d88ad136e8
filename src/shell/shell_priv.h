#ifndef SHELL_SHELL_PRIV_H
#define SHELL_SHELL_PRIV_H

/*
 * What the files of the parser share. A reader goes once over one text; the
 * insides of backticks, and here-documents, are texts of their own with readers
 * of their own. Functions named *_read begin at the reader's place, leave it
 * behind what they read, and return a node that has no parent yet.
 */

#include "shell/shell.h"

/* A here-document whose body has not come yet. */
struct shell_pending {
	struct shell_node *redir;
	struct str delimiter;
	bool quoted, strip;
	size_t since; /* not 0: of a $( ) that ended there; its body stands behind
				   * the very next line's end or nowhere */
	struct shell_pending *next;
};

/* One shell_parse: shared by all its readers. */
struct shell_state {
	struct arena *a;
	struct shell_tree *tree;
	struct shell_reader *reader; /* the innermost */
	size_t nodes;
	unsigned depth;
	unsigned dry;  /* > 0: only ends are looked for (pair.c) */
	unsigned late; /* > 0: bash reads this text only when it runs it */
	bool extglob;  /* the text itself turned it on */
	bool sh;       /* (( )), [[ ]] and a[ ]= are no syntax */
};

struct shell_reader {
	struct shell_state *st;
	struct shell_reader *outer;
	const char *text;
	size_t len, pos;
	size_t size;          /* len, while len is not moved to the front */
	uint32_t base;        /* where text begins in the source */
	uint32_t fixed_end;   /* not 0: everything is at base..fixed_end */
	uint32_t *ends;       /* for each place behind a bracket: behind its end */
	unsigned comsubs;     /* $( and <( that are open in this text */
	unsigned funsubs;     /* ${ } with commands that are open in this text */
	bool closed_compound; /* the last token ended a compound command */
	struct shell_pending *pending;
};

/* reader.c: characters, blanks, newlines, operators. */
void shell_reader_init(
	struct shell_reader *r, struct shell_reader *outer, struct str text);
void shell_reader_done(struct shell_reader *r);
int shell_peek_second(struct shell_reader *r); /* behind the next one; or -1 */
/* Takes the characters of op if they are next (continuations between them). */
bool shell_accept(struct shell_reader *r, const char *op);
bool shell_sees(struct shell_reader *r, const char *op);
void shell_blanks(struct shell_reader *r);   /* and a comment */
void shell_newlines(struct shell_reader *r); /* blanks, comments, newlines */
bool shell_is_meta(int c);                   /* ends a plain word; -1 too */
/* Does a word that was read up to here end? Not in front of a <( that is part of
 * it. */
bool shell_ends_word(struct shell_reader *r);
bool shell_is_name(int c, bool first);
/* The characters start..end without the continuations between them. */
struct str shell_joined(struct shell_reader *r, size_t start, size_t end);
/* A name at the reader's place, which it then stands behind; or nothing. */
struct str shell_name_read(struct shell_reader *r);

/* The next character, past line continuations; -1 at the end. */
static inline int
shell_peek(struct shell_reader *r)
{
	while (r->pos + 1 < r->len && r->text[r->pos] == '\\'
		&& r->text[r->pos + 1] == '\n')
		r->pos += 2;
	return r->pos < r->len ? (unsigned char)r->text[r->pos] : -1;
}

/* node.c: making nodes, and marking what is not understood. */
struct shell_node *shell_node_new(
	struct shell_reader *r, enum shell_kind kind, size_t start);
void shell_node_add(struct shell_node *parent, struct shell_node *child);
void shell_node_end(struct shell_reader *r, struct shell_node *n);
/* Adds an UNKNOWN to parent for the text from start to the reader's place. */
struct shell_node *shell_fault(struct shell_reader *r,
	struct shell_node *parent, size_t start, const char *why);
/* The same for what bash does read: it, or we, cannot tell what it does. */
struct shell_node *shell_doubt(struct shell_reader *r,
	struct shell_node *parent, size_t start, const char *why);
/* A doubt about all that is left of this text. */
void shell_doubt_rest(
	struct shell_reader *r, struct shell_node *parent, const char *why);
/* One level deeper; false at SHELL_DEPTH_MAX, the rest is then a fault. */
MUST_USE bool shell_enter(struct shell_reader *r, struct shell_node *parent);
void shell_leave(struct shell_reader *r);
struct str shell_source(struct shell_reader *r, size_t start, size_t end);

/* span.c: parts up to an end. What is special in it is a row of a table. */
enum shell_span {
	SHELL_SPAN_WORD,     /* up to a blank or an operator */
	SHELL_SPAN_PATTERN,  /* the same, but extended patterns are always read */
	SHELL_SPAN_REGEX,    /* the same, but ( ) and | belong to it */
	SHELL_SPAN_DQUOTE,   /* up to the closing quote */
	SHELL_SPAN_HEREDOC,  /* the others are all of their text */
	SHELL_SPAN_OPERAND,  /* of ${ } */
	SHELL_SPAN_QOPERAND, /* of ${ } within double quotes */
	SHELL_SPAN_INDEX,    /* [ ] */
	SHELL_SPAN_ARITH,
	SHELL_SPAN_EXTGLOB,
	SHELL_SPAN_COUNT,
};
/* Reads parts into parent. The closing character is not taken. stop: a further
 * character that ends it, or 0. */
void shell_span_read(struct shell_reader *r, struct shell_node *parent,
	enum shell_span span, char stop);
/* Reads what stands up to end, which bash looks into only when it expands it;
 * the reader is then at end. */
void shell_span_within(struct shell_reader *r, struct shell_node *parent,
	enum shell_span span, size_t end);
/* After r->len was moved to the front for a while: back to len. */
void shell_limit_undo(struct shell_reader *r, size_t len);

/* pair.c */
enum shell_pair {
	SHELL_PAIR_BRACE, /* ${ } */
	SHELL_PAIR_ARITH, /* (( )) and $[ ] */
	SHELL_PAIR_INDEX, /* a[ ]= */
	SHELL_PAIR_PLAIN, /* extended patterns, regular expressions */
};
/* The reader is behind the bracket open, and stays: where does it close? False
 * if nowhere; *ret_end is then the end of the text. */
bool shell_pair_end(
	struct shell_reader *r, enum shell_pair pair, char open, size_t *ret_end);
/* Behind a bracket, while only ends are looked for: to its end if that is known;
 * and the reader's place as the end of the one in front of start. */
bool shell_end_known(struct shell_reader *r);
void shell_end_keep(struct shell_reader *r, size_t start);

/* A run of literal characters that becomes a LIT when something else comes. */
struct shell_lit {
	const char *ptr;
	char *own;       /* ptr, once it is no more borrowed from the text */
	size_t len, cap; /* cap 0: borrowed */
	size_t start, end;
	unsigned flags;
};
void shell_lit_add(
	struct shell_reader *r, struct shell_lit *lit, struct str s, size_t start);
void shell_lit_flush(
	struct shell_reader *r, struct shell_lit *lit, struct shell_node *parent);

/* quote.c */
/* Behind the opening quote; adds to lit. False if the quote is not closed. */
MUST_USE bool shell_single_read(struct shell_reader *r, struct shell_lit *lit);
MUST_USE bool shell_ansi_read(struct shell_reader *r, struct shell_lit *lit);

/* expand.c: at the $, ` or < > of an expansion. */
/* NULL when the $ is just a character; nothing is read then. */
struct shell_node *shell_dollar_read(struct shell_reader *r, bool quoted);
struct shell_node *shell_backtick_read(struct shell_reader *r, bool quoted);
struct shell_node *shell_procsub_read(struct shell_reader *r);
/* ( statements ) into n; false if it does not close. */
bool shell_parens_read(struct shell_reader *r, struct shell_node *n);
/* Statements up to end, where a ")" stands, into n: what begins with a "((" is
 * cut out by its brackets, and bash reads it when it runs it. */
void shell_cut_read(struct shell_reader *r, struct shell_node *n, size_t end);

/* param.c */
/* Behind the "${" that began at start. */
struct shell_node *shell_param_read(
	struct shell_reader *r, size_t start, bool quoted);

/* arith.c */
/* (( )) as an ARITH; NULL, and nothing is read, if it opens two subshells;
 * *ret_split: the line ends behind the inner one. */
struct shell_node *shell_double_parens_read(
	struct shell_reader *r, bool *ret_split);
/* At the "((" behind a $: an ARITH or a CMDSUB. */
struct shell_node *shell_dollar_parens_read(
	struct shell_reader *r, size_t start);
/* At the "[" behind a $. */
struct shell_node *shell_dollar_bracket_read(
	struct shell_reader *r, size_t start);

/* mark.c, brace.c: what unquoted literals of a finished word mean. */
enum shell_marks {
	SHELL_MARK_BRACE = 1 << 0,
	SHELL_MARK_TILDE = 1 << 1,
	SHELL_MARK_GLOB = 1 << 2,
	SHELL_MARK_ASSIGN = 1 << 3, /* tildes also behind : */
};
void shell_mark_word(
	struct shell_reader *r, struct shell_node *word, unsigned marks);
void shell_mark_braces(struct shell_reader *r, struct shell_node *word);

/* word.c */
struct shell_node *shell_word_read(
	struct shell_reader *r, enum shell_span span, unsigned marks);
/* Where an assignment may stand. */
enum shell_assign_place {
	SHELL_ASSIGN_FRONT,  /* in front of a command: any */
	SHELL_ASSIGN_ARGS,   /* of export and kin: without subscript */
	SHELL_ASSIGN_ARRAYS, /* of alias, let, eval: name=( ) only */
};
/* name=value, name+=value, name[i]=value; or a word that only began like that;
 * NULL, and nothing is read, if neither. marks are those of a word. */
struct shell_node *shell_assign_read(
	struct shell_reader *r, enum shell_assign_place place, unsigned marks);
/* Whatever stands here, as a fault, so that reading goes on behind it. */
void shell_skip_token(
	struct shell_reader *r, struct shell_node *parent, const char *why);

/* eval.c: a doubt in word if its quotes hide commands from the shell's first look
 * only; and in what a simple command of that name does so with. */
void shell_eval_check(struct shell_reader *r, struct shell_node *word);
/* Of $'...' in an operand: within double quotes further out, it quotes nothing. */
void shell_eval_check_text(struct shell_reader *r, struct shell_node *parent,
	const struct shell_lit *lit);
void shell_eval_check_command(
	struct shell_reader *r, struct shell_node *cmd, struct str name);

/* posix.c: a doubt for the first thing that not every sh reads so. */
void shell_posix_mark(struct shell_reader *r, struct shell_node *root);

/* heredoc.c */
/* word began at start and ends at the reader. */
void shell_heredoc_add(struct shell_reader *r, struct shell_node *redir,
	struct shell_node *word, size_t start, bool strip);
void shell_heredocs_read(struct shell_reader *r);

/* redir.c */
/* NULL if no redirection stands here. */
struct shell_node *shell_redir_read(struct shell_reader *r);
void shell_redirs_read(struct shell_reader *r, struct shell_node *parent);

/* list.c */
struct shell_node *shell_script_read(struct shell_reader *r);
/* The same; an empty one is a fault. */
struct shell_node *shell_body_read(
	struct shell_reader *r, enum shell_role role);
struct shell_node *shell_pipeline_read(struct shell_reader *r);
/* The whole text as a SCRIPT. */
struct shell_node *shell_text_read(struct shell_reader *r);

/* command.c */
/* NULL when nothing that begins a command stands here. */
struct shell_node *shell_command_read(struct shell_reader *r);
/* Of a coproc: what stands in front of a compound command is its name; only
 * that is read then, and *ret_named is set. NULL elsewhere. */
struct shell_node *shell_simple_read(struct shell_reader *r, bool *ret_named);

/* compound.c, loop.c, case.c, cond.c: at the reserved word or bracket. */
enum shell_reserved {
	SHELL_RW_NONE,
	SHELL_RW_BANG,
	SHELL_RW_CASE,
	SHELL_RW_COND,
	SHELL_RW_COND_END,
	SHELL_RW_COPROC,
	SHELL_RW_DO,
	SHELL_RW_DONE,
	SHELL_RW_ELIF,
	SHELL_RW_ELSE,
	SHELL_RW_ESAC,
	SHELL_RW_FI,
	SHELL_RW_FOR,
	SHELL_RW_FUNCTION,
	SHELL_RW_IF,
	SHELL_RW_IN,
	SHELL_RW_LBRACE,
	SHELL_RW_RBRACE,
	SHELL_RW_SELECT,
	SHELL_RW_THEN,
	SHELL_RW_TIME,
	SHELL_RW_UNTIL,
	SHELL_RW_WHILE,
	SHELL_RW_COUNT,
};
/* The reserved word at the reader's place; it stays there. */
enum shell_reserved shell_reserved_peek(struct shell_reader *r);
/* Takes it if it is this one. */
bool shell_reserved_accept(struct shell_reader *r, enum shell_reserved rw);
/* Blanks, then that word; a fault in node if it is not there. */
void shell_reserved_expect(struct shell_reader *r, struct shell_node *node,
	enum shell_reserved rw, const char *why);
struct shell_node *shell_compound_read(
	struct shell_reader *r, enum shell_reserved rw);
struct shell_node *shell_paren_read(struct shell_reader *r);
struct shell_node *shell_loop_read(
	struct shell_reader *r, enum shell_reserved rw);
struct shell_node *shell_case_read(struct shell_reader *r);
struct shell_node *shell_cond_read(struct shell_reader *r);
/* Does something stand here that begins a compound command a function can have?
 */
bool shell_sees_compound(struct shell_reader *r);
/* The text from start to end as the name of func: bash takes it as it is written,
 * and runs no function whose name has quotes or expansions. */
void shell_function_name(
	struct shell_reader *r, struct shell_node *func, size_t start, size_t end);
/* The compound command of a function, at whatever stands here; NULL = none. */
struct shell_node *shell_function_body(struct shell_reader *r);

#endif
