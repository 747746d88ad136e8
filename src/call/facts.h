#ifndef CALL_FACTS_H
#define CALL_FACTS_H

/*
 * Facts: all that a call would do, as far as reading it can tell.
 */

#include "base/arena.h"
#include "call/world.h"

/* What a call would do to one resource. */
#define CALL_EFFECTS(X)       \
	X(NONE, "none")           \
	X(READ, "read")           \
	X(WRITE, "write")         \
	X(CREATE, "create")       \
	X(DELETE, "delete")       \
	X(EXECUTE, "execute")     \
	X(CONNECT, "connect")     \
	X(SEND, "send")           \
	X(PRIVILEGE, "privilege") \
	X(PERSIST, "persist")     \
	X(SIGNAL, "signal")

#define X(name, text) CALL_EFFECT_##name,
enum call_effect_kind { CALL_EFFECTS(X) CALL_EFFECT_COUNT };
#undef X

/* Where the resource is. Zero is the one that nothing allows. */
#define CALL_SCOPES(X)        \
	X(UNKNOWN, "unknown")     \
	X(WORKSPACE, "workspace") \
	X(SCRATCH, "scratch")     \
	X(TEMP, "temp")           \
	X(HOME, "home")           \
	X(SYSTEM, "system")       \
	X(DEVICE, "device")       \
	X(NETWORK, "network")

#define X(name, text) CALL_SCOPE_##name,
enum call_scope { CALL_SCOPES(X) CALL_SCOPE_COUNT };
#undef X

enum call_effect_flag {
	CALL_EFFECT_TREE = 1 << 0,    /* recursive: all that is below, too */
	CALL_EFFECT_PATTERN = 1 << 1, /* the resource holds a glob */
	CALL_EFFECT_REDIRECT = 1
		<< 2, /* where output goes: by the shell, or by an option
									* that names any file */
	CALL_EFFECT_INLINE = 1 << 3,   /* execute: program text inside the call */
	CALL_EFFECT_PROJECT = 1 << 4,  /* execute: code of the workspace (tests,
									* builds, scripts) */
	CALL_EFFECT_DOWNLOAD = 1 << 5, /* execute: text that came off the network */
	CALL_EFFECT_DECODED = 1 << 6,  /* execute: text that was decoded or built */
	CALL_EFFECT_LOCAL = 1 << 7,    /* connect: a daemon or account that the user
									* is already logged in to, reading only */
	CALL_EFFECT_LOOPBACK = 1 << 8, /* connect: this machine */
	CALL_EFFECT_LISTEN = 1 << 9,   /* connect: waits for others */
	CALL_EFFECT_GIT = 1 << 10,   /* write, delete: through git, can be undone */
	CALL_EFFECT_LOSSY = 1 << 11, /* cannot be undone even in the workspace:
									* discards or rewrites history, truncates */
	CALL_EFFECT_MODE = 1 << 12,  /* write: owner, mode or attributes only */
	CALL_EFFECT_LINK = 1 << 13,  /* create: a link; by = its target's role */
	CALL_EFFECT_NAMES = 1 << 14, /* read: names and metadata only, no content */
	CALL_EFFECT_SECRET = 1 << 15, /* read: shows a secret by its nature (a
									* keychain query, printenv TOKEN) */
	CALL_EFFECT_RAW = 1 << 16,    /* write to the bare device, make a file
									* system */
	CALL_EFFECT_FORCE = 1 << 17,  /* a push that overwrites, and kin */
	CALL_EFFECT_MOVED = 1 << 18,  /* delete: it goes on elsewhere, see the
								   * write that stands with it */
};

struct call_effect {
	enum call_effect_kind kind;
	enum call_scope scope;
	unsigned flags; /* enum call_effect_flag */
	/* file: the absolute path as it was cleaned, symlinks followed where the
	 * world says so; host or URL; program; pid or name. "?" when dynamic. */
	struct str resource;
	struct str by;  /* the program or tool that does it */
	size_t command; /* index into commands; CALL_NO_COMMAND for tools */
};

#define CALL_NO_COMMAND (SIZE_MAX >> 1)

/* A word of a command, as rules match it. */
struct call_word {
	struct str text; /* literal text; for a dynamic word its source */
	bool dynamic;    /* only running would tell */
	bool unknown;    /* a program or option without a row: CALL_UNKNOWN's own
					  * words, which a written rule may name */
};

/* One command anywhere in the call, also inside wrappers, substitutions,
 * sh -c texts and here-documents of shells. */
struct call_command {
	struct call_word *words; /* assignments before it not included */
	size_t word_count;
	struct str program; /* base name of the program, or absent when dynamic */
	const char *row;    /* the page of the row that speaks for it, NULL: none */
	struct str sub;     /* ... the sub-command's, absent without */
	size_t wrapper;     /* the command that runs this one, or CALL_NO_COMMAND */
	bool is_wrapper;    /* takes the facts of what it runs */
	bool is_interpreter; /* runs text or a script it is given */
	bool is_privilege;   /* sudo and kin */
	bool assigns;        /* variables are set for it that change meaning */
	unsigned ignorance;  /* enum call_ignorance, of this command's own words */
};

/* Three kinds of ignorance, kept apart; incomplete is any of them. */
enum call_ignorance {
	CALL_UNKNOWN = 1 << 0,  /* a program or option without a row */
	CALL_DYNAMIC = 1 << 1,  /* a word that only running would tell */
	CALL_UNPARSED = 1 << 2, /* text not understood, hidden or too large */
};

/* What is dangerous by its shape, whatever the rules say. Floor rows name
 * these. */
#define CALL_HAZARDS(X)                                                     \
	X(NONE, "none")                                                         \
	X(FORK_BOMB, "starts copies of itself without end")                     \
	X(REVERSE_SHELL, "gives a shell to another machine")                    \
	X(DOWNLOAD_RUN, "runs text straight from the network")                  \
	X(DOWNLOAD_RUN_ROOT, "runs text straight from the network as root")     \
	X(SECRET_SENT, "sends a secret to another machine")                     \
	X(ASSENT_SELF, "reaches for assent's own settings, store or processes") \
	X(HOOK_DODGE, "starts an agent in a way that avoids its hooks")         \
	X(HIDDEN_TEXT, "holds characters that hide or reorder text")            \
	X(DISK, "writes to a disk or makes a file system")                      \
	X(SYSTEM_DOWN, "stops or restarts the machine, or kills every process")

#define X(name, text) CALL_HAZARD_##name,
enum call_hazard_kind { CALL_HAZARDS(X) CALL_HAZARD_COUNT };
#undef X

struct call_hazard {
	enum call_hazard_kind kind;
	struct str what; /* the words of the call that show it */
};

/*
 * A file of the workspace whose text the call would run: a script, a makefile, a
 * manifest that names commands. The path is absolute, and real as far as the
 * world said. Where a program looks in several places, the later ones are
 * or_else: they count only when those before, up to one that is not, are not
 * there.
 */
struct call_script {
	struct str path;
	struct str entry; /* what of it would run: a target, a script's name;
					   * absent = all, or what runs by default */
	bool or_else;
};

struct call_facts {
	struct call_effect *effects;
	size_t effect_count;
	struct call_command *commands;
	size_t command_count;
	struct call_hazard *hazards;
	size_t hazard_count;
	struct str *hosts; /* every host that is connected to, lower case */
	size_t host_count;
	struct call_need *needs; /* what the world did not say */
	size_t need_count;
	struct call_script *scripts;
	size_t script_count;

	unsigned ignorance;    /* of the whole call: enum call_ignorance */
	struct str incomplete; /* the first reason in words, absent if complete */
	bool cut; /* past a bound: the rest was not looked at, so that nothing says
			   * it is not catastrophic */
};

const char *call_effect_name(enum call_effect_kind value);
MUST_USE bool call_effect_from(struct str s, enum call_effect_kind *ret);
const char *call_scope_name(enum call_scope value);
MUST_USE bool call_scope_from(struct str s, enum call_scope *ret);
const char *call_hazard_text(enum call_hazard_kind kind);

#endif
