#include <stdio.h>
#include <string.h>

#include "store/store_priv.h"
#include "wire/json.h"
#include "wire/sha256.h"

/*
 * A row of the audit is its body: one line of JSON with all that is known of
 * the event. The columns beside it are copies, for finding rows, and verify
 * compares them. The chain is made of the bodies' digests, so that a body can be
 * dropped later and the rows around it still prove that nothing else was:
 *
 *	chain = SHA-256(previous chain, number, SHA-256(body))
 *
 * with each of the three as text with its length in front (wire/sha256.h).
 */

/* No NULs (strict JSON readers refuse them), and no more than fits a row. */
static void
add_text(struct buf *b, struct str s)
{
	CLEANUP(buf_done) struct buf clean;

	s = str_sub(s, 0, STORE_TEXT_BYTES);
	buf_init(&clean, STORE_TEXT_BYTES + 64);
	if (str_has_char(s, '\0')) {
		for (size_t i = 0; i < s.len; i++)
			buf_add(&clean, s.ptr[i] ? str_sub(s, i, i + 1) : STR("?"));
		s = buf_str(&clean);
	}
	buf_add_json(b, s);
}

static void
add_member(struct buf *b, const struct store_field *f, struct store_value v)
{
	if (b->len > 1)
		buf_add_char(b, ',');
	buf_add_char(b, '"');
	buf_add(b, str_from(f->name));
	buf_add(b, STR("\":"));
	if (v.kind == STORE_VALUE_TEXT)
		add_text(b, v.text);
	else if (f->type == STORE_BOOL)
		buf_add(b, STR("true"));
	else
		buf_addf(b, "%lld", (long long)v.number);
}

/* Zero values are not written: a row says what it has to say. */
static bool
is_said(const struct store_field *f, struct store_value v)
{
	if (f->type == STORE_ENUM)
		return !str_eq(v.text, str_from(f->names->name(0)));
	return v.kind == STORE_VALUE_TEXT || v.number != 0;
}

static void
add_members(struct buf *b, const struct store_audit *row)
{
	const struct store_table *t = &store_table_audit;

	for (size_t i = 0; i < t->field_count; i++) {
		struct store_value v = store_field_get(row, &t->fields[i]);

		if (v.kind != STORE_VALUE_NULL && is_said(&t->fields[i], v))
			add_member(b, &t->fields[i], v);
	}
}

bool
store_audit_body(struct buf *b, const struct store_audit *row)
{
	buf_add_char(b, '{');
	add_members(b, row);
	buf_add_char(b, '}');
	return !b->full;
}

void
store_audit_chain(const char *previous, int64_t number, const char *body_digest,
	char ret[STORE_DIGEST_HEX + 1])
{
	struct wire_sha256 d;
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "%lld", (long long)number);
	wire_sha256_init(&d);
	wire_sha256_add(&d, str_from(previous));
	wire_sha256_add(&d, str_from(digits));
	wire_sha256_add(&d, str_from(body_digest));
	wire_sha256_hex(&d, ret);
}

void
store_audit_print(struct buf *b, const struct store_audit *row)
{
	buf_addf(b, "{\"number\":%lld,", (long long)row->number);
	/* as if the object had just begun, so that no comma is put in front */
	CLEANUP(buf_done) struct buf members;

	buf_init(&members, STORE_BODY_BYTES);
	buf_add_char(&members, '{');
	add_members(&members, row);
	buf_add(b, str_sub(buf_str(&members), 1, members.len));
	buf_addf(b, ",\"delivery\":\"%s\",\"pruned\":%s,\"body_digest\":",
		store_delivery_name(row->delivery), row->body.ptr ? "false" : "true");
	buf_add_json(b, row->body_digest);
	buf_add(b, STR(",\"chain\":"));
	buf_add_json(b, row->chain);
	buf_add_char(b, '}');
	b->full = b->full || members.full;
}

/* The columns that are copies, for rows whose body was pruned. */
static void
read_columns(sqlite3_stmt *st, struct store_audit *row)
{
	static const char *const names[] = {
		"time_ms", "kind", "hearing", "session", "tool_name", "verdict"};
	const struct store_table *t = &store_table_audit;

	for (size_t n = 0; n < ARRAY_LEN(names); n++) {
		for (size_t i = 0; i < t->field_count; i++) {
			if (strcmp(t->fields[i].name, names[n]) == 0)
				store_field_set(
					row, &t->fields[i], store_db_value(st, (int)n + 1));
		}
	}
}

static bool
read_body(struct store_audit_row *r)
{
	const struct store_table *t = &store_table_audit;
	struct wire_json_error error;
	json_t *j = wire_json_parse(r->row.body, &error);

	r->json = j;
	if (!json_is_object(j))
		return false;
	for (size_t i = 0; i < t->field_count; i++) {
		const json_t *m = wire_json_get(j, t->fields[i].name);
		struct store_value v = {.kind = STORE_VALUE_INT};

		if (!m)
			continue;
		v.text = wire_json_text(m);
		v.number = json_is_true(m) ? 1 : (int64_t)json_integer_value(m);
		store_field_set(&r->row, &t->fields[i], v);
	}
	return true;
}

void
store_audit_from(sqlite3_stmt *st, struct store_audit_row *ret)
{
	int64_t delivery = sqlite3_column_int64(st, 7);

	memset(ret, 0, sizeof(*ret));
	ret->row.number = sqlite3_column_int64(st, 0);
	ret->row.delivery = delivery > 0 && delivery < STORE_DELIVERY_COUNT
		? (enum store_delivery)delivery
		: STORE_DELIVERY_UNKNOWN;
	ret->row.body = store_db_text(st, 8);
	ret->row.body_digest = store_db_text(st, 9);
	ret->row.chain = store_db_text(st, 10);
	if (ret->row.body.ptr)
		ret->unreadable = !read_body(ret);
	if (!ret->row.body.ptr || ret->unreadable)
		read_columns(st, &ret->row);
}

void
store_audit_done(struct store_audit_row *row)
{
	json_decref(row->json);
	row->json = NULL;
}
