#include "base/limits.h"
#include "check/check.h"
#include "judge/judge.h"
#include "judge/redact.h"
#include "tests/test.h"
#include "wire/json.h"

enum { OUT_BYTES = 4 << 20 };

/* On one line. */
static struct str
show_text(struct arena *a, struct str s)
{
	struct str text = STR("");

	while (s.len > 0) {
		bool feed = str_has_char(s, '\n');
		struct str line = str_cut(s, '\n', &s);

		text = arena_fmt(
			a, "%.*s%.*s%s", STR_ARG(text), STR_ARG(line), feed ? "\\n" : "");
	}
	return text;
}

static struct str
show_redacted(struct arena *a, struct str input, enum judge_text kind)
{
	CLEANUP(buf_done) struct buf out;

	buf_init(&out, OUT_BYTES);
	if (!judge_redact(&out, input, kind))
		return STR("(cannot be redacted)");
	if (str_eq(buf_str(&out), input))
		return STR("(untouched)");
	return show_text(a, buf_str(&out));
}

static struct str
show_verdict(struct arena *a, struct str input)
{
	struct judge_verdict v;

	judge_verdict_read(a, input, &v);
	if (v.failure)
		return arena_fmt(a, "failure: %s", v.failure);
	return arena_fmt(a, "%s %s%s%.*s", judge_says_name(v.says),
		call_risk_name(v.risk), v.reason.len > 0 ? ": " : "",
		STR_ARG(v.reason));
}

/* A batch line => the part of its prompt between the tags of :section, or why
 * there is none. */
static struct str
show_prompt(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf out;
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	CLEANUP(arena_freep) struct arena *own = arena_new(LIMIT_ARENA_BYTES);
	struct str section = test_scene_get(scene, "section", STR("tool_call"));
	struct wire_json_error error;

	buf_init(&out, OUT_BYTES);
	check_prompt_line(own, &(struct check_options){p, false}, input, &out);
	WIRE_JSON json_t *j = wire_json_parse(buf_str(&out), &error);
	struct str user = wire_json_str(j, "user");
	struct str failure = wire_json_str(j, "failure");

	if (failure.ptr)
		return arena_fmt(a, "failure: %.*s", STR_ARG(failure));
	struct str open = arena_fmt(a, "<%.*s>\n", STR_ARG(section));
	struct str close = arena_fmt(a, "</%.*s>\n", STR_ARG(section));
	size_t from = str_find(user, open, 0) + open.len;

	if (from > user.len)
		return STR("(none)");
	return show_text(a, str_sub(user, from, str_find(user, close, from)));
}

/* The call's input as it is shown, or why it is not. */
static struct str
show_call(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct str all = show_prompt(a, scene, input);
	size_t from = str_find(all, STR(",\"input\":"), 0);

	if (str_starts(all, STR("failure")))
		return all;
	return str_sub(all, from + 9, all.len - 4);
}

/* A file's text, of the name :file => what of its :entries is shown, or (commands)
 * goes to a shell; :pad adds so many bytes of a comment before it. */
static struct str
show_manifest(struct arena *a, const struct test_scene *scene, struct str input,
	bool commands)
{
	struct str rest = test_scene_get(scene, "entries", STR("")), entries[8];
	struct judge_manifest m = {
		.path = test_scene_get(scene, "file", STR("/w/package.json")),
		.text = input,
		.entries = entries,
	};
	int64_t pad = 0;

	while (rest.len > 0 && m.entry_count < ARRAY_LEN(entries))
		entries[m.entry_count++] = str_cut(rest, ' ', &rest);
	if (str_number(test_scene_get(scene, "pad", STR("0")), &pad) && pad > 0)
		m.text = arena_fmt(a, "#%0*d\n%.*s", (int)pad, 0, STR_ARG(input));
	struct str part =
		commands ? judge_manifest_commands(a, &m) : judge_manifest_shown(a, &m);

	if (!part.ptr)
		return STR("(not known)");
	if (part.len == 0 && input.len > 0)
		return STR("(nothing)");
	return str_eq(part, m.text) ? STR("(all)") : show_text(a, part);
}

struct str
show_judge(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct str what = test_scene_get(scene, "do", STR("verdict"));

	if (str_eq(what, STR("command")))
		return show_redacted(a, input, JUDGE_TEXT_COMMAND);
	if (str_eq(what, STR("prose")))
		return show_redacted(a, input, JUDGE_TEXT_PROSE);
	if (str_eq(what, STR("prompt")))
		return show_prompt(a, scene, input);
	if (str_eq(what, STR("call")))
		return show_call(a, scene, input);
	if (str_eq(what, STR("shown")) || str_eq(what, STR("commands")))
		return show_manifest(a, scene, input, str_eq(what, STR("commands")));
	return show_verdict(a, input);
}
