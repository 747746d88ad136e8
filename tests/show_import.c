#include "base/limits.h"
#include "import/import.h"
#include "tests/test.h"

/*
 * an entry of another agent's list => our lines, "|" between them; what is left
 * is "left: why"
 *
 * :from claude|cursor|codex|gemini
 * :project yes     the file is a workspace's
 * :key NAME        the input is the one entry of that list, at the top
 * :list yes        "allow ENTRY": the input is the one entry of permissions.allow
 * Otherwise the input is all of the file.
 */

static void
add_json_list(struct buf *b, struct str key, struct str entry)
{
	buf_add_json(b, key);
	buf_addf(b, ":[");
	buf_add_json(b, entry);
	buf_addf(b, "]");
}

static void
add_file(struct buf *b, const struct test_scene *s, struct str input)
{
	struct str key = test_scene_get(s, "key", (struct str){0}), entry;

	if (key.ptr) {
		buf_addf(b, "{");
		add_json_list(b, key, input);
		buf_addf(b, "}");
	} else if (str_eq(test_scene_get(s, "list", STR("no")), STR("yes"))) {
		key = str_cut(input, ' ', &entry);
		buf_addf(b, "{\"permissions\":{");
		add_json_list(b, key, entry);
		buf_addf(b, "}}");
	} else {
		buf_add(b, input);
	}
}

struct str
show_import(struct arena *a, const struct test_scene *s, struct str input)
{
	CLEANUP(buf_done) struct buf b = {0}, out = {0};
	enum import_agent agent = IMPORT_CLAUDE;
	struct import im = {
		.a = a,
		.of_project =
			str_eq(test_scene_get(s, "project", STR("no")), STR("yes")),
	};
	const char *between = "";

	buf_init(&b, LIMIT_BODY_BYTES);
	buf_init(&out, LIMIT_BODY_BYTES);
	if (!import_agent_from(test_scene_get(s, "from", STR("claude")), &agent))
		return STR("no such agent");
	add_file(&b, s, input);
	if (!import_read(&im, agent, buf_str(&b)))
		return arena_fmt(a, "fault: %.*s", STR_ARG(im.fault));
	for (size_t i = 0; i < im.rule_count; i++) {
		buf_addf(&out, "%s%.*s", between, STR_ARG(im.rules[i].line));
		between = " | ";
	}
	for (size_t i = 0; i < im.left_count; i++) {
		buf_addf(&out, "%sleft: %.*s", between, STR_ARG(im.left[i].why));
		between = " | ";
	}
	return out.len > 0 ? arena_dup(a, buf_str(&out)) : STR("nothing");
}
