/*
 * The quick JSON reader against jansson: what it reads, jansson reads alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "wire/json.h"
#include "wire/quick.h"

enum { TEXT_BYTES = 512, ROUNDS = 60000 };

static const char *const seeds[] = {
	"{\"session_id\":\"s1\",\"tool_input\":{\"command\":\"ls\"}}",
	"{ \"a\" : [ 1 , -20 , 0 , true , false , null , \"x\" ] }\n",
	"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u0041\\u00e9\\u20ac\"]",
	"{\"\":{\"\":{\"\":[]}},\"b\":{}}",
	"\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
	"[123456789012345678,-123456789012345678]",
	"[[[[[[[[[[1]]]]]]]]]]",
	"0",
};

/* Read by jansson, and unsurely or not at all by the quick reader. */
static const char *const left[] = {
	"1.5",
	"-0",
	"1e3",
	"9223372036854775807",
	"[\"\\ud83d\\ude00\"]",
	"{\"\\u0061\":1}",
};

static const char *const wrong[] = {
	"",
	" ",
	"{",
	"[1,]",
	"{\"a\":1,}",
	"{\"a\":1,\"a\":2}",
	"{\"a\" 1}",
	"{a:1}",
	"01",
	"-",
	"+1",
	"9223372036854775808",
	"[1] x",
	"[1][2]",
	"\"a",
	"\"\\\"",
	"\"\\x\"",
	"\"\\u12\"",
	"\"\\u0000\"",
	"\"\\ud800\"",
	"\"\n\"",
	"\"\x01\"",
	"\"\xff\"",
	"\"\xc0\x80\"",
	"\"\xed\xa0\x80\"",
	"\"\xf4\x90\x80\x80\"",
	"tru",
	"nulls",
	"NaN",
	"'a'",
	"[1 2]",
	"/* */1",
};

static json_t *
slow(struct str s)
{
	json_error_t e;

	return json_loadb(
		s.ptr, s.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
}

/* 1: both read it, alike. 0: the quick one does not. Else the test fails. */
static int
compare(struct str s)
{
	json_t *quick = wire_quick_parse(s), *by_jansson;

	if (!quick)
		return 0;
	by_jansson = slow(s);
	if (!by_jansson || !json_equal(quick, by_jansson))
		fail_msg("read differently: %.*s", STR_ARG(s));
	json_decref(quick);
	json_decref(by_jansson);
	return 1;
}

static void
test_plain_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
		if (!compare(str_from(seeds[i])))
			fail_msg("not read: %s", seeds[i]);
	}
}

static void
test_the_rest_is_left(void **state)
{
	struct wire_json_error e;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(left); i++) {
		json_t *j = wire_json_parse(str_from(left[i]), &e);

		if (compare(str_from(left[i])) || !j)
			fail_msg("%s", left[i]);
		json_decref(j);
	}
}

static void
test_wrong_is_refused(void **state)
{
	struct wire_json_error e;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		json_t *j = wire_json_parse(str_from(wrong[i]), &e);

		if (j)
			fail_msg("read: %s", wrong[i]);
		assert_true(e.message[0] != '\0');
	}
}

static void
test_depth_is_bounded(void **state)
{
	char text[2 * 100 + 1];

	(void)state;
	for (int depth = 1; depth < 100; depth++) {
		memset(text, '[', (size_t)depth);
		memset(text + depth, ']', (size_t)depth);
		struct str s = {text, (size_t)(2 * depth)};
		json_t *j = wire_quick_parse(s);

		if (depth <= 60)
			assert_non_null(j);
		if (depth > 64)
			assert_null(j);
		json_decref(j);
	}
}

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void
test_mutants_are_read_alike(void **state)
{
	static const char alphabet[] =
		"{}[]:,\"\\/u0123eE.-+ \n\ttrufalsn\x01\x7f\xc3"
		"\xa9\xff\xed\xa0";
	uint64_t seed = 20261201;
	size_t read = 0;
	char text[TEXT_BYTES];

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		const char *from = seeds[next_random(&seed) % ARRAY_LEN(seeds)];
		size_t n = strlen(from);

		for (size_t at = 0; at < n; at++)
			text[at] = from[at];
		for (uint64_t k = next_random(&seed) % 4; k > 0 && n > 1; k--) {
			size_t at = next_random(&seed) % n;
			char c = alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];

			switch (next_random(&seed) % 3) {
			case 0:
				text[at] = c;
				break;
			case 1:
				memmove(text + at, text + at + 1, --n - at);
				break;
			default:
				memmove(text + at + 1, text + at, n++ - at);
				text[at] = c;
				break;
			}
		}
		read += (size_t)compare((struct str){text, n});
	}
	assert_true(read > ROUNDS / 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_is_read),
		cmocka_unit_test(test_the_rest_is_left),
		cmocka_unit_test(test_wrong_is_refused),
		cmocka_unit_test(test_depth_is_bounded),
		cmocka_unit_test(test_mutants_are_read_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
