/*
 * The adapter against bytes that nobody meant: whatever comes in, it says
 * something, and what was cut or bent is never a call without a mark.
 */

#include "adapter/adapter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order.h"
#include "tests/unit/unit.h"

enum { ARENA_BYTES = 64 << 20, ROUNDS = 20000, BIG_BYTES = 4 << 20 };

static const char *const messages[] = {
	"{\"session_id\":\"s1\",\"prompt_id\":\"p1\",\"cwd\":\"/home/u/p\","
	"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":"
	"{\"command\":\"ls -l \\\"a\\u0020b\\\"\",\"description\":\"List\"},"
	"\"tool_use_id\":\"t1\"}",
	"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"mcp__a__b\","
	"\"tool_input\":\"{\\\"x\\\":[1,{\\\"y\\\":null}]}\",\"agent_id\":\"a9\","
	"\"session_id\":\"s\",\"mcp_server\":{\"name\":\"a\",\"source\":\"user\"}}",
	"{\"tool_input\":{\"file_path\":\"/p\",\"edits\":[{\"old_string\":\"\","
	"\"new_string\":\"x\"},{\"new_string\":\"y\"}]},\"tool_name\":"
	"\"MultiEdit\","
	"\"hook_event_name\":\"PermissionRequest\"}",
	"{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"do it\"}",
};

static unsigned seed = 1;

static unsigned
roll(unsigned below)
{
	seed = seed * 1103515245U + 12345U;
	return (seed >> 8) % below;
}

/* Decodes bytes that end exactly where their memory does. */
static struct adapter_message
decode(struct arena *a, struct str bytes)
{
	static const struct adapter_facts facts = {.dialect = CALL_DIALECT_BASH};
	struct adapter_message m;
	char *exact = malloc(bytes.len > 0 ? bytes.len : 1);

	assert_non_null(exact);
	if (bytes.len > 0)
		memcpy(exact, bytes.ptr, bytes.len);
	arena_reset(a);
	adapter_decode(a, adapter_agent_find(STR("claude-code")),
		(struct str){exact, bytes.len}, &facts, &m);
	free(exact); /* what was read must not need it */
	return m;
}

static void
test_cut(void **state)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_BYTES);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
		struct str whole = str_from(messages[i]);

		assert_false(decode(a, whole).malformed);
		for (size_t n = 0; n < whole.len; n++) {
			struct adapter_message m = decode(a, str_sub(whole, 0, n));

			assert_true(m.malformed && m.decides);
			assert_true(m.malformed_why.len > 0);
		}
	}
}

/* Every answer to it is a refusal, or it was understood whole. */
static void
check_bent(struct arena *a, const struct adapter_message *m)
{
	struct adapter_reply deny = {
		.verdict = CALL_VERDICT_DENY,
		.reason = m->malformed_why,
	};
	struct adapter_answer answer;

	if (m->malformed)
		assert_true(m->malformed_why.len > 0);
	assert_true(m->event != NULL || (m->decides && m->malformed));
	if (m->meaning == ADAPTER_CALL && !m->malformed && !m->call.malformed)
		assert_true(m->call.tool != CALL_TOOL_NONE && m->call.input.len > 0);
	adapter_encode(
		a, adapter_agent_find(STR("claude-code")), m->event, &deny, &answer);
	if (m->decides)
		assert_true(answer.exit == 2 || str_has(answer.out, STR("\"deny\"")));
	else
		assert_true(answer.exit == 0 && answer.out.len == 0);
}

static void
test_bent(void **state)
{
	static const char bytes[] = "{}[]\",:\\u0n \x80\xff\t1e-";
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_BYTES);

	(void)state;
	for (size_t i = 0; i < ROUNDS; i++) {
		char text[512];
		size_t n = strlen(messages[i % ARRAY_LEN(messages)]);

		memcpy(text, messages[i % ARRAY_LEN(messages)], n);
		for (unsigned k = 1 + roll(3); k > 0; k--)
			text[roll((unsigned)n)] = bytes[roll(sizeof(bytes) - 1)];
		struct adapter_message m = decode(a, (struct str){text, n});

		check_bent(a, &m);
	}
}

/* A large call is read, and its input is kept byte for byte. */
static void
test_large(void **state)
{
	static const char head[] =
		"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Write\","
		"\"tool_input\":{\"file_path\":\"/p\",\"content\":\"";
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_BYTES);
	char *text = malloc(BIG_BYTES);
	size_t n = sizeof(head) - 1;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', BIG_BYTES);
	memcpy(text, head, n);
	text[BIG_BYTES - 3] = '"';
	text[BIG_BYTES - 2] = '}';
	text[BIG_BYTES - 1] = '}';
	assert_true(ARENA_TRY(a));
	struct adapter_message m = decode(a, (struct str){text, BIG_BYTES});

	assert_false(m.malformed || m.call.malformed);
	assert_int_equal(m.call.content.len, BIG_BYTES - n - 3);
	assert_int_equal(m.call.input.len,
		BIG_BYTES - 1 - str_find(str_from(head), STR("{\"file_path"), 0));
	free(text);
}

static void
decode_in(size_t bytes)
{
	static const struct adapter_facts facts = {.dialect = CALL_DIALECT_BASH};
	CLEANUP(arena_freep) struct arena *a = arena_new(bytes);
	struct adapter_message m;

	if (ARENA_TRY(a))
		adapter_decode(a, adapter_agent_find(STR("claude-code")),
			str_from(messages[1]), &facts, &m);
}

/* An arena that is too small jumps, and nothing leaks (the sanitizers look). */
static void
test_small_arena(void **state)
{
	(void)state;
	for (size_t bytes = 64; bytes < 8192; bytes += 64)
		decode_in(bytes);
}

/* What the order makes of a call of this tool and input. */
static struct call_outcome
decide(struct arena *a, const char *tool, const char *input)
{
	CLEANUP(policy_unrefp) struct policy *policy = policy_new();
	struct call_world world = {.home = STR("/home/u"), .assumed = true};
	struct order_input in = {.world = &world, .policy = policy};
	struct order_result result;
	char text[512];
	int n = snprintf(text, sizeof(text),
		"{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/home/u/p\","
		"\"tool_name\":\"%s\",\"tool_input\":%s}",
		tool, input);
	struct adapter_message m = decode(a, (struct str){text, (size_t)n});

	assert_false(m.malformed);
	in.call = &m.call;
	in.settings.mode = CALL_MODE_AI_AUTO;
	order_decide(a, &in, &result);
	assert_int_equal(result.next, ORDER_DONE);
	return result.outcome;
}

/* Tools that touch only the agent itself pass; what might touch more is asked
 * about. */
static void
test_inward(void **state)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(ARENA_BYTES);

	(void)state;
	assert_int_equal(
		decide(a, "TodoWrite", "{\"todos\":[\"read /etc/shadow\"]}").verdict,
		CALL_VERDICT_ALLOW);
	assert_int_equal(
		decide(a, "Agent", "{\"prompt\":\"x\"}").verdict, CALL_VERDICT_ALLOW);
	assert_int_equal(decide(a, "Agent", "{\"isolation\":\"remote\"}").verdict,
		CALL_VERDICT_ASK);
	assert_int_equal(
		decide(a, "TodoWrite", "{\"todos\":\"a\\u200bb\\u202e\"}").verdict,
		CALL_VERDICT_ASK);
	assert_int_equal(
		decide(a, "Skill", "{\"skill\":\"x\"}").verdict, CALL_VERDICT_ASK);
	assert_int_equal(decide(a, "Unheard", "{}").verdict, CALL_VERDICT_ASK);
}

/* Rows that the programs rely on. */
static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < adapter_agent_count(); i++) {
		const struct adapter_agent *agent = adapter_agent_get(i);

		assert_ptr_equal(adapter_agent_find(str_from(agent->name)), agent);
		for (size_t k = 0; agent->aliases[k]; k++)
			assert_ptr_equal(
				adapter_agent_find(str_from(agent->aliases[k])), agent);
		for (size_t k = 0; k < agent->event_count; k++) {
			const struct adapter_event *e = &agent->events[k];

			assert_ptr_equal(adapter_event_find(agent, str_from(e->name)), e);
			assert_true(e->deadline_s < e->timeout_s);
			assert_non_null(e->safe_out);
			assert_non_null(e->safe_err);
			/* the safe answer refuses where it counts, and only there */
			assert_true(e->decides
				== (e->safe_exit == 2
					|| str_has(str_from(e->safe_out),
						e->elsewhere ? STR("\"ask\"") : STR("\"deny\""))));
			assert_true(!e->decides || e->installed || e->elsewhere);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_bent),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_small_arena),
		cmocka_unit_test(test_inward),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
