#ifndef LLM_AGENT_H
#define LLM_AGENT_H

/*
 * Agents that can be a judge by their command line: a row turns the tools of one
 * off and says how its answer is read. A command without a row is run as it was
 * written.
 */

#include "llm/reply.h"
#include "llm/run.h"

struct llm_agent {
	const char *name;           /* of the program's file */
	const char *sub;            /* its sub-command, or NULL */
	const char *const *options; /* behind the user's own words; end in NULL */
	const char *model;          /* the option that names a model, or NULL */
	const char *last;           /* the last word, or NULL */
	/* Reads what it printed; NULL: that is the model's words as they are. */
	llm_read_fn read;
};

/* The agent that a command (words, parted by blanks) runs, or NULL. */
const struct llm_agent *llm_agent_of(struct str command);

/*
 * The words to run, in a, with a NULL behind the last; NULL when there are more
 * than LLM_RUN_WORDS. model absent: none is named. A command that is no agent
 * gets nothing added.
 */
const char *const *llm_agent_words(
	struct arena *a, struct str command, struct str model);

#endif
