#include <string.h>

#include "store/store_priv.h"

/*
 * Every row of the store, field by field. Enums are stored by name, so that
 * their numbers may change.
 */

#define NAMES(list, type, fn)                             \
	static const char *const fn##_names[] = {list(NAME)}; \
	const char *store_##fn##_name(type value)             \
	{                                                     \
		CHECK((size_t)value < ARRAY_LEN(fn##_names));     \
		return fn##_names[value];                         \
	}
#define NAME(id, text) text,

NAMES(STORE_KINDS, enum store_kind, kind)
NAMES(STORE_DELIVERIES, enum store_delivery, delivery)
NAMES(STORE_CARD_STATES, enum store_card_state, card_state)

NAMES(STORE_SCOPES, enum store_scope, scope)

bool
store_kind_from(struct str s, enum store_kind *ret)
{
	for (size_t i = 1; i < STORE_KIND_COUNT; i++) {
		if (str_eq(s, str_from(kind_names[i]))) {
			*ret = (enum store_kind)i;
			return true;
		}
	}
	return false;
}

bool
store_scope_from(struct str s, enum store_scope *ret)
{
	for (size_t i = 0; i < STORE_SCOPE_COUNT; i++) {
		if (str_eq(s, str_from(scope_names[i]))) {
			*ret = (enum store_scope)i;
			return true;
		}
	}
	return false;
}

#define OF(room, fn, type, total)               \
	static const char *name_of_##fn(int value)  \
	{                                           \
		return room##_##fn##_name((type)value); \
	}                                           \
	static const struct store_names of_##fn = {name_of_##fn, total};

OF(call, tool, enum call_tool, CALL_TOOL_COUNT)
OF(call, verdict, enum call_verdict, CALL_VERDICT_COUNT)
OF(call, by, enum call_by, CALL_BY_COUNT)
OF(call, risk, enum call_risk, CALL_RISK_COUNT)
OF(call, reply, enum call_reply, CALL_REPLY_COUNT)
OF(store, kind, enum store_kind, STORE_KIND_COUNT)
OF(store, card_state, enum store_card_state, STORE_CARD_STATE_COUNT)
OF(store, scope, enum store_scope, STORE_SCOPE_COUNT)

#define TEXT(row, member)                                       \
	{                                                           \
#member, STORE_TEXT, offsetof(struct row, member), NULL \
	}
#define INT(row, member)                                       \
	{                                                          \
#member, STORE_INT, offsetof(struct row, member), NULL \
	}
#define BOOL(row, member)                                       \
	{                                                           \
#member, STORE_BOOL, offsetof(struct row, member), NULL \
	}
#define ENUM(row, member, names)                                    \
	{                                                               \
#member, STORE_ENUM, offsetof(struct row, member), &(names) \
	}
#define TABLE(table, row)                            \
	const struct store_table store_table_##table = { \
		#table,                                      \
		table##_fields,                              \
		ARRAY_LEN(table##_fields),                   \
		sizeof(struct row),                          \
	};

static const struct store_field audit_fields[] = {
	INT(store_audit, time_ms),
	ENUM(store_audit, kind, of_kind),
	INT(store_audit, hearing),
	TEXT(store_audit, session),
	TEXT(store_audit, project),
	TEXT(store_audit, agent),
	TEXT(store_audit, role),
	ENUM(store_audit, tool, of_tool),
	TEXT(store_audit, tool_name),
	TEXT(store_audit, call),
	TEXT(store_audit, input_digest),
	BOOL(store_audit, redacted),
	BOOL(store_audit, cut),
	TEXT(store_audit, omitted),
	TEXT(store_audit, digest),
	TEXT(store_audit, card),
	ENUM(store_audit, verdict, of_verdict),
	ENUM(store_audit, by, of_by),
	ENUM(store_audit, risk, of_risk),
	TEXT(store_audit, reason),
	TEXT(store_audit, rule),
	ENUM(store_audit, reply, of_reply),
	TEXT(store_audit, source),
	TEXT(store_audit, note),
	TEXT(store_audit, surface),
	TEXT(store_audit, who),
	TEXT(store_audit, level),
	TEXT(store_audit, ancestry),
	INT(store_audit, duration_us),
	TEXT(store_audit, provider),
	TEXT(store_audit, model),
	TEXT(store_audit, judged),
	TEXT(store_audit, trouble),
	ENUM(store_audit, judged_risk, of_risk),
	TEXT(store_audit, judged_reason),
	INT(store_audit, input_tokens),
	INT(store_audit, cached_tokens),
	INT(store_audit, output_tokens),
	INT(store_audit, cost_nano),
	BOOL(store_audit, unpriced),
	INT(store_audit, latency_ms),
	INT(store_audit, attempts),
	BOOL(store_audit, shared),
};
TABLE(audit, store_audit)

static const struct store_field cards_fields[] = {
	INT(store_card, number),
	ENUM(store_card, state, of_card_state),
	TEXT(store_card, key),
	TEXT(store_card, digest),
	TEXT(store_card, call_digest),
	TEXT(store_card, session),
	TEXT(store_card, agent),
	TEXT(store_card, role),
	TEXT(store_card, call_id),
	TEXT(store_card, turn),
	ENUM(store_card, tool, of_tool),
	TEXT(store_card, tool_name),
	TEXT(store_card, title),
	TEXT(store_card, text),
	TEXT(store_card, description),
	TEXT(store_card, cwd),
	TEXT(store_card, reason),
	TEXT(store_card, rule),
	TEXT(store_card, needs),
	ENUM(store_card, by, of_by),
	ENUM(store_card, risk, of_risk),
	BOOL(store_card, person_only),
	BOOL(store_card, always),
	BOOL(store_card, lasting),
	ENUM(store_card, at_deadline, of_verdict),
	INT(store_card, created_ms),
	INT(store_card, deadline_ms),
	INT(store_card, expires_ms),
	INT(store_card, ended_ms),
	ENUM(store_card, verdict, of_verdict),
	ENUM(store_card, reply, of_reply),
	TEXT(store_card, source),
	TEXT(store_card, note),
	TEXT(store_card, who),
	INT(store_card, replaced_by),
	TEXT(store_card, resources),
	TEXT(store_card, subject),
	INT(store_card, round),
};
TABLE(cards, store_card)

static const struct store_field sessions_fields[] = {
	TEXT(store_session, id),
	TEXT(store_session, parent),
	TEXT(store_session, agent),
	TEXT(store_session, role),
	TEXT(store_session, root),
	TEXT(store_session, turn),
	TEXT(store_session, mode),
	TEXT(store_session, tier),
	INT(store_session, refused_in_row),
	INT(store_session, refused),
	INT(store_session, first_ms),
	INT(store_session, last_ms),
	INT(store_session, cost_nano),
};
TABLE(sessions, store_session)

static const struct store_field settings_fields[] = {
	ENUM(store_setting, scope, of_scope),
	TEXT(store_setting, key),
	TEXT(store_setting, name),
	TEXT(store_setting, value),
};
TABLE(settings, store_setting)

static const struct store_field notes_fields[] = {
	INT(store_note, number),
	TEXT(store_note, session),
	TEXT(store_note, call_id),
	INT(store_note, hearing),
	INT(store_note, time_ms),
	TEXT(store_note, text),
};
TABLE(notes, store_note)

static const struct store_field grants_fields[] = {
	INT(store_grant, number),
	TEXT(store_grant, project),
	TEXT(store_grant, action),
	TEXT(store_grant, resource),
	BOOL(store_grant, exact),
	INT(store_grant, hearing),
	INT(store_grant, time_ms),
};
TABLE(grants, store_grant)

static const struct store_field replies_fields[] = {
	INT(store_reply, rowid),
	INT(store_reply, hearing),
	INT(store_reply, time_ms),
	TEXT(store_reply, session),
	TEXT(store_reply, project),
	TEXT(store_reply, action),
	TEXT(store_reply, resources),
	ENUM(store_reply, reply, of_reply),
	TEXT(store_reply, note),
};
TABLE(replies, store_reply)

static const struct store_field turns_fields[] = {
	TEXT(store_turn, session),
	TEXT(store_turn, turn),
	TEXT(store_turn, said),
	TEXT(store_turn, head),
	INT(store_turn, time_ms),
};
TABLE(turns, store_turn)

static const struct store_field history_fields[] = {
	TEXT(store_line, session),
	INT(store_line, entry),
	TEXT(store_line, line),
};
TABLE(history, store_line)

static const struct store_field quarantine_fields[] = {
	TEXT(store_quarantined, digest),
	INT(store_quarantined, count),
	INT(store_quarantined, time_ms),
};
TABLE(quarantine, store_quarantined)

struct store_value
store_field_get(const void *row, const struct store_field *f)
{
	const char *at = (const char *)row + f->offset;
	struct store_value v = {.kind = STORE_VALUE_INT};
	int value;
	bool yes;

	switch (f->type) {
	case STORE_TEXT:
		memcpy(&v.text, at, sizeof(v.text));
		v.kind = v.text.ptr ? STORE_VALUE_TEXT : STORE_VALUE_NULL;
		break;
	case STORE_INT:
		memcpy(&v.number, at, sizeof(v.number));
		break;
	case STORE_BOOL:
		memcpy(&yes, at, sizeof(yes));
		v.number = yes;
		break;
	case STORE_ENUM:
		memcpy(&value, at, sizeof(value));
		v.kind = STORE_VALUE_TEXT;
		v.text = str_from(f->names->name(value));
		break;
	}
	return v;
}

static int
number_of(const struct store_names *names, struct str text)
{
	for (int i = 0; i < names->count; i++) {
		if (str_eq(text, str_from(names->name(i))))
			return i;
	}
	return 0;
}

void
store_field_set(void *row, const struct store_field *f, struct store_value v)
{
	char *at = (char *)row + f->offset;
	int value;
	bool yes = v.number != 0;

	switch (f->type) {
	case STORE_TEXT:
		memcpy(at, &v.text, sizeof(v.text));
		break;
	case STORE_INT:
		memcpy(at, &v.number, sizeof(v.number));
		break;
	case STORE_BOOL:
		memcpy(at, &yes, sizeof(yes));
		break;
	case STORE_ENUM:
		value = number_of(f->names, v.text);
		memcpy(at, &value, sizeof(value));
		break;
	}
}
