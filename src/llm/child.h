#ifndef LLM_CHILD_H
#define LLM_CHILD_H

/*
 * What the child's files share: questions (jobs) and the attempts to have them
 * answered. One loop, nothing is locked.
 */

#include <uv.h>

#include "llm/frame.h"
#include "llm/http.h"
#include "llm/key.h"
#include "llm/queue.h"
#include "llm/run.h"

enum {
	LLM_CHILD_FD = 3,
	LLM_JOBS_BYTES = 256 << 20, /* of all prompts that wait */
	LLM_DETAIL_BYTES = 240,
};

/* What one of the three said about a question. */
struct llm_word {
	struct judge_verdict verdict;
	char *reason; /* verdict's, on the heap */
};

struct llm_job {
	uint64_t id; /* of the queue */
	struct llm_job *next;
	struct llm_ask ask; /* of the first that asked it; texts in memory */
	char *memory;
	size_t bytes;
	struct llm_word words[LLM_ROLE_COUNT];
	enum llm_role last; /* who was asked last */
	struct llm_usage usage;
	char detail[LLM_DETAIL_BYTES]; /* about the last trouble */
	bool heard;                    /* usage was told */
};

struct llm_child {
	uv_loop_t loop;
	uv_pipe_t daemon;
	uv_timer_t due;
	struct buf in;
	struct llm_queue *queue;
	struct llm_http *http; /* NULL: none of that kind was configured */
	struct llm_runs *runs;
	struct llm_job *jobs;
	size_t bytes; /* of jobs */
	struct llm_attempt *attempts;

	struct arena *settings_arena;
	struct llm_settings settings;
	bool plain[LLM_ROLE_COUNT];          /* it refused what is not plain */
	struct llm_key keys[LLM_ROLE_COUNT]; /* of commands */
	int64_t key_until[LLM_ROLE_COUNT];
};

/* attempt.c */
void llm_attempt_start(struct llm_child *c, const struct llm_act *act);
void llm_attempt_stop(struct llm_child *c, uint64_t id);
/* The model that this role is asked for; absent when there is none. */
struct str llm_attempt_model(
	const struct llm_child *c, const struct llm_ask *ask, enum llm_role role);

/* child.c */
struct llm_job *llm_child_job(struct llm_child *c, uint64_t id);
/* Does what the queue wants done. */
void llm_child_turn(struct llm_child *c);
void llm_child_say(struct llm_child *c, const char *line);

#endif
