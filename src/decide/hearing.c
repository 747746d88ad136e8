#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"

/*
 * A hearing in memory: made, found, taken out. It moves in machine.c only.
 */

#define X(name, text) text,
static const char *const state_names[] = {DECIDE_STATES(X)};
static const char *const event_names[] = {DECIDE_EVENTS(X)};
static const char *const replied_names[] = {DECIDE_REPLIES(X)};
static const char *const card_event_names[] = {DECIDE_CARD_EVENTS(X)};
#undef X

const char *
decide_state_name(enum decide_state s)
{
	CHECK((size_t)s < ARRAY_LEN(state_names));
	return state_names[s];
}

const char *
decide_event_name(enum decide_event e)
{
	CHECK((size_t)e < ARRAY_LEN(event_names));
	return event_names[e];
}

const char *
decide_replied_name(enum decide_replied r)
{
	CHECK((size_t)r < ARRAY_LEN(replied_names));
	return replied_names[r];
}

const char *
decide_card_event_name(enum decide_card_event e)
{
	CHECK((size_t)e < ARRAY_LEN(card_event_names));
	return card_event_names[e];
}

void *
decide_copy(const void *from, size_t size, const size_t *offsets, size_t count)
{
	size_t total = size;
	struct str s;

	for (size_t i = 0; i < count; i++) {
		memcpy(&s, (const char *)from + offsets[i], sizeof(s));
		total += s.len + 1;
	}
	char *block = calloc(1, total), *at = block + size;

	CHECK(block);
	memcpy(block, from, size);
	for (size_t i = 0; i < count; i++) {
		memcpy(&s, block + offsets[i], sizeof(s));
		if (!s.ptr)
			continue;
		memcpy(at, s.ptr, s.len);
		s.ptr = at;
		at += s.len + 1;
		memcpy(block + offsets[i], &s, sizeof(s));
	}
	return block;
}

struct decide_pending *
decide_pending_copy(const struct decide_pending *from)
{
	static const size_t texts[] = {
		offsetof(struct decide_pending, reason),
		offsetof(struct decide_pending, rule),
		offsetof(struct decide_pending, note),
		offsetof(struct decide_pending, verbatim),
		offsetof(struct decide_pending, source),
		offsetof(struct decide_pending, who),
		offsetof(struct decide_pending, level),
		offsetof(struct decide_pending, ancestry),
		offsetof(struct decide_pending, surface),
		offsetof(struct decide_pending, as),
		offsetof(struct decide_pending, grant),
		offsetof(struct decide_pending, project),
	};
	struct decide_pending cut = *from;

	cut.reason = str_sub(cut.reason, 0, DECIDE_REASON_BYTES);
	cut.who = str_sub(cut.who, 0, DECIDE_TEXT_BYTES);
	return decide_copy(&cut, sizeof(cut), texts, ARRAY_LEN(texts));
}

struct decide_texts *
decide_texts_copy(const struct decide_texts *from)
{
	static const size_t texts[] = {
		offsetof(struct decide_texts, agent),
		offsetof(struct decide_texts, role),
		offsetof(struct decide_texts, tool_name),
		offsetof(struct decide_texts, call_id),
		offsetof(struct decide_texts, reason),
		offsetof(struct decide_texts, rule),
		offsetof(struct decide_texts, project),
		offsetof(struct decide_texts, pattern),
		offsetof(struct decide_texts, grant),
		offsetof(struct decide_texts, turn),
		offsetof(struct decide_texts, resources),
		offsetof(struct decide_texts, subject),
	};
	struct decide_texts cut = *from;

	cut.agent = str_sub(cut.agent, 0, DECIDE_TEXT_BYTES);
	cut.role = str_sub(cut.role, 0, DECIDE_TEXT_BYTES);
	cut.tool_name = str_sub(cut.tool_name, 0, DECIDE_TEXT_BYTES);
	cut.call_id = str_sub(cut.call_id, 0, DECIDE_TEXT_BYTES);
	cut.reason = str_sub(cut.reason, 0, DECIDE_REASON_BYTES);
	cut.rule = str_sub(cut.rule, 0, DECIDE_TEXT_BYTES);
	if (cut.grant.len > DECIDE_TEXT_BYTES)
		cut.grant = (struct str){0};
	cut.turn = str_sub(cut.turn, 0, DECIDE_TEXT_BYTES);
	return decide_copy(&cut, sizeof(cut), texts, ARRAY_LEN(texts));
}

struct decide_hearing *
decide_hearing_new(struct decide *d, int64_t number,
	struct decide_session *session, const struct decide_texts *texts)
{
	struct decide_hearing *h = calloc(1, sizeof(*h));

	CHECK(h && number > 0);
	h->number = number;
	h->session = session;
	h->session->hearings++;
	h->texts = decide_texts_copy(texts);
	h->due_ms = INT64_MAX;
	decide_map_add(
		d, h, DECIDE_BY_NUMBER, decide_hash_number((uint64_t)number));
	return h;
}

void
decide_hearing_free(struct decide *d, struct decide_hearing *h)
{
	for (int i = 0; i < DECIDE_INDEXES; i++)
		decide_map_remove(d, h, (enum decide_index)i);
	decide_heap_set(d, h, INT64_MAX);
	h->session->attached -= h->handle != 0;
	h->session->hearings--;
	free(h->texts);
	free(h->pending);
	decide_judging_free(decide_judging_take(d, h));
	free(h->judged);
	free(h);
}

void
decide_hearing_set_key(
	struct decide *d, struct decide_hearing *h, struct str key)
{
	decide_map_remove(d, h, DECIDE_BY_KEY);
	memset(h->key, 0, sizeof(h->key));
	if (key.len != DECIDE_KEY_HEX)
		return;
	memcpy(h->key, key.ptr, key.len);
	decide_map_add(d, h, DECIDE_BY_KEY, decide_hash(key));
}

void
decide_hearing_set_handle(
	struct decide *d, struct decide_hearing *h, uint64_t handle)
{
	decide_map_remove(d, h, DECIDE_BY_HANDLE);
	h->session->attached += (handle != 0) - (size_t)(h->handle != 0);
	h->handle = handle;
	if (handle != 0)
		decide_map_add(d, h, DECIDE_BY_HANDLE, decide_hash_number(handle));
}

void
decide_hearing_set_pending(
	struct decide_hearing *h, const struct decide_pending *p)
{
	struct decide_pending *copy = p ? decide_pending_copy(p) : NULL;

	free(h->pending);
	h->pending = copy;
}

void
decide_hearing_set_texts(struct decide_hearing *h, const struct decide_texts *t)
{
	struct decide_texts *copy = decide_texts_copy(t);

	free(h->texts);
	h->texts = copy;
}

struct decide_hearing *
decide_hearing_by_key(const struct decide *d, struct str key)
{
	struct decide_hearing *h =
		decide_map_find(d, DECIDE_BY_KEY, decide_hash(key));

	while (h && !str_eq(str_from(h->key), key))
		h = decide_map_next(h, DECIDE_BY_KEY);
	return h;
}

struct decide_hearing *
decide_hearing_by_number(const struct decide *d, int64_t number)
{
	struct decide_hearing *h = decide_map_find(
		d, DECIDE_BY_NUMBER, decide_hash_number((uint64_t)number));

	while (h && h->number != number)
		h = decide_map_next(h, DECIDE_BY_NUMBER);
	return h;
}

struct decide_hearing *
decide_hearing_by_handle(const struct decide *d, uint64_t handle)
{
	struct decide_hearing *h =
		decide_map_find(d, DECIDE_BY_HANDLE, decide_hash_number(handle));

	while (h && h->handle != handle)
		h = decide_map_next(h, DECIDE_BY_HANDLE);
	return h;
}
