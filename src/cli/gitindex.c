/*
 * The index of a git repository, as far as it names other repositories inside
 * (gitformat-index(5), versions 2 and 3). What is read differently (version 4
 * with parts, an index split in two) is not understood.
 */

#include <string.h>

#include "cli/gitconfig.h"

enum {
	HEAD_BYTES = 12,
	MODE_AT = 24,
	FLAGS_AT = 60, /* behind a hash of 20 bytes; 12 more with SHA-256 */
	SHA256_MORE = 12,
	EXTENDED = 0x4000,
	MODE_PART = 0160000,
	TRAILER_BYTES = 20,
};

static uint32_t
number_at(struct str s, size_t at, size_t bytes)
{
	uint32_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n = n << 8 | (unsigned char)s.ptr[at + i];
	return n;
}

struct entry {
	uint32_t mode;
	struct str name;
};

/* The entry at *at, whose hash is more bytes longer than 20; false if it is cut.
 * Moves *at behind it and its padding. */
static bool
read_entry(struct str index, size_t *at, size_t more, struct entry *ret)
{
	size_t flags_at = *at + FLAGS_AT + more;
	size_t name_at = flags_at + 2;

	if (name_at + 2 >= index.len)
		return false;
	if (number_at(index, flags_at, 2) & EXTENDED)
		name_at += 2;
	const char *end = memchr(index.ptr + name_at, 0, index.len - name_at);

	if (!end || end == index.ptr + name_at)
		return false;
	ret->mode = number_at(index, *at + MODE_AT, 4);
	ret->name = (struct str){
		index.ptr + name_at,
		(size_t)(end - index.ptr) - name_at,
	};
	/* one to eight NULs, up to a multiple of eight */
	*at += (name_at + ret->name.len - *at + 8) & ~(size_t)7;
	return true;
}

/* True if the entries end where the index says that they do: at an extension or
 * the trailing hash. */
static bool
ends_well(struct str index, size_t at, size_t more)
{
	size_t left = index.len - at;

	if (at > index.len || left < TRAILER_BYTES + more)
		return false;
	/* the rest of a split index is in another file */
	return left == TRAILER_BYTES + more
		|| !str_starts(str_sub(index, at, at + 4), STR("link"));
}

/* Adds what the index holds when its hashes are more bytes longer than 20; false
 * if it does not read well that way. */
static bool
read_parts(struct str index, size_t more, struct str *ret, size_t max,
	size_t *ret_count)
{
	uint32_t left = number_at(index, 8, 4);
	size_t at = HEAD_BYTES;
	struct entry e;

	for (; left > 0 && read_entry(index, &at, more, &e); left--) {
		if (e.mode == MODE_PART && *ret_count < max)
			ret[(*ret_count)++] = e.name;
	}
	return left == 0 && ends_well(index, at, more);
}

/* True if it could be half of a split index. */
static bool
may_be_split(struct str index)
{
	return memmem(index.ptr, index.len, "link", 4) != NULL;
}

/* True if four bytes anywhere could be the mode of a part. */
static bool
may_have_parts(struct str index)
{
	static const char mode[] = {0, 0, (char)0xe0, 0};

	return memmem(index.ptr, index.len, mode, sizeof(mode)) != NULL
		|| may_be_split(index);
}

bool
cli_git_index_parts(
	struct str index, struct str *ret, size_t max, size_t *ret_count)
{
	*ret_count = 0;
	if (index.len < HEAD_BYTES + TRAILER_BYTES
		|| !str_starts(index, STR("DIRC")))
		return false;
	/* most have none: no need to know more */
	if (!may_have_parts(index))
		return true;
	uint32_t version = number_at(index, 4, 4);
	bool sha1 = read_parts(index, 0, ret, max, ret_count);
	bool sha256 = read_parts(index, SHA256_MORE, ret, max, ret_count);

	/* half an index may read well with longer hashes, by chance */
	if (!sha1 && may_be_split(index))
		return false;
	/* one that reads well both ways has what either says */
	return (version == 2 || version == 3) && (sha1 || sha256)
		&& *ret_count < max;
}

/* The names of an index whose hashes are more bytes longer than 20. */
static bool
read_names(struct str index, size_t more,
	bool (*seen)(void *arg, struct str name), void *arg)
{
	uint32_t left = number_at(index, 8, 4);
	size_t at = HEAD_BYTES;
	struct entry e;

	for (; left > 0 && read_entry(index, &at, more, &e); left--) {
		if (!seen(arg, e.name))
			return false;
	}
	return left == 0 && ends_well(index, at, more);
}

bool
cli_git_index_names(
	struct str index, bool (*seen)(void *arg, struct str name), void *arg)
{
	if (index.len < HEAD_BYTES + TRAILER_BYTES
		|| !str_starts(index, STR("DIRC")))
		return false;
	uint32_t version = number_at(index, 4, 4);

	if (version != 2 && version != 3)
		return false;
	return read_names(index, 0, seen, arg)
		|| read_names(index, SHA256_MORE, seen, arg);
}
