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
	WEEK_S = 7 * DAY_S,
};

#define REVIEW_AGENTS                                             \
	"CodeReview DeepReview ReviewJudge ReviewFixer ReviewWorker " \
	"ReviewBusinessLogic ReviewPerformance ReviewSecurity "       \
	"ReviewArchitecture ReviewFrontend ReviewGeneral"
#define MODES "ask|ai_auto|auto_approve|full_access"
#define PROVIDERS \
	"none|anthropic|openai|openai_responses|ollama|llamacpp|vllm|command"

/* One row: name, type, choices, least and most, default, who may set it, help.
 * LATER: it is kept, and not in effect yet. */
#define ROW(name, type, choices, min, max, fallback, who, help)               \
	{                                                                         \
		name, POLICY_SETTING_##type, choices, min, max, fallback, who, false, \
			help                                                              \
	}
#define LATER(name, type, choices, min, max, fallback, who, help)            \
	{                                                                        \
		name, POLICY_SETTING_##type, choices, min, max, fallback, who, true, \
			help                                                             \
	}

/* How a judge beside the first is reached. */
#define REACH(prefix, whose)                                             \
	ROW(prefix "url", URL, NULL, 0, 0, NULL, OWN, "where " whose " is"), \
		ROW(prefix "key.file", PATH, NULL, 0, 0, NULL, OWN,              \
			"a file that holds the key of " whose),                      \
		ROW(prefix "key.command", LIST, NULL, 0, 0, NULL, OWN,           \
			"a program that prints the key of " whose),                  \
		ROW(prefix "command", LIST, NULL, 0, 0, NULL, OWN,               \
			"the program of " whose ", and its arguments")

/* clang-format off */
static const struct policy_setting rows[] = {
	ROW("mode", CHOICE, MODES, 0, 0, "ai_auto", EACH,
		"who decides what rules and facts do not"),
	ROW("tier", CHOICE, "standard|aggressive|passive", 0, 0, "standard", OWN,
		"what happens to escalated calls"),
	ROW("authority", CHOICE, "tty|passphrase|none", 0, 0, "tty", OWN,
		"what proves that a person answers"),
	ROW("sensitive", CHOICE, "judge|ask", 0, 0, "judge", ANY,
		"who decides calls that touch sensitive resources"),
	ROW("fastpath.fetch", CHOICE, "docs|any|none", 0, 0, "docs", ANY,
		"which pages the fast path lets an agent fetch"),
	ROW("review.agents", LIST, NULL, 0, 0, REVIEW_AGENTS, ANY,
		"agents whose reads inside the workspace never stall"),
	ROW("hold.seconds", NUMBER, NULL, 0, WEEK_S, "0", ANY,
		"how long a call waits for a person; 0: as long as its agent can"),
	ROW("approval.seconds", NUMBER, NULL, 10, DAY_S, "600", ANY,
		"how long an approval given late can be spent"),
	ROW("budget.row", NUMBER, NULL, 1, 1000, "3", ANY,
		"refusals by the judge in a row before people are asked"),
	ROW("budget.session", NUMBER, NULL, 1, 10000, "20", ANY,
		"refusals by the judge in a session before people are asked"),
	ROW("durability", CHOICE, "full|normal", 0, 0, "full", OWN,
		"normal: machines' decisions reach the disk a second after they leave"),
	ROW("budget.cost.session", AMOUNT, NULL, 0, 0, "0", ANY,
		"what the judge may cost in a session before people are asked"),
	ROW("budget.cost.day", AMOUNT, NULL, 0, 0, "0", OWN,
		"what the judge may cost in a day (UTC) before people are asked"),
	ROW("judge.provider", CHOICE, PROVIDERS, 0, 0, "none", OWN,
		"how the judging model is reached"),
	ROW("judge.model", TEXT, NULL, 0, 0, NULL, ANY,
		"the model that judges; run: the one the run itself uses"),
	ROW("judge.url", URL, NULL, 0, 0, NULL, OWN,
		"where the provider is, when not at its usual address"),
	ROW("judge.key.file", PATH, NULL, 0, 0, NULL, OWN,
		"a file that holds the provider's key"),
	ROW("judge.key.command", LIST, NULL, 0, 0, NULL, OWN,
		"a program and its arguments that print the provider's key"),
	ROW("judge.command", LIST, NULL, 0, 0, NULL, OWN,
		"the program of provider command, and its arguments"),
	ROW("judge.proxy", URL, NULL, 0, 0, NULL, OWN,
		"an HTTP proxy on the way to the provider"),
	ROW("judge.seconds", NUMBER, NULL, 1, 600, "30", ANY,
		"time for one judgement, queueing and retry included"),
	ROW("judge.parallel", NUMBER, NULL, 1, 256, "8", OWN,
		"judgements at once"),
	ROW("judge.on_block", CHOICE, "card|return", 0, 0, "card", ANY,
		"a refusal goes to a card, or first back to the agent"),
	ROW("judge.conversation", SWITCH, NULL, 0, 0, "on", ANY,
		"the judge is shown what the user and the agent said last"),
	ROW("judge.evidence", SWITCH, NULL, 0, 0, "on", ANY,
		"the judge is shown the scripts that a call would run"),
	ROW("judge.effects", SWITCH, NULL, 0, 0, "on", ANY,
		"the judge is shown what a call does as it was read"),
	ROW("judge.claims", SWITCH, NULL, 0, 0, "on", ANY,
		"the judge is shown what MCP servers say of their tools"),
	ROW("judge.second.provider", CHOICE, PROVIDERS, 0, 0, "none", OWN,
		"a second provider, for what the first would not allow"),
	ROW("judge.second.model", TEXT, NULL, 0, 0, NULL, ANY,
		"a more careful model, for what the first would not allow"),
	REACH("judge.second.", "the second judge"),
	REACH("judge.fallback.", "the fallback"),
	ROW("judge.fallback.provider", CHOICE, PROVIDERS, 0, 0, "none", OWN,
		"another provider, for when the first has no verdict"),
	ROW("judge.fallback.model", TEXT, NULL, 0, 0, NULL, OWN,
		"the fallback's model"),
	ROW("judge.ca", PATH, NULL, 0, 0, NULL, OWN,
		"a file of certificates that providers are checked with"),
	ROW("judge.prices", PRICES, NULL, 0, 0, NULL, OWN,
		"model, and price of a million input, cached and output tokens; again"),
	LATER("notify.desktop", SWITCH, NULL, 0, 0, "off", OWN,
		"a desktop notification for each card"),
	LATER("notify.webhook", URL, NULL, 0, 0, NULL, OWN,
		"an address that is told of each card"),
	LATER("language", CHOICE, "en|zh-CN|zh-TW", 0, 0, "en", OWN,
		"the language of cards and pages"),
	ROW("audit.days", NUMBER, NULL, 0, 36500, "0", OWN,
		"how long bodies of audit rows are kept; 0: for ever"),
	ROW("audit.heads", PATH, NULL, 0, 0, NULL, OWN,
		"a file that the heads of the audit's chain are added to"),
	LATER("listen", TEXT, NULL, 0, 0, NULL, OWN,
		"a loopback address for the page and the API: 127.0.0.1:PORT"),
};
/* clang-format on */

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

/* Digits, and a point between some of them. */
static bool
is_price(struct str v)
{
	size_t digits = 0, points = 0;

	for (size_t i = 0; i < v.len; i++) {
		digits += v.ptr[i] >= '0' && v.ptr[i] <= '9';
		points += i > 0 && v.ptr[i] == '.';
	}
	return digits > 0 && points <= 1 && digits + points == v.len && v.len <= 12;
}

static bool
is_prices(struct str v)
{
	struct str rest = v;
	size_t n = 0;

	for (; rest.ptr; n++) {
		struct str word = str_cut(rest, ' ', &rest);

		if (n % 4 == 0 ? word.len == 0 : !is_price(word))
			return false;
	}
	return n > 0 && n % 4 == 0;
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
	case POLICY_SETTING_AMOUNT:
		return str_amount(v, &number);
	case POLICY_SETTING_URL:
		return is_address(v);
	case POLICY_SETTING_PATH:
		return str_starts(v, STR("/")) || str_starts(v, STR("~/"));
	case POLICY_SETTING_TEXT:
	case POLICY_SETTING_LIST:
		return v.len > 0;
	case POLICY_SETTING_PRICES:
		return is_prices(v);
	}
	return false;
}

struct str
policy_setting_wants(struct arena *a, const struct policy_setting *s)
{
	switch (s->type) {
	case POLICY_SETTING_CHOICE:
		return arena_fmt(a, "one of %s", s->choices);
	case POLICY_SETTING_SWITCH:
		return STR("on or off");
	case POLICY_SETTING_NUMBER:
		return arena_fmt(a, "a number from %lld to %lld", (long long)s->min,
			(long long)s->max);
	case POLICY_SETTING_AMOUNT:
		return STR("an amount of money, such as 0.50");
	case POLICY_SETTING_URL:
		return STR("one address that begins with https:// or http://");
	case POLICY_SETTING_PATH:
		return STR("one path that begins with / or ~/");
	case POLICY_SETTING_TEXT:
		return STR("one word, or words in double quotes");
	case POLICY_SETTING_LIST:
		return STR("one word or more");
	case POLICY_SETTING_PRICES:
		return STR("a model and three prices (input, cached, output), once or "
				   "more");
	}
	return STR("a value");
}

bool
policy_setting_parse(struct arena *a, const struct policy_setting *s,
	const struct policy_token *values, size_t count, struct str *ret_value)
{
	bool is_list =
		s->type == POLICY_SETTING_LIST || s->type == POLICY_SETTING_PRICES;

	if (count == 0 || (count > 1 && !is_list))
		return false;
	return check_value(s, a, join(a, values, count), ret_value);
}
