#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[512];
static _Thread_local char place[128];

int
fail_make(int code, const char *file, int line, const char *fmt, ...)
{
	va_list args;

	CHECK(code < 0 && code > -(int)FAIL_COUNT);
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)snprintf(place, sizeof(place), "%s:%d", file, line);
	return code;
}

const char *
fail_name(int code)
{
#define X(name, words) [FAIL_##name##_POSITIVE] = words,
	static const char *const names[FAIL_COUNT] = {
		[FAIL_NONE] = "no failure",
		FAILS(X)
	};
#undef X

	CHECK(code <= 0 && code > -(int)FAIL_COUNT);
	return names[-code];
}

const char *
fail_text(void)
{
	return text;
}

const char *
fail_place(void)
{
	return place;
}
