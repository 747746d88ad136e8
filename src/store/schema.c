#include <stdio.h>
#include <unistd.h>

#include "store/store_priv.h"

/*
 * The tables, as they became what they are. Steps are only added; what is here
 * is never changed, because stores in the field have run it.
 */

static const struct store_migration migrations[STORE_VERSION] = {
	{"CREATE TABLE meta(name TEXT PRIMARY KEY, value ANY)"
	 " STRICT, WITHOUT ROWID;"
	 "CREATE TABLE audit(number INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL,"
	 " kind TEXT NOT NULL, hearing INTEGER NOT NULL, session TEXT,"
	 " tool_name TEXT, verdict TEXT NOT NULL,"
	 " delivery INTEGER NOT NULL DEFAULT 0, body TEXT,"
	 " body_digest TEXT NOT NULL, chain TEXT NOT NULL) STRICT;"
	 "CREATE INDEX audit_hearing ON audit(hearing) WHERE hearing > 0;"
	 "CREATE INDEX audit_session ON audit(session)"
	 " WHERE session IS NOT NULL;"
	 "CREATE TABLE cards(number INTEGER PRIMARY KEY, state TEXT NOT NULL,"
	 " key TEXT, digest TEXT NOT NULL, call_digest TEXT NOT NULL,"
	 " session TEXT, agent TEXT, role TEXT, call_id TEXT, turn TEXT,"
	 " tool TEXT, tool_name TEXT, title TEXT, text TEXT, description TEXT,"
	 " cwd TEXT, reason TEXT, rule TEXT, needs TEXT, \"by\" TEXT, risk TEXT,"
	 " person_only INTEGER, always INTEGER, lasting INTEGER,"
	 " at_deadline TEXT, created_ms INTEGER, deadline_ms INTEGER,"
	 " expires_ms INTEGER, ended_ms INTEGER, verdict TEXT, reply TEXT,"
	 " source TEXT, note TEXT, who TEXT, replaced_by INTEGER) STRICT;"
	 "CREATE INDEX cards_state ON cards(state)"
	 " WHERE state IN ('open', 'approved', 'answered');"
	 "CREATE TABLE sessions(id TEXT PRIMARY KEY, parent TEXT, agent TEXT,"
	 " role TEXT, root TEXT, turn TEXT, mode TEXT, tier TEXT,"
	 " refused_in_row INTEGER, refused INTEGER, first_ms INTEGER,"
	 " last_ms INTEGER) STRICT;"
	 "CREATE TABLE settings(scope TEXT, key TEXT, name TEXT, value TEXT,"
	 " PRIMARY KEY(scope, key, name)) STRICT, WITHOUT ROWID;"
	 "CREATE TABLE notes(number INTEGER PRIMARY KEY, session TEXT NOT NULL,"
	 " call_id TEXT, hearing INTEGER, time_ms INTEGER, text TEXT) STRICT;"
	 "CREATE TABLE grants(number INTEGER PRIMARY KEY AUTOINCREMENT,"
	 " project TEXT, action TEXT, resource TEXT, exact INTEGER,"
	 " hearing INTEGER, time_ms INTEGER) STRICT;"
	 "CREATE TABLE replies(hearing INTEGER, time_ms INTEGER, session TEXT,"
	 " project TEXT, action TEXT, resources TEXT, reply TEXT,"
	 " note TEXT) STRICT;"
	 "CREATE INDEX replies_session ON replies(session);"
	 "CREATE TABLE quarantine(digest TEXT PRIMARY KEY, count INTEGER,"
	 " time_ms INTEGER) STRICT, WITHOUT ROWID;"},
	{"ALTER TABLE cards ADD COLUMN round INTEGER;"},
	{"ALTER TABLE cards ADD COLUMN resources TEXT;"
	 "ALTER TABLE cards ADD COLUMN subject TEXT;"
	 "CREATE TABLE turns(session TEXT PRIMARY KEY, turn TEXT, said TEXT,"
	 " head TEXT, time_ms INTEGER) STRICT, WITHOUT ROWID;"
	 "CREATE TABLE history(session TEXT, entry INTEGER, line TEXT,"
	 " PRIMARY KEY(session, entry)) STRICT, WITHOUT ROWID;"},
	{"ALTER TABLE sessions ADD COLUMN cost_nano INTEGER;"},
};

static int
get_versions(sqlite3 *db, int64_t *ret_version, int64_t *ret_application)
{
	int r = store_db_number(db, "PRAGMA user_version", ret_version);

	return r != 0
		? r
		: store_db_number(db, "PRAGMA application_id", ret_application);
}

static int
keep_copy(sqlite3 *db, const char *copy_path)
{
	STORE_STMT sqlite3_stmt *st = NULL;
	int r = store_db_prepare(db, "VACUUM INTO ?1", &st);

	if (r != 0)
		return r;
	(void)unlink(copy_path); /* of an attempt that failed */
	if (sqlite3_bind_text(st, 1, copy_path, -1, SQLITE_STATIC) != SQLITE_OK)
		return fail_here(FAIL_MEMORY, "store: copy to %s", copy_path);
	int rc = sqlite3_step(st);

	return rc == SQLITE_DONE ? 0 : store_db_fail(db, rc, "keep a copy");
}

static int
run_steps(
	sqlite3 *db, const struct store_migration *list, size_t from, size_t count)
{
	char sql[80];
	int r = store_db_exec(db, "BEGIN IMMEDIATE");

	for (size_t i = from; r == 0 && i < count; i++)
		r = store_db_exec(db, list[i].sql);
	(void)snprintf(sql, sizeof(sql),
		"PRAGMA user_version = %zu; PRAGMA application_id = %d", count,
		(int)STORE_APPLICATION);
	if (r == 0)
		r = store_db_exec(db, sql);
	if (r == 0)
		r = store_db_exec(db, "COMMIT");
	if (r != 0 && !sqlite3_get_autocommit(db))
		(void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

int
store_schema_apply(sqlite3 *db, const char *copy_path,
	const struct store_migration *list, size_t count, bool *ret_migrated)
{
	int64_t version = 0, application = 0, tables = 0;
	int r = get_versions(db, &version, &application);

	if (r == 0)
		r = store_db_number(db, "SELECT count(*) FROM sqlite_schema", &tables);
	if (r != 0)
		return r;
	if (tables > 0 && application != STORE_APPLICATION)
		return fail_here(FAIL_CORRUPT, "the file is not a store of assent");
	if (version < 0 || version > (int64_t)count)
		return fail_here(FAIL_VERSION,
			"the store has version %lld, this program knows %zu",
			(long long)version, count);
	*ret_migrated = version > 0 && version < (int64_t)count;
	if (*ret_migrated)
		r = keep_copy(db, copy_path);
	if (r == 0 && version < (int64_t)count)
		r = run_steps(db, list, (size_t)version, count);
	return r;
}

int
store_schema_open(sqlite3 *db, const char *copy_path, bool *ret_migrated)
{
	return store_schema_apply(
		db, copy_path, migrations, STORE_VERSION, ret_migrated);
}
