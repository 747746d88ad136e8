#include "daemon/trial.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/limits.h"
#include "daemon/journal.h"
#include "io/file.h"
#include "wire/json.h"
#include "wire/sha256.h"

enum { POISON_TIMES = 2, QUARANTINE_MAX = 512, READ_BYTES = 1 << 20 };

/* As it stands in the file; a digest of NULs is an empty slot. */
struct slot {
	atomic_int taken;
	char digest[STORE_DIGEST_HEX];
};

struct page {
	struct slot slots[DAEMON_TRIAL_SLOTS];
};

struct daemon_trial {
	struct page *page;
	pthread_mutex_t lock; /* for what is below: workers look, too */
	size_t count;
	char quarantined[QUARANTINE_MAX][STORE_DIGEST_HEX + 1];
};

/* --- the digest -------------------------------------------------------------- */

static bool
is_tool_member(struct str name)
{
	static const char *const names[] = {
		"tool_name",
		"tool_input",
		"toolName",
		"toolInput",
		"toolArgs",
		"tool_call",
		"command",
		"arguments",
		"input",
		"preToolUse",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (str_eq(name, str_from(names[i])))
			return true;
	}
	return false;
}

/* Adds the members of the outermost object that tell tool and input; false when
 * there are none. Ids and times stay out: the same call comes again with others. */
static bool
add_members(struct wire_sha256 *d, struct str s)
{
	size_t i = 0;
	bool found = false;

	while (i < s.len && s.ptr[i] != '{')
		i++;
	for (i++; i < s.len; i++) {
		if (s.ptr[i] != '"')
			continue;
		size_t end = wire_json_skip_string(s, i);
		struct str name = str_sub(s, i + 1, end - 1);
		size_t from = str_find(s, STR(":"), end);

		i = wire_json_skip_value(s, from + 1);
		if (!is_tool_member(name))
			continue;
		wire_sha256_add(d, name);
		wire_sha256_add(d, str_trim(str_sub(s, from + 1, i)));
		found = true;
	}
	return found;
}

void
daemon_trial_digest(struct str bytes, char ret[STORE_DIGEST_HEX + 1])
{
	struct wire_sha256 d;

	wire_sha256_init(&d);
	if (!add_members(&d, bytes))
		wire_sha256_add(&d, bytes);
	wire_sha256_hex(&d, ret);
}

/* --- the slots --------------------------------------------------------------- */

int
daemon_trial_begin(struct daemon_trial *t, const char *digest)
{
	for (int i = 0; i < DAEMON_TRIAL_SLOTS; i++) {
		struct slot *s = &t->page->slots[i];
		int free_slot = 0;

		if (!atomic_compare_exchange_strong(&s->taken, &free_slot, 1))
			continue;
		memcpy(s->digest, digest, STORE_DIGEST_HEX);
		return i;
	}
	return -1;
}

void
daemon_trial_end(struct daemon_trial *t, int slot)
{
	if (slot < 0)
		return;
	memset(t->page->slots[slot].digest, 0, STORE_DIGEST_HEX);
	atomic_store(&t->page->slots[slot].taken, 0);
}

/* --- the quarantine ------------------------------------------------------------ */

bool
daemon_trial_is_poison(struct daemon_trial *t, const char *digest)
{
	bool found = false;

	(void)pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->count && !found; i++)
		found = memcmp(t->quarantined[i], digest, STORE_DIGEST_HEX) == 0;
	(void)pthread_mutex_unlock(&t->lock);
	return found;
}

size_t
daemon_trial_count(const struct daemon_trial *t)
{
	return t->count;
}

const char *
daemon_trial_get(const struct daemon_trial *t, size_t i)
{
	CHECK(i < t->count);
	return t->quarantined[i];
}

bool
daemon_trial_lift(struct daemon_trial *t, struct str digest)
{
	bool found = false;

	(void)pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->count && !found; i++) {
		found = str_eq(str_from(t->quarantined[i]), digest);
		if (found)
			memmove(t->quarantined[i], t->quarantined[--t->count],
				sizeof(t->quarantined[i]));
	}
	(void)pthread_mutex_unlock(&t->lock);
	return found;
}

static void
add(struct daemon_trial *t, struct str digest)
{
	if (digest.len != STORE_DIGEST_HEX || t->count == QUARANTINE_MAX)
		return;
	memcpy(t->quarantined[t->count++], digest.ptr, STORE_DIGEST_HEX);
}

static int64_t
count_of(const struct store_quarantined *list, size_t n, struct str digest)
{
	for (size_t i = 0; i < n; i++) {
		if (str_eq(list[i].digest, digest))
			return list[i].count;
	}
	return 0;
}

/* What died in a slot is counted; the second time it is poison. */
static void
take_out(struct daemon_trial *t, const struct store_quarantined *list, size_t n,
	struct store_batch *batch, int64_t now_ms)
{
	for (size_t i = 0; i < DAEMON_TRIAL_SLOTS; i++) {
		struct slot *s = &t->page->slots[i];
		struct str digest = {s->digest, STORE_DIGEST_HEX};

		if (s->digest[0] == '\0') {
			atomic_store(&s->taken, 0);
			continue;
		}
		int64_t count = count_of(list, n, digest) + 1;

		daemon_journal("a call was being parsed when the daemon died%s: %.16s",
			count >= POISON_TIMES ? ", again; it is quarantined" : "",
			s->digest);
		if (count == POISON_TIMES)
			add(t, digest);
		if (batch)
			store_batch_set_quarantine(batch,
				&(struct store_quarantined){
					.digest = digest,
					.count = count,
					.time_ms = now_ms,
				});
		daemon_trial_end(t, (int)i);
	}
}

static void
load(struct daemon_trial *t, struct store_reader *r, struct store_batch *batch,
	int64_t now_ms)
{
	CLEANUP(arena_freep) struct arena *a = arena_new(READ_BYTES);
	struct store_quarantined *list = NULL;
	size_t n = 0;

	CHECK(a);
	if (!ARENA_TRY(a) || (r && store_read_quarantine(r, a, &list, &n) != 0)) {
		daemon_journal("the quarantine cannot be read: %s", fail_text());
		list = NULL;
		n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (list[i].count >= POISON_TIMES)
			add(t, list[i].digest);
	}
	take_out(t, list, n, batch, now_ms);
}

/* The file, or memory alone where there can be none. */
static struct page *
map_page(struct str folder)
{
	enum { SIZE = sizeof(struct page), PROT = PROT_READ | PROT_WRITE };
	char path[LIMIT_PATH_BYTES];
	void *p = MAP_FAILED;

	(void)snprintf(path, sizeof(path), "%.*s/trial", STR_ARG(folder));
	IO_FD int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	/* its blocks are there before it is mapped: a full disk must not kill us */
	if (fd >= 0 && posix_fallocate(fd, 0, SIZE) == 0)
		p = mmap(NULL, SIZE, PROT, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		p = mmap(NULL, SIZE, PROT, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(p != MAP_FAILED);
	return p;
}

struct daemon_trial *
daemon_trial_new(struct str folder, struct store_reader *r,
	struct store_batch *batch, int64_t now_ms)
{
	struct daemon_trial *t = calloc(1, sizeof(*t));

	CHECK(t && pthread_mutex_init(&t->lock, NULL) == 0);
	t->page = map_page(folder);
	load(t, r, batch, now_ms);
	return t;
}

void
daemon_trial_free(struct daemon_trial *t)
{
	if (!t)
		return;
	(void)pthread_mutex_destroy(&t->lock);
	(void)munmap(t->page, sizeof(*t->page));
	free(t);
}
