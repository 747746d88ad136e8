/*
 * A failing world: writes, syncs and reads of the database fail by a seeded
 * number; the disk is full; the file is damaged. The only permitted outcome is a
 * failure that says so, and a store that is whole afterwards.
 */
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "store/store.h"
#include "tests/unit/folder.h"

static uint64_t seed;

static unsigned
roll(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* --- a file system that fails --------------------------------------------- */

struct file {
	sqlite3_file base;
	sqlite3_file *real;
};

static sqlite3_vfs *real_vfs;
static unsigned one_in; /* 0: nothing fails */
static unsigned failures;

static sqlite3_file *
real_of(sqlite3_file *f)
{
	return ((struct file *)f)->real;
}

static bool
fails(void)
{
	if (one_in == 0 || roll(one_in) != 0)
		return false;
	failures++;
	return true;
}

#define CALL(method, ...) real_of(f)->pMethods->method(real_of(f), __VA_ARGS__)

static int
do_close(sqlite3_file *f)
{
	return real_of(f)->pMethods->xClose(real_of(f));
}
static int
do_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	return fails() ? SQLITE_IOERR_READ : CALL(xRead, to, n, at);
}
static int
do_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
	if (fails()) {
		/* half of it gets there */
		if (n > 1 && roll(2))
			(void)CALL(xWrite, from, n / 2, at);
		return roll(2) ? SQLITE_FULL : SQLITE_IOERR_WRITE;
	}
	return CALL(xWrite, from, n, at);
}
static int
do_truncate(sqlite3_file *f, sqlite3_int64 n)
{
	return fails() ? SQLITE_IOERR_TRUNCATE : CALL(xTruncate, n);
}
static int
do_sync(sqlite3_file *f, int flags)
{
	return fails() ? SQLITE_IOERR_FSYNC : CALL(xSync, flags);
}
static int
do_size(sqlite3_file *f, sqlite3_int64 *n)
{
	return CALL(xFileSize, n);
}
static int
do_lock(sqlite3_file *f, int level)
{
	return fails() ? SQLITE_IOERR_LOCK : CALL(xLock, level);
}
static int
do_unlock(sqlite3_file *f, int level)
{
	return CALL(xUnlock, level);
}
static int
do_check(sqlite3_file *f, int *out)
{
	return CALL(xCheckReservedLock, out);
}
static int
do_control(sqlite3_file *f, int op, void *data)
{
	return CALL(xFileControl, op, data);
}
static int
do_sector(sqlite3_file *f)
{
	return real_of(f)->pMethods->xSectorSize(real_of(f));
}
static int
do_traits(sqlite3_file *f)
{
	return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}
static int
do_map(sqlite3_file *f, int page, int size, int extend, void volatile **to)
{
	return fails() ? SQLITE_IOERR_SHMMAP
				   : CALL(xShmMap, page, size, extend, to);
}
static int
do_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return CALL(xShmLock, offset, n, flags);
}
static void
do_barrier(sqlite3_file *f)
{
	real_of(f)->pMethods->xShmBarrier(real_of(f));
}
static int
do_unmap(sqlite3_file *f, int remove)
{
	return CALL(xShmUnmap, remove);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = do_close,
	.xRead = do_read,
	.xWrite = do_write,
	.xTruncate = do_truncate,
	.xSync = do_sync,
	.xFileSize = do_size,
	.xLock = do_lock,
	.xUnlock = do_unlock,
	.xCheckReservedLock = do_check,
	.xFileControl = do_control,
	.xSectorSize = do_sector,
	.xDeviceCharacteristics = do_traits,
	.xShmMap = do_map,
	.xShmLock = do_shm_lock,
	.xShmBarrier = do_barrier,
	.xShmUnmap = do_unmap,
};

static int
do_open(
	sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
	struct file *file = (struct file *)f;

	(void)vfs;
	file->base.pMethods = NULL;
	file->real = (sqlite3_file *)(void *)(file + 1);
	if (fails())
		return SQLITE_CANTOPEN;
	int rc = real_vfs->xOpen(real_vfs, name, file->real, flags, out);

	if (rc == SQLITE_OK)
		file->base.pMethods = &methods;
	return rc;
}

static void
use_failing_files(void)
{
	static sqlite3_vfs vfs;

	real_vfs = sqlite3_vfs_find(NULL);
	vfs = *real_vfs;
	vfs.zName = "failing";
	vfs.xOpen = do_open;
	vfs.szOsFile = real_vfs->szOsFile + (int)sizeof(struct file);
	assert_int_equal(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
}

/* --- seeded failures ------------------------------------------------------ */

enum { HEARINGS = 4096 };

static struct {
	bool told[HEARINGS]; /* the caller was told that it is recorded */
	bool found[HEARINGS];
	int64_t next;
} m;

static bool
see(void *data, const struct store_audit *row)
{
	(void)data;
	assert_true(row->hearing > 0 && row->hearing < HEARINGS);
	assert_false(m.found[row->hearing]); /* nothing twice */
	m.found[row->hearing] = true;
	return true;
}

static bool
is_known_failure(int r)
{
	return r == FAIL_SPACE || r == FAIL_IO || r == FAIL_DENIED
		|| r == FAIL_CORRUPT || r == FAIL_BUSY || r == FAIL_ABSENT;
}

static void
commit_some(struct store *s)
{
	struct store_batch *b = store_batch_new();
	int64_t first = m.next;

	for (unsigned n = 1 + roll(4); n > 0; n--) {
		struct store_audit row = {
			.kind = STORE_KIND_DECISION,
			.hearing = m.next++,
			.verdict = CALL_VERDICT_ALLOW,
			.reason = STR("something to fill the pages with"),
		};

		store_batch_add_audit(b, &row);
	}
	if (roll(2))
		store_batch_set_synced(b);
	int r = store_commit(s, b);

	assert_true(r == 0 || is_known_failure(r));
	if (r != 0)
		assert_true(strlen(fail_text()) > 0);
	for (int64_t i = first; r == 0 && i < m.next; i++)
		m.told[i] = true;
	store_batch_free(b);
}

/* Without failures: all that was told is there, and the chain is whole. */
static void
check_all(void)
{
	struct store *s;
	struct store_reader *r;
	struct store_opened o;
	struct store_verified v;

	one_in = 0;
	memset(m.found, 0, sizeof(m.found));
	assert_int_equal(store_open(folder, 5, &s, &o), 0);
	assert_false(o.cut || o.power_cut);
	assert_int_equal(store_reader_open(folder, &r), 0);
	assert_int_equal(store_verify(r, (struct str){0}, &v), 0);
	assert_int_equal(v.proof, STORE_CONSISTENT);
	assert_int_equal(
		store_read_audit(r, &(struct store_filter){0}, see, NULL), 0);
	for (int64_t i = 0; i < HEARINGS; i++)
		assert_true(!m.told[i] || m.found[i]);
	store_reader_close(r);
	store_close(s, 6);
}

/* One run of a daemon in a failing world. */
static void
run_once(void)
{
	struct store *s = NULL;

	one_in = roll(3) == 0 ? 0 : 10 + roll(60);
	int r = store_open(folder, 1, &s, NULL);

	assert_true(r == 0 || is_known_failure(r));
	for (int k = 0; r == 0 && k < 20; k++) {
		commit_some(s);
		if (roll(6) == 0 && store_sync(s) != 0)
			assert_true(strlen(fail_text()) > 0);
		if (roll(6) == 0 && store_checkpoint(s) != 0)
			assert_true(strlen(fail_text()) > 0);
	}
	if (r == 0)
		store_close(s, 2);
}

static void
test_seeded_failures(void **state)
{
	unsigned all = 0;

	(void)state;
	use_failing_files();
	for (uint64_t i = 1; i <= 60; i++) {
		seed = i;
		failures = 0;
		memset(&m, 0, sizeof(m));
		m.next = 1;
		for (int run = 0; run < 4; run++)
			run_once();
		check_all();
		all += failures;
		folder_clear();
		assert_int_equal(mkdir(folder, 0700), 0);
	}
	print_message("%u failures\n", all);
	assert_true(all > 200);
	(void)sqlite3_vfs_register(real_vfs, 1);
}

/* --- a full disk ---------------------------------------------------------- */

static void
set_limit(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void
test_full_disk(void **state)
{
	struct store *s;
	int r = 0;
	unsigned refused = 0;

	(void)state;
	memset(&m, 0, sizeof(m));
	m.next = 1;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(store_open(folder, 1, &s, NULL), 0);
	set_limit(256 << 10);
	for (int i = 0; i < 200; i++) {
		struct store_batch *b = store_batch_new();
		struct store_audit row = {
			.kind = STORE_KIND_DECISION,
			.hearing = m.next,
			.verdict = CALL_VERDICT_ALLOW,
		};

		store_batch_add_audit(b, &row);
		store_batch_set_synced(b);
		r = store_commit(s, b);
		store_batch_free(b);
		assert_true(r == 0 || r == FAIL_SPACE);
		if (r == 0)
			m.told[m.next++] = true;
		else
			refused++;
	}
	assert_true(refused > 0 && m.next > 1);
	set_limit(RLIM_INFINITY);
	commit_some(s); /* there is room again */
	assert_true(m.told[m.next - 1]);
	store_close(s, 2);
	check_all();
}

static void
test_no_room_to_begin(void **state)
{
	struct store *s = NULL;

	(void)state;
	memset(&m, 0, sizeof(m));
	m.next = 1;
	(void)signal(SIGXFSZ, SIG_IGN);
	set_limit(1000);
	assert_int_equal(store_open(folder, 1, &s, NULL), FAIL_SPACE);
	set_limit(RLIM_INFINITY);
	check_all();
}

/* --- a damaged file ------------------------------------------------------- */

/* All that a reader can see, or false. */
static bool
print_row(void *data, const struct store_audit *row)
{
	store_audit_print(data, row);
	buf_add_char(data, '\n');
	return true;
}

static bool
read_all(struct buf *b, enum store_proof *ret_proof)
{
	struct store_reader *r = NULL;
	struct store_verified v = {.proof = STORE_BROKEN};
	bool ok = store_reader_open(folder, &r) == 0
		&& store_verify(r, (struct str){0}, &v) == 0
		&& store_read_audit(r, &(struct store_filter){0}, print_row, b) == 0;

	*ret_proof = ok ? v.proof : STORE_BROKEN;
	store_reader_close(r);
	return ok;
}

static void
test_damage_is_seen(void **state)
{
	struct store *s;
	struct buf whole, now;
	enum store_proof proof;
	static char original[512 << 10];
	unsigned seen = 0;

	(void)state;
	seed = 7;
	memset(&m, 0, sizeof(m));
	m.next = 1;
	assert_int_equal(store_open(folder, 1, &s, NULL), 0);
	for (int i = 0; i < 100; i++)
		commit_some(s);
	store_close(s, 2);
	buf_init(&whole, 8 << 20);
	buf_init(&now, 8 << 20);
	assert_true(read_all(&whole, &proof));
	assert_int_equal(proof, STORE_CONSISTENT);
	int fd = open(folder_path("assent.db"), O_RDWR);
	ssize_t size = read(fd, original, sizeof(original));

	assert_true(size > 4096 && size < (ssize_t)sizeof(original));
	for (int i = 0; i < 300; i++) {
		for (unsigned k = 1 + roll(4); k > 0; k--) {
			char byte = (char)roll(256);

			assert_int_equal(
				pwrite(fd, &byte, 1, (off_t)roll((unsigned)size)), 1);
		}
		buf_clear(&now);
		bool ok = read_all(&now, &proof);

		/* what is called consistent reads as it always did */
		if (ok && proof == STORE_CONSISTENT)
			assert_true(str_eq(buf_str(&whole), buf_str(&now)));
		else
			seen++;
		/* and opening it for writing fails or works, and does no more */
		if (store_open(folder, 3, &s, NULL) == 0)
			store_close(s, 4);
		assert_int_equal(pwrite(fd, original, (size_t)size, 0), size);
		assert_int_equal(ftruncate(fd, size), 0);
		(void)unlink(folder_path("assent.db-wal"));
		(void)unlink(folder_path("assent.db-shm"));
		(void)unlink(folder_path("tail"));
		(void)unlink(folder_path("heads"));
	}
	print_message("%u of 300 damages seen\n", seen);
	assert_true(seen > 150);
	(void)close(fd);
	buf_done(&whole);
	buf_done(&now);
}

#define T(fn) \
	cmocka_unit_test_setup_teardown(test_##fn, folder_setup, folder_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(seeded_failures),
		T(full_disk),
		T(no_room_to_begin),
		T(damage_is_seen),
	};

	if (access("/dev/shm", W_OK) == 0)
		// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
		(void)setenv("TMPDIR", "/dev/shm", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
