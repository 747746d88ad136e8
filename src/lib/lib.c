/*
 * The public functions. Each one that runs our own code is a boundary: a broken
 * promise inside jumps back here and becomes ASSENT_BUG, so that the host lives
 * on. What the code held then is lost; that is the price, and it is a bug.
 */

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "assent/assent.h"
#include "base/limits.h"
#include "base/version.h"
#include "check/check.h"

struct assent_rules {
	struct policy *policy;
};

/* Where a broken promise of this thread goes; NULL outside our functions. */
static _Thread_local jmp_buf *boundary;

static void
on_bug(const char *file, int line, const char *cond)
{
	jmp_buf *to = boundary;

	(void)file;
	(void)line;
	(void)cond;
	boundary = NULL;
	if (to) {
		// NOLINTNEXTLINE(cert-err52-cpp): the host must not be ended
		longjmp(*to, 1);
	}
}

__attribute__((constructor)) static void
set_handler(void)
{
	base_on_bug(on_bug);
}

const char *
assent_version(void)
{
	return BASE_VERSION;
}

const char *
assent_text(enum assent_result result)
{
	switch (result) {
	case ASSENT_OK:
		return "fine";
	case ASSENT_MEMORY:
		return "out of memory";
	case ASSENT_ARGUMENT:
		return "an argument is missing or unknown";
	case ASSENT_RULES:
		return "the rules have faults";
	case ASSENT_BUG:
		return "a broken promise inside libassent";
	}
	return "unknown result";
}

void
assent_free(char *text)
{
	free(text);
}

/* --- one piece of work behind the boundary ----------------------------------- */

struct job {
	enum assent_result (*run)(struct job *job);
	struct assent_rules *rules;   /* new, add */
	struct check_options options; /* check */
	enum policy_layer layer;
	struct str name, text;
	char *out;
};

static enum assent_result
run_job(struct job *job)
{
	jmp_buf here;
	jmp_buf *outer = boundary;

	if (setjmp(here) != 0) {
		boundary = outer;
		return ASSENT_BUG;
	}
	boundary = &here;
	enum assent_result result = job->run(job);

	boundary = outer;
	return result;
}

/* The text of a buffer as the host's own. */
static enum assent_result
give(struct job *job, const struct buf *b)
{
	struct str s = buf_str(b);

	if (b->full)
		return ASSENT_MEMORY;
	while (s.len > 0 && s.ptr[s.len - 1] == '\n')
		s.len--;
	job->out = malloc(s.len + 1);
	if (!job->out)
		return ASSENT_MEMORY;
	if (s.len > 0)
		memcpy(job->out, s.ptr, s.len);
	job->out[s.len] = '\0';
	return ASSENT_OK;
}

/* --- rules -------------------------------------------------------------------- */

static enum assent_result
run_new(struct job *job)
{
	job->rules->policy = policy_new();
	return job->rules->policy ? ASSENT_OK : ASSENT_MEMORY;
}

enum assent_result
assent_rules_new(struct assent_rules **ret_rules)
{
	struct job job = {.run = run_new};

	if (!ret_rules)
		return ASSENT_ARGUMENT;
	job.rules = calloc(1, sizeof(*job.rules));
	if (!job.rules)
		return ASSENT_MEMORY;
	enum assent_result result = run_job(&job);

	if (result == ASSENT_OK)
		*ret_rules = job.rules;
	else
		free(job.rules);
	return result;
}

void
assent_rules_free(struct assent_rules *rules)
{
	if (!rules)
		return;
	policy_unref(rules->policy);
	free(rules);
}

static enum assent_result
give_faults(struct job *job, const struct policy_faults *faults)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, LIMIT_RULES_BYTES);
	for (size_t i = 0; i < faults->count; i++) {
		const struct policy_fault *f = &faults->list[i];

		buf_addf(&b, "%.*s:%u:%u: %.*s", STR_ARG(job->name), f->line, f->column,
			STR_ARG(f->message));
		if (f->suggestion.len > 0)
			buf_addf(&b, " (%.*s)", STR_ARG(f->suggestion));
		buf_add_char(&b, '\n');
	}
	return give(job, &b);
}

static enum assent_result
run_add(struct job *job)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	struct policy_faults faults = {.count = 0};

	if (!a || !ARENA_TRY(a))
		return ASSENT_MEMORY;
	if (policy_add(
			job->rules->policy, job->layer, job->name, job->text, a, &faults))
		return ASSENT_OK;
	enum assent_result given = give_faults(job, &faults);

	return given == ASSENT_OK ? ASSENT_RULES : given;
}

enum assent_result
assent_rules_add(struct assent_rules *rules, const char *layer,
	const char *name, const char *text, char **reterr_faults)
{
	struct job job = {
		.run = run_add,
		.rules = rules,
		.name = str_from(name),
		.text = str_from(text),
	};

	if (!rules || !layer || !name || !text
		|| !policy_layer_from(str_from(layer), &job.layer))
		return ASSENT_ARGUMENT;
	enum assent_result result = run_job(&job);

	if (result == ASSENT_RULES && reterr_faults)
		*reterr_faults = job.out;
	else
		free(job.out);
	return result;
}

/* --- calls -------------------------------------------------------------------- */

static enum assent_result
run_check(struct job *job)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(LIMIT_ARENA_BYTES);
	CLEANUP(buf_done) struct buf out;

	buf_init(&out, (size_t)LIMIT_ARENA_BYTES * 8);
	if (!a)
		return ASSENT_MEMORY;
	check_line(a, &job->options, job->text, &out);
	return give(job, &out);
}

static enum assent_result
check(const struct assent_rules *rules, struct str line, bool with_trace,
	char **ret_result)
{
	struct job job = {.run = run_check, .text = line};

	if (!rules || !line.ptr || !ret_result)
		return ASSENT_ARGUMENT;
	job.options = (struct check_options){
		.policy = rules->policy, .with_trace = with_trace};
	enum assent_result result = run_job(&job);

	if (result == ASSENT_OK)
		*ret_result = job.out;
	return result;
}

enum assent_result
assent_check(const struct assent_rules *rules, const char *line, size_t length,
	char **ret_result)
{
	return check(rules, (struct str){line, length}, false, ret_result);
}

enum assent_result
assent_explain(const struct assent_rules *rules, const char *line,
	size_t length, char **ret_result)
{
	return check(rules, (struct str){line, length}, true, ret_result);
}
