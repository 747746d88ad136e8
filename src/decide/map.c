#include <stdlib.h>

#include "decide/decide_priv.h"

/*
 * Finding hearings by number, key, handle and digest, and which is due next.
 * Ten thousand may be parked, so none of it is a scan.
 */

enum { FIRST_SIZE = 64 };

/* Without memory for a few pointers there is none for an answer either. */
static struct decide_hearing **
room_for(size_t count)
{
	struct decide_hearing **p = calloc(count, sizeof(struct decide_hearing *));

	CHECK(p);
	return p;
}

void
decide_map_init(struct decide_map *m)
{
	m->size = FIRST_SIZE;
	m->buckets = room_for(m->size);
}

void
decide_map_done(struct decide_map *m)
{
	free(m->buckets);
	m->buckets = NULL;
}

static struct decide_hearing **
bucket_of(const struct decide_map *m, uint64_t hash)
{
	return &m->buckets[hash & (m->size - 1)];
}

static void
grow(struct decide_map *m, enum decide_index which)
{
	struct decide_hearing **old = m->buckets;
	size_t old_size = m->size;

	m->size *= 2;
	m->buckets = room_for(m->size);
	for (size_t i = 0; i < old_size; i++) {
		struct decide_hearing *h = old[i];

		while (h) {
			struct decide_hearing *next = h->next[which];
			struct decide_hearing **b = bucket_of(m, h->hash[which]);

			h->next[which] = *b;
			*b = h;
			h = next;
		}
	}
	free(old);
}

void
decide_map_add(struct decide *d, struct decide_hearing *h,
	enum decide_index which, uint64_t hash)
{
	struct decide_map *m = &d->maps[which];

	CHECK(!h->indexed[which]);
	if (m->count >= m->size)
		grow(m, which);
	struct decide_hearing **b = bucket_of(m, hash);

	h->hash[which] = hash;
	h->indexed[which] = true;
	h->next[which] = *b;
	*b = h;
	m->count++;
}

void
decide_map_remove(
	struct decide *d, struct decide_hearing *h, enum decide_index which)
{
	struct decide_map *m = &d->maps[which];

	if (!h->indexed[which])
		return;
	struct decide_hearing **at = bucket_of(m, h->hash[which]);

	while (*at != h)
		at = &(*at)->next[which];
	*at = h->next[which];
	h->next[which] = NULL;
	h->indexed[which] = false;
	m->count--;
}

static struct decide_hearing *
first_from(struct decide_hearing *h, enum decide_index which, uint64_t hash)
{
	while (h && h->hash[which] != hash)
		h = h->next[which];
	return h;
}

struct decide_hearing *
decide_map_find(const struct decide *d, enum decide_index which, uint64_t hash)
{
	return first_from(*bucket_of(&d->maps[which], hash), which, hash);
}

struct decide_hearing *
decide_map_next(const struct decide_hearing *h, enum decide_index which)
{
	return first_from(h->next[which], which, h->hash[which]);
}

/* FNV-1a, then mixed: the maps use the low bits. */
uint64_t
decide_hash(struct str s)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < s.len; i++)
		hash = (hash ^ (unsigned char)s.ptr[i]) * 1099511628211u;
	return decide_hash_number(hash);
}

uint64_t
decide_hash_number(uint64_t n)
{
	n ^= n >> 33;
	n *= 0xff51afd7ed558ccdu;
	n ^= n >> 33;
	return n;
}

/* --- the heap ------------------------------------------------------------- */

static void
place(struct decide *d, size_t at, struct decide_hearing *h)
{
	d->heap[at - 1] = h;
	h->due_at = at;
}

static void
sift_up(struct decide *d, struct decide_hearing *h)
{
	size_t at = h->due_at;

	while (at > 1 && d->heap[at / 2 - 1]->due_ms > h->due_ms) {
		place(d, at, d->heap[at / 2 - 1]);
		at /= 2;
	}
	place(d, at, h);
}

static void
sift_down(struct decide *d, struct decide_hearing *h)
{
	size_t at = h->due_at;

	for (;;) {
		size_t child = 2 * at;

		if (child > d->heap_count)
			break;
		if (child < d->heap_count
			&& d->heap[child]->due_ms < d->heap[child - 1]->due_ms)
			child++;
		if (d->heap[child - 1]->due_ms >= h->due_ms)
			break;
		place(d, at, d->heap[child - 1]);
		at = child;
	}
	place(d, at, h);
}

static void
heap_remove(struct decide *d, struct decide_hearing *h)
{
	struct decide_hearing *last = d->heap[d->heap_count - 1];
	size_t at = h->due_at;

	h->due_at = 0;
	d->heap_count--;
	if (last == h)
		return;
	place(d, at, last);
	sift_up(d, last);
	sift_down(d, last);
}

static void
heap_add(struct decide *d, struct decide_hearing *h)
{
	if (d->heap_count == d->heap_room) {
		size_t room = d->heap_room ? d->heap_room * 2 : FIRST_SIZE;
		struct decide_hearing **wider =
			realloc(d->heap, room * sizeof(struct decide_hearing *));

		CHECK(wider);
		d->heap = wider;
		d->heap_room = room;
	}
	d->heap_count++;
	place(d, d->heap_count, h);
	sift_up(d, h);
}

void
decide_heap_set(struct decide *d, struct decide_hearing *h, int64_t due_ms)
{
	h->due_ms = due_ms;
	if (due_ms == INT64_MAX) {
		if (h->due_at)
			heap_remove(d, h);
		return;
	}
	if (!h->due_at) {
		heap_add(d, h);
		return;
	}
	sift_up(d, h);
	sift_down(d, h);
}
