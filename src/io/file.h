#ifndef IO_FILE_H
#define IO_FILE_H

/*
 * Files, read and replaced carefully.
 */

#include "base/buf.h"
#include "base/fail.h"

#define IO_FD CLEANUP(io_file_closep)
void io_file_closep(int *fd);

/* The whole file into ret (made with its own maximum by the caller). Regular
 * files only. FAIL_ABSENT, FAIL_DENIED, FAIL_LIMIT, FAIL_IO. */
MUST_USE int io_file_read(const char *path, struct buf *ret);
/* All that comes from fd until its end. FAIL_LIMIT past the buffer's maximum. */
MUST_USE int io_file_read_fd(int fd, struct buf *ret);
/* Replaces path with text: a temporary file beside it, synced, renamed over it.
 * mode is for a new file; an existing one keeps its own. */
MUST_USE int io_file_replace(const char *path, struct str text, unsigned mode);
/* Makes the folder and its parents, mode 0700 for those it makes. */
MUST_USE int io_file_make_folder(const char *path);
/* All of s to fd, however often it takes. */
MUST_USE int io_file_write_fd(int fd, struct str s);

#endif
