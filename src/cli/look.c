#include "cli/look.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/configs.h"
#include "cli/gitconfig.h"
#include "cli/names.h"
#include "cli/said.h"
#include "cli/secrets.h"
#include "cli/world.h"
#include "io/clock.h"
#include "io/file.h"

enum {
	ROOT_INDEX = API_NEEDS_MAX, /* the record that names the workspace */
	REPORT_BYTES = 8 << 20,     /* all records together */
};

/* What the looking process writes for each thing, with the text behind it. */
struct record {
	uint32_t index; /* into needs */
	uint32_t there; /* the text is a value; else the thing is absent */
	uint64_t len;
};

/* --- the process that looks ------------------------------------------------ */

static struct str
answer_of(struct arena *a, const struct cli_look *in, const struct call_need *n,
	struct str root)
{
	switch (n->kind) {
	case CALL_NEED_LINK:
		return cli_world_link(a, n->name);
	case CALL_NEED_GIT:
		return cli_git_names_programs(a, n->name) ? STR("programs")
												  : STR("plain");
	case CALL_NEED_PROGRAM:
		return cli_world_program(a, n->name, in->search, in->cwd);
	case CALL_NEED_FILE:
		return cli_world_file(a, n->name, root);
	case CALL_NEED_NAMES:
		return cli_names_of(a, n->name, root);
	case CALL_NEED_SETTINGS:
		return cli_configs_of(a, n->name, root);
	case CALL_NEED_SECRETS:
		return cli_secrets_of(a, n->name, root);
	case CALL_NEED_TRANSCRIPT:
		return cli_said_read(a, in->agent, in->home, n->name);
	case CALL_NEED_COUNT:
		break;
	}
	return (struct str){0};
}

static void
report(int fd, size_t index, struct str value)
{
	struct record r = {
		.index = (uint32_t)index,
		.there = value.ptr != NULL,
		.len = value.len,
	};

	if (io_file_write_fd(fd, (struct str){(const char *)&r, sizeof(r)}) != 0
		|| io_file_write_fd(fd, value) != 0)
		_exit(1);
}

static _Noreturn void
look_and_exit(const struct cli_look *in, int fd)
{
	struct arena *a = arena_new(LIMIT_ARENA_BYTES);

	/* the agent waits for the end of its pipes: this process must not hold
	 * them when it hangs */
	for (int i = 0; i < 3; i++)
		(void)close(i);
	if (!a || !ARENA_TRY(a))
		_exit(1);
	struct str folder = in->roots_of.ptr ? in->roots_of : in->cwd;
	struct str root = cli_world_root(a, folder, in->home);

	if (in->roots_of.ptr && root.ptr)
		report(fd, ROOT_INDEX, root);
	for (size_t i = 0; i < in->need_count; i++)
		report(fd, i, answer_of(a, in, &in->needs[i], root));
	_exit(0);
}

/* --- the one that waits ---------------------------------------------------- */

/* Reads until the end, the time limit or a failure. */
static void
collect(int fd, int64_t until_ms, struct buf *b)
{
	char part[16384];
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (;;) {
		int64_t left = until_ms - io_clock_mono_ms();

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			return;
		ssize_t n = read(fd, part, sizeof(part));

		if (n <= 0)
			return;
		buf_add(b, (struct str){part, (size_t)n});
	}
}

/* Whole records become answers; a cut one at the end is as if never made. */
static void
take_records(struct arena *a, const struct cli_look *in, struct str bytes,
	struct api_world *ret)
{
	struct call_answer *answers =
		ARENA_ARRAY(a, in->need_count + 1, struct call_answer);
	struct str *roots = ARENA_ARRAY(a, 1, struct str);
	struct record r;

	ret->answers = answers;
	ret->roots = roots;
	while (bytes.len >= sizeof(r)) {
		memcpy(&r, bytes.ptr, sizeof(r));
		bytes = str_sub(bytes, sizeof(r), bytes.len);
		if (r.len > bytes.len)
			return;
		struct str value = {0};

		if (r.there)
			value = arena_dup(a, str_sub(bytes, 0, (size_t)r.len));
		bytes = str_sub(bytes, (size_t)r.len, bytes.len);
		if (r.index == ROOT_INDEX)
			roots[ret->root_count++] = value;
		else if (r.index < in->need_count)
			answers[ret->answer_count++] = (struct call_answer){
				.kind = in->needs[r.index].kind,
				.name = in->needs[r.index].name,
				.value = value,
			};
	}
}

void
cli_look(struct arena *a, const struct cli_look *in, struct api_world *ret)
{
	int ends[2];
	struct buf b;

	*ret = (struct api_world){.partial = true};
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	pid_t child = fork();

	if (child == 0)
		look_and_exit(in, ends[1]);
	(void)close(ends[1]);
	buf_init(&b, REPORT_BYTES);
	if (child > 0)
		collect(ends[0], in->until_ms, &b);
	(void)close(ends[0]);
	if (child > 0) {
		/* not waited for: it may hang, and nobody needs to know */
		(void)kill(child, SIGKILL);
		(void)waitpid(child, NULL, WNOHANG);
	}
	take_records(a, in, b.full ? (struct str){0} : buf_str(&b), ret);
	buf_done(&b);
	ret->partial = ret->answer_count < in->need_count
		|| (in->roots_of.ptr && ret->root_count == 0);
}
