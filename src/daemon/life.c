#include "daemon/life.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/version.h"
#include "daemon/events.h"
#include "daemon/journal.h"
#include "daemon/judge.h"
#include "daemon/open.h"
#include "daemon/routes.h"
#include "daemon/socket.h"
#include "daemon/turn.h"
#include "daemon/upkeep.h"
#include "io/clock.h"

enum {
	ACTS_BYTES = 256 << 20,
	OPEN_TRIES = 100, /* another daemon may just be stopping */
	OPEN_PAUSE_MS = 50,
	REOPEN_MS = 5000,
	STOP_TURNS = 100, /* for answers to get out when it stops */
	STOP_TURN_MS = 20,
};

/* --- the loop ------------------------------------------------------------------------ */

static void
on_prepare(uv_prepare_t *prepare)
{
	daemon_turn(prepare->data);
}

static void
on_signal(uv_signal_t *handle, int number)
{
	daemon_journal("stopping on signal %d", number);
	daemon_stop(handle->data);
}

static void
on_reopen(uv_timer_t *timer)
{
	struct daemon *d = timer->data;

	if (d->decide || d->stopping)
		return;
	if (daemon_open(d) != 0)
		return;
	daemon_sessions_set_reader(d->sessions, d->reader);
	daemon_upkeep_look(d);
	daemon_journal("the store can be written again");
}

static void
start_handles(struct daemon *d)
{
	static const int numbers[] = {SIGTERM, SIGINT};

	CHECK(uv_prepare_init(&d->loop, &d->turn) == 0);
	CHECK(uv_timer_init(&d->loop, &d->tick) == 0);
	CHECK(uv_timer_init(&d->loop, &d->reopen) == 0);
	d->turn.data = d->tick.data = d->reopen.data = d;
	CHECK(uv_prepare_start(&d->turn, on_prepare) == 0);
	if (!d->decide)
		CHECK(uv_timer_start(&d->reopen, on_reopen, REOPEN_MS, REOPEN_MS) == 0);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		CHECK(uv_signal_init(&d->loop, &d->signals[i]) == 0);
		d->signals[i].data = d;
		CHECK(uv_signal_start(&d->signals[i], on_signal, numbers[i]) == 0);
	}
}

void
daemon_stop(struct daemon *d)
{
	if (d->stopping)
		return;
	d->stopping = true;
	daemon_http_close_door(d->http);
	daemon_events_stop(d->events);
	if (d->decide) {
		struct store_audit row = {
			.kind = STORE_KIND_STOP,
			.reason = STR("stopped in order"),
		};

		decide_record(d->decide, &row, 0, io_clock_wall_ms());
		decide_stop(d->decide, io_clock_wall_ms());
	}
	uv_stop(&d->loop);
}

static void
on_pause(uv_timer_t *timer)
{
	(void)timer;
}

/* Lets what was decided be recorded and sent; what is still open then is given
 * up. */
static void
finish(struct daemon *d)
{
	CHECK(uv_timer_start(&d->tick, on_pause, 0, 0) == 0);
	for (int i = 0; i < STOP_TURNS; i++) {
		(void)uv_timer_start(&d->reopen, on_pause, STOP_TURN_MS, 0);
		(void)uv_run(&d->loop, UV_RUN_ONCE);
		if (daemon_http_open(d->http) == 0 && d->at_work == 0)
			break;
	}
}

static void
on_closed(uv_handle_t *handle)
{
	(void)handle;
}

static void
close_all(struct daemon *d)
{
	while (d->at_work > 0)
		(void)uv_run(&d->loop, UV_RUN_ONCE);
	(void)uv_prepare_stop(&d->turn);
	daemon_http_free(d->http);
	daemon_events_close(d->events);
	daemon_open_undo(d);
	daemon_judge_done(d);
	uv_close((uv_handle_t *)&d->turn, on_closed);
	uv_close((uv_handle_t *)&d->tick, on_closed);
	uv_close((uv_handle_t *)&d->reopen, on_closed);
	daemon_upkeep_close(d);
	for (size_t i = 0; i < ARRAY_LEN(d->signals); i++)
		uv_close((uv_handle_t *)&d->signals[i], on_closed);
	(void)uv_run(&d->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&d->loop);
	daemon_trial_free(d->trial);
	daemon_agents_free(d->agents);
	daemon_sessions_free(d->sessions);
	daemon_said_free(d->said);
	daemon_rules_free(d->rules);
	arena_free(d->work);
	arena_free(d->acts);
	arena_free(d->own);
}

/* --- start ----------------------------------------------------------------------------- */

/* Waits a little for a daemon that is just stopping. */
static int
open_store(struct daemon *d)
{
	for (int i = 0;; i++) {
		int r = daemon_open(d);

		if (r != FAIL_BUSY || i == OPEN_TRIES)
			return r;
		(void)usleep(OPEN_PAUSE_MS * 1000);
	}
}

static void
make_parts(struct daemon *d)
{
	struct store_batch *batch = d->decide ? decide_batch(d->decide) : NULL;

	d->trial =
		daemon_trial_new(d->place.state, d->reader, batch, io_clock_wall_ms());
	d->agents = daemon_agents_new(d->place.state);
	d->rules = daemon_rules_new(&d->place);
	daemon_rules_set_trust(d->rules, daemon_settings_trust, d);
	d->sessions = daemon_sessions_new(&d->place, d->reader);
	d->said = daemon_said_new();
	d->events = daemon_events_new(d);
	d->work = arena_new(LIMIT_ARENA_BYTES);
	d->acts = arena_new(ACTS_BYTES);
	CHECK(d->said && d->work && d->acts);
	d->since_ms = io_clock_wall_ms();
	d->pid = (int64_t)getpid();
}

int
daemon_life_fail(const char *what)
{
	daemon_journal_end(what, fail_text());
	return 1;
}

int
daemon_life(struct daemon *d, int fd)
{
	int r = fd >= 0 ? 0 : daemon_socket_make(d->place.socket, &fd);

	if (r == 0)
		r = daemon_socket_listen(fd);
	if (r != 0)
		return daemon_life_fail("cannot listen");
	r = open_store(d);
	if (r == FAIL_BUSY)
		return daemon_life_fail("another daemon has the store");
	if (r != 0)
		daemon_journal(
			"nothing can be recorded, so nothing is allowed: %s", d->no_store);
	make_parts(d);
	r = daemon_http_new(d, &d->loop, fd, daemon_routes, &d->http);
	if (r != 0)
		return daemon_life_fail("cannot serve");
	start_handles(d);
	daemon_upkeep_start(d);
	daemon_judge_init(d);
	daemon_journal("assentd %s, process %lld, listens at %.*s", BASE_VERSION,
		(long long)getpid(), STR_ARG(d->place.socket));
	(void)uv_run(&d->loop, UV_RUN_DEFAULT);
	finish(d);
	close_all(d);
	daemon_journal("stopped");
	daemon_journal_close();
	return 0;
}
