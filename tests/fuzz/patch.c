/*
 * Any bytes behind the heading of a file that no patch may change: no line hides
 * it.
 */

#include "tests/fuzzing/fuzz.h"

static enum call_verdict
patch_verdict(const char *front, struct str text)
{
	struct arena *a = fuzz_arena();

	if (!ARENA_TRY(a))
		return CALL_VERDICT_DENY;
	return fuzz_decide_patch(
		a, fuzz_policy(), arena_fmt(a, "%s%.*s", front, STR_ARG(text)))
		.verdict;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char diff[] =
		"--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n";
	struct str text = {(const char *)data, size};

	(void)patch_verdict("", text);
	fuzz_want(
		patch_verdict("*** Begin Patch\n*** Add File: .git/hooks/x\n+x\n", text)
			!= CALL_VERDICT_ALLOW,
		"a patch that makes a hook is not allowed");
	fuzz_want(fuzz_verdict("printf %s ", diff, text, " | git apply")
			!= CALL_VERDICT_ALLOW,
		"a diff that makes a hook is not allowed");
	fuzz_want(fuzz_verdict("printf %s ", diff, text, " | patch -p1")
			!= CALL_VERDICT_ALLOW,
		"... by whatever program");
	return 0;
}
