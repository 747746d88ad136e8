#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_priv.h"

/*
 * Reading, on connections that never write. A reading that was left by a jump
 * out of its arena is closed by the next one.
 */

static int
start(struct store_reader *r, const char *sql)
{
	store_db_finalizep(&r->running);
	return store_db_prepare(r->db, sql, &r->running);
}

/* True with a row, false at the end, or a failure; the end closes the reading. */
static int
step(struct store_reader *r, bool *ret_row)
{
	int rc = sqlite3_step(r->running);

	*ret_row = rc == SQLITE_ROW;
	if (rc == SQLITE_ROW)
		return 0;
	int result = rc == SQLITE_DONE ? 0 : store_db_fail(r->db, rc, "read");

	store_db_finalizep(&r->running);
	return result;
}

/* --- the audit ------------------------------------------------------------ */

/* A member of a row's body; of one that was pruned, or that somebody broke,
 * nothing. */
#define OF_BODY(name) \
	"CASE WHEN json_valid(body) THEN json_extract(body, '$." name "') END"

static void
add_conditions(struct buf *sql, const struct store_filter *f)
{
	buf_add(sql, STR(" FROM audit WHERE number > ?1 AND time_ms >= ?2"));
	if (f->number > 0)
		buf_add(sql, STR(" AND number = ?3"));
	if (f->hearing > 0)
		buf_add(sql, STR(" AND hearing = ?4 AND hearing > 0"));
	if (f->session.ptr)
		buf_add(sql, STR(" AND session = ?5"));
	if (f->tool.ptr)
		buf_add(sql, STR(" AND (tool_name = ?6 OR " OF_BODY("tool") " = ?6)"));
	if (f->verdict != CALL_VERDICT_NONE)
		buf_add(sql, STR(" AND verdict = ?7"));
	if (f->kind != STORE_KIND_NONE)
		buf_add(sql, STR(" AND kind = ?8"));
	if (f->until_ms > 0)
		buf_add(sql, STR(" AND time_ms < ?9"));
	if (f->project.ptr)
		buf_add(sql, STR(" AND " OF_BODY("project") " = ?10"));
	if (f->by != CALL_BY_NONE)
		buf_add(sql, STR(" AND " OF_BODY("by") " = ?11"));
}

static int
bind_filter(struct store_reader *r, const struct store_filter *f)
{
	const struct store_value values[] = {
		{STORE_VALUE_INT,  f->after,                     {0}                                    },
		{STORE_VALUE_INT,  f->since_ms,                  {0}                                    },
		{STORE_VALUE_INT,  f->number,                    {0}                                    },
		{STORE_VALUE_INT,  f->hearing,                   {0}                                    },
		{STORE_VALUE_TEXT, 0,                            f->session                             },
		{STORE_VALUE_TEXT, 0,                            f->tool                                },
		{STORE_VALUE_TEXT, 0,                            str_from(call_verdict_name(f->verdict))},
		{STORE_VALUE_TEXT, 0,                            str_from(store_kind_name(f->kind))     },
		{STORE_VALUE_INT,  f->until_ms,                  {0}                                    },
		{STORE_VALUE_TEXT, 0,                            f->project                             },
		{STORE_VALUE_TEXT, 0,                            str_from(call_by_name(f->by))          },
		{STORE_VALUE_INT,  f->limit > 0 ? f->limit : -1, {0}                                    },
	};
	int result = 0;

	for (int i = 0; result == 0 && i < (int)ARRAY_LEN(values); i++) {
		/* those of conditions that are not there have no place either */
		if (i + 1 <= sqlite3_bind_parameter_count(r->running))
			result = store_db_bind(r->running, i + 1, &values[i]);
	}
	return result;
}

static int
start_audit(struct store_reader *r, const struct store_filter *f)
{
	CLEANUP(buf_done) struct buf sql;

	buf_init(&sql, 4096);
	if (f->newest)
		buf_add(&sql, STR("SELECT * FROM ("));
	buf_add(&sql, STR("SELECT " STORE_AUDIT_COLUMNS));
	add_conditions(&sql, f);
	buf_add(&sql,
		f->newest ? STR(" ORDER BY number DESC LIMIT ?12) ORDER BY number")
				  : STR(" ORDER BY number LIMIT ?12"));
	CHECK(!sql.full);
	int result = start(r, buf_str(&sql).ptr);

	return result != 0 ? result : bind_filter(r, f);
}

int
store_read_audit(struct store_reader *r, const struct store_filter *f,
	store_audit_fn fn, void *data)
{
	int result = start_audit(r, f);
	bool more = true;

	while (result == 0 && more) {
		struct store_audit_row row;

		result = step(r, &more);
		if (result != 0 || !more)
			break;
		store_audit_from(r->running, &row);
		more = fn(data, &row.row);
		store_audit_done(&row);
	}
	store_db_finalizep(&r->running);
	return result;
}

/* --- other rows ----------------------------------------------------------- */

static void
read_row(
	sqlite3_stmt *st, struct arena *a, const struct store_table *t, void *row)
{
	for (size_t i = 0; i < t->field_count; i++) {
		struct store_value v = store_db_value(st, (int)i);

		if (v.kind == STORE_VALUE_TEXT)
			v.text = arena_dup(a, v.text);
		store_field_set(row, &t->fields[i], v);
	}
}

/* What to read: rows of a table that meet a condition with one value. */
struct query {
	const struct store_table *table;
	const char *condition;
	struct store_value value; /* ?1 of the condition */
};

static int
start_rows(struct store_reader *r, const struct query *q)
{
	const struct store_table *t = q->table;
	CLEANUP(buf_done) struct buf sql;

	buf_init(&sql, 4096);
	buf_add(&sql, STR("SELECT "));
	for (size_t i = 0; i < t->field_count; i++)
		buf_addf(&sql, "%s\"%s\"", i ? ", " : "", t->fields[i].name);
	buf_addf(&sql, " FROM %s %s", t->name, q->condition);
	CHECK(!sql.full);
	int result = start(r, buf_str(&sql).ptr);

	if (result == 0 && sqlite3_bind_parameter_count(r->running) == 1)
		result = store_db_bind(r->running, 1, &q->value);
	return result;
}

/* All such rows, as an array of the table's row_size each. */
static int
read_rows(struct store_reader *r, struct arena *a, const struct query *q,
	void **ret, size_t *ret_count)
{
	const struct store_table *t = q->table;

	size_t count = 0, room = 16;
	char *rows = arena_array(a, room, t->row_size);
	int result = start_rows(r, q);
	bool more = result == 0;

	while (result == 0 && more) {
		result = step(r, &more);
		if (result != 0 || !more)
			break;
		if (count == room) {
			char *wider = arena_array(a, room * 2, t->row_size);

			memcpy(wider, rows, room * t->row_size);
			rows = wider;
			room *= 2;
		}
		read_row(r->running, a, t, rows + count * t->row_size);
		count++;
	}
	if (result == 0) {
		*ret = rows;
		*ret_count = count;
	}
	return result;
}

static int
read_one(
	struct store_reader *r, struct arena *a, const struct query *q, void *ret)
{
	void *rows = NULL;
	size_t count = 0;
	int result = read_rows(r, a, q, &rows, &count);

	if (result == 0 && count == 0)
		return fail_here(
			FAIL_ABSENT, "store: no such row in %s", q->table->name);
	if (result == 0)
		memcpy(ret, rows, q->table->row_size);
	return result;
}

int
store_read_card(struct store_reader *r, struct arena *a, int64_t number,
	struct store_card *ret)
{
	const struct query q = {
		&store_table_cards, "WHERE number = ?1",
		{STORE_VALUE_INT, number, {0}}
    };

	return read_one(r, a, &q, ret);
}

int
store_read_session(struct store_reader *r, struct arena *a, struct str id,
	struct store_session *ret)
{
	const struct query q = {
		&store_table_sessions, "WHERE id = ?1", {STORE_VALUE_TEXT, 0, id}
    };

	return read_one(r, a, &q, ret);
}

int
store_read_cost(struct store_reader *r, int64_t since_ms, int64_t *ret_nano)
{
	bool row = false;
	/* backwards, until the first that is too old */
	int result = start(r,
		"SELECT time_ms, " OF_BODY("cost_nano") " FROM audit"
												" ORDER BY number DESC");

	*ret_nano = 0;
	while (result == 0) {
		result = step(r, &row);
		if (result != 0 || !row
			|| sqlite3_column_int64(r->running, 0) < since_ms)
			break;
		*ret_nano += sqlite3_column_int64(r->running, 1);
	}
	store_db_finalizep(&r->running);
	return result;
}

/* A list of one kind of row. */
#define LIST(name, type, row_table, row_condition)                             \
	int store_read_##name(struct store_reader *r, struct arena *a, type **ret, \
		size_t *ret_count)                                                     \
	{                                                                          \
		const struct query q = {                                               \
			.table = &(row_table), .condition = (row_condition)};              \
		void *rows = NULL;                                                     \
		int result = read_rows(r, a, &q, &rows, ret_count);                    \
		if (result == 0)                                                       \
			*ret = rows;                                                       \
		return result;                                                         \
	}

LIST(cards, struct store_card, store_table_cards,
	"WHERE state IN ('open', 'approved', 'answered') ORDER BY number")
LIST(settings, struct store_setting, store_table_settings,
	"ORDER BY scope, key, name")
LIST(notes, struct store_note, store_table_notes, "ORDER BY number")
LIST(quarantine, struct store_quarantined, store_table_quarantine,
	"ORDER BY time_ms")

int
store_read_turn(struct store_reader *r, struct arena *a, struct str session,
	struct store_turn *ret)
{
	const struct query q = {
		&store_table_turns, "WHERE session = ?1",
		{STORE_VALUE_TEXT, 0, session}
    };

	return read_one(r, a, &q, ret);
}

int
store_read_lines(struct store_reader *r, struct arena *a, struct str session,
	struct store_line **ret, size_t *ret_count)
{
	const struct query q = {
		&store_table_history, "WHERE session = ?1 ORDER BY entry",
		{STORE_VALUE_TEXT, 0, session}
    };
	void *rows = NULL;
	int result = read_rows(r, a, &q, &rows, ret_count);

	if (result == 0)
		*ret = rows;
	return result;
}

int
store_read_replies(struct store_reader *r, struct arena *a, struct str session,
	struct store_reply **ret, size_t *ret_count)
{
	const struct query q = {
		&store_table_replies,
		"WHERE session = ?1 ORDER BY rowid DESC LIMIT 500",
		{STORE_VALUE_TEXT, 0, session}
    };
	void *rows = NULL;
	int result = read_rows(r, a, &q, &rows, ret_count);

	if (result == 0)
		*ret = rows;
	return result;
}

int
store_read_grants(struct store_reader *r, struct arena *a, struct str project,
	struct store_grant **ret, size_t *ret_count)
{
	const struct query q = {
		&store_table_grants,
		"WHERE ?1 IS NULL OR project = ?1 OR project IS NULL ORDER BY number",
		{STORE_VALUE_TEXT, 0, project}
    };
	void *rows = NULL;
	int result = read_rows(r, a, &q, &rows, ret_count);

	if (result == 0)
		*ret = rows;
	return result;
}
