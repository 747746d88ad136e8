/*
 * Foreign text as it stands in a prompt: redacted, cut, and JSON on one line.
 */

#include "judge/judge_priv.h"

enum { TEXT_BYTES = 20 << 20, RESOURCES_SHOWN = 8 };

bool
judge_is_text(struct str s)
{
	uint32_t code;

	for (size_t i = 0, n; i < s.len; i += n) {
		n = str_utf8(str_sub(s, i, s.len), &code);
		if (n == 0 || code == 0)
			return false;
	}
	return true;
}

/* The byte behind so many characters from byte i on; a byte that is no UTF-8
 * counts as one. */
static size_t
skip_chars(struct str s, size_t i, size_t count)
{
	uint32_t code;

	for (; count > 0 && i < s.len; count--) {
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		i += n > 0 ? n : 1;
	}
	return i;
}

struct str
judge_head(struct str s, size_t chars_max)
{
	return str_sub(s, 0, skip_chars(s, 0, chars_max));
}

static size_t
count_chars(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; n++)
		i = skip_chars(s, i, 1);
	return n;
}

/* Cut in the middle: how a text begins and ends says most. */
static void
add_cut(struct buf *b, struct str s, size_t chars_max)
{
	size_t count = s.len > chars_max ? count_chars(s) : 0;
	size_t head = chars_max - chars_max / 4;

	if (count <= chars_max) {
		buf_add_json(b, s);
		return;
	}
	CLEANUP(buf_done) struct buf cut;
	size_t tail = skip_chars(s, 0, count - chars_max / 4);

	buf_init(&cut, TEXT_BYTES);
	buf_add(&cut, judge_head(s, head));
	buf_addf(&cut, " [... %zu characters cut ...] ", count - chars_max);
	buf_add(&cut, str_sub(s, tail, s.len));
	buf_add_json(b, buf_str(&cut));
}

static bool
add_text(struct buf *b, struct str s, size_t chars_max, enum judge_text kind)
{
	CLEANUP(buf_done) struct buf redacted;

	buf_init(&redacted, TEXT_BYTES);
	if (!judge_redact(&redacted, s, kind)) {
		buf_add_json(b, STR("[secret:text]"));
		return false;
	}
	add_cut(b, buf_str(&redacted), chars_max);
	return true;
}

void
judge_add_text(
	struct buf *b, struct str s, size_t chars_max, enum judge_text kind)
{
	(void)add_text(b, s, chars_max, kind);
}

void
judge_add_action(struct buf *b, struct str action)
{
	enum call_tool tool;

	if (call_tool_from(action, &tool))
		buf_add(b, str_from(call_tool_name(tool)));
	else
		judge_add_text(b, action, JUDGE_RESOURCE_CHARS, JUDGE_TEXT_PROSE);
}

bool
judge_add_resources(
	struct buf *b, struct str action, const struct str *resources, size_t count)
{
	enum judge_text kind = str_eq_fold(action, STR("shell"))
		? JUDGE_TEXT_COMMAND
		: JUDGE_TEXT_PROSE;
	bool all = true;

	for (size_t i = 0; i < count && i < RESOURCES_SHOWN; i++) {
		if (i > 0)
			buf_add(b, STR(", "));
		all &= add_text(b, resources[i], JUDGE_RESOURCE_CHARS, kind);
	}
	if (count > RESOURCES_SHOWN)
		buf_addf(b, " and %zu more", count - RESOURCES_SHOWN);
	if (count == 0)
		buf_add(b, STR("\"\""));
	return all;
}
