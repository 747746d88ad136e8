#include <stdlib.h>
#include <string.h>

#include "card/card.h"
#include "wire/json.h"

/*
 * A call as a person reads it: what it is about in a line, then every argument,
 * whole. A row per tool says which arguments it has; what else stands in the
 * input is shown by its own name, because what is approved is all of it.
 */

enum { TITLE_BYTES = 120 };

struct part {
	const char *label; /* NULL: the text alone */
	size_t offset;     /* of a struct str in struct call */
};

#define PART(label, member)                  \
	{                                        \
		label, offsetof(struct call, member) \
	}
#define END            \
	{                  \
		NULL, SIZE_MAX \
	}

/* title: the argument that names it best */
static const struct {
	const char *verb;
	size_t title;
	struct part parts[5];
} shows[CALL_TOOL_COUNT] = {
	[CALL_TOOL_NONE] = {"call",                SIZE_MAX,                              {END}},
	[CALL_TOOL_SHELL] = {     "run", offsetof(struct call,                              command),
						{PART(NULL, command), END}},
	[CALL_TOOL_READ] = {											  "read", offsetof(struct call,                                 path),
						{PART("file", path), END}},
	[CALL_TOOL_WRITE] = {											   "write", offsetof(struct call,                                 path),
						{PART("file", path), PART("content", content), END}},
	[CALL_TOOL_EDIT] = {                     "edit", offsetof(struct call,                                 path),
						{PART("file", path), END}},
	[CALL_TOOL_DELETE] = {											   "delete", offsetof(struct call,                                 path),
						{PART("file", path), END}},
	[CALL_TOOL_SEARCH] = {											   "search", offsetof(struct call,                              pattern),
						{PART("for", pattern), PART("in", path), END}},
	[CALL_TOOL_LIST] = {						   "list", offsetof(struct call,                                 path),
						{PART("folder", path), PART("pattern", pattern), END}},
	[CALL_TOOL_FETCH] = {                   "fetch", offsetof(struct call,                                  url),
						{PART("url", url), END}},
	[CALL_TOOL_WEB_SEARCH] = {												 "search the web", offsetof(struct call,                                query),
						{PART("for", query), END}},
	[CALL_TOOL_MCP] = {											   "use", offsetof(struct call,                             mcp_tool),
						{PART("server", server), PART("tool", mcp_tool),
			PART("arguments", arguments), END}},
	[CALL_TOOL_AGENT] = {												  "start an agent",             SIZE_MAX,
						{PART("arguments", arguments), END}                              },
	[CALL_TOOL_OTHER] = { "use",           offsetof(struct call, tool_name),
						{PART("tool", tool_name), PART("arguments", arguments), END}},
};

static struct str
text_at(const struct call *call, size_t offset)
{
	struct str s = {0};

	if (offset != SIZE_MAX)
		memcpy(&s, (const char *)call + offset, sizeof(s));
	return s;
}

static void
add_part(struct buf *b, struct str label, struct str value)
{
	if (!value.ptr)
		return;
	if (label.ptr) {
		/* the names of an agent's arguments are its own, too */
		card_clean(b, label, false);
		buf_add_char(b, ':');
		buf_add_char(b, str_has_char(value, '\n') ? '\n' : ' ');
	}
	buf_add(b, value);
	buf_add_char(b, '\n');
}

/* An empty text is not what is absent. */
static bool
same(struct str value, struct str shown)
{
	return shown.ptr && str_eq(value, shown);
}

/* True if the value is among what was shown, or is the agent's description. */
static bool
is_shown(const struct call *call, struct str value)
{
	const struct part *parts = shows[call->tool].parts;

	if (same(value, call->description) || same(value, call->arguments))
		return true;
	for (size_t i = 0; parts[i].offset != SIZE_MAX; i++) {
		if (same(value, text_at(call, parts[i].offset)))
			return true;
	}
	for (size_t i = 0; i < call->more_path_count; i++) {
		if (same(value, call->more_paths[i]))
			return true;
	}
	return false;
}

static void
add_value(struct buf *b, const char *name, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text)
		add_part(b, str_from(name), str_from(text));
	else
		b->full = true; /* not shown whole is not shown */
	free(text);
}

/* The members of the input that no part has shown. */
static void
add_rest(struct buf *b, const struct call *call)
{
	struct wire_json_error error;
	WIRE_JSON json_t *j =
		call->input.len > 0 ? wire_json_parse(call->input, &error) : NULL;
	const char *name;
	json_t *value;

	if (same(call->input, call->arguments))
		return;
	if (!json_is_object(j)) {
		if (!is_shown(call, call->input))
			add_part(b, STR("input"), call->input);
		return;
	}
	json_object_foreach (j, name, value) {
		struct str text = wire_json_text(value);

		if (text.ptr && !is_shown(call, text))
			add_part(b, str_from(name), text);
		else if (!text.ptr)
			add_value(b, name, value);
	}
}

static void
add_title(struct buf *b, const struct call *call)
{
	struct str rest, line;
	struct str about = str_trim(text_at(call, shows[call->tool].title));

	line = str_trim(str_cut(about, '\n', &rest));
	/* never in the middle of a character */
	size_t end = line.len > TITLE_BYTES ? TITLE_BYTES : line.len;

	while (end > 0 && end < line.len
		&& ((unsigned char)line.ptr[end] & 0xc0) == 0x80)
		end--;
	buf_addf(b, "%s%s", shows[call->tool].verb, about.len > 0 ? " " : "");
	buf_add(b, str_sub(line, 0, end));
	if (end < line.len || rest.ptr)
		buf_add(b, STR(" ..."));
}

void
card_show(const struct call *call, struct buf *ret_title, struct buf *ret_text)
{
	CHECK(call->tool < CALL_TOOL_COUNT);
	const struct part *parts = shows[call->tool].parts;

	for (size_t i = 0; parts[i].offset != SIZE_MAX; i++)
		add_part(
			ret_text, str_from(parts[i].label), text_at(call, parts[i].offset));
	for (size_t i = 0; i < call->more_path_count; i++)
		add_part(ret_text, STR("file"), call->more_paths[i]);
	add_rest(ret_text, call);
	if (call->malformed)
		add_part(ret_text, STR("not understood"),
			call->malformed_why.ptr ? call->malformed_why
									: STR("an argument is missing or odd"));
	add_title(ret_title, call);
}
