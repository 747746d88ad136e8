#include "cli/talk.h"

#include <poll.h>
#include <string.h>

#include "base/limits.h"
#include "cli/look.h"
#include "cli/start.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	REPLY_BYTES = 4 << 20, /* the daemon's whole answer */
	START_MS = 5000,       /* for starting one */
	STARTS_MAX = 3,        /* daemons that are started for one call */
	LOSSES_MAX = 5,        /* connections lost in a row, soon after asking */
	SOON_MS = 2000,        /* ...which is this soon */
	RETRY_MS = 10000,      /* the daemon forgets a lost client after that */
	NAP_MS = 50,           /* before the first new attempt, then doubled */
	NAP_MS_MAX = 1000,
	POSTS_MAX = 24, /* questions and answers before it is called endless */
};

/* --- connecting ------------------------------------------------------------ */

/* A pause that ends early when the agent goes; false if it has gone. */
static bool
nap(const struct cli_talk *t, int64_t ms)
{
	struct pollfd fds[] = {
		{.fd = t->client.stop_fd, .events = POLLIN},
		{.fd = t->client.peer_fd, .events = 0     },
	};

	return poll(fds, ARRAY_LEN(fds), (int)ms) <= 0;
}

static const char *
socket_path(const struct cli_talk *t)
{
	const char *path = arena_cstr(t->a, t->place.socket);

	return path ? path : "";
}

/* True while it is worth trying again: the daemon had the call, and would know
 * it again. */
static bool
may_come_back(const struct cli_talk *t, int failure)
{
	int64_t now = io_clock_mono_ms();

	return t->held_ms > 0 && now < t->held_ms + RETRY_MS && now < t->deadline_ms
		&& failure != FAIL_DENIED && failure != FAIL_LIMIT;
}

static int
start(struct cli_talk *t)
{
	int64_t until_ms = io_clock_mono_ms() + START_MS;
	struct str words;

	if (t->starts++ < STARTS_MAX)
		return cli_start(t->a, &t->place,
			until_ms < t->deadline_ms ? until_ms : t->deadline_ms);
	words = cli_start_last_words(t->a, &t->place);
	return fail_here(FAIL_LIMIT,
		"assent's daemon was started %d times and ended each time%s%.*s",
		STARTS_MAX, words.ptr ? ": " : "", STR_ARG(words));
}

/* Connects; where nobody listens, a daemon is started, which may end at once. */
static int
connect_once(struct cli_talk *t)
{
	for (;;) {
		int r = api_client_open(&t->client, socket_path(t));

		if (r != FAIL_ABSENT)
			return r;
		r = start(t);
		if (r != 0)
			return r;
	}
}

static int
connect_somehow(struct cli_talk *t)
{
	int64_t pause = NAP_MS;

	if (t->client.fd >= 0)
		return 0;
	for (;;) {
		int r = connect_once(t);

		if (r == 0 || !may_come_back(t, r))
			return r;
		if (!nap(t, pause))
			return fail_here(FAIL_IO, "the agent has gone");
		pause = pause * 2 < NAP_MS_MAX ? pause * 2 : NAP_MS_MAX;
	}
}

/* --- asking ---------------------------------------------------------------- */

/* What the daemon says about a request that it did not take. */
static int
refused(int status, struct str body)
{
	struct wire_json_error e;
	json_t *top = wire_json_parse(body, &e);
	struct str words = wire_json_str(wire_json_object(top, "error"), "message");
	int r = fail_here(FAIL_PROTOCOL, "the daemon answered with status %d%s%.*s",
		status, words.ptr ? ": " : "", STR_ARG(str_sub(words, 0, 300)));

	json_decref(top);
	return r;
}

/* Takes the reply apart; every part must be as it should. */
static int
take(struct cli_talk *t, int status)
{
	struct wire_json_error e = {{0}};
	struct str body = buf_str(&t->reply), rest, why = {0};

	if (status != 200)
		return refused(status, body);
	json_decref(t->reply_head);
	t->reply_head = wire_json_parse(str_cut(body, '\n', &rest), &e);
	if (!t->reply_head)
		return fail_here(
			FAIL_PROTOCOL, "the daemon's answer cannot be read: %s", e.message);
	if (!api_answer_from(t->a, t->reply_head, body, &t->answer, &why))
		return fail_here(FAIL_PROTOCOL, "%.*s", STR_ARG(why));
	if (!str_eq(t->answer.key, t->envelope.key))
		return fail_here(
			FAIL_PROTOCOL, "the daemon's answer is for another call");
	return 0;
}

static int
post(struct cli_talk *t)
{
	struct buf head;
	struct api_reply reply = {0};
	struct api_request q = {
		.method = "POST",
		.path = "/v1/hearings",
		.body = t->input,
		.proves_alive = true,
		.deadline_ms = t->deadline_ms,
	};
	int64_t left = t->deadline_ms - io_clock_mono_ms();

	t->envelope.left_ms = left > 0 ? left : 0;
	buf_init(&head, API_ENVELOPE_BYTES);
	api_envelope_print(&head, &t->envelope);
	q.head = buf_str(&head);
	buf_clear(&t->reply);
	reply.body = t->reply;
	int r = head.full || q.head.len + q.body.len > LIMIT_BODY_BYTES
		? fail_here(FAIL_LIMIT, "the call is too large to judge")
		: api_client_ask(&t->client, &q, &reply);

	t->reply = reply.body;
	if (reply.held)
		t->held_ms = io_clock_mono_ms();
	buf_done(&head);
	return r == 0 ? take(t, reply.status) : r;
}

/* --- the world ------------------------------------------------------------- */

static struct str
search_path(const struct api_envelope *e)
{
	for (size_t i = 0; i < e->variable_count; i++) {
		if (str_eq(e->variables[i].name, STR("PATH")))
			return e->variables[i].value;
	}
	return (struct str){0};
}

/*
 * The daemon needs to know something: looks at it and makes the next round.
 * All looking while the call is judged shares one time limit; a need that came
 * late is asked after a person's reply and has its own.
 */
static void
look(struct cli_talk *t, int64_t asked_ms)
{
	int64_t begun_ms = io_clock_mono_ms();

	if (begun_ms - asked_ms >= API_LOOK_MS)
		t->looked_ms = 0;
	struct cli_look in = {
		.needs = t->answer.needs,
		.need_count = t->answer.need_count,
		.roots_of = t->answer.roots_of,
		.cwd = t->envelope.cwd,
		.home = t->place.home,
		.search = search_path(&t->envelope),
		.agent = t->envelope.agent,
		.until_ms = begun_ms + API_LOOK_MS - t->looked_ms,
	};

	cli_look(t->a, &in, &t->envelope.world);
	t->looked_ms += io_clock_mono_ms() - begun_ms;
	t->envelope.has_world = true;
	if (t->envelope.round < API_ROUNDS_MAX)
		t->envelope.round++;
}

/* --- the conversation ------------------------------------------------------ */

/* The connection was lost: true if it is to be made again. */
static bool
may_ask_again(struct cli_talk *t, int64_t asked_ms)
{
	int64_t now = io_clock_mono_ms();

	if (t->client.stopped || now >= t->deadline_ms)
		return false;
	t->losses = now - asked_ms < SOON_MS ? t->losses + 1 : 1;
	if (now - asked_ms >= SOON_MS)
		t->starts = 0;
	return t->losses < LOSSES_MAX && nap(t, NAP_MS);
}

void
cli_talk_init(struct cli_talk *t)
{
	*t = (struct cli_talk){.client = API_CLIENT_NONE};
	buf_init(&t->reply, REPLY_BYTES);
}

void
cli_talk_done(struct cli_talk *t)
{
	api_client_close(&t->client);
	json_decref(t->reply_head);
	buf_done(&t->reply);
}

int
cli_talk(struct cli_talk *t)
{
	while (t->posts++ < POSTS_MAX) {
		int64_t asked_ms = io_clock_mono_ms();
		int r = connect_somehow(t);

		if (r != 0)
			return r;
		r = post(t);
		if (r == 0 && t->answer.kind == API_ANSWER)
			return 0;
		if (r == 0)
			look(t, asked_ms);
		else if (r != FAIL_IO || !may_ask_again(t, asked_ms))
			return r;
	}
	return fail_here(FAIL_PROTOCOL, "the daemon asks without end");
}
