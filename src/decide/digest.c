#include <stdlib.h>
#include <string.h>

#include "decide/decide_priv.h"
#include "wire/sha256.h"

/*
 * What was judged, in 32 bytes: who answers a card names what was seen, and an
 * approval is spent on the identical call only.
 */

void
decide_digest_hex(const unsigned char digest[DECIDE_DIGEST_BYTES],
	char ret[STORE_DIGEST_HEX + 1])
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < DECIDE_DIGEST_BYTES; i++) {
		ret[2 * i] = hex[digest[i] >> 4];
		ret[2 * i + 1] = hex[digest[i] & 15];
	}
	ret[STORE_DIGEST_HEX] = '\0';
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
decide_digest_from(struct str hex, unsigned char ret[DECIDE_DIGEST_BYTES])
{
	if (hex.len != STORE_DIGEST_HEX)
		return false;
	for (size_t i = 0; i < DECIDE_DIGEST_BYTES; i++) {
		int high = digit(hex.ptr[2 * i]), low = digit(hex.ptr[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		ret[i] = (unsigned char)(high * 16 + low);
	}
	return true;
}

static void
finish(struct wire_sha256 *s, unsigned char ret[DECIDE_DIGEST_BYTES])
{
	char hex[WIRE_SHA256_HEX + 1];

	wire_sha256_hex(s, hex);
	CHECK(decide_digest_from(str_from(hex), ret));
}

void
decide_digest_call(
	const struct call *call, unsigned char ret[DECIDE_DIGEST_BYTES])
{
	struct wire_sha256 s;

	wire_sha256_init(&s);
	wire_sha256_add(&s, call->agent);
	wire_sha256_add(&s, call->session);
	wire_sha256_add(&s, call->tool_name);
	wire_sha256_add(&s, call->input);
	wire_sha256_add(&s, call->cwd);
	finish(&s, ret);
}

void
decide_digest_meaning(const struct call *call, const struct call_facts *f,
	unsigned char ret[DECIDE_DIGEST_BYTES])
{
	struct wire_sha256 s;

	wire_sha256_init(&s);
	wire_sha256_add(&s, call->agent);
	wire_sha256_add(&s, call->session);
	wire_sha256_add(&s, call->tool_name);
	wire_sha256_add(&s, call->cwd);
	if (call->tool != CALL_TOOL_SHELL || f->command_count == 0)
		wire_sha256_add(&s, call->input);
	for (size_t i = 0; i < f->command_count; i++) {
		wire_sha256_add(&s, STR(";"));
		for (size_t k = 0; k < f->commands[i].word_count; k++)
			wire_sha256_add(&s, f->commands[i].words[k].text);
	}
	finish(&s, ret);
}

static int
compare_answers(const void *a, const void *b)
{
	const struct call_answer *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return str_cmp(x->name, y->name);
}

/* Answers in an order of their own: a client may list them in any. */
static void
add_world(struct arena *a, struct wire_sha256 *s, const struct call_world *w)
{
	struct call_answer *sorted =
		ARENA_ARRAY(a, w->answer_count + 1, struct call_answer);

	for (size_t i = 0; i < w->answer_count; i++)
		sorted[i] = w->answers[i];
	qsort(sorted, w->answer_count, sizeof(*sorted), compare_answers);
	for (size_t i = 0; i < w->answer_count; i++) {
		if (sorted[i].kind == CALL_NEED_TRANSCRIPT)
			continue; /* the conversation goes on while a card is open */
		wire_sha256_add(s, str_from(call_need_name(sorted[i].kind)));
		wire_sha256_add(s, sorted[i].name);
		wire_sha256_add(s, sorted[i].value.ptr ? STR("is") : STR("absent"));
		wire_sha256_add(s, sorted[i].value);
	}
	for (size_t i = 0; i < w->variable_count; i++) {
		wire_sha256_add(s, w->variables[i].name);
		wire_sha256_add(s, w->variables[i].value);
	}
	wire_sha256_add(s, w->home);
	wire_sha256_add(s, w->user);
}

void
decide_digest_all(struct arena *a, const struct decide_post *p,
	const unsigned char call[DECIDE_DIGEST_BYTES],
	unsigned char ret[DECIDE_DIGEST_BYTES])
{
	struct wire_sha256 s;

	wire_sha256_init(&s);
	wire_sha256_add(&s, (struct str){(const char *)call, DECIDE_DIGEST_BYTES});
	add_world(a, &s, &p->world);
	for (size_t i = 0; i < p->call->root_count; i++)
		wire_sha256_add(&s, p->call->roots[i]);
	wire_sha256_add(
		&s, p->policy ? policy_revision(p->policy) : (struct str){0});
	finish(&s, ret);
}

/* --- pairs ---------------------------------------------------------------- */

static struct decide_pair *
place_of(struct decide *d, const unsigned char digest[DECIDE_DIGEST_BYTES])
{
	size_t i = (size_t)digest[0] | (size_t)digest[1] << 8;

	return &d->pairs[i % DECIDE_PAIRS];
}

void
decide_pair_set(
	struct decide *d, const struct decide_hearing *h, int64_t now_ms)
{
	struct decide_pair *p = place_of(d, h->call_digest);

	if (!h->pairs)
		return;
	memcpy(p->digest, h->call_digest, sizeof(p->digest));
	p->number = h->number;
	p->until_ms = now_ms + DECIDE_PAIR_MS;
	p->verdict = h->pending->verdict;
	p->by = h->pending->by;
}

bool
decide_pair_take(struct decide *d,
	const unsigned char call[DECIDE_DIGEST_BYTES], int64_t now_ms,
	struct decide_pair *ret)
{
	struct decide_pair *p = place_of(d, call);

	if (p->verdict == CALL_VERDICT_NONE || p->until_ms < now_ms
		|| memcmp(p->digest, call, sizeof(p->digest)) != 0)
		return false;
	*ret = *p;
	memset(p, 0, sizeof(*p));
	return true;
}
