/*
 * Calls that are not shell text.
 */

#include "facts/facts_priv.h"

static void
add_path(struct facts *f, enum call_effect_kind kind, unsigned flags,
	struct str path)
{
	struct facts_word w = facts_word_from(path);
	struct str paths[FACTS_CWD_MAX];
	bool sure;

	facts_scan_hidden(f, path, false);
	if (kind != CALL_EFFECT_READ && kind != CALL_EFFECT_DELETE
		&& facts_path_hides(path))
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"a name that hides where it leads", path);
	if (str_eq(path, STR("~")) || str_starts(path, STR("~/")))
		w.text = arena_fmt(f->a, "%.*s%.*s", STR_ARG(f->world->home),
			STR_ARG(str_sub(path, 1, path.len)));
	if (kind == CALL_EFFECT_DELETE)
		w.flags |= FACTS_ITSELF;
	size_t n = facts_path_of(f, &f->s.cwd, &w, paths, &sure);

	if (!sure)
		facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
			"a path that is not certain", path);
	for (size_t i = 0; i < n; i++) {
		if (str_starts(paths[i], STR("/proc/"))
			&& str_ends(paths[i], STR("/environ")))
			flags |= CALL_EFFECT_SECRET;
		facts_add_effect(f,
			(struct call_effect){.kind = kind,
				.scope =
					sure ? facts_path_scope(f, paths[i]) : CALL_SCOPE_UNKNOWN,
				.flags = flags,
				.resource = paths[i],
				.by = f->call->tool_name.ptr
					? f->call->tool_name
					: str_from(call_tool_name(f->call->tool)),
				.command = CALL_NO_COMMAND});
	}
}

static void
add_paths(struct facts *f, enum call_effect_kind kind, unsigned flags)
{
	if (f->call->path.ptr)
		add_path(f, kind, flags, f->call->path);
	for (size_t i = 0; i < f->call->more_path_count; i++)
		add_path(f, kind, flags, f->call->more_paths[i]);
}

/* An edit whose text itself says which files it changes; whatever paths are
 * given beside it. */
static bool
is_written_patch(const struct call *c)
{
	return c->tool == CALL_TOOL_EDIT
		&& str_starts(str_trim(c->content), STR("*** Begin Patch"));
}

static void
tool_file(struct facts *f)
{
	static const enum call_effect_kind kinds[CALL_TOOL_COUNT] = {
		[CALL_TOOL_READ] = CALL_EFFECT_READ,
		[CALL_TOOL_WRITE] = CALL_EFFECT_WRITE,
		[CALL_TOOL_EDIT] = CALL_EFFECT_WRITE,
		[CALL_TOOL_DELETE] = CALL_EFFECT_DELETE,
	};

	bool is_patch = is_written_patch(f->call);

	if (is_patch)
		facts_patch_tool(f, f->call->content);
	else if (!f->call->path.ptr && f->call->more_path_count == 0)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED, "no path is given",
			(struct str){NULL, 0});
	add_paths(f, kinds[f->call->tool],
		f->call->tool == CALL_TOOL_DELETE ? CALL_EFFECT_TREE : 0);
	facts_scan_hidden(f, f->call->content, true);
}

/* A glob given to search or list may itself lead elsewhere. */
static bool
is_path_like(struct str pattern)
{
	return pattern.len > 0
		&& (pattern.ptr[0] == '/' || pattern.ptr[0] == '~'
			|| str_has(pattern, STR("..")));
}

/* The text of all files below is searched: those that may be secret, too. */
static void
search_secrets(struct facts *f, struct str path)
{
	struct facts_word w = facts_word_from(path);
	struct str paths[FACTS_CWD_MAX], rest, one;
	bool sure, known;

	if (str_starts(path, STR("~"))
		|| facts_path_of(f, &f->s.cwd, &w, paths, &sure) != 1 || !sure
		|| facts_path_scope(f, paths[0]) != CALL_SCOPE_WORKSPACE)
		return;
	rest = facts_secrets_below(f, paths[0], &known);
	if (!known)
		facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
			"it is not known which secrets are below", paths[0]);
	for (size_t n = 0; n < FACTS_LOOP_ITEMS_MAX && str_line(&rest, &one); n++) {
		if (one.len > 0)
			facts_secret_add(f, paths[0], one,
				str_from(call_tool_name(f->call->tool)), CALL_NO_COMMAND);
	}
}

static void
tool_search(struct facts *f)
{
	unsigned flags = CALL_EFFECT_TREE;

	if (f->call->tool == CALL_TOOL_LIST)
		flags |= CALL_EFFECT_NAMES;
	if (!f->call->path.ptr && f->call->more_path_count == 0)
		add_path(f, CALL_EFFECT_READ, flags, STR("."));
	add_paths(f, CALL_EFFECT_READ, flags);
	if (f->call->tool == CALL_TOOL_SEARCH)
		search_secrets(f, f->call->path.ptr ? f->call->path : STR("."));
	if (f->call->tool == CALL_TOOL_LIST && is_path_like(f->call->pattern))
		add_path(
			f, CALL_EFFECT_READ, flags | CALL_EFFECT_PATTERN, f->call->pattern);
	facts_scan_hidden(f, f->call->pattern, false);
}

static void
tool_fetch(struct facts *f)
{
	struct facts_url u;

	facts_scan_hidden(f, f->call->url, false);
	if (!facts_url_parse(f->a, f->call->url, &u)) {
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"the address is not understood", f->call->url);
		u.host = STR("?");
	}
	if (str_eq(u.scheme, STR("file"))) {
		add_path(f, CALL_EFFECT_READ, 0, u.path);
		return;
	}
	if (u.odd)
		facts_ignore(f, CALL_NO_COMMAND, CALL_UNPARSED,
			"a host that is written in an odd way", f->call->url);
	facts_connect(f, CALL_NO_COMMAND, STR("fetch"), u.host, f->call->url);
}

static void
add_plain(struct facts *f, enum call_effect_kind kind, enum call_scope scope,
	struct str resource)
{
	facts_add_effect(f,
		(struct call_effect){.kind = kind,
			.scope = scope,
			.resource = resource,
			.by = str_from(call_tool_name(f->call->tool)),
			.command = CALL_NO_COMMAND});
}

static void
tool_web_search(struct facts *f)
{
	facts_scan_hidden(f, f->call->query, false);
	add_plain(f, CALL_EFFECT_CONNECT, CALL_SCOPE_NETWORK, STR("web search"));
}

/* Four hexadecimal digits at i, or -1. */
static int
hex4(struct str s, size_t i)
{
	int value = 0;

	if (i + 4 > s.len)
		return -1;
	for (size_t k = i; k < i + 4; k++) {
		char c = s.ptr[k];
		int digit = c >= '0' && c <= '9' ? c - '0'
			: c >= 'a' && c <= 'f'       ? c - 'a' + 10
			: c >= 'A' && c <= 'F'       ? c - 'A' + 10
										 : -1;

		if (digit < 0)
			return -1;
		value = value * 16 + digit;
	}
	return value;
}

/* Writes a code point as UTF-8; returns how many bytes. */
static size_t
put_utf8(char *p, unsigned code)
{
	if (code < 0x80) {
		p[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		p[0] = (char)(0xc0 | (code >> 6));
		p[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	p[0] = (char)(0xe0 | (code >> 12));
	p[1] = (char)(0x80 | ((code >> 6) & 0x3f));
	p[2] = (char)(0x80 | (code & 0x3f));
	return 3;
}

/* An escape whose letter stands at *i, which is moved to its last byte. Halves
 * of a pair are written one by one: no path is told apart by them. */
static size_t
put_escape(char *p, struct str json, size_t *i)
{
	static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
	char c = json.ptr[*i];
	int code = c == 'u' ? hex4(json, *i + 1) : -1;

	if (code >= 0) {
		*i += 4;
		return put_utf8(p, (unsigned)code);
	}
	p[0] = c;
	for (size_t k = 0; letters[k]; k++) {
		if (letters[k] == c)
			p[0] = means[k];
	}
	return 1;
}

/* The next string of a JSON text from *at on, without its quotes and with its
 * escapes undone. False at the end. */
static bool
next_string(struct arena *a, struct str json, size_t *at, struct str *ret)
{
	size_t i = *at, n = 0;

	while (i < json.len && json.ptr[i] != '"')
		i++;
	if (i >= json.len)
		return false;
	char *p = arena_alloc(a, json.len - i);

	for (i++; i < json.len && json.ptr[i] != '"'; i++) {
		if (json.ptr[i] == '\\' && i + 1 < json.len) {
			i++;
			n += put_escape(p + n, json, &i);
			continue;
		}
		p[n++] = json.ptr[i];
	}
	*at = i + 1;
	*ret = (struct str){p, n};
	return true;
}

/* Paths and addresses among the arguments, whatever their names are. */
static void
scan_arguments(struct facts *f)
{
	struct str s;
	size_t at = 0, found = 0;

	while (found < 64 && next_string(f->a, f->call->arguments, &at, &s)) {
		if (s.len > 1 && s.len < 4096
			&& (s.ptr[0] == '/' || str_starts(s, STR("~/"))
				|| str_starts(s, STR("../")) || facts_path_is_secret(f, s))) {
			add_path(f, CALL_EFFECT_READ, 0, s);
			found++;
		} else if (str_has(s, STR("://")) && s.len < 4096) {
			struct facts_url u;

			found++;
			if (facts_url_parse(f->a, s, &u) && u.host.len > 0)
				facts_connect(f, CALL_NO_COMMAND, STR("mcp"), u.host, s);
		}
	}
}

static void
tool_mcp(struct facts *f)
{
	const struct call *c = f->call;
	bool reads = c->mcp_trusted && c->mcp_read_only;

	facts_scan_hidden(f, c->arguments, true);
	add_plain(f, reads ? CALL_EFFECT_READ : CALL_EFFECT_EXECUTE,
		reads ? CALL_SCOPE_NETWORK : CALL_SCOPE_UNKNOWN,
		arena_fmt(f->a, "%.*s/%.*s", STR_ARG(c->server), STR_ARG(c->mcp_tool)));
	scan_arguments(f);
}

/* A subagent: its own calls are judged one by one. */
static void
tool_agent(struct facts *f)
{
	facts_scan_hidden(f, f->call->arguments, true);
}

static void
tool_other(struct facts *f)
{
	facts_scan_hidden(f, f->call->arguments, true);
	if (f->call->inward)
		return; /* what its texts name is not touched */
	facts_ignore(f, CALL_NO_COMMAND, CALL_UNKNOWN, "a tool that is not known",
		f->call->tool_name);
	scan_arguments(f);
}

void
facts_tool(struct facts *f)
{
	static void (*const tools[CALL_TOOL_COUNT])(struct facts * f) = {
		[CALL_TOOL_READ] = tool_file,
		[CALL_TOOL_WRITE] = tool_file,
		[CALL_TOOL_EDIT] = tool_file,
		[CALL_TOOL_DELETE] = tool_file,
		[CALL_TOOL_SEARCH] = tool_search,
		[CALL_TOOL_LIST] = tool_search,
		[CALL_TOOL_FETCH] = tool_fetch,
		[CALL_TOOL_WEB_SEARCH] = tool_web_search,
		[CALL_TOOL_MCP] = tool_mcp,
		[CALL_TOOL_AGENT] = tool_agent,
	};

	if (tools[f->call->tool])
		tools[f->call->tool](f);
	else
		tool_other(f);
}
