#include "base/buf.h"
#include "policy/policy_priv.h"

/*
 * What a line means, in words, so that its writer can see what was understood.
 */

static const char *const verdicts[CALL_VERDICT_COUNT] = {
	[CALL_VERDICT_NONE] = "nothing for",
	[CALL_VERDICT_ALLOW] = "allow",
	[CALL_VERDICT_ASK] = "ask a person before",
	[CALL_VERDICT_DENY] = "refuse",
};

static const char *const tools[CALL_TOOL_COUNT] = {
	[CALL_TOOL_NONE] = "calls of any kind",
	[CALL_TOOL_SHELL] = "shell commands",
	[CALL_TOOL_READ] = "reading",
	[CALL_TOOL_WRITE] = "writing",
	[CALL_TOOL_EDIT] = "editing",
	[CALL_TOOL_DELETE] = "deleting",
	[CALL_TOOL_SEARCH] = "searching in files",
	[CALL_TOOL_LIST] = "listing folders",
	[CALL_TOOL_FETCH] = "fetching pages",
	[CALL_TOOL_WEB_SEARCH] = "searching the web",
	[CALL_TOOL_MCP] = "calls of MCP tools",
	[CALL_TOOL_AGENT] = "starting agents",
	[CALL_TOOL_OTHER] = "calls of other tools",
};

static const char *const kinds[CALL_EFFECT_COUNT] = {
	[CALL_EFFECT_NONE] = "do nothing",
	[CALL_EFFECT_READ] = "read",
	[CALL_EFFECT_WRITE] = "write",
	[CALL_EFFECT_CREATE] = "create",
	[CALL_EFFECT_DELETE] = "delete",
	[CALL_EFFECT_EXECUTE] = "run code",
	[CALL_EFFECT_CONNECT] = "connect",
	[CALL_EFFECT_SEND] = "send",
	[CALL_EFFECT_PRIVILEGE] = "gain rights",
	[CALL_EFFECT_PERSIST] = "stay after the session",
	[CALL_EFFECT_SIGNAL] = "signal processes",
};

static const char *const scopes[CALL_SCOPE_COUNT] = {
	[CALL_SCOPE_UNKNOWN] = "a place that is not known",
	[CALL_SCOPE_WORKSPACE] = "the workspace",
	[CALL_SCOPE_SCRATCH] = "the scratch folders",
	[CALL_SCOPE_TEMP] = "temporary folders",
	[CALL_SCOPE_HOME] = "the home folder",
	[CALL_SCOPE_SYSTEM] = "the system",
	[CALL_SCOPE_DEVICE] = "devices",
	[CALL_SCOPE_NETWORK] = "the network",
};

static const char *const anchors[] = {
	[POLICY_ANCHOR_NONE] = "",
	[POLICY_ANCHOR_ROOTS] = " in the workspace",
	[POLICY_ANCHOR_HOME] = "",
	[POLICY_ANCHOR_TOP] = "",
};

/* " that read or write": the names of the set bits. */
static void
add_bits(struct buf *b, unsigned bits, const char *before,
	const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if ((bits >> i & 1) == 0)
			continue;
		buf_addf(b, "%s%s", before, words[i]);
		before = " or ";
	}
}

static void
add_text(struct buf *b, const struct policy_rule *r, enum policy_text which,
	const char *before)
{
	if (r->texts[which].ptr)
		buf_addf(b, "%s\"%.*s\"", before, STR_ARG(r->texts[which]));
}

static void
add_words(struct buf *b, const struct policy_rule *r)
{
	struct str text = r->texts[POLICY_TEXT_WORDS];

	if (!r->has_words)
		return;
	if (!r->words.more) {
		buf_addf(b, " that are \"%.*s\" and nothing more", STR_ARG(text));
		return;
	}
	text = str_trim(str_sub(text, 0, text.len - 1));
	if (text.len > 0)
		buf_addf(b, " that begin with \"%.*s\"", STR_ARG(text));
}

static bool
is_about_a_resource(const struct policy_rule *r)
{
	return r->effects != 0 || r->scopes != 0
		|| r->path.anchor != POLICY_ANCHOR_NONE
		|| r->texts[POLICY_TEXT_HOST].ptr;
}

static void
add_rule(struct buf *b, const struct policy_rule *r)
{
	bool other_tools = r->tool == CALL_TOOL_READ || r->tool == CALL_TOOL_WRITE
		|| r->tool == CALL_TOOL_EDIT || r->tool == CALL_TOOL_DELETE
		|| r->tool == CALL_TOOL_FETCH;

	buf_addf(b, "%s %s", verdicts[r->verdict], tools[r->tool]);
	add_words(b, r);
	add_text(b, r, POLICY_TEXT_PROGRAM, " of the program ");
	add_text(b, r, POLICY_TEXT_SERVER, " of the server ");
	if (r->trusted)
		buf_addf(b, ", if the person trusts the server");
	add_text(b, r, POLICY_TEXT_TOOL, " named ");
	add_bits(b, r->effects, " that ", kinds, ARRAY_LEN(kinds));
	add_bits(b, r->scopes, " in ", scopes, ARRAY_LEN(scopes));
	add_text(b, r, POLICY_TEXT_PATH, ", where the path matches ");
	buf_addf(b, "%s", anchors[r->path.anchor]);
	add_text(b, r, POLICY_TEXT_HOST, ", where the host matches ");
	if (r->recoverable)
		buf_addf(b, ", where it can be undone");
	add_text(b, r, POLICY_TEXT_AGENT, ", when the agent is ");
	add_text(b, r, POLICY_TEXT_ROLE, ", when the subagent is ");
	if (r->verdict != CALL_VERDICT_ALLOW && other_tools
		&& is_about_a_resource(r))
		buf_addf(b, ", by whatever tool");
}

static void
add_statement(struct buf *b, const struct policy_statement *s)
{
	buf_addf(b, "%u: ", s->line);
	switch (s->kind) {
	case POLICY_STATEMENT_RULE:
		add_rule(b, &s->rule);
		break;
	case POLICY_STATEMENT_SENSITIVE:
		buf_addf(b, "treat as sensitive whatever %s \"%.*s\"",
			s->marker.path.anchor == POLICY_ANCHOR_NONE ? "has in its path"
														: "matches",
			STR_ARG(s->text));
		break;
	case POLICY_STATEMENT_INSTRUCT:
		buf_addf(b, "tell the judge what to %s: %.*s",
			s->block ? "block" : "allow", STR_ARG(s->text));
		break;
	case POLICY_STATEMENT_SET:
		buf_addf(b, "%s is %.*s: %s%s", s->setting->name, STR_ARG(s->text),
			s->setting->help,
			s->setting->later ? " (kept; not in effect in this version)" : "");
		break;
	}
	buf_add_char(b, '\n');
}

struct str
policy_explain(
	struct arena *a, enum policy_layer layer, struct str name, struct str text)
{
	struct buf b;
	struct policy_reader r = {.a = a, .layer = layer, .file = name};
	struct str said = STR("");

	if (!policy_file_parse(&r, text))
		return said;
	buf_init(&b, (size_t)LIMIT_RULES_BYTES * 4);
	for (size_t i = 0; i < r.count; i++)
		add_statement(&b, &r.list[i]);
	said = arena_dup(a, buf_str(&b));
	buf_done(&b);
	return said;
}
