#include "daemon/journal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "io/file.h"

enum { JOURNAL_BYTES = 1 << 20, LINE_BYTES = 1024 };

/* One journal per process, like standard error. */
static struct {
	pthread_mutex_t lock;
	int fd;
	off_t size;
	char path[LIMIT_PATH_BYTES];
	bool quiet; /* standard error is a file that nobody bounds */
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

static bool
is_plain_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static void
open_file(void)
{
	enum { FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW };
	struct stat st;

	journal.fd = open(journal.path, FLAGS, 0600);
	journal.size =
		journal.fd >= 0 && fstat(journal.fd, &st) == 0 ? st.st_size : 0;
}

void
daemon_journal_open(struct str folder)
{
	int n = snprintf(journal.path, sizeof(journal.path), "%.*s/assentd.log",
		STR_ARG(folder));

	if (n > 0 && (size_t)n < sizeof(journal.path))
		open_file();
	journal.quiet = journal.fd >= 0 && is_plain_file(STDERR_FILENO);
}

void
daemon_journal_close(void)
{
	io_file_closep(&journal.fd);
}

/* The full file becomes "assentd.log.1"; the one before is given up. */
static void
turn_over(void)
{
	char old[LIMIT_PATH_BYTES + 4];

	(void)snprintf(old, sizeof(old), "%s.1", journal.path);
	io_file_closep(&journal.fd);
	(void)rename(journal.path, old);
	open_file();
}

static void
write_line(const char *line, size_t n)
{
	if (journal.fd >= 0 && journal.size > JOURNAL_BYTES)
		turn_over();
	if (journal.fd >= 0
		&& io_file_write_fd(journal.fd, (struct str){line, n}) == 0)
		journal.size += (off_t)n;
	/* a pipe that is full or closed must not stop the daemon */
	if (!journal.quiet)
		(void)!write(STDERR_FILENO, line, n);
}

void
daemon_journal(const char *fmt, ...)
{
	char line[LINE_BYTES];
	time_t now = time(NULL);
	struct tm t = {0};
	va_list args;

	(void)gmtime_r(&now, &t);
	size_t n = strftime(line, sizeof(line), "%Y-%m-%dT%H:%M:%SZ ", &t);

	va_start(args, fmt);
	int more = vsnprintf(line + n, sizeof(line) - n - 1, fmt, args);

	va_end(args);
	n += more < 0 ? 0 : (size_t)more;
	if (n > sizeof(line) - 2)
		n = sizeof(line) - 2;
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	}
	line[n++] = '\n';
	(void)pthread_mutex_lock(&journal.lock);
	write_line(line, n);
	(void)pthread_mutex_unlock(&journal.lock);
}

void
daemon_journal_head(struct str head, const char *why)
{
	daemon_journal("audit head (%s): %.*s", why, STR_ARG(head));
	syslog(LOG_AUTHPRIV | LOG_NOTICE, "assentd: audit head of user %lld: %.*s",
		(long long)getuid(), STR_ARG(head));
}

void
daemon_journal_end(const char *what, const char *why)
{
	daemon_journal("%s: %s", what, why);
	if (journal.quiet)
		(void)fprintf(stderr, "%s: %s\n", what, why);
}
