#include "llm/run.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/fail.h"

#define PROGRAM_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
	PATH_BYTES = 4096,
	NAME_BYTES = 64,
	READ_BYTES = 16 << 10,
	REMOVED_FDS = 8,
};

struct llm_runs {
	uv_loop_t *loop;
	uv_signal_t child;
	struct llm_run *list;
	void (*told)(void *data, int64_t group, bool began);
	void *data;
};

/* An end of a pipe on the loop. */
struct end {
	struct llm_run *run;
	uv_pipe_t pipe;
	struct buf text;
	bool over; /* nothing more comes */
};

struct llm_run {
	struct llm_runs *all;
	struct llm_run *next;
	pid_t pid; /* of it and its group; 0: not started, or waited for */
	int status;
	bool exited, late, reported;
	char folder[NAME_BYTES];
	struct end in, out, err;
	struct buf input;
	uv_write_t writing;
	uv_timer_t timer;
	int handles;
	llm_ran_fn done; /* NULL: nobody wants to know */
	void *data;
};

/* --- the program ----------------------------------------------------------------------- */

struct start {
	char path[PATH_BYTES];
	char *environment[8];
	const char *folder;
	int fds[3];
};

/* Between fork and exec: only what signals may do. */
static _Noreturn void
become(const struct start *s, const char *const *words)
{
	union {
		const char *const *given;
		char *const *wanted;
	} argv = {.given = words};
	sigset_t none;

	(void)setsid();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)sigemptyset(&none);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread behind fork
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	for (int i = 0; i < 3; i++) {
		if (dup2(s->fds[i], i) < 0)
			_exit(127);
	}
	(void)close_range(3, ~0U, 0);
	if (chdir(s->folder) != 0)
		_exit(127);
	(void)execve(s->path, argv.wanted, s->environment);
	_exit(127);
}

static bool
try_path(char *ret, struct str folder, const char *name)
{
	(void)snprintf(ret, PATH_BYTES, "%.*s/%s", STR_ARG(folder), name);
	return access(ret, X_OK) == 0;
}

/* Where the program is: as it was written, in the usual folders, or in the
 * user's own. */
static bool
find_program(char *ret, const char *name, struct str home)
{
	struct str rest = STR(PROGRAM_PATH);

	if (strchr(name, '/')) {
		(void)snprintf(ret, PATH_BYTES, "%s", name);
		return access(ret, X_OK) == 0;
	}
	while (rest.ptr) {
		if (try_path(ret, str_cut(rest, ':', &rest), name))
			return true;
	}
	char own[PATH_BYTES / 2];

	(void)snprintf(own, sizeof(own), "%.*s/.local/bin", STR_ARG(home));
	return try_path(ret, str_from(own), name);
}

static void
make_environment(
	struct start *s, const struct llm_run_args *args, struct arena *a)
{
	struct str path = str_from(s->path);
	struct str folder =
		str_sub(path, 0, path.len - str_base(path).len - (path.len > 1));
	const struct str lines[] = {
		arena_fmt(a, "PATH=%.*s:" PROGRAM_PATH, STR_ARG(folder)),
		arena_fmt(a, "HOME=%.*s", STR_ARG(args->home)),
		arena_fmt(a, "USER=%.*s", STR_ARG(args->user)),
		arena_fmt(a, "LOGNAME=%.*s", STR_ARG(args->user)),
		arena_fmt(a, "LANG=C.UTF-8"),
		arena_fmt(a, "TERM=dumb"),
		arena_fmt(a, "NO_COLOR=1"),
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char *copy = arena_alloc(a, lines[i].len + 1);

		memcpy(copy, lines[i].ptr, lines[i].len);
		s->environment[i] = copy;
	}
}

/* --- its end --------------------------------------------------------------------------- */

static int
remove_entry(
	const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	(void)remove(path);
	return 0;
}

static void
remove_folder(struct llm_run *r)
{
	if (r->folder[0])
		// NOLINTNEXTLINE(concurrency-mt-unsafe): it changes no folder
		(void)nftw(r->folder, remove_entry, REMOVED_FDS, FTW_DEPTH | FTW_PHYS);
	r->folder[0] = '\0';
}

static void
on_closed(uv_handle_t *handle)
{
	struct llm_run *r = handle->data;

	if (--r->handles > 0)
		return;
	remove_folder(r);
	buf_done(&r->input);
	buf_done(&r->out.text);
	buf_done(&r->err.text);
	free(r);
}

static void
kill_group(struct llm_run *r)
{
	if (r->pid > 0)
		(void)kill(-r->pid, SIGKILL);
}

/* Off the list, when it was waited for. */
static void
unlist(struct llm_run *r)
{
	struct llm_run **at = &r->all->list;

	while (*at && *at != r)
		at = &(*at)->next;
	if (*at)
		*at = r->next;
}

static void
close_end(struct end *e)
{
	if (!uv_is_closing((uv_handle_t *)&e->pipe))
		uv_close((uv_handle_t *)&e->pipe, on_closed);
}

static void
close_all(struct llm_run *r)
{
	close_end(&r->in);
	close_end(&r->out);
	close_end(&r->err);
	if (!uv_is_closing((uv_handle_t *)&r->timer))
		uv_close((uv_handle_t *)&r->timer, on_closed);
}

static void
report(struct llm_run *r, bool started)
{
	struct llm_ran result = {
		.started = started,
		.late = r->late,
		.too_much = r->out.text.full,
		.status = WIFEXITED(r->status) ? WEXITSTATUS(r->status) : -1,
		.out = buf_str(&r->out.text),
		.err = buf_str(&r->err.text),
	};

	if (r->reported)
		return;
	r->reported = true;
	if (r->done)
		r->done(r->data, &result);
}

/* It ended and all that it said is here; or it is not waited for any more. */
static void
look(struct llm_run *r)
{
	if (!r->exited)
		return;
	if (r->late || !r->done || r->out.over) {
		report(r, true);
		close_all(r);
	}
}

static void
on_child(uv_signal_t *handle, int number)
{
	struct llm_runs *all = handle->data;
	struct llm_run *r = all->list, *next;

	(void)number;
	for (; r; r = next) {
		next = r->next;
		if (waitpid(r->pid, &r->status, WNOHANG) != r->pid)
			continue;
		/* its descendants have nothing left to do */
		(void)kill(-r->pid, SIGKILL);
		all->told(all->data, r->pid, false);
		unlist(r);
		r->pid = 0;
		r->exited = true;
		look(r);
	}
}

static void
on_late(uv_timer_t *timer)
{
	struct llm_run *r = timer->data;

	r->late = true;
	kill_group(r);
	report(r, true); /* the rest goes on without it */
	look(r);
}

static void
on_unstarted(uv_timer_t *timer)
{
	struct llm_run *r = timer->data;

	report(r, false);
	close_all(r);
}

void
llm_run_stop(struct llm_run *r)
{
	r->done = NULL;
	kill_group(r);
	if (r->pid == 0 && !r->exited)
		close_all(r); /* it never began */
	else
		look(r);
}

void
llm_runs_kill(struct llm_runs *all)
{
	for (struct llm_run *r = all->list; r; r = r->next) {
		kill_group(r);
		remove_folder(r);
	}
}

/* --- its pipes -------------------------------------------------------------------------- */

static void
on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *ret)
{
	static char room[READ_BYTES]; /* one loop, used at once */

	(void)handle;
	(void)wanted;
	*ret = uv_buf_init(room, sizeof(room));
}

static void
on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
	struct llm_run *r = stream->data;
	struct end *e = stream == (uv_stream_t *)&r->out.pipe ? &r->out : &r->err;

	if (n > 0) {
		buf_add(&e->text, (struct str){bytes->base, (size_t)n});
		if (e == &r->out && e->text.full)
			kill_group(r);
	} else if (n < 0) {
		(void)uv_read_stop(stream);
		e->over = true;
		look(r);
	}
}

static void
on_written(uv_write_t *w, int status)
{
	struct llm_run *r = w->data;

	(void)status; /* it may answer without reading all */
	close_end(&r->in);
}

static void
init_end(struct llm_run *r, struct end *e, size_t max)
{
	CHECK(uv_pipe_init(r->all->loop, &e->pipe, 0) == 0);
	e->pipe.data = r;
	e->run = r;
	r->handles++;
	buf_init(&e->text, max);
}

static struct llm_run *
new_run(struct llm_runs *all, llm_ran_fn done, void *data)
{
	struct llm_run *r = calloc(1, sizeof(*r));

	CHECK(r);
	r->all = all;
	r->done = done;
	r->data = data;
	init_end(r, &r->in, 1);
	init_end(r, &r->out, LLM_RUN_OUTPUT);
	init_end(r, &r->err, LLM_RUN_ERRORS);
	CHECK(uv_timer_init(all->loop, &r->timer) == 0);
	r->timer.data = r;
	r->handles++;
	return r;
}

static void
close_fds(int fds[6])
{
	for (int i = 0; i < 6; i++) {
		if (fds[i] >= 0)
			(void)close(fds[i]);
	}
}

/* Ours of the three pipes go to the loop. */
static void
open_ends(struct llm_run *r, const int fds[6])
{
	CHECK(uv_pipe_open(&r->in.pipe, fds[1]) == 0);
	CHECK(uv_pipe_open(&r->out.pipe, fds[2]) == 0);
	CHECK(uv_pipe_open(&r->err.pipe, fds[4]) == 0);
	(void)uv_read_start((uv_stream_t *)&r->out.pipe, on_room, on_output);
	(void)uv_read_start((uv_stream_t *)&r->err.pipe, on_room, on_output);
	uv_buf_t bytes = uv_buf_init(r->input.ptr, (unsigned)r->input.len);

	r->writing.data = r;
	if (r->input.len == 0
		|| uv_write(
			   &r->writing, (uv_stream_t *)&r->in.pipe, &bytes, 1, on_written)
			!= 0)
		close_end(&r->in);
}

static bool
begin(struct llm_run *r, struct start *s, const char *const *words)
{
	int fds[6] = {-1, -1, -1, -1, -1, -1};

	(void)snprintf(r->folder, sizeof(r->folder), "/tmp/assent-judge-XXXXXX");
	if (!mkdtemp(r->folder)) {
		r->folder[0] = '\0';
		return false;
	}
	if (pipe2(fds, O_CLOEXEC) != 0 || pipe2(fds + 2, O_CLOEXEC) != 0
		|| pipe2(fds + 4, O_CLOEXEC) != 0) {
		close_fds(fds);
		return false;
	}
	s->folder = r->folder;
	s->fds[0] = fds[0];
	s->fds[1] = fds[3];
	s->fds[2] = fds[5];
	pid_t pid = fork();

	if (pid == 0)
		become(s, words);
	(void)close(fds[0]);
	(void)close(fds[3]);
	(void)close(fds[5]);
	fds[0] = fds[3] = fds[5] = -1;
	if (pid < 0) {
		close_fds(fds);
		return false;
	}
	r->pid = pid;
	open_ends(r, fds);
	return true;
}

static bool
prepare(struct start *s, const struct llm_run_args *args, struct arena *a)
{
	if (!ARENA_TRY(a))
		return false;
	bool found =
		args->words[0] && find_program(s->path, args->words[0], args->home);

	if (found)
		make_environment(s, args, a);
	arena_done(a);
	return found;
}

struct llm_run *
llm_run_start(struct llm_runs *all, const struct llm_run_args *args,
	llm_ran_fn done, void *data)
{
	struct llm_run *r = new_run(all, done, data);
	CLEANUP(arena_freep) struct arena *a = arena_new(1 << 20);
	struct start s = {0};

	CHECK(a);
	buf_init(&r->input, args->input.len + 1);
	buf_add(&r->input, args->input);
	if (prepare(&s, args, a) && begin(r, &s, args->words)) {
		r->next = all->list;
		all->list = r;
		all->told(all->data, r->pid, true);
		(void)uv_timer_start(&r->timer, on_late,
			(uint64_t)(args->left_ms > 0 ? args->left_ms : 0), 0);
	} else {
		(void)uv_timer_start(&r->timer, on_unstarted, 0, 0);
	}
	return r;
}

int
llm_runs_new(struct uv_loop_s *loop,
	void (*told)(void *data, int64_t group, bool began), void *data,
	struct llm_runs **ret)
{
	struct llm_runs *all = calloc(1, sizeof(*all));

	CHECK(all);
	all->loop = loop;
	all->told = told;
	all->data = data;
	CHECK(uv_signal_init(loop, &all->child) == 0);
	all->child.data = all;
	CHECK(uv_signal_start(&all->child, on_child, SIGCHLD) == 0);
	uv_unref((uv_handle_t *)&all->child);
	*ret = all;
	return 0;
}
