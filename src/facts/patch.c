/*
 * The patches that agents write: "*** Begin Patch", a heading for each file, its
 * lines, "*** End Patch". Only headings tell what is touched.
 */

#include "facts/facts_priv.h"

/* What a heading names is written, deleted, or where the file before goes. */
static const struct {
	const char *heading;
	enum facts_role role;
	bool moves;
} headings[] = {
	{"*** Add File: ",    FACTS_WRITE,  false},
	{"*** Update File: ", FACTS_WRITE,  false},
	{"*** Delete File: ", FACTS_DELETE, false},
	{"*** Move to: ",     FACTS_WRITE,  true },
};

static bool
is_frame(struct str line)
{
	return str_eq(line, STR("*** Begin Patch"))
		|| str_eq(line, STR("*** End Patch"))
		|| str_eq(line, STR("*** End of File"));
}

/* A line of a file: added, removed, kept, or a place. */
static bool
is_content(struct str line)
{
	return line.len == 0 || str_has_char(STR("+- @"), line.ptr[0]);
}

static void
apply_heading(struct facts_run *run, struct str line, struct str *last)
{
	for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
		struct str heading = str_from(headings[i].heading);
		struct facts_word w;

		if (!str_starts(line, heading))
			continue;
		if (headings[i].moves) {
			w = facts_word_from(*last);
			facts_apply(run, FACTS_DELETE, 0, &w);
		}
		*last = str_trim(str_sub(line, heading.len, line.len));
		w = facts_word_from(*last);
		facts_apply(run, headings[i].role, 0, &w);
		return;
	}
	facts_run_ignore(
		run, CALL_UNPARSED, "a line of a patch that is not understood", line);
}

void
facts_patch(struct facts_run *run, struct str text)
{
	struct str rest = str_trim(text), line, last = STR("");

	if (!str_starts(rest, STR("*** Begin Patch"))) {
		facts_run_ignore(run, CALL_UNPARSED, "a patch that does not begin",
			str_sub(rest, 0, 80));
		return;
	}
	while (str_line(&rest, &line)) {
		if (line.len > 0 && line.ptr[line.len - 1] == '\r')
			line.len--;
		/* headings may be set in */
		if (is_frame(str_trim(line)))
			continue;
		if (str_starts(str_trim(line), STR("*** ")))
			apply_heading(run, str_trim(line), &last);
		else if (!is_content(line))
			facts_run_ignore(run, CALL_UNPARSED,
				"a line of a patch that is not understood", line);
		if (!facts_work(run->f, 1))
			return;
	}
}
