/*
 * Paths, made absolute by reading, not by asking the disk: what the world was
 * asked and has answered is all that is known of links.
 */

#include "base/limits.h"
#include "facts/facts_priv.h"

/* A path under construction; never longer than LIMIT_PATH_BYTES. */
struct path {
	char *ptr;
	size_t len, max;
	bool too_long;
};

static struct str
path_str(const struct path *p)
{
	return p->len == 0 ? STR("/") : (struct str){p->ptr, p->len};
}

static void
path_push(struct path *p, struct str part)
{
	if (p->len + part.len + 1 > p->max) {
		p->too_long = true;
		return;
	}
	p->ptr[p->len++] = '/';
	for (size_t i = 0; i < part.len; i++)
		p->ptr[p->len++] = part.ptr[i];
}

static void
path_pop(struct path *p)
{
	while (p->len > 0 && p->ptr[--p->len] != '/')
		;
}

static struct path
path_new(struct arena *a, size_t max)
{
	return (struct path){.ptr = arena_alloc(a, max + 1), .max = max};
}

/* Adds the parts of an absolute or relative path to p, by their letters. */
static void
path_add(struct path *p, struct str path)
{
	struct str rest = path;

	while (rest.len > 0) {
		struct str part = str_cut(rest, '/', &rest);

		if (part.len == 0 || str_eq(part, STR(".")))
			continue;
		if (str_eq(part, STR("..")))
			path_pop(p);
		else
			path_push(p, part);
	}
}

/* True if nothing has to be done to make path clean. */
static bool
is_clean(struct str path)
{
	if (path.len == 0 || path.ptr[0] != '/' || path.len > LIMIT_PATH_BYTES)
		return false;
	for (size_t i = 0; i < path.len; i++) {
		if (path.ptr[i] == '\0')
			return false;
		if (path.ptr[i] == '/'
			&& (i + 1 == path.len || path.ptr[i + 1] == '/'
				|| path.ptr[i + 1] == '.'))
			return path.len == 1;
	}
	return true;
}

bool
facts_path_clean(
	struct arena *a, struct str cwd, struct str path, struct str *ret_path)
{
	bool absolute = path.len > 0 && path.ptr[0] == '/';

	if (is_clean(path)) {
		*ret_path = path;
		return true;
	}
	if (path.len + cwd.len > LIMIT_PATH_BYTES || str_has_char(path, '\0')
		|| (!absolute && (cwd.len == 0 || cwd.ptr[0] != '/')))
		return false;
	struct path p = path_new(a, path.len + cwd.len + 2);

	if (!absolute)
		path_add(&p, cwd);
	path_add(&p, path);
	*ret_path = path_str(&p);
	return !p.too_long;
}

bool
facts_path_below(struct str path, struct str folder)
{
	if (folder.len == 0)
		return false;
	if (str_eq(folder, STR("/")))
		return path.len > 0 && path.ptr[0] == '/';
	return str_starts(path, folder)
		&& (path.len == folder.len || path.ptr[folder.len] == '/');
}

bool
facts_path_is_input(struct str text)
{
	return facts_names_have(
		"- /dev/stdin /dev/fd/0 /proc/self/fd/0 /proc/thread-self/fd/0", text);
}

bool
facts_path_is_nothing(struct str path)
{
	static const char names[] =
		"/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/stdin "
		"/dev/stdout /dev/stderr /dev/tty";
	struct str rest;

	if (!str_starts(path, STR("/dev/")) && !str_starts(path, STR("/proc/")))
		return false;
	if (facts_names_have(names, path))
		return true;
	if (str_starts(path, STR("/dev/fd/")))
		rest = str_sub(path, 8, path.len);
	else if (str_starts(path, STR("/proc/self/fd/")))
		rest = str_sub(path, 14, path.len);
	else
		return false;
	int64_t number;

	return str_number(rest, &number);
}

/* An agent that is started in / or /etc does not make a workspace of it. */
static bool
is_too_large(struct str root)
{
	static const char wholes[] =
		" /etc /usr /bin /sbin /lib /lib32 /lib64 /libx32 /boot /dev /proc "
		"/sys "
		"/run /var /home /Users /System /Library /Applications";

	while (str_ends(root, STR("/")))
		root.len--;
	return root.len == 0 || facts_names_have(wholes, root);
}

enum call_scope
facts_path_scope(const struct facts *f, struct str path)
{
	static const struct {
		struct str folder;
		enum call_scope scope;
	} places[] = {
		{{"/tmp", 4},     CALL_SCOPE_TEMP  },
		{{"/var/tmp", 8}, CALL_SCOPE_TEMP  },
		{{"/dev/shm", 8}, CALL_SCOPE_TEMP  },
		{{"/dev", 4},     CALL_SCOPE_DEVICE},
		{{"/home", 5},    CALL_SCOPE_HOME  },
		{{"/root", 5},    CALL_SCOPE_HOME  },
		{{"/Users", 6},   CALL_SCOPE_HOME  },
	};

	for (size_t i = 0; i < f->call->root_count; i++) {
		if (facts_path_below(path, f->call->roots[i])
			&& !is_too_large(f->call->roots[i]))
			return CALL_SCOPE_WORKSPACE;
	}
	for (size_t i = 0; i < f->call->scratch_count; i++) {
		if (facts_path_below(path, f->call->scratch[i]))
			return CALL_SCOPE_SCRATCH;
	}
	if (facts_path_below(path, f->world->home))
		return CALL_SCOPE_HOME;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (facts_path_below(path, places[i].folder))
			return places[i].scope;
	}
	return path.len > 0 && path.ptr[0] == '/' ? CALL_SCOPE_SYSTEM
											  : CALL_SCOPE_UNKNOWN;
}

/* Where /proc/PID/root and kin lead: the rest of the path starts there. */
static bool
follow_proc(struct facts *f, struct path *p, bool *ret_sure)
{
	struct str path = path_str(p), rest, pid;

	if (!str_starts(path, STR("/proc/")))
		return false;
	pid = str_cut(str_sub(path, 6, path.len), '/', &rest);
	if (str_eq(rest, STR("root"))) {
		p->len = 0;
		return true;
	}
	if (!str_eq(rest, STR("cwd")))
		return false;
	if (!facts_names_have("self thread-self", pid) || f->s.cwd.count != 1) {
		*ret_sure = false;
		return true;
	}
	p->len = 0;
	path_add(p, f->s.cwd.paths[0]);
	return true;
}

/* Follows what the world said of the path so far. False: it has no answer. */
static bool
follow_answer(struct facts *f, struct path *p)
{
	const struct call_answer *found =
		call_world_find(f->world, CALL_NEED_LINK, path_str(p));

	if (!found)
		return f->world->assumed;
	if (!found->value.ptr)
		return false;
	if (!str_eq(found->value, path_str(p))) {
		p->len = 0;
		path_add(p, found->value);
	}
	return true;
}

static void
want_link(struct facts *f, struct str path, bool *ret_sure)
{
	*ret_sure = false;
	if (!f->world->rounds_used_up
		&& !call_world_find(f->world, CALL_NEED_LINK, path)) {
		facts_add_need(f, CALL_NEED_LINK, arena_dup(f->a, path));
		return;
	}
	facts_ignore(f, CALL_NO_COMMAND, CALL_DYNAMIC,
		"a path that may lead through links", path);
}

/* ".." leaves the folder that the path so far really is. */
static void
leave(struct facts *f, struct path *p, bool plain, bool *ret_sure)
{
	if (p->len > 0 && !plain && !follow_answer(f, p))
		want_link(f, path_str(p), ret_sure);
	path_pop(p);
}

struct str
facts_path_follow(struct facts *f, struct str path, bool *ret_sure)
{
	bool plain = f->world->assumed && f->world->answer_count == 0;

	*ret_sure = true;
	if (plain && is_clean(path) && !str_starts(path, STR("/proc/")))
		return path;
	bool grows = !plain || str_starts(path, STR("/proc/"));
	struct path p = path_new(f->a, grows ? LIMIT_PATH_BYTES : path.len + 1);
	struct str rest = path;
	size_t links = 0;

	while (rest.len > 0) {
		struct str part = str_cut(rest, '/', &rest);

		if (part.len == 0 || str_eq(part, STR(".")))
			continue;
		if (str_eq(part, STR(".."))) {
			leave(f, &p, plain, ret_sure);
			continue;
		}
		path_push(&p, part);
		if (!follow_proc(f, &p, ret_sure) && !plain
			&& links++ < FACTS_LINKS_MAX)
			(void)follow_answer(f, &p);
	}
	if (!plain && !follow_answer(f, &p))
		want_link(f, path_str(&p), ret_sure);
	if (p.too_long)
		*ret_sure = false;
	return path_str(&p);
}

/* The length of the part of path before the first one that holds a glob. */
static size_t
before_glob(struct str path)
{
	size_t slash = 0;

	for (size_t i = 0; i < path.len; i++) {
		if (path.ptr[i] == '/')
			slash = i;
		if (path.ptr[i] == '*' || path.ptr[i] == '?' || path.ptr[i] == '['
			|| path.ptr[i] == '(')
			break;
	}
	return slash;
}

/* An absolute path, not cleaned yet, with the word's flags in mind. */
static struct str
settle(struct facts *f, struct str path, unsigned flags, bool *ret_sure)
{
	struct str clean = path, head = path, tail = {NULL, 0};

	if (flags & FACTS_DYNAMIC) {
		*ret_sure = false;
		if (!facts_path_clean(f->a, STR("/"), path, &clean))
			return path;
		return clean;
	}
	if (flags & FACTS_GLOB) {
		size_t cut = before_glob(path);

		head = str_sub(path, 0, cut);
		tail = str_sub(path, cut, path.len);
		if (!f->world->assumed && str_has(tail, STR("/..")))
			*ret_sure = false;
	} else if ((flags & FACTS_ITSELF) && !str_ends(path, STR("/"))
		&& !str_ends(path, STR("/.")) && !str_ends(path, STR("/.."))) {
		tail = str_base(path);
		head = str_sub(path, 0, path.len - tail.len);
	}
	bool sure;

	clean = facts_path_follow(f, head.len > 0 ? head : STR("/"), &sure);
	*ret_sure = *ret_sure && sure;
	if (tail.len > 0 && tail.ptr[0] == '/')
		tail = str_sub(tail, 1, tail.len);
	if (tail.len > 0 && !facts_path_clean(f->a, clean, tail, &clean))
		*ret_sure = false;
	return clean;
}

bool
facts_path_hides(struct str path)
{
	struct str base = str_base(path), stream;
	size_t dots = 0;

	while (dots < base.len && base.ptr[dots] == '.')
		dots++;
	/* a star would hand it to a program as an option */
	if (str_starts(base, STR("-")))
		return true;
	/* of another system: the folder above, a stream behind a file */
	if (dots == base.len && dots > 2)
		return true;
	base = str_cut(base, ':', &stream);
	return stream.len > 0 && str_has_char(base, '.')
		&& str_has_char(stream, '.');
}

bool
facts_path_is_foreign(struct str source)
{
	size_t i = 0;

	while (i < source.len && (source.ptr[i] == '"' || source.ptr[i] == '\''))
		i++;
	if (i + 2 >= source.len || source.ptr[i + 1] != ':')
		return false;
	char c = (char)(source.ptr[i] | 32);

	return c >= 'a' && c <= 'z'
		&& (source.ptr[i + 2] == '\\' || source.ptr[i + 2] == '/');
}

size_t
facts_path_of(struct facts *f, const struct facts_cwd *cwd,
	const struct facts_word *w, struct str ret[FACTS_CWD_MAX], bool *ret_sure)
{
	size_t count = 0;

	f->work += 4 + w->text.len / 8;
	*ret_sure = true;
	if (w->text.len > LIMIT_PATH_BYTES || str_has_char(w->text, '\0')) {
		*ret_sure = false;
		ret[0] = STR("?");
		return 1;
	}
	if (w->text.len > 0 && w->text.ptr[0] == '/') {
		ret[0] = settle(f, w->text, w->flags, ret_sure);
		return 1;
	}
	bool lost = (w->flags & FACTS_DYNAMIC)
		&& (w->text.len == 0 || w->text.ptr[0] == '?');

	if (lost) {
		*ret_sure = false;
		ret[0] = w->text.len > 0 ? w->text : STR("?");
		return 1;
	}
	for (size_t i = 0; i < cwd->count; i++) {
		struct str path = w->text.len == 0 || str_eq(w->text, STR("."))
			? cwd->paths[i]
			: arena_fmt(
				f->a, "%.*s/%.*s", STR_ARG(cwd->paths[i]), STR_ARG(w->text));

		if (str_starts(path, STR("/")))
			f->work += path.len / 8;
		ret[count++] = settle(f, path, w->flags, ret_sure);
	}
	/* it may also be somewhere else */
	if (cwd->unknown || count == 0) {
		*ret_sure = false;
		if (count < FACTS_CWD_MAX)
			ret[count++] = w->text.len > 0 ? w->text : STR("?");
	}
	return count;
}

void
facts_cwd_join(struct facts_cwd *into, const struct facts_cwd *other)
{
	into->unknown = into->unknown || other->unknown;
	for (size_t i = 0; i < other->count; i++) {
		bool have = false;

		for (size_t k = 0; k < into->count; k++)
			have = have || str_eq(into->paths[k], other->paths[i]);
		if (have)
			continue;
		if (into->count == FACTS_CWD_MAX) {
			into->unknown = true;
			return;
		}
		into->paths[into->count++] = other->paths[i];
	}
}
