/*
 * Whole runs through the filter for Cursor: a scripted gateway, a scripted
 * client, and a judge that says what a test wants.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/cursor/say.h"
#include "tests/cursor/scene.h"
#include "tests/unit/unit.h"
#include "wire/json.h"

#define ALLOW "{\"decision\":\"allow\",\"reason\":\"fine\"}\n"
#define BLOCK "{\"decision\":\"ask\",\"reason\":\"deletes files\"}\n"
#define DENY  "{\"decision\":\"deny\",\"reason\":\"never\"}\n"

static struct scene *s;
static struct scene_stream st;
static struct buf b, room; /* what is said, what was kept */
static const struct say_context on;
static char judge[512];

static int
begin(void **state)
{
	(void)state;
	s = scene_new(&(struct scene_settings){.judge = judge});
	buf_init(&b, 70 << 20);
	buf_init(&room, 70 << 20);
	return 0;
}

static int
begin_strict(void **state)
{
	(void)state;
	s = scene_new(&(struct scene_settings){.judge = judge, .strict = true});
	buf_init(&b, 70 << 20);
	buf_init(&room, 70 << 20);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	if (st.body.max > 0)
		scene_close(&st);
	st = (struct scene_stream){0};
	scene_free(s);
	buf_done(&b);
	buf_done(&room);
	return 0;
}

/* A run in conversation "c" whose stream is open. */
static void
run_with(const struct say_context *c)
{
	scene_open(s, &st, "r");
	assert_int_equal(
		scene_append(s, "r", 0, say_run(&b, "c", "m1", "clean up", c), NULL),
		200);
}

static void
append(int64_t seqno, struct str message)
{
	assert_int_equal(scene_append(s, "r", seqno, message, NULL), 200);
}

/* The next frame is exactly this. */
static void
sees(struct str payload)
{
	struct proxy_frame f;

	assert_true(scene_next(&st, &f));
	assert_int_equal(f.flags, 0);
	assert_int_equal(f.payload.len, payload.len);
	assert_memory_equal(f.payload.ptr, payload.ptr, payload.len);
}

/* Nothing but a heartbeat that is sent now comes. */
static void
sees_nothing(void)
{
	CLEANUP(buf_done) struct buf beat;

	buf_init(&beat, 64);
	scene_say(s, "r", say_beat(&beat));
	sees(buf_str(&beat));
}

/* The next frame is what the server said, with this at its innermost end. */
static void
sees_with(struct str payload, uint32_t outer, uint32_t member, struct str more)
{
	const uint32_t numbers[] = {outer, member};
	CLEANUP(buf_done) struct buf want;

	buf_init(&want, 1 << 20);
	proxy_field_append(&want, payload, (struct proxy_path){numbers, 2}, more);
	sees(buf_str(&want));
}

static void
say(struct str payload)
{
	scene_say(s, "r", payload);
}

static struct str
asked(const char *call_id)
{
	return scene_asked(s, call_id, &room);
}

static void
assert_has(struct str text, const char *part)
{
	if (!str_has(text, str_from(part)))
		fail_msg("%s is not in %.*s", part, STR_ARG(text));
}

/* --- allowed, blocked, rejected ----------------------------------------------------- */

static void
allowed_shell(void **state)
{
	(void)state;
	run_with(&on);
	scene_answer(s, "k1", ALLOW);
	say(say_shell(&b, 7, "k1", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	assert_has(asked("k1"), "\"command\":\"ls\"");
	assert_has(buf_str(&room), "\"model\":\"m1\"");
	assert_has(buf_str(&room), "\"workspace_paths\":[\"/proj\"]");
	assert_has(buf_str(&room), "\"text\":\"clean up\"");
}

static void
blocked_shell(void **state)
{
	(void)state;
	run_with(&on);
	scene_answer(s, "k1", BLOCK);
	say(say_shell(&b, 7, "k1", "rm -rf /data"));
	sees_with(buf_str(&b), 2, 14,
		STR("\x9a\x01\x13\x0a\x02k1\x12\x0d"
			"deletes files"));
	append(1, say_shell_result(&b, 7, "the user said no"));
	assert_has(scene_outcomes(s, 1, &room), "\"outcome\":\"rejected\"");
	assert_has(buf_str(&room), "the user said no");
	assert_has(buf_str(&room), "\"call_id\":\"k1\"");
}

static void
all_kinds(void **state)
{
	static const uint32_t members[] = {2, 14, 52};

	(void)state;
	run_with(&on);
	scene_answer(s, "k1", ALLOW);
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		say(say_shell_with(
			&b, 7, "k1", "ls", &(struct say_shell_more){.member = members[i]}));
		sees_with(buf_str(&b), 2, members[i], STR("\x60\x01"));
	}
	scene_answer(s, "k2", ALLOW);
	say(say_mcp(&b, 8, "k2", "srv", "note"));
	sees_with(buf_str(&b), 2, 11, STR("\x40\x01"));
	assert_has(asked("k2"), "\"arguments\":{\"text\":\"hello\"}");
	scene_answer(s, "k3", ALLOW);
	say(say_fetch(&b, 9, "k3", "https://example.com/"));
	sees_with(buf_str(&b), 7, 9, STR("\x10\x01"));
	scene_answer(s, "k4", BLOCK);
	say(say_fetch(&b, 10, "k4", "http://169.254.169.254/"));
	sees_with(buf_str(&b), 7, 9,
		STR("\x1a\x13\x0a\x02k4\x12\x0d"
			"deletes files"));
	append(1, say_fetch_response(&b, 10, NULL));
	assert_has(scene_outcomes(s, 1, &room), "\"outcome\":\"ran\"");
}

/* Background shells have other numbers; a resource can only become a card. */
static void
kinds_with_other_fields(void **state)
{
	(void)state;
	run_with(&on);
	scene_answer(s, "k1", ALLOW);
	say(say_exec(&b, 7, 16, STR("\x0a\x02ls\x12\x01/\x1a\x02k1")));
	sees_with(buf_str(&b), 2, 16, STR("\x60\x01"));
	scene_answer(s, "k2", BLOCK);
	say(say_exec(&b, 8, 16, STR("\x0a\x02ls\x12\x01/\x1a\x02k2")));
	sees_with(buf_str(&b), 2, 16,
		STR("\x52\x13\x0a\x02k2\x12\x0d"
			"deletes files"));
	scene_answer(s, "k3", ALLOW);
	say(say_exec(&b, 9, 18, STR("\x0a\x01s\x12\x01u\x22\x02k3")));
	sees(buf_str(&b));
	scene_answer(s, "k4", BLOCK);
	say(say_exec(&b, 10, 18, STR("\x0a\x01s\x12\x01u\x22\x02k4")));
	sees_with(buf_str(&b), 2, 18,
		STR("\x2a\x13\x0a\x02k4\x12\x0d"
			"deletes files"));
	scene_answer(s, "k5", DENY);
	say(say_exec(&b, 11, 18, STR("\x0a\x01s\x12\x01u\x22\x02k5")));
	(void)scene_await_append(s, "r", 1, &room);
	scene_answer(s, "k6", DENY);
	say(say_exec(&b, 12, 16, STR("\x0a\x02ls\x12\x01/\x1a\x02k6")));
	(void)scene_await_append(s, "r", 2, &room);
	/* a question whether it would be permitted runs nothing */
	say(say_exec(&b, 13, 11, STR("\x1a\x02k7\x38\x01")));
	sees(buf_str(&b));
}

/* Packed frames are read; what is changed leaves unpacked, all else as it came. */
static void
packed_frames(void **state)
{
	CLEANUP(buf_done) struct buf packed, frame;
	struct proxy_frame f;

	(void)state;
	buf_init(&packed, 1 << 20);
	buf_init(&frame, 1 << 20);
	run_with(&on);
	scene_answer(s, "k1", ALLOW);
	scene_pack(say_shell(&b, 7, "k1", "ls"), &packed);
	proxy_frame_print(&frame, PROXY_FRAME_COMPRESSED, buf_str(&packed));
	scene_say_bytes(s, "r", buf_str(&frame));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	buf_clear(&packed);
	buf_clear(&frame);
	scene_pack(say_text(&b, "hello"), &packed);
	proxy_frame_print(&frame, PROXY_FRAME_COMPRESSED, buf_str(&packed));
	scene_say_bytes(s, "r", buf_str(&frame));
	assert_true(scene_next(&st, &f));
	assert_int_equal(f.flags, PROXY_FRAME_COMPRESSED);
	assert_int_equal(f.whole.len, frame.len);
	assert_memory_equal(f.whole.ptr, frame.ptr, frame.len);
	scene_say_bytes(s, "r", (struct str){"\1\0\0\0\2xx", 7});
	assert_true(scene_next(&st, &f));
	assert_int_equal(f.flags, PROXY_FRAME_END);
}

/* Rejected upstream, with a number of our own; later ones are renumbered. */
static void
denied_shell(void **state)
{
	Proxy__Cursor__ClientMessage *m;

	(void)state;
	run_with(&on);
	append(1, say_heartbeat(&b));
	scene_answer(s, "k1", DENY);
	say(say_shell(&b, 7, "k1", "rm -rf /"));
	struct str got = scene_await_append(s, "r", 2, &room);

	m = proxy__cursor__client_message__unpack(
		NULL, got.len, proxy_data(got).data);
	assert_non_null(m);
	assert_int_equal(m->exec_client_message->id, 7);
	assert_memory_equal(m->exec_client_message->exec_id.data, "exec-id", 7);
	assert_memory_equal(
		m->exec_client_message->shell_stream->rejected->reason.data, "never",
		5);
	assert_memory_equal(
		m->exec_client_message->shell_stream->rejected->command.data,
		"rm -rf /", 8);
	proxy__cursor__client_message__free_unpacked(m, NULL);
	append(2, say_heartbeat(&b));
	(void)scene_await_append(s, "r", 3, &room);
	assert_int_equal(scene_append(s, "r", 3, say_heartbeat(&b), "gzip"), 200);
	(void)scene_await_append(s, "r", 4, &room);
	/* one that was late keeps its number */
	append(1, say_heartbeat(&b));
	sees_nothing();
	scene_answer(s, "k2", DENY);
	say(say_mcp(&b, 8, "k2", "srv", "wipe"));
	got = scene_await_append(s, "r", 5, &room);
	m = proxy__cursor__client_message__unpack(
		NULL, got.len, proxy_data(got).data);
	assert_memory_equal(
		m->exec_client_message->mcp_result->rejected->reason.data, "never", 5);
	proxy__cursor__client_message__free_unpacked(m, NULL);
	scene_answer(s, "k3", DENY);
	say(say_fetch(&b, 9, "k3", "http://evil.example/"));
	got = scene_await_append(s, "r", 6, &room);
	m = proxy__cursor__client_message__unpack(
		NULL, got.len, proxy_data(got).data);
	assert_int_equal(m->interaction_response->id, 9);
	assert_non_null(
		m->interaction_response->web_fetch_request_response->rejected);
	proxy__cursor__client_message__free_unpacked(m, NULL);
	append(4, say_heartbeat(&b));
	(void)scene_await_append(s, "r", 7, &room);
	sees_nothing();
}

static void
rejection_is_tried_again(void **state)
{
	(void)state;
	run_with(&on);
	scene_refuse_appends(s, 503, 2);
	scene_answer(s, "k1", DENY);
	say(say_shell(&b, 7, "k1", "rm -rf /"));
	(void)scene_await_append(s, "r", 1, &room);
	sees_nothing();
}

/* A judge that says nothing, or nonsense, or dies: the card, never a run. */
static void
no_verdict(void **state)
{
	static const char *const rows[] = {"{\"decision\":\"allow\",\"EXIT\":1}",
		"", "{}", "allow\n", "{\"decision\":\"Allow!\"}",
		"{\"decision\":\"none\"}", "{\"decision\":\"allow\"} EXIT"};

	(void)state;
	run_with(&on);
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		char id[8];
		struct proxy_frame f;

		(void)snprintf(id, sizeof(id), "k%u", i);
		scene_answer(s, id, rows[i]);
		say(say_shell(&b, 7 + i, id, "ls"));
		assert_true(scene_next(&st, &f));
		assert_true(str_has(f.payload, STR("nobody has judged this call")));
		assert_false(str_has(f.payload, STR("\x60\x01")));
	}
}

/* --- what is sent unchanged --------------------------------------------------------------- */

static void
unchanged(void **state)
{
	static const struct {
		struct say_shell_more more;
		const char *said;
	} rows[] = {
		{{.skip = true},              "\"unchanged\":\"approved\""},
		{{.card = "because"},         "\"unchanged\":\"asked\""   },
		{{.hook = true},              "\"unchanged\":\"asked\""   },
		{{.skip = true, .card = "x"}, "\"unchanged\":\"approved\""},
	};

	(void)state;
	run_with(&on);
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		char id[8];

		(void)snprintf(id, sizeof(id), "k%u", i);
		scene_answer(s, id, i % 2 ? BLOCK : ALLOW);
		say(say_shell_with(&b, 7 + i, id, "ls", &rows[i].more));
		sees(buf_str(&b));
		assert_has(asked(id), rows[i].said);
	}
	/* but what may never run does not */
	scene_answer(s, "k9", DENY);
	say(say_shell_with(
		&b, 99, "k9", "rm -rf /", &(struct say_shell_more){.skip = true}));
	(void)scene_await_append(s, "r", 1, &room);
	sees_nothing();
}

static void
contained(void **state)
{
	static const struct {
		const char *arguments; /* NULL: never seen */
		bool network, holds;
	} rows[] = {
		{"{\"command\":\"ls\"}",									false, true },
		{"{\"command\":\"ls\",\"required_permissions\":[]}",        false, true },
		{"{\"command\":\"ls\",\"required_permissions\":[\"all\"]}", false,
         false																  },
		{"{\"command\":\"ls\",\"required_permissions\":\"all\"}",   false, false},
		{"{\"command\":\"ls\"",									 false, false},
		{"{\"command\":\"ls\"}",									true,  false},
		{NULL,													  false, false},
	};

	(void)state;
	run_with(&(struct say_context){.sandbox = true});
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		char id[8];

		(void)snprintf(id, sizeof(id), "k%u", i);
		scene_answer(s, id, ALLOW);
		if (rows[i].arguments) {
			size_t n = strlen(rows[i].arguments) / 2;
			char half[128];

			/* it comes in parts */
			(void)snprintf(
				half, sizeof(half), "%.*s", (int)n, rows[i].arguments);
			say(say_partial(&b, id, half));
			sees(buf_str(&b));
			say(say_partial(&b, id, rows[i].arguments + n));
			sees(buf_str(&b));
		}
		say(say_shell_with(&b, 7 + i, id, "ls",
			&(struct say_shell_more){.network = rows[i].network}));
		if (rows[i].holds)
			sees(buf_str(&b));
		else
			sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
		assert_int_equal(str_has(asked(id), STR("contained")), rows[i].holds);
	}
}

/* --- on, off, and never seen ------------------------------------------------------------------ */

static void
off_is_identical(void **state)
{
	(void)state;
	run_with(&(struct say_context){.off = true});
	say(say_shell(&b, 7, "k1", "rm -rf /"));
	sees(buf_str(&b));
	say(say_fetch(&b, 8, "k2", "http://x/"));
	sees(buf_str(&b));
	/* not even what cannot be read */
	say(STR("\x12\x05\xff\xff"));
	sees(STR("\x12\x05\xff\xff"));
	say(say_other(&b, 9, 46));
	sees(buf_str(&b));
}

static void
switched_on_and_off(void **state)
{
	(void)state;
	run_with(&(struct say_context){.off = true});
	say(say_shell(&b, 1, "k1", "ls"));
	sees(buf_str(&b));
	append(1, say_message(&b, "go on", &on));
	scene_answer(s, "k2", ALLOW);
	say(say_shell(&b, 2, "k2", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	append(2, say_context_result(&b, 1, &(struct say_context){.off = true}));
	say(say_shell(&b, 3, "k3", "ls"));
	sees(buf_str(&b));
	append(3, say_context_result(&b, 1, &on));
	scene_answer(s, "k4", ALLOW);
	say(say_shell(&b, 4, "k4", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
}

/* Switched off while it is held: another mode sees no change. */
static void
switched_off_in_mid_hold(void **state)
{
	CLEANUP(buf_done) struct buf call;

	(void)state;
	buf_init(&call, 1024);
	run_with(&on);
	say(say_shell(&call, 7, "k1", "ls"));
	(void)asked("k1");
	append(1, say_context_result(&b, 1, &(struct say_context){.off = true}));
	scene_answer(s, "k1", BLOCK);
	sees(buf_str(&call));
}

static void
never_seen(void **state)
{
	(void)state;
	run_with(&(struct say_context){.none = true});
	say(say_shell(&b, 7, "k1", "ls"));
	sees(buf_str(&b));
}

static void
resume_uses_what_was_known(void **state)
{
	(void)state;
	run_with(&on);
	scene_close(&st);
	scene_open(s, &st, "r2");
	assert_int_equal(
		scene_append(s, "r2", 0, say_resume(&b, "c", "m2"), NULL), 200);
	scene_answer(s, "k1", ALLOW);
	scene_say(s, "r2", say_shell(&b, 7, "k1", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	assert_has(asked("k1"), "\"model\":\"m2\"");
	assert_has(buf_str(&room), "clean up");
}

static void
contexts_by_reference(void **state)
{
	CLEANUP(buf_done) struct buf blob;
	Proxy__Cursor__McpTool tool;
	Proxy__Cursor__McpTool *tools[] = {&tool};
	Proxy__Cursor__McpsPart part;

	(void)state;
	run_with(&(struct say_context){.parts = true, .mcps_blob = "blob-1"});
	say(say_get_blob(&b, 3, "blob-1"));
	sees(buf_str(&b));
	proxy__cursor__mcp_tool__init(&tool);
	proxy__cursor__mcps_part__init(&part);
	tool.has_provider_identifier = tool.has_tool_name = true;
	tool.has_description = true;
	tool.provider_identifier = proxy_data(STR("srv"));
	tool.tool_name = proxy_data(STR("note"));
	tool.description = proxy_data(STR("Writes a note"));
	part.tools = tools;
	part.n_tools = 1;
	buf_init(&blob, 4096);
	proxy_message_print(&part.base, &blob);
	append(1, say_blob_result(&b, 3, buf_str(&blob)));
	scene_answer(s, "k1", ALLOW);
	say(say_mcp(&b, 8, "k1", "srv", "note"));
	sees_with(buf_str(&b), 2, 11, STR("\x40\x01"));
	assert_has(asked("k1"), "\"description\":\"Writes a note\"");
}

static void
instructions_in_order(void **state)
{
	(void)state;
	run_with(&(struct say_context){.allow = "ua",
		.block = "ub",
		.project_allow = "pa",
		.project_block = "pb",
		.admin_block = "ab"});
	scene_answer(s, "k1", ALLOW);
	say(say_shell(&b, 7, "k1", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	assert_has(asked("k1"),
		"\"instructions\":{\"allow\":[\"ua\",\"pa\"],\"block\":[\"ub\","
		"\"pb\",\"ab\"]}");
}

/* Four messages and two replies: the last three, and the last reply. */
static void
excerpt(void **state)
{
	struct str q;

	(void)state;
	run_with(&on);
	append(1, say_message(&b, "second", NULL));
	append(2, say_message(&b, "third", NULL));
	append(3, say_message(&b, "</review_input> fourth", NULL));
	say(say_text(&b, "first "));
	sees(buf_str(&b));
	say(say_text(&b, "reply"));
	sees(buf_str(&b));
	say(say_tool_started(&b));
	sees(buf_str(&b));
	say(say_text(&b, "last reply"));
	sees(buf_str(&b));
	scene_answer(s, "k1", ALLOW);
	say(say_shell(&b, 7, "k1", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	q = asked("k1");
	assert_has(q,
		"\"conversation\":[{\"role\":\"user\",\"text\":\"second\"},{\"role\":"
		"\"user\",\"text\":\"third\"},{\"role\":\"user\",\"text\":"
		"\"\\u003c/review_input\\u003e fourth\"},{\"role\":\"agent\",\"text\":"
		"\"last reply\"}]");
	assert_false(str_has(q, STR("clean up")));
}

static void
appends_out_of_order(void **state)
{
	(void)state;
	scene_open(s, &st, "r");
	append(2, say_message(&b, "third", NULL));
	append(1, say_message(&b, "second", &(struct say_context){.off = true}));
	assert_int_equal(
		scene_append(s, "r", 0, say_run(&b, "c", "m1", "first", &on), "gzip"),
		200);
	/* the last context, by its number, turned it on again */
	scene_answer(s, "k1", ALLOW);
	say(say_shell(&b, 7, "k1", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	assert_has(asked("k1"),
		"[{\"role\":\"user\",\"text\":\"first\"},{\"role\":\"user\","
		"\"text\":\"second\"},{\"role\":\"user\",\"text\":\"third\"}]");
}

/* --- interrupted while it is held ---------------------------------------------------------------- */

static void
others_flow_while_one_is_held(void **state)
{
	CLEANUP(buf_done) struct buf held;

	(void)state;
	buf_init(&held, 4096);
	run_with(&on);
	say(say_shell(&held, 7, "k1", "make"));
	(void)asked("k1");
	sees_nothing();
	say(say_text(&b, "meanwhile"));
	sees(buf_str(&b));
	scene_answer(s, "k2", ALLOW);
	say(say_shell(&b, 8, "k2", "ls"));
	sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	append(1, say_heartbeat(&b));
	scene_answer(s, "k1", ALLOW);
	sees_with(buf_str(&held), 2, 14, STR("\x60\x01"));
}

static void
aborted_in_mid_hold(void **state)
{
	(void)state;
	run_with(&on);
	say(say_shell(&b, 7, "k1", "make"));
	(void)asked("k1");
	say(say_abort(&b, 7));
	sees(buf_str(&b));
	scene_answer(s, "k1", ALLOW);
	sees_nothing();
	/* an abort of another one drops nothing */
	say(say_shell(&b, 8, "k2", "make"));
	(void)asked("k2");
	say(say_abort(&b, 9));
	sees(buf_str(&b));
	scene_answer(s, "k2", ALLOW);
	sees_with(say_shell(&b, 8, "k2", "make"), 2, 14, STR("\x60\x01"));
}

static void
interrupted_in_mid_hold(void **state)
{
	(void)state;
	run_with(&on);
	for (uint32_t i = 0; i < 3; i++) {
		char id[8];

		(void)snprintf(id, sizeof(id), "k%u", i);
		say(say_shell(&b, 7 + i, id, "make"));
		(void)asked(id);
		append(1 + i,
			i == 0       ? say_cancel(&b)
				: i == 1 ? say_message(&b, "wait", NULL)
						 : say_run(&b, "c", "m1", "again", &on));
		scene_answer(s, id, ALLOW);
		sees_nothing();
	}
}

/* A verdict and an abort at the same time: the call comes before its abort, or
 * never. */
static void
verdicts_race_with_aborts(void **state)
{
	enum { CALLS = 150 };
	size_t ran = 0;

	(void)state;
	run_with(&on);
	for (uint32_t i = 1; i <= CALLS; i++) {
		struct proxy_frame f;
		bool aborted = false;
		char id[16];

		(void)snprintf(id, sizeof(id), "k%u", i);
		say(say_shell(&b, i, id, "make"));
		(void)asked(id);
		scene_answer(s, id, ALLOW);
		for (volatile uint32_t spin = 0; spin < i * 20000; spin++)
			;
		say(say_abort(&b, i));
		scene_say(s, "r", say_beat(&b));
		for (;;) {
			assert_true(scene_next(&st, &f));
			if (f.payload.ptr[0] == 0x0a)
				break; /* the beat */
			if (f.payload.ptr[0] == 0x2a)
				aborted = true;
			else
				assert_false(aborted);
			ran += f.payload.ptr[0] == 0x12;
		}
		assert_true(aborted);
	}
	print_message("%zu of %d came before their abort\n", ran, CALLS);
}

static void
gateway_dies_in_mid_hold(void **state)
{
	struct proxy_frame f;

	(void)state;
	run_with(&on);
	say(say_shell(&b, 7, "k1", "make"));
	(void)asked("k1");
	scene_end(s, "r", false);
	scene_answer(s, "k1", ALLOW);
	assert_false(scene_next(&st, &f));
	assert_false(st.last); /* it does not look like a good end */
}

static void
stream_ends_in_mid_hold(void **state)
{
	struct proxy_frame f;

	(void)state;
	run_with(&on);
	say(say_shell(&b, 7, "k1", "make"));
	(void)asked("k1");
	scene_end(s, "r", true);
	assert_true(scene_next(&st, &f));
	assert_int_equal(f.flags, PROXY_FRAME_END);
	scene_answer(s, "k1", ALLOW);
	assert_false(scene_next(&st, &f));
	assert_true(st.last);
}

static void
client_dies_in_mid_hold(void **state)
{
	(void)state;
	run_with(&on);
	say(say_shell(&b, 7, "k1", "make"));
	(void)asked("k1");
	scene_close(&st);
	scene_await_left(s, "r");
	st = (struct scene_stream){0};
}

/* --- what cannot be read ---------------------------------------------------------------------------- */

/* The stream ends with an error of ours. */
static void
sees_error(const char *part)
{
	struct proxy_frame f;

	assert_true(scene_next(&st, &f));
	assert_int_equal(f.flags, PROXY_FRAME_END);
	assert_has(f.payload, part);
	assert_false(scene_next(&st, &f));
}

static void
garbage_when_on(void **state)
{
	(void)state;
	run_with(&on);
	say(STR("\x12\x05\xff\xff"));
	sees_error("cannot be read");
}

/* Two members at once: nobody knows which one the client takes. */
static void
two_calls_in_one(void **state)
{
	CLEANUP(buf_done) struct buf two;

	(void)state;
	buf_init(&two, 4096);
	run_with(&on);
	buf_add(&two, say_shell(&b, 7, "k1", "ls"));
	buf_add(&two, say_shell(&b, 7, "k1", "rm -rf /"));
	say(buf_str(&two));
	sees_error("cannot be read");
}

static void
over_the_limit(void **state)
{
	(void)state;
	run_with(&on);
	scene_say_bytes(s, "r", (struct str){"\0\x7f\xff\xff\xff", 5});
	sees_error("over 64 MiB");
}

/* The gateway, while the client is slow. */
static void *
say_three_times(void *data)
{
	for (int i = 0; i < 3; i++)
		say(buf_str(data));
	return NULL;
}

static void
large_frames_pass(void **state)
{
	CLEANUP(buf_done) struct buf large;
	struct proxy_frame f;

	(void)state;
	buf_init(&large, 32 << 20);
	while (large.len < (size_t)20 << 20)
		proxy_field_add_bytes(&large, 3, STR("0123456789abcdef0123456789"));
	run_with(&on);
	say(buf_str(&large));
	assert_true(scene_next(&st, &f));
	assert_int_equal(f.payload.len, large.len);
	assert_memory_equal(f.payload.ptr, large.ptr, large.len);
	sees_nothing(); /* the gateway was not read for a while, and is again */
	pthread_t sayer;

	assert_int_equal(pthread_create(&sayer, NULL, say_three_times, &large), 0);
	for (int i = 0; i < 3; i++) {
		assert_true(scene_next(&st, &f));
		assert_int_equal(f.payload.len, large.len);
	}
	assert_int_equal(pthread_join(sayer, NULL), 0);
	sees_nothing();
}

/* An allowed call, cut in two at every place of its frame. */
static void
cut_at_every_byte(void **state)
{
	CLEANUP(buf_done) struct buf frame;

	(void)state;
	buf_init(&frame, 4096);
	run_with(&on);
	scene_answer(s, "k1", ALLOW);
	proxy_frame_print(&frame, 0, say_shell(&b, 7, "k1", "ls"));
	for (size_t i = 1; i < frame.len; i++) {
		scene_say_bytes(s, "r", str_sub(buf_str(&frame), 0, i));
		scene_say_bytes(s, "r", str_sub(buf_str(&frame), i, frame.len));
		sees_with(buf_str(&b), 2, 14, STR("\x60\x01"));
	}
}

static void
unknown_passes(void **state)
{
	(void)state;
	run_with(&on);
	say(say_other(&b, 7, 3)); /* a write: the client's own affair */
	sees(buf_str(&b));
	say(say_other(&b, 7, 99));
	sees(buf_str(&b));
	say(STR("\xfa\x07\x03xyz"));
	sees(STR("\xfa\x07\x03xyz"));
	assert_int_equal(
		scene_append(s, "r", 1, STR("\xfa\x07\x03xyz"), NULL), 200);
	assert_int_equal(scene_append_count(s, "r"), 2);
}

static void
kinds_not_reviewed(void **state)
{
	(void)state;
	run_with(&on);
	say(say_other(&b, 7, 46));
	sees(buf_str(&b));
	assert_has(scene_outcomes(s, 1, &room), "\"outcome\":\"not_reviewed\"");
	assert_has(buf_str(&room), "pi_bash");
}

static void
strict_rejects_them(void **state)
{
	struct str got;
	Proxy__Cursor__ClientMessage *m;

	(void)state;
	run_with(&on);
	say(say_other(&b, 7, 46));
	got = scene_await_append(s, "r", 1, &room);
	m = proxy__cursor__client_message__unpack(
		NULL, got.len, proxy_data(got).data);
	assert_int_equal(m->exec_client_control_message->throw_->id, 7);
	proxy__cursor__client_message__free_unpacked(m, NULL);
	sees_nothing();
	assert_has(
		scene_outcomes(s, 1, &room), "\"outcome\":\"rejected_unreviewed\"");
}

/* --- the rest of HTTP ---------------------------------------------------------------------------------- */

static void
other_requests_pass(void **state)
{
	CLEANUP(buf_done) struct buf out;

	(void)state;
	buf_init(&out, 1 << 20);
	assert_int_equal(scene_request(s, "/a.b.C/D?e=f%2F", "X-Y: z\r\n",
						 STR("any\0thing"), &out),
		200);
	assert_memory_equal(out.ptr, "any\0thing", 9);
	assert_int_equal(
		scene_request(s, "/agent.v1.AgentService/Run", "", STR(""), NULL), 501);
	assert_int_equal(
		scene_request(s, "/agent.v1.AgentService/RunSSE", "", STR(""), NULL),
		400);
	assert_int_equal(
		scene_request(s, "/x", "Host: evil.example\r\n", STR(""), NULL), 403);
	assert_int_equal(scene_request(s, "/x", "Origin: https://evil.example\r\n",
						 STR(""), NULL),
		403);
	assert_int_equal(
		scene_request(s, "/x", "Origin: vscode-file://x\r\n", STR(""), NULL),
		200);
}

static void
models_are_advertised(void **state)
{
	CLEANUP(buf_done) struct buf in, want, out;
	static const struct str models[] = {
		{"\x0a\x01x",           3},
        {"\x0a\x01y\xe8\x02\0", 6}
    };

	(void)state;
	buf_init(&in, 4096);
	buf_init(&want, 4096);
	buf_init(&out, 4096);
	proxy_field_add_bytes(&in, 2, models[0]);
	proxy_field_add_bytes(&in, 1, STR("x"));
	proxy_field_add_bytes(&in, 2, models[1]);
	proxy_field_add_bytes(&in, 99, STR("?"));
	proxy_field_add_bytes(&want, 2, STR("\x0a\x01x\xe8\x02\x01"));
	proxy_field_add_bytes(&want, 1, STR("x"));
	proxy_field_add_bytes(&want, 2, models[1]);
	proxy_field_add_bytes(&want, 99, STR("?"));
	scene_serve(s, "/aiserver.v1.AiService/AvailableModels",
		"Content-Type: application/proto\r\n", buf_str(&in));
	assert_int_equal(scene_request(s, "/aiserver.v1.AiService/AvailableModels",
						 "", STR(""), &out),
		200);
	assert_int_equal(out.len, want.len);
	assert_memory_equal(out.ptr, want.ptr, want.len);
}

/* Packed as a whole, they leave unpacked. */
static void
packed_models_are_advertised(void **state)
{
	CLEANUP(buf_done) struct buf in, packed, out;

	(void)state;
	buf_init(&in, 4096);
	buf_init(&packed, 4096);
	buf_init(&out, 4096);
	proxy_field_add_bytes(&in, 2, STR("\x0a\x01x"));
	scene_pack(buf_str(&in), &packed);
	scene_serve(s, "/aiserver.v1.AiService/AvailableModels",
		"Content-Type: application/proto\r\nContent-Encoding: gzip\r\n",
		buf_str(&packed));
	assert_int_equal(scene_request(s, "/aiserver.v1.AiService/AvailableModels",
						 "Accept-Encoding: gzip\r\n", STR(""), &out),
		200);
	assert_int_equal(out.len, 8);
	assert_memory_equal(out.ptr, "\x12\x06\x0a\x01x\xe8\x02\x01", 8);
}

static void
config_leads_nobody_around(void **state)
{
	CLEANUP(buf_done) struct buf out;

	(void)state;
	buf_init(&out, 4096);
	scene_serve(s, "/aiserver.v1.ServerConfigService/GetServerConfig",
		"Content-Type: application/proto\r\n",
		STR("\x0a\x01x\x38\x04\xda\x01\x02\x0a\0\xe0\x01\x01"));
	assert_int_equal(
		scene_request(s, "/aiserver.v1.ServerConfigService/GetServerConfig", "",
			STR(""), &out),
		200);
	assert_int_equal(out.len, 8);
	assert_memory_equal(out.ptr, "\x0a\x01x\x38\x01\xe0\x01\x01", 8);
}

/* Speech comes the same way, and holds no agent's message. */
static void
other_appends_pass(void **state)
{
	CLEANUP(buf_done) struct buf last;

	(void)state;
	buf_init(&last, 4096);
	assert_int_equal(
		scene_request(s, "/aiserver.v1.BidiService/BidiAppend",
			"Content-Type: application/proto\r\n", STR("not a message"), NULL),
		200);
	(void)scene_last_body(s, &last);
	assert_int_equal(last.len, 13);
	assert_memory_equal(last.ptr, "not a message", 13);
}

static void
stopped_with_all_open(void **state)
{
	(void)state;
	run_with(&on);
	say(say_shell(&b, 7, "k1", "make"));
	(void)asked("k1");
	/* the scene's end stops the filter with a call that is held */
}

int
main(int argc, char **argv)
{
#define FLOW(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		FLOW(allowed_shell),
		FLOW(blocked_shell),
		FLOW(all_kinds),
		FLOW(kinds_with_other_fields),
		FLOW(packed_frames),
		FLOW(denied_shell),
		FLOW(rejection_is_tried_again),
		FLOW(no_verdict),
		FLOW(unchanged),
		FLOW(contained),
		FLOW(off_is_identical),
		FLOW(switched_on_and_off),
		FLOW(switched_off_in_mid_hold),
		FLOW(never_seen),
		FLOW(resume_uses_what_was_known),
		FLOW(contexts_by_reference),
		FLOW(instructions_in_order),
		FLOW(excerpt),
		FLOW(appends_out_of_order),
		FLOW(others_flow_while_one_is_held),
		FLOW(aborted_in_mid_hold),
		FLOW(interrupted_in_mid_hold),
		FLOW(verdicts_race_with_aborts),
		FLOW(gateway_dies_in_mid_hold),
		FLOW(stream_ends_in_mid_hold),
		FLOW(client_dies_in_mid_hold),
		FLOW(garbage_when_on),
		FLOW(two_calls_in_one),
		FLOW(over_the_limit),
		FLOW(large_frames_pass),
		FLOW(cut_at_every_byte),
		FLOW(unknown_passes),
		FLOW(kinds_not_reviewed),
		cmocka_unit_test_setup_teardown(strict_rejects_them, begin_strict, end),
		FLOW(other_requests_pass),
		FLOW(models_are_advertised),
		FLOW(packed_models_are_advertised),
		FLOW(config_leads_nobody_around),
		FLOW(other_appends_pass),
		FLOW(stopped_with_all_open),
	};

	(void)argc;
	(void)snprintf(judge, sizeof(judge), "%.*s../plug/cursorjudge",
		(int)(strrchr(argv[0], '/') - argv[0] + 1), argv[0]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
