#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"

/*
 * Grants: what people answered "always" to, by project. The store has them; here
 * is what it said last. Whether one would cover a call only the order knows, so
 * it is asked.
 */

enum {
	GRANTS_BYTES = 64 << 20,
	PATTERN_WORDS = 4, /* of a proposal, before its star */
	PATTERN_BYTES = 256,
	RESOURCE_BYTES = 16 << 10, /* a longer one is granted once at a time */
};

/* Without what cannot be read nobody is freer than before. */
int
decide_grants_load(struct decide *d)
{
	struct arena *a = arena_new(GRANTS_BYTES);
	struct store_grant *list = NULL;
	size_t n = 0;
	int r = fail_here(FAIL_MEMORY, "the grants do not fit in memory");

	CHECK(a);
	arena_free(d->grants_arena);
	d->grants_arena = a;
	d->grants = NULL;
	d->grant_count = 0;
	if (!d->reader)
		return 0;
	if (!ARENA_TRY(a))
		return r;
	r = store_read_grants(d->reader, a, (struct str){0}, &list, &n);
	arena_done(a);
	if (r != 0)
		return r;
	d->grants = list;
	d->grant_count = n;
	return 0;
}

bool
decide_grant_get(const struct decide *d, size_t i, struct store_grant *ret)
{
	if (i >= d->grant_count)
		return false;
	*ret = d->grants[i];
	return true;
}

void
decide_grants_add(const struct decide *d, struct arena *a, struct str project,
	const struct order_grant *extra, struct order_input *in)
{
	struct order_grant *list;
	size_t n = 0;

	in->grants = NULL;
	in->grant_count = 0;
	if (project.len == 0 || (d->grant_count == 0 && !extra))
		return;
	list = ARENA_ARRAY(a, d->grant_count + 1, struct order_grant);
	for (size_t i = 0; i < d->grant_count; i++) {
		const struct store_grant *g = &d->grants[i];

		if (str_eq(g->project, project))
			list[n++] = (struct order_grant){
				.action = g->action,
				.resource = g->resource,
				.exact = g->exact,
			};
	}
	if (extra)
		list[n++] = *extra;
	in->grants = list;
	in->grant_count = n;
}

/* A grant of these says what it is for; of the others, only that it was used. */
static bool
has_resource(enum call_tool tool)
{
	switch (tool) {
	case CALL_TOOL_SHELL:
	case CALL_TOOL_READ:
	case CALL_TOOL_WRITE:
	case CALL_TOOL_EDIT:
	case CALL_TOOL_DELETE:
	case CALL_TOOL_SEARCH:
	case CALL_TOOL_LIST:
	case CALL_TOOL_FETCH:
	case CALL_TOOL_WEB_SEARCH:
	case CALL_TOOL_MCP:
		return true;
	case CALL_TOOL_NONE:
	case CALL_TOOL_AGENT:
	case CALL_TOOL_OTHER:
	case CALL_TOOL_COUNT:
		break;
	}
	return false;
}

/* True if the order would allow the call because of g. */
static bool
covers(const struct decide *d, struct arena *a, const struct order_input *in,
	struct str project, const struct order_grant *g)
{
	struct order_input with = *in;
	struct order_result result = {0};

	if (project.len == 0 || g->resource.len == 0
		|| g->resource.len > RESOURCE_BYTES || !has_resource(in->call->tool))
		return false;
	decide_grants_add(d, a, project, g, &with);
	order_decide(a, &with, &result);
	return result.next == ORDER_DONE
		&& result.outcome.verdict == CALL_VERDICT_ALLOW
		&& result.outcome.by == CALL_BY_GRANT;
}

/* A word as sub-commands are named: no option, no path, nothing to quote. */
static bool
is_plain(struct str word)
{
	if (word.len == 0 || word.ptr[0] < 'a' || word.ptr[0] > 'z')
		return false;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.ptr[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
				|| c == '_' || c == ':'))
			return false;
	}
	return true;
}

static struct str
propose_words(struct arena *a, const struct call_facts *f)
{
	const struct call_command *c = f->commands;
	struct str text = {0};
	size_t n = 0;

	if (f->command_count != 1)
		return text;
	while (n < c->word_count && n < PATTERN_WORDS && !c->words[n].dynamic
		&& is_plain(c->words[n].text)) {
		text = n == 0 ? c->words[n].text
					  : arena_fmt(a, "%.*s %.*s", STR_ARG(text),
						  STR_ARG(c->words[n].text));
		n++;
	}
	if (n < 2 || text.len > PATTERN_BYTES)
		return (struct str){0};
	return arena_fmt(a, "%.*s *", STR_ARG(text));
}

/* The narrowest useful pattern: of a shell call its leading sub-commands and a
 * star, of a fetch its host; absent when there is none. */
static struct str
propose(struct arena *a, const struct call *call, const struct call_facts *f)
{
	if (call->tool == CALL_TOOL_FETCH && f->host_count == 1)
		return f->hosts[0];
	return call->tool == CALL_TOOL_SHELL ? propose_words(a, f)
										 : (struct str){0};
}

struct decide_offer
decide_grant_offer(const struct decide *d, struct arena *a,
	const struct order_input *in, const struct call_facts *f,
	const struct decide_asked *asked)
{
	const struct decide_pending *reply = asked->reply;
	struct decide_offer offer = {0};
	struct order_grant exactly = {
		.action = str_from(call_tool_name(in->call->tool)),
		.resource = order_resource(a, in->call),
		.exact = true,
	};
	struct order_grant pattern = {.action = exactly.action};

	offer.always = covers(d, a, in, asked->project, &exactly);
	if (!offer.always)
		return offer;
	if (in->call->tool != CALL_TOOL_SHELL)
		offer.resource = exactly.resource;
	pattern.resource = propose(a, in->call, f);
	if (covers(d, a, in, asked->project, &pattern))
		offer.pattern = pattern.resource;
	if (!reply || reply->reply != CALL_REPLY_ALWAYS)
		return offer;
	offer.grant = exactly;
	if (reply->as.len > 0 && !str_eq(reply->as, exactly.resource)) {
		pattern.resource = reply->as;
		offer.grant = pattern;
	}
	offer.fits = covers(d, a, in, asked->project, &offer.grant);
	return offer;
}

struct str
decide_grant_pattern(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h ? h->texts->pattern : (struct str){0};
}

struct str
decide_grant_resource(const struct decide *d, int64_t number)
{
	const struct decide_hearing *h = decide_hearing_by_number(d, number);

	return h ? h->texts->grant : (struct str){0};
}

/* --- recorded, taken back ------------------------------------------------- */

void
decide_grant_write(struct decide *d, struct decide_hearing *h, int64_t now_ms)
{
	const struct decide_pending *p = h->pending;
	struct decide_pending row = *p;

	if (p->reply != CALL_REPLY_ALWAYS || !p->grant.ptr)
		return;
	store_batch_add_grant(decide_rows_batch(d),
		&(struct store_grant){
			.project = p->project,
			.action = str_from(call_tool_name(h->tool)),
			.resource = p->grant,
			.exact = p->grant_exact,
			.hearing = h->number,
			.time_ms = now_ms,
		});
	row.reason = p->grant_exact
		? STR("always, for exactly what the card showed")
		: STR("always, for a pattern");
	decide_rows_audit(d, h, STORE_KIND_GRANT, &row, now_ms);
	d->grants_gather = true;
}

void
decide_grants_committed(struct decide *d, bool ok)
{
	if (d->grants_out && ok) {
		if (decide_grants_load(d) != 0)
			decide_acts_journal(d, "no grant holds: %s", fail_text());
		decide_acts_changed(d, NULL);
	}
	d->grants_out = false;
}

// NOLINTBEGIN(readability-function-size): number and project name one grant
void
decide_grant_remove(struct decide *d, int64_t number, struct str project,
	const struct decide_who *who, uint64_t handle, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(1 << 20);
	size_t n = 0;

	for (size_t i = 0; i < d->grant_count; i++) {
		const struct store_grant *g = &d->grants[i];

		if (number != 0 ? g->number != number : !str_eq(g->project, project))
			continue;
		store_batch_drop_grant(decide_rows_batch(d), g->number);
		n++;
	}
	if (n == 0 && number != 0) {
		decide_acts_replied(d, handle, DECIDE_ABSENT, NULL,
			STR("there is no such grant (assent grants list)"));
		return;
	}
	CHECK(a);
	CHECK(ARENA_TRY(a)); /* a line */
	struct store_audit row = {
		.kind = STORE_KIND_GRANT,
		.reason = number != 0
			? arena_fmt(a, "grant %lld taken back", (long long)number)
			: arena_fmt(a, "all %zu grants of %.*s taken back", n,
				STR_ARG(str_sub(project, 0, DECIDE_TEXT_BYTES))),
		.source = STR("user"),
		.who = who->name,
		.level = who->level,
		.ancestry = who->ancestry,
		.surface = who->surface,
	};

	d->grants_gather = true;
	decide_record(d, &row, handle, now_ms);
}
// NOLINTEND(readability-function-size)
