#include "api/api.h"
#include "wire/json.h"

bool
api_text_is_clean(struct str s)
{
	for (size_t i = 0; i < s.len;) {
		uint32_t code = 0;
		size_t n = str_utf8(str_sub(s, i, s.len), &code);

		if (n == 0 || code == 0)
			return false;
		i += n;
	}
	return true;
}

bool
api_key_is_valid(struct str key)
{
	if (key.len != API_KEY_HEX)
		return false;
	for (size_t i = 0; i < key.len; i++) {
		if (!str_has_char(STR("0123456789abcdef"), key.ptr[i]))
			return false;
	}
	return true;
}

/* --- writing --------------------------------------------------------------- */

/* ,"name":"text", or nothing when the text is absent or not clean. */
static void
add_member(struct buf *out, const char *name, struct str text)
{
	if (!text.ptr || !api_text_is_clean(text))
		return;
	buf_addf(out, ",\"%s\":", name);
	buf_add_json(out, text);
}

static void
add_texts(struct buf *out, const struct str *list, size_t count)
{
	const char *comma = "";

	buf_add_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (!api_text_is_clean(list[i]))
			continue;
		buf_addf(out, "%s", comma);
		buf_add_json(out, list[i]);
		comma = ",";
	}
	buf_add_char(out, ']');
}

static void
add_parents(struct buf *out, const struct api_envelope *e)
{
	buf_addf(out, ",\"parents\":[");
	for (size_t i = 0; i < e->parent_count && i < API_PARENTS_MAX; i++) {
		const struct api_parent *p = &e->parents[i];

		buf_addf(out, "%s{\"pid\":%lld,\"start\":%lld", i > 0 ? "," : "",
			(long long)p->pid, (long long)p->start);
		add_member(out, "exe", p->exe);
		buf_addf(out, ",\"args\":");
		add_texts(out, p->args, p->arg_count);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void
add_variables(struct buf *out, const struct api_envelope *e)
{
	const char *comma = "";

	buf_addf(out, ",\"env\":{");
	for (size_t i = 0; i < e->variable_count && i < API_VARIABLES_MAX; i++) {
		const struct call_variable *v = &e->variables[i];
		struct str value = str_sub(v->value, 0, API_VALUE_BYTES);

		/* a value that is no text still says that the variable is set */
		if (!api_text_is_clean(v->name))
			continue;
		buf_addf(out, "%s", comma);
		buf_add_json(out, v->name);
		buf_add_char(out, ':');
		buf_add_json(out, value);
		comma = ",";
	}
	buf_add_char(out, '}');
}

/* The answers of one kind as an object; null = not there. */
static void
add_answers(
	struct buf *out, const struct api_world *w, enum call_need_kind kind)
{
	const char *comma = "";

	buf_addf(out, "\"%s\":{", call_need_name(kind));
	for (size_t i = 0; i < w->answer_count; i++) {
		const struct call_answer *n = &w->answers[i];

		if (n->kind != kind || !api_text_is_clean(n->name)
			|| !api_text_is_clean(n->value))
			continue;
		buf_addf(out, "%s", comma);
		buf_add_json(out, n->name);
		buf_add_char(out, ':');
		if (kind == CALL_NEED_GIT)
			buf_addf(
				out, "%s", str_eq(n->value, STR("plain")) ? "false" : "true");
		else if (kind == CALL_NEED_TRANSCRIPT && n->value.ptr)
			buf_add(out, n->value); /* JSON already */
		else if (n->value.ptr)
			buf_add_json(out, n->value);
		else
			buf_addf(out, "null");
		comma = ",";
	}
	buf_addf(out, "},");
}

static void
add_world(struct buf *out, const struct api_world *w)
{
	buf_addf(out, ",\"world\":{");
	for (unsigned k = 0; k < CALL_NEED_COUNT; k++)
		add_answers(out, w, (enum call_need_kind)k);
	buf_addf(out, "\"roots\":");
	add_texts(out, w->roots, w->root_count);
	buf_addf(out, ",\"partial\":%s}", w->partial ? "true" : "false");
}

void
api_envelope_print(struct buf *out, const struct api_envelope *e)
{
	buf_addf(out, "{\"v\":%d", API_VERSION);
	add_member(out, "client", e->client);
	add_member(out, "agent", e->agent);
	add_member(out, "event", e->event);
	add_member(out, "key", e->key);
	buf_addf(out, ",\"left_ms\":%lld", (long long)e->left_ms);
	add_member(out, "cwd", e->cwd);
	add_parents(out, e);
	add_member(out, "mntns", e->mntns);
	buf_addf(out, ",\"dialect\":\"%s\"", call_dialect_name(e->dialect));
	add_variables(out, e);
	buf_addf(out, ",\"installed\":%s,\"round\":%lld",
		e->installed ? "true" : "false", (long long)e->round);
	if (e->oversize > 0)
		buf_addf(out, ",\"oversize\":%lld", (long long)e->oversize);
	if (e->has_world)
		add_world(out, &e->world);
	buf_addf(out, "}\n");
}

/* --- reading --------------------------------------------------------------- */

static void
read_parent(const json_t *from, struct api_parent *ret)
{
	json_t *args = wire_json_array(from, "args"), *arg;
	size_t i;

	*ret = (struct api_parent){
		.pid = wire_json_int(from, "pid", 0),
		.start = wire_json_int(from, "start", 0),
		.exe = wire_json_str(from, "exe"),
	};
	json_array_foreach (args, i, arg) {
		if (ret->arg_count < API_PARENT_ARGS_MAX)
			ret->args[ret->arg_count++] = wire_json_text(arg);
	}
}

static void
read_variables(struct arena *a, const json_t *line, struct api_envelope *e)
{
	json_t *env = wire_json_object(line, "env"), *value;
	size_t count = json_object_size(env);
	struct call_variable *list = ARENA_ARRAY(a, count, struct call_variable);
	const char *name;

	json_object_foreach (env, name, value) {
		list[e->variable_count++] = (struct call_variable){
			.name = str_from(name),
			.value = wire_json_text(value),
		};
	}
	e->variables = list;
}

/* The value of an answer, as call/world.h wants it. */
static struct str
answer_value(enum call_need_kind kind, const json_t *value)
{
	if (kind == CALL_NEED_GIT)
		return json_is_false(value) ? STR("plain") : STR("programs");
	if (kind == CALL_NEED_TRANSCRIPT)
		return json_is_array(value) ? STR("read") : (struct str){0};
	return wire_json_text(value);
}

static void
read_answers(struct arena *a, const json_t *world, struct api_world *ret)
{
	size_t count = 0, n = 0;

	for (unsigned k = 0; k < CALL_NEED_COUNT; k++)
		count += json_object_size(
			wire_json_object(world, call_need_name((enum call_need_kind)k)));
	struct call_answer *list = ARENA_ARRAY(a, count, struct call_answer);

	for (unsigned k = 0; k < CALL_NEED_COUNT; k++) {
		enum call_need_kind kind = (enum call_need_kind)k;
		const char *name;
		json_t *value;

		json_object_foreach (
			wire_json_object(world, call_need_name(kind)), name, value) {
			list[n++] = (struct call_answer){
				.kind = kind,
				.name = str_from(name),
				.value = answer_value(kind, value),
			};
		}
	}
	ret->answers = list;
	ret->answer_count = n;
}

static void
read_world(struct arena *a, const json_t *world, struct api_world *ret)
{
	json_t *roots = wire_json_array(world, "roots"), *root;
	struct str *list = ARENA_ARRAY(a, json_array_size(roots), struct str);
	size_t i;

	*ret = (struct api_world){.roots = list};
	json_array_foreach (roots, i, root) {
		if (json_is_string(root))
			list[ret->root_count++] = wire_json_text(root);
	}
	ret->partial = wire_json_bool(world, "partial");
	read_answers(a, world, ret);
}

/* Messages; the newest, when there are too many. */
static void
read_said(struct arena *a, const json_t *list, struct api_envelope *e)
{
	size_t count = json_array_size(list);
	size_t first = count > API_SAID_MAX ? count - API_SAID_MAX : 0;
	struct api_said *said = ARENA_ARRAY(a, count - first, struct api_said);

	for (size_t i = first; i < count; i++) {
		const json_t *m = json_array_get(list, i), *origin;
		struct str role = wire_json_str(m, "role");
		struct api_said *s = &said[e->said_count];

		origin = wire_json_get(m, "origin");
		s->from_user = str_eq(role, STR("user"));
		s->injected = origin && !str_eq(wire_json_text(origin), STR("user"));
		s->time_ms = wire_json_int(m, "time", 0);
		s->text = wire_json_str(m, "text");
		s->model = wire_json_str(m, "model");
		if (s->text.ptr && (s->from_user || str_eq(role, STR("agent"))))
			e->said_count++;
	}
	e->said = said;
}

/* What the client was told, or read. */
static void
read_conversation(struct arena *a, const json_t *line, struct api_envelope *e)
{
	const json_t *given = wire_json_array(line, "conversation");
	json_t *transcripts = wire_json_object(
		wire_json_object(line, "world"), call_need_name(CALL_NEED_TRANSCRIPT));
	const char *path;
	json_t *list;

	if (given)
		read_said(a, given, e);
	json_object_foreach (transcripts, path, list) {
		if (!e->said)
			read_said(a, list, e);
	}
}

/* What a proxy knows of the tool that is called. */
static void
read_claims(struct arena *a, const json_t *line, struct api_envelope *e)
{
	const json_t *mcp = wire_json_object(line, "mcp");
	const json_t *annotations = wire_json_object(mcp, "annotations");

	e->mcp_description = wire_json_str(mcp, "description");
	if (annotations)
		e->mcp_annotations = wire_json_print(a, annotations);
}

static const char *
fault_of(const struct api_envelope *e, const json_t *line)
{
	if (wire_json_int(line, "v", 0) != API_VERSION)
		return "\"v\" is not 1: client and daemon are of different versions";
	if (!api_key_is_valid(e->key))
		return "\"key\" is not 32 lower-case hex digits";
	if (e->agent.len == 0)
		return "\"agent\" is missing";
	if (e->left_ms < 0)
		return "\"left_ms\" is missing or below zero";
	if (e->round < 0 || e->round > API_ROUNDS_MAX)
		return "\"round\" is no number of rounds that can be";
	if (e->cwd.ptr && !str_starts(e->cwd, STR("/")))
		return "\"cwd\" is not an absolute path";
	return NULL;
}

bool
api_envelope_from(struct arena *a, const json_t *line, struct api_envelope *ret,
	struct str *reterr)
{
	struct api_envelope e = {
		.client = wire_json_str(line, "client"),
		.agent = wire_json_str(line, "agent"),
		.event = wire_json_str(line, "event"),
		.key = wire_json_str(line, "key"),
		.left_ms = wire_json_int(line, "left_ms", -1),
		.cwd = wire_json_str(line, "cwd"),
		.mntns = wire_json_str(line, "mntns"),
		.dialect = CALL_DIALECT_OTHER,
		.installed = wire_json_bool(line, "installed"),
		.oversize = wire_json_int(line, "oversize", 0),
		.round = wire_json_int(line, "round", 0),
		.has_world = wire_json_object(line, "world") != NULL,
	};
	json_t *parents = wire_json_array(line, "parents"), *parent;
	const char *fault = fault_of(&e, line);
	size_t i;

	if (fault) {
		*reterr = str_from(fault);
		return false;
	}
	if (!call_dialect_from(wire_json_str(line, "dialect"), &e.dialect))
		e.dialect = CALL_DIALECT_OTHER;
	json_array_foreach (parents, i, parent) {
		if (e.parent_count < API_PARENTS_MAX)
			read_parent(parent, &e.parents[e.parent_count++]);
	}
	read_variables(a, line, &e);
	if (e.has_world)
		read_world(a, wire_json_object(line, "world"), &e.world);
	read_conversation(a, line, &e);
	read_claims(a, line, &e);
	*ret = e;
	return true;
}
