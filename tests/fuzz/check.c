/*
 * Any bytes as a command, or as a batch line when they begin with a brace: the
 * answer is one line that our own strict reader takes, and no machine allows what
 * was not understood.
 */

#include "check/check.h"

#include "base/limits.h"
#include "shell/shell.h"
#include "tests/fuzzing/fuzz.h"
#include "wire/json.h"

enum { IN_BYTES = 4 << 20, OUT_BYTES = 64 << 20 };

static const char rules[] = "allow shell \"npm test *\"\n"
							"ask shell \"git push *\"\n"
							"deny fetch host \"*.internal\"\n"
							"allow write path \"docs/**\"\n"
							"ask read path \"src/*.c\"\n"
							"sensitive \"customer\"\n";

static const struct policy *
policy_with_rules(void)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	struct policy *p = policy_new();
	struct policy_faults faults;

	fuzz_want(a && p && ARENA_TRY(a), "memory");
	fuzz_want(
		policy_add(p, POLICY_LAYER_USER, STR("user"), STR(rules), a, &faults),
		"the rules have no fault");
	return p;
}

static void
make_line(struct buf *b, struct str data)
{
	if (str_starts(data, STR("{"))) {
		buf_add(b, data);
		return;
	}
	buf_add(b, STR("{\"tool\":\"shell\",\"input\":{\"command\":"));
	buf_add_json(b, data);
	buf_add(b, STR("}}"));
}

static void
look_at(const json_t *answer)
{
	struct str by = wire_json_str(answer, "by");
	enum call_verdict verdict;

	fuzz_want(call_verdict_from(wire_json_str(answer, "verdict"), &verdict),
		"there is a verdict");
	fuzz_want(verdict != CALL_VERDICT_ALLOW
			|| !wire_json_bool(answer, "incomplete") || str_eq(by, STR("rule")),
		"only a rule allows what was not understood");
}

static bool
is_whole(struct arena *a, struct str text)
{
	struct shell_tree tree;

	arena_reset(a);
	if (!ARENA_TRY(a))
		return false;
	shell_parse(a, text, SHELL_BASH, &tree);
	return !tree.unparsed && !str_has(text, STR("<<"))
		&& !str_ends(text, STR("\\"));
}

static enum call_verdict
verdict_behind(const struct policy *p, struct str text, const char *behind)
{
	struct arena *a = fuzz_arena();

	if (!ARENA_TRY(a))
		return CALL_VERDICT_DENY;
	return fuzz_decide(a, p, arena_fmt(a, "%.*s%s", STR_ARG(text), behind))
		.verdict;
}

/* Another command behind a text that is whole takes nothing back. */
static void
check_longer(struct arena *a, const struct policy *p, struct str text)
{
	static const char *const behind[] = {"\nls", "\nzz", "\ncat .env"};

	if (!is_whole(a, text))
		return;
	enum call_verdict alone = verdict_behind(p, text, "");

	for (size_t i = 0; i < ARRAY_LEN(behind); i++)
		fuzz_want(verdict_behind(p, text, behind[i]) >= alone,
			"a command behind lowers nothing");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct policy *policy;
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	CLEANUP(buf_done) struct buf in, out;
	struct wire_json_error error;

	if (!policy)
		policy = policy_with_rules();
	buf_init(&in, IN_BYTES);
	buf_init(&out, OUT_BYTES);
	make_line(&in, (struct str){(const char *)data, size});
	check_line(a, &(struct check_options){policy, true}, buf_str(&in), &out);
	if (!wire_json_scan(buf_str(&out), &error))
		return 0; /* more than anybody would read */
	WIRE_JSON json_t *answer = wire_json_parse(buf_str(&out), &error);

	fuzz_want(answer != NULL, error.message);
	look_at(answer);
	if (!str_starts((struct str){(const char *)data, size}, STR("{")))
		check_longer(a, policy, (struct str){(const char *)data, size});
	return 0;
}
