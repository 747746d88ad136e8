#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"
#include "judge/redact.h"
#include "wire/json.h"
#include "wire/sha256.h"

/*
 * What the audit keeps of a call's words: all of it, redacted, when it is not
 * long; else each long text's beginning; nothing where a secret cannot be told
 * apart from what is around it. The digest of the exact bytes is always kept.
 */

enum {
	SHOWN_BYTES = 1 << 20,
	KEPT_BYTES = 15 << 10, /* of one row; the store takes a little more */
	HEAD_BYTES = 1 << 10,  /* of a long text */
};

static const char too_long[] = "too long to keep";

/* The begin of s, not within a character. */
static struct str
head_of(struct str s)
{
	size_t n = HEAD_BYTES;

	while (n > 0 && ((unsigned char)s.ptr[n] & 0xc0) == 0x80)
		n--;
	return str_sub(s, 0, n);
}

static json_t *
cut_text(struct str s)
{
	CLEANUP(buf_done) struct buf cut;
	struct str head = head_of(s);

	buf_init(&cut, KEPT_BYTES);
	buf_add(&cut, head);
	buf_addf(&cut, "... (%zu bytes more)", s.len - head.len);
	return json_stringn(cut.ptr, cut.len);
}

/* Long texts in j are cut, wherever they are. */
// NOLINTNEXTLINE(misc-no-recursion): the reader bounds the depth
static void
cut_long(json_t *j)
{
	const char *name;
	json_t *value;
	size_t i;

	json_object_foreach (j, name, value) {
		if (json_string_length(value) > HEAD_BYTES)
			(void)json_object_set_new(j, name, cut_text(wire_json_text(value)));
		else
			cut_long(value);
	}
	json_array_foreach (j, i, value) {
		if (json_string_length(value) > HEAD_BYTES)
			(void)json_array_set_new(j, i, cut_text(wire_json_text(value)));
		else
			cut_long(value);
	}
}

/* The long texts in b are cut; false when it is too long all the same. */
static bool
shorten(struct buf *b)
{
	struct wire_json_error e;
	WIRE_JSON json_t *j = wire_json_parse(buf_str(b), &e);

	if (!j)
		return false;
	cut_long(j);
	char *line = json_dumps(j, JSON_COMPACT);

	buf_clear(b);
	buf_add(b, str_from(line));
	free(line);
	return b->len > 0 && b->len <= KEPT_BYTES;
}

static void
shown_whole(struct decide_kept *k)
{
	k->redacted = str_has(buf_str(&k->call), STR("[secret:"));
	k->plain = !k->redacted;
	if (k->call.len <= KEPT_BYTES)
		return;
	k->cut = shorten(&k->call);
	if (!k->cut)
		k->omitted = str_from(too_long);
}

void
decide_kept_of(const struct call *c, struct decide_kept *ret)
{
	memset(ret, 0, sizeof(*ret));
	buf_init(&ret->call, SHOWN_BYTES);
	if (!c)
		return;
	wire_sha256_text(c->input, ret->input_digest);
	if (judge_redact_call(&ret->call, c, &ret->omitted))
		shown_whole(ret);
	if (ret->omitted.ptr)
		buf_clear(&ret->call);
}

void
decide_kept_done(struct decide_kept *k)
{
	buf_done(&k->call);
}

void
decide_kept_fill(const struct decide_kept *k, struct store_audit *row)
{
	if (k->input_digest[0])
		row->input_digest = str_from(k->input_digest);
	if (k->call.len > 0)
		row->call = buf_str(&k->call);
	row->redacted = k->redacted;
	row->cut = k->cut;
	row->omitted = k->omitted;
}
