#ifndef IO_PROC_H
#define IO_PROC_H

/*
 * Processes, as /proc shows them: who called, and whose child that is.
 */

#include "base/arena.h"
#include "base/fail.h"

enum { IO_PROC_ARGS_MAX = 8, IO_PROC_ARG_BYTES = 256, IO_PROC_CHAIN_MAX = 32 };

struct io_proc {
	int64_t pid;
	int64_t parent;
	int64_t start; /* clock ticks since boot: with pid, it names a process */
	int64_t tty;   /* device number of the controlling terminal, 0 = none */
	int64_t session;
	struct str exe; /* the file it runs, absent when it may not be read */
	struct str args[IO_PROC_ARGS_MAX]; /* each cut at IO_PROC_ARG_BYTES */
	size_t arg_count;
};

/* FAIL_ABSENT when there is no such process (or it is not ours to see). */
MUST_USE int io_proc_read(struct arena *a, int64_t pid, struct io_proc *ret);

/* pid and its ancestors, nearest first, up to process 1 or
 * IO_PROC_CHAIN_MAX. Returns how many; 0 when pid cannot be seen. */
size_t io_proc_chain(
	struct arena *a, int64_t pid, struct io_proc ret[IO_PROC_CHAIN_MAX]);

/* True when this process runs in an agent's sandbox: no_new_privs, or a seccomp
 * filter that process 1 does not have. */
bool io_proc_sandboxed(void);

#endif
