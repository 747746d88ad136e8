#ifndef DAEMON_HTTP_PRIV_H
#define DAEMON_HTTP_PRIV_H

/*
 * What http.c (connections, the loop) and request.c (one request's life) share.
 */

#include <microhttpd.h>

#include "daemon/http.h"

enum { DAEMON_HTTP_SLOTS = 1 << 15 }; /* more than there are connections */

struct daemon_http {
	struct daemon *daemon;
	uv_loop_t *loop;
	const struct daemon_route *routes;
	struct MHD_Daemon *mhd;
	int listen_fd;
	bool door_open; /* new connections are taken now */
	bool door_shut; /* and never again */
	size_t connections, connections_max;
	size_t crowd;  /* half of the most there were lately */
	size_t bodies; /* bytes of all bodies in memory */
	size_t open;   /* requests whose answer is not out */
	unsigned strangers;
	bool resumed; /* the library has something to do at once */

	uv_poll_t door, ready;
	uv_timer_t timer, watch_timer;
	int handles; /* of the loop, that still have to be closed */

	struct daemon_request *parked; /* those that are not watched yet */
	uint64_t counter;
	uint32_t next_slot;
	struct daemon_request *slots[DAEMON_HTTP_SLOTS];
};

/* The library's calls: something of a request came in; it is over. */
enum MHD_Result daemon_http_on_request(void *cls, struct MHD_Connection *c,
	const char *url, const char *method, const char *version, const char *bytes,
	size_t *count, void **request);
void daemon_http_on_completed(void *cls, struct MHD_Connection *c,
	void **request, enum MHD_RequestTerminationCode how);
/* Watches those that have been parked for a while. */
void daemon_http_watch_parked(struct daemon_http *h);

#endif
