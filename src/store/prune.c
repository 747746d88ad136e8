#include <stdio.h>

#include "store/store_priv.h"

/*
 * Retention. Rows come in the order of time, so the ones to prune are found by
 * halving; should the clock have jumped, what is too young stays all the same.
 */

/* The lowest number from 1 to `last` for which the statement (?1: a number)
 * gives 1, last + 1 if there is none. */
static int
find_first(struct store *s, const char *sql, int64_t value, int64_t *ret)
{
	STORE_STMT sqlite3_stmt *st = NULL;
	int64_t low = 1, high = s->number + 1;
	int r = store_db_prepare(s->db, sql, &st);

	while (r == 0 && low < high) {
		int64_t middle = low + (high - low) / 2;

		(void)sqlite3_reset(st);
		(void)sqlite3_bind_int64(st, 1, middle);
		(void)sqlite3_bind_int64(st, 2, value);
		int rc = sqlite3_step(st);

		if (rc != SQLITE_ROW && rc != SQLITE_DONE)
			r = store_db_fail(s->db, rc, "look for old rows");
		else if (rc == SQLITE_ROW && sqlite3_column_int64(st, 0) != 0)
			high = middle;
		else
			low = middle + 1;
	}
	*ret = low;
	return r;
}

static int
commit_part(struct store *s, int64_t below, int64_t before_ms, int64_t now_ms)
{
	struct store_batch *b = store_batch_new();
	char reason[128];

	(void)snprintf(reason, sizeof(reason),
		"bodies of rows %lld to %lld were dropped: older than %lld",
		(long long)s->pruned_below, (long long)below - 1, (long long)before_ms);
	const struct store_audit row = {
		.time_ms = now_ms,
		.kind = STORE_KIND_PRUNE,
		.reason = str_from(reason),
	};

	store_batch_prune(b, s->pruned_below, below, before_ms);
	store_batch_add_audit(b, &row);
	int r = store_commit(s, b);

	store_batch_free(b);
	if (r == 0)
		s->pruned_below = below;
	return r;
}

int
store_prune(struct store *s, int64_t before_ms, int64_t rows_max,
	int64_t now_ms, bool *ret_more)
{
	int64_t young = 0;
	int r = 0;

	*ret_more = false;
	if (s->pruned_below == 0)
		r = find_first(s,
			"SELECT body IS NOT NULL FROM audit WHERE number = ?1 AND ?2 = 0",
			0, &s->pruned_below);
	if (r == 0)
		r = find_first(s, "SELECT time_ms >= ?2 FROM audit WHERE number = ?1",
			before_ms, &young);
	if (r != 0 || young <= s->pruned_below)
		return r;
	*ret_more = young - s->pruned_below > rows_max;
	return commit_part(
		s, *ret_more ? s->pruned_below + rows_max : young, before_ms, now_ms);
}
