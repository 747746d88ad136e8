#ifndef CALL_WORLD_H
#define CALL_WORLD_H

/*
 * The world: the few things about the machine that facts depend on, handed in
 * as data because pure rooms cannot look. What facts wanted to know and did not
 * find here it names as needs; the daemon has the client look and asks again.
 */

#include "base/arena.h"

/* What a need asks for; the value names the thing. */
#define CALL_NEEDS(X)                                                          \
	X(LINK, "links")       /* does this path lead through symlinks, where */   \
	X(GIT, "git")          /* does the repository of this folder's own      \
							* configuration name programs */  \
	X(PROGRAM, "programs") /* which file a bare program name is */             \
	X(FILE, "files")       /* the text of a script inside the workspace */     \
	X(TRANSCRIPT, "transcripts") /* the end of a conversation's file */        \
	X(NAMES, "names") /* how the names below this folder are made */           \
	X(SETTINGS,                                                                \
		"settings")       /* "tool:folder": do its settings there name code */ \
	X(SECRETS, "secrets") /* which files below this folder may be secret */

#define X(name, text) CALL_NEED_##name,
enum call_need_kind { CALL_NEEDS(X) CALL_NEED_COUNT };
#undef X

/* An answered need. LINK: value is the path it really is (the path itself when
 * no link is on the way). GIT: "programs" or "plain". PROGRAM: its file.
 * FILE: its text; absent value = not there or not readable. TRANSCRIPT: what was
 * said, a JSON list of messages (docs/PROTOCOL.md); it is no part of what a
 * digest covers.
 * NAMES: "plain": no name of a file below, or in its repository's index, holds
 * more than letters (also beyond ASCII), digits and "._/+@%,:=^-", or begins
 * with a dash; "ordinary": no blank, control, quote or backslash, and no dash
 * or dot with a wildcard at the beginning; "odd": neither. Absent: too many to
 * look at. In the labelled world names are plain.
 * SETTINGS: "plain": none of the files in and below the folder that this tool
 * takes its settings from is a program, or names code for it to load; "code".
 * Absent: too much to look at. In the labelled world they are plain.
 * SECRETS: their paths below the folder, a line each, without what stands in
 * .git and node_modules; empty: there are none. Absent: too many to look at. In the
 * labelled world there are none. */
#define CALL_EVERY STR("*") /* GIT: the answer for all folders */
struct call_answer {
	enum call_need_kind kind;
	struct str name;
	struct str value;
};

struct call_world {
	struct str home; /* from the password database */
	struct str user;
	bool is_root; /* uid 0 */

	/*
	 * The labelled world of `assent check`: no links, repositories name no
	 * programs, bare names are the system's programs, unless an answer says
	 * otherwise. False (the daemon): what has no answer is a need.
	 */
	bool assumed;
	bool rounds_used_up; /* what still has no answer is incomplete */

	const struct call_answer *answers;
	size_t answer_count;

	/* assent's own places, absolute; empty where this build has none */
	struct str assent_config, assent_state, assent_socket;
	struct str assent_program; /* the folder of its programs */
	int64_t assent_pid;        /* the daemon's, 0 = unknown */

	/* names and values of the environment that change meaning: PATH,
	 * BASH_ENV, LD_*, GIT_*, ... as the client saw them */
	const struct call_variable *variables;
	size_t variable_count;
};

struct call_variable {
	struct str name, value;
};

struct call_need {
	enum call_need_kind kind;
	struct str name;
};

/* The answer to a need, or NULL. */
const struct call_answer *call_world_find(
	const struct call_world *w, enum call_need_kind kind, struct str name);
const char *call_need_name(enum call_need_kind value);

#endif
