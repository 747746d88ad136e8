#include "proxy/ask.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS_MAX = 24, PARTS = 2, READ_BYTES = 4096 };

struct proxy_asker {
	uv_loop_t *loop;
	const char *const *client;
	size_t running;
	struct proxy_ask *all; /* running or waiting */
	struct proxy_ask *waiting, **waiting_end;
	bool stopping;
};

struct proxy_ask {
	struct proxy_asker *asker;
	struct proxy_ask *next, **link; /* all */
	struct proxy_ask *next_waiting;
	const char *event;
	struct buf input, output;
	proxy_ask_fn answered;
	void *data;
	uv_process_t process;
	uv_pipe_t in, out;
	uv_write_t write;
	uv_timer_t timer; /* while it waits for its turn */
	int handles;      /* of the loop, open or closing */
	bool queued, started, exited, output_over, fine, done;
	char room[READ_BYTES];
};

static void start_next(struct proxy_asker *a);

/* --- its end ---------------------------------------------------------------------- */

static void
free_ask(struct proxy_ask *q)
{
	*q->link = q->next;
	if (q->next)
		q->next->link = q->link;
	buf_done(&q->input);
	buf_done(&q->output);
	free(q);
}

static void
on_closed(uv_handle_t *handle)
{
	struct proxy_ask *q = handle->data;

	if (--q->handles == 0)
		free_ask(q);
}

static void
close_handle(uv_handle_t *h)
{
	if (!uv_is_closing(h))
		uv_close(h, on_closed);
}

static void
close_all(struct proxy_ask *q)
{
	if (q->started)
		close_handle((uv_handle_t *)&q->process);
	close_handle((uv_handle_t *)&q->in);
	close_handle((uv_handle_t *)&q->out);
	close_handle((uv_handle_t *)&q->timer);
}

static void
tell(struct proxy_ask *q)
{
	if (q->done)
		return;
	q->done = true;
	if (q->answered)
		q->answered(q->data, q->fine && !q->output.full, buf_str(&q->output));
}

/* All that it had to say was heard, and it is gone. */
static void
finish(struct proxy_ask *q)
{
	struct proxy_asker *a = q->asker;

	if (!q->exited || !q->output_over)
		return;
	tell(q);
	close_all(q);
	a->running--;
	start_next(a);
}

/* --- its process --------------------------------------------------------------------- */

static void
on_exit_of(uv_process_t *process, int64_t status, int signal_number)
{
	struct proxy_ask *q = process->data;

	q->exited = true;
	q->fine = status == 0 && signal_number == 0;
	finish(q);
}

static void
give_room(uv_handle_t *handle, size_t size, uv_buf_t *ret)
{
	struct proxy_ask *q = handle->data;

	(void)size;
	*ret = uv_buf_init(q->room, sizeof(q->room));
}

static void
on_output(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct proxy_ask *q = stream->data;

	if (n > 0) {
		buf_add(&q->output, (struct str){room->base, (size_t)n});
	} else if (n < 0) {
		(void)uv_read_stop(stream);
		q->output_over = true;
		finish(q);
	}
}

static void
on_written(uv_write_t *write, int status)
{
	struct proxy_ask *q = write->data;

	(void)status; /* who does not read has an answer of his own */
	close_handle((uv_handle_t *)&q->in);
}

static void
make_words(
	const struct proxy_ask *q, char deadline[16], const char *words[WORDS_MAX])
{
	const char *const *client = q->asker->client;
	size_t n = 0;

	words[n++] = client[0];
	words[n++] = "hook";
	words[n++] = "cursor";
	words[n++] = q->event;
	for (size_t i = 1; client[i] && n < WORDS_MAX - 3; i++)
		words[n++] = client[i];
	(void)snprintf(deadline, 16, "%d", PROXY_ASK_DEADLINE_S);
	words[n++] = "--deadline";
	words[n++] = deadline;
	words[n] = NULL;
}

static int
spawn(struct proxy_ask *q)
{
	const char *words[WORDS_MAX];
	char deadline[16];
	union { /* the library does not change them */
		const char **from;
		char **to;
	} args = {.from = words};
	uv_stdio_container_t streams[] = {
		{.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
         .data.stream = (uv_stream_t *)&q->in                    },
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&q->out                   },
		{.flags = UV_INHERIT_FD,                     .data.fd = 2},
	};
	uv_process_options_t options = {
		.file = q->asker->client[0],
		.args = args.to,
		.exit_cb = on_exit_of,
		.stdio = streams,
		.stdio_count = (int)ARRAY_LEN(streams),
	};

	make_words(q, deadline, words);
	return uv_spawn(q->asker->loop, &q->process, &options);
}

static void
on_not_made(uv_timer_t *timer)
{
	struct proxy_ask *q = timer->data;

	q->exited = q->output_over = true;
	finish(q);
}

static void
start(struct proxy_ask *q)
{
	struct proxy_asker *a = q->asker;
	uv_buf_t bytes = uv_buf_init(q->input.ptr, (unsigned)q->input.len);

	a->running++;
	q->started = true;
	(void)uv_timer_stop(&q->timer);
	q->handles++; /* the process, made or not */
	if (spawn(q) != 0) {
		/* it ends as one that said nothing, but not before it is known */
		(void)uv_timer_start(&q->timer, on_not_made, 0, 0);
		return;
	}
	q->write.data = q;
	if (uv_write(&q->write, (uv_stream_t *)&q->in, &bytes, 1, on_written) != 0)
		close_handle((uv_handle_t *)&q->in);
	if (uv_read_start((uv_stream_t *)&q->out, give_room, on_output) != 0)
		q->output_over = true;
}

/* --- its turn --------------------------------------------------------------------------- */

static void
dequeue(struct proxy_ask *q)
{
	struct proxy_asker *a = q->asker;
	struct proxy_ask **at = &a->waiting;

	while (*at && *at != q)
		at = &(*at)->next_waiting;
	if (!*at)
		return;
	*at = q->next_waiting;
	if (a->waiting_end == &q->next_waiting)
		a->waiting_end = at;
	q->queued = false;
}

static void
start_next(struct proxy_asker *a)
{
	while (a->waiting && a->running < PROXY_ASK_PROCESSES && !a->stopping) {
		struct proxy_ask *q = a->waiting;

		dequeue(q);
		start(q);
	}
}

/* Ends what never began. */
static void
give_up(struct proxy_ask *q)
{
	dequeue(q);
	tell(q);
	close_all(q);
}

static void
on_timer(uv_timer_t *timer)
{
	give_up(timer->data);
}

static void
enqueue(struct proxy_ask *q)
{
	struct proxy_asker *a = q->asker;

	q->queued = true;
	*a->waiting_end = q;
	a->waiting_end = &q->next_waiting;
	(void)uv_timer_start(&q->timer, on_timer,
		PROXY_ASK_QUEUE_MS - PROXY_ASK_DEADLINE_S * 1000, 0);
	start_next(a);
}

struct proxy_ask *
proxy_ask_start(struct proxy_asker *a, const char *event, struct buf *input,
	proxy_ask_fn answered, void *data)
{
	struct proxy_ask *q =
		a->stopping || input->full ? NULL : calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->asker = a;
	q->event = event;
	q->input = *input;
	*input = (struct buf){0};
	q->answered = answered;
	q->data = data;
	buf_init(&q->output, PROXY_ASK_ANSWER_BYTES);
	q->process.data = q->in.data = q->out.data = q->timer.data = q;
	q->next = a->all;
	q->link = &a->all;
	if (q->next)
		q->next->link = &q->next;
	a->all = q;
	CHECK(uv_pipe_init(a->loop, &q->in, 0) == 0);
	CHECK(uv_pipe_init(a->loop, &q->out, 0) == 0);
	CHECK(uv_timer_init(a->loop, &q->timer) == 0);
	q->handles = 3;
	enqueue(q);
	return q;
}

void
proxy_ask_cancel(struct proxy_ask *q)
{
	if (!q || q->done)
		return;
	q->done = true;
	if (!q->started)
		give_up(q);
	else if (!q->exited)
		(void)uv_process_kill(&q->process, SIGTERM);
}

/* --- beginning and end ---------------------------------------------------------------------- */

int
proxy_asker_new(
	uv_loop_t *loop, const char *const *client, struct proxy_asker **ret)
{
	struct proxy_asker *a = calloc(1, sizeof(*a));

	if (!a)
		return fail_here(FAIL_MEMORY, "no memory");
	a->loop = loop;
	a->client = client;
	a->waiting_end = &a->waiting;
	*ret = a;
	return 0;
}

void
proxy_asker_free(struct proxy_asker *a)
{
	if (!a)
		return;
	a->stopping = true;
	for (struct proxy_ask *q = a->all, *next; q; q = next) {
		next = q->next;
		if (q->answered || !q->started)
			proxy_ask_cancel(q); /* what is only told is told to its end */
	}
	while (a->all)
		(void)uv_run(a->loop, UV_RUN_ONCE);
	free(a);
}
