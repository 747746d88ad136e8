#include "daemon/intake.h"

#include <stdio.h>

#include "daemon/daemon.h"
#include "wire/json.h"

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

	if (in->poison) {
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

void
daemon_intake_read(struct daemon_intake *in)
{
	struct wire_json_error e;
	struct str bytes = {0};
	struct str line = str_cut(in->bytes, '\n', &bytes);

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
