#include "call/verdict.h"
#include "policy/policy_priv.h"

/*
 * Every setting is a row: how its value is read, its limits and default, who
 * may set it, and what it does.
 */

#define LAYER(name) (1u << POLICY_LAYER_##name)

enum {
	/* what reaches out, or says who may answer: never a project's file */
	OWN = LAYER(USER) | LAYER(ENFORCED),
	/* also for one project, on the user's side */
	ANY = OWN | LAYER(PROJECT),
	/* also for one agent */
	EACH = ANY | LAYER(PROFILE),
	DAY_S = 86400,
};

#define REVIEW_AGENTS                                             \
	"CodeReview DeepReview ReviewJudge ReviewFixer ReviewWorker " \
	"ReviewBusinessLogic ReviewPerformance ReviewSecurity "       \
	"ReviewArchitecture ReviewFrontend ReviewGeneral"
#define MODES "ask|ai_auto|auto_approve|full_access"
#define PROVIDERS \
	"none|anthropic|openai|openai_responses|ollama|llamacpp|vllm|command"

static const struct policy_setting rows[] = {
	{.name = "mode",
     .type = POLICY_SETTING_CHOICE,
     .choices = MODES,
     .fallback = "ai_auto",
     .layers = EACH,
     .help = "who decides what rules and facts do not"},
	{.name = "tier",
     .type = POLICY_SETTING_CHOICE,
     .choices = "standard|aggressive|passive",
     .fallback = "standard",
     .layers = OWN,
     .help = "what happens to escalated calls"},
	{.name = "authority",
     .type = POLICY_SETTING_CHOICE,
     .choices = "tty|passphrase|none",
     .fallback = "tty",
     .layers = OWN,
     .help = "what proves that a person answers"},
	{.name = "sensitive",
     .type = POLICY_SETTING_CHOICE,
     .choices = "judge|ask",
     .fallback = "judge",
     .layers = ANY,
     .help = "who decides calls that touch sensitive resources"},
	{.name = "fastpath.fetch",
     .type = POLICY_SETTING_CHOICE,
     .choices = "docs|any|none",
     .fallback = "docs",
     .layers = ANY,
     .help = "which pages the fast path lets an agent fetch"},
	{.name = "review.agents",
     .type = POLICY_SETTING_LIST,
     .fallback = REVIEW_AGENTS,
     .layers = ANY,
     .help = "agents whose reads inside the workspace never stall"                                  },
	{.name = "hold.seconds",
     .type = POLICY_SETTING_NUMBER,
     .max = 7 * DAY_S,
     .fallback = "0",
     .layers = ANY,
     .help =
			"how long a call waits for a person; 0: as long as its agent can"},
	{.name = "approval.seconds",
     .type = POLICY_SETTING_NUMBER,
     .min = 10,
     .max = DAY_S,
     .fallback = "600",
     .layers = ANY,
     .help = "how long an approval given late can be spent"},
	{.name = "budget.row",
     .type = POLICY_SETTING_NUMBER,
     .min = 1,
     .max = 1000,
     .fallback = "3",
     .layers = ANY,
     .help = "refusals by the judge in a row before people are asked"},
	{.name = "budget.session",
     .type = POLICY_SETTING_NUMBER,
     .min = 1,
     .max = 10000,
     .fallback = "20",
     .layers = ANY,
     .help = "refusals by the judge in a session before people are asked"},
	{.name = "durability",
     .type = POLICY_SETTING_CHOICE,
     .choices = "full|normal",
     .fallback = "full",
     .layers = OWN,
     .help = "full: replies and allows are on the disk before they leave"},
	{.name = "judge.provider",
     .type = POLICY_SETTING_CHOICE,
     .choices = PROVIDERS,
     .fallback = "none",
     .layers = OWN,
     .later = true,
     .help = "how the judging model is reached"},
	{.name = "judge.model",
     .type = POLICY_SETTING_TEXT,
     .layers = ANY,
     .later = true,
     .help = "the model that judges; run: the one the run itself uses"																			  },
	{.name = "judge.url",
     .type = POLICY_SETTING_URL,
     .layers = OWN,
     .later = true,
     .help = "where the provider is, when not at its usual address"																		 },
	{.name = "judge.key.file",
     .type = POLICY_SETTING_PATH,
     .layers = OWN,
     .later = true,
     .help = "a file that holds the provider's key"																},
	{.name = "judge.key.command",
     .type = POLICY_SETTING_LIST,
     .layers = OWN,
     .later = true,
     .help = "a program and its arguments that print the provider's key"                                                                 },
	{.name = "judge.key.env",
     .type = POLICY_SETTING_TEXT,
     .layers = OWN,
     .later = true,
     .help = "a variable that holds the provider's key"																},
	{.name = "judge.command",
     .type = POLICY_SETTING_LIST,
     .layers = OWN,
     .later = true,
     .help = "the program of provider command, and its arguments"                                                                },
	{.name = "judge.proxy",
     .type = POLICY_SETTING_URL,
     .layers = OWN,
     .later = true,
     .help = "an HTTP proxy on the way to the provider"																},
	{.name = "judge.seconds",
     .type = POLICY_SETTING_NUMBER,
     .min = 1,
     .max = 600,
     .fallback = "30",
     .layers = ANY,
     .later = true,
     .help = "time for one judgement, queueing and retry included"},
	{.name = "judge.parallel",
     .type = POLICY_SETTING_NUMBER,
     .min = 1,
     .max = 256,
     .fallback = "8",
     .layers = OWN,
     .later = true,
     .help = "judgements at once"},
	{.name = "judge.on_block",
     .type = POLICY_SETTING_CHOICE,
     .choices = "card|return",
     .fallback = "card",
     .layers = ANY,
     .later = true,
     .help = "a refusal goes to a card, or first back to the agent"},
	{.name = "judge.evidence",
     .type = POLICY_SETTING_SWITCH,
     .fallback = "on",
     .layers = ANY,
     .later = true,
     .help = "the judge is shown the scripts that a call would run"},
	{.name = "judge.second.provider",
     .type = POLICY_SETTING_CHOICE,
     .choices = PROVIDERS,
     .fallback = "none",
     .layers = OWN,
     .later = true,
     .help = "a second provider, for what the first would not allow"},
	{.name = "judge.second.model",
     .type = POLICY_SETTING_TEXT,
     .layers = ANY,
     .later = true,
     .help = "a more careful model, for what the first would not allow"                                                              },
	{.name = "notify.desktop",
     .type = POLICY_SETTING_SWITCH,
     .fallback = "off",
     .layers = OWN,
     .later = true,
     .help = "a desktop notification for each card"},
	{.name = "notify.webhook",
     .type = POLICY_SETTING_URL,
     .layers = OWN,
     .later = true,
     .help = "an address that is told of each card"                             },
	{.name = "language",
     .type = POLICY_SETTING_CHOICE,
     .choices = "en|zh-CN|zh-TW",
     .fallback = "en",
     .layers = OWN,
     .later = true,
     .help = "the language of cards and pages"},
	{.name = "audit.days",
     .type = POLICY_SETTING_NUMBER,
     .max = 36500,
     .fallback = "0",
     .layers = OWN,
     .later = true,
     .help = "how long bodies of audit rows are kept; 0: for ever"},
	{.name = "audit.heads",
     .type = POLICY_SETTING_PATH,
     .layers = OWN,
     .later = true,
     .help = "a file that the heads of the audit's chain are added to"																		  },
	{.name = "listen",
     .type = POLICY_SETTING_TEXT,
     .layers = OWN,
     .later = true,
     .help = "a loopback address for the page and the API: 127.0.0.1:PORT"                                                                 },
};

size_t
policy_settings(const struct policy_setting **ret_rows)
{
	*ret_rows = rows;
	return ARRAY_LEN(rows);
}

bool
policy_setting_may_stand(
	const struct policy_setting *s, enum policy_layer layer)
{
	return (s->layers >> layer & 1) != 0;
}

/* The choice that v is, or absent. Modes have aliases of their own. */
static struct str
choice_of(const struct policy_setting *s, struct str v)
{
	struct str rest = str_from(s->choices);
	enum call_mode mode = CALL_MODE_UNSET;

	if (str_eq(rest, STR(MODES)) && call_mode_from(v, &mode))
		return str_from(call_mode_name(mode));
	while (rest.ptr) {
		struct str one = str_cut(rest, '|', &rest);

		if (str_eq_fold(one, v))
			return one;
	}
	return (struct str){NULL, 0};
}

static bool
is_address(struct str v)
{
	static const char *const schemes[] = {"https://", "http://"};

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t n = str_from(schemes[i]).len;

		if (str_starts(v, str_from(schemes[i])) && v.len > n && v.ptr[n] != '/'
			&& !str_has_char(v, ' '))
			return true;
	}
	return false;
}

static struct str
join(struct arena *a, const struct policy_token *values, size_t count)
{
	struct str all = values[0].text;

	for (size_t i = 1; i < count; i++)
		all = arena_fmt(a, "%.*s %.*s", STR_ARG(all), STR_ARG(values[i].text));
	return arena_dup(a, all);
}

static bool
check_value(const struct policy_setting *s, struct arena *a, struct str v,
	struct str *ret_value)
{
	struct str choice;
	int64_t number = 0;

	*ret_value = arena_dup(a, v);
	switch (s->type) {
	case POLICY_SETTING_CHOICE:
		choice = choice_of(s, v);
		*ret_value = choice;
		return choice.ptr != NULL;
	case POLICY_SETTING_SWITCH:
		return str_eq(v, STR("on")) || str_eq(v, STR("off"));
	case POLICY_SETTING_NUMBER:
		return str_number(v, &number) && number >= s->min && number <= s->max;
	case POLICY_SETTING_URL:
		return is_address(v);
	case POLICY_SETTING_PATH:
		return str_starts(v, STR("/")) || str_starts(v, STR("~/"));
	case POLICY_SETTING_TEXT:
	case POLICY_SETTING_LIST:
		return v.len > 0;
	}
	return false;
}

static struct str
wants_of(struct arena *a, const struct policy_setting *s)
{
	switch (s->type) {
	case POLICY_SETTING_CHOICE:
		return arena_fmt(a, "one of %s", s->choices);
	case POLICY_SETTING_SWITCH:
		return STR("on or off");
	case POLICY_SETTING_NUMBER:
		return arena_fmt(a, "a number from %lld to %lld", (long long)s->min,
			(long long)s->max);
	case POLICY_SETTING_URL:
		return STR("one address that begins with https:// or http://");
	case POLICY_SETTING_PATH:
		return STR("one path that begins with / or ~/");
	case POLICY_SETTING_TEXT:
		return STR("one word, or words in double quotes");
	case POLICY_SETTING_LIST:
		return STR("one word or more");
	}
	return STR("a value");
}

bool
policy_setting_parse(struct arena *a, const struct policy_setting *s,
	const struct policy_token *values, size_t count, struct str *ret_value,
	struct str *ret_wants)
{
	bool is_list = s->type == POLICY_SETTING_LIST;

	*ret_wants = wants_of(a, s);
	if (count == 0 || (count > 1 && !is_list))
		return false;
	return check_value(s, a, join(a, values, count), ret_value);
}
