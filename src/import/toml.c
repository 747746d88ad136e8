#include "import/toml.h"

#include <string.h>

struct reader {
	struct arena *a;
	struct str s;
	size_t at;
	unsigned line;
	const char *why; /* the first fault, or NULL */
	struct toml_section *list;
	size_t count, room, value_room;
};

static bool
wrong(struct reader *r, const char *why)
{
	if (!r->why)
		r->why = why;
	return false;
}

static char
peek(const struct reader *r)
{
	return r->at < r->s.len ? r->s.ptr[r->at] : '\0';
}

static bool
starts(const struct reader *r, const char *with)
{
	return str_starts(str_sub(r->s, r->at, r->s.len), str_from(with));
}

static void
step(struct reader *r)
{
	if (peek(r) == '\n')
		r->line++;
	r->at++;
}

static void
skip_blanks(struct reader *r)
{
	while (r->at < r->s.len && (peek(r) == ' ' || peek(r) == '\t'))
		r->at++;
}

/* Blanks, line ends and comments. */
static void
skip_space(struct reader *r)
{
	while (r->at < r->s.len) {
		char c = peek(r);

		if (c == '#')
			r->at = str_find(r->s, STR("\n"), r->at);
		else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
			step(r);
		else
			return;
	}
}

/* --- texts ----------------------------------------------------------------- */

static bool
read_escape(struct reader *r, char *out, size_t *n)
{
	static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
	const char *found;

	step(r);
	found = memchr(from, peek(r), sizeof(from) - 1);
	if (!found)
		return wrong(r, "an escape that is not read");
	out[(*n)++] = to[found - from];
	step(r);
	return true;
}

/* Between quotes of one kind; three of them hold line ends, too. */
static bool
read_text(struct reader *r, struct str *ret)
{
	char quote = peek(r);
	const char *end = quote == '"' ? "\"\"\"" : "'''";
	bool is_long = starts(r, end);
	char *out = arena_alloc(r->a, r->s.len - r->at + 1);
	size_t n = 0;

	r->at += is_long ? 3 : 1;
	if (is_long && starts(r, "\n"))
		step(r);
	while (r->at < r->s.len && !(is_long ? starts(r, end) : peek(r) == quote)) {
		if (peek(r) == '\n' && !is_long)
			return wrong(r, "a text that is not closed");
		if (peek(r) == '\\' && quote == '"') {
			if (!read_escape(r, out, &n))
				return false;
			continue;
		}
		out[n++] = peek(r);
		step(r);
	}
	if (r->at >= r->s.len)
		return wrong(r, "a text that is not closed");
	r->at += is_long ? 3 : 1;
	*ret = (struct str){out, n};
	return true;
}

/* --- values ---------------------------------------------------------------- */

static bool
read_list(struct reader *r, struct toml_value *v)
{
	size_t room = 0;

	v->type = TOML_LIST;
	step(r);
	for (;;) {
		skip_space(r);
		if (peek(r) == ']') {
			step(r);
			return true;
		}
		if (peek(r) != '"' && peek(r) != '\'')
			return wrong(r, "a list of something else than texts");
		if (v->list_count == room) {
			struct str *wider;

			room = room ? room * 2 : 8;
			wider = ARENA_ARRAY(r->a, room, struct str);
			for (size_t i = 0; i < v->list_count; i++)
				wider[i] = v->list[i];
			v->list = wider;
		}
		if (!read_text(r, &v->list[v->list_count++]))
			return false;
		skip_space(r);
		if (peek(r) == ',')
			step(r);
		else if (peek(r) != ']')
			return wrong(r, "a list that is not closed");
	}
}

/* { key = value, ... }: that it is there is all that matters. */
static bool
skip_table(struct reader *r, struct toml_value *v)
{
	struct str text;

	v->type = TOML_TABLE;
	while (r->at < r->s.len && peek(r) != '}' && peek(r) != '\n') {
		if (peek(r) != '"' && peek(r) != '\'')
			step(r);
		else if (!read_text(r, &text))
			return false;
	}
	if (peek(r) != '}')
		return wrong(r, "a table that is not closed");
	step(r);
	return true;
}

static bool
read_bare(struct reader *r, struct toml_value *v)
{
	size_t from = r->at;

	while (r->at < r->s.len && !str_has_char(STR(" \t\r\n#,]}"), peek(r)))
		r->at++;
	v->text = str_sub(r->s, from, r->at);
	v->type = str_eq(v->text, STR("true")) || str_eq(v->text, STR("false"))
		? TOML_BOOL
		: TOML_NUMBER;
	return v->text.len > 0 ? true : wrong(r, "a key without a value");
}

static bool
read_value(struct reader *r, struct toml_value *v)
{
	switch (peek(r)) {
	case '"':
	case '\'':
		v->type = TOML_TEXT;
		return read_text(r, &v->text);
	case '[':
		return read_list(r, v);
	case '{':
		return skip_table(r, v);
	default:
		return read_bare(r, v);
	}
}

/* --- lines ----------------------------------------------------------------- */

static struct toml_section *
add_section(struct reader *r, struct str name, bool is_array)
{
	if (r->count == r->room) {
		size_t room = r->room ? r->room * 2 : 16;
		struct toml_section *wider =
			ARENA_ARRAY(r->a, room, struct toml_section);

		for (size_t i = 0; i < r->count; i++)
			wider[i] = r->list[i];
		r->list = wider;
		r->room = room;
	}
	r->list[r->count] = (struct toml_section){
		.name = name,
		.is_array = is_array,
		.line = r->line,
	};
	r->value_room = 0;
	return &r->list[r->count++];
}

static bool
read_header(struct reader *r)
{
	bool is_array = starts(r, "[[");
	const char *end = is_array ? "]]" : "]";
	size_t from = r->at + (is_array ? 2 : 1);
	size_t to = str_find(r->s, str_from(end), from);
	struct str name = str_trim(str_sub(r->s, from, to));

	if (to >= r->s.len || name.len == 0 || str_has_char(name, '\n'))
		return wrong(r, "a heading that is not closed");
	(void)add_section(r, name, is_array);
	r->at = to + (is_array ? 2 : 1);
	return true;
}

static bool
read_key(struct reader *r, struct toml_value *v)
{
	size_t from = r->at;

	if (peek(r) == '"' || peek(r) == '\'')
		return read_text(r, &v->key);
	while (r->at < r->s.len && !str_has_char(STR(" \t\r\n=#"), peek(r)))
		r->at++;
	v->key = str_sub(r->s, from, r->at);
	return v->key.len > 0 ? true : wrong(r, "neither a key nor a heading");
}

static bool
add_value(struct reader *r, const struct toml_value *v)
{
	struct toml_section *s = &r->list[r->count - 1];

	if (import_toml_get(s, arena_dup(r->a, v->key).ptr))
		return wrong(r, "a key that stands twice");
	if (s->value_count == r->value_room) {
		size_t room = r->value_room ? r->value_room * 2 : 8;
		struct toml_value *wider = ARENA_ARRAY(r->a, room, struct toml_value);

		for (size_t i = 0; i < s->value_count; i++)
			wider[i] = s->values[i];
		s->values = wider;
		r->value_room = room;
	}
	s->values[s->value_count++] = *v;
	return true;
}

static bool
read_line(struct reader *r)
{
	struct toml_value v = {0};

	if (peek(r) == '[') {
		if (!read_header(r))
			return false;
	} else {
		if (!read_key(r, &v))
			return false;
		skip_blanks(r);
		if (peek(r) != '=')
			return wrong(r, "a key without a value");
		step(r);
		skip_blanks(r);
		if (!read_value(r, &v) || !add_value(r, &v))
			return false;
	}
	skip_blanks(r);
	if (r->at < r->s.len && !str_has_char(STR("#\r\n"), peek(r)))
		return wrong(r, "something behind the value");
	return true;
}

bool
import_toml_read(struct arena *a, struct str text, struct toml_file *ret)
{
	struct reader r = {.a = a, .s = text, .line = 1};

	(void)add_section(&r, STR(""), false);
	skip_space(&r);
	while (r.at < r.s.len && read_line(&r))
		skip_space(&r);
	*ret = (struct toml_file){
		.list = r.list,
		.count = r.count,
		.line = r.line,
		.why = r.why,
	};
	return !r.why;
}

const struct toml_value *
import_toml_get(const struct toml_section *s, const char *key)
{
	for (size_t i = 0; i < s->value_count; i++) {
		if (str_eq(s->values[i].key, str_from(key)))
			return &s->values[i];
	}
	return NULL;
}
