#include "policy/policy_priv.h"

/*
 * What may hold a secret (DESIGN 2.6), by the components of its path. Letter
 * case never counts. A marker is a whole component, the begin or end of one,
 * or two that follow each other; it is never a part of an ordinary word:
 * tokenizer.rs and cookies.md are not secrets.
 */

/* The name that s is, or NULL. */
static const char *
find_name(const struct policy_names *l, struct str s)
{
	for (size_t i = 0; i < l->count; i++) {
		/* the length first: nearly all of them differ there */
		if (l->list[i].len == s.len && str_eq_fold(s, l->list[i]))
			return l->list[i].ptr;
	}
	return NULL;
}

static bool
starts_fold(struct str s, struct str prefix)
{
	return str_eq_fold(str_sub(s, 0, prefix.len), prefix);
}

static bool
ends_fold(struct str s, struct str suffix)
{
	return s.len >= suffix.len
		&& str_eq_fold(str_sub(s, s.len - suffix.len, s.len), suffix);
}

/* The name that s ends in, or NULL. */
static const char *
find_end(const struct policy_names *l, struct str s)
{
	for (size_t i = 0; i < l->count; i++) {
		if (ends_fold(s, l->list[i]))
			return l->list[i].ptr;
	}
	return NULL;
}

static bool
is_boundary(char c)
{
	return c == '.' || c == '-' || c == '_' || c == ' ' || c == '~';
}

/* --- one component ----------------------------------------------------------------- */

/* .env.example and kin: shown to everybody, whatever markers say. */
static bool
is_template(struct str base)
{
	return (starts_fold(base, STR(".env")) || starts_fold(base, STR("env.")))
		&& find_end(&policy_markers.template_ends, base);
}

/* Does one of the names end s, as its last word? */
static const char *
find_last_word(const struct policy_names *l, struct str s)
{
	for (size_t i = 0; i < l->count; i++) {
		size_t n = l->list[i].len;

		if (ends_fold(s, l->list[i])
			&& (s.len == n || is_boundary(s.ptr[s.len - n - 1])))
			return l->list[i].ptr;
	}
	return NULL;
}

static bool
is_public_key(struct str base)
{
	return ends_fold(base, STR(".pub"))
		|| find_last_word(&policy_markers.public_ends, base);
}

/* Cuts a name at its last dot, unless it begins there. */
static struct str
stem_of(struct str base, struct str *ret_ending)
{
	*ret_ending = STR("");
	for (size_t i = base.len; i > 1; i--) {
		if (base.ptr[i - 1] == '.') {
			*ret_ending = str_sub(base, i, base.len);
			return str_sub(base, 0, i - 1);
		}
	}
	return base;
}

/* In a data file's name: a word that says what it holds. */
static const char *
word_of(struct str base)
{
	struct str ending, stem = stem_of(base, &ending);
	const char *m = NULL;
	size_t start = 0;

	if (!find_name(&policy_markers.data_endings, ending))
		return NULL;
	m = find_last_word(&policy_markers.last_words, stem);
	for (size_t i = 0; i <= stem.len && !m; i++) {
		if (i < stem.len && !is_boundary(stem.ptr[i]))
			continue;
		m = find_name(&policy_markers.words, str_sub(stem, start, i));
		start = i + 1;
	}
	return m;
}

static bool
begins_with(struct str base, struct str prefix)
{
	if (!starts_fold(base, prefix))
		return false;
	return base.len == prefix.len || is_boundary(base.ptr[prefix.len])
		|| is_boundary(prefix.ptr[prefix.len - 1]);
}

/* The marker that a file's own name hits, or NULL. */
static const char *
base_marker(struct str base)
{
	const struct policy_names *begins = &policy_markers.begins;
	const char *end = NULL;

	if (is_template(base) || is_public_key(base))
		return NULL;
	for (size_t i = 0; i < begins->count; i++) {
		if (begins_with(base, begins->list[i]))
			return begins->list[i].ptr;
	}
	end = find_end(&policy_markers.ends, base);
	return end ? end : word_of(base);
}

/* --- names with a glob in them ------------------------------------------------------ */

/* `*` and `*.c`: whatever is there, and nothing in particular. */
static bool
means_anything(struct str component)
{
	size_t i = 0;

	while (i < component.len && component.ptr[i] == '*')
		i++;
	if (i == component.len)
		return i > 0;
	return i > 0 && component.ptr[i] == '.'
		&& !policy_has_glob(str_sub(component, i, component.len));
}

static bool
overlaps(const struct policy_glob *g, struct str name)
{
	uint16_t room[POLICY_GLOB_MAX];
	struct policy_glob other;

	return policy_glob_read(room, POLICY_GLOB_SHELL, name, &other)
		&& policy_glob_overlaps(g, &other, true);
}

static const char *
find_overlap(const struct policy_names *l, const struct policy_glob *g)
{
	for (size_t i = 0; i < l->count; i++) {
		if (overlaps(g, l->list[i]))
			return l->list[i].ptr;
	}
	return NULL;
}

static const char *
overlapping_name(const struct policy_glob *g)
{
	const char *m = find_overlap(&policy_markers.names, g);

	if (!m && overlaps(g, STR(".env.local")))
		m = ".env.";
	return m ? m : find_overlap(&policy_markers.words, g);
}

/* A component with a glob: could it be a marker's name? */
static const char *
glob_marker(struct str component)
{
	uint16_t room[POLICY_GLOB_MAX];
	struct policy_glob g;
	const char *m = NULL;
	size_t plain = 0; /* how long it is before the first wildcard */

	if (means_anything(component))
		return NULL;
	while (!policy_has_glob(str_sub(component, plain, plain + 1)))
		plain++;
	/* .env?, .npmrc*: what begins as a hidden name does */
	m = plain > 1 && component.ptr[0] == '.'
		? find_name(&policy_markers.names, str_sub(component, 0, plain))
		: NULL;
	if (m)
		return m;
	if (!policy_glob_read(room, POLICY_GLOB_SHELL, component, &g))
		return "a pattern too long to read";
	/* a shell's star and question mark do not match a leading dot */
	if (component.ptr[0] == '*' || component.ptr[0] == '?') {
		struct str rest = str_sub(component, 1, component.len);

		return policy_has_glob(rest) || rest.len > 2 ? overlapping_name(&g)
													 : NULL;
	}
	return overlapping_name(&g);
}

/* --- a path --------------------------------------------------------------------------- */

/* Does tail stand at path[at], up to a component's end? */
static bool
tail_at(struct str path, size_t at, struct str tail)
{
	/* the character behind the '/' tells most of them apart */
	return at + tail.len <= path.len
		&& policy_lower(path.ptr[at + 1]) == policy_lower(tail.ptr[1])
		&& str_eq_fold(str_sub(path, at, at + tail.len), tail)
		&& (at + tail.len == path.len || path.ptr[at + tail.len] == '/');
}

static const char *
find_tail(const struct policy_names *l, struct str path)
{
	for (size_t at = 0; at + 1 < path.len; at++) {
		for (size_t i = 0; path.ptr[at] == '/' && i < l->count; i++) {
			if (tail_at(path, at, l->list[i]))
				return l->list[i].ptr;
		}
	}
	return NULL;
}

static const char *
process_marker(struct str path)
{
	struct str rest, base = str_base(path);

	if (!policy_path_below(path, STR("/proc"), &rest))
		return NULL;
	return (str_eq(base, STR("environ")) || str_eq(base, STR("mem")))
		? "a process's environment"
		: NULL;
}

/* ~/.ssh holds a few files that are no secrets. */
static bool
is_plain_ssh_file(struct str path)
{
	struct str base = str_base(path);

	return find_tail(&policy_markers.ssh, path)
		&& (find_name(&policy_markers.plain_ssh, base) || is_public_key(base));
}

static const char *
components_marker(struct str path)
{
	struct str rest = path;
	bool skip_ssh = is_plain_ssh_file(path);

	while (rest.ptr) {
		struct str one = str_cut(rest, '/', &rest);
		const char *m = NULL;

		/* other systems drop them: ".env." and ".env " are .env there */
		while (one.len > 0
			&& (one.ptr[one.len - 1] == ' ' || one.ptr[one.len - 1] == '.'))
			one.len--;
		if (one.len == 0 || (skip_ssh && str_eq_fold(one, STR(".ssh"))))
			continue;
		m = find_name(&policy_markers.names, one);
		/* of files only the exact name: src/cookies/index.ts is none */
		if (m && rest.ptr && starts_fold(one, STR("cookies")))
			m = NULL;
		if (!m && !rest.ptr)
			m = base_marker(one);
		if (!m && policy_has_glob(one))
			m = glob_marker(one);
		if (m)
			return m;
	}
	return NULL;
}

static const char *
builtin_marker(struct str path)
{
	const char *m = components_marker(path);

	/* its name says otherwise, but it holds no password and everybody reads it */
	if (str_eq(path, STR("/etc/passwd")))
		return NULL;
	if (!m)
		m = find_tail(&policy_markers.tails, path);
	return m ? m : process_marker(path);
}

bool
policy_name_is_sensitive(struct str name)
{
	return builtin_marker(name) != NULL;
}

/* .env.example is nobody's secret, unless a marker names just it. */
static bool
is_only_a_template(struct str path, struct str marker)
{
	struct str base = str_base(path);
	struct str folder = str_sub(path, 0, path.len - base.len);

	return is_template(base) && !str_has_fold(folder, marker)
		&& !str_eq_fold(base, marker);
}

/* A person's own marker: a part of the path, or a pattern. */
static bool
own_marker_hit(const struct policy_marker *m, struct policy_subject s,
	const struct call_effect *e)
{
	if (m->path.anchor != POLICY_ANCHOR_NONE)
		return policy_path_tightens(&m->path, s, e);
	return str_has_fold(e->resource, m->text)
		&& !is_only_a_template(e->resource, m->text);
}

struct str
policy_marker_of(const struct policy *p, struct policy_subject s,
	const struct call_effect *e)
{
	bool is_network = e->kind == CALL_EFFECT_CONNECT
		|| e->kind == CALL_EFFECT_SEND || e->scope == CALL_SCOPE_NETWORK;

	for (size_t i = 0; i < p->marker_count; i++) {
		if (own_marker_hit(&p->markers[i], s, e))
			return p->markers[i].text;
	}
	/* what is run by its name is no file that is read */
	if (is_network
		|| (e->kind == CALL_EFFECT_EXECUTE && !str_has_char(e->resource, '/')))
		return (struct str){NULL, 0};
	return str_from(builtin_marker(e->resource));
}

/* --- a call ---------------------------------------------------------------------------- */

static bool
reads(const struct call_effect *e)
{
	if ((e->flags & CALL_EFFECT_SECRET) != 0)
		return true;
	if (e->kind == CALL_EFFECT_CONNECT || e->kind == CALL_EFFECT_EXECUTE)
		return true;
	return e->kind == CALL_EFFECT_READ && (e->flags & CALL_EFFECT_NAMES) == 0;
}

static bool
writes(const struct call_effect *e)
{
	return e->kind == CALL_EFFECT_WRITE || e->kind == CALL_EFFECT_CREATE
		|| e->kind == CALL_EFFECT_DELETE;
}

struct policy_sensitive
policy_sensitive(
	const struct policy *p, struct arena *a, struct policy_subject s)
{
	struct policy_sensitive found = {.all_inside_workspace = true};

	(void)a;
	for (size_t i = 0; i < s.facts->effect_count; i++) {
		const struct call_effect *e = &s.facts->effects[i];
		struct str marker = {NULL, 0};

		if (!reads(e) && !writes(e))
			continue;
		marker = policy_marker_of(p, s, e);
		if (!marker.ptr && (e->flags & CALL_EFFECT_SECRET) != 0)
			marker = STR("shows a secret");
		if (!marker.ptr)
			continue;
		if (!found.resource.ptr) {
			found.resource = e->resource;
			found.marker = marker;
		}
		found.read |= reads(e);
		found.write |= writes(e);
		found.all_inside_workspace &= e->scope == CALL_SCOPE_WORKSPACE
			&& (e->flags & CALL_EFFECT_SECRET) == 0;
	}
	found.all_inside_workspace &= found.read || found.write;
	return found;
}
