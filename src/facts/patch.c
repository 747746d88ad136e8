/*
 * The patches that agents write: "*** Begin Patch", a heading for each file, its
 * lines, "*** End Patch"; and unified diffs for patch and git apply. Only headings
 * tell what is touched.
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

void
facts_patch_tool(struct facts *f, struct str text)
{
	static const struct facts_prog none = {.names = "patch"};
	struct facts_flow out = {.known = true, .text = STR("")};
	struct facts_run run = {
		.f = f,
		.prog = &none,
		.top = &none,
		.index = CALL_NO_COMMAND,
		.name = f->call->tool_name.ptr
			? f->call->tool_name
			: str_from(call_tool_name(f->call->tool)),
		.cwd = f->s.cwd,
		.out = &out,
	};

	facts_patch(&run, text);
}

/* --- unified diffs ---------------------------------------------------------- */

/* Lines that name no file. A line of a hunk may look like one that does: then one
 * file too many is seen, never too few. */
static bool
is_diff_line(struct str line)
{
	static const char *const starts[] = {"@@ ", "+", "-", " ", "\\ No newline",
		"diff --git ", "index ", "new file mode 100", "deleted file mode 100",
		"old mode 100", "new mode 100", "similarity index ",
		"dissimilarity index "};

	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		if (str_starts(line, str_from(starts[i])))
			return true;
	}
	return line.len == 0;
}

/* The name behind a heading without its first components; false if it cannot be
 * told. A name that is not there (/dev/null) is empty. */
static bool
diff_name(struct str text, size_t strip, struct str *ret)
{
	struct str rest, name = str_cut(text, '\t', &rest);

	*ret = STR("");
	if (str_eq(name, STR("/dev/null")))
		return true;
	if (name.len == 0 || name.ptr[0] == '"' || str_has_char(name, '\r'))
		return false;
	for (; strip > 0; strip--) {
		(void)str_cut(name, '/', &name);
		if (!name.ptr || name.len == 0)
			return false;
	}
	*ret = name;
	return true;
}

/* The heading of line: its name is changed, goes away, or comes. */
static bool
diff_heading(struct str line, enum facts_role *ret_role, struct str *ret_name)
{
	static const struct {
		const char *heading;
		enum facts_role role;
	} rows[] = {
		{"--- ",         FACTS_READ  },
		{"+++ ",         FACTS_WRITE },
		{"rename from ", FACTS_DELETE},
		{"rename to ",   FACTS_WRITE },
		{"copy from ",   FACTS_READ  },
		{"copy to ",     FACTS_WRITE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str heading = str_from(rows[i].heading);

		if (!str_starts(line, heading))
			continue;
		*ret_role = rows[i].role;
		*ret_name = str_sub(line, heading.len, line.len);
		return true;
	}
	return false;
}

/* Whether every line is understood, and some name files. */
static bool
is_diff(struct str text, size_t strip)
{
	struct str line, raw, name;
	enum facts_role role;
	size_t found = 0;

	while (str_line(&text, &line)) {
		if (!diff_heading(line, &role, &raw)) {
			if (!is_diff_line(line))
				return false;
			continue;
		}
		/* git says renames without the components that are taken off */
		bool whole = line.ptr[0] == 'r' || line.ptr[0] == 'c';

		if (!diff_name(raw, whole ? 0 : strip, &name))
			return false;
		found++;
	}
	return found > 0;
}

bool
facts_diff(struct facts_run *run, struct str text, size_t strip, bool is_dry)
{
	struct str line, raw, name, old = STR("");
	enum facts_role role;

	if (!is_diff(text, strip))
		return false;
	while (str_line(&text, &line) && facts_work(run->f, 1)) {
		if (!diff_heading(line, &role, &raw))
			continue;
		bool whole = line.ptr[0] == 'r' || line.ptr[0] == 'c';

		(void)diff_name(raw, whole ? 0 : strip, &name);
		struct facts_word w = facts_word_from(name);

		if (role == FACTS_WRITE && name.len == 0) {
			role = FACTS_DELETE;
			w = facts_word_from(old);
		}
		if (str_starts(line, STR("--- ")))
			old = name;
		if (w.text.len > 0)
			facts_apply(run, is_dry ? FACTS_READ : role, 0, &w);
	}
	return true;
}
