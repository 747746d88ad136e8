#ifndef JUDGE_REDACT_H
#define JUDGE_REDACT_H

/*
 * Secrets that are recognised, taken out of text before it leaves the machine or
 * is kept: a value becomes a placeholder that says what stood there,
 * "[secret:password]". Only plain values are taken out, never text that a shell
 * would act on: nothing may hide behind a placeholder.
 */

#include "base/buf.h"
#include "call/call.h"

enum judge_text {
	JUDGE_TEXT_PROSE,   /* messages, notes, file contents, data */
	JUDGE_TEXT_COMMAND, /* shell text */
};

/*
 * Adds text to out, redacted. False if it holds a secret that cannot be told
 * apart from what is around it: nothing of out may then be shown or kept.
 */
MUST_USE bool judge_redact(
	struct buf *out, struct str text, enum judge_text kind);

/*
 * Adds the call as one line of JSON, whole and redacted: what a prompt shows and
 * the audit keeps. False and why if that cannot be done.
 */
MUST_USE bool judge_redact_call(
	struct buf *out, const struct call *call, struct str *ret_failure);

#endif
