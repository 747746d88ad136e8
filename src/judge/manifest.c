/*
 * Files that say which commands a program runs: what of one is shown, and what
 * its commands are, as far as that can be told without running the program.
 */

#include <string.h>

#include "judge/judge_priv.h"
#include "wire/json.h"

enum { PART_BYTES = 64 << 10, NAME_BYTES = 256 };

/* Manifests that are JSON: which member names the commands. */
static const struct {
	const char *name, *member;
	bool around; /* pre... and post... run, too */
} manifests[] = {
	{"package.json",  "scripts", true },
	{"composer.json", "scripts", false},
	{"deno.json",     "tasks",   false},
};

/* Files of rules: "name: ..." with indented lines below. */
static const char *const rule_files[] = {
	"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile"};

static bool
is_rule_file(struct str path)
{
	for (size_t i = 0; i < ARRAY_LEN(rule_files); i++) {
		if (str_eq(str_base(path), str_from(rule_files[i])))
			return true;
	}
	return str_ends(path, STR(".mk"));
}

/* --- JSON ------------------------------------------------------------------ */

/* Which of its entries a manifest's text is asked for, while it is read. */
struct reading {
	const struct judge_manifest *m;
	struct buf *out;
	const json_t *commands;
	bool as_commands; /* without their names */
	bool around;
};

static void
add_command(struct reading *r, const char *before, struct str entry)
{
	CLEANUP(buf_done) struct buf name;
	const json_t *value;

	buf_init(&name, NAME_BYTES);
	buf_add(&name, str_from(before));
	buf_add(&name, entry);
	if (name.full || name.len == 0)
		return;
	value = json_object_getn(r->commands, name.ptr, name.len);
	if (!json_is_string(value))
		return;
	if (!r->as_commands) {
		buf_add(r->out, buf_str(&name));
		buf_add(r->out, STR(": "));
	}
	buf_add(r->out, wire_json_text(value));
	buf_add_char(r->out, '\n');
}

static void
add_entries(struct reading *r)
{
	for (size_t i = 0; i < r->m->entry_count; i++) {
		if (r->around)
			add_command(r, "pre", r->m->entries[i]);
		add_command(r, "", r->m->entries[i]);
		if (r->around)
			add_command(r, "post", r->m->entries[i]);
	}
}

/* False when the file is no manifest in JSON, or its commands are not there. */
static bool
read_json(const struct judge_manifest *m, bool as_commands, struct buf *out)
{
	struct wire_json_error e;
	struct reading r = {.m = m, .out = out, .as_commands = as_commands};
	size_t row = 0;

	while (row < ARRAY_LEN(manifests)
		&& !str_eq(str_base(m->path), str_from(manifests[row].name)))
		row++;
	if (row == ARRAY_LEN(manifests) || m->entry_count == 0)
		return false;
	WIRE_JSON json_t *j = wire_json_parse(m->text, &e);

	r.commands = wire_json_object(j, manifests[row].member);
	r.around = manifests[row].around;
	if (!r.commands)
		return false;
	add_entries(&r);
	return true;
}

/* --- rules ----------------------------------------------------------------- */

static bool
is_indented(struct str line)
{
	return line.len > 0 && (line.ptr[0] == '\t' || line.ptr[0] == ' ');
}

/* "a b: c" is a rule for b; "name :=" sets a variable. */
static bool
is_rule_of(struct str line, struct str entry)
{
	struct str rest, names = str_cut(line, ':', &rest);

	if (!rest.ptr || is_indented(line) || str_starts(rest, STR("="))
		|| str_starts(rest, STR(":=")) || str_has_char(names, '#'))
		return false;
	while (names.ptr) {
		struct str name = str_cut(names, ' ', &names);

		if (str_eq(str_trim(name), entry))
			return true;
	}
	return false;
}

/* A line of a recipe as the shell gets it. */
static struct str
plain_line(struct str line)
{
	line = str_trim(line);
	while (line.len > 0 && str_has_char(STR("@-+"), line.ptr[0]))
		line = str_sub(line, 1, line.len);
	return line;
}

/* The rules of entry; commands: only what stands below them. */
static void
add_rules(struct buf *out, struct str text, struct str entry, bool commands)
{
	bool inside = false;
	struct str line;

	while (str_line(&text, &line)) {
		bool head = is_rule_of(line, entry);

		if (head)
			inside = true;
		else if (line.len > 0 && !is_indented(line))
			inside = false;
		if (!inside || (commands && head))
			continue;
		buf_add(out, commands ? plain_line(line) : line);
		buf_add_char(out, '\n');
	}
}

static bool
read_rules(const struct judge_manifest *m, bool as_commands, struct buf *out)
{
	if (!is_rule_file(m->path) || m->entry_count == 0)
		return false;
	for (size_t i = 0; i < m->entry_count; i++)
		add_rules(out, m->text, m->entries[i], as_commands);
	return true;
}

/* --- what is wanted of it -------------------------------------------------- */

typedef bool (*read_fn)(
	const struct judge_manifest *m, bool as_commands, struct buf *out);

/* What the first reader makes of it that knows the file; absent when none does,
 * or it is too large. */
static struct str
read_part(struct arena *a, const struct judge_manifest *m, bool as_commands)
{
	static const read_fn readers[] = {read_json, read_rules};
	CLEANUP(buf_done) struct buf b;
	/* taken first: nothing of the heap may be held when an arena jumps */
	char *room = arena_alloc(a, PART_BYTES);
	bool known = false;

	buf_init(&b, PART_BYTES);
	for (size_t i = 0; i < ARRAY_LEN(readers) && !known; i++)
		known = readers[i](m, as_commands, &b);
	if (!known || b.full)
		return (struct str){0};
	if (b.len > 0)
		memcpy(room, b.ptr, b.len);
	return (struct str){room, b.len};
}

struct str
judge_manifest_shown(struct arena *a, const struct judge_manifest *m)
{
	struct str part;

	/* the rules around one say what it needs: they are shown where they fit */
	if (is_rule_file(m->path) && m->text.len <= JUDGE_FILE_BYTES)
		return m->text;
	part = read_part(a, m, false);
	return part.ptr ? part : m->text;
}

struct str
judge_manifest_commands(struct arena *a, const struct judge_manifest *m)
{
	return read_part(a, m, true);
}
