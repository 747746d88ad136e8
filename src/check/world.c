/*
 * A line's world. Whatever it does not name stays as in the labelled world.
 */

#include "check/check_priv.h"
#include "wire/json.h"

/* {name: text or null} as answers; a null says that the thing is not there. */
static void
add_answers(struct check_reader *r, json_t *obj, enum call_need_kind kind,
	struct call_answer **at)
{
	const char *key;
	json_t *value;

	json_object_foreach (obj, key, value) {
		if (!json_is_string(value) && !json_is_null(value))
			check_fault(r, "world.%s holds something that is no text",
				call_need_name(kind));
		*(*at)++ = (struct call_answer){
			.kind = kind,
			.name = str_from(key),
			.value = wire_json_text(value),
		};
	}
}

static struct str
git_text(bool names_programs)
{
	return names_programs ? STR("programs") : STR("plain");
}

/* git: true for every folder, or {folder: true}. */
static void
add_git(struct check_reader *r, json_t *git, struct call_answer **at)
{
	const char *key;
	json_t *value;

	if (json_is_boolean(git)) {
		*(*at)++ = (struct call_answer){
			CALL_NEED_GIT, CALL_EVERY, git_text(json_is_true(git))};
		return;
	}
	if (git && !json_is_object(git))
		check_fault(r, "world.git is neither true, false nor an object");
	json_object_foreach (git, key, value) {
		if (!json_is_boolean(value))
			check_fault(r, "world.git holds something not true or false");
		*(*at)++ = (struct call_answer){
			CALL_NEED_GIT, str_from(key), git_text(json_is_true(value))};
	}
}

static void
read_answers(struct check_reader *r, const json_t *world, struct call_world *w)
{
	static const enum call_need_kind kinds[] = {CALL_NEED_LINK,
		CALL_NEED_PROGRAM, CALL_NEED_FILE, CALL_NEED_NAMES, CALL_NEED_SETTINGS,
		CALL_NEED_SECRETS};
	json_t *git = check_member(world, "git");
	size_t count = 1 + json_object_size(git);
	struct call_answer *list, *at;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		count += json_object_size(
			check_object(r, world, "world.", call_need_name(kinds[i])));
	list = at = ARENA_ARRAY(r->a, count, struct call_answer);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		add_answers(r,
			check_object(r, world, "world.", call_need_name(kinds[i])),
			kinds[i], &at);
	add_git(r, git, &at);
	w->answers = list;
	w->answer_count = (size_t)(at - list);
}

/* Where assent is for this user (DESIGN 11). */
static void
set_places(struct arena *a, struct call_world *w, int64_t uid)
{
	w->assent_config = arena_fmt(a, "%.*s/.config/assent", STR_ARG(w->home));
	w->assent_state =
		arena_fmt(a, "%.*s/.local/state/assent", STR_ARG(w->home));
	w->assent_socket =
		arena_fmt(a, "/run/user/%lld/assent/sock", (long long)uid);
}

void
check_world_from(
	struct check_reader *r, const json_t *world, struct check_request *request)
{
	struct call_world *w = &request->world;
	const json_t *uid = check_member(world, "uid");

	if (world) {
		check_folder(r, world, "world.", "home", &w->home);
		check_text(r, world, "world.", "user", &w->user);
		read_answers(r, world, w);
	}
	if (uid && (!json_is_integer(uid) || json_integer_value(uid) < 0))
		check_fault(r, "world.uid is no number from 0 on");
	w->is_root =
		uid ? json_integer_value(uid) == 0 : str_eq(w->user, STR("root"));
	set_places(r->a, w, w->is_root ? 0 : uid ? json_integer_value(uid) : 1000);
}
