/*
 * One reply to several cards: POST /v1/cards/reply.
 */
#include "daemon/person.h"
#include "daemon/routes.h"
#include "io/clock.h"
#include "wire/json.h"

enum { ANSWER_BYTES = 1 << 20 };

static void
add_answered(struct buf *b, const struct decide_act *act)
{
	const char *comma = "";

	buf_addf(b, ",\"answered\":[");
	for (size_t i = 0; i < act->told_count; i++) {
		if (act->told[i].what != DECIDE_DONE)
			continue;
		buf_addf(b, "%s", comma);
		buf_add_json(b, act->told[i].id);
		comma = ",";
	}
	buf_add_char(b, ']');
}

static void
add_skipped(struct buf *b, const struct decide_act *act)
{
	const char *comma = "";

	buf_addf(b, ",\"skipped\":[");
	for (size_t i = 0; i < act->told_count; i++) {
		const struct decide_told *t = &act->told[i];

		if (t->what == DECIDE_DONE)
			continue;
		buf_addf(b, "%s{\"id\":", comma);
		buf_add_json(b, t->id);
		buf_addf(
			b, ",\"code\":\"%s\",\"message\":", decide_replied_name(t->what));
		buf_add_json(b, t->text);
		if (t->replaced_by != 0)
			buf_addf(b, ",\"replaced_by\":%lld", (long long)t->replaced_by);
		buf_add_char(b, '}');
		comma = ",";
	}
	buf_add_char(b, ']');
}

static void
on_replied(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	CLEANUP(buf_done) struct buf b;

	(void)d;
	buf_init(&b, ANSWER_BYTES);
	if (act->replied == DECIDE_DONE) {
		buf_addf(&b, "{\"result\":\"done\"");
	} else {
		buf_addf(&b, "{\"error\":{\"code\":\"%s\",\"message\":",
			decide_replied_name(act->replied));
		buf_add_json(&b, act->text);
		buf_add_char(&b, '}');
	}
	add_answered(&b, act);
	add_skipped(&b, act);
	buf_addf(&b, "}\n");
	daemon_request_answer(
		r, daemon_cards_status(act->replied), buf_str(&b), NULL);
}

/* The ids of the list, in the work arena; NULL when one is no text. */
static const struct str *
read_ids(struct daemon *d, const json_t *list)
{
	size_t n = json_array_size(list);
	struct str *ids = ARENA_ARRAY(d->work, n + 1, struct str);

	for (size_t i = 0; i < n; i++) {
		ids[i] = wire_json_text(json_array_get(list, i));
		if (ids[i].len == 0)
			return NULL;
	}
	return ids;
}

static void
reply(
	struct daemon *d, struct daemon_request *r, const json_t *body, void *data)
{
	(void)data;
	const json_t *list = wire_json_array(body, "cards");
	struct decide_reply reply = {
		.handle = r->handle,
		.id = wire_json_str(body, "anchor"),
	};
	const struct str *ids = read_ids(d, list);

	if (reply.id.len == 0 || json_array_size(list) == 0 || !ids) {
		daemon_request_fail(r, 400, "bad_reply",
			"the body is {\"anchor\": id, \"cards\": [id, ...] with the "
			"anchor among them, \"reply\": \"once\", \"always\" or "
			"\"reject\", \"feedback\": text or absent}");
		return;
	}
	if (!daemon_cards_read(r, body, &reply))
		return;
	reply.who = daemon_person_who(d, d->work, r);
	daemon_routes_wait(r, on_replied);
	decide_reply_together(
		d->decide, &reply, ids, json_array_size(list), io_clock_wall_ms());
}

void
daemon_together_run(struct daemon *d, struct daemon_request *r)
{
	daemon_routes_read(d, r, reply, NULL);
}
