#include <string.h>

#include "card/card.h"

/*
 * A call as a person reads it: what it is about in a line, then every argument,
 * whole. A row per tool says which arguments it has.
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
	[CALL_TOOL_NONE] = {"call",                SIZE_MAX,                              {PART(NULL, input), END}},
	[CALL_TOOL_SHELL] = {     "run", offsetof(struct call,                              command),
						{PART(NULL, command), END}},
	[CALL_TOOL_READ] = {																 "read", offsetof(struct call,                                 path),
						{PART("file", path), END}},
	[CALL_TOOL_WRITE] = {																  "write", offsetof(struct call,                                 path),
						{PART("file", path), PART("content", content), END}},
	[CALL_TOOL_EDIT] = {										"edit", offsetof(struct call,                                 path),
						{PART("file", path), PART("input", input), END}},
	[CALL_TOOL_DELETE] = {											"delete", offsetof(struct call,                                 path),
						{PART("file", path), END}},
	[CALL_TOOL_SEARCH] = {																  "search", offsetof(struct call,                              pattern),
						{PART("for", pattern), PART("in", path), END}},
	[CALL_TOOL_LIST] = {											  "list", offsetof(struct call,                                 path),
						{PART("folder", path), PART("pattern", pattern), END}},
	[CALL_TOOL_FETCH] = {									  "fetch", offsetof(struct call,                                  url),
						{PART("url", url), PART("input", input), END}},
	[CALL_TOOL_WEB_SEARCH] = {											  "search the web", offsetof(struct call,                                query),
						{PART("for", query), END}},
	[CALL_TOOL_MCP] = {																  "use", offsetof(struct call,                             mcp_tool),
						{PART("server", server), PART("tool", mcp_tool),
			PART("arguments", arguments), END}},
	[CALL_TOOL_AGENT] = {																	 "start an agent",             SIZE_MAX,
						{PART("arguments", arguments), END}												 },
	[CALL_TOOL_OTHER] = { "use",           offsetof(struct call, tool_name),
						{PART("tool", tool_name), PART("arguments", arguments), END}},
};

static struct str
text_at(const struct call *call, size_t offset)
{
	const struct str *s = (const void *)((const char *)call + offset);

	return offset == SIZE_MAX ? (struct str){0} : *s;
}

/* Not by printf: what stands behind a NUL must be seen, too. */
static struct str
join(struct arena *a, const struct str *parts, size_t count)
{
	size_t len = 0, at = 0;

	for (size_t i = 0; i < count; i++)
		len += parts[i].len;
	char *text = arena_alloc(a, len + 1);

	for (size_t i = 0; i < count; i++) {
		if (parts[i].len > 0)
			memcpy(text + at, parts[i].ptr, parts[i].len);
		at += parts[i].len;
	}
	return (struct str){text, len};
}

static struct str
add_part(struct arena *a, struct str text, const char *label, struct str value)
{
	bool lines = str_has_char(value, '\n');
	const struct str parts[] = {
		text,
		str_from(label),
		!label      ? STR("")
			: lines ? STR(":\n")
					: STR(": "),
		value,
		STR("\n"),
	};

	return value.ptr ? join(a, parts, ARRAY_LEN(parts)) : text;
}

static struct str
make_title(struct arena *a, const struct call *call)
{
	const char *verb = shows[call->tool].verb;
	struct str rest, line;
	struct str about = str_trim(text_at(call, shows[call->tool].title));

	line = str_trim(str_cut(about, '\n', &rest));
	/* never in the middle of a character */
	size_t end = line.len > TITLE_BYTES ? TITLE_BYTES : line.len;

	while (end > 0 && end < line.len
		&& ((unsigned char)line.ptr[end] & 0xc0) == 0x80)
		end--;
	bool whole = end == line.len && !rest.ptr;

	if (about.len == 0)
		return arena_fmt(a, "%s", verb);
	return arena_fmt(
		a, "%s %.*s%s", verb, (int)end, line.ptr, whole ? "" : " ...");
}

void
card_show(struct arena *a, const struct call *call, struct str *ret_title,
	struct str *ret_text)
{
	CHECK(call->tool < CALL_TOOL_COUNT);
	const struct part *parts = shows[call->tool].parts;
	struct str text = STR("");

	for (size_t i = 0; parts[i].offset != SIZE_MAX; i++)
		text =
			add_part(a, text, parts[i].label, text_at(call, parts[i].offset));
	for (size_t i = 0; i < call->more_path_count; i++)
		text = add_part(a, text, "file", call->more_paths[i]);
	/* nothing was recognised: then the bytes themselves */
	if (text.len == 0)
		text = add_part(a, text, NULL, call->input);
	if (call->malformed)
		text = add_part(a, text, "not understood",
			call->malformed_why.ptr ? call->malformed_why
									: STR("an argument is missing or odd"));
	*ret_title = make_title(a, call);
	*ret_text = text;
}
