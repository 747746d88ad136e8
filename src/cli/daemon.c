/*
 * assent daemon start|stop|status|run.
 */

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/client.h"
#include "base/version.h"
#include "cli/request.h"
#include "cli/start.h"
#include "io/clock.h"
#include "wire/json.h"

enum {
	NOT_RUNNING = 3, /* exit code of status */
	STOP_MS = 10000,
	NAP_NS = 20000000,
};

static const struct cli_request health = {.method = "GET", .path = "/healthz"};

static int
say_running(const struct cli *c, const struct io_place *p, const json_t *j,
	const char *what)
{
	struct str version = cli_member(c->arena, j, "version");
	struct str store = cli_member(c->arena, j, "store");
	struct str socket = cli_show(c->arena, p->socket);

	(void)printf("assent's daemon %s: process %lld, version %.*s, at %.*s\n",
		what, (long long)wire_json_int(j, "pid", 0), STR_ARG(version),
		STR_ARG(socket));
	if (!wire_json_bool(j, "recording"))
		(void)printf("%sIt cannot record, so it allows nothing: %.*s%s\n",
			cli_ink(c, CLI_INK_DENY), STR_ARG(store),
			cli_ink_off(c, CLI_INK_DENY));
	return CLI_OK;
}

/* --- stop ------------------------------------------------------------------ */

/* Waits until nobody listens any more. */
static bool
is_gone(const struct cli *c, const struct io_place *p)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	int64_t until_ms = io_clock_mono_ms() + STOP_MS;
	const char *path = arena_cstr(c->arena, p->socket);

	while (path && io_clock_mono_ms() < until_ms) {
		struct api_client client = API_CLIENT_NONE;
		int r = api_client_open(&client, path);

		api_client_close(&client);
		if (r == FAIL_ABSENT)
			return true;
		(void)nanosleep(&nap, NULL);
	}
	return false;
}

/* Asks it to stop and waits until it has. CLI_OK or the exit code. */
static int
stop(const struct cli *c, const struct io_place *p)
{
	CLI_TOLD told = {0};
	const struct cli_request q = {
		.method = "POST",
		.path = "/v1/daemon/stop",
		.body = STR("{}"),
	};
	int r = cli_ask(c, p, &q, &told);

	if (r != 0 || (told.status != 202 && told.status != 200))
		return cli_ask_failed(c, r, &told);
	return is_gone(c, p)
		? CLI_OK
		: cli_fail(c, "the daemon was asked to stop and still listens");
}

static int
run_stop(struct cli *c)
{
	struct io_place p;
	CLI_TOLD told = {0};
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	if (cli_ask(c, &p, &health, &told) == FAIL_ABSENT) {
		(void)printf("assent's daemon does not run\n");
		return CLI_OK;
	}
	code = stop(c, &p);
	if (code == CLI_OK)
		(void)printf("assent's daemon has stopped\n");
	return code;
}

const struct cli_command cli_daemon_stop = {
	.name = "daemon stop",
	.usage = "",
	.help = "stop the daemon (only a person may)",
	.details = "Calls that wait bring it back at once, and so does the next "
			   "call of an agent. To take assent out of an agent: assent "
			   "uninstall.",
	.group = CLI_GROUP_RUN,
	.run = run_stop,
};

/* --- start ----------------------------------------------------------------- */

/* The next number of a version ("1.12.0"), cut from *rest. */
static int64_t
next_number(struct str *rest)
{
	int64_t n = 0;

	return rest->ptr && str_number(str_cut(*rest, '.', rest), &n) ? n : 0;
}

/* True if version a is older than b. */
static bool
is_older(struct str a, struct str b)
{
	while (a.ptr || b.ptr) {
		int64_t x = next_number(&a), y = next_number(&b);

		if (x != y)
			return x < y;
	}
	return false;
}

/* A daemon of an older release makes way, unless a call waits there. */
static bool
makes_way(const struct cli *c, const struct io_place *p, const json_t *now)
{
	CLI_TOLD told = {0};
	const struct cli_request q = {.method = "GET", .path = "/v1/status"};

	return is_older(wire_json_str(now, "version"), STR(BASE_VERSION))
		&& cli_ask(c, p, &q, &told) == 0 && told.status == 200
		&& wire_json_int(told.json, "cards", -1) == 0;
}

static int
run_start(struct cli *c)
{
	struct io_place p;
	CLI_TOLD told = {0};
	struct cli_request q = health;
	const char *what = "runs already";
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	int r = cli_ask(c, &p, &q, &told);

	if (r == 0 && told.status == 200 && makes_way(c, &p, told.json)) {
		code = stop(c, &p);
		if (code != CLI_OK)
			return code;
		r = FAIL_ABSENT;
	}
	if (r == FAIL_ABSENT) {
		what = "was started";
		cli_told_done(&told);
		q.starts = true;
		r = cli_ask(c, &p, &q, &told);
	}
	if (r != 0 || told.status != 200)
		return cli_ask_failed(c, r, &told);
	return c->json ? cli_told_print(&told)
				   : say_running(c, &p, told.json, what);
}

const struct cli_command cli_daemon_start = {
	.name = "daemon start",
	.usage = "",
	.help = "start the daemon, unless it runs",
	.details = "The first call of an agent starts it by itself; this is for "
			   "when that is not wanted or not possible (inside an agent's "
			   "sandbox no daemon is started). A daemon of an older "
			   "release is replaced when no card is open.",
	.group = CLI_GROUP_RUN,
	.run = run_start,
};

/* --- status ---------------------------------------------------------------- */

static int
run_status(struct cli *c)
{
	struct io_place p;
	CLI_TOLD told = {0};
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	int r = cli_ask(c, &p, &health, &told);

	if (r == FAIL_ABSENT) {
		(void)printf("%s",
			c->json ? "{\"status\":\"not_running\"}\n"
					: "assent's daemon does not run\n");
		return NOT_RUNNING;
	}
	if (r != 0 || told.status != 200)
		return cli_ask_failed(c, r, &told);
	return c->json ? cli_told_print(&told)
				   : say_running(c, &p, told.json, "runs");
}

const struct cli_command cli_daemon_status = {
	.name = "daemon status",
	.usage = "",
	.help = "does the daemon run",
	.details = "Exit code 0: it runs. 3: it does not. 1: something is there "
			   "that does not answer as it should.",
	.group = CLI_GROUP_RUN,
	.run = run_status,
};

/* --- run ------------------------------------------------------------------- */

static int
run_run(struct cli *c)
{
	struct io_place p;
	int code = cli_places(c, &p);

	if (code != CLI_OK)
		return code;
	struct str program = cli_start_program(c->arena, &p);

	if (!program.ptr)
		return cli_fail(c,
			"assentd is neither beside assent in %.*s nor in libexec",
			STR_ARG(p.exe_folder));
	(void)execv(program.ptr, cli_start_args(c->arena, program, &p));
	return cli_fail(c, "%s cannot be run", program.ptr);
}

const struct cli_command cli_daemon_run = {
	.name = "daemon run",
	.usage = "",
	.help = "run the daemon in this terminal",
	.group = CLI_GROUP_RUN,
	.run = run_run,
};
