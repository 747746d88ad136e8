#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "store/store_priv.h"
#include "wire/sha256.h"

/*
 * Writing: a batch is one transaction. Numbers and the chain are given here, in
 * the order in which rows become durable.
 */

static const struct {
	const struct store_table *table;
	const char *sql;
} writes[] = {
#define X(name, table, sql) {table, sql},
	STORE_WRITES(X)
#undef X
};

/* An insert of all of a table's fields; what has the same key is replaced. */
static int
prepare_insert(sqlite3 *db, const struct store_table *t, sqlite3_stmt **ret)
{
	CLEANUP(buf_done) struct buf sql;

	buf_init(&sql, 4096);
	buf_addf(&sql, "INSERT OR REPLACE INTO %s(", t->name);
	for (size_t i = 0; i < t->field_count; i++)
		buf_addf(&sql, "%s\"%s\"", i ? ", " : "", t->fields[i].name);
	buf_add(&sql, STR(") VALUES("));
	for (size_t i = 0; i < t->field_count; i++)
		buf_addf(&sql, "%s?%zu", i ? ", " : "", i + 1);
	buf_add_char(&sql, ')');
	CHECK(!sql.full);
	return store_db_prepare(db, buf_str(&sql).ptr, ret);
}

static int
get_statement(struct store *s, enum store_write write, sqlite3_stmt **ret)
{
	sqlite3_stmt **st = &s->writes[write];
	int r = 0;

	if (!*st && writes[write].table)
		r = prepare_insert(s->db, writes[write].table, st);
	else if (!*st)
		r = store_db_prepare(s->db, writes[write].sql, st);
	*ret = *st;
	return r;
}

/* What only the writer knows of a row: its number, digest and chain. */
static int
bind_chain(struct store *s, sqlite3_stmt *st, const struct store_op *op,
	char ret_chain[STORE_DIGEST_HEX + 1])
{
	char digest[WIRE_SHA256_HEX + 1];
	struct store_value number = {
		.kind = STORE_VALUE_INT, .number = s->number + 1};

	wire_sha256_text(op->values[op->count - 1].text, digest);
	store_audit_chain(s->chain, number.number, digest, ret_chain);
	int r = store_db_bind(st, (int)op->count + 1, &number);

	if (r == 0
		&& (sqlite3_bind_text(
				st, (int)op->count + 2, digest, -1, SQLITE_TRANSIENT)
				!= SQLITE_OK
			|| sqlite3_bind_text(
				   st, (int)op->count + 3, ret_chain, -1, SQLITE_TRANSIENT)
				!= SQLITE_OK))
		r = fail_here(FAIL_MEMORY, "store: bind a digest");
	return r;
}

static int
run_op(struct store *s, const struct store_op *op)
{
	sqlite3_stmt *st = NULL;
	char chain[STORE_DIGEST_HEX + 1] = "";
	int r = get_statement(s, op->write, &st);

	for (size_t i = 0; r == 0 && i < op->count; i++)
		r = store_db_bind(st, (int)i + 1, &op->values[i]);
	if (r == 0 && op->write == STORE_WRITE_AUDIT)
		r = bind_chain(s, st, op, chain);
	if (r == 0) {
		int rc = sqlite3_step(st);

		if (rc != SQLITE_DONE)
			r = store_db_fail(s->db, rc, "write");
	}
	if (st) {
		(void)sqlite3_reset(st);
		(void)sqlite3_clear_bindings(st);
	}
	if (r == 0 && op->write == STORE_WRITE_AUDIT) {
		s->number++;
		memcpy(s->chain, chain, sizeof(chain));
	}
	return r;
}

int
store_commit_ops(struct store *s, const struct store_batch *b)
{
	int r = b->failed;

	for (const struct store_op *op = b->first; r == 0 && op; op = op->next)
		r = run_op(s, op);
	return r;
}

int
store_commit_mode(struct store *s, bool synced)
{
	int mode = synced ? 2 : 1;
	int r = 0;

	if (s->sync_mode != mode)
		r = store_db_exec(s->db,
			synced ? "PRAGMA synchronous = FULL"
				   : "PRAGMA synchronous = NORMAL");
	if (r == 0)
		s->sync_mode = mode;
	return r;
}

static int
run_transaction(struct store *s, const struct store_batch *b)
{
	int r = store_commit_mode(s, b->synced);

	if (r == 0)
		r = store_db_exec(s->db, "BEGIN IMMEDIATE");
	if (r == 0)
		r = store_commit_ops(s, b);
	if (r == 0)
		r = store_db_exec(s->db, "COMMIT");
	if (r != 0 && !sqlite3_get_autocommit(s->db))
		(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

int
store_commit(struct store *s, struct store_batch *b)
{
	int64_t number = s->number;
	char chain[STORE_DIGEST_HEX + 1];

	memcpy(chain, s->chain, sizeof(chain));
	int r = run_transaction(s, b);

	if (r != 0) {
		s->number = number;
		memcpy(s->chain, chain, sizeof(chain));
		return r;
	}
	/* a synced log has everything that went before in it */
	if (b->synced)
		s->synced_number = s->number;
	s->unsynced = !b->synced;
	store_tail_write(s);
	/* the batch is stored, however this goes; the next commit tries again */
	if (s->log_pages > STORE_LOG_PAGES && store_checkpoint(s) != 0)
		s->log_pages = STORE_LOG_PAGES + 1;
	return 0;
}

bool
store_has_unsynced(const struct store *s)
{
	return s->unsynced;
}

int
store_sync(struct store *s)
{
	char path[STORE_PATH_BYTES];

	if (!s->unsynced)
		return 0;
	int r = store_path(path, s->folder, "assent.db-wal");

	if (r != 0)
		return r;
	IO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 || fdatasync(fd) != 0)
		return store_db_errno("sync", path);
	s->unsynced = false;
	s->synced_number = s->number;
	store_tail_write(s);
	return 0;
}

int
store_checkpoint(struct store *s)
{
	int pages = 0, moved = 0;
	int rc = sqlite3_wal_checkpoint_v2(
		s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved);

	if (rc == SQLITE_OK) {
		/* the next commit says how long the log really is */
		s->log_pages = 0;
		return 0;
	}
	return store_db_fail(s->db, rc, "checkpoint");
}
