#include "daemon/sessions.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

enum {
	SESSIONS_MAX = 4096,
	BUCKETS = 4096,
	ID_BYTES = 200,
	READ_BYTES = 64 << 10
};

struct session {
	struct session *next; /* in its bucket */
	struct session *newer, *older;
	char *root; /* NULL: it has none */
	size_t id_size;
	char id[];
};

struct daemon_sessions {
	const struct io_place *place;
	struct store_reader *reader;
	struct arena *work;
	struct session *buckets[BUCKETS];
	struct session *newest, *oldest;
	size_t count;
};

/* --- which folders ------------------------------------------------------------- */

/* True if path is folder or stands below it. */
static bool
is_below(struct str path, struct str folder)
{
	return folder.len > 0 && str_starts(path, folder)
		&& (path.len == folder.len || path.ptr[folder.len] == '/');
}

static bool
is_system(struct str path)
{
	static const char *const trees[] = {
		"/bin",
		"/boot",
		"/dev",
		"/etc",
		"/lib",
		"/lib32",
		"/lib64",
		"/proc",
		"/run",
		"/sbin",
		"/sys",
		"/usr",
		"/var/lib",
		"/var/log",
		"/var/spool",
		"/nix",
		"/snap",
		"/System",
		"/Library",
	};
	static const char *const places[] = {
		"/home",
		"/media",
		"/mnt",
		"/opt",
		"/srv",
		"/tmp",
		"/var",
		"/var/tmp",
		"/Users",
		"/Applications",
		"/lost+found",
		"/root",
	};
	static const char *const sources[] = {"/usr/src", "/usr/local/src"};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (str_eq(path, str_from(places[i])))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		struct str s = str_from(sources[i]);

		if (is_below(path, s))
			return path.len == s.len;
	}
	for (size_t i = 0; i < ARRAY_LEN(trees); i++) {
		if (is_below(path, str_from(trees[i])))
			return true;
	}
	return false;
}

static bool
is_clean(struct str path)
{
	return path.len > 1 && path.len < LIMIT_PATH_BYTES && path.ptr[0] == '/'
		&& !str_ends(path, STR("/")) && !str_has(path, STR("//"))
		&& !str_has(path, STR("/../")) && !str_ends(path, STR("/.."))
		&& !str_has(path, STR("/./")) && !str_ends(path, STR("/."))
		&& !str_has_char(path, '\0') && !str_has_char(path, '\n');
}

bool
daemon_sessions_may_be_root(const struct io_place *place, struct str path)
{
	return is_clean(path) && !is_system(path) && !is_below(place->home, path)
		&& !is_below(path, place->config) && !is_below(path, place->state);
}

/* --- the sessions --------------------------------------------------------------- */

static size_t
bucket_of(struct str id)
{
	size_t h = 5381;

	for (size_t i = 0; i < id.len; i++)
		h = h * 33 + (unsigned char)id.ptr[i];
	return h % BUCKETS;
}

static void
unlink_age(struct daemon_sessions *s, struct session *e)
{
	*(e->newer ? &e->newer->older : &s->newest) = e->older;
	*(e->older ? &e->older->newer : &s->oldest) = e->newer;
}

static void
link_newest(struct daemon_sessions *s, struct session *e)
{
	e->newer = NULL;
	e->older = s->newest;
	*(s->newest ? &s->newest->newer : &s->oldest) = e;
	s->newest = e;
}

static struct str
id_of(const struct session *e)
{
	return (struct str){e->id, e->id_size};
}

static struct session *
find(struct daemon_sessions *s, struct str id)
{
	struct session *e = s->buckets[bucket_of(id)];

	while (e && !str_eq(id_of(e), id))
		e = e->next;
	if (e) {
		unlink_age(s, e);
		link_newest(s, e);
	}
	return e;
}

static void
drop_oldest(struct daemon_sessions *s)
{
	struct session *e = s->oldest;
	struct session **at = &s->buckets[bucket_of(id_of(e))];

	s->oldest = e->newer;
	*(e->newer ? &e->newer->older : &s->newest) = NULL;
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	s->count--;
	free(e->root);
	free(e);
}

static struct session *
add(struct daemon_sessions *s, struct str id, struct str root)
{
	struct session *e = calloc(1, sizeof(*e) + id.len);
	size_t b = bucket_of(id);

	CHECK(e);
	e->id_size = id.len;
	if (id.len > 0)
		memcpy(e->id, id.ptr, id.len);
	e->root = root.len > 0 ? strndup(root.ptr, root.len) : NULL;
	CHECK(root.len == 0 || e->root);
	e->next = s->buckets[b];
	s->buckets[b] = e;
	link_newest(s, e);
	s->count++;
	if (s->count > SESSIONS_MAX)
		drop_oldest(s);
	return e;
}

/* What an earlier daemon settled, or absent. */
static struct str
read_root(struct daemon_sessions *s, struct str id)
{
	struct store_session known;
	int r = store_read_session(s->reader, s->work, id, &known);

	return r == 0 ? known.root : (struct str){0};
}

static struct session *
recall(struct daemon_sessions *s, struct str id)
{
	struct str root = {0};

	if (!s->reader)
		return NULL;
	arena_reset(s->work);
	if (!ARENA_TRY(s->work))
		return NULL;
	root = read_root(s, id);
	arena_done(s->work);
	return daemon_sessions_may_be_root(s->place, root) ? add(s, id, root)
													   : NULL;
}

bool
daemon_sessions_find(
	struct daemon_sessions *s, struct str id, struct str *ret_root)
{
	struct session *e;

	id = str_sub(id, 0, ID_BYTES);
	e = find(s, id);
	if (!e)
		e = recall(s, id);
	if (!e)
		return false;
	*ret_root = str_from(e->root);
	return true;
}

void
daemon_sessions_set(struct daemon_sessions *s, struct str id, struct str root)
{
	struct str known;

	id = str_sub(id, 0, ID_BYTES);
	if (!daemon_sessions_find(s, id, &known))
		(void)add(s, id, root);
}

void
daemon_sessions_set_reader(struct daemon_sessions *s, struct store_reader *r)
{
	s->reader = r;
}

size_t
daemon_sessions_count(const struct daemon_sessions *s)
{
	return s->count;
}

struct daemon_sessions *
daemon_sessions_new(const struct io_place *place, struct store_reader *r)
{
	struct daemon_sessions *s = calloc(1, sizeof(*s));

	CHECK(s);
	s->place = place;
	s->reader = r;
	s->work = arena_new(READ_BYTES);
	CHECK(s->work);
	return s;
}

void
daemon_sessions_free(struct daemon_sessions *s)
{
	if (!s)
		return;
	while (s->oldest)
		drop_oldest(s);
	arena_free(s->work);
	free(s);
}
