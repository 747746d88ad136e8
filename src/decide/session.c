#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"

/*
 * What is remembered of sessions: mode and tier, parents, the budget, and the
 * notes that wait for a result. All of it is in the store, too.
 */

enum {
	ANCESTORS_MAX = 16,
	DAY_MS = 24 * 3600 * 1000,
	NANO_OF_MILLIONTH = 1000,
};

static struct store_session *
row_copy(const struct store_session *from)
{
	static const size_t texts[] = {
		offsetof(struct store_session, id),
		offsetof(struct store_session, parent),
		offsetof(struct store_session, agent),
		offsetof(struct store_session, role),
		offsetof(struct store_session, root),
		offsetof(struct store_session, turn),
		offsetof(struct store_session, mode),
		offsetof(struct store_session, tier),
	};

	return decide_copy(from, sizeof(*from), texts, ARRAY_LEN(texts));
}

struct decide_session *
decide_session_find(const struct decide *d, struct str id)
{
	struct decide_session *s = d->sessions;

	while (s && !str_eq(s->row->id, id))
		s = s->next;
	return s;
}

/* Out of the list, to be put first: those in use are found at once. */
static struct decide_session *
take_out(struct decide *d, struct str id)
{
	struct decide_session **at = &d->sessions;

	while (*at && !str_eq((*at)->row->id, id))
		at = &(*at)->next;
	struct decide_session *s = *at;

	if (s)
		*at = s->next;
	return s;
}

static void
free_one(struct decide *d, struct decide_session *s)
{
	decide_turns_free(d, s);
	free(s->row);
	free(s);
}

/* Lets go of the one that was not used for longest and has nothing open. */
static void
make_room(struct decide *d)
{
	struct decide_session **at = &d->sessions, **oldest = NULL;

	for (; *at; at = &(*at)->next) {
		if ((*at)->hearings == 0
			&& (!oldest || (*at)->used_ms < (*oldest)->used_ms))
			oldest = at;
	}
	if (!oldest)
		return;
	struct decide_session *s = *oldest;

	*oldest = s->next;
	free_one(d, s);
	d->session_count--;
}

/* As the store knows it, or new. */
static void
load(struct decide *d, struct decide_session *s, struct str id, int64_t now_ms)
{
	struct store_session row = {
		.id = id, .first_ms = now_ms, .last_ms = now_ms};
	struct store_session stored;
	struct arena *a = d->reader ? arena_new(1 << 20) : NULL;

	if (a && ARENA_TRY(a) && store_read_session(d->reader, a, id, &stored) == 0)
		row = stored;
	s->row = row_copy(&row);
	decide_mode_recover(d, s);
	arena_free(a);
}

struct decide_session *
decide_session_get(struct decide *d, struct str id, int64_t now_ms)
{
	if (!id.ptr)
		id = STR("");
	id = str_sub(id, 0, DECIDE_TEXT_BYTES);
	struct decide_session *s = take_out(d, id);

	if (!s) {
		if (d->session_count >= DECIDE_SESSIONS_MAX)
			make_room(d);
		s = calloc(1, sizeof(*s));
		CHECK(s);
		load(d, s, id, now_ms);
		d->session_count++;
	}
	s->next = d->sessions;
	d->sessions = s;
	s->used_ms = now_ms;
	return s;
}

void
decide_session_free_all(struct decide *d)
{
	while (d->sessions) {
		struct decide_session *s = d->sessions;

		d->sessions = s->next;
		free_one(d, s);
	}
}

void
decide_session_write(struct decide *d, struct decide_session *s)
{
	s->row->last_ms = s->used_ms;
	store_batch_set_session(decide_rows_batch(d), s->row);
}

void
decide_session_change(
	struct decide *d, struct decide_session *s, const struct store_session *row)
{
	struct store_session *old = s->row;

	s->row = row_copy(row);
	free(old);
	decide_session_write(d, s);
}

/* --- the budget ----------------------------------------------------------- */

/* Who started the session, or NULL. */
static struct decide_session *
parent_of(struct decide *d, const struct decide_session *s, int64_t now_ms)
{
	struct str parent = s->row->parent;

	return parent.len > 0 && !str_eq(parent, s->row->id)
		? decide_session_get(d, parent, now_ms)
		: NULL;
}

/* What a subagent is refused counts for who started it, too. */
void
decide_session_judged(struct decide *d, struct decide_session *s,
	enum call_verdict v, int64_t now_ms)
{
	struct decide_session *parent = parent_of(d, s, now_ms);

	if (v == CALL_VERDICT_DENY) {
		s->row->refused_in_row++;
		s->row->refused++;
		if (parent) {
			parent->row->refused++;
			decide_session_write(d, parent);
		}
	} else if (s->row->refused_in_row == 0) {
		return;
	} else {
		s->row->refused_in_row = 0;
	}
	decide_session_write(d, s);
}

static void
clear(struct decide *d, struct decide_session *s)
{
	if (s->row->refused_in_row == 0 && s->row->refused == 0)
		return;
	s->row->refused_in_row = 0;
	s->row->refused = 0;
	decide_session_write(d, s);
}

void
decide_session_replied(
	struct decide *d, struct decide_session *s, int64_t now_ms)
{
	struct decide_session *parent = parent_of(d, s, now_ms);

	clear(d, s);
	if (parent)
		clear(d, parent);
}

static bool
is_used_up(const struct decide_session *s, const struct policy *p)
{
	return s->row->refused_in_row >= policy_setting_number(p, "budget.row")
		|| s->row->refused >= policy_setting_number(p, "budget.session");
}

/* Days of UTC: nothing here knows where its user lives. */
static int64_t
day_of(int64_t now_ms)
{
	return now_ms / DAY_MS;
}

static bool
is_over(int64_t nano, const struct policy *p, const char *name)
{
	int64_t limit = policy_setting_amount(p, name);

	return limit > 0 && nano / NANO_OF_MILLIONTH >= limit;
}

void
decide_session_budget(struct decide *d, const struct decide_session *s,
	const struct policy *p, int64_t now_ms, struct order_settings *io)
{
	const struct decide_session *parent = parent_of(d, s, s->used_ms);
	int64_t today = d->cost_day == day_of(now_ms) ? d->cost_nano : 0;

	io->budget_used_up = is_used_up(s, p) || (parent && is_used_up(parent, p));
	io->cost_used_up = is_over(today, p, "budget.cost.day")
		|| is_over(s->row->cost_nano, p, "budget.cost.session")
		|| (parent
			&& is_over(parent->row->cost_nano, p, "budget.cost.session"));
}

void
decide_session_cost(
	struct decide *d, struct decide_session *s, int64_t nano, int64_t now_ms)
{
	struct decide_session *parent = parent_of(d, s, now_ms);

	if (nano <= 0)
		return;
	if (d->cost_day != day_of(now_ms)) {
		d->cost_day = day_of(now_ms);
		d->cost_nano = 0;
	}
	d->cost_nano += nano;
	s->row->cost_nano += nano;
	decide_session_write(d, s);
	if (!parent)
		return;
	parent->row->cost_nano += nano;
	decide_session_write(d, parent);
}

int
decide_session_cost_load(struct decide *d, int64_t now_ms)
{
	d->cost_day = day_of(now_ms);
	return store_read_cost(d->reader, d->cost_day * DAY_MS, &d->cost_nano);
}

/* --- mode and tier -------------------------------------------------------- */

void
decide_session_settings(
	struct decide *d, const struct store_setting *list, size_t count)
{
	struct arena *a = arena_new(16 << 20);

	CHECK(a);
	CHECK(ARENA_TRY(a)); /* far more than people can set */
	struct store_setting *own = ARENA_ARRAY(a, count + 1, struct store_setting);

	for (size_t i = 0; i < count; i++) {
		own[i].scope = list[i].scope;
		own[i].key = arena_dup(a, list[i].key);
		own[i].name = arena_dup(a, list[i].name);
		own[i].value = arena_dup(a, list[i].value);
	}
	arena_done(a);
	arena_free(d->settings_arena);
	d->settings_arena = a;
	d->settings = own;
	d->setting_count = count;
}

struct store_setting *
decide_setting_copy(const struct store_setting *s)
{
	static const size_t texts[] = {
		offsetof(struct store_setting, key),
		offsetof(struct store_setting, name),
		offsetof(struct store_setting, value),
	};

	return decide_copy(s, sizeof(*s), texts, ARRAY_LEN(texts));
}

void
decide_session_setting(struct decide *d, const struct store_setting *s)
{
	size_t count = 0;
	struct store_setting *list = calloc(d->setting_count + 1, sizeof(*list));

	CHECK(list);
	for (size_t i = 0; i < d->setting_count; i++) {
		const struct store_setting *old = &d->settings[i];

		if (old->scope != s->scope || !str_eq(old->key, s->key)
			|| !str_eq(old->name, s->name))
			list[count++] = *old;
	}
	if (s->value.ptr)
		list[count++] = *s;
	decide_session_settings(d, list, count);
	free(list);
	if (str_eq(s->name, STR("mode")))
		decide_mode_was_set(d);
}

static struct str
setting(const struct decide *d, enum store_scope scope, struct str key,
	struct str name)
{
	for (size_t i = 0; i < d->setting_count; i++) {
		const struct store_setting *s = &d->settings[i];

		if (s->scope == scope && str_eq(s->name, name)
			&& (scope == STORE_SCOPE_GLOBAL || str_eq(s->key, key)))
			return s->value;
	}
	return (struct str){0};
}

/* The narrowest scope that has a value that is known; an unknown one leaves its
 * layer unset. False when there is none. */
bool
decide_session_find_mode(const struct decide *d, struct str session,
	struct str project, enum call_mode *ret)
{
	const struct {
		enum store_scope scope;
		struct str key;
	} layers[] = {
		{STORE_SCOPE_TURN,    session        },
		{STORE_SCOPE_SESSION, session        },
		{STORE_SCOPE_PROJECT, project        },
		{STORE_SCOPE_GLOBAL,  (struct str){0}},
	};

	for (size_t i = 0; i < ARRAY_LEN(layers); i++) {
		if (call_mode_from(
				setting(d, layers[i].scope, layers[i].key, STR("mode")), ret))
			return true;
	}
	return false;
}

static bool
find_tier(const struct decide *d, struct str session, enum call_tier *ret)
{
	return call_tier_from(
			   setting(d, STORE_SCOPE_TURN, session, STR("tier")), ret)
		|| call_tier_from(
			setting(d, STORE_SCOPE_SESSION, session, STR("tier")), ret)
		|| call_tier_from(
			setting(d, STORE_SCOPE_GLOBAL, (struct str){0}, STR("tier")), ret);
}

struct str
decide_parent(const struct decide *d, struct str session)
{
	const struct decide_session *s = decide_session_find(d, session);

	return s && s->row->parent.len > 0 ? s->row->parent : (struct str){0};
}

void
decide_session_resolve(const struct decide *d, struct str session,
	struct str project, struct order_settings *io)
{
	enum call_mode mode;
	enum call_tier tier;
	enum call_mode of_files =
		io->mode == CALL_MODE_UNSET ? CALL_MODE_AI_AUTO : io->mode;

	io->mode =
		decide_session_find_mode(d, session, project, &mode) ? mode : of_files;
	if (find_tier(d, session, &tier))
		io->tier = tier;
	else if (io->tier == CALL_TIER_UNSET)
		io->tier = CALL_TIER_STANDARD;
	decide_above_limit(d, session, project, of_files, io);
}

bool
decide_setting_get(const struct decide *d, size_t i, struct store_setting *ret)
{
	if (i >= d->setting_count)
		return false;
	*ret = d->settings[i];
	return true;
}

/* What was set for the turn is over. */
void
decide_session_end_turn(struct decide *d, struct str session)
{
	static const char *const names[] = {"mode", "tier"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct store_setting s = {
			.scope = STORE_SCOPE_TURN,
			.key = session,
			.name = str_from(names[i]),
		};

		/* one that is being recorded may come after this */
		if (!setting(d, s.scope, s.key, s.name).ptr && !d->waiters)
			continue;
		store_batch_set_setting(decide_rows_batch(d), &s);
		decide_session_setting(d, &s);
		decide_rows_wait(
			d, &(struct decide_waiter){.setting = decide_setting_copy(&s)});
	}
}

void
decide_settings(const struct decide *d, struct str session, struct str project,
	struct order_settings *io)
{
	decide_session_resolve(d, session, project, io);
}

void
decide_turn(
	struct decide *d, struct str session, struct str turn, int64_t now_ms)
{
	struct decide_session *s = decide_session_get(d, session, now_ms);
	struct store_session row = *s->row;

	/* an agent that says when its user writes has turns, named or not */
	row.turn = turn.len > 0 ? str_sub(turn, 0, DECIDE_TEXT_BYTES) : STR("-");
	decide_session_change(d, s, &row);
	decide_turns_end(d, s);
	s->round_is_over = true;
	s->turn_mode = CALL_MODE_UNSET;
	decide_session_end_turn(d, session);
}

void
decide_session_parent(struct decide *d, struct str session, struct str parent,
	struct str root, int64_t now_ms)
{
	struct decide_session *s = decide_session_get(d, session, now_ms);
	struct store_session row = *s->row;

	if (parent.ptr)
		row.parent = str_sub(parent, 0, DECIDE_TEXT_BYTES);
	if (root.ptr)
		row.root = root;
	decide_session_change(d, s, &row);
}

/* --- notes ---------------------------------------------------------------- */

static bool
is_kept(const struct decide *d, int64_t hearing)
{
	const struct decide_note *n = d->notes;

	while (n && n->hearing != hearing)
		n = n->next;
	return n != NULL;
}

void
decide_notes_add(struct decide *d, const struct store_note *given)
{
	static const size_t texts[] = {
		offsetof(struct decide_note, session),
		offsetof(struct decide_note, call_id),
		offsetof(struct decide_note, text),
	};
	struct decide_note note = {
		.hearing = given->hearing,
		.session = given->session,
		.call_id = given->call_id,
		.text = given->text,
	};
	struct decide_note **at = &d->notes;

	if (is_kept(d, given->hearing))
		return;
	while (*at)
		at = &(*at)->next;
	*at = decide_copy(&note, sizeof(note), texts, ARRAY_LEN(texts));
}

static bool
is_for(const struct decide_note *n, struct str session, struct str call_id)
{
	return str_eq(n->session, session)
		&& (!n->call_id.ptr || str_eq(n->call_id, call_id));
}

/* hearing 0: all that the call of this id takes. */
static void
forget(
	struct decide *d, int64_t hearing, struct str session, struct str call_id)
{
	struct decide_note **at = &d->notes;

	while (*at) {
		struct decide_note *n = *at;

		if (hearing != 0 ? n->hearing == hearing
						 : is_for(n, session, call_id)) {
			*at = n->next;
			free(n);
		} else {
			at = &n->next;
		}
	}
}

void
decide_notes_drop(struct decide *d, int64_t hearing)
{
	forget(d, hearing, (struct str){0}, (struct str){0});
	store_batch_drop_note(decide_rows_batch(d), hearing);
}

void
decide_notes_end(struct decide *d, struct str session)
{
	struct decide_note **at = &d->notes;

	while (*at) {
		struct decide_note *n = *at;

		if (!str_eq(n->session, session)) {
			at = &n->next;
			continue;
		}
		*at = n->next;
		store_batch_drop_note(decide_rows_batch(d), n->hearing);
		free(n);
	}
}

void
decide_notes_free(struct decide *d)
{
	while (d->notes) {
		struct decide_note *n = d->notes;

		d->notes = n->next;
		free(n);
	}
}

struct str
decide_result(struct decide *d, struct arena *a, struct str session,
	struct str call_id, int64_t now_ms)
{
	struct str all = {0};

	(void)now_ms;
	for (const struct decide_note *n = d->notes; n; n = n->next) {
		if (is_for(n, session, call_id))
			all = all.ptr
				? arena_fmt(a, "%.*s\n%.*s", STR_ARG(all), STR_ARG(n->text))
				: arena_dup(a, n->text);
	}
	if (all.ptr) {
		forget(d, 0, session, call_id);
		store_batch_drop_notes(decide_rows_batch(d), session, call_id);
	}
	return all;
}
