/*
 * Any bytes as a program of awk: what stands in front of them runs, so that nothing behind it
 * lets it through.
 */

#include "tests/fuzzing/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const fronts[] = {"BEGIN{system(\"zz\")}\n",
		"BEGIN{print > \".git/config\"}\n", "{print | \"zz\"}\n",
		"BEGIN{while((getline x < \".env\")>0)print x}\n",
		"BEGIN{print ENVIRON[\"A\"]}\n"};
	struct str text = {(const char *)data, size};

	(void)fuzz_verdict("awk ", "", text, " x");
	for (size_t i = 0; i < ARRAY_LEN(fronts); i++)
		fuzz_want(
			fuzz_verdict("awk ", fronts[i], text, " x") != CALL_VERDICT_ALLOW,
			"what a program of awk does first is not allowed");
	return 0;
}
