#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 16 * 1024 };

struct block {
	struct block *next;
	size_t size;
	size_t used;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct block *blocks; /* the one in use first */
	size_t used;
	size_t max;
	bool has_boundary;
	jmp_buf boundary;
};

struct arena *
arena_new(size_t max_bytes)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (a)
		a->max = max_bytes;
	return a;
}

static void
free_blocks(struct block *b)
{
	while (b) {
		struct block *next = b->next;

		free(b);
		b = next;
	}
}

void
arena_free(struct arena *a)
{
	if (!a)
		return;
	free_blocks(a->blocks);
	free(a);
}

void
arena_freep(struct arena **a)
{
	arena_free(*a);
	*a = NULL;
}

void
arena_reset(struct arena *a)
{
	struct block *keep = a->blocks;

	while (keep && keep->next) {
		struct block *next = keep->next;

		free(keep);
		keep = next;
	}
	if (keep) {
		memset(keep->bytes, 0, keep->used);
		keep->used = 0;
	}
	a->blocks = keep;
	a->used = 0;
	a->has_boundary = false;
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}

jmp_buf *
arena_boundary(struct arena *a)
{
	a->has_boundary = true;
	return &a->boundary;
}

void
arena_done(struct arena *a)
{
	a->has_boundary = false;
}

_Noreturn void
arena_overflow(struct arena *a)
{
	CHECK(a->has_boundary);
	a->has_boundary = false;
	// NOLINTNEXTLINE(cert-err52-cpp): pure rooms own nothing but arena memory
	longjmp(a->boundary, 1);
}

static struct block *
add_block(struct arena *a, size_t size)
{
	size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
	struct block *b = calloc(1, sizeof(*b) + room);

	if (!b)
		arena_overflow(a);
	b->size = room;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	enum { ALIGN = alignof(max_align_t) };
	struct block *b = a->blocks;

	if (size > a->max - a->used)
		arena_overflow(a);
	size_t need = (size + ALIGN - 1) / ALIGN * ALIGN;

	if (need > a->max - a->used)
		arena_overflow(a);
	if (!b || need > b->size - b->used)
		b = add_block(a, need);
	void *p = b->bytes + b->used;

	b->used += need;
	a->used += need;
	return p;
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	if (size > 0 && count > SIZE_MAX / size)
		arena_overflow(a);
	return arena_alloc(a, count * size);
}

struct str
arena_dup(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.len + 1);

	if (s.len > 0)
		memcpy(p, s.ptr, s.len);
	return (struct str){p, s.len};
}

struct str
arena_fmt(struct arena *a, const char *fmt, ...)
{
	va_list args, again;

	va_start(args, fmt);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, fmt, args);

	va_end(args);
	CHECK(n >= 0);
	char *p = arena_alloc(a, (size_t)n + 1);

	(void)vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return (struct str){p, (size_t)n};
}

const char *
arena_cstr(struct arena *a, struct str s)
{
	return str_has_char(s, '\0') ? NULL : arena_dup(a, s).ptr;
}
