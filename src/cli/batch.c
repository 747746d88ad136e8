/*
 * JSON lines in, JSON lines out. Whatever comes, a line in is a line out, and
 * all that is answered has left before the next read waits.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/asked.h"
#include "io/file.h"

enum {
	READ_BYTES = 64 << 10,
	/* the answer to one line: its effects, escaped */
	OUT_BYTES = 512 << 20,
	FLUSH_BYTES = 256 << 10,
};

struct batch {
	const struct check_options *options;
	cli_line_fn *answer;
	struct arena *arena; /* of one line */
	char *in;            /* what was read and not yet answered */
	size_t len, cap;
	size_t searched; /* no line feed before this */
	bool skipping;   /* inside a line that is too long */
	struct buf out;
};

static int
flush_out(struct batch *b)
{
	int r = b->out.full ? FAIL_LIMIT : io_file_write_fd(1, buf_str(&b->out));

	buf_clear(&b->out);
	return r;
}

static void
answer(struct batch *b, struct str line)
{
	if (b->skipping || line.len > LIMIT_BODY_BYTES)
		line = (struct str){0};
	b->answer(b->arena, b->options, line, &b->out);
	b->skipping = false;
}

/* Answers all whole lines that were read and keeps the rest. */
static int
answer_lines(struct batch *b)
{
	size_t start = 0;
	char *feed;

	while ((feed = memchr(b->in + b->searched, '\n', b->len - b->searched))
		!= NULL) {
		size_t end = (size_t)(feed - b->in);

		answer(b, (struct str){b->in + start, end - start});
		start = b->searched = end + 1;
		if (b->out.len > FLUSH_BYTES && flush_out(b) != 0)
			return FAIL_IO;
	}
	b->len -= start;
	memmove(b->in, b->in + start, b->len);
	if (b->len > LIMIT_BODY_BYTES) {
		b->skipping = true;
		b->len = 0;
	}
	b->searched = b->len;
	return flush_out(b);
}

static int
grow(struct batch *b)
{
	if (b->cap - b->len >= READ_BYTES)
		return 0;
	size_t cap = b->cap * 2 + READ_BYTES;
	char *in = realloc(b->in, cap);

	if (!in)
		return fail_here(FAIL_MEMORY, "no memory for a line");
	b->in = in;
	b->cap = cap;
	return 0;
}

static int
run(struct batch *b)
{
	for (;;) {
		if (grow(b) != 0)
			return FAIL_MEMORY;
		ssize_t n = read(0, b->in + b->len, b->cap - b->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_here(FAIL_IO, "standard input cannot be read");
		if (n == 0)
			break;
		b->len += (size_t)n;
		int r = answer_lines(b);

		if (r != 0)
			return r;
	}
	if (b->len > 0 || b->skipping)
		answer(b, (struct str){b->in, b->len});
	return flush_out(b);
}

int
cli_batch(const struct cli *c, const struct check_options *options,
	cli_line_fn *answer_line)
{
	struct batch b = {
		.options = options,
		.answer = answer_line,
		.arena = arena_new(LIMIT_ARENA_BYTES),
	};
	int r = FAIL_MEMORY;

	buf_init(&b.out, OUT_BYTES);
	if (b.arena)
		r = run(&b);
	arena_free(b.arena);
	buf_done(&b.out);
	free(b.in);
	if (r != 0)
		return cli_fail(c, "%s: %s", fail_name(r), fail_text());
	return CLI_OK;
}
