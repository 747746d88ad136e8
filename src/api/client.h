#ifndef API_CLIENT_H
#define API_CLIENT_H

/*
 * The client's end of the daemon's protocol: one Unix socket, HTTP/1.1, our own
 * daemon only. It reads no more of HTTP than that daemon writes (a status, a
 * length, that many bytes) and takes everything else for a broken answer, so
 * that half an answer is never taken for one.
 */

#include "base/buf.h"
#include "base/fail.h"

enum {
	API_SILENCE_MS = 2000, /* no interim answer: stopped or hung (DESIGN 5a) */
	API_FRESH_MS = 10000,  /* ...of a daemon that is still being started */
	API_CONNECT_MS = 2000,
	API_HEAD_BYTES = 16 << 10, /* status line and header fields of a reply */
	API_SOCKET_PATH_MAX = 107, /* what sockaddr_un holds, without its NUL */
};

struct api_client {
	int fd;       /* -1: closed */
	int stop_fd;  /* readable: give up; -1: none */
	int peer_fd;  /* somebody to answer to; closed at its other end: give up */
	bool stopped; /* gave up because of one of them */
	bool cut;     /* the request was not sent to its end */
	bool fresh;   /* the peer is still the one that starts the daemon */
};

struct api_request {
	const char *method; /* "GET" */
	const char *path;   /* "/v1/cards" */
	struct str head;    /* the body is head, then body; both may be empty */
	struct str body;
	bool proves_alive;   /* Expect: 100-continue, and no longer than that */
	int64_t deadline_ms; /* io_clock_mono_ms; the reply is whole by then */
};

struct api_reply {
	int status;      /* 200 */
	struct buf body; /* made by the caller with its maximum */
	bool held;       /* an interim answer came: the request was taken */
};

/* Closed, and watching nothing. */
#define API_CLIENT_NONE \
	((struct api_client){.fd = -1, .stop_fd = -1, .peer_fd = -1})

/*
 * Connects to the daemon and makes sure that it is this user's. FAIL_ABSENT:
 * nobody listens there. FAIL_DENIED: another user's. FAIL_LIMIT: the path is
 * longer than a socket's may be. FAIL_TIMEOUT: it does not take connections.
 */
MUST_USE int api_client_open(struct api_client *c, const char *path);
void api_client_close(struct api_client *c); /* may be closed already */

/*
 * Sends the request and reads the whole reply. FAIL_TIMEOUT: silent, or too
 * late. FAIL_IO: the connection was lost before the reply was whole.
 * FAIL_PROTOCOL, FAIL_LIMIT: not an answer that our daemon would write. After
 * any failure the connection is closed; c->stopped says whether that was why.
 */
MUST_USE int api_client_ask(
	struct api_client *c, const struct api_request *q, struct api_reply *ret);

/* Who is told of a body that has no end. */
struct api_listener {
	/* bytes as they come; false ends the listening */
	bool (*heard)(void *data, struct str bytes);
	void *data;
	int64_t silence_ms; /* without a byte for this long: FAIL_TIMEOUT */
};

/*
 * Asks for a body that has no end, and hands it on as it comes. 0: the listener
 * ended it, or the daemon did; or the status is not 200, and ret holds the
 * answer. The connection is closed then.
 */
MUST_USE int api_client_listen(struct api_client *c,
	const struct api_request *q, const struct api_listener *to,
	struct api_reply *ret);

#endif
