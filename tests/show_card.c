#include <string.h>

#include "base/buf.h"
#include "card/card.h"
#include "tests/test.h"
#include "wire/json.h"

/*
 * :do show      a call as JSON => its title | its text
 * :do terminal  a call as JSON => the card for a terminal
 * :do colour    ...with colours
 * :do line      ...as a line of a list; :columns N cuts it
 * :do json      ...as JSON, and read back
 * :do note      {"text": a note as it came} => what is kept of it
 * :do clean     {"text": anything} => the text for a terminal
 * What is printed is a JSON string, so that every control character shows.
 */

enum { OUT_BYTES = 1 << 16, NOW_MS = 1000000 };

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{"agent",         offsetof(struct call, agent)        },
	{"role",          offsetof(struct call, agent_role)   },
	{"tool_name",     offsetof(struct call, tool_name)    },
	{"input",         offsetof(struct call, input)        },
	{"description",   offsetof(struct call, description)  },
	{"command",       offsetof(struct call, command)      },
	{"path",          offsetof(struct call, path)         },
	{"content",       offsetof(struct call, content)      },
	{"pattern",       offsetof(struct call, pattern)      },
	{"url",           offsetof(struct call, url)          },
	{"query",         offsetof(struct call, query)        },
	{"server",        offsetof(struct call, server)       },
	{"mcp_tool",      offsetof(struct call, mcp_tool)     },
	{"arguments",     offsetof(struct call, arguments)    },
	{"malformed_why", offsetof(struct call, malformed_why)},
	{"cwd",           offsetof(struct call, cwd)          },
};

static void
read_call(struct arena *a, const json_t *j, struct call *ret)
{
	const json_t *more = wire_json_array(j, "more");

	memset(ret, 0, sizeof(*ret));
	(void)!call_tool_from(wire_json_str(j, "tool"), &ret->tool);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct str s = wire_json_str(j, texts[i].name);

		if (s.ptr)
			s = arena_dup(a, s);
		memcpy((char *)ret + texts[i].offset, &s, sizeof(s));
	}
	ret->malformed = ret->malformed_why.ptr != NULL;
	ret->more_path_count = json_array_size(more);
	ret->more_paths = ARENA_ARRAY(a, ret->more_path_count + 1, struct str);
	for (size_t i = 0; i < ret->more_path_count; i++)
		ret->more_paths[i] =
			arena_dup(a, wire_json_text(json_array_get(more, i)));
}

static struct card
make_card(struct arena *a, const json_t *j, const struct call *call)
{
	CLEANUP(buf_done) struct buf title, text;
	struct card c = {
		.id = STR("12-a1b2c3d4"),
		.number = 12,
		.agent = call->agent,
		.role = call->agent_role,
		.tool = call->tool,
		.tool_name = call->tool_name,
		.description = call->description,
		.cwd = call->cwd,
		.by = CALL_BY_RULE,
		.person_only = wire_json_bool(j, "person_only"),
		.always = wire_json_bool(j, "always"),
		.hides_always = wire_json_bool(j, "hides_always"),
		.created_ms = NOW_MS - wire_json_int(j, "age_ms", 4000),
		.expires_ms = NOW_MS + wire_json_int(j, "left_ms", 300000),
		.held = !wire_json_bool(j, "unheld"),
	};

	(void)!call_risk_from(wire_json_str(j, "risk"), &c.risk);
	buf_init(&title, OUT_BYTES);
	buf_init(&text, OUT_BYTES);
	card_show(call, &title, &text);
	c.title = arena_dup(a, buf_str(&title));
	c.text = arena_dup(a, buf_str(&text));
	if (wire_json_str(j, "grants").ptr)
		c.pattern = arena_dup(a, wire_json_str(j, "grants"));
	if (wire_json_str(j, "reason").ptr)
		c.reason = arena_dup(a, wire_json_str(j, "reason"));
	return c;
}

static void
show_json(struct arena *a, const struct card *c, struct buf *out)
{
	WIRE_JSON json_t *j = card_json(c);
	struct card back;
	struct str text = wire_json_print(a, j);

	buf_add(out, text);
	if (!card_from(j, &back) || !str_eq(back.id, c->id)
		|| back.number != c->number || back.tool != c->tool || back.by != c->by
		|| back.risk != c->risk || back.always != c->always
		|| back.hides_always != c->hides_always || back.held != c->held
		|| back.expires_ms != c->expires_ms)
		buf_add(out, STR(" and it does not read back"));
}

static void
show_one(struct arena *a, const struct test_scene *scene, const json_t *j,
	struct buf *out)
{
	struct str what = test_scene_get(scene, "do", STR("show"));
	CLEANUP(buf_done) struct buf b;
	int64_t columns = 0;
	struct call call;

	buf_init(&b, OUT_BYTES);
	read_call(a, j, &call);
	struct card c = make_card(a, j, &call);

	if (str_eq(what, STR("json"))) {
		show_json(a, &c, out);
	} else if (str_eq(what, STR("show"))) {
		buf_add_json(out, c.title);
		buf_add(out, STR(" | "));
		buf_add_json(out, c.text);
	} else if (str_eq(what, STR("line"))) {
		(void)!str_number(test_scene_get(scene, "columns", STR("0")), &columns);
		card_print_line(&b, &c, (size_t)columns, NOW_MS);
		buf_add_json(out, buf_str(&b));
	} else {
		card_print(&b, &c, str_eq(what, STR("colour")), NOW_MS);
		buf_add_json(out, buf_str(&b));
	}
}

/* The two that take a text. */
static bool
show_text(struct arena *a, const struct test_scene *scene, const json_t *j,
	struct buf *out)
{
	struct str what = test_scene_get(scene, "do", STR("show"));
	struct str input = wire_json_str(j, "text");
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, OUT_BYTES);
	if (str_eq(what, STR("clean"))) {
		card_clean(&b, input, false);
		buf_add_json(out, buf_str(&b));
		return true;
	}
	if (!str_eq(what, STR("note")))
		return false;
	struct str note = card_note(a, input);

	if (note.ptr)
		buf_add_json(out, note);
	else
		buf_add(out, STR("none"));
	return true;
}

struct str
show_card(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf out;
	struct wire_json_error error;

	buf_init(&out, OUT_BYTES);
	WIRE_JSON json_t *j = wire_json_parse(input, &error);

	if (!j)
		return arena_fmt(a, "%s", error.message);
	if (!show_text(a, scene, j, &out))
		show_one(a, scene, j, &out);
	return arena_dup(a, buf_str(&out));
}
