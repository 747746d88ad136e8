#include "io/clock.h"

#include <time.h>

static int64_t
read_ms(clockid_t id)
{
	struct timespec t = {0};

	CHECK(clock_gettime(id, &t) == 0);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t
io_clock_wall_ms(void)
{
	return read_ms(CLOCK_REALTIME);
}

int64_t
io_clock_mono_ms(void)
{
	return read_ms(CLOCK_MONOTONIC);
}
