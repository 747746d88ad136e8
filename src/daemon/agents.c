#include "daemon/agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "daemon/journal.h"
#include "io/file.h"

enum { AGENTS_MAX = 1024, FILE_BYTES = 128 << 10, ID_BYTES = 40 };

struct mark {
	int64_t pid, start;
};

struct daemon_agents {
	struct mark list[AGENTS_MAX];
	size_t count;
	size_t oldest; /* the next to be overwritten when the list is full */
	char boot[ID_BYTES];
	char path[LIMIT_PATH_BYTES];
};

bool
daemon_agents_has(const struct daemon_agents *g, int64_t pid, int64_t start)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->list[i].pid == pid && g->list[i].start == start)
			return true;
	}
	return false;
}

size_t
daemon_agents_count(const struct daemon_agents *g)
{
	return g->count;
}

void
daemon_agents_get(const struct daemon_agents *g, size_t i, int64_t *ret_pid,
	int64_t *ret_start)
{
	CHECK(i < g->count);
	*ret_pid = g->list[i].pid;
	*ret_start = g->list[i].start;
}

/* --- the file ------------------------------------------------------------------ */

/* Pids and start times mean nothing after a boot; this tells one from another. */
static void
read_boot(char ret[ID_BYTES])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	ret[0] = '\0';
	if (!f)
		return;
	size_t n = fread(ret, 1, ID_BYTES - 1, f);

	(void)fclose(f);
	ret[n] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
}

static void
save(const struct daemon_agents *g)
{
	CLEANUP(buf_done) struct buf text;

	buf_init(&text, FILE_BYTES);
	buf_addf(&text, "%s\n", g->boot);
	for (size_t i = 0; i < g->count; i++)
		buf_addf(&text, "%lld %lld\n", (long long)g->list[i].pid,
			(long long)g->list[i].start);
	if (text.full || io_file_replace(g->path, buf_str(&text), 0600) != 0)
		daemon_journal("the list of agents cannot be kept: %s", fail_text());
}

static void
load(struct daemon_agents *g)
{
	CLEANUP(buf_done) struct buf text;
	struct str rest, line;

	buf_init(&text, FILE_BYTES);
	if (io_file_read(g->path, &text) != 0)
		return;
	rest = buf_str(&text);
	if (!str_line(&rest, &line) || !str_eq(line, str_from(g->boot)))
		return;
	while (g->count < AGENTS_MAX && str_line(&rest, &line)) {
		struct str second;
		struct str first = str_cut(line, ' ', &second);
		struct mark m;

		if (str_number(first, &m.pid) && str_number(second, &m.start))
			g->list[g->count++] = m;
	}
}

struct daemon_agents *
daemon_agents_new(struct str folder)
{
	struct daemon_agents *g = calloc(1, sizeof(*g));

	CHECK(g);
	read_boot(g->boot);
	(void)snprintf(g->path, sizeof(g->path), "%.*s/agents", STR_ARG(folder));
	load(g);
	return g;
}

void
daemon_agents_free(struct daemon_agents *g)
{
	free(g);
}

/* --- marking -------------------------------------------------------------------- */

/* Makes room by forgetting those that are gone. */
static void
forget_gone(struct daemon_agents *g, struct arena *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->count; i++) {
		struct io_proc p;

		if (io_proc_read(a, g->list[i].pid, &p) == 0
			&& p.start == g->list[i].start)
			g->list[kept++] = g->list[i];
	}
	g->count = kept;
}

static void
add(struct daemon_agents *g, struct arena *a, struct mark m)
{
	if (g->count == AGENTS_MAX)
		forget_gone(g, a);
	if (g->count < AGENTS_MAX)
		g->list[g->count++] = m;
	else
		g->list[g->oldest++ % AGENTS_MAX] = m;
	save(g);
}

/* True when the hook names an agent among its parents that is known. */
static bool
is_known(const struct daemon_agents *g, const struct adapter_agent *agent,
	const struct api_envelope *e)
{
	for (size_t i = 0; i < e->parent_count; i++) {
		const struct api_parent *p = &e->parents[i];
		struct adapter_process seen = {
			.exe = p->exe,
			.args = p->args,
			.arg_count = p->arg_count,
		};

		if (adapter_process_is(agent, &seen))
			return daemon_agents_has(g, p->pid, p->start);
	}
	return false;
}

void
daemon_agents_mark(struct daemon_agents *g, struct arena *a,
	const struct adapter_agent *agent, const struct api_envelope *e,
	int64_t peer)
{
	struct io_proc chain[IO_PROC_CHAIN_MAX];

	if (is_known(g, agent, e))
		return;
	size_t n = io_proc_chain(a, peer, chain);

	/* the hook itself is not its agent */
	for (size_t i = 1; i < n; i++) {
		struct adapter_process seen = {
			.exe = chain[i].exe,
			.args = chain[i].args,
			.arg_count = chain[i].arg_count,
		};

		if (!adapter_process_is(agent, &seen))
			continue;
		if (!daemon_agents_has(g, chain[i].pid, chain[i].start))
			add(g, a,
				(struct mark){
					.pid = chain[i].pid,
					.start = chain[i].start,
				});
		return;
	}
}
