#include "llm/key.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

void
llm_key_wipe(struct llm_key *k)
{
	explicit_bzero(k, sizeof(*k));
}

bool
llm_key_take(struct llm_key *k, struct str text)
{
	text = str_trim(text);
	llm_key_wipe(k);
	if (text.len == 0 || text.len >= sizeof(k->bytes))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] <= ' ' || text.ptr[i] > '~')
			return false;
	}
	memcpy(k->bytes, text.ptr, text.len);
	k->len = text.len;
	return true;
}

static const char *
read_open(struct llm_key *k, int fd)
{
	char text[2 * LLM_KEY_BYTES];
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return "the file is not a plain one";
	if (st.st_uid != getuid() && st.st_uid != 0)
		return "the file belongs to another user";
	if ((st.st_mode & 077) != 0)
		return "others may read the file: chmod 600 it";
	ssize_t n = read(fd, text, sizeof(text));
	bool good = n > 0 && llm_key_take(k, (struct str){text, (size_t)n});

	explicit_bzero(text, sizeof(text));
	return good ? NULL : "there is no key in the file";
}

const char *
llm_key_read(struct llm_key *k, struct str path)
{
	char name[4096];

	llm_key_wipe(k);
	(void)snprintf(name, sizeof(name), "%.*s", STR_ARG(path));
	IO_FD int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd < 0 ? "there is no such file, or it may not be read"
				  : read_open(k, fd);
}
