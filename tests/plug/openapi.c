/*
 * Holds docs/openapi.yaml against what a daemon said. `openapi FILE.yaml <LOG`;
 * a line of the log is one of
 *
 *	route METHOD PATH                   the daemon has it; {} for each parameter
 *	code WORD                           an error code that stands in its source
 *	sent METHOD PATH FILE               a body that was sent
 *	query METHOD PATH NAME              a parameter that was used
 *	answer METHOD PATH STATUS FILE      what came back
 *
 * What is not documented is a failure, and so is what is documented and was never
 * seen, unless it says why (x-unseen).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "io/file.h"
#include "wire/json.h"

enum { NODES = 1 << 15, BODY_BYTES = 16 << 20, LINE_BYTES = 1 << 14 };

static json_t *doc;
static int passed, failed;

static void fail(const char *fmt, ...) PRINTF_LIKE(1, 2);

static void
fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)printf("FAILED: ");
	(void)vprintf(fmt, args);
	(void)printf("\n");
	va_end(args);
	failed++;
}

/* --- YAML to JSON ------------------------------------------------------------ */

static json_t *made[NODES]; /* aliases share what they name */

static json_t *
scalar_of(const yaml_node_t *n)
{
	const char *text = (const char *)n->data.scalar.value;
	char *end = NULL;
	long number = strtol(text, &end, 10);

	if (n->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return json_string(text);
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		return json_boolean(text[0] == 't');
	if (*text && !*end)
		return json_integer(number);
	return json_string(text);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as our own file
static json_t *
json_of(yaml_document_t *y, int index)
{
	yaml_node_t *n = yaml_document_get_node(y, index);
	json_t *j = NULL;

	if (!n || index >= NODES)
		return NULL;
	if (made[index])
		return json_incref(made[index]);
	if (n->type == YAML_SCALAR_NODE)
		j = scalar_of(n);
	if (n->type == YAML_SEQUENCE_NODE) {
		j = json_array();
		for (yaml_node_item_t *i = n->data.sequence.items.start;
			 i < n->data.sequence.items.top; i++)
			(void)json_array_append_new(j, json_of(y, *i));
	}
	if (n->type == YAML_MAPPING_NODE) {
		j = json_object();
		for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
			 p < n->data.mapping.pairs.top; p++) {
			yaml_node_t *key = yaml_document_get_node(y, p->key);
			const char *name = (const char *)key->data.scalar.value;

			if (json_object_get(j, name)) {
				(void)printf("FAILED: line %zu: %s stands there twice\n",
					key->start_mark.line + 1, name);
				// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
				exit(1);
			}
			(void)json_object_set_new(j, name, json_of(y, p->value));
		}
	}
	made[index] = j;
	return json_incref(j);
}

static json_t *
read_yaml(const char *path)
{
	FILE *f = fopen(path, "re");
	yaml_parser_t parser;
	yaml_document_t y;

	if (!f || !yaml_parser_initialize(&parser))
		return NULL;
	yaml_parser_set_input_file(&parser, f);
	if (!yaml_parser_load(&parser, &y)) {
		(void)printf(
			"%s:%zu: %s\n", path, parser.problem_mark.line + 1, parser.problem);
		return NULL;
	}
	json_t *j = json_of(&y, 1);

	yaml_document_delete(&y);
	yaml_parser_delete(&parser);
	(void)fclose(f);
	return j;
}

/* --- schemas ------------------------------------------------------------------- */

static void
see(json_t *j)
{
	if (json_is_object(j))
		(void)json_object_set_new(j, "x-seen", json_true());
}

static bool
is_excused(const json_t *j)
{
	return wire_json_bool(j, "x-seen") || wire_json_get(j, "x-unseen");
}

static json_t *
get(const json_t *j, const char *key)
{
	return json_object_get(j, key);
}

/* What a $ref names, or j itself. */
static json_t *
follow(json_t *j)
{
	const char *ref = json_string_value(get(j, "$ref"));

	return ref
		? get(get(get(doc, "components"), "schemas"), strrchr(ref, '/') + 1)
		: j;
}

static const char *
type_of(const json_t *v)
{
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		return "object";
	case JSON_ARRAY:
		return "array";
	case JSON_STRING:
		return "string";
	case JSON_INTEGER:
		return "integer";
	case JSON_REAL:
		return "number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "boolean";
	case JSON_NULL:
		break;
	}
	return "null";
}

static bool
is_one_of(const json_t *list, const json_t *v)
{
	const json_t *one;
	size_t i;

	json_array_foreach (list, i, one) {
		if (json_equal(one, v))
			return true;
	}
	return !list;
}

static void check(json_t *schema, json_t *v, const char *where);

static void
check_object(json_t *schema, json_t *v, const char *where)
{
	json_t *properties = get(schema, "properties"), *name, *member;
	json_t *rest = get(schema, "additionalProperties");
	const char *key;
	size_t i;
	char at[LINE_BYTES];

	json_object_foreach (v, key, member) {
		json_t *p = get(properties, key);

		(void)snprintf(at, sizeof(at), "%.400s.%.80s", where, key);
		see(p);
		if (p || rest)
			check(p ? p : rest, member, at);
		else
			fail("%s is not documented", at);
	}
	json_array_foreach (get(schema, "required"), i, name) {
		if (!get(v, json_string_value(name)))
			fail("%s has no %s", where, json_string_value(name));
	}
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the answers
static void
check(json_t *schema, json_t *v, const char *where)
{
	json_t *s = follow(schema), *item;
	const char *type = json_string_value(get(s, "type"));
	size_t i;

	if (!s) {
		fail("%s: its schema names nothing", where);
	} else if (type && strcmp(type, type_of(v)) != 0
		&& !(json_is_null(v) && wire_json_bool(s, "nullable"))) {
		fail("%s is of type %s, not %s", where, type_of(v), type);
	} else if (!is_one_of(get(s, "enum"), v)) {
		fail("%s is \"%s\", which is not listed", where, json_string_value(v));
	} else if (json_is_object(v)) {
		check_object(s, v, where);
	} else if (json_is_array(v)) {
		json_array_foreach (v, i, item) {
			check(get(s, "items"), item, where);
		}
	} else {
		passed++;
	}
}

static void
check_text(json_t *schema, struct str text, const char *where)
{
	struct wire_json_error e;
	json_t *v = wire_json_parse(text, &e);

	if (v)
		check(schema, v, where);
	else
		fail("%s is no JSON", where);
	json_decref(v);
}

/* --- bodies ---------------------------------------------------------------------- */

/* "event: NAME" and "data: JSON" of each event. */
static void
check_events(json_t *events, struct str body, const char *where)
{
	struct str line, value;
	char name[64] = "", at[LINE_BYTES];

	while (str_line(&body, &line)) {
		struct str field = str_cut(line, ':', &value);

		value = str_trim(value);
		if (str_eq(field, STR("event")))
			(void)snprintf(name, sizeof(name), "%.*s", STR_ARG(value));
		if (!str_eq(field, STR("data")))
			continue;
		(void)snprintf(at, sizeof(at), "%.400s event %s", where, name);
		see(get(events, name));
		if (get(events, name))
			check_text(get(events, name), value, at);
		else
			fail("%s is not documented", at);
	}
}

static void
check_body(json_t *content, struct str body, const char *where)
{
	json_t *lines = get(content, "application/x-ndjson");
	json_t *events = get(content, "text/event-stream");
	json_t *json = get(content, "application/json");
	json_t *bytes = get(content, "application/octet-stream");
	json_t *head = get(json ? json : bytes, "x-head");
	struct str line;

	if (events)
		check_events(get(events, "x-events"), body, where);
	else if (lines)
		while (str_line(&body, &line))
			check_text(get(lines, "schema"), line, where);
	else if (head && str_line(&body, &line))
		check_text(head, line, where);
	else if (json)
		check_text(get(json, "schema"), body, where);
	else
		fail("%s has a body that is not documented", where);
}

/* --- operations -------------------------------------------------------------------- */

/* "/v1/cards/{card}" is "/v1/cards/{}". */
static bool
is_path(const char *documented, const char *path)
{
	while (*documented && *documented == *path) {
		if (*path == '{')
			documented = strchr(documented, '}') - 1;
		documented++;
		path++;
	}
	return !*documented && !*path;
}

static json_t *
find_path(const char *path)
{
	const char *key;
	json_t *j;

	json_object_foreach (get(doc, "paths"), key, j) {
		if (is_path(key, path))
			return j;
	}
	return NULL;
}

static json_t *
find_op(const char *method, const char *path)
{
	char small[16] = "";

	for (size_t i = 0; method[i] && i + 1 < sizeof(small); i++)
		small[i] = (char)(method[i] | 32);
	return get(find_path(path), small);
}

static void
check_code(const json_t *response, const char *status, struct str body,
	const char *where)
{
	struct wire_json_error e;
	json_t *v = wire_json_parse(body, &e);
	const json_t *code = wire_json_get(wire_json_get(v, "error"), "code");
	const json_t *mine = get(response, "x-codes");
	const json_t *all = get(get(doc, "x-everywhere"), status);

	if (!(mine && is_one_of(mine, code)) && !(all && is_one_of(all, code)))
		fail("%s says %s, which is not documented", where,
			json_string_value(code));
	json_decref(v);
}

static void
check_answer(json_t *op, const char *where, const char *status, struct str body)
{
	json_t *response = get(get(op, "responses"), status);
	json_t *error = get(get(get(doc, "components"), "schemas"), "Error");
	char at[LINE_BYTES];

	(void)snprintf(at, sizeof(at), "%.200s %s", where, status);
	see(response);
	if (status[0] != '2')
		check_code(response, status, body, at);
	if (response)
		check_body(get(response, "content"), body, at);
	else if (get(get(doc, "x-everywhere"), status))
		check_text(error, body, at);
	else
		fail("%s is not documented", at);
}

static void
use_parameter(json_t *op, const char *where, const char *name)
{
	json_t *p;
	size_t i;

	json_array_foreach (get(op, "parameters"), i, p) {
		if (strcmp(json_string_value(get(p, "name")), name) == 0) {
			see(p);
			return;
		}
	}
	fail("%s: the parameter %s is not documented", where, name);
}

/* --- the log ------------------------------------------------------------------------- */

static json_t *codes; /* of the source */

static void
take_words(char **w, int count)
{
	CLEANUP(buf_done) struct buf body;
	char where[256];
	json_t *op = count > 2 ? find_op(w[1], w[2]) : NULL;
	const char *file = strcmp(w[0], "answer") == 0 ? w[4] : w[3];

	buf_init(&body, BODY_BYTES);
	if (strcmp(w[0], "code") == 0) {
		(void)json_object_set_new(codes, w[1], json_true());
		return;
	}
	(void)snprintf(where, sizeof(where), "%s %s", w[1], w[2]);
	if (!op) {
		fail("%s is not documented", where);
		return;
	}
	if (strcmp(w[0], "route") == 0) {
		see(op);
		return;
	}
	if (strcmp(w[0], "query") == 0) {
		use_parameter(op, where, w[3]);
		return;
	}
	if (io_file_read(file, &body) != 0)
		fail("%s: %s cannot be read", where, file);
	if (strcmp(w[0], "answer") == 0) {
		check_answer(op, where, w[3], buf_str(&body));
	} else {
		see(get(op, "requestBody"));
		check_body(
			get(get(op, "requestBody"), "content"), buf_str(&body), where);
	}
}

static void
read_log(void)
{
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), stdin)) {
		char *words[8] = {0}, *save = NULL;
		int n = 0;

		for (char *at = strtok_r(line, " \n", &save); at && n < 7;
			 at = strtok_r(NULL, " \n", &save))
			words[n++] = at;
		if (n > 0)
			take_words(words, n);
	}
}

/* --- what was never seen ---------------------------------------------------------------- */

static void
must_be_seen(const json_t *j, const char *what, const char *name)
{
	if (is_excused(j))
		passed++;
	else
		fail("%s: %s is documented, and was never seen", what, name);
}

static void
collect_codes(json_t *into, const json_t *list)
{
	const json_t *code;
	size_t i;

	json_array_foreach (list, i, code) {
		(void)json_object_set_new(into, json_string_value(code), json_true());
	}
}

static void
report_op(json_t *op, const char *what, json_t *documented)
{
	json_t *content = get(get(get(op, "responses"), "200"), "content");
	const char *key;
	json_t *j;
	size_t i;

	must_be_seen(op, what, "the route");
	json_object_foreach (get(op, "responses"), key, j) {
		must_be_seen(j, what, key);
		collect_codes(documented, get(j, "x-codes"));
	}
	if (get(op, "requestBody"))
		must_be_seen(get(op, "requestBody"), what, "its body");
	json_object_foreach (
		get(get(content, "text/event-stream"), "x-events"), key, j) {
		must_be_seen(j, what, key);
	}
	json_array_foreach (get(op, "parameters"), i, j) {
		if (strcmp(json_string_value(get(j, "in")), "query") == 0)
			must_be_seen(j, what, json_string_value(get(j, "name")));
	}
}

static void
report_codes(json_t *documented)
{
	const char *key;
	json_t *j;

	json_object_foreach (get(doc, "x-everywhere"), key, j) {
		collect_codes(documented, j);
	}
	json_object_foreach (documented, key, j) {
		if (!get(codes, key))
			fail("the code %s is documented, and not in the source", key);
	}
	json_object_foreach (codes, key, j) {
		if (!get(documented, key))
			fail("the code %s of the source is not documented", key);
	}
}

static void
report(void)
{
	json_t *documented = json_object(), *j, *op, *p;
	const char *path, *method, *name, *member;
	char what[256];

	json_object_foreach (get(doc, "paths"), path, j) {
		json_object_foreach (j, method, op) {
			(void)snprintf(what, sizeof(what), "%s %s", method, path);
			report_op(op, what, documented);
		}
	}
	json_object_foreach (get(get(doc, "components"), "schemas"), name, j) {
		json_object_foreach (get(j, "properties"), member, p) {
			must_be_seen(p, name, member);
		}
	}
	report_codes(documented);
	json_decref(documented);
}

int
main(int argc, char **argv)
{
	doc = argc == 2 ? read_yaml(argv[1]) : NULL;
	codes = json_object();
	if (!doc) {
		(void)printf("FAILED: usage: openapi FILE.yaml <LOG\n");
		return 2;
	}
	read_log();
	report();
	(void)printf("%d passed, %d failed\n", passed, failed);
	return failed > 0 || passed == 0;
}
