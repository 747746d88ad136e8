#include "daemon/hearing.h"

#include <stdlib.h>
#include <string.h>

#include "adapter/transcript.h"
#include "base/limits.h"
#include "daemon/events.h"
#include "daemon/intake.h"
#include "daemon/journal.h"
#include "daemon/judge.h"
#include "io/clock.h"

enum {
	ANSWER_BYTES = 2 << 20,
	LEFT_MS_MAX = 86400000, /* a day */
	MARGIN_MS = 300,        /* kept for recording and for the way back */
	WATCHED_MS = 30000, /* a surface that asked for cards this long ago lives */
};

/* --- answers ------------------------------------------------------------------- */

static void
answer(struct daemon *d, struct daemon_request *r, struct api_answer *n)
{
	CLEANUP(buf_done) struct buf body;
	struct daemon_hearing *h = r->data;

	if (n->kind == API_ANSWER)
		d->hearings++;
	d->last_ms = io_clock_wall_ms();
	n->key = str_from(h->key);
	h->settled = true;
	buf_init(&body, ANSWER_BYTES);
	if (h->plain)
		buf_add(&body, n->out);
	else
		api_answer_print(&body, n);
	if (body.full)
		daemon_request_fail(r, 500, "too_large", "the answer is too large");
	else
		daemon_request_answer(r, 200, buf_str(&body), NULL);
}

/* Says a verdict in the agent's own words. */
static void
say(struct daemon *d, struct daemon_request *r, struct arena *a,
	const struct adapter_reply *reply)
{
	const struct daemon_hearing *h = r->data;
	struct adapter_answer out;

	adapter_encode(a, h->agent, h->event, reply, &out);
	answer(d, r,
		&(struct api_answer){
			.kind = API_ANSWER,
			.out = out.out,
			.err = out.err,
			.exit = out.exit,
		});
}

static void
say_neutral(struct daemon *d, struct daemon_request *r, struct arena *a,
	struct str note)
{
	say(d, r, a,
		&(struct adapter_reply){
			.verdict = CALL_VERDICT_DENY, /* no word of it is said */
			.note = note,
			.source = note.ptr ? ADAPTER_SOURCE_USER : ADAPTER_SOURCE_SYSTEM,
		});
}

static void
say_denied(struct daemon *d, struct daemon_request *r, struct arena *a,
	struct str reason)
{
	say(d, r, a,
		&(struct adapter_reply){
			.verdict = CALL_VERDICT_DENY,
			.reason = reason,
			.source = ADAPTER_SOURCE_SYSTEM,
		});
}

/* Whose words a decision is told in. */
static enum adapter_source
source_of(const struct decide_answer *n)
{
	if (n->from_person)
		return ADAPTER_SOURCE_USER;
	return n->by == CALL_BY_JUDGE ? ADAPTER_SOURCE_JUDGE
		: n->by == CALL_BY_TIER   ? ADAPTER_SOURCE_TIER
		: n->by == CALL_BY_MODE   ? ADAPTER_SOURCE_MODE
								  : ADAPTER_SOURCE_SYSTEM;
}

void
daemon_hearing_send(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	struct daemon_hearing *h = r->data;

	h->number = act->number;
	say(d, r, d->acts,
		&(struct adapter_reply){
			.verdict = act->answer.verdict,
			.reason = act->answer.reason,
			.note = act->answer.note,
			.source = source_of(&act->answer),
			.by = act->answer.by,
		});
}

void
daemon_hearing_need(
	struct daemon *d, struct daemon_request *r, const struct decide_act *act)
{
	const struct daemon_hearing *h = r->data;
	struct api_answer n = {
		.kind = API_NEED,
		.needs = act->needs,
		.need_count = act->need_count,
	};

	/* the hook's own folder may lie elsewhere, and these are of the workspace */
	for (size_t i = 0; i < act->need_count && h->root_len > 0; i++) {
		if (act->needs[i].kind == CALL_NEED_FILE
			|| act->needs[i].kind == CALL_NEED_NAMES
			|| act->needs[i].kind == CALL_NEED_SETTINGS
			|| act->needs[i].kind == CALL_NEED_SECRETS)
			n.roots_of = (struct str){h->root, h->root_len};
	}
	answer(d, r, &n);
}

/* The answer is out, or the client left. */
static void
on_ended(struct daemon *d, struct daemon_request *r, bool ok)
{
	struct daemon_hearing *h = r->data;

	if (!d->decide)
		return;
	if (h->number != 0)
		decide_sent(d->decide, h->number, ok, io_clock_wall_ms());
	else if (!h->settled)
		decide_gone(d->decide, r->handle, io_clock_wall_ms());
}

/* --- what is known ---------------------------------------------------------------- */

static struct call_world
world_of(const struct daemon *d, const struct api_envelope *e)
{
	return (struct call_world){
		.home = d->place.home,
		.user = d->place.user,
		.is_root = d->place.uid == 0,
		.answers = e->world.answers,
		.answer_count = e->world.answer_count,
		.assent_config = d->place.config,
		.assent_state = d->place.state,
		.assent_socket = d->place.socket,
		.assent_program = d->place.exe_folder,
		.assent_pid = d->pid,
		.variables = e->variables,
		.variable_count = e->variable_count,
	};
}

/* Somebody who may answer watches, or looked a moment ago. */
static bool
is_attended(struct daemon *d)
{
	return (d->cards_asked_ms != 0
			   && io_clock_mono_ms() - d->cards_asked_ms < WATCHED_MS)
		|| daemon_events_attended(d);
}

struct order_settings
daemon_hearing_settings(
	struct daemon *d, const struct policy *p, bool own_prompt)
{
	struct order_settings s = {
		.anyone_can_answer = is_attended(d),
		.agent_prompts = own_prompt,
		.sensitive_ask = str_eq(policy_setting(p, "sensitive"), STR("ask")),
	};

	if (!call_mode_from(policy_setting(p, "mode"), &s.mode))
		s.mode = CALL_MODE_UNSET;
	if (!call_tier_from(policy_setting(p, "tier"), &s.tier))
		s.tier = CALL_TIER_UNSET;
	return s;
}

/* When the agent must have its answer: before its client gives up, and before
 * the user's patience (`set hold.seconds`) is over. */
static int64_t
deadline_of(const struct policy *p, int64_t now_ms, int64_t left_ms)
{
	int64_t hold_ms = policy_setting_number(p, "hold.seconds") * 1000;

	if (hold_ms > 0 && left_ms > hold_ms + MARGIN_MS)
		left_ms = hold_ms + MARGIN_MS;
	if (left_ms > LEFT_MS_MAX)
		left_ms = LEFT_MS_MAX;
	return now_ms
		+ (left_ms > 2 * (int64_t)MARGIN_MS ? left_ms - MARGIN_MS
											: left_ms / 2);
}

/* The first root that the client named and that may be one. */
static struct str
first_root(const struct daemon *d, const struct api_world *w)
{
	for (size_t i = 0; i < w->root_count; i++) {
		if (daemon_sessions_may_be_root(&d->place, w->roots[i]))
			return w->roots[i];
	}
	return (struct str){0};
}

/*
 * The session's root, into root. False when it is not settled yet and the client
 * can still be asked.
 */
static bool
settle_root(struct daemon *d, struct daemon_intake *in, struct str *root)
{
	const struct api_envelope *e = &in->envelope;
	struct str session = in->message.call.session;

	*root = (struct str){0};
	if (session.len > 0 && daemon_sessions_find(d->sessions, session, root))
		return true;
	if (in->message.call.review) { /* the client itself says where it works */
		for (size_t i = in->message.root_count; i > 0; i--) {
			if (daemon_sessions_may_be_root(
					&d->place, in->message.roots[i - 1]))
				*root = in->message.roots[i - 1];
		}
		return true;
	}
	if (!e->has_world)
		return e->round > 0;
	*root = first_root(d, &e->world);
	/* a client that ran out of time has not said that there is none */
	if (session.len == 0 || (!root->ptr && e->world.partial))
		return true;
	daemon_sessions_set(d->sessions, session, *root);
	if (root->ptr && d->decide)
		decide_session_parent(d->decide, session,
			in->message.call.parent_session, *root, io_clock_wall_ms());
	return true;
}

/* --- a call ------------------------------------------------------------------------- */

/* The roots are asked for together with what the order wants to know, so that
 * this costs no round of its own. */
static void
ask_for_roots(struct daemon *d, struct daemon_intake *in,
	struct daemon_request *r, const struct decide_post *post)
{
	struct order_result result = {0};
	struct str cwd =
		in->message.call.cwd.ptr ? in->message.call.cwd : in->envelope.cwd;

	if (post && d->decide)
		decide_explain(d->decide, in->arena, post, io_clock_wall_ms(), &result);
	answer(d, r,
		&(struct api_answer){
			.kind = API_NEED,
			.needs = result.facts.needs,
			.need_count = result.facts.need_count,
			.roots_of = cwd,
		});
}

static struct str
say_too_large(const struct daemon_intake *in)
{
	if (in->envelope.oversize <= 0)
		return STR("could not judge: the call is too large");
	return arena_fmt(in->arena,
		"could not judge: the call is too large, %lld bytes",
		(long long)in->envelope.oversize);
}

/* What is known without the order: true, and the outcome, which never allows. */
static bool
is_ready(struct daemon *d, struct daemon_intake *in,
	const struct decide_post *post, struct str fault, struct call_outcome *ret)
{
	struct order_result result = {0};
	struct str why = in->poison
		? STR("could not judge: the daemon died twice while it read this "
			  "call, so it is not read again (assent doctor shows it)")
		: in->too_large ? say_too_large(in)
						: in->message.malformed_why;

	*ret = (struct call_outcome){
		.verdict = CALL_VERDICT_DENY,
		.by = CALL_BY_FAILURE,
	};
	if (in->poison || in->too_large || in->message.malformed
		|| !in->message.event) {
		ret->reason =
			why.ptr ? why : STR("could not judge: this event is not known");
		return true;
	}
	if (!fault.ptr)
		return false;
	/* made first: explain leaves the arena without its boundary */
	ret->reason = arena_fmt(in->arena,
		"everything is asked for until this is put right: %.*s",
		STR_ARG(fault));
	decide_explain(d->decide, in->arena, post, io_clock_wall_ms(), &result);
	if (result.next == ORDER_NEEDS_WORLD
		|| (result.next == ORDER_DONE
			&& result.outcome.verdict != CALL_VERDICT_ALLOW))
		return false;
	ret->verdict = CALL_VERDICT_ASK;
	return true;
}

static const struct daemon_hearing *
keep_root(struct daemon_request *r, struct str root)
{
	struct daemon_hearing *h = realloc(r->data, sizeof(*h) + root.len);

	CHECK(h);
	if (root.len > 0)
		memcpy(h->root, root.ptr, root.len);
	h->root_len = root.len;
	r->data = h;
	return h;
}

/* The session's root, and what a review says of its workspace besides. */
static void
set_roots(struct daemon *d, struct daemon_intake *in, struct str *root)
{
	struct adapter_message *m = &in->message;
	struct str *all = ARENA_ARRAY(in->arena, m->root_count + 1, struct str);
	size_t n = 0;

	if (root->ptr)
		all[n++] = *root;
	for (size_t i = 0; i < m->root_count; i++) {
		if (!str_eq(m->roots[i], *root)
			&& daemon_sessions_may_be_root(&d->place, m->roots[i]))
			all[n++] = m->roots[i];
	}
	m->call.roots = all;
	m->call.root_count = n;
}

/* What a review brings of its conversation. */
static void
tell_review(struct daemon_intake *in, struct decide_post *p)
{
	const struct adapter_message *m = &in->message;
	struct judge_message *list =
		ARENA_ARRAY(in->arena, m->talk_count + 1, struct judge_message);

	for (size_t i = 0; i < m->talk_count; i++)
		list[i] = (struct judge_message){
			.from_user = m->talk[i].from_user,
			.text = m->talk[i].text,
		};
	p->messages = list;
	p->message_count = m->talk_count;
	p->allows = m->allows;
	p->allow_count = m->allow_count;
	p->blocks = m->blocks;
	p->block_count = m->block_count;
}

/* What a judge is told besides the call. */
static void
tell(struct daemon *d, struct daemon_intake *in, struct decide_post *p)
{
	const struct adapter_message *m = &in->message;
	struct judge_message *messages;

	/* who was told, or has read it, is not asked for it */
	if (in->envelope.said_count == 0 && m->transcript.len > 0
		&& adapter_transcript_find(str_from(in->agent->name)))
		p->transcript = m->transcript;
	p->message_count =
		daemon_said_get(d->said, in->arena, &m->call, &in->envelope, &messages);
	p->messages = messages;
	p->run_model = m->run_model.len > 0
		? m->run_model
		: daemon_said_model(d->said, &m->call, &in->envelope);
	if (m->call.review)
		tell_review(in, p);
	p->mcp_description = m->mcp_description.ptr ? m->mcp_description
												: in->envelope.mcp_description;
	p->mcp_annotations = m->mcp_annotations.ptr ? m->mcp_annotations
												: in->envelope.mcp_annotations;
}

/* The event's answer carries a person's words. */
static bool
takes_note(const struct adapter_event *e)
{
	return e && e->note == ADAPTER_NOTE_HERE && !e->yields;
}

static void
post_call(struct daemon *d, struct daemon_intake *in, struct daemon_request *r)
{
	struct adapter_message *m = &in->message;
	int64_t now = io_clock_wall_ms();
	struct str *root = ARENA_NEW(in->arena, struct str);
	bool settled = settle_root(d, in, root);
	const struct daemon_hearing *h = keep_root(r, *root);
	struct daemon_rules_now rules = daemon_rules_get(d->rules, *root);
	bool own_prompt = h->agent->own_prompt && h->event && h->event->asks;
	bool elsewhere = h->event && h->event->elsewhere;
	struct call_outcome ready;
	struct decide_post post = {
		.handle = r->handle,
		.key = str_from(h->key),
		.call = in->readable ? &m->call : NULL,
		.world = world_of(d, &in->envelope),
		.policy = rules.policy,
		.settings = daemon_hearing_settings(d, rules.policy, own_prompt),
		.project = *root,
		.deadline_ms = deadline_of(rules.policy, now, in->envelope.left_ms),
		.expires_ms = now
			+ policy_setting_number(rules.policy, "approval.seconds") * 1000,
		.own_prompt = own_prompt,
		.lasting = h->agent->hold_s_max > 0,
		.can_hold = !elsewhere,
		.elsewhere = elsewhere,
		.blind = h->plain,
		.second = m->meaning == ADAPTER_APPROVAL,
		.note_here = takes_note(h->event),
		.agent = h->agent->name,
	};

	set_roots(d, in, root);
	tell(d, in, &post);
	if (!settled && in->readable) {
		ask_for_roots(d, in, r, &post);
		return;
	}
	if (is_ready(d, in, &post, rules.fault, &ready))
		post.ready = &ready;
	r->ended = on_ended;
	daemon_request_drop_body(r);
	decide_post(d->decide, in->arena, &post, now);
}

/* --- what is no call ---------------------------------------------------------------- */

/* For the history of its turn. */
static void
tell_failed(struct daemon *d, struct daemon_intake *in)
{
	struct call *c = &in->message.call;
	struct str *root = ARENA_NEW(in->arena, struct str);

	if (!daemon_sessions_find(d->sessions, c->session, root))
		*root = (struct str){0};
	c->roots = root;
	c->root_count = root->ptr ? 1 : 0;
	decide_failed(d->decide,
		&(struct decide_post){
			.call = c,
			.world = world_of(d, &in->envelope),
			.policy = daemon_rules_get(d->rules, *root).policy,
			.project = *root,
		},
		io_clock_wall_ms());
}

/* What came of a call that the agent's own card showed. */
static void
tell_outcome(struct daemon *d, const struct daemon_intake *in)
{
	const struct adapter_message *m = &in->message;

	if (!d->decide)
		return;
	decide_outcome(d->decide,
		&(struct decide_outcome){
			.session = m->call.session,
			.call_id = m->call.id,
			.outcome = m->outcome,
			.reason = m->error,
			.tool_name = m->call.tool_name,
			.agent = in->agent->name,
		},
		io_clock_wall_ms());
}

static void
take_note_of(
	struct daemon *d, struct daemon_intake *in, struct daemon_request *r)
{
	struct adapter_message *m = &in->message;
	const struct call *c = &m->call;
	int64_t now = io_clock_wall_ms();
	struct str root, note = {0};

	switch (m->meaning) {
	case ADAPTER_SESSION_START:
	case ADAPTER_SUBAGENT_START:
		daemon_said_set_model(d->said, c->session, m->run_model);
		if (c->session.ptr && !settle_root(d, in, &root)) {
			ask_for_roots(d, in, r, NULL);
			return;
		}
		break;
	case ADAPTER_PROMPT:
		if (m->prompt_injected)
			break;
		daemon_said_add(
			d->said, c->session, adapter_said_own(in->arena, m->prompt), now);
		if (d->decide)
			decide_turn(d->decide, c->session, c->turn, now);
		break;
	case ADAPTER_OUTCOME:
		tell_outcome(d, in);
		break;
	case ADAPTER_SESSION_END:
		daemon_said_forget(d->said, c->session);
		if (d->decide)
			decide_session_end(d->decide, c->session, now);
		break;
	case ADAPTER_RESULT:
	case ADAPTER_FAILURE:
		if (d->decide && m->meaning == ADAPTER_FAILURE)
			tell_failed(d, in);
		if (d->decide && takes_note(m->event))
			note = decide_result(d->decide, in->arena, c->session, c->id, now);
		break;
	case ADAPTER_UNKNOWN:
	case ADAPTER_CALL:
	case ADAPTER_APPROVAL:
	case ADAPTER_SUBAGENT_END:
	case ADAPTER_NEUTRAL:
	case ADAPTER_MEANING_COUNT:
		break;
	}
	say_neutral(d, r, in->arena, note);
}

/* --- from the request on ------------------------------------------------------------- */

static bool
decides(const struct daemon_intake *in)
{
	const struct adapter_event *e = in->message.event;

	return !e || e->decides || in->message.meaning == ADAPTER_UNKNOWN;
}

static void
judge_within(
	struct daemon *d, struct daemon_intake *in, struct daemon_request *r)
{
	if (decides(in) && daemon_judge_runs(d, daemon_request_peer(r))) {
		say_denied(
			d, r, in->arena, STR("the judge's own command may not call tools"));
		return;
	}
	if (in->envelope.installed)
		daemon_agents_mark(d->agents, in->arena, in->agent, &in->envelope,
			daemon_request_peer(r));
	if (!decides(in))
		take_note_of(d, in, r);
	else if (d->decide)
		post_call(d, in, r);
	else
		say_denied(d, r, in->arena,
			arena_fmt(in->arena,
				"nothing can be recorded, so nothing is allowed: %s",
				d->no_store));
}

/* The body was read: puts it before decide. */
static void
judge(struct daemon *d, struct daemon_intake *in)
{
	struct daemon_request *r = daemon_http_find(d->http, in->handle);
	struct daemon_hearing *h;

	if (!r)
		return;
	if (in->fault[0]) {
		daemon_request_fail(r, 400, "bad_envelope", "%s", in->fault);
		return;
	}
	if (d->stopping) {
		daemon_request_fail(r, 503, "stopping", "the daemon is stopping");
		return;
	}
	h = calloc(1, sizeof(*h));
	CHECK(h);
	h->agent = in->agent;
	h->event = in->message.event;
	h->plain = in->review != NULL;
	memcpy(h->key, in->envelope.key.ptr, API_KEY_HEX);
	r->data = h;
	if (ARENA_TRY(in->arena)) {
		judge_within(d, in, r);
	} else if (!r->gone && !h->settled) {
		arena_reset(in->arena);
		daemon_request_fail(
			r, 413, "too_large", "the call is too large to judge");
	}
	arena_done(in->arena);
}

static void
read_on_worker(uv_work_t *work)
{
	daemon_intake_read(work->data);
}

static void
on_read(uv_work_t *work, int status)
{
	struct daemon_intake *in = work->data;
	struct daemon *d = in->daemon;

	(void)status;
	d->at_work--;
	judge(d, in);
	daemon_intake_done(in);
	arena_free(in->arena);
	buf_done(&in->body);
	free(in);
}

/* A large body is read on a worker; it takes the body with it. */
static void
read_later(struct daemon *d, struct daemon_request *r, const char *review)
{
	struct daemon_intake *in = calloc(1, sizeof(*in));

	CHECK(in);
	*in = (struct daemon_intake){
		.daemon = d,
		.handle = r->handle,
		.arena = arena_new(LIMIT_ARENA_BYTES),
		.body = r->body,
		.review = review,
	};
	CHECK(in->arena);
	in->bytes = buf_str(&in->body);
	r->body = (struct buf){0};
	in->work.data = in;
	d->at_work++;
	CHECK(uv_queue_work(&d->loop, &in->work, read_on_worker, on_read) == 0);
}

static void
hear(struct daemon *d, struct daemon_request *r, const char *review)
{
	struct daemon_intake in = {
		.daemon = d,
		.handle = r->handle,
		.arena = d->work,
		.bytes = buf_str(&r->body),
		.review = review,
	};

	if (in.bytes.len > LIMIT_WORKER_BODY_BYTES) {
		read_later(d, r, review);
		return;
	}
	arena_reset(d->work);
	daemon_intake_read(&in);
	judge(d, &in);
	daemon_intake_done(&in);
}

void
daemon_hearing_run(struct daemon *d, struct daemon_request *r)
{
	hear(d, r, NULL);
}

void
daemon_hearing_review(struct daemon *d, struct daemon_request *r)
{
	hear(d, r, "review");
}

void
daemon_hearing_outcome(struct daemon *d, struct daemon_request *r)
{
	hear(d, r, "outcome");
}
