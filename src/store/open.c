#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "store/store_priv.h"

/*
 * Opening and closing: whose files they are, one writer at a time, and what the
 * last run left behind.
 */

enum {
	KEEP_CARDS_MS = 7 * 24 * 3600 * 1000, /* cards that ended */
	KEEP_NOTES_MS = 24 * 3600 * 1000,     /* notes nobody fetched */
};

/* Ours, not to be written by others, and closed to their eyes from now on. */
static int
check_ours(const char *path, mode_t kind, mode_t mode)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return store_db_errno("look at", path);
	if ((st.st_mode & S_IFMT) != kind)
		return fail_here(FAIL_DENIED, "store: %s is of the wrong kind", path);
	if (st.st_uid != geteuid())
		return fail_here(FAIL_DENIED, "store: %s belongs to user %lld", path,
			(long long)st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return fail_here(
			FAIL_DENIED, "store: %s may be written by others", path);
	if ((st.st_mode & 077) && chmod(path, mode) != 0)
		return store_db_errno("chmod", path);
	return 0;
}

static int
take_lock(struct store *s)
{
	char path[STORE_PATH_BYTES];
	int r = store_path(path, s->folder, "assent.db-lock");

	if (r != 0)
		return r;
	s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock_fd < 0)
		return store_db_errno("open", path);
	if (flock(s->lock_fd, LOCK_EX | LOCK_NB) != 0)
		return fail_here(FAIL_BUSY, "store: another daemon has %s", path);
	return 0;
}

/* The database file, made with its mode; and what SQLite puts beside it. */
static int
prepare_files(struct store *s, char path[STORE_PATH_BYTES], bool *ret_created)
{
	static const char *const beside[] = {"assent.db-wal", "assent.db-shm"};
	char other[STORE_PATH_BYTES];
	int r = store_path(path, s->folder, "assent.db");

	if (r != 0)
		return r;
	IO_FD int fd =
		open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	*ret_created = fd >= 0;
	if (fd < 0 && errno != EEXIST)
		return store_db_errno("make", path);
	r = check_ours(path, S_IFREG, 0600);
	for (size_t i = 0; r == 0 && i < ARRAY_LEN(beside); i++) {
		r = store_path(other, s->folder, beside[i]);
		if (r == 0)
			r = check_ours(other, S_IFREG, 0600);
		if (r == FAIL_ABSENT)
			r = 0;
	}
	return r;
}

static int
on_log(void *data, sqlite3 *db, const char *name, int pages)
{
	struct store *s = data;

	(void)db;
	(void)name;
	s->log_pages = pages;
	return SQLITE_OK;
}

static int
set_log(struct store *s)
{
	STORE_STMT sqlite3_stmt *st = NULL;
	int r = store_db_prepare(s->db, "PRAGMA journal_mode = WAL", &st);

	if (r != 0)
		return r;
	int rc = sqlite3_step(st);

	if (rc != SQLITE_ROW)
		return store_db_fail(s->db, rc, "journal mode");
	if (!str_eq(store_db_text(st, 0), STR("wal")))
		return fail_here(
			FAIL_IO, "store: this file system cannot hold the log");
	(void)sqlite3_wal_hook(s->db, on_log, s);
	return 0;
}

static int
open_database(struct store *s, struct store_opened *o)
{
	char path[STORE_PATH_BYTES], copy[STORE_PATH_BYTES];
	int r = prepare_files(s, path, &o->created);

	if (r == 0)
		r = store_path(copy, s->folder, "assent.db.before");
	if (r == 0)
		r = store_db_open(path, true, &s->db);
	if (r == 0)
		r = set_log(s);
	if (r == 0)
		r = store_commit_mode(s, true);
	if (r == 0)
		r = store_schema_open(s->db, copy, &o->migrated);
	return r;
}

/* The chain of row number (or of the newest), and false when it is not there. */
static int
read_chain(struct store *s, int64_t number, bool *ret_found,
	char ret_chain[STORE_DIGEST_HEX + 1])
{
	STORE_STMT sqlite3_stmt *st = NULL;
	int r = store_db_prepare(
		s->db, "SELECT chain FROM audit WHERE number = ?1", &st);

	if (r != 0)
		return r;
	(void)sqlite3_bind_int64(st, 1, number);
	int rc = sqlite3_step(st);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return store_db_fail(s->db, rc, "read the chain");
	struct str chain =
		rc == SQLITE_ROW ? store_db_text(st, 0) : (struct str){0};

	*ret_found = chain.len == STORE_DIGEST_HEX;
	if (*ret_found)
		memcpy(ret_chain, chain.ptr, chain.len);
	ret_chain[STORE_DIGEST_HEX] = '\0';
	return 0;
}

static int
read_end(struct store *s, struct store_opened *o)
{
	bool found = true;
	int64_t open = 0;
	int r = store_db_number(
		s->db, "SELECT coalesce(max(number), 0) FROM audit", &s->number);

	memcpy(s->chain, STORE_CHAIN_START, sizeof(s->chain));
	if (r == 0 && s->number > 0)
		r = read_chain(s, s->number, &found, s->chain);
	if (r == 0)
		r = store_db_number(s->db,
			"SELECT max(coalesce((SELECT max(hearing) FROM audit"
			" WHERE hearing > 0), 0),"
			" coalesce((SELECT max(number) FROM cards), 0)) + 1",
			&o->next_hearing);
	if (r == 0)
		r = store_db_number(
			s->db, "SELECT count(*) FROM meta WHERE name = 'open'", &open);
	o->unclean = open > 0;
	o->last_number = s->number;
	s->synced_number = s->number;
	if (r == 0 && !found)
		r = fail_here(
			FAIL_CORRUPT, "store: row %lld has no chain", (long long)s->number);
	return r;
}

static void
note_cut(struct store_opened *o, int64_t number, const char *witness)
{
	o->cut = true;
	(void)snprintf(o->message, sizeof(o->message),
		"the audit ends at row %lld or differs there, but %s names row %lld: "
		"rows that were on the disk are missing or changed",
		(long long)o->last_number, witness, (long long)number);
}

/* Holds the witnesses against what is there. */
static int
compare_witness(struct store *s, struct store_opened *o)
{
	struct store_tail tail;
	char chain[STORE_DIGEST_HEX + 1], head[STORE_DIGEST_HEX + 1];
	bool found = false;
	int64_t number = 0;
	int r = 0;

	if (store_head_last(s->folder, &number, head) && number > 0) {
		r = read_chain(s, number, &found, chain);
		if (r == 0 && (!found || strcmp(chain, head) != 0))
			note_cut(o, number, "the last head");
	}
	if (r != 0 || o->cut || !store_tail_read(s, &tail) || tail.number == 0)
		return r;
	r = read_chain(s, tail.number, &found, chain);
	if (r != 0 || (found && strcmp(chain, tail.chain) == 0))
		return r;
	/* rows that were never synced can go with the machine, and only with it */
	o->power_cut =
		!found && s->number >= tail.synced && strcmp(tail.boot, s->boot) != 0;
	if (!o->power_cut)
		note_cut(o, tail.number, "the tail");
	else
		(void)snprintf(o->message, sizeof(o->message),
			"rows %lld to %lld of the audit went with the machine: they were "
			"reads that were not synced yet",
			(long long)s->number + 1, (long long)tail.number);
	return 0;
}

/* The first transaction: marks the store as open, says in the audit what was
 * found, and lets go of what is old. */
static int
write_opening(struct store *s, const struct store_opened *o, int64_t now_ms)
{
	char sql[512];
	struct store_batch *b = store_batch_new();
	struct store_audit row = {
		.time_ms = now_ms,
		.kind = o->cut ? STORE_KIND_CUT : STORE_KIND_POWER_CUT,
		.reason = str_from(o->message),
	};
	int r = store_db_exec(s->db, "BEGIN IMMEDIATE");

	if (o->cut || o->power_cut)
		store_batch_add_audit(b, &row);
	(void)snprintf(sql, sizeof(sql),
		"INSERT OR REPLACE INTO meta VALUES('open', 1);"
		"DELETE FROM cards WHERE ended_ms > 0 AND ended_ms < %lld"
		" AND state NOT IN ('open', 'approved', 'answered');"
		"DELETE FROM notes WHERE time_ms < %lld",
		(long long)now_ms - KEEP_CARDS_MS, (long long)now_ms - KEEP_NOTES_MS);
	if (r == 0)
		r = store_db_exec(s->db, sql);
	if (r == 0)
		r = store_commit_ops(s, b);
	if (r == 0)
		r = store_db_exec(s->db, "COMMIT");
	store_batch_free(b);
	return r;
}

static int
open_all(struct store *s, int64_t now_ms, struct store_opened *o)
{
	int r = io_file_make_folder(s->folder);

	if (r == 0)
		r = check_ours(s->folder, S_IFDIR, 0700);
	if (r == 0)
		r = take_lock(s);
	if (r == 0)
		r = open_database(s, o);
	if (r == 0)
		r = store_tail_open(s);
	if (r == 0)
		r = read_end(s, o);
	if (r == 0)
		r = compare_witness(s, o);
	if (r == 0)
		r = write_opening(s, o, now_ms);
	if (r == 0) {
		s->synced_number = s->number;
		store_tail_write(s);
	}
	return r;
}

/* Lets go of everything, without writing. */
static void
release(struct store *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->writes); i++)
		(void)sqlite3_finalize(s->writes[i]);
	(void)sqlite3_close_v2(s->db);
	io_file_closep(&s->tail_fd);
	io_file_closep(&s->lock_fd);
	free(s);
}

int
store_open(const char *folder, int64_t now_ms, struct store **ret,
	struct store_opened *ret_opened)
{
	struct store_opened opened = {0};
	struct store *s = calloc(1, sizeof(*s));

	if (!s)
		return fail_here(FAIL_MEMORY, "store: no memory");
	s->lock_fd = s->tail_fd = -1;
	int n = snprintf(s->folder, sizeof(s->folder), "%s", folder);
	int r = n < 0 || (size_t)n >= sizeof(s->folder)
		? fail_here(FAIL_LIMIT, "path too long: %s", folder)
		: open_all(s, now_ms, &opened);

	if (r != 0) {
		release(s);
		return r;
	}
	*ret = s;
	if (ret_opened)
		*ret_opened = opened;
	return 0;
}

void
store_close(struct store *s, int64_t now_ms)
{
	if (!s)
		return;
	/* a store that cannot be closed well is found unclean next time */
	if (store_write_head(s, now_ms, "stop") == 0
		&& store_db_exec(s->db, "DELETE FROM meta WHERE name = 'open'") == 0)
		(void)sqlite3_wal_checkpoint_v2(
			s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	release(s);
}

int
store_reader_open(const char *folder, struct store_reader **ret)
{
	char path[STORE_PATH_BYTES];
	int r = store_path(path, folder, "assent.db");
	struct store_reader *reader = calloc(1, sizeof(*reader));

	if (r == 0 && !reader)
		r = fail_here(FAIL_MEMORY, "store: no memory");
	if (r == 0)
		r = check_ours(path, S_IFREG, 0600);
	if (r == 0)
		r = store_db_open(path, false, &reader->db);
	if (r != 0) {
		free(reader);
		return r;
	}
	(void)snprintf(reader->folder, sizeof(reader->folder), "%s", folder);
	*ret = reader;
	return 0;
}

void
store_reader_close(struct store_reader *r)
{
	if (!r)
		return;
	(void)sqlite3_finalize(r->running);
	(void)sqlite3_close_v2(r->db);
	free(r);
}
