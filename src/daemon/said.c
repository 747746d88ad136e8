#include "daemon/said.h"

#include <stdlib.h>
#include <string.h>

enum {
	SESSIONS_MAX = 256,
	BYTES_MAX = 4 << 20,       /* of all texts */
	TEXT_BYTES_MAX = 32 << 10, /* of one; a judge is shown far less */
	MODEL_BYTES_MAX = 200,
	PROMPTS = JUDGE_MESSAGES, /* of a session */
};

struct prompt {
	char *text;
	size_t len;
	int64_t time_ms;
};

struct session {
	char *id; /* NULL: the place is free */
	size_t id_len;
	struct prompt prompts[PROMPTS]; /* oldest first */
	size_t count;
	char *model; /* that the run uses, or NULL */
	size_t model_len;
	uint64_t used; /* when, as a number that grows */
};

struct daemon_said {
	struct session sessions[SESSIONS_MAX];
	size_t bytes;
	uint64_t now;
};

struct daemon_said *
daemon_said_new(void)
{
	return calloc(1, sizeof(struct daemon_said));
}

static struct session *
find(struct daemon_said *s, struct str id)
{
	for (size_t i = 0; i < SESSIONS_MAX; i++) {
		struct session *e = &s->sessions[i];

		if (e->id && str_eq((struct str){e->id, e->id_len}, id))
			return e;
	}
	return NULL;
}

static void
drop_prompt(struct daemon_said *s, struct session *e)
{
	s->bytes -= e->prompts[0].len;
	free(e->prompts[0].text);
	e->count--;
	memmove(e->prompts, e->prompts + 1, e->count * sizeof(*e->prompts));
}

static void
drop(struct daemon_said *s, struct session *e)
{
	while (e->count > 0)
		drop_prompt(s, e);
	free(e->id);
	free(e->model);
	*e = (struct session){.id = NULL};
}

void
daemon_said_free(struct daemon_said *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < SESSIONS_MAX; i++)
		drop(s, &s->sessions[i]);
	free(s);
}

void
daemon_said_forget(struct daemon_said *s, struct str session)
{
	struct session *e = find(s, session);

	if (e)
		drop(s, e);
}

/* The session that was quiet for longest; NULL without one. */
static struct session *
quietest(struct daemon_said *s)
{
	struct session *found = NULL;

	for (size_t i = 0; i < SESSIONS_MAX; i++) {
		struct session *e = &s->sessions[i];

		if (e->id && (!found || e->used < found->used))
			found = e;
	}
	return found;
}

static struct session *
free_place(struct daemon_said *s)
{
	struct session *e;

	for (size_t i = 0; i < SESSIONS_MAX; i++) {
		if (!s->sessions[i].id)
			return &s->sessions[i];
	}
	e = quietest(s);
	drop(s, e);
	return e;
}

static char *
copy(struct str s)
{
	char *text = malloc(s.len + 1);

	CHECK(text);
	memcpy(text, s.ptr, s.len);
	text[s.len] = '\0';
	return text;
}

static struct session *
open_session(struct daemon_said *s, struct str id)
{
	struct session *e = find(s, id);

	if (!e) {
		e = free_place(s);
		e->id = copy(id);
		e->id_len = id.len;
	}
	e->used = ++s->now;
	return e;
}

/* The beginning of what is too long. */
static struct str
bounded(struct str text)
{
	size_t n = TEXT_BYTES_MAX;

	while (text.len > n && n > 0 && ((unsigned char)text.ptr[n] & 0xc0) == 0x80)
		n--;
	return str_sub(text, 0, n);
}

void
daemon_said_add(
	struct daemon_said *s, struct str session, struct str text, int64_t now_ms)
{
	struct session *e;

	text = bounded(str_trim(text));
	if (session.len == 0 || text.len == 0)
		return;
	e = open_session(s, session);
	if (e->count == PROMPTS)
		drop_prompt(s, e);
	e->prompts[e->count++] = (struct prompt){
		.text = copy(text),
		.len = text.len,
		.time_ms = now_ms,
	};
	s->bytes += text.len;
	while (s->bytes > BYTES_MAX) {
		struct session *quiet = quietest(s);

		if (!quiet || quiet == e)
			break; /* not this one, which has just spoken */
		drop(s, quiet);
	}
}

void
daemon_said_set_model(
	struct daemon_said *s, struct str session, struct str model)
{
	struct session *e;

	if (session.len == 0 || model.len == 0 || model.len > MODEL_BYTES_MAX)
		return;
	e = open_session(s, session);
	free(e->model);
	e->model = copy(model);
	e->model_len = model.len;
}

/* --- what is known before a call -------------------------------------------- */

static bool
is_same(const struct judge_message *m, struct str text)
{
	return m->from_user && !m->injected
		&& (str_eq(str_trim(m->text), text)
			|| (text.len >= TEXT_BYTES_MAX - 4
				&& str_starts(str_trim(m->text), text)));
}

/* Where a message of this time belongs; times[i] is 0 where it is not known. */
static size_t
place_of(const int64_t *times, size_t count, int64_t time_ms)
{
	for (size_t i = 0; i < count; i++) {
		if (times[i] > time_ms)
			return i;
	}
	return count;
}

struct merge {
	struct judge_message *list;
	int64_t *times;
	size_t count;
};

static void
insert(struct merge *m, const struct prompt *p)
{
	struct str text = {p->text, p->len};
	size_t at = place_of(m->times, m->count, p->time_ms);
	size_t behind = m->count - at;

	for (size_t i = 0; i < m->count; i++) {
		if (is_same(&m->list[i], text))
			return;
	}
	memmove(m->list + at + 1, m->list + at, behind * sizeof(*m->list));
	memmove(m->times + at + 1, m->times + at, behind * sizeof(*m->times));
	m->list[at] = (struct judge_message){.from_user = true, .text = text};
	m->times[at] = p->time_ms;
	m->count++;
}

/* Of the session, or of the one that it was started from. */
static struct session *
known_of(struct daemon_said *s, const struct call *call)
{
	struct session *known = find(s, call->session);

	return known || call->parent_session.len == 0
		? known
		: find(s, call->parent_session);
}

struct str
daemon_said_model(struct daemon_said *s, const struct call *call,
	const struct api_envelope *e)
{
	const struct session *known = known_of(s, call);

	for (size_t i = e->said_count; i > 0; i--) {
		if (e->said[i - 1].model.ptr)
			return e->said[i - 1].model;
	}
	return known && known->model ? (struct str){known->model, known->model_len}
								 : (struct str){0};
}

size_t
daemon_said_get(struct daemon_said *s, struct arena *a, const struct call *call,
	const struct api_envelope *e, struct judge_message **ret)
{
	const struct session *known = known_of(s, call);
	size_t room = e->said_count + PROMPTS;
	struct merge m = {
		.list = ARENA_ARRAY(a, room, struct judge_message),
		.times = ARENA_ARRAY(a, room, int64_t),
	};

	for (; m.count < e->said_count; m.count++) {
		const struct api_said *said = &e->said[m.count];

		m.list[m.count] = (struct judge_message){
			.from_user = said->from_user,
			.injected = said->injected,
			.text = said->text,
		};
		m.times[m.count] = said->time_ms;
	}
	for (size_t i = 0; known && i < known->count; i++)
		insert(&m, &known->prompts[i]);
	*ret = m.list;
	return m.count;
}
