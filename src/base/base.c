#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

static base_bug_fn on_bug;

void
base_on_bug(base_bug_fn fn)
{
	on_bug = fn;
}

_Noreturn void
base_bug(const char *file, int line, const char *cond)
{
	if (on_bug)
		on_bug(file, line, cond);
	(void)fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, cond);
	abort();
}
