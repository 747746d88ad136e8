#include "daemon/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "daemon/journal.h"
#include "io/file.h"
#include "wire/sha256.h"

enum {
	PROJECTS_MAX = 64, /* the least recently used is forgotten */
	FAULT_BYTES = 400,
	NAME_BYTES = 300,
	PATH_BYTES = LIMIT_PATH_BYTES + NAME_BYTES + 2,
	ARENA_BYTES = 16 << 20,
};

/* What tells that a file is still the one that was read. */
struct stamp {
	bool there;
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec written, changed;
};

struct rules_file {
	enum policy_layer layer;
	char path[PATH_BYTES];
	char name[NAME_BYTES]; /* what verdicts cite */
	struct stamp stamp;
	bool looked;       /* stamp is of a file that was read */
	bool ever_good;    /* text holds for something */
	struct buf text;   /* the last good one */
	bool text_trusted; /* a workspace's, by its digest */
	char fault[FAULT_BYTES];
};

struct project {
	char root[LIMIT_PATH_BYTES]; /* "": no project */
	struct rules_file own;       /* on the user's side */
	struct rules_file workspace;
	char trust[WIRE_SHA256_HEX + 1]; /* of the workspace's file, or "" */
	struct policy *policy;
	uint64_t made_of; /* the change that policy has taken in */
	uint64_t used;
};

struct daemon_rules {
	char config[LIMIT_PATH_BYTES];
	int64_t uid;
	struct rules_file user, admin;
	uint64_t changes; /* counts every good text that came in */
	uint64_t uses;
	struct arena *work;
	struct project none; /* without a project: what holds for all */
	struct project *projects[PROJECTS_MAX];
	size_t count;
	daemon_rules_trust_fn trust;
	void *trust_data;
};

/* --- one file ------------------------------------------------------------------ */

static struct stamp
stamp_of(const char *path, struct stat *ret)
{
	struct stamp s = {0};

	if (stat(path, ret) != 0)
		return s;
	s.there = true;
	s.device = ret->st_dev;
	s.inode = ret->st_ino;
	s.size = ret->st_size;
	s.written = ret->st_mtim;
	s.changed = ret->st_ctim;
	return s;
}

static bool
is_same(const struct stamp *a, const struct stamp *b)
{
	return a->there == b->there && a->device == b->device
		&& a->inode == b->inode && a->size == b->size
		&& a->written.tv_sec == b->written.tv_sec
		&& a->written.tv_nsec == b->written.tv_nsec
		&& a->changed.tv_sec == b->changed.tv_sec
		&& a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Whose word a file is: the workspace's may be anybody's. */
static bool
is_owned(const struct daemon_rules *g, const struct rules_file *f,
	const struct stat *st)
{
	if (f->layer == POLICY_LAYER_WORKSPACE)
		return true;
	return (st->st_mode & S_IWOTH) == 0
		&& (st->st_uid == 0
			|| (f->layer != POLICY_LAYER_ENFORCED
				&& (int64_t)st->st_uid == g->uid));
}

/* The text of the file, or why there is none. */
static bool
read_text(const struct daemon_rules *g, struct rules_file *f,
	const struct stat *st, struct buf *text)
{
	int r = 0;

	if (f->stamp.there && !is_owned(g, f, st)) {
		(void)snprintf(f->fault, sizeof(f->fault),
			"%.200s: belongs to another user, or others may write it", f->path);
		return false;
	}
	if (f->stamp.there)
		r = io_file_read(f->path, text);
	if (r == 0 || r == FAIL_ABSENT)
		return true;
	(void)snprintf(
		f->fault, sizeof(f->fault), "cannot be read: %.300s", fail_text());
	return false;
}

/* Of the workspace's file: what its bytes may say. */
static enum policy_layer
layer_of(struct str text, const char *trust)
{
	char digest[WIRE_SHA256_HEX + 1];

	wire_sha256_text(text, digest);
	return trust[0] && str_eq(str_from(digest), str_from(trust))
		? POLICY_LAYER_WORKSPACE_TRUSTED
		: POLICY_LAYER_WORKSPACE;
}

/* True when the text is rules of this layer, all of it. */
static bool
is_good(struct daemon_rules *g, struct rules_file *f, struct str text)
{
	struct policy *scratch = policy_new();
	struct policy_faults faults = {0};
	bool good = false;

	arena_reset(g->work);
	if (!ARENA_TRY(g->work)) {
		(void)snprintf(
			f->fault, sizeof(f->fault), "%.200s is too large", f->path);
	} else {
		good = policy_add(
			scratch, f->layer, str_from(f->name), text, g->work, &faults);
		if (!good && faults.count == 0)
			(void)snprintf(
				f->fault, sizeof(f->fault), "%.200s: not understood", f->path);
		if (!good && faults.count > 0)
			(void)snprintf(f->fault, sizeof(f->fault),
				"%.150s:%u:%u: %.*s%s%.*s", f->path, faults.list[0].line,
				faults.list[0].column, STR_ARG(faults.list[0].message),
				faults.list[0].suggestion.len > 0 ? "; " : "",
				STR_ARG(faults.list[0].suggestion));
	}
	arena_done(g->work);
	policy_unref(scratch);
	return good;
}

/* Only the bytes that were trusted are: when others are in their place, and
 * these are not taken, the old ones do not go on. */
static void
forget_trusted(struct rules_file *f)
{
	if (!f->text_trusted)
		return;
	buf_done(&f->text);
	buf_init(&f->text, LIMIT_RULES_BYTES);
	f->text_trusted = false;
	f->ever_good = false;
}

/* Looks at the file; takes its text when it changed and is good. trust: of the
 * workspace's file, else NULL. */
static void
refresh(struct daemon_rules *g, struct rules_file *f, const char *trust)
{
	bool taken;
	struct stat st;
	struct buf text;
	struct stamp now = stamp_of(f->path, &st);

	if (f->looked && is_same(&now, &f->stamp))
		return;
	f->stamp = now;
	f->looked = true;
	f->fault[0] = '\0';
	buf_init(&text, LIMIT_RULES_BYTES);
	taken = read_text(g, f, &st, &text);
	if (taken && trust)
		f->layer = layer_of(buf_str(&text), trust);
	if (taken && is_good(g, f, buf_str(&text))) {
		buf_done(&f->text);
		f->text = text;
		f->text_trusted = f->layer == POLICY_LAYER_WORKSPACE_TRUSTED;
		f->ever_good = true;
		g->changes++;
		return;
	}
	buf_done(&text);
	forget_trusted(f);
	g->changes++;
	daemon_journal("rules not taken: %s", f->fault);
}

static void
init_file(struct rules_file *f, enum policy_layer layer, const char *name,
	struct str path)
{
	f->layer = layer;
	buf_init(&f->text, LIMIT_RULES_BYTES);
	(void)snprintf(f->name, sizeof(f->name), "%s", name);
	(void)snprintf(f->path, sizeof(f->path), "%.*s", STR_ARG(path));
}

/* --- projects --------------------------------------------------------------------- */

static void
free_project(struct project *p)
{
	policy_unref(p->policy);
	buf_done(&p->own.text);
	buf_done(&p->workspace.text);
	free(p);
}

/* "<base name>-<first 8 of the root's digest>" */
static void
init_project(struct daemon_rules *g, struct project *p, struct str root)
{
	char digest[WIRE_SHA256_HEX + 1], name[NAME_BYTES];
	char path[PATH_BYTES];

	(void)snprintf(p->root, sizeof(p->root), "%.*s", STR_ARG(root));
	wire_sha256_text(root, digest);
	(void)snprintf(name, sizeof(name), "projects/%.200s-%.8s.conf",
		str_base(str_from(p->root)).ptr, digest);
	(void)snprintf(path, sizeof(path), "%s/%s", g->config, name);
	init_file(&p->own, POLICY_LAYER_PROJECT, name, str_from(path));
	(void)snprintf(path, sizeof(path), "%s/.assent/rules.conf", p->root);
	init_file(&p->workspace, POLICY_LAYER_WORKSPACE, ".assent/rules.conf",
		str_from(path));
}

static struct project *
find_project(struct daemon_rules *g, struct str root)
{
	size_t least = 0;

	for (size_t i = 0; i < g->count; i++) {
		if (str_eq(str_from(g->projects[i]->root), root))
			return g->projects[i];
		if (g->projects[i]->used < g->projects[least]->used)
			least = i;
	}
	struct project *p = calloc(1, sizeof(*p));

	CHECK(p);
	init_project(g, p, root);
	if (g->count < PROJECTS_MAX) {
		g->projects[g->count++] = p;
	} else {
		free_project(g->projects[least]);
		g->projects[least] = p;
	}
	return p;
}

static void
add_file(struct daemon_rules *g, struct policy *p, const struct rules_file *f)
{
	struct policy_faults faults = {0};

	if (f->text.len == 0)
		return;
	/* it was good when it came in; what is not good now allows nothing more */
	if (!policy_add(p, f->layer, str_from(f->name), buf_str(&f->text), g->work,
			&faults))
		daemon_journal("rules lost: %s", f->path);
}

static void
make_policy(struct daemon_rules *g, struct project *p)
{
	struct policy *made = policy_new();

	arena_reset(g->work);
	if (ARENA_TRY(g->work)) {
		add_file(g, made, &g->user);
		add_file(g, made, &p->own);
		add_file(g, made, &g->admin);
		add_file(g, made, &p->workspace);
	}
	arena_done(g->work);
	policy_unref(p->policy);
	p->policy = made;
	p->made_of = g->changes;
}

/* What the person trusts may have changed: then the file is read again. */
static void
look_at_trust(struct daemon_rules *g, struct project *p)
{
	struct str now =
		g->trust ? g->trust(g->trust_data, str_from(p->root)) : (struct str){0};

	if (now.len != WIRE_SHA256_HEX)
		now = STR("");
	if (str_eq(now, str_from(p->trust)))
		return;
	(void)snprintf(p->trust, sizeof(p->trust), "%.*s", STR_ARG(now));
	p->workspace.looked = false;
}

/* The first file that never was good and is not now. */
static struct str
fault_of(const struct daemon_rules *g, const struct project *p)
{
	const struct rules_file *files[] = {
		&g->user, &g->admin, &p->own, &p->workspace};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		if (!files[i]->ever_good && files[i]->fault[0])
			return str_from(files[i]->fault);
	}
	return (struct str){0};
}

struct daemon_rules_now
daemon_rules_get(struct daemon_rules *g, struct str root)
{
	bool has_project = root.len > 0 && root.len < LIMIT_PATH_BYTES - 64;
	struct project *p = has_project ? find_project(g, root) : &g->none;

	p->used = ++g->uses;
	refresh(g, &g->user, NULL);
	refresh(g, &g->admin, NULL);
	if (has_project) {
		look_at_trust(g, p);
		refresh(g, &p->own, NULL);
		refresh(g, &p->workspace, p->trust);
	}
	if (!p->policy || p->made_of != g->changes)
		make_policy(g, p);
	return (struct daemon_rules_now){
		.policy = p->policy,
		.fault = fault_of(g, p),
	};
}

bool
daemon_rules_project_path(
	struct daemon_rules *g, struct arena *a, struct str root, const char **ret)
{
	if (root.len == 0 || root.len >= LIMIT_PATH_BYTES - 64)
		return false;
	*ret = arena_dup(a, str_from(find_project(g, root)->own.path)).ptr;
	return true;
}

void
daemon_rules_set_trust(
	struct daemon_rules *g, daemon_rules_trust_fn trust, void *data)
{
	g->trust = trust;
	g->trust_data = data;
}

struct str
daemon_rules_authority(struct daemon_rules *g)
{
	struct daemon_rules_now now = daemon_rules_get(g, (struct str){0});
	struct str value = policy_setting(now.policy, "authority");

	return now.fault.ptr || value.len == 0 ? STR("tty") : value;
}

bool
daemon_rules_file(
	const struct daemon_rules *g, size_t i, struct daemon_rules_file *ret)
{
	const struct rules_file *f;

	if (i >= 2 + 2 * g->count)
		return false;
	if (i < 2)
		f = i == 0 ? &g->user : &g->admin;
	else
		f = i % 2 == 0 ? &g->projects[i / 2 - 1]->own
					   : &g->projects[i / 2 - 1]->workspace;
	*ret = (struct daemon_rules_file){
		.path = str_from(f->path),
		.layer = f->layer,
		.absent = !f->stamp.there,
		.fault = f->fault[0] ? str_from(f->fault) : (struct str){0},
	};
	return true;
}

struct daemon_rules *
daemon_rules_new(const struct io_place *place)
{
	struct daemon_rules *g = calloc(1, sizeof(*g));
	char path[PATH_BYTES];

	CHECK(g);
	g->work = arena_new(ARENA_BYTES);
	CHECK(g->work);
	g->uid = place->uid;
	(void)snprintf(
		g->config, sizeof(g->config), "%.*s", STR_ARG(place->config));
	(void)snprintf(path, sizeof(path), "%.*s/assent.conf",
		STR_ARG(str_sub(place->config, 0, LIMIT_PATH_BYTES)));
	init_file(&g->user, POLICY_LAYER_USER, "assent.conf", str_from(path));
	init_file(&g->admin, POLICY_LAYER_ENFORCED, place->admin.ptr, place->admin);
	return g;
}

void
daemon_rules_free(struct daemon_rules *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->count; i++)
		free_project(g->projects[i]);
	policy_unref(g->none.policy);
	buf_done(&g->user.text);
	buf_done(&g->admin.text);
	arena_free(g->work);
	free(g);
}
