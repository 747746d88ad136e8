#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

/*
 * cmocka wants these before itself, in this order.
 */

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
