#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

/*
 * Shell text to a tree, as a non-interactive bash (or POSIX sh) reads it.
 *
 * There is one kind of node. Everything that was read is a child of something:
 * words, assignments, redirections, here-documents, case items, substitutions
 * inside words. So a walker is ten lines and cannot skip anything.
 *
 * Parsing never fails: what is not understood is an UNKNOWN node, and the tree
 * says where the first one is. Time is linear in the text; depth, nodes and
 * length are bounded; past a bound the rest is UNKNOWN.
 */

#include "base/arena.h"

enum {
	SHELL_DEPTH_MAX = 64,
	SHELL_NODES_MAX = 32768,
	SHELL_TEXT_MAX = 1 << 20,
};

/*
 * kind, name in printed trees. What text holds and which children there are:
 *
 * statements
 *   SCRIPT    statements in order (a script, a substitution's inside, a body)
 *   ANDOR     text "&&" or "||"; two or more statements. a && b && c is one,
 *             a && b || c is an "||" whose first child is the "&&"
 *   PIPE      text "|" or "|&"; the commands in order; mixed ones nest likewise
 *   NOT       "!"; one statement (or none: "!" alone is a command)
 *   TIME      text "time" as written with options; one statement (or none)
 *   ASYNC     "&"; one statement
 *   CMD       a simple command: ASSIGN, WORD and REDIR children in text order.
 *             Behind a literal declare, export, local, readonly or typeset,
 *             name=value is an ASSIGN, too; name=( ) also behind alias, eval and
 *             let. All else there is a WORD: "a=b", $x, a[1]=b, command export a=b
 *   GROUP     { }: one SCRIPT (role BODY), then REDIRs
 *   SUBSHELL  ( ): the same
 *   IF        SCRIPT role COND, SCRIPT BODY, (COND, BODY)*, SCRIPT ELSE?; REDIRs
 *   WHILE, UNTIL  SCRIPT COND, SCRIPT BODY; REDIRs
 *   FOR, SELECT   text = the variable; WORDs role ITEM; SCRIPT BODY; REDIRs.
 *             flag IMPLICIT: without "in" (runs over "$@")
 *   FORARITH  ARITH role COND; SCRIPT BODY; REDIRs
 *   CASE      WORD role SUBJECT; CASEITEMs; REDIRs
 *   CASEITEM  text ";;", ";&", ";;&" or ""; WORDs role PATTERN; SCRIPT BODY
 *   FUNC      text = the name; one statement role BODY
 *   COPROC    text = the name or ""; one statement role BODY
 *   ARITHCMD  (( )): ARITH
 *   COND      [[ ]]: WORDs and CONDOPs (text = operator) in text order
 * words
 *   ASSIGN    text = the name; flag APPEND for +=; child role SUBSCRIPT (WORD)
 *             if any; child role VALUE: a WORD, or an ARRAY
 *   ARRAY     ( ): WORD or ASSIGN (flag INDEXED, no text) children
 *   WORD      parts in order, none for ''
 *   REDIR     text = the operator; LIT role FD if written ("2", "{fd}"); child
 *             role TARGET: a WORD (here-strings too); for << and <<- also a
 *             HEREDOC role BODY (the delimiter is the TARGET, one LIT)
 *   HEREDOC   parts as in double quotes; flag QUOTED: one LIT, nothing expands
 * parts of words
 *   LIT       text = the characters, unescaped; flag QUOTED when they stood in
 *             quotes or behind a backslash (then "*", "~" and "-" mean themselves
 *             to the shell; programs still see them)
 *   DQUOTE    "...": parts, all of them as inside double quotes
 *   TILDE     text "~", "~user", "~+": expands to a folder
 *   GLOB      text "*", "?", "[...]"; or "[" alone when what closes it stands
 *             behind a quote or an expansion; or an extended pattern "@(...)" (its
 *             parts are children), which bash reads only if extglob is on
 *   BRACE     {a,b}: WORD children; a range {1..5} has one LIT with its text.
 *             None in values of assignments in front of a command, in case, [[
 *   PARAM     text = the name ("HOME", "1", "@", "arr"); flag INDIRECT ${!x};
 *             flag LENGTH ${#x}; LIT role OP with the operator (":-", "//", "@P",
 *             ...) if any; SUBSCRIPT (WORD) if any; operands as WORDs role OPERAND
 *   CMDSUB    $( ) and backticks (flag BACKTICK): one SCRIPT
 *   ARITH     $(( )) or (( )): PARAM, CMDSUB and LIT parts found in it
 *   PROCSUB   text "<" or ">": one SCRIPT
 *   UNKNOWN   text = what was not understood, or "" where something is missing;
 *             any children were still read, and reading goes on behind it
 */
#define SHELL_KINDS(X)      \
	X(NONE, "none")         \
	X(UNKNOWN, "?")         \
	X(SCRIPT, "script")     \
	X(ANDOR, "andor")       \
	X(PIPE, "pipe")         \
	X(NOT, "not")           \
	X(TIME, "time")         \
	X(ASYNC, "async")       \
	X(CMD, "cmd")           \
	X(GROUP, "group")       \
	X(SUBSHELL, "subshell") \
	X(IF, "if")             \
	X(WHILE, "while")       \
	X(UNTIL, "until")       \
	X(FOR, "for")           \
	X(SELECT, "select")     \
	X(FORARITH, "forarith") \
	X(CASE, "case")         \
	X(CASEITEM, "item")     \
	X(FUNC, "func")         \
	X(COPROC, "coproc")     \
	X(ARITHCMD, "arithcmd") \
	X(COND, "cond")         \
	X(CONDOP, "op")         \
	X(ASSIGN, "assign")     \
	X(ARRAY, "array")       \
	X(WORD, "word")         \
	X(REDIR, "redir")       \
	X(HEREDOC, "heredoc")   \
	X(LIT, "lit")           \
	X(DQUOTE, "dquote")     \
	X(TILDE, "tilde")       \
	X(GLOB, "glob")         \
	X(BRACE, "brace")       \
	X(PARAM, "param")       \
	X(CMDSUB, "cmdsub")     \
	X(ARITH, "arith")       \
	X(PROCSUB, "procsub")

#define X(name, text) SHELL_##name,
enum shell_kind { SHELL_KINDS(X) SHELL_KIND_COUNT };
#undef X

/* What a node is to its parent. */
#define SHELL_ROLES(X)        \
	X(PLAIN, "")              \
	X(COND, "cond")           \
	X(BODY, "body")           \
	X(ELSE, "else")           \
	X(ITEM, "item")           \
	X(SUBJECT, "subject")     \
	X(PATTERN, "pattern")     \
	X(SUBSCRIPT, "subscript") \
	X(VALUE, "value")         \
	X(FD, "fd")               \
	X(TARGET, "target")       \
	X(OP, "op")               \
	X(OPERAND, "operand")

#define X(name, text) SHELL_ROLE_##name,
enum shell_role { SHELL_ROLES(X) SHELL_ROLE_COUNT };
#undef X

enum shell_flag {
	SHELL_QUOTED = 1 << 0,
	SHELL_BACKTICK = 1 << 1,
	SHELL_APPEND = 1 << 2,
	SHELL_INDEXED = 1 << 3,
	SHELL_INDIRECT = 1 << 4,
	SHELL_LENGTH = 1 << 5,
	SHELL_IMPLICIT = 1 << 6,
};

struct shell_node {
	enum shell_kind kind;
	enum shell_role role;
	unsigned flags; /* enum shell_flag */
	struct str text;
	uint32_t start, end; /* bytes of the source; of the outermost text for
						  * what stood in backticks or a here-document */
	struct shell_node *first, *next; /* children in text order; sibling */
	struct shell_node *parent;       /* NULL for the root */
	struct shell_node *last;         /* the last child */
};

/* Whose grammar: bash 5.2, or a POSIX sh that may also be a bash, where whatever
 * not every sh reads alike is a doubt. Texts for other shells (zsh, fish) may be
 * read as bash to find what is in them, but not trusted. */
enum shell_dialect { SHELL_BASH, SHELL_SH };

struct shell_tree {
	struct shell_node *root; /* a SCRIPT, never NULL */
	bool unparsed;           /* there is an UNKNOWN node, or a bound was met */
	uint32_t unparsed_at;    /* byte of the first */
	struct str unparsed_why; /* "unterminated quote", ... */
	bool cut;                /* a bound was met: the rest is not in the tree */
	bool refused;            /* bash itself finds a syntax error in the text; it
							  * still runs the lines in front of that one */
};

/* Reads text (any bytes). The tree and its texts live in a and may borrow from
 * text. Never fails, see above. */
void shell_parse(struct arena *a, struct str text, enum shell_dialect dialect,
	struct shell_tree *ret_tree);

/* The tree as one line, what the case files compare: (cmd (word echo) ...). */
struct str shell_print(struct arena *a, const struct shell_tree *tree);

const char *shell_kind_name(enum shell_kind kind);

/*
 * The text of a WORD when it is the same every time it runs: literal and quoted
 * parts only. False for anything that expands (also globs, braces and tildes).
 */
MUST_USE bool shell_word_text(
	struct arena *a, const struct shell_node *word, struct str *ret);

/* The next node of a walk over root and all below it, depth first, parents
 * first; NULL at the end. It starts with (struct shell_walk){.root = node}. */
struct shell_walk {
	const struct shell_node *root;
	const struct shell_node *at; /* the last one given, NULL at the start */
};
const struct shell_node *shell_walk_next(struct shell_walk *w);

#endif
