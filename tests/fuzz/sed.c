/*
 * Any bytes as a script of sed: what stands in front of them runs, so that nothing behind it
 * lets it through.
 */

#include "tests/fuzzing/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const fronts[] = {"1e zz\n", "w .git/config\n",
		"s/a/b/w /home/dev/.bashrc\n", "r .env\n", "1{e zz\n}\n"};
	struct str text = {(const char *)data, size};

	(void)fuzz_verdict("sed ", "", text, " x");
	for (size_t i = 0; i < ARRAY_LEN(fronts); i++)
		fuzz_want(
			fuzz_verdict("sed ", fronts[i], text, " x") != CALL_VERDICT_ALLOW,
			"what a script of sed does first is not allowed");
	return 0;
}
