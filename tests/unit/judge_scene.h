#ifndef TESTS_UNIT_JUDGE_SCENE_H
#define TESTS_UNIT_JUDGE_SCENE_H

/*
 * A prompt whose every foreign text can be set, and what must hold whatever
 * stands there. For the unit program and the fuzzer.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "facts/facts.h"
#include "judge/judge.h"
#include "judge/redact.h"
#include "wire/json.h"

/* Every place where somebody else's text can stand. */
#define SCENE_SLOTS(X)   \
	X(COMMAND)           \
	X(DESCRIPTION)       \
	X(TOOL_NAME)         \
	X(CWD)               \
	X(SERVER)            \
	X(SERVER_TOOL)       \
	X(ARGUMENT)          \
	X(ARGUMENT_KEY)      \
	X(PATH)              \
	X(CONTENT)           \
	X(MCP_DESCRIPTION)   \
	X(MCP_ANNOTATIONS)   \
	X(FILE_NAME)         \
	X(FILE_TEXT)         \
	X(AGENT)             \
	X(ROLE)              \
	X(ROOT)              \
	X(SCRATCH)           \
	X(FLAG)              \
	X(TASK)              \
	X(MESSAGE)           \
	X(REPLY)             \
	X(ALLOW)             \
	X(BLOCK)             \
	X(RULE_ACTION)       \
	X(RULE_RESOURCE)     \
	X(RULE_NOTE)         \
	X(HISTORY_TOOL)      \
	X(HISTORY_ACTION)    \
	X(HISTORY_RESOURCE)  \
	X(HISTORY_OUTCOME)   \
	X(HISTORY_NOTE)      \
	X(HISTORY_TIER_NOTE) \
	X(EFFECT_RESOURCE)   \
	X(EFFECT_BY)         \
	X(INCOMPLETE)

#define X(name) SCENE_##name,
enum scene_slot { SCENE_SLOTS(X) SCENE_SLOT_COUNT };
#undef X

enum scene_call { SCENE_SHELL, SCENE_MCP, SCENE_WRITE, SCENE_CALL_COUNT };

struct scene {
	struct str slots[SCENE_SLOT_COUNT];
	enum scene_call call;
};

#define SCENE_HIDDEN "zz-marked-zz"

static inline void
scene_init(struct scene *s, enum scene_call call)
{
	*s = (struct scene){.call = call};
	for (size_t i = 0; i < SCENE_SLOT_COUNT; i++)
		s->slots[i] = STR("plain");
}

/* The tool's input, as an agent sends it. */
static inline struct str
scene_input(struct arena *a, const struct scene *s)
{
	static const struct {
		enum scene_slot key, value;
		const char *first, *second;
	} rows[] = {
		[SCENE_SHELL] = {SCENE_SLOT_COUNT,   SCENE_DESCRIPTION, "command",
						 "description"											  },
		[SCENE_MCP] = {SCENE_ARGUMENT_KEY, SCENE_ARGUMENT,    "x",       "y"      },
		[SCENE_WRITE] = {SCENE_SLOT_COUNT,   SCENE_CONTENT,     "path",    "content"},
	};
	static const enum scene_slot firsts[] = {
		SCENE_COMMAND, SCENE_ARGUMENT_KEY, SCENE_PATH};
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, LIMIT_BODY_BYTES);
	buf_addf(&b, "{\"%s\":", rows[s->call].first);
	buf_add_json(&b, s->slots[firsts[s->call]]);
	buf_addf(&b, ",\"%s\":", rows[s->call].second);
	buf_add_json(&b, s->slots[rows[s->call].value]);
	if (rows[s->call].key != SCENE_SLOT_COUNT) {
		buf_add(&b, STR(",\"k"));
		/* a key of its own, whatever the others are */
		struct buf key;

		buf_init(&key, LIMIT_BODY_BYTES);
		buf_add_json(&key, s->slots[rows[s->call].key]);
		buf_add(&b, str_sub(buf_str(&key), 1, key.len));
		buf_done(&key);
		buf_add(&b, STR(":[1,{\"z\":null}]"));
	}
	buf_add_char(&b, '}');
	return arena_dup(a, buf_str(&b));
}

static inline void
scene_make_call(struct arena *a, const struct scene *s, struct call *c,
	struct call_facts *f)
{
	static const enum call_tool tools[] = {
		CALL_TOOL_SHELL, CALL_TOOL_MCP, CALL_TOOL_WRITE};
	struct call_effect *effects = ARENA_ARRAY(a, 2, struct call_effect);

	*c = (struct call){
		.tool = tools[s->call],
		.tool_name = s->slots[SCENE_TOOL_NAME],
		.description = s->slots[SCENE_DESCRIPTION],
		.cwd = s->slots[SCENE_CWD],
		.input = scene_input(a, s),
	};
	if (s->call == SCENE_SHELL)
		c->command = s->slots[SCENE_COMMAND];
	if (s->call == SCENE_MCP) {
		c->server = s->slots[SCENE_SERVER];
		c->mcp_tool = s->slots[SCENE_SERVER_TOOL];
		c->arguments = c->input;
	}
	effects[0] = (struct call_effect){
		.kind = CALL_EFFECT_WRITE,
		.scope = CALL_SCOPE_NETWORK,
		.resource = s->slots[SCENE_EFFECT_RESOURCE],
		.by = s->slots[SCENE_EFFECT_BY],
		.flags = CALL_EFFECT_TREE | CALL_EFFECT_SECRET,
	};
	effects[1] = (struct call_effect){
		.kind = CALL_EFFECT_READ, .resource = STR("b"), .by = STR("c")};
	*f = (struct call_facts){
		.effects = effects,
		.effect_count = 2,
		.ignorance = CALL_UNKNOWN,
		.incomplete = s->slots[SCENE_INCOMPLETE],
	};
}

/* Adds the user message. False and why if there is none. */
static inline bool
scene_prompt(struct arena *a, const struct scene *s, struct buf *user,
	struct str *ret_failure)
{
	const struct str *t = s->slots;
	const struct str hidden[] = {STR(SCENE_HIDDEN)};
	const struct judge_message messages[] = {
		{true,  false, t[SCENE_MESSAGE]                   },
		{true,  true,  STR("not the user's " SCENE_HIDDEN)},
		{false, false, t[SCENE_REPLY]                     },
	};
	const struct judge_rule rules[] = {
		{.reply = CALL_REPLY_ONCE,
         .source = JUDGE_SOURCE_USER,
         .action = t[SCENE_RULE_ACTION],
         .resources = &t[SCENE_RULE_RESOURCE],
         .resource_count = 1,
         .note = t[SCENE_RULE_NOTE]},
		{ .reply = CALL_REPLY_REJECT,
         .source = JUDGE_SOURCE_USER,
         .action = STR("shell"),
         .resources = hidden,
         .resource_count = 1,
         .note = STR("no"),
         .hidden = true},
	};
	const struct judge_entry entries[] = {
		{t[SCENE_HISTORY_TOOL], t[SCENE_HISTORY_ACTION],
         &t[SCENE_HISTORY_RESOURCE],												 1, t[SCENE_HISTORY_OUTCOME],
         t[SCENE_HISTORY_NOTE],																											   JUDGE_SOURCE_USER, false},
		{STR("Bash"),           STR("shell"),            hidden,                     1, STR("allowed"),           STR("n"),
         JUDGE_SOURCE_USER,																																	  true },
		{STR("Bash"),           STR("shell"),            &t[SCENE_HISTORY_RESOURCE], 1,
         STR("rejected"),																						 t[SCENE_HISTORY_TIER_NOTE], JUDGE_SOURCE_TIER,
         false																																						},
	};
	const struct judge_context context = {
		.agent = t[SCENE_AGENT],
		.agent_role = t[SCENE_ROLE],
		.roots = &t[SCENE_ROOT],
		.root_count = 1,
		.scratch = &t[SCENE_SCRATCH],
		.scratch_count = 1,
		.flags = &t[SCENE_FLAG],
		.flag_count = 1,
		.task = t[SCENE_TASK],
		.messages = messages,
		.message_count = ARRAY_LEN(messages),
		.allows = &t[SCENE_ALLOW],
		.allow_count = 1,
		.blocks = &t[SCENE_BLOCK],
		.block_count = 1,
		.rules = rules,
		.rule_count = ARRAY_LEN(rules),
	};
	const struct judge_file file = {t[SCENE_FILE_NAME], t[SCENE_FILE_TEXT]};
	struct call *call = ARENA_NEW(a, struct call);
	struct call_facts *facts = ARENA_NEW(a, struct call_facts);

	scene_make_call(a, s, call, facts);
	const struct judge_question question = {
		.call = call,
		.facts = facts,
		.agent_reply = judge_last_reply(messages, ARRAY_LEN(messages)),
		.mcp_description = t[SCENE_MCP_DESCRIPTION],
		.mcp_annotations = t[SCENE_MCP_ANNOTATIONS],
		.files = &file,
		.file_count = 1,
	};
	struct judge_turn *turn = judge_turn_new(a, &context);
	bool ok;

	CHECK(turn);
	for (size_t i = 0; i < ARRAY_LEN(entries); i++)
		judge_turn_add(turn, &entries[i]);
	ok = judge_prompt(turn, &question, user, ret_failure);
	judge_turn_free(turn);
	return ok;
}

/* --- what must hold --------------------------------------------------------------- */

static inline size_t
scene_count(struct str text, struct str part)
{
	size_t n = 0;

	for (size_t i = str_find(text, part, 0); i < text.len;
		 i = str_find(text, part, i + 1))
		n++;
	return n;
}

/* Told apart from the escaper's own table on purpose. */
static inline bool
scene_is_invisible(uint32_t c)
{
	return (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || c == 0xad
		|| (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
		|| (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x061c
		|| (c >= 0xe0000 && c <= 0xe0fff) || (c >= 0xfe00 && c <= 0xfe0f)
		|| c == 0x34f || (c >= 0x600 && c <= 0x605) || c == 0x6dd || c == 0x70f
		|| c == 0x890 || c == 0x891 || c == 0x8e2 || c == 0x110bd
		|| c == 0x110cd || (c >= 0x13430 && c <= 0x1343f)
		|| (c >= 0x1bca0 && c <= 0x1bca3) || (c >= 0x1d173 && c <= 0x1d17a);
}

static inline const char *
scene_check_characters(struct str user)
{
	uint32_t code;

	for (size_t i = 0, n; i < user.len; i += n) {
		n = str_utf8(str_sub(user, i, user.len), &code);
		if (n == 0)
			return "the message is UTF-8";
		if (scene_is_invisible(code))
			return "no character is invisible";
	}
	return NULL;
}

/* Lines that begin as JSON are JSON, whole. */
static inline const char *
scene_check_lines(struct str user)
{
	struct wire_json_error error;
	struct str rest = user, line;

	while (str_line(&rest, &line)) {
		if (line.len == 0 || (line.ptr[0] != '{' && line.ptr[0] != '"'))
			continue;
		json_t *j = wire_json_parse(line, &error);

		if (!j)
			return "every payload is JSON on its line";
		json_decref(j);
	}
	return NULL;
}

/* As it is put into a request, it comes back. */
static inline const char *
scene_check_request(struct str user)
{
	struct buf b;
	struct wire_json_error error;
	json_t *j;
	bool same;

	buf_init(&b, LIMIT_BODY_BYTES);
	buf_add_json(&b, user);
	j = wire_json_parse(buf_str(&b), &error);
	same = str_eq(wire_json_text(j), user);
	json_decref(j);
	buf_done(&b);
	return same ? NULL : "the request gives the message back";
}

static inline bool
scene_is_plain_text(struct str s)
{
	uint32_t code;

	for (size_t i = 0, n; i < s.len; i += n) {
		n = str_utf8(str_sub(s, i, s.len), &code);
		if (n == 0 || code == 0)
			return false;
	}
	return true;
}

/* The call is the last payload, and undoing the escapes gives the original. */
static inline const char *
scene_check_call(const struct scene *s, struct str user)
{
	static const struct str end = {"\n</tool_call>\n", 14};
	struct wire_json_error error;
	struct str whole = str_sub(user, 0, user.len - end.len);
	size_t from = whole.len;
	enum scene_slot slot = s->call == SCENE_SHELL ? SCENE_COMMAND
		: s->call == SCENE_MCP                    ? SCENE_ARGUMENT
												  : SCENE_PATH;
	const char *key = s->call == SCENE_SHELL ? "command"
		: s->call == SCENE_MCP               ? "y"
											 : "path";
	bool same;

	if (!str_ends(user, end))
		return "the call's section is last";
	while (from > 0 && whole.ptr[from - 1] != '\n')
		from--;
	json_t *j = wire_json_parse(str_sub(whole, from, whole.len), &error);
	struct str shown =
		wire_json_str(wire_json_get(wire_json_get(j, "call"), "input"), key);

	/* an agent's JSON cannot hold other bytes */
	same = !scene_is_plain_text(s->slots[slot]) || str_eq(shown, s->slots[slot])
		|| str_has(shown, STR("[secret:"));
	json_decref(j);
	return same ? NULL : "the call is whole and last";
}

/* A fuzzer may guess the word. */
static inline bool
scene_says_hidden(const struct scene *s)
{
	for (size_t i = 0; i < SCENE_SLOT_COUNT; i++) {
		if (str_has(s->slots[i], STR(SCENE_HIDDEN)))
			return true;
	}
	return false;
}

/*
 * Compares the message with the one for harmless texts: NULL, or what does not
 * hold. A call that is not shown at all is fine.
 */
static inline const char *
scene_check(struct arena *a, const struct scene *s)
{
	static const char *const parts[] = {"<", ">", "\r", "<session_context>\n",
		"</session_context>\n", "<user_rules>\n", "</user_rules>\n",
		"<tool_history>\n", "</tool_history>\n", "<agent_reply>\n",
		"</agent_reply>\n", "<tool_call>\n", "</tool_call>\n"};
	struct scene plain;
	struct buf want, got;
	struct str failure;
	const char *wrong = NULL;

	scene_init(&plain, s->call);
	buf_init(&want, JUDGE_USER_BYTES);
	buf_init(&got, JUDGE_USER_BYTES);
	if (!scene_prompt(a, &plain, &want, &failure)) {
		wrong = "harmless texts can be judged";
	} else if (scene_prompt(a, s, &got, &failure)) {
		struct str user = buf_str(&got);

		for (size_t i = 0; i < ARRAY_LEN(parts) && !wrong; i++) {
			if (scene_count(user, str_from(parts[i]))
				!= scene_count(buf_str(&want), str_from(parts[i])))
				wrong = "every delimiter is there as often as ever";
		}
		/* an approval that cannot be shown has no line */
		if (!wrong
			&& scene_count(user, STR("\n"))
				> scene_count(buf_str(&want), STR("\n")))
			wrong = "no line is added";
		wrong = wrong ? wrong : scene_check_characters(user);
		wrong = wrong ? wrong : scene_check_lines(user);
		wrong = wrong ? wrong : scene_check_request(user);
		wrong = wrong ? wrong : scene_check_call(s, user);
		if (!wrong && str_has(user, STR(SCENE_HIDDEN)) && !scene_says_hidden(s))
			wrong = "what is marked is not shown";
	}
	buf_done(&want);
	buf_done(&got);
	return wrong;
}

#endif
