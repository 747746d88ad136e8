#ifndef BASE_BASE_H
#define BASE_BASE_H

/*
 * What every file may assume: fixed types, checks that stay on in release
 * builds, cleanup attributes, and the marks that make the compiler complain
 * when an answer is dropped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A broken promise inside the program. Never used on what a caller sent. */
#define CHECK(cond) ((cond) ? (void)0 : base_bug(__FILE__, __LINE__, #cond))

/* Ownership: a local with one of these is released when it leaves its scope. */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

#define MUST_USE               __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* Called for a broken promise; must not return. */
typedef void (*base_bug_fn)(const char *file, int line, const char *cond);

/*
 * Says what a broken promise does. The programs keep the default (a line on
 * stderr, then abort); the library sets one that jumps back to its caller.
 */
void base_on_bug(base_bug_fn fn);

_Noreturn void base_bug(const char *file, int line, const char *cond);

#endif
