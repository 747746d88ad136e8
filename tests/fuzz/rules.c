/*
 * Any bytes as a file of rules: the floor stands whatever they say, and a
 * workspace's own file never lowers anything.
 */

#include "tests/fuzzing/fuzz.h"

static const char *const commands[] = {
	"rm -rf /", "cat .env", "git push", "ls", "npm test", "echo x > a.txt"};

static int
rank(struct arena *a, const struct policy *p, const char *command)
{
	return (int)fuzz_decide(a, p, str_from(command)).verdict;
}

static void
check_layer(struct str text, enum policy_layer layer)
{
	struct arena *a = fuzz_arena();
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct policy_faults faults;

	fuzz_want(p != NULL, "memory");
	if (!ARENA_TRY(a))
		return;
	if (!policy_add(p, layer, STR("rules"), text, a, &faults))
		return;
	fuzz_want(rank(a, p, commands[0]) == CALL_VERDICT_DENY, "the floor stands");
	if (layer != POLICY_LAYER_WORKSPACE)
		return;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		fuzz_want(
			rank(a, p, commands[i]) >= rank(a, fuzz_policy(), commands[i]),
			"a workspace's file only tightens");
}

/* Most texts are no rules, and reading the shipped ones again takes its time. */
static bool
has_statement(struct str text)
{
	static const char *const words[] = {
		"allow ", "ask ", "deny ", "set ", "sensitive ", "instruct "};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (str_starts(text, str_from(words[i])))
			return true;
	}
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};

	if (!has_statement(text))
		return 0;
	check_layer(text, POLICY_LAYER_USER);
	check_layer(text, POLICY_LAYER_WORKSPACE);
	return 0;
}
