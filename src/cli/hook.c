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
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "adapter/adapter.h"
#include "base/limits.h"
#include "cli/cli.h"
#include "cli/envelope.h"
#include "cli/talk.h"
#include "io/clock.h"

enum {
	DEADLINE_S = 50,          /* when neither flag nor row says one */
	DEADLINE_S_MAX = 86400,   /* a day */
	MARGIN_MS = 1000,         /* kept to write a safe answer in time */
	DRAINED_BYTES = 64 << 20, /* of a call that is too large anyway */
};

struct hook {
	struct cli *cli;
	struct arena *a;
	const struct adapter_agent *agent;
	const struct adapter_event *event; /* NULL: not known */
	struct str event_name;             /* as registered, or absent */
	int64_t deadline_ms;
	struct buf input; /* the agent's bytes */
	int64_t oversize; /* how many, when they are too many; else 0 */
	struct cli_talk talk;
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
			/* where the agent's own card is the place to ask, it is asked */
			.verdict = h->event && h->event->elsewhere ? CALL_VERDICT_ASK
													   : CALL_VERDICT_DENY,
			.reason = text,
			.source = ADAPTER_SOURCE_SYSTEM,
			.by = CALL_BY_FAILURE,
		};

		adapter_encode(h->a, h->agent, h->event, &reply, &n);
	} else {
		n.err = arena_fmt(h->a, "assent: %.*s\n", STR_ARG(text));
	}
	return put(h, &n);
}

/* --- what the agent says --------------------------------------------------- */

/* Until the end of standard input, or the deadline; of what is too large only the
 * size is kept, and of what is far too large not even that. */
static int
read_input(struct hook *h)
{
	char part[16384];
	int64_t bytes = 0;

	for (;;) {
		struct pollfd fds[] = {
			{.fd = STDIN_FILENO,           .events = POLLIN},
			{.fd = h->talk.client.stop_fd, .events = POLLIN},
		};
		int64_t left = h->deadline_ms - io_clock_mono_ms();

		if (left <= 0 || poll(fds, ARRAY_LEN(fds), (int)left) <= 0)
			return fail_here(
				FAIL_TIMEOUT, "the agent did not end what it had to say");
		if (fds[1].revents)
			return fail_here(FAIL_IO, "the agent broke off");
		ssize_t n = read(STDIN_FILENO, part, sizeof(part));

		if (n == 0)
			break;
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return fail_here(FAIL_IO, "standard input cannot be read");
		bytes += n;
		if (!h->input.full)
			buf_add(&h->input, (struct str){part, (size_t)n});
		if (bytes > DRAINED_BYTES)
			break;
	}
	if (h->input.full)
		h->oversize = bytes;
	return 0;
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
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
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
	int r = io_place_find(h->a, &c->places, by_hand, &h->talk.place);

	if (r == 0)
		r = cli_envelope_make(h->a, &h->talk.place, &h->talk.envelope);
	h->talk.envelope.agent = str_from(h->agent->name);
	h->talk.envelope.event = h->event_name;
	h->talk.envelope.installed = !by_hand;
	return r;
}

/* A call that is too large to be sent is refused here, whatever the daemon says:
 * it is only told, so that this is on record. */
static int
refuse_large(struct hook *h)
{
	h->talk.envelope.oversize = h->oversize;
	h->talk.input = (struct str){0};
	(void)!cli_talk(&h->talk);
	api_client_close(&h->talk.client);
	return put_safe(h,
		arena_fmt(h->a,
			"the call has %lld bytes, which is too large to judge (more than "
			"%d MiB)",
			(long long)h->oversize, LIMIT_BODY_BYTES >> 20));
}

static int
hear(struct hook *h)
{
	int64_t started_ms = io_clock_mono_ms();

	set_deadline(h, started_ms);
	crash_status = decides(h) ? 2 : 0;
	h->talk.client.stop_fd = watch_signals();
	int r = read_input(h);

	if (r == 0 && h->oversize == 0 && !h->event && !h->event_name.ptr) {
		h->event = adapter_event_of(h->agent, buf_str(&h->input));
		crash_status = decides(h) ? 2 : 0;
		set_deadline(h, started_ms);
	}
	if (r == 0)
		r = prepare(h);
	h->talk.deadline_ms = h->deadline_ms;
	h->talk.input = buf_str(&h->input);
	if (r == 0 && h->oversize > 0)
		return refuse_large(h);
	if (r == 0)
		r = cli_talk(&h->talk);
	api_client_close(&h->talk.client);
	if (r != 0)
		return put_safe(h, str_from(fail_text()));
	struct adapter_answer n = {
		.out = h->talk.answer.out,
		.err = h->talk.answer.err,
		.exit = h->talk.answer.exit,
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

/* jansson would open a device for its own. */
static void
seed_json(void)
{
	size_t seed = 0;

	(void)!getrandom(&seed, sizeof(seed), 0);
	json_object_seed(seed | 1);
}

static int
run(struct cli *c)
{
	struct hook h = {.cli = c};
	int code;

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
	seed_json();
	cli_talk_init(&h.talk);
	h.talk.client.peer_fd = STDOUT_FILENO;
	h.talk.a = h.a = arena_new(LIMIT_ARENA_BYTES);
	buf_init(&h.input, LIMIT_BODY_BYTES);
	if (h.a && ARENA_TRY(h.a)) {
		code = hear(&h);
	} else {
		const struct adapter_answer n = adapter_safe(h.agent, h.event);

		code = put(&h, &n);
	}
	cli_talk_done(&h.talk);
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
