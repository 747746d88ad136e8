/*
 * Properties of the order that no list of cases can show: over many calls, and
 * over every setting for each of them.
 */

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "check/check.h"
#include "tests/unit/unit.h"

enum { COMMANDS_MAX = 1024, TEXT_BYTES = 4 << 20 };

static struct arena *arena;
static struct policy *policy;
static struct buf text;
static struct str commands[COMMANDS_MAX];
static size_t command_count;

/* --- the calls: what the case files of this room hold ------------------------- */

static void
add_commands(struct str rest)
{
	struct str line;

	while (str_line(&rest, &line)) {
		size_t end = str_find(line, STR(" => "), 0);
		struct str s = str_trim(str_sub(line, 0, end));

		if (end == line.len || s.len == 0 || s.ptr[0] == '#' || s.ptr[0] == '{'
			|| command_count == COMMANDS_MAX)
			continue;
		commands[command_count++] = s;
	}
}

static int
set_up(void **state)
{
	glob_t g;
	char part[4096];
	size_t n;

	(void)state;
	arena = arena_new(LIMIT_ARENA_BYTES);
	policy = policy_new();
	buf_init(&text, TEXT_BYTES);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
	assert_int_equal(glob("tests/cases/order/*.case", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		FILE *f = fopen(g.gl_pathv[i], "re");

		assert_non_null(f);
		while ((n = fread(part, 1, sizeof(part), f)) > 0)
			buf_add(&text, (struct str){part, n});
		(void)fclose(f);
	}
	globfree(&g);
	add_commands(buf_str(&text));
	assert_true(arena && policy && !text.full && command_count > 100);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	policy_unref(policy);
	buf_done(&text);
	return 0;
}

/* --- deciding one ------------------------------------------------------------- */

static struct order_result
decide(struct str command, const struct check_request *like)
{
	struct check_request request;
	struct order_result result;

	arena_reset(arena);
	if (!ARENA_TRY(arena))
		fail_msg("too large: %.*s", STR_ARG(command));
	check_request_init(arena, &request);
	if (like) {
		request.settings = like->settings;
		request.grants = like->grants;
		request.grant_count = like->grant_count;
		request.judged = like->judged;
		request.judged_risk = like->judged_risk;
		request.call.contained = like->call.contained;
	}
	request.call.tool = CALL_TOOL_SHELL;
	request.call.command = command;
	check_decide(arena, policy, &request, &result);
	assert_int_not_equal(result.outcome.verdict, CALL_VERDICT_NONE);
	assert_true(result.outcome.reason.len > 0);
	return result;
}

static enum call_verdict
verdict_of(struct str command)
{
	return decide(command, NULL).outcome.verdict;
}

/* --- every setting, for one call ---------------------------------------------- */

struct setting_walk {
	size_t at;
	struct order_grant grant;
	struct check_request like;
};

/* The next of all combinations; false when there is none left. */
static bool
next_setting(struct setting_walk *w, struct str command)
{
	static const struct {
		enum order_judged judged;
		enum call_risk risk;
	} judged[] = {
		{ORDER_JUDGE_NONE,      CALL_RISK_NONE    },
		{ORDER_JUDGE_ALLOW,     CALL_RISK_LOW     },
		{ORDER_JUDGE_DENY,      CALL_RISK_CRITICAL},
		{ORDER_JUDGE_ESCALATED, CALL_RISK_HIGH    },
		{ORDER_JUDGE_FAILED,    CALL_RISK_NONE    },
	};
	enum { MODES = CALL_MODE_COUNT - 1, TIERS = CALL_TIER_COUNT - 1 };
	size_t n = w->at++;

	w->like = (struct check_request){.grants = &w->grant};
	w->grant = (struct order_grant){
		.action = STR("shell"), .resource = command, .exact = true};
	w->like.settings.mode = (enum call_mode)(1 + n % MODES);
	n /= MODES;
	w->like.settings.tier = (enum call_tier)(1 + n % TIERS);
	n /= TIERS;
	w->like.judged = judged[n % ARRAY_LEN(judged)].judged;
	w->like.judged_risk = judged[n % ARRAY_LEN(judged)].risk;
	n /= ARRAY_LEN(judged);
	w->like.settings.anyone_can_answer = n & 1;
	w->like.grant_count = n >> 1 & 1;
	w->like.call.contained = n >> 2 & 1;
	return n < 8;
}

static void
deny_is_never_lowered(void **state)
{
	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		struct setting_walk w = {.at = 0};

		if (verdict_of(commands[i]) != CALL_VERDICT_DENY)
			continue;
		while (next_setting(&w, commands[i])) {
			if (decide(commands[i], &w.like).outcome.verdict
				!= CALL_VERDICT_DENY)
				fail_msg("lowered: %.*s", STR_ARG(commands[i]));
		}
	}
}

static void
person_only_is_never_allowed(void **state)
{
	size_t seen = 0;

	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		struct setting_walk w = {.at = 0};

		if (!decide(commands[i], NULL).outcome.person_only)
			continue;
		seen++;
		while (next_setting(&w, commands[i])) {
			if (decide(commands[i], &w.like).outcome.verdict
				== CALL_VERDICT_ALLOW)
				fail_msg("allowed: %.*s", STR_ARG(commands[i]));
		}
	}
	assert_true(seen > 0);
}

static bool
is_machine(enum call_by by)
{
	return by == CALL_BY_CONTAINED || by == CALL_BY_FAST_PATH
		|| by == CALL_BY_BUILTIN;
}

static void
incomplete_is_never_allowed_by_facts(void **state)
{
	size_t seen = 0;

	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		struct setting_walk w = {.at = 0};

		while (next_setting(&w, commands[i])) {
			struct order_result r = decide(commands[i], &w.like);

			if (r.facts.ignorance == 0)
				continue;
			seen++;
			if (r.outcome.verdict == CALL_VERDICT_ALLOW
				&& is_machine(r.outcome.by))
				fail_msg("allowed: %.*s", STR_ARG(commands[i]));
			if (r.outcome.verdict == CALL_VERDICT_ALLOW
				&& r.outcome.by == CALL_BY_GRANT
				&& (r.facts.ignorance & (CALL_DYNAMIC | CALL_UNPARSED)))
				fail_msg("granted: %.*s", STR_ARG(commands[i]));
		}
	}
	assert_true(seen > 0);
}

/* A failed judgement allows nothing in any mode that asks a judge. */
static void
failed_judgement_never_allows(void **state)
{
	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		struct setting_walk w = {.at = 0};

		while (next_setting(&w, commands[i])) {
			if (w.like.judged != ORDER_JUDGE_FAILED)
				continue;
			struct call_outcome o = decide(commands[i], &w.like).outcome;

			if (o.verdict == CALL_VERDICT_ALLOW
				&& (o.by == CALL_BY_JUDGE || o.by == CALL_BY_TIER))
				fail_msg("allowed: %.*s", STR_ARG(commands[i]));
		}
	}
}

/* --- adding to a call --------------------------------------------------------- */

static void
want_not_lower(struct str whole, struct str part, enum call_verdict verdict)
{
	char copy[4096];

	CHECK(whole.len < sizeof(copy));
	memcpy(copy, whole.ptr, whole.len);
	whole.ptr = copy;
	if (verdict_of(whole) < verdict)
		fail_msg("%.*s\nis lower than %.*s", STR_ARG(whole), STR_ARG(part));
}

/* What comes behind cannot change what was there. A comment or an open quote
 * would swallow it: such calls are left out. */
static void
adding_a_command_never_lowers(void **state)
{
	static const char *const tails[] = {" ; ls", " && pwd", " | cat",
		" || true", "\necho x", " & wait", " ; git status", " && npm test",
		" ; rm -rf ~", " ; cat .env", " > out.txt", " 2>&1", " ; $X",
		" && curl https://example.com", " ; python3 x.py"};
	char joined[4096];

	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		enum call_verdict verdict = verdict_of(commands[i]);

		if (str_has_char(commands[i], '#') || commands[i].len > 2048)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(tails); k++) {
			int n = snprintf(joined, sizeof(joined), "%.*s%s",
				STR_ARG(commands[i]), tails[k]);

			want_not_lower(
				(struct str){joined, (size_t)n}, commands[i], verdict);
		}
	}
}

static void
standing_in_a_construct_never_lowers(void **state)
{
	static const char *const frames[][2] = {
		{"( ",				" )"     },
		{"{ ",				"; }"    },
		{"if true; then ",    "; fi"   },
		{"for i in 1 2; do ", "; done" },
		{"while true; do ",   "; done" },
		{"echo \"$( ",        " )\""   },
		{"cat <( ",           " )"     },
		{"f() { ",            "; }; f" },
		{"case x in x) ",     ";; esac"},
		{"time ",             ""       },
		{"echo hi && ",       ""       },
		{"true || ",          ""       },
	};
	char joined[4096];

	(void)state;
	for (size_t i = 0; i < command_count; i++) {
		enum call_verdict verdict = verdict_of(commands[i]);

		/* a trailing & would meet the frame's ; and no longer parse, which
		 * is never lower than ask */
		if (str_has_char(commands[i], '#') || commands[i].len > 2048
			|| str_ends(commands[i], STR("&")))
			continue;
		for (size_t k = 0; k < ARRAY_LEN(frames); k++) {
			int n = snprintf(joined, sizeof(joined), "%s%.*s%s", frames[k][0],
				STR_ARG(commands[i]), frames[k][1]);

			want_not_lower(
				(struct str){joined, (size_t)n}, commands[i], verdict);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deny_is_never_lowered),
		cmocka_unit_test(person_only_is_never_allowed),
		cmocka_unit_test(incomplete_is_never_allowed_by_facts),
		cmocka_unit_test(failed_judgement_never_allows),
		cmocka_unit_test(adding_a_command_never_lowers),
		cmocka_unit_test(standing_in_a_construct_never_lowers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
