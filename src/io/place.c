#include "io/place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "io/file.h"

enum { PASSWD_BYTES = 1 << 20 };

struct row {
	struct str user, home, shell;
};

/* The row of uid in the text of /etc/passwd; false when there is none. */
static bool
find_row(struct str text, int64_t uid, struct row *ret)
{
	enum { USER, PASSWORD, UID, GID, COMMENT, HOME, FIELDS };
	struct str line;

	while (str_line(&text, &line)) {
		struct str field[FIELDS];
		int64_t n = -1;

		for (size_t i = 0; i < FIELDS; i++)
			field[i] = str_cut(line, ':', &line);
		if (!str_number(field[UID], &n) || n != uid)
			continue;
		*ret = (struct row){
			.user = field[USER],
			.home = field[HOME],
			.shell = str_trim(line),
		};
		return true;
	}
	return false;
}

/* User and home of uid as the password file says, absent when it does not. */
static struct row
read_row(struct arena *a, int64_t uid)
{
	struct buf text;
	struct row row = {0};
	char user[256], home[LIMIT_PATH_BYTES], shell[256];

	buf_init(&text, PASSWD_BYTES);
	if (io_file_read("/etc/passwd", &text) != 0
		|| !find_row(buf_str(&text), uid, &row) || row.user.len > sizeof(user)
		|| row.home.len > sizeof(home) || row.shell.len > sizeof(shell)
		|| !str_starts(row.home, STR("/"))) {
		buf_done(&text);
		return (struct row){0};
	}
	/* the arena may jump: the buffer is given back first */
	memcpy(user, row.user.ptr, row.user.len);
	memcpy(home, row.home.ptr, row.home.len);
	if (row.shell.len > 0)
		memcpy(shell, row.shell.ptr, row.shell.len);
	buf_done(&text);
	return (struct row){
		.user = arena_dup(a, (struct str){user, row.user.len}),
		.home = arena_dup(a, (struct str){home, row.home.len}),
		.shell = arena_dup(a, (struct str){shell, row.shell.len}),
	};
}

/* An absolute path from the environment, or absent. */
static struct str
env_path(struct arena *a, bool believed, const char *name)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): nobody calls setenv
	struct str s = believed ? str_from(getenv(name)) : (struct str){0};

	return str_starts(s, STR("/")) ? arena_dup(a, s) : (struct str){0};
}

/* path made absolute against the working folder, without a "/" at its end. */
static struct str
absolute(struct arena *a, struct str path)
{
	char cwd[LIMIT_PATH_BYTES];

	while (path.len > 1 && str_ends(path, STR("/")))
		path.len--;
	if (str_starts(path, STR("/")) || !getcwd(cwd, sizeof(cwd)))
		return path;
	return arena_fmt(a, "%s/%.*s", cwd, STR_ARG(path));
}

static struct str
exe_folder(struct arena *a)
{
	char exe[LIMIT_PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe));
	struct str path = {exe, n > 0 ? (size_t)n : 0};

	path.len -= str_base(path).len;
	while (path.len > 1 && str_ends(path, STR("/")))
		path.len--;
	return path.len > 0 ? arena_dup(a, path) : (struct str){0};
}

static bool
is_folder_of(const char *path, int64_t uid)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode)
		&& (int64_t)st.st_uid == uid;
}

/*
 * The runtime folder serves the user's own store only: another store (a scratch
 * one) keeps its socket beside it, or two daemons would fight over one name.
 */
static struct str
find_socket(struct arena *a, const struct io_place *p, struct str runtime,
	bool own_store)
{
	struct str folder = arena_fmt(a, "/run/user/%lld", (long long)p->uid);

	if (runtime.ptr)
		return arena_fmt(a, "%.*s/assent/sock", STR_ARG(runtime));
	if (own_store && is_folder_of(folder.ptr, p->uid))
		return arena_fmt(a, "%.*s/assent/sock", STR_ARG(folder));
	return arena_fmt(a, "%.*s/sock", STR_ARG(p->state));
}

/* The first that is there: the flag, the environment's with "/assent", the
 * folder below home. */
static struct str
choose(struct arena *a, struct str flag, struct str env, struct str home,
	const char *below)
{
	if (flag.ptr)
		return absolute(a, flag);
	if (env.ptr)
		return arena_fmt(a, "%.*s/assent", STR_ARG(env));
	return arena_fmt(a, "%.*s/%s/assent", STR_ARG(home), below);
}

int
io_place_find(struct arena *a, const struct io_place_flags *flags,
	bool believe_environment, struct io_place *ret)
{
	struct io_place p = {.uid = (int64_t)getuid()};
	struct row row = read_row(a, p.uid);
	bool believed = believe_environment && !flags->home.ptr;
	struct str env_home = env_path(a, believed, "HOME");
	struct str env_state = env_path(a, believed, "XDG_STATE_HOME");
	struct str runtime =
		env_path(a, believed && !flags->state.ptr, "XDG_RUNTIME_DIR");

	p.user =
		row.user.len > 0 ? row.user : arena_fmt(a, "%lld", (long long)p.uid);
	p.home = flags->home.ptr ? absolute(a, flags->home)
		: env_home.ptr       ? env_home
							 : row.home;
	p.shell = row.shell;
	p.other_home = !str_eq(p.home, row.home);
	if (p.home.len == 0)
		return fail_here(FAIL_ABSENT,
			"no home folder: /etc/passwd has no row for user id %lld",
			(long long)p.uid);
	p.config = choose(a, flags->config,
		env_path(a, believed, "XDG_CONFIG_HOME"), p.home, ".config");
	p.state = choose(a, flags->state, env_state, p.home, ".local/state");
	p.socket = flags->socket.ptr
		? absolute(a, flags->socket)
		: find_socket(a, &p, runtime,
			!flags->state.ptr && !env_state.ptr && str_eq(p.home, row.home));
	p.admin = STR("/etc/assent/assent.conf");
	p.exe_folder = exe_folder(a);
	*ret = p;
	return 0;
}
