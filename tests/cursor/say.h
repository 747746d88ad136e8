#ifndef TESTS_CURSOR_SAY_H
#define TESTS_CURSOR_SAY_H

/*
 * Messages of both sides, made for tests. All take the buffer that they write,
 * and return what is in it.
 */

#include "proxy/cursor_read.h"

/* What a client knows of its conversation. NULL and 0: not said. */
struct say_context {
	bool none;         /* no context at all */
	bool off, sandbox; /* else Auto-review is on */
	const char *root;
	const char *allow, *block;                 /* the user's */
	const char *project_allow, *project_block; /* the project's */
	const char *admin_block;
	bool parts; /* by reference */
	const char *mcps_blob;
};

struct str say_run(struct buf *out, const char *talk, const char *model,
	const char *text, const struct say_context *c);
struct str say_message(
	struct buf *out, const char *text, const struct say_context *c);
struct str say_resume(struct buf *out, const char *talk, const char *model);
struct str say_cancel(struct buf *out);
struct str say_heartbeat(struct buf *out);
struct str say_context_result(
	struct buf *out, uint32_t id, const struct say_context *c);
struct str say_blob_result(struct buf *out, uint32_t id, struct str blob);
/* The client's result of a streamed shell: ran, or rejected for a reason. */
struct str say_shell_result(struct buf *out, uint32_t id, const char *reason);
struct str say_fetch_response(struct buf *out, uint32_t id, const char *reason);

/* From the server. */
struct str say_shell(
	struct buf *out, uint32_t id, const char *call_id, const char *command);
struct say_shell_more {
	uint32_t member; /* 14 when 0 */
	bool skip, hook, network;
	const char *card; /* its reason */
	const char *cwd;  /* "/proj" when NULL */
};
struct str say_shell_with(struct buf *out, uint32_t id, const char *call_id,
	const char *command, const struct say_shell_more *more);
/* Its one argument: {"text": "hello"}. */
struct str say_mcp(struct buf *out, uint32_t id, const char *call_id,
	const char *server, const char *tool);
struct str say_fetch(
	struct buf *out, uint32_t id, const char *call_id, const char *url);
struct str say_other(struct buf *out, uint32_t id, uint32_t member);
/* Any exec with these arguments. */
struct str say_exec(
	struct buf *out, uint32_t id, uint32_t member, struct str args);
struct str say_text(struct buf *out, const char *text);
struct str say_tool_started(struct buf *out);
struct str say_partial(struct buf *out, const char *call_id, const char *json);
struct str say_abort(struct buf *out, uint32_t id);
struct str say_get_blob(struct buf *out, uint32_t id, const char *blob_id);
struct str say_beat(struct buf *out);
struct str say_turn_ended(struct buf *out);
/* Asks the client for its context. */
struct str say_context_query(struct buf *out, uint32_t id);

#endif
