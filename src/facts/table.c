/*
 * The program tables as one: finding a row by name. Rows stand in any order in
 * any family, so the order cannot be wrong; names are found by a hash that is
 * made once, of constants only, and never changes after that.
 */

#include <stdatomic.h>

#include "facts/facts_priv.h"

enum { SLOTS = 4096, NAMES_MAX = SLOTS / 2 };

static const struct facts_prog *const families[] = {
#define X(name) facts_prog_##name,
	FACTS_FAMILIES(X)
#undef X
};

struct slot {
	struct str name;
	const struct facts_prog *row;
};

enum { INDEX_NONE, INDEX_MAKING, INDEX_READY };

/* Made of the tables alone, the same in every process: a cache, not state. */
static struct slot slots[SLOTS];
static atomic_int index_state;

/* The next blank-separated name of *names, false at the end. */
static bool
next_name(const char **names, struct str *ret)
{
	const char *p = *names;

	while (*p == ' ')
		p++;
	const char *start = p;

	while (*p != '\0' && *p != ' ')
		p++;
	*names = p;
	*ret = (struct str){start, (size_t)(p - start)};
	return p > start;
}

bool
facts_names_have(const char *names, struct str name)
{
	if (name.len == 0)
		return false;
	for (const char *p = names; *p != '\0';) {
		size_t n = 0;

		/* a name with a blank in it is none of them */
		while (
			n < name.len && p[n] == name.ptr[n] && p[n] != '\0' && p[n] != ' ')
			n++;
		if (n == name.len && (p[n] == ' ' || p[n] == '\0'))
			return true;
		p += n;
		while (*p != ' ' && *p != '\0')
			p++;
		while (*p == ' ')
			p++;
	}
	return false;
}

const struct facts_prog *
facts_prog_scan(struct str name)
{
	if (name.len == 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++) {
			if (facts_names_have(p->names, name))
				return p;
		}
	}
	return NULL;
}

static size_t
hash(struct str s)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.ptr[i]) * 16777619u;
	return (h ^ h >> 15) % SLOTS;
}

static struct slot *
slot_find(struct str name)
{
	size_t i = hash(name);

	while (slots[i].row && !str_eq(slots[i].name, name))
		i = (i + 1) % SLOTS;
	return &slots[i];
}

static void
make_index(void)
{
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		for (const struct facts_prog *p = families[i]; p->names; p++) {
			const char *names = p->names;
			struct str one;

			while (next_name(&names, &one)) {
				struct slot *s = slot_find(one);

				CHECK(++count <= NAMES_MAX);
				if (!s->row)
					*s = (struct slot){one, p};
			}
		}
	}
}

const struct facts_prog *
facts_prog_find(struct str name)
{
	int none = INDEX_NONE;

	if (name.len == 0)
		return NULL;
	if (atomic_load_explicit(&index_state, memory_order_acquire) == INDEX_READY)
		return slot_find(name)->row;
	if (!atomic_compare_exchange_strong(&index_state, &none, INDEX_MAKING))
		return facts_prog_scan(name);
	make_index();
	atomic_store_explicit(&index_state, INDEX_READY, memory_order_release);
	return slot_find(name)->row;
}
