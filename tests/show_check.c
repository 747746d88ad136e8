#include "base/limits.h"
#include "check/check.h"
#include "tests/test.h"
#include "wire/json.h"

/* The named members of the answer, as JSON, a blank between two. */
static struct str
show_members(struct arena *a, const json_t *answer, struct str names)
{
	struct str text = STR("");

	while (names.len > 0) {
		struct str name = str_cut(names, ' ', &names);
		const json_t *v = wire_json_get(answer, arena_cstr(a, name));
		struct str value = v ? wire_json_print(a, v) : STR("-");

		text = arena_fmt(a, "%.*s%s%.*s", STR_ARG(text),
			text.len > 0 ? " " : "", STR_ARG(value));
	}
	return text;
}

/*
 * a batch line => members of the line that answers it
 * :show NAME NAME ...   which ones (verdict and by)
 */
struct str
show_check(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf out;
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	CLEANUP(arena_freep) struct arena *own = arena_new(LIMIT_ARENA_BYTES);
	struct wire_json_error error;

	buf_init(&out, LIMIT_ARENA_BYTES);
	check_line(own, &(struct check_options){p, false}, input, &out);
	WIRE_JSON json_t *answer = wire_json_parse(buf_str(&out), &error);

	if (!answer)
		return arena_dup(a, str_from(error.message));
	return show_members(
		a, answer, test_scene_get(scene, "show", STR("verdict by")));
}
