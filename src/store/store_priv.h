#ifndef STORE_STORE_PRIV_H
#define STORE_STORE_PRIV_H

/*
 * What the files of the store share. Rows are described once, as tables of
 * fields; SQL, binding, reading, and the audit's JSON are made from them.
 */

#include <sqlite3.h>

#include "base/buf.h"
#include "store/store.h"

enum {
	STORE_VERSION = 4, /* of the schema: the number of migrations */
	STORE_APPLICATION = 0x41535354, /* "ASST", in the file's header */
	STORE_PATH_BYTES = 4096,
	STORE_LOG_PAGES = 4000, /* a longer log is checkpointed by a commit */
	STORE_BUSY_MS = 2000,
	STORE_TEXT_BYTES = 16 << 10, /* one text of an audit row; longer is cut */
	STORE_BODY_BYTES = 1 << 20,
	STORE_HEAD_BYTES = 24 + STORE_DIGEST_HEX,
};

/* --- rows as tables (fields.c) -------------------------------------------- */

enum store_type { STORE_TEXT, STORE_INT, STORE_BOOL, STORE_ENUM };

/* The names of an enum, both ways. */
struct store_names {
	const char *(*name)(int value);
	int count;
};

struct store_field {
	const char *name; /* of the column, and of the JSON member */
	enum store_type type;
	size_t offset;
	const struct store_names *names; /* ENUM: stored as text */
};

struct store_table {
	const char *name;
	const struct store_field *fields;
	size_t field_count;
	size_t row_size;
};

extern const struct store_table store_table_audit; /* the body's members */
extern const struct store_table store_table_cards;
extern const struct store_table store_table_sessions;
extern const struct store_table store_table_settings;
extern const struct store_table store_table_notes;
extern const struct store_table store_table_grants;
extern const struct store_table store_table_replies;
extern const struct store_table store_table_turns;
extern const struct store_table store_table_history;
extern const struct store_table store_table_quarantine;

/* A value on its way to or from a column. Absent text is NULL. */
struct store_value {
	enum { STORE_VALUE_NULL, STORE_VALUE_INT, STORE_VALUE_TEXT } kind;
	int64_t number;
	struct str text;
};

/* Texts are borrowed. */
struct store_value store_field_get(
	const void *row, const struct store_field *f);
/* Unknown names of enums read as zero. */
void store_field_set(
	void *row, const struct store_field *f, struct store_value v);

/* --- connections (db.c) --------------------------------------------------- */

/* A failure code for what SQLite said, with its words kept. */
MUST_USE int store_db_fail(sqlite3 *db, int rc, const char *what);
/* The same for errno, after a call on path. */
MUST_USE int store_db_errno(const char *what, const char *path);
MUST_USE int store_db_open(const char *path, bool writes, sqlite3 **ret);
MUST_USE int store_db_exec(sqlite3 *db, const char *sql);
MUST_USE int store_db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **ret);
MUST_USE int store_db_bind(
	sqlite3_stmt *st, int index, const struct store_value *v);
/* The text of a column; borrowed until the statement moves. */
struct str store_db_text(sqlite3_stmt *st, int column);
struct store_value store_db_value(sqlite3_stmt *st, int column);
/* One number from a statement that gives one. */
MUST_USE int store_db_number(sqlite3 *db, const char *sql, int64_t *ret);
void store_db_finalizep(sqlite3_stmt **st);
#define STORE_STMT CLEANUP(store_db_finalizep)

/* folder/name as a C string. FAIL_LIMIT when it is too long. */
MUST_USE int store_path(
	char ret[STORE_PATH_BYTES], const char *folder, const char *name);

/* --- schema (schema.c) ---------------------------------------------------- */

/* A step forward; run in one transaction with all that are missing. */
struct store_migration {
	const char *sql;
};

/* Brings db to version count. A copy of an older one is kept at copy_path.
 * FAIL_VERSION when the file is newer, FAIL_CORRUPT when it is no store. */
MUST_USE int store_schema_apply(sqlite3 *db, const char *copy_path,
	const struct store_migration *list, size_t count, bool *ret_migrated);
MUST_USE int store_schema_open(
	sqlite3 *db, const char *copy_path, bool *ret_migrated);

/* --- the chain (audit.c) -------------------------------------------------- */

#define STORE_CHAIN_START \
	"0000000000000000000000000000000000000000000000000000000000000000"

/* The row's body, as it is digested. False when it does not fit. */
MUST_USE bool store_audit_body(struct buf *b, const struct store_audit *row);
void store_audit_chain(const char *previous, int64_t number,
	const char *body_digest, char ret[STORE_DIGEST_HEX + 1]);

/* The columns of the audit, in this order, for store_audit_from. */
#define STORE_AUDIT_COLUMNS                                         \
	"number, time_ms, kind, hearing, session, tool_name, verdict, " \
	"delivery, body, body_digest, chain"

/* A row as it was read, and what its body turned into. */
struct store_audit_row {
	struct store_audit row;
	void *json;      /* owns the texts of a row with a body */
	bool unreadable; /* the body is there and is no body of ours */
};
/* Reads the row the statement stands on; texts live until the statement moves
 * or store_audit_done. */
void store_audit_from(sqlite3_stmt *st, struct store_audit_row *ret);
void store_audit_done(struct store_audit_row *row);

/* --- batches (batch.c) ---------------------------------------------------- */

/* Statements that a batch may hold. Those with a table are inserts of all its
 * fields (or replacing, by the table's key). */
#define STORE_WRITES(X)                                                      \
	X(AUDIT, NULL,                                                           \
		"INSERT INTO audit(time_ms, kind, hearing, session, tool_name, "     \
		"verdict, body, number, body_digest, chain) "                        \
		"VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")                   \
	X(DELIVERY, NULL,                                                        \
		"UPDATE audit SET delivery = ?2 WHERE number = (SELECT max(number) " \
		"FROM audit WHERE hearing = ?1 AND kind = 'decision')")              \
	X(CARD, &store_table_cards, NULL)                                        \
	X(CARD_STATE, NULL,                                                      \
		"UPDATE cards SET state = ?2, ended_ms = ?3, verdict = ?4, "         \
		"reply = ?5, source = ?6, note = ?7, who = ?8, replaced_by = ?9, "   \
		"\"by\" = ?10 WHERE number = ?1")                                    \
	X(CARD_DROP, NULL,                                                       \
		"UPDATE cards SET title = NULL, text = NULL, description = NULL, "   \
		"needs = NULL, resources = NULL, subject = NULL, reason = "          \
		"CASE WHEN instr(reason, ': ') > 0 "                                 \
		"THEN substr(reason, 1, instr(reason, ': ') - 1) ELSE reason END "   \
		"WHERE number = ?1")                                                 \
	X(CARD_END, NULL,                                                        \
		"UPDATE cards SET state = ?2, ended_ms = ?3 WHERE number = ?1")      \
	X(CARD_KEY, NULL,                                                        \
		"UPDATE cards SET key = ?2, deadline_ms = ?3 WHERE number = ?1")     \
	X(SESSION, &store_table_sessions, NULL)                                  \
	X(SETTING, &store_table_settings, NULL)                                  \
	X(SETTING_DROP, NULL,                                                    \
		"DELETE FROM settings WHERE scope = ?1 AND key = ?2 AND name = ?3")  \
	X(NOTE, &store_table_notes, NULL)                                        \
	X(NOTE_DROP, NULL,                                                       \
		"DELETE FROM notes WHERE session = ?1 AND "                          \
		"(call_id IS NULL OR call_id = ?2)")                                 \
	X(NOTE_OF, NULL, "DELETE FROM notes WHERE hearing = ?1")                 \
	X(GRANT, &store_table_grants, NULL)                                      \
	X(GRANT_DROP, NULL, "DELETE FROM grants WHERE number = ?1")              \
	X(REPLY, &store_table_replies, NULL)                                     \
	X(TURN, &store_table_turns, NULL)                                        \
	X(TURN_DROP, NULL, "DELETE FROM turns WHERE session = ?1")               \
	X(TURN_OLD, NULL, "DELETE FROM turns WHERE time_ms < ?1")                \
	X(LINE, &store_table_history, NULL)                                      \
	X(LINE_DROP, NULL,                                                       \
		"DELETE FROM history WHERE session = ?1 AND entry <= ?2")            \
	X(LINE_OLD, NULL,                                                        \
		"DELETE FROM history WHERE session NOT IN "                          \
		"(SELECT session FROM turns)")                                       \
	X(QUARANTINE, NULL,                                                      \
		"INSERT INTO quarantine(digest, count, time_ms) VALUES(?1, 1, ?2) "  \
		"ON CONFLICT(digest) DO UPDATE SET count = count + 1, time_ms = ?2") \
	X(QUARANTINE_DROP, NULL, "DELETE FROM quarantine WHERE digest = ?1")     \
	X(PRUNE, NULL,                                                           \
		"UPDATE audit SET body = NULL WHERE number >= ?1 AND number < ?2 "   \
		"AND time_ms < ?3 AND body IS NOT NULL")                             \
	X(CARD_PRUNE, NULL,                                                      \
		"DELETE FROM cards WHERE number IN (SELECT number FROM cards WHERE " \
		"ended_ms > 0 AND ended_ms < ?1 AND state NOT IN "                   \
		"('open', 'approved', 'answered') ORDER BY number LIMIT ?2)")

#define X(name, table, sql) STORE_WRITE_##name,
enum store_write { STORE_WRITES(X) STORE_WRITE_COUNT };
#undef X

struct store_op {
	struct store_op *next;
	enum store_write write;
	size_t count;
	struct store_value values[];
};

struct store_batch {
	struct arena *arena;
	struct store_op *first, **end;
	size_t count;
	bool synced;
	int failed; /* the first failure of adding */
};

/* Drops bodies of the rows from `from` to below that are older than before_ms,
 * and as many ended cards. */
void store_batch_prune(
	struct store_batch *b, int64_t from, int64_t below, int64_t before_ms);

/* --- the writing store (open.c, commit.c, tail.c) ------------------------- */

struct store {
	sqlite3 *db;
	sqlite3_stmt *writes[STORE_WRITE_COUNT]; /* prepared when first used */
	char folder[STORE_PATH_BYTES];
	int lock_fd, tail_fd;
	int64_t number;                   /* of the newest row */
	char chain[STORE_DIGEST_HEX + 1]; /* of the newest row */
	int64_t synced_number;
	bool unsynced;
	int sync_mode;        /* what the connection is set to */
	int log_pages;        /* as the last commit left it */
	int64_t pruned_below; /* bodies below are gone; 0: not looked yet */
	char boot[40];        /* of this run of the machine */
};

/* All of the batch inside an open transaction; number and chain move. */
MUST_USE int store_commit_ops(struct store *s, const struct store_batch *b);
/* "PRAGMA synchronous" for the transactions from now on. */
MUST_USE int store_commit_mode(struct store *s, bool synced);

struct store_reader {
	sqlite3 *db;
	sqlite3_stmt *running; /* finalized by whoever reads next */
	char folder[STORE_PATH_BYTES];
};

/* What the tail file says: the newest row and the newest that was synced. It is
 * rewritten after each commit without being synced, so it survives a killed
 * daemon but not always a power cut: the boot tells which it was. */
struct store_tail {
	int64_t number, synced;
	char chain[STORE_DIGEST_HEX + 1];
	char boot[40];
};
MUST_USE int store_tail_open(struct store *s); /* fills boot, too */
bool store_tail_read(const struct store *s, struct store_tail *ret);
void store_tail_write(const struct store *s);
/* The last line of folder/heads: number and chain. False when there is none. */
bool store_head_last(const char *folder, int64_t *ret_number,
	char ret_chain[STORE_DIGEST_HEX + 1]);
/* Reads "number:chain". */
MUST_USE bool store_head_from(
	struct str head, int64_t *ret_number, char ret_chain[STORE_DIGEST_HEX + 1]);

#endif
