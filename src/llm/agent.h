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
	const char *name;         /* of the program's file */
	const char *const *words; /* put behind it; ends in NULL */
	const char *model;        /* the option that names a model, or NULL */
	const char *last; /* a last word ("-": it reads its input), or NULL */
	/* Reads what it printed: text and counts; NULL: the text is the answer. */
	llm_read_fn read;
};

/* NULL: none is known by that name. */
const struct llm_agent *llm_agent_of(struct str program);

/*
 * The words to run, in a, at most LLM_RUN_WORDS with the NULL at the end: the
 * command's own, and the row's when the command is an agent without words of the
 * user's own. model absent: none is named. NULL: there are too many.
 */
const char *const *llm_agent_words(
	struct arena *a, struct str command, struct str model);

#endif
