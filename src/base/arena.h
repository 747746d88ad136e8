#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory that dies together. One arena per hearing: whatever is derived from a
 * call is allocated in its arena and released with it, all at once.
 *
 * Past its limit, or out of memory, an arena jumps to the boundary that was
 * set with ARENA_TRY; that call alone is then answered "too large to judge".
 * Only memory of the arena may be held across an allocation when a boundary is
 * set: whatever else a frame owned would leak.
 */

#include <setjmp.h>

#include "base/str.h"

struct arena;

/* NULL when the system has no memory at all. Freed with arena_free. */
struct arena *arena_new(size_t max_bytes) MUST_USE;
void arena_free(struct arena *a); /* NULL is fine */
void arena_freep(struct arena **a);
/* Forgets all that was allocated; keeps the first block for the next use. */
void arena_reset(struct arena *a);
size_t arena_used(const struct arena *a);

/*
 * if (ARENA_TRY(a)) { ...work... } else { ...it was too large... }
 * The boundary holds until arena_done(a) or the next ARENA_TRY.
 */
#define ARENA_TRY(a) (setjmp(*arena_boundary(a)) == 0)
jmp_buf *arena_boundary(struct arena *a);
void arena_done(struct arena *a);
/* For limits that a room keeps itself (too many facts): as if memory ended. */
_Noreturn void arena_overflow(struct arena *a);

void *arena_alloc(struct arena *a, size_t size); /* zeroed, never NULL */
/* Room for count objects; overflow of the product is "too large". */
void *arena_array(struct arena *a, size_t count, size_t size);
struct str arena_dup(struct arena *a, struct str s); /* ends in a NUL */
struct str arena_fmt(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A C string, or NULL when s holds a NUL. */
const char *arena_cstr(struct arena *a, struct str s);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_array((a), (n), sizeof(type)))

#endif
