#include "import/import_priv.h"

/*
 * Commands. With others a star is any run of characters, blanks and all; here
 * it is (a part of) one word, and as the last word any further ones.
 */

/* Words and stars, and nothing that a shell would make something else of. */
static bool
is_plain(struct str s)
{
	static const char odd[] = "\"'`$|&;<>(){}[]#!\\\n\r\t";

	for (size_t i = 0; i < s.len; i++) {
		if (str_has_char(STR(odd), s.ptr[i]))
			return false;
	}
	return true;
}

/* "npm run *" and "npm run*" begin so: the rest is any. */
static struct str
without_last_star(struct arena *a, struct str s, bool *ret_open)
{
	*ret_open = false;
	if (str_ends(s, STR(" *")))
		return str_trim(str_sub(s, 0, s.len - 2));
	if (!str_ends(s, STR("*")))
		return s;
	*ret_open = true;
	return arena_dup(a, str_sub(s, 0, s.len - 1));
}

static void
add_words(const struct import_entry *e, struct str words)
{
	import_add(e, "shell %.*s", STR_ARG(import_quote(e->im->a, words)));
}

/* The words before the first star. */
static struct str
before_star(struct str s)
{
	size_t star = str_find(s, STR("*"), 0), end = star;

	while (end > 0 && s.ptr[end - 1] != ' ')
		end--;
	return str_trim(str_sub(s, 0, end));
}

/* A star in the middle is one word here. What allows is narrower then; of what
 * denies, the rest is asked about. */
static void
add_middle(const struct import_entry *e, struct str words)
{
	struct import_entry ask = *e;
	struct str first = before_star(words);

	if (first.len == 0) {
		import_leave(e->im, e->source, "a star in the place of the program");
		return;
	}
	add_words(e, words);
	if (e->verdict == CALL_VERDICT_ALLOW)
		return;
	ask.verdict = CALL_VERDICT_ASK;
	add_words(&ask, arena_fmt(e->im->a, "%.*s *", STR_ARG(first)));
}

void
import_prefix(const struct import_entry *e, struct str words)
{
	struct arena *a = e->im->a;

	words = str_trim(words);
	if (words.len == 0)
		import_blanket(e, "shell");
	else if (!is_plain(words) || import_has_star(words))
		import_leave(e->im, e->source, "more than the words of one command");
	else
		add_words(e, arena_fmt(a, "%.*s *", STR_ARG(words)));
}

void
import_shell(const struct import_entry *e, struct str command)
{
	struct arena *a = e->im->a;
	bool open = false;
	struct str s = str_trim(command), rest;

	if (s.len == 0 || str_eq(s, STR("*")) || str_eq(s, STR("**"))) {
		import_blanket(e, "shell");
		return;
	}
	if (!is_plain(s)) {
		import_leave(e->im, e->source, "more than the words of one command");
		return;
	}
	rest = without_last_star(a, s, &open);
	if (str_has_char(rest, '*'))
		add_middle(e, s);
	else if (open && e->verdict == CALL_VERDICT_ALLOW)
		/* what begins like a name may be another program */
		add_words(e,
			str_has_char(rest, ' ') ? arena_fmt(a, "%.*s* *", STR_ARG(rest))
									: arena_fmt(a, "%.*s *", STR_ARG(rest)));
	else if (open)
		add_words(e, arena_fmt(a, "%.*s* *", STR_ARG(rest)));
	else if (rest.len < s.len)
		add_words(e, arena_fmt(a, "%.*s *", STR_ARG(rest)));
	else
		add_words(e, s);
}
