#include <stdio.h>

#include "llm/agent.h"
#include "llm/key.h"
#include "llm/price.h"
#include "llm/provider.h"
#include "tests/test.h"
#include "wire/json.h"

/*
 * :show says what a line is:
 *	write   a model's name => the request, as the API of :api has it (:plain on)
 *	read    a body, framed as :type says => what is understood of it
 *	url     what judge.url says => what is posted to
 *	safe    an address => may a key be sent there
 *	serves  a run's model => can :api be asked for it
 *	price   "MODEL INPUT CACHED OUTPUT" by the table in :prices
 *	words   a judge.command => what is run, for :model
 *	key     what a key file holds => is it one
 */

enum { BODY_BYTES = 1 << 20 };

static enum llm_kind
api_of(const struct test_scene *scene)
{
	return llm_kind_from(test_scene_get(scene, "api", STR("openai")));
}

static struct str
show_write(struct arena *a, const struct test_scene *scene, struct str model)
{
	const struct llm_row *row = llm_row_of(api_of(scene));
	struct llm_request r = {
		.model = model,
		.system = STR("S"),
		.user = STR("stable\n<rest>"),
		.stable = 9,
		.schema = STR("{\"type\":\"object\"}"),
		.plain = test_scene_get(scene, "plain", STR("off")).len == 2,
	};
	CLEANUP(buf_done) struct buf b;
	struct wire_json_error e;

	buf_init(&b, BODY_BYTES);
	row->write(&b, row, &r);
	json_t *j = wire_json_parse(buf_str(&b), &e);
	bool good = j != NULL;

	json_decref(j);
	return good ? arena_dup(a, buf_str(&b)) : STR("no JSON");
}

static struct str
describe(struct arena *a, struct llm_reply *r)
{
	enum llm_trouble t = llm_reply_end(r);
	CLEANUP(buf_done) struct buf text;

	buf_init(&text, BODY_BYTES);
	buf_add_json(&text, buf_str(&r->text));
	return arena_fmt(a, "%s%s%s %.*s %lld %lld %lld%s", llm_trouble_name(t),
		r->detail[0] ? ": " : "", r->detail, STR_ARG(text), (long long)r->input,
		(long long)r->cached, (long long)r->output,
		r->complete ? " complete" : "");
}

/* However it is cut into pieces, the same is understood. */
static struct str
show_read(struct arena *a, const struct test_scene *scene, struct str body)
{
	static const struct str any = {"application/json", 16};
	struct str type = test_scene_get(scene, "type", any), said[2];
	const struct llm_row *row = llm_row_of(api_of(scene));

	for (size_t i = 0; i < ARRAY_LEN(said); i++) {
		struct llm_reply r;
		size_t step = i == 0 ? body.len + 1 : 1;

		llm_reply_init(&r, row->read);
		llm_reply_type(&r, type);
		for (size_t at = 0; at < body.len; at += step)
			llm_reply_add(&r, str_sub(body, at, at + step));
		said[i] = describe(a, &r);
		llm_reply_done(&r);
	}
	return str_eq(said[0], said[1]) ? said[0]
									: arena_fmt(a, "%.*s, in pieces: %.*s",
										STR_ARG(said[0]), STR_ARG(said[1]));
}

static struct str
show_price(struct arena *a, const struct test_scene *scene, struct str line)
{
	struct str rest, model = str_cut(line, ' ', &rest);
	int64_t n[3] = {0};

	for (size_t i = 0; i < ARRAY_LEN(n); i++) {
		if (!str_number(str_cut(rest, ' ', &rest), &n[i]))
			return STR("no number");
	}
	return arena_fmt(a, "%lld",
		(long long)llm_price_of(test_scene_get(scene, "prices", STR("")), model,
			&(struct llm_usage){
				.input_tokens = n[0],
				.cached_tokens = n[1],
				.output_tokens = n[2],
			}));
}

static struct str
show_words(struct arena *a, const struct test_scene *scene, struct str line)
{
	const char *const *words =
		llm_agent_words(a, line, test_scene_get(scene, "model", STR("")));
	struct str all = STR("");

	if (!words)
		return STR("too many");
	for (size_t i = 0; words[i]; i++)
		all = arena_fmt(a, "%.*s[%s]", STR_ARG(all), words[i]);
	return all;
}

static struct str
show_key(struct arena *a, const struct test_scene *scene, struct str text)
{
	struct llm_key k;

	(void)scene;
	return llm_key_take(&k, text) ? arena_fmt(a, "[%.*s]", (int)k.len, k.bytes)
								  : STR("none");
}

static struct str
show_url(struct arena *a, const struct test_scene *scene, struct str url)
{
	return llm_row_url(a, llm_row_of(api_of(scene)),
		str_eq(url, STR("-")) ? (struct str){0} : url);
}

static struct str
show_safe(struct arena *a, const struct test_scene *scene, struct str url)
{
	(void)a;
	(void)scene;
	return llm_url_is_safe(url) ? STR("yes") : STR("no");
}

static struct str
show_serves(struct arena *a, const struct test_scene *scene, struct str model)
{
	(void)a;
	return llm_row_serves(llm_row_of(api_of(scene)), model) ? STR("yes")
															: STR("no");
}

static const struct {
	const char *name;
	struct str (*show)(
		struct arena *a, const struct test_scene *scene, struct str input);
} shows[] = {
	{"write",  show_write },
	{"read",   show_read  },
	{"url",    show_url   },
	{"safe",   show_safe  },
	{"serves", show_serves},
	{"price",  show_price },
	{"words",  show_words },
	{"key",    show_key   },
};

struct str
show_llm(struct arena *a, const struct test_scene *scene, struct str input)
{
	struct str what = test_scene_get(scene, "show", STR(""));

	for (size_t i = 0; i < ARRAY_LEN(shows); i++) {
		if (str_eq(what, str_from(shows[i].name)))
			return shows[i].show(a, scene, input);
	}
	return STR("no such :show");
}
