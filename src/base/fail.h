#ifndef BASE_FAIL_H
#define BASE_FAIL_H

/*
 * The second kind of error: the world failed (disk, socket, database). A
 * function that can meet it returns int: 0, or a negative code made by
 * fail_here, passed up as it is and looked at only by decide and the programs.
 * What went wrong is kept as text for whoever logs it, once.
 */

#include "base/base.h"

#define FAILS(X)                                     \
	X(IO, "input or output failed")                  \
	X(SPACE, "no space left")                        \
	X(DENIED, "not permitted")                       \
	X(ABSENT, "not there")                           \
	X(CORRUPT, "stored data is damaged")             \
	X(BUSY, "in use by another process")             \
	X(LIMIT, "over a limit")                         \
	X(MEMORY, "out of memory")                       \
	X(PROTOCOL, "the other side broke the protocol") \
	X(VERSION, "made by a newer version")            \
	X(TIMEOUT, "too late")

enum fail_code {
	FAIL_NONE = 0,
#define X(name, text) FAIL_##name##_POSITIVE,
	FAILS(X)
#undef X
		FAIL_COUNT
};

enum {
#define X(name, text) FAIL_##name = -(int)FAIL_##name##_POSITIVE,
	FAILS(X)
#undef X
};

/* Keeps file, line and the message, and returns code. */
#define fail_here(code, ...) fail_make((code), __FILE__, __LINE__, __VA_ARGS__)
int fail_make(int code, const char *file, int line, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

const char *fail_name(int code); /* "no space left" */
const char *fail_text(void);     /* the last message, of this thread */
const char *fail_place(void);    /* "file.c:12", of this thread */

#endif
