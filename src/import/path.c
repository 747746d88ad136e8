#include "import/import_priv.h"

/*
 * Paths in the manner of gitignore. What denies covers a folder and all in it,
 * at any depth where no folder is named; what allows, only what is written.
 */

/* Where the pattern hangs, as a pattern of ours; absent when it is not clear. */
static struct str
rooted(const struct import_entry *e, struct str s, enum import_rooted how)
{
	bool allows = e->verdict == CALL_VERDICT_ALLOW;

	if (how == IMPORT_SLASH_IS_SETTINGS && str_starts(s, STR("//")))
		return str_sub(s, 1, s.len);
	if (how == IMPORT_SLASH_IS_SETTINGS && str_starts(s, STR("/")))
		return e->im->of_project ? str_sub(s, 1, s.len) : (struct str){0};
	if (str_starts(s, STR("/")) || str_starts(s, STR("~/")))
		return s;
	if (str_starts(s, STR("./")))
		return str_sub(s, 2, s.len);
	if (!allows && !str_has_char(str_sub(s, 0, s.len - 1), '/')
		&& !str_starts(s, STR("**")))
		return arena_fmt(e->im->a, "**/%.*s", STR_ARG(s));
	return s;
}

static void
add(const struct import_entry *e, const char *tool, struct str pattern)
{
	struct str quoted = import_quote(e->im->a, pattern);
	bool edits = str_eq(str_from(tool), STR("edit"));

	import_add(e, "%s path %.*s", tool, STR_ARG(quoted));
	/* editing is making, too */
	if (edits)
		import_add(e, "write path %.*s", STR_ARG(quoted));
	if (edits && e->verdict != CALL_VERDICT_ALLOW)
		import_add(e, "delete path %.*s", STR_ARG(quoted));
}

void
import_path(const struct import_entry *e, const char *tool, struct str pattern,
	enum import_rooted how)
{
	struct arena *a = e->im->a;
	struct str s = str_trim(pattern), hung;

	if (s.len == 0) {
		import_leave(e->im, e->source, "it names no path");
		return;
	}
	if (str_has_char(s, '[') || str_has_char(s, '{') || str_has_char(s, '\\')
		|| s.ptr[0] == '!') {
		import_leave(e->im, e->source,
			"sets of characters and exceptions have no pattern here");
		return;
	}
	hung = rooted(e, s, how);
	if (hung.len == 0) {
		import_leave(e->im, e->source,
			"it hangs on the folder of the settings, which has no word here; "
			"write the path whole");
		return;
	}
	if (e->verdict != CALL_VERDICT_ALLOW && !str_ends(hung, STR("*")))
		hung = arena_fmt(
			a, "%.*s%s**", STR_ARG(hung), str_ends(hung, STR("/")) ? "" : "/");
	add(e, tool, hung);
}
