/*
 * assent hook AGENT [EVENT]: what an agent runs before a tool call. Reads the
 * agent's bytes, asks the daemon, writes the daemon's bytes, once. Whatever
 * else happens is the agent's safe answer: a deny in its own format where the
 * event decides, else neutral. It believes its flags and no variable.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "adapter/adapter.h"
#include "api/api.h"
#include "api/client.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/envelope.h"
#include "cli/look.h"
#include "cli/start.h"
#include "io/clock.h"
#include "io/file.h"
#include "wire/json.h"

enum {
	DEADLINE_S = 50,        /* when neither flag nor row says one */
	DEADLINE_S_MAX = 86400, /* a day */
	MARGIN_MS = 1000,       /* kept to write a safe answer in time */
	REPLY_BYTES = 4 << 20,  /* the daemon's whole answer */
	START_MS = 5000,        /* for starting one */
	STARTS_MAX = 3,         /* daemons that are started for one call */
	LOSSES_MAX = 5,         /* connections lost in a row, soon after asking */
	SOON_MS = 2000,         /* ...which is this soon */
	RETRY_MS = 10000,       /* the daemon forgets a lost client after that */
	NAP_MS = 50,            /* before the first new attempt, then doubled */
	NAP_MS_MAX = 1000,
	POSTS_MAX = 24, /* questions and answers before it is called endless */
	NO_FD = -1,
};

struct hook {
	struct cli *cli;
	struct arena *a;
	const struct adapter_agent *agent;
	const struct adapter_event *event; /* NULL: not known */
	struct str event_name;             /* as registered, or absent */
	struct io_place place;
	int64_t deadline_ms;
	struct buf input; /* the agent's bytes */
	struct api_envelope envelope;
	struct api_client client;
	struct api_answer answer;
	struct buf reply;   /* the answer borrows from it... */
	json_t *reply_head; /* ...and from this */
	int starts, losses, posts;
	int64_t held_ms; /* when the daemon last had the call in hand; 0 = never */
	int64_t looked_ms; /* spent on looking at the world */
};

/* --- when all else fails --------------------------------------------------- */

/* What a crash leaves: set as soon as the event is known. */
static int crash_status = 2;
static const char crash_words[] =
	"assent: an internal error; nothing was allowed. Please report it.\n";

static _Noreturn void
crash(int signal_number)
{
	(void)signal_number;
	(void)!write(STDERR_FILENO, crash_words, sizeof(crash_words) - 1);
	_exit(crash_status);
}

static _Noreturn void
crash_of_bug(const char *file, int line, const char *cond)
{
	(void)fprintf(stderr, "assent: %s:%d: %s\n", file, line, cond);
	crash(0);
}

/* A hook that dies of a signal lets the call run in seven of eight agents. */
static void
catch_crashes(void)
{
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
		SIGSYS, SIGTRAP, SIGXCPU, SIGXFSZ};

	static char spare[16384]; /* for when the stack itself ran out */
	stack_t stack = {.ss_sp = spare, .ss_size = sizeof(spare)};
	struct sigaction action = {.sa_handler = crash, .sa_flags = SA_ONSTACK};

	base_on_bug(crash_of_bug);
	(void)sigaltstack(&stack, NULL);
	for (size_t i = 0; i < ARRAY_LEN(fatal); i++)
		(void)sigaction(fatal[i], &action, NULL);
}

/* --- the answer ------------------------------------------------------------ */

/* All of s to fd, also to one that does not block; false if it cannot be. */
static bool
write_all(int fd, struct str s, int64_t until_ms)
{
	while (s.len > 0) {
		ssize_t n = write(fd, s.ptr, s.len);
		struct pollfd p = {.fd = fd, .events = POLLOUT};

		if (n >= 0) {
			s = str_sub(s, (size_t)n, s.len);
		} else if (errno == EAGAIN) {
			int64_t left = until_ms - io_clock_mono_ms();

			if (left <= 0 || poll(&p, 1, (int)left) <= 0)
				return false;
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

static bool
decides(const struct hook *h)
{
	return !h->event || h->event->decides;
}

/* Writes the answer. One that cannot be written is none: the exit status that
 * refuses is all that is left then. */
static int
put(const struct hook *h, const struct adapter_answer *n)
{
	int64_t until_ms = h->deadline_ms + MARGIN_MS;

	if (!write_all(STDOUT_FILENO, n->out, until_ms)) {
		(void)write_all(STDERR_FILENO,
			STR("assent: the answer cannot be written to standard output; "
				"nothing was allowed\n"),
			until_ms);
		return decides(h) ? 2 : n->exit;
	}
	(void)write_all(STDERR_FILENO, n->err, until_ms);
	return n->exit;
}

/* The agent's safe answer, with why in words where the agent shows them. */
static int
put_safe(const struct hook *h, struct str why)
{
	struct adapter_answer n = adapter_safe(h->agent, h->event);
	struct str text;

	why = cli_show(h->a, str_sub(why, 0, 600));
	if (!decides(h)) {
		n.err = arena_fmt(h->a, "assent: %.*s\n", STR_ARG(why));
		return put(h, &n);
	}
	text = arena_fmt(h->a,
		"no decision could be made, so this call was not allowed and nothing "
		"ran: %.*s. Ask the user to run: assent doctor",
		STR_ARG(why));
	if (n.exit == 0) {
		struct adapter_reply reply = {
			.verdict = CALL_VERDICT_DENY,
			.reason = text,
			.source = ADAPTER_SOURCE_SYSTEM,
		};

		adapter_encode(h->a, h->agent, h->event, &reply, &n);
	} else {
		n.err = arena_fmt(h->a, "assent: %.*s\n", STR_ARG(text));
	}
	return put(h, &n);
}

/* --- what the agent says --------------------------------------------------- */

/* Until the end of standard input, or the deadline. */
static int
read_input(struct hook *h)
{
	char part[16384];

	for (;;) {
		struct pollfd fds[] = {
			{.fd = STDIN_FILENO,      .events = POLLIN},
			{.fd = h->client.stop_fd, .events = POLLIN},
		};
		int64_t left = h->deadline_ms - io_clock_mono_ms();

		if (left <= 0 || poll(fds, ARRAY_LEN(fds), (int)left) <= 0)
			return fail_here(
				FAIL_TIMEOUT, "the agent did not end what it had to say");
		if (fds[1].revents)
			return fail_here(FAIL_IO, "the agent broke off");
		ssize_t n = read(STDIN_FILENO, part, sizeof(part));

		if (n == 0)
			return 0;
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return fail_here(FAIL_IO, "standard input cannot be read");
		buf_add(&h->input, (struct str){part, (size_t)n});
		if (h->input.full)
			return fail_here(FAIL_LIMIT,
				"the call is larger than %d MiB, too large to judge",
				LIMIT_BODY_BYTES >> 20);
	}
}

/* --- the daemon ------------------------------------------------------------ */

/* A pause that ends early when the agent goes; false if it has gone. */
static bool
nap(const struct hook *h, int64_t ms)
{
	struct pollfd fds[] = {
		{.fd = h->client.stop_fd, .events = POLLIN},
		{.fd = h->client.peer_fd, .events = 0     },
	};

	return poll(fds, ARRAY_LEN(fds), (int)ms) <= 0;
}

static const char *
socket_path(const struct hook *h)
{
	const char *path = arena_cstr(h->a, h->place.socket);

	return path ? path : "";
}

/* True while it is worth trying again: the daemon had the call, and would know
 * it again. */
static bool
may_come_back(const struct hook *h, int failure)
{
	int64_t now = io_clock_mono_ms();

	return h->held_ms > 0 && now < h->held_ms + RETRY_MS && now < h->deadline_ms
		&& failure != FAIL_DENIED && failure != FAIL_LIMIT;
}

static int
connect_once(struct hook *h)
{
	int r = api_client_open(&h->client, socket_path(h));

	if (r != FAIL_ABSENT)
		return r;
	if (h->starts++ >= STARTS_MAX) {
		struct str words = cli_start_last_words(h->a, &h->place);

		return fail_here(FAIL_ABSENT,
			"assent's daemon was started %d times and ended each time%s%.*s",
			STARTS_MAX, words.ptr ? ": " : "", STR_ARG(words));
	}
	int64_t until_ms = io_clock_mono_ms() + START_MS;

	if (until_ms > h->deadline_ms)
		until_ms = h->deadline_ms;
	r = cli_start(h->a, &h->place, until_ms);
	return r == 0 ? api_client_open(&h->client, socket_path(h)) : r;
}

static int
connect_somehow(struct hook *h)
{
	int64_t pause = NAP_MS;

	if (h->client.fd >= 0)
		return 0;
	for (;;) {
		int r = connect_once(h);

		if (r == 0 || !may_come_back(h, r))
			return r;
		if (!nap(h, pause))
			return fail_here(FAIL_IO, "the agent has gone");
		pause = pause * 2 < NAP_MS_MAX ? pause * 2 : NAP_MS_MAX;
	}
}

/* What the daemon says about a request that it did not take. */
static int
refused(struct hook *h, int status, struct str body)
{
	struct wire_json_error e;
	json_t *top = wire_json_parse(body, &e);
	struct str words = wire_json_str(wire_json_object(top, "error"), "message");
	int r = fail_here(FAIL_PROTOCOL, "the daemon answered with status %d%s%.*s",
		status, words.ptr ? ": " : "", STR_ARG(str_sub(words, 0, 300)));

	(void)h;
	json_decref(top);
	return r;
}

/* Takes the reply apart; every part must be as it should. */
static int
take(struct hook *h, int status)
{
	struct wire_json_error e = {{0}};
	struct str body = buf_str(&h->reply), rest, why = {0};

	if (status != 200)
		return refused(h, status, body);
	json_decref(h->reply_head);
	h->reply_head = wire_json_parse(str_cut(body, '\n', &rest), &e);
	if (!h->reply_head)
		return fail_here(
			FAIL_PROTOCOL, "the daemon's answer cannot be read: %s", e.message);
	if (!api_answer_from(h->a, h->reply_head, body, &h->answer, &why))
		return fail_here(FAIL_PROTOCOL, "%.*s", STR_ARG(why));
	if (!str_eq(h->answer.key, h->envelope.key))
		return fail_here(
			FAIL_PROTOCOL, "the daemon's answer is for another call");
	return 0;
}

static int
post(struct hook *h)
{
	struct buf head;
	struct api_reply reply = {0};
	struct api_request q = {
		.method = "POST",
		.path = "/v1/hearings",
		.body = buf_str(&h->input),
		.proves_alive = true,
		.deadline_ms = h->deadline_ms,
	};
	int64_t left = h->deadline_ms - io_clock_mono_ms();

	h->envelope.left_ms = left > 0 ? left : 0;
	buf_init(&head, API_ENVELOPE_BYTES);
	api_envelope_print(&head, &h->envelope);
	q.head = buf_str(&head);
	buf_clear(&h->reply);
	reply.body = h->reply;
	int r = head.full || q.head.len + q.body.len > LIMIT_BODY_BYTES
		? fail_here(FAIL_LIMIT, "the call is too large to judge")
		: api_client_ask(&h->client, &q, &reply);

	h->reply = reply.body;
	if (reply.held)
		h->held_ms = io_clock_mono_ms();
	buf_done(&head);
	return r == 0 ? take(h, reply.status) : r;
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
 * All looking while the call is judged shares one time limit; what is asked
 * after a person's reply has its own.
 */
static void
look(struct hook *h)
{
	int64_t start = io_clock_mono_ms();
	int64_t spent = h->envelope.round < API_ROUNDS_MAX - 1 ? h->looked_ms : 0;
	struct cli_look in = {
		.needs = h->answer.needs,
		.need_count = h->answer.need_count,
		.roots_of = h->answer.roots_of,
		.cwd = h->envelope.cwd,
		.home = h->place.home,
		.search = search_path(&h->envelope),
		.until_ms = start + API_LOOK_MS - spent,
	};

	cli_look(h->a, &in, &h->envelope.world);
	h->looked_ms += io_clock_mono_ms() - start;
	h->envelope.has_world = true;
	if (h->envelope.round < API_ROUNDS_MAX)
		h->envelope.round++;
}

/* --- the conversation ------------------------------------------------------ */

/* The connection was lost: true if it is to be made again. */
static bool
may_ask_again(struct hook *h, int64_t asked_ms)
{
	int64_t now = io_clock_mono_ms();

	if (h->client.stopped || now >= h->deadline_ms)
		return false;
	h->losses = now - asked_ms < SOON_MS ? h->losses + 1 : 1;
	if (now - asked_ms >= SOON_MS)
		h->starts = 0;
	return h->losses < LOSSES_MAX && nap(h, NAP_MS);
}

/* Asks until there is an answer. */
static int
converse(struct hook *h)
{
	while (h->posts++ < POSTS_MAX) {
		int64_t asked_ms = io_clock_mono_ms();
		int r = connect_somehow(h);

		if (r != 0)
			return r;
		r = post(h);
		if (r == 0 && h->answer.kind == API_ANSWER)
			return 0;
		if (r == 0)
			look(h);
		else if (r != FAIL_IO || !may_ask_again(h, asked_ms))
			return r;
	}
	return fail_here(FAIL_PROTOCOL, "the daemon asks without end");
}

/* --- the command ----------------------------------------------------------- */

/* Signals that mean that the agent has gone arrive on a descriptor; all others
 * that would end us are left alone. */
static int
watch_signals(void)
{
	static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS,
		SIGTRAP, SIGXCPU, SIGXFSZ};
	sigset_t all, gone;

	(void)sigfillset(&all);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		(void)sigdelset(&all, kept[i]);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)sigemptyset(&gone);
	(void)sigaddset(&gone, SIGTERM);
	(void)sigaddset(&gone, SIGINT);
	(void)sigaddset(&gone, SIGHUP);
	(void)sigaddset(&gone, SIGQUIT);
	return signalfd(-1, &gone, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int64_t
deadline_seconds(const struct hook *h)
{
	const char *given = cli_get(h->cli, "deadline");
	int64_t s = DEADLINE_S;

	if (given)
		return str_number(str_from(given), &s) && s > 0 ? s : 0;
	return h->event && h->event->deadline_s > 0 ? h->event->deadline_s : s;
}

/* A deadline that the agent's own is behind, with room for a safe answer. */
static void
set_deadline(struct hook *h, int64_t started_ms)
{
	int64_t ms = deadline_seconds(h) * 1000;
	int64_t margin = ms / 10 < MARGIN_MS ? ms / 10 : MARGIN_MS;

	h->deadline_ms = started_ms + ms - margin;
}

static int
prepare(struct hook *h)
{
	const struct cli *c = h->cli;
	bool by_hand = cli_has_no_places(c) && !cli_has(c, "deadline");
	int r = io_place_find(h->a, &c->places, by_hand, &h->place);

	if (r == 0)
		r = cli_envelope_make(h->a, &h->place, &h->envelope);
	h->envelope.agent = str_from(h->agent->name);
	h->envelope.event = h->event_name;
	h->envelope.installed = !by_hand;
	return r;
}

static int
hear(struct hook *h)
{
	int64_t started_ms = io_clock_mono_ms();

	set_deadline(h, started_ms);
	crash_status = decides(h) ? 2 : 0;
	h->client.stop_fd = watch_signals();
	int r = read_input(h);

	if (r == 0 && !h->event && !h->event_name.ptr) {
		h->event = adapter_event_of(h->agent, buf_str(&h->input));
		crash_status = decides(h) ? 2 : 0;
		set_deadline(h, started_ms);
	}
	if (r == 0)
		r = prepare(h);
	if (r == 0)
		r = converse(h);
	api_client_close(&h->client);
	if (r != 0)
		return put_safe(h, str_from(fail_text()));
	struct adapter_answer n = {
		.out = h->answer.out,
		.err = h->answer.err,
		.exit = h->answer.exit,
	};

	return put(h, &n);
}

/* What is wrong with how it was called, or NULL. */
static const char *
misuse(const struct hook *h)
{
	if (fcntl(STDIN_FILENO, F_GETFD) < 0)
		return "standard input is closed; the agent writes its JSON there";
	if (isatty(STDIN_FILENO))
		return "standard input is a terminal; the agent writes its JSON there "
			   "(to ask by hand: assent check)";
	int64_t s = deadline_seconds(h);

	return s < 1 || s > DEADLINE_S_MAX ? "--deadline wants a number of seconds"
									   : NULL;
}

/* A descriptor that is closed would be reused, and the daemon's connection be
 * taken for standard output. */
static bool
hold_descriptors(void)
{
	bool has_out = fcntl(STDOUT_FILENO, F_GETFD) >= 0;

	for (;;) {
		int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

		if (fd > STDERR_FILENO)
			(void)close(fd);
		if (fd < 0 || fd > STDERR_FILENO)
			return has_out && fd >= 0;
	}
}

static int
run(struct cli *c)
{
	struct hook h = {.cli = c, .client = API_CLIENT_NONE};

	catch_crashes();
	h.agent = adapter_agent_find(str_from(c->args[0]));
	if (!h.agent)
		return cli_usage(c, "the agent \"%s\" is not known", c->args[0]);
	if (c->arg_count > 1) {
		h.event_name = str_from(c->args[1]);
		h.event = adapter_event_find(h.agent, h.event_name);
	}
	const char *fault = misuse(&h);

	if (fault)
		return cli_usage(c, "%s", fault);
	if (!hold_descriptors())
		return cli_usage(c, "standard output is closed");
	h.client.peer_fd = STDOUT_FILENO;
	h.a = arena_new(LIMIT_ARENA_BYTES);
	buf_init(&h.input, LIMIT_BODY_BYTES);
	buf_init(&h.reply, REPLY_BYTES);
	int code = decides(&h) ? 2 : 0;

	if (h.a && ARENA_TRY(h.a)) {
		code = hear(&h);
	} else {
		const struct adapter_answer n = adapter_safe(h.agent, h.event);

		code = put(&h, &n);
	}
	json_decref(h.reply_head);
	buf_done(&h.reply);
	buf_done(&h.input);
	arena_free(h.a);
	return code;
}

const struct cli_command cli_hook = {
	.name = "hook",
	.usage = "AGENT [EVENT]",
	.help = "answer an agent's hook (agents run this)",
	.details =
		"An agent runs this before a tool call, with its JSON on standard "
		"input; the answer is on standard output in the agent's own form. "
		"assent install writes the line into the agent's settings.\n"
		"With no flag at all it finds its places as the other commands do; "
		"with any, it believes the flags and /etc/passwd, and no variable of "
		"the environment.\n"
		"When the daemon cannot be asked, or anything at all goes wrong, the "
		"call is refused.",
	.group = CLI_GROUP_RUN,
	.args_min = 1,
	.args_max = 2,
	.options =
		{
				  {"deadline", "SECONDS", "answer by then; shorter than the agent's"},
				  },
	.run = run,
};
