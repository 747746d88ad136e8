#ifndef ADAPTER_CURSOR_H
#define ADAPTER_CURSOR_H

/*
 * The review: a call as the filter in Cursor's stream, or a gateway, puts it
 * (docs/review.md), with what the client knows of its conversation. Its card is
 * the client's own.
 */

#include "adapter/adapter_priv.h"

#define ADAPTER_CURSOR_UNJUDGED                                           \
	"{\"decision\":\"ask\",\"by\":\"failure\",\"reason\":\"assent could " \
	"not be asked, so nobody has judged this call\"}\n"

/* A review or an outcome. */
void adapter_cursor_decode(
	struct adapter_reader *r, const json_t *top, struct adapter_message *m);
/* A review's action. */
void adapter_cursor_input(
	struct adapter_reader *r, const json_t *input, struct call *call);
struct str adapter_cursor_answer(
	struct arena *a, const struct adapter_reply *reply);

#endif
