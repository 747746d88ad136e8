#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "decide/decide_priv.h"
#include "judge/redact.h"
#include "wire/json.h"
#include "wire/sha256.h"

/*
 * What a model is told of a session's turn. It only grows, and only behind what
 * was there; all of it is in the store too, so that neither a restart nor a lack
 * of memory changes a byte. What is new becomes a user rule at the next turn.
 */

enum {
	RESTORE_BYTES = 32 << 20,
	RESOURCE_BYTES = 16 << 10, /* what is longer stands for nothing */
	REDACTED_BYTES = 64 << 10,
	LINE_BYTES = 64 << 10,
	OLD_MS = 3 * 86400000, /* turns that nobody came back to */
};

/* A call that the judge refused in this turn. */
struct refused {
	unsigned char digest[DECIDE_DIGEST_BYTES];
	enum call_risk risk;
	char reason[512];
};

struct decide_turn {
	struct judge_turn *text;
	struct store_turn *row; /* one block, without the head */
	bool has_head, has_row;
	uint64_t batch; /* that its newest row is in */
	struct refused *refused;
	size_t refused_count;
};

enum { REFUSED_MAX = 64 }; /* then the oldest are forgotten */

/* --- in memory ------------------------------------------------------------ */

static void
free_turn(struct decide *d, struct decide_session *s)
{
	struct decide_turn *t = s->turn;

	if (!t)
		return;
	judge_turn_free(t->text);
	free(t->row);
	free(t->refused);
	free(t);
	s->turn = NULL;
	d->turn_count--;
}

void
decide_turns_free(struct decide *d, struct decide_session *s)
{
	free_turn(d, s);
}

static void
set_row(struct decide_turn *t, const struct store_turn *row)
{
	static const size_t texts[] = {
		offsetof(struct store_turn, session),
		offsetof(struct store_turn, turn),
		offsetof(struct store_turn, said),
		offsetof(struct store_turn, head),
	};
	struct store_turn own = *row;

	own.head = (struct str){0};
	own.turn = str_sub(own.turn, 0, DECIDE_TEXT_BYTES);
	struct store_turn *copy =
		decide_copy(&own, sizeof(own), texts, ARRAY_LEN(texts));

	free(t->row);
	t->row = copy;
}

/* As the store has it; nothing when it cannot be read. */
static void
restore(struct decide *d, struct decide_session *s, struct decide_turn *t)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(RESTORE_BYTES);
	struct store_turn row;
	struct store_line *lines = NULL;
	size_t n = 0;

	if (!a || !d->reader || !ARENA_TRY(a)
		|| store_read_turn(d->reader, a, s->row->id, &row) != 0
		|| store_read_lines(d->reader, a, s->row->id, &lines, &n) != 0)
		return;
	set_row(t, &row);
	t->has_row = true;
	t->has_head = row.head.ptr != NULL;
	if (t->has_head)
		judge_turn_set_head(t->text, row.head);
	if (n > 0 && lines[0].entry > 1)
		judge_turn_skip(t->text, (size_t)lines[0].entry - 1);
	for (size_t i = 0; i < n; i++)
		judge_turn_add_line(t->text, lines[i].line);
}

/* What is in the store may go from memory: the one not used for longest. */
static void
make_room(struct decide *d)
{
	struct decide_session *oldest = NULL;

	for (struct decide_session *s = d->sessions; s; s = s->next) {
		if (s->turn && s->turn->batch < d->batch && s->turn->batch != d->out
			&& (!oldest || s->used_ms < oldest->used_ms))
			oldest = s;
	}
	if (!oldest)
		return;
	free_turn(d, oldest);
	oldest->turn_is_new = false;
}

static struct decide_turn *
turn_of(struct decide *d, struct decide_session *s)
{
	struct decide_turn *t = s->turn;

	if (t)
		return t;
	if (d->turn_count >= DECIDE_TURNS_MAX)
		make_room(d);
	t = calloc(1, sizeof(*t));
	CHECK(t);
	t->text = judge_turn_open();
	CHECK(t->text);
	set_row(t, &(struct store_turn){.session = s->row->id});
	if (!s->turn_is_new)
		restore(d, s, t);
	s->turn_is_new = true;
	s->turn = t;
	d->turn_count++;
	return t;
}

void
decide_turns_end(struct decide *d, struct decide_session *s)
{
	if (s->turn && s->turn->row->turn.len > 0)
		s->turn_before = decide_hash(s->turn->row->turn);
	free_turn(d, s);
	s->turn_is_new = true;
	store_batch_drop_turn(decide_rows_batch(d), s->row->id);
}

/* --- which turn it is ----------------------------------------------------- */

/* Of the user's newest message, in a; empty when there is none. */
static struct str
digest_said(struct arena *a, const struct decide_post *p)
{
	char hex[WIRE_SHA256_HEX + 1];

	for (size_t i = p->message_count; i > 0; i--) {
		const struct judge_message *m = &p->messages[i - 1];

		if (!m->from_user || m->injected)
			continue;
		wire_sha256_text(m->text, hex);
		return arena_dup(a, str_from(hex));
	}
	return STR("");
}

/* By the agent's name of it. Where it has none, and does not say when the user
 * writes, by what the user wrote last. */
static bool
is_over(const struct decide_session *s, const struct decide_turn *t,
	struct str turn, struct str said)
{
	if (turn.len > 0)
		return t->row->turn.len > 0 && !str_eq(t->row->turn, turn);
	return s->row->turn.len == 0 && said.len > 0 && t->has_head
		&& !str_eq(t->row->said, said);
}

/* A call of the turn before, which ends in this one. */
static bool
is_late(const struct decide_session *s, struct str turn)
{
	return turn.len > 0 && s->turn_before != 0
		&& decide_hash(str_sub(turn, 0, DECIDE_TEXT_BYTES)) == s->turn_before;
}

static struct decide_turn *
turn_now(struct decide *d, struct decide_session *s, struct str turn,
	struct str said)
{
	struct decide_turn *t = turn_of(d, s);

	if (is_late(s, turn))
		return t;
	turn = str_sub(turn, 0, DECIDE_TEXT_BYTES);
	if (is_over(s, t, turn, said)) {
		decide_turns_end(d, s);
		t = turn_of(d, s);
	}
	if (turn.len > 0 && t->row->turn.len == 0) {
		struct store_turn row = *t->row;

		row.turn = turn;
		set_row(t, &row);
		t->has_row = false;
	}
	return t;
}

/* --- history -------------------------------------------------------------- */

static void
write_row(
	struct decide *d, struct decide_turn *t, struct str head, int64_t now_ms)
{
	struct store_turn row = *t->row;

	row.head = head;
	row.time_ms = now_ms;
	store_batch_set_turn(decide_rows_batch(d), &row);
	t->has_row = true;
	t->batch = d->batch;
}

/* A new turn's row comes with its first line: lines without one are swept. */
static void
add_line(struct decide *d, struct decide_session *s, struct decide_turn *t,
	struct str line, int64_t now_ms)
{
	size_t dropped = judge_turn_dropped(t->text);

	if (!t->has_row && !t->has_head)
		write_row(d, t, (struct str){0}, now_ms);
	judge_turn_add_line(t->text, line);
	store_batch_add_line(decide_rows_batch(d),
		&(struct store_line){
			.session = s->row->id,
			.entry = (int64_t)judge_turn_entries(t->text),
			.line = line,
		});
	if (judge_turn_dropped(t->text) != dropped)
		store_batch_drop_lines(decide_rows_batch(d), s->row->id,
			(int64_t)judge_turn_dropped(t->text));
	t->batch = d->batch;
}

void
decide_turns_add(struct decide *d, struct decide_session *s,
	const struct decide_said *said, int64_t now_ms)
{
	CLEANUP(buf_done) struct buf line;

	buf_init(&line, LINE_BYTES);
	if (!said->subject.ptr || is_late(s, said->turn))
		return;
	buf_add(&line, said->subject);
	judge_entry_outcome(&line,
		&(struct judge_entry){
			.outcome = str_from(said->outcome),
			.note = said->note,
			.source = said->source,
		});
	if (!line.full)
		add_line(d, s, turn_now(d, s, said->turn, (struct str){0}),
			buf_str(&line), now_ms);
}

/* --- what a call is about ------------------------------------------------- */

static bool
add_resource(struct buf *list, struct str resource, enum judge_text kind)
{
	CLEANUP(buf_done) struct buf redacted;

	buf_init(&redacted, REDACTED_BYTES);
	if (resource.len > RESOURCE_BYTES
		|| !judge_redact(&redacted, resource, kind))
		return false;
	if (list->len > 1)
		buf_add_char(list, ',');
	buf_add_json(list, buf_str(&redacted));
	return !redacted.full;
}

/* Redacted; empty when one of them cannot be shown. */
static void
print_resources(
	struct buf *b, const struct call *c, const struct str *list, size_t count)
{
	enum judge_text kind =
		c->tool == CALL_TOOL_SHELL ? JUDGE_TEXT_COMMAND : JUDGE_TEXT_PROSE;
	bool all = count > 0;

	buf_add_char(b, '[');
	for (size_t i = 0; i < count; i++)
		all = all && add_resource(b, list[i], kind);
	buf_add_char(b, ']');
	if (!all || b->full)
		b->len = 0;
}

void
decide_turns_describe(struct arena *a, const struct decide_post *p,
	bool for_history, struct decide_about *ret)
{
	const struct call *c = p->call;
	struct str *list = ARENA_ARRAY(a, c->more_path_count + 1, struct str);
	size_t n = 0;
	struct judge_entry e = {
		.tool_name = str_sub(c->tool_name, 0, DECIDE_TEXT_BYTES),
		.action = str_from(call_tool_name(c->tool)),
		.resources = list,
	};
	struct str resource = order_resource(a, c);

	if (resource.ptr)
		list[n++] = resource;
	for (size_t i = 0; i < c->more_path_count; i++) {
		if (!str_eq(c->more_paths[i], resource))
			list[n++] = c->more_paths[i];
	}
	e.resource_count = n;
	print_resources(ret->resources, c, list, n);
	if (!for_history)
		return;
	struct order_named named = {e.action, list, n};

	e.hidden =
		!ret->is_clear && order_hits_marker(a, p->policy, c, &p->world, &named);
	if (!judge_entry_subject(ret->subject, &e))
		ret->subject->len = 0;
}

void
decide_failed(struct decide *d, const struct decide_post *p, int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = NULL;
	CLEANUP(buf_done) struct buf resources, subject;
	struct decide_about about;

	buf_init(&resources, LINE_BYTES);
	buf_init(&subject, LINE_BYTES);
	about = (struct decide_about){&resources, &subject, false};
	if (!decide_judging_is_on(p->policy))
		return;
	a = arena_new(LIMIT_ARENA_BYTES);
	if (!a || !ARENA_TRY(a))
		return;
	decide_turns_describe(a, p, true, &about);
	arena_done(a);
	decide_turns_add(d, decide_session_get(d, p->call->session, now_ms),
		&(struct decide_said){
			.turn = p->call->turn,
			.subject = subject.len > 0 ? buf_str(&subject) : (struct str){0},
			.outcome = "failed",
		},
		now_ms);
}

/* --- the user's rules ----------------------------------------------------- */

struct rules {
	struct arena *a;
	const struct decide_post *p;
	struct judge_rule *list;
	size_t count;
};

/* All memory is taken before the text is read. */
static const struct str *
read_list(struct arena *a, struct str text, size_t *ret_count)
{
	struct wire_json_error error;
	struct str *list = ARENA_ARRAY(a, text.len / 2 + 1, struct str);
	char *at = arena_alloc(a, text.len + 1);
	WIRE_JSON json_t *j = text.len > 0 ? wire_json_parse(text, &error) : NULL;
	size_t n = json_array_size(j);

	for (size_t i = 0; i < n; i++) {
		struct str one = wire_json_text(json_array_get(j, i));

		if (one.len > 0)
			memcpy(at, one.ptr, one.len);
		list[i] = (struct str){at, one.len};
		at += one.len;
	}
	*ret_count = n;
	return list;
}

static bool
is_hidden(const struct rules *r, const struct judge_rule *rule)
{
	struct order_named named = {
		rule->action, rule->resources, rule->resource_count};

	return order_hits_marker(
		r->a, r->p->policy, r->p->call, &r->p->world, &named);
}

/* What cannot be shown would stand for anything. */
static void
add_replies(struct rules *r, const struct store_reply *replies, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct judge_rule *rule = &r->list[r->count];

		*rule = (struct judge_rule){
			.reply = replies[i].reply,
			.source = JUDGE_SOURCE_USER,
			.session = replies[i].session,
			.action = replies[i].action,
			.note = replies[i].note,
			.time_ms = replies[i].time_ms,
			.sequence = (uint64_t)replies[i].rowid,
		};
		rule->resources =
			read_list(r->a, replies[i].resources, &rule->resource_count);
		if (rule->reply == CALL_REPLY_NONE
			|| (rule->resource_count == 0 && rule->reply != CALL_REPLY_REJECT))
			continue;
		rule->hidden = is_hidden(r, rule);
		r->count++;
	}
}

static void
add_grants(struct rules *r, const struct decide *d)
{
	struct str project = r->p->project;

	for (size_t i = 0; i < d->grant_count; i++) {
		const struct store_grant *g = &d->grants[i];
		struct judge_rule *rule = &r->list[r->count];

		if (!str_eq(g->project, project))
			continue;
		*rule = (struct judge_rule){
			.action = g->action,
			.resources = &g->resource,
			.resource_count = 1,
			.time_ms = g->time_ms,
		};
		rule->hidden = is_hidden(r, rule);
		r->count++;
	}
}

/* Of this session and its parent, and the grants of the project. */
static void
find_rules(const struct decide *d, struct arena *a,
	const struct decide_session *s, const struct decide_post *p,
	struct judge_context *io)
{
	struct store_reply *own = NULL, *parents = NULL;
	size_t own_count = 0, parent_count = 0;
	struct rules r = {.a = a, .p = p};

	/* without what cannot be read nobody is freer than before */
	if (d->reader
		&& store_read_replies(d->reader, a, s->row->id, &own, &own_count) != 0)
		own_count = 0;
	if (d->reader && s->row->parent.len > 0
		&& store_read_replies(
			   d->reader, a, s->row->parent, &parents, &parent_count)
			!= 0)
		parent_count = 0;
	r.list = ARENA_ARRAY(
		a, own_count + parent_count + d->grant_count + 1, struct judge_rule);
	add_replies(&r, own, own_count);
	add_replies(&r, parents, parent_count);
	add_grants(&r, d);
	io->rules = r.list;
	io->rule_count = r.count;
}

/* --- the question --------------------------------------------------------- */

static void
put_head(struct decide *d, struct arena *a, struct decide_session *s,
	const struct decide_post *p, struct buf *head)
{
	const struct call *c = p->call;
	struct judge_context context = {
		.session = s->row->id,
		.parent_session = s->row->parent,
		.agent = c->agent,
		.agent_role = c->agent_role,
		.roots = c->roots,
		.root_count = c->root_count,
		.scratch = c->scratch,
		.scratch_count = c->scratch_count,
		.world = &p->world,
		.task = p->task,
	};

	decide_evidence_context(a, p, &context);
	find_rules(d, a, s, p, &context);
	judge_turn_head(a, &context, head);
}

static void
set_head(struct decide *d, struct decide_turn *t, struct str head,
	struct str said, int64_t now_ms)
{
	struct store_turn row = *t->row;

	row.said = said;
	set_row(t, &row);
	judge_turn_set_head(t->text, head);
	t->has_head = true;
	write_row(d, t, head, now_ms);
}

bool
decide_turns_ask(struct decide *d, struct arena *a, struct decide_question *io,
	int64_t now_ms)
{
	struct judge_question q;
	const struct decide_post *p = io->post;
	struct str said = digest_said(a, p);
	struct decide_turn *t = turn_now(d, io->session, p->call->turn, said);

	if (!t->has_head) {
		put_head(d, a, io->session, p, &io->head);
		set_head(d, t, buf_str(&io->head), said, now_ms);
	}
	decide_evidence_question(a, p, io->facts, &q);
	if (p->call->review) /* one element for all of it */
		buf_add(&io->memory, STR("<review_input>\n"));
	if (!judge_prompt(t->text, &q, &io->memory, &io->failure))
		return false;
	if (p->call->review)
		buf_add(&io->memory, STR("</review_input>\n"));
	io->ask = (struct decide_ask){
		.session = io->session->row->id,
		.system = judge_system(),
		.user = buf_str(&io->memory),
		.prefix = judge_turn_text(t->text).len,
		.model = policy_setting(p->policy, "judge.model"),
		.second = policy_setting(p->policy, "judge.second.model"),
		.run_model = p->run_model,
	};
	return true;
}

/* --- what the judge refused ----------------------------------------------- */

void
decide_turns_refuse(struct decide *d, struct decide_session *s,
	const unsigned char digest[DECIDE_DIGEST_BYTES],
	const struct decide_blocked *was)
{
	struct decide_turn *t = turn_of(d, s);
	struct refused *list = t->refused, *r;

	if (!list)
		list = t->refused = calloc(REFUSED_MAX, sizeof(*list));
	CHECK(list);
	if (t->refused_count == REFUSED_MAX)
		memmove(list, list + 1, --t->refused_count * sizeof(*list));
	r = &list[t->refused_count++];
	memset(r, 0, sizeof(*r));
	memcpy(r->digest, digest, sizeof(r->digest));
	r->risk = was->risk;
	struct str reason = str_sub(was->reason, 0, sizeof(r->reason) - 1);

	if (reason.len > 0)
		memcpy(r->reason, reason.ptr, reason.len);
}

bool
decide_turns_was_refused(struct decide *d, struct decide_session *s,
	struct str turn, const unsigned char digest[DECIDE_DIGEST_BYTES],
	struct decide_blocked *ret)
{
	const struct decide_turn *t = turn_now(d, s, turn, (struct str){0});

	for (size_t i = t->refused_count; i > 0; i--) {
		const struct refused *r = &t->refused[i - 1];

		if (memcmp(r->digest, digest, sizeof(r->digest)) != 0)
			continue;
		ret->risk = r->risk;
		ret->reason = str_from(r->reason);
		return true;
	}
	return false;
}

void
decide_turns_sweep(struct decide *d, int64_t now_ms)
{
	store_batch_drop_turns_before(decide_rows_batch(d), now_ms - OLD_MS);
}
