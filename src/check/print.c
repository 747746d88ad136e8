/*
 * Results as JSON lines.
 */

#include "check/check_priv.h"

static void
add_member(struct buf *out, const char *key, struct str value)
{
	buf_addf(out, ",\"%s\":", key);
	buf_add_json(out, value);
}

static void
add_effects(struct buf *out, const struct call_facts *f, bool with_flags)
{
	buf_add(out, STR(",\"effects\":["));
	for (size_t i = 0; i < f->effect_count; i++) {
		const struct call_effect *e = &f->effects[i];

		buf_addf(out, "%s{\"kind\":\"%s\",\"resource\":", i > 0 ? "," : "",
			call_effect_name(e->kind));
		buf_add_json(out, e->resource);
		buf_addf(out, ",\"scope\":\"%s\"", call_scope_name(e->scope));
		add_member(out, "by", e->by);
		if (with_flags && e->command < f->command_count)
			buf_addf(out, ",\"command\":%zu", e->command);
		if (with_flags)
			check_effect_words_print(out, e->flags);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

void
check_result_print(struct buf *out, const struct check_request *request,
	const struct order_result *result, bool with_trace)
{
	const struct call_outcome *o = &result->outcome;
	const struct call_facts *f = &result->facts;
	bool incomplete = f->ignorance != 0 || request->call.malformed;

	buf_add(out, STR("{\"id\":"));
	buf_add(out, request->id);
	buf_addf(out, ",\"verdict\":\"%s\",\"by\":\"%s\"",
		call_verdict_name(o->verdict), call_by_name(o->by));
	add_member(out, "reason", o->reason);
	if (o->risk == CALL_RISK_NONE)
		buf_add(out, STR(",\"risk\":null"));
	else
		buf_addf(out, ",\"risk\":\"%s\"", call_risk_name(o->risk));
	if (o->rule.ptr)
		add_member(out, "rule", o->rule);
	if (o->person_only)
		buf_add(out, STR(",\"person_only\":true"));
	add_effects(out, f, with_trace);
	buf_addf(out, ",\"incomplete\":%s", incomplete ? "true" : "false");
	if (f->incomplete.ptr)
		add_member(out, "incomplete_why", f->incomplete);
	if (with_trace)
		check_trace_print(out, result);
	buf_add(out, STR("}\n"));
}

void
check_error_print(struct buf *out, struct str id, struct str error)
{
	buf_add(out, STR("{\"id\":"));
	buf_add(out, id);
	buf_add(out, STR(",\"verdict\":\"deny\",\"by\":\"failure\""));
	add_member(out, "reason", STR("the line is no call that can be read"));
	buf_add(out, STR(",\"risk\":null,\"effects\":[],\"incomplete\":true"));
	add_member(out, "error", error);
	buf_add(out, STR("}\n"));
}
