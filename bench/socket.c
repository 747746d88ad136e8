/*
 * How many decisions a second the daemon gives over its socket, and what a held
 * call costs it. Speaks the protocol as the hook's client does, from one thread,
 * over many kept connections.
 *
 *     socket PATH decide CONNECTIONS SECONDS COMMAND CWD [fresh]
 *     socket PATH hold COUNT COMMAND CWD   (then waits for a line on stdin)
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "api/api.h"
#include "base/version.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	BODY_BYTES = 64 << 10,
	REPLY_BYTES = 16 << 10,
	CONNECTIONS_MAX = 12000,
	EVENTS = 256,
	SESSIONS = 100, /* calls are spread over so many */
	ANSWERS_MAX = 32,
	LEARN_NEEDS = 8, /* later ones say the same */
};

/* What one connection is waiting for. */
enum step { STEP_CONTINUE, STEP_REPLY };

struct connection {
	int fd;
	enum step step;
	uint64_t key;
	size_t number; /* of its session */
	size_t rounds; /* needs that were answered for this call */
	char reply[REPLY_BYTES];
	size_t have;
	struct buf head, body;
};

struct bench {
	const char *path, *command;
	int epoll;
	uint64_t key;
	size_t done, needs, refused;
	bool holding;
	struct connection *list;
	size_t count;
	const char *cwd;
	bool fresh; /* each call is first sent without knowing what is wanted */
	struct call_answer answers[ANSWERS_MAX]; /* what the daemon wants to know */
	size_t answer_count;
};

static _Noreturn void
die(const char *what)
{
	/* NOLINTBEGIN(concurrency-mt-unsafe): one thread */
	(void)fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
	/* NOLINTEND(concurrency-mt-unsafe) */
}

/* --- a call -------------------------------------------------------------------- */

static void
make_body(struct bench *b, struct connection *c)
{
	char key[API_KEY_HEX + 1], call[4096];
	static const struct call_variable path = {
		.name = {"PATH",          4 },
		.value = {"/usr/bin:/bin", 13},
	};
	struct str root = str_from(b->cwd);
	struct api_envelope e = {
		.client = STR(BASE_VERSION),
		.agent = STR("claude-code"),
		.event = STR("PreToolUse"),
		.left_ms = 600000,
		.cwd = root,
		.dialect = CALL_DIALECT_BASH,
		.variables = &path,
		.variable_count = 1,
		.round = (int64_t)c->rounds,
		.has_world = true,
		.world = {.roots = &root, .root_count = 1},
	};

	if (c->rounds > 0 || !b->fresh) {
		e.world.answers = b->answers;
		e.world.answer_count = b->answer_count;
	}
	if (c->rounds == 0)
		c->key = ++b->key; /* the same in all rounds */
	(void)snprintf(key, sizeof(key), "%016llx%016llx",
		(unsigned long long)getpid(), (unsigned long long)c->key);
	e.key = str_from(key);
	buf_clear(&c->body);
	api_envelope_print(&c->body, &e);
	(void)snprintf(call, sizeof(call),
		"{\"session_id\":\"bench-%zu\",\"transcript_path\":\"/tmp/t.jsonl\","
		"\"cwd\":\"%s\",\"permission_mode\":\"default\","
		"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		"\"tool_input\":{\"command\":\"%s\",\"description\":\"bench\"},"
		"\"tool_use_id\":\"toolu_%llu\"}",
		c->number % SESSIONS, b->cwd, b->command, (unsigned long long)c->key);
	buf_add(&c->body, str_from(call));
}

static void
put(struct connection *c, struct str s)
{
	while (s.len > 0) {
		ssize_t n = write(c->fd, s.ptr, s.len);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0)
			die("write");
		s = str_sub(s, (size_t)n, s.len);
	}
}

static void
begin(struct bench *b, struct connection *c)
{
	make_body(b, c);
	buf_clear(&c->head);
	buf_addf(&c->head,
		"POST /v1/hearings HTTP/1.1\r\nHost: assent\r\n"
		"Expect: 100-continue\r\nContent-Length: %zu\r\n\r\n",
		c->body.len);
	c->have = 0;
	c->step = STEP_CONTINUE;
	put(c, buf_str(&c->head));
}

/* --- what the daemon wants to know ------------------------------------------- */

static struct str
keep(struct str s)
{
	char *copy = strndup(s.ptr ? s.ptr : "", s.len);

	if (!copy)
		die("memory");
	return (struct str){copy, s.len};
}

/* The world of the bench: no links, system programs, plain repositories. */
static struct str
value_of(const struct call_need *need)
{
	char path[512];

	if (need->kind == CALL_NEED_GIT)
		return STR("plain");
	if (need->kind == CALL_NEED_FILE)
		return (struct str){0};
	if (need->kind == CALL_NEED_LINK)
		return keep(need->name);
	(void)snprintf(path, sizeof(path), "/usr/bin/%.*s", STR_ARG(need->name));
	return keep(str_from(path));
}

/* Learns what is wanted; it is the same for every call. */
static void
learn(struct bench *b, struct str body)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(1 << 20);
	struct wire_json_error e;
	struct api_answer n;
	struct str rest, why;
	json_t *head = wire_json_parse(str_cut(body, '\n', &rest), &e);

	if (!a || !head || !ARENA_TRY(a)
		|| !api_answer_from(a, head, body, &n, &why))
		die("a need that cannot be read");
	b->answer_count = 0;
	for (size_t i = 0; i < n.need_count && i < ANSWERS_MAX; i++)
		b->answers[b->answer_count++] = (struct call_answer){
			.kind = n.needs[i].kind,
			.name = keep(n.needs[i].name),
			.value = value_of(&n.needs[i]),
		};
	json_decref(head);
}

/* --- its answer ------------------------------------------------------------------ */

/* The length of the whole reply, or 0 while it is not known. */
static size_t
reply_length(const struct connection *c)
{
	const char *end = strstr(c->reply, "\r\n\r\n");
	const char *length = strcasestr(c->reply, "content-length:");

	if (!end || !length || length > end)
		return 0;
	return (size_t)(end + 4 - c->reply) + strtoul(length + 15, NULL, 10);
}

static void
take_reply(struct bench *b, struct connection *c)
{
	bool need = strstr(c->reply, "\"kind\":\"need\"") != NULL;

	if (strncmp(c->reply, "HTTP/1.1 200", 12) != 0) {
		b->refused++;
		die(c->reply);
	}
	if (need) {
		if (b->needs++ < LEARN_NEEDS)
			learn(b, str_from(strstr(c->reply, "\r\n\r\n") + 4));
		c->rounds++;
	} else {
		b->done++;
		c->rounds = 0;
	}
	if (need || !b->holding)
		begin(b, c);
}

static void
on_bytes(struct bench *b, struct connection *c)
{
	ssize_t n = read(c->fd, c->reply + c->have, REPLY_BYTES - 1 - c->have);

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0)
		die("the daemon closed a connection");
	c->have += (size_t)n;
	c->reply[c->have] = '\0';
	if (c->step == STEP_CONTINUE) {
		if (!strstr(c->reply, "\r\n\r\n"))
			return;
		if (strncmp(c->reply, "HTTP/1.1 100", 12) != 0)
			die(c->reply);
		c->have = 0;
		c->step = STEP_REPLY;
		put(c, buf_str(&c->body));
		return;
	}
	size_t length = reply_length(c);

	if (length > 0 && c->have >= length)
		take_reply(b, c);
}

/* --- many of them ------------------------------------------------------------------ */

static void
open_one(struct bench *b, struct connection *c)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

	(void)snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", b->path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0
		|| connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)) != 0)
		die(b->path);
	(void)fcntl(c->fd, F_SETFL, O_NONBLOCK);
	buf_init(&c->head, BODY_BYTES);
	buf_init(&c->body, BODY_BYTES);
	if (epoll_ctl(b->epoll, EPOLL_CTL_ADD, c->fd, &event) != 0)
		die("epoll");
}

static size_t
wait_once(struct bench *b, int timeout_ms)
{
	struct epoll_event events[EVENTS];
	int n = epoll_wait(b->epoll, events, EVENTS, timeout_ms);

	for (int i = 0; i < n; i++)
		on_bytes(b, events[i].data.ptr);
	return n > 0 ? (size_t)n : 0;
}

static void
open_all(struct bench *b, size_t count)
{
	b->list = calloc(count, sizeof(*b->list));
	if (!b->list)
		die("memory");
	for (b->count = 0; b->count < count; b->count++) {
		struct connection *c = &b->list[b->count];

		c->number = b->count;
		open_one(b, c);
		begin(b, c);
		while (wait_once(b, 0) > 0)
			;
	}
}

static int
decide(struct bench *b, size_t connections, int64_t seconds)
{
	open_all(b, connections);
	int64_t warm = io_clock_mono_ms() + 500;

	while (io_clock_mono_ms() < warm)
		(void)wait_once(b, 10);
	size_t before = b->done;
	int64_t from = io_clock_mono_ms(), until = from + seconds * 1000;

	while (io_clock_mono_ms() < until)
		(void)wait_once(b, 10);
	int64_t took = io_clock_mono_ms() - from;

	printf("decisions_per_second %lld\n",
		(long long)((int64_t)(b->done - before) * 1000 / took));
	printf("all %zu\nneeds %zu\n", b->done, b->needs);
	return 0;
}

static int
hold(struct bench *b, size_t count)
{
	struct rlimit limit;
	char line[16];

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	open_all(b, count);
	while (wait_once(b, 500) > 0)
		;
	printf("held %zu answered %zu\n", b->count, b->done);
	(void)fflush(stdout);
	return fgets(line, sizeof(line), stdin) ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static struct bench b;
	size_t count = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;

	if (argc < 5 || count == 0 || count > CONNECTIONS_MAX) {
		(void)fprintf(stderr,
			"usage: socket PATH decide CONNECTIONS SECONDS COMMAND CWD "
			"[fresh]\n"
			"       socket PATH hold COUNT COMMAND CWD\n");
		return 2;
	}
	b.path = argv[1];
	b.epoll = epoll_create1(EPOLL_CLOEXEC);
	b.holding = strcmp(argv[2], "hold") == 0;
	b.command = argv[b.holding ? 4 : 5];
	b.cwd = argv[b.holding ? 5 : 6];
	b.fresh = !b.holding && argc > 7;
	return b.holding ? hold(&b, count)
					 : decide(&b, count, strtol(argv[4], NULL, 10));
}
