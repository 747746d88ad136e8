#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "decide/steps.h"
#include "judge/redact.h"

/*
 * A model is asked: what the call looked like is kept until the answer comes,
 * then the order runs again. The agent may leave meanwhile, and time may be
 * over: then it could not be judged.
 */

enum {
	KEEP_BYTES = 8 << 20, /* of one call; what is judged is far smaller */
	RESERVE_MS = 2000,    /* of the agent's patience, for a card after all */
	REASON_BYTES = 16 << 10,
	GRACE_MS = 500, /* the asked process keeps the time by itself */
};

bool
decide_judging_is_on(const struct policy *p)
{
	return !str_eq(policy_setting(p, "judge.provider"), STR("none"));
}

/* --- what is kept --------------------------------------------------------- */

static struct str
copy(struct arena *a, struct str s)
{
	return s.ptr ? arena_dup(a, s) : s;
}

static struct str *
copy_list(struct arena *a, const struct str *list, size_t count)
{
	struct str *own = ARENA_ARRAY(a, count + 1, struct str);

	for (size_t i = 0; i < count; i++)
		own[i] = copy(a, list[i]);
	return own;
}

static const struct call *
copy_call(struct arena *a, const struct call *from)
{
	static const size_t texts[] = {
		offsetof(struct call, id),
		offsetof(struct call, session),
		offsetof(struct call, parent_session),
		offsetof(struct call, turn),
		offsetof(struct call, agent),
		offsetof(struct call, agent_role),
		offsetof(struct call, tool_name),
		offsetof(struct call, input),
		offsetof(struct call, description),
		offsetof(struct call, command),
		offsetof(struct call, path),
		offsetof(struct call, content),
		offsetof(struct call, pattern),
		offsetof(struct call, url),
		offsetof(struct call, query),
		offsetof(struct call, server),
		offsetof(struct call, mcp_tool),
		offsetof(struct call, arguments),
		offsetof(struct call, malformed_why),
		offsetof(struct call, cwd),
		offsetof(struct call, asked_reason),
	};
	struct call *c = ARENA_NEW(a, struct call);
	struct str s;

	*c = *from;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		memcpy(&s, (const char *)from + texts[i], sizeof(s));
		s = copy(a, s);
		memcpy((char *)c + texts[i], &s, sizeof(s));
	}
	c->more_paths = copy_list(a, from->more_paths, from->more_path_count);
	c->roots = copy_list(a, from->roots, from->root_count);
	c->scratch = copy_list(a, from->scratch, from->scratch_count);
	return c;
}

static void
copy_world(struct arena *a, struct call_world *w)
{
	struct call_answer *answers =
		ARENA_ARRAY(a, w->answer_count + 1, struct call_answer);
	struct call_variable *variables =
		ARENA_ARRAY(a, w->variable_count + 1, struct call_variable);

	for (size_t i = 0; i < w->answer_count; i++) {
		answers[i].kind = w->answers[i].kind;
		answers[i].name = copy(a, w->answers[i].name);
		answers[i].value = copy(a, w->answers[i].value);
	}
	for (size_t i = 0; i < w->variable_count; i++) {
		variables[i].name = copy(a, w->variables[i].name);
		variables[i].value = copy(a, w->variables[i].value);
	}
	w->answers = answers;
	w->variables = variables;
	w->home = copy(a, w->home);
	w->user = copy(a, w->user);
	w->assent_config = copy(a, w->assent_config);
	w->assent_state = copy(a, w->assent_state);
	w->assent_socket = copy(a, w->assent_socket);
	w->assent_program = copy(a, w->assent_program);
}

/* What only the question needed is not kept. */
static void
copy_post(struct arena *a, struct decide_post *p)
{
	p->key = copy(a, p->key);
	p->call = copy_call(a, p->call);
	copy_world(a, &p->world);
	p->project = copy(a, p->project);
	p->agent = p->agent ? arena_dup(a, str_from(p->agent)).ptr : NULL;
	p->ready = NULL;
	p->messages = NULL;
	p->message_count = 0;
	p->transcript = (struct str){0};
	p->mcp_description = (struct str){0};
	p->mcp_annotations = (struct str){0};
	p->task = (struct str){0};
	p->run_model = (struct str){0};
	p->allows = p->blocks = NULL;
	p->allow_count = p->block_count = 0;
}

static struct decide_judging *
copy_all(struct arena *a, const struct decide_post *p,
	const struct decide_ask *ask, int64_t now_ms)
{
	struct decide_judging *j = ARENA_NEW(a, struct decide_judging);

	j->arena = a;
	j->post = *p;
	copy_post(a, &j->post);
	j->ask = *ask;
	j->ask.session = copy(a, ask->session);
	j->ask.model = copy(a, ask->model);
	j->ask.second = copy(a, ask->second);
	j->ask.run_model = copy(a, ask->run_model);
	j->until_ms = now_ms + ask->left_ms + GRACE_MS;
	return j;
}

struct decide_judging *
decide_judging_new(const struct decide_post *p, const struct decide_ask *ask,
	enum call_mode mode, int64_t now_ms)
{
	struct arena *a = arena_new(KEEP_BYTES);
	struct decide_judging *j = NULL;

	CHECK(a);
	if (ARENA_TRY(a))
		j = copy_all(a, p, ask, now_ms);
	arena_done(a);
	if (!j) {
		arena_free(a);
		return NULL;
	}
	j->mode = mode;
	j->policy = policy_ref(p->policy);
	buf_init(&j->user, JUDGE_USER_BYTES);
	buf_add(&j->user, ask->user);
	j->ask.user = buf_str(&j->user);
	j->bytes = arena_used(a) + j->user.len;
	return j;
}

void
decide_judging_free(struct decide_judging *j)
{
	if (!j)
		return;
	policy_unref(j->policy);
	buf_done(&j->user);
	arena_free(j->arena);
}

bool
decide_judging_has_room(const struct decide *d, const struct decide_session *s)
{
	return d->judging < DECIDE_JUDGED_MAX
		&& s->judging < DECIDE_JUDGED_SESSION_MAX
		&& d->judging_bytes < DECIDE_JUDGED_BYTES_MAX;
}

void
decide_judging_begin(
	struct decide *d, struct decide_hearing *h, struct decide_judging *j)
{
	CHECK(!h->judging);
	h->judging = j;
	h->session->judging++;
	d->judging++;
	d->judging_bytes += j->bytes;
}

struct decide_judging *
decide_judging_take(struct decide *d, struct decide_hearing *h)
{
	struct decide_judging *j = h->judging;

	h->judging = NULL;
	if (!j)
		return NULL;
	h->session->judging--;
	d->judging--;
	d->judging_bytes -= j->bytes;
	return j;
}

/* --- time ----------------------------------------------------------------- */

int64_t
decide_judging_left(const struct decide_post *p, int64_t now_ms)
{
	int64_t most = policy_setting_number(p->policy, "judge.seconds") * 1000;
	int64_t left = p->deadline_ms > now_ms ? p->deadline_ms - now_ms : 0;

	left -= left / 4 < RESERVE_MS ? left / 4 : RESERVE_MS;
	left = left < most ? left : most;
	return left > 0 ? left : 1;
}

void
decide_judging_end(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	decide_acts_unjudge(d, h->number);
	decide_judged(d, h->number,
		&(struct decide_judged){
			.trouble = "timeout",
			.reason = STR("the judge did not answer in time"),
			.cost_nano = -1,
		},
		now_ms);
}

/* A model may repeat what it was not to see. */
static struct str
redact(struct buf *b, struct str s)
{
	buf_init(b, REASON_BYTES);
	if (!s.ptr)
		return s;
	if (!judge_redact(b, s, JUDGE_TEXT_PROSE) || b->full)
		return STR("[secret:text]");
	return buf_str(b);
}

struct decide_judged *
decide_judged_copy(const struct decide_judged *from)
{
	static const size_t texts[] = {
		offsetof(struct decide_judged, verdict.reason),
		offsetof(struct decide_judged, reason),
		offsetof(struct decide_judged, provider),
		offsetof(struct decide_judged, model),
	};
	CLEANUP(buf_done) struct buf said, reason;
	struct decide_judged own = *from;

	own.verdict.reason = redact(&said, from->verdict.reason);
	own.reason = redact(&reason,
		from->reason.ptr ? from->reason : str_from(from->verdict.failure));
	own.verdict.failure = NULL;
	own.provider = str_sub(from->provider, 0, DECIDE_TEXT_BYTES);
	own.model = str_sub(from->model, 0, DECIDE_TEXT_BYTES);
	return decide_copy(&own, sizeof(own), texts, ARRAY_LEN(texts));
}

void
decide_judged(struct decide *d, int64_t number,
	const struct decide_judged *judged, int64_t now_ms)
{
	struct decide_hearing *h = decide_hearing_by_number(d, number);

	if (!h || h->state != DECIDE_STATE_JUDGING || h->handle == 0)
		return;
	struct arena *a = arena_new(LIMIT_ARENA_BYTES);

	CHECK(a);
	h->judged = decide_judged_copy(judged);
	decide_session_cost(d, h->session, judged->cost_nano, now_ms);
	decide_post_judged(d, a, h, now_ms);
	arena_free(a);
}

/* --- steps ---------------------------------------------------------------- */

enum decide_state
decide_do_ask_judge(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	(void)now_ms;
	CHECK(d->new_judging);
	decide_judging_begin(d, h, d->new_judging);
	decide_acts_judge(d, h->number);
	return DECIDE_STATE_JUDGING;
}

/* The call is kept with the row that says so. */
static enum decide_state
leave_judged(struct decide *d, struct decide_hearing *h, int64_t now_ms,
	enum decide_state (*leave)(
		struct decide *d, struct decide_hearing *h, int64_t now_ms))
{
	struct decide_kept kept;

	decide_acts_unjudge(d, h->number);
	decide_kept_of(h->judging->post.call, &kept);
	d->kept = &kept;
	enum decide_state next = leave(d, h, now_ms);

	d->kept = NULL;
	decide_kept_done(&kept);
	return next;
}

enum decide_state
decide_do_withdraw_judged(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return leave_judged(d, h, now_ms, decide_do_withdraw);
}

enum decide_state
decide_do_lose_judged(
	struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	return leave_judged(d, h, now_ms, decide_do_lose);
}
