#include "proxy/fetch.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CONNECT_MS = 10000,
	READ_BYTES = 16 << 10,
	IDLE_CONNECTIONS = 64,
};

struct proxy_fetch {
	uv_loop_t *loop;
	const char *address;
	CURLM *multi;
	uv_timer_t timer;
	struct proxy_fetch_call *all;
	bool stopped;
	unsigned inside;                  /* a call of the library is running */
	struct proxy_fetch_call *leaving; /* to be taken out when none is */
	int handles;                      /* of the loop, open or closing */
};

struct proxy_fetch_call {
	struct proxy_fetch *fetch;
	struct proxy_fetch_call *next, **link; /* all */
	struct proxy_fetch_call *next_leaving;
	struct proxy_fetch_hooks hooks;
	void *data;
	CURL *easy;
	struct curl_slist *lines;
	struct proxy_headers headers; /* of the answer */
	int64_t length;               /* of its body, or -1 */
	bool begun, cancelled, leaving;
	char why[CURL_ERROR_SIZE];
};

/* A descriptor of the library's, watched. */
struct watch {
	uv_poll_t poll;
	struct proxy_fetch *fetch;
	curl_socket_t fd;
};

/* --- one call's end ------------------------------------------------------------- */

static void
free_call(struct proxy_fetch_call *c)
{
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	(void)curl_multi_remove_handle(c->fetch->multi, c->easy);
	curl_easy_cleanup(c->easy);
	curl_slist_free_all(c->lines);
	proxy_headers_done(&c->headers);
	free(c);
}

/* The library may not lose a call while it is at work. */
static void
let_go(struct proxy_fetch_call *c)
{
	struct proxy_fetch *f = c->fetch;

	if (c->leaving)
		return;
	c->leaving = true;
	if (f->inside == 0) {
		free_call(c);
		return;
	}
	c->next_leaving = f->leaving;
	f->leaving = c;
}

void
proxy_fetch_cancel(struct proxy_fetch_call *c)
{
	if (!c || c->cancelled)
		return;
	c->cancelled = true;
	let_go(c);
}

static void
take_results(struct proxy_fetch *f)
{
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(f->multi, &left)) != NULL) {
		struct proxy_fetch_call *c = NULL;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&c);
		if (!c->cancelled) {
			c->cancelled = true;
			c->hooks.ended(c->data, code == CURLE_OK,
				str_from(c->why[0] ? c->why : curl_easy_strerror(code)));
		}
		let_go(c);
	}
}

/* Around every call into the library. */
static void
enter(struct proxy_fetch *f)
{
	f->inside++;
}

static void
leave(struct proxy_fetch *f)
{
	if (f->inside == 1)
		take_results(f);
	if (--f->inside > 0)
		return;
	while (f->leaving) {
		struct proxy_fetch_call *c = f->leaving;

		f->leaving = c->next_leaving;
		free_call(c);
	}
}

/* --- the loop -------------------------------------------------------------------- */

static void
on_timer(uv_timer_t *timer)
{
	struct proxy_fetch *f = timer->data;
	int running;

	enter(f);
	(void)curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	leave(f);
}

static int
set_timer(CURLM *multi, long ms, void *data)
{
	struct proxy_fetch *f = data;

	(void)multi;
	if (ms < 0)
		(void)uv_timer_stop(&f->timer);
	else
		(void)uv_timer_start(&f->timer, on_timer, (uint64_t)ms, 0);
	return 0;
}

static void
on_socket(uv_poll_t *poll, int status, int events)
{
	struct watch *w = poll->data;
	struct proxy_fetch *f = w->fetch;
	int what = 0, running;

	if (status < 0)
		what = CURL_CSELECT_ERR;
	if (events & UV_READABLE)
		what |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		what |= CURL_CSELECT_OUT;
	enter(f);
	(void)curl_multi_socket_action(f->multi, w->fd, what, &running);
	leave(f);
}

static void
on_watch_closed(uv_handle_t *handle)
{
	struct watch *w = handle->data;

	w->fetch->handles--;
	free(w);
}

static struct watch *
make_watch(struct proxy_fetch *f, curl_socket_t fd)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (!w || uv_poll_init_socket(f->loop, &w->poll, fd) != 0) {
		free(w);
		return NULL;
	}
	w->fetch = f;
	w->fd = fd;
	w->poll.data = w;
	f->handles++;
	return w;
}

static int
set_watch(CURL *easy, curl_socket_t fd, int what, void *data, void *of_fd)
{
	struct proxy_fetch *f = data;
	struct watch *w = of_fd;
	int events = 0;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (w) {
			(void)uv_poll_stop(&w->poll);
			uv_close((uv_handle_t *)&w->poll, on_watch_closed);
		}
		(void)curl_multi_assign(f->multi, fd, NULL);
		return 0;
	}
	if (!w && !(w = make_watch(f, fd)))
		return -1;
	(void)curl_multi_assign(f->multi, fd, w);
	if (what != CURL_POLL_OUT)
		events |= UV_READABLE;
	if (what != CURL_POLL_IN)
		events |= UV_WRITABLE;
	return uv_poll_start(&w->poll, events, on_socket) == 0 ? 0 : -1;
}

/* --- an answer ---------------------------------------------------------------------- */

static void
begin(struct proxy_fetch_call *c)
{
	long status = 0;

	if (c->begun)
		return;
	c->begun = true;
	(void)curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
	c->hooks.begun(c->data, (unsigned)status, &c->headers, c->length);
}

static size_t
// NOLINTNEXTLINE(readability-non-const-parameter): as the library has it
on_header(char *bytes, size_t size, size_t count, void *data)
{
	struct proxy_fetch_call *c = data;
	struct str line = str_trim((struct str){bytes, size * count});
	struct str value;
	long status = 0;

	if (c->cancelled)
		return 0;
	if (str_starts(line, STR("HTTP/"))) { /* an interim answer came before */
		proxy_headers_done(&c->headers);
		proxy_headers_init(&c->headers);
		c->length = -1;
		return size * count;
	}
	if (line.len == 0) {
		(void)curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
		if (status >= 200)
			begin(c);
		return c->cancelled ? 0 : size * count;
	}
	struct str name = str_cut(line, ':', &value);

	if (value.ptr && str_eq_fold(name, STR("Content-Length"))
		&& !str_number(str_trim(value), &c->length))
		return 0;
	if (value.ptr && !c->begun)
		proxy_headers_add(&c->headers, name, str_trim(value));
	return c->headers.full ? 0 : size * count;
}

static size_t
// NOLINTNEXTLINE(readability-non-const-parameter): as the library has it
on_part(char *bytes, size_t size, size_t count, void *data)
{
	struct proxy_fetch_call *c = data;

	if (c->cancelled)
		return 0;
	begin(c);
	if (c->cancelled)
		return 0;
	if (!c->hooks.part(c->data, (struct str){bytes, size * count}))
		return CURL_WRITEFUNC_PAUSE;
	return c->cancelled ? 0 : size * count;
}

void
proxy_fetch_resume(struct proxy_fetch_call *c)
{
	struct proxy_fetch *f = c->fetch;

	if (c->cancelled)
		return;
	enter(f);
	(void)curl_easy_pause(c->easy, CURLPAUSE_CONT);
	leave(f);
}

/* --- a request ------------------------------------------------------------------------ */

static bool
add_line(struct proxy_fetch_call *c, const char *line)
{
	struct curl_slist *more = curl_slist_append(c->lines, line);

	if (more)
		c->lines = more;
	return more != NULL;
}

/* The client's own, and none of those that the library would add. */
static bool
add_lines(struct proxy_fetch_call *c, const struct proxy_headers *headers)
{
	static const char *const quiet[] = {
		"Expect:", "Accept:", "Content-Type:", "User-Agent:"};
	struct str line;
	size_t at = 0;

	while (proxy_headers_next(headers, &at, &line)) {
		if (!add_line(c, line.ptr)) /* it ends in a NUL */
			return false;
	}
	for (size_t i = 0; i < ARRAY_LEN(quiet); i++) {
		struct str name = str_sub(str_from(quiet[i]), 0, strlen(quiet[i]) - 1);

		if (!proxy_headers_find(headers, name).ptr && !add_line(c, quiet[i]))
			return false;
	}
	return true;
}

static bool
is_method(const struct proxy_fetch_request *q, const char *name)
{
	return strcmp(q->method, name) == 0;
}

static void
set_method(CURL *e, const struct proxy_fetch_request *q)
{
	if (is_method(q, "HEAD")) {
		(void)curl_easy_setopt(e, CURLOPT_NOBODY, 1L);
		return;
	}
	if (is_method(q, "GET") && q->body.len == 0) {
		(void)curl_easy_setopt(e, CURLOPT_HTTPGET, 1L);
		return;
	}
	(void)curl_easy_setopt(e, CURLOPT_POST, 1L);
	(void)curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, q->method);
	(void)curl_easy_setopt(
		e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.len);
	(void)curl_easy_setopt(
		e, CURLOPT_COPYPOSTFIELDS, q->body.len > 0 ? q->body.ptr : "");
}

static bool
set_options(struct proxy_fetch_call *c, const struct proxy_fetch_request *q)
{
	CURL *e = c->easy;
	struct buf url;

	buf_init(&url, (size_t)64 << 10);
	buf_addf(&url, "%s%s", c->fetch->address, q->target);
	if (url.full) {
		buf_done(&url);
		return false;
	}
	(void)curl_easy_setopt(e, CURLOPT_URL, url.ptr);
	buf_done(&url);
	(void)curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
	(void)curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http");
	(void)curl_easy_setopt(e, CURLOPT_PROXY, "");
	(void)curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(e, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
	(void)curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	(void)curl_easy_setopt(e, CURLOPT_BUFFERSIZE, (long)READ_BYTES);
	(void)curl_easy_setopt(e, CURLOPT_HTTPHEADER, c->lines);
	(void)curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	(void)curl_easy_setopt(e, CURLOPT_HEADERDATA, c);
	(void)curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_part);
	(void)curl_easy_setopt(e, CURLOPT_WRITEDATA, c);
	(void)curl_easy_setopt(e, CURLOPT_ERRORBUFFER, c->why);
	(void)curl_easy_setopt(e, CURLOPT_PRIVATE, c);
	set_method(e, q);
	return true;
}

struct proxy_fetch_call *
proxy_fetch_start(struct proxy_fetch *f, const struct proxy_fetch_request *q)
{
	struct proxy_fetch_call *c = f->stopped ? NULL : calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->fetch = f;
	c->hooks = *q->hooks;
	c->data = q->data;
	proxy_headers_init(&c->headers);
	c->easy = curl_easy_init();
	if (c->easy && add_lines(c, q->headers) && set_options(c, q)) {
		enter(f);
		bool added = curl_multi_add_handle(f->multi, c->easy) == CURLM_OK;

		if (added) {
			c->next = f->all;
			c->link = &f->all;
			if (c->next)
				c->next->link = &c->next;
			f->all = c;
		}
		leave(f);
		if (added)
			return c;
	}
	if (c->easy)
		curl_easy_cleanup(c->easy);
	curl_slist_free_all(c->lines);
	proxy_headers_done(&c->headers);
	free(c);
	return NULL;
}

/* --- beginning and end ------------------------------------------------------------------ */

static void
on_timer_closed(uv_handle_t *handle)
{
	struct proxy_fetch *f = handle->data;

	f->handles--;
}

int
proxy_fetch_new(uv_loop_t *loop, const char *address, struct proxy_fetch **ret)
{
	struct proxy_fetch *f = calloc(1, sizeof(*f));

	if (!f || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		free(f);
		return fail_here(FAIL_MEMORY, "no memory to fetch with");
	}
	f->loop = loop;
	f->address = address;
	f->multi = curl_multi_init();
	if (!f->multi || uv_timer_init(loop, &f->timer) != 0) {
		if (f->multi)
			(void)curl_multi_cleanup(f->multi);
		free(f);
		return fail_here(FAIL_MEMORY, "no memory to fetch with");
	}
	f->handles = 1;
	f->timer.data = f;
	(void)curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION, set_watch);
	(void)curl_multi_setopt(f->multi, CURLMOPT_SOCKETDATA, f);
	(void)curl_multi_setopt(f->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	(void)curl_multi_setopt(f->multi, CURLMOPT_TIMERDATA, f);
	(void)curl_multi_setopt(
		f->multi, CURLMOPT_MAXCONNECTS, (long)IDLE_CONNECTIONS);
	*ret = f;
	return 0;
}

void
proxy_fetch_stop(struct proxy_fetch *f)
{
	struct proxy_fetch_call *next;

	if (!f)
		return;
	f->stopped = true;
	enter(f); /* what ends is not freed while they are gone through */
	for (struct proxy_fetch_call *c = f->all; c; c = next) {
		next = c->next;
		if (!c->cancelled) {
			c->cancelled = true;
			c->hooks.ended(c->data, false, STR("stopping"));
		}
		let_go(c);
	}
	leave(f);
}

void
proxy_fetch_free(struct proxy_fetch *f)
{
	if (!f)
		return;
	(void)curl_multi_cleanup(f->multi);
	uv_close((uv_handle_t *)&f->timer, on_timer_closed);
	while (f->handles > 0)
		(void)uv_run(f->loop, UV_RUN_NOWAIT);
	curl_global_cleanup();
	free(f);
}
