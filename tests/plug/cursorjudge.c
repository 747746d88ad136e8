/*
 * Stands for `assent` where the filter for Cursor asks: `cursorjudge hook cursor
 * EVENT FOLDER ...` with a question on standard input. The question goes to
 * FOLDER/asked.CALL, and what FOLDER/answer.CALL says is the answer, as soon as
 * that file is there. Outcomes are lines of FOLDER/outcomes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file.h"
#include "wire/json.h"

static int
write_file(const char *folder, const char *name, struct str id, struct str text)
{
	char path[512], final[512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/new.%d", folder, (int)getpid());
	(void)snprintf(
		final, sizeof(final), "%s/%s.%.*s", folder, name, STR_ARG(id));
	f = fopen(path, "we");
	if (!f || fwrite(text.ptr, 1, text.len, f) != text.len || fclose(f) != 0
		|| rename(path, final) != 0)
		return 3;
	return 0;
}

static int
note_outcome(const char *folder, struct str text)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/outcomes", folder);
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	return fd >= 0 && io_file_write_fd(fd, text) == 0 ? 0 : 3;
}

/* The exit status: an answer that says EXIT ends badly. */
static int
answer(const char *folder, struct str id)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/answer.%.*s", folder, STR_ARG(id));
	for (int i = 0; i < 60000; i++) {
		CLEANUP(buf_done) struct buf text;

		buf_init(&text, 1 << 20);
		if (io_file_read(path, &text) == 0) {
			int r = io_file_write_fd(STDOUT_FILENO, buf_str(&text));

			return r != 0 || str_has(buf_str(&text), STR("EXIT")) ? 3 : 0;
		}
		(void)nanosleep(&nap, NULL);
	}
	return 4;
}

int
main(int argc, char **argv)
{
	CLEANUP(buf_done) struct buf in;
	struct wire_json_error e;
	const char *folder;

	buf_init(&in, 64 << 20);
	if (argc < 5 || io_file_read_fd(STDIN_FILENO, &in) != 0)
		return 2;
	folder = strcmp(argv[4], "--state") == 0 && argc > 5 ? argv[5] : argv[4];
	if (strcmp(argv[3], "outcome") == 0)
		return note_outcome(folder, buf_str(&in));
	WIRE_JSON json_t *j = wire_json_parse(buf_str(&in), &e);
	struct str id = j ? wire_json_str(j, "call_id") : STR("unreadable");

	if (write_file(folder, "asked", id, buf_str(&in)) != 0)
		return 3;
	return answer(folder, id);
}
