/*
 * A gateway for a real client: plays calls in the first run that comes, and says
 * what the client answered to each.
 *	gateway FOLDER PORT_FILE CALL...
 * CALL is shell:COMMAND, fetch:URL, mcp:TOOL, or abort:COMMAND (a shell call that
 * is taken back a second later). FOLDER is where shell commands run.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/cursor/say.h"
#include "tests/cursor/scene.h"

enum { BEAT_S = 5 };

struct gateway {
	struct scene *scene;
	char id[64];
	const char *folder;
	struct buf said, room;
	uint32_t next;
	int64_t heard;        /* appends looked at so far */
	pthread_mutex_t lock; /* one sender at a time */
	bool over;
};

static void
nap(long ms)
{
	const struct timespec t = {ms / 1000, (ms % 1000) * 1000000};

	(void)nanosleep(&t, NULL);
}

static void
say(struct gateway *g, struct str payload)
{
	(void)pthread_mutex_lock(&g->lock);
	scene_say(g->scene, g->id, payload);
	(void)pthread_mutex_unlock(&g->lock);
}

/* A client takes a silent stream for dead. */
static void *
beat(void *data)
{
	struct gateway *g = data;
	struct buf b;

	buf_init(&b, 64);
	for (int i = 1; !g->over; i++) {
		nap(100);
		if (i % (BEAT_S * 10) == 0)
			say(g, say_beat(&b));
	}
	buf_done(&b);
	return NULL;
}

/* --- what the client answers ---------------------------------------------------- */

static const char *
result_of(const Proxy__Cursor__ExecClientMessage *e, struct str *why)
{
	const Proxy__Cursor__ShellStream *s = e->shell_stream;

	if (s && s->rejected) {
		*why = proxy_text(s->rejected->reason);
		return "rejected";
	}
	if (s)
		return s->has_exit || s->has_backgrounded ? "ran" : NULL;
	if (e->mcp_result && e->mcp_result->rejected) {
		*why = proxy_text(e->mcp_result->rejected->reason);
		return "rejected";
	}
	if (e->mcp_result)
		return "ran";
	return e->request_context_result ? "told" : NULL;
}

/* NULL while nothing ends the call of this id. */
static const char *
answer_in(const Proxy__Cursor__ClientMessage *m, uint32_t id, struct str *why)
{
	const Proxy__Cursor__InteractionResponse *i = m->interaction_response;

	if (m->exec_client_message && m->exec_client_message->id == id)
		return result_of(m->exec_client_message, why);
	if (m->exec_client_control_message && m->exec_client_control_message->throw_
		&& m->exec_client_control_message->throw_->id == id) {
		*why = proxy_text(m->exec_client_control_message->throw_->error);
		return "thrown";
	}
	if (!i || i->id != id || !i->web_fetch_request_response)
		return NULL;
	if (!i->web_fetch_request_response->rejected)
		return "approved";
	*why = proxy_text(i->web_fetch_request_response->rejected->reason);
	return "rejected";
}

static void
await_answer(struct gateway *g, uint32_t id, const char *call)
{
	for (;;) {
		struct str got =
			scene_await_append(g->scene, g->id, g->heard, &g->room);
		Proxy__Cursor__ClientMessage *m = proxy__cursor__client_message__unpack(
			NULL, got.len, proxy_data(got).data);
		struct str why = {0};
		const char *what = m ? answer_in(m, id, &why) : NULL;

		g->heard++;
		if (what && call)
			(void)printf("%s: %s%s%.*s\n", call, what, why.len ? ": " : "",
				STR_ARG(why));
		(void)fflush(stdout);
		if (m)
			proxy__cursor__client_message__free_unpacked(m, NULL);
		if (what)
			return;
	}
}

/* --- what is played ---------------------------------------------------------------- */

static void
play(struct gateway *g, const char *call)
{
	struct str what;
	struct str kind = str_cut(str_from(call), ':', &what);
	uint32_t id = ++g->next;
	char call_id[32];

	(void)snprintf(call_id, sizeof(call_id), "call-%u", id);
	if (str_eq(kind, STR("fetch")))
		say(g, say_fetch(&g->said, id, call_id, what.ptr));
	else if (str_eq(kind, STR("mcp")))
		say(g, say_mcp(&g->said, id, call_id, "testsrv", what.ptr));
	else
		say(g,
			say_shell_with(&g->said, id, call_id, what.ptr,
				&(struct say_shell_more){.cwd = g->folder}));
	if (!str_eq(kind, STR("abort"))) {
		await_answer(g, id, call);
		return;
	}
	nap(1000);
	say(g, say_abort(&g->said, id));
	nap(1500);
	(void)printf("%s: taken back\n", call);
	(void)fflush(stdout);
}

static void
serve_beginning(struct scene *s)
{
	/* {"alg":"none"}.{"sub":"test|dev","exp":4000000000}.x */
	static const char token[] =
		"{\"accessToken\":\"eyJhbGciOiJub25lIn0."
		"eyJzdWIiOiJ0ZXN0fGRldiIsImV4cCI6"
		"NDAwMDAwMDAwMH0.x\",\"refreshToken\":\"eyJhbGciOiJub25lIn0."
		"eyJzdWIiOiJ0ZXN0fGRldiIsImV4cCI6NDAwMDAwMDAwMH0.x\",\"authId\":"
		"\"test|dev\"}";
	static const char models[] =
		"{\"items\":[{\"id\":\"a-model\",\"displayName\":\"a-model\"}]}";
	static const char json[] = "Content-Type: application/json\r\n";

	scene_serve(s, "/auth/exchange_user_api_key", json, str_from(token));
	scene_serve(s, "/v1/models", json, str_from(models));
}

int
main(int argc, char **argv)
{
	struct gateway g = {.next = 1};
	pthread_t beater;
	FILE *f;

	if (argc < 4)
		return 2;
	g.folder = argv[1];
	g.scene = scene_new(&(struct scene_settings){
		.direct = true, .quiet = true, .patient = true});
	serve_beginning(g.scene);
	buf_init(&g.said, 1 << 20);
	buf_init(&g.room, 64 << 20);
	(void)pthread_mutex_init(&g.lock, NULL);
	f = fopen(argv[2], "we");
	if (!f || fprintf(f, "%d\n", scene_gateway_port(g.scene)) < 0
		|| fclose(f) != 0)
		return 3;
	scene_await_stream(g.scene, g.id);
	if (pthread_create(&beater, NULL, beat, &g) != 0)
		return 3;
	say(&g, say_context_query(&g.said, 1));
	await_answer(&g, 1, "context");
	for (int i = 3; i < argc; i++)
		play(&g, argv[i]);
	g.over = true;
	(void)pthread_join(beater, NULL);
	say(&g, say_turn_ended(&g.said));
	scene_end(g.scene, g.id, true);
	nap(300);
	scene_drop(g.scene);
	return 0;
}
