#include "llm/agent.h"

#include "wire/json.h"

/* --- how they print ------------------------------------------------------------------- */

/* One object: result, is_error, usage in Anthropic's words. */
static void
read_claude(struct llm_reply *r, const json_t *event)
{
	json_t *usage = wire_json_object(event, "usage");
	int64_t fresh = -1, made = 0, cached = 0;
	struct str result = wire_json_str(event, "result");

	llm_reply_count(&fresh, usage, "input_tokens");
	llm_reply_count(&made, usage, "cache_creation_input_tokens");
	llm_reply_count(&cached, usage, "cache_read_input_tokens");
	llm_reply_count(&r->output, usage, "output_tokens");
	if (fresh >= 0) {
		r->input = fresh + made + cached;
		r->cached = cached;
	}
	r->finished = true;
	if (wire_json_bool(event, "is_error"))
		llm_reply_trouble(r, LLM_TROUBLE_COMMAND, result);
	else
		llm_reply_text(r, result);
}

/* One object: response, or error; stats.models.NAME.tokens. */
static void
read_gemini(struct llm_reply *r, const json_t *event)
{
	json_t *models =
		wire_json_object(wire_json_object(event, "stats"), "models");
	const char *name;
	json_t *model;

	if (llm_reply_error(r, event))
		return;
	json_object_foreach (models, name, model) {
		json_t *tokens = wire_json_object(model, "tokens");

		llm_reply_count(&r->input, tokens, "prompt");
		llm_reply_count(&r->cached, tokens, "cached");
		llm_reply_count(&r->output, tokens, "candidates");
	}
	r->finished = true;
	llm_reply_text(r, wire_json_str(event, "response"));
}

/* --- rows -------------------------------------------------------------------------------- */

/* No tools, no servers, no hooks, nothing kept. Seen with 2.1.332. */
static const char *const claude_options[] = {
	"-p",
	"--output-format",
	"json",
	"--tools",
	"",
	"--strict-mcp-config",
	"--no-session-persistence",
	"--disable-slash-commands",
	"--settings",
	"{\"disableAllHooks\":true}",
	NULL,
};

/* The user's settings name servers; what is left can only read its folder. */
static const char *const codex_options[] = {
	"--skip-git-repo-check",
	"--ephemeral",
	"--ignore-user-config",
	"--sandbox",
	"read-only",
	"--color",
	"never",
	"--disable",
	"shell_tool",
	"-c",
	"web_search=\"disabled\"",
	NULL,
};

/* Plan mode reads at most, and its folder is empty. */
static const char *const gemini_options[] = {
	"--output-format",
	"json",
	"--approval-mode",
	"plan",
	"--allowed-mcp-server-names",
	"none",
	"-e",
	"none",
	"-p",
	"Answer as you were told above.",
	NULL,
};

static const struct llm_agent rows[] = {
	{
     .name = "claude",
     .options = claude_options,
     .model = "--model",
     .read = read_claude,
	 },
	{
     .name = "codex",
     .sub = "exec",
     .options = codex_options,
     .model = "--model",
     .last = "-", /* reads its input */
	},
	{
     .name = "gemini",
     .options = gemini_options,
     .model = "--model",
     .read = read_gemini,
	 },
	{
     .name = "qwen",
     .options = gemini_options,
     .model = "--model",
     .read = read_gemini,
	 },
};

const struct llm_agent *
llm_agent_of(struct str command)
{
	struct str rest, name = str_base(str_cut(str_trim(command), ' ', &rest));

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(name, str_from(rows[i].name)))
			return &rows[i];
	}
	return NULL;
}

/* --- words ------------------------------------------------------------------------------- */

struct words {
	const char **list;
	size_t count;
	bool bad; /* too many, or one that is no C string */
};

static void
add(struct words *w, const char *word)
{
	if (!word || w->count + 1 >= LLM_RUN_WORDS)
		w->bad = true;
	else
		w->list[w->count++] = word;
}

const char *const *
llm_agent_words(struct arena *a, struct str command, struct str model)
{
	const struct llm_agent *agent = llm_agent_of(command);
	struct words w = {.list = ARENA_ARRAY(a, LLM_RUN_WORDS, const char *)};
	struct str rest = str_trim(command);

	while (rest.ptr) {
		struct str word = str_cut(rest, ' ', &rest);
		bool is_sub = agent && agent->sub && str_eq(word, str_from(agent->sub));

		if (agent && agent->sub && w.count == 1 && !is_sub)
			add(&w, agent->sub);
		if (word.len > 0)
			add(&w, arena_cstr(a, word));
	}
	if (agent && agent->sub && w.count == 1)
		add(&w, agent->sub);
	for (size_t i = 0; agent && agent->options[i]; i++)
		add(&w, agent->options[i]);
	if (agent && agent->model && model.len > 0) {
		add(&w, agent->model);
		add(&w, arena_cstr(a, model));
	}
	if (agent && agent->last)
		add(&w, agent->last);
	return w.bad ? NULL : w.list;
}
