/*
 * drive FOLDER ROUNDS [SEED]: a fuzzer without libFuzzer. Runs the files of a
 * folder, then ROUNDS texts made of them: bytes changed, taken out and put in,
 * two texts joined. The same seed makes the same texts.
 */

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzzing/fuzz.h"

enum { FILES_MAX = 1 << 14, TEXT_MAX = 1 << 12, CHANGES_MAX = 6 };

struct text {
	uint8_t *bytes;
	size_t size;
};

static struct text *texts;
static size_t text_count;
static uint64_t state;

static size_t
draw(size_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below > 0 ? (size_t)(state % below) : 0;
}

static void
read_text(const char *path)
{
	FILE *f = fopen(path, "re");
	struct text *t = &texts[text_count];

	t->bytes = malloc(TEXT_MAX);
	fuzz_want(f && t->bytes, path);
	t->size = fread(t->bytes, 1, TEXT_MAX, f);
	(void)fclose(f);
	text_count++;
}

static void
read_texts(const char *folder)
{
	char pattern[4096];
	glob_t g;

	(void)snprintf(pattern, sizeof(pattern), "%s/*", folder);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
	fuzz_want(glob(pattern, 0, NULL, &g) == 0, "there are seeds");
	texts = calloc(FILES_MAX, sizeof(*texts));
	fuzz_want(texts != NULL, "memory");
	for (size_t i = 0; i < g.gl_pathc && text_count < FILES_MAX; i++)
		read_text(g.gl_pathv[i]);
	globfree(&g);
}

/* Bytes that mean something to one reader or another. */
static uint8_t
draw_byte(void)
{
	static const char telling[] =
		"'\"`$(){}[]<>|&;#\\\n\t =:/*?!~@%^-+.,0123456789abcewrsnix_";

	return draw(8) == 0 ? (uint8_t)draw(256)
						: (uint8_t)telling[draw(sizeof(telling) - 1)];
}

static void
change(uint8_t *bytes, size_t *size)
{
	size_t at = draw(*size + 1);
	const struct text *other = &texts[draw(text_count)];

	switch (draw(4)) {
	case 0: /* one byte is another */
		if (at < *size)
			bytes[at] = draw_byte();
		return;
	case 1: /* some bytes go */
		if (at < *size) {
			size_t n = 1 + draw(*size - at < 16 ? *size - at : 16);

			n = n > *size - at ? *size - at : n;
			memmove(bytes + at, bytes + at + n, *size - at - n);
			*size -= n;
		}
		return;
	case 2: /* one comes */
		if (*size < TEXT_MAX) {
			memmove(bytes + at + 1, bytes + at, *size - at);
			bytes[at] = draw_byte();
			(*size)++;
		}
		return;
	default: /* from here on it is another text */
		if (other->size > 0) {
			size_t from = draw(other->size), n = other->size - from;

			n = n > TEXT_MAX - at ? TEXT_MAX - at : n;
			memcpy(bytes + at, other->bytes + from, n);
			*size = at + n;
		}
		return;
	}
}

/* A copy of its own size, so that reading past the end is seen. */
static void
run_text(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size > 0 ? size : 1);

	fuzz_want(copy != NULL, "memory");
	if (copy && size > 0)
		memcpy(copy, bytes, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

int
main(int argc, char **argv)
{
	static uint8_t bytes[TEXT_MAX];
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned long done = 0;

	if (argc < 3) {
		(void)fprintf(stderr, "usage: drive FOLDER ROUNDS [SEED]\n");
		return 2;
	}
	state = 88172645463325252u
		+ (argc > 3 ? strtoul(argv[3], NULL, 10) : 1) * 2654435761u;
	read_texts(argv[1]);
	for (size_t i = 0; i < text_count; i++)
		run_text(texts[i].bytes, texts[i].size);
	for (; done < rounds; done++) {
		const struct text *t = &texts[draw(text_count)];
		size_t size = t->size;

		memcpy(bytes, t->bytes, size);
		for (size_t n = 1 + draw(CHANGES_MAX); n > 0; n--)
			change(bytes, &size);
		run_text(bytes, size);
	}
	(void)printf("%zu passed, 0 failed\n", text_count + done);
	return EXIT_SUCCESS;
}
