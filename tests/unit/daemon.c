/*
 * Parts of the daemon that stand alone: poison, workspace roots, rules files,
 * known agents.
 */
#include "daemon/daemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/agents.h"
#include "daemon/rules.h"
#include "daemon/said.h"
#include "daemon/sessions.h"
#include "daemon/trial.h"
#include "io/file.h"
#include "tests/unit/folder.h"

/* --- poison -------------------------------------------------------------------- */

static bool
same_digest(const char *a, const char *b)
{
	char first[STORE_DIGEST_HEX + 1], second[STORE_DIGEST_HEX + 1];

	daemon_trial_digest(str_from(a), first);
	daemon_trial_digest(str_from(b), second);
	return str_eq(str_from(first), str_from(second));
}

static void
test_digest_is_of_tool_and_input(void **state)
{
	(void)state;
	/* ids and times differ each time the same call comes */
	assert_true(same_digest("{\"tool_use_id\":\"a\",\"tool_name\":\"Bash\","
							"\"tool_input\":{\"x\":1}}",
		"{\"tool_use_id\":\"b\",\"tool_name\":\"Bash\",\"tool_input\":{\"x\":1}"
		"}"));
	assert_false(same_digest(
		"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"a\"}}",
		"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"b\"}}"));
	assert_false(same_digest("{\"tool_name\":\"Bash\",\"tool_input\":{}}",
		"{\"tool_name\":\"Read\",\"tool_input\":{}}"));
	/* members deeper down are no tool */
	assert_false(same_digest("{\"a\":{\"tool_name\":\"x\"},\"b\":1}",
		"{\"a\":{\"tool_name\":\"x\"},\"b\":2}"));
	/* brackets and quotes in texts part nothing */
	assert_false(same_digest("{\"tool_input\":\"]}\\\",1\",\"id\":1}",
		"{\"tool_input\":\"]}\\\",2\",\"id\":1}"));
	/* what is cut anywhere is still digested */
	assert_false(
		same_digest("{\"tool_input\":{\"a\":", "{\"tool_input\":{\"b\":"));
	assert_false(same_digest("", "{"));
	assert_false(same_digest("{\"", "{\"\\"));
	assert_true(same_digest("no JSON", "no JSON"));
}

static void
test_found_twice_is_poison(void **state)
{
	char digest[STORE_DIGEST_HEX + 1];
	struct store *s = NULL;
	struct store_reader *r = NULL;

	(void)state;
	daemon_trial_digest(STR("poison"), digest);
	for (int i = 0; i < 3; i++) {
		struct store_batch *b = store_batch_new();

		assert_int_equal(store_open(folder, 1, &s, NULL), 0);
		assert_int_equal(store_reader_open(folder, &r), 0);
		struct daemon_trial *t = daemon_trial_new(str_from(folder), r, b, 1);

		/* in trial at two ends of the daemon: quarantined at the third start */
		assert_int_equal(daemon_trial_is_poison(t, digest), i == 2);
		if (i < 2)
			assert_true(daemon_trial_begin(t, digest) >= 0);
		assert_int_equal(store_commit(s, b), 0);
		store_batch_free(b);
		daemon_trial_free(t);
		store_reader_close(r);
		store_close(s, 1);
	}
}

static void
test_what_ended_well_is_forgotten(void **state)
{
	char digest[STORE_DIGEST_HEX + 1];

	(void)state;
	daemon_trial_digest(STR("fine"), digest);
	for (int i = 0; i < 3; i++) {
		struct daemon_trial *t =
			daemon_trial_new(str_from(folder), NULL, NULL, 1);

		assert_false(daemon_trial_is_poison(t, digest));
		daemon_trial_end(t, daemon_trial_begin(t, digest));
		daemon_trial_free(t);
	}
}

static void
test_slots_run_out_without_harm(void **state)
{
	char digest[STORE_DIGEST_HEX + 1];
	struct daemon_trial *t = daemon_trial_new(str_from(folder), NULL, NULL, 1);

	(void)state;
	daemon_trial_digest(STR("x"), digest);
	for (int i = 0; i < DAEMON_TRIAL_SLOTS; i++)
		assert_int_equal(daemon_trial_begin(t, digest), i);
	assert_int_equal(daemon_trial_begin(t, digest), -1);
	daemon_trial_end(t, -1);
	daemon_trial_end(t, 3);
	assert_int_equal(daemon_trial_begin(t, digest), 3);
	daemon_trial_free(t);
}

/* --- roots ---------------------------------------------------------------------- */

static void
test_what_may_be_a_root(void **state)
{
	static const struct {
		const char *path;
		bool may_be;
	} rows[] = {
		{"/home/u/proj",             true },
		{"/home/u/.dotfiles",        true },
		{"/tmp/x/proj",              true },
		{"/srv/www",                 true },
		{"/opt/thing",               true },
		{"/usr/src/linux",           true },
		{"/mnt/data/p",              true },
		{"/home/u",                  false},
		{"/home",					false},
		{"/",						false},
		{"",						 false},
		{"proj",					 false},
		{"/tmp",					 false},
		{"/etc",					 false},
		{"/etc/nginx",               false},
		{"/usr",					 false},
		{"/usr/lib/python3",         false},
		{"/usr/src",                 false},
		{"/usr/srcs",                false},
		{"/var/lib/thing",           false},
		{"/proc/1/cwd",              false},
		{"/home/u/../../etc",        false},
		{"/home/u/proj/..",          false},
		{"/home/u//proj",            false},
		{"/home/u/proj/",            false},
		{"/home/u/./proj",           false},
		{"/home/u/.config/assent/x", false},
		{"/home/u/state/assent",     false},
	};
	struct io_place place = {
		.home = STR("/home/u"),
		.config = STR("/home/u/.config/assent"),
		.state = STR("/home/u/state/assent"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (daemon_sessions_may_be_root(&place, str_from(rows[i].path))
			!= rows[i].may_be)
			fail_msg("%s", rows[i].path);
	}
}

static void
test_root_is_fixed_when_first_seen(void **state)
{
	struct io_place place = {.home = STR("/home/u")};
	struct daemon_sessions *s = daemon_sessions_new(&place, NULL);
	struct str root;

	(void)state;
	assert_false(daemon_sessions_find(s, STR("a"), &root));
	daemon_sessions_set(s, STR("a"), STR("/w/one"));
	daemon_sessions_set(s, STR("a"), STR("/w/two"));
	assert_true(daemon_sessions_find(s, STR("a"), &root));
	assert_true(str_eq(root, STR("/w/one")));
	daemon_sessions_set(s, STR("b"), (struct str){0});
	assert_true(daemon_sessions_find(s, STR("b"), &root));
	assert_null(root.ptr);
	daemon_sessions_free(s);
}

static void
test_sessions_are_bounded(void **state)
{
	struct io_place place = {.home = STR("/home/u")};
	struct daemon_sessions *s = daemon_sessions_new(&place, NULL);
	char id[32];
	struct str root;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		(void)snprintf(id, sizeof(id), "s%d", i);
		daemon_sessions_set(s, str_from(id), STR("/w/p"));
		assert_true(daemon_sessions_find(s, STR("s0"), &root));
	}
	assert_true(daemon_sessions_count(s) <= 4096);
	assert_true(daemon_sessions_find(s, str_from(id), &root));
	assert_false(daemon_sessions_find(s, STR("s1"), &root));
	daemon_sessions_free(s);
}

/* --- rules ------------------------------------------------------------------------ */

static void
write_rules(const char *text, unsigned mode)
{
	char path[300];

	(void)snprintf(path, sizeof(path), "%s/assent.conf", folder);
	(void)unlink(path);
	assert_int_equal(io_file_replace(path, str_from(text), mode), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static struct daemon_rules *
new_rules(void)
{
	static struct io_place place;

	place.uid = (int64_t)getuid();
	place.config = str_from(folder);
	place.admin = STR("/nowhere/assent.conf");
	return daemon_rules_new(&place);
}

static void
test_faulty_from_the_start(void **state)
{
	struct daemon_rules *g;
	struct daemon_rules_now now;

	(void)state;
	write_rules("set authority none\nallow nonsense\n", 0600);
	g = new_rules();
	now = daemon_rules_get(g, (struct str){0});
	assert_true(str_has(now.fault, STR("assent.conf:2:")));
	assert_true(str_eq(daemon_rules_authority(g), STR("tty")));
	write_rules("set authority none\n", 0600);
	now = daemon_rules_get(g, (struct str){0});
	assert_null(now.fault.ptr);
	assert_true(str_eq(daemon_rules_authority(g), STR("none")));
	daemon_rules_free(g);
}

static void
test_last_good_is_kept(void **state)
{
	struct daemon_rules *g;
	struct daemon_rules_now now;
	struct daemon_rules_file f;

	(void)state;
	write_rules("set mode full_access\n", 0600);
	g = new_rules();
	now = daemon_rules_get(g, (struct str){0});
	assert_true(str_eq(policy_setting(now.policy, "mode"), STR("full_access")));
	write_rules("set mode\n", 0600);
	now = daemon_rules_get(g, (struct str){0});
	assert_null(now.fault.ptr);
	assert_true(str_eq(policy_setting(now.policy, "mode"), STR("full_access")));
	assert_true(daemon_rules_file(g, 0, &f));
	assert_true(f.fault.len > 0 && !f.absent);
	write_rules("set mode ask\n", 0600);
	now = daemon_rules_get(g, (struct str){0});
	assert_true(str_eq(policy_setting(now.policy, "mode"), STR("ask")));
	daemon_rules_free(g);
}

static void
test_others_may_not_write_them(void **state)
{
	struct daemon_rules *g;

	(void)state;
	write_rules("set authority none\n", 0666);
	g = new_rules();
	assert_true(daemon_rules_get(g, (struct str){0}).fault.len > 0);
	assert_true(str_eq(daemon_rules_authority(g), STR("tty")));
	daemon_rules_free(g);
}

static void
test_projects_do_not_mix(void **state)
{
	struct daemon_rules *g;
	char root[300], path[400];

	(void)state;
	(void)snprintf(root, sizeof(root), "%s/proj", folder);
	(void)snprintf(path, sizeof(path), "%s/.assent", root);
	assert_int_equal(io_file_make_folder(path), 0);
	(void)snprintf(path, sizeof(path), "%s/.assent/rules.conf", root);
	/* a workspace may not set anything: its file is a fault, for it alone */
	assert_int_equal(
		io_file_replace(path, STR("set mode full_access\n"), 0644), 0);
	g = new_rules();
	assert_null(daemon_rules_get(g, STR("/w/other")).fault.ptr);
	assert_true(daemon_rules_get(g, str_from(root)).fault.len > 0);
	assert_null(daemon_rules_get(g, (struct str){0}).fault.ptr);
	for (int i = 0; i < 200; i++) {
		(void)snprintf(path, sizeof(path), "/w/p%d", i);
		assert_null(daemon_rules_get(g, str_from(path)).fault.ptr);
	}
	daemon_rules_free(g);
}

/* --- agents ------------------------------------------------------------------------- */

static void
test_a_hook_without_agent_marks_nobody(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct daemon_agents *g = daemon_agents_new(str_from(folder));
	const struct adapter_agent *agent = adapter_agent_find(STR("claude-code"));
	/* it names itself an agent's child; /proc does not say so */
	struct api_envelope e = {
		.parents = {{.pid = 1, .start = 1, .exe = STR("/usr/bin/claude")}},
		.parent_count = 1,
	};

	(void)state;
	assert_non_null(agent);
	daemon_agents_mark(g, a, agent, &e, 0);
	assert_int_equal(daemon_agents_count(g), 0);
	assert_false(daemon_agents_has(g, 1, 1));
	daemon_agents_free(g);
	arena_free(a);
}

/* --- the document ---------------------------------------------------------------------- */

/* The text of docs/PROTOCOL.md, where "{id}" and kin are "{}". */
static void
read_protocol(struct buf *ret)
{
	CLEANUP(buf_done) struct buf text;
	bool inside = false;

	buf_init(&text, 1 << 20);
	assert_int_equal(io_file_read("docs/PROTOCOL.md", &text), 0);
	for (size_t i = 0; i < text.len; i++) {
		inside = inside && text.ptr[i] != '}';
		if (!inside)
			buf_add_char(ret, text.ptr[i]);
		inside = inside || text.ptr[i] == '{';
	}
}

static void
test_every_route_is_documented(void **state)
{
	CLEANUP(buf_done) struct buf text;
	char line[128];

	(void)state;
	buf_init(&text, 1 << 20);
	read_protocol(&text);
	for (const struct daemon_route *r = daemon_routes; r->method; r++) {
		(void)snprintf(line, sizeof(line), "%s %s", r->method, r->path);
		if (!str_has(buf_str(&text), str_from(line)))
			fail_msg("docs/PROTOCOL.md does not tell of %s", line);
	}
}

/* --- what was said --------------------------------------------------------- */

/* All that is known before a call of the session, with '|' between; "!" before
 * what a program wrote, "agent:" before the agent's. */
static struct str
known(struct arena *a, struct daemon_said *s, const char *session,
	const struct api_said *said, size_t count)
{
	const struct call call = {
		.session = str_from(session),
		.parent_session = STR("parent"),
	};
	const struct api_envelope e = {.said = said, .said_count = count};
	struct judge_message *list;
	size_t n = daemon_said_get(s, a, &call, &e, &list);
	struct str text = STR("");

	for (size_t i = 0; i < n; i++)
		text = arena_fmt(a, "%.*s%s%s%.*s", STR_ARG(text), i > 0 ? "|" : "",
			!list[i].from_user     ? "agent:"
				: list[i].injected ? "!"
								   : "",
			STR_ARG(list[i].text));
	return text;
}

static void
test_prompts_and_file_are_one_conversation(void **state)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(1 << 20);
	struct daemon_said *s = daemon_said_new();
	const struct api_said file[] = {
		{.from_user = true, .time_ms = 100,    .text = STR("one")},
		{.time_ms = 150,                 .text = STR("reply")                    },
		{.from_user = true,
         .injected = true,
         .time_ms = 160,
         .text = STR("note")},
		{.from_user = true,    .time_ms = 300,                  .text = STR("three\n")},
		{.time_ms = 350, .text = STR("last")},
	};

	(void)state;
	assert_true(a && s && ARENA_TRY(a));
	daemon_said_add(s, STR("s"), STR("two"), 200);
	daemon_said_add(s, STR("s"), STR(" three "), 290);
	assert_true(str_eq(known(a, s, "s", file, ARRAY_LEN(file)),
		STR("one|agent:reply|!note|two|three\n|agent:last")));
	/* not in the file yet */
	daemon_said_add(s, STR("s"), STR("four"), 400);
	assert_true(str_eq(known(a, s, "s", file, ARRAY_LEN(file)),
		STR("one|agent:reply|!note|two|three\n|agent:last|four")));
	/* a program's words are not the user's, though they are the same */
	daemon_said_add(s, STR("t"), STR("note"), 500);
	assert_true(str_eq(known(a, s, "t", file, ARRAY_LEN(file)),
		STR("one|agent:reply|!note|three\n|agent:last|note")));
	assert_true(str_eq(known(a, s, "s", NULL, 0), STR("two|three|four")));
	daemon_said_forget(s, STR("s"));
	assert_true(str_eq(known(a, s, "s", NULL, 0), STR("")));
	daemon_said_free(s);
	daemon_said_free(NULL);
}

static void
test_a_subagents_user_is_its_parents(void **state)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(1 << 20);
	struct daemon_said *s = daemon_said_new();
	const struct call sub = {
		.session = STR("parent/a1"), .parent_session = STR("parent")};
	const struct api_said file = {.text = STR("x"), .model = STR("file's")};
	const struct api_envelope none = {0}, e = {.said = &file, .said_count = 1};

	(void)state;
	assert_true(a && s && ARENA_TRY(a));
	daemon_said_add(s, STR("parent"), STR("do it"), 100);
	assert_true(str_eq(known(a, s, "parent/a1", NULL, 0), STR("do it")));
	assert_false(daemon_said_model(s, &sub, &none).ptr);
	daemon_said_set_model(s, STR("parent"), STR("big"));
	assert_true(str_eq(daemon_said_model(s, &sub, &none), STR("big")));
	assert_true(str_eq(daemon_said_model(s, &sub, &e), STR("file's")));
	daemon_said_free(s);
}

static void
test_what_was_said_is_bounded(void **state)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(64 << 20);
	struct daemon_said *s = daemon_said_new();
	static char large[100000];
	char name[32];

	(void)state;
	assert_true(a && s && ARENA_TRY(a));
	memset(large, 'x', sizeof(large) - 1);
	for (int i = 0; i < 5; i++) {
		(void)snprintf(name, sizeof(name), "no. %d", i);
		daemon_said_add(s, STR("s"), str_from(name), i);
	}
	assert_true(str_eq(known(a, s, "s", NULL, 0), STR("no. 2|no. 3|no. 4")));
	daemon_said_add(s, STR("s"), STR(" \n"), 9);
	daemon_said_add(s, STR(""), STR("nobody's"), 9);
	assert_true(str_eq(known(a, s, "", NULL, 0), STR("")));
	daemon_said_add(s, STR("large"), str_from(large), 9);
	assert_int_equal(known(a, s, "large", NULL, 0).len, 32 << 10);
	/* those that were quiet for longest go */
	for (int i = 0; i < 300; i++) {
		(void)snprintf(name, sizeof(name), "other %d", i);
		daemon_said_add(s, str_from(name), str_from(large), 10);
	}
	assert_true(str_eq(known(a, s, "s", NULL, 0), STR("")));
	assert_int_equal(known(a, s, "other 299", NULL, 0).len, 32 << 10);
	assert_int_equal(known(a, s, "other 172", NULL, 0).len, 32 << 10);
	assert_int_equal(known(a, s, "other 171", NULL, 0).len, 0);
	daemon_said_free(s);
}

#define TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, folder_setup, folder_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_digest_is_of_tool_and_input),
		TEST(test_found_twice_is_poison),
		TEST(test_what_ended_well_is_forgotten),
		TEST(test_slots_run_out_without_harm),
		TEST(test_what_may_be_a_root),
		TEST(test_root_is_fixed_when_first_seen),
		TEST(test_sessions_are_bounded),
		TEST(test_faulty_from_the_start),
		TEST(test_last_good_is_kept),
		TEST(test_others_may_not_write_them),
		TEST(test_projects_do_not_mix),
		TEST(test_a_hook_without_agent_marks_nobody),
		TEST(test_prompts_and_file_are_one_conversation),
		TEST(test_a_subagents_user_is_its_parents),
		TEST(test_what_was_said_is_bounded),
		cmocka_unit_test(test_every_route_is_documented),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
