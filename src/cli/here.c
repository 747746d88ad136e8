#include "cli/here.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/look.h"
#include "cli/request.h"
#include "cli/world.h"
#include "facts/facts.h"
#include "io/clock.h"

enum { ROUNDS = 2, LOOK_MS = 200 }; /* DESIGN 5a, World */

static void
add_answers(
	struct arena *a, struct call_world *w, const struct api_world *found)
{
	size_t n = w->answer_count, more = found->answer_count;
	struct call_answer *all = ARENA_ARRAY(a, n + more, struct call_answer);

	if (n > 0)
		memcpy(all, w->answers, n * sizeof(*all));
	if (more > 0)
		memcpy(all + n, found->answers, more * sizeof(*all));
	w->answers = all;
	w->answer_count = n + more;
}

static void
look(const struct cli *c, struct check_request *request)
{
	struct call_world *w = &request->world;

	w->assumed = false;
	for (int round = 0; round < ROUNDS; round++) {
		struct call_facts facts = {0};
		struct api_world found = {0};

		facts_of(c->arena, &request->call, w, &facts);
		if (facts.need_count == 0)
			break;
		struct cli_look in = {
			.needs = facts.needs,
			.need_count = facts.need_count,
			.cwd = request->call.cwd,
			.home = w->home,
			// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
			.search = str_from(getenv("PATH")),
			.until_ms = io_clock_mono_ms() + LOOK_MS,
		};

		cli_look(c->arena, &in, &found);
		add_answers(c->arena, w, &found);
	}
	w->rounds_used_up = true;
}

static void
set_user(const struct io_place *place, struct call_world *w)
{
	w->home = place->home;
	w->user = place->user;
	w->is_root = place->uid == 0;
	w->assent_config = place->config;
	w->assent_state = place->state;
	w->assent_socket = place->socket;
	w->assent_program = place->exe_folder;
}

void
cli_here_look(const struct cli *c, const struct io_place *place, struct str cwd,
	struct str root, struct check_request *request)
{
	request->call.cwd = cwd;
	request->call.roots = ARENA_NEW(c->arena, struct str);
	request->call.roots[0] = root;
	request->call.root_count = root.len > 0;
	set_user(place, &request->world);
	look(c, request);
}

int
cli_here_set(struct cli *c, struct check_request *request)
{
	struct io_place place = {0};
	char cwd[PATH_MAX];
	int code = cli_places(c, &place);

	if (code != CLI_OK)
		return code;
	if (!getcwd(cwd, sizeof(cwd)))
		return cli_fail(c, "this folder is not there any more");
	if (!cli_has(c, "cwd"))
		request->call.cwd = arena_dup(c->arena, str_from(cwd));
	if (!cli_has(c, "root"))
		request->call.roots[0] =
			cli_world_root(c->arena, request->call.cwd, place.home);
	set_user(&place, &request->world);
	look(c, request);
	return CLI_OK;
}

static json_t *
text(struct str s)
{
	json_t *j = s.ptr ? json_stringn(s.ptr, s.len) : NULL;

	return j ? j : json_null();
}

void
cli_here_print(const struct check_request *request, json_t *line)
{
	const struct call_world *w = &request->world;
	json_t *kinds[CALL_NEED_COUNT];
	json_t *world = json_object();

	for (size_t i = 0; i < CALL_NEED_COUNT; i++) {
		kinds[i] = json_object();
		(void)json_object_set_new(
			world, call_need_name((enum call_need_kind)i), kinds[i]);
	}
	for (size_t i = 0; i < w->answer_count; i++) {
		const struct call_answer *n = &w->answers[i];

		(void)json_object_setn_new(kinds[n->kind], n->name.ptr, n->name.len,
			n->kind == CALL_NEED_GIT
				? json_boolean(!str_eq(n->value, STR("plain")))
				: text(n->value));
	}
	(void)json_object_set_new(world, "home", text(w->home));
	(void)json_object_set_new(world, "user", text(w->user));
	(void)json_object_set_new(world, "uid", json_integer((json_int_t)getuid()));
	(void)json_object_set_new(line, "world", world);
	(void)json_object_set_new(line, "cwd", text(request->call.cwd));
	(void)json_object_set_new(line, "roots", json_array());
	for (size_t i = 0; i < request->call.root_count; i++)
		(void)json_array_append_new(
			json_object_get(line, "roots"), text(request->call.roots[i]));
}
