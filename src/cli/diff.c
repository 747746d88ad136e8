#include "cli/diff.h"

#include <stdio.h>
#include <string.h>

enum {
	AROUND = 3,       /* lines that are shown before and behind a change */
	LINES_MAX = 4096, /* longer texts are shown as one change in the middle */
};

struct lines {
	struct str *list;
	size_t count;
};

static struct lines
split(struct arena *a, struct str text)
{
	struct lines l = {0};
	struct str rest = text, line;

	while (str_line(&rest, &line))
		l.count++;
	l.list = ARENA_ARRAY(a, l.count + 1, struct str);
	rest = text;
	for (size_t i = 0; str_line(&rest, &line); i++)
		l.list[i] = line;
	return l;
}

struct diff {
	const struct cli *c;
	struct lines before, after;
	uint16_t *longest; /* common lines from (i, j) on; NULL: too long */
};

static size_t
cell(const struct diff *d, size_t i, size_t j)
{
	return i * (d->after.count + 1) + j;
}

static void
measure(struct diff *d)
{
	size_t n = d->before.count, m = d->after.count;

	if (n > LINES_MAX || m > LINES_MAX)
		return;
	d->longest = ARENA_ARRAY(d->c->arena, (n + 1) * (m + 1), uint16_t);
	for (size_t i = n; i-- > 0;) {
		for (size_t j = m; j-- > 0;) {
			uint16_t down = d->longest[cell(d, i + 1, j)];
			uint16_t right = d->longest[cell(d, i, j + 1)];
			uint16_t next = d->longest[cell(d, i + 1, j + 1)];

			if (str_eq(d->before.list[i], d->after.list[j]))
				d->longest[cell(d, i, j)] = (uint16_t)(next + 1);
			else
				d->longest[cell(d, i, j)] = down > right ? down : right;
		}
	}
}

static void
print_line(const struct diff *d, char mark, struct str line, enum cli_ink ink)
{
	(void)printf("%s%c %.*s%s\n", cli_ink(d->c, ink), mark,
		STR_ARG(cli_show(d->c->arena, line)), cli_ink_off(d->c, ink));
}

/* Equal lines from i to end: only those near a change are shown. */
static void
print_equal(struct diff *d, size_t i, size_t end, bool first, bool last)
{
	for (size_t k = i; k < end; k++) {
		bool near_last = !first && k - i < AROUND;
		bool near_next = !last && end - k <= AROUND;

		if (near_last || near_next)
			print_line(d, ' ', d->before.list[k], CLI_INK_FAINT);
		else if (k == i + (first ? 0 : AROUND))
			print_line(d, ' ', STR("..."), CLI_INK_FAINT);
	}
}

/* True when the line of before at i goes before the line of after at j comes. */
static bool
goes(const struct diff *d, size_t i, size_t j)
{
	if (j == d->after.count)
		return true;
	if (i == d->before.count)
		return false;
	return !d->longest
		|| d->longest[cell(d, i + 1, j)] >= d->longest[cell(d, i, j + 1)];
}

void
cli_diff_print(const struct cli *c, struct str before, struct str after)
{
	struct diff d = {.c = c};
	size_t i = 0, j = 0;
	bool first = true;

	if (str_eq(before, after))
		return;
	d.before = split(c->arena, before);
	d.after = split(c->arena, after);
	measure(&d);
	while (i < d.before.count || j < d.after.count) {
		size_t from = i;

		while (i < d.before.count && j < d.after.count
			&& str_eq(d.before.list[i], d.after.list[j])) {
			i++;
			j++;
		}
		print_equal(
			&d, from, i, first, i == d.before.count && j == d.after.count);
		first = false;
		if (i == d.before.count && j == d.after.count)
			break;
		if (goes(&d, i, j))
			print_line(&d, '-', d.before.list[i++], CLI_INK_DENY);
		else
			print_line(&d, '+', d.after.list[j++], CLI_INK_ALLOW);
	}
}
