#include "llm/child.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "wire/sha256.h"

enum { SETTINGS_BYTES = 4 << 20, REASON_BYTES = 500 };

/* --- to the daemon ------------------------------------------------------------------ */

struct letter {
	uv_write_t write;
	struct buf text;
};

static void
on_written(uv_write_t *w, int status)
{
	struct letter *l = w->data;

	(void)status; /* the daemon's end is gone: reading says so */
	buf_done(&l->text);
	free(l);
}

static struct letter *
begin(enum llm_frame_kind kind)
{
	struct letter *l = calloc(1, sizeof(*l));

	CHECK(l);
	l->write.data = l;
	buf_init(&l->text, LLM_FRAME_BYTES);
	(void)llm_frame_begin(&l->text, kind);
	return l;
}

static void
post(struct llm_child *c, struct letter *l)
{
	llm_frame_end(&l->text, 0);
	CHECK(!l->text.full);
	uv_buf_t bytes = uv_buf_init(l->text.ptr, (unsigned)l->text.len);

	if (uv_write(&l->write, (uv_stream_t *)&c->daemon, &bytes, 1, on_written)
		!= 0)
		on_written(&l->write, 0);
}

void
llm_child_say(struct llm_child *c, const char *line)
{
	struct letter *l = begin(LLM_FRAME_SAID);

	llm_frame_str(&l->text, str_from(line));
	post(c, l);
}

static void
on_group(void *data, int64_t group, bool began)
{
	struct letter *l = begin(began ? LLM_FRAME_STARTED : LLM_FRAME_ENDED);

	llm_frame_int(&l->text, group);
	post(data, l);
}

/* --- questions ----------------------------------------------------------------------- */

struct llm_job *
llm_child_job(struct llm_child *c, uint64_t id)
{
	struct llm_job *j = c->jobs;

	while (j && j->id != id)
		j = j->next;
	return j;
}

static struct str
keep(char **at, struct str s)
{
	struct str kept = {s.ptr ? *at : NULL, s.len};

	if (s.ptr && s.len > 0)
		memcpy(*at, s.ptr, s.len);
	*at += s.len;
	return kept;
}

static void
add_job(struct llm_child *c, uint64_t id, const struct llm_ask *ask)
{
	struct llm_job *j = calloc(1, sizeof(*j));

	CHECK(j);
	j->id = id;
	j->ask = *ask;
	j->bytes = ask->session.len + ask->system.len + ask->user.len
		+ ask->model.len + ask->second.len + ask->run_model.len;
	j->memory = malloc(j->bytes + 1);
	CHECK(j->memory);
	char *at = j->memory;

	j->ask.session = keep(&at, ask->session);
	j->ask.system = keep(&at, ask->system);
	j->ask.user = keep(&at, ask->user);
	j->ask.model = keep(&at, ask->model);
	j->ask.second = keep(&at, ask->second);
	j->ask.run_model = keep(&at, ask->run_model);
	j->next = c->jobs;
	c->jobs = j;
	c->bytes += j->bytes;
}

static void
forget_job(struct llm_child *c, uint64_t id)
{
	struct llm_job **at = &c->jobs;

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	struct llm_job *j = *at;

	if (!j)
		return;
	*at = j->next;
	c->bytes -= j->bytes;
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++)
		free(j->words[i].reason);
	free(j->memory);
	free(j);
}

/* Identical questions, and nothing else, have the same. */
static void
key_of(const struct llm_ask *ask, char ret[WIRE_SHA256_HEX + 1])
{
	struct wire_sha256 d;

	wire_sha256_init(&d);
	wire_sha256_add(&d, ask->system);
	wire_sha256_add(&d, ask->user);
	wire_sha256_add(&d, ask->model);
	wire_sha256_add(&d, ask->second);
	wire_sha256_add(&d, ask->run_model);
	wire_sha256_hex(&d, ret);
}

static uint64_t
hash(struct str s)
{
	uint64_t h = 14695981039346656037U;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.ptr[i]) * 1099511628211U;
	return h;
}

static void
send_answer(struct llm_child *c, const struct llm_answer *n)
{
	struct letter *l = begin(LLM_FRAME_ANSWER);

	llm_frame_answer(&l->text, n);
	post(c, l);
}

static void
take_ask(struct llm_child *c, const struct llm_ask *ask)
{
	char key[WIRE_SHA256_HEX + 1];
	bool is_new = false;
	struct llm_queue_ask q = {
		.ask = ask->id,
		.session = hash(ask->session),
		.key = key,
		.deadline_ms = (int64_t)uv_now(&c->loop) + ask->left_ms,
	};

	if (c->bytes + ask->system.len + ask->user.len > LLM_JOBS_BYTES) {
		send_answer(c,
			&(struct llm_answer){
				.id = ask->id,
				.trouble = LLM_TROUBLE_QUEUE,
				.reason = str_from(llm_trouble_says(LLM_TROUBLE_QUEUE)),
			});
		return;
	}
	key_of(ask, key);
	uint64_t job =
		llm_queue_ask(c->queue, &q, (int64_t)uv_now(&c->loop), &is_new);

	if (is_new)
		add_job(c, job, ask);
}

static void
answer(struct llm_child *c, const struct llm_act *act)
{
	struct llm_job *j = llm_child_job(c, act->job);
	char reason[REASON_BYTES];
	struct llm_answer n = {.id = act->ask, .trouble = act->trouble};

	CHECK(j);
	enum llm_role who = act->trouble == LLM_TROUBLE_NONE ? act->role : j->last;

	if (act->trouble == LLM_TROUBLE_NONE)
		n.verdict = j->words[act->role].verdict;
	(void)snprintf(reason, sizeof(reason), "%s%s%s",
		llm_trouble_says(act->trouble), j->detail[0] ? ": " : "", j->detail);
	n.reason = str_from(reason);
	n.provider = str_from(llm_kind_name(c->settings.providers[who].kind));
	n.model = llm_attempt_model(c, &j->ask, who);
	if (j->heard)
		n.usage.shared = true;
	else
		n.usage = j->usage;
	n.usage.attempts = act->attempts;
	j->heard = true;
	send_answer(c, &n);
}

static void
on_due(uv_timer_t *timer)
{
	llm_child_turn(timer->data);
}

void
llm_child_turn(struct llm_child *c)
{
	struct llm_act act;
	int64_t now = (int64_t)uv_now(&c->loop);

	while (llm_queue_next(c->queue, now, &act)) {
		switch (act.kind) {
		case LLM_ACT_START:
			llm_attempt_start(c, &act);
			break;
		case LLM_ACT_STOP:
			llm_attempt_stop(c, act.attempt);
			break;
		case LLM_ACT_ANSWER:
			answer(c, &act);
			break;
		case LLM_ACT_FORGET:
			forget_job(c, act.job);
			break;
		case LLM_ACT_NONE:
			break;
		}
	}
	int64_t due = llm_queue_due(c->queue, now);

	if (due == INT64_MAX)
		(void)uv_timer_stop(&c->due);
	else
		(void)uv_timer_start(
			&c->due, on_due, due > now ? (uint64_t)(due - now) : 0, 0);
}

/* --- from the daemon ------------------------------------------------------------------- */

static struct str
keep_setting(struct arena *a, struct str s)
{
	return s.ptr ? arena_dup(a, s) : s;
}

static void
keep_settings(struct arena *a, struct llm_settings *s)
{
	struct str *texts[] = {&s->proxy, &s->ca, &s->prices, &s->home, &s->user};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		*texts[i] = keep_setting(a, *texts[i]);
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++) {
		struct llm_provider *p = &s->providers[i];

		p->model = keep_setting(a, p->model);
		p->url = keep_setting(a, p->url);
		p->key_file = keep_setting(a, p->key_file);
		p->key_command = keep_setting(a, p->key_command);
		p->command = keep_setting(a, p->command);
	}
}

static bool
wants_http(const struct llm_settings *s)
{
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++) {
		if (llm_row_of(s->providers[i].kind))
			return true;
	}
	return false;
}

static void
take_settings(struct llm_child *c, struct llm_settings *s)
{
	struct llm_limits limits = {.parallel = s->parallel};
	struct arena *a = arena_new(SETTINGS_BYTES);

	CHECK(a && ARENA_TRY(a));
	keep_settings(a, s);
	arena_done(a);
	arena_free(c->settings_arena);
	c->settings_arena = a;
	c->settings = *s;
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++) {
		limits.has[i] = s->providers[i].kind != LLM_KIND_NONE;
		c->plain[i] = false;
		llm_key_wipe(&c->keys[i]);
		c->key_until[i] = 0;
	}
	if (wants_http(s) && !c->http && llm_http_new(&c->loop, &c->http) != 0)
		llm_child_say(c, fail_text());
	llm_queue_configure(c->queue, &limits);
}

static void
take_frame(struct llm_child *c, struct llm_frame *f)
{
	struct llm_settings settings = {0};
	struct llm_ask ask = {0};

	if (f->kind == LLM_FRAME_CONFIGURE) {
		llm_frame_take_settings(f, &settings);
		CHECK(!f->bad);
		take_settings(c, &settings);
	} else if (f->kind == LLM_FRAME_ASK) {
		llm_frame_take_ask(f, &ask);
		CHECK(!f->bad);
		take_ask(c, &ask);
	} else if (f->kind == LLM_FRAME_CANCEL) {
		llm_queue_cancel(c->queue, (uint64_t)llm_frame_take_int(f));
	}
}

static void
on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *ret)
{
	static char room[64 << 10]; /* one loop, used at once */

	(void)handle;
	(void)wanted;
	*ret = uv_buf_init(room, sizeof(room));
}

/* The daemon is gone: what runs ends with it. */
static _Noreturn void
leave(struct llm_child *c)
{
	llm_runs_kill(c->runs);
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++)
		llm_key_wipe(&c->keys[i]);
	_exit(0);
}

static void
on_bytes(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
	struct llm_child *c = stream->data;
	struct llm_frame f;

	if (n < 0)
		leave(c);
	buf_add(&c->in, (struct str){bytes->base, (size_t)n});
	CHECK(!c->in.full);
	struct str rest = buf_str(&c->in);

	while (llm_frame_next(&rest, &f)) {
		CHECK(!f.bad);
		take_frame(c, &f);
	}
	size_t left = rest.len;

	if (left > 0)
		memmove(c->in.ptr, rest.ptr, left);
	c->in.len = left;
	llm_child_turn(c);
}

/* --- start ------------------------------------------------------------------------------- */

/* True when somebody else than a daemon of this user started it. */
static bool
is_misused(void)
{
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);

	return getsockopt(LLM_CHILD_FD, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0
		|| peer.uid != getuid();
}

/* The daemon died. What runs ends when the socket says so, or else at once. */
static void
on_orphaned(int number)
{
	(void)number;
	(void)alarm(1);
}

/* It holds the keys: nobody looks into it, and it leaves nothing behind. */
static void
stay_private(void)
{
	const struct rlimit none = {0, 0};

	(void)prctl(PR_SET_NAME, "assentd: llm");
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)signal(SIGTERM, on_orphaned);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)close_range(LLM_CHILD_FD + 1, ~0U, 0);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGINT, SIG_IGN); /* the terminal's: the daemon ends it */
	(void)signal(SIGHUP, SIG_IGN);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread
	(void)clearenv();
	(void)umask(077);
	CHECK(chdir("/") == 0);
}

int
llm_child_main(void)
{
	static struct llm_child c;

	if (is_misused()) {
		(void)fputs(
			"assentd: " LLM_CHILD_FLAG " is for the daemon itself\n", stderr);
		return 2;
	}
	stay_private();
	json_object_seed(0);
	c.queue = llm_queue_new();
	buf_init(&c.in, 4 * (size_t)LLM_FRAME_BYTES);
	CHECK(uv_loop_init(&c.loop) == 0);
	CHECK(uv_pipe_init(&c.loop, &c.daemon, 0) == 0);
	CHECK(uv_pipe_open(&c.daemon, LLM_CHILD_FD) == 0);
	CHECK(uv_timer_init(&c.loop, &c.due) == 0);
	c.daemon.data = c.due.data = &c;
	CHECK(llm_runs_new(&c.loop, on_group, &c, &c.runs) == 0);
	CHECK(uv_read_start((uv_stream_t *)&c.daemon, on_room, on_bytes) == 0);
	return uv_run(&c.loop, UV_RUN_DEFAULT);
}
