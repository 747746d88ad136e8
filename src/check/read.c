/*
 * A batch line's members. What each tool takes is a table.
 */

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/limits.h"
#include "check/check_priv.h"
#include "wire/json.h"

void
check_fault(struct check_reader *r, const char *fmt, ...)
{
	char text[256];
	va_list args;

	if (r->error.ptr)
		return;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	r->error = arena_dup(r->a, str_from(text));
}

json_t *
check_member(const json_t *obj, const char *key)
{
	json_t *v = wire_json_get(obj, key);

	return json_is_null(v) ? NULL : v;
}

void
check_text(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, struct str *ret)
{
	const json_t *v = check_member(obj, key);

	if (json_is_string(v))
		*ret = wire_json_text(v);
	else if (v)
		check_fault(r, "%s%s is no text", where, key);
}

void
check_bool(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, bool *ret)
{
	const json_t *v = check_member(obj, key);

	if (json_is_boolean(v))
		*ret = json_is_true(v);
	else if (v)
		check_fault(r, "%s%s is neither true nor false", where, key);
}

static bool
is_folder(struct str s)
{
	return s.len > 0 && s.ptr[0] == '/' && s.len <= LIMIT_PATH_BYTES;
}

void
check_folder(struct check_reader *r, const json_t *obj, const char *where,
	const char *key, struct str *ret)
{
	struct str s = {0};

	check_text(r, obj, where, key, &s);
	if (s.ptr && is_folder(s))
		*ret = s;
	else if (s.ptr)
		check_fault(r, "%s%s is no absolute path", where, key);
}

void
check_texts(struct check_reader *r, const json_t *obj, const char *key,
	struct str **ret, size_t *ret_count)
{
	const json_t *v = check_member(obj, key);
	size_t n = json_array_size(v);

	if (!v)
		return;
	if (!json_is_array(v)) {
		check_fault(r, "%s is no list", key);
		return;
	}
	*ret = ARENA_ARRAY(r->a, n, struct str);
	*ret_count = n;
	for (size_t i = 0; i < n; i++) {
		(*ret)[i] = wire_json_text(json_array_get(v, i));
		if (!(*ret)[i].ptr)
			check_fault(r, "%s holds something that is no text", key);
	}
}

json_t *
check_object(struct check_reader *r, const json_t *obj, const char *where,
	const char *key)
{
	json_t *v = check_member(obj, key);

	if (v && !json_is_object(v)) {
		check_fault(r, "%s%s is no object", where, key);
		return NULL;
	}
	return v;
}

/* --- the input of each tool ------------------------------------------------ */

struct field {
	const char *key;
	size_t offset; /* of a struct str in struct call */
	enum call_tool tool;
	bool required;
};

#define FIELD(tool, key, member, required)                             \
	{                                                                  \
		key, offsetof(struct call, member), CALL_TOOL_##tool, required \
	}

static const struct field fields[] = {
	FIELD(SHELL, "command", command, true),
	FIELD(SHELL, "description", description, false),
	FIELD(READ, "path", path, true),
	FIELD(WRITE, "path", path, true),
	FIELD(WRITE, "content", content, false),
	FIELD(EDIT, "path", path, false),
	FIELD(EDIT, "content", content, false),
	FIELD(EDIT, "patch", content, false),
	FIELD(DELETE, "path", path, true),
	FIELD(SEARCH, "path", path, false),
	FIELD(SEARCH, "pattern", pattern, false),
	FIELD(LIST, "path", path, false),
	FIELD(LIST, "pattern", pattern, false),
	FIELD(FETCH, "url", url, true),
	FIELD(WEB_SEARCH, "query", query, true),
	FIELD(MCP, "server", server, true),
	FIELD(MCP, "tool", mcp_tool, true),
};

static void
read_fields(struct check_reader *r, const json_t *input, struct call *c)
{
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const struct field *f = &fields[i];
		struct str value = {0};

		if (f->tool != c->tool)
			continue;
		check_text(r, input, "input.", f->key, &value);
		if (!value.ptr && f->required)
			check_fault(r, "input.%s is missing", f->key);
		if (value.ptr)
			*(struct str *)(void *)((char *)c + f->offset) = value;
	}
}

static void
read_mcp(struct check_reader *r, const json_t *input, struct call *c)
{
	const json_t *notes = check_object(r, input, "input.", "annotations");

	check_bool(r, notes, "annotations.", "readOnlyHint", &c->mcp_read_only);
	check_bool(r, input, "input.", "trusted", &c->mcp_trusted);
	if (check_member(input, "arguments"))
		c->arguments = wire_json_print(r->a, check_member(input, "arguments"));
}

static void
read_input(struct check_reader *r, const json_t *line, struct call *c)
{
	const json_t *input = check_object(r, line, "", "input");

	if (!input) {
		check_fault(r, "input is missing");
		return;
	}
	read_fields(r, input, c);
	check_texts(r, input, "paths", &c->more_paths, &c->more_path_count);
	/* a patch says itself which files it changes */
	if (c->tool == CALL_TOOL_EDIT && !c->path.ptr && c->more_path_count == 0
		&& !check_member(input, "patch"))
		check_fault(r, "input.path is missing");
	c->input = wire_json_print(r->a, input);
	if (c->tool == CALL_TOOL_MCP)
		read_mcp(r, input, c);
	else if (c->tool == CALL_TOOL_AGENT || c->tool == CALL_TOOL_OTHER)
		c->arguments = c->input;
}

/* The name that an agent would use, if the line gives none. */
static struct str
name_of_tool(struct arena *a, const struct call *c)
{
	if (c->tool == CALL_TOOL_MCP)
		return arena_fmt(
			a, "mcp__%.*s__%.*s", STR_ARG(c->server), STR_ARG(c->mcp_tool));
	return str_from(call_tool_name(c->tool));
}

static void
read_call(struct check_reader *r, const json_t *line, struct call *c)
{
	struct str tool = {0}, dialect = {0};

	check_text(r, line, "", "tool", &tool);
	if (!tool.ptr)
		check_fault(r, "tool is missing");
	else if (!call_tool_from(tool, &c->tool))
		check_fault(r, "there is no tool of this name");
	check_text(r, line, "", "tool_name", &c->tool_name);
	check_text(r, line, "", "dialect", &dialect);
	if (dialect.ptr && !call_dialect_from(dialect, &c->dialect))
		check_fault(r, "there is no dialect of this name");
	check_folder(r, line, "", "cwd", &c->cwd);
	check_texts(r, line, "roots", &c->roots, &c->root_count);
	for (size_t i = 0; i < c->root_count; i++) {
		if (!is_folder(c->roots[i]))
			check_fault(r, "roots holds something that is no absolute path");
	}
	if (r->error.ptr)
		return;
	read_input(r, line, c);
	if (!c->tool_name.ptr)
		c->tool_name = name_of_tool(r->a, c);
}

void
check_request_init(struct arena *a, struct check_request *ret)
{
	*ret = (struct check_request){
		.id = STR("null"),
		.call =
			{
				   .agent = STR("claude-code"),
				   .input_closed = true,
				   .cwd = STR("/home/dev/proj"),
				   .roots = ARENA_NEW(a, struct str),
				   .root_count = 1,
				   },
		.world =
			{
				   .home = STR("/home/dev"),
				   .user = STR("dev"),
				   .assumed = true,
				   },
	};
	ret->call.roots[0] = STR("/home/dev/proj");
}

bool
check_request_from(struct arena *a, const json_t *line,
	struct check_request *ret, struct str *reterr)
{
	struct check_reader r = {.a = a};

	check_request_init(a, ret);
	if (!json_is_object(line)) {
		*reterr = STR("the line is no JSON object");
		return false;
	}
	if (wire_json_get(line, "id"))
		ret->id = wire_json_print(a, wire_json_get(line, "id"));
	check_world_from(&r, check_object(&r, line, "", "world"), ret);
	read_call(&r, line, &ret->call);
	check_context_from(&r, check_object(&r, line, "", "context"), ret);
	if (r.error.ptr)
		*reterr = r.error;
	return !r.error.ptr;
}
