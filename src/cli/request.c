#include "cli/request.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/start.h"
#include "io/clock.h"
#include "wire/json.h"

enum { TOLD_BYTES = 256 << 20 }; /* the longest page of the audit */

void
cli_told_done(struct cli_told *told)
{
	json_decref(told->json);
	buf_done(&told->text);
	*told = (struct cli_told){0};
}

int
cli_places(const struct cli *c, struct io_place *ret)
{
	return io_place_find(c->arena, &c->places, true, ret) == 0
		? CLI_OK
		: cli_fail(c, "%s", fail_text());
}

/* --- asking ---------------------------------------------------------------- */

static int
connect_to(const struct cli *c, const struct io_place *p, bool starts,
	struct api_client *ret)
{
	const char *path = arena_cstr(c->arena, p->socket);

	if (!path)
		return fail_here(FAIL_LIMIT, "the socket's path holds a NUL");
	int r = api_client_open(ret, path);

	if (r != FAIL_ABSENT || !starts)
		return r;
	r = cli_start(c->arena, p, io_clock_mono_ms() + CLI_WAIT_MS);
	if (r == 0)
		r = api_client_open(ret, path);
	return r == FAIL_ABSENT
		? fail_here(FAIL_IO, "the daemon was started and ended at once")
		: r;
}

/* NULL for what is no JSON: it stays as it came. */
static json_t *
read_json(struct str text)
{
	struct wire_json_error e;

	return text.len > 0 ? wire_json_parse(text, &e) : NULL;
}

static int
ask_once(const struct cli *c, const struct io_place *p,
	const struct cli_request *q, struct cli_told *ret)
{
	struct api_client client = API_CLIENT_NONE;
	struct api_reply reply = {0};
	struct api_request request = {
		.method = q->method,
		.path = q->path,
		.body = q->body,
		.deadline_ms =
			io_clock_mono_ms() + (q->waits ? CLI_JUDGE_MS : CLI_WAIT_MS),
	};

	*ret = (struct cli_told){0};
	int r = connect_to(c, p, q->starts, &client);

	if (r != 0)
		return r;
	buf_init(&reply.body, TOLD_BYTES);
	r = api_client_ask(&client, &request, &reply);
	api_client_close(&client);
	ret->text = reply.body;
	ret->status = r == 0 ? reply.status : 0;
	return r;
}

int
cli_ask(const struct cli *c, const struct io_place *p,
	const struct cli_request *q, struct cli_told *ret)
{
	int r = ask_once(c, p, q, ret);

	/* a daemon that was just dying took the connection; who only looks may
	 * ask the next one */
	if (r == FAIL_IO && q->starts && strcmp(q->method, "GET") == 0) {
		cli_told_done(ret);
		r = ask_once(c, p, q, ret);
	}
	if (r == 0 && (!q->raw || ret->status != 200))
		ret->json = read_json(buf_str(&ret->text));
	return r;
}

int
cli_listen(const struct cli *c, const char *path, const struct api_listener *to,
	struct cli_told *ret)
{
	struct api_client client = API_CLIENT_NONE;
	struct api_reply reply = {0};
	struct io_place p;
	struct api_request request = {
		.method = "GET",
		.path = path,
		.deadline_ms = io_clock_mono_ms() + CLI_WAIT_MS,
	};

	*ret = (struct cli_told){0};
	int r = io_place_find(c->arena, &c->places, true, &p);

	if (r == 0)
		r = connect_to(c, &p, true, &client);
	if (r != 0)
		return r;
	buf_init(&reply.body, TOLD_BYTES);
	r = api_client_listen(&client, &request, to, &reply);
	ret->text = reply.body;
	ret->status = reply.status;
	ret->json = read_json(buf_str(&ret->text));
	return r;
}

static int
say_failure(const struct cli *c, int r)
{
	struct io_place p;

	if (r == FAIL_ABSENT && io_place_find(c->arena, &c->places, true, &p) == 0)
		return cli_fail(c,
			"%s. No daemon runs; the first call of an agent starts one, or: "
			"assent daemon start",
			fail_text());
	if (r == FAIL_IO && io_place_find(c->arena, &c->places, true, &p) == 0) {
		struct str words = cli_start_last_words(c->arena, &p);

		if (words.ptr)
			return cli_fail(
				c, "%s; it said: %.*s", fail_text(), STR_ARG(words));
	}
	return cli_fail(c, "%s", fail_text());
}

int
cli_ask_failed(const struct cli *c, int r, const struct cli_told *told)
{
	if (r != 0)
		return say_failure(c, r);
	struct str words =
		cli_member(c->arena, wire_json_object(told->json, "error"), "message");

	if (words.len > 0)
		return cli_fail(c, "%.*s", STR_ARG(words));
	return cli_fail(c,
		"the daemon answered with status %d and no reason (its version may "
		"be another: assent daemon status)",
		told->status);
}

int
cli_ask_well(
	const struct cli *c, const struct cli_request *q, struct cli_told *ret)
{
	struct io_place p;
	int code = cli_places(c, &p);

	*ret = (struct cli_told){0};
	if (code != CLI_OK)
		return code;
	int r = cli_ask(c, &p, q, ret);

	return r == 0 && ret->status == 200 ? CLI_OK : cli_ask_failed(c, r, ret);
}

/* --- text ------------------------------------------------------------------ */

struct str
cli_query_part(struct arena *a, struct str s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
								"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	char *out = arena_alloc(a, s.len * 3 + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (str_has_char(STR(plain), s.ptr[i]))
			out[n++] = s.ptr[i];
		else
			n += (size_t)snprintf(
				out + n, 4, "%%%02X", (unsigned)(unsigned char)s.ptr[i]);
	}
	return (struct str){out, n};
}

int
cli_told_print(const struct cli_told *told)
{
	struct str text = buf_str(&told->text);

	(void)fwrite(text.ptr ? text.ptr : "", 1, text.len, stdout);
	if (!str_ends(text, STR("\n")))
		(void)putchar('\n');
	return CLI_OK;
}

struct str
cli_time(struct arena *a, int64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	struct tm parts;
	char text[32];

	if (!localtime_r(&t, &parts)
		|| strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts) == 0)
		return arena_fmt(a, "%lld ms", (long long)ms);
	return arena_dup(a, str_from(text));
}

struct str
cli_member(struct arena *a, const json_t *obj, const char *key)
{
	struct str s = wire_json_str(obj, key);

	return s.ptr ? cli_show(a, s) : s;
}
