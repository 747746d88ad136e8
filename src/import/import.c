#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "import/import_priv.h"
#include "policy/policy.h"

enum { SOURCE_BYTES = 400, LINE_BYTES = 4096 };

/* clang-format off */
static const struct {
	const char *name;
	bool (*read)(struct import *im, struct str text);
} agents[IMPORT_AGENT_COUNT] = {
	[IMPORT_CLAUDE] = {"claude", import_claude},
	[IMPORT_CURSOR] = {"cursor", import_cursor},
	[IMPORT_CODEX]  = {"codex", import_codex},
	[IMPORT_GEMINI] = {"gemini", import_gemini},
};
/* clang-format on */

const char *
import_agent_name(enum import_agent agent)
{
	CHECK((size_t)agent < ARRAY_LEN(agents));
	return agents[agent].name;
}

bool
import_agent_from(struct str s, enum import_agent *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(agents); i++) {
		if (str_eq(s, str_from(agents[i].name))) {
			*ret = (enum import_agent)i;
			return true;
		}
	}
	return false;
}

/* --- what comes out ------------------------------------------------------- */

/* One line that a comment can hold. */
static struct str
one_line(struct arena *a, struct str s)
{
	struct str cut = str_sub(s, 0, SOURCE_BYTES);
	char *out = arena_alloc(a, cut.len + 1);

	for (size_t i = 0; i < cut.len; i++) {
		unsigned char c = (unsigned char)cut.ptr[i];

		out[i] = (char)(c < ' ' || c >= 0x7f ? '?' : c);
	}
	return arena_fmt(
		a, "%.*s%s", (int)cut.len, out, cut.len < s.len ? "..." : "");
}

void
import_leave(struct import *im, struct str source, const char *why)
{
	if (im->left_count == im->left_room) {
		size_t room = im->left_room ? im->left_room * 2 : 16;
		struct import_left *wider =
			ARENA_ARRAY(im->a, room, struct import_left);

		for (size_t i = 0; i < im->left_count; i++)
			wider[i] = im->left[i];
		im->left = wider;
		im->left_room = room;
	}
	im->left[im->left_count++] = (struct import_left){
		.source = one_line(im->a, source),
		.why = arena_dup(im->a, str_from(why)),
	};
}

/* Behind those of a lower rank and of the same: later lines win. */
static void
insert(struct import *im, const struct import_rule *rule)
{
	size_t at = im->rule_count;

	if (im->rule_count == im->rule_room) {
		size_t room = im->rule_room ? im->rule_room * 2 : 16;
		struct import_rule *wider =
			ARENA_ARRAY(im->a, room, struct import_rule);

		for (size_t i = 0; i < im->rule_count; i++)
			wider[i] = im->rules[i];
		im->rules = wider;
		im->rule_room = room;
	}
	while (at > 0 && im->rules[at - 1].rank > rule->rank) {
		im->rules[at] = im->rules[at - 1];
		at--;
	}
	im->rules[at] = *rule;
	im->rule_count++;
}

static bool
is_there(const struct import *im, struct str line)
{
	for (size_t i = 0; i < im->rule_count; i++) {
		if (str_eq(im->rules[i].line, line))
			return true;
	}
	return false;
}

void
import_add(const struct import_entry *e, const char *fmt, ...)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults faults = {0};
	struct import *im = e->im;
	char text[LINE_BYTES];
	va_list args;
	struct str line;

	va_start(args, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, args);

	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(text) || !p) {
		import_leave(im, e->source, "the pattern is too long");
		return;
	}
	line = e->verdict == CALL_VERDICT_NONE
		? arena_dup(im->a, str_from(text))
		: arena_fmt(im->a, "%-5s %s%s%.*s", call_verdict_name(e->verdict), text,
			e->role.ptr ? " role " : "", (int)e->role.len,
			e->role.ptr ? e->role.ptr : "");
	if (!policy_add(
			p, POLICY_LAYER_USER, STR("import"), line, im->a, &faults)) {
		import_leave(im, e->source,
			faults.count > 0 && faults.list[0].message.ptr
				? arena_dup(im->a, faults.list[0].message).ptr
				: "it is no rule here");
		return;
	}
	if (!is_there(im, line))
		insert(im,
			&(struct import_rule){
				.line = line,
				.source = one_line(im->a, e->source),
				.verdict = e->verdict,
				.rank = e->rank,
			});
}

bool
import_fault(struct import *im, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!im->fault.ptr)
		im->fault = arena_dup(im->a, str_from(text));
	im->rule_count = 0;
	im->left_count = 0;
	return false;
}

bool
import_read(struct import *im, enum import_agent agent, struct str text)
{
	CHECK((size_t)agent < ARRAY_LEN(agents));
	if (text.len > LIMIT_RULES_BYTES)
		return import_fault(im, "the file is too large");
	return agents[agent].read(im, text);
}

void
import_print(struct buf *b, const struct import *im)
{
	for (size_t i = 0; i < im->rule_count; i++) {
		const struct import_rule *r = &im->rules[i];

		if (i == 0 || !str_eq(r->source, im->rules[i - 1].source))
			buf_addf(b, "# %.*s\n", STR_ARG(r->source));
		buf_addf(b, "%.*s\n", STR_ARG(r->line));
	}
	if (im->left_count > 0)
		buf_addf(b, "%s# not carried over:\n", im->rule_count > 0 ? "\n" : "");
	for (size_t i = 0; i < im->left_count; i++)
		buf_addf(b, "#   %.*s: %.*s\n", STR_ARG(im->left[i].source),
			STR_ARG(im->left[i].why));
}

/* --- what all of them have ------------------------------------------------ */

struct str
import_quote(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len * 2 + 3);
	size_t n = 0;

	out[n++] = '"';
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '"' || s.ptr[i] == '\\')
			out[n++] = '\\';
		out[n++] = s.ptr[i];
	}
	out[n++] = '"';
	return (struct str){out, n};
}

struct str
import_literal(struct arena *a, struct str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
								"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
								"-_./:@%+,=~";
	char *out = arena_alloc(a, word.len * 2 + 1);
	size_t n = 0;

	for (size_t i = 0; i < word.len; i++) {
		bool high = ((unsigned char)word.ptr[i] & 0x80) != 0;

		if (!high && !str_has_char(STR(plain), word.ptr[i]))
			out[n++] = '\\';
		out[n++] = word.ptr[i];
	}
	return (struct str){out, n};
}

bool
import_has_star(struct str s)
{
	return str_has_char(s, '*') || str_has_char(s, '?');
}

void
import_blanket(const struct import_entry *e, const char *tool)
{
	if (e->verdict == CALL_VERDICT_ALLOW)
		import_leave(e->im, e->source,
			"allows every call of its kind; what is harmless passes anyway, "
			"and set mode auto_approve is the word for the rest");
	else
		import_add(e, "%s", tool);
}

void
import_host(const struct import_entry *e, struct str host)
{
	struct arena *a = e->im->a;
	struct str name =
		str_starts(host, STR("*.")) ? str_sub(host, 2, host.len) : host;

	if (str_eq(host, STR("*"))) {
		import_blanket(e, "fetch");
		return;
	}
	if (import_has_star(name)) {
		import_leave(e->im, e->source,
			"a star stands only in front of a whole name here");
		return;
	}
	import_add(e, "fetch host %.*s", STR_ARG(import_quote(a, host)));
	/* what is below a name that is denied is denied, too */
	if (e->verdict != CALL_VERDICT_ALLOW && name.len == host.len)
		import_add(e, "fetch host %.*s",
			STR_ARG(import_quote(a, arena_fmt(a, "*.%.*s", STR_ARG(host)))));
}

void
import_mcp(const struct import_entry *e, struct str server, struct str tool)
{
	struct arena *a = e->im->a;
	bool all = tool.len == 0 || str_eq(tool, STR("*"));

	if (str_eq(server, STR("*")) && all) {
		import_blanket(e, "mcp");
		return;
	}
	if (e->verdict == CALL_VERDICT_ALLOW && import_has_star(server)) {
		import_leave(e->im, e->source, "allows tools of servers unnamed");
		return;
	}
	if (all)
		import_add(e, "mcp server %.*s", STR_ARG(import_quote(a, server)));
	else if (str_eq(server, STR("*")))
		import_add(e, "mcp tool %.*s", STR_ARG(import_quote(a, tool)));
	else
		import_add(e, "mcp server %.*s tool %.*s",
			STR_ARG(import_quote(a, server)), STR_ARG(import_quote(a, tool)));
}
