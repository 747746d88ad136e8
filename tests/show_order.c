#include "base/limits.h"
#include "check/check.h"
#include "tests/test.h"
#include "wire/json.h"

/*
 * a call => verdict, by whom, and the rule that decided, if one did
 *
 * The whole path: the call is written as a batch line, read, and decided.
 * :mode :tier :agent :role :asked   texts of the line's context
 * :above NAME                       who started the subagent
 * :contained :anyone_can_answer ... yes: flags of the context
 * :tool :cwd                        of the line; what a tool takes is the input,
 *                                   or all of the input when it begins with {
 * :world {...}                      JSON
 * :judged DECISION RISK [REASON]    what a judge said; "-" leaves one out
 * :grant ACTION RESOURCE            may stand several times
 * :exact ACTION RESOURCE            a grant made on its own card
 * :rules LAYER LINE                 may stand several times; the file's name is
 *                                   the layer's
 * :show reason|trace|json           more than the verdict
 * :ruled CALL                       the line's input is not a call but a rule on
 * :words WORDS                      it: "none", or LAYER VERDICT, of these words
 */

static bool
is_name(const struct test_scene *s, size_t i, const char *name)
{
	return str_eq(s->names[i], str_from(name));
}

static void
add_pair(struct buf *b, const char *key, struct str value)
{
	buf_addf(b, ",\"%s\":", key);
	buf_add_json(b, value);
}

static void
add_grants(struct buf *b, const struct test_scene *s)
{
	const char *comma = "";

	buf_add(b, STR(",\"grants\":["));
	for (size_t i = 0; i < s->count; i++) {
		bool exact = is_name(s, i, "exact");
		struct str resource;

		if (!exact && !is_name(s, i, "grant"))
			continue;
		struct str action = str_cut(s->values[i], ' ', &resource);

		buf_addf(b, "%s{\"exact\":%s", comma, exact ? "true" : "false");
		add_pair(b, "action", action);
		add_pair(b, "resource", resource);
		buf_add_char(b, '}');
		comma = ",";
	}
	buf_add_char(b, ']');
}

static void
add_judged(struct buf *b, struct str judged)
{
	static const char *const keys[] = {"decision", "risk", "reason"};

	if (!judged.ptr)
		return;
	buf_add(b, STR(",\"judged\":{\"v\":1"));
	for (size_t i = 0; i < ARRAY_LEN(keys) && judged.ptr; i++) {
		struct str word = i == 2 ? judged : str_cut(judged, ' ', &judged);

		if (!str_eq(word, STR("-")))
			add_pair(b, keys[i], word);
	}
	buf_add_char(b, '}');
}

static void
add_context(struct buf *b, const struct test_scene *s)
{
	static const char *const texts[] = {
		"mode", "tier", "agent", "role", "asked"};
	static const char *const flags[] = {"contained", "anyone_can_answer",
		"agent_prompts", "has_judge", "sensitive_ask", "budget_used_up",
		"cost_used_up", "role_unverified"};

	buf_add(b, STR(",\"context\":{\"v\":1"));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct str value = test_scene_get(s, texts[i], (struct str){0});

		if (value.ptr)
			add_pair(b, texts[i], value);
	}
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (str_eq(test_scene_get(s, flags[i], STR("no")), STR("yes")))
			buf_addf(b, ",\"%s\":true", flags[i]);
	}
	if (test_scene_get(s, "above", (struct str){0}).ptr) {
		buf_addf(b, ",\"above\":[");
		buf_add_json(b, test_scene_get(s, "above", (struct str){0}));
		buf_addf(b, "]");
	}
	add_judged(b, test_scene_get(s, "judged", (struct str){0}));
	add_grants(b, s);
	buf_add_char(b, '}');
}

/* The member that a tool's input is. */
static const char *
input_key(struct str tool)
{
	static const struct {
		const char *tool, *key;
	} rows[] = {
		{"shell",      "command"},
		{"fetch",      "url"    },
		{"web_search", "query"  },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_eq(tool, str_from(rows[i].tool)))
			return rows[i].key;
	}
	return "path";
}

static void
add_line(struct buf *b, const struct test_scene *s, struct str input)
{
	struct str tool = test_scene_get(s, "tool", STR("shell"));
	struct str cwd = test_scene_get(s, "cwd", (struct str){0});
	struct str world = test_scene_get(s, "world", (struct str){0});

	buf_add(b, STR("{\"tool\":"));
	buf_add_json(b, tool);
	if (cwd.ptr)
		add_pair(b, "cwd", cwd);
	if (world.ptr)
		buf_addf(b, ",\"world\":%.*s", STR_ARG(world));
	add_context(b, s);
	if (str_starts(input, STR("{\""))) {
		buf_addf(b, ",\"input\":%.*s}", STR_ARG(input));
		return;
	}
	buf_addf(b, ",\"input\":{\"%s\":", input_key(tool));
	buf_add_json(b, input);
	buf_add(b, STR("}}"));
}

/* The lines of one layer's file, in order; absent when there are none. */
static struct str
rules_of(struct arena *a, const struct test_scene *s, const char *layer)
{
	struct str text = {0};

	for (size_t i = 0; i < s->count; i++) {
		struct str rule;

		if (is_name(s, i, "rules")
			&& str_eq(str_cut(s->values[i], ' ', &rule), str_from(layer)))
			text = arena_fmt(a, "%.*s%.*s\n", STR_ARG(text), STR_ARG(rule));
	}
	return text;
}

/* False when a rules line has a fault; its message is in *ret_fault. */
static bool
add_rules(struct arena *a, const struct test_scene *s, struct policy *p,
	struct str *ret_fault)
{
	for (size_t i = 0; i < POLICY_LAYER_COUNT; i++) {
		enum policy_layer layer = (enum policy_layer)i;
		const char *name = policy_layer_name(layer);
		struct str text = rules_of(a, s, name);
		struct policy_faults faults = {0};

		if (!text.ptr)
			continue;
		if (!policy_add(p, layer, str_from(name), text, a, &faults)) {
			*ret_fault = faults.list[0].message;
			return false;
		}
	}
	return true;
}

static struct str
show_result(struct arena *a, const struct test_scene *s,
	const struct check_request *request, const struct order_result *result)
{
	const struct call_outcome *o = &result->outcome;
	struct str show = test_scene_get(s, "show", STR("verdict"));
	struct str text = arena_fmt(
		a, "%s %s", call_verdict_name(o->verdict), call_by_name(o->by));

	if (str_eq(show, STR("json"))) {
		CLEANUP(buf_done) struct buf b;

		buf_init(&b, LIMIT_ARENA_BYTES);
		check_result_print(&b, request, result, false);
		return str_trim(arena_dup(a, buf_str(&b)));
	}
	if (o->rule.ptr)
		text = arena_fmt(a, "%.*s %.*s", STR_ARG(text), STR_ARG(o->rule));
	if (str_eq(show, STR("reason")))
		return arena_fmt(a, "%.*s: %.*s", STR_ARG(text), STR_ARG(o->reason));
	for (size_t i = 0; str_eq(show, STR("trace")) && i < result->trace_count;
		 i++)
		text = arena_fmt(a, "%.*s %s%s", STR_ARG(text),
			result->trace[i].skipped ? "-" : "", result->trace[i].step);
	return text;
}

static struct str
show_call(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(buf_done) struct buf line;
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct wire_json_error json_error;
	struct check_request request;
	struct order_result result;
	struct str fault;

	buf_init(&line, LIMIT_BODY_BYTES);
	add_line(&line, scene, input);
	WIRE_JSON json_t *value = wire_json_parse(buf_str(&line), &json_error);

	if (!value)
		return arena_dup(a, str_from(json_error.message));
	if (!add_rules(a, scene, p, &fault))
		return arena_fmt(a, "fault: %.*s", STR_ARG(fault));
	if (!check_request_from(a, value, &request, &fault))
		return arena_fmt(a, "error: %.*s", STR_ARG(fault));
	check_decide(a, p, &request, &result);
	return show_result(a, scene, &request, &result);
}

/* "user ask" with :words "npm *" is `:rules user ask shell "npm *"`. */
static struct test_scene
rule_on(struct arena *a, const struct test_scene *scene, struct str rule)
{
	struct test_scene with = *scene;
	struct str words = test_scene_get(scene, "words", STR("*"));

	if (str_eq(rule, STR("none")))
		return with;
	CHECK(with.count < ARRAY_LEN(with.names));
	with.names[with.count] = STR("rules");
	with.values[with.count++] =
		arena_fmt(a, "%.*s shell \"%.*s\"", STR_ARG(rule), STR_ARG(words));
	return with;
}

struct str
show_order(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct str ruled = test_scene_get(scene, "ruled", (struct str){0});
	struct test_scene with;

	if (ruled.ptr) {
		with = rule_on(a, scene, input);
		return show_call(a, &with, ruled);
	}
	return show_call(a, scene, input);
}
