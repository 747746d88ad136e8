/*
 * Which of the files below a folder are meant: the globs and expressions of
 * find, fd, grep and rg. They are said besides what is read anyway, so that
 * whoever asks for secrets by their names is seen to ask for them.
 */

#include "facts/facts_priv.h"

enum { ALTERNATIVES_MAX = 16 };

struct glob {
	char *text;
	size_t n;
};

static void
put(struct glob *g, char c)
{
	if (c != '*' || g->n == 0 || g->text[g->n - 1] != '*')
		g->text[g->n++] = c;
}

static bool
is_repeat(char c)
{
	return c == '*' || c == '+' || c == '?';
}

/* An expression as a glob that matches at least as much: `.*` is a star, `.`
 * any character, what stands behind a backslash itself. is_whole: it matches
 * all of a name, not a part of it. Absent: no glob says as much. */
struct str
facts_filter_glob(struct arena *a, struct str regex, bool is_whole)
{
	struct glob g = {arena_alloc(a, regex.len + 3), 0};

	if (!is_whole && !str_starts(regex, STR("^")))
		put(&g, '*');
	for (size_t i = 0; i < regex.len; i++) {
		char c = regex.ptr[i], next = '\0';
		bool repeats = false;

		if (i + 1 < regex.len)
			next = regex.ptr[i + 1];
		repeats = is_repeat(next);

		if (c == '\\' && next)
			put(&g, regex.ptr[++i]);
		else if (str_has_char(STR("(|{"), c))
			return (struct str){NULL, 0};
		else if (is_repeat(c))
			put(&g, '*');
		else if (c == '.')
			put(&g, repeats ? '*' : '?');
		else if (c != '^' && c != '$' && !repeats)
			put(&g, c);
	}
	if (!is_whole && !str_ends(regex, STR("$")))
		put(&g, '*');
	return (struct str){g.text, g.n};
}

static void
add_names(struct facts_run *run, const struct facts_word *w, struct str glob)
{
	struct facts_word names = *w;

	while (str_starts(glob, STR("*/")) || str_starts(glob, STR("**/"))
		|| str_starts(glob, STR("/")))
		glob = str_sub(glob, str_find(glob, STR("/"), 0) + 1, glob.len);
	names.text = arena_fmt(run->f->a, "**/%.*s", STR_ARG(glob));
	names.flags |= FACTS_GLOB | FACTS_BELOW;
	facts_apply(run, FACTS_READ, 0, &names);
}

/* A glob of names; {a,b} in it is one or the other, a leading "!" leaves names
 * out. */
void
facts_filter(struct facts_run *run, const struct facts_word *w)
{
	struct str rest, text = w->text;
	size_t open = str_find(text, STR("{"), 0);
	size_t close = str_find(text, STR("}"), open);

	if (str_starts(text, STR("!")) || (w->flags & FACTS_DYNAMIC))
		return;
	if (close == text.len) {
		add_names(run, w, text);
		return;
	}
	rest = str_sub(text, open + 1, close);
	for (size_t i = 0; i < ALTERNATIVES_MAX && rest.ptr; i++) {
		struct str one = str_cut(rest, ',', &rest);

		add_names(run, w,
			arena_fmt(run->f->a, "%.*s%.*s%.*s",
				STR_ARG(str_sub(text, 0, open)), STR_ARG(one),
				STR_ARG(str_sub(text, close + 1, text.len))));
	}
}
