#ifndef TESTS_CURSOR_SCENE_H
#define TESTS_CURSOR_SCENE_H

/*
 * A scripted gateway and a scripted client of Cursor's agent stream, with the
 * filter between them. The gateway says what a test tells it to say, and keeps
 * what it is told; the client opens streams, appends, and sees what comes.
 * Everything that waits gives up after SCENE_WAIT_MS and ends the program.
 */

#include "proxy/cursor_read.h"
#include "proxy/frame.h"

enum { SCENE_WAIT_MS = 10000, SCENE_BYTES = 80 << 20 };

struct scene;

struct scene_settings {
	const char *judge; /* the program that stands for `assent`, NULL: none */
	int proxy_port;    /* of a filter that runs elsewhere; 0: one in here */
	int gateway_port;  /* 0: any */
	bool strict;
	bool direct;  /* no filter at all (for comparison) */
	bool quiet;   /* what the gateway does not know is answered with nothing */
	bool patient; /* waits for a client for minutes */
};

struct scene *scene_new(const struct scene_settings *settings);
void scene_free(struct scene *s);
/* Only what is on the disk: for a program that ends now, whatever is open. */
void scene_drop(const struct scene *s);
int scene_gateway_port(const struct scene *s);
/* The client connects there from now on. */
void scene_use_port(struct scene *s, int port);
/* A folder of its own: what the judge was asked, and is to answer. */
const char *scene_folder(const struct scene *s);

/* --- the judge ----------------------------------------------------------------- */

/* What is answered about a call; NULL: nothing, until it is told. */
void scene_answer(struct scene *s, const char *call_id, const char *json);
/* Waits until it was asked; the question. */
struct str scene_asked(struct scene *s, const char *call_id, struct buf *room);
/* Waits until so many outcomes were told; all of them, a line each. */
struct str scene_outcomes(struct scene *s, size_t lines, struct buf *room);

/* --- the client ------------------------------------------------------------------ */

struct scene_stream {
	int fd;
	struct buf in;   /* what came over HTTP, not yet taken apart */
	struct buf body; /* the frames in it */
	size_t taken;    /* of these */
	size_t chunk;    /* bytes left of one */
	bool head, over, last;
	int status;
};

void scene_open(struct scene *s, struct scene_stream *st, const char *id);
void scene_close(struct scene_stream *st);
/* The next frame; false when the stream is over. Borrowed until the next. */
bool scene_next(struct scene_stream *st, struct proxy_frame *ret);
/* An append; its HTTP status. coding: "gzip", or NULL. */
int scene_append(struct scene *s, const char *id, int64_t seqno,
	struct str message, const char *coding);
/* Any request; the answer's body in out, its status. headers end in CRLF. */
int scene_request(struct scene *s, const char *path, const char *headers,
	struct str body, struct buf *out);

/* --- the gateway ------------------------------------------------------------------ */

/* Waits for any stream, and says of which run it is. */
void scene_await_stream(struct scene *s, char ret_id[64]);
/* Sends bytes on the stream of a run, as one chunk; waits for it to be open. */
void scene_say_bytes(struct scene *s, const char *id, struct str bytes);
void scene_say(struct scene *s, const char *id, struct str payload);
/* Ends the stream: well (with its end), or as a gateway that dies. */
void scene_end(struct scene *s, const char *id, bool well);
/* Waits until the client's side of the stream is gone. */
void scene_await_left(struct scene *s, const char *id);
/* The message of the append with this number, as the gateway got it. */
struct str scene_await_append(
	struct scene *s, const char *id, int64_t seqno, struct buf *room);
/* gzip. */
void scene_pack(struct str plain, struct buf *out);
/* How many appends it got. */
size_t scene_append_count(struct scene *s, const char *id);
/* The whole body of the last append, as it came. */
struct str scene_last_body(struct scene *s, struct buf *room);
/* What it answers at a path, with this content type and these further headers
 * (each ending in CRLF). */
void scene_serve(
	struct scene *s, const char *path, const char *headers, struct str body);
/* Appends are answered with this status, so many times. */
void scene_refuse_appends(struct scene *s, int status, int times);

#endif
