#include "policy/glob.h"

#include <string.h>

/* Elements of a pattern: a byte below 256 stands for itself. */
enum {
	ANY1 = 256, /* one character, never '/' */
	RUN = 257,  /* any run without '/' */
	ALL = 258,  /* any run */
	DIRS = 259, /* nothing, or anything that ends in '/' */
	TAIL = 260, /* the end, or '/' and (an ALL that follows) anything */
};

/* The positions that are alive: bit i is "the next element is i", bit count is
 * "matched". */
struct positions {
	uint64_t bits[(POLICY_GLOB_MAX + 1) / 64];
};

static bool
has(const struct positions *p, size_t i)
{
	return (p->bits[i / 64] >> (i % 64) & 1) != 0;
}

/* Adds position i and those that need no character to be reached from it. */
static void
enter(const struct policy_glob *g, struct positions *p, size_t i)
{
	for (;;) {
		if (has(p, i))
			return;
		p->bits[i / 64] |= (uint64_t)1 << (i % 64);
		if (i == g->count || g->elements[i] <= ANY1)
			return;
		i += g->elements[i] == TAIL ? 2 : 1;
	}
}

static unsigned char
lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

static void
step(const struct policy_glob *g, struct positions *to, size_t i,
	unsigned char c, bool fold)
{
	uint16_t e = g->elements[i];

	if (e < ANY1) {
		if (e == c || (fold && lower((unsigned char)e) == lower(c)))
			enter(g, to, i + 1);
	} else if (e == ANY1) {
		if (c != '/' && c != '*')
			enter(g, to, i + 1);
	} else if (e == RUN) {
		if (c != '/')
			enter(g, to, i);
	} else if (e == ALL) {
		enter(g, to, i);
	} else if (e == DIRS) {
		/* staying must not step over it, so the bit is set by hand */
		to->bits[i / 64] |= (uint64_t)1 << (i % 64);
		if (c == '/')
			enter(g, to, i + 1);
	} else if (c == '/') { /* TAIL */
		enter(g, to, i + 1);
	}
}

/* The positions after c; false when none is left. */
static bool
advance(const struct policy_glob *g, struct positions *at, unsigned char c,
	bool fold)
{
	struct positions to = {{0}};
	uint64_t alive = 0;

	for (size_t w = 0; w < ARRAY_LEN(at->bits); w++) {
		for (uint64_t bits = at->bits[w]; bits != 0; bits &= bits - 1) {
			size_t i = w * 64 + (size_t)__builtin_ctzll(bits);

			if (i < g->count)
				step(g, &to, i, c, fold);
		}
	}
	for (size_t w = 0; w < ARRAY_LEN(to.bits); w++)
		alive |= to.bits[w];
	*at = to;
	return alive != 0;
}

static bool
run(const struct policy_glob *g, struct positions *at, struct str text,
	bool fold)
{
	memset(at, 0, sizeof(*at));
	enter(g, at, 0);
	for (size_t i = 0; i < text.len; i++) {
		if (!advance(g, at, (unsigned char)text.ptr[i], fold))
			return false;
	}
	return true;
}

static bool
is_same(uint16_t element, char c, bool fold)
{
	unsigned char a = (unsigned char)element, b = (unsigned char)c;

	return a == b || (fold && lower(a) == lower(b));
}

/* The plain characters at both ends of the pattern, compared first: most texts
 * that do not match differ there. */
static bool
ends_fit(const struct policy_glob *g, struct str text, bool fold)
{
	size_t n = 0, m = 0;

	while (n < g->count && g->elements[n] < ANY1) {
		if (n == text.len || !is_same(g->elements[n], text.ptr[n], fold))
			return false;
		n++;
	}
	if (n == g->count)
		return n == text.len;
	while (g->elements[g->count - 1 - m] < ANY1) {
		if (n + m == text.len
			|| !is_same(g->elements[g->count - 1 - m],
				text.ptr[text.len - 1 - m], fold))
			return false;
		m++;
	}
	return true;
}

bool
policy_glob_matches(const struct policy_glob *g, struct str text, bool fold)
{
	struct positions at;

	if (g->all)
		return true;
	if (!ends_fit(g, text, fold))
		return false;
	return g->literal || (run(g, &at, text, fold) && has(&at, g->count));
}

bool
policy_glob_reaches_below(
	const struct policy_glob *g, struct str text, bool fold)
{
	struct positions at;

	if (!run(g, &at, text, fold))
		return false;
	return text.len == 0 || advance(g, &at, '/', fold);
}

/* --- two patterns ---------------------------------------------------------- */

/* Which characters lead from an element to where. */
struct move {
	enum { NOTHING, ONE, NOT_SLASH, ANY } what;
	unsigned char c;
	size_t to;
};

static size_t
moves_of(const struct policy_glob *g, size_t i, struct move ret[2])
{
	if (i == g->count)
		return 0;
	switch (g->elements[i]) {
	case ANY1:
		ret[0] = (struct move){NOT_SLASH, 0, i + 1};
		return 1;
	case RUN:
		ret[0] = (struct move){NOT_SLASH, 0, i};
		return 1;
	case ALL:
		ret[0] = (struct move){ANY, 0, i};
		return 1;
	case DIRS:
		ret[0] = (struct move){ANY, 0, i};
		ret[1] = (struct move){ONE, '/', i + 1};
		return 2;
	case TAIL:
		ret[0] = (struct move){ONE, '/', i + 1};
		return 1;
	default:
		ret[0] = (struct move){ONE, (unsigned char)g->elements[i], i + 1};
		return 1;
	}
}

static bool
share_a_character(struct move a, struct move b, bool fold)
{
	if (a.what == ONE && b.what == ONE)
		return a.c == b.c || (fold && lower(a.c) == lower(b.c));
	if (a.what == ONE)
		return b.what == ANY || a.c != '/';
	if (b.what == ONE)
		return a.what == ANY || b.c != '/';
	return true;
}

struct product {
	const struct policy_glob *g, *h;
	bool fold;
	struct positions rows[POLICY_GLOB_MAX + 1]; /* rows[i]: the j's with i */
};

/* All positions that are reached with i and j. entered: a position was come to,
 * not stayed at, so what needs no character is reached too. */
static void
reach(struct product *p, size_t i, size_t j, bool entered_i, bool entered_j)
{
	struct positions is = {{0}}, js = {{0}};

	is.bits[i / 64] |= (uint64_t)1 << (i % 64);
	js.bits[j / 64] |= (uint64_t)1 << (j % 64);
	if (entered_i) {
		is.bits[i / 64] = 0;
		enter(p->g, &is, i);
	}
	if (entered_j) {
		js.bits[j / 64] = 0;
		enter(p->h, &js, j);
	}
	for (size_t k = i; k <= p->g->count; k++) {
		for (size_t w = 0; has(&is, k) && w < ARRAY_LEN(js.bits); w++)
			p->rows[k].bits[w] |= js.bits[w];
	}
}

static bool
stays(const struct policy_glob *g, size_t i, struct move m)
{
	return g->elements[i] == DIRS && m.to == i;
}

static void
reach_from(struct product *p, size_t i, size_t j)
{
	struct move a[2], b[2];
	size_t na = moves_of(p->g, i, a), nb = moves_of(p->h, j, b);

	for (size_t x = 0; x < na; x++) {
		for (size_t y = 0; y < nb; y++) {
			if (share_a_character(a[x], b[y], p->fold))
				reach(p, a[x].to, b[y].to, !stays(p->g, i, a[x]),
					!stays(p->h, j, b[y]));
		}
	}
}

bool
policy_glob_overlaps(
	const struct policy_glob *g, const struct policy_glob *h, bool fold)
{
	struct product p = {.g = g, .h = h, .fold = fold};

	reach(&p, 0, 0, true, true);
	/* every move leads onwards in both, so one pass sees them all */
	for (size_t i = 0; i <= g->count; i++) {
		for (size_t j = 0; j <= h->count; j++) {
			if (has(&p.rows[i], j))
				reach_from(&p, i, j);
		}
	}
	return has(&p.rows[g->count], h->count);
}

/* --- reading ---------------------------------------------------------------- */

struct reader {
	enum policy_glob_kind kind;
	struct str text;
	size_t at;
	uint16_t *out;
	size_t count;
	bool special;
};

static bool
next_is(const struct reader *r, const char *what)
{
	return str_starts(str_sub(r->text, r->at, r->text.len), str_from(what));
}

static void
put(struct reader *r, uint16_t element, size_t took)
{
	r->out[r->count++] = element;
	r->at += took;
	r->special |= element >= ANY1;
}

static bool
at_component(const struct reader *r)
{
	return r->at == 0 || r->text.ptr[r->at - 1] == '/';
}

/* "[...]" of a shell as one character; false if it does not close. */
static bool
read_bracket(struct reader *r)
{
	for (size_t i = r->at + 2; i < r->text.len; i++) {
		if (r->text.ptr[i] == ']') {
			put(r, ANY1, i + 1 - r->at);
			return true;
		}
	}
	return false;
}

static void
read_path_element(struct reader *r)
{
	char c = r->text.ptr[r->at];

	if (at_component(r) && next_is(r, "**/")) {
		put(r, DIRS, 3);
	} else if (c == '/' && r->at > 0 && r->text.len - r->at == 3
		&& next_is(r, "/**")) {
		put(r, TAIL, 1);
		put(r, ALL, 2);
	} else if (next_is(r, "**")) {
		put(r, ALL, 2);
	} else if (c == '*') {
		put(r, RUN, 1);
	} else if (c == '?') {
		put(r, ANY1, 1);
	} else if (c != '[' || r->kind != POLICY_GLOB_SHELL || !read_bracket(r)) {
		put(r, (unsigned char)c, 1);
	}
}

static void
read_element(struct reader *r)
{
	char c = r->text.ptr[r->at];

	if (c == '\\' && r->at + 1 < r->text.len) {
		r->at++;
		put(r, (unsigned char)r->text.ptr[r->at], 1);
	} else if (r->kind != POLICY_GLOB_WORD) {
		read_path_element(r);
	} else if (c == '*') {
		put(r, ALL, 1);
	} else {
		put(r, (unsigned char)c, 1);
	}
}

bool
// NOLINTNEXTLINE(readability-non-const-parameter): the reader writes it
policy_glob_read(uint16_t *room, enum policy_glob_kind kind, struct str pattern,
	struct policy_glob *ret)
{
	struct reader r = {.kind = kind, .text = pattern, .out = room};

	if (pattern.len > (size_t)POLICY_GLOB_MAX - 1)
		return false;
	while (r.at < pattern.len)
		read_element(&r);
	*ret = (struct policy_glob){
		.elements = r.out,
		.count = r.count,
		.literal = !r.special,
		.all = r.count == 1 && r.out[0] == ALL,
		.tree = r.count > 0 && r.out[r.count - 1] == ALL,
	};
	return true;
}

bool
policy_glob_parse(struct arena *a, enum policy_glob_kind kind,
	struct str pattern, struct policy_glob *ret)
{
	if (pattern.len > (size_t)POLICY_GLOB_MAX - 1)
		return false;
	return policy_glob_read(
		ARENA_ARRAY(a, pattern.len + 1, uint16_t), kind, pattern, ret);
}
