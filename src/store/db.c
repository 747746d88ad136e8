#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "store/store_priv.h"

/*
 * SQLite, as we use it: a log beside the file, no automatic checkpoints, no
 * memory maps, and errors turned into our codes.
 */

static int
code_of_errno(int error)
{
	switch (error) {
	case ENOENT:
		return FAIL_ABSENT;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return FAIL_SPACE;
	case EROFS:
	case EACCES:
	case EPERM:
		return FAIL_DENIED;
	default:
		return FAIL_IO;
	}
}

/* What the system said last of this file, 0 if nothing. */
static int
errno_of_file(sqlite3 *db, int which)
{
	sqlite3_file *file = NULL;
	int error = 0;

	if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || !file
		|| !file->pMethods
		|| file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error)
			!= SQLITE_OK)
		return 0;
	return error;
}

/* The log first: that is where a full disk is met. */
static int
errno_of(sqlite3 *db)
{
	int error = db ? errno_of_file(db, SQLITE_FCNTL_JOURNAL_POINTER) : 0;

	if (db && error == 0)
		error = errno_of_file(db, SQLITE_FCNTL_FILE_POINTER);
	return error != 0 || !db ? error : sqlite3_system_errno(db);
}

static int
code_of(sqlite3 *db, int rc)
{
	static const struct {
		int rc;
		int code;
	} rows[] = {
		{SQLITE_FULL,     FAIL_SPACE  },
		{SQLITE_READONLY, FAIL_DENIED },
		{SQLITE_PERM,     FAIL_DENIED },
		{SQLITE_AUTH,     FAIL_DENIED },
		{SQLITE_CANTOPEN, FAIL_DENIED },
		{SQLITE_CORRUPT,  FAIL_CORRUPT},
		{SQLITE_NOTADB,   FAIL_CORRUPT},
		{SQLITE_BUSY,     FAIL_BUSY   },
		{SQLITE_LOCKED,   FAIL_BUSY   },
		{SQLITE_NOMEM,    FAIL_MEMORY },
		{SQLITE_TOOBIG,   FAIL_LIMIT  },
	};

	if (rc == SQLITE_IOERR_NOMEM)
		return FAIL_MEMORY;
	if ((rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_CANTOPEN)
		return code_of_errno(errno_of(db));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].rc == (rc & 0xff))
			return rows[i].code;
	}
	return FAIL_IO;
}

int
store_db_errno(const char *what, const char *path)
{
	int error = errno;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is safe enough for a message
	const char *words = strerror(error);

	return fail_here(
		code_of_errno(error), "store: %s %s: %s", what, path, words);
}

int
store_db_fail(sqlite3 *db, int rc, const char *what)
{
	return fail_here(code_of(db, rc), "store: %s: %s (%d)", what,
		db ? sqlite3_errmsg(db) : sqlite3_errstr(rc), rc);
}

int
store_db_exec(sqlite3 *db, const char *sql)
{
	int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : store_db_fail(db, rc, sql);
}

int
store_db_open(const char *path, bool writes, sqlite3 **ret)
{
	int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
		| SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE |
		/* also for readers: a reader may have to make the log's index */
		SQLITE_OPEN_READWRITE;
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(path, &db, flags, NULL);
	int r = rc == SQLITE_OK ? 0 : store_db_fail(db, rc, path);

	if (r == 0) {
		(void)sqlite3_busy_timeout(db, STORE_BUSY_MS);
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
		(void)sqlite3_db_config(
			db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !writes, NULL);
		r = store_db_exec(db,
			"PRAGMA secure_delete = 1; PRAGMA mmap_size = 0; PRAGMA "
			"wal_autocheckpoint = 0;"
			"PRAGMA cell_size_check = 1; PRAGMA temp_store = 2;"
			"PRAGMA cache_size = -1024");
	}
	if (r == 0 && !writes)
		r = store_db_exec(db, "PRAGMA query_only = 1");
	if (r != 0) {
		(void)sqlite3_close_v2(db);
		return r;
	}
	*ret = db;
	return 0;
}

int
store_db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret)
{
	int rc =
		sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);

	return rc == SQLITE_OK ? 0 : store_db_fail(db, rc, sql);
}

int
store_db_bind(sqlite3_stmt *st, int index, const struct store_value *v)
{
	int rc = SQLITE_OK;

	switch (v->kind) {
	case STORE_VALUE_NULL:
		rc = sqlite3_bind_null(st, index);
		break;
	case STORE_VALUE_INT:
		rc = sqlite3_bind_int64(st, index, v->number);
		break;
	case STORE_VALUE_TEXT:
		rc = sqlite3_bind_text64(
			st, index, v->text.ptr, v->text.len, SQLITE_STATIC, SQLITE_UTF8);
		break;
	}
	return rc == SQLITE_OK ? 0
						   : store_db_fail(sqlite3_db_handle(st), rc, "bind");
}

struct str
store_db_text(sqlite3_stmt *st, int column)
{
	/* the text first: asking for the length may convert it */
	const char *text = (const char *)sqlite3_column_text(st, column);

	return (struct str){
		text, text ? (size_t)sqlite3_column_bytes(st, column) : 0};
}

struct store_value
store_db_value(sqlite3_stmt *st, int column)
{
	struct store_value v = {.kind = STORE_VALUE_NULL};

	switch (sqlite3_column_type(st, column)) {
	case SQLITE_INTEGER:
		v.kind = STORE_VALUE_INT;
		v.number = sqlite3_column_int64(st, column);
		break;
	case SQLITE_TEXT:
		v.kind = STORE_VALUE_TEXT;
		v.text = store_db_text(st, column);
		break;
	default:
		break;
	}
	return v;
}

int
store_db_number(sqlite3 *db, const char *sql, int64_t *ret)
{
	STORE_STMT sqlite3_stmt *st = NULL;
	int r = store_db_prepare(db, sql, &st);

	if (r != 0)
		return r;
	int rc = sqlite3_step(st);

	if (rc != SQLITE_ROW)
		return store_db_fail(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, sql);
	*ret = sqlite3_column_int64(st, 0);
	return 0;
}

void
store_db_finalizep(sqlite3_stmt **st)
{
	(void)sqlite3_finalize(*st);
	*st = NULL;
}

int
store_path(char ret[STORE_PATH_BYTES], const char *folder, const char *name)
{
	int n = snprintf(ret, STORE_PATH_BYTES, "%s/%s", folder, name);

	if (n < 0 || n >= STORE_PATH_BYTES)
		return fail_here(FAIL_LIMIT, "path too long: %s", folder);
	return 0;
}
