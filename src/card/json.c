#include "wire/json.h"

#include <string.h>

#include "card/card.h"

/*
 * The card as docs/PROTOCOL.md has it. Bytes that are no UTF-8 are shown as
 * escapes: JSON has no other place for them.
 */

enum { TEXT_BYTES = 80 << 20 };

static bool
is_utf8(struct str s)
{
	while (s.len > 0) {
		uint32_t code;
		size_t n = str_utf8(s, &code);

		if (n == 0)
			return false;
		s = str_sub(s, n, s.len);
	}
	return true;
}

static void
set_text(json_t *j, const char *key, struct str s)
{
	CLEANUP(buf_done) struct buf clean = {0};

	if (!s.ptr)
		return;
	buf_init(&clean, TEXT_BYTES);
	if (!is_utf8(s)) {
		card_clean(&clean, s, true);
		s = buf_str(&clean);
	}
	(void)json_object_set_new(j, key, json_stringn(s.ptr ? s.ptr : "", s.len));
}

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{"id",          offsetof(struct card, id)         },
	{"session",     offsetof(struct card, session)    },
	{"parent",      offsetof(struct card, parent)     },
	{"agent",       offsetof(struct card, agent)      },
	{"role",        offsetof(struct card, role)       },
	{"tool_name",   offsetof(struct card, tool_name)  },
	{"title",       offsetof(struct card, title)      },
	{"text",        offsetof(struct card, text)       },
	{"description", offsetof(struct card, description)},
	{"grant",       offsetof(struct card, grant)      },
	{"pattern",     offsetof(struct card, pattern)    },
	{"cwd",         offsetof(struct card, cwd)        },
	{"reason",      offsetof(struct card, reason)     },
};

json_t *
card_json(const struct card *c)
{
	json_t *j = json_object(), *replies = json_array();
	struct str s;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		memcpy(&s, (const char *)c + texts[i].offset, sizeof(s));
		set_text(j, texts[i].name, s);
	}
	(void)json_object_set_new(j, "number", json_integer(c->number));
	(void)json_object_set_new(j, "tool", json_string(call_tool_name(c->tool)));
	(void)json_object_set_new(j, "by", json_string(call_by_name(c->by)));
	if (c->risk != CALL_RISK_NONE)
		(void)json_object_set_new(
			j, "risk", json_string(call_risk_name(c->risk)));
	(void)json_object_set_new(j, "person_only", json_boolean(c->person_only));
	if (!c->elsewhere)
		(void)json_array_append_new(replies, json_string("once"));
	if (c->always && !c->elsewhere)
		(void)json_array_append_new(replies, json_string("always"));
	if (!c->elsewhere)
		(void)json_array_append_new(replies, json_string("reject"));
	else
		(void)json_object_set_new(j, "elsewhere", json_true());
	(void)json_object_set_new(j, "replies", replies);
	(void)json_object_set_new(j, "created", json_integer(c->created_ms));
	(void)json_object_set_new(j, "expires", json_integer(c->expires_ms));
	(void)json_object_set_new(j, "held", json_boolean(c->held));
	if (c->hides_always)
		(void)json_object_set_new(j, "hidden", json_pack("[s]", "always"));
	if (c->round > 0)
		(void)json_object_set_new(j, "round", json_integer(c->round));
	return j;
}

static enum call_by
by_from(struct str s)
{
	for (int i = 0; i < CALL_BY_COUNT; i++) {
		if (str_eq(s, str_from(call_by_name((enum call_by)i))))
			return (enum call_by)i;
	}
	return CALL_BY_NONE;
}

bool
card_from(const json_t *j, struct card *ret)
{
	const json_t *replies = wire_json_array(j, "replies");

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct str s = wire_json_str(j, texts[i].name);

		memcpy((char *)ret + texts[i].offset, &s, sizeof(s));
	}
	ret->number = wire_json_int(j, "number", 0);
	(void)!call_tool_from(wire_json_str(j, "tool"), &ret->tool);
	ret->by = by_from(wire_json_str(j, "by"));
	if (!call_risk_from(wire_json_str(j, "risk"), &ret->risk))
		ret->risk = CALL_RISK_NONE;
	ret->person_only = wire_json_bool(j, "person_only");
	for (size_t i = 0; i < json_array_size(replies); i++) {
		if (str_eq(wire_json_text(json_array_get(replies, i)), STR("always")))
			ret->always = true;
	}
	ret->elsewhere = wire_json_bool(j, "elsewhere");
	ret->created_ms = wire_json_int(j, "created", 0);
	ret->expires_ms = wire_json_int(j, "expires", 0);
	ret->held = wire_json_bool(j, "held");
	ret->hides_always = json_array_size(wire_json_array(j, "hidden")) > 0;
	ret->round = wire_json_int(j, "round", 0);
	return ret->id.ptr && ret->text.ptr && ret->number > 0;
}
