#include "daemon/intake.h"

#include <stdio.h>
#include <sys/random.h>

#include "daemon/daemon.h"
#include "wire/json.h"

enum { REVIEW_MS = 60000 }; /* at most, for a review without an envelope */

static void
set_fault(struct daemon_intake *in, struct str why)
{
	(void)snprintf(in->fault, sizeof(in->fault), "%.*s", STR_ARG(why));
}

/* The agent's bytes, unless reading them has killed the daemon before. */
static void
read_message(struct daemon_intake *in, struct str bytes)
{
	const struct api_envelope *e = &in->envelope;
	struct adapter_message *m = &in->message;
	struct adapter_facts facts = {
		.event = e->event,
		.cwd = e->cwd,
		.dialect = e->dialect,
	};

	in->too_large = e->oversize > 0;
	if (in->poison || in->too_large) {
		m->event = adapter_event_find(in->agent, e->event);
		m->meaning = m->event ? m->event->meaning : ADAPTER_UNKNOWN;
		return;
	}
	adapter_decode(in->arena, in->agent, bytes, &facts, m);
	in->readable = !m->malformed && m->event
		&& (m->meaning == ADAPTER_CALL || m->meaning == ADAPTER_APPROVAL);
}

static void
read_envelope(struct daemon_intake *in, struct str bytes)
{
	struct str why;

	if (!api_envelope_from(in->arena, in->line, &in->envelope, &why)) {
		set_fault(in, why);
		return;
	}
	in->agent = adapter_agent_find(in->envelope.agent);
	if (!in->agent)
		set_fault(in, STR("\"agent\" names no agent that is known here"));
	else
		read_message(in, bytes);
}

/* A gateway says what a hook says, without an envelope: nothing is known of its
 * process, and nobody looks at the machine for it. */
static void
make_envelope(struct daemon_intake *in)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char random[API_KEY_HEX / 2] = {0};

	CHECK(getrandom(random, sizeof(random), 0) == sizeof(random));
	for (size_t i = 0; i < sizeof(random); i++) {
		in->key[2 * i] = digits[random[i] >> 4];
		in->key[2 * i + 1] = digits[random[i] & 15];
	}
	in->agent = adapter_agent_find(STR("cursor"));
	CHECK(in->agent);
	in->envelope = (struct api_envelope){
		.agent = str_from(in->agent->name),
		.event = str_from(in->review),
		.key = str_from(in->key),
		.left_ms = REVIEW_MS,
		.round = API_ROUNDS_MAX,
	};
}

static void
read_review(struct daemon_intake *in)
{
	in->slot = -1;
	daemon_trial_digest(in->bytes, in->digest);
	in->poison = daemon_trial_is_poison(in->daemon->trial, in->digest);
	in->slot = daemon_trial_begin(in->daemon->trial, in->digest);
	make_envelope(in);
	if (ARENA_TRY(in->arena)) {
		read_message(in, in->bytes);
	} else {
		in->too_large = true;
		in->message = (struct adapter_message){0};
		in->message.event = adapter_event_find(in->agent, in->envelope.event);
	}
	arena_done(in->arena);
	if (in->message.left_ms > 0 && in->message.left_ms < REVIEW_MS)
		in->envelope.left_ms = in->message.left_ms;
}

void
daemon_intake_read(struct daemon_intake *in)
{
	struct wire_json_error e;
	struct str bytes = {0};
	struct str line = str_cut(in->bytes, '\n', &bytes);

	if (in->review) {
		read_review(in);
		return;
	}
	in->slot = -1;
	if (!bytes.ptr || line.len > API_ENVELOPE_BYTES) {
		set_fault(in, STR("the body does not begin with an envelope's line"));
		return;
	}
	daemon_trial_digest(bytes, in->digest);
	in->poison = daemon_trial_is_poison(in->daemon->trial, in->digest);
	in->slot = daemon_trial_begin(in->daemon->trial, in->digest);
	in->line = wire_json_parse(line, &e);
	if (!in->line) {
		set_fault(in, str_from(e.message));
		return;
	}
	if (ARENA_TRY(in->arena)) {
		read_envelope(in, bytes);
	} else {
		in->too_large = true;
		in->message = (struct adapter_message){0};
		if (!in->agent)
			set_fault(in, STR("the envelope is too large"));
		else
			in->message.event =
				adapter_event_find(in->agent, in->envelope.event);
	}
	arena_done(in->arena);
}

void
daemon_intake_done(struct daemon_intake *in)
{
	daemon_trial_end(in->daemon->trial, in->slot);
	json_decref(in->line);
}
