#ifndef DAEMON_AGENTS_H
#define DAEMON_AGENTS_H

/*
 * Agents that are known to run: processes that called an installed hook, by pid
 * and start time. Whoever descends from one of them may ask, never answer.
 */

#include "adapter/adapter.h"
#include "api/api.h"
#include "io/proc.h"

struct daemon_agents;

/* Reads folder/agents: those that an earlier daemon of this boot knew. */
struct daemon_agents *daemon_agents_new(struct str folder) MUST_USE;
void daemon_agents_free(struct daemon_agents *g);

/*
 * An installed hook of the agent called, from process peer. The agent is its
 * nearest ancestor that the agent's row names. What the hook itself says about
 * its parents only saves the walk when that agent is known already.
 */
void daemon_agents_mark(struct daemon_agents *g, struct arena *a,
	const struct adapter_agent *agent, const struct api_envelope *e,
	int64_t peer);

bool daemon_agents_has(
	const struct daemon_agents *g, int64_t pid, int64_t start);
size_t daemon_agents_count(const struct daemon_agents *g);
/* The i-th of them, below the count. */
void daemon_agents_get(const struct daemon_agents *g, size_t i,
	int64_t *ret_pid, int64_t *ret_start);

#endif
