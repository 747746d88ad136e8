#include "decide/decide_priv.h"

/*
 * Who started a session, and who started those: a subagent is never freer than
 * any of them.
 */

enum { ANCESTORS_MAX = 16 };

/* What is known of a session that started another; its texts in an arena, and
 * absent where nothing is known. */
struct ancestor {
	struct str parent, project, role;
};

/* False when that cannot be read. */
static bool
find_ancestor(const struct decide *d, struct arena *a, struct str id,
	struct ancestor *ret)
{
	const struct decide_session *s = decide_session_find(d, id);
	struct store_session stored = {0};

	int r = !s && d->reader ? store_read_session(d->reader, a, id, &stored) : 0;

	if (r != 0)
		stored = (struct store_session){0};
	*ret = (struct ancestor){
		.parent = s ? s->row->parent : stored.parent,
		.project = s ? s->row->root : stored.root,
		.role = s ? s->row->role : stored.role,
	};
	return r == 0 || r == FAIL_ABSENT;
}

/* A subagent is never freer than those who started it, whichever layer their
 * mode is from; of_files holds where nobody set one. */
void
decide_above_limit(const struct decide *d, struct str session,
	struct str project, enum call_mode of_files, struct order_settings *io)
{
	CLEANUP(arena_freep) struct arena *a = NULL;
	struct str id = session;
	struct ancestor up;
	const struct decide_session *s = decide_session_find(d, session);

	if (s && s->row->parent.len == 0)
		return;
	a = arena_new(1 << 20);
	if (!a || !ARENA_TRY(a) || !find_ancestor(d, a, id, &up)) {
		io->mode = CALL_MODE_ASK;
		return;
	}
	for (size_t i = 0; up.parent.len > 0 && !str_eq(up.parent, id); i++) {
		enum call_mode mode;

		id = up.parent;
		if (i == ANCESTORS_MAX || !find_ancestor(d, a, id, &up)) {
			io->mode = CALL_MODE_ASK;
			return;
		}
		if (!decide_session_find_mode(
				d, id, up.project.len > 0 ? up.project : project, &mode))
			mode = of_files;
		if (mode < io->mode)
			io->mode = mode;
	}
}

void
decide_above_add(const struct decide *d, struct arena *a, struct call *io)
{
	struct str id = io->session;
	struct ancestor up;
	const struct decide_session *s = decide_session_find(d, id);

	io->above = NULL;
	io->above_count = 0;
	if (!s || s->row->parent.len == 0)
		return;
	io->above = ARENA_ARRAY(a, ANCESTORS_MAX, struct str);
	for (size_t i = 0; i < ANCESTORS_MAX; i++) {
		if (!find_ancestor(d, a, id, &up) || up.parent.len == 0
			|| str_eq(up.parent, id))
			return;
		id = up.parent;
		if (find_ancestor(d, a, id, &up) && up.role.len > 0)
			io->above[io->above_count++] = up.role;
	}
}
