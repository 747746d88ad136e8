#include "base/buf.h"
#include "facts/facts.h"
#include "policy/policy.h"
#include "tests/test.h"

/*
 * :show rules      rules text => what each line means, or its faults
 * :show glob       as rules, for one pattern: "pattern name" => yes or no
 * :show match      facts => what deny, ask and allow rules say, with the rule
 * :show floor, person, sensitive, fast => the reason, or "-"
 *
 * :rule LAYER TEXT adds a line to the layer's file; :set NAME VALUE to the
 * user's. Facts are written by hand, parted by "; ":
 *   $ word word       a command ($< : run by the one before it); a word that
 *                     begins with $ is dynamic, one with ?? is unknown
 *   read workspace /path flag flag     an effect of the last command
 *   is privilege|wrapper|interpreter|assigns
 *   not unknown|dynamic|unparsed       ignorance of the last command
 *   hazard NAME
 *   tool|agent|role|server|mcp|url|query VALUE, trusted
 * With :facts real the input is a shell command, and facts are read from it.
 */

enum { MAX = 32 };

struct hand {
	struct arena *a;
	struct call call;
	struct call_facts facts;
	struct call_world world;
	struct call_effect effects[MAX];
	struct call_command commands[MAX];
	struct call_hazard hazards[MAX];
	struct str roots[1], scratch[1];
};

static const struct {
	const char *name;
	unsigned bit;
} flags[] = {
	{"tree",     CALL_EFFECT_TREE    },
	{"pattern",  CALL_EFFECT_PATTERN },
	{"redirect", CALL_EFFECT_REDIRECT},
	{"inline",   CALL_EFFECT_INLINE  },
	{"project",  CALL_EFFECT_PROJECT },
	{"download", CALL_EFFECT_DOWNLOAD},
	{"local",    CALL_EFFECT_LOCAL   },
	{"loopback", CALL_EFFECT_LOOPBACK},
	{"listen",   CALL_EFFECT_LISTEN  },
	{"git",      CALL_EFFECT_GIT     },
	{"lossy",    CALL_EFFECT_LOSSY   },
	{"mode",     CALL_EFFECT_MODE    },
	{"link",     CALL_EFFECT_LINK    },
	{"names",    CALL_EFFECT_NAMES   },
	{"secret",   CALL_EFFECT_SECRET  },
	{"raw",      CALL_EFFECT_RAW     },
	{"force",    CALL_EFFECT_FORCE   },
	{"moved",    CALL_EFFECT_MOVED   },
};

static unsigned
flag_from(struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (str_eq(word, str_from(flags[i].name)))
			return flags[i].bit;
	}
	base_bug(__FILE__, __LINE__, "a flag of the list");
}

static struct call_command *
last_command(struct hand *h)
{
	CHECK(h->facts.command_count > 0);
	return &h->commands[h->facts.command_count - 1];
}

static void
add_command(struct hand *h, struct str rest, size_t wrapper)
{
	struct call_command *c = &h->commands[h->facts.command_count++];
	struct call_word *words = ARENA_ARRAY(h->a, rest.len + 1, struct call_word);

	CHECK(h->facts.command_count < MAX);
	*c = (struct call_command){.words = words, .wrapper = wrapper};
	while (rest.len > 0) {
		struct call_word *w = &words[c->word_count++];

		w->text = str_cut(rest, ' ', &rest);
		w->dynamic = str_starts(w->text, STR("$"));
		w->unknown = str_ends(w->text, STR("??"));
		if (w->unknown) {
			w->text = str_sub(w->text, 0, w->text.len - 2);
			c->ignorance |= CALL_UNKNOWN;
			h->facts.ignorance |= CALL_UNKNOWN;
		}
	}
	if (!words[0].dynamic)
		c->program = str_base(words[0].text);
}

static void
add_effect(struct hand *h, enum call_effect_kind kind, struct str rest)
{
	struct call_effect *e = &h->effects[h->facts.effect_count++];

	CHECK(h->facts.effect_count < MAX);
	*e = (struct call_effect){.kind = kind, .command = CALL_NO_COMMAND};
	if (h->facts.command_count > 0)
		e->command = h->facts.command_count - 1;
	CHECK(call_scope_from(str_cut(rest, ' ', &rest), &e->scope));
	e->resource = str_cut(rest, ' ', &rest);
	while (rest.len > 0)
		e->flags |= flag_from(str_cut(rest, ' ', &rest));
}

static void
add_ignorance(struct hand *h, struct str kind)
{
	static const char *const kinds[] = {"unknown", "dynamic", "unparsed"};

	for (unsigned i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!str_eq(kind, str_from(kinds[i])))
			continue;
		h->facts.ignorance |= 1u << i;
		if (h->facts.command_count > 0)
			last_command(h)->ignorance |= 1u << i;
	}
}

static void
add_hazard(struct hand *h, struct str name)
{
#define X(id, text) #id,
	static const char *const names[] = { CALL_HAZARDS(X) };
#undef X
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (str_eq_fold(name, str_from(names[i])))
			h->hazards[h->facts.hazard_count++] = (struct call_hazard){
				(enum call_hazard_kind)i, STR("these words")};
	}
}

static void
add_quality(struct hand *h, struct str what)
{
	struct call_command *c = last_command(h);

	c->is_privilege |= str_eq(what, STR("privilege"));
	c->is_wrapper |= str_eq(what, STR("wrapper"));
	c->is_interpreter |= str_eq(what, STR("interpreter"));
	c->assigns |= str_eq(what, STR("assigns"));
}

static bool
set_of_call(struct hand *h, struct str name, struct str value)
{
	const struct {
		const char *name;
		struct str *to;
	} texts[] = {
		{"agent",  &h->call.agent     },
		{"role",   &h->call.agent_role},
		{"server", &h->call.server    },
		{"mcp",    &h->call.mcp_tool  },
		{"name",   &h->call.tool_name },
		{"url",    &h->call.url       },
		{"query",  &h->call.query     },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (str_eq(name, str_from(texts[i].name))) {
			*texts[i].to = value;
			return true;
		}
	}
	return false;
}

static void
add_item(struct hand *h, struct str item)
{
	struct str rest;
	struct str word = str_cut(item, ' ', &rest);
	enum call_effect_kind kind = CALL_EFFECT_NONE;
	size_t last = h->facts.command_count;

	rest = rest.ptr ? str_trim(rest) : STR("");
	if (str_eq(word, STR("$")))
		add_command(h, rest, CALL_NO_COMMAND);
	else if (str_eq(word, STR("$<")))
		add_command(h, rest, last - 1);
	else if (str_eq(word, STR("is")))
		add_quality(h, rest);
	else if (str_eq(word, STR("not")))
		add_ignorance(h, rest);
	else if (str_eq(word, STR("hazard")))
		add_hazard(h, rest);
	else if (str_eq(word, STR("trusted")))
		h->call.mcp_trusted = true;
	else if (str_eq(word, STR("tool")))
		CHECK(call_tool_from(rest, &h->call.tool));
	else if (!set_of_call(h, word, rest)) {
		CHECK(call_effect_from(word, &kind));
		add_effect(h, kind, rest);
	}
}

/* The labelled world, and no facts. */
static void
scene_world(struct hand *h, struct arena *a)
{
	h->a = a;
	h->roots[0] = STR("/home/dev/proj");
	h->scratch[0] = STR("/tmp/scratch");
	h->call = (struct call){.tool = CALL_TOOL_SHELL,
		.tool_name = STR("Tool"),
		.agent = STR("claude-code"),
		.cwd = STR("/home/dev/proj"),
		.roots = h->roots,
		.root_count = 1,
		.scratch = h->scratch,
		.scratch_count = 1};
	h->world = (struct call_world){
		.home = STR("/home/dev"), .user = STR("dev"), .assumed = true};
	h->facts.effects = h->effects;
	h->facts.commands = h->commands;
	h->facts.hazards = h->hazards;
}

static void
facts_by_hand(struct hand *h, struct str input)
{
	while (input.len > 0) {
		size_t at = str_find(input, STR("; "), 0);

		add_item(h, str_trim(str_sub(input, 0, at)));
		input = str_sub(input, at + 2, input.len);
	}
}

/* --- rules ---------------------------------------------------------------------- */

static struct str
show_faults(struct arena *a, const struct policy_faults *f)
{
	struct str all = STR("");

	for (size_t i = 0; i < f->count; i++) {
		const struct policy_fault *one = &f->list[i];

		all = arena_fmt(a, "%.*s%s%u:%u %.*s", STR_ARG(all), i > 0 ? " | " : "",
			one->line, one->column, STR_ARG(one->message));
		if (one->suggestion.ptr)
			all = arena_fmt(
				a, "%.*s (%.*s)", STR_ARG(all), STR_ARG(one->suggestion));
	}
	return all;
}

static struct str
show_rules(struct arena *a, const struct test_scene *scene, struct str input)
{
	CLEANUP(policy_unrefp) struct policy *p = policy_new();
	struct str layer_name = test_scene_get(scene, "layer", STR("user"));
	enum policy_layer layer = POLICY_LAYER_USER;
	struct policy_faults faults;
	struct str said, line, all = STR("");

	CHECK(p && policy_layer_from(layer_name, &layer));
	if (!policy_add(p, layer, STR("a.conf"), input, a, &faults))
		return show_faults(a, &faults);
	said = policy_explain(a, layer, STR("a.conf"), input);
	while (str_line(&said, &line)) {
		if (line.len > 0)
			all = arena_fmt(a, "%.*s%s%.*s", STR_ARG(all),
				all.len > 0 ? " | " : "", STR_ARG(line));
	}
	return all.len > 0 ? all : STR("nothing");
}

/* The policy of the scene: each layer's `:rule` lines are a file. */
static struct policy *
scene_policy(struct arena *a, const struct test_scene *scene)
{
	struct policy *p = policy_new();
	struct str texts[POLICY_LAYER_COUNT] = {
		{NULL, 0}
    };
	struct policy_faults faults;

	CHECK(p);
	for (size_t i = 0; i < scene->count; i++) {
		enum policy_layer layer = POLICY_LAYER_USER;
		struct str rest;

		if (!str_eq(scene->names[i], STR("rule")))
			continue;
		CHECK(policy_layer_from(str_cut(scene->values[i], ' ', &rest), &layer));
		texts[layer] =
			arena_fmt(a, "%.*s%.*s\n", STR_ARG(texts[layer]), STR_ARG(rest));
	}
	for (unsigned i = 0; i < POLICY_LAYER_COUNT; i++) {
		struct str name =
			arena_fmt(a, "%s", policy_layer_name((enum policy_layer)i));

		if (texts[i].ptr)
			CHECK(policy_add(
				p, (enum policy_layer)i, name, texts[i], a, &faults));
	}
	return p;
}

static struct str
hit_text(struct arena *a, struct policy_hit hit)
{
	return arena_fmt(a, "%s %.*s%s (%.*s)", call_verdict_name(hit.verdict),
		STR_ARG(hit.rule), hit.constraint ? " for good" : "",
		STR_ARG(hit.what));
}

static struct str
show_match(struct arena *a, const struct test_scene *scene,
	const struct policy *p, struct policy_subject s)
{
	bool builtin =
		str_eq(test_scene_get(scene, "builtin", STR("off")), STR("on"));
	struct policy_hit hit = policy_denies(p, a, s);

	if (hit.verdict == CALL_VERDICT_NONE)
		hit = policy_asks(p, a, s);
	if (hit.verdict == CALL_VERDICT_NONE)
		hit = policy_allows(p, a, s, builtin);
	return hit.verdict == CALL_VERDICT_NONE ? STR("-") : hit_text(a, hit);
}

/* --- tables ----------------------------------------------------------------------- */

static struct str
show_sensitive(struct arena *a, const struct policy *p, struct policy_subject s)
{
	struct policy_sensitive found = policy_sensitive(p, a, s);

	if (!found.read && !found.write)
		return STR("-");
	return arena_fmt(a, "%s%s%s: %.*s", found.read ? "read" : "",
		found.write ? (found.read ? "+write" : "write") : "",
		found.all_inside_workspace ? " inside" : "", STR_ARG(found.marker));
}

struct str
show_policy(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct str show = test_scene_get(scene, "show", STR("match"));
	CLEANUP(policy_unrefp) struct policy *p = NULL;
	struct hand *h = ARENA_NEW(a, struct hand);
	struct policy_subject s = {&h->call, &h->facts, &h->world};
	struct str reason = STR("");

	if (str_eq(show, STR("rules")))
		return show_rules(a, scene, input);
	p = scene_policy(a, scene);
	scene_world(h, a);
	if (str_eq(test_scene_get(scene, "facts", STR("hand")), STR("real"))) {
		h->call.command = input;
		facts_of(a, &h->call, &h->world, &h->facts);
	} else {
		facts_by_hand(h, input);
	}
	if (str_eq(show, STR("match")))
		return show_match(a, scene, p, s);
	if (str_eq(show, STR("sensitive")))
		return show_sensitive(a, p, s);
	if (str_eq(show, STR("floor")))
		return policy_floor(a, s, &reason) ? reason : STR("-");
	if (str_eq(show, STR("person")))
		return policy_person_only(a, s, &reason) ? reason : STR("-");
	CHECK(str_eq(show, STR("fast")));
	return policy_fast_path(p, s, &reason) ? reason : STR("-");
}
