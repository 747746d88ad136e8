#ifndef FACTS_PROG_H
#define FACTS_PROG_H

/*
 * The format of the program tables: one row per program or sub-command, in one
 * file per family (prog_*.c). README.md says how to write a row. A row never
 * guesses: an option or operand that no row names is ignorance.
 */

#include "call/facts.h"

struct facts_run;

/*
 * What an operand, an option's value, or an option or command by itself means.
 * name, effect, what the text is, effect flags. Where the effect is NONE the
 * engine does something of its own, see the comment.
 */
#define FACTS_ROLES(X)                                                         \
	X(NONE, NONE, NOTHING, 0) /* no row: not understood */                     \
	X(INERT, NONE, NOTHING, 0)                                                 \
	X(UNKNOWN, NONE, NOTHING,                                                  \
		0)                 /* there is such a thing, but what it does    \
								  * is not known */     \
	X(READ, READ, PATH, 0) /* "-" is standard input */                         \
	X(READ_TREE, READ, PATH, CALL_EFFECT_TREE)                                 \
	X(LIST, READ, PATH, CALL_EFFECT_NAMES)                                     \
	X(LIST_TREE, READ, PATH, CALL_EFFECT_NAMES | CALL_EFFECT_TREE)             \
	X(WRITE, WRITE, PATH, 0) /* "-" is standard output */                      \
	X(WRITE_TREE, WRITE, PATH, CALL_EFFECT_TREE)                               \
	X(TRUNCATE, WRITE, PATH, CALL_EFFECT_LOSSY)                                \
	X(MODE, WRITE, PATH, CALL_EFFECT_MODE)                                     \
	X(MODE_TREE, WRITE, PATH, CALL_EFFECT_MODE | CALL_EFFECT_TREE)             \
	X(CREATE, CREATE, PATH, 0)                                                 \
	X(LINK, CREATE, PATH, CALL_EFFECT_LINK)                                    \
	X(DELETE, DELETE, PATH, 0)                                                 \
	X(DELETE_TREE, DELETE, PATH, CALL_EFFECT_TREE)                             \
	X(DEVICE, WRITE, PATH, CALL_EFFECT_RAW) /* written below its files */      \
	X(CHDIR, NONE, NOTHING, 0)              /* the folder in which it runs */  \
	X(COMMAND, NONE, NOTHING,                                                  \
		0)                     /* this operand and all behind it are a       \
								  * command that is run */ \
	X(SHELL, NONE, NOTHING, 0) /* text that a shell runs */                    \
	X(CODE, NONE, NOTHING, 0)  /* program text in the row's language */        \
	X(SCRIPT, NONE, NOTHING,                                                   \
		0)                    /* a file that is run; then the rest are its  \
								  * own arguments */  \
	X(LOAD, NONE, NOTHING, 0) /* a file or module of code that is loaded */    \
	X(PROJECT, EXECUTE, PATH, CALL_EFFECT_PROJECT) /* runs workspace code */   \
	X(URL, CONNECT, URL, 0)                                                    \
	X(HOST, CONNECT, HOST, 0)      /* [user@]host[:port] */                    \
	X(HOST_READ, NONE, NOTHING, 0) /* host:path that is read, else a file */   \
	X(HOST_WRITE, NONE, NOTHING, 0)                                            \
	X(REMOTE, CONNECT, NAME, 0) /* a service that is known by this name */     \
	X(REMOTE_SEND, SEND, NAME, 0)                                              \
	X(SEND_FILE, NONE, NOTHING, 0) /* a file whose content leaves */           \
	X(SEND_TEXT, NONE, NOTHING, 0) /* text that leaves */                      \
	X(SIGNAL, SIGNAL, NAME, 0)                                                 \
	X(SECRET, READ, NAME, CALL_EFFECT_SECRET)                                  \
	X(PERSIST, PERSIST, NAME, 0)                                               \
	X(PRIVILEGE, PRIVILEGE, NAME, 0)                                           \
	X(SYSTEM, WRITE, NAME, 0)     /* a setting or object of the machine */     \
	X(ASSIGN, NONE, NOTHING, 0)   /* NAME=VALUE for what is run */             \
	X(FILTER, NONE, NOTHING, 0)   /* a glob: which of the names below */       \
	X(DECODED, NONE, NOTHING, 0)  /* what it prints was decoded */             \
	X(DOWN, NONE, NOTHING, 0)     /* stops the machine or every process */     \
	X(BACKDOOR, NONE, NOTHING, 0) /* gives a shell to another machine */       \
	X(DODGE, NONE, NOTHING, 0)    /* an agent without its hooks */             \
	X(SELF, NONE, NOTHING, 0)     /* reaches for assent itself */

#define X(name, effect, what, flags) FACTS_##name,
enum facts_role { FACTS_ROLES(X) FACTS_ROLE_COUNT };
#undef X

/* What the text of a role is. */
enum facts_what {
	FACTS_WHAT_NOTHING,
	FACTS_WHAT_PATH,
	FACTS_WHAT_URL,
	FACTS_WHAT_HOST,
	FACTS_WHAT_NAME,
};

enum facts_arg {
	FACTS_FLAG,  /* takes no value */
	FACTS_VALUE, /* takes one: attached, behind "=", or the next word */
	FACTS_MAYBE, /* may have one, only attached or behind "=" */
	FACTS_TWO,   /* takes two words: a name, and the value that counts */
};

/* A group of options that mean the same. */
struct facts_opt {
	const char *names; /* "-n --lines": blanks between */
	enum facts_arg arg;
	enum facts_role role; /* of the value; of the option itself for FLAG.
						   * NONE reads as INERT here */
	unsigned flags;       /* enum call_effect_flag, added to the role's */
	unsigned set;         /* bits of the row's own, see when and unless */
	const char *text;     /* for FLAG with a role: its resource */
};

enum facts_at {
	FACTS_ALL,
	FACTS_FIRST,
	FACTS_SECOND,
	FACTS_REST,     /* all but the first */
	FACTS_THIRD_ON, /* all but the first two */
	FACTS_LAST,     /* the last, if there are two or more */
	FACTS_BUT_LAST, /* all but the last; a single one too */
};

/* What the operands at some place mean. An operand may match several; one that
 * matches none is ignorance. */
struct facts_operand {
	enum facts_role role;
	enum facts_at at;
	unsigned flags;
	unsigned when;   /* applies if all these bits are set */
	unsigned unless; /* ... and none of these */
};

/* What a command does whatever its operands are. */
struct facts_act {
	enum facts_role role;
	unsigned flags;
	const char *text; /* a path against the folder, a host, a name */
	unsigned when, unless;
};

enum facts_style {
	FACTS_STOP = 1 << 0,     /* options end at the first operand */
	FACTS_ONE_DASH = 1 << 1, /* -name is one option, no clusters; --name too */
	FACTS_LOOSE = 1 << 2,    /* an option without a row only shapes the output:
						   * the row's author read the manual for that */
	FACTS_DIGITS = 1 << 3,   /* -5 is a number */
	FACTS_GLOBAL = 1 << 4,   /* options also stand behind the sub-commands */
	FACTS_WRAPPER = 1 << 5,
	FACTS_INTERPRETER = 1 << 6,
	FACTS_PRIVILEGED = 1 << 7,
	FACTS_STDIN_SENT = 1 << 8, /* what comes in leaves the machine */
	FACTS_ANY_WORDS = 1 << 9,  /* its words have no effect, whatever they are */
	FACTS_BUILTIN = 1 << 10,   /* of the shell: no file, never by path */
	FACTS_BARE_UNKNOWN = 1 << 11, /* without operands: not understood */
	FACTS_STDIN_RUN = 1 << 12,    /* without operands it runs what comes in */
	FACTS_KEYWORDS = 1 << 13,    /* options may stand without dashes: hook reads
							   * all words, none are parsed */
	FACTS_PROJECT_BIN = 1 << 14, /* usually installed in the project, and run
								  * through npx, uv run and kin */
	FACTS_AGENT = 1 << 15, /* a coding agent: its settings decide its hooks */
	FACTS_CONFIGURED =
		1 << 16, /* the workspace's settings may name code that it
							   * loads (settings.c) */
};

/* Ends at the first row whose names are NULL. */
struct facts_prog {
	const char *names;             /* "grep egrep fgrep" */
	const char *manual;            /* where it is described: "grep(1)" */
	unsigned style;                /* enum facts_style */
	const struct facts_opt *opts;  /* ends with {0} */
	const struct facts_prog *subs; /* sub-commands, ends with {0} */
	const char *language;          /* of CODE and SCRIPT: "python" */
	struct facts_act does[5];
	struct facts_operand operands[6];
	/* What rows cannot say: called when options are read, before operands. */
	void (*hook)(struct facts_run *run);
};

#define FACTS_OPTS(...) ((const struct facts_opt[]){__VA_ARGS__, {0}})
#define FACTS_SUBS(...) ((const struct facts_prog[]){__VA_ARGS__, {0}})

/* Options of a row: names, and the role of the value or of the flag. */
#define FLAGS(n)     \
	{                \
		.names = (n) \
	}
#define VALUES(n)                        \
	{                                    \
		.names = (n), .arg = FACTS_VALUE \
	}
#define MAYBES(n)                        \
	{                                    \
		.names = (n), .arg = FACTS_MAYBE \
	}
#define SETS(n, bits)               \
	{                               \
		.names = (n), .set = (bits) \
	}
#define VALUE(n, r)                                         \
	{                                                       \
		.names = (n), .arg = FACTS_VALUE, .role = FACTS_##r \
	}
#define MAYBE(n, r)                                         \
	{                                                       \
		.names = (n), .arg = FACTS_MAYBE, .role = FACTS_##r \
	}
#define FLAG(n, r, t)                                \
	{                                                \
		.names = (n), .role = FACTS_##r, .text = (t) \
	}
#define TWO(n, r)                                         \
	{                                                     \
		.names = (n), .arg = FACTS_TWO, .role = FACTS_##r \
	}
/* any file may be named: not what the program is for, so that who allowed that
 * did not mean this, as with a redirection */
#define OUTPUT(n)                                              \
	{                                                          \
		.names = (n), .arg = FACTS_VALUE, .role = FACTS_WRITE, \
		.flags = CALL_EFFECT_REDIRECT                          \
	}
#define VALUE_SETS(n, r, bits)                                             \
	{                                                                      \
		.names = (n), .arg = FACTS_VALUE, .role = FACTS_##r, .set = (bits) \
	}

/* Operands, and what a command always does; _IF with bits that must and must
 * not be set. */
#define OP(r, place)                           \
	{                                          \
		.role = FACTS_##r, .at = FACTS_##place \
	}
#define OP_IF(r, place, yes, no)                                              \
	{                                                                         \
		.role = FACTS_##r, .at = FACTS_##place, .when = (yes), .unless = (no) \
	}
#define OP_FLAGS(r, place, fl)                                \
	{                                                         \
		.role = FACTS_##r, .at = FACTS_##place, .flags = (fl) \
	}
#define DO(r, t)                       \
	{                                  \
		.role = FACTS_##r, .text = (t) \
	}
#define DO_FLAGS(r, fl, t)                            \
	{                                                 \
		.role = FACTS_##r, .flags = (fl), .text = (t) \
	}
#define DO_IF(r, t, yes, no)                                          \
	{                                                                 \
		.role = FACTS_##r, .text = (t), .when = (yes), .unless = (no) \
	}
/* A bit of every row: there are operands. */
#define FACTS_OPERANDS (1u << 31)
/* ... and two of them at least. */
#define FACTS_OPERANDS2 (1u << 30)

/* The families: a line here and a file prog_NAME.c with the array. */
#define FACTS_FAMILIES(X) \
	X(agent)              \
	X(archive)            \
	X(build)              \
	X(cluster)            \
	X(builtin)            \
	X(coreutils)          \
	X(database)           \
	X(git)                \
	X(infra)              \
	X(lang)               \
	X(lint)               \
	X(look)               \
	X(mac)                \
	X(net)                \
	X(package)            \
	X(pick)               \
	X(search)             \
	X(service)            \
	X(system)             \
	X(text)               \
	X(wrap)

#define X(name) extern const struct facts_prog facts_prog_##name[];
FACTS_FAMILIES(X)
#undef X

/* The row of a program by its bare name, or NULL. */
const struct facts_prog *facts_prog_find(struct str name);
/* The same by looking at every row; for the tests. */
const struct facts_prog *facts_prog_scan(struct str name);
/* Whether name is one of the blank-separated names. */
bool facts_names_have(const char *names, struct str name);

#endif
