/*
 * One attempt to have a question answered: the key, the request or the program,
 * and what the model said.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llm/agent.h"
#include "llm/child.h"
#include "llm/price.h"

enum { SCRATCH_BYTES = 8 << 20, BODY_BYTES = 16 << 20 };

struct llm_attempt {
	uint64_t id;
	struct llm_child *child;
	struct llm_attempt *next;
	uint64_t job;
	enum llm_role role;
	bool plain;
	int64_t until_ms;
	struct llm_post *post; /* one of the two runs, or a report is due */
	struct llm_run *run;
	bool wants_key;   /* run prints the key */
	uv_timer_t later; /* reports what is known at once */
	struct llm_outcome outcome;
};

/* --- who is asked ---------------------------------------------------------------------- */

struct str
llm_attempt_model(
	const struct llm_child *c, const struct llm_ask *ask, enum llm_role role)
{
	const struct llm_provider *p = &c->settings.providers[role];
	struct str model = p->model;

	if (role == LLM_ROLE_FIRST && ask->model.ptr)
		model = ask->model;
	if (role == LLM_ROLE_SECOND && ask->second.ptr)
		model = ask->second;
	return str_eq(model, STR("run")) ? ask->run_model : model;
}

static bool
is_run_model(
	const struct llm_child *c, const struct llm_ask *ask, enum llm_role role)
{
	return ask->run_model.ptr
		&& llm_attempt_model(c, ask, role).ptr == ask->run_model.ptr;
}

/* --- its end ---------------------------------------------------------------------------- */

static void
on_freed(uv_handle_t *handle)
{
	free(handle->data);
}

static void
drop(struct llm_attempt *t)
{
	struct llm_attempt **at = &t->child->attempts;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	uv_close((uv_handle_t *)&t->later, on_freed);
}

static void
report(struct llm_attempt *t)
{
	struct llm_child *c = t->child;
	struct llm_outcome o = t->outcome;
	uint64_t id = t->id;

	drop(t);
	llm_queue_done(c->queue, id, &o, (int64_t)uv_now(&c->loop));
	llm_child_turn(c);
}

static void
on_later(uv_timer_t *timer)
{
	report(timer->data);
}

/* Reports from the loop: whoever starts an attempt is in the middle of a turn. */
static void
fail_later(struct llm_attempt *t, enum llm_trouble why, const char *detail)
{
	struct llm_job *j = llm_child_job(t->child, t->job);

	CHECK(j);
	t->outcome = (struct llm_outcome){.trouble = why, .never = true};
	(void)snprintf(j->detail, sizeof(j->detail), "%s", detail);
	(void)uv_timer_start(&t->later, on_later, 0, 0);
}

/* --- what was said ------------------------------------------------------------------------ */

static void
add_usage(struct llm_attempt *t, struct llm_job *j, const struct llm_reply *r)
{
	const struct llm_child *c = t->child;
	struct llm_usage u = {
		.input_tokens = r->input > 0 ? r->input : 0,
		.cached_tokens = r->cached > 0 ? r->cached : 0,
		.output_tokens = r->output > 0 ? r->output : 0,
	};
	int64_t cost = llm_price_of(
		c->settings.prices, llm_attempt_model(c, &j->ask, t->role), &u);

	if (r->input < 0 && r->output < 0)
		return; /* it did not say */
	j->usage.input_tokens += u.input_tokens;
	j->usage.cached_tokens += u.cached_tokens;
	j->usage.output_tokens += u.output_tokens;
	j->usage.cost_nano =
		cost < 0 || j->usage.cost_nano < 0 ? -1 : j->usage.cost_nano + cost;
}

/* Reads the model's words as a verdict, and keeps it with the question. */
static void
take_words(struct llm_attempt *t, struct llm_job *j, struct str words)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(SCRATCH_BYTES);
	struct llm_word *w = &j->words[t->role];
	struct judge_verdict v = {0};

	CHECK(a);
	if (ARENA_TRY(a))
		judge_verdict_read(a, words, &v);
	arena_done(a);
	if (v.says == JUDGE_SAYS_FAILURE) {
		t->outcome.trouble = LLM_TROUBLE_UNREADABLE;
		(void)snprintf(j->detail, sizeof(j->detail), "%s",
			v.failure ? v.failure : "it is too large");
		return;
	}
	t->outcome.says = v.says;
	free(w->reason);
	w->reason = malloc(v.reason.len + 1);
	CHECK(w->reason);
	if (v.reason.len > 0)
		memcpy(w->reason, v.reason.ptr, v.reason.len);
	w->verdict = v;
	w->verdict.reason = (struct str){w->reason, v.reason.len};
	j->detail[0] = '\0';
}

static void
on_posted(void *data, const struct llm_posted *r)
{
	struct llm_attempt *t = data;
	struct llm_child *c = t->child;
	struct llm_job *j = llm_child_job(c, t->job);

	CHECK(j);
	t->post = NULL;
	t->outcome = (struct llm_outcome){
		.trouble = r->trouble,
		.retry_after_ms = r->retry_after_ms,
		.never = r->never,
		.plain = r->plain && !t->plain,
	};
	(void)snprintf(j->detail, sizeof(j->detail), "%s", r->reply->detail);
	if (r->bad_key) {
		llm_key_wipe(&c->keys[t->role]);
		c->key_until[t->role] = 0;
		(void)snprintf(
			j->detail, sizeof(j->detail), "it does not take the key");
	}
	add_usage(t, j, r->reply);
	if (r->trouble == LLM_TROUBLE_NONE)
		take_words(t, j, buf_str(&r->reply->text));
	if (t->plain && t->outcome.trouble == LLM_TROUBLE_NONE)
		c->plain[t->role] = true;
	report(t);
}

/* What a program printed: the model's words, or an agent's report of them. */
static void
take_output(struct llm_attempt *t, struct llm_job *j, struct str out)
{
	const struct llm_agent *agent =
		llm_agent_of(t->child->settings.providers[t->role].command);
	struct llm_reply r;

	if (!agent || !agent->read) {
		take_words(t, j, out);
		return;
	}
	llm_reply_init(&r, agent->read);
	llm_reply_add(&r, out);
	t->outcome.trouble = llm_reply_end(&r);
	(void)snprintf(j->detail, sizeof(j->detail), "%s", r.detail);
	add_usage(t, j, &r);
	if (t->outcome.trouble == LLM_TROUBLE_NONE)
		take_words(t, j, buf_str(&r.text));
	llm_reply_done(&r);
}

static void
on_ran(void *data, const struct llm_ran *r)
{
	struct llm_attempt *t = data;
	struct llm_job *j = llm_child_job(t->child, t->job);
	char words[LLM_DETAIL_BYTES / 2];

	CHECK(j);
	t->run = NULL;
	t->outcome = (struct llm_outcome){.never = !r->started};
	j->detail[0] = '\0';
	llm_reply_clean(words, sizeof(words), r->err);
	if (!r->started || r->too_much || r->status != 0)
		t->outcome.trouble = LLM_TROUBLE_COMMAND;
	if (r->late)
		t->outcome.trouble = LLM_TROUBLE_TIMEOUT;
	if (!r->started)
		(void)snprintf(
			j->detail, sizeof(j->detail), "there is no such program");
	else if (r->too_much)
		(void)snprintf(j->detail, sizeof(j->detail), "it printed too much");
	else if (r->status != 0 && !r->late)
		(void)snprintf(j->detail, sizeof(j->detail), "exit status %d%s%s",
			r->status, words[0] ? ", " : "", words);
	if (t->outcome.trouble == LLM_TROUBLE_NONE)
		take_output(t, j, r->out);
	report(t);
}

/* --- how it is asked ----------------------------------------------------------------------- */

static int64_t
left_of(const struct llm_attempt *t)
{
	return t->until_ms - (int64_t)uv_now(&t->child->loop);
}

static void
run_command(struct llm_attempt *t, struct llm_job *j)
{
	struct llm_child *c = t->child;
	CLEANUP(arena_freep) struct arena *a = arena_new(SCRATCH_BYTES);
	const char *const *words = NULL;

	CHECK(a);
	if (ARENA_TRY(a)) {
		struct str prompt = arena_fmt(
			a, "%.*s\n\n%.*s\n", STR_ARG(j->ask.system), STR_ARG(j->ask.user));

		words = llm_agent_words(a, c->settings.providers[t->role].command,
			llm_attempt_model(c, &j->ask, t->role));
		if (words && words[0])
			t->run = llm_run_start(c->runs,
				&(struct llm_run_args){
					.words = words,
					.input = prompt,
					.home = c->settings.home,
					.user = c->settings.user,
					.left_ms = left_of(t),
				},
				on_ran, t);
	}
	arena_done(a);
	if (!t->run)
		fail_later(t, LLM_TROUBLE_NO_PROVIDER, "judge.command is not set");
}

static void
post_body(struct llm_attempt *t, struct llm_job *j, const struct llm_key *key)
{
	struct llm_child *c = t->child;
	const struct llm_provider *p = &c->settings.providers[t->role];
	const struct llm_row *row = llm_row_of(p->kind);
	struct llm_request request = {
		.model = llm_attempt_model(c, &j->ask, t->role),
		.system = j->ask.system,
		.user = j->ask.user,
		.stable = j->ask.stable,
		.schema = judge_schema(),
		.plain = t->plain,
	};
	CLEANUP(arena_freep) struct arena *a = arena_new(SCRATCH_BYTES);
	struct llm_post_args args = {
		.row = row,
		.key = {key->len > 0 ? key->bytes : NULL, key->len},
		.proxy = c->settings.proxy,
		.ca = c->settings.ca,
		.left_ms = left_of(t),
	};

	CHECK(a && ARENA_TRY(a));
	args.url = llm_row_url(a, row, p->url);
	arena_done(a);
	if (key->len > 0 && !llm_url_is_safe(args.url)) {
		fail_later(t, LLM_TROUBLE_NO_KEY,
			"a key is not sent over plain http to another machine");
		return;
	}
	buf_init(&args.body, BODY_BYTES);
	row->write(&args.body, row, &request);
	if (args.body.full) {
		buf_done(&args.body);
		fail_later(t, LLM_TROUBLE_TOO_LARGE, "");
		return;
	}
	t->post = llm_http_post(c->http, &args, on_posted, t);
}

static void
on_key(void *data, const struct llm_ran *r)
{
	struct llm_attempt *t = data;
	struct llm_child *c = t->child;
	struct llm_job *j = llm_child_job(c, t->job);
	struct llm_key *key = &c->keys[t->role];

	CHECK(j);
	t->run = NULL;
	if (!r->started || r->late || r->status != 0
		|| !llm_key_take(key, r->out)) {
		fail_later(t, LLM_TROUBLE_NO_KEY,
			!r->started     ? "there is no such program"
				: r->late   ? "the command took too long"
				: r->status ? "the command failed"
							: "the command printed none");
		return;
	}
	c->key_until[t->role] = (int64_t)uv_now(&c->loop) + LLM_KEY_KEEP_MS;
	post_body(t, j, key);
}

static void
ask_for_key(struct llm_attempt *t)
{
	struct llm_child *c = t->child;
	CLEANUP(arena_freep) struct arena *a = arena_new(SCRATCH_BYTES);
	int64_t left = left_of(t);
	const char *const *words = NULL;

	CHECK(a);
	if (ARENA_TRY(a)) {
		words = llm_agent_words(
			a, c->settings.providers[t->role].key_command, (struct str){0});
		if (words)
			t->run = llm_run_start(c->runs,
				&(struct llm_run_args){
					.words = words,
					.home = c->settings.home,
					.user = c->settings.user,
					.left_ms =
						left < LLM_KEY_COMMAND_MS ? left : LLM_KEY_COMMAND_MS,
				},
				on_key, t);
	}
	arena_done(a);
	if (!t->run)
		fail_later(t, LLM_TROUBLE_NO_KEY, "the command has too many words");
}

static void
post_question(struct llm_attempt *t, struct llm_job *j)
{
	struct llm_child *c = t->child;
	const struct llm_provider *p = &c->settings.providers[t->role];
	struct llm_key key = {.len = 0};
	const char *why = NULL;

	if (p->key_file.ptr)
		why = llm_key_read(&key, p->key_file);
	else if (p->key_command.ptr
		&& c->key_until[t->role] <= (int64_t)uv_now(&c->loop))
		ask_for_key(t);
	else if (!p->key_command.ptr && llm_row_of(p->kind)->auth != LLM_AUTH_NONE
		&& !p->url.ptr)
		why = "none is configured";
	if (why)
		fail_later(t, LLM_TROUBLE_NO_KEY, why);
	else if (!t->run)
		post_body(t, j, p->key_file.ptr ? &key : &c->keys[t->role]);
	llm_key_wipe(&key);
}

void
llm_attempt_start(struct llm_child *c, const struct llm_act *act)
{
	struct llm_job *j = llm_child_job(c, act->job);
	struct llm_attempt *t = calloc(1, sizeof(*t));
	const struct llm_provider *p = &c->settings.providers[act->role];
	const struct llm_row *row = llm_row_of(p->kind);

	CHECK(t && j);
	*t = (struct llm_attempt){
		.id = act->attempt,
		.child = c,
		.next = c->attempts,
		.job = act->job,
		.role = act->role,
		.plain = act->plain || c->plain[act->role],
		.until_ms = (int64_t)uv_now(&c->loop) + act->left_ms,
	};
	c->attempts = t;
	j->last = act->role;
	CHECK(uv_timer_init(&c->loop, &t->later) == 0);
	t->later.data = t;
	struct str model = llm_attempt_model(c, &j->ask, act->role);

	if (p->kind == LLM_KIND_COMMAND)
		run_command(t, j);
	else if (!row)
		fail_later(t, LLM_TROUBLE_NO_PROVIDER, "");
	else if (!c->http)
		fail_later(t, LLM_TROUBLE_NO_PROVIDER, "libcurl cannot be loaded");
	else if (!model.ptr || model.len == 0)
		fail_later(t, LLM_TROUBLE_NO_PROVIDER, "no model is named");
	else if (is_run_model(c, &j->ask, act->role) && !llm_row_serves(row, model))
		fail_later(t, LLM_TROUBLE_NO_PROVIDER,
			"the run's own model is not this provider's");
	else
		post_question(t, j);
}

void
llm_attempt_stop(struct llm_child *c, uint64_t id)
{
	struct llm_attempt *t = c->attempts;

	while (t && t->id != id)
		t = t->next;
	if (!t)
		return;
	if (t->post)
		llm_http_stop(t->post);
	if (t->run)
		llm_run_stop(t->run);
	drop(t);
}
