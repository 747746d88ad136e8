#ifndef TESTS_FUZZING_FUZZ_H
#define TESTS_FUZZING_FUZZ_H

/*
 * What the fuzzers share: deciding a text, and saying what does not hold.
 */

#include "check/check.h"

/* The entry of a fuzzer, as libFuzzer and drive.c call it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, with what, unless it holds. */
void fuzz_want(bool holds, const char *what);

/* An arena for one input; the one before is forgotten. */
struct arena *fuzz_arena(void);

/* A policy of the shipped rules alone. */
const struct policy *fuzz_policy(void);

/* How a shell text, or an edit that is a patch, is decided under p. A text that is
 * too large is denied. */
struct call_outcome fuzz_decide(
	struct arena *a, const struct policy *p, struct str command);
struct call_outcome fuzz_decide_patch(
	struct arena *a, const struct policy *p, struct str patch);

/* The verdict of "before 'FRONT TEXT' after", where front and text are quoted for
 * the shell as one word; NUL bytes are left out. */
enum call_verdict fuzz_verdict(
	const char *before, const char *front, struct str text, const char *after);

#endif
