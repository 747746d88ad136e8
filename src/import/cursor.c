#include "import/import_priv.h"
#include "wire/json.h"

/*
 * Cursor: permissions.allow and deny of cli-config.json (a deny wins), and the
 * lists of permissions.json, which may hold comments.
 */

/* --- JSON with comments ---------------------------------------------------- */

/* The index behind the comment at i, or i. */
static size_t
skip_comment(struct str s, size_t i)
{
	struct str rest = str_sub(s, i, s.len);

	if (str_starts(rest, STR("//")))
		return str_find(s, STR("\n"), i);
	if (!str_starts(rest, STR("/*")))
		return i;
	size_t end = str_find(s, STR("*/"), i + 2);

	return end < s.len ? end + 2 : s.len;
}

/* Without comments, and without commas in front of a closing bracket. */
static struct str
plain_json(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len + 1);
	size_t n = 0, i = 0, comma = 0;
	bool open = false; /* a comma, and only blanks behind it */

	while (i < s.len) {
		size_t next = skip_comment(s, i);
		char c = s.ptr[i];

		if (next > i) {
			i = next;
			continue;
		}
		next = c == '"' ? wire_json_skip_string(s, i) : i + 1;
		if (open && (c == ']' || c == '}'))
			out[comma] = ' ';
		if (c == ',')
			comma = n;
		open = c == ',' || (open && str_has_char(STR(" \t\r\n"), c));
		while (i < next)
			out[n++] = s.ptr[i++];
	}
	return (struct str){out, n};
}

/* --- Tool(what) ------------------------------------------------------------ */

/* "git" is every git; "curl:-s *" is the program and its arguments. */
static void
add_shell(const struct import_entry *e, struct str what)
{
	struct str args, program = str_cut(what, ':', &args);

	if (!args.ptr && !import_has_star(what)) {
		import_prefix(e, what);
		return;
	}
	if (!args.ptr) {
		import_shell(e, what);
		return;
	}
	import_shell(
		e, arena_fmt(e->im->a, "%.*s %.*s", STR_ARG(program), STR_ARG(args)));
}

/* "server:tool", also written "server, tool" */
static void
add_mcp(const struct import_entry *e, struct str what)
{
	char between = str_has_char(what, ':') ? ':' : ',';
	struct str tool, server = str_cut(what, between, &tool);

	import_mcp(e, str_trim(server), tool.ptr ? str_trim(tool) : STR("*"));
}

static void
add_read(const struct import_entry *e, struct str what)
{
	import_path(e, "read", what, IMPORT_SLASH_IS_TOP);
}

static void
add_write(const struct import_entry *e, struct str what)
{
	import_path(e, "edit", what, IMPORT_SLASH_IS_TOP);
}

static const struct {
	const char *name;
	void (*add)(const struct import_entry *e, struct str what);
} tools[] = {
	{"Shell",    add_shell  },
	{"Read",     add_read   },
	{"Write",    add_write  },
	{"WebFetch", import_host},
	{"Mcp",      add_mcp    },
};

static void
add_entry(const struct import_entry *e, struct str text)
{
	size_t open = str_find(text, STR("("), 0);
	struct str name = str_sub(text, 0, open);

	if (open == text.len || !str_ends(text, STR(")"))) {
		import_leave(e->im, e->source, "it is not Tool(what)");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name))) {
			tools[i].add(e, str_sub(text, open + 1, text.len - 1));
			return;
		}
	}
	import_leave(e->im, e->source, "a tool that has no name here");
}

/* --- lists ----------------------------------------------------------------- */

struct list {
	const char *key;
	enum call_verdict verdict;
	void (*add)(const struct import_entry *e, struct str text);
};

static void
add_list(struct import *im, const json_t *top, const struct list *list)
{
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(top, list->key), i, j) {
		struct str text = str_trim(wire_json_text(j));
		struct import_entry e = {
			.im = im,
			.verdict = list->verdict,
			.rank = (int64_t)list->verdict,
		};

		e.source = arena_fmt(im->a, "%s %.*s", list->key, STR_ARG(text));
		if (text.len > 0)
			list->add(&e, text);
	}
}

/* Sentences for its classifier are sentences for our judge. */
static void
add_sentences(
	struct import *im, const json_t *run, const char *key, const char *how)
{
	json_t *j;
	size_t i;

	json_array_foreach (wire_json_array(run, key), i, j) {
		struct str text = str_trim(wire_json_text(j));
		struct import_entry e = {
			.im = im,
			.source = arena_fmt(im->a, "autoRun.%s", key),
			.rank = (int64_t)CALL_VERDICT_COUNT,
		};

		if (text.len > 0)
			import_add(&e, "%s %.*s", how, STR_ARG(import_quote(im->a, text)));
	}
}

bool
import_cursor(struct import *im, struct str text)
{
	static const struct list config[] = {
		{"allow", CALL_VERDICT_ALLOW, add_entry},
		{"deny",  CALL_VERDICT_DENY,  add_entry},
	};
	static const struct list lists[] = {
		{"terminalAllowlist", CALL_VERDICT_ALLOW, add_shell},
		{"mcpAllowlist",      CALL_VERDICT_ALLOW, add_mcp  },
	};
	struct wire_json_error e;
	WIRE_JSON json_t *top = wire_json_parse(plain_json(im->a, text), &e);
	const json_t *run = wire_json_object(top, "autoRun");
	struct str mode = wire_json_str(top, "approvalMode");

	if (!top)
		return import_fault(im, "%s", e.message);
	for (size_t i = 0; i < ARRAY_LEN(config); i++)
		add_list(im, wire_json_object(top, "permissions"), &config[i]);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		add_list(im, top, &lists[i]);
	add_sentences(im, run, "allow_instructions", "instruct allow");
	add_sentences(im, run, "block_instructions", "instruct block");
	if (mode.len > 0)
		import_leave(im, arena_fmt(im->a, "approvalMode %.*s", STR_ARG(mode)),
			"the mode is yours to choose: assent mode");
	return true;
}
