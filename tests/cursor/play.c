/*
 * Plays a run of calls through a real filter, with a scripted gateway behind it
 * and a scripted client before it, and says what the client sees of each:
 *	play ASSENT FOLDER PLACES... -- KIND:ARGUMENT...
 * KIND is shell, fetch, mcp, asked (a shell call with the card asked for),
 * rejected (a shell call whose card the client's user rejects), refused (a shell
 * call that never reaches the client), unreviewed.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/cursor/say.h"
#include "tests/cursor/scene.h"

enum { WORDS_MAX = 32, PORT_WAITS = 5000 };

struct play {
	struct scene *scene;
	struct scene_stream stream;
	struct buf said, room;
	int64_t appended; /* by the client */
	int64_t rejected; /* by the filter */
	uint32_t id;
};

/* --- the filter -------------------------------------------------------------- */

static pid_t
start_filter(char **argv, int gateway_port, const char *port_file)
{
	const char *words[WORDS_MAX];
	char upstream[64];
	union {
		const char **from;
		char **to;
	} args = {.from = words};
	size_t n = 0;
	pid_t pid;

	(void)snprintf(
		upstream, sizeof(upstream), "http://127.0.0.1:%d", gateway_port);
	words[n++] = argv[1];
	words[n++] = "proxy";
	words[n++] = "cursor";
	words[n++] = "--listen";
	words[n++] = "127.0.0.1:0";
	words[n++] = "--upstream";
	words[n++] = upstream;
	words[n++] = "--port-file";
	words[n++] = port_file;
	for (size_t i = 3; strcmp(argv[i], "--") != 0 && n < WORDS_MAX - 1; i++)
		words[n++] = argv[i];
	words[n] = NULL;
	pid = fork();
	if (pid == 0) {
		(void)execv(argv[1], args.to);
		_exit(127);
	}
	return pid;
}

static int
read_port(const char *path)
{
	const struct timespec nap = {.tv_nsec = 2000000};

	for (int i = 0; i < PORT_WAITS; i++) {
		FILE *f = fopen(path, "re");
		char line[32] = "";

		if (f) {
			bool got = fgets(line, sizeof(line), f) != NULL;

			(void)fclose(f);
			if (got && strchr(line, '\n'))
				return (int)strtol(line, NULL, 10);
		}
		(void)nanosleep(&nap, NULL);
	}
	return 0;
}

/* --- one call ------------------------------------------------------------------ */

static void
say(struct play *p, struct str payload)
{
	scene_say(p->scene, "r", payload);
}

/* What the card says. */
static void
print_card(const char *call, struct str payload)
{
	struct proxy_action a = {0};
	struct str inner;

	(void)proxy_action_read(payload, proxy_server_read(payload, &inner), &a);
	(void)printf("%s: card: %.*s\n", call, STR_ARG(a.asked_reason));
	proxy_action_done(&a);
}

static void
see(struct play *p, const char *call)
{
	struct proxy_frame f;
	struct str said = buf_str(&p->said);

	if (!scene_next(&p->stream, &f)) {
		(void)printf("%s: the stream ended\n", call);
		return;
	}
	if (f.payload.len == said.len
		&& memcmp(f.payload.ptr, said.ptr, said.len) == 0)
		(void)printf("%s: unchanged\n", call);
	else if (f.payload.len == said.len + 2)
		(void)printf("%s: skip_approval\n", call);
	else
		print_card(call, f.payload);
}

/* The floor's: nothing comes, and the gateway is told. */
static void
see_rejection(struct play *p, const char *call)
{
	struct str got =
		scene_await_append(p->scene, "r", p->appended + p->rejected, &p->room);
	Proxy__Cursor__ClientMessage *m = proxy__cursor__client_message__unpack(
		NULL, got.len, proxy_data(got).data);

	p->rejected++;
	if (m && m->exec_client_message && m->exec_client_message->shell_stream)
		(void)printf("%s: rejected upstream: %.*s\n", call,
			STR_ARG(proxy_text(
				m->exec_client_message->shell_stream->rejected->reason)));
	if (m)
		proxy__cursor__client_message__free_unpacked(m, NULL);
}

static void
append(struct play *p, struct str message)
{
	if (scene_append(p->scene, "r", p->appended, message, NULL) != 200)
		(void)printf("an append was refused\n");
	p->appended++;
}

static void
play_call(struct play *p, const char *call)
{
	struct str what;
	struct str kind = str_cut(str_from(call), ':', &what);
	char call_id[32];
	uint32_t id = ++p->id;

	(void)snprintf(call_id, sizeof(call_id), "call-%u", id);
	if (str_eq(kind, STR("fetch")))
		say(p, say_fetch(&p->said, id, call_id, what.ptr));
	else if (str_eq(kind, STR("mcp")))
		say(p, say_mcp(&p->said, id, call_id, "srv", what.ptr));
	else if (str_eq(kind, STR("unreviewed")))
		say(p, say_other(&p->said, id, (uint32_t)strtoul(what.ptr, NULL, 10)));
	else
		say(p,
			say_shell_with(&p->said, id, call_id, what.ptr,
				&(struct say_shell_more){
					.card = str_eq(kind, STR("asked")) ? "please" : NULL,
				}));
	if (str_eq(kind, STR("refused")))
		see_rejection(p, call);
	else
		see(p, call);
	if (str_eq(kind, STR("rejected")))
		append(p, say_shell_result(&p->said, id, "not today"));
	(void)fflush(stdout);
}

static void
play_all(struct play *p, const char *root, char **calls)
{
	const struct say_context context = {
		.root = root, .allow = "tests are routine", .block = "never push"};

	scene_open(p->scene, &p->stream, "r");
	append(p, say_run(&p->said, "talk", "gpt-5-mini", "have a look", &context));
	for (; *calls; calls++)
		play_call(p, *calls);
	scene_end(p->scene, "r", true);
	scene_close(&p->stream);
}

int
main(int argc, char **argv)
{
	struct scene_settings settings = {.direct = true};
	struct play p = {0};
	char port_file[256];
	size_t calls = 3;
	pid_t pid;

	while (calls < (size_t)argc && strcmp(argv[calls], "--") != 0)
		calls++;
	if (argc < 4 || calls == (size_t)argc)
		return 2;
	p.scene = scene_new(&settings);
	buf_init(&p.said, 1 << 20);
	buf_init(&p.room, 1 << 20);
	(void)snprintf(
		port_file, sizeof(port_file), "%s/port", scene_folder(p.scene));
	pid = start_filter(argv, scene_gateway_port(p.scene), port_file);
	scene_use_port(p.scene, read_port(port_file));
	play_all(&p, argv[2], argv + calls + 1);
	(void)kill(pid, SIGTERM);
	(void)waitpid(pid, NULL, 0);
	scene_free(p.scene);
	buf_done(&p.said);
	buf_done(&p.room);
	return 0;
}
