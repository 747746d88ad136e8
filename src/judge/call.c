/*
 * A call as one line of JSON: what the model judges, what the audit keeps. All
 * of it is there, or there is none.
 */

#include "judge/judge_priv.h"
#include "wire/json.h"

enum { SCRATCH_BYTES = 8 << 20 };

struct printer {
	struct buf *out;
	const struct call *call;
	struct judge_values *values;
	bool in_command; /* inside the argument that a shell reads */
	const char *failure;
};

static const char too_large[] = "too large to show";
static const char no_text[] = "holds bytes that are not text";
static const char not_apart[] = "holds a secret that cannot be taken out";

static void
fail(struct printer *p, const char *why)
{
	if (!p->failure)
		p->failure = why;
}

static void
print_redacted(struct printer *p, struct str s, enum judge_text kind)
{
	CLEANUP(buf_done) struct buf b;

	buf_init(&b, SCRATCH_BYTES);
	if (!judge_is_text(s))
		fail(p, no_text);
	else if (!judge_redact_with(&b, s, kind, p->values))
		fail(p, b.full ? too_large : not_apart);
	buf_add_json(p->out, buf_str(&b));
}

/* --- values with names --------------------------------------------------------- */

/* In a structure the name alone says what the value is. */
static bool
is_secret_member(struct judge_name name, struct str value)
{
	if (judge_is_stand_in(value) || judge_is_plain_path(value))
		return false;
	switch (name.class) {
	case JUDGE_NAME_STRONG:
	case JUDGE_NAME_AUTH:
	case JUDGE_NAME_COOKIE:
		return true;
	case JUDGE_NAME_USUAL:
	case JUDGE_NAME_WEAK:
		return judge_looks_random(value) && !str_has_char(value, ' ');
	case JUDGE_NAME_NONE:
		break;
	}
	return false;
}

static void
take_out_member(struct printer *p, struct judge_name name, struct str value)
{
	struct judge_values *v = p->values;

	if (!judge_is_text(value))
		fail(p, no_text);
	if (value.len >= JUDGE_VALUE_BYTES_MIN && judge_looks_random(value)
		&& v->count < JUDGE_VALUES) {
		v->types[v->count] = name.type;
		v->list[v->count++] = value;
	}
	buf_addf(p->out, "\"[secret:%s]\"", name.type);
}

static bool
is_command_key(const struct printer *p, struct str key)
{
	return str_eq(key, STR("command")) || str_eq(key, STR("cmd"))
		|| (p->call->tool == CALL_TOOL_SHELL && str_eq(key, STR("script")));
}

static void
print_string(struct printer *p, struct str key, struct str value)
{
	struct judge_name name = judge_name_of(key);

	if (!p->in_command && is_secret_member(name, value))
		take_out_member(p, name, value);
	else
		print_redacted(
			p, value, p->in_command ? JUDGE_TEXT_COMMAND : JUDGE_TEXT_PROSE);
}

/* --- structures ------------------------------------------------------------------ */

static void print_value(struct printer *p, struct str key, json_t *value);

/*
 * The words of a command, each by itself. An option and its value are then two
 * texts: if they read differently side by side, nobody can redact them.
 */
static void
check_words(struct printer *p, const json_t *list)
{
	CLEANUP(buf_done) struct buf apart, joined, words;

	buf_init(&apart, SCRATCH_BYTES);
	buf_init(&joined, SCRATCH_BYTES);
	buf_init(&words, SCRATCH_BYTES);
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct str s = wire_json_text(json_array_get(list, i));

		if (!judge_redact(&apart, s, JUDGE_TEXT_COMMAND))
			fail(p, not_apart);
		buf_add_char(&apart, ' ');
		buf_add(&words, s);
		buf_add_char(&words, ' ');
	}
	if (!judge_redact(&joined, buf_str(&words), JUDGE_TEXT_COMMAND)
		|| !str_eq(buf_str(&joined), buf_str(&apart)))
		fail(p, not_apart);
}

static void
print_array(struct printer *p, struct str key, json_t *list)
{
	if (p->in_command)
		check_words(p, list);
	buf_add_char(p->out, '[');
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (i > 0)
			buf_add_char(p->out, ',');
		print_value(p, key, json_array_get(list, i));
	}
	buf_add_char(p->out, ']');
}

/* {"name": "Authorization", "value": "..."}: the name of the value. */
static struct str
name_beside(const json_t *obj)
{
	static const char *const keys[] = {"name", "key", "header", "variable"};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct str s = wire_json_str(obj, keys[i]);

		if (s.ptr)
			return s;
	}
	return STR("");
}

static void
print_member(
	struct printer *p, const json_t *obj, struct str key, json_t *value)
{
	bool outer = p->in_command;

	print_redacted(p, key, JUDGE_TEXT_PROSE);
	buf_add_char(p->out, ':');
	p->in_command = outer || is_command_key(p, key);
	print_value(p, str_eq(key, STR("value")) ? name_beside(obj) : key, value);
	p->in_command = outer;
}

static void
print_object(struct printer *p, json_t *obj)
{
	buf_add_char(p->out, '{');
	for (void *it = json_object_iter(obj); it;
		 it = json_object_iter_next(obj, it)) {
		struct str key = {
			json_object_iter_key(it), json_object_iter_key_len(it)};

		if (it != json_object_iter(obj))
			buf_add_char(p->out, ',');
		print_member(p, obj, key, json_object_iter_value(it));
	}
	buf_add_char(p->out, '}');
}

/* A password may be a number. */
static void
print_plain(struct printer *p, struct str key, const json_t *value)
{
	enum { FLAGS = JSON_COMPACT | JSON_ENCODE_ANY };
	struct judge_name name = judge_name_of(key);
	char text[64];
	size_t n = json_dumpb(value, text, sizeof(text), FLAGS);

	if (json_is_number(value) && name.class == JUDGE_NAME_STRONG)
		buf_addf(p->out, "\"[secret:%s]\"", name.type);
	else if (n > 0 && n <= sizeof(text))
		buf_add(p->out, (struct str){text, n});
	else
		fail(p, too_large);
}

// NOLINTNEXTLINE(misc-no-recursion): the reader bounds the depth
static void
print_value(struct printer *p, struct str key, json_t *value)
{
	if (json_is_object(value))
		print_object(p, value);
	else if (json_is_array(value))
		print_array(p, key, value);
	else if (json_is_string(value))
		print_string(p, key, wire_json_text(value));
	else
		print_plain(p, key, value);
}

/* --- the call ---------------------------------------------------------------------- */

static void
print_text(struct printer *p, const char *key, struct str text)
{
	if (!text.ptr)
		return;
	buf_addf(p->out, ",\"%s\":", key);
	print_redacted(p, text, JUDGE_TEXT_PROSE);
}

/* For mcp the arguments: what stands beside them is the client's. */
static struct str
input_of(const struct call *call)
{
	if (call->tool == CALL_TOOL_MCP && call->arguments.ptr)
		return call->arguments;
	return call->input;
}

static void
print_call(struct printer *p, json_t *input)
{
	const struct call *c = p->call;

	buf_addf(p->out, "{\"tool\":\"%s\"", call_tool_name(c->tool));
	print_text(p, "tool_name", c->tool_name);
	if (c->tool == CALL_TOOL_MCP) {
		print_text(p, "server", c->server);
		print_text(p, "server_tool", c->mcp_tool);
	}
	print_text(p, "cwd", c->cwd);
	if (c->tool == CALL_TOOL_SHELL)
		buf_addf(p->out, ",\"shell\":\"%s\"", call_dialect_name(c->dialect));
	buf_add(p->out, STR(",\"input\":"));
	if (input) {
		print_value(p, STR(""), input);
	} else {
		print_redacted(p, input_of(c),
			c->tool == CALL_TOOL_SHELL ? JUDGE_TEXT_COMMAND : JUDGE_TEXT_PROSE);
	}
	buf_add_char(p->out, '}');
}

bool
judge_call_print(struct buf *out, const struct call *call, json_t **ret_j,
	struct judge_values *values, struct str *ret_failure)
{
	struct printer p = {.out = out, .call = call, .values = values};
	struct wire_json_error error;
	size_t before = out->len;

	*ret_j = NULL;
	if (input_of(call).len > JUDGE_CALL_BYTES) {
		*ret_failure = str_from(too_large);
		return false;
	}
	*ret_j = wire_json_parse(input_of(call), &error);
	print_call(&p, *ret_j);
	if (values->count > 0 && !p.failure) {
		/* once more: a value may stand before the place that names it */
		out->len = before;
		print_call(&p, *ret_j);
	}
	if (out->full || out->len - before > JUDGE_CALL_BYTES)
		fail(&p, too_large);
	*ret_failure = str_from(p.failure);
	return !p.failure;
}

bool
judge_redact_call(
	struct buf *out, const struct call *call, struct str *ret_failure)
{
	struct judge_values values = {0};
	WIRE_JSON json_t *j = NULL;

	return judge_call_print(out, call, &j, &values, ret_failure);
}
