#include "tests/cursor/scene.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "proxy/cursor.h"

enum { IDS_MAX = 4096, APPENDS_MAX = 65536, SERVED_MAX = 16 };

/* One open stream, as the gateway has it. */
struct stream {
	char id[64];
	int fd;
	bool left;
};

struct got {
	char id[64];
	int64_t seqno;
	char *bytes;
	size_t len;
};

struct served {
	const char *path, *headers;
	char *bytes;
	size_t len;
};

struct scene {
	struct scene_settings settings;
	char folder[128];
	int listen_fd, gateway_port, proxy_port;
	pthread_t gateway_thread, proxy_thread;
	pthread_mutex_t lock;
	struct stream streams[IDS_MAX];
	size_t stream_count;
	struct got *got;
	size_t got_count;
	char *last;
	size_t last_len;
	struct served served[SERVED_MAX];
	size_t served_count;
	int refuse_status, refuse_times;
	/* the filter */
	uv_loop_t loop;
	uv_async_t stop;
	struct proxy_cursor *proxy;
	const char *client[3];
	size_t serving; /* connections of the gateway */
};

_Noreturn static void
die(const char *what)
{
	(void)fprintf(stderr, "scene: %s\n", what);
	abort();
}

static void
nap(void)
{
	const struct timespec t = {.tv_nsec = 500000};

	(void)nanosleep(&t, NULL);
}

/* Waits for the condition, which is looked at again and again. */
#define AWAIT(cond, what)                                           \
	do {                                                            \
		for (int left_ = (s)->settings.patient ? SCENE_WAIT_MS * 40 \
											   : SCENE_WAIT_MS * 2; \
			 !(cond); left_--) {                                    \
			if (left_ <= 0)                                         \
				die(what);                                          \
			nap();                                                  \
		}                                                           \
	} while (0)

static void
write_all(int fd, struct str s)
{
	while (s.len > 0) {
		ssize_t n = send(fd, s.ptr, s.len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return; /* the other side is gone */
		s = str_sub(s, (size_t)n, s.len);
	}
}

static void
set_nodelay(int fd)
{
	int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* --- HTTP, as little as is needed --------------------------------------------------- */

static struct str
header(struct str head, const char *name)
{
	struct str line;

	while (str_line(&head, &line)) {
		struct str value;
		struct str key = str_cut(line, ':', &value);

		if (value.ptr && str_eq_fold(key, str_from(name)))
			return str_trim(value);
	}
	return (struct str){0};
}

static int64_t
length_of(struct str head)
{
	int64_t n = 0;

	return str_number(header(head, "Content-Length"), &n) ? n : 0;
}

/* Reads until in has at least n bytes; false at the end. */
static bool
read_more(int fd, struct buf *in, size_t n)
{
	char part[65536];

	while (in->len < n) {
		struct pollfd p = {.fd = fd, .events = POLLIN};

		if (poll(&p, 1, SCENE_WAIT_MS * 2) <= 0)
			return false;
		ssize_t got = recv(fd, part, sizeof(part), 0);

		if (got <= 0)
			return false;
		buf_add(in, (struct str){part, (size_t)got});
		if (n == SIZE_MAX)
			return true;
	}
	return true;
}

static void
drop(struct buf *in, size_t n)
{
	if (n == 0)
		return;
	memmove(in->ptr, in->ptr + n, in->len - n);
	in->len -= n;
}

/* The head, with its blank line; 0 when the other side ended. */
static size_t
read_head(int fd, struct buf *in)
{
	for (;;) {
		struct str all = buf_str(in);
		size_t at = str_find(all, STR("\r\n\r\n"), 0);

		if (at < all.len)
			return at + 4;
		if (!read_more(fd, in, SIZE_MAX))
			return 0;
	}
}

/* --- the gateway ------------------------------------------------------------------------ */

static struct stream *
find_stream(struct scene *s, const char *id)
{
	struct stream *found = NULL;

	(void)pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->stream_count; i++) {
		if (strcmp(s->streams[i].id, id) == 0)
			found = &s->streams[i];
	}
	(void)pthread_mutex_unlock(&s->lock);
	return found;
}

static void
copy_id(char to[64], struct str id)
{
	(void)snprintf(to, 64, "%.*s", STR_ARG(id));
}

static void
serve_stream(struct scene *s, int fd, struct str body)
{
	static const struct str head = {
		"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
		"connect-protocol-version: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		121};
	struct str m = str_sub(body, PROXY_FRAME_HEAD, body.len);
	Proxy__Cursor__BidiRequestId *q =
		proxy__cursor__bidi_request_id__unpack(NULL, m.len, proxy_data(m).data);
	struct buf all;
	char byte;

	if (!q)
		die("the gateway got no id");
	buf_init(&all, 4096);
	buf_addf(&all, "%s", head.ptr);
	write_all(fd, buf_str(&all));
	buf_done(&all);
	(void)pthread_mutex_lock(&s->lock);
	if (s->stream_count == IDS_MAX)
		die("too many streams");
	struct stream *st = &s->streams[s->stream_count++];

	copy_id(st->id, proxy_text(q->request_id));
	st->fd = fd;
	st->left = false;
	(void)pthread_mutex_unlock(&s->lock);
	proxy__cursor__bidi_request_id__free_unpacked(q, NULL);
	while (recv(fd, &byte, 1, 0) > 0)
		;
	st->left = true;
}

static char *
keep(struct str s)
{
	char *p = malloc(s.len + 1);

	if (!p)
		die("memory");
	if (s.len > 0)
		memcpy(p, s.ptr, s.len);
	p[s.len] = '\0';
	return p;
}

static void
inflate_into(struct str packed, struct buf *out)
{
	z_stream z = {
		.next_in = proxy_data(packed).data, .avail_in = (unsigned)packed.len};
	unsigned char part[65536];

	if (inflateInit2(&z, MAX_WBITS + 32) != Z_OK)
		die("zlib");
	for (int r = Z_OK; r == Z_OK;) {
		z.next_out = part;
		z.avail_out = sizeof(part);
		r = inflate(&z, Z_NO_FLUSH);
		buf_add(
			out, (struct str){(const char *)part, sizeof(part) - z.avail_out});
	}
	(void)inflateEnd(&z);
}

static void
from_hex(struct str hex, struct buf *out)
{
	for (size_t i = 0; i + 1 < hex.len; i += 2) {
		const char two[3] = {hex.ptr[i], hex.ptr[i + 1], 0};

		buf_add_char(out, (char)strtoul(two, NULL, 16));
	}
}

static void
take_append(struct scene *s, struct str head, struct str body)
{
	struct buf plain, message;

	buf_init(&plain, SCENE_BYTES);
	buf_init(&message, SCENE_BYTES);
	if (str_eq(header(head, "Content-Encoding"), STR("gzip")))
		inflate_into(body, &plain);
	else
		buf_add(&plain, body);
	struct str p = buf_str(&plain);
	Proxy__Cursor__BidiAppendRequest *q =
		proxy__cursor__bidi_append_request__unpack(
			NULL, p.len, proxy_data(p).data);

	(void)pthread_mutex_lock(&s->lock);
	free(s->last);
	s->last = keep(body);
	s->last_len = body.len;
	if (q && q->request_id && s->got_count < APPENDS_MAX) {
		struct got *g = &s->got[s->got_count++];

		from_hex(proxy_text(q->data), &message);
		copy_id(g->id, proxy_text(q->request_id->request_id));
		g->seqno = q->append_seqno;
		g->bytes = keep(buf_str(&message));
		g->len = message.len;
	}
	(void)pthread_mutex_unlock(&s->lock);
	if (q)
		proxy__cursor__bidi_append_request__free_unpacked(q, NULL);
	buf_done(&plain);
	buf_done(&message);
}

static void
answer(int fd, int status, const char *headers, struct str body)
{
	struct buf out;

	buf_init(&out, SCENE_BYTES);
	buf_addf(&out, "HTTP/1.1 %d OK\r\n%sContent-Length: %zu\r\n\r\n", status,
		headers, body.len);
	buf_add(&out, body);
	write_all(fd, buf_str(&out));
	buf_done(&out);
}

static void
serve_other(struct scene *s, int fd, struct str path, struct str body)
{
	(void)pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->served_count; i++) {
		const struct served *v = &s->served[i];

		if (str_eq(path, str_from(v->path))) {
			answer(fd, 200, v->headers, (struct str){v->bytes, v->len});
			(void)pthread_mutex_unlock(&s->lock);
			return;
		}
	}
	(void)pthread_mutex_unlock(&s->lock);
	/* all else is sent back */
	answer(fd, 200, "Content-Type: application/proto\r\nX-Echo: yes\r\n",
		s->settings.quiet ? STR("") : body);
}

static void
serve_append(struct scene *s, int fd, struct str head, struct str body)
{
	bool refused;

	(void)pthread_mutex_lock(&s->lock);
	refused = s->refuse_times > 0;
	if (refused)
		s->refuse_times--;
	(void)pthread_mutex_unlock(&s->lock);
	if (refused) {
		answer(fd, s->refuse_status, "", STR(""));
		return;
	}
	take_append(s, head, body);
	answer(fd, 200, "Content-Type: application/proto\r\n", STR(""));
}

/* False when the connection is used up. */
static bool
serve_request(struct scene *s, int fd, struct buf *in)
{
	size_t n = read_head(fd, in);
	int64_t length = 0;

	if (n == 0)
		return false;
	struct buf head;

	buf_init(&head, SCENE_BYTES);
	buf_add(&head, str_sub(buf_str(in), 0, n));
	length = length_of(buf_str(&head));
	if (!read_more(fd, in, n + (size_t)length)) {
		buf_done(&head);
		return false;
	}
	struct str body = str_sub(buf_str(in), n, n + (size_t)length);
	struct str rest;
	bool stream = false;

	(void)str_cut(buf_str(&head), ' ', &rest);
	struct str path = str_cut(rest, ' ', &rest);

	if (str_ends(path, STR("/RunSSE"))) {
		serve_stream(s, fd, body);
		stream = true;
	} else if (str_ends(path, STR("/BidiAppend"))) {
		serve_append(s, fd, buf_str(&head), body);
	} else {
		serve_other(s, fd, path, body);
	}
	drop(in, n + (size_t)length);
	buf_done(&head);
	return !stream;
}

struct served_by {
	struct scene *scene;
	int fd;
};

static void *
serve_connection(void *data)
{
	struct served_by *b = data;
	struct buf in;

	buf_init(&in, SCENE_BYTES);
	set_nodelay(b->fd);
	while (serve_request(b->scene, b->fd, &in))
		;
	buf_done(&in);
	(void)close(b->fd);
	(void)pthread_mutex_lock(&b->scene->lock);
	b->scene->serving--;
	(void)pthread_mutex_unlock(&b->scene->lock);
	free(b);
	return NULL;
}

static void *
run_gateway(void *data)
{
	struct scene *s = data;

	for (;;) {
		int fd = accept(s->listen_fd, NULL, NULL);
		struct served_by *b;
		pthread_attr_t small;
		pthread_t thread;

		if (fd < 0)
			return NULL;
		b = malloc(sizeof(*b));
		if (!b)
			die("memory");
		*b = (struct served_by){s, fd};
		(void)pthread_mutex_lock(&s->lock);
		s->serving++;
		(void)pthread_mutex_unlock(&s->lock);
		(void)pthread_attr_init(&small);
		(void)pthread_attr_setstacksize(&small, 512 << 10);
		(void)pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
		if (pthread_create(&thread, &small, serve_connection, b) != 0)
			die("no thread");
		(void)pthread_attr_destroy(&small);
	}
}

static void
start_gateway(struct scene *s)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)s->settings.gateway_port),
	};
	socklen_t size = sizeof(a);
	int on = 1;

	s->listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	(void)setsockopt(s->listen_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s->listen_fd, (struct sockaddr *)&a, sizeof(a)) != 0
		|| listen(s->listen_fd, 1024) != 0
		|| getsockname(s->listen_fd, (struct sockaddr *)&a, &size) != 0)
		die("the gateway cannot listen");
	s->gateway_port = ntohs(a.sin_port);
	if (pthread_create(&s->gateway_thread, NULL, run_gateway, s) != 0)
		die("no thread");
}

void
scene_await_stream(struct scene *s, char ret_id[64])
{
	AWAIT(s->stream_count > 0, "no client came");
	(void)snprintf(ret_id, 64, "%s", s->streams[0].id);
}

void
scene_say_bytes(struct scene *s, const char *id, struct str bytes)
{
	struct stream *st;
	struct buf out;

	AWAIT((st = find_stream(s, id)) != NULL, "the stream was not opened");
	buf_init(&out, SCENE_BYTES);
	buf_addf(&out, "%zx\r\n", bytes.len);
	buf_add(&out, bytes);
	buf_addf(&out, "\r\n");
	write_all(st->fd, buf_str(&out));
	buf_done(&out);
}

void
scene_say(struct scene *s, const char *id, struct str payload)
{
	struct buf out;

	buf_init(&out, SCENE_BYTES);
	proxy_frame_print(&out, 0, payload);
	scene_say_bytes(s, id, buf_str(&out));
	buf_done(&out);
}

void
scene_end(struct scene *s, const char *id, bool well)
{
	struct stream *st;

	if (well) {
		scene_say_bytes(s, id, (struct str){"\2\0\0\0\2{}", 7});
		AWAIT((st = find_stream(s, id)) != NULL, "no stream");
		write_all(st->fd, STR("0\r\n\r\n"));
		return;
	}
	AWAIT((st = find_stream(s, id)) != NULL, "no stream");
	(void)shutdown(st->fd, SHUT_RDWR);
}

void
scene_await_left(struct scene *s, const char *id)
{
	struct stream *st;

	AWAIT((st = find_stream(s, id)) != NULL && st->left,
		"the client's side did not leave");
}

static const struct got *
find_got(struct scene *s, const char *id, int64_t seqno)
{
	const struct got *found = NULL;

	(void)pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->got_count; i++) {
		if (strcmp(s->got[i].id, id) == 0 && s->got[i].seqno == seqno)
			found = &s->got[i];
	}
	(void)pthread_mutex_unlock(&s->lock);
	return found;
}

struct str
scene_await_append(
	struct scene *s, const char *id, int64_t seqno, struct buf *room)
{
	const struct got *g;

	AWAIT((g = find_got(s, id, seqno)) != NULL, "an append did not come");
	buf_clear(room);
	buf_add(room, (struct str){g->bytes, g->len});
	return buf_str(room);
}

size_t
scene_append_count(struct scene *s, const char *id)
{
	size_t n = 0;

	(void)pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->got_count; i++)
		n += strcmp(s->got[i].id, id) == 0;
	(void)pthread_mutex_unlock(&s->lock);
	return n;
}

struct str
scene_last_body(struct scene *s, struct buf *room)
{
	buf_clear(room);
	(void)pthread_mutex_lock(&s->lock);
	buf_add(room, (struct str){s->last, s->last_len});
	(void)pthread_mutex_unlock(&s->lock);
	return buf_str(room);
}

void
scene_serve(
	struct scene *s, const char *path, const char *headers, struct str body)
{
	(void)pthread_mutex_lock(&s->lock);
	if (s->served_count == SERVED_MAX)
		die("too much is served");
	s->served[s->served_count++] =
		(struct served){path, headers, keep(body), body.len};
	(void)pthread_mutex_unlock(&s->lock);
}

void
scene_refuse_appends(struct scene *s, int status, int times)
{
	(void)pthread_mutex_lock(&s->lock);
	s->refuse_status = status;
	s->refuse_times = times;
	(void)pthread_mutex_unlock(&s->lock);
}

/* --- the client ------------------------------------------------------------------------ */

static int
connect_to(int port)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)port),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0)
		die("cannot connect to the filter");
	set_nodelay(fd);
	return fd;
}

static void
send_request(int fd, const char *path, const char *headers, struct str body)
{
	struct buf out;

	buf_init(&out, SCENE_BYTES);
	buf_addf(&out, "POST %s HTTP/1.1\r\n%s%sContent-Length: %zu\r\n\r\n", path,
		strstr(headers, "Host:") ? "" : "Host: 127.0.0.1\r\n", headers,
		body.len);
	buf_add(&out, body);
	write_all(fd, buf_str(&out));
	buf_done(&out);
}

void
scene_open(struct scene *s, struct scene_stream *st, const char *id)
{
	Proxy__Cursor__BidiRequestId m;
	struct buf payload, body;

	*st = (struct scene_stream){.fd = connect_to(s->proxy_port)};
	buf_init(&st->in, SCENE_BYTES);
	buf_init(&st->body, SCENE_BYTES);
	buf_init(&payload, 4096);
	buf_init(&body, 4096);
	proxy__cursor__bidi_request_id__init(&m);
	m.has_request_id = true;
	m.request_id = proxy_data(str_from(id));
	proxy_message_print(&m.base, &payload);
	proxy_frame_print(&body, 0, buf_str(&payload));
	send_request(st->fd, "/agent.v1.AgentService/RunSSE",
		"Content-Type: application/connect+proto\r\n", buf_str(&body));
	buf_done(&payload);
	buf_done(&body);
}

void
scene_close(struct scene_stream *st)
{
	(void)close(st->fd);
	buf_done(&st->in);
	buf_done(&st->body);
}

static int
status_of(struct str head)
{
	struct str rest;
	int64_t n = 0;

	(void)str_cut(head, ' ', &rest);
	if (!str_number(str_cut(rest, ' ', &rest), &n))
		n = 0;
	return (int)n;
}

/* More bytes of the body into frames; false at its end. */
static bool
read_chunk(struct scene_stream *st)
{
	if (!st->head) {
		size_t n = read_head(st->fd, &st->in);

		if (n == 0)
			return false;
		st->status = status_of(str_sub(buf_str(&st->in), 0, n));
		drop(&st->in, n);
		st->head = true;
		if (st->status != 200)
			return false;
	}
	while (st->chunk == 0) {
		struct str all = buf_str(&st->in);
		size_t at = str_find(all, STR("\r\n"), 0);

		if (at == all.len) {
			if (!read_more(st->fd, &st->in, SIZE_MAX))
				return false;
			continue;
		}
		if (at == 0) { /* behind the chunk before */
			drop(&st->in, 2);
			continue;
		}
		st->chunk = strtoul(all.ptr, NULL, 16);
		drop(&st->in, at + 2);
		if (st->chunk == 0) {
			st->last = true;
			return false;
		}
	}
	if (st->in.len == 0 && !read_more(st->fd, &st->in, SIZE_MAX))
		return false;
	return true;
}

/* The whole frame at the beginning of what came, if there is one. */
static bool
take_frame(struct scene_stream *st, struct proxy_frame *ret)
{
	const unsigned char *p = (const unsigned char *)st->body.ptr;
	size_t n;

	if (st->body.len < PROXY_FRAME_HEAD)
		return false;
	n = PROXY_FRAME_HEAD
		+ ((size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4]);
	if (st->body.len < n)
		return false;
	ret->flags = p[0];
	ret->whole = str_sub(buf_str(&st->body), 0, n);
	ret->payload = str_sub(ret->whole, PROXY_FRAME_HEAD, n);
	st->taken = n;
	return true;
}

bool
scene_next(struct scene_stream *st, struct proxy_frame *ret)
{
	drop(&st->body, st->taken);
	st->taken = 0;
	while (!take_frame(st, ret)) {
		if (st->over || !read_chunk(st)) {
			st->over = true;
			return false;
		}
		size_t n = st->chunk < st->in.len ? st->chunk : st->in.len;

		buf_add(&st->body, str_sub(buf_str(&st->in), 0, n));
		drop(&st->in, n);
		st->chunk -= n;
	}
	return true;
}

int
scene_request(struct scene *s, const char *path, const char *headers,
	struct str body, struct buf *out)
{
	int fd = connect_to(s->proxy_port);
	int64_t length = 0;
	struct buf in;
	int status;

	buf_init(&in, SCENE_BYTES);
	send_request(fd, path, headers, body);
	size_t n = read_head(fd, &in);

	if (n == 0)
		die("no answer from the filter");
	struct str head = str_sub(buf_str(&in), 0, n);

	status = status_of(head);
	length = length_of(head);
	if (!read_more(fd, &in, n + (size_t)length))
		die("half an answer from the filter");
	if (out)
		buf_add(out, str_sub(buf_str(&in), n, n + (size_t)length));
	buf_done(&in);
	(void)close(fd);
	return status;
}

void
scene_pack(struct str plain, struct buf *out)
{
	z_stream z = {
		.next_in = proxy_data(plain).data, .avail_in = (unsigned)plain.len};
	unsigned char part[65536];

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
			Z_DEFAULT_STRATEGY)
		!= Z_OK)
		die("zlib");
	for (int r = Z_OK; r == Z_OK;) {
		z.next_out = part;
		z.avail_out = sizeof(part);
		r = deflate(&z, Z_FINISH);
		buf_add(
			out, (struct str){(const char *)part, sizeof(part) - z.avail_out});
	}
	(void)deflateEnd(&z);
}

int
scene_append(struct scene *s, const char *id, int64_t seqno, struct str message,
	const char *coding)
{
	Proxy__Cursor__BidiRequestId request;
	Proxy__Cursor__BidiAppendRequest append;
	struct buf hex, body, packed;
	int status;

	buf_init(&hex, SCENE_BYTES);
	buf_init(&body, SCENE_BYTES);
	buf_init(&packed, SCENE_BYTES);
	for (size_t i = 0; i < message.len; i++)
		buf_addf(&hex, "%02x", (unsigned char)message.ptr[i]);
	proxy__cursor__bidi_request_id__init(&request);
	proxy__cursor__bidi_append_request__init(&append);
	request.has_request_id = append.has_data = append.has_append_seqno = true;
	request.request_id = proxy_data(str_from(id));
	append.data = proxy_data(buf_str(&hex));
	append.request_id = &request;
	append.append_seqno = seqno;
	proxy_message_print(&append.base, &body);
	if (coding)
		scene_pack(buf_str(&body), &packed);
	status = scene_request(s, "/aiserver.v1.BidiService/BidiAppend",
		coding ? "Content-Type: application/proto\r\n"
				 "Content-Encoding: gzip\r\n"
			   : "Content-Type: application/proto\r\n",
		buf_str(coding ? &packed : &body), NULL);
	buf_done(&hex);
	buf_done(&body);
	buf_done(&packed);
	return status;
}

/* --- the judge --------------------------------------------------------------------------- */

static bool
read_file(const char *path, struct buf *out)
{
	char part[65536];
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return false;
	buf_clear(out);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(out, (struct str){part, n});
	(void)fclose(f);
	return true;
}

void
scene_answer(struct scene *s, const char *call_id, const char *json)
{
	char path[256], final[256];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/new", s->folder);
	(void)snprintf(final, sizeof(final), "%s/answer.%s", s->folder, call_id);
	f = fopen(path, "we");
	if (!f || fputs(json, f) < 0 || fclose(f) != 0 || rename(path, final) != 0)
		die("an answer cannot be written");
}

struct str
scene_asked(struct scene *s, const char *call_id, struct buf *room)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/asked.%s", s->folder, call_id);
	AWAIT(read_file(path, room), "the judge was not asked");
	return buf_str(room);
}

static size_t
count_lines(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == '\n';
	return n;
}

struct str
scene_outcomes(struct scene *s, size_t lines, struct buf *room)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/outcomes", s->folder);
	AWAIT(read_file(path, room) && count_lines(buf_str(room)) >= lines,
		"no outcome was told");
	return buf_str(room);
}

/* --- the filter ---------------------------------------------------------------------------- */

static void
on_stop(uv_async_t *a)
{
	uv_stop(a->loop);
}

static void *
run_proxy(void *data)
{
	struct scene *s = data;

	(void)uv_run(&s->loop, UV_RUN_DEFAULT);
	proxy_cursor_free(s->proxy);
	uv_close((uv_handle_t *)&s->stop, NULL);
	(void)uv_run(&s->loop, UV_RUN_DEFAULT);
	if (uv_loop_close(&s->loop) != 0)
		die("the filter left handles behind");
	return NULL;
}

static void
start_proxy(struct scene *s)
{
	static char upstream[64];
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct proxy_cursor_settings settings = {
		.listen = (struct sockaddr *)&a,
		.upstream = upstream,
		.strict = s->settings.strict,
		.client = s->client,
	};

	(void)snprintf(
		upstream, sizeof(upstream), "http://127.0.0.1:%d", s->gateway_port);
	s->client[0] = s->settings.judge ? s->settings.judge : "/bin/false";
	s->client[1] = s->folder;
	if (uv_loop_init(&s->loop) != 0
		|| uv_async_init(&s->loop, &s->stop, on_stop) != 0
		|| proxy_cursor_new(&s->loop, &settings, &s->proxy) != 0)
		die("the filter does not start");
	s->proxy_port = proxy_cursor_port(s->proxy);
	if (pthread_create(&s->proxy_thread, NULL, run_proxy, s) != 0)
		die("no thread");
}

struct scene *
scene_new(const struct scene_settings *settings)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (!s || !(s->got = calloc(APPENDS_MAX, sizeof(*s->got))))
		die("memory");
	s->settings = *settings;
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)snprintf(s->folder, sizeof(s->folder), "/tmp/assent-scene.XXXXXX");
	if (!mkdtemp(s->folder))
		die("no folder");
	start_gateway(s);
	if (settings->direct)
		s->proxy_port = s->gateway_port;
	else if (settings->proxy_port > 0)
		s->proxy_port = settings->proxy_port;
	else
		start_proxy(s);
	return s;
}

static void
remove_folder(const char *folder)
{
	char command[256];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	// NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): our own folder
	if (system(command) != 0)
		die("the folder stays");
}

void
scene_drop(const struct scene *s)
{
	remove_folder(s->folder);
}

static bool
is_idle(struct scene *s)
{
	(void)pthread_mutex_lock(&s->lock);
	bool idle = s->serving == 0;

	(void)pthread_mutex_unlock(&s->lock);
	return idle;
}

void
scene_free(struct scene *s)
{
	if (s->proxy) {
		(void)uv_async_send(&s->stop);
		(void)pthread_join(s->proxy_thread, NULL);
	}
	(void)shutdown(s->listen_fd, SHUT_RDWR);
	(void)pthread_join(s->gateway_thread, NULL);
	(void)close(s->listen_fd);
	for (size_t i = 0; i < s->stream_count; i++) {
		if (!s->streams[i].left)
			(void)shutdown(s->streams[i].fd, SHUT_RDWR);
	}
	AWAIT(is_idle(s), "the gateway is still busy");
	for (size_t i = 0; i < s->got_count; i++)
		free(s->got[i].bytes);
	for (size_t i = 0; i < s->served_count; i++)
		free(s->served[i].bytes);
	free(s->got);
	free(s->last);
	remove_folder(s->folder);
	free(s);
}

int
scene_gateway_port(const struct scene *s)
{
	return s->gateway_port;
}

void
scene_use_port(struct scene *s, int port)
{
	s->proxy_port = port;
}

const char *
scene_folder(const struct scene *s)
{
	return s->folder;
}
