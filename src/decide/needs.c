#include <string.h>

#include "decide/decide_priv.h"
#include "wire/json.h"

/*
 * What the client was asked to look at, as text in the card's row: it is asked
 * again before a reply counts. [["links","/w/x"],["git","/w"]]
 */

enum { NEEDS_BYTES = 4 << 20 };

struct str
decide_needs_print(struct arena *a, const struct call_need *needs, size_t count)
{
	struct buf b;

	buf_init(&b, NEEDS_BYTES);
	buf_add_char(&b, '[');
	const char *comma = "";

	for (size_t i = 0; i < count; i++) {
		if (needs[i].kind == CALL_NEED_TRANSCRIPT)
			continue;
		buf_addf(&b, "%s[\"%s\",", comma, call_need_name(needs[i].kind));
		comma = ",";
		buf_add_json(&b, needs[i].name);
		buf_add_char(&b, ']');
	}
	buf_add_char(&b, ']');
	/* what does not fit is not asked again, and the digest then differs */
	size_t len = b.full ? 0 : b.len;
	char *text = arena_alloc(a, len + 1);

	if (len > 0)
		memcpy(text, b.ptr, len);
	buf_done(&b);
	return (struct str){text, len};
}

static bool
kind_from(struct str name, enum call_need_kind *ret)
{
	static const enum call_need_kind kinds[] = {
#define X(id, text) CALL_NEED_##id,
		CALL_NEEDS(X)
#undef X
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (str_eq(name, str_from(call_need_name(kinds[i])))) {
			*ret = kinds[i];
			return true;
		}
	}
	return false;
}

size_t
decide_needs_from(struct arena *a, struct str text, struct call_need **ret)
{
	struct wire_json_error error;
	json_t *j = text.len > 0 ? wire_json_parse(text, &error) : NULL;
	size_t room = json_array_size(j), count = 0;
	struct call_need *list = ARENA_ARRAY(a, room + 1, struct call_need);

	for (size_t i = 0; i < room; i++) {
		const json_t *pair = json_array_get(j, i);
		struct str name = wire_json_text(json_array_get(pair, 1));

		if (!name.ptr
			|| !kind_from(
				wire_json_text(json_array_get(pair, 0)), &list[count].kind))
			continue;
		list[count++].name = arena_dup(a, name);
	}
	json_decref(j);
	*ret = list;
	return count;
}
