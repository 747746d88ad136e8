#include "import/import_priv.h"
#include "import/toml.h"

/*
 * Gemini CLI's policies: [[rule]] sections, of which the one with the highest
 * priority wins. Here the last line wins, so they are printed upwards.
 */

static const struct {
	const char *name, *here;
} tools[] = {
	{"run_shell_command",   "shell"     },
	{"read_file",           "read"      },
	{"read_many_files",     "read"      },
	{"write_file",          "write"     },
	{"replace",             "edit"      },
	{"glob",				"list"      },
	{"list_directory",      "list"      },
	{"search_file_content", "search"    },
	{"grep_search",         "search"    },
	{"web_fetch",           "fetch"     },
	{"google_web_search",   "web_search"},
	{"*",				   "any"       },
};

/* The texts of a value that is one or a list of them. */
static size_t
texts_of(const struct toml_value *v, const struct str **ret)
{
	if (!v)
		return 0;
	*ret = v->type == TOML_LIST ? v->list : &v->text;
	return v->type == TOML_LIST ? v->list_count : v->type == TOML_TEXT;
}

static struct str
text_of(const struct toml_section *s, const char *key)
{
	const struct toml_value *v = import_toml_get(s, key);

	return v && v->type == TOML_TEXT ? v->text : (struct str){0};
}

static bool
read_decision(struct str s, enum call_verdict *ret)
{
	static const struct {
		const char *name;
		enum call_verdict verdict;
	} rows[] = {
		{"allow",    CALL_VERDICT_ALLOW},
		{"ask_user", CALL_VERDICT_ASK  },
		{"deny",     CALL_VERDICT_DENY },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(s, str_from(rows[i].name))) {
			*ret = rows[i].verdict;
			return true;
		}
	}
	return false;
}

/* Why the rule has no line here, or NULL. What holds only now and then may deny
 * and ask always, but not allow. */
static const char *
why_left(const struct toml_section *s, enum call_verdict verdict)
{
	static const struct {
		const char *key;
		bool only_allow; /* harmless in what denies and asks */
		const char *why;
	} rows[] = {
		{"argsPattern",     false, "a regular expression has no pattern here"},
		{"commandRegex",    false, "a regular expression has no pattern here"},
		{"toolAnnotations", false,
         "what a server claims of a tool is no matcher here"                 },
		{"modes",           true,  "it allows in some modes only"            },
		{"interactive",     true,
         "it allows only where somebody attends, or nobody"                  },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (import_toml_get(s, rows[i].key)
			&& (!rows[i].only_allow || verdict == CALL_VERDICT_ALLOW))
			return rows[i].why;
	}
	return NULL;
}

/* "mcp_server_tool", and the older "server__tool". False if it is neither. */
static bool
add_full_name(const struct import_entry *e, struct str name)
{
	size_t two = str_find(name, STR("__"), 0);
	struct str rest = str_sub(name, 4, name.len), tool, server;

	if (!str_starts(name, STR("mcp_")) && two == name.len)
		return false;
	if (str_starts(name, STR("mcp_"))) {
		server = str_cut(rest, '_', &tool);
		import_mcp(e, server, tool.ptr ? tool : STR("*"));
	} else {
		import_mcp(e, str_sub(name, 0, two), str_sub(name, two + 2, name.len));
	}
	return true;
}

static void
add_tool(const struct import_entry *e, struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
		if (str_eq(name, str_from(tools[i].name))) {
			import_blanket(e, tools[i].here);
			return;
		}
	}
	if (add_full_name(e, name))
		return;
	if (e->verdict == CALL_VERDICT_ALLOW)
		import_leave(e->im, e->source, "a tool that has no name here");
	else
		import_add(e, "any tool %.*s", STR_ARG(import_quote(e->im->a, name)));
}

/* A prefix of the text, not of the words: what denies goes on in the word. */
static void
add_prefix(const struct import_entry *e, struct str prefix)
{
	struct arena *a = e->im->a;

	if (e->verdict == CALL_VERDICT_ALLOW || str_ends(prefix, STR(" "))
		|| import_has_star(prefix))
		import_prefix(e, prefix);
	else
		import_shell(e, arena_fmt(a, "%.*s*", STR_ARG(str_trim(prefix))));
}

static void
add_rule(const struct import_entry *e, const struct toml_section *s)
{
	const struct str *list = NULL;
	struct str server = text_of(s, "mcpName");
	size_t n = texts_of(import_toml_get(s, "commandPrefix"), &list);

	for (size_t i = 0; i < n; i++)
		add_prefix(e, list[i]);
	if (n > 0)
		return;
	n = texts_of(import_toml_get(s, "toolName"), &list);
	for (size_t i = 0; i < n; i++) {
		if (server.ptr)
			import_mcp(e, server, list[i]);
		else
			add_tool(e, list[i]);
	}
	if (n == 0 && server.ptr)
		import_mcp(e, server, STR("*"));
	else if (n == 0)
		import_leave(e->im, e->source, "it names no tool");
}

/* "line 12, run_shell_command git, allow" */
static struct str
source_of(struct arena *a, const struct toml_section *s)
{
	const struct str *tool = NULL, *prefix = NULL;
	bool has_tool = texts_of(import_toml_get(s, "toolName"), &tool) > 0;
	bool has_prefix =
		texts_of(import_toml_get(s, "commandPrefix"), &prefix) > 0;
	struct str decision = text_of(s, "decision"), none = STR("");

	return arena_fmt(a, "line %u: %.*s %.*s%s%.*s", s->line, (int)decision.len,
		decision.ptr ? decision.ptr : "", STR_ARG(has_tool ? *tool : none),
		has_prefix ? " " : "", STR_ARG(has_prefix ? *prefix : none));
}

static void
add_section(struct import *im, const struct toml_section *s)
{
	const struct toml_value *priority = import_toml_get(s, "priority");
	struct import_entry e = {
		.im = im,
		.source = source_of(im->a, s),
		.role = text_of(s, "subagent"),
	};
	const char *why = NULL;

	if (!read_decision(text_of(s, "decision"), &e.verdict)) {
		import_leave(im, e.source, "its decision is none that is known");
		return;
	}
	why = why_left(s, e.verdict);
	if (why) {
		import_leave(im, e.source, why);
		return;
	}
	/* among equals the stricter goes last, and wins */
	if (priority && str_number(priority->text, &e.rank))
		e.rank *= CALL_VERDICT_COUNT;
	e.rank += (int64_t)e.verdict;
	if (e.role.ptr)
		e.role = import_quote(im->a, e.role);
	add_rule(&e, s);
}

bool
import_gemini(struct import *im, struct str text)
{
	struct toml_file file = {0};

	if (!import_toml_read(im->a, text, &file))
		return import_fault(im, "line %u: %s", file.line, file.why);
	for (size_t i = 0; i < file.count; i++) {
		const struct toml_section *s = &file.list[i];

		if (s->is_array && str_eq(s->name, STR("rule")))
			add_section(im, s);
		else if (s->name.len > 0 || s->value_count > 0)
			import_leave(im,
				arena_fmt(im->a, "line %u: [%.*s]", s->line, STR_ARG(s->name)),
				"only [[rule]] is read");
	}
	return true;
}
