#include "import/import_priv.h"
#include "wire/json.h"

/*
 * permissions.allow, ask and deny of Claude Code's settings.json: "Tool" or
 * "Tool(what)". With it a deny goes before an ask, and that before an allow,
 * wherever they stand.
 */

/* What a tool's name means here. */
enum kind { SHELL, READ, EDIT, UNREAD, FETCH, SEARCH, AGENT };

static const struct {
	const char *name;
	enum kind kind;
	const char *all; /* our name for every call of it */
} tools[] = {
	{"Bash",         SHELL,  "shell"     },
	{"Read",         READ,   "read"      },
	{"Edit",         EDIT,   "edit"      },
 /* a path of these is accepted there and never looked at */
	{"Write",        UNREAD, "write"     },
	{"MultiEdit",    UNREAD, "edit"      },
	{"NotebookEdit", UNREAD, "edit"      },
	{"Glob",         UNREAD, "list"      },
	{"Grep",         UNREAD, "search"    },
	{"LS",		   UNREAD, "list"      },
	{"WebFetch",     FETCH,  "fetch"     },
	{"WebSearch",    SEARCH, "web_search"},
	{"Task",         AGENT,  "agent"     },
	{"Agent",        AGENT,  "agent"     },
};

static void
add_bash(const struct import_entry *e, struct str what)
{
	/* the older way to write " *" */
	if (str_ends(what, STR(":*")))
		what = arena_fmt(
			e->im->a, "%.*s *", STR_ARG(str_sub(what, 0, what.len - 2)));
	import_shell(e, what);
}

static void
add_fetch(const struct import_entry *e, struct str what)
{
	if (str_starts(what, STR("domain:")))
		import_host(e, str_sub(what, 7, what.len));
	else
		import_leave(e->im, e->source, "only domain:NAME is known of it");
}

static void
add_unread(const struct import_entry *e, struct str what)
{
	if (e->verdict == CALL_VERDICT_ALLOW)
		import_leave(e->im, e->source,
			"Claude Code looks at no path of this tool, so it allows nothing; "
			"Edit(...) is the one that counts");
	else
		import_path(e, "edit", what, IMPORT_SLASH_IS_SETTINGS);
}

static void
add_of_tool(const struct import_entry *e, size_t tool, struct str what)
{
	switch (tools[tool].kind) {
	case SHELL:
		add_bash(e, what);
		break;
	case READ:
		import_path(e, "read", what, IMPORT_SLASH_IS_SETTINGS);
		break;
	case EDIT:
		import_path(e, "edit", what, IMPORT_SLASH_IS_SETTINGS);
		break;
	case UNREAD:
		add_unread(e, what);
		break;
	case FETCH:
		add_fetch(e, what);
		break;
	case SEARCH:
	case AGENT:
		import_leave(e->im, e->source, "no pattern of it is known here");
		break;
	}
}

/* "mcp__server", "mcp__server__*", "mcp__server__tool" */
static void
add_mcp(const struct import_entry *e, struct str name)
{
	struct str rest = str_sub(name, 5, name.len);
	size_t at = str_find(rest, STR("__"), 0);
	struct str server = str_sub(rest, 0, at);
	struct str tool = str_sub(rest, at + 2, rest.len);

	if (e->verdict == CALL_VERDICT_ALLOW && import_has_star(tool)
		&& !str_eq(tool, STR("*")))
		import_leave(
			e->im, e->source, "Claude Code takes no such star in an allow");
	else
		import_mcp(e, server, tool);
}

static void
add_all(const struct import_entry *e, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name))) {
			import_blanket(e, tools[i].all);
			return;
		}
	}
	if (e->verdict == CALL_VERDICT_ALLOW)
		import_leave(e->im, e->source, "a tool that has no name here");
	else
		import_add(e, "any tool %.*s", STR_ARG(import_quote(e->im->a, name)));
}

static void
add_entry(const struct import_entry *e, struct str text)
{
	size_t open = str_find(text, STR("("), 0);
	struct str name = str_sub(text, 0, open), what;

	if (str_starts(text, STR("mcp__"))) {
		add_mcp(e, text);
		return;
	}
	if (open == text.len) {
		add_all(e, name);
		return;
	}
	if (!str_ends(text, STR(")"))) {
		import_leave(e->im, e->source, "the bracket is not closed");
		return;
	}
	what = str_sub(text, open + 1, text.len - 1);
	if (str_eq(what, STR("*"))) {
		add_all(e, name);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name))) {
			add_of_tool(e, i, what);
			return;
		}
	}
	import_leave(e->im, e->source, "a tool that has no name here");
}

static void
add_list(struct import *im, const json_t *permissions, const char *key,
	enum call_verdict verdict)
{
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(permissions, key), i, j) {
		struct str text = str_trim(wire_json_text(j));
		struct import_entry e = {
			.im = im,
			.verdict = verdict,
			.rank = (int64_t)verdict,
		};

		e.source = arena_fmt(im->a, "%s %.*s", key, STR_ARG(text));
		if (text.len > 0)
			add_entry(&e, text);
		else
			import_leave(im, str_from(key), "an entry that is no text");
	}
}

static void
leave_rest(struct import *im, const json_t *permissions)
{
	json_t *j;
	size_t i;
	struct str mode = wire_json_str(permissions, "defaultMode");

	if (mode.len > 0)
		import_leave(im, arena_fmt(im->a, "defaultMode %.*s", STR_ARG(mode)),
			"the mode is yours to choose: assent mode");
	json_array_foreach (
		wire_json_array(permissions, "additionalDirectories"), i, j)
		import_leave(im,
			arena_fmt(im->a, "additionalDirectories %.*s",
				STR_ARG(wire_json_text(j))),
			"the agent itself says what its workspace is");
}

bool
import_claude(struct import *im, struct str text)
{
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(text, &e);
	const json_t *permissions = wire_json_object(top, "permissions");

	if (!top)
		return import_fault(im, "%s", e.message);
	add_list(im, permissions, "allow", CALL_VERDICT_ALLOW);
	add_list(im, permissions, "ask", CALL_VERDICT_ASK);
	add_list(im, permissions, "deny", CALL_VERDICT_DENY);
	leave_rest(im, permissions);
	return true;
}
