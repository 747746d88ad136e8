#include "io/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

enum { PART_BYTES = 4096 };

/* What stands in /proc/<pid>/<name>, cut to the buffer. 0 when unreadable.
 * Nothing is allocated while the descriptor is open. */
static size_t
read_part(int64_t pid, const char *name, char part[PART_BYTES])
{
	char path[64];
	size_t n = 0;

	(void)snprintf(path, sizeof(path), "/proc/%lld/%s", (long long)pid, name);
	IO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	for (;;) {
		size_t room = PART_BYTES - n;
		ssize_t got = read(fd, part + n, room);

		n += got > 0 ? (size_t)got : 0;
		/* /proc gives all that there is and fits */
		if (got < (ssize_t)room || n == PART_BYTES)
			return n;
	}
}

/* The numbers of /proc/<pid>/stat; the name in it may hold anything, so they
 * are counted from its last bracket. */
static bool
read_stat(int64_t pid, struct io_proc *ret)
{
	enum { STATE = 3, PARENT = 4, SESSION = 6, TTY = 7, START = 22 };
	char part[PART_BYTES];
	size_t n = read_part(pid, "stat", part);

	while (n > 0 && part[n - 1] != ')')
		n--;
	if (n == 0)
		return false;
	struct str rest = str_trim(str_from(part + n));
	int64_t fields[START + 1] = {0};

	for (size_t i = STATE; i <= START; i++) {
		struct str word = str_cut(rest, ' ', &rest);

		if (i == TTY && str_starts(word, STR("-")))
			word = STR("0");
		if (i != STATE && !str_starts(word, STR("-"))
			&& !str_number(word, &fields[i]))
			return false;
	}
	*ret = (struct io_proc){
		.pid = pid,
		.parent = fields[PARENT],
		.session = fields[SESSION],
		.tty = fields[TTY],
		.start = fields[START],
	};
	return true;
}

static void
read_args(struct arena *a, struct io_proc *p)
{
	char part[PART_BYTES];
	struct str rest = {part, read_part(p->pid, "cmdline", part)};

	while (rest.len > 0 && p->arg_count < IO_PROC_ARGS_MAX) {
		struct str arg = str_cut(rest, '\0', &rest);

		p->args[p->arg_count++] =
			arena_dup(a, str_sub(arg, 0, IO_PROC_ARG_BYTES));
	}
}

int
io_proc_read(struct arena *a, int64_t pid, struct io_proc *ret)
{
	char path[64], exe[PART_BYTES];
	struct io_proc p;

	if (pid <= 0 || !read_stat(pid, &p))
		return fail_here(
			FAIL_ABSENT, "process %lld is not to be seen", (long long)pid);
	(void)snprintf(path, sizeof(path), "/proc/%lld/exe", (long long)pid);
	ssize_t n = readlink(path, exe, sizeof(exe));

	if (n > 0)
		p.exe = arena_dup(a, (struct str){exe, (size_t)n});
	read_args(a, &p);
	*ret = p;
	return 0;
}

size_t
io_proc_chain(
	struct arena *a, int64_t pid, struct io_proc ret[IO_PROC_CHAIN_MAX])
{
	size_t n = 0;

	while (n < IO_PROC_CHAIN_MAX && pid > 0
		&& io_proc_read(a, pid, &ret[n]) == 0) {
		/* a child is never older than its parent: that pid was used again */
		if (n > 0 && ret[n].start > ret[n - 1].start)
			break;
		pid = ret[n++].parent;
	}
	return n;
}

/* The number behind "name:" in a status file, or -1. */
static int64_t
status_number(struct str status, struct str name)
{
	struct str line;

	while (str_line(&status, &line)) {
		int64_t n = 0;

		if (str_starts(line, name)
			&& str_number(str_trim(str_sub(line, name.len, line.len)), &n))
			return n;
	}
	return -1;
}

bool
io_proc_sandboxed(void)
{
	char mine[PART_BYTES], first[PART_BYTES];
	struct str own = {mine, read_part(getpid(), "status", mine)};
	struct str init = {first, read_part(1, "status", first)};
	int64_t filter = status_number(own, STR("Seccomp:"));

	if (status_number(own, STR("NoNewPrivs:")) > 0)
		return true;
	return filter > 0 && filter != status_number(init, STR("Seccomp:"));
}
