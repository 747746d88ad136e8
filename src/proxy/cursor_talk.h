#ifndef PROXY_CURSOR_TALK_H
#define PROXY_CURSOR_TALK_H

/*
 * One conversation: what cursor_state.c keeps of it. Lists are kept as the JSON
 * in which they are handed on.
 */

#include "proxy/cursor_state.h"

struct proxy_talk_text {
	struct buf text; /* as JSON, with its quotes */
	struct buf blob; /* the id of what holds the text, while it is waited for */
};

struct proxy_talk_tool {
	struct proxy_talk_tool *next;
	char *server, *name, *about, *annotations; /* one block */
	char bytes[];
};

struct proxy_talk {
	struct proxy_talk *next;
	struct proxy_state *state;
	struct buf id;
	uint64_t used; /* the state's count when it was last heard of */
	size_t runs;   /* that speak of it */
	size_t bytes;  /* counted in the state's sum */

	bool seen; /* a context was */
	bool on, sandbox;
	bool too_large; /* its lists are, and cannot be shown whole */
	struct buf roots, allows, blocks; /* elements with commas between */
	struct proxy_talk_text messages[PROXY_TALK_MESSAGES];
	size_t message_count;
	struct buf reply;
	bool reply_over; /* what comes next begins another one */
	struct proxy_talk_tool *tools;
	size_t tool_count;
};

/* Finds or makes it, and notes that it was heard of. NULL: no memory. */
struct proxy_talk *proxy_talk_get(struct proxy_state *s, struct str id);
void proxy_talk_ref(struct proxy_talk *t);
void proxy_talk_unref(struct proxy_talk *t); /* NULL is fine */
/* After every change: counts its bytes, forgets others when there are too many. */
void proxy_talk_changed(struct proxy_talk *t);

void proxy_talk_context(
	struct proxy_talk *t, const Proxy__Cursor__RequestContext *c);
void proxy_talk_tool(struct proxy_talk *t, const Proxy__Cursor__McpTool *m);
void proxy_talk_meta(
	struct proxy_talk *t, const Proxy__Cursor__McpMetaTools *m);
/* The user's own words; true when they are elsewhere, in the blob. */
MUST_USE bool proxy_talk_message(
	struct proxy_talk *t, const Proxy__Cursor__UserMessage *m);
/* A blob that was waited for. */
void proxy_talk_message_blob(
	struct proxy_talk *t, struct str id, struct str text);
void proxy_talk_reply(struct proxy_talk *t, struct str text);

#endif
