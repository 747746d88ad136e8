#include "api/api.h"
#include "wire/json.h"

static void
add_needs(struct buf *out, const struct api_answer *n)
{
	buf_addf(out, ",\"need\":{");
	for (unsigned k = 0; k < CALL_NEED_COUNT; k++) {
		const char *comma = "";

		buf_addf(out, "\"%s\":[", call_need_name((enum call_need_kind)k));
		for (size_t i = 0; i < n->need_count && i < API_NEEDS_MAX; i++) {
			/* what cannot be named in JSON stays without an answer */
			if (n->needs[i].kind != k || !api_text_is_clean(n->needs[i].name))
				continue;
			buf_addf(out, "%s", comma);
			buf_add_json(out, n->needs[i].name);
			comma = ",";
		}
		buf_addf(out, "],");
	}
	buf_addf(out, "\"roots\":[");
	if (n->roots_of.ptr && api_text_is_clean(n->roots_of))
		buf_add_json(out, n->roots_of);
	buf_addf(out, "]}");
}

void
api_answer_print(struct buf *out, const struct api_answer *n)
{
	CHECK(n->kind == API_ANSWER || n->kind == API_NEED);
	buf_addf(out, "{\"key\":");
	buf_add_json(out, n->key);
	buf_addf(out, ",\"kind\":\"%s\",\"stdout\":%zu,\"exit\":%d",
		n->kind == API_NEED ? "need" : "answer", n->out.len, n->exit);
	if (n->err.ptr) {
		buf_addf(out, ",\"stderr\":");
		buf_add_json(out, n->err);
	}
	if (n->kind == API_NEED)
		add_needs(out, n);
	buf_addf(out, "}\n");
	buf_add(out, n->out);
}

static size_t
read_needs(const json_t *need, struct call_need *list)
{
	size_t n = 0;

	for (unsigned k = 0; k < CALL_NEED_COUNT; k++) {
		enum call_need_kind kind = (enum call_need_kind)k;
		json_t *names = wire_json_array(need, call_need_name(kind)), *name;
		size_t i;

		json_array_foreach (names, i, name) {
			if (json_is_string(name) && n < API_NEEDS_MAX)
				list[n++] = (struct call_need){kind, wire_json_text(name)};
		}
	}
	return n;
}

static enum api_kind
kind_from(struct str s)
{
	return str_eq(s, STR("answer")) ? API_ANSWER
		: str_eq(s, STR("need"))    ? API_NEED
									: API_NONE;
}

bool
api_answer_from(struct arena *a, const json_t *head, struct str body,
	struct api_answer *ret, struct str *reterr)
{
	struct str out = {0};
	int64_t size = wire_json_int(head, "stdout", -1);
	int64_t status = wire_json_int(head, "exit", -1);
	struct api_answer n = {
		.kind = kind_from(wire_json_str(head, "kind")),
		.key = wire_json_str(head, "key"),
		.err = wire_json_str(head, "stderr"),
		.exit = (int)status,
	};

	(void)str_cut(body, '\n', &out);
	n.out = out;
	*reterr = (struct str){0};
	if (n.kind == API_NONE)
		*reterr = STR("the answer's kind is neither \"answer\" nor \"need\"");
	else if (!api_key_is_valid(n.key))
		*reterr = STR("the answer has no key");
	else if (size < 0 || (size_t)size != out.len)
		*reterr = arena_fmt(a, "the answer has %zu bytes where it says %lld",
			out.len, (long long)size);
	else if (status != 0 && status != 2)
		*reterr = STR("the answer's exit status is neither 0 nor 2");
	if (reterr->ptr)
		return false;
	if (n.kind == API_NEED) {
		struct call_need *list =
			ARENA_ARRAY(a, API_NEEDS_MAX, struct call_need);
		json_t *need = wire_json_object(head, "need");

		n.need_count = read_needs(need, list);
		n.needs = list;
		n.roots_of =
			wire_json_text(json_array_get(wire_json_array(need, "roots"), 0));
	}
	*ret = n;
	return true;
}

void
api_error_print(struct buf *out, const char *code, struct str message)
{
	buf_addf(out, "{\"error\":{\"code\":\"%s\",\"message\":", code);
	buf_add_json(out, message);
	buf_addf(out, "}}\n");
}
