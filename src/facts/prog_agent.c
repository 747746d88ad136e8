/*
 * Coding agents, and assent itself. An agent that another one starts is judged
 * call by call like any other, unless it is started so that its hooks do not
 * run or its own approvals are off: that is a hazard.
 */

#include "facts/facts_priv.h"

enum bits { B_SHOWS = 1 << 0 };

/* An option whose value decides: --permission-mode bypassPermissions. */
static void
hook_agent(struct facts_run *run)
{
	static const struct {
		const char *options, *values;
	} rows[] = {
		{"--permission-mode", "bypassPermissions dontAsk" },
		{"--approval-mode",   "yolo"                      },
		{"--disable",         "hooks codex_hooks"         },
		{"--sandbox -s",      "danger-full-access"        },
		{"-c --config",       ""						  },
		{"--mode",            "yolo auto full-auto bypass"},
	};

	for (size_t i = 0; i < run->given_count; i++) {
		const struct facts_given *g = &run->given[i];
		struct str value = g->value.text;

		for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
			bool named = facts_names_have(rows[k].options, g->name);

			if (!named || !g->has_value)
				continue;
			if (facts_names_have(rows[k].values, value)
				|| (k == 4
					&& (str_has(value, STR("hook"))
						|| str_has(value, STR("approval"))
						|| str_has(value, STR("sandbox")))))
				facts_apply_text(run, FACTS_DODGE, 0, "");
		}
	}
	if (!(run->bits & B_SHOWS))
		facts_add_effect(run->f,
			(struct call_effect){.kind = CALL_EFFECT_EXECUTE,
				.flags = CALL_EFFECT_INLINE,
				.resource = run->name,
				.by = run->name,
				.command = run->index});
	run->done = true;
}

/* apply_patch PATCH, or the patch as what comes in. */
static void
hook_patch(struct facts_run *run)
{
	const struct facts_word *w = run->operand_count > 0 ? run->operands : NULL;

	run->done = true;
	if (run->operand_count > 1 || (w && (w->flags & FACTS_MANY)))
		facts_run_ignore(run, CALL_UNKNOWN, "an operand that is not known",
			facts_run_text(run));
	else if (w && !(w->flags & FACTS_DYNAMIC))
		facts_patch(run, w->text);
	else if (!w && run->in && run->in->known)
		facts_patch(run, run->in->text);
	else
		facts_run_ignore(run, CALL_DYNAMIC,
			"a patch that only running would tell", facts_run_text(run));
}

/* The layout of rows is by hand: the tool cannot do uneven ones. */
// clang-format off
const struct facts_prog facts_prog_agent[] = {
	{.names = "claude codex gemini qwen copilot cursor-agent opencode opencode2 amp "
			"crush goose droid auggie kiro-cli aider cline kilo kilocode cn devin "
			"pi forge plandex openhands swe-agent codebuff jules rovodev grok "
			"trae-cli iflow kimi vibe codewhale zed-agent",
		.manual = "each agent's own --help",
		.style = FACTS_INTERPRETER | FACTS_AGENT | FACTS_LOOSE,
		.opts = FACTS_OPTS(
			SETS("--version -v -V", B_SHOWS),
			FLAG("--dangerously-skip-permissions --allow-dangerously-skip-permissions "
				"--dangerously-bypass-approvals-and-sandbox "
				"--dangerously-bypass-hook-trust --dangerously-allow-all "
				"--dangerously-skip-hooks --yolo --pure --auto --bare "
				"--allow-all-tools --allow-all --no-hooks --disable-hooks "
				"--trust-all-tools --skip-permissions-unsafe --yes-always "
				"--full-auto --ignore-user-config --ephemeral --safe-mode",
				DODGE, ""),
			VALUE("--settings --setting-sources --plugin-dir --hooks "
				"--managed-settings --config-dir", DODGE),
			VALUES("--permission-mode --approval-mode --disable --sandbox -s -c "
				"--config --mode -p --prompt --print -m --model "
				"--output-format --input-format --max-turns "
				"--append-system-prompt --system-prompt --resume -r "
				"--session-id --add-dir --allowedTools --disallowedTools "
				"--mcp-config --agents --fallback-model --profile -C --cd")),
		.hook = hook_agent},
	{.names = "apply_patch applypatch",
		.manual = "codex-rs/apply-patch/apply_patch_tool_instructions.md",
		.hook = hook_patch},
	{.names = "assent",
		.manual = "docs/PROTOCOL.md",
		.style = FACTS_LOOSE,
		.subs = FACTS_SUBS(
			{.names = "check explain", .style = FACTS_ANY_WORDS,
				.operands = {OP(INERT, ALL)}},
			{.names = "status doctor", .operands = {OP(INERT, ALL)}}),
		.operands = {OP(SELF, ALL)}},
	{.names = "assentd",
		.manual = "docs/PROTOCOL.md",
		.style = FACTS_LOOSE,
		.does = {DO(SELF, "")},
		.operands = {OP(INERT, ALL)}},
	{.names = NULL},
};
// clang-format on
