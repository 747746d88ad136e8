#include <stdio.h>
#include <string.h>

#include "store/store_priv.h"
#include "wire/sha256.h"

/*
 * The proof: every row is where it should be, says what it said, and follows
 * from the one before it. By itself that is "consistent": whoever can write the
 * file could write a new chain. With a head that was kept elsewhere it is
 * "unaltered since".
 */

struct walk {
	struct store_verified *v;
	int64_t head_number;
	char head_chain[STORE_DIGEST_HEX + 1];
	char chain[STORE_DIGEST_HEX + 1]; /* of the row before */
	int64_t power_cut_at;
	bool head_given;
};

static void
break_at(struct store_verified *v, int64_t number, const char *why)
{
	v->proof = STORE_BROKEN;
	v->at = number;
	(void)snprintf(v->message, sizeof(v->message), "broken at row %lld: %s",
		(long long)number, why);
}

/* The columns beside the body say the same as the body. */
static bool
columns_fit(const struct store_audit *row, sqlite3_stmt *st)
{
	return sqlite3_column_int64(st, 1) == row->time_ms
		&& str_eq(store_db_text(st, 2), str_from(store_kind_name(row->kind)))
		&& sqlite3_column_int64(st, 3) == row->hearing
		&& str_eq(
			store_db_text(st, 6), str_from(call_verdict_name(row->verdict)));
}

/* Why this row does not follow, or NULL. */
static const char *
check_row(const struct walk *w, sqlite3_stmt *st,
	const struct store_audit_row *r, char ret_chain[STORE_DIGEST_HEX + 1])
{
	const struct store_audit *row = &r->row;
	char digest[STORE_DIGEST_HEX + 1];

	if (row->number != w->v->rows + 1)
		return "a row is missing before it";
	if (row->body_digest.len != STORE_DIGEST_HEX)
		return "it has no digest";
	memcpy(digest, row->body_digest.ptr, STORE_DIGEST_HEX);
	digest[STORE_DIGEST_HEX] = '\0';
	store_audit_chain(w->chain, row->number, digest, ret_chain);
	if (!str_eq(row->chain, str_from(ret_chain)))
		return "it does not follow from the row before it";
	if (!row->body.ptr)
		return NULL; /* pruned: its digest is what the chain proves */
	wire_sha256_text(row->body, digest);
	if (!str_eq(row->body_digest, str_from(digest)))
		return "its text was changed";
	if (r->unreadable || !columns_fit(row, st))
		return "its columns differ from its text";
	if (row->kind == STORE_KIND_CUT)
		return "rows before it were found missing or changed when the store "
			   "was "
			   "opened";
	return NULL;
}

static bool
walk_row(struct walk *w, sqlite3_stmt *st)
{
	struct store_audit_row r;
	char chain[STORE_DIGEST_HEX + 1];

	store_audit_from(st, &r);
	const char *why = check_row(w, st, &r, chain);

	if (!why && r.row.number == w->head_number) {
		w->v->since_head = strcmp(chain, w->head_chain) == 0;
		if (!w->v->since_head)
			why = "it is not the row that the head names";
		w->power_cut_at = 0; /* what was lost before it is not of interest */
	}
	if (!why && r.row.kind == STORE_KIND_POWER_CUT)
		w->power_cut_at = r.row.number;
	if (why) {
		break_at(w->v, r.row.number, why);
	} else {
		w->v->rows++;
		memcpy(w->chain, chain, sizeof(chain));
	}
	store_audit_done(&r);
	return !why;
}

static void
say(struct walk *w)
{
	struct store_verified *v = w->v;

	(void)snprintf(
		v->head, sizeof(v->head), "%lld:%s", (long long)v->rows, w->chain);
	if (v->proof == STORE_BROKEN)
		return;
	if (w->head_number > v->rows) {
		break_at(v, v->rows + 1, "the head names a later row: the end was cut");
	} else if (w->power_cut_at > 0) {
		v->proof = STORE_POWER_CUT_TAIL;
		v->at = w->power_cut_at;
		(void)snprintf(v->message, sizeof(v->message),
			"consistent, but row %lld says that unsynced rows before it went "
			"with the machine",
			(long long)v->at);
	} else {
		(void)snprintf(v->message, sizeof(v->message), "consistent");
	}
	if (v->proof == STORE_CONSISTENT && w->head_given)
		(void)snprintf(v->message, sizeof(v->message),
			"unaltered since row %lld", (long long)w->head_number);
}

const char *
store_proof_name(enum store_proof p)
{
	static const char *const names[] = {
		"consistent", "broken", "power_cut_tail"};

	CHECK((size_t)p < ARRAY_LEN(names));
	return names[p];
}

/* The head to hold against: the one that was given, or the last of our own. */
static bool
set_head(struct walk *w, struct store_reader *r, struct str head)
{
	if (head.ptr)
		return store_head_from(head, &w->head_number, w->head_chain);
	if (!store_head_last(r->folder, &w->head_number, w->head_chain))
		w->head_number = 0;
	return true;
}

int
store_verify(
	struct store_reader *r, struct str head, struct store_verified *ret)
{
	struct walk w = {.v = ret, .head_given = head.ptr != NULL};

	memset(ret, 0, sizeof(*ret));
	memcpy(w.chain, STORE_CHAIN_START, sizeof(w.chain));
	if (!set_head(&w, r, head)) {
		break_at(ret, 0, "the head that was given is no head");
		return 0;
	}
	store_db_finalizep(&r->running);
	STORE_STMT sqlite3_stmt *st = NULL;
	int result = store_db_prepare(r->db,
		"SELECT " STORE_AUDIT_COLUMNS " FROM audit ORDER BY number", &st);
	bool more = result == 0;

	while (result == 0 && more) {
		int rc = sqlite3_step(st);

		if (rc == SQLITE_ROW)
			more = walk_row(&w, st);
		else if (rc == SQLITE_DONE)
			more = false;
		else
			result = store_db_fail(r->db, rc, "verify");
	}
	if (result == FAIL_CORRUPT) {
		break_at(ret, ret->rows + 1, "the database is damaged there");
		result = 0;
	}
	say(&w);
	ret->since_head = ret->since_head && w.head_given;
	return result;
}
