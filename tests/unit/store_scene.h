#ifndef TESTS_UNIT_STORE_SCENE_H
#define TESTS_UNIT_STORE_SCENE_H

/*
 * A store in a folder of its own, and what somebody else could do to it.
 */

#include <sqlite3.h>
#include <sys/stat.h>

#include "store/store.h"
#include "store/store_priv.h"
#include "tests/unit/folder.h"

static struct arena *a;
static struct store *s;
static struct store_reader *r;

static inline int
setup(void **state)
{
	a = arena_new(64 << 20);
	s = NULL;
	r = NULL;
	return a ? folder_setup(state) : -1;
}

static inline void
close_all(void)
{
	store_reader_close(r);
	store_close(s, 9);
	s = NULL;
	r = NULL;
}

static inline int
teardown(void **state)
{
	close_all();
	arena_free(a);
	return folder_teardown(state);
}

static inline struct store_opened
open_all(void)
{
	struct store_opened o;

	assert_int_equal(store_open(folder, 1000, &s, &o), 0);
	assert_int_equal(store_reader_open(folder, &r), 0);
	return o;
}

/* The daemon is killed: nothing is said, the files stay as they are. */
static inline void
leave_all(void)
{
	store_reader_close(r);
	r = NULL;
	for (size_t i = 0; i < ARRAY_LEN(s->writes); i++)
		(void)sqlite3_finalize(s->writes[i]);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	(void)sqlite3_close(s->db);
	(void)close(s->lock_fd);
	(void)close(s->tail_fd);
	free(s);
	s = NULL;
}

static inline void
commit(struct store_batch *b)
{
	assert_int_equal(store_commit(s, b), 0);
	store_batch_free(b);
}

static inline struct store_audit
row_of(int64_t hearing)
{
	return (struct store_audit){
		.time_ms = 1000 + hearing,
		.kind = STORE_KIND_DECISION,
		.hearing = hearing,
		.session = STR("s1"),
		.agent = STR("claude-code"),
		.tool = CALL_TOOL_SHELL,
		.tool_name = STR("Bash"),
		.digest = STR("abcd"),
		.verdict = CALL_VERDICT_ALLOW,
		.by = CALL_BY_FAST_PATH,
		.reason = STR("reads only"),
	};
}

static inline void
add_rows(int64_t from, int64_t to, bool synced)
{
	struct store_batch *b = store_batch_new();

	for (int64_t i = from; i <= to; i++) {
		struct store_audit row = row_of(i);

		store_batch_add_audit(b, &row);
	}
	if (synced)
		store_batch_set_synced(b);
	commit(b);
}

static inline struct store_verified
verify(struct str head)
{
	struct store_verified v;

	assert_int_equal(store_verify(r, head, &v), 0);
	return v;
}

/* What somebody with sqlite3 could do, daemon or no daemon. */
static inline void
meddle(const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(folder_path("assent.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

struct seen {
	size_t count;
	int64_t numbers[16];
	char text[4096];
};

static inline bool
see(void *data, const struct store_audit *row)
{
	struct seen *seen = data;
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, 1 << 20);
	store_audit_print(&b, row);
	assert_false(b.full);
	if (seen->count < ARRAY_LEN(seen->numbers))
		seen->numbers[seen->count] = row->number;
	seen->count++;
	(void)snprintf(seen->text, sizeof(seen->text), "%s", buf_str(&b).ptr);
	return true;
}

static inline struct seen
list(struct store_filter f)
{
	struct seen seen = {0};

	assert_int_equal(store_read_audit(r, &f, see, &seen), 0);
	return seen;
}

#define T(fn) cmocka_unit_test_setup_teardown(test_##fn, setup, teardown)

#endif
