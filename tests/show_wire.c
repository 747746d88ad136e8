#include "tests/test.h"
#include "wire/edit.h"
#include "wire/json.h"

/*
 * A JSON text => the text after one change, as :do says:
 * member KEY, element KEY, replace KEY (value `{"a":[1,{"b":[]}],"c":"x"}`),
 * remove KEY, first KEY (its first child is taken out), pretty. KEY is a member
 * of the top object; "-" is the top itself. Line feeds are shown as "\n".
 */

static struct str
change(struct arena *a, struct str how, struct str text)
{
	struct str value = STR("{\"a\":[1,{\"b\":[]}],\"c\":\"x, {y}\"}"), key;
	struct str what = str_cut(how, ' ', &key);
	struct wire_edit_node *top = wire_edit_parse(a, text);
	struct wire_edit_node *node =
		str_eq(key, STR("-")) ? top : wire_edit_member(top, key);

	if (str_eq(what, STR("pretty")))
		return wire_edit_pretty(a, text);
	if (!node)
		return STR("(no such member)");
	if (str_eq(what, STR("member")))
		return wire_edit_add_member(a, text, node, STR("new"), value);
	if (str_eq(what, STR("element")))
		return wire_edit_add_element(a, text, node, value);
	if (str_eq(what, STR("replace")))
		return wire_edit_replace(a, text, node, value);
	if (str_eq(what, STR("first")))
		return wire_edit_remove(a, text, node, node->first);
	return wire_edit_remove(a, text, top, node);
}

struct str
show_wire(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct wire_json_error e = {""};
	struct str out =
		change(a, test_scene_get(scene, "do", STR("member -")), input);
	char *shown = arena_alloc(a, out.len * 2 + 1);
	size_t n = 0;
	json_t *parsed = wire_json_parse(out, &e);

	json_decref(parsed);
	if (!parsed)
		return arena_fmt(a, "%s: %.*s", e.message, STR_ARG(out));
	for (size_t i = 0; i < out.len; i++) {
		if (out.ptr[i] != '\n') {
			shown[n++] = out.ptr[i];
			continue;
		}
		shown[n++] = '\\';
		shown[n++] = 'n';
	}
	return (struct str){shown, n};
}
