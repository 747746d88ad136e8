#include <string.h>

#include "base/limits.h"
#include "store/store_priv.h"

/*
 * A batch is a list of statements with their values, copied. It is made on the
 * loop's thread and used up on a worker's.
 */

struct store_batch *
store_batch_new(void)
{
	struct arena *a = arena_new(2 * (size_t)LIMIT_ARENA_BYTES);
	struct store_batch *b = NULL;

	/* without memory for this there is none for an answer either */
	CHECK(a);
	if (ARENA_TRY(a)) {
		b = ARENA_NEW(a, struct store_batch);
		b->arena = a;
		b->end = &b->first;
	}
	CHECK(b);
	arena_done(a);
	return b;
}

void
store_batch_free(struct store_batch *b)
{
	if (b)
		arena_free(b->arena);
}

size_t
store_batch_count(const struct store_batch *b)
{
	return b->count;
}

void
store_batch_set_synced(struct store_batch *b)
{
	b->synced = true;
}

bool
store_batch_is_synced(const struct store_batch *b)
{
	return b->synced;
}

/* An op whose texts are still the caller's. */
static struct store_op *
copy_op(struct store_batch *b, enum store_write write,
	const struct store_value *values, size_t count)
{
	struct store_op *op =
		arena_alloc(b->arena, sizeof(*op) + count * sizeof(struct store_value));

	op->write = write;
	op->count = count;
	for (size_t i = 0; i < count; i++) {
		op->values[i] = values[i];
		if (values[i].kind == STORE_VALUE_TEXT)
			op->values[i].text = arena_dup(b->arena, values[i].text);
	}
	return op;
}

static void
add(struct store_batch *b, enum store_write write,
	const struct store_value *values, size_t count)
{
	if (b->failed != 0)
		return;
	if (ARENA_TRY(b->arena)) {
		struct store_op *op = copy_op(b, write, values, count);

		*b->end = op;
		b->end = &op->next;
		b->count++;
	} else {
		b->failed =
			fail_here(FAIL_MEMORY, "store: a batch over %zu writes", b->count);
	}
	arena_done(b->arena);
}

static struct store_value
number(int64_t n)
{
	return (struct store_value){.kind = STORE_VALUE_INT, .number = n};
}

static struct store_value
text(struct str s)
{
	return (struct store_value){
		.kind = s.ptr ? STORE_VALUE_TEXT : STORE_VALUE_NULL, .text = s};
}

static struct store_value
word(const char *name)
{
	return text(str_from(name));
}

/* All fields of a row; a number that is 0 is given by the table. */
static void
add_row(struct store_batch *b, enum store_write write,
	const struct store_table *t, const void *row)
{
	struct store_value values[48];

	CHECK(t->field_count <= ARRAY_LEN(values));
	for (size_t i = 0; i < t->field_count; i++) {
		values[i] = store_field_get(row, &t->fields[i]);
		if ((strcmp(t->fields[i].name, "number") == 0
				|| strcmp(t->fields[i].name, "rowid") == 0)
			&& values[i].number == 0)
			values[i].kind = STORE_VALUE_NULL;
	}
	add(b, write, values, t->field_count);
}

void
store_batch_add_audit(struct store_batch *b, const struct store_audit *r)
{
	CLEANUP(buf_done) struct buf body;

	buf_init(&body, STORE_BODY_BYTES);
	if (!store_audit_body(&body, r)) {
		b->failed =
			fail_here(FAIL_LIMIT, "store: a row of the audit is too long");
		return;
	}
	const struct store_value values[] = {
		number(r->time_ms),
		word(store_kind_name(r->kind)),
		number(r->hearing),
		text(r->session),
		text(r->tool_name),
		word(call_verdict_name(r->verdict)),
		text(buf_str(&body)),
	};

	add(b, STORE_WRITE_AUDIT, values, ARRAY_LEN(values));
}

void
store_batch_add_delivery(
	struct store_batch *b, int64_t hearing, enum store_delivery d)
{
	const struct store_value values[] = {number(hearing), number((int64_t)d)};

	add(b, STORE_WRITE_DELIVERY, values, ARRAY_LEN(values));
}

void
store_batch_add_card(struct store_batch *b, const struct store_card *c)
{
	CHECK(c->number > 0);
	add_row(b, STORE_WRITE_CARD, &store_table_cards, c);
}

void
store_batch_set_card(struct store_batch *b, const struct store_card *c)
{
	const struct store_value values[] = {
		number(c->number),
		word(store_card_state_name(c->state)),
		number(c->ended_ms),
		word(call_verdict_name(c->verdict)),
		word(call_reply_name(c->reply)),
		text(c->source),
		text(c->note),
		text(c->who),
		number(c->replaced_by),
		word(call_by_name(c->by)),
	};

	add(b, STORE_WRITE_CARD_STATE, values, ARRAY_LEN(values));
	if (c->state != STORE_CARD_OPEN && c->state != STORE_CARD_APPROVED)
		add(b, STORE_WRITE_CARD_DROP, values, 1);
}

void
store_batch_end_card(struct store_batch *b, int64_t card,
	enum store_card_state state, int64_t ended_ms)
{
	const struct store_value values[] = {
		number(card), word(store_card_state_name(state)), number(ended_ms)};

	add(b, STORE_WRITE_CARD_END, values, ARRAY_LEN(values));
	add(b, STORE_WRITE_CARD_DROP, values, 1);
}

void
store_batch_set_card_key(
	struct store_batch *b, int64_t card, struct str key, int64_t deadline_ms)
{
	const struct store_value values[] = {
		number(card), text(key), number(deadline_ms)};

	add(b, STORE_WRITE_CARD_KEY, values, ARRAY_LEN(values));
}

void
store_batch_set_session(struct store_batch *b, const struct store_session *s)
{
	add_row(b, STORE_WRITE_SESSION, &store_table_sessions, s);
}

void
store_batch_set_setting(struct store_batch *b, const struct store_setting *s)
{
	struct store_setting row = *s;

	if (!row.key.ptr)
		row.key = STR("");
	if (s->value.ptr) {
		add_row(b, STORE_WRITE_SETTING, &store_table_settings, &row);
		return;
	}
	struct store_value values[3];

	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		values[i] = store_field_get(&row, &store_table_settings.fields[i]);
	add(b, STORE_WRITE_SETTING_DROP, values, ARRAY_LEN(values));
}

void
store_batch_add_note(struct store_batch *b, const struct store_note *n)
{
	add_row(b, STORE_WRITE_NOTE, &store_table_notes, n);
}

void
store_batch_drop_notes(
	struct store_batch *b, struct str session, struct str call_id)
{
	const struct store_value values[] = {text(session), text(call_id)};

	add(b, STORE_WRITE_NOTE_DROP, values, ARRAY_LEN(values));
}

void
store_batch_drop_note(struct store_batch *b, int64_t hearing)
{
	const struct store_value values[] = {number(hearing)};

	add(b, STORE_WRITE_NOTE_OF, values, ARRAY_LEN(values));
}

void
store_batch_add_grant(struct store_batch *b, const struct store_grant *g)
{
	add_row(b, STORE_WRITE_GRANT, &store_table_grants, g);
}

void
store_batch_drop_grant(struct store_batch *b, int64_t grant)
{
	const struct store_value values[] = {number(grant)};

	add(b, STORE_WRITE_GRANT_DROP, values, ARRAY_LEN(values));
}

void
store_batch_add_reply(struct store_batch *b, const struct store_reply *r)
{
	add_row(b, STORE_WRITE_REPLY, &store_table_replies, r);
}

void
store_batch_set_turn(struct store_batch *b, const struct store_turn *t)
{
	add_row(b, STORE_WRITE_TURN, &store_table_turns, t);
}

void
store_batch_add_line(struct store_batch *b, const struct store_line *l)
{
	add_row(b, STORE_WRITE_LINE, &store_table_history, l);
}

void
store_batch_drop_lines(struct store_batch *b, struct str session, int64_t entry)
{
	const struct store_value values[] = {text(session), number(entry)};

	add(b, STORE_WRITE_LINE_DROP, values, ARRAY_LEN(values));
}

void
store_batch_drop_turn(struct store_batch *b, struct str session)
{
	const struct store_value values[] = {text(session)};

	add(b, STORE_WRITE_TURN_DROP, values, ARRAY_LEN(values));
	store_batch_drop_lines(b, session, INT64_MAX);
}

void
store_batch_drop_turns_before(struct store_batch *b, int64_t time_ms)
{
	const struct store_value values[] = {number(time_ms)};

	add(b, STORE_WRITE_TURN_OLD, values, ARRAY_LEN(values));
	add(b, STORE_WRITE_LINE_OLD, values, 0);
}

void
store_batch_set_quarantine(
	struct store_batch *b, const struct store_quarantined *q)
{
	const struct store_value values[] = {text(q->digest), number(q->time_ms)};

	if (q->count > 0)
		add(b, STORE_WRITE_QUARANTINE, values, 2);
	else
		add(b, STORE_WRITE_QUARANTINE_DROP, values, 1);
}

void
store_batch_prune(
	struct store_batch *b, int64_t from, int64_t below, int64_t before_ms)
{
	const struct store_value values[] = {
		number(from), number(below), number(before_ms)};
	const struct store_value cards[] = {
		number(before_ms), number(below - from)};

	add(b, STORE_WRITE_PRUNE, values, ARRAY_LEN(values));
	add(b, STORE_WRITE_CARD_PRUNE, cards, ARRAY_LEN(cards));
}
