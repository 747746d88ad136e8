#ifndef PROXY_CURSOR_READ_H
#define PROXY_CURSOR_READ_H

/*
 * What a frame from the server would do, and what may be done with it instead.
 * Pure: bytes in, bytes out.
 */

#include "proxy/cursor.pb-c.h"
#include "proxy/field.h"

static inline struct str
proxy_text(ProtobufCBinaryData d)
{
	return (struct str){(const char *)d.data, d.len};
}

static inline ProtobufCBinaryData
proxy_data(struct str s)
{
	union { /* what is only read is void * in the library */
		const char *from;
		uint8_t *to;
	} bytes = {.from = s.ptr};

	return (ProtobufCBinaryData){s.len, bytes.to};
}

/* --- which member of the stream's message it is ------------------------------- */

enum proxy_server_kind {
	PROXY_SERVER_OTHER,  /* passes */
	PROXY_SERVER_BROKEN, /* no message, or two readers could differ on it */
	PROXY_SERVER_UPDATE,
	PROXY_SERVER_EXEC,
	PROXY_SERVER_CONTROL,
	PROXY_SERVER_KV,
	PROXY_SERVER_QUERY,
};

/* inner: the member's own bytes. */
enum proxy_server_kind proxy_server_read(struct str payload, struct str *inner);

/* --- what would be executed ------------------------------------------------------ */

enum proxy_action_kind {
	PROXY_ACTION_NONE, /* nothing that is held: it passes */
	PROXY_ACTION_BROKEN,
	PROXY_ACTION_SHELL,
	PROXY_ACTION_MCP,
	PROXY_ACTION_RESOURCE,
	PROXY_ACTION_FETCH,
	PROXY_ACTION_UNREVIEWED, /* executes, and has no field for an approval */
};

/* How a call of this kind is answered in the client's place. */
enum proxy_refusal {
	PROXY_REFUSAL_THROW, /* "cannot run this" */
	PROXY_REFUSAL_SHELL_STREAM,
	PROXY_REFUSAL_SHELL,
	PROXY_REFUSAL_SHELL_MINI,
	PROXY_REFUSAL_SPAWN,
	PROXY_REFUSAL_MCP,
	PROXY_REFUSAL_RESOURCE,
	PROXY_REFUSAL_FETCH,
};

struct proxy_action_row {
	const char *name;
	uint32_t outer, number; /* the way to its arguments */
	enum proxy_action_kind kind;
	enum proxy_refusal refusal;
	uint32_t skip, card; /* skip_approval, smart_mode_approval; 0: none */
	const ProtobufCMessageDescriptor *type; /* NULL: not looked into */
};

/* Why a frame is not changed, whatever is decided short of a refusal. */
enum proxy_unchanged {
	PROXY_CHANGED,
	PROXY_UNCHANGED_ASKED,     /* the model asked for the card itself */
	PROXY_UNCHANGED_CONTAINED, /* the client's sandbox holds it */
	PROXY_UNCHANGED_APPROVED,  /* it carries an approval already */
	PROXY_UNCHANGED_PREFLIGHT, /* nothing is run: would it be permitted? */
};

struct proxy_action {
	const struct proxy_action_row *row;
	uint32_t id;
	struct str exec_id, call_id;
	struct str command, cwd, description; /* shell */
	struct str url;                       /* fetch */
	struct str server, tool, uri, target; /* mcp, resource */
	struct buf arguments;                 /* mcp: JSON, or nothing */
	bool sandboxable; /* shell: its policy asks for no way out */
	enum proxy_unchanged unchanged;
	struct str asked_reason;
	/* texts are borrowed from these */
	ProtobufCMessage *message;
	struct buf ids;
};

/*
 * Reads an EXEC or QUERY; payload is the whole message of the stream. NONE and
 * UNREVIEWED need no proxy_action_done, but it does no harm.
 */
enum proxy_action_kind proxy_action_read(
	struct str payload, enum proxy_server_kind kind, struct proxy_action *ret);
void proxy_action_done(struct proxy_action *a);

/* The payload with skip_approval set, or with the card's reason. False when the
 * kind has no such field: it is sent as it is. */
bool proxy_action_allow(
	const struct proxy_action *a, struct str payload, struct buf *out);
bool proxy_action_ask(const struct proxy_action *a, struct str payload,
	struct str reason, struct buf *out);
/* The message of a client that rejects it. */
void proxy_action_refuse(
	const struct proxy_action *a, struct str reason, struct buf *out);

/* Any message of ours, written. */
void proxy_message_print(const ProtobufCMessage *m, struct buf *out);

#endif
