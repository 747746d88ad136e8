#include "daemon/judge.h"

#include <stdlib.h>

#include "daemon/journal.h"
#include "io/clock.h"
#include "io/proc.h"

enum { CHAIN_BYTES = 1 << 20, SETTINGS_BYTES = 16 << 20 };

/* A question that is out: a hearing's, which has one at a time, or a person's
 * own (number is 0). */
struct daemon_judge_open {
	uint64_t id;
	int64_t number;  /* of the hearing */
	uint64_t handle; /* of the person's request */
	struct daemon_judge_open *next;
};

/* --- answers ------------------------------------------------------------------------ */

static void
tell_decide(struct daemon *d, int64_t number, const struct llm_answer *n)
{
	decide_judged(d->decide, number,
		&(struct decide_judged){
			.verdict = n->verdict,
			.trouble = n->trouble == LLM_TROUBLE_NONE
				? NULL
				: llm_trouble_name(n->trouble),
			.reason = n->reason,
			.provider = n->provider,
			.model = n->model,
			.input_tokens = n->usage.input_tokens,
			.cached_tokens = n->usage.cached_tokens,
			.output_tokens = n->usage.output_tokens,
			.cost_nano = n->usage.cost_nano,
			.latency_ms = n->usage.latency_ms,
			.attempts = (int)n->usage.attempts,
			.shared = n->usage.shared,
		},
		io_clock_wall_ms());
}

static void
on_answered(void *data, const struct llm_answer *n)
{
	struct daemon *d = data;
	struct daemon_judge_open **at = &d->judging;

	while (*at && (*at)->id != n->id)
		at = &(*at)->next;
	struct daemon_judge_open *o = *at;

	if (!o)
		return;
	struct daemon_judge_open open = *o;

	*at = o->next;
	free(o);
	if (open.handle != 0)
		daemon_question_answer(d, open.handle, n);
	else if (d->decide)
		tell_decide(d, open.number, n);
}

static void
on_said(void *data, const char *line)
{
	(void)data;
	daemon_journal("%s", line);
}

/* --- settings ------------------------------------------------------------------------ */

static struct str
value_of(const struct policy *p, const char *name)
{
	struct str value = policy_setting(p, name);

	return value.len > 0 ? value : (struct str){0};
}

/* A path of a setting, from the root. */
static struct str
path_of(struct daemon *d, const struct policy *p, const char *name)
{
	struct str path = value_of(p, name);

	return str_starts(path, STR("~/")) ? arena_fmt(d->asking, "%.*s%.*s",
			   STR_ARG(d->place.home), STR_ARG(str_sub(path, 1, path.len)))
									   : path;
}

static const struct {
	const char *provider, *model, *url, *key_file, *key_command, *command;
} names[LLM_ROLE_COUNT] = {
#define NAMES(prefix)                                                       \
	{                                                                       \
		prefix "provider", prefix "model", prefix "url", prefix "key.file", \
			prefix "key.command", prefix "command"                          \
	}
	[LLM_ROLE_FIRST] = NAMES("judge."),
	[LLM_ROLE_FALLBACK] = NAMES("judge.fallback."),
	[LLM_ROLE_SECOND] = NAMES("judge.second."),
#undef NAMES
};

/* A second or fallback that names no provider of its own is reached as the first
 * one is, with its own model. */
static void
settle_second(const struct policy *p, struct llm_settings *s, enum llm_role i)
{
	struct llm_provider *own = &s->providers[i];
	struct str model = own->model;

	if (own->kind != LLM_KIND_NONE || !model.ptr
		|| policy_setting_is_set(p, names[i].provider))
		return;
	*own = s->providers[LLM_ROLE_FIRST];
	own->model = model;
}

void
daemon_judge_settings(struct daemon *d)
{
	struct daemon_rules_now now = daemon_rules_get(d->rules, (struct str){0});
	const struct policy *p = now.policy;

	arena_reset(d->asking);
	CHECK(ARENA_TRY(d->asking)); /* it holds more than a rules file */
	struct llm_settings s = {
		.proxy = value_of(p, "judge.proxy"),
		.ca = path_of(d, p, "judge.ca"),
		.prices = value_of(p, "judge.prices"),
		.home = d->place.home,
		.user = d->place.user,
		.parallel = policy_setting_number(p, "judge.parallel"),
	};

	for (size_t i = 0; i < LLM_ROLE_COUNT; i++)
		s.providers[i] = (struct llm_provider){
			.kind = llm_kind_from(policy_setting(p, names[i].provider)),
			.model = value_of(p, names[i].model),
			.url = value_of(p, names[i].url),
			.key_file = path_of(d, p, names[i].key_file),
			.key_command = value_of(p, names[i].key_command),
			.command = value_of(p, names[i].command),
		};
	for (size_t i = 0; i < LLM_ROLE_COUNT; i++)
		d->judged_by_command |= s.providers[i].kind == LLM_KIND_COMMAND;
	settle_second(p, &s, LLM_ROLE_SECOND);
	settle_second(p, &s, LLM_ROLE_FALLBACK);
	llm_configure(d->llm, &s);
	arena_done(d->asking);
}

/* --- questions ------------------------------------------------------------------------- */

static uint64_t
open_question(struct daemon *d, int64_t number, uint64_t handle)
{
	struct daemon_judge_open *o = calloc(1, sizeof(*o));

	CHECK(o);
	o->id = ++d->questions;
	o->number = number;
	o->handle = handle;
	o->next = d->judging;
	d->judging = o;
	daemon_judge_settings(d);
	return o->id;
}

void
daemon_judge_ask(struct daemon *d, const struct decide_act *act)
{
	const struct decide_ask *ask = &act->ask;

	llm_ask(d->llm,
		&(struct llm_ask){
			.id = open_question(d, act->number, 0),
			.session = ask->session,
			.system = ask->system,
			.user = ask->user,
			.stable = ask->prefix,
			.model = ask->model,
			.second = ask->second,
			.run_model = ask->run_model,
			.left_ms = ask->left_ms,
		});
}

void
daemon_judge_ask_own(
	struct daemon *d, uint64_t handle, const struct llm_ask *ask)
{
	struct llm_ask own = *ask;

	own.id = open_question(d, 0, handle);
	llm_ask(d->llm, &own);
}

/* Nobody waits for it any more; at points at it, or at nothing. */
static void
give_up(struct daemon *d, struct daemon_judge_open **at)
{
	struct daemon_judge_open *o = *at;

	if (!o)
		return;
	llm_cancel(d->llm, o->id);
	*at = o->next;
	free(o);
}

void
daemon_judge_withdraw(struct daemon *d, int64_t number)
{
	struct daemon_judge_open **at = &d->judging;

	while (*at && ((*at)->handle != 0 || (*at)->number != number))
		at = &(*at)->next;
	give_up(d, at);
}

void
daemon_judge_withdraw_own(struct daemon *d, uint64_t handle)
{
	struct daemon_judge_open **at = &d->judging;

	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	give_up(d, at);
}

bool
daemon_judge_runs(struct daemon *d, int64_t pid)
{
	int64_t child = llm_child_pid(d->llm);
	struct io_proc chain[IO_PROC_CHAIN_MAX];
	bool runs = false;

	/* looking up who started whom takes longer than deciding */
	if (!d->judged_by_command || child == 0 || pid == 0)
		return false;
	CLEANUP(arena_freep) struct arena *a = arena_new(CHAIN_BYTES);

	CHECK(a);
	if (!ARENA_TRY(a))
		return true; /* what cannot be made out may be one */
	size_t n = io_proc_chain(a, pid, chain);

	for (size_t i = 0; i < n; i++)
		runs = runs || chain[i].pid == child
			|| llm_runs_group(d->llm, chain[i].session);
	arena_done(a);
	return runs;
}

void
daemon_judge_init(struct daemon *d)
{
	const struct llm_hooks hooks = {
		.data = d,
		.answered = on_answered,
		.said = on_said,
	};

	d->asking = arena_new(SETTINGS_BYTES);
	CHECK(d->asking);
	CHECK(llm_new(&d->loop, &hooks, &d->llm) == 0);
	daemon_judge_settings(d);
}

void
daemon_judge_done(struct daemon *d)
{
	llm_free(d->llm);
	d->llm = NULL;
	arena_free(d->asking);
	d->asking = NULL;
	while (d->judging) {
		struct daemon_judge_open *o = d->judging;

		d->judging = o->next;
		free(o);
	}
}
