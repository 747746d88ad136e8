#include "api/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "io/clock.h"

/* --- connecting ------------------------------------------------------------ */

void
api_client_close(struct api_client *c)
{
	if (c->fd >= 0)
		(void)close(c->fd);
	c->fd = -1;
}

/* Closes the connection: after a failure nothing of it can be trusted. */
static int
give_up(struct api_client *c, int code)
{
	api_client_close(c);
	return code;
}

/* True when the program behind pid is not a daemon yet: the starter made the
 * socket, and the daemon has not listened on it itself so far. */
static bool
is_starter(int64_t pid)
{
	char path[64], exe[4096];

	(void)snprintf(path, sizeof(path), "/proc/%lld/exe", (long long)pid);
	ssize_t n = readlink(path, exe, sizeof(exe));

	return n <= 0
		|| str_eq(str_base((struct str){exe, (size_t)n}), STR("assent"));
}

/* FAIL_DENIED unless the other end belongs to this user. */
static int
check_peer(struct api_client *c, const char *path)
{
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);

	if (getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return fail_here(FAIL_IO, "cannot see who listens on %s", path);
	if (peer.uid != geteuid())
		return fail_here(FAIL_DENIED,
			"%s belongs to user id %u, not to you: it is not your daemon", path,
			(unsigned)peer.uid);
	c->fresh = is_starter(peer.pid);
	return 0;
}

static int
connect_failed(const char *path, int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
	case ECONNREFUSED:
		return fail_here(FAIL_ABSENT, "no daemon listens on %s", path);
	case EACCES:
	case EPERM:
		return fail_here(FAIL_DENIED, "%s may not be used by you", path);
	case EAGAIN:
	case EINTR:
		return fail_here(FAIL_TIMEOUT,
			"the daemon on %s takes no connections (stopped or hung)", path);
	default:
		// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough here
		return fail_here(FAIL_IO, "connect %s: %s", path, strerror(error));
	}
}

int
api_client_open(struct api_client *c, const char *path)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	struct timeval most = {.tv_sec = API_CONNECT_MS / 1000};
	size_t len = strlen(path);

	if (len > API_SOCKET_PATH_MAX)
		return fail_here(FAIL_LIMIT,
			"the socket's path has %zu bytes, %d is the most that the system "
			"takes: %s (--socket or --state names a shorter one)",
			len, API_SOCKET_PATH_MAX, path);
	memcpy(to.sun_path, path, len);
	c->stopped = false;
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return fail_here(FAIL_IO, "no socket can be made");
	/* with a full queue, connect waits as long as a send may take */
	(void)setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
	if (connect(c->fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		return give_up(c, connect_failed(path, errno));
	int r = check_peer(c, path);

	return r == 0 ? 0 : give_up(c, r);
}

/* --- waiting --------------------------------------------------------------- */

static int
poll_until(struct pollfd *fds, nfds_t count, int64_t until_ms)
{
	for (;;) {
		int64_t left = until_ms - io_clock_mono_ms();
		int ms = left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
		int n = poll(fds, count, ms);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return fail_here(FAIL_IO, "poll failed");
		if (io_clock_mono_ms() >= until_ms)
			return FAIL_TIMEOUT;
	}
}

/*
 * Waits until the connection can be read (or written), or until_ms. Whoever is
 * to be answered may have gone meanwhile; the connection then ends too.
 */
static int
wait_for(struct api_client *c, short events, int64_t until_ms, short *ret)
{
	struct pollfd fds[] = {
		{.fd = c->fd,      .events = events},
		{.fd = c->stop_fd, .events = POLLIN},
		{.fd = c->peer_fd, .events = 0     },
	};
	int r = poll_until(fds, ARRAY_LEN(fds), until_ms);

	if (r != 0)
		return r;
	if (fds[1].revents || (fds[2].revents & (POLLERR | POLLHUP))) {
		c->stopped = true;
		return fail_here(FAIL_IO, "the agent has gone");
	}
	*ret = fds[0].revents;
	return 0;
}

/* --- sending --------------------------------------------------------------- */

static int
lost(const char *what)
{
	return fail_here(FAIL_IO, "the connection to the daemon was lost %s", what);
}

/* A part of a message; sendmsg takes it as void *, and leaves it alone. */
static struct iovec
part_of(struct str s)
{
	struct iovec part = {.iov_len = s.len};

	memcpy(&part.iov_base, &s.ptr, sizeof(part.iov_base));
	return part;
}

/* As much of the two as the socket takes at once; 0 when it takes nothing now. */
static size_t
send_some(struct api_client *c, struct str first, struct str second)
{
	struct iovec parts[] = {part_of(first), part_of(second)};
	struct msghdr m = {.msg_iov = parts, .msg_iovlen = ARRAY_LEN(parts)};
	ssize_t n = sendmsg(c->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);

	c->cut = n < 0 && errno != EAGAIN && errno != EINTR;
	return n < 0 ? 0 : (size_t)n;
}

/*
 * Sends both. A reply that comes before that (too large, stopping) cuts the
 * sending short, and so does a loss: the reply may be there all the same, and
 * whether it is a whole one is seen by who reads it.
 */
static int
send_both(
	struct api_client *c, struct str first, struct str second, int64_t until_ms)
{
	for (;;) {
		size_t n = send_some(c, first, second);
		size_t of_first = n < first.len ? n : first.len;
		short ready = 0;

		first = str_sub(first, of_first, first.len);
		second = str_sub(second, n - of_first, second.len);
		if (c->cut || first.len + second.len == 0)
			return 0;
		int r = wait_for(c, POLLIN | POLLOUT, until_ms, &ready);

		if (r == FAIL_TIMEOUT)
			return fail_here(r, "the daemon did not take the request in time");
		if (r != 0)
			return r;
		c->cut = (ready & (POLLIN | POLLHUP | POLLERR)) != 0;
		if (c->cut)
			return 0;
	}
}

static int
send_head(struct api_client *c, const struct api_request *q)
{
	struct buf head;

	buf_init(&head, API_HEAD_BYTES);
	buf_addf(&head,
		"%s %s HTTP/1.1\r\nHost: assent\r\nX-Assent-Surface: cli\r\n",
		q->method, q->path);
	if (q->head.len + q->body.len > 0 || strcmp(q->method, "POST") == 0)
		buf_addf(&head, "Content-Length: %zu\r\n", q->head.len + q->body.len);
	if (q->proves_alive)
		buf_addf(&head, "Expect: 100-continue\r\n");
	buf_addf(&head, "\r\n");
	int r = head.full
		? fail_here(FAIL_LIMIT, "the request line is too long")
		: send_both(c, buf_str(&head), (struct str){0}, q->deadline_ms);

	buf_done(&head);
	return r;
}

/* --- receiving ------------------------------------------------------------- */

/* One reply as it arrives: the head in a buffer of its own, which may already
 * hold the first bytes of the body. */
struct incoming {
	struct buf bytes;
	size_t head_len; /* with the empty line; 0 = not whole yet */
};

/* One read into the buffer. */
static int
receive(struct api_client *c, struct buf *to, int64_t until_ms)
{
	char part[16384];
	short ready = 0;
	int r = wait_for(c, POLLIN, until_ms, &ready);

	if (r != 0)
		return r;
	ssize_t n = recv(c->fd, part, sizeof(part), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return lost("before its answer was whole");
	buf_add(to, (struct str){part, (size_t)n});
	return to->full ? fail_here(FAIL_LIMIT, "the daemon's answer is too long")
					: 0;
}

static int
read_head(struct api_client *c, struct incoming *in, int64_t until_ms)
{
	for (;;) {
		struct str all = buf_str(&in->bytes);
		size_t end = str_find(all, STR("\r\n\r\n"), 0);

		if (end < all.len) {
			in->head_len = end + 4;
			return 0;
		}
		if (all.len > API_HEAD_BYTES)
			return fail_here(FAIL_PROTOCOL, "the daemon's answer has no head");
		int r = receive(c, &in->bytes, until_ms);

		if (r != 0)
			return r;
	}
}

/* Drops the first n bytes. */
static void
drop(struct incoming *in, size_t n)
{
	memmove(in->bytes.ptr, in->bytes.ptr + n, in->bytes.len - n);
	in->bytes.len -= n;
	in->bytes.ptr[in->bytes.len] = '\0';
	in->head_len = 0;
}

struct head {
	int status;
	int64_t length; /* -1 = not said */
	bool closes;
	bool broken;
};

static void
read_field(struct head *h, struct str name, struct str value)
{
	if (str_eq_fold(name, STR("content-length"))) {
		int64_t n = -1;

		/* said twice is said differently by somebody's reading */
		if (h->length >= 0 || !str_number(value, &n))
			h->broken = true;
		h->length = n;
	} else if (str_eq_fold(name, STR("transfer-encoding"))) {
		h->broken = true;
	} else if (str_eq_fold(name, STR("connection"))) {
		h->closes = str_eq_fold(value, STR("close"));
	}
}

static struct head
parse_head(struct str text)
{
	struct head h = {.length = -1};
	struct str line, rest = {0};
	int64_t status = 0;

	if (!str_line(&text, &line) || !str_starts(line, STR("HTTP/1.1 "))
		|| !str_number(str_sub(line, 9, 12), &status) || status < 100
		|| (line.len > 12 && line.ptr[12] != ' ' && line.ptr[12] != '\r')) {
		h.broken = true;
		return h;
	}
	h.status = (int)status;
	while (str_line(&text, &line) && str_trim(line).len > 0) {
		struct str name = str_cut(line, ':', &rest);

		if (!rest.ptr)
			h.broken = true;
		read_field(&h, name, str_trim(rest));
	}
	return h;
}

static int
read_body(struct api_client *c, struct incoming *in, int64_t length,
	int64_t until_ms, struct buf *ret)
{
	if ((uint64_t)length > ret->max)
		return fail_here(FAIL_LIMIT,
			"the daemon's answer is too long (%lld bytes)", (long long)length);
	buf_add(ret, str_sub(buf_str(&in->bytes), in->head_len, in->bytes.len));
	while (ret->len < (size_t)length && !ret->full) {
		int r = receive(c, ret, until_ms);

		if (r != 0)
			return r;
	}
	if (ret->full || ret->len > (size_t)length)
		return fail_here(
			FAIL_PROTOCOL, "the daemon sent more than it said it would");
	return 0;
}

/* --- a whole request ------------------------------------------------------- */

static int64_t
nearer(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * After the head of the request: the interim answer, which an honest daemon
 * gives at once. *ret_final is set when a reply came in its place.
 */
static int
await_interim(struct api_client *c, const struct api_request *q,
	struct incoming *in, bool *ret_final)
{
	int64_t patience = c->fresh ? API_FRESH_MS : API_SILENCE_MS;
	int64_t until = nearer(q->deadline_ms, io_clock_mono_ms() + patience);
	int r = read_head(c, in, until);

	if (r == FAIL_TIMEOUT)
		return fail_here(r,
			"the daemon does not answer (it is stopped, hung or overloaded)");
	if (r != 0)
		return r;
	struct head h = parse_head(str_sub(buf_str(&in->bytes), 0, in->head_len));

	if (h.broken)
		return fail_here(FAIL_PROTOCOL, "the daemon's answer is not HTTP");
	*ret_final = h.status != 100;
	if (!*ret_final)
		drop(in, in->head_len);
	return 0;
}

static int
read_reply(struct api_client *c, const struct api_request *q,
	struct incoming *in, struct api_reply *ret)
{
	int r = in->head_len > 0 ? 0 : read_head(c, in, q->deadline_ms);

	if (r == FAIL_TIMEOUT)
		return fail_here(r, "the daemon gave no answer in time");
	if (r != 0)
		return r;
	struct head h = parse_head(str_sub(buf_str(&in->bytes), 0, in->head_len));

	if (h.broken || h.status < 200 || h.length < 0)
		return fail_here(
			FAIL_PROTOCOL, "the daemon's answer is not what it should be");
	r = read_body(c, in, h.length, q->deadline_ms, &ret->body);
	if (r == FAIL_TIMEOUT)
		return fail_here(r, "the daemon's answer did not arrive in time");
	if (r != 0)
		return r;
	ret->status = h.status;
	if (h.closes || c->cut)
		api_client_close(c);
	return 0;
}

static int
ask(struct api_client *c, const struct api_request *q, struct incoming *in,
	struct api_reply *ret)
{
	bool final = false;
	int r = send_head(c, q);

	if (r == 0 && q->proves_alive)
		r = await_interim(c, q, in, &final);
	if (r == 0 && !final && !c->cut) {
		ret->held = q->proves_alive;
		r = send_both(c, q->head, q->body, q->deadline_ms);
	}
	return r == 0 ? read_reply(c, q, in, ret) : r;
}

int
api_client_ask(
	struct api_client *c, const struct api_request *q, struct api_reply *ret)
{
	struct incoming in = {0};

	CHECK(c->fd >= 0);
	c->stopped = false;
	c->cut = false;
	ret->status = 0;
	ret->held = false;
	buf_init(&in.bytes, API_HEAD_BYTES + 32768);
	int r = ask(c, q, &in, ret);

	buf_done(&in.bytes);
	return r == 0 ? 0 : give_up(c, r);
}

/* --- a body without an end -------------------------------------------------- */

/* What comes until it ends; 0 is its end. */
static int
hear(struct api_client *c, const struct api_listener *to)
{
	char part[16384];

	for (;;) {
		short ready = 0;
		int r =
			wait_for(c, POLLIN, io_clock_mono_ms() + to->silence_ms, &ready);

		if (r == FAIL_TIMEOUT)
			return fail_here(r, "the daemon has nothing more to say");
		if (r != 0)
			return r;
		ssize_t n = recv(c->fd, part, sizeof(part), MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0 || !to->heard(to->data, (struct str){part, (size_t)n}))
			return 0;
	}
}

static int
listen_to(struct api_client *c, const struct api_request *q,
	const struct api_listener *to, struct incoming *in, struct api_reply *ret)
{
	int r = send_head(c, q);

	if (r == 0)
		r = read_head(c, in, q->deadline_ms);
	if (r != 0)
		return r;
	struct str all = buf_str(&in->bytes);
	struct head h = parse_head(str_sub(all, 0, in->head_len));

	if (h.broken || h.status != 200)
		return read_reply(c, q, in, ret);
	struct str begun = str_sub(all, in->head_len, all.len);

	ret->status = h.status;
	if (begun.len > 0 && !to->heard(to->data, begun))
		return 0;
	return hear(c, to);
}

int
api_client_listen(struct api_client *c, const struct api_request *q,
	const struct api_listener *to, struct api_reply *ret)
{
	struct incoming in = {0};

	CHECK(c->fd >= 0);
	c->stopped = false;
	c->cut = false;
	ret->status = 0;
	buf_init(&in.bytes, API_HEAD_BYTES + 32768);
	int r = listen_to(c, q, to, &in, ret);

	buf_done(&in.bytes);
	return give_up(c, r);
}
