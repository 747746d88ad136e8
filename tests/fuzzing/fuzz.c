#include "tests/fuzzing/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

void
fuzz_want(bool holds, const char *what)
{
	if (holds)
		return;
	(void)fprintf(stderr, "not so: %s\n", what);
	abort();
}

struct arena *
fuzz_arena(void)
{
	static struct arena *a;

	if (!a)
		a = arena_new(LIMIT_ARENA_BYTES);
	fuzz_want(a != NULL, "memory");
	arena_reset(a);
	return a;
}

const struct policy *
fuzz_policy(void)
{
	static const struct policy *p;

	if (!p)
		p = policy_new();
	fuzz_want(p != NULL, "memory");
	return p;
}

static struct call_outcome
decide(struct arena *a, const struct policy *p, struct str text,
	enum call_tool tool)
{
	struct check_request request;
	struct order_result result;

	if (!ARENA_TRY(a))
		return (struct call_outcome){.verdict = CALL_VERDICT_DENY};
	check_request_init(a, &request);
	request.call.tool = tool;
	if (tool == CALL_TOOL_SHELL)
		request.call.command = text;
	else
		request.call.content = text;
	check_decide(a, p, &request, &result);
	return result.outcome;
}

struct call_outcome
fuzz_decide(struct arena *a, const struct policy *p, struct str command)
{
	return decide(a, p, command, CALL_TOOL_SHELL);
}

struct call_outcome
fuzz_decide_patch(struct arena *a, const struct policy *p, struct str patch)
{
	return decide(a, p, patch, CALL_TOOL_EDIT);
}

static struct str
quoted(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.len * 4 + 3);
	size_t n = 0;

	out[n++] = '\'';
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '\0')
			continue;
		if (s.ptr[i] != '\'') {
			out[n++] = s.ptr[i];
			continue;
		}
		for (const char *p = "'\\''"; *p; p++)
			out[n++] = *p;
	}
	out[n++] = '\'';
	return (struct str){out, n};
}

enum call_verdict
fuzz_verdict(
	const char *before, const char *front, struct str text, const char *after)
{
	struct arena *a = fuzz_arena();

	if (!ARENA_TRY(a))
		return CALL_VERDICT_DENY;
	struct str whole = arena_fmt(a, "%s%.*s", front, STR_ARG(text));
	struct str command =
		arena_fmt(a, "%s%.*s%s", before, STR_ARG(quoted(a, whole)), after);

	return fuzz_decide(a, fuzz_policy(), command).verdict;
}
