#ifndef LLM_RUN_H
#define LLM_RUN_H

/*
 * Programs that the child runs: a judge that is a command, a command that prints
 * a key. Each has a session and process group of its own, an empty folder, an
 * environment made of nothing, no descriptors but its three; its group is killed
 * at the deadline, when nobody wants the answer any more, and when it ends.
 */

#include "base/arena.h"

struct uv_loop_s;
struct llm_runs;
struct llm_run;

enum {
	LLM_RUN_WORDS = 64,
	LLM_RUN_OUTPUT = 1 << 20,
	LLM_RUN_ERRORS = 4 << 10, /* what is kept of its standard error */
};

struct llm_ran {
	bool started;  /* false: there is no such program, or no more processes */
	bool late;     /* it was killed at its deadline */
	bool too_much; /* it printed more than LLM_RUN_OUTPUT */
	int status;    /* its exit status; -1: a signal ended it */
	struct str out, err;
};
typedef void (*llm_ran_fn)(void *data, const struct llm_ran *result);

struct llm_run_args {
	const char *const *words; /* ends in NULL; the first is a path or a name */
	struct str input;         /* copied */
	struct str home, user;
	int64_t left_ms;
};

/* told: a group began, or ended. */
MUST_USE int llm_runs_new(struct uv_loop_s *loop,
	void (*told)(void *data, int64_t group, bool began), void *data,
	struct llm_runs **ret);
/* done is called once, from the loop, unless it is stopped. */
struct llm_run *llm_run_start(struct llm_runs *all,
	const struct llm_run_args *args, llm_ran_fn done, void *data) MUST_USE;
void llm_run_stop(struct llm_run *r);
/* Kills every group: the daemon is gone. */
void llm_runs_kill(struct llm_runs *all);

#endif
