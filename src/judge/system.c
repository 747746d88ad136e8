/*
 * What a model is told about its task: system.txt, compiled in as it stands there.
 * It is constant for a JUDGE_VERSION: providers keep it, and a record that names
 * the version says what was asked. Change a word, change the version.
 */

#include "judge/judge.h"

__asm__(".section .rodata\n"
		".global judge_system_text\n"
		".global judge_system_text_end\n"
		"judge_system_text:\n"
		".incbin \"src/judge/system.txt\"\n"
		"judge_system_text_end:\n"
		".byte 0\n"
		".previous\n");
extern const char judge_system_text[];
extern const char judge_system_text_end[];

static const char schema[] =
	"{\"type\":\"object\",\"additionalProperties\":false,"
	"\"required\":[\"decision\",\"risk_level\",\"reason\"],"
	"\"properties\":{"
	"\"decision\":{\"type\":\"string\","
	"\"enum\":[\"allow\",\"deny\",\"escalate\"]},"
	"\"risk_level\":{\"type\":\"string\","
	"\"enum\":[\"low\",\"medium\",\"high\",\"critical\"]},"
	"\"reason\":{\"type\":\"string\"}}}";

struct str
judge_system(void)
{
	const char *end = judge_system_text_end;

	/* two labels of one text */
	// cppcheck-suppress comparePointers
	return (struct str){judge_system_text, (size_t)(end - judge_system_text)};
}

struct str
judge_schema(void)
{
	return str_from(schema);
}
