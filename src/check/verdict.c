/*
 * A model's reply as it is read, as one JSON line.
 */

#include "check/check.h"

enum judge_says
check_verdict_print(struct arena *a, struct str reply, struct buf *out)
{
	struct judge_verdict v;

	judge_verdict_read(a, reply, &v);
	buf_addf(out, "{\"verdict\":\"%s\",\"decision\":", judge_says_name(v.says));
	if (v.failure)
		buf_add(out, STR("null"));
	else
		buf_addf(out, "\"%s\"", judge_says_name(v.said));
	if (v.risk == CALL_RISK_NONE)
		buf_add(out, STR(",\"risk\":null,\"reason\":"));
	else
		buf_addf(out, ",\"risk\":\"%s\",\"reason\":", call_risk_name(v.risk));
	buf_add_json(out, v.reason);
	buf_add(out, STR(",\"failure\":"));
	if (v.failure)
		buf_add_json(out, str_from(v.failure));
	else
		buf_add(out, STR("null"));
	buf_add(out, STR("}\n"));
	return v.says;
}
