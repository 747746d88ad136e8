#ifndef IO_CLOCK_H
#define IO_CLOCK_H

/*
 * Time. Rooms that decide get it as an argument; only programs ask here.
 */

#include "base/base.h"

int64_t io_clock_wall_ms(void); /* since 1970, UTC */
int64_t io_clock_mono_ms(void); /* does not jump */

#endif
