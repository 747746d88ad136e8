#ifndef PROXY_CURSOR_PRIV_H
#define PROXY_CURSOR_PRIV_H

/*
 * What the files of the Cursor filter share: a passage is one request of the
 * client on its way to the gateway, and the answer on its way back; a run is
 * all that has one request id: its stream, and the appends beside it.
 */

#include "proxy/ask.h"
#include "proxy/cursor.h"
#include "proxy/cursor_state.h"
#include "proxy/fetch.h"
#include "proxy/frame.h"
#include "proxy/gate.h"
#include "proxy/http.h"

struct proxy_passage;
struct proxy_run;

enum {
	PROXY_RUNS_MAX = 8192,
	PROXY_RUN_BUCKETS = 4096,
	PROXY_RUN_IDLE_MS = 120000,  /* kept so long without a stream */
	PROXY_HELD_BYTES = 64 << 20, /* of frames that are held, in one run */
	PROXY_SHOWN_MAX = 64, /* calls whose outcome is waited for, in one run */
};

/* What is done for requests of a path. */
struct proxy_route {
	const char *path; /* without the query; NULL: any other */
	/* The request is there, nothing was sent yet. It is sent on, or answered.
	 * NULL: it is sent on as it is. */
	void (*request)(struct proxy_passage *p);
	/* The answer's beginning, a part, its end. NULL: they pass. */
	void (*begun)(struct proxy_passage *p, unsigned status,
		const struct proxy_headers *headers, int64_t length);
	void (*part)(struct proxy_passage *p, struct str bytes);
	void (*ended)(struct proxy_passage *p, bool ok);
	/* Nothing can be sent to the client any more. */
	void (*over)(struct proxy_passage *p);
	/* The passage is freed: what it owns. */
	void (*freed)(struct proxy_passage *p);
};

struct proxy_passage {
	struct proxy_cursor *proxy;
	const struct proxy_route *route;
	struct proxy_exchange *x;      /* NULL: over */
	struct proxy_fetch_call *call; /* NULL: not begun, or ended */
	bool paused;                   /* the client does not take what comes */
	struct proxy_run *run;         /* of a stream */
	void *data;                    /* the route's own */
};

struct proxy_cursor {
	uv_loop_t *loop;
	struct proxy_cursor_settings settings;
	struct proxy_http *http;
	struct proxy_fetch *fetch;
	struct proxy_asker *asker;
	struct proxy_state *state;
	struct proxy_run *runs[PROXY_RUN_BUCKETS];
	size_t run_count;
	uv_timer_t sweep;
	int handles;
	bool stopping;
};

/* Sends the request on, with this body in the place of its own. */
void proxy_passage_send(struct proxy_passage *p, struct str body);

/* --- runs (cursor_run.c) ------------------------------------------------------- */

/* A frame that is held, until it is released or dropped. */
struct proxy_held {
	struct proxy_held *next;
	struct proxy_run *run;
	uint64_t ticket;
	struct buf whole;   /* as it came, for when it is sent unchanged */
	struct buf payload; /* what is read and changed */
	struct proxy_action action;
	struct proxy_ask *ask;
};

/* A call that the client shows, or runs: what came of it is told. */
struct proxy_shown {
	uint32_t id;
	bool query, used;
	char call_id[128];
};

struct proxy_run {
	struct proxy_run *next; /* in the bucket */
	struct proxy_cursor *proxy;
	struct buf id;
	struct proxy_run_state *state;
	struct proxy_passage *stream; /* NULL: none is open */
	struct proxy_frames frames;   /* of the stream */
	struct proxy_gate gate;
	struct proxy_held *held;
	size_t held_bytes;
	struct proxy_shown *shown; /* PROXY_SHOWN_MAX, or NULL */
	size_t next_shown;
	/* what our own appends did to the client's numbers */
	int64_t highest;   /* that the client used, -1 = none */
	int64_t *inserted; /* the client's numbers before which one of ours came */
	size_t inserted_count;
	struct proxy_headers append_headers; /* of the client's, for our own */
	size_t rejecting;                    /* appends of ours that are out */
	int64_t idle_ms;                     /* since when there is no stream */
};

/* Finds or makes it. NULL: no memory, or too many. */
struct proxy_run *proxy_run_get(struct proxy_cursor *c, struct str request_id);
struct proxy_run *proxy_run_find(
	const struct proxy_cursor *c, struct str request_id);
void proxy_runs_sweep(struct proxy_cursor *c, int64_t now_ms);
void proxy_runs_free(struct proxy_cursor *c);

/* What a client's append means for what is held. */
void proxy_run_interrupt(struct proxy_run *r, enum proxy_gate_event event);
/* Ends the stream with an error, in words of ours. */
void proxy_run_break(struct proxy_run *r, const char *why);
/* A frame of the stream, or its end; what may leave goes to the client. */
void proxy_run_frame(struct proxy_run *r, const struct proxy_frame *f);
/* Rejects a call in the client's place. */
void proxy_run_refuse(
	struct proxy_run *r, const struct proxy_action *a, struct str reason);
/* Notes that the client has a call, and says later what came of it. */
void proxy_run_show(struct proxy_run *r, const struct proxy_action *a);
void proxy_run_tell_outcome(struct proxy_run *r, uint32_t id, bool query,
	const char *outcome, struct str reason);
/* The number that the gateway knows a client's append by. */
int64_t proxy_run_seqno(const struct proxy_run *r, int64_t seqno);

/* gzip, as far as it is read. False for what is none, or over max. */
MUST_USE bool proxy_inflate(struct str bytes, size_t max, struct buf *out);

enum { PROXY_ROUTES_WHOLE = 3 };

extern const struct proxy_route proxy_route_stream, proxy_route_run,
	proxy_route_poll;                               /* cursor_stream.c */
extern const struct proxy_route proxy_route_append; /* cursor_append.c */
extern const struct proxy_route proxy_routes_whole[PROXY_ROUTES_WHOLE];

#endif
