/*
 * A daemon that misbehaves, for the tests of the client. It is started like
 * assentd and does what the file STATE/fake says, read again for every
 * connection; see modes below. Requests that are no hearings are answered with
 * the file STATE/answers/METHOD_PATH ("/" as "_"; first line: status; rest: body).
 *
 * It leaves: STATE/starts (a line per start), STATE/asked (a line per request),
 * STATE/request (the last request's body).
 */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/file.h"
#include "wire/json.h"

enum { BODY_BYTES = 32 << 20, LISTEN_FD = 3, BIG_BYTES = 5 << 20 };

#define ALLOW                                                        \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\","     \
	"\"permissionDecision\":\"allow\",\"permissionDecisionReason\":" \
	"\"fake\"}}\n"

static const char *state = ".";

static const char *
place(const char *name)
{
	static char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", state, name);
	return path;
}

static void
note(const char *file, const char *line)
{
	int fd = open(place(file), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	(void)dprintf(fd, "%s\n", line);
	(void)close(fd);
}

/* --- one connection -------------------------------------------------------- */

struct talk {
	int fd;
	struct buf in;
	char method[16], path[256];
	size_t head_len, length;
	bool expects;
	char mode[64];
	char key[40];
	int round;
};

static _Noreturn void
hang(void)
{
	for (;;)
		(void)pause();
}

/* Ends the connection where the mode says so, or stands still there. */
static void
stage(const struct talk *t, const char *name)
{
	char word[64];

	(void)snprintf(word, sizeof(word), "cut-%s", name);
	if (strcmp(t->mode, word) == 0)
		_exit(0);
	(void)snprintf(word, sizeof(word), "stall-%s", name);
	if (strcmp(t->mode, word) == 0)
		hang();
	(void)snprintf(word, sizeof(word), "kill-%s", name);
	if (strcmp(t->mode, word) == 0) {
		(void)kill(getppid(), SIGKILL);
		_exit(0);
	}
	(void)snprintf(word, sizeof(word), "stop-%s", name);
	if (strcmp(t->mode, word) == 0) {
		(void)kill(getppid(), SIGSTOP);
		(void)kill(getpid(), SIGSTOP);
	}
}

static bool
is_mode(const struct talk *t, const char *mode)
{
	return strcmp(t->mode, mode) == 0;
}

static void
more(struct talk *t)
{
	char part[65536];
	ssize_t n = read(t->fd, part, sizeof(part));

	if (n <= 0)
		_exit(0);
	buf_add(&t->in, (struct str){part, (size_t)n});
}

static void
send_text(const struct talk *t, struct str s)
{
	if (io_file_write_fd(t->fd, s) != 0)
		_exit(0);
}

static void
read_head(struct talk *t)
{
	struct str all;
	size_t end;

	for (;;) {
		all = buf_str(&t->in);
		end = str_find(all, STR("\r\n\r\n"), 0);
		if (end < all.len)
			break;
		more(t);
	}
	t->head_len = end + 4;
	(void)sscanf(t->in.ptr, "%15s %255s", t->method, t->path);
	const char *length = strstr(t->in.ptr, "Content-Length: ");

	t->length = length ? strtoul(length + 16, NULL, 10) : 0;
	t->expects = strstr(t->in.ptr, "Expect: 100-continue") != NULL;
}

static void
read_body(struct talk *t)
{
	while (t->in.len < t->head_len + t->length)
		more(t);
	struct str body = str_sub(buf_str(&t->in), t->head_len, t->in.len);
	struct str rest;
	struct str line = str_cut(body, '\n', &rest);
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(line, &e);
	struct str key = wire_json_str(top, "key");

	(void)snprintf(t->key, sizeof(t->key), "%.*s", STR_ARG(key));
	t->round = (int)wire_json_int(top, "round", 0);
	CHECK(io_file_replace(place("request"), body, 0600) == 0);
}

/* --- answers --------------------------------------------------------------- */

/* A whole reply; each mode bends one thing of it. */
struct reply {
	const char *version;
	int status;
	const char *key, *kind, *out, *extra, *fields;
	long out_len; /* what the head says */
	int exit;
	long length_off; /* what Content-Length is wrong by */
};

static void
send_reply(const struct talk *t, const struct reply *r)
{
	struct buf body, all;

	buf_init(&body, BODY_BYTES);
	buf_init(&all, BODY_BYTES);
	buf_addf(&body,
		"{\"key\":\"%s\",\"kind\":\"%s\",\"stdout\":%ld,\"exit\":%d%s}\n%s",
		r->key, r->kind, r->out_len, r->exit, r->extra, r->out);
	if (is_mode(t, "not-json"))
		body.ptr[0] = '[';
	if (is_mode(t, "huge")) {
		while (body.len < BIG_BYTES)
			buf_add_char(&body, ' ');
	}
	buf_addf(&all, "%s %d Whatever\r\n%s", r->version, r->status, r->fields);
	if (!is_mode(t, "no-length") && !is_mode(t, "chunked"))
		buf_addf(
			&all, "Content-Length: %ld\r\n", (long)body.len + r->length_off);
	if (is_mode(t, "two-lengths"))
		buf_addf(&all, "Content-Length: %zu\r\n", body.len);
	buf_addf(&all, "\r\n");
	size_t head = all.len;

	buf_add(&all, buf_str(&body));
	stage(t, "answer");
	send_text(t, str_sub(buf_str(&all), 0, head / 2));
	stage(t, "head");
	send_text(t, str_sub(buf_str(&all), head / 2, head + body.len / 2));
	stage(t, "body");
	send_text(t, str_sub(buf_str(&all), head + body.len / 2, all.len));
}

/* One row: the mode's name and what it bends. */
static const struct {
	const char *mode;
	struct reply reply; /* zero = as it should be */
} lies[] = {
	{"status-500",   {.status = 500}									 },
	{"status-204",   {.status = 204}									 },
	{"status-0",     {.status = 7}									   },
	{"http-10",      {.version = "HTTP/1.0"}                             },
	{"garbage",      {.version = "SSH-2.0-x"}                            },
	{"wrong-key",    {.key = "00000000000000000000000000000000"}         },
	{"no-key",       {.key = ""}										 },
	{"kind-maybe",   {.kind = "maybe"}                                   },
	{"kind-none",    {.kind = ""}										},
	{"stdout-less",  {.out_len = 3}									  },
	{"stdout-more",  {.out_len = 3000}                                   },
	{"stdout-minus", {.out_len = -1}									 },
	{"exit-1",       {.exit = 1}										 },
	{"exit-256",     {.exit = 256}									   },
	{"length-less",  {.length_off = -20}                                 },
	{"length-more",  {.length_off = 20}                                  },
	{"length-minus", {.length_off = -2000000}                            },
	{"length-huge",  {.length_off = 2000000000}                          },
	{"chunked",      {.fields = "Transfer-Encoding: chunked\r\n"}        },
	{"bad-field",    {.fields = "no colon here\r\n"}                     },
	{"dup-member",   {.extra = ",\"kind\":\"answer\""}                   },
	{"need-forever", {.kind = "need", .out = "", .extra = ",\"need\":{}"}},
	{"need-empty",   {.kind = "need", .out = ""}                         },
};

static void
send_lie(const struct talk *t)
{
	struct reply r = {0};

	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		if (is_mode(t, lies[i].mode))
			r = lies[i].reply;
	}
	r.version = r.version ? r.version : "HTTP/1.1";
	r.status = r.status ? r.status : 200;
	r.key = r.key ? r.key : t->key;
	r.kind = r.kind ? r.kind : "answer";
	r.out = r.out ? r.out : ALLOW;
	r.extra = r.extra ? r.extra : "";
	r.fields = r.fields ? r.fields : "";
	r.out_len = r.out_len ? r.out_len : (long)strlen(r.out);
	send_reply(t, &r);
}

/* Asks what STATE/need says, then allows. */
static void
send_need(struct talk *t)
{
	struct buf need;

	buf_init(&need, BODY_BYTES);
	buf_addf(&need, ",\"need\":");
	if (t->round > 0 || io_file_read(place("need"), &need) != 0) {
		send_lie(t);
		return;
	}
	struct reply r = {
		.version = "HTTP/1.1",
		.status = 200,
		.key = t->key,
		.kind = "need",
		.out = "",
		.extra = str_trim(buf_str(&need)).ptr,
		.fields = "",
	};

	send_reply(t, &r);
}

static void
send_error(const struct talk *t, const char *status)
{
	static const char body[] = "{\"error\":{\"code\":\"fake\",\"message\":"
							   "\"the fake daemon says no\"}}\n";

	(void)dprintf(t->fd,
		"HTTP/1.1 %s Whatever\r\nContent-Length: %zu\r\n\r\n%s", status,
		sizeof(body) - 1, body);
}

/* What stands in the file for this request, or 404. */
static void
send_file(const struct talk *t)
{
	struct buf text;
	char name[512];
	int n = snprintf(name, sizeof(name), "answers/%s_", t->method);

	for (const char *p = t->path; *p && n < 500; p++) {
		name[n] = *p;
		if (name[n] == '/')
			name[n] = '_';
		n++;
	}
	name[n] = '\0';
	buf_init(&text, BODY_BYTES);
	if (io_file_read(place(name), &text) != 0) {
		send_error(t, "404");
		return;
	}
	struct str body, status = str_cut(buf_str(&text), '\n', &body);

	(void)dprintf(t->fd,
		"HTTP/1.1 %.*s Whatever\r\nContent-Length: %zu\r\n\r\n",
		STR_ARG(status), body.len);
	send_text(t, body);
}

static void
read_mode(struct talk *t)
{
	struct buf b;

	buf_init(&b, 4096);
	if (io_file_read(place("fake"), &b) == 0)
		(void)snprintf(
			t->mode, sizeof(t->mode), "%.*s", STR_ARG(str_trim(buf_str(&b))));
	buf_done(&b);
	/* "MODE once": the next connection is answered as it should be */
	char *once = strstr(t->mode, " once");

	if (once) {
		*once = '\0';
		CHECK(io_file_replace(place("fake"), STR("allow\n"), 0600) == 0);
	}
}

static void
wait_for_file(const char *name)
{
	while (access(place(name), F_OK) != 0)
		(void)usleep(5000);
}

static _Noreturn void
serve(int fd)
{
	struct talk t = {.fd = fd};
	char line[400];

	buf_init(&t.in, BODY_BYTES);
	read_mode(&t);
	stage(&t, "accept");
	for (;;) {
		buf_clear(&t.in);
		read_head(&t);
		(void)snprintf(line, sizeof(line), "%s %s", t.method, t.path);
		note("asked", line);
		stage(&t, "request");
		if (is_mode(&t, "early-413")) {
			send_error(&t, "413");
			_exit(0);
		}
		if (is_mode(&t, "late-continue"))
			(void)usleep(3000000);
		if (t.expects)
			send_text(&t, STR("HTTP/1.1 100 Continue\r\n\r\n"));
		stage(&t, "continue");
		read_body(&t);
		stage(&t, "read");
		if (is_mode(&t, "hold"))
			wait_for_file("go");
		if (strcmp(t.path, "/v1/hearings") != 0)
			send_file(&t);
		else if (is_mode(&t, "503"))
			send_error(&t, "503");
		else if (is_mode(&t, "need"))
			send_need(&t);
		else
			send_lie(&t);
	}
}

/* --- the process ----------------------------------------------------------- */

int
main(int argc, char **argv)
{
	struct talk t = {0};
	char line[64];

	for (int i = 1; i + 1 < argc; i++) {
		if (strcmp(argv[i], "--state") == 0)
			state = argv[i + 1];
	}
	(void)snprintf(line, sizeof(line), "%lld", (long long)getpid());
	note("starts", line);
	read_mode(&t);
	if (is_mode(&t, "die")) {
		(void)fprintf(stderr, "assentd: the fake daemon does not want to\n");
		return 1;
	}
	(void)signal(SIGCHLD, SIG_IGN);
	if (!is_mode(&t, "no-relisten") && listen(LISTEN_FD, 1024) != 0)
		return 1;
	if (is_mode(&t, "no-accept"))
		hang();
	for (;;) {
		int fd = accept4(LISTEN_FD, NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0 && fork() == 0)
			serve(fd);
		if (fd >= 0)
			(void)close(fd);
	}
}
