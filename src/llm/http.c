#include "llm/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/version.h"
#include "llm/curl.h"
#include "wire/json.h"

enum { KEY_PART = 6 }; /* so much of a key is not repeated */

struct llm_http {
	struct llm_curl curl;
	uv_loop_t *loop;
	CURLM *multi;
	uv_timer_t timer;
};

struct llm_post {
	struct llm_http *http;
	CURL *easy;
	struct curl_slist *headers;
	struct buf body;
	struct llm_reply reply;
	bool keyed, looked; /* looked: at the answer's head */
	long status;
	uv_timer_t tail; /* runs once the object is complete */
	llm_posted_fn done;
	void *data;
	char error[CURL_ERROR_SIZE];
};

/* --- the end of one ------------------------------------------------------------------ */

static void
on_tail_closed(uv_handle_t *handle)
{
	free(handle->data);
}

/* Takes it off the library, and its key out of memory. */
static void
release(struct llm_post *p)
{
	struct llm_http *h = p->http;

	(void)h->curl.multi_remove_handle(h->multi, p->easy);
	h->curl.easy_cleanup(p->easy);
	for (struct curl_slist *s = p->headers; s; s = s->next)
		explicit_bzero(s->data, strlen(s->data));
	h->curl.slist_free_all(p->headers);
	buf_done(&p->body);
	llm_reply_done(&p->reply);
	uv_close((uv_handle_t *)&p->tail, on_tail_closed);
}

void
llm_http_stop(struct llm_post *p)
{
	release(p);
}

/* The provider's words about a status that is not 200; never about a key: some
 * repeat it. */
static void
take_words(struct llm_post *p, struct llm_posted *ret)
{
	struct wire_json_error e;
	WIRE_JSON json_t *j = wire_json_parse(buf_str(&p->reply.event), &e);
	json_t *error = wire_json_object(j, "error");

	if (ret->bad_key)
		return;
	(void)llm_reply_error(&p->reply, j);
	if (str_eq(wire_json_str(error, "code"), STR("insufficient_quota")))
		ret->never = true;
}

static void
judge_status(struct llm_post *p, struct llm_posted *ret)
{
	long s = p->status;

	ret->bad_key = s == 401 || s == 403;
	ret->plain = s == 400 || s == 422;
	ret->trouble = s == 413                            ? LLM_TROUBLE_TOO_LARGE
		: s == 429                                     ? LLM_TROUBLE_LIMITED
		: s == 408 || s == 409 || s == 425 || s >= 500 ? LLM_TROUBLE_SERVER
													   : LLM_TROUBLE_REFUSED;
	take_words(p, ret);
}

static enum llm_trouble
trouble_of(CURLcode code)
{
	switch ((int)code) {
	case CURLE_OPERATION_TIMEDOUT:
		return LLM_TROUBLE_TIMEOUT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_ISSUER_ERROR:
		return LLM_TROUBLE_TLS;
	default:
		return LLM_TROUBLE_CONNECT;
	}
}

/* A connection that never came about is not "no answer in time". */
static bool
is_connected(struct llm_post *p)
{
	curl_off_t us = 0;

	(void)p->http->curl.easy_getinfo(p->easy, CURLINFO_PRETRANSFER_TIME_T, &us);
	return us > 0;
}

/* Some repeat the key that they were given, or its first characters. */
static void
keep_key_out(struct llm_post *p)
{
	struct str words = str_from(p->reply.detail), key = {0};

	for (struct curl_slist *s = p->keyed ? p->headers : NULL; s; s = s->next)
		key = str_from(s->data); /* it was added last */
	while (key.len > 0 && str_has_char(key, ' '))
		(void)str_cut(key, ' ', &key);
	for (size_t i = 0; i + KEY_PART <= key.len; i++) {
		if (str_has(words, str_sub(key, i, i + KEY_PART))) {
			explicit_bzero(p->reply.detail, sizeof(p->reply.detail));
			return;
		}
	}
}

static void
finish(struct llm_post *p, CURLcode code)
{
	struct llm_posted result = {.reply = &p->reply};
	curl_off_t after_s = 0;

	(void)p->http->curl.easy_getinfo(p->easy, CURLINFO_RETRY_AFTER, &after_s);
	if (after_s > 0)
		result.retry_after_ms = (int64_t)after_s * 1000;
	if (p->reply.trouble != LLM_TROUBLE_NONE) {
		result.trouble = p->reply.trouble; /* it broke off for that */
	} else if (p->looked && p->status != 200) {
		judge_status(p, &result);
	} else if (code == CURLE_OK || p->reply.complete) {
		result.trouble = llm_reply_end(&p->reply);
	} else if (p->looked) {
		result.trouble = code == CURLE_OPERATION_TIMEDOUT
			? LLM_TROUBLE_TIMEOUT
			: LLM_TROUBLE_TRUNCATED;
	} else {
		result.trouble = trouble_of(code);
		if (result.trouble == LLM_TROUBLE_TIMEOUT && !is_connected(p))
			result.trouble = LLM_TROUBLE_CONNECT;
	}
	keep_key_out(p);
	p->done(p->data, &result);
	release(p);
}

static void
on_tail(uv_timer_t *timer)
{
	finish(timer->data, CURLE_OK);
}

/* --- bytes ---------------------------------------------------------------------------- */

static void
look_at_head(struct llm_post *p)
{
	struct llm_curl *c = &p->http->curl;
	const char *type = NULL;

	p->looked = true;
	(void)c->easy_getinfo(p->easy, CURLINFO_RESPONSE_CODE, &p->status);
	(void)c->easy_getinfo(p->easy, CURLINFO_CONTENT_TYPE, &type);
	if (p->status == 200)
		llm_reply_type(&p->reply, str_from(type ? type : ""));
}

static size_t
// NOLINTNEXTLINE(readability-non-const-parameter): the library's signature
on_bytes(char *bytes, size_t size, size_t count, void *data)
{
	struct llm_post *p = data;
	size_t n = size * count;

	if (!p->looked)
		look_at_head(p);
	llm_reply_add(&p->reply, (struct str){bytes, n});
	if (p->reply.trouble != LLM_TROUBLE_NONE)
		return 0; /* no more of it */
	if (p->reply.complete && !uv_is_active((uv_handle_t *)&p->tail))
		(void)uv_timer_start(&p->tail, on_tail, LLM_TAIL_MS, 0);
	return n;
}

/* --- the loop -------------------------------------------------------------------------- */

static void
collect(struct llm_http *h)
{
	CURLMsg *m;
	int left = 0;

	while ((m = h->curl.multi_info_read(h->multi, &left))) {
		char *data = NULL;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		(void)h->curl.easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &data);
		struct llm_post *p = (struct llm_post *)(void *)data;

		if (!p->looked)
			look_at_head(p); /* it had no body */
		if (p->status == 0)
			p->looked = false;
		finish(p, code);
	}
}

static void
on_timer(uv_timer_t *timer)
{
	struct llm_http *h = timer->data;
	int running = 0;

	(void)h->curl.multi_socket_action(
		h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	collect(h);
}

static int
on_timer_wanted(CURLM *multi, long ms, void *data)
{
	struct llm_http *h = data;

	(void)multi;
	if (ms < 0)
		(void)uv_timer_stop(&h->timer);
	else
		(void)uv_timer_start(&h->timer, on_timer, (uint64_t)ms, 0);
	return 0;
}

struct watch {
	uv_poll_t poll;
	struct llm_http *http;
	curl_socket_t fd;
};

static void
on_ready(uv_poll_t *poll, int status, int events)
{
	struct watch *w = poll->data;
	struct llm_http *h = w->http;
	int flags = 0, running = 0;

	if (status < 0)
		flags |= CURL_CSELECT_ERR;
	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	(void)h->curl.multi_socket_action(h->multi, w->fd, flags, &running);
	collect(h);
}

static void
on_watch_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static int
on_socket(CURL *easy, curl_socket_t fd, int what, void *data, void *watch)
{
	struct llm_http *h = data;
	struct watch *w = watch;
	int events = 0;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (w) {
			(void)h->curl.multi_assign(h->multi, fd, NULL);
			(void)uv_poll_stop(&w->poll);
			uv_close((uv_handle_t *)&w->poll, on_watch_closed);
		}
		return 0;
	}
	if (!w) {
		w = calloc(1, sizeof(*w));
		CHECK(w);
		w->http = h;
		w->fd = fd;
		w->poll.data = w;
		CHECK(uv_poll_init_socket(h->loop, &w->poll, fd) == 0);
		(void)h->curl.multi_assign(h->multi, fd, w);
	}
	if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
		events |= UV_READABLE;
	if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
		events |= UV_WRITABLE;
	(void)uv_poll_start(&w->poll, events, on_ready);
	return 0;
}

int
llm_http_new(uv_loop_t *loop, struct llm_http **ret)
{
	struct llm_http *h = calloc(1, sizeof(*h));

	CHECK(h);
	int r = llm_curl_load(&h->curl);

	if (r != 0) {
		free(h);
		return r;
	}
	h->loop = loop;
	h->multi = h->curl.multi_init();
	CHECK(h->multi && uv_timer_init(loop, &h->timer) == 0);
	h->timer.data = h;
	(void)h->curl.multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	(void)h->curl.multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
	(void)h->curl.multi_setopt(
		h->multi, CURLMOPT_TIMERFUNCTION, on_timer_wanted);
	(void)h->curl.multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
	*ret = h;
	return 0;
}

/* --- asking ----------------------------------------------------------------------------- */

static void
add_header(struct llm_post *p, const char *line)
{
	struct curl_slist *longer = p->http->curl.slist_append(p->headers, line);

	CHECK(longer);
	p->headers = longer;
}

static void
add_key(struct llm_post *p, const struct llm_row *row, struct str key)
{
	char line[4096];

	if (!key.ptr || key.len == 0)
		return;
	(void)snprintf(line, sizeof(line), "%s%.*s",
		row->auth == LLM_AUTH_X_API_KEY ? "x-api-key: "
										: "authorization: Bearer ",
		(int)key.len, key.ptr);
	add_header(p, line);
	explicit_bzero(line, sizeof(line));
	p->keyed = true;
}

static void
set_text(struct llm_post *p, CURLoption option, struct str value)
{
	char text[4096];

	(void)snprintf(text, sizeof(text), "%.*s", STR_ARG(value));
	(void)p->http->curl.easy_setopt(p->easy, option, text); /* copied */
}

static void
set_numbers(struct llm_post *p, int64_t left_ms)
{
	const struct {
		CURLoption option;
		long value;
	} numbers[] = {
		{CURLOPT_POST,              1L							   },
		{CURLOPT_NOSIGNAL,          1L							   },
		{CURLOPT_QUICK_EXIT,        1L							   },
		{CURLOPT_CONNECTTIMEOUT_MS, LLM_CONNECT_MS                   },
		{CURLOPT_TIMEOUT_MS,        (long)(left_ms > 0 ? left_ms : 1)},
		{CURLOPT_SSL_VERIFYPEER,    1L                               },
		{CURLOPT_SSL_VERIFYHOST,    2L                               },
		{CURLOPT_FOLLOWLOCATION,    0L                               },
		{CURLOPT_TCP_KEEPALIVE,     1L                               },
		{CURLOPT_HTTP_VERSION,      (long)CURL_HTTP_VERSION_2TLS     },
		{CURLOPT_POSTFIELDSIZE,     (long)p->body.len                },
	};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		(void)p->http->curl.easy_setopt(
			p->easy, numbers[i].option, numbers[i].value);
}

static void
set_up(struct llm_post *p, const struct llm_post_args *args)
{
	struct llm_curl *c = &p->http->curl;

	set_numbers(p, args->left_ms);
	set_text(p, CURLOPT_URL, args->url);
	set_text(p, CURLOPT_PROTOCOLS_STR, STR("http,https"));
	set_text(p, CURLOPT_USERAGENT, STR("assent/" BASE_VERSION));
	/* an empty text means: none, whatever the environment says */
	set_text(p, CURLOPT_PROXY, args->proxy.ptr ? args->proxy : STR(""));
	if (args->ca.ptr)
		set_text(p, CURLOPT_CAINFO, args->ca);
	(void)c->easy_setopt(p->easy, CURLOPT_POSTFIELDS, p->body.ptr);
	(void)c->easy_setopt(p->easy, CURLOPT_WRITEFUNCTION, on_bytes);
	(void)c->easy_setopt(p->easy, CURLOPT_WRITEDATA, p);
	(void)c->easy_setopt(p->easy, CURLOPT_PRIVATE, p);
	add_header(p, "content-type: application/json");
	add_header(p, "accept: text/event-stream, application/json");
	add_header(p, "expect:"); /* it would wait for leave to send */
	if (args->row->header)
		add_header(p, args->row->header);
	add_key(p, args->row, args->key);
	(void)c->easy_setopt(p->easy, CURLOPT_HTTPHEADER, p->headers);
}

struct llm_post *
llm_http_post(struct llm_http *h, struct llm_post_args *args,
	llm_posted_fn done, void *data)
{
	struct llm_post *p = calloc(1, sizeof(*p));

	CHECK(p);
	p->http = h;
	p->easy = h->curl.easy_init();
	p->done = done;
	p->data = data;
	p->body = args->body;
	args->body = (struct buf){0};
	p->tail.data = p;
	CHECK(p->easy && uv_timer_init(h->loop, &p->tail) == 0);
	llm_reply_init(&p->reply, args->row->read);
	set_up(p, args);
	CHECK(h->curl.multi_add_handle(h->multi, p->easy) == CURLM_OK);
	return p;
}
