#ifndef FACTS_ROWS_H
#define FACTS_ROWS_H

/*
 * Short forms of rows for clients of services: asking a daemon or an account
 * that the user is logged in to is LOCAL; what changes something there is not;
 * what shows a credential is SECRET.
 */

#include "facts/prog.h"

/* Whatever its words are, it does the one thing that the row says; for what only
 * reads they must be known all the same: one more could make it write. */
#define READY .style = FACTS_LOOSE, .operands = {OP(INERT, ALL)}
#define WORDY \
	.style = FACTS_LOOSE | FACTS_ANY_WORDS, .operands = {OP(INERT, ALL)}
#define LOOK(s)                                \
	{                                          \
		DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, s) \
	}
#define CHANGE(s)     \
	{                 \
		DO(REMOTE, s) \
	}
#define SHOWS(s)                                              \
	{                                                         \
		DO_FLAGS(REMOTE, CALL_EFFECT_LOCAL, s), DO(SECRET, s) \
	}
#define LOOKS(n, s)                                                    \
	{                                                                  \
		.names = (n), READY, .does = LOOK(s), .hook = facts_hook_looks \
	}
#define CHANGES(n, s)                          \
	{                                          \
		.names = (n), WORDY, .does = CHANGE(s) \
	}
#define TELLS(n, s)                           \
	{                                         \
		.names = (n), WORDY, .does = SHOWS(s) \
	}
#define WORDS(n)            \
	{                       \
		.names = (n), WORDY \
	}
/* A group of sub-commands; what is none of them is not known. */
#define GROUP(n, ...)                                                      \
	{                                                                      \
		.names = (n), .style = FACTS_STOP, .subs = FACTS_SUBS(__VA_ARGS__) \
	}
/* Asks if one option that was given has set yes, else changes. */
#define DRY_OR_CHANGE(s, yes)           \
	{                                   \
		{.role = FACTS_REMOTE,          \
			.flags = CALL_EFFECT_LOCAL, \
			.text = (s),                \
			.when = (yes)},             \
			DO_IF(REMOTE, s, 0, yes)    \
	}

#endif
