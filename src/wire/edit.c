#include "wire/edit.h"

#include <string.h>

#include "base/limits.h"
#include "wire/json.h"

/* --- reading --------------------------------------------------------------- */

/* A container that is not closed yet. */
struct level {
	struct wire_edit_node *node;
	struct wire_edit_node **last; /* where its next child is hung in */
};

struct scan {
	struct arena *a;
	struct str s;
	size_t at;
	struct level levels[LIMIT_JSON_DEPTH + 1];
	unsigned depth;
};

static bool
opens(char c)
{
	return c == '{' || c == '[';
}

static bool
closes(char c)
{
	return c == '}' || c == ']';
}

/* Blanks, and the commas between children. */
static void
skip_space(struct scan *p)
{
	while (p->at < p->s.len && str_has_char(STR(" \t\r\n,:"), p->s.ptr[p->at]))
		p->at++;
}

static void
skip_scalar(struct scan *p)
{
	if (p->s.ptr[p->at] == '"') {
		p->at = wire_json_skip_string(p->s, p->at);
		return;
	}
	while (
		p->at < p->s.len && !str_has_char(STR(",]} \t\r\n"), p->s.ptr[p->at]))
		p->at++;
}

/* The value that begins here; a container stays open. */
static struct wire_edit_node *
open_value(struct scan *p)
{
	struct wire_edit_node *node = ARENA_NEW(p->a, struct wire_edit_node);
	struct level *up = p->depth > 0 ? &p->levels[p->depth - 1] : NULL;

	node->depth = p->depth;
	node->key_start = p->at;
	if (up && up->node->kind == WIRE_EDIT_OBJECT) {
		size_t end = wire_json_skip_string(p->s, p->at);

		node->key = str_sub(p->s, p->at + 1, end - 1);
		p->at = end;
		skip_space(p);
	}
	node->start = p->at;
	if (up) {
		*up->last = node;
		up->last = &node->next;
	}
	if (p->at < p->s.len && opens(p->s.ptr[p->at])) {
		CHECK(p->depth < ARRAY_LEN(p->levels)); /* the parser refused deeper */
		node->kind =
			p->s.ptr[p->at] == '{' ? WIRE_EDIT_OBJECT : WIRE_EDIT_ARRAY;
		p->levels[p->depth++] = (struct level){node, &node->first};
		p->at++;
	} else if (p->at < p->s.len) {
		skip_scalar(p);
	}
	node->end = p->at;
	return node;
}

struct wire_edit_node *
wire_edit_parse(struct arena *a, struct str text)
{
	struct scan p = {.a = a, .s = text};
	struct wire_edit_node *top;

	if (str_starts(text, STR("\xef\xbb\xbf")))
		p.at = 3;
	skip_space(&p);
	top = open_value(&p);
	while (p.depth > 0) {
		skip_space(&p);
		if (p.at >= text.len || closes(text.ptr[p.at]))
			p.levels[--p.depth].node->end = ++p.at;
		else
			(void)open_value(&p);
	}
	return top;
}

struct wire_edit_node *
wire_edit_member(const struct wire_edit_node *object, struct str key)
{
	if (!object || object->kind != WIRE_EDIT_OBJECT)
		return NULL;
	for (struct wire_edit_node *n = object->first; n; n = n->next) {
		if (str_eq(n->key, key))
			return n;
	}
	return NULL;
}

struct str
wire_edit_source(struct str text, const struct wire_edit_node *node)
{
	return str_sub(text, node->start, node->end);
}

/* --- layout ---------------------------------------------------------------- */

/* How the text is laid out: what one level is indented by; absent when all is
 * on one line. */
static struct str
find_unit(struct str text)
{
	size_t open = str_find(text, STR("{"), 0);
	size_t i = str_find(text, STR("\n"), open) + 1, from = i;
	struct str blank;

	if (str_trim(text).len <= 2 || open == text.len)
		return STR("  ");
	if (i > text.len)
		return (struct str){0};
	while (i < text.len && (text.ptr[i] == ' ' || text.ptr[i] == '\t'))
		i++;
	blank = str_sub(text, from, i);
	return blank.len > 0 && i < text.len && text.ptr[i] != '}' ? blank
															   : STR("  ");
}

/* Text that is put together in arena memory of a known size. */
struct out {
	char *ptr;
	size_t len, size;
};

static void
add(struct out *o, struct str s)
{
	CHECK(s.len <= o->size - o->len);
	if (s.len > 0)
		memcpy(o->ptr + o->len, s.ptr, s.len);
	o->len += s.len;
}

static void
add_break(struct out *o, struct str unit, unsigned depth)
{
	if (!unit.ptr)
		return;
	add(o, STR("\n"));
	for (unsigned i = 0; i < depth; i++)
		add(o, unit);
}

/* compact's values over lines, for a place at depth. */
static void
add_laid_out(struct out *o, struct str s, struct str unit, unsigned depth)
{
	for (size_t i = 0, n = 1; i < s.len; i += n, n = 1) {
		char c = s.ptr[i];

		if (c == '"')
			n = wire_json_skip_string(s, i) - i;
		if (closes(c)) {
			depth--;
			if (!opens(s.ptr[i - 1]))
				add_break(o, unit, depth);
		}
		add(o, str_sub(s, i, i + n));
		if (opens(c)) {
			depth++;
			if (i + 1 < s.len && !closes(s.ptr[i + 1]))
				add_break(o, unit, depth);
		}
		if (c == ',')
			add_break(o, unit, depth);
		if (c == ':')
			add(o, STR(" "));
	}
}

/* Room for text, value laid out at depth, and some words around it. */
static struct out
make_out(struct arena *a, struct str text, struct str value, struct str unit,
	unsigned depth)
{
	size_t nested = depth + 2, deepest = nested;
	struct out o;

	for (size_t i = 0; i < value.len; i++) {
		nested += value.ptr[i] == '{' || value.ptr[i] == '[';
		deepest = nested > deepest ? nested : deepest;
		nested -= value.ptr[i] == '}' || value.ptr[i] == ']';
	}
	o.size = text.len + (value.len + 16) * (2 + unit.len * deepest);
	o.len = 0;
	o.ptr = arena_alloc(a, o.size);
	return o;
}

/* text with value as the new last child of node; key absent for elements. */
static struct str
add_child(struct arena *a, struct str text, const struct wire_edit_node *node,
	struct str key, struct str value)
{
	struct str unit = find_unit(text);
	struct str fixed = {text.ptr, text.len + key.len}; /* laid out as it is */
	struct out o = make_out(a, fixed, value, unit, node->depth);
	const struct wire_edit_node *last = node->first;

	while (last && last->next)
		last = last->next;
	add(&o, str_sub(text, 0, last ? last->end : node->start + 1));
	if (last)
		add(&o, unit.ptr ? STR(",") : STR(", "));
	add_break(&o, unit, node->depth + 1);
	if (key.ptr) {
		add(&o, STR("\""));
		add(&o, key);
		add(&o, STR("\": "));
	}
	add_laid_out(&o, value, unit, node->depth + 1);
	if (!last)
		add_break(&o, unit, node->depth);
	add(&o, str_sub(text, last ? last->end : node->end - 1, text.len));
	return (struct str){o.ptr, o.len};
}

/* --- changes --------------------------------------------------------------- */

struct str
wire_edit_add_member(struct arena *a, struct str text,
	const struct wire_edit_node *object, struct str key, struct str value)
{
	CHECK(object->kind == WIRE_EDIT_OBJECT);
	return add_child(a, text, object, key, value);
}

struct str
wire_edit_add_element(struct arena *a, struct str text,
	const struct wire_edit_node *array, struct str value)
{
	CHECK(array->kind == WIRE_EDIT_ARRAY);
	return add_child(a, text, array, (struct str){0}, value);
}

struct str
wire_edit_replace(struct arena *a, struct str text,
	const struct wire_edit_node *node, struct str value)
{
	struct str unit = find_unit(text);
	struct out o = make_out(a, text, value, unit, node->depth);

	add(&o, str_sub(text, 0, node->start));
	add_laid_out(&o, value, unit, node->depth);
	add(&o, str_sub(text, node->end, text.len));
	return (struct str){o.ptr, o.len};
}

struct str
wire_edit_remove(struct arena *a, struct str text,
	const struct wire_edit_node *parent, const struct wire_edit_node *child)
{
	struct out o = make_out(a, text, (struct str){0}, (struct str){0}, 0);
	const struct wire_edit_node *before = parent->first;
	size_t from = parent->start + 1, to = parent->end - 1;

	while (before != child && before->next != child)
		before = before->next;
	if (before != child) { /* with the comma in front */
		from = before->end;
		to = child->end;
	} else if (child->next) { /* with the comma behind */
		from = child->key_start;
		to = child->next->key_start;
	} /* else it was alone: nothing stays between the brackets */
	add(&o, str_sub(text, 0, from));
	add(&o, str_sub(text, to, text.len));
	return (struct str){o.ptr, o.len};
}

struct str
wire_edit_pretty(struct arena *a, struct str compact)
{
	struct str unit = STR("  ");
	struct out o = make_out(a, STR("\n"), compact, unit, 0);

	add_laid_out(&o, compact, unit, 0);
	add(&o, STR("\n"));
	return (struct str){o.ptr, o.len};
}
