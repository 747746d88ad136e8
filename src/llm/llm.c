/*
 * The daemon's end: starts the child, keeps what was asked until it is answered,
 * and answers itself when the child cannot.
 */

#include "llm/llm.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "llm/frame.h"

enum {
	IN_BYTES = 4 << 20,
	GRACE_MS = 300,    /* behind a deadline: then the child is stuck */
	STEADY_MS = 5000,  /* a child that lived so long is started at once */
	RESTART_MS = 2000, /* another one after this */
	GROUPS_MAX = 1024,
	CHILD_FD = 3,
	FD_COUNT = 4,
};

/* A child and the line to it. */
struct line {
	struct llm *llm; /* NULL: nobody listens any more */
	uv_process_t process;
	uv_pipe_t pipe;
	struct buf in;
	int64_t since_ms;
	int handles;
};

struct open {
	uint64_t id;
	int64_t asked_ms, due_ms;
	enum llm_trouble at_once; /* not NONE: answered by us, in a moment */
	struct open *next;
};

struct llm {
	uv_loop_t *loop;
	struct llm_hooks hooks;
	struct buf settings; /* the frame that says them */
	bool configured;     /* with a provider */
	struct line *line;
	int64_t not_before_ms; /* no child before this */
	uv_timer_t timer;
	struct open *open, **last;
	size_t count;
	int64_t groups[GROUPS_MAX];
	size_t group_count;
};

static int64_t
now_ms(const struct llm *l)
{
	return (int64_t)uv_now(l->loop);
}

/* --- open questions --------------------------------------------------------------------- */

static struct open *
take_open(struct llm *l, uint64_t id)
{
	struct open **at = &l->open;

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	struct open *o = *at;

	if (!o)
		return NULL;
	*at = o->next;
	if (!*at)
		l->last = at;
	l->count--;
	return o;
}

static void
fail_open(struct llm *l, struct open *o, enum llm_trouble trouble)
{
	struct llm_answer n = {
		.id = o->id,
		.trouble = trouble,
		.verdict = {.failure = llm_trouble_says(trouble)},
		.reason = str_from(llm_trouble_says(trouble)),
		.usage = {.latency_ms = now_ms(l) - o->asked_ms},
	};

	free(o);
	l->hooks.answered(l->hooks.data, &n);
}

static void on_timer(uv_timer_t *timer);

static void
set_timer(struct llm *l)
{
	int64_t due = INT64_MAX, now = now_ms(l);

	for (const struct open *o = l->open; o; o = o->next)
		due = o->due_ms < due ? o->due_ms : due;
	if (l->configured && !l->line && l->not_before_ms < due)
		due = l->not_before_ms;
	if (due == INT64_MAX)
		(void)uv_timer_stop(&l->timer);
	else
		(void)uv_timer_start(
			&l->timer, on_timer, due > now ? (uint64_t)(due - now) : 0, 0);
}

/* --- the child ---------------------------------------------------------------------------- */

static void
say(struct llm *l, const char *line)
{
	if (l->hooks.said)
		l->hooks.said(l->hooks.data, line);
}

static void
on_line_closed(uv_handle_t *handle)
{
	struct line *line = handle->data;

	if (--line->handles > 0)
		return;
	buf_done(&line->in);
	free(line);
}

/* No more is heard of this child; it ends when it sees that. */
static void
drop_line(struct llm *l)
{
	struct line *line = l->line;

	if (!line)
		return;
	l->line = NULL;
	line->llm = NULL;
	l->group_count = 0;
	uv_close((uv_handle_t *)&line->pipe, on_line_closed);
}

/* What was asked of it has no answer. */
static void
lose_child(struct llm *l, const char *why)
{
	int64_t lived = now_ms(l) - l->line->since_ms;

	drop_line(l);
	l->not_before_ms =
		now_ms(l) + (lived >= STEADY_MS ? 0 : (int64_t)RESTART_MS);
	say(l, why);
	for (struct open *o = l->open; o; o = o->next) {
		if (o->at_once == LLM_TROUBLE_NONE)
			o->at_once = LLM_TROUBLE_CHILD;
		o->due_ms = 0;
	}
	set_timer(l);
}

static void
on_exit_of(uv_process_t *process, int64_t status, int signal_number)
{
	struct line *line = process->data;
	char why[120];

	(void)snprintf(why, sizeof(why),
		"the process that asks the judge ended (status %lld, signal %d)",
		(long long)status, signal_number);
	if (line->llm)
		lose_child(line->llm, why);
	uv_close((uv_handle_t *)process, on_line_closed);
}

static void
note_group(struct llm *l, int64_t group, bool began)
{
	if (began && l->group_count < GROUPS_MAX)
		l->groups[l->group_count++] = group;
	for (size_t i = 0; !began && i < l->group_count; i++) {
		if (l->groups[i] == group) {
			l->groups[i] = l->groups[--l->group_count];
			return;
		}
	}
}

static void
take_answer(struct llm *l, struct llm_frame *f)
{
	struct llm_answer n = {0};

	llm_frame_take_answer(f, &n);
	if (f->bad)
		return;
	struct open *o = take_open(l, n.id);

	if (!o)
		return; /* cancelled meanwhile */
	n.usage.latency_ms = now_ms(l) - o->asked_ms;
	free(o);
	l->hooks.answered(l->hooks.data, &n);
}

static void
take_frame(struct llm *l, struct llm_frame *f)
{
	char text[400];
	struct str said;

	if (f->kind == LLM_FRAME_ANSWER) {
		take_answer(l, f);
	} else if (f->kind == LLM_FRAME_STARTED || f->kind == LLM_FRAME_ENDED) {
		note_group(l, llm_frame_take_int(f), f->kind == LLM_FRAME_STARTED);
	} else if (f->kind == LLM_FRAME_SAID) {
		said = llm_frame_take_str(f);
		(void)snprintf(text, sizeof(text), "judge: %.*s", STR_ARG(said));
		say(l, text);
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

static void
on_bytes(uv_stream_t *stream, ssize_t n, const uv_buf_t *bytes)
{
	struct line *line = stream->data;
	struct llm_frame f;

	if (n < 0) {
		(void)uv_read_stop(stream); /* its exit is told as well */
		return;
	}
	buf_add(&line->in, (struct str){bytes->base, (size_t)n});
	struct str rest = buf_str(&line->in);
	bool bad = line->in.full;

	while (!bad && line->llm && llm_frame_next(&rest, &f)) {
		bad = f.bad;
		if (!bad)
			take_frame(line->llm, &f);
	}
	if (bad) {
		(void)uv_process_kill(&line->process, SIGKILL);
		return;
	}
	if (rest.len > 0)
		memmove(line->in.ptr, rest.ptr, rest.len);
	line->in.len = rest.len;
	if (line->llm)
		set_timer(line->llm);
}

/* --- to the child ----------------------------------------------------------------------- */

struct letter {
	uv_write_t write;
	struct buf text;
};

static void
on_written(uv_write_t *w, int status)
{
	struct letter *letter = w->data;

	(void)status; /* a child that is gone is told by its exit */
	buf_done(&letter->text);
	free(letter);
}

static struct letter *
new_letter(void)
{
	struct letter *letter = calloc(1, sizeof(*letter));

	CHECK(letter);
	letter->write.data = letter;
	buf_init(&letter->text, LLM_FRAME_BYTES);
	return letter;
}

static void
post(struct llm *l, struct letter *letter)
{
	uv_buf_t bytes = uv_buf_init(letter->text.ptr, (unsigned)letter->text.len);

	if (letter->text.full
		|| uv_write(&letter->write, (uv_stream_t *)&l->line->pipe, &bytes, 1,
			   on_written)
			!= 0)
		on_written(&letter->write, 0);
}

static void
send_settings(struct llm *l)
{
	struct letter *letter = new_letter();

	buf_add(&letter->text, buf_str(&l->settings));
	post(l, letter);
}

static void
start_child(struct llm *l)
{
	struct line *line = calloc(1, sizeof(*line));
	char title[] = "assentd: llm", flag[] = LLM_CHILD_FLAG;
	char *args[] = {title, flag, NULL}, *none[] = {NULL};
	uv_stdio_container_t stdio[FD_COUNT] = {
		{.flags = UV_IGNORE},
		{					  .flags = UV_IGNORE                 },
		{ .flags = UV_INHERIT_FD,                  .data.fd = 2},
	};
	uv_process_options_t options = {
		.exit_cb = on_exit_of,
		.file = "/proc/self/exe",
		.args = args,
		.env = none,
		.cwd = "/",
		.stdio_count = FD_COUNT,
		.stdio = stdio,
	};

	CHECK(line);
	buf_init(&line->in, IN_BYTES);
	CHECK(uv_pipe_init(l->loop, &line->pipe, 0) == 0);
	line->process.data = line->pipe.data = line;
	stdio[CHILD_FD].flags =
		UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE;
	stdio[CHILD_FD].data.stream = (uv_stream_t *)&line->pipe;
	line->handles = 2;
	line->llm = l;
	line->since_ms = now_ms(l);
	l->line = line;
	int r = uv_spawn(l->loop, &line->process, &options);

	if (r != 0) {
		uv_close((uv_handle_t *)&line->process, on_line_closed);
		lose_child(l, "the process that asks the judge cannot be started");
		return;
	}
	CHECK(uv_read_start((uv_stream_t *)&line->pipe, on_room, on_bytes) == 0);
	send_settings(l);
}

/* --- time ---------------------------------------------------------------------------------- */

/* A question whose time has come, taken off the list. */
static struct open *
take_due(struct llm *l)
{
	for (struct open *o = l->open; o; o = o->next) {
		if (o->due_ms <= now_ms(l))
			return take_open(l, o->id);
	}
	return NULL;
}

static void
on_timer(uv_timer_t *timer)
{
	struct llm *l = timer->data;
	bool stuck = false;
	struct open *o;

	while ((o = take_due(l))) {
		bool ours = o->at_once != LLM_TROUBLE_NONE;

		stuck = stuck || !ours;
		fail_open(l, o, ours ? o->at_once : LLM_TROUBLE_TIMEOUT);
	}
	if (stuck && l->line) {
		(void)uv_process_kill(&l->line->process, SIGKILL);
		lose_child(l, "the process that asks the judge does not answer");
	}
	if (l->configured && !l->line && l->not_before_ms <= now_ms(l))
		start_child(l);
	set_timer(l);
}

/* --- its users' side -------------------------------------------------------------------------- */

int
llm_new(uv_loop_t *loop, const struct llm_hooks *hooks, struct llm **ret)
{
	struct llm *l = calloc(1, sizeof(*l));

	CHECK(l);
	l->loop = loop;
	l->hooks = *hooks;
	l->last = &l->open;
	buf_init(&l->settings, LLM_FRAME_BYTES);
	CHECK(uv_timer_init(loop, &l->timer) == 0);
	l->timer.data = l;
	*ret = l;
	return 0;
}

void
llm_configure(struct llm *l, const struct llm_settings *s)
{
	struct buf text;

	buf_init(&text, LLM_FRAME_BYTES);
	(void)llm_frame_begin(&text, LLM_FRAME_CONFIGURE);
	llm_frame_settings(&text, s);
	llm_frame_end(&text, 0);
	if (text.full || str_eq(buf_str(&text), buf_str(&l->settings))) {
		buf_done(&text);
		return;
	}
	buf_done(&l->settings);
	l->settings = text;
	l->configured = s->providers[LLM_ROLE_FIRST].kind != LLM_KIND_NONE;
	l->not_before_ms = 0;
	if (l->line)
		send_settings(l);
	else if (l->configured)
		start_child(l);
}

/* Why it is not worth asking, or NONE. */
static enum llm_trouble
refusal(const struct llm *l, const struct llm_ask *ask)
{
	if (!l->configured)
		return LLM_TROUBLE_NO_PROVIDER;
	if (!l->line)
		return LLM_TROUBLE_CHILD;
	if (ask->system.len + ask->user.len > LLM_PROMPT_BYTES)
		return LLM_TROUBLE_TOO_LARGE;
	if (ask->left_ms <= 0 || l->count >= LLM_OPEN_MAX)
		return LLM_TROUBLE_QUEUE;
	return LLM_TROUBLE_NONE;
}

void
llm_ask(struct llm *l, const struct llm_ask *ask)
{
	struct open *o = calloc(1, sizeof(*o));
	struct letter *letter;

	CHECK(o && ask->id != 0);
	o->id = ask->id;
	o->asked_ms = now_ms(l);
	o->at_once = refusal(l, ask);
	o->due_ms = o->at_once != LLM_TROUBLE_NONE
		? o->asked_ms
		: o->asked_ms + ask->left_ms + (int64_t)GRACE_MS;
	*l->last = o;
	l->last = &o->next;
	l->count++;
	if (o->at_once == LLM_TROUBLE_NONE) {
		letter = new_letter();
		(void)llm_frame_begin(&letter->text, LLM_FRAME_ASK);
		llm_frame_ask(&letter->text, ask);
		llm_frame_end(&letter->text, 0);
		if (letter->text.full) {
			o->at_once = LLM_TROUBLE_TOO_LARGE;
			o->due_ms = o->asked_ms;
		}
		post(l, letter);
	}
	set_timer(l);
}

void
llm_cancel(struct llm *l, uint64_t id)
{
	struct open *o = take_open(l, id);

	if (!o)
		return;
	if (o->at_once == LLM_TROUBLE_NONE && l->line) {
		struct letter *letter = new_letter();

		(void)llm_frame_begin(&letter->text, LLM_FRAME_CANCEL);
		llm_frame_int(&letter->text, (int64_t)id);
		llm_frame_end(&letter->text, 0);
		post(l, letter);
	}
	free(o);
	set_timer(l);
}

size_t
llm_open(const struct llm *l)
{
	return l->count;
}

int64_t
llm_child_pid(const struct llm *l)
{
	return l->line ? (int64_t)l->line->process.pid : 0;
}

bool
llm_runs_group(const struct llm *l, int64_t group)
{
	for (size_t i = 0; i < l->group_count; i++) {
		if (l->groups[i] == group)
			return true;
	}
	return false;
}

static void
on_freed(uv_handle_t *handle)
{
	struct llm *l = handle->data;

	buf_done(&l->settings);
	free(l);
}

void
llm_free(struct llm *l)
{
	if (!l)
		return;
	drop_line(l);
	while (l->open)
		free(take_open(l, l->open->id));
	uv_close((uv_handle_t *)&l->timer, on_freed);
}
