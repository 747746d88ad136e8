/*
 * A call rejected in the client's place: one more append upstream, with a number
 * of its own; the client's later ones are renumbered behind it.
 */

#include <stdlib.h>
#include <string.h>

#include "proxy/cursor_priv.h"

#define APPEND_PATH "/aiserver.v1.BidiService/BidiAppend"

enum {
	INSERTED_MAX = 4096,
	ATTEMPTS = 4, /* of one append: without it the gateway waits for ever */
	RETRY_MS = 300,
};

struct rejection {
	struct proxy_run *run;
	struct buf body;
	uv_timer_t timer;
	unsigned attempts, status;
};

/* --- numbers ------------------------------------------------------------------------ */

int64_t
proxy_run_seqno(const struct proxy_run *r, int64_t seqno)
{
	int64_t n = seqno;

	for (size_t i = 0; i < r->inserted_count; i++)
		n += r->inserted[i] <= seqno;
	return n;
}

/* The next number is ours; false when there is no memory for that. */
static bool
take_seqno(struct proxy_run *r, int64_t *ret)
{
	int64_t at = r->highest + 1;
	int64_t *more = r->inserted_count >= INSERTED_MAX
		? NULL
		: realloc(r->inserted, (r->inserted_count + 1) * sizeof(*more));

	if (!more)
		return false;
	r->inserted = more;
	*ret = at + (int64_t)r->inserted_count;
	r->inserted[r->inserted_count++] = at;
	return true;
}

/* --- sending -------------------------------------------------------------------------- */

static void try_again(uv_timer_t *timer);

static void
on_closed(uv_handle_t *handle)
{
	struct rejection *j = handle->data;

	j->run->proxy->handles--;
	j->run->rejecting--;
	buf_done(&j->body);
	free(j);
}

static void
on_begun(void *data, unsigned status, const struct proxy_headers *headers,
	int64_t length)
{
	struct rejection *j = data;

	(void)headers;
	(void)length;
	j->status = status;
}

static bool
on_part(void *data, struct str bytes)
{
	(void)data;
	(void)bytes;
	return true;
}

static void
on_ended(void *data, bool ok, struct str why)
{
	struct rejection *j = data;
	bool stopping = j->run->proxy->stopping;

	(void)why;
	if (ok && j->status < 300) {
		uv_close((uv_handle_t *)&j->timer, on_closed);
	} else if (j->attempts < ATTEMPTS && !stopping) {
		(void)uv_timer_start(&j->timer, try_again,
			(uint64_t)RETRY_MS << (2 * (j->attempts - 1)), 0);
	} else {
		proxy_run_break(j->run, "the gateway does not take a rejection");
		uv_close((uv_handle_t *)&j->timer, on_closed);
	}
}

static void
try_again(uv_timer_t *timer)
{
	static const struct proxy_fetch_hooks hooks = {
		.begun = on_begun,
		.part = on_part,
		.ended = on_ended,
	};
	struct rejection *j = timer->data;
	struct proxy_run *r = j->run;

	j->attempts++;
	j->status = 0;
	if (!proxy_fetch_start(r->proxy->fetch,
			&(struct proxy_fetch_request){
				.method = "POST",
				.target = APPEND_PATH,
				.headers = &r->append_headers,
				.body = buf_str(&j->body),
				.hooks = &hooks,
				.data = j,
			}))
		on_ended(j, false, (struct str){0});
}

/* The client's append that carries the message. */
static void
print_append(struct str id, int64_t seqno, struct str message, struct buf *out)
{
	static const char digits[] = "0123456789abcdef";
	CLEANUP(buf_done) struct buf hex = {0};
	Proxy__Cursor__BidiRequestId request;
	Proxy__Cursor__BidiAppendRequest append;

	buf_init(&hex, 2 * message.len + 1);
	for (size_t i = 0; i < message.len; i++) {
		unsigned char b = (unsigned char)message.ptr[i];

		buf_add_char(&hex, digits[b >> 4]);
		buf_add_char(&hex, digits[b & 15]);
	}
	proxy__cursor__bidi_request_id__init(&request);
	proxy__cursor__bidi_append_request__init(&append);
	request.has_request_id = true;
	request.request_id = proxy_data(id);
	append.has_data = append.has_append_seqno = true;
	append.data = proxy_data(buf_str(&hex));
	append.request_id = &request;
	append.append_seqno = seqno;
	proxy_message_print(&append.base, out);
}

static struct rejection *
make_rejection(struct proxy_run *r)
{
	struct rejection *j = calloc(1, sizeof(*j));

	if (!j || uv_timer_init(r->proxy->loop, &j->timer) != 0) {
		free(j);
		return NULL;
	}
	j->run = r;
	j->timer.data = j;
	r->rejecting++;
	r->proxy->handles++;
	buf_init(&j->body, SIZE_MAX / 4);
	return j;
}

void
proxy_run_refuse(
	struct proxy_run *r, const struct proxy_action *a, struct str reason)
{
	CLEANUP(buf_done) struct buf message = {0};
	int64_t seqno = 0;
	struct rejection *j =
		r->highest >= 0 && take_seqno(r, &seqno) ? make_rejection(r) : NULL;

	if (!j) {
		proxy_run_break(r, "a call could not be rejected");
		return;
	}
	buf_init(&message, SIZE_MAX / 4);
	proxy_action_refuse(a, reason, &message);
	print_append(buf_str(&r->id), seqno, buf_str(&message), &j->body);
	if (message.full || j->body.full) {
		uv_close((uv_handle_t *)&j->timer, on_closed);
		proxy_run_break(r, "out of memory");
		return;
	}
	try_again(&j->timer);
}
