#include "policy/policy.h"

#include <stdlib.h>

#include "policy/policy_priv.h"

enum { POLICY_ARENA_BYTES = 128 << 20 };

/* FNV-1a, twice with different bases: it tells that rules changed, no more.
 * What must not be forged is digested by whoever records it. */
static void
digest_add(struct policy *p, struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		p->digest[0] = (p->digest[0] ^ c) * 0x100000001B3u;
		p->digest[1] = (p->digest[1] ^ (c ^ 0x5Au)) * 0x100000001B3u;
	}
	/* the length parts what follows from what was */
	p->digest[0] = (p->digest[0] ^ s.len) * 0x100000001B3u;
	p->digest[1] = (p->digest[1] ^ s.len) * 0x100000001B3u;
}

static void
revision_set(struct policy *p)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned i = 0; i < 32; i++) {
		uint64_t word = p->digest[i / 16];

		p->revision[i] = digits[word >> (60 - 4 * (i % 16)) & 15];
	}
}

static void
add_builtin(struct policy *p)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(POLICY_ARENA_BYTES);
	struct str name, text;
	struct policy_faults faults;

	CHECK(a);
	for (size_t n = 0; policy_builtin_file(n, &name, &text); n++)
		CHECK(policy_add(p, POLICY_LAYER_BUILTIN, name, text, a, &faults));
}

struct policy *
policy_new(void)
{
	struct arena *a = arena_new(POLICY_ARENA_BYTES);
	struct policy *p = a ? calloc(1, sizeof(*p)) : NULL;

	if (!p) {
		arena_free(a);
		return NULL;
	}
	atomic_init(&p->refs, 1);
	p->arena = a;
	p->digest[0] = 0xCBF29CE484222325u;
	p->digest[1] = 0x84222325CBF29CE4u;
	add_builtin(p);
	return p;
}

struct policy *
policy_ref(struct policy *p)
{
	CHECK(atomic_fetch_add(&p->refs, 1) > 0);
	return p;
}

void
policy_unref(struct policy *p)
{
	if (!p || atomic_fetch_sub(&p->refs, 1) != 1)
		return;
	arena_free(p->arena);
	free(p);
}

void
policy_unrefp(struct policy **p)
{
	policy_unref(*p);
	*p = NULL;
}

/* --- adding a file -------------------------------------------------------------- */

/* A list of the policy with room for n more. */
#define GROWN(p, list, count, n) \
	grown((p)->arena, (list), (count), (n), sizeof(*(list)))

static void *
grown(struct arena *a, const void *list, size_t count, size_t more, size_t size)
{
	char *now = arena_array(a, count + more, size);
	const char *old = list;

	for (size_t i = 0; i < count * size; i++)
		now[i] = old[i];
	return now;
}

static void
add_statement(
	struct policy *p, enum policy_layer layer, const struct policy_statement *s)
{
	switch (s->kind) {
	case POLICY_STATEMENT_RULE:
		p->rules[layer][p->rule_counts[layer]] = s->rule;
		policy_rule_prepare(&p->rules[layer][p->rule_counts[layer]++]);
		if (s->rule.verdict == CALL_VERDICT_DENY)
			p->denies[layer] = true;
		break;
	case POLICY_STATEMENT_SENSITIVE:
		p->markers[p->marker_count++] = s->marker;
		break;
	case POLICY_STATEMENT_INSTRUCT:
		p->instructions[p->instruction_count++] =
			(struct policy_instruction){s->text, layer, s->block};
		break;
	case POLICY_STATEMENT_SET:
		p->settings[p->setting_count++] =
			(struct policy_value){s->setting, layer, s->text};
		break;
	}
}

static void
copy_faults(struct arena *a, const struct policy_faults *from,
	struct policy_faults *ret)
{
	ret->count = from->count;
	ret->list = ARENA_ARRAY(a, from->count + 1, struct policy_fault);
	for (size_t i = 0; i < from->count; i++) {
		struct policy_fault f = from->list[i];

		f.message = arena_dup(a, f.message);
		if (f.suggestion.ptr)
			f.suggestion = arena_dup(a, f.suggestion);
		ret->list[i] = f;
	}
}

bool
// NOLINTNEXTLINE(readability-function-size): where, whose, what, and the answer
policy_add(struct policy *p, enum policy_layer layer, struct str name,
	struct str text, struct arena *a, struct policy_faults *ret_faults)
{
	struct policy_reader r = {.a = p->arena, .layer = layer};

	CHECK(layer < POLICY_LAYER_COUNT && atomic_load(&p->refs) == 1);
	r.file = arena_dup(p->arena, name);
	*ret_faults = (struct policy_faults){.count = 0};
	if (!policy_file_parse(&r, text)) {
		copy_faults(a, &r.faults, ret_faults);
		return false;
	}
	p->rules[layer] = GROWN(p, p->rules[layer], p->rule_counts[layer], r.count);
	p->markers = GROWN(p, p->markers, p->marker_count, r.count);
	p->instructions = GROWN(p, p->instructions, p->instruction_count, r.count);
	p->settings = GROWN(p, p->settings, p->setting_count, r.count);
	for (size_t i = 0; i < r.count; i++)
		add_statement(p, layer, &r.list[i]);
	digest_add(p, str_from(policy_layer_name(layer)));
	digest_add(p, name);
	digest_add(p, text);
	revision_set(p);
	return true;
}

/* --- asking ------------------------------------------------------------------------ */

struct str
policy_revision(const struct policy *p)
{
	return (struct str){p->revision, 32};
}

static const struct policy_setting *
row_of(const char *name)
{
	const struct policy_setting *rows = NULL;
	size_t count = policy_settings(&rows);

	for (size_t i = 0; i < count; i++) {
		if (str_eq(str_from(rows[i].name), str_from(name)))
			return &rows[i];
	}
	return NULL;
}

/* The line of the strongest layer, the last one there; or NULL. */
static const struct policy_value *
value_of(const struct policy *p, const char *name)
{
	const struct policy_setting *row = row_of(name);
	const struct policy_value *found = NULL;

	CHECK(row);
	for (size_t i = 0; i < p->setting_count; i++) {
		const struct policy_value *v = &p->settings[i];

		if (v->setting == row && (!found || v->layer >= found->layer))
			found = v;
	}
	return found;
}

struct str
policy_setting(const struct policy *p, const char *name)
{
	const struct policy_value *v = value_of(p, name);

	return v ? v->value : str_from(row_of(name)->fallback);
}

int64_t
policy_setting_number(const struct policy *p, const char *name)
{
	int64_t n = 0;

	CHECK(str_number(policy_setting(p, name), &n));
	return n;
}

int64_t
policy_setting_amount(const struct policy *p, const char *name)
{
	int64_t n = 0;

	CHECK(str_amount(policy_setting(p, name), &n));
	return n;
}

bool
policy_setting_is_set(const struct policy *p, const char *name)
{
	return value_of(p, name) != NULL;
}

size_t
policy_instructions(
	const struct policy *p, bool block, struct arena *a, struct str **ret_list)
{
	size_t n = 0;

	*ret_list = ARENA_ARRAY(a, p->instruction_count + 1, struct str);
	for (unsigned layer = 0; layer < POLICY_LAYER_COUNT; layer++) {
		for (size_t i = 0; i < p->instruction_count; i++) {
			const struct policy_instruction *one = &p->instructions[i];

			if (one->layer == layer && one->block == block)
				(*ret_list)[n++] = one->text;
		}
	}
	return n;
}

static const char *const layer_names[] = {
#define X(id, text) text,
	POLICY_LAYERS(X)
#undef X
};

const char *
policy_layer_name(enum policy_layer layer)
{
	CHECK(layer < POLICY_LAYER_COUNT);
	return layer_names[layer];
}

bool
policy_layer_from(struct str s, enum policy_layer *ret)
{
	for (unsigned i = 0; i < POLICY_LAYER_COUNT; i++) {
		if (str_eq(s, str_from(layer_names[i]))) {
			*ret = (enum policy_layer)i;
			return true;
		}
	}
	return false;
}
