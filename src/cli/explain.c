/*
 * assent explain: what was understood of a call, and what every step said.
 */

#include <stdio.h>
#include <string.h>

#include "cli/asked.h"

static void
print_head(const struct cli *c, const char *title)
{
	(void)printf("\n%s%s%s\n", cli_ink(c, CLI_INK_HEAD), title,
		cli_ink_off(c, CLI_INK_HEAD));
}

static void
print_faint(const struct cli *c, struct str s)
{
	(void)printf("%s%.*s%s", cli_ink(c, CLI_INK_FAINT), STR_ARG(s),
		cli_ink_off(c, CLI_INK_FAINT));
}

static void
print_call(const struct cli *c, const struct call *call)
{
	struct str what = cli_show(c->arena, order_resource(c->arena, call));
	struct str cwd = cli_show(c->arena, call->cwd);

	(void)printf("%s%.*s%s\n", cli_ink(c, CLI_INK_BOLD), STR_ARG(what),
		cli_ink_off(c, CLI_INK_BOLD));
	print_faint(c,
		arena_fmt(
			c->arena, "%s in %.*s", call_tool_name(call->tool), STR_ARG(cwd)));
	(void)printf("\n");
}

/* --- what was understood ----------------------------------------------------- */

/* How deep a command stands in others that run it. */
static int
depth_of(const struct call_facts *f, const struct call_command *cmd)
{
	int depth = 0;

	while (cmd->wrapper < f->command_count && depth < 16) {
		cmd = &f->commands[cmd->wrapper];
		depth++;
	}
	return depth;
}

static struct str
words_of(struct arena *a, const struct call_command *cmd)
{
	struct str all = STR("");

	for (size_t i = 0; i < cmd->word_count; i++) {
		struct str word = cmd->words[i].text;

		if (all.len + word.len > 200)
			return arena_fmt(a, "%.*s ...", STR_ARG(all));
		all = arena_fmt(
			a, "%.*s%s%.*s", STR_ARG(all), i > 0 ? " " : "", STR_ARG(word));
	}
	return cli_show(a, all);
}

static struct str
ignorance_words(struct arena *a, unsigned ignorance)
{
	static const struct {
		unsigned bit;
		const char *word;
	} rows[] = {
		{CALL_UNKNOWN,  "unknown" },
		{CALL_DYNAMIC,  "dynamic" },
		{CALL_UNPARSED, "unparsed"},
	};
	struct str s = STR("");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (ignorance & rows[i].bit)
			s = arena_fmt(
				a, "%.*s%s%s", STR_ARG(s), s.len > 0 ? ", " : "", rows[i].word);
	}
	return s;
}

static void
print_commands(const struct cli *c, const struct call_facts *f)
{
	if (f->command_count == 0)
		return;
	print_head(c, "Commands");
	for (size_t i = 0; i < f->command_count; i++) {
		const struct call_command *cmd = &f->commands[i];
		struct str words = words_of(c->arena, cmd);
		struct str marks = ignorance_words(c->arena, cmd->ignorance);

		(void)printf("  %*s%.*s", depth_of(f, cmd) * 2, "", STR_ARG(words));
		if (marks.len > 0)
			print_faint(c, arena_fmt(c->arena, "   %.*s", STR_ARG(marks)));
		(void)printf("\n");
	}
}

static struct str
flag_words(struct arena *a, unsigned flags)
{
	static const struct {
		unsigned flag;
		const char *word;
	} rows[] = {
		{CALL_EFFECT_TREE,     "all below"       },
		{CALL_EFFECT_PATTERN,  "pattern"         },
		{CALL_EFFECT_REDIRECT, "redirection"     },
		{CALL_EFFECT_INLINE,   "inline program"  },
		{CALL_EFFECT_PROJECT,  "project code"    },
		{CALL_EFFECT_DOWNLOAD, "downloaded text" },
		{CALL_EFFECT_DECODED,  "decoded text"    },
		{CALL_EFFECT_LOCAL,    "logged in"       },
		{CALL_EFFECT_LOOPBACK, "this machine"    },
		{CALL_EFFECT_LISTEN,   "listens"         },
		{CALL_EFFECT_GIT,      "through git"     },
		{CALL_EFFECT_LOSSY,    "cannot be undone"},
		{CALL_EFFECT_MODE,     "mode or owner"   },
		{CALL_EFFECT_LINK,     "link"            },
		{CALL_EFFECT_NAMES,    "names only"      },
		{CALL_EFFECT_SECRET,   "shows a secret"  },
		{CALL_EFFECT_RAW,      "raw device"      },
		{CALL_EFFECT_FORCE,    "forced"          },
	};
	struct str s = STR("");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (flags & rows[i].flag)
			s = arena_fmt(
				a, "%.*s%s%s", STR_ARG(s), s.len > 0 ? ", " : "", rows[i].word);
	}
	return s;
}

static size_t
widest_resource(const struct cli *c, const struct call_facts *f)
{
	size_t widest = 0;

	for (size_t i = 0; i < f->effect_count; i++) {
		size_t w = cli_width(cli_show(c->arena, f->effects[i].resource));

		if (w > widest && w <= 48)
			widest = w;
	}
	return widest;
}

static void
print_effects(const struct cli *c, const struct call_facts *f)
{
	size_t widest = widest_resource(c, f);

	if (f->effect_count == 0)
		return;
	print_head(c, "Effects");
	for (size_t i = 0; i < f->effect_count; i++) {
		const struct call_effect *e = &f->effects[i];
		struct str what = cli_show(c->arena, e->resource);
		struct str by = cli_show(c->arena, e->by);
		struct str flags = flag_words(c->arena, e->flags);
		size_t w = cli_width(what);

		(void)printf("  %-9s  %-9s  %.*s%*s  %.*s", call_effect_name(e->kind),
			call_scope_name(e->scope), STR_ARG(what),
			(int)(w < widest ? widest - w : 0), "", STR_ARG(by));
		if (flags.len > 0)
			print_faint(c, arena_fmt(c->arena, "  %.*s", STR_ARG(flags)));
		(void)printf("\n");
	}
}

static void
print_ignorance(const struct cli *c, const struct call_facts *f)
{
	if (f->ignorance == 0)
		return;
	struct str kinds = ignorance_words(c->arena, f->ignorance);
	struct str why = cli_show(c->arena, f->incomplete);

	print_head(c, "Not understood");
	(void)printf("  %.*s", STR_ARG(why));
	print_faint(c, arena_fmt(c->arena, "  %.*s", STR_ARG(kinds)));
	(void)printf("\n");
}

static void
print_hazards(const struct cli *c, const struct call_facts *f)
{
	if (f->hazard_count == 0)
		return;
	print_head(c, "Hazards");
	for (size_t i = 0; i < f->hazard_count; i++) {
		struct str what = cli_show(c->arena, f->hazards[i].what);

		(void)printf("  %s", call_hazard_text(f->hazards[i].kind));
		print_faint(c, arena_fmt(c->arena, "  %.*s", STR_ARG(what)));
		(void)printf("\n");
	}
}

/* --- the steps --------------------------------------------------------------- */

static enum cli_ink
ink_of(enum call_verdict verdict)
{
	return verdict == CALL_VERDICT_ALLOW ? CLI_INK_ALLOW
		: verdict == CALL_VERDICT_ASK    ? CLI_INK_ASK
										 : CLI_INK_DENY;
}

static void
print_steps(const struct cli *c, const struct order_result *result)
{
	print_head(c, "Steps");
	for (size_t i = 0; i < result->trace_count; i++) {
		const struct order_trace *t = &result->trace[i];
		struct str said = cli_show(c->arena, t->said);
		enum cli_ink ink = t->decided ? ink_of(result->outcome.verdict)
			: t->skipped              ? CLI_INK_FAINT
									  : CLI_INK_PLAIN;
		char name[24];

		(void)snprintf(name, sizeof(name), "%s", t->step);
		for (char *p = strchr(name, '_'); p; p = strchr(p, '_'))
			*p = ' ';
		(void)printf("  %-11s  %s%s%.*s%s\n", name, cli_ink(c, ink),
			t->skipped ? "no say: " : "", STR_ARG(said), cli_ink_off(c, ink));
	}
	(void)printf("\n");
}

static int
run(struct cli *c)
{
	CLEANUP(cli_asked_done) struct cli_asked asked = {0};
	int code = cli_asked_decide(c, &asked);

	if (code != CLI_OK)
		return code;
	if (c->json)
		return cli_asked_print_json(&asked, true);
	print_call(c, &asked.request.call);
	print_commands(c, &asked.result.facts);
	print_effects(c, &asked.result.facts);
	print_hazards(c, &asked.result.facts);
	print_ignorance(c, &asked.result.facts);
	print_steps(c, &asked.result);
	cli_verdict_print(c, &asked.result.outcome);
	return cli_verdict_code(asked.result.outcome.verdict);
}

const struct cli_command cli_explain = {
	.name = "explain",
	.usage = "[--tool TOOL] 'COMMAND'",
	.help = "show what is understood of a call and why it is decided so",
	.details =
		"Shows the commands and effects that were found, what was not\n"
		"understood, what every step of deciding said, and the verdict.\n"
		"Decides as `assent check` does; nothing is run.\n"
		"\n"
		"Exit code: 0 allow, 3 ask, 4 deny, 1 failure, 2 wrong use.",
	.group = CLI_GROUP_TRY,
	.args_min = 1,
	.args_max = 1,
	.options = {CLI_CALL_OPTIONS, CLI_RULES_OPTION},
	.run = run,
};
