#ifndef DAEMON_JUDGE_H
#define DAEMON_JUDGE_H

/*
 * What decide asks of a model, and the room that reaches one: the acts JUDGE and
 * UNJUDGE on one side, src/llm on the other. Settings come from the user's and
 * the administrator's files alone.
 */

#include "daemon/daemon.h"

void daemon_judge_init(struct daemon *d);
/* Takes in the settings as they are now. Cheap when nothing changed. */
void daemon_judge_settings(struct daemon *d);
void daemon_judge_ask(struct daemon *d, const struct decide_act *act);
/* A person's own question; its answer goes to daemon_question_answer. The id is
 * given here. */
void daemon_judge_ask_own(
	struct daemon *d, uint64_t handle, const struct llm_ask *ask);
/* question.c: what the model said to the request of that handle. */
void daemon_question_answer(
	struct daemon *d, uint64_t handle, const struct llm_answer *n);
void daemon_judge_withdraw(struct daemon *d, int64_t number);
void daemon_judge_withdraw_own(struct daemon *d, uint64_t handle);
/* Whether a process is of a command that is judging: its calls are denied. */
bool daemon_judge_runs(struct daemon *d, int64_t pid);
/* Ends the child; its handles still have to be closed by the loop. */
void daemon_judge_done(struct daemon *d);

#endif
